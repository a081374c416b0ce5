#include "wire/destination.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/intern.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "wire/bytes.h"
#include "wire/external.h"

enum {
	MAX_LINKS = 40,
	MAX_FIELDS = 100000,
	GRAPH_FIELD = 7, /* of ModelProto */
	PERMISSIONS = 0777
};

/* ---- resolving ---- */

/* Replaces `path` by the target of the link, relative to the link's folder. */
static bool follow_once(struct str *path, bool *was_link, struct err *err)
{
	char to[PATH_MAX];
	ssize_t len = readlink(str_c(path), to, sizeof(to) - 1);
	struct str next = {0};

	*was_link = len >= 0;
	if (len < 0)
		return true;
	to[len] = '\0';
	if (to[0] != '/')
		str_add(&next, sv_through_last(str_sv(path), '/'));
	str_text(&next, to);
	str_release(path);
	*path = next;
	return len < PATH_MAX - 1 || err_set(err, ERR_SYSTEM, "the link is too long");
}

static bool follow_links(struct str *path, struct err *err)
{
	bool was_link = true;

	for (int i = 0; was_link; i++) {
		if (i == MAX_LINKS)
			return err_set(err, ERR_SYSTEM, "too many symbolic links");
		if (!follow_once(path, &was_link, err))
			return false;
	}
	return true;
}

