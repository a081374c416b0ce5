/*
 * After any sequence of changes to input axes, an update equals a first run and lists every
 * value whose shape differs.  Arguments: models, or folders of them.
 */
#include <stdlib.h>
#include <string.h>

#include "infer/infer.h"
#include "ir/build.h"
#include "sym/text.h"
#include "tests/paths.h"
#include "tests/tap.h"
#include "wire/wire.h"

enum {
	STEPS = 60
};

/* Fixed, so that failures are reproducible. */
static uint32_t state = 12345;

static uint32_t dice(uint32_t sides)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % sides;
}

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

static bool same_text(const struct infer *a, const struct infer *b, uint32_t value)
{
	struct str left = {0}, right = {0};
	bool same;

	add_shape(&left, a, &a->infos[value]);
	add_shape(&right, b, &b->infos[value]);
	same = sv_eq(str_sv(&left), str_sv(&right));
	if (!same)
		printf("# value %u: %s, from scratch %s\n", value, str_c(&left), str_c(&right));
	str_release(&left);
	str_release(&right);
	return same;
}

/* Changes some axis of some input to a number, a name or nothing. */
static bool change_something(struct model *m)
{
	static const char *const names[] = {"batch", "seq", "H", "another"};
	const struct graph *g = &m->graphs.at[0];

	for (int tries = 0; tries < 50 && g->claims.len; tries++) {
		struct claim *c = &m->claims.at[g->claims.at[dice((uint32_t)g->claims.len)]];
		struct dim *d;

		if (c->kind != CLAIM_INPUT || c->type.rank == 0)
			continue;
		d = &c->type.dims[dice(c->type.rank)];
		d->kind = (enum dim_kind)dice(DIM_KIND_COUNT);
		d->value = 1 + dice(12);
		d->param = d->kind == DIM_PARAM ? model_intern(m, sv_of(names[dice(4)])) : 0;
		return true;
	}
	return false;
}

/* Within one pool: an update must list every value whose text changed. */
static void check_changed(const struct infer *in, const struct str *before,
			  const struct changed_values *changed)
{
	size_t next = 0;

	for (uint32_t v = 1; v < in->value_count; v++) {
		struct str now = {0};
		bool told = next < changed->len && changed->at[next] == v;

		next += told;
		add_shape(&now, in, &in->infos[v]);
		/* Two generated symbols, or a name and an expression, may look the same. */
		if (!memchr(str_c(&now), '?', now.len))
			CHECK_THAT(told || sv_eq(str_sv(&now), str_sv(&before[v])),
				   "value %u: %s, was %s, told %d", v, str_c(&now),
				   str_c(&before[v]), told);
		str_release(&now);
	}
	CHECK(next == changed->len);
}

static void step(struct infer *in, const struct model *m)
{
	struct changed_values changed = {0};
	struct str *before = calloc(m->values.len, sizeof(*before));
	struct infer scratch;

	for (uint32_t v = 1; v < in->value_count; v++)
		add_shape(&before[v], in, &in->infos[v]);
	infer_update(in, &changed);
	infer_run(&scratch, m, (struct infer_options){0});
	for (uint32_t v = 1; v < m->values.len; v++)
		CHECK(same_text(in, &scratch, v));
	CHECK(in->findings.len == scratch.findings.len);
	check_changed(in, before, &changed);
	for (uint32_t v = 1; v < in->value_count; v++)
		str_release(&before[v]);
	infer_release(&scratch);
	vec_release(&changed);
	free(before);
}

static void check_model(const char *path)
{
	struct infer in;
	struct wire w;
	struct err err;

	if (!wire_open(&w, path, &err))
		return; /* refused on purpose */
	infer_run(&in, &w.model, (struct infer_options){0});
	for (int i = 0; i < STEPS && change_something(&w.model); i++)
		step(&in, &w.model);
	infer_release(&in);
	wire_release(&w);
}

int main(int count, char **words)
{
	struct paths paths = {0};
	int failed = 0;

	paths_add_words(&paths, count, words, ".onnx");
	printf("1..%zu\n", paths.len);
	for (size_t i = 0; i < paths.len; i++) {
		tap_failures = 0;
		check_model(paths.at[i]);
		failed += tap_failures != 0;
		printf("%s %zu - %s\n", tap_failures ? "not ok" : "ok", i + 1,
		       path_name(paths.at[i]));
	}
	paths_release(&paths);
	return failed != 0;
}
