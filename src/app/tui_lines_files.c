/*
 * Lines that report on the document: differences from the file, runs in ONNX Runtime, settings for
 * other tools.
 * Shown as a page on the screen, printed to standard output in a script.
 */
#include <inttypes.h>
#include <stdio.h>

#include "app/cli_verify.h"
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "app/verify/verify.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "edit/diff/compare.h"
#include "edit/document.h"
#include "export/snippet/snippet.h"
#include "infer/infer.h"
#include "report/difference.h"
#include "report/record.h"
#include "ui/panes/problems.h"
#include "ui/screen.h"

static void show_page(struct session *s, const char *title, struct sv of, const struct str *text)
{
	if (s->out) {
		fwrite(str_c(text), 1, text->len, s->out);
		return;
	}
	str_clear(&s->screen.page_title);
	str_format(&s->screen.page_title, "%s %.*s", title, (int)MIN(of.len, 200), of.at);
	str_clear(&s->screen.page);
	str_add(&s->screen.page, str_sv(text));
	screen_overlay(&s->screen, OVERLAY_PAGE);
}

static void lines_files_add_row(struct str *out, const struct record *r)
{
	for (uint32_t column = 0; column < DIFFERENCE_COLUMN_COUNT; column++) {
		size_t before = out->len;

		record_print_column(r, column, out);
		/* One space after the mark, two between the columns that are not empty. */
		if (out->len > before)
			str_text(out, column == DIFFERENCE_MARK    ? " "
				      : column == DIFFERENCE_SIDES ? ""
								   : "  ");
	}
	str_char(out, '\n');
}

static void add_differences(struct str *out, const struct differences *d)
{
	struct record r = {0};

	for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++) {
		if (d->counts[kind] == 0)
			continue;
		str_format(out, "%s\n", difference_kind_heading((enum difference_kind)kind));
		for (size_t i = 0; i < d->lists[kind].len; i++) {
			difference_record(&r, &d->lists[kind].at[i]);
			lines_files_add_row(out, &r);
		}
		if (d->counts[kind] > d->lists[kind].len)
			str_format(out, "and %" PRIu64 " more\n",
				   d->counts[kind] - d->lists[kind].len);
	}
	if (d->count == 0)
		str_text(out, "no differences from the file\n");
	record_release(&r);
}

/* Opens the file again: it may have changed on disk. */
bool line_diff(const struct call *c)
{
	struct session *s = c->session;
	const char *path = c->count > 1 ? c->words[1].at : str_c(&s->document.wire.path);
	struct document other;
	struct infer now;
	struct differences differences = {0};
	struct str text = {0};

	if (c->count < 2 && s->document.wire.file.piped)
		return err_set(c->err, ERR_USAGE, "the model has no file name; use diff FILE");
	if (!document_open(&other, path, c->err))
		return false;
	/* Infer afresh: the document's own inference still has names that edits removed. */
	infer_run(&now, &s->document.wire.model, (struct infer_options){0});
	compare_models(&differences, &other.infer, &now, (struct compare_options){0});
	infer_release(&now);
	add_differences(&text, &differences);
	show_page(s, "Differences from", sv_after_last(sv_of(path), '/'), &text);
	differences_release(&differences);
	document_release(&other);
	str_release(&text);
	return true;
}

/* In the pane of problems, what the repair of the selected one would make. */
bool line_verify(const struct call *c)
{
	struct session *s = c->session;
	struct verify_request request = {.seed = VERIFY_SEED,
					 .limit_ms = (int64_t)VERIFY_LIMIT_S * 1000};
	struct verify_result result = {0};
	struct str text = {0}, repair = {0};
	const char *original = c->count > 1 ? c->words[1].at : str_c(&s->document.wire.path);
	bool ok;

	if (c->count < 2 && s->screen.active == PANE_PROBLEMS)
		(void)problems_repair(&s->screen, &repair);
	ok = session_verify(s, str_sv(&repair), c->count > 1 ? original : NULL, &request, &result,
			    c->err);
	if (ok) {
		if (repair.len) {
			str_text(&text, "after ");
			str_add_shown(&text, str_sv(&repair));
			str_text(&text, ", which is only tried\n\n");
		}
		verify_print(&request, &result, &text);
		show_page(s, "Runs in ONNX Runtime, beside", sv_after_last(sv_of(original), '/'),
			  &text);
	}
	verify_result_release(&result);
	str_release(&text);
	str_release(&repair);
	return ok;
}

bool line_snippet(const struct call *c)
{
	struct session *s = c->session;
	struct snippet_request request = {.file = str_sv(&s->document.wire.path)};
	struct str text = {0}, names = {0};
	bool ok;

	snippet_target_names(&names);
	request.target = c->count > 1 ? snippet_target(c->words[1]) : SNIPPET_TARGET_COUNT;
	ok = request.target != SNIPPET_TARGET_COUNT ||
	     err_set(c->err, ERR_USAGE, "snippet needs a tool: %s", str_c(&names));
	ok = ok && snippet_make(&text, &s->document.infer, &request, c->err);
	if (ok)
		show_page(s, "Settings for", c->words[1], &text);
	str_release(&text);
	str_release(&names);
	return ok;
}

bool line_export(const struct call *c)
{
	struct session *s = c->session;

	if (c->count != 2)
		return err_set(c->err, ERR_USAGE, "export needs a FILE (" FORMAT_ENDINGS ")");
	if (!session_export(s, c->words[1].at, c->kind->argument & WRITE_FORCE, c->err))
		return false;
	screen_say(&s->screen, false, "exported %.*s", (int)MIN(c->words[1].len, 300),
		   c->words[1].at);
	return true;
}
