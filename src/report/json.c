#include "report/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/utf8.h"

void json_init(struct json *j, FILE *out)
{
	*j = (struct json){.out = out};
}

/* Before any value: the comma, unless it follows a key. */
static void json_separate(struct json *j)
{
	if (!j->keyed && j->after[j->depth])
		fputs(", ", j->out);
	j->keyed = false;
	j->after[j->depth] = true;
}

static void open_with(struct json *j, char bracket)
{
	json_separate(j);
	fputc(bracket, j->out);
	BUG_ON(j->depth + 1 == JSON_DEEPEST);
	j->after[++j->depth] = false;
}

static void close_with(struct json *j, char bracket)
{
	BUG_ON(j->depth == 0 || j->keyed);
	j->depth--;
	fputc(bracket, j->out);
}

void json_object(struct json *j)
{
	open_with(j, '{');
}

void json_end_object(struct json *j)
{
	close_with(j, '}');
}

void json_array(struct json *j)
{
	open_with(j, '[');
}

void json_end_array(struct json *j)
{
	close_with(j, ']');
}

static void write_char(FILE *out, struct sv text, struct utf8_char c)
{
	if (c.code < 0)
		fprintf(out, "\\\\x%02x", (unsigned char)text.at[0]);
	else if (c.code == '"' || c.code == '\\')
		fprintf(out, "\\%c", (char)c.code);
	else if (c.code == '\n')
		fputs("\\n", out);
	/* Beyond what JSON demands: characters that would act on a terminal. */
	else if (c.code <= 0xffff && utf8_is_hostile(c.code))
		fprintf(out, "\\u%04x", (unsigned)c.code);
	else if (utf8_is_hostile(c.code))
		fprintf(out, "\\u%04x\\u%04x", 0xd7c0 + ((unsigned)c.code >> 10),
			0xdc00 + ((unsigned)c.code & 0x3ff));
	else
		fwrite(text.at, 1, c.len, out);
}

/* Bytes that need no escape, which is most of every text. */
static size_t plain_len(struct sv text)
{
	size_t len = 0;

	while (len < text.len && text.at[len] >= ' ' && text.at[len] <= '~' &&
	       text.at[len] != '"' && text.at[len] != '\\')
		len++;
	return len;
}

static void write_text(FILE *out, struct sv text)
{
	fputc('"', out);
	while (text.len) {
		size_t len = plain_len(text);
		struct utf8_char c;

		if (len) {
			fwrite(text.at, 1, len, out);
			text = sv_skip(text, len);
			continue;
		}
		c = utf8_next(text);
		write_char(out, text, c);
		text = sv_skip(text, c.len);
	}
	fputc('"', out);
}

void json_key_sv(struct json *j, struct sv key)
{
	json_separate(j);
	write_text(j->out, key);
	fputs(": ", j->out);
	j->keyed = true;
}

void json_key(struct json *j, const char *key)
{
	json_key_sv(j, sv_of(key));
}

void json_text(struct json *j, struct sv text)
{
	json_separate(j);
	write_text(j->out, text);
}

void json_int(struct json *j, int64_t value)
{
	json_separate(j);
	fprintf(j->out, "%" PRId64, value);
}

void json_count(struct json *j, uint64_t value)
{
	json_separate(j);
	fprintf(j->out, "%" PRIu64, value);
}

static bool reads_as(const char *text, double value)
{
	double back = strtod(text, NULL);

	return (double)(float)value == value ? (float)back == (float)value : back == value;
}

/* The shortest that is read back as the same: what a float32 or less was shows as such. */
void json_float(struct json *j, double value)
{
	int digits = 6;
	char text[40];

	if (!isfinite(value)) {
		json_text(j, isnan(value) ? SV("nan") : value > 0 ? SV("inf") : SV("-inf"));
		return;
	}
	do {
		(void)snprintf(text, sizeof(text), "%.*g", digits, value);
	} while (digits++ < 17 && !reads_as(text, value));
	json_separate(j);
	fputs(text, j->out);
}

void json_bool(struct json *j, bool value)
{
	json_separate(j);
	fputs(value ? "true" : "false", j->out);
}

void json_null(struct json *j)
{
	json_separate(j);
	fputs("null", j->out);
}

void json_line(struct json *j)
{
	BUG_ON(j->depth != 0);
	fputc('\n', j->out);
	j->after[0] = false;
}

void json_begin(struct json *j, FILE *out)
{
	json_init(j, out);
	json_object(j);
	json_key(j, "version");
	json_int(j, JSON_VERSION);
}
