/*
 * What a block is called: by its operators, since nothing else is known of it.
 */
#include <inttypes.h>

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/blocks.h"
#include "ops/property.h"

enum {
	NAME_COLUMNS = 28,
	NAME_RANKS = 5,
	IN_A_ROW = 4 /* operators */
};

struct op_count {
	const struct node *node; /* the first of them */
	uint32_t count;
	uint32_t rank; /* what says most comes first */
};

struct op_counts {
	struct op_count *at; /* owned */
	size_t len, cap;
};

static uint32_t name_rank(enum op_kind kind)
{
	switch (kind) {
	case OP_KIND_PRODUCT:
		return 0;
	case OP_KIND_CONTROL:
		return 1;
	case OP_KIND_NORM:
	case OP_KIND_ACTIVATION:
		return 2;
	case OP_KIND_POOL:
		return 3;
	case OP_KIND_NONE:
	case OP_KIND_LAYOUT:
	case OP_KIND_MOVE:
	case OP_KIND_CONSTANT:
	case OP_KIND_COUNT:
		break;
	}
	return NAME_RANKS - 1;
}

static void ops_count(struct op_counts *ops, const struct sequence *q, const struct block *b)
{
	const struct model *m = q->f->s->model;
	struct map known = {0};

	for (uint32_t i = b->first; i < b->end; i++) {
		const struct node *n = &m->nodes.at[q->f->graph->nodes.at[q->index[i]]];
		uint32_t *at;

		if (q->traits[i] & BLOCK_ASIDE)
			continue;
		at = map_at(&known, n->op);
		if (!*at) {
			vec_push(ops,
				 ((struct op_count){.node = n, .rank = name_rank(op_kind(m, n))}));
			*at = (uint32_t)ops->len;
		}
		ops->at[*at - 1].count += q->nodes[i];
	}
	map_release(&known);
}

/* Does it have room?  The first always has: its name is cut. */
static bool name_add(struct str *out, struct sv word, bool is_last)
{
	size_t columns = utf8_width(str_sv(out)) + utf8_width(word) + (is_last ? 2 : 5);

	if (out->len && columns > NAME_COLUMNS)
		return false;
	str_text(out, out->len ? ", " : "");
	str_add(out, word);
	return true;
}

static void op_print(struct str *out, const struct model *m, const struct op_count *op)
{
	struct sv name = model_cut_name(m, op->node->op);

	str_clear(out);
	str_add(out, utf8_cut(name, NAME_COLUMNS - 6));
	if (op->count > 1)
		str_format(out, " \u00d7%" PRIu32, op->count);
}

/* Each once and all of them: in the order of the dataflow. */
static bool name_in_a_row(struct str *out, const struct model *m, const struct op_counts *ops)
{
	for (size_t i = 0; i < ops->len; i++) {
		if (ops->at[i].count > 1 || ops->len > IN_A_ROW)
			return false;
		str_text(out, i ? "\u00b7" : "");
		str_add(out, model_cut_name(m, ops->at[i].node->op));
	}
	return utf8_width(str_sv(out)) <= NAME_COLUMNS;
}

void block_name(struct str *out, const struct sequence *q, const struct block *b)
{
	const struct model *m = q->f->s->model;
	struct op_counts ops = {0};
	struct str word = {0};
	bool fits = true;
	size_t named = 0;

	ops_count(&ops, q, b);
	if (!name_in_a_row(out, m, &ops)) {
		str_clear(out);
		for (uint32_t rank = 0; rank < NAME_RANKS; rank++) {
			for (size_t i = 0; i < ops.len; i++) {
				if (ops.at[i].rank != rank)
					continue;
				op_print(&word, m, &ops.at[i]);
				fits &= name_add(out, str_sv(&word), ++named == ops.len);
			}
		}
		str_text(out, fits ? "" : ", \u2026");
	}
	str_release(&word);
	vec_release(&ops);
}
