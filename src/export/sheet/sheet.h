/*
 * A graph of a model, ready to draw: the visible items, the text of each box, and the layout.
 * Folded and laid out as on the screen.
 *
 * Texts are safe to print (str_add_shown) but not yet quoted for any format.
 */
#ifndef EXPORT_SHEET_SHEET_H
#define EXPORT_SHEET_SHEET_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/hues.h"
#include "infer/infer.h"
#include "infer/nicknames.h"
#include "ir/graph.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"
#include "ops/property.h"

/* Which part; an empty string means unset. */
struct sheet_request {
	struct sv graph; /* 3.body, NODE.then_branch, a function; else the main graph */
	bool whole;      /* nothing is folded */
	size_t small;    /* a graph of fewer nodes is not folded either, unless a part is named */
	struct sv scope; /* /encoder/layer.0: that scope and its neighbours */
	struct sv focus; /* a node or a tensor: that and the nodes near it */
	struct sv path;  /* with a focus: the paths between the two instead */
	uint32_t hops;
	/* Borrowed: what the screen shows, a graph with its folds and focus; else NULL. */
	const struct scopes *like;
	struct view_focus seen;
	struct hues *hues;             /* the colours on the screen; NULL: those of a first look */
	const struct nicknames *names; /* the short names there; likewise */
	bool expressions;              /* no short names */
	bool bodies;                   /* those of an If, Loop or Scan are drawn inside its box */
};

/* A body of a node, drawn inside its box. */
struct sheet_body {
	struct sheet *sheet;   /* owned */
	uint32_t item;         /* of the node, in the sheet around it */
	uint32_t columns;      /* of its title */
	int32_t width, height; /* points */
};

struct sheet {
	struct infer *in; /* borrowed; explained on the page, results stay */
	struct scopes scopes;
	struct view view;
	struct picture picture;
	struct hues *hues; /* borrowed, or own_hues */
	struct hues own_hues;
	const struct nicknames *names; /* borrowed, or own_names */
	struct nicknames own_names;
	VEC(uint32_t) legend; /* the names in the picture, by index */
	uint32_t strips;      /* when the drawing is too tall for its format; else 0 */
	uint32_t unframed;    /* frames that DOT leaves out because there are too many; else 0 */
	uint32_t dpi;         /* when it is too large for the usual resolution; else 0 */
	VEC(struct sheet_body) bodies; /* those of one node are neighbours */
	uint32_t *body_of;             /* owned; by item: its first body plus 1; NULL without any */
	uint32_t left_out;             /* bodies of its items that are not drawn */
	uint32_t first_item;           /* the number of item 0 among those of all sheets */
};

/* A text in pieces of one colour each. */
struct label_run {
	size_t end;      /* offset in the text */
	uint32_t colour; /* of a symbol, from 1 to HUES; 0 is plain */
};

struct label {
	struct str text;
	VEC(struct label_run) runs;
};

/* By the name in a request; never the main graph. */
bool sheet_find_graph(const struct model *m, struct sv name, uint32_t *out,
		      struct err *err) MUST_USE;
bool sheet_make(struct sheet *s, struct infer *in, const struct sheet_request *request,
		struct err *err) MUST_USE;
void sheet_release(struct sheet *s);
/* The nodes that folds hide, and how many folds that are, in bodies too. */
size_t sheet_hidden(const struct sheet *s, size_t *out_folds);
/* Bodies that are not drawn: too deep, or too many. */
size_t sheet_left_out(const struct sheet *s);
/* All boxes and lines, those of bodies too. */
size_t sheet_boxes(const struct sheet *s);
size_t sheet_lines(const struct sheet *s);
/* What a body is to its node: "then_branch". */
struct sv sheet_caption(const struct sheet *body);
/* How many bodies an item shows: from body_of on. */
uint32_t sheet_bodies(const struct sheet *s, uint32_t item);

/* The operator, the scope with its node count, or the name of an input or output. */
void sheet_title(const struct sheet *s, uint32_t item, struct str *out);
/* Of its operator; none for what is no node. */
enum op_kind sheet_kind(const struct sheet *s, uint32_t item);
/*
 * The constant inputs of a node, and a mark when it contains a graph; what an end of a body is to
 * its node; often empty.
 */
void sheet_constants(const struct sheet *s, uint32_t item, struct str *out);
/* The name of a node, the path of a scope. */
void sheet_name(const struct sheet *s, uint32_t item, struct str *out);
/* The shape of its output, cut when very long. */
void sheet_shape(struct sheet *s, uint32_t item, struct label *out);
/* What a short name stands for: `H₃ = floor((H + 24)/28)`. */
void sheet_meaning(struct sheet *s, uint32_t i, struct label *out);
/* The bytes of the first line of a text that is wrapped, after an operator if possible. */
size_t sheet_line(struct sv text, size_t columns);
/* The tensors of a net, or the first few of many. */
void sheet_net(const struct sheet *s, uint32_t net, struct str *out);
/* The number of bytes of a text that fit into the columns when printed. */
size_t sheet_fitting(struct sv text, size_t columns);
void label_clear(struct label *l);
void label_release(struct label *l);

/* The whole sheet in boxes and lines, as text. */
void sheet_text(struct sheet *s, bool ascii, struct str *out);

#endif
