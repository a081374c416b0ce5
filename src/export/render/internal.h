/*
 * Graphviz as we need it; see render.h.  Only for this room.
 */
#ifndef EXPORT_RENDER_INTERNAL_H
#define EXPORT_RENDER_INTERNAL_H

/* Before Graphviz, which has a MIN and a MAX of its own. */
#include "base/base.h"

#include <gvc.h>

/*
 * A context in which texts have the width that our layout gave them, a letter a column.  For
 * SVG, whose letters are drawn elsewhere: no font is looked up and nothing is shaped, which
 * would take a quarter of the time, and every machine makes the same file.
 */
GVC_t *rendering_context(void);

#endif
