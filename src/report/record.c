#include "report/record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ir/type.h"
#include "report/brief.h"
#include "report/json.h"
#include "report/type.h"
#include "sym/sym.h"
#include "sym/text.h"

void record_clear(struct record *r, const struct sym_pool *pool)
{
	vec_clear(&r->cells);
	str_clear(&r->text);
	r->pool = pool;
	r->column = 0;
	r->tone = TONE_PLAIN;
	r->hidden = false;
}

void record_release(struct record *r)
{
	vec_release(&r->cells);
	str_release(&r->text);
}

/* ---- cells ---- */

/* NULL when the cell is not wanted. */
static struct cell *record_add(struct record *r, enum cell_kind kind, const char *key, bool shown)
{
	struct cell *c;

	shown = shown && !r->hidden;
	if ((r->face == FACE_DATA && !key) || (r->face == FACE_SHOWN && !shown))
		return NULL;
	c = vec_extend(&r->cells, 1);
	*c = (struct cell){.kind = kind,
			   .key = key,
			   .tone = r->tone,
			   .column = r->column,
			   .shown = shown,
			   .at = (uint32_t)r->text.len};
	return c;
}

/* The text added since the cell was made is its own. */
static void record_close(struct record *r, struct cell *c)
{
	c->len = (uint32_t)(r->text.len - c->at);
}

void record_text(struct record *r, const char *key, struct sv text)
{
	struct cell *c = record_add(r, CELL_TEXT, key, true);

	if (!c)
		return;
	str_add(&r->text, text);
	record_close(r, c);
}

void record_condition(struct record *r, const char *key, struct sv text)
{
	struct cell *c = record_add(r, CELL_TEXT, key, true);

	if (!c)
		return;
	c->condition = true;
	if (r->brief)
		brief_add(&r->text, text);
	else
		str_add(&r->text, text);
	record_close(r, c);
}

void record_name(struct record *r, const char *key, enum link link, uint32_t id, struct sv name)
{
	struct cell *c = record_add(r, CELL_TEXT, key, true);

	if (!c)
		return;
	c->link = link;
	c->id = id;
	str_add(&r->text, name);
	record_close(r, c);
}

void record_number(struct record *r, const char *key, int64_t number)
{
	struct cell *c = record_add(r, CELL_NUMBER, key, true);

	if (!c)
		return;
	c->number = number;
	str_format(&r->text, "%" PRId64, number);
	record_close(r, c);
}

void record_count(struct record *r, const char *key, uint64_t count)
{
	struct cell *c = record_add(r, CELL_COUNT, key, true);

	if (!c)
		return;
	c->count = count;
	str_format(&r->text, "%" PRIu64, count);
	record_close(r, c);
}

void record_amount(struct record *r, const char *key, uint64_t count)
{
	size_t before = r->cells.len;

	record_count(r, key, count);
	if (r->cells.len > before)
		r->cells.at[before].amount = true;
}

void record_truth(struct record *r, const char *key, bool truth)
{
	struct cell *c = record_add(r, CELL_TRUTH, key, true);

	if (!c)
		return;
	c->number = truth;
	str_text(&r->text, truth ? "yes" : "no");
	record_close(r, c);
}

void record_dim(struct record *r, const char *key, struct sym dim)
{
	struct cell *c = record_add(r, CELL_DIM, key, true);

	if (!c)
		return;
	c->dim = dim;
	sym_say(r->pool, dim, &r->text);
	record_close(r, c);
}

void record_declared(struct record *r, const char *key, const struct dim *d,
		     const struct intern *names)
{
	if (d->kind == DIM_VALUE) {
		record_number(r, key, d->value);
	} else if (d->kind == DIM_PARAM && d->param) {
		record_name(r, key, LINK_SYMBOL, d->param, intern_text(names, d->param));
	} else {
		record_null(r, key);
		record_say(r, "?");
	}
}

/* A number that is shown in words, which it releases. */
static void record_in_words(struct record *r, const char *key, uint64_t number, struct str *words)
{
	bool hidden = r->hidden;

	record_hide(r);
	record_count(r, key, number);
	r->hidden = hidden;
	record_text(r, NULL, str_sv(words));
	str_release(words);
}

void record_things(struct record *r, const char *key, uint64_t count, const char *thing)
{
	struct str words = {0};

	str_things(&words, count, thing);
	record_in_words(r, key, count, &words);
}

void record_size(struct record *r, const char *key, uint64_t bytes)
{
	struct str words = {0};

	str_size(&words, bytes);
	record_in_words(r, key, bytes, &words);
}

void record_type(struct record *r, const char *key, const struct type *t,
		 const struct intern *names)
{
	struct cell *c = record_add(r, CELL_TYPE, key, false);

	if (!c)
		return;
	c->type = t;
	c->names = names;
}

void record_shape(struct record *r, const char *key, const struct info *info, enum info_part part)
{
	struct cell *c = record_add(r, CELL_SHAPE, key, true);

	if (!c)
		return;
	c->info = info;
	info_print(&r->text, r->pool, info, part);
	record_close(r, c);
}

