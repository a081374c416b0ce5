#include "app/worker.h"

#include <assert.h>
#include <string.h>

#include "base/base.h"
#include "base/child.h"
#include "base/clock.h"

enum {
	PAUSE_MS = 60 /* between two polls */
};

enum news_kind {
	NEWS_WHAT, /* the text names the current step */
	NEWS_NOTE,
	NEWS_DONE,
	NEWS_FAILED, /* the error says why */
	NEWS_KIND_COUNT
};

struct news {
	enum news_kind kind;
	unsigned graphviz; /* seconds */
	struct err err;
};
static_assert(sizeof(struct news) <= CHILD_MESSAGE_MAX, "it is sent as one message");

struct watched {
	struct child child;
	bool ended;
	struct news last;
	struct worker_result *result; /* borrowed */
	unsigned graphviz;            /* its timeout in seconds while it works, else 0 */
	char what[64];
};

/* ---- the worker's side ---- */

static void worker_say(struct worker *a, enum news_kind kind, const char *text, unsigned graphviz)
{
	struct news news;

	memset(&news, 0, sizeof(news));
	news.kind = kind;
	news.graphviz = graphviz;
	err_set(&news.err, ERR_NONE, "%s", text);
	child_send(a->news, &news, sizeof(news));
}

void worker_tell(struct worker *a, const char *what, unsigned graphviz)
{
	worker_say(a, NEWS_WHAT, what, graphviz);
}

void worker_note(struct worker *a, const char *note)
{
	worker_say(a, NEWS_NOTE, note, 0);
}

/* What the child process is given. */
struct order {
	worker_task *task;
	void *context; /* borrowed */
	FILE *out;     /* borrowed */
};

static int worker_be(void *context, int parent)
{
	const struct order *o = context;
	struct worker a = {.out = o->out, .news = parent};
	struct news news;

	memset(&news, 0, sizeof(news));
	news.kind = o->task(o->context, &a, &news.err) ? NEWS_DONE : NEWS_FAILED;
	if (news.kind == NEWS_DONE && (fflush(a.out) != 0 || ferror(a.out))) {
		err_system(&news.err, "cannot write the result");
		news.kind = NEWS_FAILED;
	}
	child_send(parent, &news, sizeof(news));
	return 0;
}

/* ---- the parent's side ---- */

static void worker_take(struct watched *w, const struct news *news)
{
	if (news->kind == NEWS_WHAT) {
		(void)snprintf(w->what, sizeof(w->what), "%.40s (seconds)", news->err.text);
		w->graphviz = news->graphviz;
	} else if (news->kind == NEWS_NOTE) {
		w->result->note = news->err;
	} else {
		w->last = *news;
		w->ended = true;
	}
}

/* False when the watcher asks it to stop. */
static bool watch_until_end(struct watched *w, const struct worker_watch *watch)
{
	int64_t start = clock_ms();

	while (!w->ended) {
		struct news news;
		enum child_news heard = child_hear(&w->child, &news, sizeof(news), PAUSE_MS);

		if (heard == CHILD_SENT)
			worker_take(w, &news);
		w->ended |= heard == CHILD_OVER;
		if (watch && watch->step && !w->ended &&
		    !watch->step(watch->context, w->what, (uint64_t)(clock_ms() - start) / 1000, 0))
			return false;
	}
	return true;
}

static bool worker_judge(const struct watched *w, struct err *err)
{
	const struct child_end *end = &w->child.end;

	if (w->last.kind == NEWS_DONE)
		return true;
	w->result->graphviz = w->graphviz;
	if (w->last.kind == NEWS_FAILED)
		*err = w->last.err;
	else if (end->how == CHILD_EXITED)
		err_set(err, ERR_SYSTEM, "the export process ended early (exit status %d)",
			end->number);
	else
		err_set(err, ERR_SYSTEM, "the export process died (signal %d)", end->number);
	return false;
}

bool worker_run(worker_task *task, void *context, const struct worker_watch *watch,
		struct worker_result *out, struct err *err)
{
	struct watched w = {.last = {.kind = NEWS_WHAT}, .result = out, .what = "working"};
	FILE *file = tmpfile();
	struct order order = {task, context, file};
	/* It stays in our process group: it ends with one of many jobs, and with Ctrl-C. */
	struct child_plan plan = {.work = worker_be, .context = &order, .messages = true};
	bool ok;

	out->graphviz = false;
	if (!file)
		return err_system(err, "cannot create a temporary file");
	if (!child_start(&w.child, &plan, err)) {
		(void)fclose(file);
		return false;
	}
	ok = watch_until_end(&w, watch) ||
	     err_set(err, ERR_STOPPED, "stopped; nothing was written");
	/* A worker that sent its result exits by itself. */
	if (w.last.kind == NEWS_WHAT)
		child_stop(&w.child);
	else
		child_wait(&w.child);
	ok = ok && worker_judge(&w, err);
	if (ok) {
		rewind(file);
		out->file = file;
	} else {
		(void)fclose(file);
	}
	return ok;
}
