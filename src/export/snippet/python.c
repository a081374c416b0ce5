/*
 * Snippets in Python: torch, onnxruntime, openvino.
 */
#include <inttypes.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "export/quote.h"
#include "export/snippet/internal.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "sym/sym.h"
#include "sym/text.h"

static void python_add_names(struct snippet *s, const char *variable,
			     const struct snippet_ports *ports)
{
	str_format(s->out, "%s = [", variable);
	for (size_t i = 0; i < ports->len; i++) {
		str_text(s->out, i ? ", " : "");
		quote_python(s->out, ports->at[i].name);
	}
	str_text(s->out, "]\n");
}

static void add_file(struct snippet *s)
{
	quote_python(s->out, s->file);
}

/* The ranges fix it to one size. */
static bool is_settled(struct snippet *s, struct sym dim, int64_t *out)
{
	int64_t max;

	return dim_size(s, dim, BOUND_MIN, out) && dim_size(s, dim, BOUND_MAX, &max) && *out == max;
}

/* ---- torch ---- */

static void add_dim_objects(struct snippet *s)
{
	for (size_t i = 0; i < s->symbols.len; i++) {
		const struct snippet_symbol *symbol = &s->symbols.at[i];

		if (symbol->ranged && symbol->range.min == symbol->range.max)
			continue; /* torch rejects a Dim with one size */
		str_add(s->out, symbol->identifier);
		str_text(s->out, " = torch.export.Dim(\"");
		str_add(s->out, symbol->identifier);
		str_char(s->out, '"');
		if (symbol->ranged)
			str_format(s->out, ", min=%" PRId64 ", max=%" PRId64, symbol->range.min,
				   symbol->range.max);
		str_text(s->out, ")\n");
	}
}

/* A Dim, or 2*dim + 1 of one; torch knows no other arithmetic. */
static void add_torch_dim(struct snippet *s, struct sym dim)
{
	const struct sym_pool *p = &s->in->pool;
	const uint32_t *place;
	int64_t times, plus, size;
	uint32_t id;

	if (is_settled(s, dim, &size)) {
		str_format(s->out, "%" PRId64, size);
		return;
	}
	place = sym_is_linear(p, dim, &id, &times, &plus) ? map_find(&s->places, id) : NULL;
	if (!place || times <= 0) {
		str_text(s->out, "torch.export.Dim.DYNAMIC");
		return;
	}
	if (times != 1)
		str_format(s->out, "%" PRId64 "*", times);
	str_add(s->out, s->symbols.at[*place - 1].identifier);
	if (plus)
		str_format(s->out, plus < 0 ? " - %" PRIu64 : " + %" PRIu64,
			   plus < 0 ? -(uint64_t)plus : (uint64_t)plus);
}

static void add_dynamic_shapes(struct snippet *s)
{
	str_text(s->out, "dynamic_shapes = {\n");
	for (size_t i = 0; i < s->inputs.len; i++) {
		const struct snippet_port *port = &s->inputs.at[i];
		const char *comma = "";

		str_text(s->out, "    ");
		quote_python(s->out, port->name);
		str_text(s->out, ": {");
		for (uint32_t j = 0; j < port->info->rank; j++) {
			int64_t ignored;

			if (sym_value(&s->in->pool, port->info->dims[j], &ignored))
				continue;
			str_format(s->out, "%s%" PRIu32 ": ", comma, j);
			add_torch_dim(s, port->info->dims[j]);
			comma = ", ";
		}
		str_text(s->out, "},\n");
	}
	str_text(s->out, "}\n");
}

/* The name of an axis: what was inferred, else what the file calls it, else output_0. */
static void add_axis_name(struct snippet *s, const struct snippet_port *p, uint32_t axis)
{
	const struct model *m = s->in->model;
	const struct type *declared = &m->claims.at[p->claim].type;
	bool named = declared->has_shape && axis < declared->rank &&
		     declared->dims[axis].kind == DIM_PARAM && declared->dims[axis].param;
	struct sym dim = p->info->dims[axis];
	const struct snippet_symbol *symbol = dim_symbol(s, dim);
	struct str text = {0};
	uint32_t id;
	bool anonymous = sym_is_unknown(dim) ||
			 (sym_symbol_id(&s->in->pool, dim, &id) && !sym_name(&s->in->pool, id).len);

	if (anonymous && named) {
		str_add(&text, model_name(m, declared->dims[axis].param));
	} else if (anonymous) {
		str_add(&text, p->name);
		str_format(&text, "_%" PRIu32, axis);
	} else if (symbol && !intern_find(&m->names, symbol->name)) {
		str_add(&text, symbol->identifier); /* input:0 is our name for what has none */
	} else {
		sym_print(&s->in->pool, dim, &text);
	}
	quote_python(s->out, str_sv(&text));
	str_release(&text);
}

