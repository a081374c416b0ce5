/* Residues of values: 4*n + 2 is never 1, and never a multiple of 4. */
#include "base/num.h"
#include "sym/node.h"
#include "sym/range.h"
#include "sym/sym.h"
#include "sym/terms.h"

static const struct sym_modulus modulus_nothing = {1, 0};

/* rem is reduced here, so sums and products of residues need no care. */
static struct sym_modulus modulus_make(uint64_t mod, int128 rem)
{
	if (mod > INT64_MAX || (mod == 0 && (rem < INT64_MIN || rem > INT64_MAX)))
		return modulus_nothing;
	if (mod == 0)
		return (struct sym_modulus){0, (int64_t)rem};
	rem %= (int64_t)mod;
	return (struct sym_modulus){(int64_t)mod, (int64_t)(rem < 0 ? rem + (int64_t)mod : rem)};
}

static struct sym_modulus modulus_add(struct sym_modulus a, struct sym_modulus b)
{
	return modulus_make(num_gcd((uint64_t)a.mod, (uint64_t)b.mod), (int128)a.rem + b.rem);
}

/* (r + i*m)(s + k*n) = rs + ... multiples of r*n, s*m and m*n. */
static struct sym_modulus modulus_mul(struct sym_modulus a, struct sym_modulus b)
{
	uint64_t ab, ar, br;

	if (!num_mul((uint64_t)a.mod, (uint64_t)b.mod, &ab) ||
	    !num_mul((uint64_t)a.mod, sym_magnitude(b.rem), &ar) ||
	    !num_mul((uint64_t)b.mod, sym_magnitude(a.rem), &br))
		return modulus_nothing;
	return modulus_make(num_gcd(ab, num_gcd(ar, br)), (int128)a.rem * b.rem);
}

/* The modulus of a value that has one of the two. */
static struct sym_modulus modulus_join(struct sym_modulus a, struct sym_modulus b)
{
	int128 apart = (int128)a.rem - b.rem;
	uint64_t distance = (uint64_t)(apart < 0 ? -apart : apart);

	return modulus_make(num_gcd(distance, num_gcd((uint64_t)a.mod, (uint64_t)b.mod)), a.rem);
}

struct sym_modulus sym_modulus(const struct sym_pool *p, struct sym s)
{
	int64_t value;

	if (sym_value(p, s, &value))
		return (struct sym_modulus){0, value};
	if (s.w == 0 || sym_is_float_kind(sym_node(p, s)->kind))
		return modulus_nothing;
	return sym_node(p, s)->modulus;
}

static struct sym_modulus product_modulus(const struct sym_pool *p, const struct sym_node *n)
{
	struct sym_modulus all = {0, 1};

	for (size_t i = 0; i < n->count; i++) {
		const struct sym_factor *f = &sym_factors(n)[i];

		for (uint32_t k = 0; k < f->power; k++)
			all = modulus_mul(all, p->nodes[f->atom].modulus);
	}
	return all;
}

static struct sym_modulus sum_modulus(const struct sym_pool *p, const struct sym_node *n)
{
	struct sym_modulus all = {0, 0};

	for (size_t i = 0; i < n->count; i++) {
		const struct sym_term *t = &sym_terms(n)[i];
		struct sym_modulus m = {0, t->c};

		if (t->m)
			m = modulus_mul(m, p->nodes[t->m].modulus);
		all = modulus_add(all, m);
	}
	return all;
}

static struct sym_modulus floor_modulus(const struct sym_pool *p, const struct sym *args)
{
	struct sym_modulus a = sym_modulus(p, args[0]);
	int64_t m;

	if (!sym_value(p, args[1], &m) || m <= 0 || a.mod == 0 || a.mod % m)
		return modulus_nothing;
	return modulus_make((uint64_t)(a.mod / m), sym_floor_int(a.rem, m));
}

static struct sym_modulus joined_modulus(const struct sym_pool *p, const struct sym *args,
					 size_t count)
{
	struct sym_modulus all = sym_modulus(p, args[0]);

	for (size_t i = 1; i < count; i++)
		all = modulus_join(all, sym_modulus(p, args[i]));
	return all;
}

struct sym_modulus sym_node_modulus(const struct sym_pool *p, const struct sym_node *n)
{
	switch ((enum sym_kind)n->kind) {
	case SYM_KIND_INT:
		return (struct sym_modulus){0, *(const int64_t *)n->data};
	case SYM_KIND_PRODUCT:
		return product_modulus(p, n);
	case SYM_KIND_SUM:
		return sum_modulus(p, n);
	case SYM_KIND_FLOOR:
		return floor_modulus(p, sym_args(n));
	case SYM_KIND_MAX:
	case SYM_KIND_MIN:
	case SYM_KIND_BROADCAST:
		return joined_modulus(p, sym_args(n), n->count);
	case SYM_KIND_SELECT:
		return joined_modulus(p, sym_args(n) + 1, 2);
	case SYM_KIND_UNKNOWN:
	case SYM_KIND_SYMBOL:
	case SYM_KIND_TRUNC:
	case SYM_KIND_ZERO:
	case SYM_KIND_NATURAL:
	case SYM_KIND_CUT:
	case SYM_KIND_FCONST:
	case SYM_KIND_FCAST:
	case SYM_KIND_FOP:
	case SYM_KIND_COUNT:
		break;
	}
	return modulus_nothing;
}
