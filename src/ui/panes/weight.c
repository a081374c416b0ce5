#include "ui/panes/weight.h"

#include <math.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "ir/element.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "ir/type.h"

enum {
	BLOCK = 1024,          /* elements read at once */
	SKIP_AT_ONCE = 1 << 16 /* some encodings must be read to be skipped */
};

static bool number_of(const struct scalar *s, double *out)
{
	switch (s->class) {
	case ELEM_CLASS_BOOL:
		*out = s->truth;
		return true;
	case ELEM_CLASS_SIGNED:
		*out = (double)s->i;
		return true;
	case ELEM_CLASS_UNSIGNED:
		*out = (double)s->u;
		return true;
	case ELEM_CLASS_FLOAT:
		*out = s->f;
		return true;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COMPLEX:
	case ELEM_CLASS_STRING:
	case ELEM_CLASS_COUNT:
		break;
	}
	return false;
}

/* Welford's one-pass mean and variance: plain sums would lose small values. */
static void weighing_weigh(struct weighing *w, double x)
{
	double away = x - w->mean;

	if (!isfinite(x)) {
		w->strange++;
		return;
	}
	if (w->finite == 0)
		w->min = w->max = x;
	w->finite++;
	w->mean += away / (double)w->finite;
	w->squares += away * (x - w->mean);
	w->min = MIN(w->min, x);
	w->max = MAX(w->max, x);
	vec_push(&w->kept, (float)x);
}

double weighing_deviation(const struct weighing *w)
{
	return w->finite ? sqrt(w->squares / (double)w->finite) : 0;
}

static void make_bars(struct weighing *w)
{
	double width = w->max - w->min;

	for (size_t i = 0; i < w->kept.len; i++) {
		double place = width > 0 ? ((double)w->kept.at[i] - w->min) / width : 0.5;
		int bar = (int)(place * (double)WEIGH_BARS);

		w->bars[MAX(0, MIN(bar, WEIGH_BARS - 1))]++;
	}
	vec_release(&w->kept);
}

static void weighing_finish(struct weighing *w)
{
	make_bars(w);
	tensor_reader_release(&w->reader);
	w->done = true;
}

void weighing_start(struct weighing *w, const struct model *m, uint32_t tensor)
{
	static const struct text_limits limits = {
		.elements = WEIGH_FIRST, .bytes = 1000, .digits = 6};
	const struct tensor *t = &m->tensors.at[tensor];
	enum elem_class class = elem_info(t->elem)->class;

	weighing_release(w);
	w->tensor = tensor;
	w->numbers = class != ELEM_CLASS_STRING && class != ELEM_CLASS_COMPLEX;
	if (!tensor_elements(t, &w->elements))
		(void)err_set(&w->trouble, ERR_FORMAT, "invalid tensor shape");
	else
		(void)tensor_print_elements(&w->first, m, t, &limits);
	w->wanted = MIN(w->elements, (uint64_t)WEIGH_MAX);
	if (w->elements > w->wanted)
		w->gap = w->elements / (WEIGH_MAX / BLOCK) - BLOCK;
	w->done = w->trouble.kind || !w->numbers ||
		  !tensor_reader_init(&w->reader, &m->bytes, t, &w->trouble);
}

/* Reads a block; false at the end or on failure. */
static bool take_block(struct weighing *w)
{
	struct scalar block[BLOCK];
	size_t got = 0;
	double x;

	if (w->taken >= w->wanted ||
	    !tensor_reader_next(&w->reader, block, MIN(BLOCK, w->wanted - w->taken), &got,
				&w->trouble))
		return false;
	for (size_t i = 0; i < got; i++) {
		if (number_of(&block[i], &x))
			weighing_weigh(w, x);
	}
	w->taken += got;
	w->to_skip = w->gap;
	return got > 0;
}

static bool skip_some(struct weighing *w)
{
	uint64_t count = MIN(w->to_skip, (uint64_t)SKIP_AT_ONCE);

	w->to_skip -= count;
	return tensor_reader_skip(&w->reader, count, &w->trouble);
}

void weighing_go(struct weighing *w, int milliseconds)
{
	int64_t end = clock_ms() + milliseconds;

	while (!w->done && clock_ms() < end) {
		if (w->to_skip ? !skip_some(w) : !take_block(w))
			weighing_finish(w);
	}
}

void weighing_release(struct weighing *w)
{
	if (w->tensor && !w->done)
		tensor_reader_release(&w->reader);
	str_release(&w->first);
	vec_release(&w->kept);
	*w = (struct weighing){0};
}
