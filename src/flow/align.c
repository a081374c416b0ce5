/*
 * A Reshape: the row of elements stays, and is cut at other places.
 *
 * Factors are dealt out to the entries of the target in order.  Numbers may be cut anywhere; a
 * freed size only where one of its parts is a number.  A freed size of old size 1 leaves no
 * trace in the old shapes: it may be at several places, unless every 1 has a place of its own.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/num.h"
#include "base/str.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ops/info.h"
#include "sym/sym.h"

enum {
	MAX_PIECES = 512
};

/* A factor of the row, and the axis it comes from. */
struct bead {
	struct factor factor;
	uint32_t axis;
	uint32_t first, last; /* entries of the target that it went to; of big ones */
	bool placed;
};

struct piece {
	struct factor factor;
	uint32_t bead;
	uint32_t entry;
};

struct alignment {
	struct visit *visit;
	const struct track *x;
	const int64_t *target;
	const int64_t *literal; /* what the model has written; NULL when it is computed */
	uint32_t count;
	struct bead beads[MAX_PIECES];
	uint32_t bead_count;
	struct piece pieces[MAX_PIECES];
	uint32_t piece_count;
	uint32_t next; /* bead to deal out */
	struct factor rest;
	bool cut; /* `rest` of the next bead is left */
};

static bool is_number(const struct factor *f)
{
	return !factor_is_origin(f);
}

static bool too_many(const struct alignment *a)
{
	return a->bead_count >= MAX_PIECES - 1 || a->piece_count >= MAX_PIECES - 1;
}

static void add_bead(struct alignment *a, struct factor f, uint32_t axis)
{
	struct bead *last = a->bead_count ? &a->beads[a->bead_count - 1] : NULL;

	if (last && is_number(&f) && f.old > 1 && is_number(&last->factor) && last->factor.old > 1)
		last->factor = factor_number(&a->visit->pass->factory, last->factor.old * f.old);
	else
		a->beads[a->bead_count++] = (struct bead){.factor = f, .axis = axis};
}

/* Their product is the number of elements, and no product of some of them exceeds it. */
static bool count_elements(struct alignment *a, int64_t size, uint64_t *elements)
{
	if (size < 1)
		return flow_refuse(a->visit, CAUSE_ONE, "a size is 0");
	return (num_mul(*elements, (uint64_t)size, elements) && *elements <= INT64_MAX) ||
	       flow_refuse(a->visit, CAUSE_LIMIT, "it has too many elements");
}

static bool string_beads(struct alignment *a)
{
	struct factory *f = &a->visit->pass->factory;
	uint64_t elements = 1;

	for (uint32_t k = 0; k < a->x->rank; k++) {
		struct flow_axis axis = a->x->axes[k];

		if (!axis.count)
			add_bead(a, factor_number(f, 1), k);
		for (uint32_t i = 0; i < axis.count; i++) {
			if (!count_elements(a, axis.at[i].old, &elements))
				return false;
			add_bead(a, axis.at[i], k);
		}
		if (too_many(a))
			return flow_refuse(a->visit, CAUSE_LIMIT, "too many factors");
	}
	return true;
}

/* ---- big factors ---- */

static void skip_ones(struct alignment *a)
{
	while (!a->cut && a->next < a->bead_count && a->beads[a->next].factor.old == 1)
		a->next++;
}

static void deal_piece(struct alignment *a, uint32_t entry, struct factor f)
{
	struct bead *b = &a->beads[a->next];

	a->pieces[a->piece_count++] = (struct piece){f, a->next, entry};
	if (!b->placed)
		b->first = entry;
	b->last = entry;
	b->placed = true;
}

static void go_on(struct alignment *a)
{
	a->cut = false;
	a->next++;
}

/* Two numbers with only numbers that are 1 between them become one. */
static bool merge_next(struct alignment *a, struct factor f, uint32_t entry)
{
	uint32_t second = a->next + 1;

	while (second < a->bead_count && a->beads[second].factor.old == 1) {
		if (factor_is_origin(&a->beads[second].factor))
			return flow_refuse(a->visit, CAUSE_ONE,
					   "a size that was 1 is inside a number that is cut anew");
		second++;
	}
	if (second >= a->bead_count || factor_is_origin(&a->beads[second].factor))
		return flow_refuse(a->visit, CAUSE_FIXED,
				   "axis %" PRIu32 " of its result would cut across %" PRId64
				   " and a freed size",
				   entry, f.old);
	a->beads[a->next].placed |= a->cut;
	a->rest = factor_number(&a->visit->pass->factory, f.old * a->beads[second].factor.old);
	a->next = second;
	a->cut = true;
	return true;
}

