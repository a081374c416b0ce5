/*
 * For every model given: a save without edits gives the same bytes by splicing; renaming a
 * dimension changes only its name (and lengths around it), and back restores the original
 * bytes; a dimension can become a number, a name, or nothing, at any depth.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/dims.h"
#include "tests/tap.h"
#include "tests/wire/scratch.h"
#include "wire/patch_model.h"
#include "wire/save.h"

enum {
	MAX_DIMS = 60 /* changed one by one in a model, spread over it */
};

static const struct save_options quietly = {0};

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

static bool open_or_tell(struct wire *w, const char *path)
{
	struct err err;

	if (wire_open(w, path, &err))
		return true;
	CHECK_THAT(false, "%s", err.text);
	return false;
}

static bool save_or_tell(struct wire *w, struct patch *p, const char *target)
{
	struct save_report report = {0};
	struct err err;
	bool ok = wire_save(w, p, target, &quietly, &report, &err);

	CHECK_THAT(ok, "%s", ok ? "" : err.text);
	save_report_release(&report);
	patch_release(p);
	return ok;
}

/* Renames all dims with this name to `to` in the file `target`. */
static size_t rename_into(struct wire *w, uint32_t name, struct sv to, const char *target)
{
	struct dims all = {0};
	struct patch p = {0};
	struct dim dim = {.kind = DIM_PARAM};
	struct err err;
	size_t renamed = 0;

	model_each_dim(&w->model, keep_dim, &all);
	for (size_t i = 0; i < all.len; i++) {
		if (all.at[i]->kind != DIM_PARAM || all.at[i]->param != name || !all.at[i]->origin)
			continue;
		CHECK(patch_dim(&p, w, all.at[i]->origin, &dim, to, &err));
		renamed++;
	}
	vec_release(&all);
	return save_or_tell(w, &p, target) ? renamed : 0;
}

static bool same_bytes(const char *a, const char *b)
{
	struct str left = {0}, right = {0};
	bool same = read_whole(a, &left) && read_whole(b, &right) &&
		    sv_eq(str_sv(&left), str_sv(&right));

	str_release(&left);
	str_release(&right);
	return same;
}

static void check_identical(const char *path)
{
	const char *out = scratch_path(0, "same.onnx");
	struct patch none = {0};
	struct wire w;

	if (!open_or_tell(&w, path))
		return;
	if (save_or_tell(&w, &none, out))
		CHECK_THAT(same_bytes(path, out), "%s: saved unedited, other bytes", path);
	wire_release(&w);
}

/* A name of the same length: only the bytes of the name differ. */
static void check_equal_length(const char *path, const char *out, struct sv name, struct sv other,
			       size_t times)
{
	struct str before = {0}, after = {0};
	size_t differing = 0, expected = 0;

	CHECK(read_whole(path, &before) && read_whole(out, &after));
	if (!CHECK_THAT(before.len == after.len, "%s: %zu bytes became %zu", path, before.len,
			after.len))
		goto out;
	for (size_t i = 0; i < before.len; i++)
		differing += before.at[i] != after.at[i];
	for (size_t i = 0; i < name.len; i++)
		expected += name.at[i] != other.at[i];
	CHECK_THAT(differing == expected * times, "%s: %zu bytes differ, %zu expected", path,
		   differing, expected * times);
out:
	str_release(&before);
	str_release(&after);
}

static struct sv other_name(struct sv name, size_t longer, struct str *out)
{
	str_clear(out);
	for (size_t i = 0; i < name.len; i++)
		str_char(out, name.at[i] == 'q' ? 'Q' : 'q');
	str_repeat(out, 'z', longer);
	return str_sv(out);
}

/* There and back through two files. */
static void check_there_and_back(const char *path, struct sv name, struct sv other)
{
	const char *there = scratch_path(1, "there.onnx");
	const char *back = scratch_path(2, "back.onnx");
	struct wire w;
	uint32_t id;

	if (!open_or_tell(&w, path))
		return;
	id = intern_find(&w.model.names, name);
	rename_into(&w, id, other, there);
	wire_release(&w);
	if (!open_or_tell(&w, there))
		return;
	id = intern_find(&w.model.names, other);
	CHECK_THAT(id != 0, "%s: the new name is not in the file", path);
	rename_into(&w, id, name, back);
	wire_release(&w);
	CHECK_THAT(same_bytes(path, back),
		   "%s: '%.*s' renamed by %zu bytes more and back: not the first bytes", path,
		   (int)name.len, name.at, other.len - name.len);
}

