/*
 * Random expressions, built twice: by the pool, and as a plain tree that is evaluated
 * with 128 bits.  Their values must agree.  One long file because the plain tree and
 * everything compared with it belong together.
 */
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "sym/float.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

#define RANDOM_SEED 88172645463325252u
#include "tests/random.h"

enum {
	SYMBOLS = 7,
	EXPRESSIONS = 14, /* built in one round, over symbols and numbers */
	DEEP = 48,        /* the same, sometimes */
	BINDINGS = 6,
	ROUNDS = 40000,
	NODES = 80
};

enum ref_op {
	REF_SYMBOL,
	REF_INT,
	REF_ADD,
	REF_SUB,
	REF_MUL,
	REF_FLOOR,
	REF_CEIL,
	REF_TRUNC,
	REF_MOD,
	REF_REM,
	REF_MAX,
	REF_MIN,
	REF_BROADCAST,
	REF_EQ,
	REF_LE,
	REF_LT,
	REF_SELECT,
	REF_AND,
	REF_ABS,
	REF_FLOAT, /* int(floor(float32(a) / float32(b))) */
	REF_COUNT
};

struct ref {
	enum ref_op op;
	int a, b, c;
	int64_t number;
	struct sym s;
};

struct value {
	bool defined;
	bool huge; /* a step exceeded what we compare */
	int128 v;
};

static const struct {
	const char *name;
	struct sym_range range;
} symbol_table[SYMBOLS] = {
	{"H", {1, INT64_MAX}},           {"W", {1, INT64_MAX}}, {"batch", {1, INT64_MAX}},
	{"my axis", {0, INT64_MAX}},     {"d", {-50, 50}},      {"k.1", {1, 100}},
	{"any", {INT64_MIN, INT64_MAX}},
};

