#include "wire/decode.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "wire/decode_data.h"

static uint32_t decode_graph(struct model *m, const Onnx__GraphProto *from, uint32_t graph);

/* ---- attributes ---- */

/* Field numbers of AttributeProto. */
enum {
	FIELD_ATTR_S = 4,
	FIELD_ATTR_FLOATS = 7,
	FIELD_ATTR_INTS = 8,
	FIELD_ATTR_STRINGS = 9,
	FIELD_ATTR_DOC = 13
};

/* The owner of the attribute; its bodies refer to it. */
struct holder {
	uint32_t graph;
	uint32_t node;
};

static uint32_t decode_body(struct model *m, const Onnx__GraphProto *from, struct holder holder,
			    uint32_t role, uint32_t slot)
{
	uint32_t id = graph_new(m, GRAPH_BODY);
	struct graph *g = &m->graphs.at[id];

	g->owner = holder.node;
	g->parent = holder.graph;
	g->role = role;
	g->slot = slot;
	return decode_graph(m, from, id);
}

/* IR version 1 has no type; the field that is present tells the kind. */
static enum attr_kind decode_kind_of(const Onnx__AttributeProto *a)
{
	const struct {
		bool there;
		enum attr_kind kind;
	} signs[] = {
		{a->has_f, ATTR_FLOAT},
		{a->has_i, ATTR_INT},
		{a->has_s, ATTR_STRING},
		{a->t, ATTR_TENSOR},
		{a->g, ATTR_GRAPH},
		{a->n_floats, ATTR_FLOATS},
		{a->n_ints, ATTR_INTS},
		{a->n_strings, ATTR_STRINGS},
		{a->n_tensors, ATTR_TENSORS},
		{a->n_graphs, ATTR_GRAPHS},
		{a->sparse_tensor, ATTR_SPARSE},
		{a->n_sparse_tensors, ATTR_SPARSES},
		{a->tp, ATTR_TYPE},
		{a->n_type_protos, ATTR_TYPES},
	};

	if (a->type > 0 && a->type < ATTR_KIND_COUNT)
		return (enum attr_kind)a->type;
	for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
		if (signs[i].there)
			return signs[i].kind;
	}
	return ATTR_UNDEFINED;
}

static void decode_tensors(struct model *m, const Onnx__AttributeProto *from, struct attr *out)
{
	out->count = (uint32_t)from->n_tensors;
	out->tensors = from->n_tensors ? arena_array(&m->arena, from->n_tensors, uint32_t) : NULL;
	for (size_t i = 0; i < from->n_tensors; i++)
		out->tensors[i] = decode_tensor(m, from->tensors[i]);
}

static void decode_graphs(struct model *m, const Onnx__AttributeProto *from, struct holder holder,
			  struct attr *out)
{
	out->count = (uint32_t)from->n_graphs;
	out->graphs = from->n_graphs ? arena_array(&m->arena, from->n_graphs, uint32_t) : NULL;
	for (size_t i = 0; i < from->n_graphs; i++)
		out->graphs[i] = decode_body(m, from->graphs[i], holder, out->name, (uint32_t)i);
}

static void decode_sparses(struct model *m, size_t count, Onnx__SparseTensorProto **from,
			   struct attr *out)
{
	out->count = (uint32_t)count;
	out->sparses = count ? arena_array(&m->arena, count, struct sparse) : NULL;
	for (size_t i = 0; i < count; i++)
		out->sparses[i] = decode_sparse(m, from[i]);
}

static void decode_types(struct model *m, size_t count, Onnx__TypeProto **from, struct attr *out)
{
	out->count = (uint32_t)count;
	out->types = count ? arena_array(&m->arena, count, struct type) : NULL;
	for (size_t i = 0; i < count; i++)
		decode_type(m, from[i], &out->types[i]);
}

static uint32_t run_count(struct payloads p, uint32_t field)
{
	uint64_t total = 0;

	for (size_t i = 0; i < p.count; i++)
		total += p.at[i]->field == field && p.at[i]->has_count ? p.at[i]->count : 0;
	return (uint32_t)MIN(total, (uint64_t)UINT32_MAX);
}

