/* What both branches of an If need is a need of what contains the If. */
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "infer/internal.h"

/* A need that a branch of an If has. */
struct branch_need {
	uint32_t fact; /* the first that says it */
	uint32_t owner;
	uint32_t branch;
	bool both; /* another branch has it too */
};

struct branch_needs {
	struct map places; /* hash -> index plus 1 */
	VEC(struct branch_need) all;
};

static uint32_t branch_owner(const struct infer *in, const struct fact *f)
{
	return in->model->graphs.at[f->branch].owner;
}

/* The need at the If whose branch has it; NULL when another has its hash. */
static struct branch_need *branch_need_at(struct branch_needs *n, const struct infer *in,
					  uint32_t fact)
{
	const struct fact *f = &in->facts.at[fact];
	uint32_t owner = branch_owner(in, f);
	uint32_t *place = map_at(&n->places, hash_u64(fact_key(f), owner));
	struct branch_need *need;

	if (!*place) {
		vec_push(&n->all, ((struct branch_need){fact, owner, f->branch, false}));
		*place = (uint32_t)n->all.len;
	}
	need = &n->all.at[*place - 1];
	return need->owner == owner && fact_says_same(&in->facts.at[need->fact], f) ? need : NULL;
}

/* Needs of both branches of one If move to what contains it; false when there are none. */
static bool branches_join_once(struct infer *in)
{
	struct branch_needs needs = {0};
	bool joined = false;

	for (uint32_t i = 0; i < in->facts.len; i++) {
		struct branch_need *need = in->facts.at[i].branch ? branch_need_at(&needs, in, i)
								  : NULL;

		if (need)
			need->both |= need->branch != in->facts.at[i].branch;
	}
	for (uint32_t i = 0; i < in->facts.len; i++) {
		struct fact *f = &in->facts.at[i];
		const struct branch_need *need = f->branch ? branch_need_at(&needs, in, i) : NULL;

		if (!need || !need->both)
			continue;
		f->branch = *map_at(&in->outer_branches, f->branch);
		joined = true;
	}
	map_release(&needs.places);
	vec_release(&needs.all);
	return joined;
}

void branches_join(struct infer *in)
{
	for (unsigned depth = 0; depth < MAX_NESTED && branches_join_once(in); depth++)
		;
}
