#include <stdio.h>

#include "app/app.h"
#include "app/binding.h"
#include "export/dot.h"
#include "export/page.h"
#include "export/render.h"
#include "wire/atomic.h"

enum {
	DOT_SECONDS = 10,
	DRAW_SECONDS = 600, /* our places only need drawing: this long is a hang */
	MOST_HOPS = 1000
};

/* What an ending asks for. */
enum means {
	MEANS_TEXT,
	MEANS_DOT,
	MEANS_PICTURE,
	MEANS_PAGE, /* a picture in a page */
	MEANS_COUNT
};

static const struct kind {
	const char *ending;
	enum means means;
	const char *format; /* as Graphviz calls it */
} kinds[] = {
	{".dot", MEANS_DOT, "dot"},     {".gv", MEANS_DOT, "dot"},
	{".svg", MEANS_PICTURE, "svg"}, {".png", MEANS_PICTURE, "png"},
	{".pdf", MEANS_PICTURE, "pdf"}, {".txt", MEANS_TEXT, NULL},
	{".html", MEANS_PAGE, "svg"},
};

struct wish {
	const char *target; /* borrowed */
	const struct kind *kind;
	bool use_dot; /* Graphviz's own layout */
	struct sheet_request sheet;
};

/* ---- what was asked for ---- */

static struct sv given(const struct app *app, enum option_id option)
{
	return args_has(app->args, option) ? sv_of(app->args->values[option]) : (struct sv){0};
}

static bool read_kind(struct wish *w, struct err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (sv_ends(sv_of(w->target), sv_of(kinds[i].ending)))
			w->kind = &kinds[i];
	}
	return w->kind ||
	       err_set(err, ERR_USAGE,
		       "%s: the ending must be .dot, .svg, .png, .pdf, .html or .txt", w->target);
}

static bool read_engine(const struct app *app, struct wish *w, struct err *err)
{
	struct sv name = given(app, OPTION_ENGINE);

	w->use_dot = sv_is(name, "dot");
	if (name.len && !w->use_dot && !sv_is(name, "axed"))
		return err_set(err, ERR_USAGE, "--engine is axed or dot, not '%s'", name.at);
	return !w->use_dot || w->kind->means != MEANS_TEXT ||
	       err_set(err, ERR_USAGE, "a drawing as text has no --engine dot");
}

static bool read_part(const struct app *app, struct sheet_request *r, struct err *err)
{
	struct sv hops = given(app, OPTION_HOPS);
	int64_t number = 0;

	r->whole = args_has(app->args, OPTION_WHOLE);
	r->scope = given(app, OPTION_SCOPE);
	r->focus = given(app, OPTION_FOCUS);
	r->path = given(app, OPTION_PATH);
	if (hops.len && (!sv_int(hops, &number) || number < 1 || number > MOST_HOPS))
		return err_set(err, ERR_USAGE, "--hops takes a number from 1 to %d, not '%s'",
			       MOST_HOPS, hops.at);
	r->hops = (uint32_t)number;
	if ((r->path.len || hops.len) && !r->focus.len)
		return err_set(err, ERR_USAGE, "--hops and --path need --focus");
	return !r->focus.len || !r->scope.len ||
	       err_set(err, ERR_USAGE, "--scope and --focus exclude each other");
}

static bool read_wish(const struct app *app, struct wish *w, struct err *err)
{
	*w = (struct wish){.target = given(app, OPTION_OUTPUT).at};
	if (!w->target)
		return err_set(err, ERR_USAGE, "export needs -o FILE");
	return read_kind(w, err) && read_engine(app, w, err) && read_part(app, &w->sheet, err);
}

/* ---- doing it ---- */

/* Graphviz's layout when it is asked for and done in time, else ours. */
static bool draw(const struct app *app, const struct wish *w, struct sheet *s, struct str *out,
		 struct err *err)
{
	struct render_how how = {w->kind->format, "dot", DOT_SECONDS};

	if (w->use_dot) {
		if (render(s, &how, out, err))
			return true;
		if (err->kind == ERR_LIMIT)
			return false;
		if (!args_has(app->args, OPTION_QUIET))
			(void)fprintf(stderr, "axed: %s; drawn as on the screen instead\n",
				      err->text);
	}
	if (w->kind->means == MEANS_DOT)
		return dot_text(s, out, err);
	how = (struct render_how){w->kind->format, "nop2", DRAW_SECONDS};
	return render(s, &how, out, err);
}

static void wrap_page(const struct app *app, struct str *svg)
{
	struct str page = {0};
	bool named = !args_has(app->args, OPTION_DEMO) && app->args->words.len;

	page_make(&page, named ? sv_of(app->args->words.at[0]) : SV("demo"), str_sv(svg));
	str_release(svg);
	*svg = page;
}

static bool export_graph(const struct app *app, const struct wish *w, const struct infer *in,
			 struct err *err)
{
	struct str bytes = {0};
	struct sheet sheet;
	bool ok = true;

	if (!sheet_make(&sheet, in, &w->sheet, err))
		return false;
	if (w->kind->means == MEANS_TEXT)
		sheet_text(&sheet, args_has(app->args, OPTION_ASCII), &bytes);
	else
		ok = draw(app, w, &sheet, &bytes, err);
	if (ok && w->kind->means == MEANS_PAGE)
		wrap_page(app, &bytes);
	if (!ok)
		err_prefix(err, "%s", w->target);
	ok = ok && atomic_write(w->target, str_sv(&bytes), err);
	sheet_release(&sheet);
	str_release(&bytes);
	return ok;
}

/* With sizes bound, everything is inferred anew: numbers then decide what names could not. */
static bool export_bound(const struct app *app, const struct wish *w, struct infer *in,
			 struct err *err)
{
	struct bindings bindings = {0};
	struct sym_env env = {0};
	struct infer again;
	bool ok = bind_all(app, in, &env, &bindings, err);

	if (ok && bindings.len) {
		infer_run(&again, in->model,
			  (struct infer_options){.bindings = bindings.at,
						 .binding_count = bindings.len});
		ok = export_graph(app, w, &again, err);
		infer_release(&again);
	} else if (ok) {
		ok = export_graph(app, w, in, err);
	}
	vec_release(&bindings);
	sym_env_release(&env);
	return ok;
}

bool export_document(const struct app *app, const struct infer *in, const char *target,
		     struct err *err)
{
	struct wish wish = {.target = target};

	return read_kind(&wish, err) && export_graph(app, &wish, in, err);
}

enum exit_code run_export(const struct app *app)
{
	struct wish wish;
	struct infer in;
	struct wire w;
	struct err err;
	bool ok;

	if (!read_wish(app, &wish, &err) || !open_only(app, &w, &err))
		return complain(&err);
	infer_run(&in, &w.model, (struct infer_options){0});
	ok = export_bound(app, &wish, &in, &err);
	infer_release(&in);
	wire_release(&w);
	return ok ? EXIT_DONE : complain(&err);
}
