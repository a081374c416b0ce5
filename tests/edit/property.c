/*
 * Random edits, undo and redo, and their invariants:
 *
 *   after every step the document's inference equals that of a first run;
 *   a line that fails changes nothing;
 *   a saved file equals the document;
 *   undone to the start, a save gives the original bytes, and redo leads back.
 *
 * Arguments: [--seed N] [--steps N] [--trace 1] models.  A failure prints its seed and lines;
 * for a crash or a hang, --trace prints every line before it runs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "edit/document.h"
#include "edit/line.h"
#include "edit/write.h"
#include "infer/sentence.h"
#include "ir/dims.h"
#include "sym/text.h"
#include "tests/paths.h"
#include "tests/tap.h"
#include "tests/wire/dump.h"
#include "tests/wire/scratch.h"

enum {
	STEPS = 10000, /* of all models together */
	SAVE_EVERY = 17,
	RETURN_EVERY = 29,
	MAX_TOLD = 40 /* lines of history printed after a failure */
};

struct texts {
	struct str *at; /* owned */
	size_t len;
	size_t cap;
};

/* One model and its state at the start. */
struct trial {
	struct document document;
	struct str bytes; /* of the file */
	struct str first; /* dump of the model as opened */
	struct texts history;
	bool trace;
};

/* ---- dice ---- */

/* Fixed, so that failures are reproducible. */
static uint32_t state = 12345;

static uint32_t dice(size_t sides)
{
	state = state * 1664525 + 1013904223;
	return sides ? (state >> 8) % (uint32_t)sides : 0;
}

static const char *one_of(const char *const *words, size_t count)
{
	return words[dice(count)];
}

#define ONE_OF(words) one_of(words, ARRAY_LEN(words))

/* ---- texts ---- */

static void texts_release(struct texts *t)
{
	for (size_t i = 0; i < t->len; i++)
		str_release(&t->at[i]);
	vec_release(t);
}

static int by_text(const void *left, const void *right)
{
	return sv_compare(str_sv(left), str_sv(right));
}

static void add_sorted(struct str *s, struct texts *lines)
{
	if (lines->len)
		qsort(lines->at, lines->len, sizeof(*lines->at), by_text);
	for (size_t i = 0; i < lines->len; i++) {
		str_add(s, str_sv(&lines->at[i]));
		str_char(s, '\n');
	}
	texts_release(lines);
}

/* Generated symbols are numbered by their pool, and quoting depends on earlier names. */
static void add_plain(struct str *s, struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] != '`')
			str_char(s, text.at[i]);
		if (text.at[i] == '?') {
			while (i + 1 < text.len && text.at[i + 1] >= '0' && text.at[i + 1] <= '9')
				i++;
		}
	}
}

static bool same_text(const char *what, const struct str *have, const struct str *want)
{
	struct sv gone, new;

	if (sv_eq(str_sv(have), str_sv(want)))
		return true;
	dump_difference(str_sv(want), str_sv(have), &gone, &new);
	return CHECK_THAT(false, "%s: it is\n#   %.*s\n# and should be\n#   %.*s", what,
			  (int)MIN(new.len, 600), new.at, (int)MIN(gone.len, 600), gone.at);
}

/* ---- a model as text ---- */

static void dump_shardings(struct str *s, const struct model *m, const struct node *n)
{
	for (uint32_t i = 0; i < n->sharding_count; i++) {
		for (uint32_t k = 0; k < n->shardings[i].count; k++) {
			const struct dim *d = &n->shardings[i].dims[k].dim;

			str_format(s, " %d %d ", (int)d->kind,
				   d->kind == DIM_VALUE ? (int)d->value : 0);
			str_add(s, model_name(m, d->kind == DIM_PARAM ? d->param : 0));
		}
	}
	str_char(s, '\n');
}

/* A claim without a type says nothing; order matters only for inputs. */
static void dump_claims(struct str *s, const struct model *m, const struct graph *g)
{
	struct texts lines = {0};

	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];

		if (c->type.kind == TYPE_NONE && c->kind == CLAIM_VALUE_INFO)
			continue;
		dump_claim(c->kind == CLAIM_VALUE_INFO ? vec_add(&lines) : s, m, c);
	}
	add_sorted(s, &lines);
}

static void dump(struct str *s, const struct model *m)
{
	for (size_t id = 0; id < m->graphs.len; id++) {
		const struct graph *g = &m->graphs.at[id];

		str_format(s, "graph %zu\n", id);
		dump_claims(s, m, g);
		for (size_t i = 0; i < g->initializers.len; i++)
			dump_tensor(s, m, &m->tensors.at[g->initializers.at[i]]);
		for (size_t i = 0; i < g->nodes.len; i++) {
			dump_node(s, m, &m->nodes.at[g->nodes.at[i]]);
			dump_shardings(s, m, &m->nodes.at[g->nodes.at[i]]);
		}
	}
}

