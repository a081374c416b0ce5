/* Normalization: same shape; some also output statistics. */
#include <inttypes.h>
#include <string.h>

#include "ir/graph.h"
#include "ir/type.h"
#include "ops/elementwise.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

static void shape_of_first(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 0, 1));
}

/* ---- softmax and relatives ---- */

/* The argument is the default axis. */
void rule_along_axis(struct rule *r)
{
	uint32_t ignored;

	shape_of_first(r);
	if (rule_ranked(r, 0))
		(void)rule_axis(r, rule_attr_int(r, "axis", r->argument), r->in[0].rank, &ignored);
}

/*
 * The axis is where the input is flattened to a matrix: it may equal the rank.  Before version 11
 * the specification says nothing of negative ones; exporters write them and runtimes take them.
 */
void rule_softmax(struct rule *r)
{
	int64_t axis = rule_attr_int(r, "axis", 1), rank = r->in[0].rank;

	shape_of_first(r);
	if (rule_attr(r, "axis") && rule_ranked(r, 0) && (axis < -rank || axis > rank))
		rule_error(r, "axis %" PRId64 " is out of range for rank %" PRId64, axis, rank);
}

void rule_lrn(struct rule *r)
{
	shape_of_first(r);
	rule_check_rank(r, 0, 2, RULE_MAX_RANK);
}

void rule_mean_variance(struct rule *r)
{
	/* The default is for images; without axes, other ranks are accepted as they are. */
	const int64_t *axes;
	uint32_t count, ignored;

	shape_of_first(r);
	if (!rule_ranked(r, 0) || !rule_attr_ints(r, "axes", &axes, &count))
		return;
	for (uint32_t i = 0; i < count; i++) {
		if (!rule_axis(r, axes[i], r->in[0].rank, &ignored))
			return;
	}
}

/* ---- per channel ---- */

/* A vector with one element per channel of output 0. */
static void normalize_channels(struct rule *r, uint32_t input)
{
	if (rule_check_rank(r, input, 1, 1) && rule_ranked(r, input))
		elementwise_unify(r, 1, rule_dim(r, input, 0), "channels and their parameters");
}

static const char to_normalize[] = "an element must be there to be normalised";

static void normalize_some(struct rule *r, uint32_t first)
{
	for (uint32_t i = first; rule_ranked(r, 0) && i < r->in[0].rank; i++)
		rule_some(r, r->in[0].dims[i], to_normalize);
}

void rule_instance_norm(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 0, 3));
	if (!rule_check_rank(r, 0, 2, RULE_MAX_RANK))
		return;
	normalize_some(r, 1);
	normalize_channels(r, 1);
	normalize_channels(r, 2);
}

static void normalize_groups(struct rule *r)
{
	int64_t count = rule_attr_int(r, "num_groups", 1), size;

	if (count < 1)
		rule_error(r, "attribute num_groups is %" PRId64 ", but must be positive", count);
	else if (sym_value(r->pool, rule_dim(r, 0, 1), &size) && size % count)
		rule_error(r, "%" PRId64 " %s cannot be divided into %" PRId64 " groups", size,
			   PLURAL(size, "channel", "channels"), count);
}

void rule_group_norm(struct rule *r)
{
	rule_instance_norm(r);
	normalize_some(r, 0);
	normalize_groups(r);
}

/* Scale and bias are for groups, not for channels. */
void rule_group_norm18(struct rule *r)
{
	const struct attr *count = rule_attr(r, "num_groups");

	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 0, 3));
	rule_check_rank(r, 0, 2, RULE_MAX_RANK);
	normalize_some(r, 0);
	normalize_groups(r);
	for (uint32_t i = 1; i < 3; i++) {
		if (rule_check_rank(r, i, 1, 1) && count && count->kind == ATTR_INT)
			rule_equal(r, rule_dim(r, i, 0), rule_int(r, count->i),
				   "groups and their parameters");
	}
}

/* ---- batch normalization ---- */

enum {
	SCALE = 1,
	MEAN = 3,
	BATCH_INPUTS = 5
};

/* A vector of samples is one channel. */
static struct sym batch_channels(struct rule *r)
{
	struct sym size = rule_dim(r, 0, 1);

	if (!rule_check_rank(r, 0, 1, RULE_MAX_RANK))
		return SYM_UNKNOWN;
	if (rule_ranked(r, 0) && r->in[0].rank == 1)
		size = rule_int(r, 1);
	for (uint32_t i = SCALE; i < BATCH_INPUTS; i++) {
		if (rule_check_rank(r, i, 1, 1))
			size = elementwise_equal(r, size, rule_dim(r, i, 0),
						 "channels and their parameters");
	}
	elementwise_unify(r, 1, size, "channels and their parameters");
	return size;
}

