#include "export/render/render.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/err.h"
#include "base/str.h"
#include "export/dot/dot.h"
#include "export/dot/internal.h"
#include "export/render/internal.h"

enum {
	LARGEST_IMAGE = 32767,  /* pixels across: beyond it Graphviz silently shrinks */
	LARGEST_AREA = 1 << 28, /* pixels: four bytes each, all in memory */
	LARGEST_PAGE = 14400,   /* points across: beyond it PDF readers fail */
	IMAGE_DPI = 96,
	PADDING = 8,      /* points, both sides together */
	MANY_NODES = 700, /* above this, dot's optimization is limited */
	MAX_STRIPS = 64,
	LARGEST_FILE = 1 << 30
};

/* The child's exit status. */
enum outcome {
	OUTCOME_DONE,
	OUTCOME_FAILED,
	OUTCOME_TOO_LARGE
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

/* ---- in the child ---- */

static enum outcome render_draw(struct sheet *s, const struct render_how *how, FILE *to)
{
	bool is_svg = strcmp(how->format, "svg") == 0, keeps = strcmp(how->engine, "nop2") == 0;
	GVC_t *gvc = is_svg ? rendering_context() : gvContext();
	Agraph_t *g = keeps ? dot_graph(s) : dot_graph_unplaced(s);

	if (!gvc)
		return OUTCOME_FAILED;
	/* Not nslimit1 as well: with clusters, dot then fails an assertion. */
	if (!keeps && s->view.items.len > MANY_NODES)
		(void)agattr(g, AGRAPH, dot_mutable("nslimit"), dot_mutable("0.1"));
	if (gvLayout(gvc, g, how->engine) != 0)
		return OUTCOME_FAILED;
	if (is_image_too_large(g, how))
		return OUTCOME_TOO_LARGE;
	return gvRender(gvc, g, how->format, to) == 0 && fflush(to) == 0 ? OUTCOME_DONE
									 : OUTCOME_FAILED;
}

/* Graphviz's warnings about fonts and label sizes do not help the user: drop stderr. */
static void render_be_child(struct sheet *s, const struct render_how *how, FILE *to)
{
	/* The child must not restore the terminal on a crash: that is the parent's job. */
	static const int plain[] = {SIGALRM, SIGSEGV, SIGABRT, SIGBUS,
				    SIGFPE,  SIGTERM, SIGHUP,  SIGINT};
	int null = open("/dev/null", O_WRONLY);

	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		(void)signal(plain[i], SIG_DFL);
	(void)alarm(how->seconds);
	if (null >= 0)
		(void)dup2(null, STDERR_FILENO);
	_exit((int)render_draw(s, how, to));
}

/* ---- in the parent ---- */

static bool render_judge(int status, const struct render_how *how, struct err *err)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return err_set(err, ERR_STOPPED, "Graphviz found no layout in %u seconds",
			       how->seconds);
	if (WIFEXITED(status) && WEXITSTATUS(status) == OUTCOME_TOO_LARGE)
		return err_set(err, ERR_LIMIT,
			       "the image would exceed %d pixels per side or %d million in total; "
			       "fold more, export a part, or use SVG or PDF",
			       LARGEST_IMAGE, LARGEST_AREA / 1000000);
	if (WIFSIGNALED(status))
		return err_set(err, ERR_SYSTEM, "the Graphviz process died (signal %d)",
			       WTERMSIG(status));
	if (WEXITSTATUS(status) == OUTCOME_FAILED)
		return err_set(err, ERR_SYSTEM, "Graphviz cannot render this as %s", how->format);
	return WEXITSTATUS(status) == OUTCOME_DONE ||
	       err_set(err, ERR_SYSTEM, "the Graphviz process ended early (exit status %d)",
		       WEXITSTATUS(status));
}

static bool read_all(FILE *from, struct str *out, struct err *err)
{
	struct stat st;
	size_t got;

	if (fstat(fileno(from), &st) != 0 || st.st_size == 0 || st.st_size > LARGEST_FILE)
		return err_set(err, ERR_SYSTEM, "Graphviz wrote no drawing, or one above 1 GiB");
	str_release(out);
	*out = (struct str){must_alloc((size_t)st.st_size + 1), 0, (size_t)st.st_size + 1};
	rewind(from);
	got = fread(out->at, 1, (size_t)st.st_size, from);
	out->len = got;
	out->at[got] = '\0';
	return got == (size_t)st.st_size || err_system(err, "cannot read the drawing back");
}

bool render(struct sheet *s, const struct render_how *how, struct str *out, struct err *err)
{
	FILE *file = tmpfile();
	int status = 0;
	pid_t child;
	bool ok;

	if (!file)
		return err_system(err, "cannot create a temporary file");
	choose_strips(s, how);
	child = fork();
	if (child == 0)
		render_be_child(s, how, file);
	ok = child > 0 || err_system(err, "cannot start the Graphviz process");
	while (child > 0 && waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			break;
	}
	ok = ok && render_judge(status, how, err) && read_all(file, out, err);
	(void)fclose(file);
	return ok;
}
