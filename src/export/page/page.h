/*
 * A drawing as a self-contained HTML page: one file that needs no server.
 *
 * page.js provides panning, search and details of a box.  The page loads nothing and runs only
 * that script: its Content-Security-Policy names the script by digest, so that no name from a
 * file can become a script, a style or a request.
 */
#ifndef EXPORT_PAGE_PAGE_H
#define EXPORT_PAGE_PAGE_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "export/sheet/sheet.h"

/* `svg` is the sheet's drawing as Graphviz writes it. */
bool page_make(struct str *out, const struct sheet *s, struct sv title, struct sv svg,
	       struct err *err) MUST_USE;

/* Generated from the files of the same names. */
extern const unsigned char page_js[];
extern const size_t page_js_size;
extern const char page_js_digest[];
extern const unsigned char page_css[];
extern const size_t page_css_size;
extern const char page_css_digest[];
extern const unsigned char page_html[];
extern const size_t page_html_size;

#endif
