#include "ui/search/pattern.h"

#include <string.h>

#include "base/utf8.h"

enum {
	MAX_STEPS = 1000,
	MAX_COUNT = 1000,
	LONGEST_KIND = 10 /* length of [:xdigit:] */
};

struct reader {
	struct pattern *p; /* borrowed */
	struct sv rest;
	const char *fault; /* the first one; NULL for none */
};

int32_t pattern_code(struct sv text, size_t *out_len)
{
	struct utf8_char c = utf8_next(text);

	*out_len = c.len;
	return c.code < 0 ? PATTERN_NO_TEXT + (unsigned char)text.at[0] : c.code;
}

static bool next_is(const struct reader *r, char c)
{
	return r->rest.len && r->rest.at[0] == c;
}

static bool take_if(struct reader *r, char c)
{
	bool there = next_is(r, c);

	if (there)
		r->rest = sv_skip(r->rest, 1);
	return there;
}

static int32_t pattern_take(struct reader *r)
{
	size_t len;
	int32_t code = pattern_code(r->rest, &len);

	r->rest = sv_skip(r->rest, len);
	return code;
}

static void pattern_blame(struct reader *r, const char *fault)
{
	if (!r->fault)
		r->fault = fault;
}

/* ---- steps ---- */

static void pattern_add(struct reader *r, struct pattern_step step)
{
	if (r->p->steps.len < MAX_STEPS)
		vec_push(&r->p->steps, step);
	else
		pattern_blame(r, "pattern too large");
}

static void pattern_insert(struct reader *r, size_t at, struct pattern_step step)
{
	size_t len = r->p->steps.len;

	pattern_add(r, step);
	if (r->fault)
		return;
	memmove(r->p->steps.at + at + 1, r->p->steps.at + at, (len - at) * sizeof(step));
	r->p->steps.at[at] = step;
}

static void add_copy(struct reader *r, const struct pattern_step *steps, size_t len)
{
	for (size_t i = 0; i < len; i++)
		pattern_add(r, steps[i]);
}

static void make_optional(struct reader *r, size_t start)
{
	int32_t len = (int32_t)(r->p->steps.len - start);

	pattern_insert(r, start, (struct pattern_step){.op = PATTERN_SPLIT, .a = len + 1});
}

static void repeat_on(struct reader *r, size_t start)
{
	int32_t len = (int32_t)(r->p->steps.len - start);

	pattern_add(r, (struct pattern_step){.op = PATTERN_SPLIT, .a = -len});
}

/* Repeats the steps from `start` on `min` to `max` times; -1: unlimited. */
static void pattern_repeat(struct reader *r, size_t start, int min, int max)
{
	VEC(struct pattern_step) block = {0};
	size_t len = r->p->steps.len - start, last = start;
	int copies = max < 0 ? MAX(min, 1) : max;

	if (len)
		memcpy(vec_extend(&block, len), r->p->steps.at + start, len * sizeof(*block.at));
	r->p->steps.len = start;
	for (int i = 0; i < copies && !r->fault; i++) {
		last = r->p->steps.len;
		add_copy(r, block.at, len);
		if (i >= min && max >= 0)
			make_optional(r, last);
	}
	if (max < 0) {
		repeat_on(r, last);
		if (min == 0)
			make_optional(r, last);
	}
	vec_release(&block);
}

/* ---- sets ---- */

static void add_range(struct reader *r, int32_t first, int32_t last, const char *kind)
{
	struct pattern_range range = {first, last, kind ? wctype(kind) : 0};

	if (kind && !range.kind)
		pattern_blame(r, "unknown character class");
	if (first > last && !kind)
		pattern_blame(r, "range out of order");
	vec_push(&r->p->ranges, range);
}

/* After "[:" of [:alpha:]. */
static void read_kind(struct reader *r)
{
	char name[LONGEST_KIND + 1] = {0};

	for (size_t i = 0; i < LONGEST_KIND && r->rest.len && !next_is(r, ':'); i++)
		name[i] = (char)pattern_take(r);
	if (!take_if(r, ':') || !take_if(r, ']'))
		pattern_blame(r, "unknown character class");
	else
		add_range(r, 0, -1, name);
}

/* After "[". */
static void read_set(struct reader *r)
{
	size_t first = r->p->ranges.len;
	bool negated = take_if(r, '^'), any = false;

	while (r->rest.len && (!any || !next_is(r, ']')) && !r->fault) {
		int32_t from = pattern_take(r), to = from;

		any = true;
		if (from == '[' && take_if(r, ':')) {
			read_kind(r);
			continue;
		}
		if (r->rest.len > 1 && r->rest.at[0] == '-' && r->rest.at[1] != ']') {
			(void)pattern_take(r);
			to = pattern_take(r);
		}
		add_range(r, from, to, NULL);
	}
	if (!take_if(r, ']'))
		pattern_blame(r, "unclosed bracket");
	pattern_add(r, (struct pattern_step){PATTERN_SET, negated, (int32_t)first,
					     (int32_t)(r->p->ranges.len - first)});
}

/* \w and similar: a class, and the underscore. */
static void pattern_add_kind(struct reader *r, const char *kind, bool negated)
{
	size_t first = r->p->ranges.len;

	add_range(r, 0, -1, kind);
	if (strcmp(kind, "alnum") == 0)
		add_range(r, '_', '_', NULL);
	pattern_add(r, (struct pattern_step){PATTERN_SET, negated, (int32_t)first,
					     (int32_t)(r->p->ranges.len - first)});
}

/* ---- the language ---- */

