/*
 * A condition as a row has room for it.
 *
 * The caches of a model with many layers are broadcast one after the other, and the condition of
 * the last names all those before:
 *
 *   broadcast(`am:0`, `ids:0`, `p0k:0`, ... 21 more) = p11v:0    broadcast(`am:0`, `ids:0`, …) =
 * p11v:0
 */
#ifndef REPORT_BRIEF_H
#define REPORT_BRIEF_H

#include "base/str.h"
#include "base/sv.h"

/* Of a broadcast of more than three sizes, adds the first two. */
void brief_add(struct str *out, struct sv condition);

#endif
