#include "report/offers.h"

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/repair/offer.h"
#include "infer/finding.h"
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
	bool runs;
	struct map left; /* what is still found after it */
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

/* NULL when that would take too long. */
static const struct tried_line *offering_try(struct offering *o, struct sv line)
{
	struct tried_line new = {0};

	for (size_t i = 0; i < o->tried.len; i++) {
		if (sv_eq(str_sv(&o->tried.at[i].line), line))
			return &o->tried.at[i];
	}
	if (o->tried.len >= o->most || o->stopped)
		return NULL;
	new.runs = offer_try(o->document, line, &new.left);
	if (o->stopped) {
		map_release(&new.left);
		return NULL;
	}
	str_add(&new.line, line);
	vec_push(&o->tried, new);
	return &o->tried.at[o->tried.len - 1];
}

/* The first line after which the finding is gone; or one that could not be tried. */
static void offering_find(struct offering *o, size_t finding, struct str *line, struct str *untried)
{
	const struct infer *in = &o->document->infer;

	for (unsigned which = 0; which < OFFER_MOST; which++) {
		const struct finding *f = &in->findings.at[finding];
		uint64_t subject = offer_subject(f);
		const struct tried_line *tried;

		str_clear(line);
		if (!offer_line(in, f, which, line))
			continue;
		tried = offering_try(o, str_sv(line));
		if (tried && tried->runs && !map_find(&tried->left, subject))
			return;
		if (!tried && !untried->len)
			str_add(untried, str_sv(line));
	}
	str_clear(line);
}

static void offering_release(struct offering *o)
{
	for (size_t i = 0; i < o->tried.len; i++) {
		str_release(&o->tried.at[i].line);
		map_release(&o->tried.at[i].left);
	}
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

		offering_find(&o, i, line, untried);
		if (line->len)
			str_clear(untried);
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
