/*
 * The structure of the exports, node by node, and the constants that differ.
 */
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/diff/compare.h"
#include "edit/fit/internal.h"
#include "flow/array.h"
#include "ir/graph.h"
#include "ir/hash.h"
#include "ir/text.h"
#include "ops/property.h"

static const struct text_limits pairs_limits = {.elements = 16, .bytes = 100, .digits = 9};

static void pairs_call(const struct fitting *f, uint32_t side, uint32_t node, struct str *out)
{
	const struct model *m = f->sides[side].m;
	const struct node *n = &m->nodes.at[node];

	str_add(out, model_cut_name(m, n->op));
	str_char(out, ' ');
	str_add(out, model_cut_name(m, node_called(m, n)));
}

static bool pairs_same_op(const struct fitting *f, uint32_t side, const struct node *a,
			  const struct node *b)
{
	const struct model *m = f->sides[0].m, *o = f->sides[side].m;
	struct sv x = model_name(m, a->domain), y = model_name(o, b->domain);

	return sv_eq(model_name(m, a->op), model_name(o, b->op)) &&
	       sv_eq(model_name(m, a->overload), model_name(o, b->overload)) &&
	       (sv_eq(x, y) || (domain_is_standard(x) && domain_is_standard(y)));
}

/* ---- attributes ---- */

enum {
	MAX_ATTRS = 1000 /* each is compared with all of the other node */
};

static const struct attr *pairs_attr(const struct model *m, const struct node *n, struct sv name)
{
	for (uint32_t i = 0; i < n->attr_count; i++) {
		if (sv_eq(model_name(m, n->attrs[i].name), name))
			return &n->attrs[i];
	}
	return NULL;
}

static bool pairs_same_attr(const struct fitting *f, uint32_t side, const struct attr *a,
			    const struct attr *b)
{
	if (!b || a->kind != b->kind)
		return false;
	if (a->kind == ATTR_GRAPH || a->kind == ATTR_GRAPHS)
		return a->count == b->count;
	return attr_hash(f->sides[0].m, a, true, 1) == attr_hash(f->sides[side].m, b, true, 1);
}

static bool pairs_check_attrs(struct fitting *f, uint32_t side, uint32_t node, uint32_t other)
{
	const struct model *m = f->sides[0].m, *o = f->sides[side].m;
	const struct node *a = &m->nodes.at[node], *b = &o->nodes.at[other];
	bool ok = true;

	if (MAX(a->attr_count, b->attr_count) > MAX_ATTRS)
		return fit_refuse(f, node, "it has more than %d attributes", MAX_ATTRS);
	for (uint32_t i = 0; i < a->attr_count; i++) {
		struct sv name = model_cut_name(m, a->attrs[i].name);
		const struct attr *x = &a->attrs[i], *y = pairs_attr(o, b, model_name(m, x->name));
		struct str before = {0}, after = {0};

		if (!pairs_same_attr(f, side, x, y)) {
			attr_print(&before, m, x, &pairs_limits);
			if (y)
				attr_print(&after, o, y, &pairs_limits);
			ok = fit_refuse(f, node,
					"attribute %.*s is %s here and %s in export %" PRIu32,
					(int)name.len, name.at, str_c(&before),
					y ? str_c(&after) : "missing", side + 1);
		}
		str_release(&before);
		str_release(&after);
	}
	for (uint32_t i = 0; i < b->attr_count; i++) {
		struct sv name = model_name(o, b->attrs[i].name);

		if (!pairs_attr(m, a, name))
			ok = fit_refuse(f, node, "only export %" PRIu32 " has attribute %.*s",
					side + 1, (int)MIN(name.len, 100), name.at);
	}
	return ok;
}

/* ---- nodes ---- */

static uint32_t pairs_input(const struct node *n, uint32_t port)
{
	return port < n->input_count ? n->inputs[port] : 0;
}

static bool pairs_check_inputs(struct fitting *f, uint32_t side, uint32_t node, uint32_t other)
{
	const struct model *m = f->sides[0].m, *o = f->sides[side].m;
	const struct node *a = &m->nodes.at[node], *b = &o->nodes.at[other];

	for (uint32_t i = 0; i < MAX(a->input_count, b->input_count); i++) {
		uint32_t x = pairs_input(a, i), y = pairs_input(b, i);

		if ((!x && !y) || (x && y && value_is_constant(m, x) && value_is_constant(o, y)) ||
		    (x && y && f->sides[side].pairing.values[x] == y && !value_is_constant(m, x) &&
		     !value_is_constant(o, y)))
			continue;
		return fit_refuse(f, node,
				  "input %" PRIu32 " comes from elsewhere in export %" PRIu32, i,
				  side + 1);
	}
	return true;
}

