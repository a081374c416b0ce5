#include "tests/fuzz/edits.h"

#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "edit/description.h"
#include "edit/line.h"
#include "edit/write.h"
#include "sym/text.h"

enum {
	MAX_LINES = 6,     /* of one input; the rest is ignored */
	MAX_VALUES = 1000, /* compared */
	MAX_REPAIRS = 1,   /* each is expensive */
	LONGEST_LINE = 400
};

/* ---- shapes ---- */

static void add_shape(struct str *s, const struct infer *in, const struct info *info)
{
	str_format(s, "%d %d ", (int)info->kind, (int)info->elem);
	for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
		struct str dim = {0};

		sym_print(&in->pool, info->dims[i], &dim);
		/* Generated symbols are numbered by their pool. */
		if (memchr(str_c(&dim), '?', dim.len))
			str_clear(&dim);
		/* Quoting depends on earlier names. */
		for (size_t k = 0; k < dim.len; k++) {
			if (dim.at[k] != '`')
				str_char(s, dim.at[k]);
		}
		str_text(s, dim.len ? "," : "?,");
		str_release(&dim);
	}
	str_text(s, info->ranked ? "]" : "-");
}

static bool same_shape(const struct infer *a, const struct info *left, const struct infer *b,
		       const struct info *right)
{
	struct str texts[2] = {{0}};
	bool same;

	add_shape(&texts[0], a, left);
	add_shape(&texts[1], b, right);
	same = sv_eq(str_sv(&texts[0]), str_sv(&texts[1]));
	if (!same)
		fprintf(stderr, "%s, from scratch %s\n", str_c(&texts[0]), str_c(&texts[1]));
	str_release(&texts[0]);
	str_release(&texts[1]);
	return same;
}

/* Ignores expressions that grew too large: a pool remembers those that were only tried. */
static size_t count_findings(const struct infer *in)
{
	size_t count = 0;

	for (size_t i = 0; i < in->findings.len; i++)
		count += in->findings.at[i].level != LEVEL_COMPLEX;
	return count;
}

static void check_inference(const struct document *d)
{
	const struct model *m = &d->wire.model;
	struct infer fresh;

	infer_run(&fresh, m, (struct infer_options){0});
	BUG_ON(count_findings(&fresh) != count_findings(&d->infer));
	for (uint32_t v = 1; v < MIN(m->values.len, (size_t)MAX_VALUES); v++)
		BUG_ON(!same_shape(&d->infer, &d->infer.infos[v], &fresh, &fresh.infos[v]));
	infer_release(&fresh);
}

/* ---- bytes ---- */

void edits_saved(const struct document *d, struct sv source, struct str *out)
{
	struct patch p = {0};
	uint64_t size, at = 0;
	struct err err;

	if (!write_patch(&p, d, &err) || !patch_finish(&p, &d->wire, &size, &err)) {
		fprintf(stderr, "%s\n", err.text);
		BUG_ON(true);
	}
	for (size_t i = 0; i < p.splices.len; i++) {
		const struct splice *s = &p.splices.at[i];

		BUG_ON(s->at < at || s->at + s->old_len > source.len);
		str_add(out, (struct sv){source.at + at, (size_t)(s->at - at)});
		str_add(out, s->bytes);
		at = s->at + s->old_len;
	}
	str_add(out, (struct sv){source.at + at, (size_t)(source.len - at)});
	BUG_ON(out->len != size);
	patch_release(&p);
}

static void check_unchanged(const struct document *d)
{
	struct patch p = {0};
	struct err err;

	BUG_ON(!write_patch(&p, d, &err));
	BUG_ON(p.splices.len != 0);
	patch_release(&p);
}

/* Values that were added or removed change ids: find those of the main graph by name. */
static void check_saved(const struct document *d, struct sv bytes)
{
	const struct model *m = &d->wire.model;
	struct document again;
	struct err err;

	if (!document_open_memory(&again, "saved", bytes.at, bytes.len, &err)) {
		fprintf(stderr, "%s\n", err.text);
		BUG_ON(true);
	}
	for (uint32_t v = 1; v < MIN(m->values.len, (size_t)MAX_VALUES); v++) {
		const struct value *value = &m->values.at[v];
		uint32_t other;

		if (value->graph != 0 || !value->name || value->flags & VALUE_DEAD ||
		    model_find(m, 0, model_name(m, value->name)) != v)
			continue;
		other = model_find(&again.wire.model, 0, model_name(m, value->name));
		/* A value that had only a claim is removed with the claim. */
		BUG_ON(!other && (value->producer || value->tensor || value->flags & VALUE_INPUT));
		BUG_ON(other && !same_shape(&d->infer, &d->infer.infos[v], &again.infer,
					    &again.infer.infos[other]));
	}
	document_release(&again);
}

/* ---- actions ---- */

static bool is_repair(struct sv line)
{
	return sv_starts(sv_trim(line), SV("repair"));
}

static void run_lines(struct document *d, struct sv lines)
{
	unsigned count = 0, repairs = 0;

	for (; lines.len && count < MAX_LINES; count++) {
		const char *end = memchr(lines.at, '\n', lines.len);
		struct sv line = {lines.at, end ? (size_t)(end - lines.at) : lines.len};
		size_t done = d->done;
		struct err err;

		lines = sv_skip(lines, line.len + (end != NULL));
		repairs += is_repair(line);
		if (line.len > LONGEST_LINE || (is_repair(line) && repairs > MAX_REPAIRS))
			continue;
		BUG_ON(!document_run(d, line, &err) && d->done != done && !is_repair(line));
		BUG_ON(d->done > done + 1 || d->done != d->actions.len);
	}
}

static void undo_all(struct document *d)
{
	while (document_undo(d))
		continue;
	BUG_ON(d->done != 0);
	check_unchanged(d);
	check_inference(d);
}

static void describe(const struct document *d)
{
	struct descriptions list = {0};

	describe_actions(&list, d, 0);
	descriptions_release(&list);
}

/* The recipe of the edits repeats them on the same model. */
static void check_recipe(const struct document *d, struct sv source, struct sv bytes)
{
	struct document again;
	struct str same = {0};
	struct err err;

	BUG_ON(!document_open_memory(&again, "input", source.at, source.len, &err));
	for (size_t i = 0; i < d->done; i++) {
		if (!document_run(&again, str_sv(&d->actions.at[i].line), &err)) {
			fprintf(stderr, "%s: %s\n", str_c(&d->actions.at[i].line), err.text);
			BUG_ON(true);
		}
	}
	edits_saved(&again, source, &same);
	BUG_ON(!sv_eq(str_sv(&same), bytes));
	str_release(&same);
	document_release(&again);
}

void edits_try(const void *model, size_t size, struct sv lines)
{
	struct sv source = {model, size};
	struct str first = {0}, second = {0};
	struct document d;
	struct err err;

	if (!document_open_memory(&d, "input", model, size, &err))
		return;
	run_lines(&d, lines);
	if (d.done) {
		check_inference(&d);
		describe(&d);
		edits_saved(&d, source, &first);
		check_saved(&d, str_sv(&first));
		undo_all(&d);
		while (document_redo(&d))
			continue;
		edits_saved(&d, source, &second);
		BUG_ON(!sv_eq(str_sv(&first), str_sv(&second)));
		check_recipe(&d, source, str_sv(&first));
	}
	undo_all(&d);
	str_release(&first);
	str_release(&second);
	document_release(&d);
}
