#include "infer/verdict.h"

#include "base/base.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ops/property.h"

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[VERDICT_COUNT] = {
		[VERDICT_FREE] = "free",           [VERDICT_PINNED] = "pinned",
		[VERDICT_FIXED] = "fixed",         [VERDICT_TIED] = "tied",
		[VERDICT_DATA] = "data-dependent", [VERDICT_UNKNOWN] = "unknown",
	};

	return names[verdict];
}

/* Of a recurrent operator's inputs, exports bake in only the initial state. */
bool fact_is_weight(const struct infer *in, const struct fact *f)
{
	return !f->of_state && op_has_weights(in->model, &in->model->nodes.at[f->node]);
}

static bool has_constant(const struct model *m, uint32_t value)
{
	return value && (m->values.at[value].tensor || value_is_constant(m, value));
}

/* Of weight and bias, the weight; of other constants, and initial states, the last. */
uint32_t fact_constant(const struct infer *in, const struct fact *f)
{
	const struct node *n = &in->model->nodes.at[f->node];
	bool weights = fact_is_weight(in, f);
	enum {
		STATES = 5, /* of a recurrent operator: X, W, R, B and lengths come before */
		STATE_COUNT = 2
	};
	uint32_t first = f->of_state ? STATES : 0, found = 0;
	uint32_t end = f->of_state ? MIN(STATES + STATE_COUNT, n->input_count) : n->input_count;

	for (uint32_t i = first; i < end; i++) {
		if (has_constant(in->model, n->inputs[i]) &&
		    (!found || !weights || in->infos[n->inputs[i]].rank > in->infos[found].rank))
			found = n->inputs[i];
	}
	return found;
}

void axes_release(struct axes *axes)
{
	arena_release(&axes->arena);
	vec_release(&axes->list);
}