static void check_renames(const char *path, struct sv name)
{
	/* Prefixes of one and two bytes, at this and at outer levels. */
	static const size_t longer[] = {1, 60, 127, 300, 9000};
	const char *out = scratch_path(3, "renamed.onnx");
	struct str other = {0};
	struct wire w;
	size_t times;

	if (!open_or_tell(&w, path))
		return;
	times = rename_into(&w, intern_find(&w.model.names, name), other_name(name, 0, &other),
			    out);
	wire_release(&w);
	check_equal_length(path, out, name, str_sv(&other), times);
	for (size_t i = 0; i < ARRAY_LEN(longer); i++)
		check_there_and_back(path, name, other_name(name, longer[i], &other));
	str_release(&other);
}

struct wanted {
	struct dim dim;
	struct sv param;
};

static bool says(const struct model *m, const struct dim *d, const struct wanted *want)
{
	return d->kind == want->dim.kind && (d->kind != DIM_VALUE || d->value == want->dim.value) &&
	       (d->kind != DIM_PARAM || sv_eq(model_name(m, d->param), want->param));
}

/* Changes each dim of the model to a number, a name, nothing; the others stay. */
static void check_dim(const char *path, size_t which, const struct wanted *want)
{
	const char *out = scratch_path(4, "dim.onnx");
	struct dims before = {0}, after = {0};
	struct patch p = {0};
	struct wire w, again;
	struct err err;

	if (!open_or_tell(&w, path))
		return;
	model_each_dim(&w.model, keep_dim, &before);
	CHECK(patch_dim(&p, &w, before.at[which]->origin, &want->dim, want->param, &err));
	if (save_or_tell(&w, &p, out) && open_or_tell(&again, out)) {
		model_each_dim(&again.model, keep_dim, &after);
		CHECK_THAT(after.len == before.len, "%s: %zu dims became %zu", path, before.len,
			   after.len);
		for (size_t i = 0; i < before.len && i < after.len; i++) {
			struct wanted same = {*before.at[i],
					      model_name(&w.model, before.at[i]->param)};

			CHECK_THAT(says(&again.model, after.at[i], i == which ? want : &same),
				   "%s: dim %zu after changing dim %zu", path, i, which);
			CHECK(sv_eq(model_name(&w.model, before.at[i]->denotation),
				    model_name(&again.model, after.at[i]->denotation)));
		}
		wire_release(&again);
	}
	vec_release(&before);
	vec_release(&after);
	wire_release(&w);
}

static void check_dims(const char *path, size_t count)
{
	static const struct wanted wanted[] = {
		{{.kind = DIM_VALUE, .value = 8}, {"", 0}},
		{{.kind = DIM_VALUE, .value = -1}, {"", 0}},
		{{.kind = DIM_PARAM}, {"a_much_longer_name_than_before", 30}},
		{{.kind = DIM_PARAM}, {"", 0}},
		{{.kind = DIM_ABSENT}, {"", 0}},
	};

	for (size_t which = 0; which < count; which += count / MAX_DIMS + 1) {
		for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
			check_dim(path, which, &wanted[i]);
	}
}

static void check_model(const char *path, bool thorough)
{
	struct symbol_counts symbols = {0};
	struct dims all = {0};
	struct wire w;

	check_identical(path);
	if (!thorough || !open_or_tell(&w, path))
		return;
	model_symbols(&w.model, &symbols);
	model_each_dim(&w.model, keep_dim, &all);
	for (size_t i = 0; i < symbols.len; i++)
		check_renames(path, model_name(&w.model, symbols.at[i].name));
	check_dims(path, all.len);
	vec_release(&symbols);
	vec_release(&all);
	wire_release(&w);
}

/* Arguments: models; those after --identical are only saved unedited. */
int main(int count, char **words)
{
	bool thorough = true;
	int failed = 0, tests = 0;

	for (int i = 1; i < count; i++) {
		if (strcmp(words[i], "--identical") == 0) {
			thorough = false;
			continue;
		}
		tap_failures = 0;
		check_model(words[i], thorough);
		failed += tap_failures != 0;
		printf("%s %d - %s\n", tap_failures ? "not ok" : "ok", ++tests,
		       strrchr(words[i], '/') ? strrchr(words[i], '/') + 1 : words[i]);
	}
	printf("1..%d\n", tests);
	scratch_remove();
	return failed != 0;
}
