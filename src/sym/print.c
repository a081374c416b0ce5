/* Atoms, names and whole expressions; sums are in print_sum.c, floats in print_float.c. */
#include "sym/print.h"

#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "sym/lex.h"
#include "sym/node.h"
#include "sym/sym.h"
#include "sym/terms.h"
#include "sym/text.h"

static void print_name(struct sym_printer *pr, uint32_t id, struct str *out)
{
	struct sv name = sym_name(pr->p, id);

	if (name.len)
		sym_quote_name(name, out);
	else
		str_format(out, "?%u", id);
}

static void print_arguments(struct sym_printer *pr, const char *function, const struct sym_node *n,
			    struct str *out)
{
	VEC(struct str) parts = {0};

	/* Sorted by text: the members' order in the pool depends on history. */
	for (size_t i = 0; i < n->count; i++) {
		struct str text = {0};
		size_t k = parts.len;

		sym_print_any(pr, sym_args(n)[i], LEVEL_SUM, &text);
		(void)vec_add(&parts);
		for (; k && sv_compare(str_sv(&parts.at[k - 1]), str_sv(&text)) > 0; k--)
			parts.at[k] = parts.at[k - 1];
		parts.at[k] = text;
	}
	str_text(out, function);
	for (size_t i = 0; i < parts.len; i++) {
		str_text(out, i ? ", " : "(");
		str_add(out, str_sv(&parts.at[i]));
		str_release(&parts.at[i]);
	}
	str_char(out, ')');
	vec_release(&parts);
}

void sym_print_floor(struct sym_printer *pr, const struct sym_term *t, size_t n, int64_t m,
		     struct str *out)
{
	bool up = n && t[0].m == 0 && t[0].c == m - 1;

	str_text(out, up ? "ceil(" : "floor(");
	sym_print_terms(pr, t + up, n - up, LEVEL_TERM, out);
	str_format(out, "/%lld)", (long long)m);
}

static void print_quotient(struct sym_printer *pr, const char *function, const struct sym *args,
			   struct str *out)
{
	str_text(out, function);
	sym_print_any(pr, args[0], LEVEL_TERM, out);
	str_char(out, '/');
	sym_print_any(pr, args[1], LEVEL_ATOM, out);
	str_char(out, ')');
}

static void print_floor(struct sym_printer *pr, const struct sym *args, struct str *out)
{
	struct sym_view v;
	int64_t m;

	if (!sym_value(pr->p, args[1], &m) || m <= 0) {
		print_quotient(pr, "floor(", args, out);
		return;
	}
	sym_view(pr->p, args[0], &v);
	sym_print_floor(pr, v.t, v.n, m, out);
}

static void print_select(struct sym_printer *pr, const struct sym *args, struct str *out)
{
	str_text(out, "where(");
	sym_print_any(pr, args[0], LEVEL_COMPARE, out);
	str_text(out, ", ");
	sym_print_any(pr, args[1], LEVEL_SUM, out);
	str_text(out, ", ");
	sym_print_any(pr, args[2], LEVEL_SUM, out);
	str_char(out, ')');
}

/* Positive terms stay on the left, the others move to the right with their sign changed. */
void sym_print_test(struct sym_printer *pr, uint32_t atom, bool opposite, struct str *out)
{
	const struct sym_node *n = &pr->p->nodes[atom];
	struct sym_poly left = {0}, right = {0};
	struct sym_view v;

	sym_view(pr->p, sym_args(n)[0], &v);
	for (size_t i = 0; i < v.n; i++) {
		if (v.t[i].c > 0 || v.t[i].c == INT64_MIN)
			left.t[left.n++] = v.t[i];
		else
			right.t[right.n++] = (struct sym_term){-v.t[i].c, v.t[i].m};
	}
	sym_print_terms(pr, left.t, left.n, LEVEL_SUM, out);
	if (n->kind == SYM_KIND_ZERO)
		str_text(out, opposite ? " != " : " == ");
	else
		str_text(out, opposite ? " < " : " >= ");
	sym_print_terms(pr, right.t, right.n, LEVEL_SUM, out);
}

static void print_atom(struct sym_printer *pr, uint32_t atom, struct str *out)
{
	const struct sym_node *n = &pr->p->nodes[atom];

	switch ((enum sym_kind)n->kind) {
	case SYM_KIND_SYMBOL:
		print_name(pr, n->symbol - 1, out);
		break;
	case SYM_KIND_FLOOR:
		print_floor(pr, sym_args(n), out);
		break;
	case SYM_KIND_TRUNC:
		print_quotient(pr, "trunc(", sym_args(n), out);
		break;
	case SYM_KIND_MAX:
		print_arguments(pr, "max", n, out);
		break;
	case SYM_KIND_MIN:
		print_arguments(pr, "min", n, out);
		break;
	case SYM_KIND_BROADCAST:
		print_arguments(pr, "broadcast", n, out);
		break;
	case SYM_KIND_ZERO:
	case SYM_KIND_NATURAL:
		str_char(out, '(');
		sym_print_test(pr, atom, false, out);
		str_char(out, ')');
		break;
	case SYM_KIND_SELECT:
		print_select(pr, sym_args(n), out);
		break;
	case SYM_KIND_CUT:
		str_text(out, "int(");
		sym_print_float(pr, sym_args(n)[0], true, out);
		str_char(out, ')');
		break;
	case SYM_KIND_UNKNOWN:
	case SYM_KIND_INT:
	case SYM_KIND_PRODUCT:
	case SYM_KIND_SUM:
	case SYM_KIND_FCONST:
	case SYM_KIND_FCAST:
	case SYM_KIND_FOP:
	case SYM_KIND_COUNT:
		break;
	}
}

