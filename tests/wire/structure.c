/*
 * Structural edits by splicing.  On every model: each edit of each object changes only its
 * line of the model, and its reverse restores the original bytes.  Then edits that interact
 * in one patch, and those that are refused.
 *
 * The argument is the folder with the test models.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "ir/build.h"
#include "tests/tap.h"
#include "tests/wire/dump.h"
#include "tests/wire/scratch.h"
#include "wire/encode.h"
#include "wire/patch_model.h"
#include "wire/save.h"

enum {
	MAX_OBJECTS = 40 /* of a kind in one model, spread over it */
};

static const char *models;

/* ---- one edit and its reverse ---- */

struct change {
	const char *path; /* borrowed */
	struct wire from;
	struct wire to;
	struct patch patch;
	struct str before, after;
	struct sv gone, added; /* lines */
	struct err err;
};

static bool open_or_tell(struct wire *w, const char *path)
{
	struct err err;

	if (wire_open(w, path, &err))
		return true;
	CHECK_THAT(false, "%s", err.text);
	return false;
}

static bool save_or_tell(struct wire *w, struct patch *p, const char *target)
{
	struct save_options options = {.force = true};
	struct save_report report = {0};
	struct err err;
	bool ok = wire_save(w, p, target, &options, &report, &err);

	CHECK_THAT(ok, "%s", ok ? "" : err.text);
	save_report_release(&report);
	patch_release(p);
	*p = (struct patch){0};
	return ok;
}

static bool begin(struct change *c, const char *path)
{
	*c = (struct change){.path = path};
	return open_or_tell(&c->from, path);
}

/* Saves the patch, opens the result, and finds what changed. */
static bool there(struct change *c)
{
	const char *path = scratch_path(0, "there.onnx");

	if (!save_or_tell(&c->from, &c->patch, path) || !open_or_tell(&c->to, path))
		return false;
	dump_model(&c->before, &c->from.model);
	dump_model(&c->after, &c->to.model);
	dump_difference(str_sv(&c->before), str_sv(&c->after), &c->gone, &c->added);
	return true;
}

static void check_back(struct change *c, const char *what)
{
	const char *path = scratch_path(1, "back.onnx");
	struct str first = {0}, back = {0};

	if (save_or_tell(&c->to, &c->patch, path)) {
		CHECK(read_whole(c->path, &first) && read_whole(path, &back));
		CHECK_THAT(sv_eq(str_sv(&first), str_sv(&back)),
			   "%s: %s and back: not the first bytes:\n%.*s%.*s", c->path, what,
			   (int)MIN(c->gone.len, 900u), c->gone.at, (int)MIN(c->added.len, 900u),
			   c->added.at);
	}
	str_release(&first);
	str_release(&back);
}

static void end(struct change *c)
{
	patch_release(&c->patch);
	str_release(&c->before);
	str_release(&c->after);
	wire_release(&c->from);
	wire_release(&c->to);
}

static size_t lines(struct sv text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += text.at[i] == '\n';
	return count;
}

static void check_lines(const struct change *c, size_t gone, size_t added, const char *what)
{
	CHECK_THAT(lines(c->gone) == gone && lines(c->added) == added,
		   "%s: %s: %zu lines became %zu:\n%.*s%.*s", c->path, what, lines(c->gone),
		   lines(c->added), (int)MIN(c->gone.len, 900u), c->gone.at,
		   (int)MIN(c->added.len, 900u), c->added.at);
}

/* ---- nodes ---- */

struct names {
	struct sv *at; /* owned */
	size_t len;
	size_t cap;
};

static struct names input_names(const struct model *m, const struct node *n)
{
	struct names out = {0};

	for (uint32_t i = 0; i < n->input_count; i++)
		vec_push(&out, model_name(m, m->values.at[n->inputs[i]].name));
	return out;
}

/*
 * Are a node's inputs its first fields, consecutive and in their shortest form?  Only then
 * can removed ones be restored byte by byte.
 */
