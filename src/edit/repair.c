#include "edit/repair.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/utf8.h"
#include "base/words.h"
#include "edit/obstacle.h"
#include "edit/refresh.h"
#include "edit/rewrite.h"
#include "infer/axes.h"
#include "ir/place.h"
#include "sym/text.h"

enum {
	MOST_CHANGES = 100000, /* of one repair */
	MOST_VARIANTS = 64,    /* of one site */
	MOST_TRIES = 200       /* for one obstacle; real ones are gone after a few */
};

struct repairing {
	struct document *document;            /* borrowed */
	const struct repair_options *options; /* borrowed */
	struct repair_report *report;         /* borrowed */
	struct old_sizes old;
	uint32_t goals;                    /* of them are the user's; loops add their own */
	size_t goal_of[REPAIR_MOST_GOALS]; /* the report's row of each old size */
	struct change_log log;
	struct infer bound;                              /* the model with its old sizes */
	struct infer_binding binding[REPAIR_MOST_GOALS]; /* what it is bound to */
	size_t first_new;                                /* values from here on are ours */
	size_t errors;                                   /* of the model before */
	size_t changes;
	unsigned tries; /* for the obstacle at hand, each a pass over the model */
	bool stopped;
};

/* ---- goals ---- */

static const struct claim *input_claim(const struct model *m, uint32_t value)
{
	uint32_t id = m->values.at[value].first_claim;

	while (id && m->claims.at[id].kind != CLAIM_INPUT)
		id = m->claims.at[id].next;
	return id ? &m->claims.at[id] : NULL;
}

static void default_name(const struct model *m, const struct repair_goal *g, struct str *out)
{
	struct sv input = model_cut_name(m, m->values.at[g->input].name);

	for (size_t i = 0; i < input.len; i++) {
		struct sv c = {input.at + i, 1};

		str_char(out, sym_is_identifier(c) || (i && c.at[0] >= '0' && c.at[0] <= '9')
				      ? c.at[0]
				      : '_');
	}
	str_format(out, "_dim_%" PRIu32, g->axis);
}

/* Splits input:0=name at the last equals sign with an axis to its left. */
static bool read_axis(struct document *d, struct sv text, struct place *out, struct sv *name,
		      struct err *err)
{
	const struct model *m = &d->wire.model;

	for (size_t i = text.len; i-- > 1;) {
		if (text.at[i] != '=')
			continue;
		*name = sv_trim(sv_skip(text, i + 1));
		if (place_find(m, sv_trim((struct sv){text.at, i}), out, err) && out->has_axis)
			return true;
	}
	*name = (struct sv){"", 0};
	return place_find(m, text, out, err) &&
	       (out->has_axis ||
		err_set(err, ERR_USAGE, "'%.*s': which axis? %.*s:0", (int)MIN(text.len, 200),
			text.at, (int)MIN(text.len, 200), text.at));
}

static bool add_goal(struct repairing *r, struct sv text, struct err *err)
{
	const struct model *m = &r->document->wire.model;
	struct place place = {0};
	struct sv name;
	const struct claim *c;
	struct repair_goal *g;
	int64_t axis;

	if (!read_axis(r->document, text, &place, &name, err))
		return false;
	c = input_claim(m, place.value);
	if (!c || m->values.at[place.value].graph != 0 || m->values.at[place.value].tensor)
		return err_set(err, ERR_USAGE, "'%.*s' is no input of the model",
			       (int)MIN(text.len, 200), text.at);
	axis = place.axis < 0 ? place.axis + c->type.rank : place.axis;
	if (axis < 0 || axis >= (int64_t)c->type.rank)
		return err_set(err, ERR_USAGE, "'%.*s': the input has %" PRIu32 " axes",
			       (int)MIN(text.len, 200), text.at, c->type.rank);
	if (name.len && !sym_is_identifier(name))
		return err_set(err, ERR_USAGE, "'%.*s' is no name (letters, digits, _ and .)",
			       (int)MIN(name.len, 200), name.at);
	g = vec_add(r->report);
	g->input = place.value;
	g->axis = (uint32_t)axis;
	str_format(&g->text, "%.*s:%" PRId64, (int)model_name(m, c->name).len,
		   model_name(m, c->name).at, axis);
	str_text(&g->text, name.len ? "=" : "");
	str_add(&g->text, name);
	return true;
}

