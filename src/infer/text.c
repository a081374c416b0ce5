#include "infer/text.h"

#include "base/utf8.h"
#include "ir/type.h"
#include "sym/text.h"

/* ---- walks ---- */

void dims_walk(const struct sym *dims, uint32_t count, const struct info_pen *pen)
{
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			pen->text(pen->context, SV(", "), true);
		if (!pen->dim(pen->context, dims[i], i)) {
			pen->text(pen->context, SV("\u2026"), true);
			return;
		}
	}
}

static bool text_is_tensor(const struct info *info)
{
	return info->kind == TYPE_TENSOR || info->kind == TYPE_SPARSE;
}

static void text_walk_shape(const struct info *info, const struct info_pen *pen)
{
	if (!text_is_tensor(info)) {
		pen->text(pen->context, sv_of(info->kind ? type_kind_name(info->kind) : "?"),
			  info->kind != TYPE_NONE);
	} else if (!info->ranked) {
		pen->text(pen->context, SV("[?]"), false);
	} else {
		pen->text(pen->context, SV("["), true);
		dims_walk(info->dims, info->rank, pen);
		pen->text(pen->context, SV("]"), true);
	}
}

void info_walk(const struct info *info, enum info_part part, const struct info_pen *pen)
{
	struct str head = {0};

	if (part == INFO_SHAPE) {
		text_walk_shape(info, pen);
		return;
	}
	for (; info; info = info->inner) {
		str_clear(&head);
		type_print_head(&head, info->kind, info->elem, info->inner != NULL,
				part == INFO_SHORT_TYPE);
		str_text(&head, text_is_tensor(info) && info->ranked ? " " : "");
		pen->text(pen->context, str_sv(&head), info->kind != TYPE_NONE);
		if (text_is_tensor(info) && info->ranked)
			text_walk_shape(info, pen);
	}
	str_release(&head);
}

void text_walk(const struct sym_pool *p, struct sv text, dim_piece *piece, void *context)
{
	struct str scratch = {0};
	size_t at = 0, done = 0;
	struct sv name;
	uint32_t symbol;

	while (sym_text_next_name(text, &at, &scratch, &name)) {
		/* A name in backquotes is longer as printed. */
		size_t start = at - MIN(at - done, name.len);
		bool known = sym_symbol_id(p, sym_find(p, name), &symbol);

		if (start > done)
			piece(context, (struct sv){text.at + done, start - done}, NULL);
		piece(context, (struct sv){text.at + start, at - start}, known ? &symbol : NULL);
		done = at;
	}
	if (done < text.len)
		piece(context, sv_skip(text, done), NULL);
	str_release(&scratch);
}

/* What stands between the expressions of a condition. */
static const char *const text_joints[] = {
	" = ",
	" <= ",
	" >= ",
	" < ",
	" or ",
	" and ",
	" if ",
	" by ",
	" a multiple of ",
	" multiples of ",
	" must be equal",
};

/* Of the first joint; *out_len is 0 when there is none. */
static size_t text_joint(struct sv text, size_t *out_len)
{
	*out_len = 0;
	for (size_t at = 0; at < text.len; at++) {
		for (size_t i = 0; i < ARRAY_LEN(text_joints); i++) {
			struct sv joint = sv_of(text_joints[i]);

			if (!sv_starts(sv_skip(text, at), joint))
				continue;
			*out_len = joint.len;
			return at;
		}
	}
	return text.len;
}

void condition_walk(const struct sym_pool *p, struct sv text, dim_piece *piece, void *context)
{
	/* What something must equal: "= past + seq by MatMul" */
	if (sv_starts(text, SV("= "))) {
		piece(context, (struct sv){text.at, 2}, NULL);
		text = sv_skip(text, 2);
	}
	while (text.len) {
		size_t joint, at = text_joint(text, &joint);
		struct sv side = {text.at, at};
		uint32_t symbol;

		if (sym_symbol_id(p, sym_find(p, side), &symbol))
			piece(context, side, &symbol);
		else if (sym_text_is_known(p, side, NULL))
			text_walk(p, side, piece, context);
		else if (at)
			piece(context, side, NULL);
		if (joint)
			piece(context, (struct sv){text.at + at, joint}, NULL);
		text = sv_skip(text, at + joint);
	}
}

void dim_walk(const struct sym_pool *p, struct sym dim, dim_piece *piece, void *context)
{
	struct str text = {0};
	uint32_t symbol;
	int64_t number;

	sym_print(p, dim, &text);
	if (sym_symbol_id(p, dim, &symbol))
		piece(context, str_sv(&text), &symbol);
	else if (sym_value(p, dim, &number))
		piece(context, str_sv(&text), NULL);
	else
		text_walk(p, str_sv(&text), piece, context);
	str_release(&text);
}

/* ---- plain text ---- */

struct plain_pen {
	struct str *out;             /* borrowed */
	const struct sym_pool *pool; /* borrowed */
};

static void plain_text(void *context, struct sv text, bool known)
{
	const struct plain_pen *pen = context;

	(void)known;
	str_add(pen->out, text);
}

static bool plain_dim(void *context, struct sym dim, uint32_t axis)
{
	const struct plain_pen *pen = context;
	size_t before = pen->out->len;

	(void)axis;
	sym_print(pen->pool, dim, pen->out);
	if (!sym_is_small(dim))
		str_show_from(pen->out, before);
	return true;
}

void info_print(struct str *out, const struct sym_pool *p, const struct info *info,
		enum info_part part)
{
	struct plain_pen plain = {out, p};

	info_walk(info, part, &(struct info_pen){plain_text, plain_dim, &plain});
}

void dims_print(struct str *out, const struct sym_pool *p, const struct sym *dims, uint32_t count)
{
	struct plain_pen plain = {out, p};

	dims_walk(dims, count, &(struct info_pen){plain_text, plain_dim, &plain});
}
