#include "export/render/render.h"

#include <cgraph.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/err.h"
#include "export/dot/dot.h"
#include "export/paper/paper.h"
#include "export/render/program.h"
#include "export/svg/svg.h"

enum {
	LARGEST_IMAGE = 32767, /* pixels across: beyond it Graphviz silently shrinks */
	LARGEST_PAGE = 14400,  /* points across: beyond it PDF readers fail */
	IMAGE_DPI = 96,
	SMALLEST_DPI = 24, /* below it no text can be guessed */
	POINTS_AN_INCH = 72,
	PADDING = 8 /* points, both sides together */
};

/* ---- size ---- */

/* The maximum width and height, in points; 0 for no limit. */
static int64_t render_largest(enum render_limit limit)
{
	switch (limit) {
	case RENDER_PIXELS:
		return (int64_t)LARGEST_IMAGE * POINTS_AN_INCH / IMAGE_DPI - PADDING;
	case RENDER_POINTS:
		return LARGEST_PAGE;
	case RENDER_ANY:
	case RENDER_LIMIT_COUNT:
		break;
	}
	return 0;
}

/* Chooses strips for the format. */
static void choose_strips(struct sheet *s, const struct render_how *how, struct paper *p)
{
	s->strips = paper_strips(s, render_largest(how->limit));
	paper_make(p, s, MAX(s->strips, 1));
}

static double render_inches(double points)
{
	return (points + (double)PADDING) / (double)POINTS_AN_INCH;
}

/* What is too large at the usual resolution gets a lower one, which is said. */
static bool choose_dpi(struct sheet *s, const struct render_how *how, double width, double height,
		       struct err *err)
{
	double w = render_inches(width), h = render_inches(height);
	double dpi = MIN((double)LARGEST_IMAGE / MAX(w, h), sqrt((double)how->pixels / (w * h)));

	s->dpi = 0;
	if (how->limit != RENDER_PIXELS || dpi >= (double)IMAGE_DPI)
		return true;
	if (dpi < (double)SMALLEST_DPI)
		return err_set(err, ERR_LIMIT,
			       "even at %d dots per inch the image would exceed %d pixels per side "
			       "or %" PRIu64
			       " million in total; fold more, export a part, or use SVG or PDF",
			       SMALLEST_DPI, LARGEST_IMAGE, how->pixels / 1000000);
	s->dpi = (uint32_t)dpi;
	return true;
}

/* ---- programs ---- */

static bool render_told(enum program_end end, const struct render_how *how, struct err *err)
{
	switch (end) {
	case PROGRAM_DONE:
		return true;
	case PROGRAM_MISSING:
		return err_set(err, ERR_SYSTEM,
			       how->use_dot ? "--engine dot needs the program dot: install graphviz"
					    : "%s needs the program dot (package graphviz) or "
					      "rsvg-convert (package librsvg2-bin)",
			       how->label);
	case PROGRAM_LATE:
		return err_set(err, ERR_SYSTEM, "Graphviz found no layout in %u seconds",
			       how->seconds);
	case PROGRAM_DIED:
		return false;
	case PROGRAM_FAILED:
	case PROGRAM_END_COUNT:
		break;
	}
	return err_set(err, ERR_SYSTEM, "Graphviz cannot render this as %s", how->format);
}

static bool write_graph(struct Agraph_s *g, FILE *to, struct err *err)
{
	bool ok = agwrite(g, to) == 0 && fflush(to) == 0;

	(void)agclose(g);
	return ok || err_system(err, "cannot write a temporary file");
}

static enum program_end run_dot(const struct sheet *s, const char *engine, const char *format,
				FILE *in, FILE *out, unsigned seconds, struct err *err)
{
	char layout[16], kind[16], dpi[24];
	const char *words[] = {"dot", layout, kind, s->dpi ? dpi : NULL, NULL};

	(void)snprintf(layout, sizeof(layout), "-K%s", engine);
	(void)snprintf(kind, sizeof(kind), "-T%s", format);
	(void)snprintf(dpi, sizeof(dpi), "-Gdpi=%u", s->dpi);
	return program_run(words, in, out, seconds, err);
}

static enum program_end run_rsvg(struct sheet *s, const struct render_how *how, FILE *out,
				 struct err *err)
{
	char format[24], x[24], y[24];
	const char *words[] = {"rsvg-convert", "--unlimited", format, x, y, NULL};
	unsigned dpi = s->dpi ? s->dpi : IMAGE_DPI;
	FILE *svg = tmpfile();
	enum program_end end = PROGRAM_DIED;

	(void)snprintf(format, sizeof(format), "--format=%s", how->format);
	(void)snprintf(x, sizeof(x), "--dpi-x=%u", dpi);
	(void)snprintf(y, sizeof(y), "--dpi-y=%u", dpi);
	if (!svg) {
		err_system(err, "cannot create a temporary file");
		return end;
	}
	svg_write(s, svg);
	end = program_run(words, svg, out, how->seconds, err);
	(void)fclose(svg);
	return end;
}