/* ---- an inference as text ---- */

static void dump_info(struct str *s, const struct infer *in, const struct info *info)
{
	for (; info; info = info->inner) {
		str_format(s, " %d %d [", (int)info->kind, (int)info->elem);
		for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
			struct str dim = {0};

			sym_print(&in->pool, info->dims[i], &dim);
			add_plain(s, str_sv(&dim));
			str_char(s, ',');
			str_release(&dim);
		}
		str_text(s, info->ranked ? "]" : "-");
	}
}

static void dump_findings(struct str *s, const struct infer *in, bool ids)
{
	struct texts lines = {0};

	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];
		struct str *line, sentence = {0};

		/* About files beside the model, which are elsewhere when it is saved. */
		if (f->kind == FINDING_EXTERNAL || f->kind == FINDING_EXTERNAL_END)
			continue;
		line = vec_add(&lines);

		str_format(line, "%s axis %d ", level_info(f->level)->name, (int)f->axis);
		if (ids)
			str_format(line, "node %u value %u ", f->node, f->value);
		finding_print(in, f, &sentence);
		add_plain(line, str_sv(&sentence));
		str_release(&sentence);
	}
	add_sorted(s, &lines);
}

static void dump_inference(struct str *s, const struct infer *in, const struct model *m)
{
	for (uint32_t v = 1; v < m->values.len; v++) {
		str_format(s, "value %u %s", v, source_name((enum source)in->sources[v]));
		dump_info(s, in, &in->infos[v]);
		str_char(s, '\n');
	}
	dump_findings(s, in, true);
}

/* ---- invariants ---- */

static void check_inference(const struct trial *t)
{
	const struct document *d = &t->document;
	struct str have = {0}, want = {0};
	struct infer scratch;

	infer_run(&scratch, &d->wire.model, (struct infer_options){0});
	dump_inference(&have, &d->infer, &d->wire.model);
	dump_inference(&want, &scratch, &d->wire.model);
	same_text("the inference", &have, &want);
	infer_release(&scratch);
	str_release(&have);
	str_release(&want);
}

static bool save(struct trial *t, const char *target)
{
	struct save_report report = {0};
	struct err err;
	bool ok = document_save(&t->document, target, &(struct save_options){.force = true},
				&report, &err);

	save_report_release(&report);
	return CHECK_THAT(ok, "save: %s", err.text);
}

static void check_saved(struct trial *t)
{
	const char *target = scratch_path(0, "saved.onnx");
	struct str have = {0}, want = {0};
	struct infer scratch;
	struct wire w;
	struct err err;

	if (!save(t, target))
		return;
	if (!wire_open(&w, target, &err)) {
		CHECK_THAT(false, "reopen: %s", err.text);
		return;
	}
	dump(&have, &w.model);
	dump(&want, &t->document.wire.model);
	infer_run(&scratch, &w.model, (struct infer_options){0});
	dump_findings(&have, &scratch, false);
	dump_findings(&want, &t->document.infer, false);
	same_text("the saved file", &have, &want);
	infer_release(&scratch);
	wire_release(&w);
	str_release(&have);
	str_release(&want);
}

static void check_first_bytes(struct trial *t)
{
	const char *target = scratch_path(1, "first.onnx");
	struct str bytes = {0};

	if (save(t, target) && CHECK(read_whole(target, &bytes)))
		CHECK_THAT(sv_eq(str_sv(&bytes), str_sv(&t->bytes)),
			   "undone to the start: other bytes");
	str_release(&bytes);
}

static void dump_all(struct str *s, const struct trial *t)
{
	dump(s, &t->document.wire.model);
	dump_findings(s, &t->document.infer, true);
}

/* To the start and back. */
static void check_return(struct trial *t)
{
	struct document *d = &t->document;
	struct str before = {0}, after = {0}, start = {0};
	size_t done = d->done;

	dump_all(&before, t);
	while (document_undo(d))
		;
	dump(&start, &d->wire.model);
	same_text("undone to the start", &start, &t->first);
	check_inference(t);
	check_first_bytes(t);
	while (d->done < done && CHECK(document_redo(d)))
		;
	dump_all(&after, t);
	same_text("redone", &after, &before);
	check_inference(t);
	str_release(&before);
	str_release(&after);
	str_release(&start);
}

/* ---- edits ---- */

static void add_axis(struct str *s, uint32_t rank)
{
	int64_t axis = dice(rank);

	if (dice(8) == 0)
		axis = -1 - axis;
	if (dice(40) == 0)
		axis = rank;
	str_format(s, ":%d", (int)axis);
}