/* Every axis whose symbol some finding calls pinned. */
static void add_pinned(struct repairing *r)
{
	const struct model *m = &r->document->wire.model;
	struct axes axes;
	struct map pinned = {0};

	axes_find(&axes, m);
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < axes.list.len; i++) {
			const struct axis *a = &axes.list.at[i];
			const struct dim *dim = &input_claim(m, a->input)->type.dims[a->axis];
			uint64_t key = dim->kind == DIM_PARAM && dim->param
					       ? dim->param
					       : (uint64_t)a->input << 32 | a->axis;
			struct repair_goal *g;

			/* A symbol is pinned everywhere when it is pinned somewhere. */
			if (dim->kind == DIM_VALUE)
				continue;
			if (round == 0 && a->verdict == VERDICT_PINNED)
				*map_at(&pinned, key) = 1;
			if (round == 0 || !map_find(&pinned, key))
				continue;
			g = vec_add(r->report);
			g->input = a->input;
			g->axis = a->axis;
			str_add(&g->text, model_name(m, m->values.at[a->input].name));
			str_format(&g->text, ":%" PRIu32, a->axis);
		}
	}
	axes_release(&axes);
	map_release(&pinned);
}

/* ---- old sizes ---- */

/* The size that the graph holds for: of the first need that can be solved for the symbol. */
static bool size_from_facts(struct repairing *r, uint32_t symbol, int64_t *out)
{
	struct infer *in = &r->document->infer;

	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		uint32_t which;
		int64_t a, b;
		struct sym difference = sym_sub(&in->pool, f->a, f->b);

		if (f->kind != FACT_DIVISIBLE &&
		    sym_is_linear(&in->pool, difference, &which, &a, &b) && which == symbol &&
		    b % a == 0 && -(b / a) > 0) {
			*out = -(b / a);
			return true;
		}
	}
	return false;
}

/* Or a number that the file still claims somewhere for just this symbol. */
static bool size_from_claims(struct repairing *r, uint32_t symbol, int64_t *out)
{
	const struct infer *in = &r->document->infer;
	struct sym self = in->pool.symbols.at[symbol].self;

	for (uint32_t id = 1; id < in->model->claims.len; id++) {
		const struct claim *c = &in->model->claims.at[id];
		const struct info *info = &in->infos[c->value];

		for (uint32_t i = 0; info->ranked && info->rank == c->type.rank && i < info->rank;
		     i++) {
			if (sym_same(info->dims[i], self) && c->type.dims[i].kind == DIM_VALUE &&
			    c->type.dims[i].value > 0) {
				*out = c->type.dims[i].value;
				return true;
			}
		}
	}
	return false;
}

/* Or what an output is that promises to be the symbol. */
static bool size_from_losses(struct repairing *r, uint32_t symbol, int64_t *out)
{
	const struct infer *in = &r->document->infer;

	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];
		const struct claim *c =
			&in->model->claims.at[in->model->values.at[f->value].first_claim];

		if (f->level == LEVEL_LOSS && f->axis >= 0 && (uint32_t)f->axis < c->type.rank &&
		    sv_eq(model_name(in->model, c->type.dims[f->axis].param),
			  sym_name(&in->pool, symbol)) &&
		    sym_value(&in->pool, in->infos[f->value].dims[f->axis], out) && *out > 0)
			return true;
	}
	return false;
}

