/* Shapes as patterns, for the operators of ONNX Runtime. */
#include "ops/ms_sizes.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "ops/info.h"
#include "ops/rule.h"
#include "sym/sym.h"

static const char *size_word(char letter)
{
	switch (letter) {
	case 'B':
		return "batch sizes";
	case 'C':
		return "numbers of channels";
	case 'D':
		return "sizes of input and weight";
	case 'E':
		return "numbers of experts";
	case 'G':
		return "head sizes";
	case 'H':
		return "hidden sizes";
	case 'K':
		return "inner sizes";
	case 'L':
		return "lengths of key and value";
	case 'M':
		return "numbers of key heads";
	case 'N':
		return "numbers of heads";
	case 'P':
		return "lengths of the past";
	case 'S':
		return "sequence lengths";
	case 'T':
		return "total lengths";
	case 'V':
		return "vocabulary sizes";
	case 'W':
		return "widths";
	default:
		return "sizes of the inputs";
	}
}

struct sym ms_size(const struct ms_sizes *s, char letter)
{
	return s->at[letter - 'A'];
}

void ms_size_set(struct ms_sizes *s, char letter, struct sym size)
{
	s->at[letter - 'A'] = size;
}

const char *ms_pattern_end(const char *pattern)
{
	while (isupper((unsigned char)*pattern) || isdigit((unsigned char)*pattern) ||
	       (*pattern && strchr("*._s~-", *pattern)))
		pattern++;
	return pattern;
}

static void match_lead(struct rule *r, struct ms_sizes *s, const struct info *in, uint32_t rank)
{
	struct sym *dims;

	if (!s->led) {
		s->led = true;
		s->lead = in->dims;
		s->lead_rank = rank;
		return;
	}
	if (s->lead_rank != rank) {
		rule_error(r, "the inputs differ in rank");
		return;
	}
	dims = rule_dims(r, rank);
	for (uint32_t i = 0; i < rank; i++)
		dims[i] = rule_equal(r, s->lead[i], in->dims[i], "sizes of the inputs");
	s->lead = dims;
}

/* A number stays what it was first: one wrong size is one error. */
static void match_letter(struct rule *r, struct sym *size, struct sym dim, const char *why)
{
	struct sym both = rule_equal(r, *size, dim, why);
	int64_t ignored;

	if (!sym_value(r->pool, *size, &ignored))
		*size = both;
}

static void match_dim(struct rule *r, struct ms_sizes *s, char c, struct sym dim)
{
	if (c == '.')
		return;
	if (isdigit((unsigned char)c))
		rule_equal(r, rule_int(r, c - '0'), dim, "size of the axis");
	else
		match_letter(r, &s->at[c - 'A'], dim, size_word(c));
}

static struct sym element_count(struct rule *r, uint32_t input)
{
	struct sym count = rule_int(r, 1);

	for (uint32_t i = 0; i < r->in[input].rank; i++)
		count = sym_mul(r->pool, count, r->in[input].dims[i]);
	return count;
}

/* A pattern that is no list of axes?  Then it has been matched. */
static bool match_whole(struct rule *r, struct ms_sizes *s, uint32_t input, const char *pattern)
{
	switch (*pattern) {
	case '_':
		return true;
	case 's':
		ms_scalar(r, input);
		return true;
	case '-':
		rule_check_rank(r, input, 0, 0);
		return true;
	case '~':
		match_dim(r, s, pattern[1], element_count(r, input));
		return true;
	default:
		return false;
	}
}

bool ms_match(struct rule *r, struct ms_sizes *s, uint32_t input, const char *pattern)
{
	bool led = *pattern == '*';
	uint32_t count, rank;

	if (!rule_ranked(r, input) || match_whole(r, s, input, pattern))
		return true;
	pattern += led;
	count = (uint32_t)(ms_pattern_end(pattern) - pattern);
	rank = r->in[input].rank;
	if (!rule_check_rank(r, input, count, led ? RULE_MAX_RANK : count))
		return false;
	if (led)
		match_lead(r, s, &r->in[input], rank - count);
	for (uint32_t i = 0; i < count; i++)
		match_dim(r, s, pattern[i], r->in[input].dims[rank - count + i]);
	return true;
}

void ms_out(struct rule *r, const struct ms_sizes *s, uint32_t output, int32_t elem,
	    const char *pattern)
{
	bool led = *pattern == '*';
	uint32_t count, rank = 0;
	struct sym *dims;

	pattern += led;
	count = (uint32_t)(ms_pattern_end(pattern) - pattern);
	rule_out_unranked(r, output, elem);
	if (led && !s->led)
		return;
	dims = rule_dims(r, count + s->lead_rank);
	for (uint32_t i = 0; led && i < s->lead_rank; i++)
		dims[rank++] = s->lead[i];
	for (uint32_t i = 0; i < count; i++) {
		if (isdigit((unsigned char)pattern[i]))
			dims[rank] = rule_int(r, pattern[i] - '0');
		else if (pattern[i] != '.')
			dims[rank] = ms_size(s, pattern[i]);
		rank++;
	}
	rule_out(r, output, elem, rank, dims);
}

struct sym ms_given(struct rule *r, struct sym number)
{
	int64_t value;

	return sym_value(r->pool, number, &value) && value < 0 ? SYM_UNKNOWN : number;
}

void ms_at_most(struct rule *r, struct sym low, struct sym high, const char *why)
{
	int64_t a, b;

	if (sym_value(r->pool, low, &a) && sym_value(r->pool, high, &b) && a > b)
		rule_error(r, "%s: %" PRId64 " exceeds %" PRId64, why, a, b);
	else
		rule_bound(r, low, high, why);
}

void ms_scalar(struct rule *r, uint32_t input)
{
	ms_per_column(r, input, rule_int(r, 1));
}

void ms_per_column(struct rule *r, uint32_t input, struct sym columns)
{
	if (!rule_ranked(r, input) || !rule_check_rank(r, input, 0, 1) || r->in[input].rank == 0)
		return;
	ms_one_or(r, rule_dim(r, input, 0), columns, "scales or zero points, and columns");
}

void ms_one_or(struct rule *r, struct sym dim, struct sym size, const char *why)
{
	if (sym_is(size, 1))
		rule_equal(r, size, dim, why);
	else if (!sym_is_unknown(size))
		rule_cover(r, dim, size, why);
}
