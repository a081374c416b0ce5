#include "wire/fields.h"

#include "base/bug.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "wire/bytes.h"
#include "wire/scan.h"
#include "wire/wire.h"

static const struct field_form *form_of(const struct field *f, const struct field_form *forms,
					size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (f->number == forms[i].number &&
		    (f->type == forms[i].type || (forms[i].list && f->type == WIRE_BYTES)))
			return &forms[i];
	}
	return NULL;
}

static bool find_in_piece(struct bytes *b, const struct wire *w, uint32_t id,
			  const struct field_form *forms, size_t count, struct found_fields *out,
			  struct err *err)
{
	const struct piece *p = &w->pieces.at[id];
	uint64_t end = piece_at(p) + p->len;
	struct field f;

	for (uint64_t at = piece_at(p); at < end; at = field_end(&f)) {
		const struct field_form *form;

		if (!bytes_field(b, at, end, &f, err))
			return false;
		form = form_of(&f, forms, count);
		if (form)
			*vec_add(out) = (struct found){f, id, f.type != form->type};
	}
	return true;
}

bool fields_find(const struct wire *w, uint32_t origin, const struct field_form *forms,
		 size_t count, struct found_fields *out, struct err *err)
{
	struct bytes b;
	bool ok = true;

	BUG_ON(origin == 0 || origin >= w->pieces.len);
	bytes_init(&b, &w->file);
	for (uint32_t id = origin; ok && id; id = w->pieces.at[id].next)
		ok = find_in_piece(&b, w, id, forms, count, out, err);
	bytes_release(&b);
	return ok;
}

void patch_field_set(struct patch *p, const struct found *f, struct sv contents)
{
	const struct field *old = &f->field;
	struct str bytes = {0};

	if (old->type == WIRE_BYTES)
		str_varint_like(&bytes, contents.len, old->len, old->prefix_len);
	str_add(&bytes, contents);
	patch_replace(p, f->piece, old->at - old->prefix_len, old->prefix_len + old->len,
		      str_sv(&bytes));
	str_release(&bytes);
}

void patch_field(struct patch *p, const struct found *f, struct sv bytes)
{
	patch_replace(p, f->piece, f->field.tag_at, field_end(&f->field) - f->field.tag_at, bytes);
}

/* ---- new fields ---- */

void patch_after(struct patch *p, const struct found *f, struct sv fields)
{
	patch_replace(p, f->piece, field_end(&f->field), 0, fields);
}

void patch_prepend(struct patch *p, const struct wire *w, uint32_t origin, struct sv fields)
{
	BUG_ON(origin == 0 || origin >= w->pieces.len);
	patch_replace(p, origin, piece_at(&w->pieces.at[origin]), 0, fields);
}

void patch_append(struct patch *p, const struct wire *w, uint32_t origin, struct sv fields)
{
	uint32_t last;

	BUG_ON(origin == 0 || origin >= w->pieces.len);
	last = w->pieces.at[origin].tail;
	patch_replace(p, last, piece_at(&w->pieces.at[last]) + w->pieces.at[last].len, 0, fields);
}

/* ---- texts ---- */

static bool text_is(struct bytes *b, const struct field *f, struct sv text, bool *out,
		    struct err *err)
{
	struct str old = {0};
	bool ok = true;

	*out = f->len == text.len;
	if (*out && text.len) {
		str_repeat(&old, 0, text.len);
		ok = bytes_copy(b, f->at, f->len, old.at, err);
		*out = sv_eq(str_sv(&old), text);
	}
	str_release(&old);
	return ok;
}

static bool fields_change_texts(struct patch *p, const struct wire *w,
				const struct found_fields *old, const struct sv *texts,
				size_t count, struct err *err)
{
	struct bytes b;
	bool ok = true, same;

	bytes_init(&b, &w->file);
	for (size_t i = 0; ok && i < old->len; i++) {
		if (i >= count) {
			patch_field(p, &old->at[i], SV(""));
			continue;
		}
		ok = text_is(&b, &old->at[i].field, texts[i], &same, err);
		if (ok && !same)
			patch_field_set(p, &old->at[i], texts[i]);
	}
	bytes_release(&b);
	return ok;
}

bool patch_texts(struct patch *p, const struct wire *w, uint32_t origin, uint32_t number,
		 const struct sv *texts, size_t count, struct err *err)
{
	const struct field_form form = {.number = number, .type = WIRE_BYTES};
	struct found_fields old = {0};
	struct str more = {0};
	bool ok = fields_find(w, origin, &form, 1, &old, err) &&
		  fields_change_texts(p, w, &old, texts, count, err);

	for (size_t i = old.len; ok && i < count; i++)
		str_field(&more, number, texts[i]);
	if (more.len && old.len)
		patch_after(p, vec_last(&old), str_sv(&more));
	else if (more.len)
		patch_prepend(p, w, origin, str_sv(&more));
	str_release(&more);
	vec_release(&old);
	return ok;
}
