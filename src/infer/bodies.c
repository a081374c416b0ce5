/* How much work bodies may be: each level of nested Loops runs the next several times. */
#include <stddef.h>
#include <stdint.h>

#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/internal.h"
#include "ir/graph.h"
#include "ops/info.h"

enum {
	WORK_MIN = 1 << 17, /* nodes inferred in bodies, for small models */
	WORK_EACH = 64      /* and for each node of the model */
};

bool bodies_may_run(struct infer *in, uint32_t graph)
{
	const struct model *m = in->model;

	in->body_work += m->graphs.at[graph].order.len + 1;
	if (in->body_work <= WORK_MIN + WORK_EACH * m->nodes.len)
		return true;
	if (!in->refused)
		infer_find(in, (struct finding){.level = LEVEL_COMPLEX,
						.kind = FINDING_TOO_NESTED,
						.graph = in->graph,
						.node = in->node,
						.axis = -1});
	in->refused = in->refused ? in->refused : in->node;
	return false;
}

void bodies_forget(struct infer *in)
{
	const struct model *m = in->model;

	for (size_t v = 1; in->refused && v < m->values.len; v++) {
		if (m->values.at[v].graph == 0)
			continue;
		in->infos[v] = (struct info){0};
		in->sources[v] = SOURCE_NONE;
	}
}
