/*
 * The input is a model file.  If it opens, all of it can be inspected; an unedited save
 * gives the same bytes; after changing a few dimensions it opens again with the new ones
 * and everything else unchanged; names changed back restore the original bytes.
 */
#include "tests/fuzz/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "ir/dims.h"
#include "tests/fuzz/look.h"
#include "tests/wire/scratch.h"
#include "wire/patch_model.h"
#include "wire/save.h"

enum {
	MAX_EDITS = 4,
	SAVED_SHARE = 8 /* one in so many inputs is saved: files are slow */
};

static const struct save_options quietly = {0};

/* ---- choices made by the input ---- */

struct choices {
	uint64_t state;
};

/* FNV-1a: the same on every machine and in every run, unlike hash_bytes. */
static struct choices choices_of(struct sv input)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < input.len; i++)
		h = (h ^ (unsigned char)input.at[i]) * 0x100000001b3u;
	return (struct choices){h};
}

static uint32_t choose(struct choices *c, size_t among)
{
	c->state = c->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((c->state >> 33) % among);
}

/* ---- edits ---- */

struct dims {
	const struct dim **at; /* owned */
	size_t len;
	size_t cap;
};

static void keep_dim(void *context, const struct dim *dim)
{
	struct dims *all = context;

	vec_push(all, dim);
}

struct edit {
	size_t which; /* of the model's dims, in the order of model_each_dim */
	struct dim to;
	struct sv param; /* in the edits' arena */
};

struct edits {
	struct edit at[MAX_EDITS];
	size_t len;
	struct arena arena;
	bool only_names; /* only renames: can be reversed */
};

static const struct edit *edit_of(const struct edits *e, size_t which)
{
	for (size_t i = 0; i < e->len; i++) {
		if (e->at[i].which == which)
			return &e->at[i];
	}
	return NULL;
}

static struct sv choose_name(struct choices *c, struct edits *e, struct sv old)
{
	static const char *const names[] = {"",  "N",         "batch_size", "past + seq",
					    "€", "\xff\x1b[", "-1"};
	struct str s = {0};
	struct sv name;

	switch (choose(c, 3)) {
	case 0: /* as long as before */
		for (size_t i = 0; i < old.len; i++)
			str_char(&s, old.at[i] == 'q' ? 'Q' : 'q');
		break;
	case 1: /* longer: the lengths around it may need another byte */
		str_repeat(&s, 'z', old.len % 512 + 1 + choose(c, 200));
		break;
	default:
		str_text(&s, names[choose(c, ARRAY_LEN(names))]);
	}
	name = arena_copy(&e->arena, str_sv(&s));
	str_release(&s);
	return name;
}

static void choose_edits(struct choices *c, const struct model *m, const struct dims *all,
			 struct edits *out)
{
	size_t wanted = 1 + choose(c, MAX_EDITS);
	bool names = choose(c, 2);

	out->only_names = true;
	for (size_t i = 0; i < wanted; i++) {
		size_t which = choose(c, all->len);
		const struct dim *old = all->at[which];
		struct edit e = {.which = which, .to = {.kind = DIM_PARAM}};

		if (edit_of(out, which) || (names && old->kind != DIM_PARAM))
			continue;
		if (!names)
			e.to.kind = (enum dim_kind)choose(c, DIM_KIND_COUNT);
		if (e.to.kind == DIM_VALUE)
			e.to.value = (int64_t)choose(c, 1000) - 10;
		if (e.to.kind == DIM_PARAM)
			e.param = choose_name(c, out, model_name(m, old->param));
		out->only_names &= e.to.kind == DIM_PARAM && old->kind == DIM_PARAM;
		out->at[out->len++] = e;
	}
}

/* ---- there ---- */

static void fail(const char *what, const struct err *err)
{
	fprintf(stderr, "%s%s%s\n", what, err ? ": " : "", err ? err->text : "");
	abort();
}

static void save(struct wire *w, struct patch *p, const char *target)
{
	struct save_report report = {0};
	struct err err;

	if (!wire_save(w, p, target, &quietly, &report, &err))
		fail("a model that was opened cannot be saved", &err);
	save_report_release(&report);
	patch_release(p);
}

static void change(struct wire *w, const struct dims *all, const struct edits *e,
		   const char *target)
{
	struct patch p = {0};
	struct err err;

	for (size_t i = 0; i < e->len; i++) {
		if (!patch_dim(&p, w, all->at[e->at[i].which]->origin, &e->at[i].to, e->at[i].param,
			       &err))
			fail("a dimension that was read cannot be changed", &err);
	}
	save(w, &p, target);
}

