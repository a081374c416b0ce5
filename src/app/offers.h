/*
 * What may be done about the findings of a document: a line each, empty for those with nothing.
 */
#ifndef APP_OFFERS_H
#define APP_OFFERS_H

#include "edit/document.h"

struct offers {
	VEC(struct str)
	lines; /* owned */
};

/* Offers are tried: what does not work is not offered.  The findings stay as they are. */
void offers_find(struct offers *out, struct document *d);
void offers_release(struct offers *o);

#endif
