#include "report/offers.h"

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/repair/offer.h"
#include "infer/infer.h"
#include "report/findings.h"

enum {
	/* Lines: each infers the model several times. */
	MAX_TRIED = 100,
	MIN_TRIED = 8,
	TRIED_WORK = 1 << 24, /* of one pass for each */
	/* Of all lines.  Each is a pass over the model, so that the time is linear in its size. */
	MAX_CHANGES = 300
};

/* A line that was tried.  Many findings may need the same. */
struct tried_line {
	struct str line;
	bool works;
};

struct offering {
	struct document *document; /* borrowed */
	VEC(struct tried_line) tried;
	size_t changes, most;
	bool stopped;
};

static bool offering_go_on(void *context, size_t done)
{
	struct offering *o = context;

	(void)done;
	o->stopped |= ++o->changes > MAX_CHANGES;
	return !o->stopped;
}

static size_t max_tried(const struct infer *in)
{
	return MIN(MAX(TRIED_WORK / (infer_work(in) + 1), MIN_TRIED), MAX_TRIED);
}

/* Does the line work?  False for *out_tried when that would take too long. */
static bool offering_try(struct offering *o, struct sv line, bool *out_tried)
{
	struct tried_line *new;
	bool works;

	*out_tried = true;
	for (size_t i = 0; i < o->tried.len; i++) {
		if (sv_eq(str_sv(&o->tried.at[i].line), line))
			return o->tried.at[i].works;
	}
	*out_tried = o->tried.len < o->most && !o->stopped;
	works = *out_tried && offer_works(o->document, line);
	*out_tried &= !o->stopped;
	if (!*out_tried)
		return false;
	new = vec_add(&o->tried);
	new->works = works;
	str_add(&new->line, line);
	return works;
}

static void offering_release(struct offering *o)
{
	for (size_t i = 0; i < o->tried.len; i++)
		str_release(&o->tried.at[i].line);
	vec_release(&o->tried);
}

void offers_find(struct offers *out, struct document *d)
{
	struct offering o = {.document = d, .most = max_tried(&d->infer)};
	bool (*working)(void *, size_t) = d->working;
	void *context = d->working_context;

	d->working = offering_go_on;
	d->working_context = &o;
	for (size_t i = 0; i < MIN(d->infer.findings.len, (size_t)FINDINGS_MAX); i++) {
		struct str *line = vec_add(&out->lines), *untried = vec_add(&out->untried);
		bool tried = true;

		if (!offer_line(&d->infer, &d->infer.findings.at[i], line) ||
		    offering_try(&o, str_sv(line), &tried))
			continue;
		if (!tried)
			str_add(untried, str_sv(line));
		str_clear(line);
	}
	d->working = working;
	d->working_context = context;
	offering_release(&o);
}

static void offers_release_lines(struct str *lines, size_t count)
{
	for (size_t i = 0; i < count; i++)
		str_release(&lines[i]);
}

void offers_release(struct offers *o)
{
	offers_release_lines(o->lines.at, o->lines.len);
	offers_release_lines(o->untried.at, o->untried.len);
	vec_release(&o->lines);
	vec_release(&o->untried);
}
