#include "wire/scan.h"

#include <inttypes.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "wire/schema.h"

/* A message being walked. */
struct frame {
	const struct schema *schema; /* borrowed */
	const char *name;            /* borrowed: of the field it is in */
	uint32_t piece;
	uint64_t at;
	uint64_t end;
};

struct walk {
	struct bytes *bytes; /* borrowed */
	struct pieces *out;  /* borrowed */
	struct frame frames[SCAN_DEEPEST];
	size_t depth;
};

static void kill_message(struct pieces *p, uint32_t head)
{
	for (uint32_t i = head; i; i = p->at[i].next)
		p->at[i].dead = true;
}

/* The live child of `head` in field `number`; other cases of its oneof die. */
static uint32_t find_single(struct pieces *p, uint32_t head, uint32_t number, bool oneof)
{
	uint32_t *link = &p->at[head].single;
	uint32_t found = 0;

	/* At most one entry per singular field: the list stays short. */
	while (*link) {
		struct piece *child = &p->at[*link];

		if (child->number == number) {
			found = *link;
		} else if (oneof) {
			kill_message(p, *link);
			*link = child->older;
			continue;
		}
		link = &child->older;
	}
	return found;
}

static uint32_t wire_scan_add_piece(struct pieces *p, uint32_t parent, const struct field *f,
				    const ProtobufCFieldDescriptor *d)
{
	uint32_t id = (uint32_t)p->len;
	uint32_t owner = p->at[parent].head;
	uint32_t first = schema_repeated(d) ? 0 : find_single(p, owner, f->number, schema_oneof(d));

	*vec_add(p) = (struct piece){
		.tag_at = f->tag_at,
		.len = f->len,
		.parent = parent,
		.head = first ? first : id,
		.tail = id,
		.number = f->number,
		.tag_len = f->tag_len,
		.prefix_len = f->prefix_len,
	};
	if (first) {
		p->at[p->at[first].tail].next = id;
		p->at[first].tail = id;
	} else if (!schema_repeated(d)) {
		p->at[id].older = p->at[owner].single;
		p->at[owner].single = id;
	}
	return id;
}

static bool wire_scan_enter(struct walk *w, const struct schema *schema, const char *name,
			    uint32_t piece, struct err *err)
{
	const struct piece *p = &w->out->at[piece];

	if (w->depth == SCAN_DEEPEST)
		return err_set(err, ERR_LIMIT, "messages nest deeper than %d at byte %" PRIu64,
			       SCAN_DEEPEST, p->tag_at);
	w->frames[w->depth++] = (struct frame){
		.schema = schema,
		.name = name,
		.piece = piece,
		.at = piece_at(p),
		.end = piece_at(p) + p->len,
	};
	return true;
}

static void wire_scan_leave(struct walk *w)
{
	w->out->at[w->frames[--w->depth].piece].end = (uint32_t)w->out->len;
}

static bool check_packed(const struct field *f, const ProtobufCFieldDescriptor *d, struct err *err)
{
	size_t size = schema_packed_size(d);

	if (size && f->len % size)
		return err_set(err, ERR_FORMAT,
			       "the %" PRIu64 " %s at byte %" PRIu64 " %s not a list of %s", f->len,
			       PLURAL(f->len, "byte", "bytes"), f->tag_at,
			       PLURAL(f->len, "is", "are"), d->name);
	return true;
}

static void add_weight(struct pieces *p, uint32_t piece, uint64_t bytes)
{
	struct piece *head = &p->at[p->at[piece].head];

	head->heavy = (uint32_t)MIN((uint64_t)UINT32_MAX, (uint64_t)head->heavy + bytes);
}

static bool wire_scan_step(struct walk *w, struct err *err)
{
	struct frame *top = &w->frames[w->depth - 1];
	const struct schema_field *known;
	const ProtobufCFieldDescriptor *d;
	struct field f;

	if (!bytes_field(w->bytes, top->at, top->end, &f, err))
		return false;
	top->at = field_end(&f);
	known = schema_field(top->schema, f.number);
	d = known->descriptor;
	switch (schema_class(known, f.type)) {
	case FIELD_MESSAGE:
		if (w->out->len >= UINT32_MAX / 2)
			return err_set(err, ERR_LIMIT, "has more than 2^31 messages");
		return wire_scan_enter(w, known->child, d->name,
				       wire_scan_add_piece(w->out, top->piece, &f, d), err);
	case FIELD_NAME:
		if (f.len > SCAN_LONGEST_NAME)
			return err_set(err, ERR_LIMIT,
				       "the %s at byte %" PRIu64 " has %" PRIu64
				       " bytes; the maximum is %d",
				       d->name, f.tag_at, f.len, SCAN_LONGEST_NAME);
		return true;
	case FIELD_PAYLOAD_PACKED:
		add_weight(w->out, top->piece, f.len);
		return check_packed(&f, d, err);
	case FIELD_PAYLOAD_BYTES:
	case FIELD_PAYLOAD_NUMBER:
		add_weight(w->out, top->piece, field_end(&f) - f.tag_at);
		return true;
	case FIELD_UNKNOWN:
	case FIELD_SCALAR:
	case FIELD_CLASS_COUNT:
		break;
	}
	return true;
}

/* Prefixes the path of the damaged part: "in graph.node.attribute: why". */
static bool say_where(const struct walk *w, struct err *err)
{
	enum {
		ENDS = 4 /* a deep path is shortened to its first and last names */
	};
	struct str path = {0};

	for (size_t i = 1; i < w->depth; i++) {
		if (i > ENDS && i + ENDS < w->depth) {
			str_text(&path, i == ENDS + 1 ? "…" : "");
			continue;
		}
		str_format(&path, "%s%s", i > 1 ? "." : "", w->frames[i].name);
	}
	if (path.len)
		err_prefix(err, "in %s", str_c(&path));
	str_release(&path);
	return false;
}

bool scan(struct bytes *b, struct pieces *out, struct err *err)
{
	struct walk w = {.bytes = b, .out = out};

	*vec_add(out) = (struct piece){.len = b->file->size};
	if (!wire_scan_enter(&w, schema_model(), "", 0, err))
		return false;
	while (w.depth) {
		const struct frame *top = &w.frames[w.depth - 1];

		if (top->at == top->end)
			wire_scan_leave(&w);
		else if (!wire_scan_step(&w, err))
			return say_where(&w, err);
	}
	return true;
}

void pieces_release(struct pieces *p)
{
	vec_release(p);
}
