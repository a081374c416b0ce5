/*
 * Constant data: the location of a tensor's elements, and reading them on demand.
 *
 * Weights are not kept in memory.  Elements are a list of chunks, each in memory
 * (small ones), in the model's file, or in an external file; a reader walks them in
 * bounded memory, whatever their element type and coding.
 */
#ifndef IR_TENSOR_H
#define IR_TENSOR_H

#include "base/err.h"
#include "base/sv.h"
#include "ir/element.h"
#include "ir/type.h"

enum chunk_place {
	CHUNK_MEMORY,
	CHUNK_FILE,     /* the model's own file */
	CHUNK_EXTERNAL, /* `at` counts from the start of the external file */
	CHUNK_PLACE_COUNT
};

/* How the elements of a chunk are encoded. */
enum chunk_coding {
	CODING_RAW,     /* little-endian as in raw_data; 4- and 2-bit elements share bytes */
	CODING_WORDS,   /* one int32/int64/uint64/float/double each, in native byte order */
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
	enum elem_field field; /* the typed field; NONE for raw and external data */
};

/* An external file as the tensor names it; not checked yet. */
struct external {
	struct sv location; /* in the model's arena */
	uint64_t offset;
	uint64_t length;
	bool has_length;
	bool bad_numbers; /* offset or length is not a number or overflows */
};

struct tensor {
	uint32_t name;
	int32_t elem;
	uint32_t rank;
	int64_t *dims;  /* in the model's arena */
	bool rank_lost; /* too many dims: left in the file */
	struct data data;
	struct external *external; /* in the model's arena; NULL for inline data */
	struct sv doc;
	struct pair *metadata; /* in the model's arena */
	uint32_t metadata_count;
	uint32_t origin;
};

/* A key and its value; a value above 4 KiB stays in the file and is truncated here. */
struct pair {
	uint32_t key;
	struct sv value;
	uint64_t value_len; /* the true length */
};

/* Reads bytes of the model's file or of an external one. */
struct bytes_source {
	void *context; /* borrowed */
	bool (*read)(void *context, const struct external *external, uint64_t at, void *out,
		     size_t len, struct err *err);
	/* The size of the external file in bytes. */
	bool (*size)(void *context, const struct external *external, uint64_t *out,
		     struct err *err);
};

/* False when a dim is negative or the product overflows. */
bool tensor_elements(const struct tensor *t, uint64_t *out) MUST_USE;
/* Bytes of the elements as stored; external data may not declare its length. */
uint64_t tensor_stored_bytes(const struct tensor *t);

/* Was nothing of it left in a file? */
bool data_in_memory(const struct data *d);

/* Reads elements in order, a few at a time. */
struct tensor_reader {
	struct bytes_source source;
	const struct data *data;         /* borrowed */
	const struct external *external; /* borrowed */
	int32_t elem;
	uint64_t available; /* bytes of external data */
	uint64_t left;      /* elements not read yet */
	uint32_t chunk;     /* the one being read */
	uint64_t done;      /* bytes of it consumed */
	unsigned sub;       /* elements of a shared byte already returned */
	uint8_t shared;     /* that byte */
	char *buffer;       /* owned; bytes of the chunk from `done - pos` on */
	size_t pos, filled;
	size_t room; /* of the buffer: what the largest chunk needs, up to 64 KiB */
	char *text;  /* owned; the last string */
};

/* Fails when the data is too short or too long for the shape. */
bool tensor_reader_init(struct tensor_reader *r, const struct bytes_source *source,
			const struct tensor *t, struct err *err) MUST_USE;
/* A list of an attribute: reads to the end of the data. */
void tensor_reader_list(struct tensor_reader *r, const struct bytes_source *source,
			const struct data *data, int32_t elem);
/* Reads up to `count` elements; *got is less only at the end. */
bool tensor_reader_next(struct tensor_reader *r, struct scalar *out, size_t count, size_t *got,
			struct err *err) MUST_USE;
/* Skips elements; fast where they have a fixed size. */
bool tensor_reader_skip(struct tensor_reader *r, uint64_t count, struct err *err) MUST_USE;
void tensor_reader_release(struct tensor_reader *r);

#endif
