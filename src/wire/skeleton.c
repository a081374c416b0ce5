#include "wire/skeleton.h"

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "wire/bytes.h"
#include "wire/schema.h"

enum {
	LENGTH_WIDTH = 5,          /* of a length that is filled in later */
	LARGEST_SKELETON = 1 << 30 /* bytes */
};

/* The size of one field that may stay in the file. */
struct tally {
	uint64_t bytes;
	uint64_t last; /* where its last occurrence is: of a singular field only that counts */
};

/* Consecutive unpacked elements that stay in the file. */
struct run {
	uint32_t number;
	uint64_t at;
	uint64_t end;
	uint64_t count;
};

struct emit {
	struct bytes *bytes;         /* borrowed */
	const struct pieces *pieces; /* borrowed */
	struct skeleton *skeleton;   /* borrowed */
	struct str *out;             /* borrowed: the part being written */
	uint32_t main_graph;         /* its head; 0 until found */
};

/* One message being written. */
struct message {
	const struct schema *schema; /* borrowed */
	uint32_t head;
	struct tally *tally; /* borrowed, by field number; NULL: nothing stays in the file */
	struct run run;
};

static bool emit_message(struct emit *e, uint32_t head, const struct schema *schema,
			 struct err *err);

static bool skeleton_changed(struct err *err)
{
	return err_set(err, ERR_FORMAT, "changed while it was being read");
}

/* ---- lengths filled in later ---- */

static size_t begin_length(struct str *out)
{
	str_varint_padded(out, 0, LENGTH_WIDTH);
	return out->len;
}

static bool end_length(struct str *out, size_t start, struct err *err)
{
	uint64_t len = out->len - start;

	if (out->len > LARGEST_SKELETON)
		return err_set(err, ERR_LIMIT, "has more than 1 GiB besides its weights");
	for (size_t i = 0; i < LENGTH_WIDTH; i++, len >>= 7)
		out->at[start - LENGTH_WIDTH + i] = (char)((len & 0x7f) |
							   (i + 1 < LENGTH_WIDTH ? 0x80 : 0));
	return true;
}

/* ---- notes ---- */

static void emit_note(struct str *out, uint32_t number, uint64_t value)
{
	str_tag(out, number, WIRE_VARINT);
	str_varint(out, value);
}

static bool emit_payload(struct emit *e, uint32_t number, uint64_t at, uint64_t len, uint64_t count,
			 struct err *err)
{
	size_t start;

	str_tag(e->out, FIELD_PAYLOAD, WIRE_BYTES);
	start = begin_length(e->out);
	emit_note(e->out, 1, number);
	emit_note(e->out, 2, at);
	emit_note(e->out, 3, len);
	if (count)
		emit_note(e->out, 4, count);
	return end_length(e->out, start, err);
}

static bool flush_run(struct emit *e, struct message *m, struct err *err)
{
	struct run run = m->run;

	m->run = (struct run){0};
	return run.count == 0 ||
	       emit_payload(e, run.number, run.at, run.end - run.at, run.count, err);
}

static bool add_to_run(struct emit *e, struct message *m, const struct field *f, struct err *err)
{
	if (m->run.number != f->number || m->run.end != f->tag_at) {
		if (!flush_run(e, m, err))
			return false;
		m->run = (struct run){.number = f->number, .at = f->tag_at};
	}
	m->run.end = field_end(f);
	m->run.count++;
	return true;
}

/* ---- fields ---- */

static bool emit_contents(struct emit *e, const struct field *f, struct err *err)
{
	struct str *out = e->out;
	size_t len = (size_t)f->len;

	str_tag(out, f->number, WIRE_BYTES);
	str_varint(out, f->len);
	str_repeat(out, 0, len);
	return bytes_copy(e->bytes, f->at, f->len, out->at + out->len - len, err);
}

