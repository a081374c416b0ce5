/*
 * Runs a fuzz target over inputs, without libFuzzer; linked with one fuzz_*.c.
 *
 *   replay PACK|FILE|FOLDER...          each input of a pack and each file once
 *   replay --only NAME PACK|...         only the inputs of this name
 *   replay --mutate PACK|FILE|...       also every prefix of it, and it with every byte changed
 *                                       in several ways
 *   replay --mutate --step N ...        as --mutate, at every Nth byte only
 *
 * Prints one TAP line per input.  Each runs in its own process, so that a crash is reported
 * and the next one tried; an input that takes too long or too much memory is a crash.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "base/vec.h"
#include "tests/fuzz/pack.h"
#include "tests/fuzz/target.h"
#include "tests/paths.h"
#include "tests/wire/scratch.h"

enum {
	SECONDS = 10,    /* for one input */
	MEGABYTES = 512, /* for the whole process */
	CHANGES = 5      /* ways to change a byte */
};

/* Sanitizers reserve more address space than any limit; they have their own limit. */
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
	const char *only; /* borrowed; NULL for all */
};

/* A file, or an input of a pack. */
struct input {
	char *name;      /* owned */
	char *path;      /* owned; NULL in a pack */
	struct sv bytes; /* borrowed from the pack */
};

static bool load(const struct input *in, struct str *out)
{
	if (in->path)
		return read_whole(in->path, out);
	str_clear(out);
	str_add(out, in->bytes);
	return true;
}

/* Progress of the child, in a file that the parent reads when the child is gone. */
struct state {
	uint64_t inputs;
	uint64_t len; /* of the input */
	uint64_t at;  /* the byte that was changed */
	int change;   /* how; -1 for none */
};

/* ---- one input, in the child ---- */

struct run {
	int fd; /* where the state is stored */
	struct state state;
};

static void try_input(struct run *r, const char *bytes, size_t len, size_t at, int change)
{
	/* A copy of the exact size: reading past it is detected. */
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

static int run_input(int fd, const struct input *in, const struct options *o)
{
	struct rlimit memory = {(rlim_t)MEGABYTES << 20, (rlim_t)MEGABYTES << 20};
	struct run r = {.fd = fd};
	struct str file = {0};

	if (!SANITIZED && setrlimit(RLIMIT_AS, &memory) != 0)
		perror("setrlimit");
	if (!load(in, &file)) {
		perror(in->path);
		return 1;
	}
	LLVMFuzzerInitialize(NULL, NULL);
	try_input(&r, str_c(&file), file.len, 0, -1);
	if (o->mutate)
		mutate(&r, &file, o->step);
	str_release(&file);
	return 0;
}

/* ---- all inputs, in the parent ---- */

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

/* Saves the failing bytes, for the corpus. */
static void keep_input(const struct input *in, const struct state *s)
{
	const char *target = getenv("AXED_FUZZ_KEEP");
	struct str file = {0};

	if (!target || !load(in, &file) || s->len > file.len)
		goto out;
	if (s->change >= 0)
		file.at[s->at] = changed_byte(file.at[s->at], s->change);
	if (write_whole(target, (struct sv){file.at, (size_t)s->len}))
		printf("# kept as %s\n", target);
out:
	str_release(&file);
}

static bool fork_input(int fd, const struct input *in, const struct options *o, struct state *out)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	*out = (struct state){.change = -1};
	if (pwrite(fd, out, sizeof(*out), 0) != (ssize_t)sizeof(*out))
		return false;
	child = fork();
	if (child == 0)
		exit(run_input(fd, in, o)); /* not _exit: the leak check runs here */
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	if (pread(fd, out, sizeof(*out), 0) != (ssize_t)sizeof(*out))
		return false;
	if (status == 0)
		return true;
	tell_death(status, out);
	keep_input(in, out);
	return false;
}

struct inputs {
	struct input *at; /* owned */
	size_t len;
	size_t cap;
	VEC(struct pack) packs;
};

static char *copy_of(struct sv text)
{
	struct str s = {0};

	str_add(&s, text);
	return s.at;
}

static void add_files(struct inputs *all, const char *path)
{
	struct paths paths = {0};

	paths_add(&paths, path, "");
	for (size_t i = 0; i < paths.len; i++) {
		struct input in = {.name = copy_of(sv_of(path_name(paths.at[i]))),
				   .path = copy_of(sv_of(paths.at[i]))};

		vec_push(all, in);
	}
	paths_release(&paths);
}

static bool add_pack(struct inputs *all, const char *path)
{
	struct pack pack;
	struct err err;

	if (!pack_read(&pack, path, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return false;
	}
	for (size_t i = 0; i < pack.len; i++) {
		struct input in = {.name = copy_of(pack.at[i].name), .bytes = pack.at[i].bytes};

		vec_push(all, in);
	}
	vec_push(&all->packs, pack);
	return true;
}

static void input_release(struct input *in)
{
	free(in->name);
	free(in->path);
}

static void keep_only(struct inputs *all, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->len; i++) {
		if (strcmp(all->at[i].name, name) == 0)
			all->at[kept++] = all->at[i];
		else
			input_release(&all->at[i]);
	}
	all->len = kept;
}

static void inputs_release(struct inputs *all)
{
	for (size_t i = 0; i < all->len; i++)
		input_release(&all->at[i]);
	vec_release(all);
	for (size_t i = 0; i < all->packs.len; i++)
		pack_release(&all->packs.at[i]);
	vec_release(&all->packs);
}

static bool usage(const char *program)
{
	fprintf(stderr, "usage: %s [--mutate [--step N]] [--only NAME] PACK|FILE|FOLDER...\n",
		program);
	return false;
}

static bool parse(int count, char **words, struct options *o, struct inputs *all)
{
	*o = (struct options){.step = 1};
	for (int i = 1; i < count; i++) {
		if (strcmp(words[i], "--mutate") == 0)
			o->mutate = true;
		else if (strcmp(words[i], "--step") == 0 && i + 1 < count)
			o->step = strtoul(words[++i], NULL, 10);
		else if (strcmp(words[i], "--only") == 0 && i + 1 < count)
			o->only = words[++i];
		else if (words[i][0] == '-')
			return usage(words[0]);
		else if (!pack_is(words[i]))
			add_files(all, words[i]);
		else if (!add_pack(all, words[i]))
			return false;
	}
	if (o->only)
		keep_only(all, o->only);
	return (all->len && o->step) || usage(words[0]);
}

static int replay(const struct inputs *all, const struct options *o)
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
		struct state state;
		bool ok = fork_input(fileno(shared), &all->at[i], o, &state);

		inputs += state.inputs;
		failed += !ok;
		printf("%s %zu - %s\n", ok ? "ok" : "not ok", i + 1, all->at[i].name);
	}
	printf("# %" PRIu64 " inputs\n", inputs);
	fclose(shared);
	return failed != 0;
}

int main(int count, char **words)
{
	struct options options;
	struct inputs all = {0};
	int code = parse(count, words, &options, &all) ? replay(&all, &options) : 99;

	inputs_release(&all);
	return code;
}
