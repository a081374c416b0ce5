/*
 * The screen: panes over one subject, drawn into a canvas.
 *
 * The screen never changes a model: it asks for a command (`set input:0=batch`), which the
 * document's owner runs before renewing the subject.
 *
 * A pane is a row of panes.def and a file of its own, which defines its kind; so is an overlay
 * one of overlays.def.
 */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/finding.h"
#include "infer/hues.h"
#include "infer/infer.h"
#include "infer/nicknames.h"
#include "infer/past.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/dims.h"
#include "ui/follow.h"
#include "ui/prompt.h"
#include "ui/search/hit.h"
#include "ui/theme.h"

#include "ui/panes.def"

enum value_change {
	CHANGED_NOT,
	CHANGED_SHAPE,
	CHANGED_ELEMENTS /* what is computed: the same shape, of other numbers */
};

/* What is shown.  Everything is borrowed and valid until the next screen_renew. */
struct subject {
	const struct model *model;
	struct infer *infer; /* for explanations; results stay */
	struct sv path;
	uint64_t bytes; /* of the file as it was opened */
	bool modified;
	const uint8_t *changed;    /* by value: enum value_change, against the file; may be NULL */
	size_t changed_count;      /* of shapes */
	size_t changed_len;        /* of the array */
	const struct past *before; /* in a preview: the shapes before it; else NULL */
	bool preview;              /* of an edit: `changed` is what it changes */
	const struct sv *history;
	const struct sv *history_said; /* how each was proved; empty for nothing */
	size_t history_count, history_done, history_saved;
	const struct infer_binding *tried; /* sizes being tried */
	size_t tried_count;
	/* The command that repairs a finding; false if there is none. */
	bool (*repair)(void *context, size_t finding, struct str *out);
	void *context;
};

enum {
	SCREEN_NARROW = 100, /* columns; below this, one pane over the graph */
	SCREEN_LEFT = 141    /* below this, what is left of the graph lies over it while active */
};

enum pane_id {
#define PANE(id, ...) PANE_##id,
	PANES(PANE)
#undef PANE
	PANE_COUNT
};

/* Where a pane is, unless the screen is narrow. */
enum pane_place {
	PLACE_LEFT,
	PLACE_MIDDLE, /* the graph */
	PLACE_RIGHT,
	PLACE_SPARE, /* right, if there is room or it is active */
	PLACE_GUEST, /* hidden; while active, instead of the inspector */
	PLACE_COUNT
};

enum motion {
	MOTION_UP,
	MOTION_DOWN,
	MOTION_LEFT,
	MOTION_RIGHT,
	MOTION_PAGE_UP,
	MOTION_PAGE_DOWN,
	MOTION_HALF_UP,
	MOTION_HALF_DOWN,
	MOTION_FIRST,
	MOTION_LAST,
	MOTION_COUNT
};

/* A scrolling list: the selected row and the first visible one. */
struct list {
	size_t count, at, top;
	size_t rows; /* visible when last drawn */
};

struct screen;
struct rows;

/* A pane or an overlay; every function of its kind gets this. */
struct pane {
	const struct pane_kind *kind;
	struct screen *screen; /* borrowed */
	void *state;           /* owned; of the kind's size */
	struct box box;        /* inside the frame; width 0 when hidden */
	bool active;           /* has the keys */
	struct list list;
	struct rows *rows; /* owned; NULL unless the kind fills them */
	bool stale;        /* the rows are to be filled again */
};

/*
 * What makes a pane.  Most show a list: they fill rows, or draw one row, and pane.c does the
 * rest.  A function that is NULL does what a list does, or nothing.
 */
