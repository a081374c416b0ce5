#include "infer/inside.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/hash.h"
#include "sym/text.h"

const char *level_name(enum level level)
{
	static const char *const names[LEVEL_COUNT] = {
		[LEVEL_ERROR] = "error", [LEVEL_PIN] = "pin",
		[LEVEL_STALE] = "stale", [LEVEL_LOSS] = "loss",
		[LEVEL_MERGE] = "merge", [LEVEL_UNSUPPORTED] = "unsupported",
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
	vec_push(&in->findings, f);
}

/* ---- facts ---- */

/* Operators whose needs come from weights that no export bakes in by accident. */
static bool is_weighted(struct sv op)
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

static void judge_fact(struct infer *in, const struct fact *f)
{
	const struct node *n = &in->model->nodes.at[f->node];
	struct finding finding = {.graph = f->graph, .node = f->node, .axis = -1};
	struct str a = {0}, b = {0};
	uint32_t symbol = 0, left, right;
	int64_t value = 0;

	sym_print(&in->pool, f->a, &a);
	sym_print(&in->pool, f->b, &b);
	if (forced_size(in, f, &symbol, &value) && is_declared_symbol(in, symbol)) {
		struct sv name = sym_name(&in->pool, symbol);

		finding.level = LEVEL_PIN;
		finding.number = value;
		finding.has_number = true;
		if (!is_weighted(model_name(in->model, n->op)))
			infer_find(in, finding, "%.*s can only be %" PRId64 ": %s (%s and %s)",
				   (int)name.len, name.at, value, f->why, str_c(&a), str_c(&b));
	} else if (sym_symbol_id(&in->pool, f->a, &left) &&
		   sym_symbol_id(&in->pool, f->b, &right) && is_declared_symbol(in, left) &&
		   is_declared_symbol(in, right)) {
		finding.level = LEVEL_MERGE;
		infer_find(in, finding, "%s and %s must be equal: %s", str_c(&a), str_c(&b),
			   f->why);
	}
	str_release(&a);
	str_release(&b);
}

void infer_judge_facts(struct infer *in)
{
	for (size_t i = 0; i < in->facts.len; i++)
		judge_fact(in, &in->facts.at[i]);
}
