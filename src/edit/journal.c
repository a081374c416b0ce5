#include "edit/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/os.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/words.h"
#include "wire/scan.h"

/* Identifies a version of a file. */
struct stamp {
	uint64_t size;
	int64_t time;
	uint64_t hash;
};

struct journal {
	struct str path;
	struct str model; /* its full path */
	struct stamp base;
	int fd; /* -1 before the first step */
	bool quiet;
	bool broken;        /* could not be written */
	bool told;          /* ... and it was reported */
	struct str pending; /* lines of an earlier run */
	size_t steps;       /* in `pending` */
};

/* ---- paths ---- */

static bool journal_make_folders(struct str *path, struct err *err)
{
	for (size_t i = 1; i <= path->len; i++) {
		char c = path->at[i];

		if (c != '/' && i != path->len)
			continue;
		path->at[i] = 0;
		if (mkdir(path->at, 0700) != 0 && errno != EEXIST)
			return err_system(err, "cannot create %s", path->at);
		path->at[i] = c;
	}
	return true;
}

static bool state_folder(struct str *out, struct err *err)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		str_format(out, "%s/axed", state);
	else if (home && *home == '/')
		str_format(out, "%s/.local/state/axed", home);
	else
		return err_set(err, ERR_USAGE,
			       "neither XDG_STATE_HOME nor HOME is an absolute path");
	return journal_make_folders(out, err);
}

static bool full_path(const struct wire *w, struct str *out, struct err *err)
{
	char *path;

	if (w->file.piped)
		return err_set(err, ERR_USAGE, "the model was read from a pipe");
	path = realpath(str_c(&w->path), NULL);
	if (!path)
		return err_system(err, "%s", str_c(&w->path));
	str_text(out, path);
	free(path);
	return true;
}

/* ---- stamps ---- */

enum {
	STAMP_SEED = 0x61786564
};

static uint64_t structure_hash(const struct wire *w)
{
	uint64_t hash = STAMP_SEED;

	for (size_t i = 0; i < w->pieces.len; i++) {
		const struct piece *p = &w->pieces.at[i];

		hash = digest_u64(p->tag_at, digest_u64(p->len, hash));
	}
	return hash;
}

static struct stamp stamp_of(const struct wire *w)
{
	return (struct stamp){w->file.size, os_mtime(&w->file.stamp), structure_hash(w)};
}

static void print_stamp(struct str *s, const char *what, const struct stamp *stamp)
{
	str_format(s, "%s %" PRIu64 " %" PRId64 " %016" PRIx64 "\n", what, stamp->size, stamp->time,
		   stamp->hash);
}

/* A save has no hash: size and time suffice. */
static bool same_stamp(const struct stamp *a, const struct stamp *b)
{
	return a->size == b->size && a->time == b->time &&
	       (a->hash == b->hash || a->hash == 0 || b->hash == 0);
}

static bool read_stamp(struct sv text, struct stamp *out)
{
	char copy[128];
	int used = 0;

	if (text.len >= sizeof(copy))
		return false;
	memcpy(copy, text.at, text.len);
	copy[text.len] = 0;
	return sscanf(copy, "%" SCNu64 " %" SCNd64 " %" SCNx64 "%n", &out->size, &out->time,
		      &out->hash, &used) == 3 &&
	       (size_t)used == text.len;
}

/* ---- pending steps ---- */

bool journal_next_step(struct sv *rest, struct sv *out)
{
	/* A line without a newline was not acknowledged. */
	return sv_split(*rest, '\n', out, rest);
}

/* The file format's words for steps, independent of command names. */
static const char *const journal_words[JOURNAL_STEP_COUNT] = {
	[JOURNAL_DO] = "do",
	[JOURNAL_UNDO] = "undo",
	[JOURNAL_REDO] = "redo",
};

bool journal_read_step(struct sv line, enum journal_step *out, struct sv *out_done)
{
	struct sv rest = line, word = sv_cut(&rest, ' ');

	for (enum journal_step i = 0; i < JOURNAL_STEP_COUNT; i++) {
		/* Only `do` has an argument. */
		if (sv_is(word, journal_words[i]) && (word.len < line.len) == (i == JOURNAL_DO)) {
			*out = i;
			*out_done = rest;
			return true;
		}
	}
	return false;
}

/* The steps that lead from the current file to the state of the earlier run. */
static void find_pending(struct journal *j, struct sv text)
{
	struct sv line, done;
	enum journal_step step;
	struct stamp stamp;
	bool ours = false;

	while (journal_next_step(&text, &line)) {
		bool base = sv_starts(line, SV("base ")), saved = sv_starts(line, SV("saved "));

		if (base || saved) {
			ours = read_stamp(sv_skip(line, base ? 5 : 6), &stamp) &&
			       same_stamp(&stamp, &j->base);
			if (saved && !ours)
				continue;
			str_clear(&j->pending);
			j->steps = 0;
		} else if (journal_read_step(line, &step, &done)) {
			str_add(&j->pending, line);
			str_char(&j->pending, '\n');
			j->steps++;
		}
	}
}

/* Is the current file the journal's base or one of its saves? */
static bool is_from_here(const struct journal *j, struct sv text)
{
	struct sv line;
	struct stamp stamp;
	bool here = false;

	while (journal_next_step(&text, &line)) {
		if (sv_starts(line, SV("base ")))
			here |= read_stamp(sv_skip(line, 5), &stamp) &&
				same_stamp(&stamp, &j->base);
		if (sv_starts(line, SV("saved ")))
			here |= read_stamp(sv_skip(line, 6), &stamp) &&
				same_stamp(&stamp, &j->base);
	}
	return here;
}

