#include "wire/numbers.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/type.h"
#include "wire/bytes.h"
#include "wire/patch.h"
#include "wire/wire.h"

static const struct field_form elem_forms[ELEM_FIELD_COUNT] = {
	[ELEM_FIELD_NONE] = {0},
	[ELEM_FIELD_FLOAT] = {4, WIRE_FIXED32, 4, true, true},
	[ELEM_FIELD_INT32] = {5, WIRE_VARINT, 4, true, true},
	[ELEM_FIELD_STRING] = {6, WIRE_BYTES, 0, false, false},
	[ELEM_FIELD_INT64] = {7, WIRE_VARINT, 8, true, true},
	[ELEM_FIELD_DOUBLE] = {10, WIRE_FIXED64, 8, true, true},
	[ELEM_FIELD_UINT64] = {11, WIRE_VARINT, 8, true, true},
};

const struct field_form *elem_form(enum elem_field field)
{
	return &elem_forms[field];
}

unsigned elem_raw_width(int32_t elem)
{
	const struct elem_info *info = elem_info(elem);

	return MIN(MAX(info->bits / 8, 1u), MAX(elem_forms[info->field].width, 1u));
}

/* ---- from the model ---- */

static uint64_t numbers_load(const unsigned char *bytes, unsigned width, enum chunk_coding coding)
{
	uint64_t word = 0;
	uint32_t half;

	if (coding == CODING_WORDS && width == sizeof(half)) {
		memcpy(&half, bytes, sizeof(half));
		return half;
	}
	if (coding == CODING_WORDS) {
		memcpy(&word, bytes, sizeof(word));
		return word;
	}
	for (unsigned i = 0; i < width; i++)
		word |= (uint64_t)bytes[i] << (8 * i);
	return word;
}

static uint64_t numbers_extend(uint64_t word, unsigned width)
{
	unsigned unused = 64 - 8 * width;

	return (uint64_t)((int64_t)(word << unused) >> unused);
}

bool numbers_of_data(struct numbers *out, const struct data *data, int32_t elem, struct err *err)
{
	const struct elem_info *info = elem_info(elem);
	bool is_signed = info->class == ELEM_CLASS_SIGNED && info->bits >= 8;

	for (uint32_t i = 0; i < data->count; i++) {
		const struct chunk *c = &data->chunks[i];
		unsigned width = c->coding == CODING_RAW ? elem_raw_width(elem)
							 : elem_forms[info->field].width;

		if (c->place != CHUNK_MEMORY || info->field == ELEM_FIELD_STRING ||
		    (c->coding != CODING_RAW && c->coding != CODING_WORDS) || width == 0)
			return err_set(err, ERR_REFUSED, "the elements are not in memory");
		for (uint64_t at = 0; at + width <= c->len; at += width) {
			uint64_t word = numbers_load((const unsigned char *)c->memory + at, width,
						     c->coding);

			vec_push(out, is_signed ? numbers_extend(word, width) : word);
		}
	}
	return true;
}

bool numbers_of_tensor(struct numbers *out, const struct tensor *t, struct err *err)
{
	unsigned bits = elem_info(t->elem)->bits;
	uint64_t elements;

	if (!numbers_of_data(out, &t->data, t->elem, err))
		return false;
	if (bits == 0 || !tensor_elements(t, &elements) || elements > UINT64_MAX / bits ||
	    elements * bits > 8 * (uint64_t)elem_raw_width(t->elem) * out->len ||
	    elements * bits + 8 <= 8 * (uint64_t)elem_raw_width(t->elem) * out->len)
		return err_set(err, ERR_REFUSED, "the elements do not fill the shape");
	return true;
}

/* ---- to bytes ---- */

void str_word(struct str *s, enum wire_type type, uint64_t word)
{
	if (type == WIRE_VARINT)
		str_varint(s, word);
	else
		str_raw(s, &(struct numbers){&word, 1, 1}, type == WIRE_FIXED32 ? 4 : 8);
}

void str_word_like(struct str *s, enum wire_type type, uint64_t word, uint64_t old, size_t old_len)
{
	if (type == WIRE_VARINT)
		str_varint_like(s, word, old, (unsigned)old_len);
	else
		str_word(s, type, word);
}

void str_raw(struct str *s, const struct numbers *words, unsigned width)
{
	for (size_t i = 0; i < words->len; i++) {
		for (unsigned j = 0; j < width; j++)
			str_char(s, (char)(words->at[i] >> (8 * j)));
	}
}

void str_numbers(struct str *s, const struct field_form *form, const uint64_t *words, size_t count)
{
	struct str packed = {0};

	for (size_t i = 0; i < count; i++) {
		if (!form->packed)
			str_tag(s, form->number, form->type);
		str_word(form->packed ? &packed : s, form->type, words[i]);
	}
	if (packed.len)
		str_field(s, form->number, str_sv(&packed));
	str_release(&packed);
}

