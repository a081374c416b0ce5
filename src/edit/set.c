#include "edit/set.h"

#include <inttypes.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/change.h"
#include "edit/pattern.h"
#include "edit/pins.h"
#include "edit/refresh.h"
#include "edit/repair/repair.h"
#include "edit/rewrite.h"
#include "edit/target.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "ir/place.h"
#include "ir/type.h"
#include "sym/eval.h"
#include "sym/sym.h"

/* An action in progress. */
struct setting {
	struct document *document;         /* borrowed */
	const struct set_options *options; /* borrowed */
	VEC(struct sv) words;              /* the edits, and --batch as the last */
	struct str batch;                  /* that word; empty for none */
	uint32_t edit;                     /* being made: a word, plus 1 */
	struct change_log log;
	struct map exempt; /* addresses of dims that the user set, not refreshed -> edit */
	struct map errors; /* in the model before */
	struct map pinned; /* in the model before; see pins.h */
	struct str repair; /* would free what the edits pin; a line */
	struct map dims;   /* of a refused edit: addresses of dims that it would change */
	bool contradicted; /* refused, as the graph contradicts it */
	bool joined;       /* refused, as items would not stay apart */
	struct remembered before;
	bool renames_only;
};

/* ---- an axis ---- */

static bool is_main_input(const struct model *m, uint32_t value)
{
	return m->values.at[value].graph == 0 && m->values.at[value].flags & VALUE_INPUT;
}

static bool set_claim(struct setting *s, const struct claim *c, int64_t axis, struct dim to,
		      struct err *err)
{
	struct sv name = model_cut_name(&s->document->wire.model, c->name);

	if (axis < -(int64_t)c->type.rank || axis >= (int64_t)c->type.rank)
		return err_set(err, ERR_USAGE,
			       "'%.*s' has %" PRIu32 " ax%s; axis %" PRId64 " is out of range",
			       (int)name.len, name.at, c->type.rank,
			       c->type.rank == 1 ? "is" : "es", axis);
	axis = axis < 0 ? axis + c->type.rank : axis;
	change_dim(&s->log, &c->type.dims[axis], to);
	*map_at(&s->exempt, (uintptr_t)&c->type.dims[axis]) = s->edit;
	return true;
}

/* An input has one declaration; other values may be claimed in several places. */
static bool set_axis(struct setting *s, const struct place *place, const struct wanted *wanted,
		     struct err *err)
{
	const struct model *m = &s->document->wire.model;
	bool input = is_main_input(m, place->value), found = false;
	struct sv name = model_cut_name(m, m->values.at[place->value].name);

	for (uint32_t id = m->values.at[place->value].first_claim; id; id = m->claims.at[id].next) {
		const struct claim *c = &m->claims.at[id];

		if (!c->type.has_shape || (input && c->kind != CLAIM_INPUT))
			continue;
		found = true;
		if (!set_claim(s, c, place->axis, wanted_dim(wanted), err))
			return false;
	}
	return found ||
	       err_set(err, ERR_USAGE,
		       "the file declares no shape of '%.*s'; only declared shapes can be set%s",
		       (int)name.len, name.at, input ? "" : " (--shapes=all declares them all)");
}

/* ---- a symbol ---- */

static bool set_symbol(struct setting *s, uint32_t symbol, const struct wanted *wanted,
		       struct err *err)
{
	const struct model *m = &s->document->wire.model;
	struct sv from = model_cut_name(m, symbol), to = model_cut_name(m, wanted->text);
	uint32_t self;

	if (wanted->kind == WANTED_NAME && wanted->text != symbol &&
	    symbol_exists(m, wanted->text) && !s->options->merge) {
		(void)err_set(err, ERR_REFUSED, "symbol '%.*s' exists", (int)to.len, to.at);
		err_offer(err, "--merge", "; --merge merges '%.*s' into it", (int)from.len,
			  from.at);
		return false;
	}
	if (wanted->kind == WANTED_EXPRESSION &&
	    sym_symbol_id(&s->document->infer.pool,
			  sym_find(&s->document->infer.pool, model_name(m, symbol)), &self) &&
	    sym_mentions(&s->document->infer.pool, wanted->expression, self))
		return err_set(err, ERR_USAGE, "'%.*s' cannot be an expression of itself",
			       (int)from.len, from.at);
	s->renames_only &= wanted->kind == WANTED_NAME;
	rewrite_replace(s->document, &s->log, symbol, wanted);
	return true;
}