/* Or an entry of a Reshape that stands where the symbol's dim stands. */
static bool size_from_reshapes(struct repairing *r, uint32_t symbol, int64_t *out)
{
	const struct infer *in = &r->document->infer;
	struct sym self = in->pool.symbols.at[symbol].self;

	for (uint32_t id = 1; id < in->model->nodes.len; id++) {
		const struct node *n = &in->model->nodes.at[id];
		const struct info *from, *to;

		if (!site_is_known(in->model, id) || !n->input_count || !n->output_count)
			continue;
		from = &in->infos[n->inputs[0]];
		to = &in->infos[n->outputs[0]];
		for (uint32_t i = 0; from->ranked && to->ranked && i < MIN(from->rank, to->rank);
		     i++) {
			if (sym_same(from->dims[i], self) &&
			    sym_value(&in->pool, to->dims[i], out) && *out > 0)
				return true;
		}
	}
	return false;
}

static uint32_t goal_symbol(const struct repairing *r, const struct repair_goal *g)
{
	const struct infer *in = &r->document->infer;
	uint32_t symbol = UINT32_MAX;

	if (in->infos[g->input].ranked)
		(void)sym_symbol_id(&in->pool, in->infos[g->input].dims[g->axis], &symbol);
	return symbol;
}

static bool is_known_symbol(const struct repairing *r, uint32_t symbol)
{
	for (uint32_t i = 0; i < r->old.count; i++) {
		if (r->old.symbols[i] == symbol)
			return true;
	}
	return false;
}

/* False when there is no place for another symbol. */
static bool add_old(struct repairing *r, size_t goal, uint32_t symbol, int64_t size)
{
	if (is_known_symbol(r, symbol))
		return true;
	if (r->old.count == REPAIR_MOST_GOALS)
		return false;
	r->goal_of[r->old.count] = goal;
	r->old.symbols[r->old.count] = symbol;
	r->old.sizes[r->old.count++] = size;
	return true;
}

/* Names what was a number; tells the sizes there were, 0 for none. */
static void name_axes(struct repairing *r, int64_t *sizes)
{
	struct model *m = &r->document->wire.model;

	for (size_t i = 0; i < r->report->len; i++) {
		struct repair_goal *g = &r->report->at[i];
		struct dim *dim = &input_claim(m, g->input)->type.dims[g->axis];
		struct sv text = str_sv(&g->text);
		size_t equals = text.len;
		struct str name = {0};

		sizes[i] = dim->kind == DIM_VALUE ? dim->value : 0;
		while (equals && text.at[equals - 1] != '=')
			equals--;
		if (equals)
			str_add(&name, sv_skip(text, equals));
		else if (dim->kind == DIM_VALUE)
			default_name(m, g, &name);
		if (g->reason.len == 0 && name.len)
			change_dim(&r->log, dim,
				   (struct dim){.kind = DIM_PARAM,
						.param = model_intern(m, str_sv(&name))});
		str_release(&name);
	}
	document_infer(r->document);
}

/*
 * And finds out the size of what was a name.  False when some goals had to be given up
 * because there are too many: nothing would be proved of them.
 */
static bool free_axes(struct repairing *r)
{
	int64_t *sizes = must_alloc(r->report->len * sizeof(*sizes));
	bool all = true;

	name_axes(r, sizes);
	for (size_t i = 0; i < r->report->len; i++) {
		struct repair_goal *g = &r->report->at[i];
		uint32_t symbol = goal_symbol(r, g);
		int64_t size = sizes[i];

		if (g->reason.len || symbol == UINT32_MAX)
			continue;
		if ((size > 0 || size_from_facts(r, symbol, &size) ||
		     size_from_reshapes(r, symbol, &size) || size_from_losses(r, symbol, &size) ||
		     size_from_claims(r, symbol, &size)) &&
		    !add_old(r, i, symbol, size)) {
			str_format(&g->reason, "more than %d axes at once; free it after them",
				   REPAIR_MOST_GOALS);
			all = false;
		}
	}
	free(sizes);
	return all;
}

/*
 * A loop whose state comes out with another size than it went in has a symbol of its own
 * for it; as long as the state starts with a goal's size, it stands for that.
 */
