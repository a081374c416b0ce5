#include "report/brief.h"

#include "base/str.h"
#include "base/sv.h"

enum {
	BRIEF_MOST = 3, /* sizes that are all shown */
	BRIEF_SHOWN = 2 /* of more */
};

/* What follows "broadcast(", up to its end: how many sizes, and where those end that are shown. */
struct brief_list {
	size_t len, shown, count;
};

/* Names that are no identifiers are in backquotes, with all that is in them. */
static struct brief_list brief_read(struct sv rest)
{
	struct brief_list l = {.count = 1};
	size_t depth = 1;
	bool quoted = false;

	for (; l.len < rest.len && depth; l.len++) {
		char c = rest.at[l.len];

		quoted ^= c == '`';
		if (quoted)
			continue;
		depth += c == '(';
		depth -= c == ')';
		if (c == ',' && depth == 1 && l.count++ == BRIEF_SHOWN)
			l.shown = l.len;
	}
	return l;
}

void brief_add(struct str *out, struct sv condition)
{
	const struct sv call = SV("broadcast(");
	bool quoted = false;

	while (condition.len) {
		struct brief_list l = {0};

		if (!quoted && sv_starts(condition, call)) {
			condition = sv_skip(condition, call.len);
			str_add(out, call);
			l = brief_read(condition);
		}
		if (l.count > BRIEF_MOST) {
			str_add(out, (struct sv){condition.at, l.shown});
			str_text(out, ", \u2026)");
			condition = sv_skip(condition, l.len);
		} else if (condition.len) {
			quoted ^= condition.at[0] == '`';
			str_char(out, condition.at[0]);
			condition = sv_skip(condition, 1);
		}
	}
}
