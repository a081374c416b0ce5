/*
 * Random float chains over bounded sizes, so that many fold into polynomials: truncated to an
 * integer they must equal the same steps done directly.  And random quotients of sizes.
 */
#include "tests/tap.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "sym/float.h"
#include "sym/eval.h"
#include "sym/text.h"

#define RANDOM_SEED 424242
#include "tests/random.h"

enum {
	CHAINS = 60000,
	STEPS = 6,
	POINTS = 8,
	QUOTIENTS = 40000
};

/* One step in the type itself, if C has it. */
static double direct(enum sym_float type, enum sym_fop op, double a, double b)
{
	float x = (float)a, y = (float)b;

	if (isnan(a) || isnan(b))
		return NAN;
	if (op == SYM_FOP_MIN || op == SYM_FOP_MAX)
		return a == b              ? sym_float_step(type, op, a, b)
		       : op == SYM_FOP_MIN ? fmin(a, b)
					   : fmax(a, b);
	if (type != SYM_F32 || op > SYM_FOP_DIV)
		return sym_float_step(type, op, a, b);
	switch (op) {
	case SYM_FOP_ADD:
		return (double)(x + y);
	case SYM_FOP_SUB:
		return (double)(x - y);
	case SYM_FOP_MUL:
		return (double)(x * y);
	case SYM_FOP_DIV:
		return y == 0 ? sym_float_step(type, op, a, b) : (double)(x / y);
	case SYM_FOP_MIN:
	case SYM_FOP_MAX:
	case SYM_FOP_FLOOR:
	case SYM_FOP_CEIL:
	case SYM_FOP_ROUND:
	case SYM_FOP_SQRT:
	case SYM_FOP_ABS:
	case SYM_FOP_COUNT:
		break;
	}
	return NAN;
}

struct chain {
	struct sym_pool p;
	struct sym sizes[3];
	int64_t size[POINTS][3];
	double value[POINTS];
	double kept_value[POINTS]; /* of an earlier step */
	bool unsure[POINTS];
	struct sym f;
	struct sym kept;
	enum sym_float type;
};

static int64_t random_size(int which)
{
	static const int64_t hi[] = {1000, 60, 16384};
	int64_t size = random_below(3) ? 1 + random_below((int)hi[which]) : random_below(4);

	return which == 0 ? size : MAX(size, 1);
}

static void start_chain(struct chain *c)
{
	int which = random_below(3);

	c->type = (enum sym_float)random_below(SYM_FLOAT_COUNT);
	c->f = sym_to_float(&c->p, c->type, c->sizes[which]);
	c->kept = c->f;
	for (int k = 0; k < POINTS; k++) {
		for (int s = 0; s < 3; s++)
			c->size[k][s] = random_size(s);
		c->unsure[k] = !sym_float_from_int(c->type, c->size[k][which], &c->value[k]);
		c->kept_value[k] = c->value[k];
	}
}

/* The next steps start again from a size; this one may return as an operand. */
static void keep_chain(struct chain *c)
{
	int which = random_below(3);

	c->kept = c->f;
	memcpy(c->kept_value, c->value, sizeof(c->value));
	c->f = sym_to_float(&c->p, c->type, c->sizes[which]);
	for (int k = 0; k < POINTS; k++)
		c->unsure[k] |= !sym_float_from_int(c->type, c->size[k][which], &c->value[k]);
}

/* To an integer and back, as Cast does. */
static void add_casts(struct chain *c)
{
	c->f = sym_to_float(&c->p, c->type, sym_cut(&c->p, c->f));
	for (int k = 0; k < POINTS; k++) {
		int64_t whole;

		if (!sym_float_cut(c->value[k], &whole))
			c->value[k] = NAN;
		else
			c->unsure[k] |= !sym_float_from_int(c->type, whole, &c->value[k]);
	}
}

static void add_step(struct chain *c)
{
	static const double constants[] = {0.5, 2,   4,   0.25,    1,  3,    0.7, 7,
					   -1,  0.1, 1.5, 1.0 / 3, 32, -0.0, 0,   640};
	enum sym_fop op = (enum sym_fop)random_below(SYM_FOP_COUNT);
	double constant = sym_float_round(c->type, constants[random_below(16)]);
	int which = random_below(5);
	bool two = op < SYM_FOP_FLOOR, swap = two && random_below(4) == 0;
	struct sym other = which < 3   ? sym_to_float(&c->p, c->type, c->sizes[which])
			   : which < 4 ? sym_float(&c->p, c->type, constant)
				       : c->kept;

	c->f = sym_float_op(&c->p, op, swap ? other : c->f, swap ? c->f : other);
	for (int k = 0; k < POINTS; k++) {
		double y = which < 4 ? constant : c->kept_value[k];

		if (which < 3 && two)
			c->unsure[k] |= !sym_float_from_int(c->type, c->size[k][which], &y);
		c->value[k] = swap ? direct(c->type, op, y, c->value[k])
				   : direct(c->type, op, c->value[k], y);
	}
}

