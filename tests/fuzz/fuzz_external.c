/*
 * The input is external data and how a model refers to it.
 *
 *   byte 0       length of the location
 *   byte 1       length of the offset's text
 *   byte 2       length of the length's text
 *   byte 3       element type
 *   byte 4       rank, in the lowest 2 bits; bit 2: no offset; bit 3: no length;
 *                bit 4: save into another folder afterwards
 *   rank bytes   dims
 *   then the location, the offset, the length; the rest is the data file
 *
 * The model has a tensor with these, and some that differ in one thing: type, shape,
 * location.  Whatever the texts say, no file outside the model's folder is ever read
 * or written.
 */
#include "tests/fuzz/target.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bug.h"
#include "tests/fuzz/look.h"
#include "tests/wire/scratch.h"
#include "wire/save.h"

enum {
	HEADER = 5,
	RANK_MASK = 3,
	NO_OFFSET = 1 << 2,
	NO_LENGTH = 1 << 3,
	SAVED = 1 << 4
};

/* Names of the folders; locations are relative to "model". */
#define SECRET "secret.bin"

/* ---- the input ---- */

struct wishes {
	struct sv location;
	struct sv offset;
	struct sv length;
	struct sv dims;
	struct sv data;
	uint8_t elem;
	uint8_t flags;
};

static struct sv cut(struct sv *rest, size_t len)
{
	struct sv part = {rest->at, MIN(len, rest->len)};

	*rest = sv_skip(*rest, part.len);
	return part;
}

static struct wishes wishes_of(const uint8_t *data, size_t size)
{
	struct sv rest = {(const char *)data + HEADER, size - HEADER};
	struct wishes w = {.elem = data[3], .flags = data[4]};

	w.dims = cut(&rest, data[4] & RANK_MASK);
	w.location = cut(&rest, data[0]);
	w.offset = cut(&rest, data[1]);
	w.length = cut(&rest, data[2]);
	w.data = rest;
	return w;
}

/* ---- the model, written by hand ---- */

static void put_bytes(struct str *s, uint32_t number, struct sv bytes)
{
	str_tag(s, number, WIRE_BYTES);
	str_varint(s, bytes.len);
	str_add(s, bytes);
}

static void put_number(struct str *s, uint32_t number, uint64_t value)
{
	str_tag(s, number, WIRE_VARINT);
	str_varint(s, value);
}

static void put_pair(struct str *s, uint32_t number, const char *key, struct sv value)
{
	struct str pair = {0};

	put_bytes(&pair, 1, sv_of(key));
	put_bytes(&pair, 2, value);
	put_bytes(s, number, str_sv(&pair));
	str_release(&pair);
}

static void put_message(struct str *s, uint32_t number, struct str *message)
{
	put_bytes(s, number, str_sv(message));
	str_release(message);
}

static struct str tensor_of(const struct wishes *w, uint8_t elem, struct sv location,
			    const char *name)
{
	enum {
		DIMS = 1,
		DATA_TYPE = 2,
		NAME = 8,
		EXTERNAL_DATA = 13,
		DATA_LOCATION = 14
	};
	struct str t = {0};

	for (size_t i = 0; i < w->dims.len; i++)
		put_number(&t, DIMS, (uint64_t)(int64_t)(signed char)w->dims.at[i]);
	put_number(&t, DATA_TYPE, elem);
	put_bytes(&t, NAME, sv_of(name));
	put_pair(&t, EXTERNAL_DATA, "location", location);
	if (!(w->flags & NO_OFFSET))
		put_pair(&t, EXTERNAL_DATA, "offset", w->offset);
	if (!(w->flags & NO_LENGTH))
		put_pair(&t, EXTERNAL_DATA, "length", w->length);
	put_number(&t, DATA_LOCATION, 1);
	return t;
}

/* A Constant: its tensor is an attribute. */
static struct str node_of(struct str *tensor)
{
	struct str attr = {0}, node = {0};

	put_bytes(&attr, 1, SV("value"));
	put_message(&attr, 5, tensor);
	put_number(&attr, 20, ATTR_TENSOR);
	put_bytes(&node, 2, SV("out"));
	put_bytes(&node, 4, SV("Constant"));
	put_message(&node, 5, &attr);
	return node;
}

static struct str model_of(const struct wishes *w)
{
	enum {
		NODE = 1,
		INITIALIZER = 5,
		SPARSE_INITIALIZER = 15
	};
	struct sv same = SV("data.bin");
	struct str graph = {0}, model = {0}, sparse = {0};
	struct str t = tensor_of(w, w->elem, w->location, "asked");

