#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/verify/internal.h"
#include "app/verify/runner.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/sv.h"

enum {
	PYTHON_PAUSE_MS = 20,   /* between two looks */
	MAX_ANSWER = 64 << 10,  /* bytes of a line */
	MAX_ANSWERS = 16 << 20, /* bytes in all */
	NOT_STARTED = 127       /* the exit status, as a shell has it */
};

struct python {
	const struct verify_request *request; /* borrowed */
	struct answers answers;
	struct child child;
	int plan;          /* borrowed: a file */
	int out, err;      /* owned: files */
	struct str script; /* the program's text */
	size_t start;      /* the first run that this child makes */
	struct str rest;   /* an answer that is not complete yet */
	off_t read;        /* bytes of `out` */
};

/* ---- the child ---- */

static int python_be(void *context, int parent)
{
	const struct python *p = context;
	const struct verify_request *r = p->request;
	const char *given = str_c(&p->answers.result->python);
	const char *first = r->original ? str_c(&r->original->path) : str_c(&r->model->path);
	const char *second = r->original ? str_c(&r->model->path) : NULL;

	char start[24];

	(void)parent;
	(void)snprintf(start, sizeof(start), "%zu", p->start);
	if (lseek(p->plan, 0, SEEK_SET) != 0 || dup2(p->plan, STDIN_FILENO) < 0 ||
	    dup2(p->out, STDOUT_FILENO) < 0 || dup2(p->err, STDERR_FILENO) < 0)
		return NOT_STARTED;
	(void)execlp(given, given, "-B", "-c", str_c(&p->script), start, first, second,
		     (char *)NULL);
	return NOT_STARTED;
}

static const char *python_find(const struct verify_request *r)
{
	const char *named = getenv("AXED_PYTHON");

	if (r->python)
		return r->python;
	return named && *named ? named : "python3";
}

/* ---- its answers ---- */

static bool python_take(struct python *p, const char *bytes, size_t len, struct err *err)
{
	str_add(&p->rest, (struct sv){bytes, len});
	for (;;) {
		struct sv after = str_sv(&p->rest), line;
		struct str next = {0};
		bool ok;

		if (!sv_has(after, '\n'))
			break;
		line = sv_cut(&after, '\n');
		ok = answers_line(&p->answers, line, err);
		str_add(&next, after);
		str_release(&p->rest);
		p->rest = next;
		if (!ok)
			return false;
	}
	return p->rest.len <= MAX_ANSWER ||
	       err_set(err, ERR_LIMIT, "Python answered a line of more than %d bytes", MAX_ANSWER);
}

/* What has come since the last time. */
static bool python_hear(struct python *p, struct err *err)
{
	char bytes[4096];
	ssize_t got;

	while ((got = pread(p->out, bytes, sizeof(bytes), p->read)) > 0) {
		p->read += got;
		if (!python_take(p, bytes, (size_t)got, err))
			return false;
		if (p->read > MAX_ANSWERS)
			return err_set(err, ERR_LIMIT, "Python answered more than %d bytes",
				       MAX_ANSWERS);
	}
	return true;
}

static bool python_step(const struct python *p, struct err *err)
{
	const struct verify_request *r = p->request;
	const struct answers *a = &p->answers;
	const char *what = a->open ? "running" : a->hello ? "loading" : "starting Python";

	return !r->step ||
	       r->step(r->context, what, a->done, a->open ? a->result->trials.len : 0) ||
	       err_set(err, ERR_STOPPED, "stopped");
}

static bool python_watch(struct python *p, struct err *err)
{
	while (!child_ended(&p->child)) {
		if (!python_hear(p, err) || !python_step(p, err)) {
			child_stop(&p->child);
			return false;
		}
		(void)poll(NULL, 0, PYTHON_PAUSE_MS);
	}
	return python_hear(p, err);
}

/* ---- its end ---- */

/* The last line that it wrote to standard error: of a traceback, the message. */
static void python_last_words(const struct python *p, struct str *out)
{
	char bytes[2048];
	off_t size = lseek(p->err, 0, SEEK_END);
	off_t from = MAX(size - (off_t)sizeof(bytes), 0);
	ssize_t got = pread(p->err, bytes, sizeof(bytes), from);
	struct sv text = sv_trim((struct sv){bytes, got > 0 ? (size_t)got : 0});

	text = sv_after_last(text, '\n');
	str_add(out, (struct sv){text.at, MIN(text.len, 200)});
}

