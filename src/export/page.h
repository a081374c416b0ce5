/*
 * An SVG in a page of its own, for a browser: search finds what is written in it, and the
 * mouse shows full names.  Nothing is loaded and no script runs.
 */
#ifndef EXPORT_PAGE_H
#define EXPORT_PAGE_H

#include "base/str.h"

void page_make(struct str *out, struct sv title, struct sv svg);

#endif
