#include "edit/journal/journal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/digest.h"
#include "base/os.h"
#include "base/str.h"
#include "edit/journal/lock.h"
#include "edit/journal/shelf.h"
#include "wire/scan.h"

enum {
	STAMP_SEED = 0x61786564,
	LARGEST_TEXT = 16 << 20 /* bytes: a million edits, and then some */
};

struct journal {
	struct shelf shelf;
	struct stamp base;
	struct journal_left left;
	struct str text; /* what the file should contain */
	size_t kept;     /* bytes of it that are on disk */
	bool anew;       /* ... none: the file has another text, and is replaced as a whole */
	int fd;          /* -1 before the first step */
	bool broken;     /* could not be written */
	bool full;       /* there are steps that the text lacks */
	bool told;       /* ... and it was reported */
	struct stamp replacing;
};

/* ---- stamps ---- */

static uint64_t structure_hash(const struct wire *w)
{
	uint64_t hash = STAMP_SEED;

	for (size_t i = 0; i < w->pieces.len; i++) {
		const struct piece *p = &w->pieces.at[i];

		hash = digest_u64(p->tag_at, digest_u64(p->len, hash));
	}
	return hash;
}

/* Size and time suffice: nobody has read it. */
static struct stamp stamp_of_file(const struct stat *st)
{
	return (struct stamp){(uint64_t)st->st_size, os_mtime(st), 0};
}

static struct stamp stamp_of_wire(const struct wire *w)
{
	/* Of the name: the bytes may be held in a file of their own. */
	struct stamp stamp = stamp_of_file(&w->named);

	stamp.hash = structure_hash(w);
	return stamp;
}

/* ---- writing ---- */

static bool open_file(struct journal *j)
{
	struct err ignored;

	if (j->fd >= 0)
		return true;
	j->fd = lock_open_own(j->shelf.folder, str_c(&j->shelf.journal), O_RDWR | O_CREAT,
			      &ignored);
	/* The name must be on disk, too. */
	return j->fd >= 0 && fsync(j->shelf.folder) == 0;
}

static bool write_at(int fd, const char *at, size_t len, size_t offset)
{
	while (len) {
		ssize_t n = pwrite(fd, at, len, (off_t)offset);

		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
		offset += (size_t)n;
	}
	return true;
}

/* Written beside the old one until it is whole. */
static void replace_whole(struct journal *j)
{
	struct str fresh = {0};
	struct err ignored;
	int fd;

	str_format(&fresh, "%s.new", str_c(&j->shelf.journal));
	fd = lock_open_own(j->shelf.folder, str_c(&fresh), O_RDWR | O_CREAT, &ignored);
	j->broken = fd < 0 || ftruncate(fd, 0) != 0 || !write_at(fd, j->text.at, j->text.len, 0) ||
		    fsync(fd) != 0 ||
		    renameat(j->shelf.folder, str_c(&fresh), j->shelf.folder,
			     str_c(&j->shelf.journal)) != 0;
	if (j->broken && fd >= 0) {
		(void)unlinkat(j->shelf.folder, str_c(&fresh), 0);
		close(fd);
	}
	if (!j->broken) {
		(void)fsync(j->shelf.folder);
		if (j->fd >= 0)
			close(j->fd);
		j->fd = fd;
	}
	str_release(&fresh);
}

static void append_rest(struct journal *j)
{
	size_t missing = j->text.len - j->kept;

	j->broken = !open_file(j) || ftruncate(j->fd, (off_t)j->kept) != 0 ||
		    !write_at(j->fd, j->text.at + j->kept, missing, j->kept) ||
		    !os_flush_data(j->fd);
}

/*
 * Brings the file up to the text.  What failed is tried again with the next step: it is written
 * at its place, over what is there of it already.
 */
static void bring_up(struct journal *j)
{
	if (j->anew)
		replace_whole(j);
	else
		append_rest(j);
	if (!j->broken) {
		j->kept = j->text.len;
		j->anew = j->told = false;
	}
}

static void begin_text(struct journal *j)
{
	if (j->text.len == 0)
		journal_write_head(&j->text, str_sv(&j->shelf.model), &j->base);
}

void journal_note(struct journal *j, enum journal_step step, struct sv line)
{
	if (!j)
		return;
	/* Once it is full, later steps would be of no use without this one. */
	if (j->left.kind != JOURNAL_NOTHING || j->full || j->text.len >= LARGEST_TEXT) {
		j->broken = j->full = true;
		return;
	}
	begin_text(j);
	journal_write_step(&j->text, step, line);
	bring_up(j);
}

void journal_replacing(struct journal *j, const struct stat *file)
{
	if (!j)
		return;
	j->replacing = stamp_of_file(file);
	if (j->text.len == 0 || j->left.kind != JOURNAL_NOTHING)
		return;
	journal_write_stamp(&j->text, "saved", &j->replacing);
	bring_up(j);
}

static void remove_file(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
	(void)unlinkat(j->shelf.folder, str_c(&j->shelf.journal), 0);
}

/* The journal begins anew, with the next step. */
static void forget_text(struct journal *j)
{
	str_clear(&j->text);
	j->kept = 0;
	j->full = j->anew = false;
}

