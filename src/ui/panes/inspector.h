/*
 * The inspector's interface for other panes, and its parts.
 */
#ifndef UI_PANES_INSPECTOR_H
#define UI_PANES_INSPECTOR_H

#include "base/str.h"
#include "layout/scope/scope.h"
#include "report/cost.h"
#include "report/record.h"
#include "sym/sym.h"
#include "ui/panes/weight.h"
#include "ui/rows.h"
#include "ui/screen.h"

/* Shows a weight, until something else is selected. */
void inspector_weight(struct screen *s, uint32_t tensor);
/* The value that has it as an initializer, here or in an outer graph; 0 for none. */
uint32_t inspector_tensor_value(const struct screen *s);

/* Appends what is known of all of its values: "; min -1.2, max 3.4, mean 0.1". */
void inspector_statistics(const struct screen *s, struct str *out);

/* ---- parts, one file each ---- */

void tell_node(struct screen *s, struct rows *r, uint32_t node);
void tell_fold(struct screen *s, struct rows *r, const struct scopes *scopes, uint32_t scope);
void tell_value(struct screen *s, struct rows *r, uint32_t value);
void tell_weight(struct screen *s, struct rows *r, const struct weighing *w);

/* ---- shared by the parts ---- */

/* Label, name, type and shape of a tensor, in one row or two; as node's, or anybody's. */
void tell_port(struct screen *s, struct rows *r, const char *label, uint32_t value, uint32_t node);
/* The title of a section, after a gap. */
void tell_title(struct rows *r, const char *title, const char *right);
/* A column of a record in a row with a label, or indented; none if it is empty. */
void tell_line(struct rows *r, const char *label, const struct record *from, uint32_t column,
	       int max);
void tell_below(struct rows *r, int indent, const struct record *from, uint32_t column, int max);
void tell_readers(struct screen *s, struct rows *r, uint32_t value);
/* Findings at a node; if 0, about a value. */
void tell_findings(struct screen *s, struct rows *r, uint32_t node, uint32_t value);
/* Nothing if it is unknown. */
void tell_amount(struct screen *s, struct rows *r, const char *label, struct sym amount,
		 enum cost_unit unit);

#endif
