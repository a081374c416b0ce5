/*
 * A sheet as SVG, drawn by ourselves: the same boxes, frames and lines as in dot/.
 *
 * A box is <g class="node" data-item="3">, a line <g class="edge" data-ends="0 3">, a frame
 * <g class="cluster">; the <title> of each is its name.  The page around a picture reads these.
 * Texts are as wide as the viewer's font makes them, around the middle of their box.
 */
#ifndef EXPORT_SVG_SVG_H
#define EXPORT_SVG_SVG_H

#include <stdio.h>

#include "export/sheet/sheet.h"

/* What cannot be written is noticed when the stream is flushed. */
void svg_write(struct sheet *s, FILE *out);

#endif