static bool open_folder(struct destination *t, const char *path, struct err *err)
{
	struct str folder = {0};

	str_add(&folder, sv_folder(sv_of(path)));
	str_add(&t->name, sv_after_last(sv_of(path), '/'));
	t->folder = open(str_c(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->folder < 0)
		err_system(err, "cannot open the folder %s", str_c(&folder));
	str_release(&folder);
	if (t->folder >= 0 && t->name.len == 0)
		return err_set(err, ERR_USAGE, "is a folder");
	return t->folder >= 0;
}

/* ---- what is there ---- */

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Is it a message with a graph, as far as its own fields tell? */
static bool has_model_fields(const struct file *file)
{
	struct bytes b;
	struct field field = {0};
	struct err ignored;
	bool has_graph = false, ok = true;
	uint64_t at = 0;

	bytes_init(&b, file);
	for (int i = 0; ok && at < file->size && i < MAX_FIELDS; i++) {
		ok = bytes_field(&b, at, file->size, &field, &ignored);
		at = field_end(&field);
		has_graph |= ok && field.number == GRAPH_FIELD && field.type == WIRE_BYTES;
	}
	bytes_release(&b);
	return ok && has_graph;
}

/* By its name, or by its fields: a damaged model is one too. */
static bool holds_a_model(const struct destination *t)
{
	struct file file = {.size = (uint64_t)t->old.st_size};
	bool is_model;

	if (t->old.st_size == 0 || sv_ends(str_sv(&t->name), SV(".onnx")))
		return t->old.st_size != 0;
	file.fd = openat(t->folder, str_c(&t->name),
			 O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file.fd < 0)
		return false;
	is_model = has_model_fields(&file);
	close(file.fd);
	return is_model;
}

static bool is_data_of(const struct destination *t, struct wire *w)
{
	const struct model *m = &w->model;
	struct intern seen = {0};
	bool is_data = false;

	for (size_t i = 1; !is_data && i < m->tensors.len; i++) {
		struct sv location;
		const struct file *data;
		struct err ignored;

		if (!m->tensors.at[i].external)
			continue;
		location = m->tensors.at[i].external->location;
		if (intern_find(&seen, location))
			continue;
		intern_add(&seen, location);
		data = external_open(&w->external, location, &ignored);
		is_data = data && is_same_file(&data->stamp, &t->old) &&
			  !is_same_file(&data->stamp, &w->named);
	}
	intern_release(&seen);
	return is_data;
}

static bool is_source(const struct destination *t, const struct destination_rules *r)
{
	return r->source && is_same_file(&r->source->named, &t->old);
}

static bool check_kind(const struct destination *t, const struct destination_rules *r,
		       struct err *err)
{
	if (!S_ISREG(t->old.st_mode))
		return err_set(err, ERR_REFUSED, "is not a regular file, so it is not replaced");
	if (r->kind != DESTINATION_MODEL && holds_a_model(t))
		return err_set(err, ERR_REFUSED, "is a model, and only a model may replace it");
	if (r->kind != DESTINATION_DATA && r->source && is_data_of(t, r->source))
		return err_set(err, ERR_REFUSED, "is the model's own external data");
	/* mktemp makes an empty file. */
	if (r->kind == DESTINATION_MODEL && !r->force && t->old.st_size != 0 && !is_source(t, r) &&
	    !holds_a_model(t))
		return err_set(err, ERR_REFUSED,
			       "is not a model, so only --force or :w! replaces it");
	return true;
}

static bool check_owner(const struct destination *t, const struct destination_rules *r,
			struct err *err)
{
	const char *what = t->old.st_uid != geteuid() ? "belongs to another user"
			   : t->old.st_mode & S_IWUSR ? NULL
						      : "is read-only";

	if (r->force || !what)
		return true;
	return err_set(err, ERR_REFUSED, "%s, so %s", what,
		       r->kind == DESTINATION_TEXT ? "it is not replaced"
						   : "only --force or :w! replaces it");
}

/* Looks at the file of that name, which may be none, and decides. */
static bool destination_check(struct destination *t, const struct destination_rules *r,
			      struct err *err)
{
	const struct stat *source = r->source && !r->source->file.piped ? &r->source->file.stamp
									: NULL;

	t->exists = fstatat(t->folder, str_c(&t->name), &t->old, AT_SYMLINK_NOFOLLOW) == 0;
	t->mode = 0666;
	if (t->exists && (!check_kind(t, r, err) || !check_owner(t, r, err)))
		return false;
	if (t->exists && r->fresh && !is_source(t, r))
		return err_set(err, ERR_REFUSED, "exists; add ! to replace it");
	if (t->exists)
		t->mode = t->old.st_mode & PERMISSIONS;
	/* Its owner may write what is new, even if the source is read-only. */
	if (source)
		t->mode &= source->st_mode | S_IRUSR | S_IWUSR;
	return true;
}

bool destination_resolve(struct destination *t, const char *path,
			 const struct destination_rules *rules, struct err *err)
{
	struct str resolved = {0};
	bool ok;

	*t = (struct destination){.folder = -1};
	str_text(&resolved, path);
	ok = follow_links(&resolved, err) && open_folder(t, str_c(&resolved), err) &&
	     destination_check(t, rules, err);
	str_release(&resolved);
	if (!ok)
		destination_release(t);
	return ok;
}

bool destination_in(struct destination *t, int folder, const char *name,
		    const struct destination_rules *rules, struct err *err)
{
	*t = (struct destination){.folder = fcntl(folder, F_DUPFD_CLOEXEC, 0)};
	str_text(&t->name, name);
	if (t->folder < 0)
		err_system(err, "cannot open its folder");
	else if (destination_check(t, rules, err))
		return true;
	destination_release(t);
	return false;
}

void destination_release(struct destination *t)
{
	if (t->folder >= 0)
		close(t->folder);
	str_release(&t->name);
	*t = (struct destination){.folder = -1};
}

/* ---- comparing ---- */

bool destination_same(const char *a, const char *b)
{
	const struct destination_rules any = {.kind = DESTINATION_MODEL, .force = true};
	struct destination left, right;
	struct stat here, there;
	struct err ignored;
	bool same = false;

	/* Standard input and output are no files. */
	if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0 ||
	    !destination_resolve(&left, a, &any, &ignored))
		return false;
	if (destination_resolve(&right, b, &any, &ignored)) {
		if (left.exists && right.exists)
			same = is_same_file(&left.old, &right.old);
		else if (!left.exists && !right.exists)
			same = fstat(left.folder, &here) == 0 && fstat(right.folder, &there) == 0 &&
			       is_same_file(&here, &there) &&
			       sv_eq(str_sv(&left.name), str_sv(&right.name));
		destination_release(&right);
	}
	destination_release(&left);
	return same;
}
