/*
 * A graph of a model as it goes onto paper: what is seen of it, what is written in
 * each box, and where the boxes stand.  Folded and laid out as on the screen.
 *
 * Texts are fit to be seen (str_add_shown) but not yet quoted for any format.
 */
#ifndef EXPORT_SHEET_SHEET_H
#define EXPORT_SHEET_SHEET_H

#include "base/str.h"
#include "infer/infer.h"
#include "layout/picture/picture.h"
#include "layout/view/view.h"

enum {
	SHEET_COLOURS = 10 /* of symbols; then they begin anew */
};

/* Which part; an empty text means that it is not asked for. */
struct sheet_request {
	struct sv graph; /* which: 3.body, NODE.then_branch, a function; else the main graph */
	bool whole;      /* nothing is folded */
	struct sv scope; /* /encoder/layer.0: that, and what it touches */
	struct sv focus; /* a node or a tensor: that, and what is near */
	struct sv path;  /* with a focus: what lies between the two instead */
	uint32_t hops;
};

struct sheet {
	const struct infer *in; /* borrowed */
	struct scopes scopes;
	struct view view;
	struct picture picture;
	struct map colours; /* symbol -> place in the order of appearance, from 1 */
	uint32_t strips;    /* side by side, when a drawing is too tall for its format; else 0 */
};

/* A text in pieces of one colour each. */
struct label_run {
	size_t end;      /* in the text */
	uint32_t colour; /* of a symbol, from 1 to SHEET_COLOURS; 0 is plain */
};

struct label {
	struct str text;
	VEC(struct label_run)
	runs;
};

/* As a request says it; never the main graph. */
bool sheet_find_graph(const struct model *m, struct sv name, uint32_t *out,
		      struct err *err) MUST_USE;
bool sheet_make(struct sheet *s, const struct infer *in, const struct sheet_request *request,
		struct err *err) MUST_USE;
void sheet_release(struct sheet *s);

/* The operator, the scope with how much is in it, or the name of an input. */
void sheet_title(const struct sheet *s, uint32_t item, struct str *out);
/* What a node reads that is constant, and a mark when there is a graph inside; often empty. */
void sheet_constants(const struct sheet *s, uint32_t item, struct str *out);
/* The name of a node, the path of a scope. */
void sheet_name(const struct sheet *s, uint32_t item, struct str *out);
/* The shape of what it gives, cut when it is very long. */
void sheet_shape(struct sheet *s, uint32_t item, struct label *out);
/* The tensors of a net: all of them, or when they are many the first. */
void sheet_net(const struct sheet *s, uint32_t net, struct str *out);
/* How many bytes of a text, shown, fit into so many columns. */
size_t sheet_fitting(struct sv text, size_t columns);
void label_clear(struct label *l);
void label_release(struct label *l);

/* The whole sheet in boxes and lines, as text. */
void sheet_text(struct sheet *s, bool ascii, struct str *out);

#endif