struct sv sym_print_atom(struct sym_printer *pr, uint32_t atom)
{
	const uint32_t *known = map_find(&pr->known, atom);
	struct str text = {0};

	if (known && *known)
		return str_sv(&pr->texts.at[*known - 1]);
	if (!pr->aliases || !pr->aliases->find(pr->aliases->context, sym_at(atom), &text))
		print_atom(pr, atom, &text);
	vec_push(&pr->texts, text);
	*map_at(&pr->known, atom) = (uint32_t)pr->texts.len;
	return str_sv(&text);
}

void sym_print_any(struct sym_printer *pr, struct sym s, enum sym_level level, struct str *out)
{
	struct sym_view v;
	int64_t value;

	if (sym_is_unknown(s)) {
		str_char(out, '?');
	} else if (sym_value(pr->p, s, &value)) {
		bool wrapped = value < 0 && level >= LEVEL_TERM;

		str_text(out, wrapped ? "(" : "");
		str_number(out, value);
		str_text(out, wrapped ? ")" : "");
	} else if (sym_is_float_kind(sym_kind(pr->p, s))) {
		sym_print_float(pr, s, true, out);
	} else {
		sym_view(pr->p, s, &v);
		sym_print_terms(pr, v.t, v.n, level, out);
	}
}

/* A name that is not an identifier is printed bare, unless it parses as something else. */
static bool print_alone(const struct sym_pool *p, struct sym s, struct str *out)
{
	struct sv name;
	uint32_t id;

	if (!sym_symbol_id(p, s, &id))
		return false;
	name = sym_name(p, id);
	if (name.len == 0 || (!sym_is_identifier(name) && sym_text_is_known(p, name, NULL)))
		return false;
	str_add(out, name);
	return true;
}

void sym_print(const struct sym_pool *p, struct sym s, struct str *out)
{
	sym_print_as(p, s, NULL, out);
}

void sym_say(const struct sym_pool *p, struct sym s, struct str *out)
{
	sym_print_as(p, s, p->spoken, out);
}

void sym_print_as(const struct sym_pool *p, struct sym s, const struct sym_aliases *aliases,
		  struct str *out)
{
	struct sym_printer pr = {.p = p, .aliases = aliases};

	if (sym_is_small(s)) {
		str_number(out, sym_small(s));
		return;
	}
	if (print_alone(p, s, out) || (aliases && aliases->find(aliases->context, s, out)))
		return;
	sym_print_any(&pr, s, LEVEL_COMPARE, out);
	for (size_t i = 0; i < pr.texts.len; i++)
		str_release(&pr.texts.at[i]);
	vec_release(&pr.texts);
	map_release(&pr.known);
}

static void print_part(const struct sym_pool *p, struct sym s, bool operand, struct str *out)
{
	bool parenthesis = operand && sym_kind(p, s) == SYM_KIND_SUM;

	if (parenthesis)
		str_char(out, '(');
	sym_print(p, s, out);
	if (parenthesis)
		str_char(out, ')');
}

void sym_print_definition(const struct sym_pool *p, uint32_t id, struct str *out)
{
	static const char *const names[SYM_OP_COUNT] = {
#define OP(name, shown, commutes) [SYM_OP_##name] = shown,
		SYM_OPS(OP)
#undef OP
	};
	const struct sym_symbol *symbol = &p->symbols.at[id];
	const char *op = names[symbol->op];
	size_t count = symbol->op == SYM_OP_CUT ? 1 : symbol->op == SYM_OP_SELECT ? 3 : 2;

	if (symbol->source != SYM_COMPLEX) {
		if (!sym_is_unknown(symbol->origin.definition))
			sym_print(p, symbol->origin.definition, out);
		return;
	}
	if (op[0] < 'a') {
		print_part(p, symbol->args[0], true, out);
		str_format(out, " %s ", op);
		print_part(p, symbol->args[1], true, out);
		return;
	}
	str_text(out, op);
	for (size_t i = 0; i < count; i++) {
		str_text(out, i ? ", " : "(");
		print_part(p, symbol->args[i], false, out);
	}
	str_char(out, ')');
}
