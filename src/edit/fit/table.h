/*
 * Shared by the files about tables: a constant whose shape differs between the exports, and the
 * rules that may explain it.  See table.c.
 */
#ifndef EDIT_FIT_TABLE_H
#define EDIT_FIT_TABLE_H

#include "edit/fit/internal.h"
#include "flow/array.h"
#include "flow/plan.h"
#include "sym/sym.h"

/* The same axes in every export. */
struct fit_table {
	struct fitting *f;
	const struct fit_use *use;
	const struct sym *near;
	uint32_t near_count;
	const struct array *const *arrays;
	uint32_t rank;
	struct sym sizes[FIT_MAX_RANK];
	int64_t dims[FIT_MAX_EXPORTS][FIT_MAX_RANK];
	int64_t strides[FIT_MAX_EXPORTS][FIT_MAX_RANK];
	bool varies[FIT_MAX_RANK];  /* its size differs */
	bool uniform[FIT_MAX_RANK]; /* elements are equal along it; it is seen as of size 1 */
};

static inline struct sym_pool *table_pool(const struct fit_table *t)
{
	return &t->f->document->infer.pool;
}

/* The size of an axis as it is seen. */
int64_t seen_dim(const struct fit_table *t, uint32_t side, uint32_t axis);
/* The next index of what is seen; false after the last. */
bool table_next(const struct fit_table *t, uint32_t side, int64_t *index);
/* The element at an index. */
uint64_t table_at(const struct fit_table *t, uint32_t side, const int64_t *index);
/* The axes that differ in size and in elements. */
uint32_t axes_left(const struct fit_table *t, uint32_t *out);
bool same_element(const struct array *a, uint64_t i, const struct array *b, uint64_t k);
/* What is seen of one export, with the axes in `first` cut to their first element. */
struct array table_cut(const struct fit_table *t, uint32_t side, const bool *first);
/* An integer tensor in the type of the table. */
plan_ref table_cast(const struct fit_table *t, plan_ref ref);
/* All axes in their sizes. */
plan_ref table_expand(const struct fit_table *t, plan_ref ref);
/* 0, 1, 2, ... along an axis. */
plan_ref plan_along(const struct fit_table *t, uint32_t axis);

/* Each of these is a tensor that has the elements of every export, or 0. */
plan_ref solve_progression(struct fit_table *t, bool all_axes);
plan_ref solve_multiples(struct fit_table *t);
plan_ref solve_band(struct fit_table *t, bool from_end);
plan_ref solve_part(struct fit_table *t);

#endif