static void batch_statistics(struct rule *r, struct sym size, int32_t elem)
{
	for (uint32_t i = 1; i < r->out_count; i++)
		RULE_OUT(r, i, elem, size);
}

/* Before version 9, spatial = 0 has parameters per position instead of per channel. */
void rule_batch_norm(struct rule *r)
{
	int32_t elem = elementwise_elem(r, 0, BATCH_INPUTS);

	rule_out_shape_of(r, 0, 0, elem);
	if (r->version >= 9 || rule_attr_int(r, "spatial", 1)) {
		batch_statistics(r, batch_channels(r), elem);
		return;
	}
	for (uint32_t i = 1; i < r->out_count; i++)
		rule_out_shape_of(r, i, SCALE, elem);
}

void rule_batch_norm14(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 0, 1));
	batch_statistics(r, batch_channels(r), elementwise_elem(r, MEAN, BATCH_INPUTS));
	if (!node_attr(r->model, r->node, "training_mode") ||
	    rule_attr_int(r, "training_mode", 1) == 0) {
		for (uint32_t i = 1; i < r->out_count; i++) {
			if (rule_wants(r, i))
				rule_error(r, "output %" PRIu32 " exists only in training", i);
		}
	}
}

/* ---- layer normalization ---- */

/* The statistics have the input's shape with 1 from the axis on. */
static void layer_statistics(struct rule *r, uint32_t axis, int32_t elem)
{
	struct sym *dims;

	if (r->out_count < 2)
		return;
	dims = rule_dims(r, r->in[0].rank);
	memcpy(dims, r->in[0].dims, axis * sizeof(*dims));
	for (uint32_t i = axis; i < r->in[0].rank; i++)
		dims[i] = rule_int(r, 1);
	for (uint32_t i = 1; i < r->out_count; i++)
		rule_out(r, i, elem, r->in[0].rank, dims);
}

/* `covers`: the parameters are broadcast to the input. */
static void normalize_layer(struct rule *r, int32_t stash, bool covers)
{
	uint32_t axis;

	for (uint32_t i = 1; i < r->out_count; i++)
		rule_out_unranked(r, i, stash);
	if (!rule_ranked(r, 0) || !rule_axis(r, rule_attr_int(r, "axis", -1), r->in[0].rank, &axis))
		return;
	normalize_some(r, axis);
	for (uint32_t i = 1; covers && i < r->in_count; i++)
		elementwise_cover_last(r, i);
	layer_statistics(r, axis, stash);
}

/* Before version 17 it is an extension of runtimes, with scale and bias of another type. */
void rule_layer_norm_mixed(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 1, 3));
	normalize_layer(r, elementwise_attr_elem(r, "stash_type", ELEM_FLOAT32), true);
}

void rule_layer_norm(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 0, 3));
	normalize_layer(r, elementwise_attr_elem(r, "stash_type", ELEM_FLOAT32), true);
}

/* The scale's type is the result's. */
void rule_rms_norm(struct rule *r)
{
	elementwise_elem(r, 0, 1);
	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 1, 2));
	normalize_layer(r, elementwise_attr_elem(r, "stash_type", ELEM_FLOAT32), true);
}

/* With or without the mean, the saved statistics have the same shape. */
void rule_ms_layer_norm(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, rule_elem(r, 1));
	normalize_layer(r, (int32_t)rule_attr_int(r, "stash_type", ELEM_FLOAT32), false);
}

/* ---- dropout ---- */

/* The mask has the input's type before version 10, and bool since then. */
void rule_dropout(struct rule *r)
{
	shape_of_first(r);
	rule_out_shape_of(r, 1, 0, rule_elem_argument(r));
	rule_check_rank(r, 1, 0, 0);
	rule_check_rank(r, 2, 0, 0);
}

/* ---- order ---- */

void rule_trilu(struct rule *r)
{
	shape_of_first(r);
	rule_check_rank(r, 0, 2, RULE_MAX_RANK);
	rule_check_rank(r, 1, 0, 1);
}

void rule_reverse_sequence(struct rule *r)
{
	int64_t batch = rule_attr_int(r, "batch_axis", 1), time = rule_attr_int(r, "time_axis", 0);

	shape_of_first(r);
	if (batch < 0 || batch > 1 || time < 0 || time > 1 || batch == time) {
		rule_error(r, "batch_axis and time_axis must be 0 and 1 or 1 and 0");
		return;
	}
	if (!rule_check_rank(r, 0, 2, RULE_MAX_RANK) || !rule_check_rank(r, 1, 1, 1))
		return;
	rule_some(r, rule_dim(r, 0, (uint32_t)time), "at least one step is needed");
	elementwise_unify(r, (uint32_t)batch, rule_dim(r, 1, 0), "sequences and their lengths");
}
