#include "wire/external_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/os.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/graph.h"
#include "wire/atomic.h"
#include "wire/destination.h"
#include "wire/external.h"

enum {
	COPY_STEP = 16 << 20
};

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static void carry_note(struct str *notes, struct sv location, const char *what)
{
	str_text(notes, "external data '");
	str_add_shown(notes, location);
	str_format(notes, "' %s\n", what);
}

/* ---- which files ---- */

static void find_locations(const struct model *m, struct intern *out)
{
	for (size_t i = 1; i < m->tensors.len; i++) {
		if (m->tensors.at[i].external)
			intern_add(out, m->tensors.at[i].external->location);
	}
}

/* ---- into the new folder ---- */

static const char *keep_path(struct carry *c, struct sv path)
{
	char *copy = arena_alloc(&c->arena, path.len + 1);

	memcpy(copy, path.at, path.len);
	copy[path.len] = '\0';
	return copy;
}

static void carry_remember(struct carry *c, const char *path, bool folder)
{
	*vec_add(&c->made) = (struct carried){path, folder};
}

/* Opens the folder `name` in `folder` and closes `folder`; does not follow links. */
static int enter_folder(struct carry *c, int folder, const char *path, const char *name)
{
	int next = -1;

	if (mkdirat(folder, name, 0777) == 0)
		carry_remember(c, path, true);
	else if (errno != EEXIST)
		goto out;
	next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
out:
	close(folder);
	return next;
}

/* The folder of `location`, created if missing. */
static int carry_make_folders(struct carry *c, const char *location, const char **out_name,
			      struct err *err)
{
	int folder = fcntl(c->folder, F_DUPFD_CLOEXEC, 0);
	const char *part = location;
	const char *slash;

	for (; folder >= 0 && (slash = strchr(part, '/')); part = slash + 1) {
		struct sv name = {part, (size_t)(slash - part)};

		if (name.len)
			folder = enter_folder(
				c, folder,
				keep_path(c, (struct sv){location, (size_t)(slash - location)}),
				keep_path(c, name));
	}
	*out_name = part;
	if (folder < 0)
		err_system(err, "cannot create a folder for external data '%s'", location);
	return folder;
}

static bool copy_whole(const struct file *from, int to, const struct save_options *o,
		       struct err *err)
{
	uint64_t done = 0;

	while (done < from->size) {
		size_t step = (size_t)MIN(from->size - done, (uint64_t)COPY_STEP);
		ssize_t n;

		if (!save_step(o, "copying external data", done, from->size, err))
			return false;
		n = os_copy(from->fd, (off_t)done, to, step);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_system(err, "cannot copy external data");
		if (n == 0)
			return err_set(err, ERR_REFUSED,
				       "external data was truncated while being copied");
		done += (uint64_t)n;
	}
	return true;
}

static bool carry_same_contents(const struct file *a, const struct file *b,
				const struct save_options *o, bool *out, struct err *err)
{
	char left[64 << 10], right[64 << 10];

	*out = a->size == b->size;
	for (uint64_t at = 0; *out && at < a->size; at += sizeof(left)) {
		size_t n = (size_t)MIN(a->size - at, (uint64_t)sizeof(left));

		if (at % COPY_STEP == 0 &&
		    !save_step(o, "comparing external data", at, a->size, err))
			return false;
		if (!file_read(a, at, left, n, err) || !file_read(b, at, right, n, err))
			return false;
		*out = memcmp(left, right, n) == 0;
	}
	return true;
}

/* Is the existing file the same data? */
static bool check_present(int folder, const char *name, const struct file *from,
			  const struct save_options *o, bool *out_present, bool *out_same,
			  struct err *err)
{
	struct file there = {
		.fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
	bool ok = true;