static bool set_axes(struct setting *s, const struct places *axes, const struct wanted *wanted,
		     struct err *err)
{
	for (size_t i = 0; i < axes->len; i++) {
		if (!set_axis(s, &axes->at[i], wanted, err))
			return false;
	}
	s->renames_only = false;
	return true;
}

static bool set_one(struct setting *s, struct sv edit, struct err *err)
{
	struct target target = {0};
	struct wanted wanted;
	bool ok;

	ok = target_find(&s->document->wire.model, edit, &target, err) &&
	     wanted_read(s->document, target.wanted, &wanted, err) &&
	     (target.axes.len ? set_axes(s, &target.axes, &wanted, err)
			      : set_symbol(s, target.symbol, &wanted, err));
	target_release(&target);
	return ok;
}

static bool set_batch(struct setting *s, struct err *err)
{
	struct places axes = {0};
	struct wanted wanted;
	bool ok;

	ok = pattern_find_batch(&s->document->wire.model, &axes, err) &&
	     wanted_read(s->document, s->options->batch, &wanted, err) &&
	     set_axes(s, &axes, &wanted, err);
	places_release(&axes);
	return ok;
}

/* ---- checks ---- */

static uint64_t error_key(const struct finding *f)
{
	return hash_u64((uint64_t)f->node << 32 | f->value, (uint32_t)f->axis);
}

static bool is_root_error(const struct finding *f)
{
	return f->level == LEVEL_ERROR && f->root == 0;
}

static void remember_errors(struct setting *s)
{
	const struct infer *in = &s->document->infer;

	for (size_t i = 0; i < in->findings.len; i++) {
		if (is_root_error(&in->findings.at[i]))
			*map_at(&s->errors, error_key(&in->findings.at[i])) = 1;
	}
}

/* A weight or another part of the graph contradicts the size. */
static bool refuse_error(const struct infer *in, const struct finding *f, struct err *err)
{
	struct sv op = model_cut_name(in->model, in->model->nodes.at[f->node].op);
	struct sv name = model_cut_name(in->model, f->node ? in->model->nodes.at[f->node].name
							   : in->model->values.at[f->value].name);
	struct str sentence = {0};

	finding_print(in, f, &sentence);
	(void)err_set(err, ERR_REFUSED, "the graph contradicts it: %.*s%s%.*s: %s", (int)op.len,
		      op.at, f->node ? " " : "", (int)name.len, name.at, str_c(&sentence));
	str_release(&sentence);
	return false;
}

static bool check_errors(struct setting *s, struct err *err)
{
	const struct infer *in = &s->document->infer;

	for (size_t i = 0; !s->options->force && i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];

		if (is_root_error(f) && !map_find(&s->errors, error_key(f))) {
			s->contradicted = true;
			return refuse_error(in, f, err);
		}
	}
	return true;
}

static struct pin_check pin_check_of(const struct setting *s)
{
	return (struct pin_check){.in = &s->document->infer,
				  .set = &s->exempt,
				  .before = &s->pinned,
				  .log = &s->log,
				  .words = s->words.at};
}

static bool check_pins(struct setting *s, struct err *err)
{
	struct pin_check check = pin_check_of(s);

	if (s->options->force)
		return true;
	if (!pins_allow(&check, &s->repair, err))
		return false;
	s->joined = !pins_keep_items(&check, &s->repair, err);
	return !s->joined;
}

/* Every expression of an input must stay valid, whether set or not. */
static bool check_expressions(const struct setting *s, struct err *err)
{
	struct sv text = model_cut_name(&s->document->wire.model,
					rewrite_orphan(s->document, &s->log));

	return text.len == 0 || err_set(err, ERR_REFUSED,
					"the input dim '%.*s' would use an undeclared name "
					"(SYMBOL=... changes a symbol everywhere)",
					(int)text.len, text.at);
}

