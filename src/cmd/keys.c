#include "cmd/keys.h"

#include "base/sv.h"
#include "base/utf8.h"

static const struct {
	const char *name;
	uint32_t key;
} keys_names[] = {
	{"Up", KEY_CURSOR_UP},         {"Down", KEY_CURSOR_DOWN},
	{"Left", KEY_CURSOR_LEFT},     {"Right", KEY_CURSOR_RIGHT},
	{"PgUp", KEY_PAGE_UP},         {"PgDn", KEY_PAGE_DOWN},
	{"Home", KEY_TO_START},        {"End", KEY_TO_END},
	{"Delete", KEY_REMOVE},        {"Shift-Tab", KEY_BACK_TAB},
	{"Click", KEY_CLICK},          {"DoubleClick", KEY_OPEN_CLICK},
	{"WheelUp", KEY_WHEEL_UP},     {"WheelDown", KEY_WHEEL_DOWN},
	{"WheelLeft", KEY_WHEEL_LEFT}, {"WheelRight", KEY_WHEEL_RIGHT},
	{"Resize", KEY_RESIZED},       {"Tab", KEY_TAB},
	{"Enter", KEY_RETURN},         {"Esc", KEY_ESCAPE},
	{"Backspace", KEY_RUBOUT},     {"Space", ' '},
	{"F1", KEY_FUNCTION_1},
};

static bool find_name(struct sv text, uint32_t *out)
{
	for (size_t i = 0; i < ARRAY_LEN(keys_names); i++) {
		if (sv_is(text, keys_names[i].name)) {
			*out = keys_names[i].key;
			return true;
		}
	}
	return false;
}

static bool one_char(struct sv text, uint32_t *out)
{
	struct utf8_char c;

	if (text.len == 0)
		return false;
	c = utf8_next(text);
	*out = (uint32_t)c.code;
	return c.code >= 0 && c.len == text.len;
}

static bool parse_one(struct sv text, uint32_t *out)
{
	if (sv_starts(text, SV("Ctrl-")) && text.len > 5) {
		char c = text.at[5];

		*out = (uint32_t)c & 0x1f;
		return text.len == 6 && ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
					 c == ']' || c == '\\' || c == '_');
	}
	if (sv_starts(text, SV("Alt-")) && text.len > 4) {
		if (!parse_one(sv_skip(text, 4), out))
			return false;
		*out |= KEY_ALT_BIT;
		return true;
	}
	return find_name(text, out) || one_char(text, out);
}

bool keys_parse(struct sv text, struct keys *out)
{
	*out = (struct keys){.count = 1};
	if (parse_one(text, &out->at[0]))
		return true;
	for (out->count = 0; text.len && out->count < KEYS_LONGEST; out->count++) {
		struct utf8_char c = utf8_next(text);

		if (c.code < 0)
			return false;
		out->at[out->count] = (uint32_t)c.code;
		text = sv_skip(text, c.len);
	}
	return text.len == 0 && out->count;
}

void key_print(struct str *out, uint32_t key)
{
	uint32_t bare = key & ~(uint32_t)KEY_ALT_BIT;

	str_text(out, key & KEY_ALT_BIT ? "Alt-" : "");
	for (size_t i = 0; i < ARRAY_LEN(keys_names); i++) {
		if (keys_names[i].key == bare) {
			str_text(out, keys_names[i].name);
			return;
		}
	}
	if (bare < 32)
		str_format(out, "Ctrl-%c", (char)(bare + 64));
	else if (bare < KEY_NAMED && !utf8_is_hostile((int32_t)bare))
		str_code(out, bare);
	else
		str_format(out, "U+%04X", bare);
}

void keys_print(struct str *out, const struct keys *keys)
{
	for (unsigned i = 0; i < keys->count; i++)
		key_print(out, keys->at[i]);
}

/* ---- as people write them ---- */

static const struct {
	const char *written, *name; /* in small letters */
} keys_modifiers[] = {
	{"ctrl-", "Ctrl-"}, {"ctrl+", "Ctrl-"},   {"control-", "Ctrl-"}, {"control+", "Ctrl-"},
	{"c-", "Ctrl-"},    {"c+", "Ctrl-"},      {"^", "Ctrl-"},        {"alt-", "Alt-"},
	{"alt+", "Alt-"},   {"meta-", "Alt-"},    {"meta+", "Alt-"},     {"m-", "Alt-"},
	{"a-", "Alt-"},     {"shift-", "Shift-"}, {"shift+", "Shift-"},  {"s-", "Shift-"},
};

static const struct {
	const char *written, *name;
} keys_also[] = {
	{"escape", "Esc"}, {"return", "Enter"}, {"cr", "Enter"},       {"pageup", "PgUp"},
	{"pgup", "PgUp"},  {"pgdn", "PgDn"},    {"pgdown", "PgDn"},    {"pagedown", "PgDn"},
	{"del", "Delete"}, {"bs", "Backspace"}, {"spacebar", "Space"}, {"backtab", "Shift-Tab"},
};

static bool keys_start(struct sv text, struct sv start)
{
	return text.len >= start.len && sv_same_letters((struct sv){text.at, start.len}, start);
}

/* Takes the modifiers away. */
static void keys_tidy_modifiers(struct str *out, struct sv *rest)
{
	for (size_t i = 0; i < ARRAY_LEN(keys_modifiers); i++) {
		struct sv written = sv_of(keys_modifiers[i].written);

		if (!keys_start(*rest, written))
			continue;
		str_text(out, keys_modifiers[i].name);
		*rest = sv_skip(*rest, written.len);
		i = SIZE_MAX; /* another one may follow */
	}
}

static void keys_tidy_name(struct str *out, struct sv name)
{
	for (size_t i = 0; i < ARRAY_LEN(keys_also); i++) {
		if (sv_same_letters(name, sv_of(keys_also[i].written)))
			name = sv_of(keys_also[i].name);
	}
	for (size_t i = 0; i < ARRAY_LEN(keys_names); i++) {
		if (sv_same_letters(name, sv_of(keys_names[i].name)))
			name = sv_of(keys_names[i].name);
	}
	str_add(out, name);
}

void keys_tidy(struct str *out, struct sv text)
{
	struct str tidy = {0};
	uint32_t key;

	if (text.len > 2 && text.at[0] == '<' && text.at[text.len - 1] == '>')
		text = (struct sv){text.at + 1, text.len - 2};
	if (text.len > 1 || sv_is(text, "^"))
		keys_tidy_modifiers(&tidy, &text);
	keys_tidy_name(&tidy, text);
	if (parse_one(str_sv(&tidy), &key))
		key_print(out, key);
	else
		str_add(out, str_sv(&tidy));
	str_release(&tidy);
}
