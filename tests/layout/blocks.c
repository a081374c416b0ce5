/*
 * Blocks of graphs without names: at random, a chain of operators, residual blocks, fans and shape
 * arithmetic; in some, one scope has every node.  Whatever is folded, no line goes back; a name
 * says only what is in its block.
 */
#include <string.h>

#include "base/bug.h"
#include "ir/build.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"
#include "tests/tap.h"

enum {
	GRAPHS = 300,
	FOLDINGS = 8
};

static uint32_t state;
static bool in_one_scope;

static uint32_t dice(uint32_t sides)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % sides;
}

/* ---- random graphs ---- */

static uint32_t add(struct model *m, const char *op, uint32_t first, uint32_t second)
{
	uint32_t id = node_new(m, 0);
	struct node n = m->nodes.at[id];
	struct str name = {0};

	str_format(&name, "/all/v%u", id);
	n.name = in_one_scope ? model_intern(m, str_sv(&name)) : 0;
	n.op = model_intern(m, sv_of(op));
	n.inputs = arena_array(&m->arena, 2, uint32_t);
	n.outputs = arena_array(&m->arena, 1, uint32_t);
	n.inputs[n.input_count++] = first;
	if (second)
		n.inputs[n.input_count++] = second;
	n.outputs[0] = value_define(m, 0, model_intern(m, str_sv(&name)), id, 0, 0);
	n.output_count = 1;
	m->nodes.at[id] = n;
	str_release(&name);
	/* Inputs are names until model_connect. */
	return m->values.at[n.outputs[0]].name;
}

static uint32_t add_step(struct model *m, uint32_t x, uint32_t kind, uint32_t early)
{
	static const char *const ops[] = {"Conv",    "Relu",    "MatMul",
					  "Sigmoid", "MaxPool", "Flatten"};
	uint32_t from = x, size;

	switch (kind) {
	case 0:
	case 1:
		for (uint32_t i = 0; i < 2 + kind; i++)
			x = add(m, "Relu", add(m, "Conv", x, 0), 0);
		return add(m, "Add", x, from);
	case 2:
		size = add(m, "Gather", add(m, "Shape", x, 0), 0);
		return add(m, "Reshape", x, add(m, "Concat", size, size));
	case 3:
		for (uint32_t i = 0; i < 9; i++)
			from = add(m, "Tanh", x, 0);
		return add(m, "Add", x, from);
	case 4:
		return add(m, "Concat", x, early);
	case 5:
		return add(m, "Mul", x, add(m, "Sigmoid", x, 0));
	default:
		return add(m, ops[dice(ARRAY_LEN(ops))], x, 0);
	}
}

static void build(struct model *m, uint32_t seed)
{
	uint32_t x, early, steps = 20 + 4 * (seed % 40), cycle = 1 + seed % 7;
	uint32_t kinds[7];

	state = seed;
	in_one_scope = seed % 5 == 4;
	model_init(m);
	x = early = model_intern(m, SV("x"));
	vec_push(&m->graphs.at[0].inputs, value_define(m, 0, x, 0, 0, VALUE_INPUT));
	for (uint32_t i = 0; i < cycle; i++)
		kinds[i] = dice(12);
	for (uint32_t i = 0; i < steps; i++) {
		x = add_step(m, x, seed % 3 ? kinds[i % cycle] : dice(12), early);
		early = dice(8) ? early : x;
	}
	vec_push(&m->graphs.at[0].outputs, x);
	model_connect(m);
}

/* ---- no line goes back ---- */

static bool is_acyclic(const struct sketch *k)
{
	for (size_t i = 0; i < k->nets.len; i++) {
		const struct sketch_net *net = &k->nets.at[i];

		for (uint32_t r = 0; r < net->count; r++) {
			if (sketch_is_back(k, net, k->readers.at[net->first + r]))
				return false;
		}
	}
	return true;
}

