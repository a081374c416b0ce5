#include "app/cli_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "base/bug.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cmd/args.h"

enum {
	MAX_ERRORS = 64 << 10 /* bytes of standard error to print */
};

/* ---- the child ---- */

/* As if this model were the only one. */
static enum exit_code run_one(const struct many *many, size_t model)
{
	const struct args *all = many->app->args;
	struct args args = *all;
	struct app app = *many->app;
	enum exit_code code;

	if (args_has(all, OPTION_DEMO))
		return many->one(&app);
	args.words.at = NULL;
	args.words.len = args.words.cap = 0;
	vec_push(&args.words, all->words.at[model]);
	for (size_t i = many->models; i < all->words.len; i++)
		vec_push(&args.words, all->words.at[i]);
	app.args = &args;
	code = many->one(&app);
	vec_release(&args.words);
	return code;
}

/* What the child process is given. */
struct job_order {
	const struct job *job;   /* borrowed */
	const struct many *many; /* borrowed */
	const sigset_t *mask;    /* borrowed */
};

static int job_be(void *context, int parent)
{
	const struct job_order *o = context;
	enum exit_code code;
	struct err err;

	(void)parent;
	sigprocmask(SIG_SETMASK, o->mask, NULL);
	if (dup2(o->job->out, STDOUT_FILENO) < 0 || dup2(o->job->err, STDERR_FILENO) < 0)
		return EXIT_BAD;
	code = run_one(o->many, o->job->model);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		err_system(&err, "cannot store the output");
		code = complain(&err);
	}
	return (int)code;
}

static bool empty_file(int fd)
{
	return ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0;
}

static bool job_keep(struct job *j, struct err *err)
{
	if (j->kept)
		return (empty_file(j->out) && empty_file(j->err)) ||
		       err_system(err, "cannot truncate a temporary file");
	j->out = file_spool(err);
	if (j->out < 0)
		return false;
	j->err = file_spool(err);
	if (j->err < 0)
		close(j->out);
	j->kept = j->err >= 0;
	return j->kept;
}

bool job_start(struct job *j, const struct many *many, size_t model, int64_t limit_ms,
	       const sigset_t *mask, struct err *err)
{
	struct job_order order = {j, many, mask};

	j->model = model;
	return job_keep(j, err) && child_start(&j->child,
					       &(struct child_plan){.work = job_be,
								    .context = &order,
								    .group = true,
								    .limit_ms = limit_ms},
					       err);
}

void job_release(struct job *j)
{
	if (!j->kept)
		return;
	close(j->out);
	close(j->err);
	j->kept = false;
}

/* ---- output ---- */

static void copy_out(int fd)
{
	char buffer[64 << 10];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buffer, sizeof(buffer), at)) > 0) {
		/* A failed write is reported once, at exit. */
		if (fwrite(buffer, 1, (size_t)n, stdout) != (size_t)n)
			return;
		at += n;
	}
}

/* The model's name as the command's own messages have it. */
static void job_add_name(struct str *s, const struct many *many, size_t model)
{
	const struct args *a = many->app->args;
	const char *name = args_has(a, OPTION_DEMO) ? "demo" : a->words.at[model];

	str_add_shown(s, strcmp(name, "-") == 0 ? SV("standard input") : sv_of(name));
}

/* "axed: sentence" becomes "axed: name: sentence", unless it names the model already. */
static void tell_line(struct sv line, struct sv name)
{
	const struct sv start = SV("axed: ");
	struct sv rest = sv_skip(line, MIN(start.len, line.len));
	bool ours = line.len >= start.len && memcmp(line.at, start.at, start.len) == 0;
	bool names = rest.len > name.len && memcmp(rest.at, name.at, name.len) == 0 &&
		     rest.at[name.len] == ':';

	if (ours && !names)
		fprintf(stderr, "axed: %.*s: %.*s\n", (int)name.len, name.at, (int)rest.len,
			rest.at);
	else
		fprintf(stderr, "%.*s\n", (int)line.len, line.at);
}

static void tell_errors(int fd, struct sv name)
{
	char *text = must_alloc(MAX_ERRORS);
	ssize_t n = pread(fd, text, MAX_ERRORS, 0);
	struct sv rest = {text, n > 0 ? (size_t)n : 0};

	while (rest.len) {
		const char *end = memchr(rest.at, '\n', rest.len);
		size_t len = end ? (size_t)(end - rest.at) : rest.len;

		tell_line((struct sv){rest.at, len}, name);
		rest = sv_skip(rest, MIN(len + 1, rest.len));
	}
	free(text);
}

/* Only complete output: half an object or half a table would mislead. */
static void tell_output(const struct job *j, const struct many *many, struct sv name, bool *after)
{
	bool text = !many->bare && !args_has(many->app->args, OPTION_JSON) && many->models > 1;
	bool empty = lseek(j->out, 0, SEEK_END) <= 0;

	if (empty && j->child.end.number == EXIT_BAD)
		return;
	if (text && many->named && *after)
		putchar('\n');
	if (text && !many->named)
		printf(many->app->color ? "\033[1m== %.*s\033[0m\n" : "== %.*s\n", (int)name.len,
		       name.at);
	if (many->between && !empty && *after)
		fputs(many->between, stdout);
	copy_out(j->out);
	*after |= !many->between || !empty;
}

static enum exit_code tell_death(const struct job *j, const struct many *many, struct sv name)
{
	const struct args *a = many->app->args;
	struct child_end end = j->child.end;

	fprintf(stderr, "axed: %.*s: ", (int)name.len, name.at);
	if (end.how == CHILD_LATE)
		fprintf(stderr, "took longer than %s s and was stopped\n",
			a->values[OPTION_TIMEOUT]);
	else
		fprintf(stderr, "%s crashed (%s %d)\n", a->command->name,
			end.how == CHILD_KILLED ? "signal" : "exit code", end.number);
	return EXIT_BAD;
}

enum exit_code job_tell(struct job *j, const struct many *many, bool *after)
{
	struct child_end end = j->child.end;
	bool whole = end.how == CHILD_EXITED && end.number <= (int)EXIT_BAD;
	enum exit_code code = whole ? (enum exit_code)end.number : EXIT_BAD;
	struct str name = {0};

	job_add_name(&name, many, j->model);
	if (whole)
		tell_output(j, many, str_sv(&name), after);
	fflush(stdout); /* keeps the order when both go to the same file */
	tell_errors(j->err, str_sv(&name));
	if (!whole)
		code = tell_death(j, many, str_sv(&name));
	str_release(&name);
	return code;
}
