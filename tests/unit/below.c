/*
 * Opening files below a folder, and copying: with and without new system calls.
 *
 * A filter that refuses the calls simulates an old kernel; it cannot be removed, so those
 * tests come last.
 */
#define _DEFAULT_SOURCE
#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "base/base.h"
#include "base/os.h"

static char top[] = "/tmp/axed-test-below-XXXXXX";

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* in/ is the folder; out and in-other/ are beside it. */
static bool make_folders(void)
{
	if (!mkdtemp(top) || chdir(top) != 0)
		return false;
	CHECK(mkdir("in", 0700) == 0 && mkdir("in/sub", 0700) == 0 && mkdir("in-other", 0700) == 0);
	put("in/a", "a");
	put("in/sub/b", "b");
	put("out", "x");
	put("in-other/c", "x");
	CHECK(symlink("sub/b", "in/link") == 0 && symlink("../out", "in/leads-out") == 0);
	CHECK(symlink("../in-other/c", "in/leads-beside") == 0 && symlink("..", "in/up") == 0);
	CHECK(mkfifo("in/pipe", 0600) == 0);
	return true;
}

static void remove_folders(void)
{
	static const char *const files[] = {"in/a",
					    "in/sub/b",
					    "out",
					    "in-other/c",
					    "in/link",
					    "in/leads-out",
					    "in/leads-beside",
					    "in/up",
					    "in/pipe",
					    "copy",
					    NULL};
	static const char *const folders[] = {"in/sub", "in", "in-other", NULL};

	for (size_t i = 0; files[i]; i++)
		unlink(files[i]);
	for (size_t i = 0; folders[i]; i++)
		rmdir(folders[i]);
	CHECK(chdir("/") == 0 && rmdir(top) == 0);
}

/* The file's first byte; 0 if it cannot be opened. */
static char opened(int dir, const char *path)
{
	int fd = os_open_below(dir, path);
	char byte = 0;

	if (fd < 0)
		return 0;
	if (read(fd, &byte, 1) != 1)
		byte = '?';
	close(fd);
	return byte;
}

static void check_below(void)
{
	static const struct {
		const char *path;
		char wanted;
	} cases[] = {
		{"a", 'a'},     {"sub/b", 'b'},       {"link", 'b'},      {"sub/../a", 'a'},
		{"nothing", 0}, {"../out", 0},        {"leads-out", 0},   {"leads-beside", 0},
		{"up/out", 0},  {"sub/../../out", 0}, {"/etc/passwd", 0}, {"../in-other/c", 0},
		{"a/b", 0},     {".", '?'},           {"sub/..", '?'},    {"sub", '?'},
		{"", 0},
	};
	int dir = open("in", O_RDONLY | O_DIRECTORY);
	char name[PATH_MAX + 8];

	CHECK(dir >= 0);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		CHECK_THAT(opened(dir, cases[i].path) == cases[i].wanted, "%s", cases[i].path);
	errno = 0;
	CHECK(os_open_below(dir, "leads-beside") < 0 && errno == EXDEV);
	CHECK_THAT(opened(dir, "pipe") == '?', "a pipe that nobody writes must not hold it up");
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	CHECK(os_open_below(dir, name) < 0 && errno == ENAMETOOLONG);
	close(dir);
}

static void check_copy(void)
{
	int from = open("in/a", O_RDWR | O_TRUNC),
	    to = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char back[8] = {0};

	CHECK(from >= 0 && to >= 0 && write(from, "0123456", 7) == 7);
	CHECK(os_copy(from, 2, to, 3) == 3 && os_copy(from, 5, to, 100) == 2);
	CHECK(os_copy(from, 7, to, 100) == 0);
	CHECK(pread(to, back, sizeof(back), 0) == 5 && strcmp(back, "23456") == 0);
	CHECK(os_copy(-1, 0, to, 1) < 0);
	close(from);
	close(to);
	put("in/a", "a");
}

/* From here on these two system calls fail. */
static bool play_old_kernel(void)
{
#if defined(__linux__) && defined(SYS_openat2) && defined(SYS_copy_file_range)
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_copy_file_range, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = ARRAY_LEN(code), .filter = code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 &&
	       syscall(SYS_openat2, -1, "", NULL, 0) == -1 && errno == ENOSYS;
#else
	return false;
#endif
}

TEST(files_below_a_folder)
{
	if (!make_folders())
		SKIP("no folder for temporary files");
	check_below();
}

TEST(copies)
{
	check_copy();
}

TEST(files_below_a_folder_on_an_old_kernel)
{
	if (!play_old_kernel())
		SKIP("no system call can be refused here");
	check_below();
}

TEST(copies_on_an_old_kernel)
{
	check_copy();
	remove_folders();
}

TESTS(T(files_below_a_folder), T(copies), T(files_below_a_folder_on_an_old_kernel),
      T(copies_on_an_old_kernel))