static bool stands_together(const struct wire *w, uint32_t node)
{
	const struct field_form form = {.number = 1, .type = WIRE_BYTES};
	uint64_t at = piece_at(&w->pieces.at[node]);
	struct found_fields found = {0};
	struct err err;
	bool ok = fields_find(w, node, &form, 1, &found, &err);

	for (size_t i = 0; ok && i < found.len; at = field_end(&found.at[i++].field))
		ok = found.at[i].field.tag_at == at &&
		     found.at[i].field.prefix_len == varint_len(found.at[i].field.len);
	vec_release(&found);
	return ok;
}

/* Changes the inputs and changes them back. */
static void check_inputs(const char *path, uint32_t node, size_t cut, const char *add,
			 const char *rename)
{
	struct change c;
	struct names old, names;
	uint32_t origin;

	if (!begin(&c, path))
		return;
	origin = c.from.model.nodes.at[node].origin;
	old = input_names(&c.from.model, &c.from.model.nodes.at[node]);
	names = input_names(&c.from.model, &c.from.model.nodes.at[node]);
	names.len -= MIN(cut, names.len);
	if (rename && names.len)
		names.at[names.len / 2] = sv_of(rename);
	if (add) {
		vec_push(&names, SV(""));
		vec_push(&names, sv_of(add));
	}
	CHECK(patch_node_inputs(&c.patch, &c.from, origin, names.at, names.len, &c.err));
	if (there(&c)) {
		const struct node *now = &c.to.model.nodes.at[node];
		struct names got = input_names(&c.to.model, now);
		bool same = got.len == names.len;

		for (size_t i = 0; same && i < got.len; i++)
			same = sv_eq(got.at[i], names.at[i]);
		CHECK_THAT(same, "%s: node %u: other inputs", path, node);
		if (c.gone.len || c.added.len)
			check_lines(&c, 1, 1, "inputs");
		CHECK(patch_node_inputs(&c.patch, &c.to, now->origin, old.at, old.len, &c.err));
		if (!cut || stands_together(&c.from, origin))
			check_back(&c, "inputs");
		vec_release(&got);
	}
	vec_release(&old);
	vec_release(&names);
	end(&c);
}

static uint32_t find_node(const struct model *m, const char *name)
{
	for (uint32_t i = 1; i < m->nodes.len; i++) {
		if (sv_is(model_name(m, m->nodes.at[i].name), name))
			return i;
	}
	return 0;
}

/* A new node with the inputs of `like`. */
static struct node new_node(struct model *m, const struct node *like, const char *name)
{
	struct attr *attrs = arena_array(&m->arena, 2, struct attr);

	attrs[0] = (struct attr){
		.name = model_intern(m, SV("axis")), .kind = ATTR_INT, .i = -1, .count = 0};
	attrs[1] = (struct attr){.name = model_intern(m, SV("note")),
				 .kind = ATTR_STRING,
				 .text = SV("hello"),
				 .text_len = 5};
	return (struct node){
		.name = model_intern(m, sv_of(name)),
		.op = model_intern(m, SV("Made")),
		.domain = model_intern(m, SV("axed.test")),
		.inputs = like->inputs,
		.input_count = like->input_count,
		.attrs = attrs,
		.attr_count = 2,
	};
}

/* where: -1 before the node, 1 after it, 0 at the end of its graph. */
static void check_insert(const char *path, uint32_t node, int where)
{
	struct change c;
	const struct node *like;
	struct node made;
	uint32_t found;

	if (!begin(&c, path))
		return;
	like = &c.from.model.nodes.at[node];
	made = new_node(&c.from.model, like, "made_by_test");
	CHECK(patch_insert_node(&c.patch, &c.from, &c.from.model, like->graph,
				where < 0 ? like->origin : 0, where > 0 ? like->origin : 0, &made,
				&c.err));
	if (there(&c)) {
		struct str want = {0};

		dump_node(&want, &c.from.model, &made);
		check_lines(&c, 0, 1, "new node");
		found = find_node(&c.to.model, "made_by_test");
		CHECK(found && sv_eq(str_sv(&want), c.added));
		CHECK(c.to.model.nodes.at[found].index ==
		      (where ? like->index + (where > 0)
			     : c.from.model.graphs.at[like->graph].nodes.len));
		patch_remove(&c.patch, &c.to, c.to.model.nodes.at[found].origin);
		check_back(&c, "a new node");
		str_release(&want);
	}
	end(&c);
}

