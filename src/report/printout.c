#include "report/printout.h"

#include <stdio.h>

#include "report/fold.h"
#include "report/json.h"
#include "report/record.h"
#include "report/table.h"

void printout_begin(struct printout *p, struct sv model, const char *list)
{
	p->record.face = p->as_json ? FACE_DATA : FACE_SHOWN;
	if (!p->as_json)
		return;
	json_begin(&p->json, stdout);
	if (model.len) {
		json_key(&p->json, "model");
		json_text(&p->json, model);
	}
	json_key(&p->json, list);
	json_array(&p->json);
}

void printout_add(struct printout *p)
{
	if (p->as_json)
		record_json(&p->json, &p->record);
	else
		table_add(&p->table, &p->record);
}

void printout_rows(struct printout *p, size_t count, bool whole, printout_row *row, void *context)
{
	bool folds = !whole && !p->as_json;
	struct fold fold = {0};

	p->record.brief = folds;
	for (size_t i = 0; i < count && folds; i++) {
		row(context, &p->record, i);
		fold_add(&fold, &p->record);
	}
	fold_find(&fold);
	for (size_t i = 0; i < count; i++) {
		if (folds && !fold_says(&fold, i))
			continue;
		row(context, &p->record, i);
		if (folds)
			fold_record(&fold, i, &p->record, 0);
		printout_add(p);
	}
	fold_release(&fold);
}

static void printout_end_list(struct printout *p)
{
	if (p->as_json && !p->listed)
		json_end_array(&p->json);
	p->listed = true;
}

void printout_count(struct printout *p, const char *key, uint64_t count)
{
	if (!p->as_json)
		return;
	printout_end_list(p);
	json_key(&p->json, key);
	json_count(&p->json, count);
}

void printout_end(struct printout *p)
{
	printout_end_list(p);
	if (p->as_json) {
		json_end_object(&p->json);
		json_line(&p->json);
	} else {
		table_print(&p->table);
	}
	record_release(&p->record);
}