/* Replacing a symbol may make an expression a negative size. */
static bool check_sizes(const struct setting *s, struct err *err)
{
	for (size_t i = 0; i < s->log.list.len; i++) {
		const struct change *c = &s->log.list.at[i];
		struct sv text = {"", 0};

		if (c->kind != CHANGE_DIM || c->dim->kind != DIM_VALUE || c->dim->value >= 0)
			continue;
		if (c->dim_before.kind == DIM_PARAM)
			text = model_cut_name(&s->document->wire.model, c->dim_before.param);
		return err_set(err, ERR_REFUSED, "'%.*s' would become %" PRId64, (int)text.len,
			       text.at, c->dim->value);
	}
	return true;
}

static void apply_policy(struct setting *s)
{
	struct document *d = s->document;
	size_t before = s->log.list.len;

	switch (s->options->shapes) {
	case SHAPES_REFRESH:
		if (!s->renames_only)
			refresh_claims(d, &s->before, &s->exempt, &s->log);
		break;
	case SHAPES_ALL:
		refresh_write_all(d, &s->exempt, &s->log);
		break;
	case SHAPES_STRIP:
		refresh_strip(d, &s->log);
		break;
	case SHAPES_KEEP:
	case SHAPES_COUNT:
		break;
	}
	if (s->log.list.len != before)
		document_infer(d);
}

/* ---- the action ---- */

static const char *const set_policies[SHAPES_COUNT] = {
	[SHAPES_REFRESH] = "refresh",
	[SHAPES_KEEP] = "keep",
	[SHAPES_ALL] = "all",
	[SHAPES_STRIP] = "strip",
};

bool shapes_policy_find(struct sv name, enum shapes_policy *out)
{
	for (int i = 0; i < SHAPES_COUNT; i++) {
		if (sv_is(name, set_policies[i])) {
			*out = (enum shapes_policy)i;
			return true;
		}
	}
	return false;
}

/*
 * The line has patterns as they were given: it is short, on this model it finds the same axes
 * again, and on the next export those that the user meant.
 */
static void set_make_line(struct str *line, const struct setting *s)
{
	const struct set_options *o = s->options;

	str_text(line, "set");
	for (size_t i = 0; i < s->words.len; i++)
		words_quote(line, s->words.at[i]);
	str_text(line, o->merge ? " --merge" : "");
	str_text(line, o->force ? " --force" : "");
	if (o->shapes != SHAPES_REFRESH)
		str_format(line, " --shapes=%s", set_policies[o->shapes]);
}

static bool make_changes(struct setting *s, struct err *err)
{
	for (size_t i = 0; i < s->words.len; i++) {
		bool batch = s->batch.len && i + 1 == s->words.len;

		s->edit = (uint32_t)i + 1;
		if (!(batch ? set_batch(s, err) : set_one(s, s->words.at[i], err)))
			return false;
	}
	document_infer(s->document);
	if (!check_expressions(s, err))
		return false;
	/* Refresh claims first: one that was stale before is no contradiction. */
	apply_policy(s);
	return check_errors(s, err) && check_sizes(s, err) && check_pins(s, err);
}

static void setting_init(struct setting *s, const struct sv *edits, size_t count)
{
	struct document *d = s->document;

	for (size_t i = 0; i < count; i++)
		vec_push(&s->words, edits[i]);
	if (s->options->batch.len) {
		str_text(&s->batch, "--batch=");
		str_add(&s->batch, s->options->batch);
		vec_push(&s->words, str_sv(&s->batch));
	}
	remember_errors(s);
	pins_remember(&s->pinned, &d->infer);
	refresh_remember(&s->before, d);
}

static void setting_release(struct setting *s)
{
	changes_release(&s->log);
	vec_release(&s->words);
	str_release(&s->batch);
	str_release(&s->repair);
	map_release(&s->exempt);
	map_release(&s->errors);
	map_release(&s->pinned);
	map_release(&s->dims);
	remembered_release(&s->before);
}

