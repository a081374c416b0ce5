/*
 * The patch is made from the final state, not from the steps: everything that was ever
 * changed is compared with its state in the file, which its first change recorded.
 */
#include "edit/write.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/bug.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/change.h"
#include "edit/journal/journal.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "wire/destination.h"
#include "wire/patch.h"
#include "wire/patch_model.h"
#include "wire/save.h"
#include "wire/save_options.h"
#include "wire/scan.h"
#include "wire/wire.h"

struct writing {
	struct patch *patch;             /* borrowed */
	const struct document *document; /* borrowed */
	struct map seen[CHANGE_KIND_COUNT];
	struct map gone; /* origins that are removed or rewritten: nothing inside is patched */
	VEC(const struct change *) firsts;
	struct map grown; /* graphs with new nodes */
};

static const struct model *model_of(const struct writing *w)
{
	return &w->document->wire.model;
}

/* Changes of the same thing have the same key. */
static uint64_t write_key_of(const struct change *c)
{
	return c->kind == CHANGE_DIM ? (uintptr_t)c->dim : c->id;
}

static void write_collect(struct writing *w)
{
	for (size_t i = 0; i < w->document->done; i++) {
		const struct change_log *log = &w->document->actions.at[i].log;

		for (size_t j = 0; j < log->list.len; j++) {
			const struct change *c = &log->list.at[j];

			if ((*map_at(&w->seen[c->kind], write_key_of(c)))++ == 0)
				vec_push(&w->firsts, c);
		}
	}
}

/* ---- removals ---- */

static void remove_origin(struct writing *w, uint32_t origin)
{
	if (!origin || (*map_at(&w->gone, origin))++)
		return;
	patch_remove(w->patch, &w->document->wire, origin);
}

/* Has the type of a claim in the file changed? */
static bool is_retyped(const struct writing *w, const struct change *c)
{
	return !type_same(&model_of(w)->claims.at[c->id].type, &c->type_before);
}

static void write_removal(struct writing *w, const struct change *c)
{
	const struct model *m = model_of(w);

	switch (c->kind) {
	case CHANGE_CLAIM:
		if (!is_retyped(w, c))
			break;
		if (m->claims.at[c->id].type.kind == TYPE_NONE)
			remove_origin(w, m->claims.at[c->id].origin);
		else if (m->claims.at[c->id].origin)
			*map_at(&w->gone, m->claims.at[c->id].origin) = 1;
		break;
	case CHANGE_REMOVE:
	case CHANGE_INSERT:
		if (m->nodes.at[c->id].dead)
			remove_origin(w, m->nodes.at[c->id].origin);
		else
			*map_at(&w->grown, m->nodes.at[c->id].graph) = 1;
		break;
	case CHANGE_DROP:
		if (m->values.at[c->id].flags & VALUE_DEAD)
			remove_origin(w, m->tensors.at[m->values.at[c->id].tensor].origin);
		break;
	case CHANGE_DIM:
	case CHANGE_NODE:
	case CHANGE_TENSOR:
	case CHANGE_KIND_COUNT:
		break;
	}
}

static bool is_inside_gone(const struct writing *w, uint32_t origin)
{
	const struct pieces *pieces = &w->document->wire.pieces;

	for (uint32_t id = origin; id && w->gone.count; id = pieces->at[id].parent) {
		if (map_find(&w->gone, pieces->at[id].head) || map_find(&w->gone, id))
			return true;
	}
	return false;
}

/* ---- changes ---- */

static bool write_dim(struct writing *w, const struct change *c, struct err *err)
{
	const struct dim *d = c->dim;

	if (d->origin == 0 || dim_same(d, &c->dim_before) || is_inside_gone(w, d->origin))
		return true;
	return patch_dim(w->patch, &w->document->wire, d->origin, d,
			 model_name(model_of(w), d->kind == DIM_PARAM ? d->param : 0), err);
}

static bool same_data(const struct tensor *a, const struct tensor *b)
{
	return a->data.chunks == b->data.chunks && a->dims == b->dims && a->external == b->external;
}

