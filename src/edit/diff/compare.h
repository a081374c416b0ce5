/*
 * What differs between two models: a list of differences, in the order of their kinds.
 *
 * Nodes are paired by name, then by structure: equal chains of producers from the inputs,
 * equal chains of readers from the outputs, equal neighbours.  So a renamed node or tensor
 * is one difference and not two.  The order of nodes, attributes and initializers is no
 * difference; nor is the encoding of elements, nor a value_info that no inferred shape
 * depends on.
 *
 * Time is linear in the size of the models and of the weights that both have, which are
 * read in bounded memory.  Lists are cut at COMPARE_MAX per kind, texts at a few hundred
 * bytes; the counts are always complete.
 */
#ifndef EDIT_DIFF_COMPARE_H
#define EDIT_DIFF_COMPARE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/infer.h"

/*  id        name        as a heading */
#define DIFFERENCE_KINDS(KIND)                  \
	KIND(MODEL, "model", "model")           \
	KIND(SYMBOL, "symbol", "symbols")       \
	KIND(INPUT, "input", "inputs")          \
	KIND(OUTPUT, "output", "outputs")       \
	KIND(FUNCTION, "function", "functions") \
	KIND(GRAPH, "graph", "graphs")          \
	KIND(NODE, "node", "nodes")             \
	KIND(CONSTANT, "constant", "constants") \
	KIND(TENSOR, "tensor", "tensors")       \
	KIND(SHAPE, "shape", "inferred shapes")

enum difference_kind {
#define KIND(id, name, heading) DIFFERENCE_##id,
	DIFFERENCE_KINDS(KIND)
#undef KIND
	DIFFERENCE_KIND_COUNT
};

enum {
	COMPARE_MAX = 2000 /* differences kept of one kind */
};

/* Texts are raw, as in the files: escape them for display. */
struct difference {
	enum difference_kind kind;
	struct sv graph; /* its path; "" for the main graph */
	struct sv name;
	struct sv what; /* "type", "attribute axis", "input 1"; "" for the whole thing */
	bool has_before;
	bool has_after;
	struct sv before;
	struct sv after;
};

struct comparison;

struct differences {
	struct arena arena;                                  /* all texts */
	VEC(struct difference) lists[DIFFERENCE_KIND_COUNT]; /* the first COMPARE_MAX */
	uint64_t counts[DIFFERENCE_KIND_COUNT];
	uint64_t count; /* of all kinds */
};

/* What is known about the files' locations; saves reading equal bytes. */
struct compare_options {
	bool same_file;   /* offsets into the model files mean the same bytes */
	bool same_folder; /* equal names of external files mean the same file */
	bool unread;      /* elements of tensors are not compared */
};

/*
 * The pairs alone: by node and by value of the first model, the partner in the second; 0 for
 * none.  No weight is read before it is asked about.
 */
struct pairing {
	const uint32_t *nodes; /* borrowed from the comparison, as .values */
	const uint32_t *values;
	struct comparison *comparison;  /* owned */
	struct differences differences; /* of all but elements */
};

void pairing_init(struct pairing *p, const struct infer *before, const struct infer *after,
		  struct compare_options options);
/* Have two constants the same type and elements?  Both are tensors of their models. */
bool pairing_equal(struct pairing *p, uint32_t before, uint32_t after, bool *out,
		   struct err *err) MUST_USE;
void pairing_release(struct pairing *p);

void compare_models(struct differences *out, const struct infer *before, const struct infer *after,
		    struct compare_options options);
void differences_release(struct differences *d);
const char *difference_kind_name(enum difference_kind kind);
const char *difference_kind_heading(enum difference_kind kind);

#endif
