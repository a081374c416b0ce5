/*
 * Passes until one succeeds, and then until no other way is left.
 *
 * A way is a list of choices.  All ways are tried, as a tree; a way whose live tensors are again
 * those of the way that succeeded ends there, since everything after is the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/base.h"
#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "flow/axis.h"
#include "flow/branch.h"
#include "flow/flow.h"
#include "flow/fold.h"
#include "flow/lesson.h"
#include "flow/pass.h"
#include "flow/scalar.h"
#include "flow/sums.h"
#include "flow/visit.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "sym/sym.h"

enum {
	MAX_FIRST = 400,        /* passes until one succeeds */
	MAX_PASSES = 20000,     /* of one search */
	FIRST_VISITS = 1 << 19, /* of nodes, in passes until one succeeds */
	MAX_VISITS = 1 << 20,   /* in all passes: a large model gets fewer */
	MIN_PASSES = 4,         /* however large it is */
	MAX_REPAIRS = 120       /* of one way: demands, multiples */
};

/* What is taken at some choices; at the others the first option is. */
struct way {
	struct decision *at; /* owned */
	size_t len;
};

struct search {
	struct flow *flow;       /* borrowed */
	flow_progress *progress; /* may be NULL */
	void *context;           /* borrowed */
	bool stopped;
	VEC(struct way) open;   /* to be tried, the last first */
	VEC(struct way) doubts; /* not excluded, before one succeeded */
	struct flow_places places;
	uint64_t visits; /* of nodes, in all passes */
	bool *is_choice; /* owned; by node: it made one in the way that succeeded */
};

/* ---- one way ---- */

static void pass_begin(struct search *s, struct pass *p)
{
	struct flow *f = s->flow;

	memset(p, 0, sizeof(*p));
	p->in = f->in;
	p->folder = &f->folder;
	p->seeds = f->seeds;
	p->seed_count = f->seed_count;
	p->factory = f->pass.factory;
	memcpy(p->old, f->pass.old, sizeof(p->old));
	p->carried = f->pass.carried;
	p->stand_ins = f->pass.stand_ins;
	if (f->ok) /* other ways are compared under the same conditions */
		memcpy(p->sums, f->pass.sums, sizeof(p->sums));
	for (size_t i = 0; i < FLOW_MAX_SYMBOLS; i++)
		p->multiple[i] = 1;
}

static bool is_spent(const struct search *s)
{
	const struct flow *f = s->flow;

	return f->passes >= (f->ok ? MAX_PASSES : MAX_FIRST) ||
	       (s->visits > (f->ok ? MAX_VISITS : FIRST_VISITS) && f->passes >= MIN_PASSES);
}

static bool search_step(struct search *s)
{
	if (s->progress && !s->progress(s->context, s->flow->passes))
		s->stopped = true;
	s->flow->passes += !s->stopped;
	return !s->stopped;
}

/* Are all decisions of the way behind it? */
static bool all_decided(const struct pass *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->choices.len; i++)
		count += p->choices.at[i].is_given;
	return count == (p->given ? p->given->count : 0);
}

/* At a choice of the way that succeeded: has this one become the same again? */
static bool search_rejoins(void *context, struct pass *p, uint32_t node)
{
	struct search *s = context;

	return s->flow->ok && s->is_choice[node] && all_decided(p) &&
	       branch_is_rejoined(&s->places, p, &s->flow->pass, node);
}

/* Runs passes along a way until nothing more can be learnt. */
static bool run_whole(struct search *s, struct pass *p, struct lesson *l)
{
	bool ok = false;

	for (unsigned i = 0; i < MAX_REPAIRS && !is_spent(s); i++) {
		if (!search_step(s))
			break;
		ok = pass_run(p);
		s->visits += p->visits;
		/* An answer that was given without these sums may be another one now. */
		if (sum_keep(p)) {
			if (ok)
				(void)snprintf(p->refusal.why, sizeof(p->refusal.why),
					       "sums of sizes are met in too many places");
			ok = false;
			lesson_forget(l, p);
			continue;
		}
		if (ok || !lesson_learn(p, l, &s->flow->wanted))
			break;
	}
	if (!ok)
		lesson_tell(p, l);
	return ok;
}

