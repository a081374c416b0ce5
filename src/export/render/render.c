#include "export/render/render.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "export/dot/dot.h"
#include "export/dot/internal.h"
#include "export/paper/paper.h"
#include "export/render/internal.h"

enum {
	LARGEST_IMAGE = 32767,  /* pixels across: beyond it Graphviz silently shrinks */
	LARGEST_AREA = 1 << 28, /* pixels: four bytes each, all in memory */
	LARGEST_PAGE = 14400,   /* points across: beyond it PDF readers fail */
	IMAGE_DPI = 96,
	PADDING = 8,      /* points, both sides together */
	MANY_NODES = 700, /* above this, dot's optimization is limited */
	MAX_STRIPS = 64
};

/* ---- size ---- */

/* The maximum width and height, in points; 0 for no limit. */
static int64_t render_largest(enum render_limit limit)
{
	switch (limit) {
	case RENDER_PIXELS:
		return (int64_t)LARGEST_IMAGE * (int)POINTS_PER_INCH / IMAGE_DPI - PADDING;
	case RENDER_POINTS:
		return LARGEST_PAGE;
	case RENDER_ANY:
	case RENDER_LIMIT_COUNT:
		break;
	}
	return 0;
}

static bool is_image_too_large(Agraph_t *g, const struct render_how *how)
{
	double scale = (double)IMAGE_DPI / POINTS_PER_INCH;
	double width = (GD_bb(g).UR.x - GD_bb(g).LL.x + PADDING) * scale;
	double height = (GD_bb(g).UR.y - GD_bb(g).LL.y + PADDING) * scale;

	return how->limit == RENDER_PIXELS &&
	       (MAX(width, height) > LARGEST_IMAGE || width * height > LARGEST_AREA);
}

/* Cuts a drawing that is too tall into strips, until it is about as wide as tall. */
static void choose_strips(struct sheet *s, const struct render_how *how)
{
	int64_t max = render_largest(how->limit);
	uint32_t strips = 1;
	struct paper p;

	s->strips = 0;
	if (strcmp(how->engine, "nop2") != 0 || !max)
		return;
	paper_make(&p, s, 1);
	while (p.height > max || (strips > 1 && p.height > p.width)) {
		int64_t min = (int64_t)strips * p.height / max;

		if (p.width > max || MAX(strips, min) >= MAX_STRIPS)
			break;
		strips = MAX(strips + 1, (uint32_t)min);
		paper_release(&p);
		paper_make(&p, s, strips);
	}
	s->strips = strips > 1 ? strips : 0;
	paper_release(&p);
}

/* ---- drawing ---- */

static bool render_draw(struct sheet *s, const struct render_how *how, FILE *to, struct err *err)
{
	bool is_svg = strcmp(how->format, "svg") == 0, keeps = strcmp(how->engine, "nop2") == 0;
	GVC_t *gvc = is_svg ? rendering_context() : gvContext();
	Agraph_t *g = keeps ? dot_graph(s) : dot_graph_unplaced(s);
	off_t before = ftello(to);

	/* Not nslimit1 as well: with clusters, dot then fails an assertion. */
	if (!keeps && s->view.items.len > MANY_NODES)
		(void)agattr(g, AGRAPH, dot_mutable("nslimit"), dot_mutable("0.1"));
	if (!gvc || gvLayout(gvc, g, how->engine) != 0)
		return err_set(err, ERR_SYSTEM, "Graphviz cannot render this as %s", how->format);
	if (is_image_too_large(g, how))
		return err_set(err, ERR_LIMIT,
			       "the image would exceed %d pixels per side or %d million in total; "
			       "fold more, export a part, or use SVG or PDF",
			       LARGEST_IMAGE, LARGEST_AREA / 1000000);
	if (gvRender(gvc, g, how->format, to) != 0 || fflush(to) != 0)
		return err_set(err, ERR_SYSTEM, "Graphviz cannot render this as %s", how->format);
	return ftello(to) > before || err_set(err, ERR_SYSTEM, "Graphviz wrote no drawing");
}

/* Graphviz's warnings about fonts and label sizes do not help the user. */
static int drop_errors(void)
{
	int kept = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);

	if (null >= 0) {
		(void)dup2(null, STDERR_FILENO);
		close(null);
	}
	return kept;
}

static void restore_errors(int kept)
{
	if (kept >= 0) {
		(void)dup2(kept, STDERR_FILENO);
		close(kept);
	}
}

bool render(struct sheet *s, const struct render_how *how, FILE *to, struct err *err)
{
	int kept = drop_errors();
	bool ok;

	choose_strips(s, how);
	(void)signal(SIGALRM, SIG_DFL); /* it may have been inherited as ignored */
	(void)alarm(how->seconds);
	ok = render_draw(s, how, to, err);
	(void)alarm(0);
	restore_errors(kept);
	return ok;
}
