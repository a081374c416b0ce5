/*
 * Snippets for servers: trtexec's flags and Triton's config.pbtxt.
 */
#include <inttypes.h>
#include <string.h>

#include "base/sv.h"
#include "base/utf8.h"
#include "export/quote.h"
#include "export/snippet/internal.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "sym/text.h"

/* ---- tensorrt ---- */

static const struct {
	const char *flag, *placeholder;
} trt_bounds[BOUND_COUNT] = {
	[BOUND_MIN] = {"--minShapes=", "@MIN_"},
	[BOUND_BEST] = {"--optShapes=", "@OPT_"},
	[BOUND_MAX] = {"--maxShapes=", "@MAX_"},
};

/* A size, or @MIN_batch@ for the user to fill in. */
static void add_trt_dim(struct snippet *s, struct sym dim, enum snippet_bound bound,
			struct str *flag)
{
	const struct snippet_symbol *symbol = dim_symbol(s, dim);
	int64_t size, other;
	/* A size that shrinks as a symbol grows has its minimum at the symbol's maximum. */
	static const enum snippet_bound opposite[BOUND_COUNT] = {BOUND_MAX, BOUND_BEST, BOUND_MIN};
	struct str text = {0};

	if (dim_size(s, dim, bound, &size)) {
		if (bound != BOUND_BEST && dim_size(s, dim, opposite[bound], &other))
			size = bound == BOUND_MIN ? MIN(size, other) : MAX(size, other);
		str_format(flag, "%" PRId64, size);
		return;
	}
	str_text(flag, trt_bounds[bound].placeholder);
	if (symbol) {
		str_add(flag, symbol->identifier);
	} else {
		sym_print(&s->in->pool, dim, &text);
		quote_identifier(flag, str_sv(&text));
	}
	str_char(flag, '@');
	str_release(&text);
}

/* trtexec needs single quotes around names with : or , and cannot escape a quote. */
static bool add_trt_name(struct str *flag, struct sv name)
{
	bool quotes = false;

	for (size_t i = 0; i < name.len; i++) {
		if (name.at[i] == '\'' || name.at[i] == '\0')
			return false;
		quotes = quotes || strchr(":, ", name.at[i]);
	}
	str_text(flag, quotes ? "'" : "");
	str_add(flag, name);
	str_text(flag, quotes ? "'" : "");
	return name.len > 0;
}

static void add_trt_flag(struct snippet *s, enum snippet_bound bound)
{
	struct str flag = {0};
	const char *comma = "";

	str_text(&flag, trt_bounds[bound].flag);
	for (size_t i = 0; i < s->inputs.len; i++) {
		const struct snippet_port *port = &s->inputs.at[i];
		struct str name = {0};

		if (port_is_dynamic(s, port) && add_trt_name(&name, port->name)) {
			str_text(&flag, comma);
			str_add(&flag, str_sv(&name));
			for (uint32_t j = 0; j < port->info->rank; j++) {
				str_char(&flag, j ? 'x' : ':');
				add_trt_dim(s, port->info->dims[j], bound, &flag);
			}
			comma = ",";
		}
		str_release(&name);
	}
	if (*comma) {
		str_text(s->out, " \\\n    ");
		quote_shell(s->out, str_sv(&flag));
	}
	str_release(&flag);
}

void write_tensorrt(struct snippet *s)
{
	struct str file = {0};

	if (note_ranges(s))
		str_text(s->out, "# Replace @MIN_...@, @OPT_...@ and @MAX_...@ with sizes.\n");
	for (size_t i = 0; i < s->inputs.len; i++) {
		struct str name = {0};

		if (port_is_dynamic(s, &s->inputs.at[i]) &&
		    !add_trt_name(&name, s->inputs.at[i].name)) {
			str_text(s->out, "# trtexec does not accept the name ");
			str_add_shown(s->out, s->inputs.at[i].name);
			str_char(s->out, '\n');
		}
		str_release(&name);
	}
	if (!s->symbols.len)
		str_text(s->out, "# no input has a dynamic axis\n");
	str_text(&file, "--onnx=");
	str_add(&file, s->file);
	str_text(s->out, "trtexec ");
	quote_shell(s->out, str_sv(&file));
	for (enum snippet_bound bound = 0; bound < BOUND_COUNT; bound++)
		add_trt_flag(s, bound);
	str_char(s->out, '\n');
	str_release(&file);
}

/* ---- triton ---- */