/* A copy of a node after it: the file must decode to the same lines. */
static void check_copy(const char *path, uint32_t node)
{
	struct change c;
	const struct node *n;
	struct str want = {0};

	if (!begin(&c, path))
		return;
	n = &c.from.model.nodes.at[node];
	if (!patch_insert_node(&c.patch, &c.from, &c.from.model, n->graph, 0, n->origin, n,
			       &c.err)) {
		CHECK_THAT(c.err.kind == ERR_REFUSED, "%s", c.err.text);
	} else if (there(&c)) {
		dump_node(&want, &c.from.model, n);
		check_lines(&c, 0, 1, "copied node");
		CHECK_THAT(sv_eq(str_sv(&want), c.added), "%s: copy of node %u:\n%s%.*s", path,
			   node, str_c(&want), (int)c.added.len, c.added.at);
	}
	str_release(&want);
	end(&c);
}

static bool has_body(const struct node *n)
{
	for (uint32_t i = 0; i < n->attr_count; i++) {
		if (n->attrs[i].kind == ATTR_GRAPH || n->attrs[i].kind == ATTR_GRAPHS)
			return true;
	}
	return false;
}

static void check_remove(const char *path, uint32_t node)
{
	struct change c;
	struct str want = {0};

	if (!begin(&c, path))
		return;
	patch_remove(&c.patch, &c.from, c.from.model.nodes.at[node].origin);
	if (there(&c) && !has_body(&c.from.model.nodes.at[node])) {
		dump_node(&want, &c.from.model, &c.from.model.nodes.at[node]);
		check_lines(&c, 1, 0, "removed node");
		CHECK(sv_eq(str_sv(&want), c.gone));
	}
	str_release(&want);
	end(&c);
}

static void check_new_attr(const char *path, uint32_t node)
{
	struct change c;
	struct node made;
	const struct node *n;

	if (!begin(&c, path))
		return;
	n = &c.from.model.nodes.at[node];
	made = new_node(&c.from.model, n, "unused");
	for (uint32_t i = 0; i < made.attr_count; i++)
		CHECK(patch_insert_attr(&c.patch, &c.from, n->origin, &c.from.model, &made.attrs[i],
					&c.err));
	if (there(&c)) {
		const struct node *now = &c.to.model.nodes.at[node];

		check_lines(&c, 1, 1, "new attributes");
		CHECK(now->attr_count == n->attr_count + 2);
		for (uint32_t i = n->attr_count; i < now->attr_count; i++)
			patch_remove(&c.patch, &c.to, now->attrs[i].origin);
		check_back(&c, "new attributes");
	}
	end(&c);
}

static void check_nodes(const char *path, size_t count)
{
	for (uint32_t i = 1; i < count; i += (uint32_t)(count / MAX_OBJECTS + 1)) {
		check_inputs(path, i, 0, NULL, NULL);
		check_inputs(path, i, 0, NULL, "another_name_for_it");
		check_inputs(path, i, 0, "one_more", "");
		check_inputs(path, i, 1, NULL, NULL);
		check_inputs(path, i, 1, "instead", "renamed");
		check_insert(path, i, -1);
		check_insert(path, i, 0);
		check_insert(path, i, 1);
		check_copy(path, i);
		check_remove(path, i);
		check_new_attr(path, i);
	}
}

/* ---- tensors ---- */

static struct tensor with_words(struct model *m, const struct tensor *like,
				const struct numbers *words)
{
	struct tensor t = {.name = like->name,
			   .elem = like->elem,
			   .rank = like->rank,
			   .dims = like->dims,
			   .data = {.count = 1, .chunks = arena_new(&m->arena, struct chunk)}};
	struct str raw = {0};

	str_raw(&raw, words, elem_raw_width(like->elem));
	*t.data.chunks = (struct chunk){.place = CHUNK_MEMORY,
					.coding = CODING_RAW,
					.memory = arena_copy(&m->arena, str_sv(&raw)).at,
					.len = raw.len};
	str_release(&raw);
	return t;
}