	*out_present = there.fd >= 0 || errno != ENOENT;
	*out_same = false;
	if (there.fd < 0)
		return true;
	there.open = true;
	if (fstat(there.fd, &there.stamp) == 0 && S_ISREG(there.stamp.st_mode)) {
		there.size = (uint64_t)there.stamp.st_size;
		*out_same = same_file(&there.stamp, &from->stamp);
		if (!*out_same)
			ok = carry_same_contents(from, &there, o, out_same, err);
	}
	file_release(&there);
	return ok;
}

static bool clone_or_copy(const struct file *from, const struct destination *to,
			  const struct save_options *o, const char **out_how, struct err *err)
{
	struct atomic_file file;
	bool cloned, ok;

	if (!atomic_begin(&file, to, err))
		return false;
	cloned = os_clone(from->fd, file.fd);
	ok = (cloned || copy_whole(from, file.fd, o, err)) && atomic_commit(&file, err);
	atomic_cancel(&file);
	*out_how = cloned ? "was cloned into the new folder" : "was copied into the new folder";
	return ok;
}

static bool carry_into(struct carry *c, const char *location, int folder, const char *name,
		       const struct file *from, const struct save_options *o, struct str *notes,
		       struct err *err)
{
	const struct destination_rules rules = {.kind = DESTINATION_DATA, .force = o->force};
	struct destination to;
	bool present, same, ok;
	const char *how;

	if (!check_present(folder, name, from, o, &present, &same, err))
		return false;
	if (same)
		return true;
	if (present && !o->force)
		return err_set(err, ERR_REFUSED,
			       "different external data '%s' already exists in that folder",
			       location);
	if (!destination_in(&to, folder, name, &rules, err))
		return err_prefix(err, "external data '%s'", location);
	to.mode &= from->stamp.st_mode; /* the data's own permissions count, too */
	ok = clone_or_copy(from, &to, o, &how, err);
	destination_release(&to);
	if (!ok)
		return false;
	if (!present)
		carry_remember(c, location, false);
	carry_note(notes, sv_of(location), how);
	return true;
}

static bool carry_one(struct carry *c, const char *location, const struct file *from,
		      const struct save_options *o, struct str *notes, struct err *err)
{
	const char *name;
	int folder = carry_make_folders(c, location, &name, err);
	bool ok;

	if (folder < 0)
		return false;
	ok = carry_into(c, location, folder, name, from, o, notes, err);
	close(folder);
	return ok;
}

/* ---- all of it ---- */

/* Would the data be written to where the model goes? */
static bool is_called_like(struct sv location, const struct destination *t)
{
	/* A name with ".." is refused anyway; "./" and "//" mean nothing. */
	while (sv_starts(location, SV("./")) || sv_starts(location, SV("/")))
		location = sv_skip(location, location.at[0] == '.' ? 2 : 1);
	return sv_eq(location, str_sv(&t->name));
}

static bool carry_location(struct carry *c, struct wire *w, struct sv location, bool other_folder,
			   const struct destination *target, bool edited,
			   const struct save_options *o, struct str *notes, struct err *err)
{
	struct err why;
	const struct file *from = external_open(&w->external, location, &why);

	if (is_called_like(location, target) && !(from && same_file(&from->stamp, &w->named)))
		return err_set(err, ERR_REFUSED, "has the name of external data that goes with it");
	if (!from) {
		str_format(notes, "%s\n", why.text);
		return true;
	}
	if (same_file(&from->stamp, &w->named))
		return !edited || err_set(err, ERR_REFUSED,
					  "its external data is in the model file itself, "
					  "and an edit would move it");
	if (!other_folder)
		return true;
	return carry_one(c, keep_path(c, location), from, o, notes, err);
}

bool carry_external(struct carry *c, struct wire *w, const struct destination *target, bool edited,
		    const struct save_options *options, struct str *notes, struct err *err)
{
	struct intern locations = {0};
	struct stat here, there;
	bool ok = true, other;

	*c = (struct carry){.folder = target->folder};
	find_locations(&w->model, &locations);
	other = w->external.folder >= 0 && fstat(w->external.folder, &here) == 0 &&
		fstat(target->folder, &there) == 0 && !same_file(&here, &there);
	for (uint32_t i = 1; ok && i < intern_count(&locations); i++)
		ok = carry_location(c, w, intern_text(&locations, i), other, target, edited,
				    options, notes, err);
	intern_release(&locations);
	if (!ok)
		carry_undo(c);
	return ok;
}

void carry_undo(struct carry *c)
{
	for (size_t i = c->made.len; i-- > 0;)
		unlinkat(c->folder, c->made.at[i].path, c->made.at[i].folder ? AT_REMOVEDIR : 0);
	vec_clear(&c->made);
}

void carry_release(struct carry *c)
{
	vec_release(&c->made);
	arena_release(&c->arena);
	*c = (struct carry){.folder = -1};
}
