/*
 * The model as one JSON document: what `export` to .json writes.
 */
#include "app/cli_export.h"
#include "app/offers.h"
#include "export/json/graph.h"

/* Nothing is folded in JSON: what is near is counted node by node. */
static bool choose_part(struct part *out, const struct infer *in, const struct wish *w,
			struct err *err)
{
	struct sheet_request request = w->sheet;
	struct sheet sheet;

	if (!request.scope.len && !request.focus.len)
		return true;
	request.whole = true;
	if (!sheet_make(&sheet, in, &request, err))
		return false;
	part_make(out, in->model, &sheet.view);
	sheet_release(&sheet);
	return true;
}

bool export_json(struct document *d, const struct wish *w, FILE *out, struct err *err)
{
	struct graph_json g = {
		.in = &d->infer, .path = str_sv(&d->wire.path), .bytes = d->wire.file.size};
	struct offers offers = {0};

	if (!choose_part(&g.part, g.in, w, err))
		return false;
	offers_find(&offers, d);
	g.repairs = offers.lines.at;
	g.repair_count = offers.lines.len;
	graph_json_write(out, &g);
	offers_release(&offers);
	part_release(&g.part);
	return true;
}
