/*
 * The list of differences: what the parts of a comparison add to it.
 */
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/diff/compare.h"
#include "edit/diff/internal.h"
#include "ir/graph.h"

void compare_cut(struct str *s)
{
	if (s->len <= COMPARE_TEXT)
		return;
	s->len = COMPARE_TEXT;
	/* Not in the middle of a character. */
	while (s->len > COMPARE_TEXT - 4 && ((unsigned char)s->at[s->len] & 0xc0) == 0x80)
		s->len--;
	s->at[s->len] = '\0';
	str_text(s, "…");
}

static struct sv compare_kept(struct comparison *c, struct sv text)
{
	struct str s = {0};
	struct sv out;

	str_add(&s, (struct sv){text.at, MIN(text.len, (size_t)COMPARE_TEXT + 1)});
	compare_cut(&s);
	out = arena_copy(&c->out->arena, str_sv(&s));
	str_release(&s);
	return out;
}

static struct sv path_here(struct comparison *c)
{
	struct sv *path = &c->paths[c->graph];
	struct str s = {0};

	if (!path->len && c->graph) {
		graph_path(&s, c->a.m, c->graph);
		*path = arena_copy(&c->out->arena, str_sv(&s));
		str_release(&s);
	}
	return *path;
}

void compare_tell(struct comparison *c, struct telling t)
{
	struct difference d = {
		.kind = t.kind, .has_before = t.before != NULL, .has_after = t.after != NULL};

	c->out->count++;
	if (++c->out->counts[t.kind] > COMPARE_MAX)
		return;
	d.graph = path_here(c);
	d.name = compare_kept(c, t.name);
	d.what = compare_kept(c, sv_of(t.what));
	if (t.before)
		d.before = compare_kept(c, str_sv(t.before));
	if (t.after)
		d.after = compare_kept(c, str_sv(t.after));
	vec_push(&c->out->lists[t.kind], d);
}

void compare_texts(struct comparison *c, enum difference_kind kind, struct sv name,
		   const char *what, struct sv before, struct sv after)
{
	struct str from = {0}, to = {0};

	if (sv_eq(before, after))
		return;
	str_add(&from, before);
	str_add(&to, after);
	compare_tell(c, (struct telling){kind, name, what, before.len ? &from : NULL,
					 after.len ? &to : NULL});
	str_release(&from);
	str_release(&to);
}

static void tell_entry(struct comparison *c, enum difference_kind kind, struct sv name,
		       struct sv key, const struct pair *a, const struct pair *b)
{
	struct str what = {0}, before = {0}, after = {0};

	if (a && b && a->value_len == b->value_len && sv_eq(a->value, b->value))
		return;
	str_text(&what, "metadata ");
	str_add(&what, key);
	if (a)
		str_add(&before, a->value);
	if (b)
		str_add(&after, b->value);
	compare_tell(c, (struct telling){kind, name, str_c(&what), a ? &before : NULL,
					 b ? &after : NULL});
	str_release(&what);
	str_release(&before);
	str_release(&after);
}

void compare_pairs(struct comparison *c, enum difference_kind kind, struct sv name,
		   const struct pair *a, uint32_t a_count, const struct pair *b, uint32_t b_count)
{
	struct map places = {0};

	for (uint32_t i = b_count; i-- > 0;)
		*map_at(&places, c->b.name_tokens[b[i].key]) = i + 1;
	for (uint32_t i = 0; i < a_count; i++) {
		uint32_t *place = map_find(&places, c->a.name_tokens[a[i].key]);

		if (place && !*place)
			continue; /* a duplicate key */
		tell_entry(c, kind, name, model_name(c->a.m, a[i].key), &a[i],
			   place ? &b[*place - 1] : NULL);
		*map_at(&places, c->a.name_tokens[a[i].key]) = 0;
	}
	for (uint32_t i = 0; i < b_count; i++) {
		if (*map_find(&places, c->b.name_tokens[b[i].key]) == i + 1)
			tell_entry(c, kind, name, model_name(c->b.m, b[i].key), NULL, &b[i]);
	}
	map_release(&places);
}

struct sv compare_node_name(const struct side *s, const struct node *n)
{
	if (n->name || !n->output_count)
		return model_name(s->m, n->name ? n->name : n->op);
	return model_name(s->m, s->m->values.at[n->outputs[0]].name);
}

void differences_release(struct differences *d)
{
	for (size_t i = 0; i < DIFFERENCE_KIND_COUNT; i++)
		vec_release(&d->lists[i]);
	arena_release(&d->arena);
}

#define KIND(id, name, heading) [DIFFERENCE_##id] = {name, heading},
static const struct {
	const char *name, *heading;
} difference_kinds[DIFFERENCE_KIND_COUNT] = {DIFFERENCE_KINDS(KIND)};
#undef KIND

const char *difference_kind_name(enum difference_kind kind)
{
	return difference_kinds[kind].name;
}

const char *difference_kind_heading(enum difference_kind kind)
{
	return difference_kinds[kind].heading;
}