static const char *const triton_types[ELEM_COUNT] = {
	[ELEM_FLOAT32] = "TYPE_FP32",  [ELEM_UINT8] = "TYPE_UINT8",   [ELEM_INT8] = "TYPE_INT8",
	[ELEM_UINT16] = "TYPE_UINT16", [ELEM_INT16] = "TYPE_INT16",   [ELEM_INT32] = "TYPE_INT32",
	[ELEM_INT64] = "TYPE_INT64",   [ELEM_STRING] = "TYPE_STRING", [ELEM_BOOL] = "TYPE_BOOL",
	[ELEM_FLOAT16] = "TYPE_FP16",  [ELEM_FLOAT64] = "TYPE_FP64",  [ELEM_UINT32] = "TYPE_UINT32",
	[ELEM_UINT64] = "TYPE_UINT64", [ELEM_BFLOAT16] = "TYPE_BF16",
	/* the rest is no type of Triton */
};

static const char *triton_type(const struct snippet_port *p)
{
	return p->info->elem > 0 && p->info->elem < ELEM_COUNT ? triton_types[p->info->elem] : NULL;
}

static bool starts_with(const struct snippet_ports *ports, struct sym batch)
{
	for (size_t i = 0; i < ports->len; i++) {
		if (!ports->at[i].info->rank || !sym_same(ports->at[i].info->dims[0], batch))
			return false;
	}
	return true;
}

/* The symbol that is the first dim of every input and output, or NULL. */
static const struct snippet_symbol *batch_symbol(const struct snippet *s)
{
	const struct info *first = s->inputs.len ? s->inputs.at[0].info : NULL;

	if (!first || !first->rank || !s->outputs.len || s->notes.len ||
	    !starts_with(&s->inputs, first->dims[0]) || !starts_with(&s->outputs, first->dims[0]))
		return NULL;
	return dim_symbol(s, first->dims[0]);
}

static void add_triton_port(struct snippet *s, const struct snippet_port *p, uint32_t from)
{
	const char *comma = "";

	str_text(s->out, "  {\n    name: ");
	quote_pbtxt(s->out, p->name);
	str_format(s->out, "\n    data_type: %s\n    dims: [", triton_type(p));
	for (uint32_t i = from; i < p->info->rank; i++) {
		int64_t size;

		if (!sym_value(&s->in->pool, p->info->dims[i], &size))
			size = -1;
		str_format(s->out, "%s %" PRId64, comma, size);
		comma = ",";
	}
	/* Triton has no scalars: reshape [1] to the empty shape. */
	str_text(s->out, from < p->info->rank ? " ]\n" : " 1 ]\n    reshape: { shape: [ ] }\n");
	str_text(s->out, "  }");
}

static void add_triton_ports(struct snippet *s, const char *section,
			     const struct snippet_ports *ports, uint32_t from)
{
	const char *comma = "";

	for (size_t i = 0; i < ports->len; i++) {
		if (triton_type(&ports->at[i]))
			continue;
		str_text(s->out, "# ");
		str_add_shown(s->out, ports->at[i].name);
		str_text(s->out, " is left out: Triton has no such element type\n");
	}
	str_format(s->out, "%s [\n", section);
	for (size_t i = 0; i < ports->len; i++) {
		if (!triton_type(&ports->at[i]))
			continue;
		str_text(s->out, comma);
		add_triton_port(s, &ports->at[i], from);
		comma = ",\n";
	}
	str_text(s->out, "\n]\n");
}

/* The file name without directory and extension. */
static struct sv bare_name(struct sv file)
{
	file = sv_after_last(file, '/');
	if (sv_ends(file, SV(".onnx")))
		file.len -= sizeof(".onnx") - 1;
	return file;
}

void write_triton(struct snippet *s)
{
	const struct snippet_symbol *batch = batch_symbol(s);

	str_text(s->out, "name: ");
	quote_pbtxt(s->out, bare_name(s->file));
	str_text(s->out, "\nplatform: \"onnxruntime_onnx\"\n");
	if (batch && batch->ranged) {
		str_format(s->out, "max_batch_size: %" PRId64 "\n", batch->range.max);
	} else if (batch) {
		str_text(s->out, "max_batch_size: 1  # placeholder: set it with --range ");
		str_add_shown(s->out, batch->name);
		str_text(s->out, "=MIN,OPT,MAX\n");
	} else {
		str_text(s->out, "max_batch_size: 0\n");
	}
	add_triton_ports(s, "input", &s->inputs, batch != NULL);
	add_triton_ports(s, "output", &s->outputs, batch != NULL);
}