static void pattern_read_escape(struct reader *r)
{
	static const struct {
		char letter;
		bool negated;
		enum pattern_op op;
		const char *kind;
	} escapes[] = {
		{'w', false, PATTERN_SET, "alnum"},     {'W', true, PATTERN_SET, "alnum"},
		{'s', false, PATTERN_SET, "space"},     {'S', true, PATTERN_SET, "space"},
		{'d', false, PATTERN_SET, "digit"},     {'D', true, PATTERN_SET, "digit"},
		{'b', false, PATTERN_EDGE, NULL},       {'B', false, PATTERN_NO_EDGE, NULL},
		{'<', false, PATTERN_WORD_START, NULL}, {'>', false, PATTERN_WORD_END, NULL},
	};
	int32_t code;

	if (r->rest.len == 0) {
		pattern_blame(r, "trailing backslash");
		return;
	}
	code = pattern_take(r);
	for (size_t i = 0; i < ARRAY_LEN(escapes); i++) {
		if (code != escapes[i].letter)
			continue;
		if (escapes[i].kind)
			pattern_add_kind(r, escapes[i].kind, escapes[i].negated);
		else
			pattern_add(r, (struct pattern_step){.op = escapes[i].op});
		return;
	}
	if (code >= '0' && code <= '9')
		pattern_blame(r, "backreferences unsupported");
	pattern_add(r, (struct pattern_step){.op = PATTERN_CODE, .a = code});
}

static void read_choices(struct reader *r);

static void read_atom(struct reader *r)
{
	int32_t code = pattern_take(r);

	switch (code) {
	case '(':
		read_choices(r);
		if (!take_if(r, ')'))
			pattern_blame(r, "unclosed parenthesis");
		break;
	case '[':
		read_set(r);
		break;
	case '\\':
		pattern_read_escape(r);
		break;
	case '.':
		pattern_add(r, (struct pattern_step){.op = PATTERN_ANY});
		break;
	case '^':
		pattern_add(r, (struct pattern_step){.op = PATTERN_START});
		break;
	case '$':
		pattern_add(r, (struct pattern_step){.op = PATTERN_END});
		break;
	case '*':
	case '+':
	case '?': /* nothing to repeat: ignored, as for *.c */
		break;
	default:
		pattern_add(r, (struct pattern_step){.op = PATTERN_CODE, .a = code});
	}
}

static bool pattern_read_number(struct sv *rest, int *out)
{
	size_t digits = 0;

	*out = 0;
	for (; digits < rest->len && rest->at[digits] >= '0' && rest->at[digits] <= '9'; digits++)
		*out = MIN(*out * 10 + (rest->at[digits] - '0'), MAX_COUNT);
	*rest = sv_skip(*rest, digits);
	return digits != 0;
}

/* {2}, {2,5}, {2,}, {,5}; any other brace is literal. */
static bool read_count(struct reader *r, int *out_min, int *out_max)
{
	struct sv rest = r->rest;
	bool min, max;

	if (rest.len == 0 || rest.at[0] != '{')
		return false;
	rest = sv_skip(rest, 1);
	min = pattern_read_number(&rest, out_min);
	*out_max = *out_min;
	max = min;
	if (rest.len && rest.at[0] == ',') {
		rest = sv_skip(rest, 1);
		max = pattern_read_number(&rest, out_max);
		*out_max = max ? *out_max : -1;
	}
	if ((!min && !max) || rest.len == 0 || rest.at[0] != '}')
		return false;
	r->rest = sv_skip(rest, 1);
	if (*out_max >= 0 && *out_max < *out_min)
		pattern_blame(r, "count out of order");
	return true;
}

/* An atom and its repetitions. */
static void read_piece(struct reader *r)
{
	size_t start = r->p->steps.len;
	int min, max;

	read_atom(r);
	while (!r->fault) {
		if (take_if(r, '*')) {
			repeat_on(r, start);
			make_optional(r, start);
		} else if (take_if(r, '+')) {
			repeat_on(r, start);
		} else if (take_if(r, '?')) {
			make_optional(r, start);
		} else if (read_count(r, &min, &max)) {
			pattern_repeat(r, start, min, max);
		} else {
			break;
		}
	}
}

/* Up to the closing parenthesis, or the end. */
static void read_choices(struct reader *r)
{
	size_t start = r->p->steps.len, jump;

	while (!r->fault && r->rest.len && !next_is(r, ')') && !next_is(r, '|'))
		read_piece(r);
	if (r->fault || !take_if(r, '|'))
		return;
	pattern_insert(r, start,
		       (struct pattern_step){.op = PATTERN_SPLIT,
					     .a = (int32_t)(r->p->steps.len - start) + 2});
	jump = r->p->steps.len;
	pattern_add(r, (struct pattern_step){.op = PATTERN_JUMP});
	read_choices(r);
	if (!r->fault)
		r->p->steps.at[jump].a = (int32_t)(r->p->steps.len - jump);
}

bool pattern_init(struct pattern *p, struct sv text, bool fold, struct err *err)
{
	struct reader r = {.p = p, .rest = text};

	*p = (struct pattern){.fold = fold};
	read_choices(&r);
	if (r.rest.len)
		pattern_blame(&r, "unopened parenthesis");
	pattern_add(&r, (struct pattern_step){.op = PATTERN_FOUND});
	if (!r.fault)
		return true;
	pattern_release(p);
	return err_set(err, ERR_USAGE, "'%.*s': %s", (int)MIN(text.len, 200), text.at, r.fault);
}

void pattern_release(struct pattern *p)
{
	vec_release(&p->steps);
	vec_release(&p->ranges);
}