struct pane_kind {
	const char *title;
	const char *hint;  /* the most useful keys */
	const char *empty; /* shown instead of an empty list */
	size_t size;       /* of the state, which starts as zeros */
	void (*init)(struct pane *p);
	void (*release)(struct pane *p); /* what the state owns */
	/* The subject was replaced or changed, or something else is selected. */
	void (*renew)(struct pane *p);
	/* Fills the empty rows for their width, whenever that or the subject changes. */
	void (*fill)(struct pane *p, struct rows *r);
	/* The rows it has something for, at this width; NULL: the list's. */
	int (*wants)(struct pane *p, int width);
	/* Draws row i of the list; NULL: one of `rows`.  Background and click target are set. */
	void (*draw_row)(struct pane *p, size_t i, struct box line);
	void (*draw)(struct pane *p); /* into its box; NULL: the list alone */
	void (*move)(struct pane *p, enum motion motion);
	/* The mouse wheel: scrolls without changing the selection; NULL: as move. */
	void (*scroll)(struct pane *p, enum motion motion);
	/* Enter or a double click; NULL: follows a link.  False if there is nothing to open. */
	bool (*open)(struct pane *p);
	/* Esc or Backspace: one level up.  False at the top. */
	bool (*leave)(struct pane *p);
	/* A cell with this target was clicked; a row's is its index plus 1. */
	void (*click)(struct pane *p, uint32_t target);
	/* A key while this overlay is open; false if it is not its own. */
	bool (*key)(struct pane *p, uint32_t key);
	/* The dim that keys act on; false for none.  NULL: that of the graph. */
	bool (*dim)(struct pane *p, struct dim_at *out);
	void (*point)(struct pane *p, struct dim_at at);
	/* To the dim before or after; false if there is none. */
	bool (*step_dim)(struct pane *p, int step);
	/* What `e` edits where it is no dim, such as `set batch=batch`; false for none. */
	bool (*edit)(struct pane *p, struct str *line);
	/* The most useful keys just now; NULL: `hint`. */
	const char *(*hints)(struct pane *p);
	/* After the title: the place. */
	void (*where)(struct pane *p, struct str *out);
};

/* A row of panes.def. */
struct pane_row {
	const char *name, *brief, *key;
	const struct pane_kind *kind;
	enum pane_place place;
};

/* A box over everything else: help, palette, a question. */
enum overlay {
	OVERLAY_NONE,
#define OVERLAY(id, name) OVERLAY_##id,
#include "ui/overlays.def"
#undef OVERLAY
	OVERLAY_COUNT
};

/* What is known of a repair before it is made. */
struct proof {
	struct str line; /* the repair; empty for none */
	enum proof_state {
		PROOF_WORKS,
		PROOF_REFUSED,
		PROOF_LONG /* trying it would take long */
	} state;
	struct str text;    /* how it is proved, or why it is refused */
	struct str refused; /* the last one that was */
};

/* A key that may follow, and what it does. */
struct following {
	struct str key, line;
	const char *help; /* borrowed: static */
};

/* A row of the help: a key or a command.  The table is in the app. */
struct help_row {
	const char *group, *usage, *help, *synonyms;
	struct sv line;   /* as it runs: "fold all" */
	bool needs_words; /* starts in the prompt instead of running */
	bool is_choice;   /* one of many, and without keys: only for who looks for it */
	struct sv keys;
};

struct screen {
	struct subject subject;
	size_t renewed;     /* incremented when the subject is replaced or changed */
	struct str weights; /* how many; empty if that is unknown, or there are none */
	struct canvas canvas;
	struct theme theme;
	struct pane panes[PANE_COUNT];
	bool wanted[PANE_COUNT];
	bool alone; /* only the graph, and over it the active pane */
	enum pane_id active;
	enum overlay overlay;
	struct pane over; /* the overlay */
	uint32_t graph;   /* the current one */
	uint32_t node;    /* selected; 0 for a value, or nothing */
	uint32_t scope;   /* the fold that is selected; `node` stands for it; 0 for none */
	uint32_t value;   /* selected input or output; 0 for none */
	struct prompt prompt;
	struct {
		uint32_t node, value; /* where it is; 0 for none */
		struct str text;      /* the sentence */
	} conflict;                   /* the problem that a preview makes */
	struct proof proof;           /* of the selected problem's repair */
	struct dim_at edited;         /* the dim that the prompt edits; value 0 for none */
	struct str notice;
	bool notice_bad;
	struct str pending; /* an incomplete key sequence */
	VEC(struct following) following;
	VEC(struct following) choices; /* the letters that the line which waits for one takes */
	struct str line;               /* a command to run; empty for none */
	struct str chosen;             /* the file chosen on the start screen */
	const struct str *recent;      /* borrowed: paths for the start screen */
	size_t recent_count;
	struct str page; /* text of the page overlay */
	struct str page_title;
	bool page_wanted;            /* the user wants to copy the page */
	struct str busy;             /* progress of a long task; empty when idle */
	const struct help_row *help; /* borrowed */
	size_t help_count;
	struct hues hues; /* of symbols */
	struct follow follow;
	struct nicknames names; /* for long expressions */
	unsigned speaking;      /* see screen_speak */
	bool working;           /* a pane has work left: draw again when idle */
	struct {
		VEC(struct hit) hits; /* of the last search, in order */
		size_t counts[HIT_KIND_COUNT];
		size_t renewed;    /* the subject that was searched */
		struct hit now;    /* the last one that was gone to */
		uint32_t selected; /* the node that this selected */
		struct str text;
	} search;
};