/* How it ended: "took longer than 600 seconds", "died (signal 11)". */
static void python_end_text(const struct python *p, struct str *out)
{
	const struct child_end *end = &p->child.end;

	if (end->how == CHILD_LATE)
		str_format(out, "took longer than %g seconds", (double)p->request->limit_ms / 1000);
	else if (end->how == CHILD_KILLED)
		str_format(out, "died (signal %d)", end->number);
	else
		str_format(out, "ended early (exit status %d)", end->number);
}

static bool python_no_start(const struct python *p, struct err *err)
{
	const char *python = str_c(&p->answers.result->python);
	struct str end = {0}, words = {0};

	python_end_text(p, &end);
	python_last_words(p, &words);
	if (p->child.end.how == CHILD_EXITED && p->child.end.number == NOT_STARTED && !words.len)
		err_set(err, ERR_SYSTEM,
			"cannot run %s; install Python with onnxruntime, or name one in "
			"$AXED_PYTHON",
			python);
	else
		err_set(err, ERR_SYSTEM, "%s %s%s%s", python, str_c(&end), words.len ? ": " : "",
			str_c(&words));
	str_release(&end);
	str_release(&words);
	return false;
}

/* The run that was under way, or loading, failed. */
static void python_blame(struct python *p)
{
	struct answers *a = &p->answers;
	struct verify_trial *t = &a->result->trials.at[a->current ? a->current - 1 : a->done];

	if (a->done >= a->result->trials.len)
		return;
	t->verdict = VERIFY_FAILED;
	str_clear(&t->message);
	if (a->unloadable.len) {
		str_text(&t->message, "cannot be loaded: ");
		str_add(&t->message, str_sv(&a->unloadable));
		return;
	}
	str_text(&t->message, a->open ? "ONNX Runtime " : "ONNX Runtime, loading the model, ");
	python_end_text(p, &t->message);
}

static bool python_judge(struct python *p, struct err *err)
{
	const struct answers *a = &p->answers;

	/* A second child may fail to start: what the first one has said stays. */
	if (!a->hello)
		return p->start || python_no_start(p, err);
	if (a->unloadable.len || !a->end)
		python_blame(p);
	return true;
}

/* The runs from p->start on, in a child of their own. */
static bool python_once(struct python *p, int64_t limit_ms, struct err *err)
{
	struct child_plan plan = {
		.work = python_be, .context = p, .group = true, .limit_ms = limit_ms};
	bool ok = false;

	p->out = file_spool(err);
	p->err = p->out < 0 ? -1 : file_spool(err);
	if (p->err >= 0 && child_start(&p->child, &plan, err))
		ok = python_watch(p, err) && python_judge(p, err);
	if (p->out >= 0)
		close(p->out);
	if (p->err >= 0)
		close(p->err);
	return ok;
}

/*
 * A run that killed its child says nothing of those after it.  False when there is none, or the
 * child died of something else than a run.
 */
static bool python_has_more(struct python *p)
{
	struct answers *a = &p->answers;
	size_t next = a->current;

	if (p->child.end.how == CHILD_LATE || !a->open || a->end || next <= p->start ||
	    next >= a->result->trials.len)
		return false;
	a->hello = a->open = false;
	a->current = 0;
	a->done = next;
	str_clear(&p->rest);
	p->read = 0;
	p->start = next;
	return true;
}

bool python_run(const struct verify_request *request, int plan, struct verify_result *out,
		struct err *err)
{
	struct python p = {.request = request,
			   .answers = {.result = out, .alone = !request->original},
			   .plan = plan};
	int64_t end = clock_ms() + request->limit_ms;
	bool ok;

	str_text(&out->python, python_find(request));
	str_add(&p.script, (struct sv){(const char *)verify_runner, verify_runner_size});
	ok = python_once(&p, request->limit_ms, err);
	while (ok && python_has_more(&p))
		ok = python_once(&p, MAX(end - clock_ms(), 1), err);
	str_release(&p.script);
	str_release(&p.rest);
	str_release(&p.answers.unloadable);
	return ok;
}
