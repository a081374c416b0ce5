#include "report/printout.h"

#include <stdio.h>

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