static int128 floor_div(int128 a, int128 b)
{
	return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

static struct value ref_float(struct value a, struct value b)
{
	const int128 limit = INT64_MAX;
	float x, y, q;
	double down;

	if (a.v > limit || a.v < -limit || b.v > limit || b.v < -limit)
		return (struct value){false, true, 0};
	x = (float)(int64_t)a.v;
	y = (float)(int64_t)b.v;
	if (y == 0)
		return (struct value){0};
	q = x / y;
	down = (double)q;
	if (!(down >= -0x1p62 && down <= 0x1p62))
		return (struct value){0};
	/* floor without libm */
	{
		int64_t whole = (int64_t)down;

		return (struct value){true, false, (double)whole > down ? whole - 1 : whole};
	}
}

static struct value ref_binary(enum ref_op op, struct value a, struct value b)
{
	struct value r = {.defined = true};
	int128 x = a.v, y = b.v;

	if (!a.defined || !b.defined)
		return (struct value){false, a.huge || b.huge, 0};
	if (y == 0 && (op == REF_FLOOR || op == REF_CEIL || op == REF_TRUNC || op == REF_MOD ||
		       op == REF_REM))
		return (struct value){0};
	switch (op) {
	case REF_ADD:
		r.v = x + y;
		break;
	case REF_SUB:
		r.v = x - y;
		break;
	case REF_MUL:
		if (__builtin_mul_overflow(x, y, &r.v))
			return (struct value){false, true, 0};
		break;
	case REF_FLOOR:
		r.v = floor_div(x, y);
		break;
	case REF_CEIL:
		r.v = -floor_div(-x, y);
		break;
	case REF_TRUNC:
		r.v = x / y;
		break;
	case REF_MOD:
		r.v = x - y * floor_div(x, y);
		break;
	case REF_REM:
		r.v = x % y;
		break;
	case REF_MAX:
		r.v = x > y ? x : y;
		break;
	case REF_MIN:
		r.v = x < y ? x : y;
		break;
	case REF_BROADCAST:
		if (x != 1 && y != 1 && x != y)
			return (struct value){0};
		r.v = x == 1 ? y : x;
		break;
	case REF_EQ:
		r.v = x == y;
		break;
	case REF_LE:
		r.v = x <= y;
		break;
	case REF_LT:
		r.v = x < y;
		break;
	case REF_AND:
		r.v = x && y;
		break;
	case REF_ABS:
		r.v = x < 0 ? -x : x;
		break;
	case REF_FLOAT:
		return ref_float(a, b);
	case REF_SYMBOL:
	case REF_INT:
	case REF_SELECT:
	case REF_COUNT:
		break;
	}
	if (r.v > (int128)1 << 100 || r.v < -((int128)1 << 100))
		return (struct value){false, true, 0};
	return r;
}

static struct sym build(struct sym_pool *p, const struct ref *r, const struct ref *all)
{
	struct sym a = all[r->a].s, b = all[r->b].s, c = all[r->c].s;

	switch (r->op) {
	case REF_SYMBOL:
		return sym_find(p, sv_of(symbol_table[r->number].name));
	case REF_INT:
		return sym_int(p, r->number);
	case REF_ADD:
		return sym_add(p, a, b);
	case REF_SUB:
		return sym_sub(p, a, b);
	case REF_MUL:
		return sym_mul(p, a, b);
	case REF_FLOOR:
		return sym_floor_div(p, a, b);
	case REF_CEIL:
		return sym_ceil_div(p, a, b);
	case REF_TRUNC:
		return sym_trunc_div(p, a, b);
	case REF_MOD:
		return sym_mod(p, a, b);
	case REF_REM:
		return sym_rem(p, a, b);
	case REF_MAX:
		return sym_max(p, a, b);
	case REF_MIN:
		return sym_min(p, a, b);
	case REF_BROADCAST:
		return sym_broadcast(p, a, b);
	case REF_EQ:
		return sym_test_eq(p, a, b);
	case REF_LE:
		return sym_test_le(p, a, b);
	case REF_LT:
		return sym_test_lt(p, a, b);
	case REF_SELECT:
		return sym_select(p, a, b, c);
	case REF_AND:
		return sym_and(p, a, b);
	case REF_ABS:
		return sym_abs(p, a);
	case REF_FLOAT:
		a = sym_float_op(p, SYM_FOP_DIV, sym_to_float(p, SYM_F32, a),
				 sym_to_float(p, SYM_F32, b));
		return sym_cut(p, sym_float_op(p, SYM_FOP_FLOOR, a, SYM_UNKNOWN));
	case REF_COUNT:
		break;
	}
	return SYM_UNKNOWN;
}

static struct value evaluate(const struct ref *r, const struct value *done, const int64_t *binding)
{
	if (r->op == REF_SYMBOL)
		return (struct value){true, false, binding[r->number]};
	if (r->op == REF_INT)
		return (struct value){true, false, r->number};
	if (r->op == REF_SELECT) {
		if (!done[r->a].defined)
			return done[r->a];
		return done[r->a].v ? done[r->b] : done[r->c];
	}
	return ref_binary(r->op, done[r->a], done[r->b]);
}

static bool large_numbers; /* in this round: overflow is near */

static int64_t random_number(void)
{
	static const int64_t small[] = {0,  1,  1, 2,  2,  3,  4,  7, 8,
					16, 32, 5, -1, -2, -7, 31, 6, 64};

	if (random_below(large_numbers ? 3 : 200) == 0) {
		int shift = random_below(large_numbers ? 34 : 1);

		return (int64_t)random_u64() >> shift;
	}
	if (large_numbers && random_below(8) == 0)
		return random_below(2) ? INT64_MIN : INT64_MAX;
	return small[random_below((int)(sizeof(small) / sizeof(small[0])))];
}

static int64_t random_binding(int symbol)
{
	static const int64_t sizes[] = {0,  1,  2,  3,  5,  7,   11,   13,
					31, 32, 33, 64, 97, 224, 1009, 65537};
	struct sym_range r = symbol_table[symbol].range;
	int64_t v = sizes[random_below((int)(sizeof(sizes) / sizeof(sizes[0])))];

	if (random_below(4) == 0)
		v = random_below(300);
	if (random_below(60) == 0) {
		int shift = 1 + random_below(40);

		v = (int64_t)(random_u64() >> shift);
	}
	if (r.lo < 0 && random_below(2))
		v = -v;
	if (v < r.lo)
		v = r.lo;
	return v > r.hi ? r.hi : v;
}

static struct {
	unsigned long values, undefined, huge, complex, unknown, compared, decided, reparsed;
	unsigned long substituted;
} stats;

static void shown(struct sym_pool *p, struct sym s, struct str *out)
{
	str_clear(out);
	sym_print(p, s, out);
}

static void explain_failure(struct sym_pool *p, const struct ref *all, int i)
{
	static const char *const names[REF_COUNT] = {
		"symbol", "int", "+",     "-",  "*",  "floor", "ceil",   "trunc", "mod", "rem",
		"max",    "min", "bcast", "==", "<=", "<",     "select", "and",   "abs", "float"};
	struct str text = {0};
	const int parts[] = {all[i].a, all[i].b, all[i].c, i};

	printf("# %s of:\n", names[all[i].op]);
	for (int k = 0; k < 4; k++) {
		shown(p, all[parts[k]].s, &text);
		printf("#   %s\n", str_c(&text));
	}
	str_release(&text);
}

struct round {
	struct sym_pool *p;
	struct sym_env env;
	struct ref all[NODES];
	int n;
	int64_t binding[BINDINGS][SYMBOLS];
	struct value done[BINDINGS][NODES];
};

static void use_binding(struct round *r, int k)
{
	struct err err;

	for (int s = 0; s < SYMBOLS; s++) {
		if (!sym_bind(&r->env, r->p, (uint32_t)s, r->binding[k][s], &err))
			CHECK_THAT(false, "cannot bind: %s", err.text);
	}
}

static bool check_value(struct round *r, int i, int k)
{
	const struct value *want = &r->done[k][i];
	struct sym s = r->all[i].s;
	struct sym_range range = sym_range(r->p, s);
	struct sym_modulus m = sym_modulus(r->p, s);
	int64_t got = 0;
	enum sym_status status = sym_eval(r->p, &r->env, s, &got);
	bool fits = want->v >= INT64_MIN && want->v <= INT64_MAX;

	if (status == SYM_OK && (got < range.lo || got > range.hi ||
				 (m.mod == 0 ? got != m.rem : ((int128)got - m.rem) % m.mod != 0)))
		return tap_check(false, __FILE__, __LINE__,
				 "%lld outside %lld..%lld or %lld mod %lld", (long long)got,
				 (long long)range.lo, (long long)range.hi, (long long)m.rem,
				 (long long)m.mod);
	stats.undefined += !want->defined && !want->huge;
	if (!want->defined)
		return true;
	stats.values++;
	if (status == SYM_OK && fits)
		return tap_check(got == (int64_t)want->v, __FILE__, __LINE__, "got %lld, not %lld",
				 (long long)got, (long long)want->v);
	if (status == SYM_OVERFLOW) {
		/* Expanding may exceed 128 bits where the tree did not. */
		stats.huge++;
		return true;
	}
	stats.unknown += status == SYM_UNBOUND;
	return status == SYM_UNBOUND ||
	       tap_check(false, __FILE__, __LINE__, "status %d, wanted %lld", (int)status,
			 (long long)want->v);
}

static bool check_compare(struct round *r, int i, int j)
{
	struct sym a = r->all[i].s, b = r->all[j].s;
	enum sym_answer eq = sym_eq(r->p, a, b), le = sym_le(r->p, a, b), lt = sym_lt(r->p, a, b);
	bool ok = true;

	stats.compared++;
	stats.decided += eq != SYM_MAYBE;
	for (int k = 0; k < BINDINGS && ok; k++) {
		const struct value *x = &r->done[k][i], *y = &r->done[k][j];

		if (!x->defined || !y->defined)
			continue;
		ok = (eq == SYM_MAYBE || (eq == SYM_YES) == (x->v == y->v)) &&
		     (le == SYM_MAYBE || (le == SYM_YES) == (x->v <= y->v)) &&
		     (lt == SYM_MAYBE || (lt == SYM_YES) == (x->v < y->v));
	}
	return tap_check(ok, __FILE__, __LINE__, "comparison contradicted");
}

static bool check_text(struct round *r, int i)
{
	struct str text = {0};
	struct err err = {0};
	struct sym back = SYM_UNKNOWN;
	struct sym s = r->all[i].s;
	bool ok;

	shown(r->p, s, &text);
	ok = sym_parse(r->p, str_sv(&text), NULL, &back, &err);
	stats.reparsed++;
	ok = tap_check(ok && sym_same(back, s), __FILE__, __LINE__, "%s: read as another: %s",
		       str_c(&text), err.text);
	if (!ok) {
		shown(r->p, back, &text);
		printf("# as %s\n", str_c(&text));
	}
	str_release(&text);
	return ok;
}

/* Replaces two symbols by expressions that stay in range. */
static bool check_substitution(struct round *r, int i)
{
	struct sym_subst subst = {0};
	struct sym h = r->all[0].s, w = r->all[1].s, out;
	struct sym to_h = sym_add_int(r->p, sym_mul_int(r->p, w, 2), 1);
	struct sym to_w = sym_ceil_div(r->p, h, sym_int(r->p, 3));
	struct err err;
	bool ok = true;

	sym_replace(&subst, 0, to_h);
	sym_replace(&subst, 1, to_w);
	out = sym_substitute(r->p, &subst, r->all[i].s);
	stats.substituted++;
	for (int k = 0; k < BINDINGS && ok; k++) {
		int64_t before = 0, after = 0, bh = r->binding[k][0], bw = r->binding[k][1];
		enum sym_status was, is;

		if (bw > INT64_MAX / 4)
			continue;
		use_binding(r, k);
		is = sym_eval(r->p, &r->env, out, &after);
		if (!sym_bind(&r->env, r->p, 0, 2 * bw + 1, &err) ||
		    !sym_bind(&r->env, r->p, 1, bh / 3 + (bh % 3 != 0), &err))
			continue;
		was = sym_eval(r->p, &r->env, r->all[i].s, &before);
		if (was == SYM_OK && is != SYM_UNBOUND && is != SYM_OVERFLOW)
			ok = tap_check(is == SYM_OK && before == after, __FILE__, __LINE__,
				       "substituted: %lld (status %d) instead of %lld",
				       (long long)after, (int)is, (long long)before);
	}
	sym_subst_release(&subst);
	return ok;
}

static int add_ref(struct round *r, struct ref e)
{
	r->all[r->n] = e;
	for (int k = 0; k < BINDINGS; k++)
		r->done[k][r->n] = evaluate(&e, r->done[k], r->binding[k]);
	r->all[r->n].s = build(r->p, &e, r->all);
	return r->n++;
}

static int add_op(struct round *r, enum ref_op op, int a, int b)
{
	return add_ref(r, (struct ref){.op = op, .a = a, .b = b});
}

static int add_number(struct round *r, int64_t number)
{
	return add_ref(r, (struct ref){.op = REF_INT, .number = number});
}

/* Two sizes that are nearly the same, broadcast: 9 nodes. */
static void add_broadcast(struct round *r)
{
	int x = add_op(r, REF_SUB, random_below(r->n), add_number(r, random_below(6)));
	int m = add_number(r, 1 + random_below(4)), c = add_number(r, random_below(4) - 1);
	int a = add_op(r, REF_ADD, add_op(r, REF_FLOOR, x, m), c), b = a;

	if (random_below(2))
		b = add_op(r, REF_ADD, add_op(r, REF_TRUNC, x, m), c);
	if (random_below(2))
		b = add_op(r, random_below(3) ? REF_MAX : REF_MIN, b,
			   add_number(r, random_below(4)));
	if (random_below(4) == 0)
		a = add_op(r, REF_MUL, a, m);
	add_op(r, REF_BROADCAST, a, b);
}

static void add_random(struct round *r)
{
	struct ref *e = &r->all[r->n];
	int base = r->n;

	*e = (struct ref){.op = (enum ref_op)(REF_INT + random_below(REF_COUNT - REF_INT))};
	if (e->op == REF_FLOAT && random_below(3))
		e->op = REF_FLOOR;
	if (e->op == REF_INT)
		e->number = random_number();
	/* Newer expressions are more interesting. */
	e->a = random_below(3) ? random_below(base) : base - 1 - random_below(4);
	e->b = random_below(2) ? SYMBOLS + random_below(4) : random_below(base);
	e->c = random_below(base);
	stats.complex += sym_kind(r->p, r->all[add_ref(r, *e)].s) == SYM_KIND_SYMBOL;
}

static void start_round(struct round *r)
{
	r->n = 0;
	for (int k = 0; k < BINDINGS; k++) {
		for (int s = 0; s < SYMBOLS; s++)
			r->binding[k][s] = random_binding(s);
	}
	for (int i = 0; i < SYMBOLS + 4; i++) {
		struct ref *e = &r->all[r->n];

		*e = (struct ref){.op = i < SYMBOLS ? REF_SYMBOL : REF_INT,
				  .number = i < SYMBOLS ? i : random_number()};
		e->s = build(r->p, e, r->all);
		for (int k = 0; k < BINDINGS; k++)
			r->done[k][r->n] = evaluate(e, r->done[k], r->binding[k]);
		r->n++;
	}
}

static bool run_round(struct round *r, int number)
{
	bool ok = true;
	int count = number % 8 == 0 ? DEEP : EXPRESSIONS;

	large_numbers = number % 8 == 1;
	start_round(r);
	for (int i = 0; i < count; i++)
		add_random(r);
	add_broadcast(r);
	for (int k = 0; k < BINDINGS && ok; k++) {
		use_binding(r, k);
		for (int i = SYMBOLS; i < r->n && ok; i++) {
			ok = check_value(r, i, k);
			if (!ok)
				explain_failure(r->p, r->all, i);
		}
	}
	for (int i = SYMBOLS; i < r->n && ok; i++) {
		ok = check_compare(r, i, random_below(r->n)) && check_text(r, i) &&
		     (i % 3 || check_substitution(r, i));
		if (!ok)
			explain_failure(r->p, r->all, i);
	}
	return ok;
}

TEST(random_expressions)
{
	struct sym_pool pool = {0};
	struct round *r = calloc(1, sizeof(*r));
	bool ok = true;

	if (!CHECK(r != NULL))
		return;
	for (int round = 0; round < ROUNDS && ok; round++) {
		if (round % 500 == 0) {
			sym_pool_release(&pool);
			for (int s = 0; s < SYMBOLS; s++)
				sym_declare_range(&pool, sv_of(symbol_table[s].name),
						  symbol_table[s].range);
			sym_env_release(&r->env);
			r->p = &pool;
		}
		ok = run_round(r, round);
	}
	printf("# %lu values, %lu undefined, %lu too large, %lu complex, %lu unknown\n",
	       stats.values, stats.undefined, stats.huge, stats.complex, stats.unknown);
	printf("# %lu compared (%lu decided), %lu read back, %lu substituted\n", stats.compared,
	       stats.decided, stats.reparsed, stats.substituted);
	CHECK(stats.unknown * 100 < stats.values);
	CHECK(stats.huge * 10 < stats.values);
	sym_env_release(&r->env);
	sym_pool_release(&pool);
	free(r);
}

TESTS(T(random_expressions))
