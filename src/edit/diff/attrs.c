/*
 * Attributes of two nodes, paired by name.
 */
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/diff/internal.h"
#include "ir/graph.h"
#include "ir/text.h"
#include "ir/type.h"
#include "ops/property.h"

void compare_sparse(struct comparison *c, enum difference_kind kind, struct sv name,
		    const char *what, const struct sparse *a, const struct sparse *b)
{
	struct str before = {0}, after = {0};

	for (uint32_t i = 0; i < a->rank && before.len <= COMPARE_TEXT; i++)
		str_format(&before, "%" PRId64 " ", a->dims[i]);
	for (uint32_t i = 0; i < b->rank && after.len <= COMPARE_TEXT; i++)
		str_format(&after, "%" PRId64 " ", b->dims[i]);
	compare_texts(c, kind, name, "dims", str_sv(&before), str_sv(&after));
	compare_tensors(c, kind, name, what, &c->a.m->tensors.at[a->values],
			&c->b.m->tensors.at[b->values]);
	compare_tensors(c, kind, name, "indices", &c->a.m->tensors.at[a->indices],
			&c->b.m->tensors.at[b->indices]);
	str_release(&before);
	str_release(&after);
}

/* Of one pair of nodes. */
struct place {
	enum difference_kind kind;
	struct sv name;
	struct str what;
};

static void attrs_diff_tell_attr(struct comparison *c, struct place *p, const struct attr *a,
				 const struct attr *b)
{
	struct str before = {0}, after = {0};

	if (a)
		attr_print(&before, c->a.m, a, &compare_limits);
	if (b)
		attr_print(&after, c->b.m, b, &compare_limits);
	compare_tell(c, (struct telling){p->kind, p->name, str_c(&p->what), a ? &before : NULL,
					 b ? &after : NULL});
	str_release(&before);
	str_release(&after);
}

/* Lists of anything but numbers, up to the shorter one; a single item is a list of one. */
static void compare_many(struct comparison *c, struct place *p, const struct attr *a,
			 const struct attr *b)
{
	if (a->count != b->count)
		attrs_diff_tell_attr(c, p, a, b);
	for (uint32_t i = 0; i < MIN(a->count, b->count); i++) {
		struct str before = {0}, after = {0};

		if (a->kind == ATTR_GRAPHS)
			match_bodies(c, a->graphs[i], b->graphs[i]);
		if (a->kind == ATTR_TENSORS)
			compare_tensors(c, p->kind, p->name, str_c(&p->what),
					&c->a.m->tensors.at[a->tensors[i]],
					&c->b.m->tensors.at[b->tensors[i]]);
		if (a->kind == ATTR_SPARSE || a->kind == ATTR_SPARSES)
			compare_sparse(c, p->kind, p->name, str_c(&p->what), &a->sparses[i],
				       &b->sparses[i]);
		if (a->kind == ATTR_TYPE || a->kind == ATTR_TYPES) {
			type_print(&before, &a->types[i], &c->a.m->names);
			type_print(&after, &b->types[i], &c->b.m->names);
			compare_texts(c, p->kind, p->name, str_c(&p->what), str_sv(&before),
				      str_sv(&after));
		}
		str_release(&before);
		str_release(&after);
	}
}

/* Both have the same kind. */
static void compare_attr(struct comparison *c, struct place *p, const struct attr *a,
			 const struct attr *b)
{
	bool same = true;

	switch (a->kind) {
	case ATTR_FLOAT:
		same = memcmp(&a->f, &b->f, sizeof(a->f)) == 0;
		break;
	case ATTR_INT:
		same = a->i == b->i;
		break;
	case ATTR_STRING:
		same = a->text_len == b->text_len && sv_eq(a->text, b->text);
		break;
	case ATTR_TENSOR:
		compare_tensors(c, p->kind, p->name, str_c(&p->what),
				&c->a.m->tensors.at[a->tensor], &c->b.m->tensors.at[b->tensor]);
		break;
	case ATTR_GRAPH:
		same = !a->graph == !b->graph;
		match_bodies(c, a->graph, b->graph);
		break;
	case ATTR_FLOATS:
	case ATTR_INTS:
	case ATTR_STRINGS:
		compare_lists(c, p->kind, p->name, str_c(&p->what), a, b);
		break;
	case ATTR_SPARSE:
	case ATTR_TYPE:
	case ATTR_TENSORS:
	case ATTR_GRAPHS:
	case ATTR_SPARSES:
	case ATTR_TYPES:
		compare_many(c, p, a, b);
		break;
	case ATTR_UNDEFINED:
	case ATTR_KIND_COUNT:
		break;
	}
	if (!same)
		attrs_diff_tell_attr(c, p, a, b);
}

static void compare_given(struct comparison *c, struct place *p, const struct attr *a,
			  const struct attr *b)
{
	if (!b || a->kind != b->kind || c->a.name_tokens[a->ref] != c->b.name_tokens[b->ref])
		attrs_diff_tell_attr(c, p, a, b);
	else if (!a->ref)
		compare_attr(c, p, a, b);
}

static void place_at(struct place *p, const struct side *s, const struct attr *a)
{
	str_clear(&p->what);
	str_text(&p->what, p->kind == DIFFERENCE_CONSTANT ? "" : "attribute ");
	if (p->kind != DIFFERENCE_CONSTANT || a->kind != ATTR_TENSOR)
		str_add(&p->what, model_cut_name(s->m, a->name));
}

void compare_attrs(struct comparison *c, const struct node *a, const struct node *b)
{
	bool constant = op_is_constant(c->a.m, a) && a->output_count;
	struct place p = {.kind = constant ? DIFFERENCE_CONSTANT : DIFFERENCE_NODE};
	struct map places = {0};

	p.name = constant ? model_name(c->a.m, c->a.m->values.at[a->outputs[0]].name)
			  : compare_node_name(&c->a, a);
	for (uint32_t i = b->attr_count; i-- > 0;)
		*map_at(&places, c->b.name_tokens[b->attrs[i].name]) = i + 1;
	for (uint32_t i = 0; i < a->attr_count; i++) {
		uint32_t *place = map_find(&places, c->a.name_tokens[a->attrs[i].name]);

		place_at(&p, &c->a, &a->attrs[i]);
		if (place && !*place)
			continue; /* a duplicate name */
		compare_given(c, &p, &a->attrs[i], place ? &b->attrs[*place - 1] : NULL);
		*map_at(&places, c->a.name_tokens[a->attrs[i].name]) = 0;
	}
	for (uint32_t i = 0; i < b->attr_count; i++) {
		if (*map_find(&places, c->b.name_tokens[b->attrs[i].name]) != i + 1)
			continue;
		place_at(&p, &c->b, &b->attrs[i]);
		attrs_diff_tell_attr(c, &p, NULL, &b->attrs[i]);
	}
	map_release(&places);
	str_release(&p.what);
}