/* Whether the first or the second part of a cut grows, as far as other cuts tell. */
enum growth {
	GROWTH_UNKNOWN,
	GROWTH_FIRST,
	GROWTH_SECOND
};

/* A cut into pieces: so many, and so long. */
struct cut {
	int64_t count, length;
};

/* Is the bead, perhaps with the numbers after it, cut into just two entries? */
static bool read_cut(const struct alignment *a, uint32_t bead, struct cut *out)
{
	int64_t before = 1, product = 1, whole = a->beads[bead].factor.old, rest = whole;
	uint32_t entry = 0;

	for (uint32_t i = 0; i < bead; i++)
		before *= a->beads[i].factor.old;
	for (uint32_t i = bead + 1; i < a->bead_count && is_number(&a->beads[i].factor); i++)
		rest *= a->beads[i].factor.old;
	while (entry < a->count && product < before)
		product *= a->target[entry++];
	while (entry < a->count && a->target[entry] == 1)
		entry++;
	if (product != before || entry + 1 >= a->count)
		return false;
	*out = (struct cut){a->target[entry], a->target[entry + 1]};
	product = out->count * out->length;
	return out->count > 1 && out->count < whole && out->length > 1 &&
	       (product == whole || product == rest);
}

/*
 * Height and width are cut alike: if their pieces are equally long, and their numbers differ, the
 * length is the constant; and the other way round.
 */
static enum growth compare_cuts(const struct alignment *a)
{
	uint64_t symbols = a->beads[a->next].factor.symbols;
	enum growth found = GROWTH_UNKNOWN;
	struct cut own, other;

	if (!read_cut(a, a->next, &own))
		return GROWTH_UNKNOWN;
	for (uint32_t i = 0; i < a->bead_count; i++) {
		const struct factor *f = &a->beads[i].factor;
		enum growth here = GROWTH_UNKNOWN;

		if (!factor_is_origin(f) || f->symbols & symbols || !read_cut(a, i, &other))
			continue;
		if (other.length == own.length && other.count != own.count)
			here = GROWTH_FIRST;
		else if (other.length != own.length && other.count == own.count)
			here = GROWTH_SECOND;
		if (here == GROWTH_UNKNOWN || (found != GROWTH_UNKNOWN && found != here))
			return GROWTH_UNKNOWN;
		found = here;
	}
	return found;
}

/* "H, which was 16," or "H", before a verb. */
static const char *name_cut(struct visit *v, struct factor f)
{
	struct pass *p = v->pass;
	struct str text = {0};
	const char *kept;

	str_text(&text, flow_was(p, axis_make(&p->factory, &f, 1)));
	if (flow_meant(p, axis_make(&p->factory, &f, 1)))
		str_char(&text, ',');
	str_char(&text, '\0');
	kept = arena_copy(&p->arena, str_sv(&text)).at;
	str_release(&text);
	return kept;
}

/* A freed size is cut into two, one of which is a number: which one, may be a choice. */
static bool choose_growth(struct alignment *a, struct factor f, int64_t wanted)
{
	struct visit *v = a->visit;
	enum growth known = compare_cuts(a);
	const char *name = name_cut(v, f);

	if (known == GROWTH_UNKNOWN)
		return flow_choose(v, 2, 0,
				   "%s is cut into %" PRId64 " x %" PRId64
				   ": the first or the second part grows",
				   name, wanted, f.old / wanted) == 0;
	if (known == GROWTH_FIRST)
		flow_assume(v, "%s is cut into pieces of %" PRId64, name, f.old / wanted);
	else
		flow_assume(v, "%s is cut into %" PRId64 " %s", name, wanted,
			    PLURAL(wanted, "piece", "pieces"));
	return known == GROWTH_FIRST;
}

