#include "app/tui_keymap.h"

#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"

static const struct {
	const char *keys, *line;
} keymap_defaults[] = {
#define BIND(keys, line) {keys, line},
#include "app/keys.def"
#undef BIND
};

void keymap_init(struct keymap *k)
{
	struct err err;

	*k = (struct keymap){0};
	for (size_t i = 0; i < ARRAY_LEN(keymap_defaults); i++)
		BUG_ON(!keymap_bind(k, sv_of(keymap_defaults[i].keys),
				    sv_of(keymap_defaults[i].line), &err));
}

void keymap_release(struct keymap *k)
{
	for (size_t i = 0; i < k->list.len; i++)
		str_release(&k->list.at[i].line);
	vec_release(&k->list);
}

bool keymap_bind(struct keymap *k, struct sv keys, struct sv line, struct err *err)
{
	struct binding *b;
	struct keys parsed;

	if (!keys_parse(keys, &parsed))
		return err_set(err, ERR_USAGE, "'%.*s' is not a key", (int)MIN(keys.len, 50),
			       keys.at);
	b = vec_add(&k->list);
	b->keys = parsed;
	str_add(&b->line, line);
	return true;
}

enum key_match keymap_find(const struct keymap *k, const struct keys *typed, struct sv *out_line)
{
	enum key_match best = KEYS_NOTHING;

	for (size_t i = k->list.len; i-- > 0;) {
		const struct binding *b = &k->list.at[i];

		if (b->keys.count < typed->count ||
		    memcmp(b->keys.at, typed->at, typed->count * sizeof(typed->at[0])) != 0)
			continue;
		if (b->keys.count == typed->count) {
			*out_line = str_sv(&b->line);
			return KEYS_WHOLE;
		}
		best = KEYS_MORE;
	}
	return best;
}

bool keymap_is_hidden(const struct keymap *k, const struct binding *b)
{
	struct sv line;

	return keymap_find(k, &b->keys, &line) != KEYS_WHOLE || line.at != str_c(&b->line);
}