/* Runs the way from where it parts from the one that succeeded; false when that is not enough. */
static bool run_branch(struct search *s, struct pass *p, struct lesson *l, bool *out_ok)
{
	uint32_t place = s->flow->ok ? branch_begin(&s->places, p, &s->flow->pass) : 0;

	if (!place || is_spent(s) || !search_step(s))
		return false;
	*out_ok = pass_run_from(p, place - 1);
	s->visits += p->visits;
	if (sum_keep(p))
		return false;
	return *out_ok || !lesson_learn(p, l, &s->flow->wanted);
}

static struct decisions way_decisions(const struct way *w)
{
	struct decisions all = {0};

	for (size_t i = 0; i < w->len; i++)
		decisions_add(&all, w->at[i]);
	return all;
}

static void way_begin(struct search *s, const struct decisions *given, const struct lesson *l,
		      struct pass *p)
{
	pass_begin(s, p);
	p->given = given;
	p->by_value = &l->by_value;
	p->rejoins = search_rejoins;
	p->rejoins_context = s;
}

static bool run_way(struct search *s, const struct way *w, struct pass *p)
{
	struct decisions given = way_decisions(w);
	struct lesson l = {0};
	bool ok = false;

	way_begin(s, &given, &l, p);
	if (!run_branch(s, p, &l, &ok)) {
		pass_release(p);
		lesson_release(&l);
		l = (struct lesson){0};
		way_begin(s, &given, &l, p);
		ok = run_whole(s, p, &l);
	}
	p->is_deep = l.is_deep;
	p->by_value = NULL;
	p->given = NULL;
	decisions_release(&given);
	lesson_release(&l);
	return ok;
}

/* ---- all ways ---- */

/* As the pass went up to that choice, and as the way goes that it followed; there another option.
 */
static void push_way(struct search *s, const struct way *w, const struct pass *p, size_t at,
		     uint32_t option)
{
	struct way other = {must_alloc((w->len + at + 1) * sizeof(*w->at)), 0};

	for (size_t i = 0; i < w->len; i++)
		other.at[other.len++] = w->at[i];
	for (size_t i = 0; i <= at; i++) {
		if (!p->choices.at[i].is_given)
			other.at[other.len++] = p->choices.at[i].taken;
	}
	other.at[other.len - 1].option = option;
	s->visits += other.len;
	vec_push(&s->open, other);
}

/* The other options of the choices that the way says nothing of. */
static void push_others(struct search *s, const struct way *w, const struct pass *p)
{
	for (size_t i = 0; i < p->choices.len; i++) {
		const struct choice *c = &p->choices.at[i];

		for (uint32_t option = c->options; !c->is_given && option-- > 1;)
			push_way(s, w, p, i, option);
	}
}

/* ---- comparing two ways ---- */

/* Does every output have the symbol on one axis of its own, where an input has it? */
static bool is_clean(const struct flow *f, const struct pass *p, uint32_t bit)
{
	const struct graph *g = &f->in->model->graphs.at[0];

	for (size_t i = 0; i < g->outputs.len; i++) {
		const struct track *t = &p->tracks[g->outputs.at[i]];
		uint32_t hits = 0;
		bool placed = false;

		for (uint32_t k = 0; k < t->rank; k++) {
			if (!(axis_symbols(t->axes[k]) >> bit & 1))
				continue;
			hits++;
			for (size_t j = 0; j < f->seed_count; j++)
				placed |= f->seeds[j].bit == bit && f->seeds[j].axis == k &&
					  t->axes[k].count == 1;
		}
		if (hits != 1 || !placed)
			return false;
	}
	return true;
}

static bool same_outputs(const struct flow *f, struct pass *a, const struct pass *b)
{
	const struct graph *g = &f->in->model->graphs.at[0];

	for (size_t i = 0; i < g->outputs.len; i++) {
		uint32_t value = g->outputs.at[i];

		if (!track_same(a, &a->tracks[value], &b->tracks[value]))
			return false;
	}
	return true;
}

static bool any_mixed(const struct pass *p, uint64_t symbols)
{
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (symbols >> i & 1 && p->mixed[i].is_mixed)
			return true;
	}
	return false;
}

