/*
 * What lines do in the graph pane; the pane itself is graph_pane (see screen.h).
 */
#ifndef UI_GRAPH_GRAPH_H
#define UI_GRAPH_GRAPH_H

#include "ui/screen.h"

enum zoom {
	ZOOM_MAP,
	ZOOM_LANES,
	ZOOM_BOXES,
	ZOOM_DETAILS, /* boxes with names and attributes */
	ZOOM_COUNT
};

enum fold {
	FOLD_TOGGLE,
	FOLD_OPEN,
	FOLD_CLOSE,
	FOLD_ALL,
	FOLD_NONE,
	FOLD_START, /* as when the graph was opened */
	FOLD_COUNT
};

void graph_zoom(struct screen *s, enum zoom zoom);
enum zoom graph_zoom_now(const struct screen *s);
/* What suits the number of items that are seen. */
void graph_zoom_default(struct screen *s);
void graph_fold(struct screen *s, enum fold fold);
/*
 * Along a line to a reader or producer of the selection.  When there are several and
 * `letter` is 0, a notice lists them with letters, and false tells that one is to be chosen.
 */
bool graph_follow(struct screen *s, bool out, char letter);
/* The places one has been at. */
bool graph_back(struct screen *s);
bool graph_forward(struct screen *s);
void graph_mark(struct screen *s, char letter);
bool graph_jump(struct screen *s, char letter);
/* Only what is near the selection; 0 for everything again. */
void graph_focus(struct screen *s, uint32_t hops);
/* Only what lies between the last mark and the selection. */
bool graph_path_to_mark(struct screen *s);
/* Into a body or function of the selected node, and out of it. */
bool graph_enter(struct screen *s);
bool graph_exit(struct screen *s);

/* What a value holds, when it holds sizes, as if that were a shape; false when it does not. */
bool value_computed(const struct screen *s, uint32_t value, struct info *out);

#endif
