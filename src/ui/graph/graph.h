/*
 * Commands of the graph pane; the pane itself is graph_pane (see screen.h).
 */
#ifndef UI_GRAPH_GRAPH_H
#define UI_GRAPH_GRAPH_H

#include "base/str.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"
#include "ops/info.h"
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
	FOLD_START, /* as when first opened */
	FOLD_COUNT
};

/* Before a frame: folds a graph that is shown for the first time. */
void graph_prepare(struct screen *s);
void graph_zoom(struct screen *s, enum zoom zoom);
enum zoom graph_zoom_now(const struct screen *s);
/* Chooses a zoom by the number of visible items. */
void graph_zoom_default(struct screen *s);
void graph_fold(struct screen *s, enum fold fold);
/*
 * Follows a line to a reader or producer of the selection.  If there are several and `letter`
 * is 0, adds them to the choices, and returns false: one must be chosen.
 */
bool graph_follow(struct screen *s, bool out, char letter);
/* The jump list. */
bool graph_back(struct screen *s);
bool graph_forward(struct screen *s);
void graph_mark(struct screen *s, char letter);
bool graph_jump(struct screen *s, char letter);
/* Adds the marks that are set to the choices; false for none. */
bool graph_list_marks(struct screen *s);
/* Shows only items near the selection; 0: all. */
void graph_focus(struct screen *s, uint32_t hops);
/* Shows only paths between the last mark and the selection. */
bool graph_path_to_mark(struct screen *s);
/* The bodies of the selected node, or the function that it calls: how many. */
uint32_t graph_insides(const struct screen *s);
/*
 * Enters a body or function of the selected node, and leaves it.  If there are several and
 * `letter` is 0, adds them to the choices, and returns false.
 */
bool graph_enter(struct screen *s, char letter);
bool graph_exit(struct screen *s);
/*
 * Selects a node, or a fold that it is in, wherever that is: folds that hide it are entered, so
 * that screen_leave comes out of them again.
 */
void graph_visit(struct screen *s, uint32_t node, uint32_t scope);

/* What is shown: the graph with its folds, and the focus; NULL without a subject. */
const struct scopes *graph_folds(struct screen *s, struct view_focus *out_focus);
/* The scopes of the current graph; NULL if the selected fold is in another. */
const struct scopes *graph_scopes(const struct screen *s);
/* What a fold is called everywhere: what its shape arithmetic computes if that is known and short,
 * else its name, or the operator it ends with. */
void fold_title(const struct screen *s, const struct scopes *scopes, uint32_t scope,
		struct str *out);
bool fold_computed(const struct screen *s, const struct scopes *scopes, uint32_t scope,
		   struct info *out);

/* The sizes that a value contains, as a shape; false when it contains none. */
bool value_computed(const struct screen *s, uint32_t value, struct info *out);

#endif