enum {
	LARGEST_JOURNAL = 64 << 20
};

static void read_pending(struct journal *j)
{
	struct file f = {0};
	struct err ignored;
	struct str text = {0};

	if (!file_open(&f, str_c(&j->path), &ignored))
		return;
	if (f.size <= LARGEST_JOURNAL) {
		str_repeat(&text, 0, f.size);
		if ((f.size == 0 || file_read(&f, 0, text.at, f.size, &ignored)) &&
		    sv_starts(str_sv(&text), SV("axed-journal 1\n")) &&
		    is_from_here(j, str_sv(&text)))
			find_pending(j, str_sv(&text));
	}
	file_release(&f);
	str_release(&text);
}

/* ---- writing ---- */

static void journal_append(struct journal *j, struct sv text)
{
	if (j->fd < 0 || !file_write_all(j->fd, text.at, text.len) || fdatasync(j->fd) != 0)
		j->broken = true;
}

/* Keeps steps that were not recovered, under another name. */
static void set_aside(struct journal *j)
{
	struct str old = {0};

	str_format(&old, "%s.old", str_c(&j->path));
	(void)rename(str_c(&j->path), str_c(&old));
	str_release(&old);
}

/* Creates the journal atomically, with the recovered steps; sets an unrecovered one aside. */
static void journal_begin(struct journal *j, struct sv steps)
{
	struct str text = {0}, fresh = {0};

	str_format(&fresh, "%s.new", str_c(&j->path));
	j->fd = open(str_c(&fresh), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_TRUNC, 0600);
	j->broken = j->fd < 0 || !os_lock(j->fd);
	str_text(&text, "axed-journal 1\nmodel");
	words_quote(&text, str_sv(&j->model));
	str_char(&text, '\n');
	print_stamp(&text, "base", &j->base);
	str_add(&text, steps);
	journal_append(j, str_sv(&text));
	if (steps.len == 0)
		set_aside(j);
	if (rename(str_c(&fresh), str_c(&j->path)) != 0)
		j->broken = true;
	str_release(&text);
	str_release(&fresh);
}

void journal_note(struct journal *j, enum journal_step step, struct sv line)
{
	struct str text = {0};

	if (!j || j->quiet)
		return;
	if (j->fd < 0)
		journal_begin(j, SV(""));
	str_text(&text, journal_words[step]);
	str_text(&text, line.len ? " " : "");
	str_add(&text, line);
	str_char(&text, '\n');
	journal_append(j, str_sv(&text));
	str_release(&text);
}

void journal_saved(struct journal *j, const char *target)
{
	struct stat model, saved;
	struct stamp stamp;
	struct str line = {0};

	if (!j || j->fd < 0 || stat(str_c(&j->model), &model) != 0 || stat(target, &saved) != 0 ||
	    model.st_ino != saved.st_ino || model.st_dev != saved.st_dev)
		return;
	stamp = (struct stamp){(uint64_t)saved.st_size, os_mtime(&saved), 0};
	print_stamp(&line, "saved", &stamp);
	journal_append(j, str_sv(&line));
	str_release(&line);
}

/* ---- open and close ---- */

static bool is_locked(const struct journal *j)
{
	int fd = open(str_c(&j->path), O_RDONLY | O_CLOEXEC);
	bool locked = fd >= 0 && !os_lock(fd);

	if (fd >= 0)
		close(fd);
	return locked;
}

static void free_journal(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	str_release(&j->path);
	str_release(&j->model);
	str_release(&j->pending);
	free(j);
}

bool journal_open(struct journal **out, const struct wire *w, struct err *err)
{
	struct journal *j = must_alloc(sizeof(*j));

	*j = (struct journal){.fd = -1, .base = stamp_of(w)};
	if (!full_path(w, &j->model, err) || !state_folder(&j->path, err)) {
		free_journal(j);
		return err_prefix(err, "edits are not journaled");
	}
	str_format(&j->path, "/%016" PRIx64 ".journal",
		   digest_bytes(str_sv(&j->model), STAMP_SEED));
	if (is_locked(j)) {
		free_journal(j);
		return err_set(err, ERR_REFUSED,
			       "edits are not journaled: another axed has %s open",
			       str_c(&w->path));
	}
	read_pending(j);
	*out = j;
	return true;
}

size_t journal_pending(const struct journal *j)
{
	return j ? j->steps : 0;
}

struct sv journal_pending_steps(const struct journal *j)
{
	return j ? str_sv(&j->pending) : SV("");
}

void journal_begin_recovery(struct journal *j)
{
	if (j)
		j->quiet = true;
}

void journal_end_recovery(struct journal *j, struct sv steps)
{
	if (!j)
		return;
	j->quiet = false;
	journal_begin(j, steps);
	j->steps = 0;
}

void journal_discard(struct journal *j)
{
	if (!j)
		return;
	j->steps = 0;
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
	(void)unlink(str_c(&j->path));
}

bool journal_just_failed(struct journal *j)
{
	bool news = j && j->broken && !j->told;

	if (news)
		j->told = true;
	return news;
}

void journal_close(struct journal *j, bool unsaved)
{
	if (!j)
		return;
	if (j->fd >= 0 && !unsaved)
		(void)unlink(str_c(&j->path));
	free_journal(j);
}