/* Any claim: of inputs, outputs, value_info, bodies and functions. */
static bool add_place(struct str *s, const struct model *m, bool inputs)
{
	for (int tries = 0; tries < 50 && m->claims.len > 1; tries++) {
		const struct claim *c = &m->claims.at[1 + dice(m->claims.len - 1)];
		uint32_t graph = m->values.at[c->value].graph;

		if (c->type.rank == 0 || c->value == 0)
			continue;
		if (inputs && (c->kind != CLAIM_INPUT || graph))
			continue;
		graph_path(s, m, graph);
		str_text(s, graph ? "/" : "");
		str_add(s, model_name(m, c->name));
		add_axis(s, c->type.rank);
		return true;
	}
	return false;
}

static bool add_symbol(struct str *s, const struct model *m)
{
	struct symbol_counts symbols = {0};
	bool found;

	model_symbols(m, &symbols);
	found = symbols.len != 0;
	if (found)
		str_add(s, model_name(m, symbols.at[dice(symbols.len)].name));
	vec_release(&symbols);
	return found;
}

static void add_wanted(struct str *s, const struct model *m)
{
	static const char *const names[] = {"batch", "seq", "N", "H", "a.b", "_x", "s0", "other"};
	static const char *const after[] = {" + 1", "*2", " - 3", "//2", " + batch", "*seq"};

	switch (dice(7)) {
	case 0:
	case 1:
		str_text(s, ONE_OF(names));
		break;
	case 2:
		str_format(s, "%u", dice(12));
		break;
	case 3:
		str_char(s, '?');
		break;
	case 4:
		str_text(s, add_symbol(s, m) ? ONE_OF(after) : "1");
		break;
	case 5:
		if (!add_symbol(s, m))
			str_text(s, ONE_OF(names));
		break;
	case 6:
		str_format(s, "%s + %s", ONE_OF(names), ONE_OF(names));
		break;
	}
}

static void add_edit(struct str *line, const struct model *m)
{
	struct str edit = {0};

	if (dice(3) == 0 ? !add_symbol(&edit, m) : !add_place(&edit, m, false))
		str_text(&edit, "nothing:0");
	str_char(&edit, '=');
	add_wanted(&edit, m);
	words_quote(line, str_sv(&edit));
	str_release(&edit);
}

static void add_options(struct str *line)
{
	static const char *const policies[] = {" --shapes=all", " --shapes=strip", " --shapes=keep",
					       " --shapes=refresh"};

	str_text(line, dice(3) ? "" : " --merge");
	str_text(line, dice(3) ? "" : " --force");
	str_text(line, dice(3) ? "" : ONE_OF(policies));
}

static void make_set(struct str *line, const struct model *m)
{
	str_text(line, "set");
	do {
		add_edit(line, m);
	} while (dice(5) == 0);
	add_options(line);
}

static void make_repair(struct str *line, const struct model *m)
{
	struct str place = {0};

	str_text(line, "repair");
	if (add_place(&place, m, true)) {
		str_text(&place, dice(2) ? "=batch" : "");
		words_quote(line, str_sv(&place));
	}
	str_release(&place);
}

/* For any model. */
static void make_nonsense(struct str *line)
{
	static const char *const lines[] = {
		"set",
		"sett x:0=3",
		"set no_such_tensor:0=8",
		"set no_such_tensor:0=8 --force --merge",
		"set no_such_symbol=batch",
		"set =3",
		"set nothing",
		"set ''",
		"set no_such_tensor:0=",
		"set no_such:0=1 --shapes=all",
		"set --shapes=none",
		"set --shapes=keep",
		"set 'unclosed",
		"repair no_such_tensor:0",
		"repair no_such_tensor:0=batch",
	};

	str_text(line, ONE_OF(lines));
}

/* Existing objects with an impossible value after the equals sign. */
static void make_bad_wanted(struct str *line, const struct model *m)
{
	static const char *const wanted[] = {
		"",
		"-1",
		"-9223372036854775808",
		"99999999999999999999",
		"1.5",
		"a b",
		"8batch",
		"no_such + nothing",
		"nothing*",
		"(",
		"nothing(no_such)",
		"??",
		"!",
		"nothing/0",
	};
	struct str edit = {0};

	str_text(line, "set");
	if (dice(2))
		add_edit(line, m); /* undone with the rest */
	if (!(dice(2) ? add_symbol(&edit, m) : add_place(&edit, m, false)))
		str_text(&edit, "nothing");
	str_format(&edit, "=%s", ONE_OF(wanted));
	words_quote(line, str_sv(&edit));
	str_text(line, dice(2) ? " --force" : "");
	str_release(&edit);
}

/* ---- steps ---- */

