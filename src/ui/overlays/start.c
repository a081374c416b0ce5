/*
 * The start screen: recent models, those of a folder, the demo, and folders.
 *
 * What is typed is a path: up to its last slash it names the folder, the rest filters.  So Enter
 * on a folder types its name.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

enum entry_kind {
	ENTRY_RECENT, /* in this order */
	ENTRY_MODEL,
	ENTRY_DEMO, /* before folders: Enter opens a model wherever axed is started */
	ENTRY_FOLDER
};

struct entry {
	enum entry_kind kind;
	struct str name; /* of a recent model its path; of a folder with a slash */
	uint64_t size;
	time_t time;
};

struct start {
	struct prompt filter;
	struct str folder; /* that was read: as typed, up to its last slash */
	bool read;
	VEC(struct entry) entries;
	VEC(uint32_t) fitting; /* of the entries */
};

static struct sv start_folder(const struct start *t)
{
	return sv_through_last(str_sv(&t->filter.text), '/');
}

static struct sv start_word(const struct start *t)
{
	return sv_skip(str_sv(&t->filter.text), start_folder(t).len);
}

/* ~/ is the home folder; a name that may start with a dash is ./name. */
static void start_path(struct sv typed, struct str *out)
{
	const char *home = getenv("HOME");

	if (sv_starts(typed, SV("~/")) && home) {
		str_text(out, home);
		typed = sv_skip(typed, 1);
	} else if (!sv_starts(typed, SV("/"))) {
		str_text(out, "./");
	}
	str_add(out, typed);
}

/* ---- entries ---- */

static void start_clear(struct start *t)
{
	for (size_t i = 0; i < t->entries.len; i++)
		str_release(&t->entries.at[i].name);
	vec_clear(&t->entries);
}

static void start_add(struct start *t, enum entry_kind kind, struct sv name, const struct stat *st)
{
	vec_push(&t->entries, ((struct entry){.kind = kind}));
	str_add(&vec_last(&t->entries)->name, name);
	if (!st)
		return;
	vec_last(&t->entries)->size = (uint64_t)st->st_size;
	vec_last(&t->entries)->time = st->st_mtime;
}

static int start_by_kind(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return a->kind != b->kind ? (int)a->kind - (int)b->kind
				  : sv_compare(str_sv(&a->name), str_sv(&b->name));
}

/* Hidden ones only for who types the dot. */
static void start_add_entry(struct start *t, DIR *dir, const char *name)
{
	bool is_hidden = name[0] == '.' && strcmp(name, "..") != 0;
	struct str folder = {0};
	struct stat st;

	if ((is_hidden && !sv_starts(start_word(t), SV("."))) || strcmp(name, ".") == 0 ||
	    fstatat(dirfd(dir), name, &st, 0) != 0)
		return;
	if (S_ISDIR(st.st_mode)) {
		str_format(&folder, "%s/", name);
		start_add(t, ENTRY_FOLDER, str_sv(&folder), NULL);
		str_release(&folder);
	} else if (S_ISREG(st.st_mode) && sv_ends(sv_of(name), SV(".onnx"))) {
		start_add(t, ENTRY_MODEL, sv_of(name), &st);
	}
}

static void start_read_folder(struct start *t)
{
	struct str path = {0};
	struct dirent *entry;
	DIR *dir;

	start_path(start_folder(t), &path);
	dir = opendir(str_c(&path));
	while (dir && t->entries.len < MAX_FILES && (entry = readdir(dir)))
		start_add_entry(t, dir, entry->d_name);
	if (dir)
		closedir(dir);
	if (t->entries.len)
		qsort(t->entries.at, t->entries.len, sizeof(*t->entries.at), start_by_kind);
	str_release(&path);
}

/* Those of this folder are listed anyway. */
static void start_add_recent(struct start *t, const struct screen *s)
{
	char here[4096];
	struct stat st;

	if (!getcwd(here, sizeof(here) - 1))
		here[0] = '\0';
	for (size_t i = 0; i < s->recent_count; i++) {
		struct sv path = str_sv(&s->recent[i]), folder = sv_folder(path);

		if (!sv_is(folder, here) && stat(str_c(&s->recent[i]), &st) == 0)
			start_add(t, ENTRY_RECENT, path, &st);
	}
}

