/* The largest elements of the inputs, which are not known, as symbols: what may they be? */
#include "base/num.h"
#include "infer/internal.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/need.h"
#include "sym/sym.h"

enum {
	LARGEST_AXIS = INT32_MAX /* tells these symbols from those of dims */
};

static struct sym largest_symbol(struct infer *in, uint32_t value)
{
	return sym_generate(&in->pool, &(struct sym_origin){.output = value,
							    .axis = LARGEST_AXIS,
							    .range = SYM_RANGE_SIZE});
}

void infer_mark_largest(struct infer *in, uint32_t value)
{
	struct info *info = &in->infos[value];
	enum elem_class class = elem_info(info->elem)->class;

	if (info->kind == TYPE_TENSOR && !info->contents.at &&
	    (class == ELEM_CLASS_SIGNED || class == ELEM_CLASS_UNSIGNED))
		contents_set_bounds(&info->contents, SYM_UNKNOWN, largest_symbol(in, value));
}

bool infer_largest(struct infer *in, uint32_t value, int64_t *out)
{
	struct sym largest = largest_symbol(in, value);
	bool found = false;
	uint32_t symbol, id;

	if (!sym_symbol_id(&in->pool, largest, &id))
		return false;
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		int64_t limit, factor, addend, room;

		if (f->kind != FACT_BOUND || !sym_value(&in->pool, f->b, &limit) ||
		    !sym_is_linear(&in->pool, f->a, &symbol, &factor, &addend) || symbol != id ||
		    factor < 1 || !num_isub(limit, addend, &room) || room < 0)
			continue;
		*out = found ? MIN(*out, room / factor) : room / factor;
		found = true;
	}
	return found;
}
