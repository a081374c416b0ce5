/* Operators of ONNX Runtime whose inputs and outputs are plain patterns of sizes. */
#include "ir/type.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"

/* The element type that follows an output's pattern. */
static int32_t signature_elem(const struct rule *r, const char *end)
{
	if (*end != ':')
		return rule_elem(r, 0);
	switch (end[1]) {
	case 'i':
		return ELEM_INT32;
	case 'l':
		return ELEM_INT64;
	case 'f':
		return ELEM_FLOAT32;
	case 'b':
		return ELEM_BOOL;
	default:
		return rule_elem(r, (uint32_t)(end[1] - '0'));
	}
}

void rule_ms_signature(struct rule *r)
{
	static const char *const signatures[] = {
#define SIGNATURE(name, text) text,
#include "ops/signatures.def"
#undef SIGNATURE
	};
	const char *at = signatures[r->argument], *end;
	struct ms_sizes s = {0};

	for (uint32_t i = 0; *at != '>'; i++) {
		ms_match(r, &s, i, at);
		end = ms_pattern_end(at);
		at = *end == ',' ? end + 1 : end;
	}
	for (uint32_t i = 0; *at; i++) {
		at++;
		end = ms_pattern_end(at);
		ms_out(r, &s, i, signature_elem(r, end), at);
		at = *end == ':' ? end + 2 : end;
	}
}
