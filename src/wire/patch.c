#include "wire/patch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "wire/bytes.h"
#include "wire/scan.h"

void patch_replace(struct patch *p, uint32_t piece, uint64_t at, uint64_t old_len, struct sv bytes)
{
	struct splice s = {piece, at, old_len, arena_copy(&p->arena, bytes), p->splices.len};

	vec_push(&p->splices, s);
}

/* ---- finishing ---- */

static int by_place(const void *left, const void *right)
{
	const struct splice *a = left, *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	/* An insertion comes before a replacement of the bytes after it; equals keep their order.
	 */
	if (a->old_len != b->old_len && (a->old_len == 0 || b->old_len == 0))
		return a->old_len ? 1 : -1;
	/* Where messages end together, additions to the inner one come first. */
	if (a->piece != b->piece)
		return a->piece > b->piece ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static bool patch_check_order(const struct patch *p, struct err *err)
{
	for (size_t i = 1; i < p->splices.len; i++) {
		const struct splice *a = &p->splices.at[i - 1], *b = &p->splices.at[i];

		if (a->at + a->old_len > b->at)
			return err_set(err, ERR_REFUSED,
				       "two edits change the same byte %" PRIu64 " of the file",
				       b->at);
	}
	return true;
}

/* How much each piece grows by its own splices. */
static int64_t *growth_of_pieces(const struct patch *p, const struct wire *w)
{
	int64_t *growth = must_alloc(w->pieces.len * sizeof(*growth));

	memset(growth, 0, w->pieces.len * sizeof(*growth));
	for (size_t i = 0; i < p->splices.len; i++) {
		const struct splice *s = &p->splices.at[i];
		const struct piece *piece = &w->pieces.at[s->piece];

		BUG_ON(s->piece >= w->pieces.len || s->at < piece_at(piece) ||
		       s->at + s->old_len > piece_at(piece) + piece->len);
		growth[s->piece] += (int64_t)s->bytes.len - (int64_t)s->old_len;
	}
	return growth;
}

/* Inner pieces have larger numbers, so going down means going outwards. */
static void renew_prefixes(struct patch *p, const struct wire *w, int64_t *growth)
{
	for (size_t id = w->pieces.len - 1; id > 0; id--) {
		const struct piece *piece = &w->pieces.at[id];
		uint64_t new_len = piece->len + (uint64_t)growth[id];
		struct str prefix = {0};

		if (growth[id] == 0)
			continue;
		str_varint_like(&prefix, new_len, piece->len, piece->prefix_len);
		patch_replace(p, piece->parent, piece->tag_at + piece->tag_len, piece->prefix_len,
			      str_sv(&prefix));
		growth[piece->parent] += growth[id] + (int64_t)prefix.len - piece->prefix_len;
		str_release(&prefix);
	}
}

bool patch_finish(struct patch *p, const struct wire *w, uint64_t *out_size, struct err *err)
{
	int64_t *growth = growth_of_pieces(p, w);

	renew_prefixes(p, w, growth);
	*out_size = w->file.size + (uint64_t)growth[0];
	free(growth);
	if (p->splices.len)
		qsort(p->splices.at, p->splices.len, sizeof(*p->splices.at), by_place);
	return patch_check_order(p, err);
}

void patch_release(struct patch *p)
{
	vec_release(&p->splices);
	arena_release(&p->arena);
}
