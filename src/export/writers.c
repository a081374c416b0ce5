/*
 * The writers that formats.def names: each hands a job to the folder that knows its format.
 */
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "export/dot/dot.h"
#include "export/formats.h"
#include "export/json/graph.h"
#include "export/json/part.h"
#include "export/page/page.h"
#include "export/render/render.h"
#include "export/sheet/sheet.h"

enum {
	DOT_SECONDS = 10,
	DRAW_SECONDS = 600 /* our places only need drawing: this long is a hang */
};

static void writers_put(const struct str *bytes, FILE *out)
{
	(void)fwrite(str_c(bytes), 1, bytes->len, out);
}

/* ---- drawings ---- */

typedef bool draw_ours(const struct format_job *j, struct str *out, struct err *err);

/* Graphviz's layout when it is asked for and done in time, else ours. */
static bool writers_draw(const struct format_job *j, draw_ours *ours, struct str *out,
			 struct err *err)
{
	const struct format *f = j->format;
	struct render_how how = {f->graphviz, f->limit, "dot", DOT_SECONDS};
	struct err note;

	j->tell(j->context, "drawing");
	if (j->use_dot) {
		if (render(j->sheet, &how, out, err))
			return true;
		if (err->kind == ERR_LIMIT)
			return false;
		err_set(&note, ERR_NONE, "%s; drawn as on the screen instead", err->text);
		j->note(j->context, note.text);
	}
	return ours(j, out, err);
}

static bool ours_as_dot(const struct format_job *j, struct str *out, struct err *err)
{
	return dot_text(j->sheet, out, err);
}

static bool ours_as_picture(const struct format_job *j, struct str *out, struct err *err)
{
	const struct format *f = j->format;
	struct render_how how = {f->graphviz, f->limit, "nop2", DRAW_SECONDS};

	return render(j->sheet, &how, out, err);
}

static bool writers_put_drawn(const struct format_job *j, draw_ours *ours, FILE *out,
			      struct err *err)
{
	struct str bytes = {0};
	bool ok = writers_draw(j, ours, &bytes, err);

	if (ok)
		writers_put(&bytes, out);
	str_release(&bytes);
	return ok;
}

bool write_dot(const struct format_job *j, FILE *out, struct err *err)
{
	return writers_put_drawn(j, ours_as_dot, out, err);
}

bool write_picture(const struct format_job *j, FILE *out, struct err *err)
{
	return writers_put_drawn(j, ours_as_picture, out, err);
}

/* A picture in a page.  It has only the model's name: its path is nobody else's business. */
bool write_page(const struct format_job *j, FILE *out, struct err *err)
{
	struct sv name = j->path;
	struct str svg = {0}, page = {0};
	bool ok;

	for (size_t i = 0; i < j->path.len; i++) {
		if (j->path.at[i] == '/')
			name = sv_skip(j->path, i + 1);
	}
	ok = writers_draw(j, ours_as_picture, &svg, err) &&
	     page_make(&page, j->sheet, name, str_sv(&svg), err);
	if (ok)
		writers_put(&page, out);
	str_release(&svg);
	str_release(&page);
	return ok;
}

bool write_text(const struct format_job *j, FILE *out, struct err *err)
{
	struct str bytes = {0};

	(void)err;
	sheet_text(j->sheet, j->ascii, &bytes);
	writers_put(&bytes, out);
	str_release(&bytes);
	return true;
}

/* ---- all of the model ---- */

/* Nothing is folded in JSON: what is near is counted node by node. */
static bool choose_part(struct part *out, const struct format_job *j, struct err *err)
{
	struct sheet_request request = j->part;
	struct sheet sheet;

	if (!request.scope.len && !request.focus.len)
		return true;
	request.whole = true;
	if (!sheet_make(&sheet, j->in, &request, err))
		return false;
	part_make(out, j->in->model, &sheet.view);
	sheet_release(&sheet);
	return true;
}

bool write_json(const struct format_job *j, FILE *out, struct err *err)
{
	struct graph_json g = {.in = j->in,
			       .path = j->path,
			       .bytes = j->bytes,
			       .repairs = j->repairs,
			       .repair_count = j->repair_count};

	if (!choose_part(&g.part, j, err))
		return false;
	graph_json_write(out, &g);
	part_release(&g.part);
	return true;
}