/* Elements in memory, in any form; false if they cannot be read as words. */
static bool have_words(struct model *m, const struct tensor *t, struct numbers *out)
{
	struct tensor whole = *t;
	struct chunk chunk = {.place = CHUNK_MEMORY, .coding = CODING_RAW};
	void *bytes;
	uint64_t len = tensor_stored_bytes(t);
	struct err err;

	if (numbers_of_tensor(out, t, &err))
		return true;
	vec_clear(out);
	if (!t->external || len > 4096 || t->data.chunks[0].place != CHUNK_EXTERNAL)
		return false;
	chunk.len = len;
	chunk.memory = bytes = arena_alloc(&m->arena, len);
	if (!m->bytes.read(m->bytes.context, t->external, t->data.chunks[0].at, bytes, len, &err))
		return false;
	whole.data.chunks = &chunk;
	return numbers_of_tensor(out, &whole, &err);
}

/* Adds an axis of 2, doubling the elements. */
static void grow(struct model *m, struct tensor *t)
{
	int64_t *dims = arena_array(&m->arena, t->rank + 1, int64_t);

	for (uint32_t i = 0; i < t->rank; i++)
		dims[i] = t->dims[i];
	dims[t->rank++] = 2;
	t->dims = dims;
}

static void check_elements(struct change *c, uint32_t id, const struct tensor *old,
			   const struct tensor *to, const struct numbers *want)
{
	const struct tensor *now = &c->to.model.tensors.at[id];
	enum elem_class class = elem_info(now->elem)->class;
	unsigned unused = 64 - 8 * elem_raw_width(now->elem);
	struct numbers got = {0};

	/* A NaN may have become another: the lines do not show that. */
	if (c->gone.len || (class != ELEM_CLASS_FLOAT && class != ELEM_CLASS_COMPLEX))
		check_lines(c, 1, 1, "elements");
	CHECK(!now->external && have_words(&c->to.model, now, &got));
	CHECK(got.len == want->len && now->rank == to->rank && now->elem == old->elem);
	CHECK(now->data.field == old->data.field);
	for (size_t i = 0; i < MIN(got.len, want->len); i++)
		CHECK((got.at[i] ^ want->at[i]) << unused == 0);
	vec_release(&got);
}

/* Elements in raw_data, changed in place: nothing else in the file changes. */
static void check_differing(const struct change *c, size_t expected)
{
	struct str before = {0}, after = {0};
	size_t differing = 0;

	CHECK(read_whole(c->path, &before) && read_whole(scratch_path(0, "there.onnx"), &after) &&
	      before.len == after.len);
	for (size_t i = 0; i < MIN(before.len, after.len); i++)
		differing += before.at[i] != after.at[i];
	CHECK_THAT(differing == expected, "%s: %zu bytes differ, %zu expected", c->path, differing,
		   expected);
	str_release(&before);
	str_release(&after);
}

static void flip(struct numbers *words)
{
	for (size_t i = 0; i < words->len; i += 2)
		words->at[i] ^= 1;
}

