/*
 * Elements of two constants, read side by side in bounded memory.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/num.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/diff/internal.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "ir/type.h"
#include "ops/property.h"

enum {
	BLOCK = 64 << 10,
	BATCH = 256,
	SPARE_READS = 4 /* how many times its size an external file may be read */
};

const struct text_limits compare_limits = {.elements = 16, .bytes = COMPARE_TEXT - 40, .digits = 9};

/* What is compared, and its name. */
struct subject {
	struct comparison *c; /* borrowed */
	enum difference_kind kind;
	struct sv name;
	const char *what;
};

static void contents_tell(const struct subject *s, const char *what, const struct str *before,
			  const struct str *after)
{
	struct str text = {0};

	str_text(&text, s->what);
	str_text(&text, *s->what && *what ? ": " : "");
	str_text(&text, what);
	compare_tell(s->c, (struct telling){s->kind, s->name, str_c(&text), before, after});
	str_release(&text);
}

/* ---- bytes ---- */

/* The data if it is one chunk of raw elements of whole bytes; else NULL. */
static const struct chunk *contents_plain_run(const struct tensor *t)
{
	const struct chunk *c = t->data.count == 1 ? t->data.chunks : NULL;

	return c && c->coding == CODING_RAW && elem_info(t->elem)->bits >= 8 ? c : NULL;
}

static bool contents_fetch(const struct side *s, const struct tensor *t, const struct chunk *c,
			   uint64_t at, void *out, size_t len, struct err *err)
{
	const struct bytes_source *source = &s->m->bytes;

	if (c->place == CHUNK_MEMORY) {
		memcpy(out, (const char *)c->memory + at, len);
		return true;
	}
	return source->read(source->context, c->place == CHUNK_EXTERNAL ? t->external : NULL,
			    c->at + at, out, len, err);
}

/* The first byte that differs; len when none does. */
static bool compare_runs(struct comparison *c, const struct tensor *a, const struct tensor *b,
			 uint32_t chunk, uint64_t len, uint64_t *out, struct err *err)
{
	char *left = must_alloc(2 * BLOCK), *right = left + BLOCK;
	bool ok = true;

	*out = len;
	for (uint64_t at = 0; ok && at < len && *out == len; at += BLOCK) {
		size_t n = (size_t)MIN(len - at, (uint64_t)BLOCK);

		ok = contents_fetch(&c->a, a, &a->data.chunks[chunk], at, left, n, err) &&
		     contents_fetch(&c->b, b, &b->data.chunks[chunk], at, right, n, err);
		if (ok && memcmp(left, right, n) != 0) {
			size_t i = 0;

			while (left[i] == right[i])
				i++;
			*out = at + i;
		}
	}
	free(left);
	return ok;
}

/* ---- elements ---- */

static bool scalars_equal(const struct scalar *a, const struct scalar *b)
{
	switch (a->class) {
	case ELEM_CLASS_BOOL:
		return a->truth == b->truth;
	case ELEM_CLASS_STRING:
		return sv_eq(a->text, b->text);
	case ELEM_CLASS_COMPLEX:
		return memcmp(a->complex_parts, b->complex_parts, sizeof(a->complex_parts)) == 0;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_SIGNED:
	case ELEM_CLASS_UNSIGNED:
	case ELEM_CLASS_FLOAT:
	case ELEM_CLASS_COUNT:
		break;
	}
	return memcmp(&a->i, &b->i, sizeof(a->i)) == 0; /* bits: two NaNs may be equal */
}

/* The first element that differs; UINT64_MAX when none does and both end together. */
static bool compare_readers(struct tensor_reader *a, struct tensor_reader *b, uint64_t *out,
			    struct err *err)
{
	static const size_t at_a_time[] = {BATCH, 1}; /* a string is valid until the next read */
	size_t want = at_a_time[a->elem == ELEM_STRING];
	struct scalar left[BATCH], right[BATCH];
	uint64_t done = 0;
	size_t got_a, got_b;

	*out = UINT64_MAX;
	do {
		if (!tensor_reader_next(a, left, want, &got_a, err) ||
		    !tensor_reader_next(b, right, want, &got_b, err))
			return false;
		for (size_t i = 0; i < MAX(got_a, got_b); i++) {
			if (i < MIN(got_a, got_b) && scalars_equal(&left[i], &right[i]))
				continue;
			*out = done + i;
			return true;
		}
		done += got_a;
	} while (got_a == want);
	return true;
}

