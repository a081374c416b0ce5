/*
 * All values of a weight: rows of some elements, each with the index of its first one.
 *
 * Only a window of elements around what is shown is kept.  It is read when it is looked at, for a
 * moment per frame: where values must be read to be skipped, the end of a large weight takes time.
 */
#include <inttypes.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/screen.h"

enum {
	WINDOW = 2048, /* elements that are kept */
	BLOCK = 256,   /* elements that are read at once */
	SKIP_AT_ONCE = 1 << 16,
	READ_MS = 25, /* per frame */
	DIGITS = 6,
	CELL = 14,       /* columns of a value */
	MOST_IN_ROW = 16 /* values */
};

struct values {
	uint32_t tensor;
	uint64_t elements;
	uint64_t inner;  /* elements of the last axis */
	uint64_t in_row; /* values of a row */
	struct err trouble;
	struct tensor_reader reader;
	bool reading;
	uint64_t at;   /* the next element that it reads */
	uint64_t from; /* the first of the window */
	VEC(struct str) window;
	size_t filled; /* of it */
};

static void values_stop(struct values *v)
{
	if (v->reading)
		tensor_reader_release(&v->reader);
	v->reading = false;
}

static void values_release(struct pane *p)
{
	struct values *v = p->state;

	values_stop(v);
	for (size_t i = 0; i < v->window.len; i++)
		str_release(&v->window.at[i]);
	vec_release(&v->window);
}

/* The file may have been replaced, and another weight selected. */
static void values_start(struct pane *p)
{
	struct values *v = p->state;
	const struct model *m = p->screen->subject.model;
	const struct tensor *t;

	values_stop(v);
	v->tensor = screen_weight(p->screen);
	v->trouble = (struct err){0};
	v->elements = v->from = v->filled = 0;
	v->inner = 1;
	if (!v->tensor)
		return;
	t = &m->tensors.at[v->tensor];
	if (!tensor_elements(t, &v->elements))
		(void)err_set(&v->trouble, ERR_FORMAT, "invalid tensor shape");
	if (t->rank && t->dims[t->rank - 1] > 0)
		v->inner = (uint64_t)t->dims[t->rank - 1];
}

/* ---- rows ---- */

/* A row ends with the last axis. */
static uint64_t values_rows_of_inner(const struct values *v)
{
	return (v->inner + v->in_row - 1) / v->in_row;
}

static uint64_t values_first(const struct values *v, size_t row)
{
	uint64_t rows = values_rows_of_inner(v);

	return row / rows * v->inner + row % rows * v->in_row;
}

static uint64_t values_count(const struct values *v, size_t row)
{
	uint64_t in = row % values_rows_of_inner(v) * v->in_row;

	return MIN(v->in_row, v->inner - in);
}

/* [3, 0, 2] */
static void values_index(const struct tensor *t, uint64_t element, struct str *out)
{
	uint64_t places[16] = {0};
	uint32_t rank = MIN(t->rank, (uint32_t)ARRAY_LEN(places));

	for (uint32_t i = t->rank; i-- > 0;) {
		uint64_t size = t->dims[i] > 0 ? (uint64_t)t->dims[i] : 1;

		if (i < rank)
			places[i] = element % size;
		element /= size;
	}
	str_char(out, '[');
	for (uint32_t i = 0; i < rank; i++)
		str_format(out, "%s%" PRIu64, i ? ", " : "", places[i]);
	str_text(out, rank < t->rank ? ", \u2026]" : "]");
}

static int values_index_width(const struct tensor *t, uint64_t elements)
{
	struct str text = {0};
	int width;

	values_index(t, elements ? elements - 1 : 0, &text);
	width = (int)utf8_width(str_sv(&text));
	str_release(&text);
	return width;
}

/* ---- reading ---- */

static bool values_has(const struct values *v, uint64_t first, uint64_t count)
{
	return first >= v->from && first + count <= v->from + v->filled;
}

/* Moves the window, which starts a little before what is looked at. */
static bool values_seek(struct values *v, const struct model *m, uint64_t first)
{
	v->from = first - MIN(first, (uint64_t)WINDOW / 4);
	v->filled = 0;
	if (v->reading && v->at <= v->from)
		return true;
	values_stop(v);
	v->at = 0;
	v->reading = tensor_reader_init(&v->reader, &m->bytes, &m->tensors.at[v->tensor],
					&v->trouble);
	return v->reading;
}

static void values_keep(struct values *v, const struct scalar *value)
{
	struct str *text;

	if (v->filled == v->window.len)
		vec_push(&v->window, (struct str){0});
	text = &v->window.at[v->filled++];
	str_clear(text);
	scalar_print(text, value, DIGITS);
}

