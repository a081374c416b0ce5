#include "base/hash.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/axes.h"
#include "infer/finding.h"
#include "infer/internal.h"
#include "ops/need.h"
#include "ops/property.h"
#include "sym/eval.h"
#include "sym/sym.h"

const char *source_name(enum source source)
{
	static const char *const names[SOURCE_COUNT] = {
		[SOURCE_NONE] = "inferred",
		[SOURCE_INPUT] = "input",
		[SOURCE_INITIALIZER] = "initializer",
		[SOURCE_INFERRED] = "inferred",
		[SOURCE_CLAIM] = "claim",
	};

	return names[source];
}

/* Bodies may run several times, so each finding is reported only once. */
static bool told_before(struct infer *in, const struct finding *f)
{
	uint64_t key = hash_bytes(sv_of(f->text), f->level * 31 + f->node);

	key = hash_u64(hash_u64(key, f->kind), f->a.w);
	key = hash_u64(hash_u64(key, f->b.w), (uint64_t)f->n);
	key = hash_u64(hash_u64(key, (uint64_t)f->m), f->symbol);
	return (*map_at(&in->told, hash_u64(key, f->value) + (uint64_t)f->axis))++ != 0;
}

void infer_find(struct infer *in, struct finding f)
{
	if (told_before(in, &f))
		return;
	f.root = in->root;
	vec_push(&in->findings, f);
}

/* ---- facts ---- */

/* Of a recurrent operator's inputs, exports bake in only the initial state. */
bool fact_is_weight(const struct infer *in, const struct fact *f)
{
	return !f->of_state && op_has_weights(in->model, &in->model->nodes.at[f->node]);
}

/* a*s + b == 0 has one solution: the size the symbol is forced to. */
static bool forced_size(struct infer *in, const struct fact *f, uint32_t *out_symbol,
			int64_t *out_value)
{
	struct sym difference = sym_sub(&in->pool, f->a, f->b);
	int64_t a, b;

	if (!sym_is_linear(&in->pool, difference, out_symbol, &a, &b) || a == 0 || b % a != 0)
		return false;
	*out_value = -(b / a);
	return *out_value >= 0;
}

static bool is_declared_symbol(const struct infer *in, uint32_t symbol)
{
	return in->pool.symbols.at[symbol].source == SYM_DECLARED;
}

static struct finding facts_about(const struct infer *in, const struct fact *f, enum level level,
				  enum finding_kind kind)
{
	return (struct finding){.level = level,
				.kind = kind,
				.graph = f->graph,
				.node = f->node,
				.axis = -1,
				.a = f->a,
				.b = f->b,
				.text = f->why,
				.fact = (uint32_t)(f - in->facts.at) + 1};
}

static void facts_tell(struct infer *in, const struct fact *f, enum level level,
		       enum finding_kind kind)
{
	infer_find(in, facts_about(in, f, level, kind));
}

static void tell_pin(struct infer *in, const struct fact *f, uint32_t symbol, int64_t size)
{
	struct finding finding = facts_about(in, f, LEVEL_PIN, FINDING_PINNED);

	finding.symbol = symbol;
	finding.n = size;
	infer_find(in, finding);
}

struct names {
	const struct infer *in; /* borrowed */
	unsigned count;
	bool any;
	bool generated;
};

static void note_name(void *context, uint32_t symbol)
{
	struct names *n = context;

	n->count++;
	n->any |= is_declared_symbol(n->in, symbol);
	n->generated |= n->in->pool.symbols.at[symbol].source == SYM_GENERATED;
}

bool infer_is_of_data(const struct infer *in, struct sym s)
{
	struct names n = {.in = in};

	sym_each_symbol(&in->pool, s, note_name, &n);
	return n.generated;
}

