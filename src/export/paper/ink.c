#include "export/paper/ink.h"

#include "base/base.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "export/paper/paper.h"
#include "export/sheet/sheet.h"
#include "infer/hues.h"

/* ---- colours ---- */

static const char *const symbol_colours[HUES] = {
	"#af5f00", "#005f00", "#8700af", "#005f87", "#d70087",
	"#875f00", "#005f5f", "#5f00af", "#005fd7", "#af0000",
};

const char *ink_symbol(uint32_t colour)
{
	return symbol_colours[colour - 1];
}

static const struct {
	const char *fill, *title;
} kind_colours[OP_KIND_COUNT] = {
	[OP_KIND_NONE] = {"#ffffff", "#000000"},       [OP_KIND_PRODUCT] = {"#e3edf9", "#1f5fa8"},
	[OP_KIND_ACTIVATION] = {"#fae9e4", "#a4403a"}, [OP_KIND_NORM] = {"#f6f1da", "#6f5c00"},
	[OP_KIND_POOL] = {"#e5f1dc", "#2f7a3a"},       [OP_KIND_LAYOUT] = {"#f1e7f5", "#7b3f98"},
	[OP_KIND_MOVE] = {"#e0f0f0", "#1f7070"},       [OP_KIND_CONTROL] = {"#fcebd6", "#a04c08"},
	[OP_KIND_CONSTANT] = {"#eeeeee", "#5c5c5c"},
};

const char *ink_kind(enum op_kind kind)
{
	return kind_colours[kind].title;
}

const char *ink_fill(enum view_kind kind, enum op_kind of)
{
	static const char *const fills[VIEW_KIND_COUNT] = {
		[VIEW_INPUT] = "#e4f0e4",
		[VIEW_OUTER] = "#f4f0e0",
		[VIEW_SCOPE] = "#e8ecf8",
		[VIEW_OUTPUT] = "#f4e4e4", /* the rest is by kind */
	};

	return kind == VIEW_NODE ? kind_colours[of].fill : fills[kind];
}

/* ---- texts ---- */

void ink_point(struct str *out, int32_t x, int32_t y)
{
	str_number(out, x);
	str_char(out, ',');
	str_number(out, y);
}

/* Courier: each character is 0.6 em wide. */
static int32_t letters_width(size_t columns)
{
	return (int32_t)columns * NAME_SIZE * 6 / 10;
}

int32_t ink_name(struct str *out, struct sv text, int32_t points)
{
	size_t room = (size_t)MAX(points, 0) * 10 / (NAME_SIZE * 6), columns = utf8_width(text);

	if (columns > room) {
		text.len = sheet_fitting(text, room ? room - 1 : 0);
		columns = utf8_width(text) + 1;
		str_add_shown(out, text);
		str_text(out, room ? "\u2026" : "");
		return letters_width(room ? columns : 0);
	}
	str_add_shown(out, text);
	return letters_width(columns);
}

/* U+FFFE and U+FFFF are valid text but not allowed in XML: write their numbers. */
static void add_odd(struct str *out, struct sv text, int32_t code)
{
	if (code == 0xfffe || code == 0xffff)
		str_format(out, "U+%04X", (unsigned)code);
	else
		str_add(out, text);
}

void ink_quoted(struct str *out, struct sv text, const char *const quotes[128])
{
	size_t plain = 0;

	for (size_t i = 0; i < text.len;) {
		unsigned char byte = (unsigned char)text.at[i];
		size_t len = 1;

		if (byte < 128 && !quotes[byte]) {
			i++;
			continue;
		}
		str_add(out, (struct sv){text.at + plain, i - plain});
		if (byte < 128) {
			str_text(out, quotes[byte]);
		} else {
			struct utf8_char c = utf8_next(sv_skip(text, i));

			len = c.len;
			add_odd(out, (struct sv){text.at + i, len}, c.code);
		}
		i += len;
		plain = i;
	}
	str_add(out, sv_skip(text, plain));
}
