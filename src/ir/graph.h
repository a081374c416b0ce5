/*
 * A model as its file describes it: graphs, nodes, values, and claims about them.
 *
 * Everything is an id, an index into one of the model's arrays; ids are never reused.
 * Node 0, value 0 and tensor 0 are "none": an absent input is value 0.  Graph 0 is the
 * main graph (empty when the file has none).
 *
 * A value is a name in one graph.  A name used inside a subgraph and defined in an
 * enclosing graph is the enclosing graph's value.  Undefined names and second
 * definitions are values too, with a flaw each: a broken model still opens.
 *
 * Read only: build.h changes a model, and only wire and edit may include it.
 */
#ifndef IR_GRAPH_H
#define IR_GRAPH_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/tensor.h"
#include "ir/type.h"

enum attr_kind { /* the numbers of the standard */
	ATTR_UNDEFINED,
	ATTR_FLOAT,
	ATTR_INT,
	ATTR_STRING,
	ATTR_TENSOR,
	ATTR_GRAPH,
	ATTR_FLOATS,
	ATTR_INTS,
	ATTR_STRINGS,
	ATTR_TENSORS,
	ATTR_GRAPHS,
	ATTR_SPARSE,
	ATTR_SPARSES,
	ATTR_TYPE,
	ATTR_TYPES,
	ATTR_KIND_COUNT
};

/* A tensor given by its non-zero elements. */
struct sparse {
	uint32_t values;  /* a tensor; its name is the sparse tensor's */
	uint32_t indices; /* a tensor */
	uint32_t rank;
	int64_t *dims; /* in the model's arena */
	uint32_t origin;
};

/*
 * `kind` selects the member of the union.  Lists of numbers and strings are data:
 * small ones in memory, large ones in the file, read by tensor_reader_list.
 */
struct attr {
	uint32_t name;
	uint32_t ref; /* inside a function: the caller's attribute that this one takes */
	enum attr_kind kind;
	uint32_t count; /* elements of a list; 0 when unknown, for a list left in the file */
	union {
		float f;
		int64_t i;
		struct {
			struct sv text;    /* truncated when it was left in the file */
			uint64_t text_len; /* the true length */
		};
		struct data list;
		uint32_t tensor;
		uint32_t graph;
		uint32_t *tensors;
		uint32_t *graphs;
		struct sparse *sparses; /* one for ATTR_SPARSE */
		struct type *types;     /* one for ATTR_TYPE */
	};
	struct sv doc;
	uint32_t origin;
};

struct sharded_dim {
	int64_t axis;
	struct dim dim;
	int64_t shards;
};

/* How a tensor of a node is distributed over devices. */
struct sharding {
	uint32_t configuration;
	uint32_t tensor_name;
	struct sharded_dim *dims; /* in the model's arena */
	uint32_t count;
};

struct node {
	uint32_t name;
	uint32_t op;
	uint32_t domain;
	uint32_t overload;
	uint32_t graph;
	uint32_t index;    /* its index in the graph's list, in file order */
	uint32_t *inputs;  /* values; in the model's arena */
	uint32_t *outputs; /* values; in the model's arena */
	uint32_t input_count;
	uint32_t output_count;
	struct attr *attrs; /* in the model's arena */
	uint32_t attr_count;
	struct pair *metadata; /* in the model's arena */
	uint32_t metadata_count;
	struct sharding *shardings; /* in the model's arena */
	uint32_t sharding_count;
	struct sv doc;
	uint32_t origin;
	bool dead; /* removed by an edit: in no graph's list */
};

enum claim_kind {
	CLAIM_INPUT,
	CLAIM_OUTPUT,
	CLAIM_VALUE_INFO,
	CLAIM_KIND_COUNT
};

/* What a graph says about a value: an entry of its inputs, outputs or value_info. */
struct claim {
	enum claim_kind kind;
	uint32_t name;
	uint32_t value;
	uint32_t next; /* another claim about the same value; 0 ends */
	struct type type;
	struct sv doc;
	struct pair *metadata; /* in the model's arena */
	uint32_t metadata_count;
	uint32_t origin;
};

enum value_flag {
	VALUE_INPUT = 1 << 0,     /* a formal input of its graph */
	VALUE_OUTPUT = 1 << 1,    /* an output of its graph */
	VALUE_MISSING = 1 << 2,   /* read, but nothing defines it */
	VALUE_DUPLICATE = 1 << 3, /* a second definition of a name: cannot be read */
	VALUE_CLAIMED = 1 << 4,   /* only in value_info */
	VALUE_DEAD = 1 << 5       /* an edit removed its definition: cannot be found */
};

struct value {
	uint32_t name;
	uint32_t graph;
	uint32_t producer; /* node */
	uint32_t port;     /* which of the producer's outputs */
	unsigned flags;
	uint32_t tensor;      /* its initializer */
	uint32_t sparse;      /* its sparse initializer: index + 1 into the graph's list */
	uint32_t first_claim; /* claim; 0 when there is none */
	uint32_t readers_at;  /* see model_readers */
	uint32_t readers_count;
};

/* A use of a value: input `port` of a node, or (node 0) a graph's output. */
struct reader {
	uint32_t node;
	uint32_t graph;
	uint32_t port;
};