static void decode_lists(struct model *m, const Onnx__AttributeProto *a, struct attr *out)
{
	struct payloads p = PAYLOADS(a);

	switch (out->kind) {
	case ATTR_FLOATS:
		out->list = decode_list(m, ELEM_FIELD_FLOAT, a->floats, a->n_floats, sizeof(float),
					p, FIELD_ATTR_FLOATS);
		out->count = a->n_floats ? (uint32_t)a->n_floats : run_count(p, FIELD_ATTR_FLOATS);
		break;
	case ATTR_INTS:
		out->list = decode_list(m, ELEM_FIELD_INT64, a->ints, a->n_ints, sizeof(int64_t), p,
					FIELD_ATTR_INTS);
		out->count = a->n_ints ? (uint32_t)a->n_ints : run_count(p, FIELD_ATTR_INTS);
		break;
	default:
		out->list = decode_texts(m, a->n_strings, a->strings, p, FIELD_ATTR_STRINGS);
		out->count = a->n_strings ? (uint32_t)a->n_strings
					  : run_count(p, FIELD_ATTR_STRINGS);
		break;
	}
}

static void decode_attr_value(struct model *m, Onnx__AttributeProto *a, struct holder holder,
			      struct attr *out)
{
	switch (out->kind) {
	case ATTR_FLOAT:
		out->f = a->f;
		break;
	case ATTR_INT:
		out->i = a->i;
		break;
	case ATTR_STRING:
		out->text = decode_text(m, a->s, PAYLOADS(a), FIELD_ATTR_S, &out->text_len);
		break;
	case ATTR_TENSOR:
		out->tensor = a->t ? decode_tensor(m, a->t) : 0;
		break;
	case ATTR_GRAPH:
		out->graph = a->g ? decode_body(m, a->g, holder, out->name, 0) : 0;
		break;
	case ATTR_FLOATS:
	case ATTR_INTS:
	case ATTR_STRINGS:
		decode_lists(m, a, out);
		break;
	case ATTR_TENSORS:
		decode_tensors(m, a, out);
		break;
	case ATTR_GRAPHS:
		decode_graphs(m, a, holder, out);
		break;
	case ATTR_SPARSE:
		decode_sparses(m, a->sparse_tensor ? 1 : 0, &a->sparse_tensor, out);
		break;
	case ATTR_SPARSES:
		decode_sparses(m, a->n_sparse_tensors, a->sparse_tensors, out);
		break;
	case ATTR_TYPE:
		decode_types(m, a->tp ? 1 : 0, &a->tp, out);
		break;
	case ATTR_TYPES:
		decode_types(m, a->n_type_protos, a->type_protos, out);
		break;
	case ATTR_UNDEFINED:
	case ATTR_KIND_COUNT:
		break;
	}
}

static struct attr *decode_attrs(struct model *m, size_t count, Onnx__AttributeProto **from,
				 struct holder holder)
{
	struct attr *out = count ? arena_array(&m->arena, count, struct attr) : NULL;

	for (size_t i = 0; i < count; i++) {
		out[i].name = model_intern(m, bytes_sv(from[i]->name));
		out[i].ref = model_intern(m, bytes_sv(from[i]->ref_attr_name));
		out[i].kind = decode_kind_of(from[i]);
		out[i].doc = decode_doc(m, from[i]->doc_string, PAYLOADS(from[i]), FIELD_ATTR_DOC);
		out[i].origin = from[i]->axed_piece;
		if (!out[i].ref)
			decode_attr_value(m, from[i], holder, &out[i]);
	}
	return out;
}

/* ---- nodes ---- */

static void decode_sharded_dim(struct model *m, int64_t axis,
			       const Onnx__SimpleShardedDimProto *from, struct sharded_dim *out)
{
	out->axis = axis;
	out->shards = from->num_shards;
	out->dim.origin = from->axed_piece;
	if (from->dim_case == ONNX__SIMPLE_SHARDED_DIM_PROTO__DIM_DIM_VALUE) {
		out->dim.kind = DIM_VALUE;
		out->dim.value = from->dim_value;
	} else if (from->dim_case == ONNX__SIMPLE_SHARDED_DIM_PROTO__DIM_DIM_PARAM) {
		out->dim.kind = DIM_PARAM;
		out->dim.param = model_intern(m, bytes_sv(from->dim_param));
	}
}

