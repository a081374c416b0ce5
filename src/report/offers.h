/*
 * Repairs for the findings of a document: one line each, empty where there is none.
 */
#ifndef REPORT_OFFERS_H
#define REPORT_OFFERS_H

#include "base/str.h"
#include "base/vec.h"
#include "edit/document.h"

struct offers {
	VEC(struct str) lines; /* owned; known to work */
	/* Owned; trying them would take too long.  A hostile file can need very many changes. */
	VEC(struct str) untried;
};

/* Each repair is tried first, with bounded work.  The findings do not change. */
void offers_find(struct offers *out, struct document *d);
void offers_release(struct offers *o);

#endif
