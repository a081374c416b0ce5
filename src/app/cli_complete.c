#include "app/cli_complete.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "app/cli_export.h"
#include "app/demo.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "export/formats.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "layout/scope/scope.h"
#include "wire/wire.h"

struct asking {
	const struct grammar *grammar; /* borrowed */
	const struct command *command; /* borrowed */
	const struct option *open;     /* borrowed: the option that needs a value; NULL for none */
	const char *path;              /* borrowed: the first model named */
	bool demo;
	bool only_words; /* "--" was seen */
	size_t given;    /* words that are not options; --demo counts as the model */
	struct sv head;  /* of the last word: the part that is kept */
	struct sv prefix;
};

/* Shells print candidates verbatim, one per line, so names with control characters are left out. */
static void candidates_offer(const struct asking *a, struct sv word, const char *help)
{
	struct str whole = {0}, shown = {0};

	str_add(&whole, a->head);
	str_add(&whole, word);
	str_add_shown(&shown, str_sv(&whole));
	if (word.len && sv_starts(word, a->prefix) && sv_eq(str_sv(&whole), str_sv(&shown)))
		printf("%s%s%s\n", str_c(&shown), help ? "\t" : "", help ? help : "");
	str_release(&whole);
	str_release(&shown);
}

/* Keeps everything up to the last `c`. */
static bool candidates_split_at(struct asking *a, char c)
{
	size_t len = a->prefix.len;

	while (len && a->prefix.at[len - 1] != c)
		len--;
	a->head.len += len;
	a->prefix = sv_skip(a->prefix, len);
	return len != 0;
}

/* ---- files ---- */

static void offer_entry(const struct asking *a, const char *folder, const char *name, bool models)
{
	size_t slash = a->prefix.len;
	struct str path = {0}, word = {0};
	struct stat status;
	bool is_folder;

	while (slash && a->prefix.at[slash - 1] != '/')
		slash--;
	str_format(&path, "%s%s", folder, name);
	is_folder = stat(str_c(&path), &status) == 0 && S_ISDIR(status.st_mode);
	str_add(&word, (struct sv){a->prefix.at, slash});
	str_format(&word, "%s%s", name, is_folder ? "/" : "");
	if ((name[0] != '.' || (slash < a->prefix.len && a->prefix.at[slash] == '.')) &&
	    strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	    (is_folder || !models || sv_ends(sv_of(name), SV(".onnx"))))
		candidates_offer(a, str_sv(&word), NULL);
	str_release(&path);
	str_release(&word);
}

static void offer_files(const struct asking *a, bool models)
{
	size_t slash = a->prefix.len;
	struct str folder = {0};
	struct dirent *entry;
	DIR *dir;

	while (slash && a->prefix.at[slash - 1] != '/')
		slash--;
	str_add(&folder, slash ? (struct sv){a->prefix.at, slash} : SV("./"));
	dir = opendir(str_c(&folder));
	while (dir && (entry = readdir(dir)))
		offer_entry(a, str_c(&folder), entry->d_name, models);
	if (dir)
		closedir(dir);
	str_release(&folder);
}

static void add_models(struct asking *a)
{
	offer_files(a, true);
}

/* Offers a file name for each format. */
static void offer_exports(const struct asking *a)
{
	struct str name = {0};

	for (int i = 0; i < FORMAT_COUNT; i++) {
		export_file_name(&name, a->demo ? "demo" : a->path, format_row((enum format_id)i));
		candidates_offer(a, str_sv(&name), NULL);
		str_clear(&name);
	}
	str_release(&name);
}

static void candidates_add_files(struct asking *a)
{
	bool output = a->open == &a->grammar->options[OPTION_OUTPUT];
	bool formats = a->command->options >> OPTION_FORMAT & 1;

	if (output && formats && (a->path || a->demo))
		offer_exports(a);
	offer_files(a, false);
}

/* ---- names in a model ---- */

/* Only a regular file: a pipe or standard input must be left for its reader. */
static bool open_named(const struct asking *a, struct wire *w)
{
	struct stat status;
	struct err err;

	if (a->demo)
		return wire_open_memory(w, "demo", demo_model, demo_model_size, &err);
	return a->path && stat(a->path, &status) == 0 && S_ISREG(status.st_mode) &&
	       wire_open(w, a->path, &err);
}

static void offer_symbols(const struct asking *a, const struct model *m, const char *after)
{
	struct symbol_counts symbols = {0};

	model_symbols(m, &symbols);
	for (size_t i = 0; i < symbols.len; i++) {
		struct str word = {0};

		str_add(&word, model_name(m, symbols.at[i].name));
		str_text(&word, after);
		candidates_offer(a, str_sv(&word), NULL);
		str_release(&word);
	}
	vec_release(&symbols);
}

