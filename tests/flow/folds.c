/*
 * Folds every constant value of the main graph and prints them, for a test to compare: name,
 * element type, dims and the elements as hexadecimal bytes, separated by tabs; "-" for a
 * value that is constant but cannot be computed.  Of large ones only the first bytes.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "flow/fold.h"
#include "wire/wire.h"

static void print_array(const struct array *a)
{
	size_t bytes = MIN((size_t)a->count * array_width(a->elem), 1 << 16);

	printf("%" PRId32 "\t", a->elem);
	for (uint32_t i = 0; i < a->rank; i++)
		printf("%" PRId64 " ", a->dims[i]);
	putchar('\t');
	for (size_t i = 0; i < bytes; i++)
		printf("%02x", a->bytes[i]);
}

static void print_value(struct folder *f, uint32_t value)
{
	const struct array *a = fold_value(f, value);
	struct str shown = {0};

	str_add_shown(&shown, model_name(f->model, f->model->values.at[value].name));
	printf("%s\t", str_c(&shown));
	if (a)
		print_array(a);
	else
		putchar('-');
	putchar('\n');
	str_release(&shown);
}

int main(int count, char **words)
{
	struct infer in = {0};
	struct folder f;
	struct wire w;
	struct err err;

	if (count != 2 || !wire_open(&w, words[1], &err)) {
		fprintf(stderr, "%s\n", count < 2 ? "usage: folds MODEL" : err.text);
		return 2;
	}
	infer_run(&in, &w.model, (struct infer_options){0});
	folder_init(&f, &in);
	for (uint32_t i = 1; i < w.model.values.len; i++) {
		if (w.model.values.at[i].graph == 0 && fold_is_constant(&f, i))
			print_value(&f, i);
	}
	folder_release(&f);
	infer_release(&in);
	wire_release(&w);
	return 0;
}
