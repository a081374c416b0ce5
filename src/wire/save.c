#include "wire/save.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/os.h"
#include "base/str.h"
#include "base/sv.h"
#include "wire/atomic.h"
#include "wire/destination.h"
#include "wire/external_copy.h"
#include "wire/wire.h"

enum {
	COPY_STEP = 16 << 20 /* bytes between two reports of progress */
};

/* ---- the source ---- */

/* Neither the opened file nor the one that has its name now may have changed. */
static bool check_source(const struct wire *w, const struct save_options *o, bool is_own,
			 struct err *err)
{
	if (o->force || w->file.piped)
		return true;
	if (!file_unchanged(&w->file))
		return err_set(err, ERR_REFUSED, "%s changed on disk since it was opened",
			       str_c(&w->path));
	/* Elsewhere, the bytes that were opened may be saved all the same. */
	if (is_own && wire_was_replaced(w))
		return err_set(err, ERR_REFUSED, "%s was replaced on disk since it was opened",
			       str_c(&w->path));
	return true;
}

/* After a save over the source, its name belongs to our new file. */
static void remember_source(struct wire *w, const char *target)
{
	struct stat source, saved;

	if (stat(str_c(&w->path), &source) == 0 && stat(target, &saved) == 0 &&
	    source.st_ino == saved.st_ino && source.st_dev == saved.st_dev)
		w->named = source;
}

/* ---- splicing ---- */

struct writer {
	const struct wire *wire;            /* borrowed */
	const struct save_options *options; /* borrowed */
	int fd;
	uint64_t done;
	uint64_t total;
	bool is_own; /* it is written to the source's own name */
};

static bool copy_span(struct writer *out, uint64_t from, uint64_t to, struct err *err)
{
	while (from < to) {
		size_t step = (size_t)MIN(to - from, (uint64_t)COPY_STEP);
		ssize_t n;

		if (!save_step(out->options, "copying", out->done, out->total, err))
			return false;
		n = os_copy(out->wire->file.fd, (off_t)from, out->fd, step);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_system(err, "cannot be written");
		if (n == 0)
			return err_set(err, ERR_REFUSED,
				       "the source was truncated at byte %" PRIu64
				       " while being copied",
				       from);
		from += (uint64_t)n;
		out->done += (uint64_t)n;
	}
	return true;
}

static bool write_new(struct writer *out, struct sv bytes, struct err *err)
{
	if (!save_step(out->options, "writing", out->done, out->total, err))
		return false;
	if (!file_write_all(out->fd, bytes.at, bytes.len))
		return err_system(err, "cannot be written");
	out->done += bytes.len;
	return true;
}

static bool write_spliced(struct writer *out, const struct patch *p, struct err *err)
{
	uint64_t at = 0;

	for (size_t i = 0; i < p->splices.len; i++) {
		const struct splice *s = &p->splices.at[i];

		if (!copy_span(out, at, s->at, err) || !write_new(out, s->bytes, err))
			return false;
		at = s->at + s->old_len;
	}
	return copy_span(out, at, out->wire->file.size, err);
}

static bool tell_replacing(const struct save_options *o, int fd)
{
	struct stat file;

	if (o->replacing && fstat(fd, &file) == 0)
		o->replacing(o->replacing_context, &file);
	return true;
}

static bool write_file(struct writer *out, const struct patch *patch,
		       const struct destination *target, struct err *err)
{
	struct atomic_file file;
	bool ok;

	if (!atomic_begin(&file, target, err))
		return false;
	out->fd = file.fd;
	/* If the source was truncated or rewritten, the copy may mix old and new. */
	ok = write_spliced(out, patch, err) &&
	     check_source(out->wire, out->options, out->is_own, err) &&
	     save_step(out->options, "flushing", out->done, out->total, err) &&
	     atomic_flush(&file, err) && tell_replacing(out->options, file.fd) &&
	     atomic_commit(&file, err);
	if (ok && out->options->progress)
		out->options->progress(out->options->context, "saved", out->done, out->total);
	atomic_cancel(&file);
	return ok;
}

static bool to_standard_output(const char *target)
{
	return strcmp(target, "-") == 0;
}

static bool save_to_target(struct wire *w, struct writer *out, const struct patch *patch,
			   const struct destination *target, struct save_report *report,
			   struct err *err)
{
	struct carry carry;
	bool ok = carry_external(&carry, w, target, patch->splices.len != 0, out->options,
				 &report->notes, err);

	if (ok && !write_file(out, patch, target, err)) {
		carry_undo(&carry);
		ok = false;
	}
	carry_release(&carry);
	return ok;
}

static bool save_to_path(struct wire *w, struct writer *out, const struct patch *patch,
			 const char *path, struct save_report *report, struct err *err)
{
	const struct destination_rules rules = {
		.kind = DESTINATION_MODEL,
		.force = out->options->force,
		.fresh = out->options->fresh,
		.source = w,
	};
	struct destination target;
	bool ok = destination_resolve(&target, path, &rules, err);

	if (!ok)
		return false;
	ok = save_to_target(w, out, patch, &target, report, err);
	destination_release(&target);
	if (ok)
		remember_source(w, path);
	return ok;
}

bool wire_write(struct wire *w, struct patch *patch, int fd, const struct save_options *options,
		struct err *err)
{
	struct writer out = {.wire = w, .options = options, .fd = fd};

	return check_source(w, options, false, err) && patch_finish(patch, w, &out.total, err) &&
	       write_spliced(&out, patch, err);
}

bool wire_save(struct wire *w, struct patch *patch, const char *target,
	       const struct save_options *options, struct save_report *report, struct err *err)
{
	struct writer out = {.wire = w, .options = options, .fd = STDOUT_FILENO};
	bool ok;

	out.is_own = !w->file.piped && destination_same(str_c(&w->path), target);
	ok = check_source(w, options, out.is_own, err) && patch_finish(patch, w, &out.total, err);

	if (ok && to_standard_output(target))
		ok = write_spliced(&out, patch, err);
	else if (ok)
		ok = save_to_path(w, &out, patch, target, report, err);
	if (!ok)
		err_prefix(err, "%s", to_standard_output(target) ? "standard output" : target);
	return ok;
}

void save_report_release(struct save_report *report)
{
	str_release(&report->notes);
}
