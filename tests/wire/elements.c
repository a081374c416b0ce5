/*
 * Prints every initializer's elements, for a test to compare: one line per tensor, name,
 * element type, dims and elements separated by tabs; "!" and the reason if unreadable.
 * -s N skips the first N elements of each (by seeking, if possible).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "wire/wire.h"

static void print_float(double f)
{
	if (isnan(f))
		fputs("nan", stdout);
	else if (isinf(f))
		fputs(f < 0 ? "-inf" : "inf", stdout);
	else
		printf("%a", f);
}

static void print_text(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		printf("%02x", (unsigned char)text.at[i]);
	putchar('.');
}

static void print_scalar(const struct scalar *s)
{
	switch (s->class) {
	case ELEM_CLASS_BOOL:
		putchar(s->truth ? '1' : '0');
		break;
	case ELEM_CLASS_SIGNED:
		printf("%" PRId64, s->i);
		break;
	case ELEM_CLASS_UNSIGNED:
		printf("%" PRIu64, s->u);
		break;
	case ELEM_CLASS_FLOAT:
		print_float(s->f);
		break;
	case ELEM_CLASS_COMPLEX:
		print_float(s->complex_parts[0]);
		putchar(',');
		print_float(s->complex_parts[1]);
		break;
	case ELEM_CLASS_STRING:
		print_text(s->text);
		break;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COUNT:
		break;
	}
}

static bool print_elements(const struct model *m, const struct tensor *t, uint64_t skip,
			   struct err *err)
{
	struct tensor_reader reader;
	struct scalar some[7]; /* an odd number, so that shared bytes are split */
	size_t got;
	bool ok;

	if (!tensor_reader_init(&reader, &m->bytes, t, err))
		return false;
	ok = tensor_reader_skip(&reader, skip, err);
	while (ok && (ok = tensor_reader_next(&reader, some, ARRAY_LEN(some), &got, err)) && got) {
		for (size_t i = 0; i < got; i++) {
			print_scalar(&some[i]);
			putchar(' ');
		}
	}
	tensor_reader_release(&reader);
	return ok;
}

static void print_tensor(const struct model *m, const struct tensor *t, uint64_t skip)
{
	struct str shown = {0};
	struct err err;

	str_add_shown(&shown, model_name(m, t->name));
	printf("%s\t%" PRId32 "\t", str_c(&shown), t->elem);
	for (uint32_t i = 0; i < t->rank; i++)
		printf("%" PRId64 " ", t->dims[i]);
	putchar('\t');
	if (!print_elements(m, t, skip, &err))
		printf("!%s", err.text);
	putchar('\n');
	str_release(&shown);
}

int main(int count, char **words)
{
	bool skips = count == 4 && strcmp(words[1], "-s") == 0;
	uint64_t skip = skips ? strtoull(words[2], NULL, 10) : 0;
	struct wire w;
	struct err err;

	if ((!skips && count != 2) || !wire_open(&w, words[count - 1], &err)) {
		fprintf(stderr, "%s\n", count < 2 ? "usage: elements [-s N] MODEL" : err.text);
		return 2;
	}
	for (size_t i = 0; i < w.model.graphs.len; i++) {
		const struct graph *g = &w.model.graphs.at[i];

		for (size_t j = 0; j < g->initializers.len; j++)
			print_tensor(&w.model, &w.model.tensors.at[g->initializers.at[j]], skip);
	}
	wire_release(&w);
	return 0;
}