/* Where a way parts from the one that succeeded. */
struct parting {
	const struct choice *first; /* NULL when there is no choice at all */
	uint64_t symbols;           /* that these choices place; 0 when one is about a number */
};

static struct parting parting_of(const struct pass *a, const struct way *w)
{
	struct decisions others = way_decisions(w);
	struct parting out = {0};

	for (size_t i = 0; i < a->choices.len; i++) {
		const struct choice *c = &a->choices.at[i];
		uint32_t option;

		if (!decision_for(&others, &c->taken, &option) || option == c->taken.option)
			continue;
		out.symbols = !out.first                  ? c->symbols
			      : out.symbols && c->symbols ? out.symbols | c->symbols
							  : 0;
		out.first = out.first ? out.first : c;
	}
	if (!out.first && a->choices.len) {
		out.first = vec_last(&a->choices);
		out.symbols = out.first->symbols;
	}
	decisions_release(&others);
	return out;
}

static struct way way_of(const struct pass *p)
{
	struct way w = {must_alloc((p->choices.len + 1) * sizeof(*w.at)), p->choices.len};

	for (size_t i = 0; i < w.len; i++)
		w.at[i] = p->choices.at[i].taken;
	return w;
}

static bool all_clean(const struct flow *f, const struct pass *p, uint64_t symbols)
{
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (symbols >> i & 1 && !is_clean(f, p, i))
			return false;
	}
	return true;
}

static void add_ambiguity(struct flow *f, const struct choice *c, bool assumed)
{
	for (size_t i = 0; i < f->ambiguities.len; i++) {
		if (f->ambiguities.at[i].node == c->taken.node &&
		    f->ambiguities.at[i].assumed == assumed)
			return;
	}
	vec_push(
		&f->ambiguities,
		((struct ambiguity){
			.node = c->taken.node,
			.what = arena_copy(&f->arena, (struct sv){c->what, strlen(c->what) + 1}).at,
			.assumed = assumed,
		}));
}

/* Item by item and with the same outputs, two ways are the same function. */
static void compare_ways(struct search *s, struct pass *other, bool rejoined)
{
	struct flow *f = s->flow;
	struct way w = way_of(other);
	struct parting at = parting_of(&f->pass, &w);
	bool same = rejoined || same_outputs(f, &f->pass, other);

	free(w.at);
	if (!at.first || (same && at.symbols && !any_mixed(&f->pass, at.symbols) &&
			  !any_mixed(other, at.symbols)))
		return;
	add_ambiguity(f, at.first,
		      at.symbols && !rejoined && all_clean(f, &f->pass, at.symbols) &&
			      !all_clean(f, other, at.symbols));
}

/* Has what was 1 met itself?  Such a way is refused at its end, however it goes on. */
static bool is_met(const struct pass *p)
{
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (p->mixed[i].is_mixed && p->old[i] == 1 && !(p->carried >> i & 1))
			return true;
	}
	return false;
}

/* A way that could not be followed to its end is not excluded. */
static void doubt_way(struct search *s, const struct way *other)
{
	struct flow *f = s->flow;
	struct parting at = parting_of(&f->pass, other);

	if (at.first)
		add_ambiguity(f, at.first, at.symbols && all_clean(f, &f->pass, at.symbols));
}

/* Where items meet, a number that may be their count is as unclear as a place. */
static void doubt_scalars(struct flow *f)
{
	for (size_t i = 0; i < f->pass.scalars.len; i++) {
		const struct flow_scalar *scalar = &f->pass.scalars.at[i];
		struct str text = {0};

		if (!f->pass.mixed[scalar->bit].is_mixed)
			continue;
		flow_scalar_print(&f->pass, scalar, &text);
		str_char(&text, '\0');
		vec_push(&f->ambiguities, ((struct ambiguity){
						  .node = scalar->node,
						  .what = arena_copy(&f->arena, str_sv(&text)).at,
					  }));
		str_release(&text);
	}
}

/* ---- the search ---- */

static void keep_pass(struct search *s, struct pass *p, bool ok)
{
	struct flow *f = s->flow;

	f->refusal = p->refusal;
	f->ok = ok;
	pass_release(&f->pass);
	f->pass = *p;
	f->pass.factory.arena = &f->pass.arena;
	f->pass.plan.arena = &f->pass.arena;
	for (size_t i = 0; ok && i < p->choices.len; i++)
		s->is_choice[p->choices.at[i].taken.node] = true;
}

