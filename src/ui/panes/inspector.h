/*
 * The inspector's interface for other panes, and its parts.
 */
#ifndef UI_PANES_INSPECTOR_H
#define UI_PANES_INSPECTOR_H

#include "ir/graph.h"
#include "sym/sym.h"
#include "ui/panes/weight.h"
#include "ui/rows.h"
#include "ui/screen.h"

/* Shows a weight, until something else is selected. */
void inspector_weight(struct screen *s, uint32_t tensor);
/* The tensor of the selected row, and its axis; false if it has none. */
bool inspector_place(const struct screen *s, uint32_t *out_value, uint32_t *out_axis);

/* ---- parts, one file each ---- */

void tell_node(struct screen *s, struct rows *r, uint32_t node);
void tell_value(struct screen *s, struct rows *r, uint32_t value);
void tell_weight(struct screen *s, struct rows *r, const struct weighing *w);
void tell_attrs(struct screen *s, struct rows *r, const struct node *n);

/* ---- shared by the parts ---- */

/* Label, name, type and shape, in one row or two. */
void tell_tensor(struct screen *s, struct rows *r, const char *label, uint32_t value);
void tell_readers(struct screen *s, struct rows *r, uint32_t value);
/* Findings at a node; if 0, about a value. */
void tell_findings(struct screen *s, struct rows *r, uint32_t node, uint32_t value);
/* The tensor of an initializer or of a Constant node; 0 for none. */
uint32_t value_constant(const struct model *m, uint32_t value);
/* A number: its expression, or a short form such as 1.2 G. */
void tell_amount(struct screen *s, struct rows *r, const char *label, struct sym amount,
		 const char *unit);

#endif
