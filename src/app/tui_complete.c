/*
 * Completion at the cursor: commands first, then what the command takes.
 */
#include <dirent.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli_export.h"
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "export/formats.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ui/prompt.h"
#include "ui/screen.h"

struct completing {
	struct session *session; /* borrowed */
	struct completions *out; /* borrowed */
	struct sv prefix;
	const struct line_kind *kind; /* borrowed: of the line; NULL for an unknown one */
};

static void complete_line_names(struct completing *c)
{
	for (size_t i = 0; i < line_kind_count; i++)
		completions_add(c->out, sv_of(line_kinds[i].name), c->prefix);
}

/* Names with control characters are left out: the line cannot show what it would run. */
static void complete_offer(struct completing *c, struct sv word)
{
	struct str shown = {0};

	if (!sv_starts(word, c->prefix))
		return;
	str_add_shown(&shown, word);
	if (sv_eq(word, str_sv(&shown)))
		completions_add(c->out, word, c->prefix);
	str_release(&shown);
}

/* input:0 and output:1, followed by `after`. */
static void complete_claimed(struct completing *c, uint32_t flags, const char *after)
{
	const struct model *m = &c->session->document.wire.model;

	for (uint32_t id = 1; id < m->values.len; id++) {
		const struct value *v = &m->values.at[id];
		const struct type *type = &m->claims.at[v->first_claim].type;

		if (v->graph != 0 || !v->first_claim || !(v->flags & flags))
			continue;
		for (uint32_t i = 0; i < type->rank; i++) {
			struct str word = {0};

			str_add(&word, model_name(m, v->name));
			str_format(&word, ":%" PRIu32 "%s", i, after);
			complete_offer(c, str_sv(&word));
			str_release(&word);
		}
	}
}

void complete_axes(struct completing *c)
{
	complete_claimed(c, VALUE_INPUT, "");
}

/* Symbols: NAME after an equals sign, else NAME= */
static void complete_symbols(struct completing *c, const char *after)
{
	struct symbol_counts symbols = {0};

	model_symbols(&c->session->document.wire.model, &symbols);
	for (size_t i = 0; i < symbols.len; i++) {
		struct str word = {0};

		str_add(&word, model_name(&c->session->document.wire.model, symbols.at[i].name));
		str_text(&word, after);
		complete_offer(c, str_sv(&word));
		str_release(&word);
	}
	vec_release(&symbols);
}

void complete_edits(struct completing *c)
{
	size_t equals = c->prefix.len;

	while (equals && c->prefix.at[equals - 1] != '=')
		equals--;
	if (equals) {
		c->out->from += equals;
		c->prefix = sv_skip(c->prefix, equals);
		complete_symbols(c, "");
		return;
	}
	complete_claimed(c, VALUE_INPUT | VALUE_OUTPUT, "=");
	complete_symbols(c, "=");
}

void complete_sizes(struct completing *c)
{
	complete_symbols(c, "=");
}

void complete_names(struct completing *c)
{
	const struct model *m = &c->session->document.wire.model;

	for (uint32_t i = 1; i < m->nodes.len; i++)
		complete_offer(c, model_name(m, m->nodes.at[i].name));
	for (uint32_t i = 1; i < m->values.len; i++)
		complete_offer(c, model_name(m, m->values.at[i].name));
}

/* Hidden files only after a dot. */
static void complete_entry(struct completing *c, const char *folder, size_t slash, const char *name)
{
	struct str path = {0}, word = {0};
	struct stat status;

	str_format(&path, "%s%s", folder, name);
	str_add(&word, (struct sv){c->prefix.at, slash});
	str_text(&word, name);
	if (stat(str_c(&path), &status) == 0 && S_ISDIR(status.st_mode))
		str_char(&word, '/');
	if ((name[0] != '.' || (slash < c->prefix.len && c->prefix.at[slash] == '.')) &&
	    strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
		complete_offer(c, str_sv(&word));
	str_release(&path);
	str_release(&word);
}

void complete_files(struct completing *c)
{
	size_t slash = c->prefix.len;
	struct str folder = {0};
	struct dirent *entry;
	DIR *dir;

	while (slash && c->prefix.at[slash - 1] != '/')
		slash--;
	str_add(&folder, slash ? (struct sv){c->prefix.at, slash} : SV("./"));
	dir = opendir(str_c(&folder));
	while (dir && (entry = readdir(dir)))
		complete_entry(c, str_c(&folder), slash, entry->d_name);
	if (dir)
		closedir(dir);
	str_release(&folder);
}

/* Existing files, and a file name for each format. */
void complete_exports(struct completing *c)
{
	struct str name = {0};

	for (int i = 0; i < FORMAT_COUNT; i++) {
		export_file_name(&name, str_c(&c->session->document.wire.path),
				 format_row((enum format_id)i));
		completions_add(c->out, str_sv(&name), c->prefix);
		str_clear(&name);
	}
	str_release(&name);
	complete_files(c);
}

/* The words of a usage such as `in|out|default`. */
static void complete_choices(struct completing *c, const char *usage)
{
	struct sv rest = sv_of(usage);

	while (rest.len) {
		size_t len = strcspn(rest.at, "| [");
		struct sv word = {rest.at, MIN(len, rest.len)};

		if (word.len && word.at[0] >= 'a' && word.at[0] <= 'z')
			completions_add(c->out, word, c->prefix);
		rest = sv_skip(rest, MIN(len + 1, rest.len));
	}
}

void complete_panes(struct completing *c)
{
	for (int i = 0; i < PANE_COUNT; i++)
		completions_add(c->out, sv_of(pane_row((enum pane_id)i)->name), c->prefix);
}

void complete_themes(struct completing *c)
{
	complete_choices(c, "dark|light|mono|safe");
}

void complete_options(struct completing *c)
{
	complete_choices(c, "mouse|ascii|on|off");
}

void complete_usage(struct completing *c)
{
	complete_choices(c, c->kind->usage);
}

void session_complete(struct session *s, struct completions *out)
{
	const struct prompt *p = &s->screen.prompt;
	struct sv text = {str_c(&p->text), p->cursor};
	size_t start = text.len, first = 0;
	struct completing c = {.session = s, .out = out};

	while (start && text.at[start - 1] != ' ')
		start--;
	out->from = start;
	c.prefix = sv_skip(text, start);
	while (first < text.len && text.at[first] != ' ')
		first++;
	c.kind = line_kind_named((struct sv){text.at, first});
	if (p->kind == '/')
		complete_names(&c);
	else if (start == 0)
		complete_line_names(&c);
	else if (c.kind)
		c.kind->complete(&c);
	completions_sort(out);
}