enum graph_kind {
	GRAPH_MAIN,
	GRAPH_BODY, /* of an If, Loop, Scan …: an attribute of a node */
	GRAPH_FUNCTION,
	GRAPH_TRAINING,
	GRAPH_KIND_COUNT
};

struct annotation {
	uint32_t tensor_name;
	struct pair *parameters; /* in the model's arena */
	uint32_t count;
};

struct opset {
	uint32_t domain;
	int64_t version;
};

struct graph {
	enum graph_kind kind;
	uint32_t name;
	uint32_t owner; /* GRAPH_BODY: the node that has it */
	uint32_t role;  /* GRAPH_BODY: the attribute; training: "initialization" or "algorithm" */
	uint32_t slot;  /* GRAPH_BODY: index in a list; else index of function or training */
	uint32_t first_value; /* functions: their values are consecutive */
	uint32_t parent;      /* GRAPH_BODY: the enclosing graph; training: the main graph */
	VEC(uint32_t) nodes;  /* as in the file */
	VEC(uint32_t) inputs;
	VEC(uint32_t) outputs;
	VEC(uint32_t) initializers; /* tensors */
	VEC(struct sparse) sparses;
	VEC(uint32_t) claims;
	VEC(uint32_t) order; /* nodes, producers first; nodes in or after a cycle come last */
	struct annotation *annotations; /* in the model's arena */
	uint32_t annotation_count;
	struct pair *metadata; /* in the model's arena */
	uint32_t metadata_count;
	struct sv doc;
	uint32_t origin;
};

struct function {
	uint32_t domain;
	uint32_t name;
	uint32_t overload;
	uint32_t graph;
	uint32_t *attributes; /* names the caller must set; in the model's arena */
	uint32_t attribute_count;
	struct attr *defaults; /* in the model's arena */
	uint32_t default_count;
	struct opset *opsets; /* in the model's arena */
	uint32_t opset_count;
};

struct device_configuration {
	uint32_t name;
	int32_t devices;
};

struct training {
	uint32_t initialization;              /* graph; 0 when absent */
	uint32_t algorithm;                   /* graph; 0 when absent */
	struct pair *initialization_bindings; /* in the model's arena */
	struct pair *update_bindings;         /* in the model's arena */
	uint32_t initialization_count;
	uint32_t update_count;
};

enum flaw_kind {
	FLAW_CYCLE,     /* node: one in the cycle; once per graph */
	FLAW_DUPLICATE, /* value: the second definition */
	FLAW_MISSING,   /* value: read by node, not defined */
	FLAW_KIND_COUNT
};

/* What is wrong with the graph itself; the model still opens. */
struct flaw {
	enum flaw_kind kind;
	uint32_t graph;
	uint32_t node;
	uint32_t value;
};

struct model {
	struct arena arena;
	struct intern names;
	bool has_graph;
	bool has_ir_version;
	int64_t ir_version;
	int64_t model_version;
	struct sv producer_name;
	struct sv producer_version;
	struct sv domain;
	struct sv doc;
	struct opset *opsets; /* in the arena */
	uint32_t opset_count;
	struct pair *metadata; /* in the arena */
	uint32_t metadata_count;
	VEC(struct graph) graphs;
	VEC(struct node) nodes;
	VEC(struct value) values;
	VEC(struct tensor) tensors;
	VEC(struct claim) claims;
	VEC(struct function) functions;
	VEC(struct training) trainings;
	VEC(struct device_configuration) devices;
	VEC(struct flaw) flaws;
	VEC(struct reader) readers;
	struct map by_name; /* graph << 32 | name -> value */
	struct bytes_source bytes;
};

struct sv model_name(const struct model *m, uint32_t name);
/* Truncated, for messages and paths: many long names would make the text explode. */
struct sv model_cut_name(const struct model *m, uint32_t name);
/* What a sentence calls the node: its name, or its first output's; 0 when it has neither. */
uint32_t node_called(const struct model *m, const struct node *n);
/* 0 when the graph itself has no live value of that name. */
uint32_t model_find(const struct model *m, uint32_t graph, struct sv name);
/* The value that a name refers to inside a graph: its own, or that of an enclosing graph. */
uint32_t model_resolve(const struct model *m, uint32_t graph, uint32_t name);
const struct reader *model_readers(const struct model *m, uint32_t value, uint32_t *count);
/* A node's name, or a substitute. */
struct sv node_label(const struct model *m, uint32_t node);
const struct attr *node_attr(const struct model *m, const struct node *n, const char *name);
/* What a list of numbers or texts is made of; ELEM_UNDEFINED when it is none of these. */
int32_t attr_list_elem(const struct attr *a);
/* The opset version of a domain; 0 when the model (or the function) does not import it. */
int64_t model_opset(const struct model *m, uint32_t graph, struct sv domain);
/* "" for the main graph, else 12.then_branch/3.body, domain::function::overload, … */
void graph_path(struct str *s, const struct model *m, uint32_t graph);
/* In words: "the then branch of If_0". */
void graph_in_words(struct str *s, const struct model *m, uint32_t graph);
/* The standard's domain has two spellings. */
bool domain_is_standard(struct sv domain);
void flaw_print(struct str *s, const struct model *m, const struct flaw *f);
void model_release(struct model *m);

#endif