static void check_tensor(const char *path, uint32_t id, bool longer)
{
	struct numbers words = {0};
	struct change c;
	struct tensor old, to;
	size_t count;

	if (!begin(&c, path))
		return;
	old = c.from.model.tensors.at[id];
	if (!old.origin || !have_words(&c.from.model, &old, &words) || words.len > 1024 ||
	    (!longer && words.len == 0) || elem_info(old.elem)->bits < (longer ? 8 : 0))
		goto out;
	count = words.len;
	flip(&words);
	for (size_t i = 0; longer && i < count; i++)
		vec_push(&words, 0x0123456789abcdef >> (8 * (i % 8)));
	to = with_words(&c.from.model, &old, &words);
	if (longer)
		grow(&c.from.model, &to);
	if (!CHECK_THAT(patch_tensor(&c.patch, &c.from, old.origin, &to, &c.err), "%s: %s", path,
			c.err.text))
		goto out;
	if (there(&c)) {
		check_elements(&c, id, &old, &to, &words);
		if (!longer && !old.external && old.data.chunks[0].coding == CODING_RAW)
			check_differing(&c, (words.len + 1) / 2);
		words.len = count;
		flip(&words);
		to = with_words(&c.to.model, &old, &words);
		CHECK(patch_tensor(&c.patch, &c.to, c.to.model.tensors.at[id].origin, &to, &c.err));
		if (!old.external)
			check_back(&c, longer ? "twice the elements" : "other elements");
	}
out:
	vec_release(&words);
	end(&c);
}

/* ---- attributes ---- */

static struct data small_numbers(struct model *m, size_t count, int32_t elem)
{
	struct numbers list = {0};
	struct data data;

	for (size_t i = 0; i < count; i++)
		vec_push(&list, 7 + 2 * i);
	data = with_words(m, &(struct tensor){.elem = elem}, &list).data;
	vec_release(&list);
	return data;
}

/* A list may only grow: a shortened one cannot always be restored. */
static struct attr other_value(struct model *m, const struct attr *old, size_t more)
{
	static const struct sv texts[] = {{"first", 5}, {"", 0}, {"third", 5}};
	static struct chunk views = {CHUNK_MEMORY, CODING_VIEWS, texts, 0, sizeof(texts)};
	struct attr to = *old;

	switch (old->kind) {
	case ATTR_INT:
		to.i = old->i + 1000;
		break;
	case ATTR_FLOAT:
		to.f = 0x1.8p70f;
		break;
	case ATTR_STRING:
		to.text = SV("quite another text");
		to.text_len = to.text.len;
		break;
	case ATTR_INTS:
		to.list = small_numbers(m, old->count + more, ELEM_INT64);
		break;
	case ATTR_FLOATS:
		to.list = small_numbers(m, old->count + more, ELEM_FLOAT32);
		break;
	case ATTR_STRINGS:
		to.list = (struct data){.chunks = &views, .count = 1};
		break;
	default:
		to.kind = ATTR_UNDEFINED;
	}
	return to;
}

static void check_attr(const char *path, uint32_t node, uint32_t which, size_t more)
{
	struct change c;
	const struct attr *old;
	struct attr to;

	if (!begin(&c, path))
		return;
	old = &c.from.model.nodes.at[node].attrs[which];
	to = other_value(&c.from.model, old, more);
	if (to.kind == ATTR_UNDEFINED || old->ref ||
	    ((old->kind == ATTR_INTS || old->kind == ATTR_FLOATS) && old->count + more == 0))
		goto out;
	CHECK(patch_attr(&c.patch, &c.from, old->origin, &c.from.model, &to, &c.err));
	if (there(&c)) {
		struct found_fields value = {0};
		uint32_t now = c.to.model.nodes.at[node].attrs[which].origin;

		check_lines(&c, 1, 1, "attribute");
		CHECK(fields_find(&c.from, old->origin, attr_form(old->kind), 1, &value, &c.err));
		if (patch_attr(&c.patch, &c.to, now, &c.from.model, old, &c.err) && value.len)
			check_back(&c, "an attribute");
		vec_release(&value);
	}
out:
	end(&c);
}

static void check_attrs(const char *path, const struct model *m)
{
	for (uint32_t i = 1; i < m->nodes.len; i += (uint32_t)(m->nodes.len / MAX_OBJECTS + 1)) {
		for (uint32_t j = 0; j < m->nodes.at[i].attr_count; j++) {
			check_attr(path, i, j, 0);
			check_attr(path, i, j, 3);
		}
	}
}

/* ---- claims ---- */