/* ---- our places ---- */

/* Nothing was written since, so that another program may draw. */
static bool render_is_bare(FILE *to, off_t before)
{
	return fseeko(to, 0, SEEK_END) == 0 && ftello(to) == before;
}

/* Whether dot can draw at given places: Debian 14 has that engine in a package of its own. */
static bool render_has_nop2(const struct sheet *s, const struct render_how *how)
{
	FILE *in = tmpfile(), *out = tmpfile();
	struct err ignored = {0};
	bool there = !in || !out || fputs("graph {}", in) < 0 ||
		     run_dot(s, "nop2", "canon", in, out, how->seconds, &ignored) == PROGRAM_DONE;

	if (in)
		(void)fclose(in);
	if (out)
		(void)fclose(out);
	return there;
}

static bool draw_by_rsvg(struct sheet *s, const struct render_how *how, bool has_dot, FILE *to,
			 struct err *err)
{
	enum program_end end = run_rsvg(s, how, to, err);

	if (end == PROGRAM_MISSING && has_dot && !render_has_nop2(s, how))
		return err_set(
			err, ERR_SYSTEM,
			"%s needs rsvg-convert (package librsvg2-bin), because this dot has no "
			"engine nop2 (package libgvplugin-neato-layout8)",
			how->label);
	return render_told(end == PROGRAM_MISSING && has_dot ? PROGRAM_FAILED : end, how, err);
}

static bool draw_ours(struct sheet *s, const struct render_how *how, FILE *between, FILE *to,
		      struct err *err)
{
	off_t before = ftello(to);
	enum program_end end;
	struct paper p;
	bool fits;

	choose_strips(s, how, &p);
	fits = choose_dpi(s, how, p.width, p.height, err);
	paper_release(&p);
	if (!fits || !write_graph(dot_graph(s), between, err))
		return false;
	end = run_dot(s, "nop2", how->format, between, to, how->seconds, err);
	if (end == PROGRAM_MISSING || (end == PROGRAM_FAILED && render_is_bare(to, before)))
		return draw_by_rsvg(s, how, end == PROGRAM_FAILED, to, err);
	return render_told(end, how, err);
}

/* ---- Graphviz's places ---- */

/* The size of a drawing as Graphviz says it: bb="0,0,WIDTH,HEIGHT". */
static bool read_size(FILE *file, double *width, double *height)
{
	char line[512];

	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		const char *at = strstr(line, "bb=\"0,0,");
		char *end;

		if (!at)
			continue;
		*width = strtod(at + strlen("bb=\"0,0,"), &end);
		*height = *end == ',' ? strtod(end + 1, NULL) : 0;
		return *width > 0 && *height > 0;
	}
	return false;
}

/* Draws what dot has placed; without nop2 dot places it once more. */
static bool draw_placed(struct sheet *s, const struct render_how *how, FILE *graph, FILE *placed,
			FILE *to, struct err *err)
{
	off_t before = ftello(to);
	enum program_end end = run_dot(s, "nop2", how->format, placed, to, how->seconds, err);

	if (end == PROGRAM_FAILED && render_is_bare(to, before))
		end = run_dot(s, "dot", how->format, graph, to, how->seconds, err);
	return render_told(end, how, err);
}

/* The layout first: then its size is known before it is drawn. */
static bool draw_theirs(struct sheet *s, const struct render_how *how, FILE *between, FILE *to,
			struct err *err)
{
	bool is_dot = strcmp(how->format, "dot") == 0;
	FILE *placed = is_dot ? to : tmpfile();
	double width, height;
	bool ok;

	if (!placed)
		return err_system(err, "cannot create a temporary file");
	s->dpi = 0;
	s->strips = 0;
	ok = write_graph(dot_graph_unplaced(s), between, err) &&
	     render_told(run_dot(s, "dot", "dot", between, placed, how->seconds, err), how, err);
	if (ok && !is_dot)
		ok = (read_size(placed, &width, &height) ||
		      err_set(err, ERR_SYSTEM, "Graphviz wrote no drawing")) &&
		     choose_dpi(s, how, width, height, err) &&
		     draw_placed(s, how, between, placed, to, err);
	if (!is_dot)
		(void)fclose(placed);
	return ok;
}

bool render(struct sheet *s, const struct render_how *how, FILE *to, struct err *err)
{
	FILE *between = tmpfile();
	off_t before = ftello(to);
	bool ok;

	if (!between)
		return err_system(err, "cannot create a temporary file");
	ok = how->use_dot ? draw_theirs(s, how, between, to, err)
			  : draw_ours(s, how, between, to, err);
	(void)fclose(between);
	return ok && (!render_is_bare(to, before) ||
		      err_set(err, ERR_SYSTEM, "Graphviz wrote no drawing"));
}
