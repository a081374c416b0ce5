/*
 * Runs a fuzz target over files, without libFuzzer; linked with one fuzz_*.c.
 *
 *   replay FILE|FOLDER...             each file once
 *   replay --mutate FILE|FOLDER...    also every beginning of it, and it with every byte
 *                                     changed in several ways
 *   replay --mutate --step N ...      as --mutate, at every Nth byte only
 *
 * One TAP line a file.  Each file has a process of its own, so that a crash is told and
 * the next file tried; an input that takes too long or too much memory is a crash.
 */
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "base/vec.h"
#include "tests/fuzz/target.h"
#include "tests/wire/scratch.h"

enum {
	SECONDS = 10,    /* for one input */
	MEGABYTES = 512, /* for all of the process */
	CHANGES = 5      /* ways to change a byte */
};

/* Sanitizers reserve more addresses than any limit would allow; they have their own. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

struct options {
	bool mutate;
	size_t step;
};

/* What the child does, for the parent to read when it is gone: through a file. */
struct state {
	uint64_t inputs;
	uint64_t len; /* of the input */
	uint64_t at;  /* the byte that was changed */
	int change;   /* in which way; -1 for none */
};

/* ---- one file, in the child ---- */

struct run {
	int fd; /* where the state is kept */
	struct state state;
};

static void try_input(struct run *r, const char *bytes, size_t len, size_t at, int change)
{
	/* A copy of its own size: reading past it is seen. */
	uint8_t *copy = malloc(len ? len : 1);

	memcpy(copy, bytes, len);
	r->state.inputs++;
	r->state.len = len;
	r->state.at = at;
	r->state.change = change;
	if (pwrite(r->fd, &r->state, sizeof(r->state), 0) != (ssize_t)sizeof(r->state))
		abort();
	alarm(SECONDS);
	LLVMFuzzerTestOneInput(copy, len);
	alarm(0);
	free(copy);
}

static char changed_byte(char old, int change)
{
	unsigned char byte = (unsigned char)old;
	const unsigned char ways[CHANGES] = {0x00, 0xff, byte ^ 0x01, byte ^ 0x80,
					     (unsigned char)(byte + 1)};

	return (char)ways[change];
}

static void mutate(struct run *r, struct str *file, size_t step)
{
	for (size_t at = 0; at < file->len; at += step)
		try_input(r, file->at, at, at, -1);
	for (size_t at = 0; at < file->len; at += step) {
		char old = file->at[at];

		for (int change = 0; change < CHANGES; change++) {
			file->at[at] = changed_byte(old, change);
			if (file->at[at] != old)
				try_input(r, file->at, file->len, at, change);
		}
		file->at[at] = old;
	}
}

static int run_file(int fd, const char *path, const struct options *o)
{
	struct rlimit memory = {(rlim_t)MEGABYTES << 20, (rlim_t)MEGABYTES << 20};
	struct run r = {.fd = fd};
	struct str file = {0};

	if (!SANITIZED && setrlimit(RLIMIT_AS, &memory) != 0)
		perror("setrlimit");
	if (!read_whole(path, &file)) {
		perror(path);
		return 1;
	}
	LLVMFuzzerInitialize(NULL, NULL);
	try_input(&r, str_c(&file), file.len, 0, -1);
	if (o->mutate)
		mutate(&r, &file, o->step);
	str_release(&file);
	return 0;
}

/* ---- all files, in the parent ---- */

static void tell_death(int status, const struct state *s)
{
	printf("# input %" PRIu64 ": the first %" PRIu64 " bytes", s->inputs, s->len);
	if (s->change >= 0)
		printf(", byte %" PRIu64 " changed in way %d", s->at, s->change);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		printf(": took more than %d s\n", SECONDS);
	else if (WIFSIGNALED(status))
		printf(": ended by signal %d\n", WTERMSIG(status));
	else
		printf(": ended with %d\n", WEXITSTATUS(status));
}

