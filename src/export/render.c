#include "export/render.h"

#include <errno.h>
#include <fcntl.h>
#include <gvc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "export/doting.h"
#include "export/dot.h"

enum {
	LARGEST_IMAGE = 32767, /* pixels across: beyond it Graphviz shrinks without a word */
	IMAGE_DPI = 96,
	PADDING = 8,      /* points, both sides together */
	MANY_NODES = 700, /* from here on dot must not polish */
	LARGEST_FILE = 1 << 30
};

/* What the child's exit code says. */
enum outcome {
	OUTCOME_DONE,
	OUTCOME_FAILED,
	OUTCOME_TOO_LARGE
};

/* ---- in the child ---- */

static bool is_image_too_large(Agraph_t *g, const struct render_how *how)
{
	double width = GD_bb(g).UR.x - GD_bb(g).LL.x, height = GD_bb(g).UR.y - GD_bb(g).LL.y;
	double longest = (MAX(width, height) + PADDING) * IMAGE_DPI / POINTS_PER_INCH;

	return strcmp(how->format, "png") == 0 && longest > LARGEST_IMAGE;
}

static enum outcome draw(struct sheet *s, const struct render_how *how, FILE *to)
{
	GVC_t *gvc = gvContext();
	Agraph_t *g = dot_graph(s);

	if (!gvc)
		return OUTCOME_FAILED;
	/* Not nslimit1 as well: with clusters, dot then breaks one of its own assertions. */
	if (strcmp(how->engine, "dot") == 0 && s->view.items.len > MANY_NODES)
		dot_set(g, "nslimit", "0.1");
	if (gvLayout(gvc, g, how->engine) != 0)
		return OUTCOME_FAILED;
	if (is_image_too_large(g, how))
		return OUTCOME_TOO_LARGE;
	return gvRender(gvc, g, how->format, to) == 0 && fflush(to) == 0 ? OUTCOME_DONE
									 : OUTCOME_FAILED;
}

/* Warnings about fonts and label sizes are for whoever writes DOT by hand. */
static void be_child(struct sheet *s, const struct render_how *how, FILE *to)
{
	/* What the parent does on a crash, giving the terminal back, is not for the child to do. */
	static const int plain[] = {SIGALRM, SIGSEGV, SIGABRT, SIGBUS,
				    SIGFPE,  SIGTERM, SIGHUP,  SIGINT};
	int null = open("/dev/null", O_WRONLY);

	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		(void)signal(plain[i], SIG_DFL);
	(void)alarm(how->seconds);
	if (null >= 0)
		(void)dup2(null, STDERR_FILENO);
	_exit((int)draw(s, how, to));
}

/* ---- in the parent ---- */

static bool judge(int status, const struct render_how *how, struct err *err)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return err_set(err, ERR_STOPPED, "Graphviz found no layout in %u seconds",
			       how->seconds);
	if (WIFEXITED(status) && WEXITSTATUS(status) == OUTCOME_TOO_LARGE)
		return err_set(err, ERR_LIMIT,
			       "the image would be more than %d pixels across; fold more, "
			       "export a part, or use SVG",
			       LARGEST_IMAGE);
	return (WIFEXITED(status) && WEXITSTATUS(status) == OUTCOME_DONE) ||
	       err_set(err, ERR_SYSTEM, "Graphviz could not make this %s", how->format);
}

static bool read_all(FILE *from, struct str *out, struct err *err)
{
	char block[65536];
	struct stat st;
	size_t got;

	if (fstat(fileno(from), &st) != 0 || st.st_size == 0 || st.st_size > LARGEST_FILE)
		return err_set(err, ERR_SYSTEM, "Graphviz made nothing, or too much");
	rewind(from);
	while ((got = fread(block, 1, sizeof(block), from)) > 0)
		str_add(out, (struct sv){block, got});
	return !ferror(from) || err_system(err, "the drawing cannot be read back");
}

bool render(struct sheet *s, const struct render_how *how, struct str *out, struct err *err)
{
	FILE *file = tmpfile();
	int status = 0;
	pid_t child;
	bool ok;

	if (!file)
		return err_system(err, "no room for a temporary file");
	child = fork();
	if (child == 0)
		be_child(s, how, file);
	ok = child > 0 || err_system(err, "Graphviz cannot be started");
	while (child > 0 && waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			break;
	}
	ok = ok && judge(status, how, err) && read_all(file, out, err);
	(void)fclose(file);
	return ok;
}