/* Its panes point to it, so it must not move afterwards. */
void screen_init(struct screen *s, int width, int height);
void screen_release(struct screen *s);
void screen_resize(struct screen *s, int width, int height);
/* The subject changed: every pane is updated. */
void screen_renew(struct screen *s, const struct subject *subject);
/* Draws everything into the canvas. */
void screen_draw(struct screen *s);
/* The inside of the graph's frame. */
struct box screen_graph_box(const struct screen *s);

/* ---- what keys and commands do ---- */

void screen_move(struct screen *s, enum motion motion);
bool screen_open(struct screen *s);
/* Closes an overlay, or leaves the pane; false in the graph when there is nothing to leave. */
bool screen_leave(struct screen *s);
void screen_pane(struct screen *s, enum pane_id pane);
void screen_next_pane(struct screen *s, int step);
void screen_toggle(struct screen *s, enum pane_id pane);
/* Is there room for one pane only, over the graph? */
bool screen_is_narrow(const struct screen *s);
/* Does the active pane lie over the graph? */
bool screen_is_covered(const struct screen *s);
void screen_click(struct screen *s, int x, int y, bool twice);
void screen_scroll(struct screen *s, int x, int y, enum motion motion);
void screen_overlay(struct screen *s, enum overlay overlay);
/* A key while an overlay is open; false if it is not handled. */
bool screen_overlay_key(struct screen *s, uint32_t key);
/* The column of the prompt's cursor. */
int screen_cursor(const struct screen *s);
/* Its row: what is wrong with its text is below it. */
int screen_prompt_row(const struct screen *s);
/* Selects a node of any graph and shows it; outline and inspector follow. */
void screen_select(struct screen *s, uint32_t node);
/* Selects a folded scope of the graph pane; the node stands for it. */
void screen_select_fold(struct screen *s, uint32_t node, uint32_t scope);
/* Selects an input or output of the current graph. */
void screen_select_value(struct screen *s, uint32_t value);
/* The selection changed: panes and overlay follow it. */
void screen_selected(struct screen *s);
/* After a jump from a list: activates the graph if the list would cover it. */
void screen_jumped(struct screen *s);
/*
 * Follows a symbol: its flow is bright, and the pane of symbols lists its uses, until
 * screen_leave.  The selection stays.
 */
void screen_follow(struct screen *s, uint32_t symbol);
/* The same; `n` goes on from what is selected. */
void screen_follow_from_here(struct screen *s, uint32_t symbol);
/* To the next or previous use of the followed symbol; false when none is followed. */
bool screen_step_use(struct screen *s, int step);
/* To a use; false when there is no such one. */
bool screen_go_to_use(struct screen *s, size_t use);
void screen_say(struct screen *s, bool bad, const char *format, ...) LIKE_PRINTF(3, 4);
/* No keys may follow. */
void following_clear(struct screen *s);
void choices_add(struct screen *s, char letter, struct sv label);
void choices_clear(struct screen *s);
/* Runs a command, or starts it in the prompt if it needs arguments. */
void help_run(struct screen *s, const struct help_row *r);
/* How well a row fits what was typed, by its line and what else is said of it; 0: not at all. */
int help_fits(const struct help_row *r, struct sv typed);
/* Requests a command. */
void screen_ask(struct screen *s, const char *format, ...) LIKE_PRINTF(2, 3);
/* The dim that keys act on, in the active pane or the graph; false for none. */
bool screen_dim(struct screen *s, struct dim_at *out);
/* Points at a dim of what is selected. */
void screen_point(struct screen *s, struct dim_at at);
bool screen_step_dim(struct screen *s, int step);
/* The weight that the inspector shows, which is what is selected then; 0 for none. */
uint32_t screen_weight(const struct screen *s);
/* Its values, or those of the first weight that the selected node reads; false for none. */
bool screen_values(struct screen *s);
/* The command that `e` edits; `note` says where that is, or why there is none. */
bool screen_edit_line(struct screen *s, struct str *line, struct str *note);
const struct pane_row *pane_row(enum pane_id pane);
/* By name, or by number from 1. */
bool pane_find(struct sv name, enum pane_id *out);