/* The bytes that did it, to be put into the corpus. */
static void keep_input(const char *path, const struct state *s)
{
	const char *target = getenv("AXED_FUZZ_KEEP");
	struct str file = {0};

	if (!target || !read_whole(path, &file) || s->len > file.len)
		goto out;
	if (s->change >= 0)
		file.at[s->at] = changed_byte(file.at[s->at], s->change);
	if (write_whole(target, (struct sv){file.at, (size_t)s->len}))
		printf("# kept as %s\n", target);
out:
	str_release(&file);
}

static bool try_file(int fd, const char *path, const struct options *o, struct state *out)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	*out = (struct state){.change = -1};
	if (pwrite(fd, out, sizeof(*out), 0) != (ssize_t)sizeof(*out))
		return false;
	child = fork();
	if (child == 0)
		exit(run_file(fd, path, o)); /* not _exit: leaks are looked for here */
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	if (pread(fd, out, sizeof(*out), 0) != (ssize_t)sizeof(*out))
		return false;
	if (status == 0)
		return true;
	tell_death(status, out);
	keep_input(path, out);
	return false;
}

struct paths {
	char **at; /* owned */
	size_t len;
	size_t cap;
};

static char *join(const char *folder, const char *name)
{
	struct str s = {0};

	str_format(&s, "%s%s%s", folder, *folder ? "/" : "", name);
	return s.at;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* A file, or the files in a folder; not what is in folders below. */
static void add_paths(struct paths *all, const char *path)
{
	DIR *dir = opendir(path);
	size_t first = all->len;
	struct dirent *entry;
	struct stat st;

	if (!dir) {
		vec_push(all, join("", path));
		return;
	}
	while ((entry = readdir(dir))) {
		char *joined = join(path, entry->d_name);

		if (entry->d_name[0] != '.' && stat(joined, &st) == 0 && S_ISREG(st.st_mode))
			vec_push(all, joined);
		else
			free(joined);
	}
	closedir(dir);
	if (all->len > first)
		qsort(all->at + first, all->len - first, sizeof(*all->at), by_name);
}

static bool parse(int count, char **words, struct options *o, struct paths *all)
{
	*o = (struct options){.step = 1};
	for (int i = 1; i < count; i++) {
		if (strcmp(words[i], "--mutate") == 0)
			o->mutate = true;
		else if (strcmp(words[i], "--step") == 0 && i + 1 < count)
			o->step = strtoul(words[++i], NULL, 10);
		else if (words[i][0] == '-')
			return false;
		else
			add_paths(all, words[i]);
	}
	return all->len && o->step;
}

static int replay(const struct paths *all, const struct options *o)
{
	FILE *shared = tmpfile();
	uint64_t inputs = 0;
	int failed = 0;

	if (!shared) {
		perror("tmpfile");
		return 99;
	}
	printf("1..%zu\n", all->len);
	for (size_t i = 0; i < all->len; i++) {
		const char *slash = strrchr(all->at[i], '/');
		struct state state;
		bool ok = try_file(fileno(shared), all->at[i], o, &state);

		inputs += state.inputs;
		failed += !ok;
		printf("%s %zu - %s\n", ok ? "ok" : "not ok", i + 1,
		       slash ? slash + 1 : all->at[i]);
	}
	printf("# %" PRIu64 " inputs\n", inputs);
	fclose(shared);
	return failed != 0;
}

int main(int count, char **words)
{
	struct options options;
	struct paths all = {0};
	int code;

	if (!parse(count, words, &options, &all)) {
		fprintf(stderr, "usage: %s [--mutate [--step N]] FILE|FOLDER...\n", words[0]);
		code = 99;
	} else {
		code = replay(&all, &options);
	}
	for (size_t i = 0; i < all.len; i++)
		free(all.at[i]);
	vec_release(&all);
	return code;
}