void journal_saved(struct journal *j)
{
	if (!j)
		return;
	j->base = j->replacing;
	if (j->left.kind != JOURNAL_NOTHING)
		return;
	/* Every step is in the file, and so are those of a text that could not be replaced. */
	if (j->anew)
		remove_file(j);
	forget_text(j);
	j->broken = j->fd >= 0 && ftruncate(j->fd, 0) != 0;
}

/* ---- what was left ---- */

const struct journal_left *journal_left(const struct journal *j)
{
	static const struct journal_left nothing;

	return j ? &j->left : &nothing;
}

void journal_resume(struct journal *j)
{
	if (!j)
		return;
	switch (j->left.kind) {
	case JOURNAL_NOTHING:
		break;
	case JOURNAL_UNSAVED:
		j->text.len = j->kept = j->left.whole;
		break;
	case JOURNAL_ELSEWHERE:
		j->text.len = j->kept = j->left.whole;
		journal_write_stamp(&j->text, "onto", &j->base);
		bring_up(j);
		break;
	case JOURNAL_DAMAGED:
		str_clear(&j->text);
		begin_text(j);
		str_add(&j->text, str_sv(&j->left.steps));
		j->anew = true;
		bring_up(j);
		break;
	}
	journal_left_release(&j->left);
}

void journal_restart(struct journal *j, const struct wire *w, struct sv steps)
{
	if (!j)
		return;
	j->base = stamp_of_wire(w);
	forget_text(j);
	begin_text(j);
	str_add(&j->text, steps);
	j->anew = true;
	bring_up(j);
}

void journal_discard(struct journal *j)
{
	if (!j)
		return;
	journal_left_release(&j->left);
	forget_text(j);
	remove_file(j);
}

bool journal_just_failed(struct journal *j)
{
	bool news = j && j->broken && !j->told;

	if (news)
		j->told = true;
	return news;
}

bool journal_is_whole(struct journal *j)
{
	if (!j || j->full)
		return false;
	if (j->anew || j->kept < j->text.len)
		bring_up(j);
	return !j->broken;
}

/* ---- open and close ---- */

static void free_journal(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	shelf_release(&j->shelf);
	journal_left_release(&j->left);
	str_release(&j->text);
	free(j);
}

static bool open_at(struct journal **out, const char *path, struct stamp base, struct err *err)
{
	struct journal *j = must_alloc(sizeof(*j));

	*j = (struct journal){.fd = -1, .base = base};
	if (!shelf_take(&j->shelf, path, true, err) || !shelf_read(&j->shelf, &j->text, err)) {
		free_journal(j);
		if (err->kind != ERR_REFUSED)
			err_prefix(err, "nothing is journaled");
		return false;
	}
	journal_read(&j->left, str_sv(&j->text), &j->base);
	if (j->left.kind == JOURNAL_NOTHING)
		str_clear(&j->text);
	*out = j;
	return true;
}

bool journal_open(struct journal **out, const struct wire *w, struct err *err)
{
	if (w->file.piped)
		return err_set(err, ERR_USAGE,
			       "nothing is journaled: the model was read from a pipe");
	return open_at(out, str_c(&w->path), stamp_of_wire(w), err);
}

bool journal_open_for(struct journal **out, const char *path, struct err *err)
{
	size_t count;

	if (!open_at(out, path, (struct stamp){0}, err))
		return false;
	count = (*out)->left.count;
	if ((*out)->left.kind == JOURNAL_NOTHING)
		return true;
	journal_close(*out, true);
	*out = NULL;
	return err_set(
		err, ERR_REFUSED,
		"%s: %zu unsaved edit%s of an earlier run; open it to recover or discard them",
		path, count, count == 1 ? "" : "s");
}

void journal_close(struct journal *j, bool unsaved)
{
	if (!j)
		return;
	/* What was left and neither recovered nor discarded stays. */
	if (!unsaved && j->left.kind == JOURNAL_NOTHING)
		remove_file(j);
	free_journal(j);
}

/* ---- claims ---- */

struct journal_claim {
	struct shelf shelf;
	size_t left;
};

bool journal_claim(struct journal_claim **out, const char *path, struct err *err)
{
	struct journal_claim *c = must_alloc(sizeof(*c));
	struct journal_left left;
	struct str text = {0};
	struct err ignored;
	struct stat st;
	struct stamp now = {0};

	*out = NULL;
	*c = (struct journal_claim){0};
	if (!shelf_take(&c->shelf, path, false, err)) {
		free(c);
		return err->kind != ERR_REFUSED;
	}
	if (stat(path, &st) == 0)
		now = stamp_of_file(&st);
	if (shelf_read(&c->shelf, &text, &ignored)) {
		journal_read(&left, str_sv(&text), &now);
		c->left = left.count;
		journal_left_release(&left);
	}
	str_release(&text);
	*out = c;
	return true;
}

size_t journal_claim_left(const struct journal_claim *c)
{
	return c ? c->left : 0;
}

void journal_claim_release(struct journal_claim *c)
{
	if (!c)
		return;
	shelf_release(&c->shelf);
	free(c);
}
