/*
 * Key bindings.
 */
#ifndef APP_TUI_KEYMAP_H
#define APP_TUI_KEYMAP_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/keys.h"

struct binding {
	struct keys keys;
	struct str line; /* one that ends in a blank waits for another key */
};

struct keymap {
	VEC(struct binding) list; /* the newest wins */
};

enum key_match {
	KEYS_NOTHING,
	KEYS_MORE, /* a prefix of a longer sequence */
	KEYS_WHOLE
};

void keymap_init(struct keymap *k);
void keymap_release(struct keymap *k);
bool keymap_bind(struct keymap *k, struct sv keys, struct sv line, struct err *err) MUST_USE;
enum key_match keymap_find(const struct keymap *k, const struct keys *typed, struct sv *out_line);
/* A newer binding of the same keys, or of their first ones, hides this one. */
bool keymap_is_hidden(const struct keymap *k, const struct binding *b);

#endif
