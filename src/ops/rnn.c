/*
 * RNN, GRU and LSTM.
 *
 * X is [seq, batch, input], Y [seq, dirs, batch, hidden], states are [dirs, batch, hidden];
 * with layout 1 (since 14) batch comes first everywhere.  Weights of all gates are stacked:
 * W is [dirs, gates*hidden, input], R is [dirs, gates*hidden, hidden].
 */
#include <inttypes.h>

#include "base/sv.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum input {
	X,
	W,
	R,
	B,
	SEQUENCE_LENS,
	INITIAL_H,
	INITIAL_C,
	P
};

enum {
	LAYOUT_SINCE = 14
};

struct rnn {
	int64_t gates;
	bool batch_first;
	struct sym seq, batch, dirs, hidden;
};

static bool read_direction(struct rule *r, struct rnn *n)
{
	enum {
		FORWARD,
		REVERSE,
		BIDIRECTIONAL
	};
	uint32_t way = FORWARD;

	/* The standard misspelled the default of the first GRU. */
	if (!sv_is(rule_attr_text(r, "direction"), "foward") &&
	    !RULE_CHOICE(r, "direction", &way, "forward", "reverse", "bidirectional"))
		return false;
	n->dirs = rule_int(r, way == BIDIRECTIONAL ? 2 : 1);
	return true;
}

/* As rule_equal, for a size of an initial state. */
static struct sym state_equal(struct rule *r, struct sym size, struct sym of_state, const char *why)
{
	r->of_state = true;
	size = rule_equal(r, size, of_state, why);
	r->of_state = false;
	return size;
}

/* From the attribute, R's last axis and the states. */
static void read_hidden(struct rule *r, struct rnn *n)
{
	struct sym stacked;
	int64_t hidden;

	if (rule_attr(r, "hidden_size") && rule_attr_positive(r, "hidden_size", 0, &hidden))
		n->hidden = rule_int(r, hidden);
	n->hidden = rule_equal(r, n->hidden, rule_dim(r, R, 2), "hidden_size and R");
	n->hidden = state_equal(r, n->hidden, rule_dim(r, INITIAL_H, 2),
				"hidden_size and initial_h");
	n->hidden = state_equal(r, n->hidden, rule_dim(r, INITIAL_C, 2),
				"hidden_size and initial_c");
	if (sym_is_unknown(n->hidden) &&
	    !sym_divide(r->pool, rule_dim(r, W, 1), rule_int(r, n->gates), &n->hidden))
		n->hidden = SYM_UNKNOWN;
	stacked = sym_mul_int(r->pool, n->hidden, n->gates);
	rule_equal(r, stacked, rule_dim(r, W, 1), "hidden_size and W");
	rule_equal(r, stacked, rule_dim(r, R, 1), "hidden_size and R");
	rule_equal(r, sym_mul_int(r->pool, stacked, 2), rule_dim(r, B, 1), "hidden_size and B");
	rule_equal(r, sym_mul_int(r->pool, n->hidden, 3), rule_dim(r, P, 1), "hidden_size and P");
}

static void rnn_read_sizes(struct rule *r, struct rnn *n)
{
	uint32_t state_batch = n->batch_first ? 0 : 1;
	static const uint32_t directed[] = {W, R, B, P};

	n->seq = rule_dim(r, X, n->batch_first ? 1 : 0);
	n->batch = rule_dim(r, X, n->batch_first ? 0 : 1);
	n->batch = rule_equal(r, n->batch, rule_dim(r, SEQUENCE_LENS, 0),
			      "batch and sequence_lens");
	for (uint32_t i = INITIAL_H; i <= INITIAL_C; i++) {
		n->batch = state_equal(r, n->batch, rule_dim(r, i, state_batch),
				       "batch and initial state");
		n->dirs = state_equal(r, n->dirs, rule_dim(r, i, 1 - state_batch),
				      "directions and initial state");
	}
	for (uint32_t i = 0; i < ARRAY_LEN(directed); i++)
		n->dirs = rule_equal(r, n->dirs, rule_dim(r, directed[i], 0),
				     "directions and weights");
	rule_equal(r, rule_dim(r, X, 2), rule_dim(r, W, 2), "input size and W");
	/* What ONNX Runtime's kernels survive: a plain RNN takes anything, an LSTM no steps. */
	if (n->gates != RNN_PLAIN)
		rule_some(r, n->batch, "at least one item is needed");
	if (n->gates == RNN_GRU)
		rule_some(r, n->seq, "at least one step is needed");
	read_hidden(r, n);
}

static void rnn_outputs(struct rule *r, const struct rnn *n)
{
	int32_t elem = rule_elem(r, X);

	if (n->batch_first)
		RULE_OUT(r, 0, elem, n->batch, n->seq, n->dirs, n->hidden);
	else
		RULE_OUT(r, 0, elem, n->seq, n->dirs, n->batch, n->hidden);
	for (uint32_t i = 1; i <= (n->gates == RNN_LSTM ? 2 : 1); i++) {
		if (n->batch_first)
			RULE_OUT(r, i, elem, n->batch, n->dirs, n->hidden);
		else
			RULE_OUT(r, i, elem, n->dirs, n->batch, n->hidden);
	}
}

void rule_rnn(struct rule *r)
{
	int64_t layout = r->version >= LAYOUT_SINCE ? rule_attr_int(r, "layout", 0) : 0;
	struct rnn n = {.gates = r->argument, .batch_first = layout == 1};

	if (layout != 0 && layout != 1)
		rule_error(r, "layout is %" PRId64 ", but must be 0 or 1", layout);
	else if (read_direction(r, &n) && RULE_CHECK_RANKS(r, 3, 3, 3, 2, 1, 3, 3, 2))
		rnn_read_sizes(r, &n);
	rnn_outputs(r, &n);
}
