/*
 * Names from a file as they are written in other languages.
 *
 * Each is read back by its language as the same bytes, and none holds a character that
 * would move a cursor: those are escaped.  A byte that is not UTF-8 is in Python what
 * os.fsdecode makes of it.
 */
#ifndef EXPORT_QUOTE_H
#define EXPORT_QUOTE_H

#include "base/str.h"

void quote_python(struct str *s, struct sv text);
/* The text form of protobuf messages. */
void quote_pbtxt(struct str *s, struct sv text);
/* As it is when the shell would leave it so; what holds control characters needs bash or zsh. */
void quote_shell(struct str *s, struct sv text);
/* One that Python and most languages take: letters, digits and _; never a word of Python. */
void quote_identifier(struct str *s, struct sv text);

#endif
