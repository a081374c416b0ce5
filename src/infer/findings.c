#include "infer/axes.h"
#include "infer/internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "sym/text.h"

const char *level_name(enum level level)
{
	static const char *const names[LEVEL_COUNT] = {
		[LEVEL_ERROR] = "error",
		[LEVEL_PIN] = "pin",
		[LEVEL_STALE] = "stale",
		[LEVEL_LOSS] = "loss",
		[LEVEL_MERGE] = "merge",
		[LEVEL_SOFT] = "soft",
		[LEVEL_DIVISIBLE] = "divisible",
		[LEVEL_BOUND] = "bound",
		[LEVEL_UNSUPPORTED] = "unsupported",
		[LEVEL_COMPLEX] = "complex",
	};

	return names[level];
}

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

/* Bodies may run several times: what was told once is not told again. */
static bool told_before(struct infer *in, const struct finding *f, struct sv message)
{
	uint64_t key = hash_bytes(message, f->level * 31 + f->node);
	uint32_t *place = map_at(&in->told, hash_u64(key, f->value) + (uint64_t)f->axis);

	return (*place)++ != 0;
}

void infer_find(struct infer *in, struct finding f, const char *format, ...)
{
	char message[480];
	va_list args;
	struct sv text;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	text = sv_of(message);
	if (told_before(in, &f, text))
		return;
	text.len++; /* the NUL too */
	f.message = arena_copy(&in->arena, text).at;
	f.root = in->root;
	vec_push(&in->findings, f);
}

/* ---- facts ---- */

/* Operators whose needs come from weights that no export bakes in by accident. */
bool op_is_weighted(struct sv op)
{
	static const char *const names[] = {
		"Conv",
		"ConvTranspose",
		"MatMul",
		"Gemm",
		"BatchNormalization",
		"ConvInteger",
		"QLinearConv",
		"QLinearMatMul",
		"MatMulInteger",
		"InstanceNormalization",
		"LayerNormalization",
		"GroupNormalization",
		"PRelu",
		"Einsum",
		"MatMulNBits",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (sv_is(op, names[i]))
			return true;
	}
	return false;
}

/* A recurrent operator's weights are weights; its initial state is what exports bake in. */
bool fact_is_weight(const struct infer *in, const struct fact *f, struct sv op)
{
	(void)in;
	if (sv_is(op, "RNN") || sv_is(op, "GRU") || sv_is(op, "LSTM"))
		return !strstr(f->why, "initial");
	return op_is_weighted(op);
}

/* a*s + b == 0 has one answer: the size that the symbol is forced to. */
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

static struct finding findings_about(const struct infer *in, const struct fact *f, enum level level)
{
	return (struct finding){.level = level,
				.graph = f->graph,
				.node = f->node,
				.axis = -1,
				.fact = (uint32_t)(f - in->facts.at) + 1};
}

/* "batch can only be 3: why (batch and 3), because of the constant shape" */
static void tell_pin(struct infer *in, const struct fact *f, uint32_t symbol, int64_t size)
{
	struct finding finding = findings_about(in, f, LEVEL_PIN);
	struct sv name = sym_name(&in->pool, symbol);
	uint32_t constant = node_constant(in, f->node);
	struct sv holder = model_name(in->model, in->model->values.at[constant].name);
	struct str a = {0}, b = {0};

	finding.number = size;
	finding.has_number = true;
	sym_print(&in->pool, f->a, &a);
	sym_print(&in->pool, f->b, &b);
	infer_find(in, finding, "%.*s can only be %" PRId64 ": %s: %s and %s%s%.*s",
		   (int)MIN(name.len, 100), name.at, size, f->why, str_c(&a), str_c(&b),
		   constant ? "; the constant is " : "", (int)MIN(holder.len, 100), holder.at);
	str_release(&a);
	str_release(&b);
}

bool finding_pins(const struct infer *in, const struct finding *f, struct sym dim)
{
	uint32_t symbol;
	struct sv name;

	if (f->level != LEVEL_PIN || !sym_symbol_id(&in->pool, dim, &symbol))
		return false;
	/* The sentence starts with the name, cut as tell_pin cuts it. */
	name = sym_name(&in->pool, symbol);
	name.len = MIN(name.len, 100);
	return strncmp(f->message, name.at, name.len) == 0 &&
	       strncmp(f->message + name.len, " can only be ", 13) == 0;
}