static void add_dynamic_axes(struct snippet *s, const struct snippet_ports *ports)
{
	for (size_t i = 0; i < ports->len; i++) {
		const struct snippet_port *port = &ports->at[i];
		const char *comma = "";

		if (!port_is_dynamic(s, port))
			continue;
		str_text(s->out, "    ");
		quote_python(s->out, port->name);
		str_text(s->out, ": {");
		for (uint32_t j = 0; j < port->info->rank; j++) {
			int64_t ignored;

			if (sym_value(&s->in->pool, port->info->dims[j], &ignored))
				continue;
			str_format(s->out, "%s%" PRIu32 ": ", comma, j);
			add_axis_name(s, port, j);
			comma = ", ";
		}
		str_text(s->out, "},\n");
	}
}

void write_torch(struct snippet *s)
{
	str_text(s->out, "import torch\n\n");
	add_dim_objects(s);
	python_add_names(s, "input_names", &s->inputs);
	python_add_names(s, "output_names", &s->outputs);
	str_text(s->out, "\n# torch.onnx.export(model, args, \"model.onnx\", dynamo=True,\n"
			 "#     input_names=input_names, output_names=output_names,\n"
			 "#     dynamic_shapes=dynamic_shapes)\n"
			 "# The keys must be the names of forward's arguments.\n");
	add_dynamic_shapes(s);
	str_text(s->out, "\n# torch.onnx.export(model, args, \"model.onnx\", dynamo=False,\n"
			 "#     input_names=input_names, output_names=output_names,\n"
			 "#     dynamic_axes=dynamic_axes)\n"
			 "dynamic_axes = {\n");
	add_dynamic_axes(s, &s->inputs);
	add_dynamic_axes(s, &s->outputs);
	str_text(s->out, "}\n");
}

/* ---- onnxruntime ---- */

/* A variable at the top: from its range, or for the user to fill in. */
static void add_variable(struct snippet *s, struct sv identifier, const struct sv name,
			 const struct snippet_symbol *symbol)
{
	str_add(s->out, identifier);
	if (symbol && symbol->ranged) {
		str_format(s->out, " = %" PRId64 "\n", symbol->range.best);
		return;
	}
	str_text(s->out, " = ...  # the size of ");
	str_add_shown(s->out, name);
	str_char(s->out, '\n');
}

static bool python_add_expression(struct snippet *s, struct sym e, struct str *out);

/* A part of a sum is 2*a, of a product a**2, of a quotient a. */
static bool python_add_part(struct snippet *s, enum sym_kind kind, struct sym_part part,
			    struct str *out)
{
	if (kind == SYM_KIND_SUM && sym_is(part.s, 1)) {
		str_format(out, "%" PRId64, part.number);
		return true;
	}
	if (kind == SYM_KIND_SUM && part.number != 1)
		str_format(out, "%" PRId64 "*", part.number);
	if (!python_add_expression(s, part.s, out))
		return false;
	if (kind == SYM_KIND_PRODUCT && part.number != 1)
		str_format(out, "**%" PRId64, part.number);
	return true;
}

/* An expression in Python: sums, products and floor divisions; false for any other. */
static bool python_add_expression(struct snippet *s, struct sym e, struct str *out)
{
	static const char *const between[SYM_KIND_COUNT] = {
		[SYM_KIND_SUM] = " + ", [SYM_KIND_PRODUCT] = "*", [SYM_KIND_FLOOR] = "//",
		/* the rest has no such form in Python */
	};
	const struct sym_pool *p = &s->in->pool;
	const struct snippet_symbol *symbol = dim_symbol(s, e);
	enum sym_kind kind = sym_kind(p, e);
	int64_t value;

	if (symbol) {
		str_add(out, symbol->identifier);
		return true;
	}
	if (sym_value(p, e, &value)) {
		str_format(out, "%" PRId64, value);
		return true;
	}
	if (!between[kind])
		return false;
	str_char(out, '(');
	for (size_t i = 0; i < sym_part_count(p, e); i++) {
		str_text(out, i ? between[kind] : "");
		if (!python_add_part(s, kind, sym_part(p, e, i), out))
			return false;
	}
	str_char(out, ')');
	return true;
}