/* Reads anew when the folder is another one, or hidden entries are asked for. */
static void start_read(struct pane *p)
{
	struct start *t = p->state;
	struct str key = {0};

	str_add(&key, start_folder(t));
	if (sv_starts(start_word(t), SV(".")))
		str_char(&key, '.');
	if (t->read && sv_eq(str_sv(&key), str_sv(&t->folder))) {
		str_release(&key);
		return;
	}
	str_release(&t->folder);
	t->folder = key;
	t->read = true;
	start_clear(t);
	if (start_folder(t).len == 0)
		start_add(t, ENTRY_DEMO, SV("demo"), NULL);
	start_read_folder(t);
	if (start_folder(t).len == 0) {
		size_t here = t->entries.len;

		start_add_recent(t, p->screen);
		/* Before the others, newest first. */
		for (size_t i = here; i < t->entries.len; i++) {
			struct entry e = t->entries.at[i];

			memmove(t->entries.at + (i - here) + 1, t->entries.at + (i - here),
				here * sizeof(e));
			t->entries.at[i - here] = e;
		}
	}
}

static void start_narrow(struct pane *p)
{
	struct start *t = p->state;

	start_read(p);
	vec_clear(&t->fitting);
	for (uint32_t i = 0; i < t->entries.len; i++) {
		if (text_holds(str_sv(&t->entries.at[i].name), start_word(t)))
			vec_push(&t->fitting, i);
	}
	p->list = (struct list){.count = t->fitting.len, .rows = p->list.rows};
}

static void start_init(struct pane *p)
{
	start_narrow(p);
}

static void start_release(struct pane *p)
{
	struct start *t = p->state;

	start_clear(t);
	vec_release(&t->entries);
	vec_release(&t->fitting);
	str_release(&t->folder);
	prompt_release(&t->filter);
}

/* ---- drawing ---- */

