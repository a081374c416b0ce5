/*
 * What other panes ask the inspector, and the parts that it is made of.
 */
#ifndef UI_PANES_INSPECTOR_H
#define UI_PANES_INSPECTOR_H

#include "ui/rows.h"
#include "ui/panes/weight.h"

/* Shows a weight, until something else is selected. */
void inspector_weight(struct screen *s, uint32_t tensor);
/* The tensor whose row is selected, and its axis; false when the row is about none. */
bool inspector_place(const struct screen *s, uint32_t *out_value, uint32_t *out_axis);

/* ---- what is told, one file each ---- */

void tell_node(struct screen *s, struct rows *r, uint32_t node);
void tell_value(struct screen *s, struct rows *r, uint32_t value);
void tell_weight(struct screen *s, struct rows *r, const struct weighing *w);
void tell_attrs(struct screen *s, struct rows *r, const struct node *n);

/* ---- for several of them ---- */

/* A label, a name, a type, and the shape: in one row, or in two. */
void tell_tensor(struct screen *s, struct rows *r, const char *label, uint32_t value);
void tell_readers(struct screen *s, struct rows *r, uint32_t value);
/* Findings at a node, or, when it is 0, about a value. */
void tell_findings(struct screen *s, struct rows *r, uint32_t node, uint32_t value);
/* The tensor of an initializer or of a Constant node; 0 for none. */
uint32_t value_constant(const struct model *m, uint32_t value);
/* A row of a number: its expression, or how people say it. */
void tell_amount(struct screen *s, struct rows *r, const char *label, struct sym amount,
		 const char *unit);

#endif