/* input:0 and output:1, followed by `after`; only inputs on request. */
static void offer_axes(const struct asking *a, const struct model *m, const char *after,
		       bool inputs)
{
	for (uint32_t id = 1; m->graphs.len && id < m->values.len; id++) {
		const struct value *v = &m->values.at[id];
		const struct type *type = &m->claims.at[v->first_claim].type;

		if (v->graph != 0 || !v->first_claim ||
		    !(v->flags & (inputs ? VALUE_INPUT : VALUE_INPUT | VALUE_OUTPUT)))
			continue;
		for (uint32_t i = 0; i < type->rank; i++) {
			struct str word = {0};

			str_add(&word, model_name(m, v->name));
			str_format(&word, ":%" PRIu32 "%s", i, after);
			candidates_offer(a, str_sv(&word), NULL);
			str_release(&word);
		}
	}
}

static void candidates_add_names(struct asking *a)
{
	struct wire w;

	if (strchr(a->prefix.at, '=') || !open_named(a, &w))
		return;
	offer_symbols(a, &w.model, "=");
	wire_release(&w);
}

/* After an equals sign a name, before it what can be set. */
static void offer_edits(struct asking *a, bool symbols)
{
	struct wire w;

	if (!open_named(a, &w))
		return;
	if (candidates_split_at(a, '=')) {
		offer_symbols(a, &w.model, "");
	} else {
		offer_axes(a, &w.model, "=", false);
		if (symbols)
			offer_symbols(a, &w.model, "=");
	}
	wire_release(&w);
}

static void candidates_add_edits(struct asking *a)
{
	offer_edits(a, true);
}

static void add_expectations(struct asking *a)
{
	offer_edits(a, false);
}

static void candidates_add_axes(struct asking *a)
{
	struct wire w;

	if (!open_named(a, &w))
		return;
	offer_axes(a, &w.model, "", true);
	wire_release(&w);
}

/* A tensor's name; its axes only after a colon, to keep the list short. */
static void offer_tensor(const struct asking *a, const struct infer *in, uint32_t id)
{
	const struct value *v = &in->model->values.at[id];
	struct str word = {0};

	graph_path(&word, in->model, v->graph);
	str_text(&word, word.len ? "/" : "");
	str_add(&word, model_name(in->model, v->name));
	candidates_offer(a, v->name ? str_sv(&word) : SV(""), NULL);
	str_char(&word, ':');
	for (uint32_t i = 0;
	     sv_starts(a->prefix, str_sv(&word)) && in->infos[id].ranked && i < in->infos[id].rank;
	     i++) {
		struct str axis = {0};

		str_format(&axis, "%s%" PRIu32, str_c(&word), i);
		candidates_offer(a, str_sv(&axis), NULL);
		str_release(&axis);
	}
	str_release(&word);
}

static void candidates_add_tensors(struct asking *a)
{
	struct infer in;
	struct wire w;

	if (!open_named(a, &w))
		return;
	infer_run(&in, &w.model, (struct infer_options){0});
	for (uint32_t id = 1; id < w.model.values.len; id++)
		offer_tensor(a, &in, id);
	infer_release(&in);
	wire_release(&w);
}

static void candidates_add_nodes(struct asking *a)
{
	struct wire w;

	if (!open_named(a, &w))
		return;
	for (size_t i = 0; i < w.model.graphs.at[0].nodes.len; i++) {
		const struct node *n = &w.model.nodes.at[w.model.graphs.at[0].nodes.at[i]];

		if (n->name)
			candidates_offer(a, model_name(&w.model, n->name), NULL);
	}
	wire_release(&w);
}

/* The scopes that are folded on the screen, /encoder/layer.0. */
static void candidates_add_scopes(struct asking *a)
{
	struct scopes scopes;
	struct wire w;

	if (!open_named(a, &w))
		return;
	scopes_find(&scopes, &w.model, 0);
	for (uint32_t i = 1; i < scopes.count; i++) {
		struct str path = {0};

		scope_path(&path, &scopes, i);
		if (scopes.at[i].kind == SCOPE_NAME)
			candidates_offer(a, str_sv(&path), NULL);
		str_release(&path);
	}
	scopes_release(&scopes);
	wire_release(&w);
}

/* ---- words of the program itself ---- */

static void candidates_add_commands(struct asking *a)
{
	for (size_t i = 0; i < a->grammar->command_count; i++)
		candidates_offer(a, sv_of(a->grammar->commands[i].name),
				 a->grammar->commands[i].help);
}

static void add_levels(struct asking *a)
{
	candidates_split_at(a, ',');
	for (int i = 0; i < LEVEL_COUNT; i++)
		candidates_offer(a, sv_of(level_info((enum level)i)->name), NULL);
}

static void candidates_add_options(const struct asking *a, uint64_t which)
{
	for (size_t i = 0; i < a->grammar->option_count; i++) {
		struct str word = {0};

		str_format(&word, "--%s%s", a->grammar->options[i].name,
			   a->grammar->options[i].value ? "=" : "");
		if (which >> i & 1)
			candidates_offer(a, str_sv(&word), a->grammar->options[i].help);
		str_release(&word);
	}
}

/* ---- by kind of argument ---- */

typedef void add_words(struct asking *a);

static void add_formats(struct asking *a)
{
	for (int i = 0; i < FORMAT_COUNT; i++)
		candidates_offer(a, sv_of(format_row((enum format_id)i)->name), NULL);
}

