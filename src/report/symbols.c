#include "report/symbols.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/words.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	WIDEST_NOTE = 200,  /* bytes */
	NOTE_WORK = 1 << 22 /* symbols of conditions to look at; a hostile file has very many */
};

static void clear_rows(struct symbol_list *l)
{
	for (size_t i = 0; i < l->rows.len; i++) {
		str_release(&l->rows.at[i].name);
		for (size_t k = 0; k < SYMBOL_MAX_NOTES; k++)
			str_release(&l->rows.at[i].notes[k]);
	}
	vec_clear(&l->rows);
}

void symbol_list_release(struct symbol_list *l)
{
	clear_rows(l);
	vec_release(&l->rows);
	vec_release(&l->known);
}

/* ---- counting ---- */

/* What a list is filled from. */
struct symbol_source {
	const struct infer *in;            /* borrowed */
	const struct infer_binding *tried; /* borrowed */
	size_t tried_count;
};

static bool find_tried(const struct symbol_source *s, uint32_t symbol, int64_t *out)
{
	struct sv name = sym_name(&s->in->pool, symbol);

	for (size_t i = 0; name.len && i < s->tried_count; i++) {
		if (sv_eq(s->tried[i].name, name)) {
			*out = s->tried[i].size;
			return true;
		}
	}
	return false;
}

struct counting {
	struct symbol_list *pane; /* borrowed */
	uint32_t value;
};

static void symbol_list_count_use(void *context, uint32_t symbol)
{
	struct counting *c = context;
	struct symbol_known *k = &c->pane->known.at[symbol];

	if (k->kept)
		return;
	k->uses++;
	if (!k->value) {
		k->value = c->value;
		k->order = (uint64_t)1 << 63 | c->value;
	}
}

static void symbol_list_forget(const struct symbol_source *s, struct symbol_list *l)
{
	size_t had = l->known.len, count = s->in->pool.symbols.len;

	while (l->known.len < count)
		(void)vec_add(&l->known);
	for (size_t i = 0; i < count; i++) {
		struct symbol_known *k = &l->known.at[i];
		int64_t size;

		if (i < had && k->uses && find_tried(s, (uint32_t)i, &size))
			k->kept = true;
		else
			*k = (struct symbol_known){0};
		k->row = 0;
	}
}

/* An input dim that is a symbol alone declares it. */
static void note_inputs(const struct infer *in, struct symbol_list *l)
{
	const struct graph *g = &in->model->graphs.at[0];

	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];
		uint32_t symbol;

		for (uint32_t j = 0; info->ranked && j < info->rank; j++) {
			struct symbol_known *k;

			if (!sym_symbol_id(&in->pool, info->dims[j], &symbol))
				continue;
			k = &l->known.at[symbol];
			if (k->value)
				continue;
			k->value = g->inputs.at[i];
			k->order = (uint64_t)i << 32 | j;
		}
	}
}

static void count_uses(const struct symbol_source *s, struct symbol_list *l)
{
	const struct infer *in = s->in;

	symbol_list_forget(s, l);
	note_inputs(in, l);
	for (uint32_t v = 1; v < in->model->values.len; v++) {
		const struct info *info = &in->infos[v];
		struct counting c = {l, v};

		for (uint32_t i = 0; info->ranked && i < info->rank; i++)
			sym_each_symbol(&in->pool, info->dims[i], symbol_list_count_use, &c);
	}
}

/* ---- constraints ---- */

static void add_note(struct symbol_row *r, struct sv text)
{
	struct sv kept = utf8_cut(text, WIDEST_NOTE);
	struct str note = {0};
	bool there = r->note_count == SYMBOL_MAX_NOTES;

	str_add(&note, kept);
	str_text(&note, kept.len < text.len ? "\u2026" : "");
	for (uint32_t i = 0; i < r->note_count && !there; i++)
		there = sv_eq(str_sv(&r->notes[i]), str_sv(&note));
	if (!there)
		str_add(&r->notes[r->note_count++], str_sv(&note));
	str_release(&note);
}

struct noting {
	struct symbol_list *pane;      /* borrowed */
	const struct infer *infer;     /* borrowed */
	const struct finding *finding; /* borrowed */
	struct str text;               /* the note, once made: the same for every symbol */
	size_t seen;                   /* symbols so far */
};

struct symbol_row *symbol_list_find(const struct symbol_list *l, uint32_t symbol)
{
	uint32_t row = symbol < l->known.len ? l->known.at[symbol].row : 0;