static void print_element(struct str *s, const struct side *side, const struct tensor *t,
			  uint64_t at)
{
	struct tensor_reader r = {0};
	struct scalar one;
	struct err ignored;
	size_t got = 0;

	/* It was just read: should that fail now, show that. */
	if (!tensor_reader_init(&r, &side->m->bytes, t, &ignored) ||
	    !tensor_reader_skip(&r, at, &ignored) ||
	    !tensor_reader_next(&r, &one, 1, &got, &ignored))
		str_char(s, '?');
	else if (got)
		scalar_print(s, &one, compare_limits.digits);
	tensor_reader_release(&r);
}

/* All elements, or the one that differs. */
static void print_tensor(struct str *s, const struct side *side, const struct tensor *t, bool whole,
			 uint64_t differs)
{
	if (!whole) {
		print_element(s, side, t, differs);
		return;
	}
	str_char(s, '[');
	(void)tensor_print_elements(s, side->m, t, &compare_limits);
	str_char(s, ']');
}

/* ---- two tensors ---- */

static bool same_external(const struct external *a, const struct external *b)
{
	return sv_eq(a->location, b->location) && a->offset == b->offset &&
	       a->has_length == b->has_length && a->length == b->length;
}

/* Are they the same bytes of the same file?  Then nothing need be read. */
static bool contents_same_place(const struct comparison *c, const struct tensor *a,
				const struct tensor *b)
{
	if (a->external && b->external)
		return c->options.same_folder && same_external(a->external, b->external);
	if (a->external || b->external || !c->options.same_file || a->data.count != b->data.count)
		return false;
	for (uint32_t i = 0; i < a->data.count; i++) {
		const struct chunk *x = &a->data.chunks[i], *y = &b->data.chunks[i];

		if (x->place != CHUNK_FILE || y->place != CHUNK_FILE || x->at != y->at ||
		    x->len != y->len || x->coding != y->coding)
			return false;
	}
	return a->data.count > 0;
}

/* Tensors that overlap in an external file must not cause endless reading. */
static bool may_read(struct comparison *c, const struct side *s, const struct tensor *t,
		     struct err *err)
{
	struct file_use *use;
	uint32_t *place;
	uint64_t size = 0;

	if (!t->external || !t->data.count || t->data.chunks[0].place != CHUNK_EXTERNAL)
		return true;
	place = map_at(&c->files, hash_bytes(t->external->location, c->seed + (s == &c->a)));
	if (!*place) {
		if (!s->m->bytes.size(s->m->bytes.context, t->external, &size, err))
			return false;
		*vec_add(&c->uses) = (struct file_use){0, size};
		*place = (uint32_t)c->uses.len;
	}
	use = &c->uses.at[*place - 1];
	if (!num_add(use->used, tensor_stored_bytes(t), &use->used) ||
	    use->used / SPARE_READS > use->size)
		return err_set(err, ERR_LIMIT, "its external file is read too often");
	return true;
}

static bool first_difference(struct comparison *c, const struct tensor *a, const struct tensor *b,
			     uint64_t *out, struct err *err)
{
	const struct chunk *x = contents_plain_run(a), *y = contents_plain_run(b);
	struct tensor_reader left = {0}, right = {0};
	uint64_t count, bytes;
	unsigned width = elem_info(a->elem)->bits / 8;
	bool ok = may_read(c, &c->a, a, err) && may_read(c, &c->b, b, err);

	*out = UINT64_MAX;
	ok = ok && tensor_reader_init(&left, &c->a.m->bytes, a, err) &&
	     tensor_reader_init(&right, &c->b.m->bytes, b, err);
	if (ok && x && y && tensor_elements(a, &count) && num_mul(count, width, &bytes)) {
		ok = compare_runs(c, a, b, 0, bytes, out, err);
		*out = ok && *out < bytes ? *out / width : UINT64_MAX;
	} else if (ok) {
		ok = compare_readers(&left, &right, out, err);
	}
	tensor_reader_release(&left);
	tensor_reader_release(&right);
	return ok;
}

static void tell_elements(const struct subject *s, const struct tensor *a, const struct tensor *b,
			  uint64_t first)
{
	struct str what = {0}, before = {0}, after = {0};
	uint64_t count = 0;
	bool whole = tensor_elements(a, &count) && count <= compare_limits.elements;

	if (!whole)
		str_format(&what, "elements differ, first at %" PRIu64, first);
	print_tensor(&before, &s->c->a, a, whole, first);
	print_tensor(&after, &s->c->b, b, whole, first);
	contents_tell(s, whole ? "elements" : str_c(&what), &before, &after);
	str_release(&what);
	str_release(&before);
	str_release(&after);
}

static bool is_readable(const struct side *s, const struct tensor *t)
{
	struct tensor_reader r = {0};
	struct err ignored;
	bool ok = tensor_reader_init(&r, &s->m->bytes, t, &ignored);

	tensor_reader_release(&r);
	return ok;
}

