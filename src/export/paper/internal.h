/*
 * Inside the folder: papers inside a paper.
 */
#ifndef EXPORT_PAPER_INTERNAL_H
#define EXPORT_PAPER_INTERNAL_H

#include "export/paper/paper.h"

/* Of a paper that has its own place, those of its bodies, and of the bodies in these. */
void paper_place_bodies(struct paper *p);

#endif
