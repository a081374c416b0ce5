/*
 * What a save changes: spans of the file and the bytes that replace them.
 *
 * A splice names the piece it is in; when it changes that piece's length, the length
 * prefixes of the piece and of all enclosing ones are updated.  A prefix keeps its style:
 * the shortest form stays shortest, a padded one stays padded, so that a change and its
 * reverse restore the original bytes.
 */
#ifndef WIRE_PATCH_H
#define WIRE_PATCH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "base/vec.h"
#include "wire/wire.h"

struct splice {
	uint32_t piece; /* the innermost message around it */
	uint64_t at;
	uint64_t old_len;
	struct sv bytes; /* in the patch's arena */
	size_t rank;     /* insertions at one place of a piece keep the order they were made in */
};

struct patch {
	struct arena arena;
	VEC(struct splice) splices;
};

void patch_replace(struct patch *p, uint32_t piece, uint64_t at, uint64_t old_len, struct sv bytes);

/*
 * Adds the updated length prefixes and sorts.  Fails when splices overlap or leave
 * their piece.  *out_size is the new file's.
 */
bool patch_finish(struct patch *p, const struct wire *w, uint64_t *out_size,
		  struct err *err) MUST_USE;

void patch_release(struct patch *p);

#endif
