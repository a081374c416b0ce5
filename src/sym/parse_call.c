/* The functions that the parser accepts: ours, sympy's and torch's. */
#include "base/sv.h"
#include "sym/float.h"
#include "sym/fraction.h"
#include "sym/lex.h"
#include "sym/sym.h"

enum function {
	CALL_FLOOR,
	CALL_CEIL,
	CALL_TRUNC,
	CALL_ROUND,
	CALL_SQRT,
	CALL_ABS,
	CALL_MAX,
	CALL_MIN,
	CALL_BROADCAST,
	CALL_WHERE,
	CALL_MOD,
	CALL_FLOOR_DIV,
	CALL_CEIL_DIV,
	CALL_SAME,
	CALL_FLOAT
};

static const struct row {
	const char *name;
	enum function function;
	uint8_t min, max;
	uint8_t type;
} parse_call_functions[] = {{"floor", CALL_FLOOR, 1, 1, 0},
			    {"ceil", CALL_CEIL, 1, 1, 0},
			    {"ceiling", CALL_CEIL, 1, 1, 0},
			    {"trunc", CALL_TRUNC, 1, 1, 0},
			    {"int", CALL_TRUNC, 1, 1, 0},
			    {"TruncToInt", CALL_TRUNC, 1, 1, 0},
			    {"round", CALL_ROUND, 1, 1, 0},
			    {"sqrt", CALL_SQRT, 1, 1, 0},
			    {"max", CALL_MAX, 1, 64, 0},
			    {"Max", CALL_MAX, 1, 64, 0},
			    {"min", CALL_MIN, 1, 64, 0},
			    {"Min", CALL_MIN, 1, 64, 0},
			    {"broadcast", CALL_BROADCAST, 1, 64, 0},
			    {"where", CALL_WHERE, 3, 3, 0},
			    {"Where", CALL_WHERE, 3, 3, 0},
			    {"mod", CALL_MOD, 2, 2, 0},
			    {"Mod", CALL_MOD, 2, 2, 0},
			    {"PythonMod", CALL_MOD, 2, 2, 0},
			    {"FloorDiv", CALL_FLOOR_DIV, 2, 2, 0},
			    {"CleanDiv", CALL_FLOOR_DIV, 2, 2, 0},
			    {"CeilDiv", CALL_CEIL_DIV, 2, 2, 0},
			    {"abs", CALL_ABS, 1, 1, 0},
			    {"Abs", CALL_ABS, 1, 1, 0},
			    {"Identity", CALL_SAME, 1, 1, 0},
#define FLOAT(name, shown, bits, min, max) {shown, CALL_FLOAT, 1, 1, SYM_##name},
			    SYM_FLOATS(FLOAT)
#undef FLOAT
};

static struct sym parse_call_floored(struct sym_reader *r, const struct sym_number *a)
{
	return sym_floor_div(r->p, a->num, a->den);
}

static struct sym parse_call_ceiled(struct sym_reader *r, const struct sym_number *a)
{
	return sym_ceil_div(r->p, a->num, a->den);
}

static struct sym parse_call_fold(struct sym_reader *r, enum function function,
				  struct sym_number *args, size_t count)
{
	struct sym s = sym_number_whole(r, &args[0]);

	for (size_t i = 1; i < count && !r->why; i++) {
		struct sym next = sym_number_whole(r, &args[i]);

		if (function == CALL_MAX)
			s = sym_max(r->p, s, next);
		else if (function == CALL_MIN)
			s = sym_min(r->p, s, next);
		else
			s = sym_broadcast(r->p, s, next);
	}
	return s;
}

static struct sym call_float(struct sym_reader *r, enum function function, struct sym f)
{
	static const int8_t fop[] = {
		[CALL_FLOOR] = SYM_FOP_FLOOR, [CALL_CEIL] = SYM_FOP_CEIL,
		[CALL_ROUND] = SYM_FOP_ROUND, [CALL_SQRT] = SYM_FOP_SQRT,
		[CALL_ABS] = SYM_FOP_ABS,
		/* the rest is answered before */
	};

	if (function == CALL_TRUNC)
		return sym_cut(r->p, f);
	if (function == CALL_SAME)
		return f;
	if (function > CALL_ABS) {
		r->why = "the function does not support floats";
		return f;
	}
	return sym_float_op(r->p, (enum sym_fop)fop[function], f, SYM_UNKNOWN);
}