static void findings_tell_pair(struct infer *in, const struct fact *f, enum level level,
			       const char *verb)
{
	struct str a = {0}, b = {0};

	sym_print(&in->pool, f->a, &a);
	sym_print(&in->pool, f->b, &b);
	infer_find(in, findings_about(in, f, level), "%s %s %s: %s", str_c(&a), verb, str_c(&b),
		   f->why);
	str_release(&a);
	str_release(&b);
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

/* "seq <= 512: why", once for each condition; nobody can keep to a bound on data. */
static void tell_bound(struct infer *in, const struct fact *f)
{
	struct sym condition = sym_test_le(&in->pool, f->a, f->b);
	struct names n = {.in = in};
	struct str text = {0};

	sym_each_symbol(&in->pool, condition, note_name, &n);
	if (!n.any || n.generated || !bound_tells(in, f) || (*map_at(&in->bounds, condition.w))++)
		return;
	bound_print(in, condition, &text);
	infer_find(in, findings_about(in, f, LEVEL_BOUND), "%s: %s", str_c(&text), f->why);
	str_release(&text);
}

/* "total and past + seq must be equal, or one of them 1", once for each pair. */
static void tell_broadcast(struct infer *in, const struct fact *f)
{
	struct sym both = sym_broadcast(&in->pool, f->a, f->b);
	struct names n = {.in = in};
	struct str a = {0}, b = {0};

	sym_each_symbol(&in->pool, both, note_name, &n);
	if (!n.any || n.generated || sym_is_unknown(both) || (*map_at(&in->bounds, both.w))++)
		return;
	sym_print(&in->pool, f->a, &a);
	sym_print(&in->pool, f->b, &b);
	infer_find(in, findings_about(in, f, LEVEL_SOFT),
		   "%s and %s must be equal, or one of them 1: %s", str_c(&a), str_c(&b), f->why);
	str_release(&a);
	str_release(&b);
}

static bool is_declared(const struct infer *in, struct sym s)
{
	uint32_t symbol;

	return sym_symbol_id(&in->pool, s, &symbol) && is_declared_symbol(in, symbol);
}

/*
 * Several sizes that together are a number of the file are pinned as one is.  All else says
 * which inputs fit: sizes that depend on each other, or one that must be a multiple.
 */
static void tell_equation(struct infer *in, const struct fact *f)
{
	struct sv op = model_name(in->model, in->model->nodes.at[f->node].op);
	enum level level = LEVEL_MERGE;
	struct names n = {.in = in};
	int64_t ignored;

	sym_each_symbol(&in->pool, sym_sub(&in->pool, f->a, f->b), note_name, &n);
	if (n.count == 1)
		level = LEVEL_DIVISIBLE;
	else if (sym_value(&in->pool, f->a, &ignored) || sym_value(&in->pool, f->b, &ignored))
		level = fact_is_weight(in, f, op) ? LEVEL_BOUND : LEVEL_PIN;
	findings_tell_pair(in, f, level, "must equal");
}

static void findings_judge_equal(struct infer *in, const struct fact *f)
{
	const struct node *n = &in->model->nodes.at[f->node];
	uint32_t symbol = 0;
	int64_t size = 0;

	if (forced_size(in, f, &symbol, &size) && is_declared_symbol(in, symbol)) {
		if (!fact_is_weight(in, f, model_name(in->model, n->op)))
			tell_pin(in, f, symbol, size);
	} else if (is_declared(in, f->a) && is_declared(in, f->b)) {
		findings_tell_pair(in, f, LEVEL_MERGE, "must equal");
	} else if (equation_restricts(in, f)) {
		tell_equation(in, f);
	}
}

static void judge_fact(struct infer *in, const struct fact *f)
{
	switch (f->kind) {
	case FACT_EQUAL:
		findings_judge_equal(in, f);
		break;
	case FACT_SOFT:
		if (is_declared(in, f->a))
			findings_tell_pair(in, f, LEVEL_SOFT, "is 1 or");
		break;
	case FACT_PAIR:
		tell_broadcast(in, f);
		break;
	case FACT_DIVISIBLE:
		findings_tell_pair(in, f, LEVEL_DIVISIBLE, "must be a multiple of");
		break;
	case FACT_BOUND:
		tell_bound(in, f);
		break;
	case FACT_NEVER: /* told where it was found */
	case FACT_KIND_COUNT:
		break;
	}
}

static void tell_complex(struct infer *in)
{
	for (uint32_t i = 0; i < in->pool.symbols.len; i++) {
		const struct sym_symbol *s = &in->pool.symbols.at[i];
		struct str name = {0};

		if (s->source != SYM_COMPLEX)
			continue;
		sym_print(&in->pool, s->self, &name);
		infer_find(in, (struct finding){.level = LEVEL_COMPLEX, .axis = -1},
			   "an expression grew too large and is called %s", str_c(&name));
		str_release(&name);
	}
}

void infer_judge_facts(struct infer *in)
{
	in->root = 0;
	for (size_t i = 0; i < in->facts.len; i++)
		judge_fact(in, &in->facts.at[i]);
	tell_complex(in);
}
