/*
 * What may be sent to a terminal or into a file that people open: see base/utf8.h.
 */
#ifndef TESTS_FUZZ_PLAIN_H
#define TESTS_FUZZ_PLAIN_H

#include "base/sv.h"

/* Is it UTF-8 without a character that acts or hides?  Line ends are fine. */
bool text_is_plain(struct sv text);
/* Is it one value of JSON, and nothing else? */
bool text_is_json(struct sv text);
/* The next line, without its end; false when there is none. */
bool text_line(struct sv *rest, struct sv *out);

#endif
