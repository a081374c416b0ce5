/*
 * Input axes that a finding pins, and what to say when an edit would promise more.
 */
#ifndef EDIT_PINS_H
#define EDIT_PINS_H

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/change.h"
#include "edit/document.h"
#include "infer/infer.h"

/*
 * The addresses of declared dims whose axes are pinned, or restricted together with others -> 1;
 * and nodes that join axes (infer/join.h).
 */
void pins_remember(struct map *out, const struct infer *in);

/* Edits that were made, to be checked. */
struct pin_check {
	const struct infer *in;   /* borrowed: after them */
	const struct map *set;    /* borrowed: addresses of dims that were set -> edit, plus 1 */
	const struct map *before; /* borrowed: of pins_remember, before them */
	const struct sv *words;   /* borrowed: the edits, as `repair` takes them too */
	const struct change_log *log; /* borrowed: what they changed */
};

/*
 * False when the graph allows one size only of an axis that was set, or of one that was not
 * pinned before; a renamed symbol may stay pinned.  *repair is then the line that may free it.
 */
bool pins_allow(const struct pin_check *c, struct str *repair, struct err *err) MUST_USE;
/*
 * False when an axis that was set had the number that the file has in its place (infer/join.h),
 * and goes into another axis of an output: its items could not be told apart.  *repair is then the
 * line that may keep them apart.
 */
bool pins_keep_items(const struct pin_check *c, struct str *repair, struct err *err) MUST_USE;
/*
 * An axis that was set runs at every size, but goes into another one, where the file has a number
 * in its place: says so, and which repair keeps it apart if the number is its old size.
 */
void pins_warn(const struct pin_check *c, const char *model, struct str *out);
/*
 * Adds to a refusal what helps: after `lead` the repair, if it works, perhaps with more axes (it is
 * tried, unless this is a preview), and --force.  `model`: see struct set_options.
 */
void pins_advise(struct document *d, const char *lead, struct str *repair, const char *model,
		 struct err *err);
/* The repair of the pinned axes whose declared dims have these addresses; nothing without any. */
void pins_make_line(const struct infer *in, const struct map *dims, struct str *out);
/* Appends to a refusal: the repair after `lead`, unless it is empty or too long, and `end`. */
void pins_say(struct err *err, const char *lead, struct sv repair, const char *model,
	      const char *end);

#endif
