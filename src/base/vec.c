#include "base/vec.h"

#include <string.h>

#include "base/bug.h"
#include "base/num.h"

void *vec_grow(void *at, size_t *cap, size_t len, size_t more, size_t size, bool zero)
{
	uint64_t needed, bytes;

	BUG_ON(!num_add(len, more, &needed));
	if (needed > *cap || !at) {
		uint64_t room = MAX(needed, *cap + *cap / 2 + 8);

		BUG_ON(!num_mul(room, size, &bytes));
		at = must_realloc(at, bytes);
		*cap = room;
	}
	if (zero)
		memset((char *)at + len * size, 0, more * size);
	return at;
}
