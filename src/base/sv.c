#include "base/sv.h"

#include <string.h>

#include "base/num.h"

struct sv sv_of(const char *text)
{
	return (struct sv){text, text ? strlen(text) : 0};
}

bool sv_eq(struct sv a, struct sv b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

bool sv_is(struct sv a, const char *text)
{
	return sv_eq(a, sv_of(text));
}

bool sv_starts(struct sv a, struct sv prefix)
{
	return a.len >= prefix.len && sv_eq((struct sv){a.at, prefix.len}, prefix);
}

static unsigned char sv_lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

bool sv_same_letters(struct sv a, struct sv b)
{
	size_t same = 0;

	while (same < MIN(a.len, b.len) && sv_lower(a.at[same]) == sv_lower(b.at[same]))
		same++;
	return a.len == b.len && same == a.len;
}

bool sv_ends(struct sv a, struct sv suffix)
{
	return a.len >= suffix.len && sv_eq(sv_skip(a, a.len - suffix.len), suffix);
}

bool sv_has(struct sv a, char c)
{
	return a.len && memchr(a.at, c, a.len);
}

size_t sv_same_start(struct sv a, struct sv b)
{
	size_t same = 0;

	while (same < a.len && same < b.len && a.at[same] == b.at[same])
		same++;
	while (same && same < b.len && ((unsigned char)b.at[same] & 0xc0) == 0x80)
		same--;
	while (same && a.at[same - 1] >= '0' && a.at[same - 1] <= '9')
		same--;
	return same;
}

int sv_compare(struct sv a, struct sv b)
{
	size_t common = MIN(a.len, b.len);
	int order = common ? memcmp(a.at, b.at, common) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

struct sv sv_skip(struct sv a, size_t n)
{
	n = MIN(n, a.len);
	return n ? (struct sv){a.at + n, a.len - n} : a;
}

struct sv sv_cut(struct sv *rest, char c)
{
	const char *end = rest->len ? memchr(rest->at, c, rest->len) : NULL;
	struct sv part = {rest->at, end ? (size_t)(end - rest->at) : rest->len};

	*rest = sv_skip(*rest, part.len + (end != NULL));
	return part;
}

bool sv_split(struct sv a, char c, struct sv *out_before, struct sv *out_after)
{
	struct sv rest = a, before = sv_cut(&rest, c);

	if (before.len == a.len)
		return false;
	*out_before = before;
	*out_after = rest;
	return true;
}

bool sv_split_last(struct sv a, char c, struct sv *out_before, struct sv *out_after)
{
	struct sv before = sv_through_last(a, c);

	if (before.len == 0)
		return false;
	*out_before = (struct sv){before.at, before.len - 1};
	*out_after = sv_skip(a, before.len);
	return true;
}

struct sv sv_through_last(struct sv a, char c)
{
	while (a.len && a.at[a.len - 1] != c)
		a.len--;
	return a;
}

struct sv sv_after_last(struct sv a, char c)
{
	return sv_skip(a, sv_through_last(a, c).len);
}

struct sv sv_folder(struct sv path)
{
	struct sv folder = sv_through_last(path, '/');

	if (folder.len == 0)
		return SV(".");
	folder.len -= folder.len > 1; /* / is its own folder */
	return folder;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct sv sv_trim(struct sv a)
{
	while (a.len && is_space(a.at[0]))
		a = sv_skip(a, 1);
	while (a.len && is_space(a.at[a.len - 1]))
		a.len--;
	return a;
}

bool sv_int(struct sv a, int64_t *out)
{
	bool negative = a.len && a.at[0] == '-';
	int64_t n = 0;

	a = sv_skip(a, negative);
	if (a.len == 0)
		return false;
	for (size_t i = 0; i < a.len; i++) {
		int digit = a.at[i] - '0';

		if (digit < 0 || digit > 9 || !num_imul(n, 10, &n) ||
		    !num_iadd(n, negative ? -digit : digit, &n))
			return false;
	}
	*out = n;
	return true;
}