/* ---- a refusal ---- */

static void note_dims(struct setting *s)
{
	for (size_t i = 0; s->contradicted && i < s->log.list.len; i++) {
		const struct change *c = &s->log.list.at[i];

		if (c->kind == CHANGE_DIM)
			*map_at(&s->dims, (uintptr_t)c->dim) = 1;
	}
}

/* Can the edits be made once the line has been run?  Leaves no trace. */
static bool works_after(struct setting *s, struct sv line)
{
	struct document *d = s->document;
	struct words words;
	struct err ignored;
	size_t done;
	bool ok;

	if (d->trying || !line.len || !words_split(&words, line, &ignored))
		return false;
	document_begin_preview(d);
	ok = repair_words(d, words.at.at + 1, words.at.len - 1, &ignored);
	done = d->done;
	ok = ok &&
	     document_set(d, s->words.at, s->words.len - (s->batch.len != 0), s->options, &ignored);
	if (d->done > done)
		document_forget(d);
	document_show_preview(d);
	document_end_preview(d);
	words_release(&words);
	return ok;
}

/* A size that the export baked another one in place of: what frees it, if that helps. */
static void advise_contradicted(struct setting *s, struct err *err)
{
	pins_make_line(&s->document->infer, &s->dims, &s->repair);
	if (!works_after(s, str_sv(&s->repair)))
		str_clear(&s->repair);
	pins_say(err, "; to free it first: ", str_sv(&s->repair), s->options->model,
		 " (--force sets it anyway)");
}

static void warn_of_joins(const struct setting *s)
{
	const struct document *d = s->document;
	struct pin_check check = pin_check_of(s);

	pins_warn(&check, s->options->model, &d->actions.at[d->done - 1].warning);
}

bool document_set(struct document *d, const struct sv *edits, size_t count,
		  const struct set_options *options, struct err *err)
{
	struct setting s = {.document = d, .options = options, .renames_only = true};
	struct str line = {0};
	bool ok;

	document_bind(d, false);
	vec_clear(&d->changed);
	setting_init(&s, edits, count);
	ok = make_changes(&s, err);
	set_make_line(&line, &s);
	note_dims(&s);
	if (!ok)
		document_cancel(d, &s.log);
	else if (s.log.list.len) {
		document_commit(d, str_sv(&line), &s.log);
		warn_of_joins(&s);
	}
	document_bind(d, true);
	if (s.contradicted)
		advise_contradicted(&s, err);
	else if (s.repair.len)
		pins_advise(d, s.joined ? "; to keep them apart: " : "; to free it: ", &s.repair,
			    options->model, err);
	str_release(&line);
	setting_release(&s);
	return ok;
}

bool set_words(struct document *d, const struct sv *words, size_t count, struct err *err)
{
	struct set_options options = {0};
	VEC(struct sv) edits = {0};
	bool ok = true;

	for (size_t i = 0; ok && i < count; i++) {
		if (sv_is(words[i], "--merge"))
			options.merge = true;
		else if (sv_is(words[i], "--force"))
			options.force = true;
		else if (sv_starts(words[i], SV("--batch=")))
			options.batch = sv_skip(words[i], 8);
		else if (sv_is(words[i], "--batch") && i + 1 < count)
			options.batch = words[++i];
		else if (sv_starts(words[i], SV("--shapes=")))
			ok = shapes_policy_find(sv_skip(words[i], 9), &options.shapes) ||
			     err_set(err, ERR_USAGE,
				     "--shapes must be keep, refresh, all or strip");
		else
			vec_push(&edits, words[i]);
	}
	if (ok && edits.len == 0 && !options.batch.len && options.shapes <= SHAPES_KEEP)
		ok = err_set(err, ERR_USAGE, "set needs an edit: TENSOR:AXIS=DIM or SYMBOL=DIM");
	ok = ok && document_set(d, edits.at, edits.len, &options, err);
	vec_release(&edits);
	return ok;
}