/* Skips or reads some; false at the end or on failure. */
static bool values_go_on(struct values *v, uint64_t end)
{
	struct scalar block[BLOCK];
	size_t got = 0;
	/* A text is valid until the next one is read. */
	size_t most = v->reader.elem == ELEM_STRING ? 1 : BLOCK;

	if (v->at < v->from) {
		uint64_t count = MIN(v->from - v->at, (uint64_t)SKIP_AT_ONCE);

		v->at += count;
		return tensor_reader_skip(&v->reader, count, &v->trouble);
	}
	if (!tensor_reader_next(&v->reader, block, MIN(most, end - v->at), &got, &v->trouble))
		return false;
	for (size_t i = 0; i < got; i++)
		values_keep(v, &block[i]);
	v->at += got;
	return got > 0;
}

static void values_read(struct pane *p, uint64_t first, uint64_t count)
{
	struct values *v = p->state;
	int64_t end_ms = clock_ms() + READ_MS;
	uint64_t end;

	if (v->trouble.kind || values_has(v, first, count))
		return;
	if ((!v->reading || first < v->from || first + count > v->from + WINDOW) &&
	    !values_seek(v, p->screen->subject.model, first))
		return;
	end = MIN(v->from + WINDOW, v->elements);
	while (v->at < end && clock_ms() < end_ms) {
		if (!values_go_on(v, end) && !v->trouble.kind)
			(void)err_set(&v->trouble, ERR_FORMAT,
				      "the data ends before the shape does");
		if (v->trouble.kind)
			break;
	}
	p->screen->working |= !v->trouble.kind && !values_has(v, first, count);
}

/* ---- drawing ---- */

static void values_draw_row(struct pane *p, size_t i, struct box line)
{
	struct screen *s = p->screen;
	const struct values *v = p->state;
	const struct tensor *t = &s->subject.model->tensors.at[v->tensor];
	uint64_t first = values_first(v, i), count = values_count(v, i);
	int width = values_index_width(t, v->elements), x = line.x + width + 1;
	struct str text = {0};

	values_index(t, first, &text);
	canvas_text(&s->canvas, line.x, line.y, MIN(width, line.width), str_sv(&text), STYLE_DIM);
	for (uint64_t k = 0; k < count && x + CELL <= line.x + line.width; k++, x += CELL) {
		struct sv shown = SV("\u2026");

		str_clear(&text);
		if (values_has(v, first + k, 1)) {
			str_add_shown(&text, str_sv(&v->window.at[first + k - v->from]));
			shown = str_sv(&text);
		}
		canvas_right(&s->canvas, x, line.y, CELL, shown, STYLE_NUMBER);
	}
	str_release(&text);
}

/* What is known of all of them. */
static void values_draw_head(struct pane *p, struct box line)
{
	struct values *v = p->state;
	struct str text = {0};

	if (v->trouble.kind) {
		canvas_text(&p->screen->canvas, line.x, line.y, line.width, sv_of(v->trouble.text),
			    STYLE_CONFLICT);
		return;
	}
	str_count(&text, v->elements);
	str_text(&text, v->elements == 1 ? " element" : " elements");
	inspector_statistics(p->screen, &text);
	canvas_text(&p->screen->canvas, line.x, line.y, line.width, str_sv(&text), STYLE_INFO);
	str_release(&text);
}

static void values_draw(struct pane *p)
{
	struct values *v = p->state;
	const struct model *m = p->screen->subject.model;
	struct box box = p->box;
	int room;

	if (!v->tensor || v->tensor >= m->tensors.len || box.height < 2 || box.width < 1)
		return;
	room = box.width - values_index_width(&m->tensors.at[v->tensor], v->elements) - 1;
	v->in_row = (uint64_t)MAX(MIN(room / CELL, MOST_IN_ROW), 1);
	v->in_row = MIN(v->in_row, v->inner);
	p->list.count = (size_t)(v->elements / v->inner * values_rows_of_inner(v));
	p->list.rows = (size_t)box.height - 1;
	list_fit(&p->list);
	if (p->list.count) {
		size_t last = MIN(p->list.top + p->list.rows, p->list.count) - 1;
		uint64_t first = values_first(v, p->list.top);

		values_read(p, first, values_first(v, last) + values_count(v, last) - first);
	}
	values_draw_head(p, (struct box){box.x, box.y, box.width, 1});
	pane_draw_list(p, (struct box){box.x, box.y + 1, box.width, box.height - 1});
	pane_draw_more(p);
}

static void values_where(struct pane *p, struct str *out)
{
	const struct values *v = p->state;
	const struct model *m = p->screen->subject.model;

	if (v->tensor && v->tensor < m->tensors.len && m->tensors.at[v->tensor].name) {
		str_text(out, " of ");
		str_add_shown(out, model_name(m, m->tensors.at[v->tensor].name));
	}
}

const struct pane_kind values_overlay = {
	.title = "Values",
	.hint = "j/k rows  PgUp/PgDn page  g/G ends  Esc close",
	.empty = "no values",
	.size = sizeof(struct values),
	.init = values_start,
	.release = values_release,
	.renew = values_start,
	.draw_row = values_draw_row,
	.draw = values_draw,
	.where = values_where,
};