static void decode_sharding(struct model *m, uint32_t configuration,
			    const Onnx__ShardingSpecProto *from, struct sharding *out)
{
	size_t count = 0;

	for (size_t i = 0; i < from->n_sharded_dim; i++)
		count += from->sharded_dim[i]->n_simple_sharding;
	out->configuration = configuration;
	out->tensor_name = model_intern(m, bytes_sv(from->tensor_name));
	out->dims = arena_array(&m->arena, count, struct sharded_dim);
	for (size_t i = 0; i < from->n_sharded_dim; i++) {
		const Onnx__ShardedDimProto *d = from->sharded_dim[i];

		for (size_t j = 0; j < d->n_simple_sharding; j++)
			decode_sharded_dim(m, d->axis, d->simple_sharding[j],
					   &out->dims[out->count++]);
	}
}

static void decode_shardings(struct model *m, const Onnx__NodeProto *from, struct node *out)
{
	size_t count = 0;

	for (size_t i = 0; i < from->n_device_configurations; i++)
		count += from->device_configurations[i]->n_sharding_spec;
	if (count == 0)
		return;
	out->shardings = arena_array(&m->arena, count, struct sharding);
	for (size_t i = 0; i < from->n_device_configurations; i++) {
		const Onnx__NodeDeviceConfigurationProto *d = from->device_configurations[i];
		uint32_t id = model_intern(m, bytes_sv(d->configuration_id));

		for (size_t j = 0; j < d->n_sharding_spec; j++)
			decode_sharding(m, id, d->sharding_spec[j],
					&out->shardings[out->sharding_count++]);
	}
}

enum {
	FIELD_NODE_DOC = 6
};

static uint32_t *decode_names(struct model *m, size_t count, const ProtobufCBinaryData *names)
{
	uint32_t *out = count ? arena_array(&m->arena, count, uint32_t) : NULL;

	for (size_t i = 0; i < count; i++)
		out[i] = model_intern(m, bytes_sv(names[i]));
	return out;
}

/* Inputs stay names until all names are defined (model_connect). */
static void decode_node(struct model *m, const Onnx__NodeProto *from, uint32_t graph)
{
	uint32_t id = node_new(m, graph);
	struct node n = m->nodes.at[id];

	n.name = model_intern(m, bytes_sv(from->name));
	n.op = model_intern(m, bytes_sv(from->op_type));
	n.domain = model_intern(m, bytes_sv(from->domain));
	n.overload = model_intern(m, bytes_sv(from->overload));
	n.doc = decode_doc(m, from->doc_string, PAYLOADS(from), FIELD_NODE_DOC);
	n.metadata = decode_pairs(m, from->n_metadata_props, from->metadata_props);
	n.metadata_count = (uint32_t)from->n_metadata_props;
	n.origin = from->axed_piece;
	n.inputs = decode_names(m, from->n_input, from->input);
	n.input_count = (uint32_t)from->n_input;
	n.outputs = decode_names(m, from->n_output, from->output);
	n.output_count = (uint32_t)from->n_output;
	for (uint32_t i = 0; i < n.output_count; i++)
		n.outputs[i] = value_define(m, graph, n.outputs[i], id, i, 0);
	decode_shardings(m, from, &n);
	n.attrs = decode_attrs(m, from->n_attribute, from->attribute, (struct holder){graph, id});
	n.attr_count = (uint32_t)from->n_attribute;
	m->nodes.at[id] = n;
}

static void decode_nodes(struct model *m, size_t count, Onnx__NodeProto **nodes, uint32_t graph)
{
	for (size_t i = 0; i < count; i++)
		decode_node(m, nodes[i], graph);
}

/* ---- graphs ---- */

enum {
	FIELD_VALUE_DOC = 3,
	FIELD_GRAPH_DOC = 10,
	FIELD_MODEL_DOC = 6,
	FIELD_FUNCTION_DOC = 8
};

