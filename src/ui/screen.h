/*
 * The screen: panes over one subject, drawn into a canvas.
 *
 * The screen looks and never changes a model: what the user wants to happen becomes a line
 * (`set input:0=batch`), and whoever owns the document runs it and renews the subject.
 *
 * A pane is a row of panes.def and a file of its own; it keeps its state behind
 * a pointer, draws itself into the box it is given, and answers to motions.
 */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include "infer/infer.h"
#include "ui/panes.def"
#include "ui/prompt.h"
#include "ui/theme.h"

/* What is looked at.  Everything is borrowed and holds until the next screen_renew. */
struct subject {
	const struct model *model;
	struct infer *infer; /* is asked why; results stay */
	struct sv path;
	bool modified;
	const uint8_t *changed; /* by value: 1 when the last step changed its shape; may be NULL */
	size_t changed_count;   /* how many of them are 1 */
	size_t changed_len;     /* of the array */
	bool preview;           /* the step is not applied yet */
	const struct sv *history;
	size_t history_count, history_done, history_saved;
	const struct infer_binding *tried; /* sizes tried out */
	size_t tried_count;
	/* The line that repairs a finding; false when there is none. */
	bool (*repair)(void *context, size_t finding, struct str *out);
	void *context;
};

enum {
	SCREEN_NARROW = 100 /* columns; below: the graph, and one pane over it */
};

enum pane_id {
#define PANE(id, ...) PANE_##id,
	PANES(PANE)
#undef PANE
	PANE_COUNT
};

