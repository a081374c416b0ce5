/*
 * Pane 9: the metadata of the file.
 */
#include "base/sv.h"
#include "report/record.h"
#include "report/summary.h"
#include "ui/canvas.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	LABEL_WIDTH = 10,
	MAX_ITEMS = 500, /* of a list */
	MAX_LINES = 12   /* of a record */
};

static void metadata_tell(struct rows *r, const struct summary *summary,
			  enum summary_section section)
{
	struct record record = {.face = FACE_SHOWN};

	summary_record(&record, summary, section, 0);
	if (record_is_shown(&record)) {
		(void)rows_add(r);
		rows_format(r, STYLE_DIM, "%-*s", LABEL_WIDTH, summary_label(section));
		rows_wrap_record(r, &record, MAX_LINES);
	}
	record_release(&record);
}

/* A record with a link makes a row with one. */
static void metadata_add_row(struct rows *r, const struct record *record)
{
	struct row *row = rows_add(r);

	for (size_t i = 0; i < record->cells.len && row->link == LINK_NONE; i++) {
		row->link = record->cells.at[i].link;
		row->id = record->cells.at[i].id;
	}
	rows_put(r, STYLE_TEXT, SV("  "));
	rows_wrap_record(r, record, MAX_LINES);
}

static void metadata_list(struct rows *r, const struct summary *summary,
			  enum summary_section section)
{
	size_t count = summary_count(summary, section);
	struct record record = {.face = FACE_SHOWN};

	if (count == 0)
		return;
	rows_gap(r);
	(void)rows_add(r);
	rows_format(r, STYLE_TITLE, "%s (%zu)", summary_label(section), count);
	for (size_t i = 0; i < MIN(count, (size_t)MAX_ITEMS); i++) {
		summary_record(&record, summary, section, i);
		metadata_add_row(r, &record);
	}
	record_release(&record);
}

static void metadata_fill(struct pane *p, struct rows *r)
{
	static const enum summary_section lines[] = {
		SUMMARY_FILE,    SUMMARY_FORMAT,  SUMMARY_PRODUCER,
		SUMMARY_DOMAIN,  SUMMARY_VERSION, SUMMARY_GRAPH,
		SUMMARY_WEIGHTS, SUMMARY_DOC,     SUMMARY_GRAPH_DOC,
	};
	static const enum summary_section lists[] = {
		SUMMARY_METADATA,
		SUMMARY_GRAPH_METADATA,
		SUMMARY_FUNCTIONS,
	};
	const struct subject *subject = &p->screen->subject;
	struct summary summary = {.model = subject->model,
				  .path = subject->path,
				  .bytes = subject->bytes,
				  .longest = SIZE_MAX};

	summary_init(&summary);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		metadata_tell(r, &summary, lines[i]);
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		metadata_list(r, &summary, lists[i]);
	summary_release(&summary);
	rows_trim(r);
}

const struct pane_kind metadata_pane = {
	.title = "Metadata",
	.hint = "j/k move  Enter open a function  Esc back",
	.fill = metadata_fill,
};