static void remember(struct trial *t, const char *line, bool ok)
{
	str_format(vec_add(&t->history), "%s%s", line, ok ? "" : "   (refused)");
}

static void trace(const struct trial *t, const char *line)
{
	if (!t->trace)
		return;
	printf("# %s\n", line);
	fflush(stdout);
}

static void run_line(struct trial *t, const char *line, bool nonsense)
{
	struct document *d = &t->document;
	struct str before = {0}, after = {0};
	size_t actions = d->actions.len, done = d->done;
	struct err err = {0};
	bool ok;

	trace(t, line);
	dump_all(&before, t);
	ok = document_run(d, sv_of(line), &err);
	remember(t, line, ok);
	CHECK_THAT(!ok || !nonsense, "it was not refused");
	if (!ok) {
		CHECK_THAT(err.text[0], "it does not say why");
		CHECK(d->actions.len == actions && d->done == done);
		dump_all(&after, t);
		same_text("after a refusal", &after, &before);
	}
	str_release(&before);
	str_release(&after);
}

static void step(struct trial *t)
{
	const struct model *m = &t->document.wire.model;
	struct str line = {0};
	uint32_t kind = dice(100);

	if (kind < 15) {
		trace(t, "undo");
		remember(t, "undo", document_undo(&t->document));
	} else if (kind < 27) {
		trace(t, "redo");
		remember(t, "redo", document_redo(&t->document));
	} else if (kind < 32) {
		make_nonsense(&line);
		run_line(t, str_c(&line), true);
	} else if (kind < 38) {
		make_bad_wanted(&line, m);
		/* A text that some dim already has is allowed, whatever it is. */
		run_line(t, str_c(&line), false);
	} else if (kind < 41) {
		make_repair(&line, m);
		run_line(t, str_c(&line), false);
	} else if (kind < 44) {
		str_text(&line, dice(2) ? "set --shapes=all" : "set --shapes=strip");
		run_line(t, str_c(&line), false);
	} else {
		make_set(&line, m);
		run_line(t, str_c(&line), false);
	}
	str_release(&line);
	check_inference(t);
}

static void tell_history(const struct trial *t, uint32_t seed)
{
	printf("# seed %u of this model, after these lines:\n", seed);
	for (size_t i = t->history.len > MAX_TOLD ? t->history.len - MAX_TOLD : 0;
	     i < t->history.len; i++)
		printf("#   %s\n", str_c(&t->history.at[i]));
}

/* Stops at the first failure: those that follow from it say nothing. */
static void wander(struct trial *t, size_t steps)
{
	for (size_t i = 1; i <= steps && !tap_failures; i++) {
		step(t);
		if (!tap_failures && (i % SAVE_EVERY == 0 || i == steps))
			check_saved(t);
		if (!tap_failures && (i % RETURN_EVERY == 0 || i == steps))
			check_return(t);
	}
}

static bool check_model(const char *path, size_t steps, bool traced)
{
	struct trial t = {.trace = traced};
	uint32_t seed = state;
	struct err err;

	if (!document_open(&t.document, path, &err))
		return false; /* refused on purpose */
	if (traced)
		printf("# seed %u\n", seed);
	dump(&t.first, &t.document.wire.model);
	if (CHECK(read_whole(path, &t.bytes)))
		wander(&t, steps);
	if (tap_failures)
		tell_history(&t, seed);
	document_release(&t.document);
	str_release(&t.bytes);
	str_release(&t.first);
	texts_release(&t.history);
	return true;
}

static bool take_option(int *count, char ***words, const char *name, unsigned long *out)
{
	if (*count < 3 || strcmp((*words)[1], name) != 0)
		return false;
	*out = strtoul((*words)[2], NULL, 10);
	*count -= 2;
	*words += 2;
	return true;
}

int main(int count, char **words)
{
	unsigned long seed = state, steps = STEPS, trace = 0;
	struct paths paths = {0};
	int failed = 0;

	while (take_option(&count, &words, "--seed", &seed) ||
	       take_option(&count, &words, "--steps", &steps) ||
	       take_option(&count, &words, "--trace", &trace))
		;
	state = (uint32_t)seed;
	paths_add_words(&paths, count, words, ".onnx");
	printf("1..%zu\n", paths.len);
	for (size_t i = 0; i < paths.len; i++) {
		bool opened;

		tap_failures = 0;
		opened = check_model(paths.at[i], steps / paths.len + 1, trace);
		failed += tap_failures != 0;
		printf("%s %zu - %s%s\n", tap_failures ? "not ok" : "ok", i + 1,
		       path_name(paths.at[i]), opened ? "" : " # SKIP no model");
		fflush(stdout);
	}
	paths_release(&paths);
	scratch_remove();
	return failed != 0;
}
