#include "wire/patch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

void patch_replace(struct patch *p, uint32_t piece, uint64_t at, uint64_t old_len, struct sv bytes)
{
	struct splice s = {piece, at, old_len, arena_copy(&p->arena, bytes), p->splices.len};

	vec_push(&p->splices, s);
}

/* ---- length prefixes ---- */

/*
 * How wide a renewed length is written.  Readers take lengths of up to five bytes.
 * Writers that reserve room for a length use all five and keep them; narrower padding
 * keeps its excess while five bytes suffice.  No rule can undo every growth: there
 * are fewer widths for a long length than for a short one.
 */
static unsigned prefix_width(uint64_t old_value, unsigned old_width, uint64_t new_value)
{
	enum {
		WIDEST = 5
	};
	unsigned needed = varint_len(new_value);
	unsigned excess = old_width - varint_len(old_value);

	if (excess == 0)
		return needed;
	return MAX(needed, old_width >= WIDEST ? old_width : MIN(needed + excess, WIDEST));
}

static struct str prefix_bytes(uint64_t old_value, unsigned old_width, uint64_t new_value)
{
	struct str s = {0};

	str_varint_padded(&s, new_value, prefix_width(old_value, old_width, new_value));
	return s;
}

/* ---- one dimension ---- */

enum {
	FIELD_DIM_VALUE = 1,
	FIELD_DIM_PARAM = 2
};

/* Where a dimension says what it is; both fields are one oneof, so the last counts. */
struct dim_field {
	struct field field;
	uint32_t piece;
};

struct dim_fields {
	struct dim_field *at; /* owned */
	size_t len;
	size_t cap;
};

static bool find_dim_fields(const struct wire *w, uint32_t origin, struct dim_fields *out,
			    struct err *err)
{
	struct bytes b;
	bool ok = true;

	bytes_init(&b, &w->file);
	for (uint32_t id = origin; ok && id; id = w->pieces.at[id].next) {
		const struct piece *p = &w->pieces.at[id];
		uint64_t end = piece_at(p) + p->len;
		struct field f;

		for (uint64_t at = piece_at(p); at < end; at = field_end(&f)) {
			ok = bytes_field(&b, at, end, &f, err);
			if (!ok)
				break;
			if ((f.number == FIELD_DIM_VALUE && f.type == WIRE_VARINT) ||
			    (f.number == FIELD_DIM_PARAM && f.type == WIRE_BYTES))
				*vec_add(out) = (struct dim_field){f, id};
		}
	}
	bytes_release(&b);
	return ok;
}

static void add_dim_field(struct str *s, const struct dim *to, struct sv param)
{
	switch (to->kind) {
	case DIM_VALUE:
		str_tag(s, FIELD_DIM_VALUE, WIRE_VARINT);
		str_varint(s, (uint64_t)to->value);
		break;
	case DIM_PARAM:
		str_tag(s, FIELD_DIM_PARAM, WIRE_BYTES);
		str_varint(s, param.len);
		str_add(s, param);
		break;
	case DIM_ABSENT:
	case DIM_KIND_COUNT:
		break;
	}
}

/* A name for a name: the tag stays, so a renamed symbol changes nothing but itself. */
static void replace_param(struct patch *p, const struct dim_field *old, struct sv param)
{
	const struct field *f = &old->field;
	struct str prefix = prefix_bytes(f->len, f->prefix_len, param.len);

	if (param.len != f->len)
		patch_replace(p, old->piece, f->at - f->prefix_len, f->prefix_len, str_sv(&prefix));
	patch_replace(p, old->piece, f->at, f->len, param);
	str_release(&prefix);
}

static void replace_field(struct patch *p, const struct dim_field *old, struct sv bytes)
{
	patch_replace(p, old->piece, old->field.tag_at, field_end(&old->field) - old->field.tag_at,
		      bytes);
}

static void append_field(struct patch *p, const struct wire *w, uint32_t origin, struct sv bytes)
{
	uint32_t last = w->pieces.at[origin].tail;
	const struct piece *piece = &w->pieces.at[last];

	patch_replace(p, last, piece_at(piece) + piece->len, 0, bytes);
}

static void change_dim(struct patch *p, const struct wire *w, uint32_t origin,
		       const struct dim_fields *old, const struct dim *to, struct sv param)
{
	const struct dim_field *last = old->len ? &old->at[old->len - 1] : NULL;
	struct str bytes = {0};

	add_dim_field(&bytes, to, param);
	if (!last)
		append_field(p, w, origin, str_sv(&bytes));
	else if (to->kind == DIM_PARAM && last->field.number == FIELD_DIM_PARAM)
		replace_param(p, last, param);
	else
		replace_field(p, last, str_sv(&bytes));
	/* Nothing instead of something: no earlier occurrence may come to count. */
	for (size_t i = 0; to->kind == DIM_ABSENT && i + 1 < old->len; i++)
		replace_field(p, &old->at[i], (struct sv){"", 0});
	str_release(&bytes);
}

bool patch_dim(struct patch *p, const struct wire *w, uint32_t origin, const struct dim *to,
	       struct sv param, struct err *err)
{
	struct dim_fields old = {0};
	bool ok;

	BUG_ON(origin == 0 || origin >= w->pieces.len);
	if (param.len > SCAN_LONGEST_NAME)
		return err_set(err, ERR_LIMIT, "a name of %zu bytes is too long; %d are allowed",
			       param.len, SCAN_LONGEST_NAME);
	ok = find_dim_fields(w, origin, &old, err);
	if (ok)
		change_dim(p, w, origin, &old, to, param);
	vec_release(&old);
	return ok;
}

/* ---- the whole ---- */

static int by_place(const void *left, const void *right)
{
	const struct splice *a = left, *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	/* An insertion comes before what replaces the bytes behind it; equals keep their order. */
	if (a->old_len != b->old_len && (a->old_len == 0 || b->old_len == 0))
		return a->old_len ? 1 : -1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static bool check_order(const struct patch *p, struct err *err)
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

/* How much each piece grows; only pieces with an edit inside are in it. */
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
		struct str prefix;

		if (growth[id] == 0)
			continue;
		prefix = prefix_bytes(piece->len, piece->prefix_len, new_len);
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
	return check_order(p, err);
}

void patch_release(struct patch *p)
{
	vec_release(&p->splices);
	arena_release(&p->arena);
}
