/*
 * The start screen: models in this directory, and the demo.
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/keys.h"
#include "ui/canvas.h"
#include "ui/overlays/chooser.h"
#include "ui/prompt.h"
#include "ui/screen.h"

enum {
	MAX_FILES = 10000
};

struct model_file {
	struct str name;
	uint64_t size;
	time_t time;
};

struct start {
	struct prompt filter;
	VEC(struct model_file) files;
	VEC(uint32_t) fitting; /* files plus 1; 0 is the demo */
};

/* ---- the directory ---- */

static int by_name(const void *left, const void *right)
{
	const struct model_file *a = left, *b = right;

	return sv_compare(str_sv(&a->name), str_sv(&b->name));
}

static void read_folder(struct start *t)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	struct stat st;

	while (dir && t->files.len < MAX_FILES && (entry = readdir(dir))) {
		struct model_file *file;

		if (!sv_ends(sv_of(entry->d_name), SV(".onnx")) || stat(entry->d_name, &st) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		file = vec_add(&t->files);
		str_text(&file->name, entry->d_name);
		file->size = (uint64_t)st.st_size;
		file->time = st.st_mtime;
	}
	if (dir)
		closedir(dir);
	if (t->files.len)
		qsort(t->files.at, t->files.len, sizeof(*t->files.at), by_name);
}

/* The demo is always there, as the last row. */
static void start_narrow(struct pane *p)
{
	struct start *t = p->state;
	struct sv text = str_sv(&t->filter.text);

	vec_clear(&t->fitting);
	for (uint32_t i = 0; i < t->files.len; i++) {
		if (text_holds(str_sv(&t->files.at[i].name), text))
			vec_push(&t->fitting, i + 1);
	}
	if (text_holds(SV("demo"), text))
		vec_push(&t->fitting, 0);
	p->list = (struct list){.count = t->fitting.len, .rows = p->list.rows};
}

static void start_init(struct pane *p)
{
	read_folder(p->state);
	start_narrow(p);
}

static void start_release(struct pane *p)
{
	struct start *t = p->state;

	for (size_t i = 0; i < t->files.len; i++)
		str_release(&t->files.at[i].name);
	vec_release(&t->files);
	vec_release(&t->fitting);
	prompt_release(&t->filter);
}

/* ---- drawing ---- */

static void start_draw_row(struct pane *p, size_t i, struct box line)
{
	enum {
		FACTS = 28 /* columns of size and date */
	};
	const struct start *t = p->state;
	struct canvas *c = &p->screen->canvas;
	int name = line.width > FACTS + 12 ? line.width - FACTS : line.width;
	uint32_t at = t->fitting.at[i];
	struct str facts = {0}, size = {0};
	char date[20] = "";
	struct tm tm;

	if (at == 0) {
		canvas_text(c, line.x + 1, line.y, name - 1, SV("demo"), STYLE_SCOPE);
		str_text(&facts, "a small model to explore");
	} else {
		const struct model_file *f = &t->files.at[at - 1];

		canvas_text(c, line.x + 1, line.y, name - 1, str_sv(&f->name), STYLE_BRIGHT);
		str_size(&size, f->size);
		if (localtime_r(&f->time, &tm))
			strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &tm);
		str_format(&facts, "%s  %16s", str_c(&size), date);
	}
	if (name < line.width)
		canvas_right(c, line.x + name, line.y, FACTS, str_sv(&facts), STYLE_DIM);
	str_release(&facts);
	str_release(&size);
}

static void start_draw(struct pane *p)
{
	const struct start *t = p->state;

	if (p->box.width >= 4 && p->box.height >= 1)
		chooser_draw(p, &t->filter, p->box, SV("Enter open  Esc quit"));
}

/* ---- keys ---- */

/* The demo is already open. */
static bool start_open(struct pane *p)
{
	struct screen *s = p->screen;
	const struct start *t = p->state;
	uint32_t at;

	if (p->list.at >= t->fitting.len)
		return false;
	at = t->fitting.at[p->list.at];
	if (at) {
		str_clear(&s->chosen);
		str_text(&s->chosen, "./");
		str_add(&s->chosen, str_sv(&t->files.at[at - 1].name));
		screen_ask(s, "quit");
	}
	screen_overlay(s, OVERLAY_NONE);
	return true;
}

static bool start_key(struct pane *p, uint32_t key)
{
	struct start *t = p->state;
	bool empty = t->filter.text.len == 0;

	if (key == KEY_ESCAPE || key == 3 || (key == 'q' && empty)) {
		screen_ask(p->screen, "quit");
		return true;
	}
	return chooser_key(p, &t->filter, key, start_narrow);
}

const struct pane_kind start_overlay = {
	.title = "Open a model",
	.hint = "type to find  Up/Down move  Enter open  Esc quit",
	.empty = " no match",
	.size = sizeof(struct start),
	.init = start_init,
	.release = start_release,
	.draw_row = start_draw_row,
	.draw = start_draw,
	.open = start_open,
	.key = start_key,
};
