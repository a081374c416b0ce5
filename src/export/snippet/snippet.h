/*
 * The code or flags that other tools need for a model's dynamic axes.
 *
 * Inputs with an initializer have a default and are left out.  Whatever a tool cannot express
 * (a sequence, an unknown rank, a size without a range) becomes a comment or a placeholder,
 * never a guess.
 */
#ifndef EXPORT_SNIPPET_SNIPPET_H
#define EXPORT_SNIPPET_SNIPPET_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "infer/infer.h"

/*  id        name           the function that writes it */
#define SNIPPET_TARGETS(TARGET)                      \
	TARGET(TORCH, "torch", write_torch)          \
	TARGET(ORT, "onnxruntime", write_ort)        \
	TARGET(TENSORRT, "tensorrt", write_tensorrt) \
	TARGET(TRITON, "triton", write_triton)       \
	TARGET(OPENVINO, "openvino", write_openvino)

enum snippet_target {
#define TARGET(id, name, write) SNIPPET_##id,
	SNIPPET_TARGETS(TARGET)
#undef TARGET
	SNIPPET_TARGET_COUNT
};

/* The possible sizes of a symbol. */
struct snippet_range {
	struct sv name; /* borrowed */
	int64_t min;
	int64_t best;
	int64_t max;
};

struct snippet_request {
	enum snippet_target target;
	struct sv file;                     /* borrowed; the model's path, for the result */
	const struct snippet_range *ranges; /* borrowed; the last range of a name wins */
	size_t range_count;
};

/* SNIPPET_TARGET_COUNT when the name is unknown. */
enum snippet_target snippet_target(struct sv name);
/* "torch, onnxruntime, ..." */
/* The one that is meant by a mistyped or shortened name; empty when none is close. */
struct sv snippet_target_nearest(struct sv name);
void snippet_target_names(struct str *s);
/* Fails when a range names an unknown symbol. */
bool snippet_make(struct str *out, const struct infer *in, const struct snippet_request *request,
		  struct err *err) MUST_USE;

#endif