/* The first float among the arguments; the others get its type. */
static bool find_float(const struct sym_reader *r, const struct sym_number *args, size_t count,
		       enum sym_float *out)
{
	for (size_t i = 0; i < count; i++) {
		if (args[i].kind == NUMBER_FLOAT)
			return sym_is_float(r->p, args[i].num, out);
	}
	return false;
}

static struct sym fold_floats(struct sym_reader *r, enum sym_fop op, enum sym_float type,
			      struct sym_number *args, size_t count)
{
	struct sym s = sym_number_as_float(r, &args[0], type);

	for (size_t i = 1; i < count && !r->why; i++)
		s = sym_float_op(r->p, op, s, sym_number_as_float(r, &args[i], type));
	return s;
}

static struct sym call_two(struct sym_reader *r, enum function function, struct sym_number *args)
{
	struct sym_number a = args[0];

	sym_number_join(r, function == CALL_MOD ? WORD_MOD : WORD_DIV, &a, &args[1]);
	if (r->why)
		return SYM_UNKNOWN;
	if (function == CALL_MOD)
		return sym_number_whole(r, &a);
	return function == CALL_CEIL_DIV ? parse_call_ceiled(r, &a) : parse_call_floored(r, &a);
}

static struct sym call_exact(struct sym_reader *r, const struct row *row, struct sym_number *args,
			     size_t count)
{
	switch (row->function) {
	case CALL_FLOOR:
		return parse_call_floored(r, &args[0]);
	case CALL_CEIL:
		return parse_call_ceiled(r, &args[0]);
	case CALL_TRUNC:
		return sym_trunc_div(r->p, args[0].num, args[0].den);
	case CALL_ROUND:
	case CALL_SQRT:
		r->why = "the function supports only floats";
		return SYM_UNKNOWN;
	case CALL_MAX:
	case CALL_MIN:
	case CALL_BROADCAST:
		return parse_call_fold(r, row->function, args, count);
	case CALL_WHERE:
		return sym_select(r->p, sym_number_whole(r, &args[0]),
				  sym_number_whole(r, &args[1]), sym_number_whole(r, &args[2]));
	case CALL_MOD:
	case CALL_FLOOR_DIV:
	case CALL_CEIL_DIV:
		return call_two(r, row->function, args);
	case CALL_ABS:
		return sym_abs(r->p, sym_number_whole(r, &args[0]));
	case CALL_SAME:
		return sym_number_whole(r, &args[0]);
	case CALL_FLOAT:
		return sym_to_float(r->p, (enum sym_float)row->type, sym_number_whole(r, &args[0]));
	}
	return SYM_UNKNOWN;
}

static const struct row *find_function(struct sv name)
{
	for (size_t i = 0; i < ARRAY_LEN(parse_call_functions); i++) {
		if (sv_is(name, parse_call_functions[i].name))
			return &parse_call_functions[i];
	}
	return NULL;
}

void sym_number_call(struct sym_reader *r, struct sv name, struct sym_number *args, size_t count,
		     struct sym_number *out)
{
	const struct row *row = find_function(name);
	enum sym_float type;
	struct sym s;

	*out = (struct sym_number){0};
	if (!row)
		r->why = "unknown function";
	else if (count < row->min || count > row->max)
		r->why = "wrong number of arguments";
	if (!r->p || r->why)
		return;
	if (row->function == CALL_FLOAT && args[0].kind == NUMBER_DECIMAL) {
		*out = sym_number_of(r,
				     sym_decimal_to_float(r, &args[0], (enum sym_float)row->type));
		return;
	}
	if ((row->function == CALL_MAX || row->function == CALL_MIN) &&
	    find_float(r, args, count, &type)) {
		s = fold_floats(r, row->function == CALL_MAX ? SYM_FOP_MAX : SYM_FOP_MIN, type,
				args, count);
		*out = sym_number_of(r, s);
		return;
	}
	for (size_t i = 0; i < count && !r->why; i++) {
		if (args[i].kind == NUMBER_DECIMAL)
			sym_decimal_to_fraction(r, &args[i]);
	}
	if (r->why)
		return;
	if (args[0].kind == NUMBER_FLOAT && row->function != CALL_FLOAT)
		s = call_float(r, row->function, args[0].num);
	else
		s = call_exact(r, row, args, count);
	*out = sym_number_of(r, s);
}