static void start_facts(const struct entry *e, struct str *out)
{
	struct str size = {0};
	char date[20] = "";
	struct tm tm;

	switch (e->kind) {
	case ENTRY_DEMO:
		str_text(out, "a small model to explore");
		return;
	case ENTRY_FOLDER:
		str_text(out, sv_is(str_sv(&e->name), "../") ? "the folder above" : "folder");
		return;
	case ENTRY_RECENT:
	case ENTRY_MODEL:
		break;
	}
	str_size(&size, e->size);
	if (localtime_r(&e->time, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &tm);
	str_format(out, "%s  %16s", str_c(&size), date);
	str_release(&size);
}

/* A recent model's file comes first: the folder may be long. */
static void start_draw_recent(struct canvas *c, struct sv path, int x, int y, int columns)
{
	struct sv name = sv_after_last(path, '/');
	int used = canvas_text(c, x, y, columns, name, STYLE_BRIGHT);

	if (columns > used + 12)
		canvas_text(c, x + used + 2, y, columns - used - 2, sv_folder(path), STYLE_DIM);
}

static void start_draw_row(struct pane *p, size_t i, struct box line)
{
	enum {
		FACTS = 28 /* columns of size and date */
	};
	const struct start *t = p->state;
	struct canvas *c = &p->screen->canvas;
	int name = line.width > FACTS + 12 ? line.width - FACTS : line.width;
	const struct entry *e = &t->entries.at[t->fitting.at[i]];
	struct str facts = {0};

	if (e->kind == ENTRY_RECENT)
		start_draw_recent(c, str_sv(&e->name), line.x + 1, line.y, name - 2);
	else
		canvas_text(c, line.x + 1, line.y, name - 1, str_sv(&e->name),
			    e->kind == ENTRY_MODEL ? STYLE_BRIGHT : STYLE_SCOPE);
	start_facts(e, &facts);
	if (name < line.width)
		canvas_right(c, line.x + name, line.y, FACTS, str_sv(&facts), STYLE_DIM);
	str_release(&facts);
}

static void start_draw(struct pane *p)
{
	const struct start *t = p->state;

	if (p->box.width >= 4 && p->box.height >= 1)
		chooser_draw(p, &t->filter, p->box, SV("a name or a path"));
}

/* ---- keys ---- */

static void start_type(struct pane *p, struct sv folder, struct sv rest)
{
	struct start *t = p->state;
	struct str text = {0};

	str_add(&text, folder);
	str_add(&text, rest);
	prompt_open(&t->filter, '>', "", str_sv(&text));
	str_release(&text);
	start_narrow(p);
}

/* One folder up from what is typed: `a/b/` is `a/`, and nothing is `../`. */
static void start_go_up(struct pane *p)
{
	struct sv folder = start_folder(p->state), above;

	if (sv_is(folder, "/"))
		return;
	above = sv_through_last((struct sv){folder.at, folder.len ? folder.len - 1 : 0}, '/');
	if (folder.len == 0 || sv_ends(folder, SV("../")) || sv_is(folder, "~/") ||
	    sv_is(folder, "./"))
		start_type(p, folder, SV("../"));
	else
		start_type(p, above, SV(""));
}

static void start_choose(struct screen *s, struct sv folder, struct sv name)
{
	struct str typed = {0};

	str_add(&typed, folder);
	str_add(&typed, name);
	str_clear(&s->chosen);
	start_path(str_sv(&typed), &s->chosen);
	str_release(&typed);
	screen_ask(s, "quit");
	screen_overlay(s, OVERLAY_NONE);
}

/* Nothing in the list: a path of any file, or of a folder. */
static bool start_open_typed(struct pane *p)
{
	struct start *t = p->state;
	struct str path = {0};
	struct stat st;
	bool there;

	start_path(str_sv(&t->filter.text), &path);
	there = t->filter.text.len && stat(str_c(&path), &st) == 0;
	if (there && S_ISDIR(st.st_mode))
		start_type(p, str_sv(&t->filter.text), SV("/"));
	else if (there)
		start_choose(p->screen, SV(""), str_sv(&t->filter.text));
	else
		screen_say(p->screen, true, "there is no file %s", str_c(&path));
	str_release(&path);
	return true;
}

/* The demo is already open. */
static bool start_open(struct pane *p)
{
	struct start *t = p->state;
	const struct entry *e;

	if (p->list.at >= t->fitting.len)
		return start_open_typed(p);
	e = &t->entries.at[t->fitting.at[p->list.at]];
	switch (e->kind) {
	case ENTRY_FOLDER:
		if (sv_is(str_sv(&e->name), "../"))
			start_go_up(p);
		else
			start_type(p, start_folder(t), str_sv(&e->name));
		return true;
	case ENTRY_RECENT:
		start_choose(p->screen, SV(""), str_sv(&e->name));
		return true;
	case ENTRY_MODEL:
		start_choose(p->screen, start_folder(t), str_sv(&e->name));
		return true;
	case ENTRY_DEMO:
		break;
	}
	screen_overlay(p->screen, OVERLAY_NONE);
	return true;
}

/* What all entries have in common that begin as typed; else the selected one. */
static void start_complete(struct pane *p)
{
	struct start *t = p->state;
	struct sv word = start_word(t), common = {0};

	for (size_t i = 0; i < t->fitting.len; i++) {
		const struct entry *e = &t->entries.at[t->fitting.at[i]];
		struct sv name = str_sv(&e->name);

		if (!sv_starts(name, word) || e->kind == ENTRY_RECENT || e->kind == ENTRY_DEMO ||
		    sv_is(name, "../"))
			continue;
		common = common.at ? common : name;
		common.len = MIN(common.len, name.len);
		while (!sv_starts(name, common))
			common.len--;
	}
	if (common.len <= word.len && p->list.at < t->fitting.len) {
		const struct entry *e = &t->entries.at[t->fitting.at[p->list.at]];

		common = e->kind == ENTRY_DEMO ? word : str_sv(&e->name);
	}
	if (common.len)
		start_type(p, start_folder(t), common);
}

static bool start_key(struct pane *p, uint32_t key)
{
	struct start *t = p->state;
	bool empty = t->filter.text.len == 0;

	if (key == KEY_ESCAPE || key == 3 || (key == 'q' && empty)) {
		screen_ask(p->screen, "quit");
		return true;
	}
	if (key == KEY_TAB) {
		start_complete(p);
		return true;
	}
	return chooser_key(p, &t->filter, key, start_narrow);
}

const struct pane_kind start_overlay = {
	.title = "Open a model",
	.hint = "type to find  Up/Down move  Tab complete  Enter open  Esc quit",
	.empty = " no match",
	.size = sizeof(struct start),
	.init = start_init,
	.release = start_release,
	.draw_row = start_draw_row,
	.draw = start_draw,
	.open = start_open,
	.key = start_key,
};
