#include "edit/recovery.h"

#include "base/bug.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/journal.h"
#include "edit/line.h"

static bool recover_step(struct document *d, struct sv line, struct err *err)
{
	enum journal_step step;
	struct sv done;

	/* Pending lines are always steps. */
	BUG_ON(!journal_read_step(line, &step, &done));
	switch (step) {
	case JOURNAL_DO:
		return document_run(d, done, err);
	case JOURNAL_UNDO:
		return document_undo(d) ||
		       err_set(err, ERR_REFUSED, "the edit to undo is already in the saved file");
	case JOURNAL_REDO:
		return document_redo(d) || err_set(err, ERR_REFUSED, "nothing to redo");
	case JOURNAL_STEP_COUNT:
		break;
	}
	return false;
}

void document_recover(struct document *d, struct str *report)
{
	struct sv rest = journal_pending_steps(d->journal), line;
	struct str steps = {0};
	size_t number = 0;

	journal_begin_recovery(d->journal);
	while (journal_next_step(&rest, &line)) {
		struct err err;

		number++;
		if (recover_step(d, line, &err)) {
			str_add(&steps, line);
			str_char(&steps, '\n');
		} else {
			str_format(report, "step %zu (%.*s): %s\n", number, (int)MIN(line.len, 200),
				   line.at, err.text);
		}
	}
	journal_end_recovery(d->journal, str_sv(&steps));
	str_release(&steps);
}
