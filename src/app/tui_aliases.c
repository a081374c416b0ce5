#include "app/tui_aliases.h"

#include "app/tui_lines.h"

static struct alias *alias_find(const struct aliases *a, struct sv name)
{
	for (size_t i = 0; i < a->list.len; i++) {
		if (sv_eq(str_sv(&a->list.at[i].name), name))
			return &a->list.at[i];
	}
	return NULL;
}

bool alias_set(struct aliases *a, struct sv name, struct sv line, struct err *err)
{
	struct alias *found = alias_find(a, name);

	if (line_kind_named(name))
		return err_set(err, ERR_USAGE, "%.*s is a command already", (int)MIN(name.len, 50),
			       name.at);
	if (name.len == 0 || sv_has(name, ' '))
		return err_set(err, ERR_USAGE, "an alias is one word");
	if (!found) {
		found = vec_add(&a->list);
		str_add(&found->name, name);
	}
	str_clear(&found->line);
	str_add(&found->line, line);
	return true;
}

bool alias_expand(const struct aliases *a, struct sv line, struct str *out)
{
	struct sv rest = sv_trim(line), name = sv_cut(&rest, ' ');
	const struct alias *found = alias_find(a, name);

	if (!found)
		return false;
	str_add(out, str_sv(&found->line));
	str_text(out, rest.len ? " " : "");
	str_add(out, rest);
	return true;
}

void aliases_release(struct aliases *a)
{
	for (size_t i = 0; i < a->list.len; i++) {
		str_release(&a->list.at[i].name);
		str_release(&a->list.at[i].line);
	}
	vec_release(&a->list);
}