/* One override: the name from the file, and its size in Python. */
static void add_override(struct snippet *s, uint32_t name, struct sym dim, struct str *calls)
{
	struct sv text = model_name(s->in->model, name);
	const struct snippet_symbol *symbol = dim_symbol(s, dim);
	struct str value = {0}, flag = {0};
	int64_t size;

	if (symbol) {
		str_add(&value, symbol->identifier);
	} else if (!python_add_expression(s, dim, &value)) {
		str_clear(&value);
		str_add(&value, new_identifier(s, text));
		add_variable(s, str_sv(&value), text, NULL);
	}
	str_text(calls, "sess_options.add_free_dimension_override_by_name(");
	quote_python(calls, text);
	str_text(calls, ", ");
	str_add(calls, str_sv(&value));
	str_text(calls, ")\n");
	/* C and the shell have no such variables. */
	if (dim_size(s, dim, BOUND_BEST, &size)) {
		str_clear(&value);
		str_format(&value, "%" PRId64, size);
	}
	str_text(calls, "#   C: AddFreeDimensionOverrideByName(options, ");
	quote_pbtxt(calls, text);
	str_format(calls, ", %s)\n", str_c(&value));
	str_add(&flag, text);
	str_format(&flag, ":%s", str_c(&value));
	str_text(calls, "#   onnxruntime_perf_test -f ");
	quote_shell(calls, str_sv(&flag));
	str_char(calls, '\n');
	str_release(&value);
	str_release(&flag);
}

/* Each dim name of an input, once; unnamed dims cannot be overridden. */
static void add_overrides(struct snippet *s, struct str *calls)
{
	const struct model *m = s->in->model;
	struct map done = {0};

	for (size_t i = 0; i < s->inputs.len; i++) {
		const struct snippet_port *port = &s->inputs.at[i];
		const struct type *declared = &m->claims.at[port->claim].type;

		for (uint32_t j = 0; j < MIN(declared->rank, port->info->rank); j++) {
			const struct dim *d = &declared->dims[j];
			bool named = d->kind == DIM_PARAM && d->param;

			if (named && !map_find(&done, d->param)) {
				*map_at(&done, d->param) = 1;
				add_override(s, d->param, port->info->dims[j], calls);
			} else if (!named && (d->kind != DIM_VALUE || d->value < 0)) {
				str_text(calls, "# ");
				str_add_shown(calls, port->name);
				str_format(calls,
					   ":%" PRIu32 " has no name and cannot be overridden\n",
					   j);
			}
		}
	}
	map_release(&done);
}

void write_ort(struct snippet *s)
{
	struct str calls = {0};

	str_text(s->out, "import onnxruntime as ort\n\n");
	for (size_t i = 0; i < s->symbols.len; i++)
		add_variable(s, s->symbols.at[i].identifier, s->symbols.at[i].name,
			     &s->symbols.at[i]);
	add_overrides(s, &calls);
	str_text(s->out, "\nsess_options = ort.SessionOptions()\n");
	str_add(s->out, str_sv(&calls));
	str_text(s->out, "session = ort.InferenceSession(");
	add_file(s);
	str_text(s->out, ", sess_options)\n");
	str_release(&calls);
}

/* ---- openvino ---- */

static void add_ov_dim(struct snippet *s, struct sym dim)
{
	int64_t min, max;

	if (!dim_size(s, dim, BOUND_MIN, &min) || !dim_size(s, dim, BOUND_MAX, &max))
		str_text(s->out, "ov.Dimension()");
	else if (min == max)
		str_format(s->out, "%" PRId64, min);
	else
		str_format(s->out, "ov.Dimension(%" PRId64 ", %" PRId64 ")", MIN(min, max),
			   MAX(min, max));
}

void write_openvino(struct snippet *s)
{
	str_text(s->out, "import openvino as ov\n\ncore = ov.Core()\nmodel = core.read_model(");
	add_file(s);
	str_text(s->out, ")\nmodel.reshape({\n");
	for (size_t i = 0; i < s->inputs.len; i++) {
		const struct snippet_port *port = &s->inputs.at[i];

		if (!port_is_dynamic(s, port))
			continue;
		str_text(s->out, "    ");
		quote_python(s->out, port->name);
		str_text(s->out, ": ov.PartialShape([");
		for (uint32_t j = 0; j < port->info->rank; j++) {
			str_text(s->out, j ? ", " : "");
			add_ov_dim(s, port->info->dims[j]);
		}
		str_text(s->out, "]),\n");
	}
	str_text(s->out, "})\n");
}
