#include "infer/axes.h"

#include "base/vec.h"
#include "infer/infer.h"
#include "infer/internal.h"
#include "infer/judging.h"
#include "infer/limits.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/property.h"

/* One run of the inference, and what it says about all symbols. */
struct axes_run {
	struct infer in;
	struct limits limits;
	struct blind blind;
};

static struct judging axes_begin(struct axes_run *r, struct axes *out, const struct model *m,
				 struct infer_options options)
{
	infer_run(&r->in, m, options);
	r->in.steps_left = out->steps_left;
	(void)work_take(&r->in, infer_work(&r->in));
	limits_find(&r->limits, &r->in, true);
	r->blind = (struct blind){0};
	blind_find(&r->blind, &r->in);
	return (struct judging){.out = out, .in = &r->in, .limits = &r->limits, .blind = &r->blind};
}

static void axes_end(struct axes_run *r, struct axes *out)
{
	out->steps_left = r->in.steps_left;
	vec_release(&r->blind);
	limits_release(&r->limits);
	infer_release(&r->in);
}

/* An axis with a number in the file becomes a symbol only in a run of its own. */
static void try_number(struct axes *out, const struct model *m, uint32_t value, uint32_t axis)
{
	struct axes_run r;
	struct judging j;

	if (!out->steps_left) {
		vec_push(&out->list,
			 ((struct axis){.input = value, .axis = axis, .verdict = VERDICT_UNKNOWN}));
		return;
	}
	j = axes_begin(&r, out, m,
		       (struct infer_options){.fresh = true, .freed = value, .freed_axis = axis});
	j.is_number = true;
	axes_judge(&j, value, axis);
	judging_release(&j);
	axes_end(&r, out);
}

void axes_find(struct axes *out, const struct model *m)
{
	const struct graph *g = &m->graphs.at[0];
	struct axes_run r;
	struct judging all;

	*out = (struct axes){.steps_left = work_of_axes(m)};
	all = axes_begin(&r, out, m, (struct infer_options){.fresh = true});
	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];
		bool constant = m->values.at[c->value].tensor != 0;

		if (c->kind != CLAIM_INPUT || !c->value ||
		    (constant && !value_is_default(m, c->value)))
			continue;
		for (uint32_t k = 0; r.in.infos[c->value].ranked && k < c->type.rank; k++) {
			bool number = c->type.dims[k].kind == DIM_VALUE &&
				      c->type.dims[k].value >= 0;

			/* A default may be a weight, of which nobody wants to know. */
			if (number && !constant) {
				out->steps_left = r.in.steps_left;
				try_number(out, m, c->value, k);
				r.in.steps_left = out->steps_left;
			}
			if (!number)
				axes_judge(&all, c->value, k);
		}
	}
	judging_release(&all);
	axes_end(&r, out);
}
