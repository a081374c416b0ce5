#include "app/verify/verify.h"

#include <stdio.h>
#include <unistd.h>

#include "app/verify/internal.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "edit/document.h"
#include "edit/write.h"
#include "wire/save_options.h"
#include "wire/wire.h"

const char *verify_kind_name(enum verify_kind kind)
{
	static const char *const names[VERIFY_KIND_COUNT] = {
		[VERIFY_SAME] = "same",
		[VERIFY_OTHER] = "other",
		[VERIFY_ITEMS] = "items",
		[VERIFY_ALONE] = "alone",
	};

	return names[kind];
}

const char *verify_verdict_name(enum verify_verdict verdict)
{
	static const char *const names[VERIFY_VERDICT_COUNT] = {
		[VERIFY_UNDONE] = "undone",   [VERIFY_EQUAL] = "equal", [VERIFY_RUNS] = "runs",
		[VERIFY_DIFFERS] = "differs", [VERIFY_SHAPE] = "shape", [VERIFY_FAILED] = "failed",
	};

	return names[verdict];
}

bool verify_is_good(enum verify_verdict verdict)
{
	return verdict == VERIFY_EQUAL || verdict == VERIFY_RUNS;
}

void verify_result_release(struct verify_result *r)
{
	for (size_t i = 0; i < r->trials.len; i++) {
		struct verify_trial *t = &r->trials.at[i];

		vec_release(&t->sizes);
		str_release(&t->place);
		str_release(&t->values[0]);
		str_release(&t->values[1]);
		str_release(&t->message);
	}
	for (size_t i = 0; i < r->notes.len; i++)
		str_release(&r->notes.at[i]);
	for (size_t i = 0; i < r->names.len; i++)
		str_release(&r->names.at[i]);
	for (size_t i = 0; i < ARRAY_LEN(r->versions); i++)
		str_release(&r->versions[i]);
	vec_release(&r->trials);
	vec_release(&r->notes);
	vec_release(&r->names);
	str_release(&r->python);
}

static size_t verify_count(const struct verify_result *r, enum verify_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < r->trials.len; i++)
		count += r->trials.at[i].verdict == verdict;
	return count;
}

/* The plan in an unnamed file; -1 on failure. */
static int verify_plan(const struct verify_request *request, struct verify_result *out,
		       struct err *err)
{
	int fd = file_spool(err), copy = fd < 0 ? -1 : dup(fd);
	FILE *file = copy < 0 ? NULL : fdopen(copy, "w");
	struct verify_plan plan;
	bool ok = false;

	if (fd >= 0 && !file)
		err_system(err, "cannot store the plan");
	if (file) {
		ok = verify_plan_make(&plan, request, out, err) && script_write(&plan, file, err);
		verify_plan_release(&plan);
		ok = fclose(file) == 0 && ok;
	} else if (copy >= 0) {
		close(copy);
	}
	if (ok || fd < 0)
		return fd;
	close(fd);
	return -1;
}

bool verify_run(const struct verify_request *request, struct verify_result *out, struct err *err)
{
	int plan;
	bool ok;

	*out = (struct verify_result){.two = request->original};
	plan = verify_plan(request, out, err);
	if (plan < 0)
		return false;
	ok = python_run(request, plan, out, err);
	close(plan);
	if (ok && out->two && !out->missing && verify_count(out, VERIFY_RUNS) == out->trials.len)
		out->missing = "nothing was compared, since all outputs were empty";
	out->ok = !out->missing;
	for (size_t i = 0; i < out->trials.len; i++)
		out->ok = out->ok && verify_is_good(out->trials.at[i].verdict);
	return ok;
}

/* Two models: the file of that name, and the document as it is now. */
static bool verify_edited(struct verify_request *request, struct document *d,
			  struct verify_result *out, struct err *err)
{
	int bytes = file_spool(err);
	bool ok;

	if (bytes < 0)
		return false;
	ok = document_write(d, bytes, &(struct save_options){0}, err);
	request->model = &d->wire;
	request->has_bytes = true;
	request->bytes = bytes;
	ok = ok && verify_run(request, out, err);
	close(bytes);
	return ok;
}

bool verify_document(struct verify_request *request, struct document *d, const char *original,
		     struct verify_result *out, struct err *err)
{
	struct wire file;
	bool ok;

	*out = (struct verify_result){0};
	if (d->wire.file.piped)
		return err_set(err, ERR_USAGE, "the model has no file; save it first");
	if (!wire_open(&file, original ? original : str_c(&d->wire.path), err))
		return false;
	if (original || document_is_changed(d)) {
		request->original = &file;
		ok = verify_edited(request, d, out, err);
	} else {
		request->model = &file;
		ok = verify_run(request, out, err);
	}
	wire_release(&file);
	return ok;
}
