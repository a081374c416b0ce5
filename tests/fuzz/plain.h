/*
 * Text that is safe in a terminal and in files that people open: see base/utf8.h.
 */
#ifndef TESTS_FUZZ_PLAIN_H
#define TESTS_FUZZ_PLAIN_H

#include "base/sv.h"

/* Is it UTF-8 without control or hidden characters?  Line ends are fine. */
bool text_is_plain(struct sv text);
/* Is it exactly one JSON value? */
bool text_is_json(struct sv text);
/* The next line, without its end; false if there is none. */
bool text_line(struct sv *rest, struct sv *out);

#endif
