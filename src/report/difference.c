#include "report/difference.h"

#include "base/sv.h"
#include "edit/diff/compare.h"
#include "report/record.h"

/* A part that was added or removed changes the whole. */
static bool difference_is_change(const struct difference *d)
{
	return d->what.len || d->has_before == d->has_after;
}

static void difference_mark(struct record *r, const struct difference *d)
{
	bool gone = !difference_is_change(d) && d->has_before;
	bool new = !difference_is_change(d) && d->has_after;

	record_tone(r, gone ? TONE_REMOVED : new ? TONE_ADDED : TONE_CHANGED);
	record_say(r, gone ? "-" : new ? "+" : "~");
}

static void difference_side(struct record *r, const char *key, bool has, struct sv text, bool both)
{
	if (has)
		record_text(r, key, text);
	else
		record_null(r, key);
	if (!has && both)
		record_say(r, "nothing");
}

void difference_record(struct record *r, const struct difference *d)
{
	bool both = difference_is_change(d);

	record_clear(r, NULL);
	difference_mark(r, d);
	record_column(r);
	record_hide(r);
	record_text(r, "kind", sv_of(difference_kind_name(d->kind)));
	record_show(r);
	record_text(r, "graph", d->graph);
	record_say(r, d->graph.len ? "/" : "");
	record_text(r, "name", d->name);
	record_column(r);
	record_text(r, "what", d->what);
	record_column(r);
	difference_side(r, "before", d->has_before, d->before, both);
	record_say(r, both ? " -> " : "");
	difference_side(r, "after", d->has_after, d->after, both);
}