/* A copy of a claim, at the end of its graph. */
static void check_claim(const char *path, uint32_t graph, uint32_t id)
{
	struct change c;
	struct claim copy;
	uint32_t now;

	if (!begin(&c, path))
		return;
	copy = c.from.model.claims.at[id];
	copy.kind = CLAIM_VALUE_INFO;
	copy.name = model_intern(&c.from.model, SV("claimed_by_test"));
	CHECK(patch_append_claim(&c.patch, &c.from, &c.from.model, graph, &copy, &c.err));
	if (there(&c)) {
		struct str want = {0};

		dump_claim(&want, &c.from.model, &copy);
		check_lines(&c, 0, 1, "claim");
		CHECK_THAT(sv_eq(str_sv(&want), c.added), "%s: %s became %.*s", path, str_c(&want),
			   (int)c.added.len, c.added.at);
		now = model_find(&c.to.model, graph, SV("claimed_by_test"));
		patch_remove(&c.patch, &c.to,
			     c.to.model.claims.at[c.to.model.values.at[now].first_claim].origin);
		check_back(&c, "a claim");
		str_release(&want);
	}
	end(&c);
}

static void check_claims(const char *path, const struct model *m)
{
	for (uint32_t g = 0; g < m->graphs.len; g++) {
		const struct graph *graph = &m->graphs.at[g];

		for (size_t i = 0; i < graph->claims.len; i += graph->claims.len / MAX_OBJECTS + 1)
			check_claim(path, g, graph->claims.at[i]);
	}
}

/* A copy of a tensor, as a new initializer. */
static void check_new_tensor(const char *path, uint32_t id)
{
	struct change c;
	struct tensor copy;

	if (!begin(&c, path))
		return;
	copy = c.from.model.tensors.at[id];
	copy.name = model_intern(&c.from.model, SV("made_by_test"));
	if (!patch_append_tensor(&c.patch, &c.from, &c.from.model, 0, &copy, &c.err)) {
		CHECK_THAT(c.err.kind == ERR_REFUSED, "%s", c.err.text);
	} else if (there(&c)) {
		const struct graph *g = &c.to.model.graphs.at[0];
		uint32_t now = g->initializers.at[g->initializers.len - 1];

		check_lines(&c, 0, 1, "initializer");
		patch_remove(&c.patch, &c.to, c.to.model.tensors.at[now].origin);
		check_back(&c, "an initializer");
	}
	end(&c);
}

/* ---- every model ---- */

static void check_model(const char *path)
{
	struct wire w;
	size_t step;

	if (!open_or_tell(&w, path))
		return;
	check_nodes(path, w.model.nodes.len);
	check_attrs(path, &w.model);
	check_claims(path, &w.model);
	step = w.model.tensors.len / MAX_OBJECTS + 1;
	for (uint32_t i = 1; i < w.model.tensors.len; i += (uint32_t)step) {
		check_tensor(path, i, false);
		check_tensor(path, i, true);
		if (w.model.graphs.at[0].origin)
			check_new_tensor(path, i);
	}
	wire_release(&w);
}

TEST(every_edit_of_every_model_and_back)
{
	DIR *dir = opendir(models);
	struct str path = {0};
	struct dirent *entry;
	int count = 0;

	while (dir && (entry = readdir(dir))) {
		struct sv name = sv_of(entry->d_name);

		if (!sv_ends(name, SV(".onnx")) || sv_is(name, "too_deep.onnx"))
			continue;
		str_clear(&path);
		str_format(&path, "%s/%s", models, entry->d_name);
		check_model(str_c(&path));
		count++;
	}
	if (dir)
		closedir(dir);
	str_release(&path);
	CHECK(count > 40);
}

/* ---- several edits in one patch ---- */

static const char *model(const char *name)
{
	static struct str path;

	str_clear(&path);
	str_format(&path, "%s/%s", models, name);
	return str_c(&path);
}

