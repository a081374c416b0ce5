/*
 * Hashes of the parts of a model, to find equal ones.  Never stored (see base/hash.h).
 *
 * Data that was left in a file counts by its length only.
 */
#ifndef IR_HASH_H
#define IR_HASH_H

#include "ir/graph.h"
#include "ir/tensor.h"

uint64_t ids_hash(const uint32_t *ids, size_t count, uint64_t seed);
uint64_t tensor_type_hash(const struct tensor *t, uint64_t seed);
/* The type and the elements. */
uint64_t tensor_hash(const struct tensor *t, uint64_t seed);
/*
 * Kind and value; a tensor counts with its elements or by its type only.  The name is the
 * caller's: a name has another number in another model.
 */
uint64_t attr_hash(const struct model *m, const struct attr *a, bool elements, uint64_t seed);

#endif
