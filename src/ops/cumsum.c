/* Cumulative sums and products. */
#include "ops/arith.h"
#include "ops/elementwise.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* False when the axis is unknown. */
static bool shape_and_axis(struct rule *r, uint32_t *axis)
{
	int64_t at;
	struct contents c;

	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 0, 1));
	if (!rule_check_rank(r, 1, 0, 1))
		return false;
	c = rule_contents(r, 1);
	if (!rule_ranked(r, 0) || c.count != 1 || !rule_int_at(r, &c, 0, &at))
		return false;
	return rule_axis(r, at, r->in[0].rank, axis);
}

/* A line of `count` elements, each `step` after the last. */
struct line {
	uint32_t start, step, count;
};

static void sum_line(struct rule *r, const struct sym *in, struct line line, struct sym *out)
{
	bool exclusive = rule_attr_int(r, "exclusive", 0), reverse = rule_attr_int(r, "reverse", 0);
	int32_t elem = r->out[0].elem;
	struct sym sum = rule_int(r, 0);

	for (uint32_t i = 0; i < line.count; i++) {
		uint32_t k = reverse ? line.count - 1 - i : i;
		uint32_t at = line.start + k * line.step;
		struct sym before = sum;

		sum = arith_fit(r, elem, sym_add(r->pool, sum, in[at]));
		out[at] = exclusive ? before : sum;
	}
}

static void sum_values(struct rule *r, uint32_t axis)
{
	struct contents in, out;
	struct sym *values;
	uint32_t rows, columns;

	if (!arith_is_whole(r->out[0].elem) || !arith_room(r, &out, &values))
		return;
	in = rule_contents(r, 0);
	if (!in.at || in.count != out.count || in.rank != out.rank ||
	    (in.rank == 2 && in.rows != out.rows) || in.count == 0)
		return;
	rows = out.rank == 2 ? out.rows : 1;
	columns = out.count / rows;
	if (out.rank == 2 && axis == 0) {
		for (uint32_t i = 0; i < columns; i++)
			sum_line(r, in.at, (struct line){i, columns, rows}, values);
	} else {
		for (uint32_t i = 0; i < rows; i++)
			sum_line(r, in.at, (struct line){i * columns, 1, columns}, values);
	}
	rule_out_contents(r, 0, out);
}

void rule_cumulate(struct rule *r)
{
	uint32_t axis;

	if (shape_and_axis(r, &axis) && r->out_count && r->argument == ARITH_ADD)
		sum_values(r, axis);
}