static bool emit_scalar(struct emit *e, const struct field *f, struct err *err)
{
	uint64_t value;
	uint8_t len;

	str_tag(e->out, f->number, f->type);
	if (f->type == WIRE_VARINT) {
		if (!bytes_varint(e->bytes, f->at, field_end(f), &value, &len, err))
			return false;
		str_varint(e->out, value);
		return true;
	}
	str_repeat(e->out, 0, (size_t)f->len);
	return bytes_copy(e->bytes, f->at, f->len, e->out->at + e->out->len - f->len, err);
}

/* protobuf-c assumes that packed numbers end where the field ends. */
static bool emit_packed(struct emit *e, const struct field *f, const ProtobufCFieldDescriptor *d,
			struct err *err)
{
	size_t start;
	uint64_t at = f->at, value;
	uint8_t len;

	if (schema_packed_size(d))
		return emit_contents(e, f, err);
	str_tag(e->out, f->number, WIRE_BYTES);
	start = begin_length(e->out);
	for (; at < field_end(f); at += len) {
		if (!bytes_varint(e->bytes, at, field_end(f), &value, &len, err))
			return false;
		str_varint(e->out, value);
	}
	return end_length(e->out, start, err);
}

static bool stays_in_file(const struct message *m, uint32_t number)
{
	return m->tally && m->tally[number].bytes > SCAN_LARGEST_INLINE;
}

static bool emit_bytes(struct emit *e, struct message *m, const struct field *f,
		       const ProtobufCFieldDescriptor *d, struct err *err)
{
	if (schema_repeated(d))
		return stays_in_file(m, f->number) ? add_to_run(e, m, f, err)
						   : emit_contents(e, f, err);
	if (m->tally && m->tally[f->number].last != f->tag_at)
		return true;
	if (m->tally && f->len > SCAN_LARGEST_INLINE)
		return emit_payload(e, f->number, f->at, f->len, 0, err);
	return emit_contents(e, f, err);
}

static bool emit_whole(struct emit *e, uint32_t id, uint32_t number, const struct schema *schema,
		       struct err *err)
{
	size_t start;

	str_tag(e->out, number, WIRE_BYTES);
	start = begin_length(e->out);
	return emit_message(e, id, schema, err) && end_length(e->out, start, err);
}

static bool emit_part(struct emit *e, uint32_t id, const struct schema *schema, struct parts *parts,
		      struct err *err)
{
	struct str *rest = e->out;
	bool ok;

	e->out = &parts->bytes;
	ok = emit_message(e, id, schema, err);
	vec_push(&parts->ends, e->out->len);
	e->out = rest;
	return ok;
}

/* Where a field of the main graph goes, or NULL: it stays in its graph. */
static struct parts *emit_parts(struct emit *e, uint32_t number)
{
	switch (number) {
	case FIELD_GRAPH_INITIALIZER:
		return &e->skeleton->initializers;
	case FIELD_GRAPH_NODE:
		return &e->skeleton->nodes;
	default:
		return NULL;
	}
}

static bool emit_child(struct emit *e, const struct message *m, const struct field *f,
		       const struct schema *schema, uint32_t *child, struct err *err)
{
	uint32_t id = *child;
	const struct piece *p = &e->pieces->at[id];
	struct parts *parts = NULL;

	if (id >= e->pieces->len || p->tag_at != f->tag_at || p->len != f->len)
		return skeleton_changed(err);
	*child = p->end;
	if (p->dead || p->head != id)
		return true;
	if (m->head == 0 && f->number == FIELD_MODEL_GRAPH)
		e->main_graph = id;
	if (m->head && m->head == e->main_graph)
		parts = emit_parts(e, f->number);
	return parts ? emit_part(e, id, schema, parts, err)
		     : emit_whole(e, id, f->number, schema, err);
}

static bool emit_field(struct emit *e, struct message *m, const struct field *f, uint32_t *child,
		       struct err *err)
{
	const struct schema_field *known = schema_field(m->schema, f->number);
	const ProtobufCFieldDescriptor *d = known->descriptor;

