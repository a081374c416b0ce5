/*
 * What a folded scope is called, on the screen, in the outline and in pictures: "layers.1…11", and
 * beside it "×11, like .0".
 */
#ifndef LAYOUT_SCOPE_TITLE_H
#define LAYOUT_SCOPE_TITLE_H

#include "base/str.h"
#include "layout/scope/scope.h"

/* "≡ " for what stands for several alike, else "▸ ". */
const char *scope_mark(const struct scope *scope);
/* Its name, or the operator that it ends with. */
void scope_title(const struct scopes *s, uint32_t scope, struct str *out);
/* How many, and what they are like; else the number of nodes. */
void scope_title_more(const struct scopes *s, uint32_t scope, struct str *out);
/* The node whose result is the name of shape arithmetic, if it is known; 0 for none. */
uint32_t scope_title_node(const struct scopes *s, uint32_t scope);

#endif
