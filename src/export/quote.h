/*
 * Quoting of names from a file for other languages.
 *
 * Each language reads back the same bytes.  Characters that would move a cursor are escaped.
 * In Python, a byte that is not UTF-8 becomes what os.fsdecode makes of it.
 */
#ifndef EXPORT_QUOTE_H
#define EXPORT_QUOTE_H

#include "base/str.h"
#include "base/sv.h"

void quote_python(struct str *s, struct sv text);
/* For the text format of protobuf. */
void quote_pbtxt(struct str *s, struct sv text);
/* Quotes only if needed.  Control characters become $'...', which needs bash or zsh. */
void quote_shell(struct str *s, struct sv text);
/* Only letters, digits and _; never a Python keyword. */
void quote_identifier(struct str *s, struct sv text);

#endif
