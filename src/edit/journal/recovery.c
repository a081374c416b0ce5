#include "edit/journal/recovery.h"

#include "base/bug.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/journal/journal.h"
#include "edit/journal/text.h"
#include "edit/line.h"

static bool recover_step(struct document *d, struct sv line, struct err *err)
{
	enum journal_step step;
	struct sv done;

	/* Lines that were left are always steps. */
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

size_t document_recover(struct document *d, struct str *report)
{
	struct journal *journal = d->journal;
	struct sv rest = str_sv(&journal_left(journal)->steps), line;
	size_t number = 0, done = 0;

	/* They are in the journal already. */
	d->journal = NULL;
	while (journal_next_line(&rest, &line)) {
		struct err err;

		number++;
		if (recover_step(d, line, &err))
			done++;
		else
			str_format(report, "step %zu (%.*s): %s\n", number, (int)MIN(line.len, 200),
				   line.at, err.text);
	}
	d->journal = journal;
	journal_resume(journal);
	return done;
}
