#include "edit/write.h"

#include "wire/patch.h"

/* Where each thing was changed first: that change knows what the file says. */
struct touched {
	struct map dims;
	VEC(const struct change *)
	first;
};

bool write_patch(struct patch *p, struct document *d, struct err *err)
{
	const struct model *m = &d->wire.model;
	struct map seen = {0};
	bool ok = true;

	for (size_t i = 0; i < d->done; i++) {
		const struct change_log *log = &d->actions.at[i].log;

		for (size_t j = 0; ok && j < log->list.len; j++) {
			const struct change *c = &log->list.at[j];
			uint32_t *place;

			if (c->kind != CHANGE_DIM)
				continue;
			place = map_at(&seen, (uintptr_t)c->dim);
			if ((*place)++ || c->dim->origin == 0)
				continue;
			if (dim_same(c->dim, &c->dim_before))
				continue;
			ok = patch_dim(p, &d->wire, c->dim->origin, c->dim,
				       model_name(m, c->dim->kind == DIM_PARAM ? c->dim->param : 0),
				       err);
		}
	}
	map_release(&seen);
	return ok;
}