static bool pairs_check_node(struct fitting *f, uint32_t side, uint32_t node)
{
	const struct model *m = f->sides[0].m, *o = f->sides[side].m;
	uint32_t other = f->sides[side].pairing.nodes[node];
	struct str text = {0};
	bool ok = true;

	if (!other)
		return fit_refuse(f, node, "export %" PRIu32 " has no such node", side + 1);
	if (!pairs_same_op(f, side, &m->nodes.at[node], &o->nodes.at[other]) ||
	    m->nodes.at[node].output_count != o->nodes.at[other].output_count) {
		pairs_call(f, side, other, &text);
		ok = fit_refuse(f, node, "it is %s in export %" PRIu32, str_c(&text), side + 1);
	}
	ok = ok && pairs_check_inputs(f, side, node, other);
	ok = ok && pairs_check_attrs(f, side, node, other);
	str_release(&text);
	return ok;
}

/* Nodes that compute, and how many of them the other export has. */
static size_t pairs_count(const struct fitting *f, uint32_t side, size_t *out_paired)
{
	const struct model *m = f->sides[0].m;
	size_t count = 0;

	*out_paired = 0;
	for (uint32_t id = 1; id < m->nodes.len; id++) {
		const struct node *n = &m->nodes.at[id];

		if (n->dead || op_is_constant(m, n))
			continue;
		count++;
		*out_paired += f->sides[side].pairing.nodes[id] != 0;
	}
	return count;
}

/* Where most differ, a list of them helps nobody. */
static bool pairs_same_program(struct fitting *f, uint32_t side)
{
	enum {
		FEW = 8 /* differences that may be listed in any case */
	};
	size_t paired, count = pairs_count(f, side, &paired);

	if (count - paired <= FEW && (paired || !count))
		return true;
	return paired * 2 >= count ||
	       fit_refuse(f, 0,
			  "not the same program: export %" PRIu32
			  " has %zu of the %zu %s of export 1",
			  side + 1, paired, count, PLURAL(count, "node", "nodes"));
}

static bool pairs_check_nodes(struct fitting *f, uint32_t side)
{
	const struct model *m = f->sides[0].m, *o = f->sides[side].m;
	struct map taken = {0};
	bool ok = true;

	for (uint32_t id = 1; id < m->nodes.len; id++) {
		const struct node *n = &m->nodes.at[id];

		if (n->dead || op_is_constant(m, n))
			continue;
		*map_at(&taken, f->sides[side].pairing.nodes[id]) = 1;
		ok &= pairs_check_node(f, side, id);
	}
	for (uint32_t id = 1; id < o->nodes.len; id++) {
		struct str text = {0};

		if (o->nodes.at[id].dead || op_is_constant(o, &o->nodes.at[id]) ||
		    map_find(&taken, id))
			continue;
		pairs_call(f, side, id, &text);
		ok = fit_refuse(f, 0, "only export %" PRIu32 " has %s", side + 1, str_c(&text));
		str_release(&text);
	}
	map_release(&taken);
	return ok;
}

static bool pairs_check_outputs(struct fitting *f, uint32_t side)
{
	const struct model *m = f->sides[0].m, *o = f->sides[side].m;
	const struct graph *a = &m->graphs.at[0], *b = &o->graphs.at[0];

	if (a->outputs.len != b->outputs.len)
		return fit_refuse(f, 0, "export %" PRIu32 " has %zu %s instead of %zu", side + 1,
				  b->outputs.len, PLURAL(b->outputs.len, "output", "outputs"),
				  a->outputs.len);
	for (size_t i = 0; i < a->outputs.len; i++) {
		uint32_t value = a->outputs.at[i];

		if (value_is_constant(m, value))
			return fit_refuse(f, 0, "output %zu is a constant", i);
		if (fit_partner(f, side, value) != b->outputs.at[i])
			return fit_refuse(f, 0,
					  "output %zu comes from another node in export %" PRIu32,
					  i, side + 1);
	}
	return true;
}

