#include "wire/wire.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "ir/build.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "wire/bytes.h"
#include "wire/decode.h"
#include "wire/schema.h"
#include "wire/skeleton.h"

enum {
	LARGEST_SHAPE = 1024,        /* elements of an integer tensor that is always read */
	LARGEST_SHAPE_BYTES = 16384, /* in any encoding */
	LARGEST_SHAPES = 64 << 20    /* bytes in total */
};

/* ---- reading weights ---- */

static bool read_bytes(void *context, const struct external *external, uint64_t at, void *out,
		       size_t len, struct err *err)
{
	struct wire *w = context;
	const struct file *file = external ? external_open(&w->external, external->location, err)
					   : &w->file;

	return file && file_read(file, at, out, len, err);
}

static bool external_size(void *context, const struct external *external, uint64_t *out,
			  struct err *err)
{
	struct wire *w = context;
	const struct file *file = external_open(&w->external, external->location, err);

	if (file)
		*out = file->size;
	return file;
}

/* ---- integers from which shapes are computed ---- */

static bool may_be_shape(const struct tensor *t)
{
	enum elem_class class = elem_info(t->elem)->class;
	uint64_t elements;

	return (class == ELEM_CLASS_BOOL || class == ELEM_CLASS_SIGNED ||
		class == ELEM_CLASS_UNSIGNED) &&
	       tensor_elements(t, &elements) && elements > 0 && elements <= LARGEST_SHAPE;
}

static uint64_t chunk_bytes(const struct tensor *t, const struct chunk *c)
{
	return c->place == CHUNK_EXTERNAL ? tensor_stored_bytes(t) : c->len;
}

/* Reads a chunk into memory.  On failure it stays where it is, for a later read. */
static void bring_in(struct model *m, const struct tensor *t, struct chunk *c, uint64_t *budget)
{
	uint64_t len = chunk_bytes(t, c);
	struct err ignored;
	void *bytes;

	if (c->place == CHUNK_MEMORY || len > LARGEST_SHAPE_BYTES || len > *budget)
		return;
	if (c->place == CHUNK_EXTERNAL && t->external->bad_numbers)
		return;
	bytes = arena_alloc(&m->arena, (size_t)len);
	*budget -= len;
	if (!m->bytes.read(m->bytes.context, c->place == CHUNK_EXTERNAL ? t->external : NULL, c->at,
			   bytes, (size_t)len, &ignored))
		return;
	*c = (struct chunk){
		.place = CHUNK_MEMORY, .coding = c->coding, .memory = bytes, .len = len};
}

static void bring_in_shapes(struct model *m)
{
	uint64_t budget = LARGEST_SHAPES;

	for (size_t i = 1; i < m->tensors.len; i++) {
		const struct tensor *t = &m->tensors.at[i];

		if (!may_be_shape(t))
			continue;
		for (uint32_t j = 0; j < t->data.count; j++)
			bring_in(m, t, &t->data.chunks[j], &budget);
	}
}

/* ---- opening ---- */

/* Without a graph or functions there is nothing to show. */
static bool has_model(const struct pieces *p)
{
	for (size_t i = 1; i < p->len; i++) {
		if (p->at[i].parent == 0 && (p->at[i].number == FIELD_MODEL_GRAPH ||
					     p->at[i].number == FIELD_MODEL_FUNCTIONS))
			return true;
	}
	return false;
}

static bool read_skeleton(struct wire *w, struct skeleton *skeleton, struct err *err)
{
	struct bytes bytes;
	bool ok;

	bytes_init(&bytes, &w->file);
	ok = scan(&bytes, &w->pieces, err);
	/* Where the first byte makes no sense, the place of the last one helps nobody. */
	if (!ok && err->kind == ERR_FORMAT && has_model(&w->pieces))
		err_prefix(err, "is damaged or truncated");
	else if (!ok && err->kind == ERR_FORMAT)
		err_set(err, ERR_FORMAT, "is not an ONNX model, or truncated");
	if (ok && !has_model(&w->pieces))
		ok = err_set(err, ERR_FORMAT,
			     "is not an ONNX model: it has no graph and no functions");
	ok = ok && skeleton_write(&bytes, &w->pieces, skeleton, err);
	bytes_release(&bytes);
	return ok;
}

static bool read_model(struct wire *w, struct err *err)
{
	struct skeleton skeleton = {0};
	bool ok;

	if (w->file.size == 0)
		return err_set(err, ERR_FORMAT, "is empty, not an ONNX model");
	model_init(&w->model);
	w->model.bytes = (struct bytes_source){w, read_bytes, external_size};
	ok = read_skeleton(w, &skeleton, err) && decode(&skeleton, &w->model, err);
	skeleton_release(&skeleton);
	if (ok)
		bring_in_shapes(&w->model);
	return ok;
}

static bool open_rest(struct wire *w, const char *name, const char *folder_of, struct err *err)
{
	w->open = true;
	w->named = w->file.stamp;
	str_text(&w->path, name);
	if (external_init(&w->external, folder_of, err) && read_model(w, err))
		return true;
	wire_release(w);
	return err_prefix(err, "%s", name);
}

bool wire_open(struct wire *w, const char *path, struct err *err)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;

	*w = (struct wire){.external = {.folder = -1}};
	if (!file_open(&w->file, path, err))
		return err_prefix(err, "%s", name);
	return open_rest(w, name, w->file.piped ? NULL : path, err);
}

bool wire_open_memory(struct wire *w, const char *name, const void *bytes, size_t size,
		      struct err *err)
{
	*w = (struct wire){.external = {.folder = -1}};
	if (!file_from_memory(&w->file, bytes, size, err))
		return err_prefix(err, "%s", name);
	return open_rest(w, name, NULL, err);
}

void wire_move(struct wire *to, struct wire *from)
{
	*to = *from;
	to->model.bytes.context = to;
	*from = (struct wire){0};
}

void wire_hold(struct wire *w, int max_ms)
{
	if (w->file.open && !w->file.piped)
		hold_work(&w->hold, &w->file, w->external.folder, max_ms);
}

bool wire_is_holding(const struct wire *w)
{
	return w->hold.state == HOLD_COPYING;
}

bool wire_was_replaced(const struct wire *w)
{
	struct stat now;

	return !w->file.piped && stat(str_c(&w->path), &now) == 0 &&
	       !file_same_version(&now, &w->named);
}

void wire_rename(struct wire *w, const char *path)
{
	str_clear(&w->path);
	str_text(&w->path, path);
	if (stat(path, &w->named) != 0)
		w->named = (struct stat){0};
	/* What came from a pipe has a file now, and that file's permissions count. */
	if (w->file.piped)
		w->file.stamp.st_mode = w->named.st_mode;
	w->file.piped = false;
}

void wire_release(struct wire *w)
{
	if (!w->open)
		return;
	model_release(&w->model);
	pieces_release(&w->pieces);
	external_release(&w->external);
	hold_release(&w->hold);
	file_release(&w->file);
	str_release(&w->path);
	*w = (struct wire){.external = {.folder = -1}};
}