/* Where a pane stands when the screen is not narrow. */
enum pane_place {
	PLACE_LEFT,
	PLACE_MIDDLE, /* the graph */
	PLACE_RIGHT,
	PLACE_SPARE, /* right, when there is room to spare or it is active */
	PLACE_GUEST, /* nowhere; while it is active, where the inspector stands */
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

struct screen;

struct pane_kind {
	const char *title;
	const char *hint; /* the keys that matter here */
	void *(*create)(void);
	void (*destroy)(void *state);
	/* The subject is another, or changed. */
	void (*renew)(struct screen *s, void *state);
	void (*draw)(struct screen *s, void *state, struct box inside, bool active);
	void (*move)(struct screen *s, void *state, enum motion motion);
	/* The wheel: what is seen moves, not what is selected; NULL: as move. */
	void (*scroll)(struct screen *s, void *state, enum motion motion);
	/* Enter, and a double click.  False when there is nothing to open. */
	bool (*open)(struct screen *s, void *state);
	/* Esc and Backspace: one step out.  False when there is nowhere to go. */
	bool (*leave)(struct screen *s, void *state);
	/* A cell that was drawn with this target was clicked. */
	void (*click)(struct screen *s, void *state, uint32_t target);
	/* What `e` starts to edit: a line such as `set input:0=batch`; false for nothing. */
	bool (*edit)(struct screen *s, void *state, struct str *line);
	bool edits_alone; /* where it has nothing to edit, the graph's selection is not meant */
	/* Behind the title: where one is. */
	void (*where)(struct screen *s, void *state, struct str *out);
};

/* A row of panes.def. */
struct pane {
	const char *name, *key;
	const struct pane_kind *kind;
	enum pane_place place;
	int share;
};

/* A list that scrolls: which row is selected and which is the first one seen. */
struct list {
	size_t count, at, top;
};

/* A box over everything else: help, palette, a question. */
enum overlay {
	OVERLAY_NONE,
#define OVERLAY(id, name) OVERLAY_##id,
#include "ui/overlays.def"
#undef OVERLAY
	OVERLAY_COUNT
};

struct overlay_kind {
	void (*draw)(struct screen *s, void *state, struct box inside);
	void *(*create)(void);
	void (*destroy)(void *state);
	/* A key while it is open; false when it is none of its. */
	bool (*key)(struct screen *s, void *state, uint32_t key);
	const char *title;
};

/* A row of the help: what a key or a line does.  The app has the table. */
struct help_row {
	const char *group, *name, *usage, *help;
	bool needs_words; /* is begun in the prompt rather than run */
	struct sv keys;
};

struct screen {
	struct subject subject;
	size_t renewed; /* grows whenever the subject is another, or changed */
	struct canvas canvas;
	struct theme theme;
	void *panes[PANE_COUNT];      /* owned; each pane's own */
	struct box boxes[PANE_COUNT]; /* inside of the frames; width 0 when it is not seen */
	bool wanted[PANE_COUNT];
	enum pane_id active;
	enum overlay overlay;
	void *overlay_state; /* owned */
	uint32_t graph;      /* that is looked at */
	uint32_t node;       /* selected; 0 when it is a value, or nothing */
	uint32_t value;      /* selected input or output; 0 for none */
	struct prompt prompt;
	struct str notice;
	bool notice_bad;
	struct str pending;          /* keys of a sequence that is not whole yet */
	struct str line;             /* a line that the screen wants to be run; empty for none */
	struct str chosen;           /* the file that the start screen was asked for */
	struct str page;             /* what the page overlay shows */
	bool page_wanted;            /* ... and the user wants to have copied */
	struct str busy;             /* what long work is doing; empty when idle */
	const struct help_row *help; /* borrowed */
	size_t help_count;
	struct map input_symbols; /* symbol -> its place among those of the inputs, from 1 */
	struct map symbol_styles; /* symbol -> style; in order of appearance */
	uint32_t symbol_count;
	bool working; /* a pane has more to do in the next picture: draw again when idle */
	struct {
		VEC(uint32_t)
		nodes; /* what the last search found, in order */
		struct str text;
	} search;
};

void screen_init(struct screen *s, int width, int height);
void screen_release(struct screen *s);
void screen_resize(struct screen *s, int width, int height);
/* The subject changed: every pane looks again. */
void screen_renew(struct screen *s, const struct subject *subject);
/* The whole picture, into the canvas. */
void screen_draw(struct screen *s);

/* ---- what keys and lines do ---- */

void screen_move(struct screen *s, enum motion motion);
bool screen_open(struct screen *s);
/* Overlay, then pane, then the graph itself. */
void screen_leave(struct screen *s);
void screen_pane(struct screen *s, enum pane_id pane);
void screen_next_pane(struct screen *s, int step);
void screen_toggle(struct screen *s, enum pane_id pane);
void screen_click(struct screen *s, int x, int y, bool twice);
void screen_scroll(struct screen *s, int x, int y, enum motion motion);
void screen_overlay(struct screen *s, enum overlay overlay);
/* A key while an overlay is open; false when it is none of its. */
bool screen_overlay_key(struct screen *s, uint32_t key);
/* The column of the prompt's cursor. */
int screen_cursor(const struct screen *s);
/* Selects a node (of any graph) and shows it; the outline and the inspector follow. */
void screen_select(struct screen *s, uint32_t node);
/* Selects an input or output of the graph that is looked at. */
void screen_select_value(struct screen *s, uint32_t value);
/* After a jump from a list: goes to the graph where the list would hide it. */
void screen_jumped(struct screen *s);
void screen_say(struct screen *s, bool bad, const char *format, ...) PRINTF_LIKE(3, 4);
/* Runs a line of the help, or begins it in the prompt when it needs words. */
void help_run(struct screen *s, const struct help_row *r);
/* Asks for a line to be run. */
void screen_ask(struct screen *s, const char *format, ...) PRINTF_LIKE(2, 3);
/* What `e` edits. */
bool screen_edit_line(struct screen *s, struct str *out);
const struct pane *pane_row(enum pane_id pane);
const struct pane_kind *pane_kind(enum pane_id pane);
const struct overlay_kind *overlay_kind(enum overlay overlay);
/* By its name, or by its number from 1. */
bool pane_find(struct sv name, enum pane_id *out);

/* ---- for panes ---- */

/* Moves in a list of which `rows` are seen; list_fit keeps the selection in sight. */
void list_move(struct list *l, enum motion motion, size_t rows);
void list_fit(struct list *l, size_t rows);
/* Row i of a list at its place: background when it is selected.  Gives the y. */
int list_row(struct screen *s, struct box inside, const struct list *l, size_t i, bool active);

/* The style of a symbol: the same one everywhere, in the order in which they appear. */
enum style symbol_style(struct screen *s, uint32_t symbol);
/* `[batch, 3, ?]` with each symbol in its style; gives the columns used. */
int draw_shape(struct screen *s, int x, int y, int columns, const struct info *info);
int draw_dim(struct screen *s, int x, int y, int columns, struct sym dim);
/* The same as plain text, to measure. */
void shape_text(const struct screen *s, const struct info *info, struct str *out);
/* float32 as f32, int64 as i64 … */
const char *elem_short(int32_t elem);
/* Has the last step changed it? */
bool value_changed(const struct screen *s, uint32_t value);
bool node_changed(const struct screen *s, uint32_t node);
/* The gravest finding at a node, or LEVEL_COUNT. */
enum level node_level(const struct screen *s, uint32_t node);
enum style level_style(enum level level);
/* A node's name, or what stands for one. */
struct sv node_label(const struct model *m, uint32_t node);

/* The panes and overlays, each in its file. */
#define PANE(id, name, ...) extern const struct pane_kind name##_pane;
PANES(PANE)
#undef PANE
#define OVERLAY(id, name) extern const struct overlay_kind name##_overlay;
#include "ui/overlays.def"
#undef OVERLAY

#endif
