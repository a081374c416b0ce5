/* What systems have beyond POSIX, and what stands in for it. */
#include "tests/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os.h"

static void check_signals(int (*await)(const sigset_t *, int64_t))
{
	sigset_t watched;
	int64_t start = clock_ms();

	sigemptyset(&watched);
	sigaddset(&watched, SIGUSR1);
	sigaddset(&watched, SIGCHLD);
	CHECK(sigprocmask(SIG_BLOCK, &watched, NULL) == 0);
	CHECK(await(&watched, 30) == 0 && clock_ms() - start >= 30);
	CHECK(raise(SIGUSR1) == 0);
	CHECK(await(&watched, 3600 * 1000) == SIGUSR1);
	CHECK(await(&watched, 0) == 0); /* it is taken */
	if (fork() == 0)
		_exit(0);
	CHECK(await(&watched, 3600 * 1000) == SIGCHLD);
}

TEST(signals_are_awaited)
{
	check_signals(os_await_signal);
}

TEST(signals_are_polled)
{
	check_signals(os_poll_signal);
}

TEST(random_bytes_differ)
{
	unsigned char a[32] = {0}, b[32] = {0};

	if (!os_random(a, sizeof(a)) || !os_random(b, sizeof(b)))
		SKIP("this system has no random bytes yet");
	CHECK(memcmp(a, b, sizeof(a)) != 0);
}

TEST(files_have_times_in_nanoseconds)
{
	char path[] = "/tmp/axed-test-os-XXXXXX";
	int fd = mkstemp(path);
	const struct timespec times[] = {{.tv_sec = 5},
					 {.tv_sec = 1234567890, .tv_nsec = 987654321}};
	struct stat st;

	CHECK(fd >= 0 && write(fd, "a", 1) == 1 && os_flush_data(fd));
	CHECK(futimens(fd, times) == 0 && fstat(fd, &st) == 0);
	CHECK(os_mtime(&st) / 1000000000 == 1234567890);
	CHECK(os_mtime(&st) % 1000000000 / 1000 == 987654); /* file systems may round */
	close(fd);
	unlink(path);
}

TESTS(T(signals_are_awaited), T(signals_are_polled), T(random_bytes_differ),
      T(files_have_times_in_nanoseconds))