static bool write_tensor(struct writing *w, const struct change *c, struct err *err)
{
	const struct tensor *t = &model_of(w)->tensors.at[c->id];

	if (t->origin == 0 || same_data(t, &c->tensor_before) || is_inside_gone(w, t->origin))
		return true;
	return patch_tensor(w->patch, &w->document->wire, t->origin, t, err);
}

/* A claim that had no shape, or was removed and added again. */
static bool write_claim(struct writing *w, const struct change *c, struct err *err)
{
	const struct model *m = model_of(w);
	const struct claim *claim = &m->claims.at[c->id];

	if (claim->type.kind == TYPE_NONE || !is_retyped(w, c))
		return true;
	if (claim->origin == 0)
		return patch_append_claim(w->patch, &w->document->wire, m,
					  m->values.at[claim->value].graph, claim, err);
	return patch_claim_type(w->patch, &w->document->wire, claim->origin, m, &claim->type, err);
}

/* ---- nodes ---- */

static bool same_inputs(const struct node *n, const struct node_parts *p)
{
	if (n->input_count != p->input_count)
		return false;
	for (uint32_t i = 0; i < n->input_count; i++) {
		if (n->inputs[i] != p->inputs[i])
			return false;
	}
	return true;
}

static bool write_inputs(struct writing *w, const struct node *n, const struct node_parts *was,
			 struct err *err)
{
	const struct model *m = model_of(w);
	struct sv *names;
	bool ok;

	if (same_inputs(n, was))
		return true;
	names = must_alloc((n->input_count + 1) * sizeof(*names));
	for (uint32_t i = 0; i < n->input_count; i++)
		names[i] = model_name(m, m->values.at[n->inputs[i]].name);
	ok = patch_node_inputs(w->patch, &w->document->wire, n->origin, names, n->input_count, err);
	free(names);
	return ok;
}

static const struct attr *attr_from(const struct attr *attrs, uint32_t count, uint32_t origin)
{
	for (uint32_t i = 0; i < count; i++) {
		if (attrs[i].origin == origin)
			return &attrs[i];
	}
	return NULL;
}

static bool same_attr(const struct attr *a, const struct attr *b)
{
	if (a->kind != b->kind || a->count != b->count)
		return false;
	return a->kind == ATTR_INT    ? a->i == b->i
	       : a->kind == ATTR_INTS ? a->list.chunks == b->list.chunks
				      : true;
}

static bool write_attrs(struct writing *w, const struct node *n, const struct node_parts *was,
			struct err *err)
{
	const struct wire *wire = &w->document->wire;
	bool ok = true;

	for (uint32_t i = 0; i < was->attr_count; i++) {
		if (!attr_from(n->attrs, n->attr_count, was->attrs[i].origin))
			patch_remove(w->patch, wire, was->attrs[i].origin);
	}
	for (uint32_t i = 0; ok && i < n->attr_count; i++) {
		const struct attr *a = &n->attrs[i];
		const struct attr *old = attr_from(was->attrs, was->attr_count, a->origin);

		if (a->origin == 0)
			ok = patch_insert_attr(w->patch, wire, n->origin, model_of(w), a, err);
		else if (old && !same_attr(a, old))
			ok = patch_attr(w->patch, wire, a->origin, model_of(w), a, err);
	}
	return ok;
}

static bool write_node(struct writing *w, const struct change *c, struct err *err)
{
	const struct node *n = &model_of(w)->nodes.at[c->id];

	if (n->origin == 0 || n->dead)
		return true;
	return write_inputs(w, n, &c->parts_before, err) &&
	       write_attrs(w, n, &c->parts_before, err);
}