	return row ? &l->rows.at[row - 1] : NULL;
}

static void note_pin(struct str *out, const struct finding *f)
{
	str_format(out, f->m == f->n ? "pinned to %" PRId64 : "limited to %" PRId64, f->n);
	if (f->m != f->n)
		str_format(out, " \u2026 %" PRId64, f->m);
}

/* `past + seq <= 512` */
static void note_finding(void *context, uint32_t symbol)
{
	struct noting *n = context;
	struct symbol_row *r = symbol_list_find(n->pane, symbol);
	bool pin = n->finding->level == LEVEL_PIN;

	n->seen++;
	if (r && r->identity && n->infer->identities.at[r->identity - 1].fact == n->finding->fact)
		return;
	if (!r || r->note_count == SYMBOL_MAX_NOTES ||
	    (pin &&
	     !finding_pins(&n->infer->pool, n->finding, n->infer->pool.symbols.at[symbol].self)))
		return;
	if (!n->text.len && pin)
		note_pin(&n->text, n->finding);
	else if (!n->text.len)
		finding_print_condition(n->infer, n->finding, &n->text);
	r->pinned |= pin;
	add_note(r, str_sv(&n->text));
}

/* A size fixed by a weight is not a finding, but worth showing. */
static void note_equal(struct symbol_list *l, const struct infer *in, struct sym a, struct sym b)
{
	struct str text = {0};
	struct symbol_row *r;
	uint32_t symbol, other;

	/* Of two symbols there is a finding. */
	if (!sym_symbol_id(&in->pool, a, &symbol) || sym_is_unknown(b) ||
	    sym_symbol_id(&in->pool, b, &other))
		return;
	r = symbol_list_find(l, symbol);
	if (r && !r->pinned && !r->identity && r->note_count < SYMBOL_MAX_NOTES) {
		str_text(&text, "= ");
		sym_say(&in->pool, b, &text);
		add_note(r, str_sv(&text));
	}
	str_release(&text);
}

/* `= past + seq by MatMul /attn/MatMul` */
static void note_identity(struct symbol_row *r, const struct infer *in, const struct identity *d)
{
	const struct model *m = in->model;
	const struct node *n = &m->nodes.at[in->facts.at[d->fact - 1].node];
	struct str text = {0};

	str_text(&text, "= ");
	sym_say(&in->pool, d->equal, &text);
	str_text(&text, d->broadcast ? ", unless one of them is 1, by " : " by ");
	str_add(&text, model_cut_name(m, n->op));
	str_text(&text, node_called(m, n) ? " " : "");
	str_add(&text, model_cut_name(m, node_called(m, n)));
	add_note(r, str_sv(&text));
	str_release(&text);
}

/* What must be equal comes before what is broadcast.  Of two names, the one declared first stays.
 */
static void note_identities(struct symbol_list *l, const struct infer *in, bool broadcast)
{
	for (size_t i = 0; i < in->identities.len; i++) {
		const struct identity *d = &in->identities.at[i];
		struct symbol_row *r = symbol_list_find(l, d->symbol), *other = NULL;
		uint32_t symbol;

		if (d->broadcast != broadcast)
			continue;
		if (sym_symbol_id(&in->pool, d->equal, &symbol))
			other = symbol_list_find(l, symbol);
		if (!r || r->identity || (other && other->order > r->order))
			continue;
		r->identity = (uint32_t)i + 1;
		note_identity(r, in, d);
	}
}

static void note_all(struct symbol_list *l, const struct infer *in)
{
	size_t seen = 0;

	note_identities(l, in, false);
	note_identities(l, in, true);
	for (size_t i = 0; i < in->findings.len && seen < NOTE_WORK; i++) {
		struct noting n = {.pane = l, .infer = in, .finding = &in->findings.at[i]};
		const struct fact *f;

		if (!n.finding->fact || n.finding->fact > in->facts.len)
			continue;
		f = &in->facts.at[n.finding->fact - 1];
		sym_each_symbol(&in->pool, f->a, note_finding, &n);
		sym_each_symbol(&in->pool, f->b, note_finding, &n);
		/* Like conditions of several symbols are one finding: it is told of each. */
		for (uint32_t k = 0; k < n.finding->symbol_count && n.seen < NOTE_WORK; k++)
			note_finding(&n, n.finding->symbols[k]);
		str_release(&n.text);
		seen += n.seen;
	}
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];

		if (f->kind != FACT_EQUAL || f->branch)
			continue;
		note_equal(l, in, f->a, f->b);
		note_equal(l, in, f->b, f->a);
	}
}