/* Once per condition; no caller can respect a bound on data. */
static void tell_bound(struct infer *in, const struct fact *f)
{
	struct finding finding = facts_about(in, f, LEVEL_BOUND, FINDING_LIMIT);
	struct names n = {.in = in};

	finding.a = sym_test_le(&in->pool, f->a, f->b);
	sym_each_symbol(&in->pool, finding.a, note_name, &n);
	if (n.any && !n.generated && bound_tells(in, f) && !(*map_at(&in->bounds, finding.a.w))++)
		infer_find(in, finding);
}

/* Once per pair. */
static void tell_broadcast(struct infer *in, const struct fact *f)
{
	struct sym both = sym_broadcast(&in->pool, f->a, f->b);
	struct names n = {.in = in};

	sym_each_symbol(&in->pool, both, note_name, &n);
	if (n.any && !n.generated && !sym_is_unknown(both) && !(*map_at(&in->bounds, both.w))++)
		facts_tell(in, f, LEVEL_SOFT, FINDING_BROADCAST);
}

static bool is_declared(const struct infer *in, struct sym s)
{
	uint32_t symbol;

	return sym_symbol_id(&in->pool, s, &symbol) && is_declared_symbol(in, symbol);
}

/*
 * Several sizes that must together equal a number of the file are pinned.  Anything else
 * says which inputs fit: sizes that depend on each other, or one that must be a multiple.
 */
static void tell_equation(struct infer *in, const struct fact *f)
{
	enum level level = LEVEL_MERGE;
	struct names n = {.in = in};
	int64_t ignored;

	sym_each_symbol(&in->pool, sym_sub(&in->pool, f->a, f->b), note_name, &n);
	if (n.count == 1)
		level = LEVEL_DIVISIBLE;
	else if (sym_value(&in->pool, f->a, &ignored) || sym_value(&in->pool, f->b, &ignored))
		level = fact_is_weight(in, f) ? LEVEL_BOUND : LEVEL_PIN;
	facts_tell(in, f, level, FINDING_EQUAL);
}

static void facts_judge_equal(struct infer *in, const struct fact *f)
{
	uint32_t symbol = 0;
	int64_t size = 0;

	if (forced_size(in, f, &symbol, &size) && is_declared_symbol(in, symbol)) {
		if (!fact_is_weight(in, f))
			tell_pin(in, f, symbol, size);
	} else if (is_declared(in, f->a) && is_declared(in, f->b)) {
		facts_tell(in, f, LEVEL_MERGE, FINDING_EQUAL);
	} else if (equation_restricts(in, f)) {
		tell_equation(in, f);
	}
}

static void judge_fact(struct infer *in, const struct fact *f)
{
	switch (f->kind) {
	case FACT_EQUAL:
		facts_judge_equal(in, f);
		break;
	case FACT_SOFT:
		if (is_declared(in, f->a))
			facts_tell(in, f, LEVEL_SOFT, FINDING_ONE_OR);
		break;
	case FACT_PAIR:
		tell_broadcast(in, f);
		break;
	case FACT_DIVISIBLE:
		facts_tell(in, f, LEVEL_DIVISIBLE, FINDING_MULTIPLE);
		break;
	case FACT_BOUND:
		tell_bound(in, f);
		break;
	case FACT_NEVER: /* reported where it was found */
	case FACT_KIND_COUNT:
		break;
	}
}

static void tell_complex(struct infer *in)
{
	for (uint32_t i = 0; i < in->pool.symbols.len; i++) {
		const struct sym_symbol *s = &in->pool.symbols.at[i];

		if (s->source == SYM_COMPLEX)
			infer_find(in, (struct finding){.level = LEVEL_COMPLEX,
							.kind = FINDING_TOO_LARGE,
							.axis = -1,
							.a = s->self});
	}
}

void infer_judge_facts(struct infer *in)
{
	in->root = 0;
	for (size_t i = 0; i < in->facts.len; i++)
		judge_fact(in, &in->facts.at[i]);
	tell_complex(in);
}