static bool cut_origin(struct alignment *a, uint32_t entry, struct factor f, int64_t wanted)
{
	struct visit *v = a->visit;
	struct factory *factory = &v->pass->factory;
	int64_t inner = f.old / wanted;
	bool outer = choose_growth(a, f, wanted);
	int64_t number = outer ? inner : wanted;
	struct sym divisor = sym_int(factory->pool, number), quotient;
	struct factor part;

	if (!sym_divide(factory->pool, f.size, divisor, &quotient))
		return flow_unequal(v,
				    sym_mul(factory->pool, divisor,
					    sym_floor_div(factory->pool, f.size, divisor)),
				    f.size, "its pieces must fill the axis");
	part = factor_make(factory, quotient, f.old / number);
	/* Where one piece is the whole axis, programs do something else: no shift of windows. */
	if (part.old > 1)
		flow_limit(v, part.size, 2, true);
	flow_mix(v, f.symbols, "it is cut into pieces");
	deal_piece(a, entry, outer ? part : factor_number(factory, wanted));
	a->rest = outer ? factor_number(factory, inner) : part;
	a->cut = true;
	return true;
}

/* When watching: both are digits of what is cut. */
static void watch_cut(struct alignment *a, uint32_t entry, struct factor f, int64_t wanted)
{
	struct factory *factory = &a->visit->pass->factory;
	int64_t inner = f.old / wanted, step = f.step ? f.step : 1;
	struct sym divisor = sym_int(factory->pool, inner), quotient;
	bool is_digit = f.step != FACTOR_SOME && !(f.symbols & (f.symbols - 1));

	if (!sym_divide(factory->pool, f.size, divisor, &quotient))
		quotient = sym_floor_div(factory->pool, f.size, divisor);
	deal_piece(a, entry,
		   (struct factor){quotient, wanted, f.symbols,
				   is_digit ? step * inner : FACTOR_SOME});
	a->rest = (struct factor){divisor, inner, f.symbols, is_digit ? step : FACTOR_SOME};
	a->cut = true;
}

/* Gives factors to an entry until it is full. */
static bool fill_entry(struct alignment *a, uint32_t entry)
{
	struct factory *factory = &a->visit->pass->factory;

	for (int64_t left = a->target[entry]; left > 1;) {
		struct factor f;

		skip_ones(a);
		if (a->next >= a->bead_count || too_many(a))
			return flow_refuse(a->visit, CAUSE_BROKEN,
					   "the target has more elements than the input");
		f = a->cut ? a->rest : a->beads[a->next].factor;
		if (left % f.old == 0) {
			deal_piece(a, entry, f);
			left /= f.old;
			go_on(a);
		} else if (is_number(&f) && f.old % left == 0) {
			deal_piece(a, entry, factor_number(factory, left));
			a->rest = factor_number(factory, f.old / left);
			a->cut = true;
			left = 1;
		} else if (is_number(&f)) {
			if (num_igcd(f.old, left) == 1)
				return flow_refuse(a->visit, CAUSE_FIXED,
						   "axis %" PRIu32
						   " of its result would cut across %" PRId64
						   " and a freed size",
						   entry, f.old);
			if (!merge_next(a, f, entry))
				return false;
		} else if (f.old % left == 0) {
			if (a->visit->pass->watch)
				watch_cut(a, entry, f, left);
			else if (!cut_origin(a, entry, f, left))
				return false;
			left = 1;
		} else {
			return flow_refuse(a->visit, CAUSE_FIXED,
					   "%s cannot be cut for axis %" PRIu32
					   " of its result, which is %" PRId64,
					   name_cut(a->visit, f), entry, a->target[entry]);
		}
	}
	return true;
}

/* ---- factors of old size 1 ---- */

/* A run of factors of old size 1, and the entries that they can be in: between before and after. */
struct gap {
	uint32_t from, to;     /* beads */
	int64_t before, after; /* entries of the big factors around it */
};

static uint32_t ones_between(const struct gap *g)
{
	return g->after > g->before + 1 ? (uint32_t)(g->after - g->before - 1) : 0;
}

static uint32_t count_ones(const struct alignment *a, const struct gap *g, bool origins)
{
	uint32_t count = 0;

	for (uint32_t i = g->from; i < g->to; i++) {
		if (a->beads[i].factor.old == 1)
			count += !origins || factor_is_origin(&a->beads[i].factor);
	}
	return count;
}

static void place_one(struct alignment *a, uint32_t bead, uint32_t entry)
{
	a->pieces[a->piece_count++] = (struct piece){a->beads[bead].factor, bead, entry};
}