static void note_range(struct symbol_row *r, const struct infer *in)
{
	const struct sym_symbol *y = &in->pool.symbols.at[r->symbol];
	struct sym_range range = y->origin.range;
	bool above = range.lo > (y->source == SYM_DECLARED ? 1 : 0);
	struct str text = {0};

	if (above && range.hi < INT64_MAX)
		str_format(&text, "%" PRId64 " to %" PRId64, range.lo, range.hi);
	else if (range.hi < INT64_MAX)
		str_format(&text, "at most %" PRId64, range.hi);
	else if (above)
		str_format(&text, "at least %" PRId64, range.lo);
	if (text.len)
		add_note(r, str_sv(&text));
	str_release(&text);
}

/* A symbol made by a node: its meaning, or the node. */
static void note_origin(struct symbol_row *r, const struct infer *in)
{
	const struct sym_symbol *y = &in->pool.symbols.at[r->symbol];
	struct str text = {0};

	if (y->source == SYM_DECLARED)
		return;
	if (!sym_is_unknown(y->origin.definition)) {
		str_text(&text, "= ");
		sym_say(&in->pool, y->origin.definition, &text);
	} else if (y->source == SYM_GENERATED && y->origin.node < in->model->nodes.len) {
		const struct node *n = &in->model->nodes.at[y->origin.node];

		str_text(&text, "made by ");
		str_add(&text, model_cut_name(in->model, n->op));
		str_text(&text, " ");
		str_add(&text, model_cut_name(in->model, n->name));
	}
	if (text.len)
		add_note(r, str_sv(&text));
	str_release(&text);
}

/* ---- the list ---- */

static void symbol_list_add_row(const struct symbol_source *s, struct symbol_list *l,
				uint32_t symbol)
{
	const struct infer *in = s->in;
	struct symbol_row *r = vec_add(&l->rows);

	r->symbol = symbol;
	r->uses = l->known.at[symbol].uses;
	r->value = l->known.at[symbol].value;
	r->order = l->known.at[symbol].order;
	r->made = in->pool.symbols.at[symbol].source != SYM_DECLARED;
	r->tried = find_tried(s, symbol, &r->size);
	sym_print(&in->pool, in->pool.symbols.at[symbol].self, &r->name);
}

/* Symbols of the file first, then those made by nodes. */
static int by_order(const void *left, const void *right)
{
	const struct symbol_row *a = left, *b = right;

	if (a->made != b->made)
		return a->made - b->made;
	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

static void make_rows(const struct symbol_source *s, struct symbol_list *l)
{
	const struct infer *in = s->in;

	clear_rows(l);
	for (uint32_t i = 0; i < in->pool.symbols.len; i++) {
		int64_t size;

		if (l->known.at[i].uses || find_tried(s, i, &size))
			symbol_list_add_row(s, l, i);
	}
	if (l->rows.len)
		qsort(l->rows.at, l->rows.len, sizeof(*l->rows.at), by_order);
	for (size_t i = 0; i < l->rows.len; i++)
		l->known.at[l->rows.at[i].symbol].row = (uint32_t)i + 1;
	note_all(l, in);
	for (size_t i = 0; i < l->rows.len; i++) {
		note_range(&l->rows.at[i], in);
		note_origin(&l->rows.at[i], in);
	}
}

void symbol_list_fill(struct symbol_list *l, const struct infer *in,
		      const struct infer_binding *tried, size_t tried_count)
{
	struct symbol_source source = {in, tried, tried_count};

	count_uses(&source, l);
	make_rows(&source, l);
}

/* ---- records ---- */

/* The expressions that nodes require it to equal; usually none. */
static void symbol_needs(struct str *out, const struct infer *in, uint32_t id)
{
	struct sym self = in->pool.symbols.at[id].self;

	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];

		if (f->kind != FACT_EQUAL || (!sym_same(f->a, self) && !sym_same(f->b, self)))
			continue;
		str_text(out, out->len ? ", " : "");
		sym_print(&in->pool, sym_same(f->a, self) ? f->b : f->a, out);
	}
}

static const char *symbol_kind(const struct infer *in, uint32_t id)
{
	static const char *const names[SYM_SOURCE_COUNT] = {
		[SYM_DECLARED] = "declared",
		[SYM_GENERATED] = "generated",
		[SYM_COMPLEX] = "complex",
	};

	return names[in->pool.symbols.at[id].source];
}