static void decode_claim(struct model *m, const Onnx__ValueInfoProto *from, uint32_t graph,
			 enum claim_kind kind)
{
	uint32_t id = claim_new(m, graph, kind, model_intern(m, bytes_sv(from->name)));
	struct claim *c = &m->claims.at[id];

	decode_type(m, from->type, &c->type);
	c->doc = decode_doc(m, from->doc_string, PAYLOADS(from), FIELD_VALUE_DOC);
	c->metadata = decode_pairs(m, from->n_metadata_props, from->metadata_props);
	c->metadata_count = (uint32_t)from->n_metadata_props;
	c->origin = from->axed_piece;
}

static void decode_claims(struct model *m, size_t count, Onnx__ValueInfoProto **from,
			  uint32_t graph, enum claim_kind kind)
{
	for (size_t i = 0; i < count; i++)
		decode_claim(m, from[i], graph, kind);
}

static void define_input(struct model *m, uint32_t graph, ProtobufCBinaryData name)
{
	uint32_t value = value_define(m, graph, model_intern(m, bytes_sv(name)), 0, 0, VALUE_INPUT);

	vec_push(&m->graphs.at[graph].inputs, value);
}

static void define_output(struct model *m, uint32_t graph, ProtobufCBinaryData name)
{
	vec_push(&m->graphs.at[graph].outputs, model_intern(m, bytes_sv(name)));
}

/* An initializer may be an input's default: that is one value, not two. */
static uint32_t initialized_value(struct model *m, uint32_t graph, uint32_t name)
{
	uint32_t value = model_find(m, graph, model_name(m, name));
	const struct value *v = &m->values.at[value];

	if (value && (v->flags & VALUE_INPUT) && !v->tensor && !v->sparse)
		return value;
	return value_define(m, graph, name, 0, 0, 0);
}

static void decode_initializer(struct model *m, const Onnx__TensorProto *from, uint32_t graph)
{
	uint32_t tensor = decode_tensor(m, from);
	uint32_t value = initialized_value(m, graph, m->tensors.at[tensor].name);

	vec_push(&m->graphs.at[graph].initializers, tensor);
	m->values.at[value].tensor = value ? tensor : 0;
}

static void decode_sparse_initializers(struct model *m, const Onnx__GraphProto *from,
				       uint32_t graph)
{
	for (size_t i = 0; i < from->n_sparse_initializer; i++) {
		struct sparse sparse = decode_sparse(m, from->sparse_initializer[i]);
		uint32_t value = initialized_value(m, graph, m->tensors.at[sparse.values].name);

		vec_push(&m->graphs.at[graph].sparses, sparse);
		m->values.at[value].sparse = value ? (uint32_t)i + 1 : 0;
	}
}

static void decode_annotations(struct model *m, const Onnx__GraphProto *from, struct graph *g)
{
	size_t count = from->n_quantization_annotation;

	g->annotation_count = (uint32_t)count;
	g->annotations = count ? arena_array(&m->arena, count, struct annotation) : NULL;
	for (size_t i = 0; i < count; i++) {
		const Onnx__TensorAnnotation *a = from->quantization_annotation[i];

		g->annotations[i].tensor_name = model_intern(m, bytes_sv(a->tensor_name));
		g->annotations[i].count = (uint32_t)a->n_quant_parameter_tensor_names;
		g->annotations[i].parameters = decode_pairs(m, a->n_quant_parameter_tensor_names,
							    a->quant_parameter_tensor_names);
	}
}

/* What a graph says before its initializers and nodes. */
static void decode_graph_head(struct model *m, const Onnx__GraphProto *from, uint32_t graph)
{
	struct graph *g = &m->graphs.at[graph];

	g->name = model_intern(m, bytes_sv(from->name));
	g->doc = decode_doc(m, from->doc_string, PAYLOADS(from), FIELD_GRAPH_DOC);
	g->metadata = decode_pairs(m, from->n_metadata_props, from->metadata_props);
	g->metadata_count = (uint32_t)from->n_metadata_props;
	g->origin = from->axed_piece;
	decode_annotations(m, from, g);
	for (size_t i = 0; i < from->n_input; i++)
		define_input(m, graph, from->input[i]->name);
	for (size_t i = 0; i < from->n_output; i++)
		define_output(m, graph, from->output[i]->name);
	decode_claims(m, from->n_input, from->input, graph, CLAIM_INPUT);
	decode_claims(m, from->n_output, from->output, graph, CLAIM_OUTPUT);
	decode_claims(m, from->n_value_info, from->value_info, graph, CLAIM_VALUE_INFO);
}

