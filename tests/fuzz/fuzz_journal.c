/*
 * The input is a journal left by an earlier run; each @ is replaced by the size, time and hash
 * of the model.  Whatever it says, the model opens; the steps that can be applied are applied
 * and kept: opened again, they are found, none of them fails, and the model is the same.
 * Once discarded, they are gone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bug.h"
#include "base/digest.h"
#include "base/os.h"
#include "edit/document.h"
#include "edit/journal/journal.h"
#include "edit/line.h"
#include "edit/journal/recovery.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/models.h"
#include "tests/fuzz/plain.h"
#include "tests/fuzz/target.h"
#include "tests/wire/scratch.h"

static struct {
	struct str model; /* path */
	struct str journal;
	struct str stamp; /* the model's size, time and hash */
} setup;

static void open_document(struct document *d)
{
	struct err err;

	BUG_ON(!document_open(d, str_c(&setup.model), &err));
	if (!journal_open(&d->journal, &d->wire, &err)) {
		fprintf(stderr, "%s\n", err.text);
		BUG_ON(true);
	}
}

/* The folder of journals has only ours. */
static void find_journal(struct str *out)
{
	struct sv model = {str_c(&setup.model), setup.model.len};
	char *full = realpath(model.at, NULL);

	BUG_ON(!full);
	str_format(out, "%s/state/axed/%016llx.journal", scratch_folder(),
		   (unsigned long long)digest_bytes(sv_of(full), 0x61786564));
	free(full);
}

/* Takes it from a journal that we write. */
static void learn_stamp(void)
{
	struct str text = {0};
	struct sv rest, line;
	struct document d;
	struct err err;

	open_document(&d);
	BUG_ON(!document_run(&d, SV("set B=N"), &err));
	BUG_ON(!read_whole(str_c(&setup.journal), &text));
	rest = str_sv(&text);
	while (text_line(&rest, &line)) {
		if (sv_starts(line, SV("base ")))
			str_add(&setup.stamp, sv_skip(line, 5));
	}
	BUG_ON(setup.stamp.len == 0);
	journal_discard(d.journal);
	document_release(&d);
	str_release(&text);
}

static void release_setup(void)
{
	str_release(&setup.model);
	str_release(&setup.journal);
	str_release(&setup.stamp);
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
	struct sv model = {(const char *)small_model, small_model_size};

	(void)count;
	(void)words;
	scratch_in_memory();
	BUG_ON(atexit(release_setup) != 0);
	str_text(&setup.model, scratch_path(0, "model.onnx"));
	BUG_ON(!write_whole(str_c(&setup.model), model));
	BUG_ON(setenv("XDG_STATE_HOME", scratch_path(0, "state"), 1) != 0);
	find_journal(&setup.journal);
	learn_stamp();
	return 0;
}

static void leave_journal(struct sv input)
{
	struct str text = {0};

	for (size_t i = 0; i < input.len; i++) {
		if (input.at[i] == '@')
			str_add(&text, str_sv(&setup.stamp));
		else
			str_char(&text, input.at[i]);
	}
	BUG_ON(!write_whole(str_c(&setup.journal), str_sv(&text)));
	str_release(&text);
}

static size_t count_lines(struct sv text)
{
	struct sv line;
	size_t count = 0;

	while (text_line(&text, &line))
		count++;
	return count;
}

/* What a save would write after the steps; returns their number. */
static size_t recover(struct str *out_bytes, struct str *report)
{
	struct sv source = {(const char *)small_model, small_model_size};
	struct document d;
	size_t left;

	open_document(&d);
	left = journal_left(d.journal)->count;
	BUG_ON(document_recover(&d, report) > left);
	BUG_ON(journal_left(d.journal)->kind != JOURNAL_NOTHING || journal_just_failed(d.journal));
	edits_saved(&d, source, out_bytes);
	document_release(&d);
	return left;
}

/* After a discard, the next run finds nothing. */
static void check_discarded(void)
{
	struct document d;
	struct stat st;

	open_document(&d);
	journal_discard(d.journal);
	document_release(&d);
	BUG_ON(stat(str_c(&setup.journal), &st) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv input = {(const char *)data, size};
	struct str first = {0}, second = {0}, failed = {0}, again = {0};
	size_t left, kept;

	leave_journal(input);
	left = recover(&first, &failed);
	BUG_ON(left > count_lines(input));
	kept = recover(&second, &again);
	/* Steps without a total effect are not kept; others fail as they failed before. */
	BUG_ON(kept > left || (kept && !sv_eq(str_sv(&failed), str_sv(&again))));
	BUG_ON(!sv_eq(str_sv(&first), str_sv(&second)));
	check_discarded();
	str_release(&first);
	str_release(&second);
	str_release(&failed);
	str_release(&again);
	return 0;
}