/* ---- in the file ---- */

struct list_patch {
	struct patch *p; /* borrowed */
	struct bytes bytes;
	const struct field_form *form; /* borrowed */
	const uint64_t *words;         /* borrowed */
	size_t count;
	size_t next; /* the first word without a place */
};

/* The old element at `at`: its bytes and its value. */
static bool read_old(struct list_patch *l, uint64_t at, uint64_t end, struct str *out,
		     uint64_t *out_word, struct err *err)
{
	uint8_t len = l->form->width;

	if (l->form->type == WIRE_VARINT && !bytes_varint(&l->bytes, at, end, out_word, &len, err))
		return false;
	str_clear(out);
	str_repeat(out, 0, len);
	if (!bytes_copy(&l->bytes, at, len, out->at, err))
		return false;
	if (l->form->type != WIRE_VARINT)
		*out_word = numbers_load((const unsigned char *)out->at, len, CODING_RAW);
	return true;
}

static bool same_word(const struct field_form *form, uint64_t a, uint64_t b)
{
	return (a ^ b) << (64 - 8 * form->width) == 0;
}

static bool change_single(struct list_patch *l, const struct found *f, struct err *err)
{
	struct str bytes = {0};
	uint64_t word;
	bool ok = true;

	if (l->next == l->count) {
		patch_field(l->p, f, SV(""));
		return true;
	}
	ok = read_old(l, f->field.at, field_end(&f->field), &bytes, &word, err);
	if (ok && !same_word(l->form, word, l->words[l->next])) {
		str_clear(&bytes);
		str_word_like(&bytes, l->form->type, l->words[l->next], word, f->field.len);
		patch_field_set(l->p, f, str_sv(&bytes));
	}
	l->next++;
	str_release(&bytes);
	return ok;
}

/* The field's new contents: as many words as it has, or all that are left. */
static bool numbers_repack(struct list_patch *l, const struct found *f, bool last, struct str *out,
			   bool *out_changed, struct err *err)
{
	uint64_t end = field_end(&f->field), word;
	struct str old = {0};
	bool ok = true;

	*out_changed = false;
	for (uint64_t at = f->field.at; ok && at < end; at += old.len) {
		bool same;

		if (l->next == l->count) {
			*out_changed = true;
			break;
		}
		ok = read_old(l, at, end, &old, &word, err);
		if (!ok)
			break;
		same = same_word(l->form, word, l->words[l->next]);
		*out_changed |= !same;
		if (same)
			str_add(out, str_sv(&old));
		else
			str_word_like(out, l->form->type, l->words[l->next], word, old.len);
		l->next++;
	}
	*out_changed |= last && l->next < l->count;
	while (last && l->next < l->count)
		str_word(out, l->form->type, l->words[l->next++]);
	str_release(&old);
	return ok;
}

static bool change_packed(struct list_patch *l, const struct found *f, bool first, bool last,
			  struct err *err)
{
	struct str contents = {0};
	bool changed;
	bool ok = numbers_repack(l, f, last, &contents, &changed, err);

	/* The first stays even if empty, so that a refilled list is packed again. */
	if (ok && changed && (contents.len || first))
		patch_field_set(l->p, f, str_sv(&contents));
	else if (ok && changed)
		patch_field(l->p, f, SV(""));
	str_release(&contents);
	return ok;
}

static bool numbers_change_list(struct list_patch *l, const struct found_fields *old,
				struct err *err)
{
	for (size_t i = 0; i < old->len; i++) {
		const struct found *f = &old->at[i];

		if (!(f->packed ? change_packed(l, f, i == 0, i + 1 == old->len, err)
				: change_single(l, f, err)))
			return false;
	}
	return true;
}

static void add_rest(const struct list_patch *l, const struct wire *w, uint32_t origin,
		     const struct found_fields *old)
{
	struct field_form form = *l->form;
	struct str fields = {0};

	form.packed &= old->len == 0; /* the last field, if packed, has taken them all */
	str_numbers(&fields, &form, l->words + l->next, l->count - l->next);
	if (fields.len && old->len)
		patch_after(l->p, vec_last(old), str_sv(&fields));
	else if (fields.len)
		patch_prepend(l->p, w, origin, str_sv(&fields));
	str_release(&fields);
}

bool patch_numbers(struct patch *p, const struct wire *w, uint32_t origin,
		   const struct field_form *form, const uint64_t *words, size_t count,
		   struct err *err)
{
	struct list_patch l = {.p = p, .form = form, .words = words, .count = count};
	struct found_fields old = {0};
	bool ok;

	bytes_init(&l.bytes, &w->file);
	ok = fields_find(w, origin, form, 1, &old, err) && numbers_change_list(&l, &old, err);
	if (ok && l.next < count)
		add_rest(&l, w, origin, &old);
	bytes_release(&l.bytes);
	vec_release(&old);
	return ok;
}
