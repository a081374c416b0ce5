/*
 * How many features the attributes of classical models imply.  Rows are of input 0; a vector is
 * one row.  The specification only implies these needs: they are what ONNX Runtime checks.
 */
#ifndef OPS_FEATURES_H
#define OPS_FEATURES_H

#include "ops/rule.h"

/* `planes` rows of coefficients: a row of features must not be longer. */
void features_check_planes(struct rule *r, int64_t planes);
/* Each feature that a node of a tree tests must exist.  `modes` tells leaves; may be NULL. */
void features_check_trees(struct rule *r, const char *modes);
/* Support vectors, `vectors` of them, or else `planes` rows of coefficients: exactly as long. */
void features_check_vectors(struct rule *r, int64_t vectors, int64_t planes);
/* One of the list's elements for each feature, or one for all. */
void features_check_each(struct rule *r, const char *list);
/* The sum of a list of integers; false when it is too long or overflows. */
bool features_sum(struct rule *r, const char *list, int64_t *out);
/* The length of a list, wherever it is; false when it is too long. */
bool features_count(struct rule *r, const char *list, int64_t *out);

#endif
