/*
 * Internal to this folder: a Graphviz context with our text widths; see render.h.
 */
#ifndef EXPORT_RENDER_INTERNAL_H
#define EXPORT_RENDER_INTERNAL_H

#include <gvc.h>

#include "base/base.h"

/*
 * A context in which texts have the width that our layout gave them, one character per column.
 * For SVG, whose text the viewer draws: no font lookup and no shaping, which would take a
 * quarter of the time, and every machine writes the same file.
 */
GVC_t *rendering_context(void);

#endif
