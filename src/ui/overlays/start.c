/*
 * The start screen: models in this directory, and the demo.
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/keys.h"
#include "ui/canvas.h"
#include "ui/overlays/chooser.h"
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
	struct chooser chooser;
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

		if (!sv_ends(sv_of(entry->d_name), SV(".onnx")) ||
		    fstatat(dirfd(dir), entry->d_name, &st, 0) != 0 || !S_ISREG(st.st_mode))
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
static void start_narrow(struct start *t)
{
	struct sv text = chooser_text(&t->chooser);

	vec_clear(&t->fitting);
	for (uint32_t i = 0; i < t->files.len; i++) {
		if (text_holds(str_sv(&t->files.at[i].name), text))
			vec_push(&t->fitting, i + 1);
	}
	if (text_holds(SV("demo"), text))
		vec_push(&t->fitting, 0);
	t->chooser.list = (struct list){.count = t->fitting.len};
}

static void *start_create(void)
{
	struct start *t = must_alloc(sizeof(*t));

	*t = (struct start){0};
	read_folder(t);
	start_narrow(t);
	return t;
}

static void start_destroy(void *state)
{
	struct start *t = state;

	for (size_t i = 0; i < t->files.len; i++)
		str_release(&t->files.at[i].name);
	vec_release(&t->files);
	vec_release(&t->fitting);
	chooser_release(&t->chooser);
	free(t);
}

/* ---- drawing ---- */

static void start_draw_row(struct screen *s, const struct start *t, struct box box, size_t i)
{
	enum {
		FACTS = 28 /* columns of size and date */
	};
	int y = list_row(s, box, &t->chooser.list, i, true);
	int name = box.width > FACTS + 12 ? box.width - FACTS : box.width;
	uint32_t at = t->fitting.at[i];
	struct str facts = {0}, size = {0};
	char date[20] = "";
	struct tm tm;

	if (i != t->chooser.list.at)
		s->canvas.ground = STYLE_OVERLAY;
	if (at == 0) {
		canvas_text(&s->canvas, box.x + 1, y, name - 1, SV("demo"), STYLE_SCOPE);
		str_text(&facts, "a small model to explore");
	} else {
		const struct model_file *f = &t->files.at[at - 1];

		canvas_text(&s->canvas, box.x + 1, y, name - 1, str_sv(&f->name), STYLE_BRIGHT);
		str_size(&size, f->size);
		if (localtime_r(&f->time, &tm))
			strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &tm);
		str_format(&facts, "%s  %16s", str_c(&size), date);
	}
	if (name < box.width)
		canvas_right(&s->canvas, box.x + name, y, FACTS, str_sv(&facts), STYLE_DIM);
	str_release(&facts);
	str_release(&size);
}

static void start_draw(struct screen *s, void *state, struct box inside)
{
	struct start *t = state;
	struct box rows;

	if (inside.width < 4 || inside.height < 1)
		return;
	rows = chooser_draw(s, &t->chooser, inside, SV("Enter open  Esc quit"));
	for (int i = 0; i < rows.height; i++) {
		if (t->chooser.list.top + (size_t)i < t->fitting.len)
			start_draw_row(s, t, rows, t->chooser.list.top + (size_t)i);
	}
	if (t->fitting.len == 0)
		canvas_text(&s->canvas, rows.x + 1, rows.y, rows.width - 1, SV("no match"),
			    STYLE_DIM);
	s->canvas.ground = STYLE_OVERLAY;
}

/* ---- keys ---- */

/* The demo is already open. */
static void start_choose(struct screen *s, const struct start *t)
{
	uint32_t at;

	if (t->chooser.list.at >= t->fitting.len)
		return;
	at = t->fitting.at[t->chooser.list.at];
	if (at) {
		str_clear(&s->chosen);
		str_text(&s->chosen, "./");
		str_add(&s->chosen, str_sv(&t->files.at[at - 1].name));
		screen_ask(s, "quit");
	}
	screen_overlay(s, OVERLAY_NONE);
}

static bool start_key(struct screen *s, void *state, uint32_t key)
{
	struct start *t = state;
	bool empty = chooser_text(&t->chooser).len == 0;

	if (key == KEY_ESCAPE || key == 3 || (key == 'q' && empty)) {
		screen_ask(s, "quit");
		return true;
	}
	switch (chooser_key(&t->chooser, key)) {
	case CHOSEN_NOTHING:
		return false;
	case CHOSEN_TYPED:
		start_narrow(t);
		break;
	case CHOSEN_ONE:
		start_choose(s, t);
		break;
	case CHOSEN_MOVE:
		break;
	}
	return true;
}

const struct overlay_kind start_overlay = {
	.title = "Open a model",
	.draw = start_draw,
	.create = start_create,
	.destroy = start_destroy,
	.key = start_key,
};