/* All of these are at the very end of the file's graph: the inner ones come first. */
TEST(edits_at_one_place_keep_their_order)
{
	struct change c;
	struct model *m;
	struct node *last, first, second;
	struct claim claim = {.kind = CLAIM_VALUE_INFO};
	uint32_t id;

	if (!begin(&c, model("nested.onnx")))
		return;
	m = &c.from.model;
	id = *vec_last(&m->graphs.at[m->graphs.len - 1].nodes);
	last = &m->nodes.at[id];
	first = new_node(m, last, "first_made");
	second = new_node(m, last, "second_made");
	claim.name = model_intern(m, SV("claimed_by_test"));
	CHECK(patch_append_claim(&c.patch, &c.from, m, last->graph, &claim, &c.err));
	CHECK(patch_insert_node(&c.patch, &c.from, m, last->graph, 0, last->origin, &first,
				&c.err));
	CHECK(patch_insert_node(&c.patch, &c.from, m, last->graph, 0, last->origin, &second,
				&c.err));
	CHECK(patch_insert_attr(&c.patch, &c.from, last->origin, m, &first.attrs[0], &c.err));
	CHECK(patch_insert_attr(&c.patch, &c.from, last->origin, m, &first.attrs[1], &c.err));
	if (there(&c)) {
		const struct node *now = &c.to.model.nodes.at[id];
		uint32_t made[2] = {find_node(&c.to.model, "first_made"),
				    find_node(&c.to.model, "second_made")};
		uint32_t value = model_find(&c.to.model, last->graph, SV("claimed_by_test"));

		CHECK(made[0] && c.to.model.nodes.at[made[0]].index == last->index + 1);
		CHECK(made[1] && c.to.model.nodes.at[made[1]].index == last->index + 2);
		CHECK(now->attr_count == last->attr_count + 2);
		for (uint32_t i = last->attr_count; i < now->attr_count; i++)
			patch_remove(&c.patch, &c.to, now->attrs[i].origin);
		for (size_t i = 0; i < ARRAY_LEN(made); i++)
			patch_remove(&c.patch, &c.to, c.to.model.nodes.at[made[i]].origin);
		patch_remove(&c.patch, &c.to,
			     c.to.model.claims.at[c.to.model.values.at[value].first_claim].origin);
		check_back(&c, "five edits");
	}
	end(&c);
}

TEST(a_new_node_takes_the_place_of_a_removed_one)
{
	struct change c;
	struct node made;

	if (!begin(&c, model("split.onnx")))
		return;
	made = new_node(&c.from.model, &c.from.model.nodes.at[1], "made_by_test");
	patch_remove(&c.patch, &c.from, c.from.model.nodes.at[1].origin);
	CHECK(patch_insert_node(&c.patch, &c.from, &c.from.model, c.from.model.nodes.at[1].graph,
				c.from.model.nodes.at[1].origin, 0, &made, &c.err));
	if (there(&c)) {
		check_lines(&c, 1, 1, "a node instead of another");
		CHECK(find_node(&c.to.model, "made_by_test") == 1);
	}
	end(&c);
}

TEST(an_edit_inside_what_is_removed_is_refused)
{
	struct change c;
	struct attr attr = {.kind = ATTR_INT};
	uint64_t size;

	if (!begin(&c, model("if.onnx")))
		return;
	patch_remove(&c.patch, &c.from, c.from.model.nodes.at[1].origin);
	CHECK(patch_insert_attr(&c.patch, &c.from, c.from.model.nodes.at[1].origin, &c.from.model,
				&attr, &c.err));
	CHECK(!patch_finish(&c.patch, &c.from, &size, &c.err));
	CHECK(c.err.kind == ERR_REFUSED);
	end(&c);
}

/* ---- attributes of another kind ---- */

static uint32_t find_attr(const struct model *m, enum attr_kind kind, bool ref, uint32_t *out)
{
	for (uint32_t i = 1; i < m->nodes.len; i++) {
		for (uint32_t j = 0; j < m->nodes.at[i].attr_count; j++) {
			const struct attr *a = &m->nodes.at[i].attrs[j];

			*out = j;
			if (ref ? a->ref != 0 : a->kind == kind && !a->ref)
				return i;
		}
	}
	return 0;
}

