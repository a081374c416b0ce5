/*
 * The smallest test harness: checks print TAP lines, the runner counts them.
 *
 *   TEST(name) { CHECK(1 + 1 == 2); }   and at the end   TESTS(name, other)
 *
 * One TAP line per TEST; a failing CHECK prints its place and the test goes on.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct tap_test {
	const char *name;
	void (*run)(void);
};

static int tap_failures;
static const char *tap_skip;

#define TEST(name) static void test_##name(void)

#define CHECK(condition) tap_check((condition), __FILE__, __LINE__, "%s", #condition)
/* As CHECK, with your own message. */
#define CHECK_THAT(condition, ...) tap_check((condition), __FILE__, __LINE__, __VA_ARGS__)
/* Ends the test as skipped; the reason is printed. */
#define SKIP(reason)               \
	do {                       \
		tap_skip = reason; \
		return;            \
	} while (0)

__attribute__((format(printf, 4, 5))) static inline bool
tap_check(bool ok, const char *file, int line, const char *format, ...)
{
	va_list args;

	if (ok)
		return true;
	tap_failures++;
	printf("# %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	return false;
}

static inline int tap_main(const struct tap_test *tests, int count)
{
	int failed = 0;

	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		tap_failures = 0;
		tap_skip = NULL;
		tests[i].run();
		failed += tap_failures != 0;
		printf("%s %d - %s%s%s\n", tap_failures ? "not ok" : "ok", i + 1, tests[i].name,
		       tap_skip ? " # SKIP " : "", tap_skip ? tap_skip : "");
		fflush(stdout);
	}
	return failed != 0;
}

#define T(name)                    \
	{                          \
#name, test_##name \
	}
#define TESTS(...)                                                               \
	int main(void)                                                           \
	{                                                                        \
		static const struct tap_test tests[] = {__VA_ARGS__};            \
		return tap_main(tests, (int)(sizeof(tests) / sizeof(tests[0]))); \
	}

#endif