/* By its name in a usage; covers all of commands.def and options.def. */
static const struct {
	const char *name;
	add_words *add;
	const char *choices[8];
} candidates_kinds[] = {
	{"MODEL", add_models, {0}},
	{"A", add_models, {0}},
	{"B", add_models, {0}},
	{"TENSOR", candidates_add_tensors, {0}},
	{"EDIT", candidates_add_edits, {0}},
	{"AXIS", candidates_add_axes, {0}},
	{"RECIPE", candidates_add_files, {0}},
	{"COMMAND", candidates_add_commands, {0}},
	{"FILE", candidates_add_files, {0}},
	{"NAME=N", candidates_add_names, {0}},
	{"NAME=MIN,OPT,MAX", candidates_add_names, {0}},
	{"TENSOR:AXIS=DIM", add_expectations, {0}},
	{"LEVELS", add_levels, {0}},
	{"POLICY", NULL, {"keep", "refresh", "all", "strip"}},
	{"TOOL", NULL, {"torch", "onnxruntime", "tensorrt", "triton", "openvino"}},
	{"WHEN", NULL, {"auto", "always", "never"}},
	{"N", NULL, {"2", "4", "8"}},
	{"K", NULL, {"1", "2", "3"}},
	{"NODE", candidates_add_nodes, {0}},
	{"PATH", candidates_add_scopes, {0}},
	{"NAME", NULL, {"axed", "dot"}},
	{"FORMAT", add_formats, {0}},
	{"SECONDS", NULL, {"10", "60"}},
};

static void candidates_add_kind(struct asking *a, struct sv kind)
{
	for (size_t i = 0; i < ARRAY_LEN(candidates_kinds); i++) {
		if (!sv_is(kind, candidates_kinds[i].name))
			continue;
		if (candidates_kinds[i].add)
			candidates_kinds[i].add(a);
		for (size_t k = 0;
		     k < ARRAY_LEN(candidates_kinds[i].choices) && candidates_kinds[i].choices[k];
		     k++)
			candidates_offer(a, sv_of(candidates_kinds[i].choices[k]), NULL);
	}
}

/* Word `place` of `MODEL [TENSOR...] -o OUT` without brackets; one with dots repeats. */
static struct sv usage_word(const char *usage, size_t place)
{
	while (*usage) {
		size_t len = strcspn(usage, " "), start = usage[0] == '[';
		struct sv word = {usage + start,
				  strspn(usage + start, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")};

		if (word.len == 0)
			break;
		if (place-- == 0 || memchr(usage, '.', len))
			return word;
		usage += len + (usage[len] == ' ');
	}
	return (struct sv){"", 0};
}

static const struct option *find_option(const struct grammar *g, const char *word)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < g->option_count; i++) {
		const struct option *o = &g->options[i];

		if (word[1] == '-' ? sv_is((struct sv){word + 2, len - 2}, o->name)
				   : o->letter && word[len - 1] == o->letter)
			return o;
	}
	return NULL;
}

/* One of the words before the last. */
static void candidates_read_word(struct asking *a, const char *word)
{
	if (a->open) {
		a->open = NULL;
	} else if (!a->only_words && strcmp(word, "--") == 0) {
		a->only_words = true;
	} else if (!a->only_words && word[0] == '-' && word[1]) {
		const struct option *o = find_option(a->grammar, word);

		a->open = o && o->value && !strchr(word, '=') ? o : NULL;
		if (o == &a->grammar->options[OPTION_DEMO]) {
			a->demo = true;
			a->given++;
		}
	} else if (a->given++ == 0) {
		a->path = word;
	}
}

static void candidates_answer(struct asking *a, const char *last)
{
	bool is_option = !a->only_words && last[0] == '-';

	a->head = (struct sv){last, 0};
	a->prefix = sv_of(last);
	if (!a->open && is_option && last[1] == '-' && strchr(last, '=')) {
		size_t len = strcspn(last, "=") + 1;

		a->open = find_option(a->grammar, last);
		a->head.len = len;
		a->prefix = sv_skip(a->prefix, len);
	}
	if (a->open)
		candidates_add_kind(a, sv_of(a->open->value ? a->open->value : ""));
	else if (is_option)
		candidates_add_options(a, a->command->options);
	else
		candidates_add_kind(a, usage_word(a->command->usage, a->given));
}

void print_candidates(const struct grammar *g, int count, char **words)
{
	struct asking a = {.grammar = g};
	const char *last = count ? words[count - 1] : "";

	a.command = count > 1 ? args_command(g, words[0]) : NULL;
	for (int i = a.command ? 1 : 0; i + 1 < count; i++)
		candidates_read_word(&a, words[i]);
	if (count < 2) {
		a.head = (struct sv){last, 0};
		a.prefix = sv_of(last);
		candidates_add_commands(&a);
		candidates_offer(&a, SV("--version"), g->options[OPTION_VERSION].help);
	}
	/* A first word that is not a command is a model to open. */
	if (!a.command)
		a.command = &g->commands[COMMAND_edit];
	candidates_answer(&a, last);
}
