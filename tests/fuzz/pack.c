#include "tests/fuzz/pack.h"

#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "tests/wire/scratch.h"

static const char magic[] = "axedpack\0\0\0\1";

enum {
	MAGIC_LEN = sizeof(magic) - 1,
	LONGEST_NAME = 100
};

bool pack_is(const char *path)
{
	FILE *f = fopen(path, "rb");
	char start[MAGIC_LEN];
	bool is;

	if (!f)
		return false;
	/* A truncated pack or one of another version is still a pack. */
	is = fread(start, 1, sizeof(start), f) >= 8 && memcmp(start, magic, 8) == 0;
	fclose(f);
	return is;
}

/* Takes `len` bytes from the rest of the file. */
static bool take(struct sv *rest, size_t len, struct sv *out, struct err *err)
{
	if (len > rest->len)
		return err_set(err, ERR_FORMAT, "the pack ends inside an input");
	*out = (struct sv){rest->at, len};
	*rest = sv_skip(*rest, len);
	return true;
}

static bool take_number(struct sv *rest, size_t *out, struct err *err)
{
	struct sv bytes;

	if (!take(rest, 4, &bytes, err))
		return false;
	*out = 0;
	for (int i = 3; i >= 0; i--)
		*out = *out << 8 | (unsigned char)bytes.at[i];
	return true;
}

static bool is_name(struct sv name)
{
	static const char plain[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "._-";

	for (size_t i = 0; i < name.len; i++) {
		if (!memchr(plain, name.at[i], sizeof(plain) - 1))
			return false;
	}
	return name.len > 0 && name.len <= LONGEST_NAME && !strchr("._-", name.at[0]);
}

static bool take_input(struct pack *p, struct sv *rest, struct err *err)
{
	struct pack_input input;
	size_t name, size;

	if (!take_number(rest, &name, err) || !take_number(rest, &size, err) ||
	    !take(rest, name, &input.name, err))
		return false;
	if (!is_name(input.name) || (p->len && sv_compare(p->at[p->len - 1].name, input.name) >= 0))
		return err_set(err, ERR_FORMAT, "input %zu has a bad name, or is out of order",
			       p->len + 1);
	if (!take(rest, size, &input.bytes, err))
		return false;
	vec_push(p, input);
	return true;
}

static bool parse(struct pack *p, struct err *err)
{
	struct sv rest = str_sv(&p->file), start;
	size_t count;

	if (!take(&rest, MAGIC_LEN, &start, err) || !take_number(&rest, &count, err))
		return false;
	if (memcmp(start.at, magic, MAGIC_LEN) != 0)
		return err_set(err, ERR_FORMAT, "this is not a pack that can be read");
	for (size_t i = 0; i < count; i++) {
		if (!take_input(p, &rest, err))
			return false;
	}
	return rest.len == 0 || err_set(err, ERR_FORMAT, "the pack has bytes after its last input");
}

bool pack_read(struct pack *p, const char *path, struct err *err)
{
	*p = (struct pack){0};
	if (!read_whole(path, &p->file))
		return err_system(err, "%s", path);
	if (parse(p, err))
		return true;
	pack_release(p);
	return err_prefix(err, "%s", path);
}

void pack_release(struct pack *p)
{
	str_release(&p->file);
	vec_release(p);
}