/* Inline data that cannot be decoded can still be equal. */
static bool same_bytes(struct comparison *c, const struct tensor *a, const struct tensor *b)
{
	bool same = a->data.count == b->data.count && a->data.field == b->data.field;

	for (uint32_t i = 0; same && i < a->data.count; i++) {
		const struct chunk *x = &a->data.chunks[i], *y = &b->data.chunks[i];
		bool views = x->coding == CODING_VIEWS;
		const struct sv *left = x->memory, *right = y->memory;
		struct err ignored;
		uint64_t first;

		same = x->coding == y->coding && x->len == y->len;
		for (uint64_t j = 0; same && views && j < x->len / sizeof(*left); j++)
			same = sv_eq(left[j], right[j]);
		if (same && !views)
			same = compare_runs(c, a, b, i, x->len, &first, &ignored) &&
			       first == x->len;
	}
	return same;
}

/* Unreadable data is compared by its location, or by its raw bytes. */
static void tell_unread(const struct subject *s, const struct tensor *a, const struct tensor *b,
			const struct err *err)
{
	bool neither = !is_readable(&s->c->a, a) && !is_readable(&s->c->b, b);
	struct str before = {0}, what = {0};

	if (neither && a->external && b->external && same_external(a->external, b->external))
		return;
	if (!a->external && !b->external && same_bytes(s->c, a, b))
		return;
	str_format(&what, "elements cannot be compared: %s", err->text);
	str_text(&before, "?");
	contents_tell(s, str_c(&what), &before, &before);
	str_release(&before);
	str_release(&what);
}

static bool contents_alike(const struct tensor *a, const struct tensor *b)
{
	return a->elem == b->elem && a->rank == b->rank && a->rank_lost == b->rank_lost &&
	       (!a->rank || a->rank_lost ||
		memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0);
}

bool tensors_equal(struct comparison *c, const struct tensor *a, const struct tensor *b, bool *out,
		   struct err *err)
{
	uint64_t first = UINT64_MAX;

	*out = contents_alike(a, b);
	if (!*out || contents_same_place(c, a, b))
		return true;
	if (!first_difference(c, a, b, &first, err))
		return false;
	*out = first == UINT64_MAX;
	return true;
}

void compare_tensors(struct comparison *c, enum difference_kind kind, struct sv name,
		     const char *what, const struct tensor *a, const struct tensor *b)
{
	struct subject s = {c, kind, name, what};
	struct str before = {0}, after = {0};
	struct err err;
	uint64_t first;

	tensor_print_type(&before, a, false);
	tensor_print_type(&after, b, false);
	if (!contents_alike(a, b))
		contents_tell(&s, "type", &before, &after);
	else if (c->options.unread || contents_same_place(c, a, b))
		first = UINT64_MAX;
	else if (!first_difference(c, a, b, &first, &err))
		tell_unread(&s, a, b, &err);
	else if (first != UINT64_MAX)
		tell_elements(&s, a, b, first);
	compare_texts(c, kind, name, "doc", a->doc, b->doc);
	compare_pairs(c, kind, name, a->metadata, a->metadata_count, b->metadata,
		      b->metadata_count);
	str_release(&before);
	str_release(&after);
}

/* ---- lists of attributes ---- */

static void open_list(struct tensor_reader *r, const struct side *s, const struct attr *a)
{
	tensor_reader_list(r, &s->m->bytes, &a->list, attr_list_elem(a));
}

void compare_lists(struct comparison *c, enum difference_kind kind, struct sv name,
		   const char *what, const struct attr *a, const struct attr *b)
{
	struct tensor_reader left, right;
	struct str before = {0}, after = {0};
	struct err ignored;
	uint64_t first = 0;

	open_list(&left, &c->a, a);
	open_list(&right, &c->b, b);
	if (!compare_readers(&left, &right, &first, &ignored) || first != UINT64_MAX) {
		attr_print(&before, c->a.m, a, &compare_limits);
		attr_print(&after, c->b.m, b, &compare_limits);
		compare_tell(c, (struct telling){kind, name, what, &before, &after});
	}
	tensor_reader_release(&left);
	tensor_reader_release(&right);
	str_release(&before);
	str_release(&after);
}

const struct tensor *constant_of(const struct side *s, uint32_t value)
{
	const struct value *v = &s->m->values.at[value];
	uint32_t tensor = value_constant(s->m, value);

	/* A Constant that has more than its value is compared as a node. */
	if (!tensor || (!v->tensor && s->m->nodes.at[v->producer].attr_count != 1))
		return NULL;
	return &s->m->tensors.at[tensor];
}
