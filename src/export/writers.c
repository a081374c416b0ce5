/*
 * The writers that formats.def names: each hands a job to the folder that knows its format.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "export/dot/dot.h"
#include "export/formats.h"
#include "export/json/graph.h"
#include "export/json/part.h"
#include "export/page/page.h"
#include "export/paper/paper.h"
#include "export/render/render.h"
#include "export/sheet/sheet.h"
#include "export/svg/svg.h"
#include "layout/picture/picture.h"

enum {
	DOT_SECONDS = 10,
	DRAW_SECONDS = 600 /* our places only need drawing: this long is a hang */
};

/*
 * How large a drawing may be: so much for a small file, and more for a larger one.  Boxes and lines
 * take 5 us each to lay out and write, and time by their square where dot draws them; a pixel takes
 * 40 ns and 4 bytes, a character of a text 10 ns.
 */
enum {
	SMALL_FILE = 1000000,
	LEAST_PARTS = 100000, /* boxes and lines */
	BYTES_PER_PART = 50,
	IMAGE_PARTS = 8000,
	PAGE_PARTS = 3000,
	LEAST_PIXELS = 10 << 20,
	MOST_PIXELS = 64 << 20,
	LEAST_CELLS = 1 << 24,
	CELLS_PER_BYTE = 16
};

static void writers_put(const struct str *bytes, FILE *out)
{
	(void)fwrite(str_c(bytes), 1, bytes->len, out);
}

/* ---- drawings ---- */

/* How many boxes and lines the format may have. */
static uint64_t most_parts(const struct format_job *j)
{
	static const uint64_t parts[RENDER_LIMIT_COUNT] = {
		[RENDER_ANY] = 0,
		[RENDER_PIXELS] = IMAGE_PARTS,
		[RENDER_POINTS] = PAGE_PARTS,
	};
	uint64_t files = MAX(j->bytes / SMALL_FILE, 1);

	if (!parts[j->format->limit])
		return LEAST_PARTS + j->bytes / BYTES_PER_PART;
	return (uint64_t)(sqrt((double)files) * (double)parts[j->format->limit]);
}

static bool check_parts(const struct format_job *j, struct err *err)
{
	size_t boxes = sheet_boxes(j->sheet), lines = sheet_lines(j->sheet);

	return boxes + lines <= most_parts(j) ||
	       err_set(err, ERR_LIMIT,
		       "the drawing would have %zu boxes and %zu lines; fold more, export a part%s",
		       boxes, lines, j->format->limit == RENDER_ANY ? "" : ", or use SVG");
}

static uint64_t most_pixels(uint64_t bytes)
{
	return MIN(LEAST_PIXELS + (bytes > SMALL_FILE ? bytes - SMALL_FILE : 0),
		   (uint64_t)MOST_PIXELS);
}

bool write_picture(const struct format_job *j, FILE *out, struct err *err)
{
	struct render_how how = {
		.format = j->format->graphviz,
		.label = j->format->label,
		.limit = j->format->limit,
		.pixels = most_pixels(j->bytes),
		.use_dot = j->use_dot,
		.seconds = j->use_dot ? DOT_SECONDS : DRAW_SECONDS,
	};

	j->tell(j->context, "drawing", how.seconds);
	if (!check_parts(j, err) || !render(j->sheet, &how, out, err))
		return false;
	j->tell(j->context, "writing", 0);
	return true;
}

/* By ourselves, unless Graphviz places the boxes. */
static bool writers_draw(const struct format_job *j, bool cut, FILE *out, struct err *err)
{
	if (j->use_dot)
		return write_picture(j, out, err);
	j->tell(j->context, "drawing", 0);
	if (!check_parts(j, err))
		return false;
	j->sheet->strips = cut ? paper_strips(j->sheet, 0) : 0;
	svg_write(j->sheet, out);
	return true;
}

bool write_svg(const struct format_job *j, FILE *out, struct err *err)
{
	return writers_draw(j, true, out, err);
}

bool write_dot(const struct format_job *j, FILE *out, struct err *err)
{
	struct str bytes = {0};
	bool ok;

	if (j->use_dot)
		return write_picture(j, out, err);
	j->tell(j->context, "drawing", 0);
	ok = check_parts(j, err) && dot_text(j->sheet, &bytes, err);
	if (ok)
		writers_put(&bytes, out);
	str_release(&bytes);
	return ok;
}

/* A picture in a page.  It has only the model's name: its path is nobody else's business. */
bool write_page(const struct format_job *j, FILE *out, struct err *err)
{
	struct sv name = sv_after_last(j->path, '/');
	struct str page = {0};
	char *svg = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&svg, &len);
	bool ok;

	if (!file)
		return err_system(err, "cannot write the page");
	/* A page is dragged: one that is whole is easier to follow. */
	ok = writers_draw(j, false, file, err);
	ok = (fclose(file) == 0 || err_system(err, "cannot write the page")) && ok &&
	     page_make(&page, j->sheet, name, (struct sv){svg, len}, err);
	if (ok)
		writers_put(&page, out);
	free(svg);
	str_release(&page);
	return ok;
}

bool write_text(const struct format_job *j, FILE *out, struct err *err)
{
	const struct picture *p = &j->sheet->picture;
	struct str bytes = {0};

	if ((uint64_t)p->width * (uint64_t)p->height > LEAST_CELLS + CELLS_PER_BYTE * j->bytes)
		return err_set(err, ERR_LIMIT,
			       "the drawing would be %" PRId32 " by %" PRId32
			       " characters; fold more, export a part, or use SVG",
			       p->width, p->height);
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