	put_message(&graph, INITIALIZER, &t);
	t = tensor_of(w, w->elem, same, "here");
	put_message(&graph, INITIALIZER, &t);
	t = tensor_of(w, ELEM_INT64, w->location, "shape");
	put_message(&graph, INITIALIZER, &t);
	t = tensor_of(w, ELEM_UINT4, same, "halves");
	put_message(&graph, INITIALIZER, &t);
	t = tensor_of(w, w->elem, w->location, "values");
	put_message(&sparse, 1, &t);
	t = tensor_of(w, ELEM_INT64, same, "indices");
	put_message(&sparse, 2, &t);
	put_message(&graph, SPARSE_INITIALIZER, &sparse);
	t = tensor_of(w, w->elem, w->location, "attribute");
	t = node_of(&t);
	put_message(&graph, NODE, &t);
	put_number(&model, 1, 10);
	put_message(&model, 7, &graph);
	return model;
}

/* ---- the folders ---- */

static struct stat secret;

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	abort();
}

static const char *below(int slot, const char *name)
{
	return scratch_path(slot, name);
}

static void make_folders(void)
{
	must(write_whole(below(0, SECRET), SV("not for the model's eyes")), SECRET);
	must(stat(below(0, SECRET), &secret) == 0, SECRET);
	must(mkdir(below(0, "model"), 0755) == 0, "model");
	must(mkdir(below(0, "model/sub"), 0755) == 0, "sub");
	must(write_whole(below(0, "model/sub/more.bin"), SV("0123456789abcdef")), "more.bin");
	must(symlink("data.bin", below(0, "model/here")) == 0, "here");
	must(symlink("..", below(0, "model/out")) == 0, "out");
	must(symlink("../" SECRET, below(0, "model/leak")) == 0, "leak");
	must(symlink("loop", below(0, "model/loop")) == 0, "loop");
	must(mkfifo(below(0, "model/pipe"), 0644) == 0, "pipe");
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_folder(const char *path)
{
	must(nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0, path);
}

/* ---- one input ---- */

static void check_open_file(void *context)
{
	const struct wire *w = context;
	const struct stat *st = &w->external.open.stamp;

	BUG_ON(w->external.open.open && st->st_ino == secret.st_ino && st->st_dev == secret.st_dev);
}

/* Copies the data; if that fails or is not allowed, there is an error or a note. */
static void save_elsewhere(struct wire *w, struct sv model)
{
	struct save_options options = {.force = true};
	struct save_report report = {0};
	struct patch none = {0};
	struct str bytes = {0};
	struct stat st;
	struct err err;

	/* Removed with everything copied into it. */
	must(mkdir(below(2, "other"), 0755) == 0, "other");
	if (wire_save(w, &none, below(3, "other/model.onnx"), &options, &report, &err)) {
		BUG_ON(!read_whole(below(3, "other/model.onnx"), &bytes));
		/* The data may be called model.onnx too; then the save must be refused. */
		BUG_ON(!sv_eq(str_sv(&bytes), model));
	} else {
		BUG_ON(count_entries(below(2, "other")) != 0);
	}
	BUG_ON(stat(below(3, SECRET), &st) != 0 || st.st_nlink != 1 || st.st_ino != secret.st_ino ||
	       st.st_size != secret.st_size);
	BUG_ON(count_entries(scratch_folder()) != 3); /* secret, model, other */
	remove_folder(below(2, "other"));
	str_release(&bytes);
	save_report_release(&report);
	patch_release(&none);
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	scratch_in_memory();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wishes wishes;
	struct str model;
	struct wire w;
	struct err err;

	if (size < HEADER)
		return 0;
	if (!secret.st_ino)
		make_folders();
	wishes = wishes_of(data, size);
	model = model_of(&wishes);
	must(write_whole(below(0, "model/data.bin"), wishes.data), "data.bin");
	must(write_whole(below(1, "model/model.onnx"), str_sv(&model)), "model.onnx");
	BUG_ON(!wire_open(&w, below(1, "model/model.onnx"), &err));
	look_at_model(&w.model, check_open_file, &w);
	if (wishes.flags & SAVED)
		save_elsewhere(&w, str_sv(&model));
	wire_release(&w);
	str_release(&model);
	return 0;
}
