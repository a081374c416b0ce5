#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "base/bug.h"
#include "base/sv.h"
#include "ui/search/pattern.h"

/* A position in the text: the characters on both sides, -1 for none. */
struct around {
	int32_t before, after;
};

/* A set of steps. */
struct places {
	uint32_t *at; /* owned */
	size_t len;
};

struct matcher {
	const struct pattern *p; /* borrowed */
	uint32_t *rounds;        /* owned; by step: the last round */
	uint32_t round;
	struct places open;    /* to be followed */
	struct places waiting; /* for a character */
};

static bool is_word(int32_t code)
{
	return code == '_' || (code >= 0 && code < PATTERN_NO_TEXT && iswalnum((wint_t)code));
}

static bool pattern_match_holds(enum pattern_op op, struct around a)
{
	bool before = is_word(a.before), after = is_word(a.after);

	switch (op) {
	case PATTERN_START:
		return a.before < 0;
	case PATTERN_END:
		return a.after < 0;
	case PATTERN_WORD_START:
		return !before && after;
	case PATTERN_WORD_END:
		return before && !after;
	case PATTERN_EDGE:
		return before != after;
	case PATTERN_NO_EDGE:
		return before == after;
	case PATTERN_CODE:
	case PATTERN_ANY:
	case PATTERN_SET:
	case PATTERN_SPLIT:
	case PATTERN_JUMP:
	case PATTERN_FOUND:
	case PATTERN_OP_COUNT:
		break;
	}
	return false;
}

static bool in_ranges(const struct pattern *p, const struct pattern_step *step, int32_t code)
{
	for (int32_t i = 0; i < step->b; i++) {
		const struct pattern_range *r = &p->ranges.at[step->a + i];

		if ((code >= r->first && code <= r->last) ||
		    (r->kind && code < PATTERN_NO_TEXT && iswctype((wint_t)code, r->kind)))
			return true;
	}
	return false;
}

static bool pattern_match_takes(const struct pattern *p, const struct pattern_step *step,
				int32_t code)
{
	bool fold = p->fold && code < PATTERN_NO_TEXT;
	int32_t lower = fold ? (int32_t)towlower((wint_t)code) : code;
	int32_t upper = fold ? (int32_t)towupper((wint_t)code) : code;

	if (step->op == PATTERN_ANY)
		return true;
	if (step->op == PATTERN_CODE)
		return code == step->a || lower == step->a || upper == step->a;
	return step->negated !=
	       (in_ranges(p, step, code) || in_ranges(p, step, lower) || in_ranges(p, step, upper));
}

static void pattern_match_reach(struct matcher *m, int64_t step)
{
	if (m->rounds[step] == m->round)
		return;
	m->rounds[step] = m->round;
	m->open.at[m->open.len++] = (uint32_t)step;
}

/* Follows open steps to those that wait for a character; true if the end is reached. */
static bool pattern_match_spread(struct matcher *m, struct around a)
{
	m->waiting.len = 0;
	while (m->open.len) {
		int64_t at = m->open.at[--m->open.len];
		const struct pattern_step *step = &m->p->steps.at[at];

		switch (step->op) {
		case PATTERN_FOUND:
			return true;
		case PATTERN_CODE:
		case PATTERN_ANY:
		case PATTERN_SET:
			m->waiting.at[m->waiting.len++] = (uint32_t)at;
			break;
		case PATTERN_SPLIT:
			pattern_match_reach(m, at + 1);
			pattern_match_reach(m, at + step->a);
			break;
		case PATTERN_JUMP:
			pattern_match_reach(m, at + step->a);
			break;
		case PATTERN_START:
		case PATTERN_END:
		case PATTERN_WORD_START:
		case PATTERN_WORD_END:
		case PATTERN_EDGE:
		case PATTERN_NO_EDGE:
		case PATTERN_OP_COUNT:
			if (pattern_match_holds(step->op, a))
				pattern_match_reach(m, at + 1);
		}
	}
	return false;
}

static bool pattern_match_match(struct matcher *m, struct sv text)
{
	struct around a = {-1, -1};
	size_t len = 0;

	for (;; text = sv_skip(text, len)) {
		a.after = text.len ? pattern_code(text, &len) : -1;
		pattern_match_reach(m, 0);
		if (pattern_match_spread(m, a))
			return true;
		if (text.len == 0)
			return false;
		m->round++;
		for (size_t i = 0; i < m->waiting.len; i++) {
			uint32_t at = m->waiting.at[i];

			if (pattern_match_takes(m->p, &m->p->steps.at[at], a.after))
				pattern_match_reach(m, (int64_t)at + 1);
		}
		a.before = a.after;
	}
}

bool pattern_fits(const struct pattern *p, struct sv text)
{
	size_t count = p->steps.len;
	uint32_t *memory = must_alloc(3 * count * sizeof(*memory));
	struct matcher m = {.p = p, .rounds = memory, .round = 1};
	bool fits;

	memset(memory, 0, count * sizeof(*memory));
	m.open.at = memory + count;
	m.waiting.at = memory + 2 * count;
	fits = pattern_match_match(&m, text);
	free(memory);
	return fits;
}
