/*
 * Repairs for the findings of a document: one line each, empty where there is none.
 */
#ifndef REPORT_OFFERS_H
#define REPORT_OFFERS_H

#include "base/str.h"
#include "base/vec.h"
#include "edit/document.h"

struct offers {
	VEC(struct str) lines; /* owned */
};

/* Each repair is tried first: only what works is offered.  The findings do not change. */
void offers_find(struct offers *out, struct document *d);
void offers_release(struct offers *o);

#endif