static void symbol_notes(struct record *r, const struct infer *in, const struct symbol_row *row)
{
	struct str needs = {0};

	symbol_needs(&needs, in, row->symbol);
	record_hide(r);
	record_text(r, "equal", str_sv(&needs));
	record_show(r);
	record_list(r, "notes");
	for (uint32_t i = 0; i < row->note_count; i++) {
		record_tone(r, row->pinned && i == 0 ? TONE_ERROR : TONE_NOTE);
		record_say(r, i ? "; " : "");
		record_condition(r, "", str_sv(&row->notes[i]));
	}
	record_end(r);
	str_release(&needs);
}

static void symbol_origin(struct record *r, const struct infer *in, const struct symbol_row *row)
{
	const struct model *m = in->model;
	const struct info *info = &in->infos[row->value];
	uint32_t axis = 0, symbol;

	record_tone(r, TONE_FAINT);
	if (!row->value)
		return;
	if (in->pool.symbols.at[row->symbol].source == SYM_GENERATED)
		record_say(r, "known only at run time; ");
	record_say(r, m->values.at[row->value].flags & VALUE_INPUT ? "declared by "
								   : "first seen in ");
	record_name(r, NULL, LINK_VALUE, row->value,
		    model_cut_name(m, m->values.at[row->value].name));
	while (info->ranked && axis < info->rank &&
	       !(sym_symbol_id(&in->pool, info->dims[axis], &symbol) && symbol == row->symbol))
		axis++;
	if (info->ranked && axis < info->rank)
		record_format(r, ":%" PRIu32, axis);
}

/* Without the blanks that are not part of a name. */
static void offer_put(struct str *out, struct sv expression)
{
	bool quoted = false;

	for (size_t i = 0; i < expression.len; i++) {
		quoted ^= expression.at[i] == '`';
		if (expression.at[i] != ' ' || quoted)
			str_char(out, expression.at[i]);
	}
}

bool symbol_offer(const struct infer *in, const struct symbol_row *row, struct str *out)
{
	struct sv name = sym_name(&in->pool, row->symbol);
	struct str word = {0}, equal = {0};
	uint32_t ignored;
	struct sym of;

	if (!row->identity || !sym_is_identifier(name))
		return false;
	of = in->identities.at[row->identity - 1].equal;
	sym_print(&in->pool, of, &equal);
	str_add(&word, name);
	str_char(&word, '=');
	offer_put(&word, str_sv(&equal));
	str_text(out, sym_symbol_id(&in->pool, of, &ignored) ? "set --merge" : "set");
	words_quote(out, str_sv(&word));
	str_release(&word);
	str_release(&equal);
	return true;
}

static void symbol_put_offer(struct record *r, const struct infer *in, const struct symbol_row *row)
{
	struct str line = {0};

	record_column(r);
	if (symbol_offer(in, row, &line)) {
		record_tone(r, TONE_FAINT);
		record_say(r, "do: ");
		record_tone(r, TONE_PLAIN);
		record_text(r, "do", str_sv(&line));
	} else {
		record_null(r, "do");
	}
	str_release(&line);
}

void symbol_record(struct record *r, const struct infer *in, const struct symbol_row *row)
{
	const struct sym_symbol *s = &in->pool.symbols.at[row->symbol];
	uint32_t node = s->source == SYM_GENERATED ? s->origin.node : 0;

	record_clear(r, &in->pool);
	record_dim(r, "name", s->self);
	record_column(r);
	record_tone(r, TONE_FAINT);
	record_text(r, "kind", sv_of(symbol_kind(in, row->symbol)));
	record_column(r);
	record_tone(r, TONE_FAINT);
	record_count(r, "uses", row->uses);
	record_say(r, row->uses == 1 ? " axis" : " axes");
	record_column(r);
	symbol_notes(r, in, row);
	record_column(r);
	symbol_origin(r, in, row);
	record_hide(r);
	record_name(r, "node", LINK_NODE, node,
		    model_name(in->model, in->model->nodes.at[node].name));
	symbol_put_offer(r, in, row);
}

void symbols_json(struct json *j, const struct infer *in)
{
	struct record r = {.face = FACE_DATA};
	struct symbol_list list = {0};

	symbol_list_fill(&list, in, NULL, 0);
	json_array(j);
	for (size_t i = 0; i < list.rows.len; i++) {
		symbol_record(&r, in, &list.rows.at[i]);
		record_json(j, &r);
	}
	json_end_array(j);
	symbol_list_release(&list);
	record_release(&r);
}
