#include "ir/place.h"

#include "base/err.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/words.h"

static uint32_t graph_called(const struct model *m, struct sv path)
{
	struct str have = {0};
	uint32_t found = UINT32_MAX;

	for (uint32_t i = 0; i < m->graphs.len && found == UINT32_MAX; i++) {
		str_clear(&have);
		graph_path(&have, m, i);
		if (sv_eq(str_sv(&have), path))
			found = i;
	}
	str_release(&have);
	return found;
}

/* A tensor of the main graph, or GRAPH/TENSOR at any slash. */
static uint32_t find_tensor(const struct model *m, struct sv text)
{
	uint32_t value = model_find(m, 0, text);

	for (size_t i = text.len; !value && i-- > 1;) {
		uint32_t graph;

		if (text.at[i] != '/')
			continue;
		graph = graph_called(m, (struct sv){text.at, i});
		if (graph != UINT32_MAX)
			value = model_find(m, graph, sv_skip(text, i + 1));
	}
	return value;
}

static uint32_t nearest_tensor(const struct model *m, struct sv text)
{
	struct nearest near;

	nearest_begin(&near, text);
	for (uint32_t v = 1; v < m->values.len; v++)
		nearest_offer(&near, model_name(m, m->values.at[v].name), v);
	return near.found ? (uint32_t)near.which : 0;
}

/* Suggestions are valid input: a tensor of another graph gets its path. */
static bool no_tensor(const struct model *m, struct sv text, struct err *err)
{
	uint32_t near = nearest_tensor(m, text);
	struct str name = {0};

	if (near) {
		graph_path(&name, m, m->values.at[near].graph);
		str_text(&name, name.len ? "/" : "");
		str_add(&name, model_name(m, m->values.at[near].name));
	}
	err_set(err, ERR_USAGE, "there is no tensor '%.*s'", (int)MIN(text.len, 200), text.at);
	nearest_suggest(err, str_sv(&name));
	str_release(&name);
	return false;
}

/* A tensor called `x`, quotes included, comes before one called x. */
static uint32_t find_quoted_tensor(const struct model *m, struct sv text)
{
	uint32_t value = find_tensor(m, text);
	struct str name = {0};

	if (!value && name_unquote(&name, text))
		value = find_tensor(m, str_sv(&name));
	str_release(&name);
	return value;
}

static bool place_find_bare(const struct model *m, struct sv text, struct place *out,
			    struct err *err)
{
	struct sv left, number;
	int64_t axis;

	*out = (struct place){.value = find_quoted_tensor(m, text)};
	if (out->value)
		return true;
	if (!sv_split_last(text, ':', &left, &number) || !sv_int(number, &axis))
		return no_tensor(m, text, err);
	out->value = find_quoted_tensor(m, left);
	out->has_axis = true;
	out->axis = axis;
	return out->value || no_tensor(m, left, err);
}

bool place_find(const struct model *m, struct sv text, struct place *out, struct err *err)
{
	struct str name = {0};
	bool ok = place_find_bare(m, text, out, err);

	/* An anonymous dim is the symbol `x:0`. */
	if (!ok && name_unquote(&name, text))
		ok = place_find_bare(m, str_sv(&name), out, err);
	str_release(&name);
	return ok;
}