static uint32_t decode_graph(struct model *m, const Onnx__GraphProto *from, uint32_t graph)
{
	decode_graph_head(m, from, graph);
	for (size_t i = 0; i < from->n_initializer; i++)
		decode_initializer(m, from->initializer[i], graph);
	decode_sparse_initializers(m, from, graph);
	decode_nodes(m, from->n_node, from->node, graph);
	return graph;
}

/* ---- functions, training, the model ---- */

static void decode_function_names(struct model *m, const Onnx__FunctionProto *from,
				  struct function *out)
{
	out->domain = model_intern(m, bytes_sv(from->domain));
	out->name = model_intern(m, bytes_sv(from->name));
	out->overload = model_intern(m, bytes_sv(from->overload));
	out->attribute_count = (uint32_t)from->n_attribute;
	out->attributes = from->n_attribute ? arena_array(&m->arena, from->n_attribute, uint32_t)
					    : NULL;
	for (size_t i = 0; i < from->n_attribute; i++)
		out->attributes[i] = model_intern(m, bytes_sv(from->attribute[i]));
	out->opsets = decode_opsets(m, from->n_opset_import, from->opset_import);
	out->opset_count = (uint32_t)from->n_opset_import;
}

static void decode_function(struct model *m, const Onnx__FunctionProto *from)
{
	uint32_t graph = graph_new(m, GRAPH_FUNCTION);
	struct function f = {.graph = graph};
	struct graph *g = &m->graphs.at[graph];

	decode_function_names(m, from, &f);
	g->name = f.name;
	g->slot = (uint32_t)m->functions.len;
	g->first_value = (uint32_t)m->values.len;
	g->origin = from->axed_piece;
	g->doc = decode_doc(m, from->doc_string, PAYLOADS(from), FIELD_FUNCTION_DOC);
	g->metadata = decode_pairs(m, from->n_metadata_props, from->metadata_props);
	g->metadata_count = (uint32_t)from->n_metadata_props;
	vec_push(&m->functions, f);
	for (size_t i = 0; i < from->n_input; i++)
		define_input(m, graph, from->input[i]);
	for (size_t i = 0; i < from->n_output; i++)
		define_output(m, graph, from->output[i]);
	decode_claims(m, from->n_value_info, from->value_info, graph, CLAIM_VALUE_INFO);
	decode_nodes(m, from->n_node, from->node, graph);
	f.defaults = decode_attrs(m, from->n_attribute_proto, from->attribute_proto,
				  (struct holder){graph, 0});
	f.default_count = (uint32_t)from->n_attribute_proto;
	m->functions.at[m->graphs.at[graph].slot] = f;
}

static uint32_t decode_training_graph(struct model *m, const Onnx__GraphProto *from,
				      const char *role, uint32_t slot)
{
	uint32_t id;

	if (!from)
		return 0;
	id = graph_new(m, GRAPH_TRAINING);
	m->graphs.at[id].role = model_intern(m, sv_of(role));
	m->graphs.at[id].slot = slot;
	return decode_graph(m, from, id);
}

static void decode_training(struct model *m, const Onnx__TrainingInfoProto *from)
{
	uint32_t slot = (uint32_t)m->trainings.len;
	struct training t = {
		.initialization_count = (uint32_t)from->n_initialization_binding,
		.update_count = (uint32_t)from->n_update_binding,
	};

	t.initialization = decode_training_graph(m, from->initialization, "initialization", slot);
	t.algorithm = decode_training_graph(m, from->algorithm, "algorithm", slot);
	t.initialization_bindings = decode_pairs(m, from->n_initialization_binding,
						 from->initialization_binding);
	t.update_bindings = decode_pairs(m, from->n_update_binding, from->update_binding);
	vec_push(&m->trainings, t);
}

