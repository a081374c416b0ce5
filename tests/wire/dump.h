/*
 * A model as lines of text without ids, and the difference of two such texts.
 */
#ifndef TESTS_DUMP_H
#define TESTS_DUMP_H

#include "ir/graph.h"

void dump_node(struct str *s, const struct model *m, const struct node *n);
void dump_tensor(struct str *s, const struct model *m, const struct tensor *t);
void dump_claim(struct str *s, const struct model *m, const struct claim *c);
void dump_model(struct str *s, const struct model *m);

/* The lines between the common beginning and the common end. */
void dump_difference(struct sv before, struct sv after, struct sv *out_gone, struct sv *out_new);

#endif