static void expect(const struct model *before, const struct dim *old, const struct model *after,
		   const struct dim *now, const struct edit *e)
{
	const struct dim *want = e ? &e->to : old;
	struct sv param = e ? e->param : model_name(before, old->param);

	if (now->kind != want->kind || (now->kind == DIM_VALUE && now->value != want->value) ||
	    (now->kind == DIM_PARAM && !sv_eq(model_name(after, now->param), param)))
		fail(e ? "a changed dimension does not say what was asked"
		       : "a dimension changed that was left alone",
		     NULL);
	if (!sv_eq(model_name(before, old->denotation), model_name(after, now->denotation)))
		fail("a dimension's denotation changed", NULL);
}

/* ---- and back ---- */

/* A padded length of five bytes keeps its width; a shorter one may grow for good. */
static bool padded(uint64_t value, unsigned width)
{
	return width < 5 && width > varint_len(value);
}

static bool padding_around(const struct wire *w, uint32_t piece)
{
	for (; piece; piece = w->pieces.at[piece].parent) {
		if (padded(w->pieces.at[piece].len, w->pieces.at[piece].prefix_len))
			return true;
	}
	return false;
}

static bool padding_inside(const struct wire *w, uint32_t piece)
{
	const struct piece *p = &w->pieces.at[piece];
	uint64_t end = piece_at(p) + p->len;
	struct bytes b;
	struct field f;
	struct err err;
	bool found = false;

	bytes_init(&b, &w->file);
	for (uint64_t at = piece_at(p); at < end; at = field_end(&f)) {
		if (!bytes_field(&b, at, end, &f, &err))
			fail("a dimension that was read cannot be read again", &err);
		found |= f.type == WIRE_BYTES && padded(f.len, f.prefix_len);
	}
	bytes_release(&b);
	return found;
}

static bool can_be_taken_back(const struct wire *w, const struct dims *all, const struct edits *e)
{
	if (!e->only_names)
		return false;
	for (size_t i = 0; i < e->len; i++) {
		uint32_t origin = all->at[e->at[i].which]->origin;

		if (padding_around(w, origin) || padding_inside(w, origin))
			return false;
	}
	return true;
}

static void take_back(const struct wire *first, const struct dims *old, struct wire *changed,
		      const struct dims *now, struct edits *e, struct sv input)
{
	const char *target = scratch_path(2, "back.onnx");
	struct str bytes = {0};

	for (size_t i = 0; i < e->len; i++)
		e->at[i].param = model_name(&first->model, old->at[e->at[i].which]->param);
	change(changed, now, e, target);
	if (!read_whole(target, &bytes) || !sv_eq(str_sv(&bytes), input))
		fail("names changed and changed back: not the first bytes", NULL);
	str_release(&bytes);
}

/* ---- one input ---- */

static void try_edits(struct wire *w, const struct dims *all, struct edits *e, struct sv input)
{
	const char *target = scratch_path(1, "edited.onnx");
	struct dims now = {0};
	struct wire again;
	struct err err;

	change(w, all, e, target);
	if (!wire_open(&again, target, &err))
		fail("an edited model cannot be opened", &err);
	model_each_dim(&again.model, keep_dim, &now);
	if (now.len != all->len)
		fail("an edited model has more or fewer dimensions", NULL);
	for (size_t i = 0; i < now.len; i++)
		expect(&w->model, all->at[i], &again.model, now.at[i], edit_of(e, i));
	if (can_be_taken_back(w, all, e))
		take_back(w, all, &again, &now, e, input);
	vec_release(&now);
	wire_release(&again);
}

static void try_saving(struct wire *w, struct choices *c, struct sv input)
{
	const char *target = scratch_path(0, "same.onnx");
	struct patch none = {0};
	struct str bytes = {0};
	struct dims all = {0};
	struct edits edits = {0};

	save(w, &none, target);
	if (!read_whole(target, &bytes) || !sv_eq(str_sv(&bytes), input))
		fail("saved unedited: not the same bytes", NULL);
	str_release(&bytes);
	model_each_dim(&w->model, keep_dim, &all);
	if (all.len)
		choose_edits(c, &w->model, &all, &edits);
	if (edits.len)
		try_edits(w, &all, &edits, input);
	arena_release(&edits.arena);
	vec_release(&all);
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	scratch_in_memory();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv input = {(const char *)data, size};
	struct choices choices = choices_of(input);
	struct wire w;
	struct err err;

	if (!wire_open_memory(&w, "input", data, size, &err)) {
		BUG_ON(err.kind == ERR_NONE || err.text[0] == '\0');
		return 0;
	}
	look_at_model(&w.model, NULL, NULL);
	if (choose(&choices, SAVED_SHARE) == 0)
		try_saving(&w, &choices, input);
	wire_release(&w);
	return 0;
}
