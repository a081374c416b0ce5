#include "edit/journal/recovery.h"

#include "base/bug.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/journal/journal.h"
#include "edit/journal/text.h"
#include "edit/line.h"
#include "wire/wire.h"

/* The steps as they were: those that failed have no effect, nor has undoing them. */
struct replay {
	struct document *document; /* borrowed */
	VEC(bool) worked;          /* by action of the earlier run */
	size_t done;               /* of these */
};

static bool replay_do(struct replay *r, struct sv line, struct err *err)
{
	bool ok = document_run(r->document, line, err);

	r->worked.len = r->done;
	vec_push(&r->worked, ok);
	r->done++;
	return ok;
}

static bool replay_undo(struct replay *r, struct err *err)
{
	if (r->done == 0)
		return err_set(err, ERR_REFUSED, "the edit to undo is already in the saved file");
	r->done--;
	return !r->worked.at[r->done] || document_undo(r->document) ||
	       err_set(err, ERR_REFUSED, "nothing to undo");
}

static bool replay_redo(struct replay *r, struct err *err)
{
	if (r->done == r->worked.len)
		return err_set(err, ERR_REFUSED, "nothing to redo");
	return !r->worked.at[r->done++] || document_redo(r->document) ||
	       err_set(err, ERR_REFUSED, "nothing to redo");
}

static bool replay_step(struct replay *r, struct sv line, struct err *err)
{
	enum journal_step step;
	struct sv done;

	/* Lines that were left are always steps. */
	BUG_ON(!journal_read_step(line, &step, &done));
	switch (step) {
	case JOURNAL_DO:
		return replay_do(r, done, err);
	case JOURNAL_UNDO:
		return replay_undo(r, err);
	case JOURNAL_REDO:
		return replay_redo(r, err);
	case JOURNAL_STEP_COUNT:
		break;
	}
	return false;
}

size_t document_recover(struct document *d, struct str *report)
{
	struct journal *journal = d->journal;
	struct sv rest = str_sv(&journal_left(journal)->steps), line;
	struct replay r = {.document = d};
	size_t number = 0;

	/* They are in the journal already. */
	d->journal = NULL;
	while (journal_next_line(&rest, &line)) {
		struct err err;

		number++;
		if (!replay_step(&r, line, &err))
			str_format(report, "step %zu (%.*s): %s\n", number, (int)MIN(line.len, 200),
				   line.at, err.text);
	}
	d->journal = journal;
	journal_resume(journal);
	vec_release(&r.worked);
	return d->done;
}

/* ---- another file of the same name ---- */

static void forget_history(struct document *d, struct str *out_lines)
{
	for (size_t i = 0; i < d->done; i++) {
		str_add(out_lines, str_sv(&d->actions.at[i].line));
		str_char(out_lines, '\n');
	}
	document_clear(d);
}

bool document_reload(struct document *d, struct reload *out, struct err *err)
{
	struct journal *journal = d->journal;
	struct str lines = {0}, steps = {0};
	struct sv rest, line;
	struct wire fresh;

	/* Opened first: when that fails, all stays as it is. */
	if (!wire_open(&fresh, str_c(&d->wire.path), err))
		return false;
	d->journal = NULL;
	forget_history(d, &lines);
	document_take_wire(d, &fresh);
	rest = str_sv(&lines);
	while (journal_next_line(&rest, &line)) {
		struct err why;

		if (document_run(d, line, &why)) {
			journal_write_step(&steps, JOURNAL_DO, line);
			out->done++;
		} else {
			str_format(&out->failures, "%.*s: %s\n", (int)MIN(line.len, 200), line.at,
				   why.text);
			out->failed++;
		}
	}
	d->journal = journal;
	journal_restart(journal, &d->wire, str_sv(&steps));
	str_release(&lines);
	str_release(&steps);
	return true;
}
