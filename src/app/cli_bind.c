#include "app/cli_bind.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/err.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/words.h"
#include "cmd/args.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "report/findings.h"
#include "report/record.h"
#include "sym/sym.h"

/* The symbol, also if its name is in back-quotes; *name becomes the name in the model. */
static struct sym bind_find(const struct infer *in, struct sv *name)
{
	struct sym found = sym_find(&in->pool, *name);
	struct str bare = {0};

	if (sym_is_unknown(found) && name_unquote(&bare, *name)) {
		found = sym_find(&in->pool, str_sv(&bare));
		/* The name must last: a view of the word, or of the model if a quote was doubled.
		 */
		*name = bare.len == name->len - 2
				? (struct sv){name->at + 1, bare.len}
				: model_name(in->model,
					     intern_find(&in->model->names, str_sv(&bare)));
	}
	str_release(&bare);
	return found;
}

static bool bind_one(const struct infer *in, const char *text, struct bindings *out,
		     struct err *err)
{
	struct sv name, number;
	int64_t size;

	if (!sv_split_last(sv_of(text), '=', &name, &number) || !sv_int(number, &size) || size < 0)
		return err_set(err, ERR_USAGE, "--bind takes NAME=N with N >= 0, not '%s'", text);
	if (sym_is_unknown(bind_find(in, &name)))
		return infer_no_symbol(in->model, name, err);
	*vec_add(out) = (struct infer_binding){name, size};
	return true;
}

bool bind_all(const struct app *app, const struct infer *in, struct bindings *out, struct err *err)
{
	for (size_t i = 0; i < app->args->all.len; i++) {
		const struct given *g = &app->args->all.at[i];

		if (g->option == OPTION_BIND && !bind_one(in, g->value, out, err))
			return false;
	}
	return true;
}

/* ---- contradictions ---- */

/* The graph itself, not what the file claims: a stale claim stops nobody. */
static bool bind_is_error(const struct finding *f)
{
	return f->level == LEVEL_ERROR && f->root == 0 && !f->of_claim;
}

static void bind_print(const struct infer *in, const struct finding *f, struct sv model)
{
	const struct infer_options *o = &in->options;
	struct record record = {.face = FACE_SHOWN};
	struct str s = {0};

	str_add_shown(&s, model);
	str_text(&s, ": with ");
	for (size_t i = 0; i < o->binding_count; i++) {
		str_text(&s, i ? ", " : "");
		str_add_shown(&s, o->bindings[i].name);
		str_format(&s, "=%" PRId64, o->bindings[i].size);
	}
	str_text(&s, ": ");
	finding_record(&record, in, f);
	record_print_column(&record, FINDING_COLUMN_PLACE, &s);
	record_print_column(&record, FINDING_COLUMN_SENTENCE, &s);
	(void)fprintf(stderr, "axed: %s\n", str_c(&s));
	record_release(&record);
	str_release(&s);
}

bool bind_complain(const struct infer *bound, const struct infer *plain, struct sv model)
{
	enum {
		MAX_LINES = 10 /* check tells all of them, once the sizes are set */
	};
	struct map known = {0};
	size_t told = 0;

	for (size_t i = 0; i < plain->findings.len; i++) {
		if (bind_is_error(&plain->findings.at[i]))
			*map_at(&known, plain->findings.at[i].node) = 1;
	}
	for (size_t i = 0; i < bound->findings.len; i++) {
		const struct finding *f = &bound->findings.at[i];

		if (bind_is_error(f) && !map_find(&known, f->node) && told++ < MAX_LINES)
			bind_print(bound, f, model);
	}
	map_release(&known);
	return told;
}