static void check_foldings(struct scopes *s, uint32_t seed)
{
	for (int folding = 0; folding < FOLDINGS; folding++) {
		struct view v = {0};

		for (uint32_t i = 1; i < s->count; i++)
			s->at[i].folded = folding ? dice(4) == 0 : true;
		view_make(&v, s, (struct view_focus){0});
		CHECK_THAT(is_acyclic(&v.sketch), "graph %u: a line goes back", seed);
		view_release(&v);
	}
}

/* ---- names ---- */

static uint32_t count_of(const struct scopes *s, uint32_t scope, struct sv op)
{
	const struct model *m = s->model;
	uint32_t count = 0;

	for (uint32_t i = 0; i < m->graphs.at[0].nodes.len; i++) {
		const struct node *n = &m->nodes.at[m->graphs.at[0].nodes.at[i]];
		uint32_t own = s->of_node[i];

		count += scope_has(s, scope, own) && s->at[own].kind != SCOPE_SHAPES &&
			 sv_eq(model_name(m, n->op), op);
	}
	return count;
}

/* "Conv ×3", "Relu": how many of them the scope has, and how many its name says. */
static void check_word(const struct scopes *s, uint32_t scope, struct sv word)
{
	struct sv times = SV(" \u00d7"), op = word;
	int64_t said = 1;

	for (size_t i = 0; i + times.len < word.len; i++) {
		struct sv rest = sv_skip(word, i);

		if (!sv_starts(rest, times))
			continue;
		op.len = i;
		CHECK(sv_int(sv_skip(rest, times.len), &said));
	}
	CHECK_THAT(count_of(s, scope, op) == (uint64_t)said, "%.*s: %u of %.*s",
		   (int)s->at[scope].name.len, s->at[scope].name.at, count_of(s, scope, op),
		   (int)op.len, op.at);
}

/* Words end at ", " or "·"; the last one may be "…". */
static void check_name(const struct scopes *s, uint32_t scope)
{
	struct sv name = s->at[scope].name, more = SV("\u2026");
	size_t begin = 0;

	for (size_t i = 0; i <= name.len; i++) {
		bool comma = sv_starts(sv_skip(name, i), SV(", "));
		bool dot = sv_starts(sv_skip(name, i), SV("\u00b7"));

		if (i < name.len && !comma && !dot)
			continue;
		if (!sv_eq(sv_skip(name, begin), more))
			check_word(s, scope, (struct sv){name.at + begin, i - begin});
		i += i < name.len;
		begin = i + 1;
	}
}

static uint32_t check_names(const struct scopes *s)
{
	uint32_t made = 0;

	for (uint32_t i = 1; i < s->count; i++) {
		struct str path = {0};

		if (!s->at[i].made || s->at[i].kind != SCOPE_NAME)
			continue;
		made++;
		check_name(s, i);
		scope_path(&path, s, i);
		CHECK_THAT(sv_eq(str_sv(&path), in_one_scope ? SV("/all") : SV("")),
			   "no file names it: %s", str_c(&path));
		str_release(&path);
	}
	return made;
}

static void check_again(const struct scopes *s)
{
	struct scopes again;

	scopes_find(&again, s->model, 0);
	CHECK(again.count == s->count);
	for (uint32_t i = 0; i < s->count && i < again.count; i++)
		CHECK(sv_eq(again.at[i].name, s->at[i].name));
	scopes_release(&again);
}

TEST(random_graphs)
{
	uint32_t made = 0;

	for (uint32_t seed = 0; seed < GRAPHS; seed++) {
		struct scopes s;
		struct model m;

		build(&m, seed);
		scopes_find(&s, &m, 0);
		made += check_names(&s);
		check_foldings(&s, seed);
		check_again(&s);
		scopes_release(&s);
		model_release(&m);
	}
	printf("# %u blocks\n", made);
	CHECK(made > 10 * GRAPHS);
}

int main(void)
{
	static const struct tap_test tests[] = {T(random_graphs)};

	return tap_main(tests, (int)ARRAY_LEN(tests));
}
