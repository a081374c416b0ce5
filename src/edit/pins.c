#include "edit/pins.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/document.h"
#include "edit/repair/suggestion.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"

/* ---- finding them ---- */

/* An axis of a main input. */
struct pin {
	const struct dim *dim; /* borrowed: as declared; never moves */
	uint32_t input;
	uint32_t axis;
	uint32_t finding;
};

struct pins {
	struct pin *at; /* owned */
	size_t len;
	size_t cap;
};

/* symbol -> the first finding that pins it, plus 1 */
static void pins_index(struct map *out, const struct infer *in)
{
	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];
		uint32_t *first;

		if (f->level != LEVEL_PIN)
			continue;
		first = map_at(out, f->symbol);
		*first = *first ? *first : (uint32_t)i + 1;
	}
}

static const struct type *pins_declared(const struct model *m, uint32_t input)
{
	for (uint32_t id = m->values.at[input].first_claim; id; id = m->claims.at[id].next) {
		if (m->claims.at[id].kind == CLAIM_INPUT)
			return &m->claims.at[id].type;
	}
	return NULL;
}

static void pins_find_input(struct pins *out, const struct infer *in, const struct map *index,
			    uint32_t input)
{
	const struct type *type = pins_declared(in->model, input);
	const struct info *info = &in->infos[input];

	if (!type || !type->has_shape || !info->ranked || info->rank != type->rank)
		return;
	for (uint32_t i = 0; i < info->rank; i++) {
		const uint32_t *finding;
		uint32_t symbol;

		if (!sym_symbol_id(&in->pool, info->dims[i], &symbol))
			continue;
		finding = map_find(index, symbol);
		if (finding &&
		    finding_pins(&in->pool, &in->findings.at[*finding - 1], info->dims[i]))
			*vec_add(out) = (struct pin){&type->dims[i], input, i, *finding - 1};
	}
}

static void pins_find(struct pins *out, const struct infer *in)
{
	const struct graph *g = &in->model->graphs.at[0];
	struct map index = {0};

	pins_index(&index, in);
	for (size_t i = 0; index.count && i < g->inputs.len; i++)
		pins_find_input(out, in, &index, g->inputs.at[i]);
	map_release(&index);
}

static void pins_release(struct pins *p)
{
	vec_release(p);
}

static void pins_note_symbol(void *context, uint32_t symbol)
{
	*map_at(context, symbol) = 1;
}

/* Symbols of equations: with sizes for all but one, that one is left a few. */
static void pins_note_equations(struct map *out, const struct infer *in)
{
	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];

		if (f->kind != FINDING_EQUAL && f->kind != FINDING_BROADCAST &&
		    f->kind != FINDING_ONE_OR)
			continue;
		sym_each_symbol(&in->pool, f->a, pins_note_symbol, out);
		sym_each_symbol(&in->pool, f->b, pins_note_symbol, out);
	}
}

static void pins_remember_input(struct map *out, const struct infer *in, const struct map *symbols,
				uint32_t input)
{
	const struct type *type = pins_declared(in->model, input);
	const struct info *info = &in->infos[input];
	uint32_t symbol;

	if (!type || !type->has_shape || !info->ranked || info->rank != type->rank)
		return;
	for (uint32_t i = 0; i < info->rank; i++) {
		if (sym_symbol_id(&in->pool, info->dims[i], &symbol) && map_find(symbols, symbol))
			*map_at(out, (uintptr_t)&type->dims[i]) = 1;
	}
}

static uint64_t pins_joining_node(uint32_t node)
{
	return (uint64_t)1 << 63 | node;
}

void pins_remember(struct map *out, const struct infer *in)
{
	const struct graph *g = &in->model->graphs.at[0];
	struct map symbols = {0};
	struct pins pins = {0};

	pins_find(&pins, in);
	for (size_t i = 0; i < pins.len; i++)
		*map_at(out, (uintptr_t)pins.at[i].dim) = 1;
	pins_release(&pins);
	pins_note_equations(&symbols, in);
	for (size_t i = 0; symbols.count && i < g->inputs.len; i++)
		pins_remember_input(out, in, &symbols, g->inputs.at[i]);
	for (size_t i = 0; i < in->findings.len; i++) {
		if (in->findings.at[i].level == LEVEL_JOINED)
			*map_at(out, pins_joining_node(in->findings.at[i].node)) = 1;
	}
	map_release(&symbols);
}

/* ---- saying it ---- */

/* Appends the word x:0 to a line. */
static void pin_print_axis(struct str *line, const struct infer *in, const struct pin *p)
{
	struct str word = {0};

	str_add(&word, model_name(in->model, in->model->values.at[p->input].name));
	str_format(&word, ":%" PRIu32, p->axis);
	words_quote(line, str_sv(&word));
	str_release(&word);
}