static void add_loop_symbols(struct repairing *r)
{
	const struct infer *in = &r->document->infer;
	uint32_t goals = r->goals;

	r->old.count = goals;
	for (uint32_t id = 0; id < in->pool.symbols.len && r->old.count < REPAIR_MOST_GOALS; id++) {
		const struct sym_symbol *s = &in->pool.symbols.at[id];
		const struct node *n;
		const struct info *state;
		uint32_t axis = s->origin.axis % (RULE_MOST_RANK + 1);
		int64_t size;

		if (s->source != SYM_GENERATED || s->origin.node >= in->model->nodes.len)
			continue;
		n = &in->model->nodes.at[s->origin.node];
		if (!sv_is(model_name(in->model, n->op), "Loop") ||
		    s->origin.output + 2 >= n->input_count)
			continue;
		state = &in->infos[n->inputs[s->origin.output + 2]];
		if (state->ranked && axis < state->rank &&
		    mentions_goal(r->document, &r->old, state->dims[axis]) &&
		    sym_value(&in->pool, at_old(r->document, &r->old, state->dims[axis]), &size))
			(void)add_old(r, r->goal_of[0], id, size);
	}
}

/* ---- proof ---- */

static size_t count_errors(const struct infer *in)
{
	size_t count = 0;

	for (size_t i = 0; i < in->findings.len; i++)
		count += in->findings.at[i].level == LEVEL_ERROR;
	return count;
}

/* With the old sizes, is every shape as before? */
static bool shapes_stay(struct repairing *r)
{
	const struct model *m = &r->document->wire.model;
	struct changed_values changed = {0};
	bool same = true;

	infer_update(&r->bound, &changed);
	for (size_t i = 0; same && i < changed.len; i++)
		same = changed.at[i] >= r->first_new ||
		       m->values.at[changed.at[i]].flags & VALUE_DEAD;
	same = same && count_errors(&r->bound) <= r->errors;
	vec_release(&changed);
	return same;
}

static void take(struct repairing *r, struct change_log *log)
{
	for (size_t i = 0; i < log->list.len; i++)
		vec_push(&r->log.list, log->list.at[i]);
	r->log.structural |= log->structural;
	changes_release(log);
}

/* Everything from this place of the log on. */
static void take_back(struct repairing *r, size_t mark)
{
	struct changed_values ignored = {0};

	if (r->log.list.len == mark)
		return;
	changes_revert_to(&r->log, &r->document->wire.model, mark);
	changes_settle(&r->log, &r->document->wire.model);
	document_infer(r->document);
	infer_update(&r->bound, &ignored);
	vec_release(&ignored);
}

/* What nobody reads any more goes, and what only that read. */
static void drop_unread(struct repairing *r, struct change_log *log)
{
	struct model *m = &r->document->wire.model;
	size_t end = log->list.len;

	model_index(m);
	for (size_t i = 0; i < end; i++) {
		struct change c = log->list.at[i];

		for (uint32_t p = 0; c.kind == CHANGE_NODE && p < c.parts_before.input_count; p++) {
			if (c.parts_before.inputs[p])
				change_drop_unread(log, m, c.parts_before.inputs[p]);
		}
	}
}

/* Proved as far as it goes: nothing is wrong, and nothing has another shape. */
static bool is_sound(struct repairing *r, struct change_log *log, size_t errors)
{
	struct document *d = r->document;

	drop_unread(r, log);
	changes_settle(log, &d->wire.model);
	document_infer(d);
	return count_errors(&d->infer) <= errors && shapes_stay(r);
}

static bool remove_obstacle(struct repairing *r, const struct obstacle *o, unsigned depth);

/*
 * Tries one change.  When it is sound and the obstacle stays all the same, there may be
 * more than one constant behind it (the two states of an LSTM): then the others too.
 */
