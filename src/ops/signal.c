/* Spectra: the last axis is 1 for real signals, 2 for complex ones. */
#include <inttypes.h>

#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum {
	AXIS_INPUT_SINCE = 20
}; /* DFT: an attribute before */

/* The only element of an input, or unknown. */
static struct sym signal_number(struct rule *r, uint32_t input)
{
	if (!rule_check_rank(r, input, 0, 1))
		return SYM_UNKNOWN;
	if (rule_ranked(r, input) && r->in[input].rank == 1)
		rule_equal(r, rule_int(r, 1), rule_dim(r, input, 0),
			   "the input must have one element");
	return rule_single(r, input);
}

/* A number of samples, at least `min`. */
static struct sym signal_samples(struct rule *r, uint32_t input, int64_t min)
{
	struct sym n = signal_number(r, input);
	int64_t value;

	if (!sym_value(r->pool, n, &value) || value >= min)
		return n;
	rule_error(r, "input %" PRIu32 " is %" PRId64 ", but must be at least %" PRId64, input,
		   value, min);
	return SYM_UNKNOWN;
}

/* A computed length: a negative integer is an error, a symbol is assumed not to be negative. */
static struct sym clamp_at_0(struct rule *r, struct sym length)
{
	int64_t value;

	if (sym_is_unknown(length))
		return length;
	if (sym_value(r->pool, length, &value) && value < 0) {
		rule_error(r, "the signal is too short");
		return SYM_UNKNOWN;
	}
	rule_bound(r, rule_int(r, 0), length, "minimum length of the signal");
	return length;
}

/* The bins of a one-sided spectrum of a real signal of that length. */
static struct sym half_bins(struct rule *r, struct sym length)
{
	return sym_add_int(r->pool, sym_floor_div(r->pool, length, rule_int(r, 2)), 1);
}

/* ---- DFT ---- */

struct dft {
	uint32_t rank;
	bool onesided, inverse;
	bool axis_known;
	uint32_t axis;
};

/* False when it is invalid; axis_known tells whether it is known. */
static bool signal_read_axis(struct rule *r, struct dft *d)
{
	int64_t axis = r->version < AXIS_INPUT_SINCE ? rule_attr_int(r, "axis", 1) : -2;

	d->axis_known = true;
	if (r->version >= AXIS_INPUT_SINCE && rule_has(r, 2))
		d->axis_known = sym_value(r->pool, signal_number(r, 2), &axis);
	if (!d->axis_known)
		return true;
	if (!rule_axis(r, axis, d->rank, &d->axis))
		return false;
	if (d->axis == d->rank - 1)
		rule_error(r, "axis %" PRId64 " is the axis of complex parts", axis);
	return d->axis != d->rank - 1;
}

/* One-sided: real input for the forward transform, complex for the inverse. */
static bool check_parts(struct rule *r, const struct dft *d)
{
	int64_t parts;

	if (!sym_value(r->pool, rule_dim(r, 0, d->rank - 1), &parts))
		return true;
	if (parts != 1 && parts != 2) {
		rule_error(r, "the last axis has %" PRId64 " parts, but must have 1 or 2", parts);
		return false;
	}
	if (d->onesided && parts != (d->inverse ? 2 : 1)) {
		rule_error(r, d->inverse ? "a one-sided inverse needs complex input"
					 : "a one-sided spectrum needs real input");
		return false;
	}
	return true;
}

/* The size of the transformed axis. */
static struct sym dft_length(struct rule *r, const struct dft *d)
{
	struct sym in = rule_dim(r, 0, d->axis);
	bool half = d->onesided && d->inverse;

	if (rule_has(r, 1))
		in = signal_samples(r, 1, 1);
	else if (half)
		in = clamp_at_0(r, sym_mul_int(r->pool, sym_add_int(r->pool, in, -1), 2));
	return d->onesided && !d->inverse ? half_bins(r, in) : in;
}

static void dft_out(struct rule *r, const struct dft *d)
{
	struct sym *dims = rule_dims(r, d->rank);
	bool moves = d->onesided || rule_has(r, 1);

	for (uint32_t i = 0; i < d->rank; i++)
		dims[i] = d->axis_known || !moves ? rule_dim(r, 0, i) : SYM_UNKNOWN;
	if (d->axis_known)
		dims[d->axis] = dft_length(r, d);
	dims[d->rank - 1] = rule_int(r, d->onesided && d->inverse ? 1 : 2);
	rule_out(r, 0, rule_elem(r, 0), d->rank, dims);
}

void rule_dft(struct rule *r)
{
	struct dft d = {
		.onesided = rule_attr_int(r, "onesided", 0) != 0,
		.inverse = rule_attr_int(r, "inverse", 0) != 0,
	};

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 2, RULE_MAX_RANK))
		return;
	d.rank = r->in[0].rank;
	rule_out_rank(r, 0, rule_elem(r, 0), d.rank);
	if (signal_read_axis(r, &d) && check_parts(r, &d))
		dft_out(r, &d);
}

/* ---- STFT ---- */

enum stft_input {
	SIGNAL,
	FRAME_STEP,
	WINDOW,
	FRAME_LENGTH
};

/* The given length, the window's, or the whole signal's. */
static struct sym frame_length(struct rule *r)
{
	struct sym window = rule_dim(r, WINDOW, 0);

	if (rule_has(r, FRAME_LENGTH))
		return rule_equal(r, signal_samples(r, FRAME_LENGTH, 1), window,
				  "frame_length and window");
	return rule_has(r, WINDOW) ? window : rule_dim(r, SIGNAL, 1);
}

static void check_onesided(struct rule *r)
{
	if (sym_is(rule_dim(r, SIGNAL, 2), 2))
		rule_error(r, "a one-sided spectrum needs real input");
}

void rule_stft(struct rule *r)
{
	bool onesided = rule_attr_int(r, "onesided", 1) != 0;
	struct sym frame, room, step;

	rule_out_rank(r, 0, rule_elem(r, SIGNAL), 4);
	/* A real signal may lack its last axis, of size 1. */
	if (!rule_check_rank(r, SIGNAL, 2, 3) || !rule_check_rank(r, WINDOW, 1, 1))
		return;
	if (onesided)
		check_onesided(r);
	step = signal_samples(r, FRAME_STEP, 1);
	frame = frame_length(r);
	room = clamp_at_0(r, sym_sub(r->pool, rule_dim(r, SIGNAL, 1), frame));
	RULE_OUT(r, 0, rule_elem(r, SIGNAL), rule_dim(r, SIGNAL, 0),
		 sym_add_int(r->pool, sym_floor_div(r->pool, room, step), 1),
		 onesided ? half_bins(r, frame) : frame, rule_int(r, 2));
}

/* ---- generated tables ---- */

/* The element type that an attribute names, as one of the standard's numbers. */
static int32_t output_type(struct rule *r)
{
	int64_t type = rule_attr_int(r, "output_datatype", ELEM_FLOAT32);

	if (type > ELEM_UNDEFINED && type < ELEM_COUNT)
		return (int32_t)type;
	rule_error(r, "output_datatype is not an element type: %" PRId64, type);
	return ELEM_UNDEFINED;
}

void rule_signal_window(struct rule *r)
{
	struct sym size = signal_samples(r, 0, 0);

	RULE_OUT(r, 0, output_type(r), size);
}

void rule_mel_weight_matrix(struct rule *r)
{
	struct sym bins = half_bins(r, signal_samples(r, 1, 1)), mels = signal_samples(r, 0, 0);

	RULE_OUT(r, 0, output_type(r), bins, mels);
}
