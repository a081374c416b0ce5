/*
 * The input is a search.  It is refused with a message, or matches some nodes.  A second search
 * gives the same, several words match where each of them does, and a word matches as a pattern
 * where it matches literally.
 */

#include "base/bug.h"
#include "tests/fuzz/models.h"
#include "tests/fuzz/target.h"
#include "ui/search/query.h"
#include "wire/wire.h"

static struct subject_of {
	struct wire wire;
	struct infer infer;
	struct screen screen;
} subjects[3];

static void open_subject(struct subject_of *s, const unsigned char *bytes, size_t size)
{
	struct err err;

	BUG_ON(!wire_open_memory(&s->wire, "input", bytes, size, &err));
	infer_run(&s->infer, &s->wire.model, (struct infer_options){0});
	s->screen.subject = (struct subject){.model = &s->wire.model, .infer = &s->infer};
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	open_subject(&subjects[0], small_model, small_model_size);
	open_subject(&subjects[1], hostile_model, hostile_model_size);
	open_subject(&subjects[2], nested_model, nested_model_size);
	return 0;
}

/* At the ends of a text all blanks are dropped; only spaces separate words. */
static bool has_other_blanks(struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] >= '\t' && text.at[i] <= '\r')
			return true;
	}
	return false;
}

static struct sv first_word(struct sv text)
{
	size_t len = 0;

	while (len < text.len && text.at[len] != ' ')
		len++;
	return (struct sv){text.at, len};
}

static void check_words(const struct query *whole, const struct subject_of *s, struct sv text)
{
	struct sv first = first_word(sv_trim(text)), rest = sv_skip(sv_trim(text), first.len);
	struct query a, b;
	struct err err;

	if (sv_trim(rest).len == 0 || has_other_blanks(text))
		return;
	BUG_ON(!query_init(&a, &s->screen, first, &err));
	BUG_ON(!query_init(&b, &s->screen, rest, &err));
	for (uint32_t i = 1; i < s->wire.model.nodes.len; i++)
		BUG_ON(query_fits(whole, i) != (query_fits(&a, i) && query_fits(&b, i)));
	query_release(&a);
	query_release(&b);
}

static bool is_simple(struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.at[i];

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    c != '_' && c != '/')
			return false;
	}
	return text.len != 0 && text.len < 100;
}

/* A word matches literally, with a tilde and in parentheses as a pattern. */
static void check_pattern(const struct query *word, const struct subject_of *s, struct sv text)
{
	struct str pattern = {0};
	struct query q;
	struct err err;

	if (!is_simple(text) || text.at[0] == '/')
		return;
	str_format(&pattern, "~(%.*s)", (int)text.len, text.at);
	BUG_ON(!query_init(&q, &s->screen, str_sv(&pattern), &err));
	for (uint32_t i = 1; i < s->wire.model.nodes.len; i++)
		BUG_ON(query_fits(word, i) != query_fits(&q, i));
	query_release(&q);
	str_release(&pattern);
}

static void search(const struct subject_of *s, struct sv text)
{
	struct query q, again;
	struct err err = {0};

	if (!query_init(&q, &s->screen, text, &err)) {
		BUG_ON(err.text[0] == 0);
		return;
	}
	BUG_ON(!query_init(&again, &s->screen, text, &err));
	for (uint32_t i = 1; i < s->wire.model.nodes.len; i++)
		BUG_ON(query_fits(&q, i) != query_fits(&again, i));
	check_words(&q, s, text);
	check_pattern(&q, s, text);
	query_release(&q);
	query_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < ARRAY_LEN(subjects); i++)
		search(&subjects[i], (struct sv){(const char *)data, size});
	return 0;
}
