/*
 * Inside the folder: the steps of making a sheet.
 */
#ifndef EXPORT_SHEET_INTERNAL_H
#define EXPORT_SHEET_INTERNAL_H

#include "export/sheet/sheet.h"

/* Finds the scopes of a graph, and folds what is not to be whole. */
void sheet_fold(struct sheet *s, const struct sheet_request *r, uint32_t graph);
/* The sizes of boxes, by their texts. */
void sheet_measure(struct sheet *s);
/*
 * Makes a sheet of each body that is to be drawn, and its node's box large enough for it.  Boxes
 * must have their usual sizes.
 */
void sheet_open_bodies(struct sheet *s, const struct sheet_request *r);
void sheet_close_bodies(struct sheet *s);
/* The layout; false if a box did not get the room that its bodies need. */
bool sheet_lay_out(struct sheet *s);
/* Of this sheet and those in it. */
void sheet_find_legend(struct sheet *s);

#endif