static bool try_change(struct repairing *r, const struct obstacle *o, const struct site *site,
		       unsigned variant, unsigned depth, bool *out_none)
{
	enum {
		DEEPEST = 3
	};
	struct document *d = r->document;
	struct change_log log = {0};
	size_t errors = count_errors(&d->infer), times = obstacle_count(d, &r->old, o);

	size_t mark = r->log.list.len;
	bool sound = site_change(d, &r->old, site, variant, &log, out_none) &&
		     is_sound(r, &log, errors);

	take(r, &log);
	if (sound && (obstacle_count(d, &r->old, o) < times ||
		      (depth < DEEPEST && remove_obstacle(r, o, depth + 1))))
		return true;
	take_back(r, mark);
	return false;
}

static bool may_go_on(struct repairing *r)
{
	if (r->options->progress && !r->options->progress(r->options->context, r->changes))
		r->stopped = true;
	return !r->stopped;
}

static bool remove_obstacle(struct repairing *r, const struct obstacle *o, unsigned depth)
{
	struct site sites[OBSTACLE_MOST_SITES];
	size_t count = o->weight || o->unknown ? 0 : obstacle_sites(r->document, &r->old, o, sites);

	for (size_t i = 0; i < count; i++) {
		bool none = false;

		for (unsigned variant = 0; !none && variant < MOST_VARIANTS; variant++) {
			if (++r->tries > MOST_TRIES || !may_go_on(r))
				return false;
			if (try_change(r, o, &sites[i], variant, depth, &none))
				return true;
		}
	}
	return false;
}

/* ---- the search ---- */

static void explain(struct repairing *r, const struct obstacle *o, struct str *out)
{
	const struct infer *in = &r->document->infer;
	const struct node *n = &in->model->nodes.at[o->node];
	struct str free = {0}, fixed = {0};

	if (o->node) {
		str_add(out, model_cut_name(in->model, n->op));
		str_char(out, ' ');
		str_add(out,
			model_cut_name(in->model, n->name ? n->name
						  : n->output_count
							  ? in->model->values.at[n->outputs[0]].name
							  : 0));
	} else {
		const struct value *v = &in->model->values.at[o->value];

		str_text(out, "output ");
		str_add(out, model_cut_name(in->model, v->name));
		str_text(out, v->producer ? " of " : "");
		str_add(out, model_cut_name(in->model, in->model->nodes.at[v->producer].name));
	}
	sym_print(&in->pool, o->free, &free);
	sym_print(&in->pool, o->fixed, &fixed);
	str_format(out, ": %s", o->why);
	if (!sym_is_unknown(o->free) && !sym_is_unknown(o->fixed))
		str_format(out, ": %s and %s", str_c(&free), str_c(&fixed));
	str_text(out, o->weight    ? "; a weight has that size"
		      : o->unknown ? "; so nothing behind it can be proved"
				   : "; no change that can be proved frees it");
	str_release(&free);
	str_release(&fixed);
}

/* Gives the reason to the goals of these symbols; false when that are none. */
static bool fail_goals(struct repairing *r, uint64_t symbols, struct sv why)
{
	bool any = false;

	for (size_t i = 0; i < r->report->len; i++) {
		struct repair_goal *g = &r->report->at[i];
		uint32_t symbol = goal_symbol(r, g);
		bool meant = symbols == UINT64_MAX;

		for (uint32_t j = 0; j < r->goals; j++)
			meant |= r->old.symbols[j] == symbol && symbols >> j & 1;
		if (!meant || g->reason.len)
			continue;
		str_add(&g->reason, why);
		any = true;
	}
	return any;
}

/* A loop's symbol may stand for any goal: when none is meant, all are. */
static void give_up(struct repairing *r, const struct obstacle *o)
{
	struct str why = {0};

	explain(r, o, &why);
	if (!fail_goals(r, obstacle_goals(r->document, &r->old, o), str_sv(&why)))
		(void)fail_goals(r, UINT64_MAX, str_sv(&why));
	str_release(&why);
}

static void bind_old(struct repairing *r)
{
	const struct infer *in = &r->document->infer;

	for (uint32_t i = 0; i < r->old.count; i++)
		r->binding[i] = (struct infer_binding){sym_name(&in->pool, r->old.symbols[i]),
						       r->old.sizes[i]};
	infer_run(&r->bound, &r->document->wire.model,
		  (struct infer_options){.bindings = r->binding, .binding_count = r->old.count});
	r->first_new = r->document->wire.model.values.len;
	r->errors = count_errors(&r->bound);
}

