/*
 * Graphs by name.  A body is named by its path (3.body, 3.body/0.then_branch) or by its node
 * (/loop/Loop.body); a function by its name, with or without the domain.  The name of a node
 * also works if the node has one body.
 */
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "export/sheet/sheet.h"
#include "ir/graph.h"

enum {
	NAMED_MAX = 6 /* graphs listed in a message */
};

static void sheet_graph_add_part(struct str *out, const char *between, struct sv part)
{
	str_text(out, part.len ? between : "");
	str_add(out, part);
}

/* The nth spelling of a name; false when there are no more. */
static bool sheet_graph_spell(const struct model *m, uint32_t graph, unsigned nth, struct str *out)
{
	const struct graph *g = &m->graphs.at[graph];

	str_clear(out);
	if (nth == 0) {
		graph_path(out, m, graph);
	} else if (g->kind == GRAPH_FUNCTION && nth <= 2) {
		const struct function *f = &m->functions.at[g->slot];

		if (nth == 1) {
			str_add(out, model_name(m, f->domain));
			str_char(out, '.');
		}
		str_add(out, model_name(m, f->name));
		sheet_graph_add_part(out, ":", model_name(m, f->overload));
	} else if (g->kind == GRAPH_BODY && nth <= 2) {
		struct sv owner = model_name(m, m->nodes.at[g->owner].name);

		/* Of a list of bodies, only the first has this spelling. */
		if (!owner.len || (g->slot && nth == 1))
			return true;
		str_add(out, owner);
		if (nth == 1)
			sheet_graph_add_part(out, ".", model_name(m, g->role));
	} else {
		return false;
	}
	return true;
}

static uint32_t sheet_graph_spelled(const struct model *m, struct sv name, unsigned nth,
				    bool *out_several)
{
	struct str have = {0};
	uint32_t found = 0;

	*out_several = false;
	for (uint32_t i = 1; i < m->graphs.len; i++) {
		if (!sheet_graph_spell(m, i, nth, &have) || !sv_eq(str_sv(&have), name))
			continue;
		*out_several = found != 0;
		found = i;
		if (*out_several)
			break;
	}
	str_release(&have);
	return found;
}

static void list_graphs(const struct model *m, struct str *out)
{
	struct str path = {0};

	for (uint32_t i = 1; i < m->graphs.len && i <= NAMED_MAX; i++) {
		str_clear(&path);
		graph_path(&path, m, i);
		str_text(out, i > 1 ? ", " : "; it has ");
		str_add_shown(out, str_sv(&path));
	}
	str_text(out, m->graphs.len - 1 > NAMED_MAX ? ", \u2026" : "");
	str_release(&path);
}

static bool no_graph(const struct model *m, struct sv name, bool several, struct err *err)
{
	struct str list = {0};
	bool none = m->graphs.len <= 1;

	list_graphs(m, &list);
	(void)err_set(err, ERR_USAGE, "%s '%.*s'%s%s",
		      several ? "the model has more than one graph" : "the model has no graph",
		      (int)MIN(name.len, 200), name.at, none ? ", only the main graph" : "",
		      str_c(&list));
	str_release(&list);
	return false;
}

bool sheet_find_graph(const struct model *m, struct sv name, uint32_t *out, struct err *err)
{
	bool several = false;
	uint32_t found = 0;

	for (unsigned nth = 0; nth < 3 && !found && !several; nth++)
		found = sheet_graph_spelled(m, name, nth, &several);
	if (!found || several)
		return no_graph(m, name, several, err);
	*out = found;
	return true;
}
