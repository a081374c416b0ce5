/*
 * A corpus in one file, as tests/fuzz/pack writes it:
 *
 *	"axedpack" 0 0 0 1, count, and for each input, sorted by name:
 *	length of the name, length of the input, name, input
 *
 * Numbers are 4 bytes, little-endian.  Names are unique, plain ASCII without '/'.
 */
#ifndef TESTS_FUZZ_PACK_H
#define TESTS_FUZZ_PACK_H

#include "base/err.h"
#include "base/str.h"

struct pack_input {
	struct sv name; /* borrowed from the pack, like the bytes */
	struct sv bytes;
};

struct pack {
	struct str file;
	struct pack_input *at; /* owned */
	size_t len;
	size_t cap;
};

/* By its first bytes. */
bool pack_is(const char *path);
MUST_USE bool pack_read(struct pack *p, const char *path, struct err *err);
void pack_release(struct pack *p);

#endif