/* False when an obstacle stays: then some goals were given up, or it was stopped. */
static bool search(struct repairing *r)
{
	struct obstacle o;
	bool ok = true;

	for (add_loop_symbols(r); ok && obstacle_find(r->document, &r->old, &o);
	     add_loop_symbols(r)) {
		r->tries = 0;
		ok = r->changes++ < MOST_CHANGES && remove_obstacle(r, &o, 0);
		if (!ok && !r->stopped)
			give_up(r, &o);
	}
	return ok;
}

static bool any_left(const struct repairing *r)
{
	for (size_t i = 0; i < r->report->len; i++) {
		if (r->report->at[i].reason.len == 0)
			return true;
	}
	return false;
}

/* Goals are tried together; when some fail, the others again without them. */
static void free_goals(struct repairing *r)
{
	bool ok = false;

	while (!ok && !r->stopped && any_left(r)) {
		r->old = (struct old_sizes){0};
		ok = free_axes(r);
		r->goals = r->old.count;
		if (ok) {
			bind_old(r);
			ok = search(r);
			infer_release(&r->bound);
		}
		if (!ok)
			document_cancel(r->document, &r->log);
	}
	for (size_t i = 0; i < r->report->len; i++)
		r->report->at[i].freed = ok && r->report->at[i].reason.len == 0;
}

/* ---- the action ---- */

static void make_line(struct str *line, const struct repair_report *report)
{
	str_text(line, "repair");
	for (size_t i = 0; i < report->len; i++) {
		if (report->at[i].freed)
			words_quote(line, str_sv(&report->at[i].text));
	}
}

static void finish(struct repairing *r, const struct remembered *before)
{
	struct document *d = r->document;
	struct map none = {0};
	struct str line = {0};

	refresh_claims(d, before, &none, &r->log);
	document_infer(d);
	make_line(&line, r->report);
	document_commit(d, str_sv(&line), &r->log);
	map_release(&none);
	str_release(&line);
}

bool document_repair(struct document *d, const struct sv *axes, size_t count,
		     const struct repair_options *options, struct repair_report *out,
		     struct err *err)
{
	struct repairing r = {.document = d, .options = options, .report = out};
	struct remembered before = {0};
	bool ok = true;

	document_bind(d, false);
	vec_clear(&d->changed);
	for (size_t i = 0; ok && i < count; i++)
		ok = add_goal(&r, axes[i], err);
	if (ok && count == 0)
		add_pinned(&r);
	if (ok && out->len) {
		refresh_remember(&before, d);
		free_goals(&r);
		if (r.log.list.len)
			finish(&r, &before);
		remembered_release(&before);
	}
	if (ok && r.stopped)
		ok = err_set(err, ERR_STOPPED, "the repair was stopped; nothing was changed");
	changes_release(&r.log);
	document_bind(d, true);
	return ok;
}

void repair_report_release(struct repair_report *r)
{
	for (size_t i = 0; i < r->len; i++) {
		str_release(&r->at[i].text);
		str_release(&r->at[i].reason);
	}
	vec_release(r);
}

bool repair_words(struct document *d, const struct sv *words, size_t count, struct err *err)
{
	struct repair_report report = {0};
	struct repair_options options = {.progress = d->working, .context = d->working_context};
	size_t done = d->done;
	bool ok = document_repair(d, words, count, &options, &report, err);

	for (size_t i = 0; ok && i < report.len; i++) {
		if (!report.at[i].freed)
			ok = err_set(err, ERR_REFUSED, "%s cannot be freed: %s",
				     str_c(&report.at[i].text), str_c(&report.at[i].reason));
	}
	/* A line does all that it says, or nothing. */
	if (!ok && d->done > done)
		document_forget(d);
	repair_report_release(&report);
	return ok;
}
