/* What both branches of an If need is a need of what contains the If. */
#include "base/hash.h"
#include "base/map.h"
#include "infer/infer.h"
#include "infer/internal.h"

enum {
	BOTH = UINT32_MAX
};

/* The need, at the If whose branch has it. */
static uint64_t branch_key(const struct infer *in, const struct fact *f)
{
	uint64_t key = hash_u64(hash_u64(f->kind, f->a.w), f->b.w);

	return hash_u64(key, in->model->graphs.at[f->branch].owner);
}

/* Needs of both branches of one If move to what contains it; false when there are none. */
static bool branches_join_once(struct infer *in)
{
	struct map seen = {0}; /* need -> the branch that has it, or BOTH */
	bool joined = false;

	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		uint32_t *place;

		if (!f->branch)
			continue;
		place = map_at(&seen, branch_key(in, f));
		if (*place == 0)
			*place = f->branch;
		else if (*place != f->branch)
			*place = BOTH;
	}
	for (size_t i = 0; i < in->facts.len; i++) {
		struct fact *f = &in->facts.at[i];

		if (!f->branch || *map_at(&seen, branch_key(in, f)) != BOTH)
			continue;
		f->branch = *map_at(&in->outer_branches, f->branch);
		joined = true;
	}
	map_release(&seen);
	return joined;
}

void branches_join(struct infer *in)
{
	for (unsigned depth = 0; depth < MAX_CALLS && branches_join_once(in); depth++)
		;
}
