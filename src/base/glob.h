/*
 * Patterns as in a shell: `past_key_values.*`, `layer_?`, `[kv]_cache`.
 *
 * `*` is any text, `?` one character, `[a-z]` one of a set and `[!a-z]` one outside of it; in a
 * set, a `]` that comes first is one of its characters.  A `[` that is never closed stands for
 * itself.  There is no escape: `[*]` is a star.
 */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include "base/sv.h"

/* Does it contain *, ? or [? */
bool glob_is(struct sv text);
/* Does it match the whole text? */
bool glob_matches(struct sv pattern, struct sv text);

#endif
