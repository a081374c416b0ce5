#include "wire/hold.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/os.h"

enum {
	LARGEST_COPY = 256 << 20,
	STEP = 4 << 20 /* bytes between two looks at the clock */
};

static void hold_give_up(struct hold *h)
{
	close(h->fd);
	h->state = HOLD_FAILED;
}

/* Only if nobody has written to it meanwhile. */
static void hold_finish(struct hold *h, struct file *file)
{
	struct stat st;

	if (!file_unchanged(file) || fstat(h->fd, &st) != 0) {
		hold_give_up(h);
		return;
	}
	close(file->fd);
	file->fd = h->fd;
	/* The permissions stay those of the file. */
	st.st_mode = file->stamp.st_mode;
	file->stamp = st;
	h->state = HOLD_DONE;
}

static void hold_begin(struct hold *h, struct file *file, int folder)
{
	struct err ignored;

	h->fd = os_open_unnamed(folder);
	if (h->fd < 0)
		h->fd = file_spool(&ignored);
	h->state = h->fd < 0 ? HOLD_FAILED : HOLD_COPYING;
	if (h->fd < 0)
		return;
	if (os_clone(file->fd, h->fd))
		hold_finish(h, file);
	else if (file->size > LARGEST_COPY)
		hold_give_up(h);
}

static void hold_copy(struct hold *h, struct file *file, int64_t end_ms)
{
	do {
		size_t step = (size_t)MIN(file->size - h->done, (uint64_t)STEP);
		ssize_t n = os_copy(file->fd, (off_t)h->done, h->fd, step);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			hold_give_up(h);
			return;
		}
		h->done += (uint64_t)n;
	} while (h->done < file->size && clock_ms() < end_ms);
	if (h->done == file->size)
		hold_finish(h, file);
}

void hold_work(struct hold *h, struct file *file, int folder, int max_ms)
{
	int64_t end_ms = clock_ms() + max_ms;

	if (h->state == HOLD_NOTHING)
		hold_begin(h, file, folder);
	if (h->state == HOLD_COPYING)
		hold_copy(h, file, end_ms);
}

void hold_release(struct hold *h)
{
	if (h->state == HOLD_COPYING)
		close(h->fd);
	*h = (struct hold){0};
}