static void decode_model(struct model *m, const Onnx__ModelProto *from)
{
	m->has_graph = from->graph;
	m->has_ir_version = from->has_ir_version;
	m->ir_version = from->ir_version;
	m->model_version = from->model_version;
	m->producer_name = arena_copy(&m->arena, bytes_sv(from->producer_name));
	m->producer_version = arena_copy(&m->arena, bytes_sv(from->producer_version));
	m->domain = arena_copy(&m->arena, bytes_sv(from->domain));
	m->doc = decode_doc(m, from->doc_string, PAYLOADS(from), FIELD_MODEL_DOC);
	m->opsets = decode_opsets(m, from->n_opset_import, from->opset_import);
	m->opset_count = (uint32_t)from->n_opset_import;
	m->metadata = decode_pairs(m, from->n_metadata_props, from->metadata_props);
	m->metadata_count = (uint32_t)from->n_metadata_props;
	for (size_t i = 0; i < from->n_configuration; i++)
		*vec_add(&m->devices) = (struct device_configuration){
			.name = model_intern(m, bytes_sv(from->configuration[i]->name)),
			.devices = from->configuration[i]->num_devices,
		};
}

static void decode_rest(struct model *m, const Onnx__ModelProto *from)
{
	for (size_t i = 0; i < from->n_functions; i++)
		decode_function(m, from->functions[i]);
	for (size_t i = 0; i < from->n_training_info; i++)
		decode_training(m, from->training_info[i]);
}

/* ---- unpacking into an arena ---- */

static void *decode_allocate(void *arena, size_t size)
{
	return arena_alloc(arena, size);
}

static void decode_forget(void *arena, void *memory)
{
	(void)arena;
	(void)memory;
}

static bool unpack_failed(struct err *err)
{
	return err_set(err, ERR_FORMAT, "cannot unpack its messages");
}

typedef void take_part(struct model *m, const ProtobufCMessage *part);

static void take_initializer(struct model *m, const ProtobufCMessage *part)
{
	decode_initializer(m, (const Onnx__TensorProto *)part, 0);
}

static void take_node(struct model *m, const ProtobufCMessage *part)
{
	decode_node(m, (const Onnx__NodeProto *)part, 0);
}

/* Each is unpacked into the same memory. */
static bool decode_parts(struct model *m, const struct parts *parts,
			 const ProtobufCMessageDescriptor *kind, take_part *take, struct err *err)
{
	struct arena unpacked = {0};
	ProtobufCAllocator allocator = {decode_allocate, decode_forget, &unpacked};
	ProtobufCMessage *part;
	size_t start = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < parts->ends.len; i++) {
		part = protobuf_c_message_unpack(kind, &allocator, parts->ends.at[i] - start,
						 (const uint8_t *)str_c(&parts->bytes) + start);
		ok = part || unpack_failed(err);
		if (ok)
			take(m, part);
		arena_rewind(&unpacked);
		start = parts->ends.at[i];
	}
	arena_release(&unpacked);
	return ok;
}

static bool decode_main_graph(struct model *m, const Onnx__GraphProto *from,
			      const struct skeleton *s, struct err *err)
{
	decode_graph_head(m, from, 0);
	if (!decode_parts(m, &s->initializers, &onnx__tensor_proto__descriptor, take_initializer,
			  err))
		return false;
	decode_sparse_initializers(m, from, 0);
	return decode_parts(m, &s->nodes, &onnx__node_proto__descriptor, take_node, err);
}

bool decode(const struct skeleton *skeleton, struct model *m, struct err *err)
{
	struct arena unpacked = {0};
	ProtobufCAllocator allocator = {decode_allocate, decode_forget, &unpacked};
	Onnx__ModelProto *proto = onnx__model_proto__unpack(
		&allocator, skeleton->rest.len, (const uint8_t *)str_c(&skeleton->rest));
	bool ok = false;

	if (!proto) {
		unpack_failed(err);
		goto out;
	}
	decode_model(m, proto);
	ok = !proto->graph || decode_main_graph(m, proto->graph, skeleton, err);
	if (ok) {
		decode_rest(m, proto);
		model_connect(m);
	}
out:
	arena_release(&unpacked);
	return ok;
}