/* Sentences that are made from now on have short names, until it is called with false as often. */
void screen_speak(struct screen *s, bool on);

/* ---- for panes ---- */

void list_move(struct list *l, enum motion motion);
/* Keeps the selection visible. */
void list_fit(struct list *l);
/* What a key does in an overlay; while typing, letters are text. */
bool motion_find(uint32_t key, bool typing, enum motion *out);
/* Draws the visible rows of the list. */
void pane_draw_list(struct pane *p, struct box box);
/* Draws the number of hidden rows into the frame's bottom border. */
void pane_draw_more(const struct pane *p);

/* ---- for the screen: what the kind does, or what a list does ---- */

void pane_init(struct pane *p, struct screen *s, const struct pane_kind *kind);
void pane_release(struct pane *p);
void pane_renew(struct pane *p);
void pane_draw(struct pane *p);
void pane_move(struct pane *p, enum motion motion);
void pane_scroll(struct pane *p, enum motion motion);
bool pane_open(struct pane *p);
void pane_click(struct pane *p, uint32_t target);
bool pane_key(struct pane *p, uint32_t key);
bool pane_edit(struct pane *p, struct str *line);
bool pane_dim(struct pane *p, struct dim_at *out);
/* Keys may arrive before the first frame: fills the rows. */
void pane_ready(struct pane *p);
/* The rows it has something for. */
int pane_rows(struct pane *p, int width);
/* Those of its list. */
int pane_list_rows(struct pane *p, int width);
/* The columns of the widest row as it was filled; 0 for a list that draws its own. */
int pane_columns(const struct pane *p);

/* ---- about the subject ---- */

/* The style of a symbol: the same everywhere, see infer/hues.h. */
enum style symbol_style(struct screen *s, uint32_t symbol);
/* The style of an operator's name. */
enum style kind_style(enum op_kind kind);
enum style node_style(const struct screen *s, uint32_t node);
/* `[batch, 3, ?]` with each symbol in its style; returns the columns used. */
int draw_shape(struct screen *s, int x, int y, int columns, const struct info *info);
/* What a short name stands for, by its index plus 1. */
int draw_meaning(struct screen *s, int x, int y, int columns, uint32_t name);
int draw_dim(struct screen *s, int x, int y, int columns, struct sym dim);
/*
 * The shape of a value, in a preview with what its dims were: `[batch→8, 3]`.  What the prompt
 * edits is as it is typed.  `pointed`: the axis under the cursor, or -1.  `axis_shift`: where
 * the target of a click has the axis plus 1; 0 for nowhere.
 */
int draw_value(struct screen *s, int x, int y, int columns, uint32_t value, int pointed,
	       unsigned axis_shift);
/* The elements of a value, see value_computed; in a preview with what they were: `past→9`. */
int draw_elements(struct screen *s, int x, int y, int columns, uint32_t value,
		  const struct info *computed);
void elements_text(const struct screen *s, uint32_t value, const struct info *computed,
		   struct str *out);
/* A dim as plain text, with short names. */
void dim_text(const struct screen *s, struct sym dim, struct str *out);
/* The same as plain text, to measure. */
void value_text(const struct screen *s, uint32_t value, struct str *out);
/* As draw_shape draws it. */
void shape_text(const struct screen *s, const struct info *info, struct str *out);
/* Is its shape not that of the file, or in a preview, not what it was before? */
bool value_changed(const struct screen *s, uint32_t value);
bool node_changed(const struct screen *s, uint32_t node);
/* Does it compute other numbers, as in shape arithmetic, in the same shape? */
bool node_computes_other(const struct screen *s, uint32_t node);
/* The most severe finding at a node, or LEVEL_COUNT. */
enum level node_level(const struct screen *s, uint32_t node);
enum style gravity_style(enum gravity gravity);
enum style level_style(enum level level);

/* Panes and overlays, each in its own file. */
#define PANE(id, name, ...) extern const struct pane_kind name##_pane;
PANES(PANE)
#undef PANE
#define OVERLAY(id, name) extern const struct pane_kind name##_overlay;
#include "ui/overlays.def"
#undef OVERLAY

#endif
