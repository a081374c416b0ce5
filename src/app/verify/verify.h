/*
 * Running models in the user's own ONNX Runtime: does one run at these sizes, with the shapes
 * that are predicted, and does it compute what another computes?
 *
 * The plan is made here: which sizes, which inputs, which shapes are expected.  The runs are
 * made by a script (runner.py) in the user's Python, a child process with a time limit, which
 * is given the models' paths.  Nothing is written but unnamed files, and nothing is printed.
 */
#ifndef APP_VERIFY_VERIFY_H
#define APP_VERIFY_VERIFY_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "wire/wire.h"

struct document;

enum {
	VERIFY_SEED = 1,
	VERIFY_LIMIT_S = 600
};

/* The sizes that a symbol shall have. */
struct verify_sizes {
	struct sv name; /* borrowed; may be in back-quotes */
	VEC(int64_t) sizes;
};

struct verify_request {
	const struct wire *original; /* borrowed; NULL to run one model alone */
	const struct wire *model;    /* borrowed: its changed version, or the only one */
	bool has_bytes;     /* the model is in an open file; its folder is that of its name */
	int bytes;          /* borrowed: that file */
	const char *python; /* borrowed; NULL: AXED_PYTHON, or python3 of the PATH */
	const struct verify_sizes *sizes; /* borrowed; two sizes by default */
	size_t size_count;
	/*
	 * Empty, or a symbol of the changed model that counts independent items: at other sizes,
	 * the original on groups of them must give the same.
	 */
	struct sv items;
	uint64_t seed;
	double tolerance; /* of floats; 0: by their type */
	bool all;         /* check the shapes of all tensors, not of the outputs alone */
	int64_t limit_ms;
	/* Called many times a second, false stops it; may be NULL. */
	bool (*step)(void *context, const char *what, uint64_t done, uint64_t total);
	void *context; /* borrowed */
};

enum verify_kind {
	VERIFY_SAME,  /* both models, at sizes of the original */
	VERIFY_OTHER, /* the changed one, at other sizes */
	VERIFY_ITEMS, /* the same, and the original on its items */
	VERIFY_ALONE, /* the only model */
	VERIFY_KIND_COUNT
};

enum verify_verdict {
	VERIFY_UNDONE, /* the script did not get that far */
	VERIFY_EQUAL, /* numbers were compared and are equal, within the tolerance; so are shapes */
	VERIFY_RUNS,  /* the shapes are as expected */
	VERIFY_DIFFERS, /* numbers, or types */
	VERIFY_SHAPE,   /* a shape is not the one expected */
	VERIFY_FAILED,  /* it does not run */
	VERIFY_VERDICT_COUNT
};

struct verify_size {
	struct sv name; /* borrowed from the result's names */
	int64_t size;
};

/* One run.  The texts are not escaped. */
struct verify_trial {
	enum verify_kind kind;
	enum verify_verdict verdict;
	VEC(struct verify_size) sizes;
	double seconds;
	double difference;    /* EQUAL, DIFFERS: the worst */
	struct str place;     /* where it is: logits[0, 3]; empty for nowhere */
	struct str values[2]; /* there: of the original, of the changed model */
	uint64_t unequal;     /* DIFFERS: elements beyond the tolerance */
	uint64_t total;       /* elements compared */
	struct str message;   /* FAILED, SHAPE, DIFFERS without numbers: why */
};

struct verify_result {
	VEC(struct verify_trial) trials;
	VEC(struct str) notes;  /* what was not tried, and why */
	VEC(struct str) names;  /* of the symbols */
	struct str python;      /* the program */
	struct str versions[3]; /* of Python, ONNX Runtime, NumPy */
	bool two;               /* there was an original */
	const char *missing;    /* what could not be compared at all; NULL for nothing */
	bool ok;                /* every run is EQUAL or RUNS, and nothing is missing */
};

/*
 * False when nothing can be said: no Python or no ONNX Runtime, sizes that the model does not
 * have, models with different inputs.  The result is to be released in any case.
 */
bool verify_run(const struct verify_request *request, struct verify_result *out,
		struct err *err) MUST_USE;
/*
 * The document as it is now against the model of a file: its own for NULL, and then, if nothing
 * was changed, that one alone.  Sets `original`, `model` and `bytes` of the request.
 */
bool verify_document(struct verify_request *request, struct document *d, const char *original,
		     struct verify_result *out, struct err *err) MUST_USE;
void verify_result_release(struct verify_result *r);

const char *verify_kind_name(enum verify_kind kind);
const char *verify_verdict_name(enum verify_verdict verdict);
/* Is it what one hopes for? */
bool verify_is_good(enum verify_verdict verdict);

#endif
