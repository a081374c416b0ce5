#include "app/recent.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "app/state.h"
#include "base/err.h"
#include "base/sv.h"
#include "base/utf8.h"

enum {
	MAX_RECENT = 30,
	LONGEST_PATH = 1000
};

static const char recent_state[] = "recent";

/* A path with a line break would be two. */
static bool recent_is_plain(struct sv path)
{
	struct str shown = {0};
	bool plain;

	str_add_shown(&shown, path);
	plain = path.len && path.at[0] == '/' && path.len <= LONGEST_PATH &&
		sv_eq(str_sv(&shown), path);
	str_release(&shown);
	return plain;
}

static bool recent_is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void recent_add(struct recent *r, struct sv path)
{
	struct str *added;

	for (size_t i = 0; i < r->paths.len; i++) {
		if (sv_eq(str_sv(&r->paths.at[i]), path))
			return;
	}
	if (r->paths.len >= MAX_RECENT || !recent_is_plain(path))
		return;
	added = vec_add(&r->paths);
	*added = (struct str){0};
	str_add(added, path);
	if (recent_is_there(str_c(added)))
		return;
	str_release(added);
	r->paths.len--;
}

void recent_read(struct recent *r)
{
	struct str text = {0};
	struct sv rest;

	if (state_read(recent_state, &text)) {
		rest = str_sv(&text);
		while (rest.len)
			recent_add(r, sv_cut(&rest, '\n'));
	}
	str_release(&text);
}

void recent_note(const char *path)
{
	char *whole = realpath(path, NULL);
	struct recent r = {0};
	struct str text = {0};
	struct err ignored;

	if (whole)
		recent_add(&r, sv_of(whole));
	/* Of what cannot be remembered, nothing changes. */
	if (r.paths.len) {
		recent_read(&r);
		for (size_t i = 0; i < r.paths.len; i++) {
			str_add(&text, str_sv(&r.paths.at[i]));
			str_char(&text, '\n');
		}
		if (!state_write(recent_state, str_sv(&text), &ignored))
			str_clear(&text);
	}
	free(whole);
	str_release(&text);
	recent_release(&r);
}

void recent_forget(void)
{
	state_forget(recent_state);
}

void recent_release(struct recent *r)
{
	for (size_t i = 0; i < r->paths.len; i++)
		str_release(&r->paths.at[i]);
	vec_release(&r->paths);
}