/* "N can only be 3 (Reshape /Reshape)"; the whole reason is in the findings. */
static void pins_print_finding(const struct infer *in, const struct finding *f, struct str *out)
{
	const struct node *n = &in->model->nodes.at[f->node];
	struct sv op = model_cut_name(in->model, n->op),
		  name = model_cut_name(in->model, node_called(in->model, n));

	finding_print_condition(in, f, out);
	str_format(out, " (%.*s%s%.*s)", (int)op.len, op.at, name.len ? " " : "", (int)name.len,
		   name.at);
}

static void pin_refuse(const struct infer *in, const struct pin *p, struct err *err)
{
	struct str text = {0};

	pins_print_finding(in, &in->findings.at[p->finding], &text);
	(void)err_set(err, ERR_REFUSED, "%s", str_c(&text));
	str_release(&text);
}

/* An edit is also the repair of its axes; the others had the pinned symbol before. */
static void pins_make_repair(const struct pin_check *c, const struct pins *pins,
			     const struct pin *refused, struct str *out)
{
	struct map told = {0}; /* edits */

	str_text(out, "repair");
	for (size_t i = 0; i < pins->len; i++) {
		const struct pin *p = &pins->at[i];
		const uint32_t *edit = map_find(c->set, (uintptr_t)p->dim);

		if (edit && !map_find(&told, *edit)) {
			words_quote(out, c->words[*edit - 1]);
			*map_at(&told, *edit) = 1;
		} else if (!edit && p->finding == refused->finding &&
			   map_find(c->before, (uintptr_t)p->dim)) {
			pin_print_axis(out, c->in, p);
		}
	}
	map_release(&told);
}

bool pins_allow(const struct pin_check *c, struct str *repair, struct err *err)
{
	struct pins pins = {0};
	const struct pin *refused = NULL;

	pins_find(&pins, c->in);
	for (size_t i = 0; !refused && i < pins.len; i++) {
		if (map_find(c->set, (uintptr_t)pins.at[i].dim) ||
		    !map_find(c->before, (uintptr_t)pins.at[i].dim))
			refused = &pins.at[i];
	}
	if (refused) {
		pins_make_repair(c, &pins, refused, repair);
		pin_refuse(c->in, refused, err);
	}
	pins_release(&pins);
	return !refused;
}

void pins_make_line(const struct infer *in, const struct map *dims, struct str *out)
{
	struct pins pins = {0};

	pins_find(&pins, in);
	for (size_t i = 0; i < pins.len; i++) {
		if (!map_find(dims, (uintptr_t)pins.at[i].dim))
			continue;
		str_text(out, out->len ? "" : "repair");
		pin_print_axis(out, in, &pins.at[i]);
	}
	pins_release(&pins);
}

/* Does the repair, or one of more axes, free everything that it is asked for?  Leaves no trace. */
static bool pins_complete(struct document *d, struct str *line)
{
	bool ok;

	/* Without an axis it would be about others. */
	if (d->trying || !sv_has(str_sv(line), ' '))
		return false;
	document_begin_preview(d);
	ok = repair_complete(d, line);
	document_show_preview(d);
	document_end_preview(d);
	return ok;
}

/* In single quotes, unless it has only characters that mean nothing to a shell. */
static void shell_quote(struct str *out, struct sv word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:=,+@%";
	bool bare = word.len && memchr(word.at, 0, word.len) == NULL;

	for (size_t i = 0; i < word.len; i++)
		bare = bare && strchr(plain, word.at[i]);
	str_text(out, bare ? " " : " '");
	for (size_t i = 0; i < word.len; i++) {
		if (word.at[i] == '\'')
			str_text(out, "'\\'");
		str_char(out, word.at[i]);
	}
	str_text(out, bare ? "" : "'");
}

static void pins_print_repair(struct str *out, const struct words *words, const char *model)
{
	str_text(out, model ? "axed repair" : "repair");
	if (model)
		shell_quote(out, sv_of(model));
	for (size_t i = 1; i < words->at.len; i++) {
		if (model)
			shell_quote(out, words->at.at[i]);
		else
			words_quote(out, words->at.at[i]);
	}
	str_text(out, model ? " -o OUT" : "");
}

