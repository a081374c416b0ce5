#include "layout/scope/title.h"

#include <inttypes.h>

#include "base/sv.h"
#include "base/utf8.h"
#include "ir/graph.h"

enum {
	NAME_MAX = 32, /* columns */
	REPEAT_MAX = 20,
	LAST_MAX = 12,
	BYTES_MAX = 400 /* of a name, at most */
};

static void title_add_tail(struct str *out, struct sv name, size_t columns)
{
	if (name.len > BYTES_MAX)
		name = sv_skip(name, name.len - BYTES_MAX);
	str_add_shown(out, utf8_tail(name, columns));
}

const char *scope_mark(const struct scope *scope)
{
	bool many = scope->kind == SCOPE_REPEAT || scope->kind == SCOPE_FAN;

	return many ? "\u2261 " : "\u25b8 ";
}

/* layers.1…11 */
static void title_add_repeat(const struct scopes *s, const struct scope *scope, struct str *out)
{
	struct sv first = scope->name, last = first;

	if (scope->made) {
		str_add_shown(out, first);
		return;
	}
	for (uint32_t i = scope->first_child; i; i = s->at[i].next)
		last = s->at[i].name;
	title_add_tail(out, first, REPEAT_MAX);
	if (scope->child_count < 2)
		return;
	str_text(out, "\u2026");
	title_add_tail(out, sv_skip(last, sv_same_start(first, last)), LAST_MAX);
}

void scope_title(const struct scopes *s, uint32_t id, struct str *out)
{
	const struct scope *scope = &s->at[id];
	const struct model *m = s->model;

	switch (scope->kind) {
	case SCOPE_NAME:
		if (scope->made)
			str_add_shown(out, scope->name);
		else
			title_add_tail(out, scope->name, NAME_MAX);
		break;
	case SCOPE_REPEAT:
		title_add_repeat(s, scope, out);
		break;
	case SCOPE_SHAPES:
	case SCOPE_GROUP:
	case SCOPE_FAN:
		str_add_shown(out, model_cut_name(m, m->nodes.at[scope->node].op));
		break;
	case SCOPE_KIND_COUNT:
		break;
	}
}

void scope_title_more(const struct scopes *s, uint32_t id, struct str *out)
{
	const struct scope *scope = &s->at[id];
	struct sv like = s->at[scope->like].name;
	size_t same = sv_same_start(scope->name, like);

	if (scope->kind == SCOPE_FAN)
		str_format(out, "\u00d7%" PRIu32, scope->node_count);
	else if (scope->kind != SCOPE_REPEAT && !scope_counts(scope))
		str_count(out, scope->node_count);
	else if (scope->kind == SCOPE_REPEAT && scope->made)
		str_format(out, "\u00d7%" PRIu32 " more", scope->child_count);
	if (scope->kind != SCOPE_REPEAT || scope->made)
		return;
	/* From where the names differ: ".0". */
	same -= same && like.at[same - 1] == '.';
	str_format(out, "\u00d7%" PRIu32 ", like ", scope->child_count);
	title_add_tail(out, sv_skip(like, same), LAST_MAX);
}

uint32_t scope_title_node(const struct scopes *s, uint32_t id)
{
	return s->at[id].kind == SCOPE_SHAPES ? s->at[id].node : 0;
}