static void check_kind(const char *name, enum attr_kind from, bool ref)
{
	struct change c;
	struct attr to = {.kind = ATTR_INTS};
	uint32_t which = 0, node;

	if (!begin(&c, model(name)))
		return;
	node = find_attr(&c.from.model, from, ref, &which);
	if (!CHECK_THAT(node, "%s: no such attribute", name))
		goto out;
	to.list = small_numbers(&c.from.model, 2, ELEM_INT64);
	CHECK(patch_attr(&c.patch, &c.from, c.from.model.nodes.at[node].attrs[which].origin,
			 &c.from.model, &to, &c.err));
	if (there(&c)) {
		const struct attr *now = &c.to.model.nodes.at[node].attrs[which];
		struct numbers got = {0};

		CHECK(now->kind == ATTR_INTS && now->count == 2 && !now->ref);
		CHECK(numbers_of_attr(&got, now, &c.err) && got.len == 2 && got.at[0] == 7 &&
		      got.at[1] == 9);
		check_lines(&c, 1, 1, "another kind");
		vec_release(&got);
	}
out:
	end(&c);
}

TEST(an_attribute_becomes_one_of_another_kind)
{
	check_kind("attributes.onnx", ATTR_INT, false);
	check_kind("attributes.onnx", ATTR_STRINGS, false);
	check_kind("attributes.onnx", ATTR_TENSOR, false);
	check_kind("functions.onnx", ATTR_UNDEFINED, true);
}

TEST(a_list_becomes_empty_and_keeps_its_kind)
{
	struct change c;
	struct attr to = {.kind = ATTR_INTS};
	uint32_t which = 0, node;

	if (!begin(&c, model("attributes.onnx")))
		return;
	node = find_attr(&c.from.model, ATTR_INTS, false, &which);
	CHECK(patch_attr(&c.patch, &c.from, c.from.model.nodes.at[node].attrs[which].origin,
			 &c.from.model, &to, &c.err));
	if (there(&c))
		CHECK(c.to.model.nodes.at[node].attrs[which].kind == ATTR_INTS &&
		      c.to.model.nodes.at[node].attrs[which].count == 0);
	end(&c);
}

/* ---- refused ---- */

TEST(what_cannot_be_written_is_refused)
{
	int64_t three = 3;
	struct str long_name = {0};
	struct change c;
	struct sv name;
	struct tensor short_one = {.elem = ELEM_INT64, .rank = 1, .dims = &three};
	struct attr cut = {.kind = ATTR_STRING, .text_len = 5000};
	struct str out = {0};

	str_repeat(&long_name, 'x', SCAN_LONGEST_NAME + 1);
	name = str_sv(&long_name);
	if (!begin(&c, model("if.onnx")))
		return;
	CHECK(!patch_node_inputs(&c.patch, &c.from, c.from.model.nodes.at[1].origin, &name, 1,
				 &c.err));
	CHECK(c.err.kind == ERR_LIMIT);
	CHECK(!encode_tensor(&out, &c.from.model, &short_one, &c.err));
	CHECK(c.err.kind == ERR_REFUSED);
	CHECK(!encode_attr(&out, &c.from.model, &cut, &c.err));
	CHECK(c.err.kind == ERR_REFUSED);
	CHECK(!patch_tensor(&c.patch, &c.from, c.from.model.tensors.at[1].origin, &short_one,
			    &c.err));
	CHECK_THAT(c.patch.splices.len == 0, "what was refused stays in the patch");
	str_release(&out);
	str_release(&long_name);
	end(&c);
}

static const struct tap_test tests[] = {
	T(every_edit_of_every_model_and_back),
	T(edits_at_one_place_keep_their_order),
	T(a_new_node_takes_the_place_of_a_removed_one),
	T(an_edit_inside_what_is_removed_is_refused),
	T(an_attribute_becomes_one_of_another_kind),
	T(a_list_becomes_empty_and_keeps_its_kind),
	T(what_cannot_be_written_is_refused),
};

int main(int count, char **words)
{
	int result;

	if (count != 2)
		return 99;
	models = words[1];
	result = tap_main(tests, (int)ARRAY_LEN(tests));
	scratch_remove();
	return result;
}