/* Is every freed 1 of the gap an axis of its own? */
static bool all_alone(const struct alignment *a, const struct gap *g)
{
	for (uint32_t i = g->from; i < g->to; i++) {
		if (factor_is_origin(&a->beads[i].factor) && a->beads[i].factor.old == 1 &&
		    a->x->axes[a->beads[i].axis].count != 1)
			return false;
	}
	return true;
}

static void place_in_order(struct alignment *a, const struct gap *g)
{
	uint32_t entry = (uint32_t)(g->before + 1);

	for (uint32_t i = g->from; i < g->to; i++) {
		if (a->beads[i].factor.old != 1)
			continue;
		if (factor_is_origin(&a->beads[i].factor))
			place_one(a, i, entry);
		entry++;
	}
}

static void add_option(uint32_t *options, uint32_t *count, int64_t entry, uint32_t entries)
{
	for (uint32_t i = 0; i < *count; i++) {
		if (options[i] == entry)
			return;
	}
	if (entry >= 0 && entry < entries)
		options[(*count)++] = (uint32_t)entry;
}

/* The likeliest place first: the same index, a 1, the entry written -1, the neighbours. */
static uint32_t list_places(const struct alignment *a, const struct gap *g, uint32_t index,
			    uint32_t *out)
{
	uint32_t count = 0;

	if (index > g->before && index < g->after)
		add_option(out, &count, index, a->count);
	for (int64_t e = g->before + 1; e < g->after; e++)
		add_option(out, &count, e, a->count);
	for (int64_t e = g->before; a->literal && e <= g->after; e += g->after - g->before) {
		if (e >= 0 && e < a->count && a->literal[e] == -1)
			add_option(out, &count, e, a->count);
	}
	if (index == g->before || index == g->after)
		add_option(out, &count, index, a->count);
	add_option(out, &count, g->before, a->count);
	add_option(out, &count, g->after, a->count);
	return count;
}

static bool place_single(struct alignment *a, const struct gap *g)
{
	uint32_t places[RULE_MAX_RANK + 4], count, bead = g->from, chosen = 0;
	struct factor *f;

	while (a->beads[bead].factor.old != 1 || !factor_is_origin(&a->beads[bead].factor))
		bead++;
	f = &a->beads[bead].factor;
	count = list_places(a, g, a->beads[bead].axis, places);
	if (!count)
		return flow_refuse(a->visit, CAUSE_ONE,
				   "the size that was 1 has no place in its result");
	if (count > 1)
		chosen = flow_choose(a->visit, count, f->symbols,
				     "%s was 1, and may be at %" PRIu32 " places",
				     flow_text(a->visit->pass, f->size), count);
	place_one(a, bead, places[chosen]);
	return true;
}

static uint64_t gap_symbols(const struct alignment *a, const struct gap *g)
{
	uint64_t symbols = 0;

	for (uint32_t i = g->from; i < g->to; i++) {
		if (a->beads[i].factor.old == 1)
			symbols |= a->beads[i].factor.symbols;
	}
	return symbols;
}

static bool place_gap(struct alignment *a, const struct gap *g)
{
	uint32_t origins = count_ones(a, g, true), ones = ones_between(g);

	if (!origins)
		return true;
	if (g->before == g->after) {
		for (uint32_t i = g->from; i < g->to; i++) {
			if (a->beads[i].factor.old == 1 && factor_is_origin(&a->beads[i].factor))
				place_one(a, i, (uint32_t)g->before);
		}
		return true;
	}
	if (ones == count_ones(a, g, false) && all_alone(a, g)) {
		place_in_order(a, g);
		return true;
	}
	if (origins == 1)
		return place_single(a, g);
	return flow_refuse(a->visit, CAUSE_ONE, "several sizes that were 1 are side by side, of %s",
			   flow_names(a->visit->pass, gap_symbols(a, g)));
}

/* Does some axis of the input begin, or end, after that many elements of the outer ones? */
static bool is_boundary(const struct track *x, int64_t outer)
{
	int64_t product = 1;

	for (uint32_t k = 0; k < x->rank && product < outer; k++)
		product *= axis_old(x->axes[k]);
	return product == outer;
}