/* New nodes are inserted before the next node of the file. */
static bool write_new_nodes(struct writing *w, uint32_t graph, struct err *err)
{
	const struct model *m = model_of(w);
	const struct graph *g = &m->graphs.at[graph];
	uint32_t after = 0;

	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct node *n = &m->nodes.at[g->nodes.at[i]];
		uint32_t before = 0;

		if (n->origin) {
			after = n->origin;
			continue;
		}
		for (size_t j = i + 1; j < g->nodes.len && !before; j++)
			before = m->nodes.at[g->nodes.at[j]].origin;
		if (!patch_insert_node(w->patch, &w->document->wire, m, graph, before,
				       before ? 0 : after, n, err))
			return false;
	}
	return true;
}

/* ---- the patch ---- */

static bool write_change(struct writing *w, const struct change *c, struct err *err)
{
	switch (c->kind) {
	case CHANGE_DIM:
		return write_dim(w, c, err);
	case CHANGE_CLAIM:
		return write_claim(w, c, err);
	case CHANGE_NODE:
		return write_node(w, c, err);
	case CHANGE_TENSOR:
		return write_tensor(w, c, err);
	case CHANGE_INSERT:
	case CHANGE_REMOVE:
	case CHANGE_DROP:
	case CHANGE_KIND_COUNT:
		break;
	}
	return true;
}

static bool write_all(struct writing *w, struct err *err)
{
	bool ok = true;

	/* Removals first: nothing inside them may be patched. */
	for (size_t i = 0; i < w->firsts.len; i++)
		write_removal(w, w->firsts.at[i]);
	for (size_t i = 0; ok && i < w->firsts.len; i++)
		ok = write_change(w, w->firsts.at[i], err);
	for (uint32_t g = 0; ok && w->grown.count && g < model_of(w)->graphs.len; g++)
		ok = !map_find(&w->grown, g) || write_new_nodes(w, g, err);
	return ok;
}

bool write_patch(struct patch *p, const struct document *d, struct err *err)
{
	struct writing w = {.patch = p, .document = d};
	bool ok;

	write_collect(&w);
	ok = write_all(&w, err);
	for (int i = 0; i < CHANGE_KIND_COUNT; i++)
		map_release(&w.seen[i]);
	map_release(&w.gone);
	map_release(&w.grown);
	vec_release(&w.firsts);
	return ok;
}

bool document_write(struct document *d, int fd, const struct save_options *options, struct err *err)
{
	struct patch patch = {0};
	bool ok = write_patch(&patch, d, err) && wire_write(&d->wire, &patch, fd, options, err);

	patch_release(&patch);
	return ok;
}

static void journal_it(void *context, const struct stat *file)
{
	journal_replacing(context, file);
}

/* `journal` belongs to the target; NULL when nothing is to be noted. */
static bool save_noting(struct document *d, const char *target, struct save_options options,
			struct journal *journal, struct save_report *report, struct err *err)
{
	struct patch patch = {0};
	bool ok;

	options.replacing = journal_it;
	options.replacing_context = journal;
	ok = write_patch(&patch, d, err) &&
	     wire_save(&d->wire, &patch, target, &options, report, err);
	patch_release(&patch);
	if (ok) {
		d->saved = d->done;
		d->saved_lost = false;
		journal_saved(journal);
		document_note_saved(d);
	}
	return ok;
}

bool document_is_at(const struct document *d, const char *target)
{
	return !d->wire.file.piped && destination_same(str_c(&d->wire.path), target);
}

bool document_save(struct document *d, const char *target, const struct save_options *options,
		   struct save_report *report, struct err *err)
{
	return save_noting(d, target, *options, document_is_at(d, target) ? d->journal : NULL,
			   report, err);
}

bool document_save_as(struct document *d, const char *target, const struct save_options *options,
		      struct save_report *report, struct err *err)
{
	struct journal *journal = NULL;

	if (document_is_at(d, target) || sv_is(sv_of(target), "-"))
		return document_save(d, target, options, report, err);
	if (!journal_open_for(&journal, target, err) && err->kind == ERR_REFUSED)
		return false;
	if (!save_noting(d, target, *options, journal, report, err)) {
		journal_close(journal, false);
		return false;
	}
	/* From now on, that file is the document. */
	journal_close(d->journal, false);
	d->journal = journal;
	wire_rename(&d->wire, target);
	return true;
}
