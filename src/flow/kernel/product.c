#include "base/num.h"
#include "flow/array.h"
#include "flow/kernel/kernel.h"
#include "flow/number.h"
#include "ir/type.h"

enum {
	PRODUCT_MAX = 1 << 24 /* multiplications of one node */
};

/* A matrix in an array: rows and columns are this many elements apart. */
struct matrix {
	const struct array *array;
	uint64_t at;
	int64_t rows, columns;
	int64_t row_step, column_step;
};

static union number product_cell(const struct point *p, const struct matrix *a,
				 const struct matrix *b, int64_t row, int64_t column)
{
	union number sum = {0}, both[2];

	for (int64_t i = 0; i < a->columns; i++) {
		both[0] = number_load(p->elem, a->array->bytes,
				      a->at + (uint64_t)(row * a->row_step + i * a->column_step));
		both[1] = number_load(
			p->elem, b->array->bytes,
			b->at + (uint64_t)(i * b->row_step + column * b->column_step));
		point_mul(p, both, &both[0]);
		both[1] = sum;
		point_add(p, both, &sum);
	}
	return sum;
}

static bool product_allowed(struct kernel_call *k, uint64_t cells, int64_t inner)
{
	uint64_t steps;

	return num_mul(cells, (uint64_t)MAX(inner, 1), &steps) && steps <= PRODUCT_MAX &&
	       kernel_work(k, steps);
}

/* As a matrix; a vector is a row at the left and a column at the right. */
static struct matrix product_matrix(const struct array *a, bool right)
{
	struct matrix m = {.array = a};

	if (a->rank == 1) {
		m.rows = right ? a->dims[0] : 1;
		m.columns = right ? 1 : a->dims[0];
		m.row_step = m.column_step = 1;
		return m;
	}
	m.rows = a->dims[a->rank - 2];
	m.columns = a->dims[a->rank - 1];
	m.row_step = m.columns;
	m.column_step = 1;
	return m;
}

/* The dims before the matrix. */
static struct array product_batch(const struct array *a)
{
	return (struct array){.rank = a->rank > 2 ? a->rank - 2 : 0, .dims = a->dims};
}

bool kernel_matmul(struct kernel_call *k)
{
	const struct array *x = k->in[0], *y = k->in[1];
	struct point p = {.elem = x->elem, .class = elem_info(x->elem)->class};
	struct array bx = product_batch(x), by = product_batch(y);
	int64_t dims[ARRAY_MAX_RANK + 2];
	uint32_t rank, batch_rank;
	struct matrix a, b;
	unsigned char *bytes;
	uint64_t batches, cell = 0;
	struct walk w;

	if (x->elem != y->elem || x->rank == 0 || y->rank == 0 ||
	    !point_allows(POINT_NUMBERS, x->elem) ||
	    !walk_broadcast((const struct array *const[]){&bx, &by}, 2, dims, &batch_rank) ||
	    !array_count(dims, batch_rank, &batches))
		return false;
	a = product_matrix(x, false);
	b = product_matrix(y, true);
	if (a.columns != b.rows)
		return false;
	walk_init(&w, dims, batch_rank, batches);
	walk_operand(&w, 0, &bx);
	walk_operand(&w, 1, &by);
	rank = batch_rank;
	if (x->rank > 1)
		dims[rank++] = a.rows;
	if (y->rank > 1)
		dims[rank++] = b.columns;
	bytes = kernel_out(k, 0, x->elem, dims, rank);
	if (!bytes || !product_allowed(k, k->out[0].count, a.columns))
		return false;
	for (; k->out[0].count && w.left; walk_next(&w)) {
		a.at = (uint64_t)(w.at[0] * a.rows * a.columns);
		b.at = (uint64_t)(w.at[1] * b.rows * b.columns);
		for (int64_t i = 0; i < a.rows * b.columns; i++)
			number_store(p.elem, bytes, cell++,
				     product_cell(&p, &a, &b, i / b.columns, i % b.columns));
	}
	return true;
}

static void product_transpose(struct matrix *m)
{
	*m = (struct matrix){m->array, m->at, m->columns, m->rows, m->column_step, m->row_step};
}

/* Does C broadcast to the product? */
static bool gemm_adds(const struct array *c, int32_t elem, const int64_t *dims)
{
	if (c->elem != elem || c->rank > 2)
		return false;
	for (uint32_t i = 0; i < c->rank; i++) {
		if (c->dims[i] != 1 && c->dims[i] != dims[2 - c->rank + i])
			return false;
	}
	return true;
}

bool kernel_gemm(struct kernel_call *k)
{
	const struct array *x = k->in[0], *y = k->in[1], *c = kernel_in(k, 2);
	struct point p = {.elem = x->elem, .class = elem_info(x->elem)->class};
	double alpha = kernel_float(k, "alpha", 1), beta = kernel_float(k, "beta", 1);
	struct matrix a, b;
	unsigned char *bytes;
	struct walk w;

	if (x->elem != y->elem || x->rank != 2 || y->rank != 2 ||
	    !point_allows(POINT_FLOATS, x->elem))
		return false;
	a = product_matrix(x, false);
	b = product_matrix(y, true);
	if (kernel_int(k, "transA", 0))
		product_transpose(&a);
	if (kernel_int(k, "transB", 0))
		product_transpose(&b);
	int64_t dims[2] = {a.rows, b.columns};

	if (a.columns != b.rows || (c && !gemm_adds(c, x->elem, dims)))
		return false;
	bytes = kernel_out(k, 0, x->elem, dims, 2);
	if (!bytes || !product_allowed(k, k->out[0].count, a.columns))
		return false;
	walk_init(&w, dims, 2, k->out[0].count);
	if (c)
		walk_operand(&w, 0, c);
	for (uint64_t i = 0; w.left; walk_next(&w), i++) {
		union number n = product_cell(&p, &a, &b, w.index[0], w.index[1]);

		n.f *= alpha;
		if (c)
			n.f += beta * number_load(c->elem, c->bytes, (uint64_t)w.at[0]).f;
		number_store(p.elem, bytes, i, n);
	}
	return true;
}