/* Is the entry made of whole axes: view(batch * heads, -1, size)? */
static bool is_whole_axis(const struct alignment *a, uint32_t entry)
{
	int64_t outer = 1;

	for (uint32_t e = 0; e < entry; e++)
		outer *= a->target[e];
	return is_boundary(a->x, outer) && is_boundary(a->x, outer * a->target[entry]);
}

/*
 * What was 1 and is part of an entry that the model writes as a number could as well be part of
 * another entry, which is cut elsewhere.  A -1 says which entry grows, unless the number is that
 * of whole axes.
 */
static bool check_absorbed(struct alignment *a, const struct piece *p)
{
	struct visit *v = a->visit;
	const char *name = flow_text(v->pass, p->factor.size);
	uint32_t others = 0;

	if (!a->literal || a->literal[p->entry] <= 1 || p->factor.old != 1 ||
	    !factor_is_origin(&p->factor))
		return true;
	for (uint32_t e = 0; e < a->count; e++) {
		if (e == p->entry)
			continue;
		if (a->literal[e] == -1 && !is_whole_axis(a, p->entry))
			return flow_refuse(
				v, CAUSE_ONE,
				"%s was 1, and may be part of the entry -1 of its target", name);
		others += a->target[e] > 1;
	}
	if (others)
		flow_assume(v, "%s, which was 1, is part of axis %" PRIu32, name, p->entry);
	return true;
}

static bool place_ones(struct alignment *a)
{
	struct gap g = {.before = -1};

	for (uint32_t i = 0; i <= a->bead_count; i++) {
		if (i < a->bead_count && !a->beads[i].placed)
			continue;
		g.to = i;
		g.after = i < a->bead_count ? a->beads[i].first : a->count;
		if (!place_gap(a, &g))
			return false;
		if (i < a->bead_count)
			g = (struct gap){.from = i + 1, .before = a->beads[i].last};
	}
	return true;
}

/* ---- the whole ---- */

/* The pieces of each entry, in the order of the row. */
static void collect_pieces(const struct alignment *a, struct flow_axis *out)
{
	struct factor found[MAX_PIECES];

	for (uint32_t e = 0; e < a->count; e++) {
		uint32_t count = 0;

		for (uint32_t b = 0; b < a->bead_count; b++) {
			for (uint32_t i = 0; i < a->piece_count; i++) {
				if (a->pieces[i].entry == e && a->pieces[i].bead == b)
					found[count++] = a->pieces[i].factor;
			}
		}
		out[e] = axis_make(&a->visit->pass->factory, found, count);
	}
}

/* view(2, -1) of a batch of 2: two halves, or two items. */
static void assume_halves(const struct alignment *a, const struct flow_axis *axes)
{
	bool rest = false;

	for (uint32_t e = 0; a->literal && e < a->count; e++)
		rest |= a->literal[e] == -1 && !axis_symbols(axes[e]);
	for (uint32_t e = 0; rest && e < a->count; e++) {
		if (a->literal[e] == 2 && axis_symbols(axes[e]))
			flow_assume(a->visit, "the entry 2 is %s, which was 2",
				    flow_text(a->visit->pass,
					      axis_size(&a->visit->pass->factory, axes[e])));
	}
}

static bool align_all(struct alignment *a)
{
	uint64_t elements = 1;

	if (!string_beads(a))
		return false;
	for (uint32_t e = 0; e < a->count; e++) {
		if (!count_elements(a, a->target[e], &elements))
			return false;
	}
	for (uint32_t e = 0; e < a->count; e++) {
		if (!fill_entry(a, e))
			return false;
	}
	if (!place_ones(a))
		return false;
	for (uint32_t i = 0; i < a->piece_count; i++) {
		if (!check_absorbed(a, &a->pieces[i]))
			return false;
	}
	return true;
}

bool flow_align(struct visit *v, const struct track *x, const int64_t *target,
		const int64_t *literal, uint32_t count, struct flow_axis *out)
{
	struct alignment *a = must_alloc(sizeof(*a));
	bool ok;

	a->visit = v;
	a->x = x;
	a->target = target;
	a->literal = literal;
	a->count = count;
	a->bead_count = a->piece_count = a->next = 0;
	a->cut = false;
	ok = x->rank <= RULE_MAX_RANK && count <= RULE_MAX_RANK && align_all(a);
	if (ok) {
		collect_pieces(a, out);
		assume_halves(a, out);
	}
	free(a);
	return ok;
}
