/*
 * One dynamic model from exports of one program at different sizes.
 *
 * The first export is the base.  Nodes are paired as a comparison pairs them, and the graphs must
 * be the same.  Input axes whose sizes differ become symbols.  A number that is the same in all
 * exports is a number of the program; one that differs must have one explanation as an expression
 * of the sizes, with the right value in every export, else the fit is refused and nothing is
 * changed.  The result is checked by inference: at the sizes of each export it has that export's
 * shapes, and no node pins a symbol.
 */
#ifndef EDIT_FIT_FIT_H
#define EDIT_FIT_FIT_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/document.h"
#include "wire/wire.h"

enum {
	FIT_MAX_EXPORTS = 8
};

/* An input axis whose size differs. */
struct fit_axis {
	struct str axis; /* input:0 */
	struct str name; /* its symbol, or an expression of symbols */
	int64_t sizes[FIT_MAX_EXPORTS];
};

/* A constant that differs, and what it became. */
struct fit_number {
	struct str place;  /* Reshape /fold, input 1 */
	struct str before; /* [3, 8], [4, 8] */
	struct str after;  /* [batch, 8] */
};

struct fit_report {
	uint32_t exports;
	VEC(struct fit_axis) axes;
	VEC(struct fit_number) numbers;
	VEC(struct str) bounds; /* conditions on the sizes: seq <= 11 */
	/*
	 * Conditions that hold in all exports; where they do not, the program may do something
	 * else, which no export shows: it may pad.
	 */
	VEC(struct str) assumes;
	VEC(struct str) reasons; /* why it is refused; none when it was fitted */
	size_t more;             /* reasons that are not listed */
};

struct fit_options {
	bool (*progress)(void *context, size_t done); /* may be NULL; false stops */
	void *context;                                /* borrowed */
	const struct sv *names;                       /* borrowed: input:0=batch */
	size_t name_count;
};

/*
 * `others` are the other exports, one at least.  All changes are one action.  A refusal is no
 * error, but in the report.  Fails when a name is not understood, or when stopped.
 */
bool document_fit(struct document *d, struct wire *const *others, size_t count,
		  const struct fit_options *options, struct fit_report *out,
		  struct err *err) MUST_USE;
void fit_report_release(struct fit_report *r);

#endif