void record_contents(struct record *r, const char *key, const struct info *info)
{
	enum {
		MAX_NUMBERS = 24
	};
	const struct contents *all = &info->contents;
	struct cell *c = record_add(r, CELL_CONTENTS, key, true);

	if (!c)
		return;
	c->info = info;
	str_text(&r->text, all->rank ? "[" : "");
	dims_print(&r->text, r->pool, all->at, MIN(all->count, (uint32_t)MAX_NUMBERS));
	str_text(&r->text, all->count > MAX_NUMBERS ? ", \u2026" : "");
	str_text(&r->text, all->rank ? "]" : "");
	record_close(r, c);
}

struct str *record_print(struct record *r, const char *key)
{
	r->printing = record_add(r, CELL_TEXT, key, true) ? (uint32_t)r->cells.len : 0;
	return &r->text;
}

void record_printed(struct record *r, enum link link, uint32_t id)
{
	struct cell *c = r->printing ? &r->cells.at[r->printing - 1] : NULL;

	if (!c)
		return;
	c->link = link;
	c->id = id;
	record_close(r, c);
}

void record_null(struct record *r, const char *key)
{
	(void)record_add(r, CELL_NULL, key, false);
}

void record_say(struct record *r, const char *words)
{
	record_text(r, NULL, sv_of(words));
}

void record_format(struct record *r, const char *format, ...)
{
	char text[500];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	record_say(r, text);
}

void record_group(struct record *r, const char *key)
{
	(void)record_add(r, CELL_GROUP, key, false);
}

void record_list(struct record *r, const char *key)
{
	(void)record_add(r, CELL_LIST, key, false);
}

void record_end(struct record *r)
{
	(void)record_add(r, CELL_END, "", false);
}

/* ---- how they are shown ---- */

void record_column(struct record *r)
{
	r->column++;
	r->tone = TONE_PLAIN;
	r->hidden = false;
}

void record_tone(struct record *r, enum tone tone)
{
	r->tone = tone;
}

void record_hide(struct record *r)
{
	r->hidden = true;
}

void record_show(struct record *r)
{
	r->hidden = false;
}

/* ---- reading ---- */

const struct cell *record_find(const struct record *r, const char *key)
{
	for (size_t i = 0; i < r->cells.len; i++) {
		if (r->cells.at[i].key && strcmp(r->cells.at[i].key, key) == 0)
			return &r->cells.at[i];
	}
	return NULL;
}

bool record_has(const struct record *r, uint32_t column)
{
	for (size_t i = 0; i < r->cells.len; i++) {
		const struct cell *c = &r->cells.at[i];

		if (c->shown && c->column == column && c->len)
			return true;
	}
	return false;
}

struct sv cell_text(const struct record *r, const struct cell *c)
{
	return (struct sv){str_c(&r->text) + c->at, c->len};
}

static void cell_json(struct json *j, const struct record *r, const struct cell *c)
{
	int64_t value;

	switch (c->kind) {
	case CELL_TEXT:
	case CELL_SHAPE:
	case CELL_CONTENTS:
		json_text(j, cell_text(r, c));
		break;
	case CELL_NUMBER:
		json_int(j, c->number);
		break;
	case CELL_COUNT:
		json_count(j, c->count);
		break;
	case CELL_TRUTH:
		json_bool(j, c->number != 0);
		break;
	case CELL_DIM:
		if (sym_is_unknown(c->dim))
			json_null(j);
		else if (sym_value(r->pool, c->dim, &value))
			json_int(j, value);
		else
			json_text(j, cell_text(r, c));
		break;
	case CELL_TYPE:
		type_json(j, c->type, c->names);
		break;
	case CELL_GROUP:
		json_object(j);
		break;
	case CELL_LIST:
		json_array(j);
		break;
	case CELL_NULL:
	case CELL_END:
	case CELL_KIND_COUNT:
		json_null(j);
		break;
	}
}

void record_json_keys(struct json *j, const struct record *r)
{
	bool lists[JSON_DEEPEST] = {false};
	size_t depth = 0;

	for (size_t i = 0; i < r->cells.len; i++) {
		const struct cell *c = &r->cells.at[i];

		if (!c->key)
			continue;
		if (c->kind == CELL_END) {
			if (lists[depth--])
				json_end_array(j);
			else
				json_end_object(j);
			continue;
		}
		if (!lists[depth])
			json_key(j, c->key);
		cell_json(j, r, c);
		if (c->kind == CELL_GROUP || c->kind == CELL_LIST)
			lists[++depth] = c->kind == CELL_LIST;
	}
}

void record_json(struct json *j, const struct record *r)
{
	json_object(j);
	record_json_keys(j, r);
	json_end_object(j);
}

bool record_is_shown(const struct record *r)
{
	for (size_t i = 0; i < r->cells.len; i++) {
		if (r->cells.at[i].shown && r->cells.at[i].len)
			return true;
	}
	return false;
}

struct sv record_run(const struct record *r, size_t *at)
{
	const struct cell *first = &r->cells.at[*at], *last = first;

	while (++*at < r->cells.len) {
		const struct cell *c = &r->cells.at[*at];

		if (!c->shown || c->column != first->column || c->tone != first->tone ||
		    c->at != last->at + last->len)
			break;
		last = c;
	}
	return (struct sv){r->text.at + first->at, last->at + last->len - first->at};
}

void record_print_column(const struct record *r, uint32_t column, struct str *out)
{
	for (size_t i = 0; i < r->cells.len;) {
		const struct cell *c = &r->cells.at[i];

		if (c->shown && c->column == column)
			str_add_shown(out, record_run(r, &i));
		else
			i++;
	}
}