/* The axis with the symbol that was set; NULL for none. */
static const struct dim *pins_set_dim(const struct pin_check *c, uint32_t symbol)
{
	const struct graph *g = &c->in->model->graphs.at[0];
	struct sym self = c->in->pool.symbols.at[symbol].self;

	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct type *type = pins_declared(c->in->model, g->inputs.at[i]);
		const struct info *info = &c->in->infos[g->inputs.at[i]];

		for (uint32_t k = 0; type && info->ranked && k < MIN(info->rank, type->rank); k++) {
			if (map_find(c->set, (uintptr_t)&type->dims[k]) &&
			    sym_same(info->dims[k], self))
				return &type->dims[k];
		}
	}
	return NULL;
}

/* Did it have this number before? */
static bool pins_had_number(const struct pin_check *c, const struct dim *dim, int64_t number)
{
	for (size_t i = 0; i < c->log->list.len; i++) {
		const struct change *change = &c->log->list.at[i];

		if (change->kind == CHANGE_DIM && change->dim == dim)
			return change->dim_before.kind == DIM_VALUE &&
			       change->dim_before.value == number;
	}
	return false;
}

/* Does an output have it in a product or sum only?  Returns that output, or 0. */
static uint32_t pins_joined_output(const struct infer *in, uint32_t symbol)
{
	const struct graph *g = &in->model->graphs.at[0];
	struct sym self = in->pool.symbols.at[symbol].self;

	for (size_t i = 0; i < g->outputs.len; i++) {
		const struct info *info = &in->infos[g->outputs.at[i]];
		bool joined = false, alone = false;

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			alone |= sym_same(info->dims[k], self);
			joined |= sym_mentions(&in->pool, info->dims[k], symbol);
		}
		if (joined && !alone)
			return g->outputs.at[i];
	}
	return 0;
}

bool pins_keep_items(const struct pin_check *c, struct str *repair, struct err *err)
{
	for (size_t i = 0; i < c->in->findings.len; i++) {
		const struct finding *f = &c->in->findings.at[i];
		const struct dim *dim = NULL;
		struct str text = {0};
		uint32_t output;

		if (f->level != LEVEL_JOINED || map_find(c->before, pins_joining_node(f->node)))
			continue;
		output = pins_joined_output(c->in, f->symbol);
		dim = output ? pins_set_dim(c, f->symbol) : NULL;
		if (!dim || !pins_had_number(c, dim, f->n))
			continue;
		pins_print_finding(c->in, f, &text);
		str_format(&text, ", where the file has %" PRId64 ": output '", f->n);
		str_add(&text, model_cut_name(c->in->model, c->in->model->values.at[output].name));
		str_text(&text, "' would not keep its items apart");
		(void)err_set(err, ERR_REFUSED, "%s", str_c(&text));
		str_release(&text);
		str_text(repair, "repair");
		words_quote(repair, c->words[*map_find(c->set, (uintptr_t)dim) - 1]);
		return false;
	}
	return true;
}

void pins_warn(const struct pin_check *c, const char *model, struct str *out)
{
	for (size_t i = 0; i < c->in->findings.len; i++) {
		const struct finding *f = &c->in->findings.at[i];
		struct words words = {0};
		const struct dim *dim;

		if (f->level != LEVEL_JOINED || map_find(c->before, pins_joining_node(f->node)) ||
		    !(dim = pins_set_dim(c, f->symbol)))
			continue;
		pins_print_finding(c->in, f, out);
		str_format(out, "; if it was exported as %" PRId64 ", use instead: ", f->n);
		vec_push(&words.at, SV("repair"));
		vec_push(&words.at, c->words[*map_find(c->set, (uintptr_t)dim) - 1]);
		pins_print_repair(out, &words, model);
		words_release(&words);
		return;
	}
}

void pins_say(struct err *err, const char *lead, struct sv repair, const char *model,
	      const char *end)
{
	enum {
		LONGEST = 300 /* of the repair: half of it would not help */
	};
	struct str advice = {0}, text = {0};
	struct words words;
	struct err ignored;

	if (repair.len && words_split(&words, repair, &ignored)) {
		str_text(&advice, lead);
		pins_print_repair(&advice, &words, model);
		words_release(&words);
	}
	if (advice.len > LONGEST)
		str_clear(&advice);
	str_cut_words(&text, sv_of(err->text), sizeof(err->text) - 1 - strlen(end) - advice.len);
	str_add(&text, str_sv(&advice));
	(void)err_set(err, err->kind, "%s", str_c(&text));
	err_offer(err, "--force", "%s", end);
	str_release(&advice);
	str_release(&text);
}

void pins_advise(struct document *d, const char *lead, struct str *repair, const char *model,
		 struct err *err)
{
	if (!pins_complete(d, repair))
		str_clear(repair);
	pins_say(err, lead, str_sv(repair), model, "; --force sets it anyway");
}
