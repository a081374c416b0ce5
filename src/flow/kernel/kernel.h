/*
 * The operators that constants are folded with; shared by the files of this folder and fold.c.
 *
 * A kernel reads the arrays of the inputs and writes those of the outputs.  It returns false
 * for what it does not support and for what is ill-formed.  The inputs in the row's range
 * are there; later ones may be absent.
 */
#ifndef FLOW_KERNEL_H
#define FLOW_KERNEL_H

#include "base/arena.h"
#include "base/sv.h"
#include "flow/array.h"
#include "flow/budget.h"
#include "flow/number.h"
#include "ir/graph.h"
#include "ir/type.h"

struct kernel_call {
	struct arena *arena;   /* borrowed */
	struct budget *budget; /* borrowed */
	const struct model *model;
	const struct node *node;
	int64_t version;
	int argument;                  /* of the row */
	const struct array *const *in; /* NULL: absent */
	uint32_t in_count;
	struct array *out;
	uint32_t out_count;
};

typedef bool kernel_function(struct kernel_call *k);

struct kernel {
	const char *name;
	uint32_t min_inputs;
	uint32_t max_inputs;
	kernel_function *run; /* NULL: it is not a function of its inputs, or a size */
	int argument;
};

/* The row of a number of the table; NULL after the last. */
const struct kernel *kernel_row(uint32_t i);

/* ---- call.c ---- */

/* NULL when absent. */
const struct array *kernel_in(const struct kernel_call *k, uint32_t input);
int64_t kernel_int(const struct kernel_call *k, const char *name, int64_t otherwise);
double kernel_float(const struct kernel_call *k, const char *name, double otherwise);
struct sv kernel_text(const struct kernel_call *k, const char *name);
bool kernel_has(const struct kernel_call *k, const char *name);

/* A short list of integers. */
struct ints {
	int64_t at[2 * ARRAY_MAX_RANK];
	uint32_t count;
	bool given;
};

/* From an attribute; false when it is there but unusable. */
bool kernel_attr_ints(const struct kernel_call *k, const char *name, struct ints *out) MUST_USE;
/* From an input of rank 0 or 1. */
bool kernel_input_ints(const struct kernel_call *k, uint32_t input, struct ints *out) MUST_USE;
/* From the input, or from the attribute of older versions. */
bool kernel_either_ints(const struct kernel_call *k, const char *name, uint32_t input,
			struct ints *out) MUST_USE;
/* Makes an axis non-negative; false when it is out of range. */
bool kernel_axis(int64_t axis, uint32_t rank, uint32_t *out) MUST_USE;
/* Marks axes; false when one is out of range or there twice. */
bool kernel_axes(const struct ints *axes, uint32_t rank, bool *marks) MUST_USE;
/* The axis attribute of the node. */
bool kernel_axis_attr(const struct kernel_call *k, int64_t otherwise, uint32_t rank,
		      uint32_t *out) MUST_USE;

/* Counts steps; false when there were too many. */
bool kernel_work(struct kernel_call *k, uint64_t steps) MUST_USE;
/* A new array as output; NULL when it is too large.  dims are copied. */
unsigned char *kernel_out(struct kernel_call *k, uint32_t output, int32_t elem, const int64_t *dims,
			  uint32_t rank) MUST_USE;
/* An output that is not one of the node's: a step on the way. */
unsigned char *kernel_array(struct kernel_call *k, struct array *out, int32_t elem,
			    const int64_t *dims, uint32_t rank) MUST_USE;
/* The elements of `a` in another shape of the same count. */
bool kernel_share(struct kernel_call *k, const struct array *a, const int64_t *dims,
		  uint32_t rank) MUST_USE;

/* ---- walk.c ---- */

/* All positions of a shape in order, and where each operand is at each of them. */
struct walk {
	uint32_t rank;
	uint64_t left;
	int64_t dims[ARRAY_MAX_RANK];
	int64_t index[ARRAY_MAX_RANK];
	int64_t strides[3][ARRAY_MAX_RANK]; /* elements; 0 along a broadcast axis */
	int64_t at[3];
};

void walk_init(struct walk *w, const int64_t *dims, uint32_t rank, uint64_t count);
/* The strides of an operand that is broadcast to the shape. */
void walk_operand(struct walk *w, uint32_t operand, const struct array *a);
void walk_next(struct walk *w);
/* The dims that all arrays are broadcast to; false when they do not match. */
bool walk_broadcast(const struct array *const *arrays, uint32_t count, int64_t *dims,
		    uint32_t *rank) MUST_USE;
/* Copies the elements that operand 0 of the walk visits, in order. */
void walk_copy(struct walk *w, const struct array *from, unsigned char *to);

/* ---- elementwise ---- */

/* What an elementwise function knows beside its operands. */
struct point {
	int32_t elem;          /* of the first operand */
	enum elem_class class; /* of it */
	enum elem_class other; /* of the second operand */
	unsigned bits;
	double alpha, beta; /* attributes, where it has some */
	int64_t mode;
};

/* False: no such number, such as a division by 0. */
typedef bool point_function(const struct point *p, const union number *in, union number *out);

enum point_classes {
	POINT_FLOATS = 1 << 0,
	POINT_INTS = 1 << 1,
	POINT_BOOLS = 1 << 2,
	POINT_NUMBERS = POINT_FLOATS | POINT_INTS,
	POINT_ANY = POINT_NUMBERS | POINT_BOOLS
};

struct point_row {
	point_function *apply;
	unsigned classes;
	bool is_test;     /* the result is bool */
	const char *mode; /* an integer attribute, or a text that is compared with mode_text */
	const char *mode_text;
	const char *alpha, *beta; /* attributes and their defaults */
	double alpha_default, beta_default;
};

enum point_id {
#define POINT(id, ...) POINT_##id,
#include "flow/kernel/points.def"
	POINT_COUNT
};

#define POINT(id, function, ...) point_function function;
#include "flow/kernel/points.def"

/* Broadcasts a and b (NULL for a function of one operand). */
bool point_apply(struct kernel_call *k, enum point_id id, const struct array *a,
		 const struct array *b, struct array *out) MUST_USE;
/* May elements of this type be of these classes? */
bool point_allows(unsigned classes, int32_t elem);

/* ---- pick.c ---- */

/* Element i of the indices as a position on an axis; false when it is out of range. */
bool kernel_position(const struct array *indices, uint64_t i, int64_t size, int64_t *out) MUST_USE;
/* Walks over the indices, and with operand 0 over the data at position 0 of the axis. */
bool kernel_along(struct walk *w, const struct array *a, const struct array *indices,
		  uint32_t axis) MUST_USE;
/* Where the tuple of indices is, in an array of these dims. */
bool kernel_tuple(const struct array *indices, uint64_t tuple, uint32_t len, const int64_t *dims,
		  uint64_t *out) MUST_USE;

enum reduce_id {
	REDUCE_SUM,
	REDUCE_MEAN,
	REDUCE_PROD,
	REDUCE_MAX,
	REDUCE_MIN,
	REDUCE_L1,
	REDUCE_L2,
	REDUCE_SUM_SQUARE,
	REDUCE_LOG_SUM,
	REDUCE_LOG_SUM_EXP,
	REDUCE_COUNT
};

#define KERNEL(name, min, max, function, ...) kernel_function function;
#define VARIES(name)
#include "flow/kernel/kernels.def"

#endif