	switch (schema_class(known, f->type)) {
	case FIELD_MESSAGE:
		return emit_child(e, m, f, known->child, child, err);
	case FIELD_NAME:
		return f->len > SCAN_LONGEST_NAME ? skeleton_changed(err)
						  : emit_contents(e, f, err);
	case FIELD_PAYLOAD_BYTES:
		return emit_bytes(e, m, f, d, err);
	case FIELD_PAYLOAD_PACKED:
		return stays_in_file(m, f->number)
			       ? emit_payload(e, f->number, f->at, f->len, 0, err)
			       : emit_packed(e, f, d, err);
	case FIELD_PAYLOAD_NUMBER:
		return stays_in_file(m, f->number) ? add_to_run(e, m, f, err)
						   : emit_scalar(e, f, err);
	case FIELD_SCALAR:
		return emit_scalar(e, f, err);
	case FIELD_UNKNOWN:
	case FIELD_CLASS_COUNT:
		break;
	}
	return true;
}

/* ---- messages ---- */

/* The size of each field that may stay in the file, over all pieces of the message. */
static bool tally_message(struct emit *e, struct message *m, uint32_t head, struct err *err)
{
	for (uint32_t id = head;;) {
		const struct piece *p = &e->pieces->at[id];
		struct field f;

		for (uint64_t at = piece_at(p); at < piece_at(p) + p->len; at = field_end(&f)) {
			if (!bytes_field(e->bytes, at, piece_at(p) + p->len, &f, err))
				return false;
			if (schema_class(schema_field(m->schema, f.number), f.type) ==
			    FIELD_UNKNOWN)
				continue;
			m->tally[f.number].bytes += field_end(&f) - f.tag_at;
			m->tally[f.number].last = f.tag_at;
		}
		id = p->next;
		if (!id)
			return true;
	}
}

static bool emit_piece(struct emit *e, struct message *m, uint32_t id, struct err *err)
{
	const struct piece *p = &e->pieces->at[id];
	uint64_t end = piece_at(p) + p->len;
	uint32_t child = id + 1;
	struct field f;

	for (uint64_t at = piece_at(p); at < end; at = field_end(&f)) {
		if (!bytes_field(e->bytes, at, end, &f, err) || !emit_field(e, m, &f, &child, err))
			return false;
	}
	return flush_run(e, m, err);
}

static bool emit_pieces(struct emit *e, struct message *m, struct err *err)
{
	if (m->schema->has_piece)
		emit_note(e->out, FIELD_PIECE, m->head);
	for (uint32_t id = m->head;;) {
		if (!emit_piece(e, m, id, err))
			return false;
		id = e->pieces->at[id].next;
		if (!id)
			return true;
	}
}

static bool emit_heavy(struct emit *e, uint32_t head, const struct schema *schema, struct err *err)
{
	struct tally tally[SCHEMA_NUMBERS] = {0};
	struct message m = {.schema = schema, .head = head, .tally = tally};

	return tally_message(e, &m, head, err) && emit_pieces(e, &m, err);
}

static bool emit_message(struct emit *e, uint32_t head, const struct schema *schema,
			 struct err *err)
{
	struct message m = {.schema = schema, .head = head};

	if (e->pieces->at[head].heavy > SCAN_LARGEST_INLINE && schema->has_payload)
		return emit_heavy(e, head, schema, err);
	return emit_pieces(e, &m, err);
}

bool skeleton_write(struct bytes *b, const struct pieces *pieces, struct skeleton *out,
		    struct err *err)
{
	struct emit e = {.bytes = b, .pieces = pieces, .skeleton = out, .out = &out->rest};

	return emit_message(&e, 0, schema_model(), err);
}

static void parts_release(struct parts *p)
{
	str_release(&p->bytes);
	vec_release(&p->ends);
}

void skeleton_release(struct skeleton *s)
{
	str_release(&s->rest);
	parts_release(&s->initializers);
	parts_release(&s->nodes);
}
