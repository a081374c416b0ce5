#include "app/cli_progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

enum {
	WAIT_MS = 300, /* shorter work shows nothing */
	PAUSE_MS = 80, /* between two updates */
	BAR_CELLS = 30
};

static const int progress_stops[] = {SIGINT, SIGTERM, SIGHUP};

/* The signal received; a handler can only reach globals. */
static volatile sig_atomic_t progress_stopped;

static void progress_stop(int signal)
{
	progress_stopped = signal;
}

void progress_begin(struct progress *p, bool quiet)
{
	struct sigaction action = {.sa_handler = progress_stop};

	*p = (struct progress){.shown = !quiet && isatty(STDERR_FILENO), .start_ms = clock_ms()};
	p->last_ms = p->start_ms;
	progress_stopped = 0;
	for (size_t i = 0; i < ARRAY_LEN(progress_stops); i++) {
		sigaction(progress_stops[i], NULL, &p->before[i]);
		/* Signals ignored by nohup stay ignored. */
		if (p->before[i].sa_handler != SIG_IGN)
			sigaction(progress_stops[i], &action, NULL);
	}
}

static void progress_draw(struct progress *p, const char *what, uint64_t done, uint64_t total)
{
	unsigned percent = total ? (unsigned)((double)done / (double)total * 100) : 100;
	unsigned cells = percent * BAR_CELLS / 100;

	if (total) {
		fprintf(stderr, "\r%-24s [", what);
		for (unsigned i = 0; i < BAR_CELLS; i++)
			fputc(i < cells ? '#' : '.', stderr);
		fprintf(stderr, "] %3u %%", percent);
	} else { /* the total is unknown: show the count */
		fprintf(stderr, "\r%-24s %" PRIu64, what, done);
	}
	fflush(stderr);
	p->drawn = true;
}

bool progress_step(void *context, const char *what, uint64_t done, uint64_t total)
{
	struct progress *p = context;
	int64_t now = p->shown ? clock_ms() : 0;

	if (p->shown && now - p->start_ms > WAIT_MS && now - p->last_ms > PAUSE_MS) {
		progress_draw(p, what, done, total);
		p->last_ms = now;
	}
	return !progress_stopped;
}

void progress_end(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	for (size_t i = 0; i < ARRAY_LEN(progress_stops); i++)
		sigaction(progress_stops[i], &p->before[i], NULL);
}

void progress_raise(void)
{
	if (progress_stopped)
		raise(progress_stopped);
}
