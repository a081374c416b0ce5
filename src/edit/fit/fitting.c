/*
 * What all parts of a fit say and ask.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/fit/internal.h"
#include "flow/array.h"
#include "flow/fold.h"
#include "ir/graph.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	MAX_REASONS = 40
};

bool fit_refuse(struct fitting *f, uint32_t node, const char *format, ...)
{
	const struct model *m = f->sides[0].m;
	char text[400];
	va_list args;
	struct str *reason;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (f->report->reasons.len == MAX_REASONS) {
		f->report->more++;
		return false;
	}
	reason = vec_add(&f->report->reasons);
	if (node) {
		const struct node *n = &m->nodes.at[node];

		str_add(reason, model_cut_name(m, n->op));
		str_char(reason, ' ');
		str_add(reason, model_cut_name(m, node_called(m, n)));
		str_text(reason, ": ");
	}
	str_text(reason, text);
	return false;
}

bool fit_work(struct fitting *f, uint64_t steps)
{
	f->work += steps;
	return f->work <= FIT_MAX_WORK;
}

void fit_bound(struct fitting *f, struct sv text)
{
	for (size_t i = 0; i < f->report->bounds.len; i++) {
		if (sv_eq(str_sv(&f->report->bounds.at[i]), text))
			return;
	}
	if (text.len)
		str_add(vec_add(&f->report->bounds), text);
}

void fit_bound_size(struct fitting *f, struct sym size, const char *sign, int64_t number)
{
	struct str text = {0};

	sym_print(&f->document->infer.pool, size, &text);
	str_format(&text, " %s %" PRId64, sign, number);
	fit_bound(f, str_sv(&text));
	str_release(&text);
}

uint32_t fit_partner(const struct fitting *f, uint32_t side, uint32_t value)
{
	return side ? f->sides[side].pairing.values[value] : value;
}

const struct array *fit_array(struct fitting *f, uint32_t side, uint32_t value)
{
	return fold_value(&f->sides[side].folder, value);
}