static bool check_chain(struct chain *c, unsigned long *folded)
{
	struct sym cut = sym_cut(&c->p, c->f);
	struct sym_range r = sym_range(&c->p, cut);
	struct sym_env env = {0};
	struct err err;
	bool ok = true;

	*folded += sym_kind(&c->p, cut) != SYM_KIND_CUT;
	for (int k = 0; k < POINTS && ok; k++) {
		int64_t want, got = 0;
		enum sym_status status;

		for (uint32_t s = 0; s < 3; s++) {
			if (!sym_bind(&env, &c->p, s, c->size[k][s], &err))
				return CHECK(false);
		}
		if (c->unsure[k] || !sym_float_cut(c->value[k], &want))
			continue;
		status = sym_eval(&c->p, &env, cut, &got);
		ok = CHECK_THAT(status == SYM_OK && got == want, "status %d: %lld, not %lld",
				(int)status, (long long)got, (long long)want) &&
		     CHECK(got >= r.lo && got <= r.hi);
	}
	if (!ok) {
		struct str text = {0};

		sym_print(&c->p, c->f, &text);
		printf("# %s\n", str_c(&text));
		sym_print(&c->p, cut, &text);
		printf("# cut: %s\n", str_c(&text));
		str_release(&text);
	}
	sym_env_release(&env);
	return ok;
}

static bool reads_back(struct chain *c)
{
	struct str text = {0};
	struct sym again = SYM_UNKNOWN;
	struct err err = {0};
	bool ok;

	sym_print(&c->p, c->f, &text);
	ok = sym_parse(&c->p, str_sv(&text), NULL, &again, &err) && sym_same(again, c->f);
	CHECK_THAT(ok, "%s is read as something else: %s", str_c(&text), err.text);
	str_release(&text);
	return ok;
}

static void declare(struct sym_pool *p, struct sym *sizes)
{
	sizes[0] = sym_declare_range(p, SV("t"), (struct sym_range){0, 1000});
	sizes[1] = sym_declare_range(p, SV("u"), (struct sym_range){1, 60});
	sizes[2] = sym_declare(p, SV("H"));
}

static void check_chains(bool ordinary)
{
	static struct chain c;
	unsigned long folded = 0, atoms = 0;
	bool ok = true;

	declare(&c.p, c.sizes);
	c.p.ordinary = ordinary;
	for (int i = 0; i < CHAINS && ok; i++) {
		start_chain(&c);
		for (int s = random_below(STEPS); s >= 0 && ok; s--) {
			add_step(&c);
			if (random_below(4) == 0 && !sym_is_unknown(c.f))
				keep_chain(&c);
			if (random_below(4) == 0)
				add_casts(&c);
			if (sym_is_unknown(c.f))
				break;
		}
		atoms++;
		ok = sym_is_unknown(c.f) || (check_chain(&c, &folded) && reads_back(&c));
	}
	printf("# %lu of %lu chains became polynomials\n", folded, atoms);
	CHECK(folded > atoms / 50);
	sym_pool_release(&c.p);
}

TEST(random_chains)
{
	check_chains(false);
}

TEST(random_chains_of_ordinary_sizes)
{
	check_chains(true);
}

static struct sym random_dim(struct sym_pool *p, const struct sym *sizes)
{
	struct sym s = sizes[random_below(3)];

	switch (random_below(6)) {
	case 0:
		return sym_int(p, 1 + random_below(12));
	case 1:
		return sym_mul(p, s, sizes[random_below(3)]);
	case 2:
		return sym_add(p, s, sizes[random_below(3)]);
	case 3:
		return sym_ceil_div(p, s, sym_int(p, 1 + random_below(8)));
	case 4:
		return sym_mul_int(p, s, 1 + random_below(6));
	}
	return s;
}

TEST(random_quotients)
{
	struct sym_pool p = {0};
	struct sym_env env = {0};
	struct sym sizes[3], up[5], down[3];
	unsigned long exact_count = 0;
	struct err err;
	bool ok = true;

	declare(&p, sizes);
	for (int i = 0; i < QUOTIENTS && ok; i++) {
		size_t n_up = (size_t)random_below(6), n_down = (size_t)random_below(4);
		bool exact = false;
		struct sym q;
		int128 a = 1, b = 1;
		int64_t v, got;

		for (size_t k = 0; k < n_up; k++)
			up[k] = random_dim(&p, sizes);
		for (size_t k = 0; k < n_down; k++)
			down[k] = k < n_up && random_below(2) ? up[k] : random_dim(&p, sizes);
		q = sym_quotient(&p, up, n_up, down, n_down, &exact);
		exact_count += exact;
		for (uint32_t s = 0; s < 3; s++) {
			if (!sym_bind(&env, &p, s, s == 1 ? random_below(60) : random_below(900),
				      &err))
				ok = CHECK(false);
		}
		for (size_t k = 0; k < n_up && sym_eval(&p, &env, up[k], &v) == SYM_OK; k++)
			a *= v;
		for (size_t k = 0; k < n_down && sym_eval(&p, &env, down[k], &v) == SYM_OK; k++)
			b *= v;
		if (b == 0 || a / b > INT64_MAX)
			continue;
		ok = CHECK(sym_eval(&p, &env, q, &got) == SYM_OK) && CHECK(got == a / b) &&
		     CHECK(!exact || a % b == 0);
	}
	printf("# %lu of %d exact\n", exact_count, QUOTIENTS);
	sym_env_release(&env);
	sym_pool_release(&p);
}

TESTS(T(random_chains), T(random_chains_of_ordinary_sizes), T(random_quotients))