/* The first that succeeds is kept; until then the first of all, for its reason. */
static void try_way(struct search *s, struct way w)
{
	struct flow *f = s->flow;
	struct pass p;
	bool ok = run_way(s, &w, &p), rejoined = p.is_joined;
	bool first = !f->ok && (ok || !f->refusal.why[0]);

	push_others(s, &w, &p);
	free(w.at);
	if (f->ok && (ok || rejoined) && !is_met(&p)) {
		compare_ways(s, &p, rejoined);
	} else if (rejoined || (!ok && !p.refusal.impossible)) {
		struct way doubt = way_of(&p);

		if (f->ok)
			doubt_way(s, &doubt);
		vec_push(&s->doubts, doubt);
	}
	if (first)
		keep_pass(s, &p, ok);
	else
		pass_release(&p);
	for (size_t i = 0; first && ok && i < s->doubts.len; i++)
		doubt_way(s, &s->doubts.at[i]);
}

static void search_all(struct search *s)
{
	struct flow *f = s->flow;

	vec_push(&s->open, ((struct way){0}));
	while (s->open.len && !is_spent(s) && !s->stopped) {
		struct way w = *vec_last(&s->open);

		vec_pop(&s->open);
		try_way(s, w);
	}
	if (s->open.len && f->ok)
		vec_push(&f->ambiguities,
			 ((struct ambiguity){.what = "there are more ways than can be tried"}));
	for (size_t i = 0; i < s->open.len; i++)
		free(s->open.at[i].at);
	for (size_t i = 0; i < s->doubts.len; i++)
		free(s->doubts.at[i].at);
	vec_release(&s->open);
	vec_release(&s->doubts);
}

static bool set_seeds(struct flow *f, const struct flow_goal *goals, size_t count)
{
	struct factory *factory = &f->pass.factory;

	f->seeds = must_alloc(count * sizeof(*f->seeds));
	for (size_t i = 0; i < count; i++) {
		struct sym symbol = sym_declare(&f->in->pool, goals[i].name);
		uint32_t id, bit = 0;

		if (!sym_symbol_id(&f->in->pool, symbol, &id))
			return false;
		while (bit < factory->symbol_count && factory->symbols[bit] != id)
			bit++;
		if (bit == FLOW_MAX_SYMBOLS)
			return false;
		if (bit < factory->symbol_count && f->pass.old[bit] != goals[i].old)
			return false;
		if (bit == factory->symbol_count)
			factory->symbols[factory->symbol_count++] = id;
		f->pass.old[bit] = goals[i].old;
		if (goals[i].carried)
			f->pass.carried |= UINT64_C(1) << bit;
		if (goals[i].stand_in)
			f->pass.stand_ins |= UINT64_C(1) << bit;
		f->seeds[f->seed_count++] = (struct seed){goals[i].input, goals[i].axis, bit};
	}
	return true;
}

bool flow_solve(struct flow *f, struct infer *in, const struct flow_goal *goals, size_t count,
		flow_progress *progress, void *context)
{
	struct search s = {.flow = f, .progress = progress, .context = context};

	*f = (struct flow){.in = in};
	folder_init_at_sizes(&f->folder, in);
	f->pass.factory.pool = &in->pool;
	if (!set_seeds(f, goals, count)) {
		(void)snprintf(f->refusal.why, sizeof(f->refusal.why),
			       "axes of one name had different sizes");
		return false;
	}
	flow_places_make(&s.places, in->model);
	s.is_choice = must_alloc(in->model->nodes.len * sizeof(*s.is_choice));
	memset(s.is_choice, 0, in->model->nodes.len * sizeof(*s.is_choice));
	search_all(&s);
	if (f->ok)
		doubt_scalars(f);
	flow_places_release(&s.places);
	free(s.is_choice);
	return f->ok;
}

void flow_release(struct flow *f)
{
	pass_release(&f->pass);
	folder_release(&f->folder);
	free(f->seeds);
	vec_release(&f->ambiguities);
	arena_release(&f->arena);
}
