/*
 * Constant data: where a tensor's elements are, and reading them on demand.
 *
 * Nothing here holds weights.  Elements are a list of chunks, each in memory (small
 * ones), in the model's file, or in an external file; a reader walks them in bounded
 * memory, whatever the element type and however they are coded.
 */
#ifndef IR_TENSOR_H
#define IR_TENSOR_H

#include "base/err.h"
#include "ir/element.h"
#include "ir/type.h"

enum chunk_place {
	CHUNK_MEMORY,
	CHUNK_FILE,     /* the model's own file */
	CHUNK_EXTERNAL, /* `at` counts from the start of the external file */
	CHUNK_PLACE_COUNT
};

/* How elements follow each other inside a chunk. */
enum chunk_coding {
	CODING_RAW,     /* little-endian as in raw_data; 4- and 2-bit ones share bytes */
	CODING_WORDS,   /* one int32/int64/uint64/float/double each, in this machine's order */
	CODING_VARINTS, /* packed varints */
	CODING_TAGGED,  /* unpacked: a tag before each varint, fixed word or string */
	CODING_VIEWS,   /* strings in memory: an array of struct sv */
	CODING_COUNT
};

struct chunk {
	enum chunk_place place;
	enum chunk_coding coding;
	const void *memory; /* CHUNK_MEMORY: in the model's arena */
	uint64_t at;        /* CHUNK_FILE, CHUNK_EXTERNAL */
	uint64_t len;       /* bytes */
};

struct data {
	struct chunk *chunks; /* in the model's arena */
	uint32_t count;
	enum elem_field field; /* typed fields; NONE for raw and external data */
};

/* An external file as the tensor names it; nothing of it has been checked yet. */
struct external {
	struct sv location; /* in the model's arena */
	uint64_t offset;
	uint64_t length;
	bool has_length;
	bool bad_numbers; /* offset or length is not a number that fits */
};

struct tensor {
	uint32_t name;
	int32_t elem;
	uint32_t rank;
	int64_t *dims;  /* in the model's arena */
	bool rank_lost; /* so many dims that they were left in the file */
	struct data data;
	struct external *external; /* in the model's arena; NULL for inline data */
	struct sv doc;
	struct pair *metadata; /* in the model's arena */
	uint32_t metadata_count;
	uint32_t origin;
};

/* A key and its value; a value above 4 KiB stays in the file and is cut here. */
struct pair {
	uint32_t key;
	struct sv value;
	uint64_t value_len; /* the true length */
};

/* Whoever can fetch bytes of the model's file or of an external one. */
struct bytes_source {
	void *context; /* borrowed */
	bool (*read)(void *context, const struct external *external, uint64_t at, void *out,
		     size_t len, struct err *err);
	/* How many bytes the external file has. */
	bool (*size)(void *context, const struct external *external, uint64_t *out,
		     struct err *err);
};

/* False when a dim is negative or the product does not fit. */
bool tensor_elements(const struct tensor *t, uint64_t *out) MUST_USE;
/* Bytes that the elements take up where they are stored; external data may not say. */
uint64_t tensor_stored_bytes(const struct tensor *t);

/* Reads elements in order, a few at a time. */
struct tensor_reader {
	struct bytes_source source;
	const struct data *data;         /* borrowed */
	const struct external *external; /* borrowed */
	int32_t elem;
	uint64_t available; /* bytes of external data */
	uint64_t left;      /* elements still to come */
	uint32_t chunk;     /* the one being read */
	uint64_t done;      /* bytes of it used */
	unsigned sub;       /* elements of a shared byte already given */
	uint8_t shared;     /* that byte */
	char *buffer;       /* owned: bytes of the chunk from `done - pos` on */
	size_t pos, filled;
	char *text; /* owned: the last string */
};

/* Fails when the data cannot hold the elements that the shape promises. */
bool tensor_reader_init(struct tensor_reader *r, const struct bytes_source *source,
			const struct tensor *t, struct err *err) MUST_USE;
/* A bare list (an attribute's): reads to the end of the data. */
void tensor_reader_list(struct tensor_reader *r, const struct bytes_source *source,
			const struct data *data, int32_t elem);
/* Up to `count` elements; *got is less only at the end. */
bool tensor_reader_next(struct tensor_reader *r, struct scalar *out, size_t count, size_t *got,
			struct err *err) MUST_USE;
/* Passes over elements; quick where they have a fixed size. */
bool tensor_reader_skip(struct tensor_reader *r, uint64_t count, struct err *err) MUST_USE;
void tensor_reader_release(struct tensor_reader *r);

#endif
