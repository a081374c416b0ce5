/* What both branches of an If need is a need of the model. */
#include "base/hash.h"
#include "base/map.h"
#include "infer/infer.h"
#include "infer/internal.h"
#include "ir/graph.h"

enum {
	BOTH = UINT32_MAX
};

/* The need, at the If whose branch has it. */
static uint64_t branch_key(const struct infer *in, const struct fact *f)
{
	uint64_t key = hash_u64(hash_u64(f->kind, f->a.w), f->b.w);

	return hash_u64(key, in->model->graphs.at[f->branch].owner);
}

/* Is the If itself in a branch?  Then only that branch needs it. */
static bool branch_is_nested(const struct infer *in, uint32_t branch)
{
	return in->model->graphs.at[in->model->graphs.at[branch].parent].kind == GRAPH_BODY;
}

void branches_join(struct infer *in)
{
	struct map seen = {0}; /* need -> the branch that has it, or BOTH */

	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		uint32_t *place;

		if (!f->branch || branch_is_nested(in, f->branch))
			continue;
		place = map_at(&seen, branch_key(in, f));
		if (*place == 0)
			*place = f->branch;
		else if (*place != f->branch)
			*place = BOTH;
	}
	for (size_t i = 0; i < in->facts.len; i++) {
		struct fact *f = &in->facts.at[i];

		if (f->branch && !branch_is_nested(in, f->branch) &&
		    *map_at(&seen, branch_key(in, f)) == BOTH)
			f->branch = 0;
	}
	map_release(&seen);
}