/* Bodies end alike: in the same values, or in the same constants. */
static bool pairs_check_bodies(struct fitting *f, uint32_t side)
{
	const struct model *m = f->sides[0].m, *o = f->sides[side].m;

	if (m->graphs.len != o->graphs.len)
		return fit_refuse(f, 0, "the exports differ in bodies or functions");
	for (uint32_t g = 1; g < m->graphs.len; g++) {
		for (size_t i = 0; i < m->graphs.at[g].outputs.len; i++) {
			if (value_is_constant(m, m->graphs.at[g].outputs.at[i]))
				return fit_refuse(f, 0, "a body returns a constant");
		}
	}
	return true;
}

/* ---- constants ---- */

static bool pairs_same_array(const struct array *a, const struct array *b)
{
	return a->elem == b->elem && a->rank == b->rank &&
	       (!a->rank || memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0) &&
	       memcmp(a->bytes, b->bytes, (size_t)a->count * array_width(a->elem)) == 0;
}

/* Constants without a tensor (lists of numbers) are small. */
static bool pairs_compare(struct fitting *f, uint32_t node, uint32_t side, uint32_t x, uint32_t y,
			  bool *out)
{
	uint32_t a = value_constant(f->sides[0].m, x), b = value_constant(f->sides[side].m, y);
	const struct array *left, *right;
	struct err err;

	if (a && b)
		return pairing_equal(&f->sides[side].pairing, a, b, out, &err) ||
		       fit_refuse(f, node, "a constant cannot be read: %s", err.text);
	left = fit_array(f, 0, x);
	right = fit_array(f, side, y);
	if (!left || !right)
		return fit_refuse(f, node, "a constant cannot be read");
	*out = pairs_same_array(left, right);
	return true;
}

struct pairs_seen {
	struct map
		by_side[FIT_MAX_EXPORTS]; /* value of the base and of the export: 1 same, 2 not */
};

static bool pairs_note_use(struct fitting *f, struct pairs_seen *seen, uint32_t node, uint32_t port)
{
	struct fit_use use = {.node = node, .port = port};
	uint32_t value = f->sides[0].m->nodes.at[node].inputs[port];
	bool differs = false;

	use.values[0] = value;
	for (uint32_t i = 1; i < f->count; i++) {
		uint32_t other = f->sides[i].pairing.nodes[node];
		uint32_t y = pairs_input(&f->sides[i].m->nodes.at[other], port);
		uint32_t *known = map_at(&seen->by_side[i], (uint64_t)value << 32 | y);
		bool same;

		if (!*known) {
			if (!pairs_compare(f, node, i, value, y, &same))
				return false;
			*map_at(&seen->by_side[i], (uint64_t)value << 32 | y) = same ? 1 : 2;
			known = map_at(&seen->by_side[i], (uint64_t)value << 32 | y);
		}
		use.values[i] = y;
		differs |= *known == 2;
	}
	if (differs)
		vec_push(&f->uses, use);
	return true;
}

static bool pairs_find_uses(struct fitting *f)
{
	const struct model *m = f->sides[0].m;
	struct pairs_seen seen = {0};
	bool ok = true;

	for (uint32_t id = 1; ok && id < m->nodes.len; id++) {
		const struct node *n = &m->nodes.at[id];

		for (uint32_t k = 0; ok && !n->dead && k < n->input_count; k++) {
			if (n->inputs[k] && value_is_constant(m, n->inputs[k]))
				ok = pairs_note_use(f, &seen, id, k);
		}
	}
	for (uint32_t i = 0; i < f->count; i++)
		map_release(&seen.by_side[i]);
	return ok;
}

static bool pairs_check_count(struct fitting *f)
{
	const struct graph *g = &f->sides[0].m->graphs.at[0];

	for (uint32_t i = 1; i < f->count; i++) {
		if (f->sides[i].m->graphs.at[0].inputs.len != g->inputs.len)
			return fit_refuse(f, 0,
					  "the first export has %zu %s, export %" PRIu32 " has %zu",
					  g->inputs.len, PLURAL(g->inputs.len, "input", "inputs"),
					  i + 1, f->sides[i].m->graphs.at[0].inputs.len);
	}
	return true;
}

bool fit_pair(struct fitting *f)
{
	bool ok = true;

	if (!pairs_check_count(f))
		return false;
	for (uint32_t i = 1; i < f->count; i++)
		ok &= pairs_same_program(f, i) && pairs_check_nodes(f, i) &&
		      pairs_check_outputs(f, i) && pairs_check_bodies(f, i);
	return ok && pairs_find_uses(f);
}
