#include "infer/nicknames.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/sv.h"
#include "base/utf8.h"
#include "infer/hues.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	LONG = 10,      /* columns of an expression that is worth a name ... */
	OFTEN = 4,      /* if so many dims have it */
	VERY_LONG = 32, /* columns of one that is worth it anyway: no other box is so wide */
	MOST_NAMES = 60,
	MOST_DIMS = 1 << 14,  /* different ones that are looked at */
	MOST_PARTS = 1 << 16, /* of them */
	MOST_TEXT = 400,      /* bytes of an expression that is named */
	INITIALS = 3
};

struct nick_count {
	struct sym of;
	uint64_t uses;
};

struct nick_making {
	struct nicknames *names; /* borrowed */
	struct hues *hues;       /* borrowed */
	const struct infer *in;  /* borrowed */
	VEC(struct nick_count) dims;
	struct map dim_at;
	VEC(struct nick_count) atoms;
	struct map atom_at;
	struct map walked;
	uint32_t parts;
	struct intern used;
};

/* ---- counting ---- */

static void nick_add(struct nick_making *k, struct sym atom, uint64_t uses)
{
	uint32_t *place = map_at(&k->atom_at, atom.w);

	if (!*place) {
		vec_push(&k->atoms, ((struct nick_count){atom, 0}));
		*place = (uint32_t)k->atoms.len;
	}
	k->atoms.at[*place - 1].uses += uses;
}

static bool nick_is_atom(enum sym_kind kind)
{
	switch (kind) {
	case SYM_KIND_FLOOR:
	case SYM_KIND_TRUNC:
	case SYM_KIND_MAX:
	case SYM_KIND_MIN:
	case SYM_KIND_BROADCAST:
	case SYM_KIND_SELECT:
	case SYM_KIND_CUT:
		return true;
	case SYM_KIND_UNKNOWN:
	case SYM_KIND_INT:
	case SYM_KIND_SYMBOL:
	case SYM_KIND_PRODUCT:
	case SYM_KIND_SUM:
	case SYM_KIND_ZERO:
	case SYM_KIND_NATURAL:
	case SYM_KIND_FCONST:
	case SYM_KIND_FCAST:
	case SYM_KIND_FOP:
	case SYM_KIND_COUNT:
		break;
	}
	return false;
}

/* What is inside an atom counts once, however many dims have the atom. */
static void nick_visit(struct nick_making *k, struct sym s, uint64_t uses)
{
	const struct sym_pool *p = &k->in->pool;
	enum sym_kind kind = sym_is_small(s) ? SYM_KIND_INT : sym_kind(p, s);
	bool atom = nick_is_atom(kind);

	if (kind <= SYM_KIND_SYMBOL || kind >= SYM_KIND_FCONST || ++k->parts > MOST_PARTS)
		return;
	if (atom) {
		uint32_t *walked = map_at(&k->walked, s.w);

		nick_add(k, s, uses);
		if (*walked)
			return;
		*walked = 1;
		uses = 1;
	}
	for (size_t i = 0; i < sym_part_count(p, s); i++)
		nick_visit(k, sym_part(p, s, i).s, uses);
}

static void nick_count_dim(struct nick_making *k, struct sym dim, uint64_t uses)
{
	uint32_t *place;

	if (sym_is_small(dim) || sym_is_unknown(dim))
		return;
	place = map_at(&k->dim_at, dim.w);
	if (!*place && k->dims.len < MOST_DIMS) {
		vec_push(&k->dims, ((struct nick_count){dim, 0}));
		*place = (uint32_t)k->dims.len;
	}
	if (*place)
		k->dims.at[*place - 1].uses += uses;
}

static void nick_count_dims(struct nick_making *k, const struct past *before)
{
	for (size_t v = 0; v < k->in->model->values.len; v++) {
		const struct info *info = &k->in->infos[v];
		const struct sym *was = before && v ? past_dims(before, k->in, (uint32_t)v) : NULL;

		for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
			nick_count_dim(k, info->dims[i], 1);
			/* Shown beside it, by the name that it had. */
			if (was)
				nick_count_dim(k, was[i], 0);
		}
	}
	for (size_t i = 0; i < k->dims.len; i++)
		nick_visit(k, k->dims.at[i].of, k->dims.at[i].uses);
}

/* ---- keys ---- */

struct nick_key {
	struct nick_making *making; /* borrowed */
	struct str text;
	size_t columns; /* with the names of its symbols */
	uint32_t symbols[NICKNAME_SYMBOLS];
	uint32_t symbol_count;
};

static void nick_key_piece(void *context, struct sv text, const uint32_t *symbol)
{
	struct nick_key *key = context;
	bool known = false;

	key->columns += utf8_width(text);
	if (!symbol) {
		str_add(&key->text, text);
		return;
	}
	str_format(&key->text, "#%" PRIu32, hues_find(key->making->hues, key->making->in, *symbol));
	for (uint32_t i = 0; i < key->symbol_count; i++)
		known |= key->symbols[i] == *symbol;
	if (!known && key->symbol_count < NICKNAME_SYMBOLS)
		key->symbols[key->symbol_count++] = *symbol;
}

static uint32_t nick_grown(struct nicknames *n, struct sv text)
{
	uint32_t key = intern_add(&n->keys, text);

	while (n->numbers.len <= key)
		vec_push(&n->numbers, 0);
	return key;
}

/* ---- names ---- */

/* `sequence_length` is sl; what is no letter is left out. */
static void nick_base(struct sv name, struct str *out)
{
	enum {
		SHORT = 3
	};
	size_t before = out->len;
	bool start = true;

	if (name.len <= SHORT && sym_is_identifier(name)) {
		str_add(out, name);
		return;
	}
	for (size_t i = 0; i < name.len && out->len - before < INITIALS; i++) {
		char c = name.at[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (letter && start)
			str_char(out, c);
		start = !letter;
	}
	if (out->len == before)
		str_char(out, 'd');
}

static void nick_number(struct str *out, uint32_t number, bool ascii)
{
	char digits[12];
	int len = snprintf(digits, sizeof(digits), "%" PRIu32, number);

	str_text(out, ascii ? "." : "");
	for (int i = 0; i < len; i++) {
		if (ascii)
			str_char(out, digits[i]);
		else
			str_format(out, "\xe2\x82%c", '\x80' + (digits[i] - '0'));
	}
}

static bool nick_is_free(const struct nick_making *k, const struct nickname *name)
{
	return sym_is_unknown(sym_find(&k->in->pool, str_sv(&name->text))) &&
	       sym_is_unknown(sym_find(&k->in->pool, str_sv(&name->plain))) &&
	       !intern_find(&k->used, str_sv(&name->plain)) &&
	       !intern_find(&k->names->given, str_sv(&name->plain));
}

static void nick_spell(struct nickname *name, struct sv base, uint32_t number)
{
	str_clear(&name->text);
	str_clear(&name->plain);
	str_add(&name->text, base);
	str_add(&name->plain, base);
	nick_number(&name->text, number, false);
	nick_number(&name->plain, number, true);
}

/* The number it had, else the next one for its letters. */
static void nick_name(struct nick_making *k, struct nickname *name, uint32_t key)
{
	struct nicknames *n = k->names;
	struct str base = {0};
	uint32_t id, number = n->numbers.at[key];

	for (uint32_t i = 0; i < name->symbol_count; i++) {
		nick_base(sym_name(&k->in->pool, name->symbols[i]), &base);
		name->ends[i] = base.len;
	}
	if (!base.len)
		str_char(&base, 'd');
	id = intern_add(&n->bases, str_sv(&base));
	while (n->last.len <= id)
		vec_push(&n->last, 0);
	nick_spell(name, str_sv(&base), number);
	while (!number || !nick_is_free(k, name)) {
		number = ++n->last.at[id];
		nick_spell(name, str_sv(&base), number);
	}
	n->last.at[id] = MAX(n->last.at[id], number);
	n->numbers.at[key] = number;
	intern_add(&k->used, str_sv(&name->plain));
	str_release(&base);
}

/* The name that the user gave it; 0 for none. */
static uint32_t nick_given(const struct nicknames *n, uint32_t key)
{
	for (uint32_t i = (uint32_t)n->given_key.len; i-- > 1;) {
		if (n->given_key.at[i] == key)
			return i;
	}
	return 0;
}

/* What is rarely used counts as it is shown; the names of others do not change with those of
 * symbols. */
static bool nick_is_worth(const struct nick_key *key, uint64_t uses, bool rare)
{
	return rare ? key->columns >= VERY_LONG
		    : uses >= OFTEN && utf8_width(str_sv(&key->text)) >= LONG;
}

static void nick_put(struct nick_making *k, const struct nick_count *atom, bool rare)
{
	struct nicknames *n = k->names;
	struct nick_key key = {.making = k};
	struct nickname name = {.of = atom->of, .uses = atom->uses};
	uint32_t id, given;

	dim_walk(&k->in->pool, atom->of, nick_key_piece, &key);
	id = nick_grown(n, str_sv(&key.text));
	given = nick_given(n, id);
	if (!given && !n->numbers.at[id] &&
	    (!nick_is_worth(&key, atom->uses, rare) ||
	     !nick_is_atom(sym_kind(&k->in->pool, atom->of)))) {
		str_release(&key.text);
		return;
	}
	name.symbol_count = key.symbol_count;
	for (uint32_t i = 0; i < key.symbol_count; i++)
		name.symbols[i] = key.symbols[i];
	if (given) {
		str_add(&name.text, intern_text(&n->given, given));
		str_add(&name.plain, intern_text(&n->given, given));
		name.symbol_count = MIN(name.symbol_count, 1);
		name.ends[0] = name.text.len;
		name.given = true;
	} else {
		nick_name(k, &name, id);
	}
	vec_push(&n->at, name);
	*map_at(&n->by_sym, atom->of.w) = (uint32_t)n->at.len;
	str_release(&key.text);
}

static bool nick_say(const void *context, struct sym s, struct str *out)
{
	const struct nicknames *n = context;
	uint32_t index = nicknames_find(n, s);

	if (index)
		str_add(out, nickname_text(n, &n->at.at[index - 1]));
	return index;
}

void nicknames_speak(const struct nicknames *n, struct sym_pool *p, bool on)
{
	p->spoken = on && !n->off && n->at.len ? &n->spoken : NULL;
}

static void nicknames_clear(struct nicknames *n)
{
	for (size_t i = 0; i < n->at.len; i++) {
		str_release(&n->at.at[i].text);
		str_release(&n->at.at[i].plain);
	}
	vec_clear(&n->at);
	map_release(&n->by_sym);
}

static bool nick_is_short(const struct nick_making *k, struct sym s)
{
	return sym_reach(&k->in->pool, s) < MOST_TEXT / 4;
}

void nicknames_renew(struct nicknames *n, struct hues *h, const struct infer *in,
		     const struct past *before)
{
	struct nick_making k = {.names = n, .hues = h, .in = in};

	nicknames_clear(n);
	n->spoken = (struct sym_aliases){nick_say, n};
	nick_count_dims(&k, before);
	/* Often used ones have the low numbers. */
	for (size_t i = 0; i < 2 * k.atoms.len && n->at.len < MOST_NAMES; i++) {
		const struct nick_count *atom = &k.atoms.at[i % k.atoms.len];

		if (nick_is_short(&k, atom->of) && !nicknames_find(n, atom->of))
			nick_put(&k, atom, i >= k.atoms.len);
	}
	/* The user may name sums and products too. */
	for (size_t i = 0; n->given_key.len && i < k.dims.len && n->at.len < MOST_NAMES; i++) {
		if (nick_is_short(&k, k.dims.at[i].of) && !nicknames_find(n, k.dims.at[i].of) &&
		    sym_kind(&in->pool, k.dims.at[i].of) != SYM_KIND_SYMBOL &&
		    !nick_is_atom(sym_kind(&in->pool, k.dims.at[i].of)))
			nick_put(&k, &k.dims.at[i], false);
	}
	vec_release(&k.dims);
	map_release(&k.dim_at);
	vec_release(&k.atoms);
	map_release(&k.atom_at);
	map_release(&k.walked);
	intern_release(&k.used);
}

uint32_t nicknames_find(const struct nicknames *n, struct sym expression)
{
	const uint32_t *place = map_find(&n->by_sym, expression.w);

	return place ? *place : 0;
}

struct sv nickname_text(const struct nicknames *n, const struct nickname *name)
{
	return str_sv(n->ascii ? &name->plain : &name->text);
}

/* ---- names of the user ---- */

struct nick_scope {
	const struct nicknames *names;
	const struct sym_pool *pool;
};

static bool nick_scope_find(void *context, struct sv name, struct sym *out)
{
	const struct nick_scope *s = context;

	for (size_t i = 0; i < s->names->at.len; i++) {
		const struct nickname *at = &s->names->at.at[i];

		if (sv_eq(str_sv(&at->text), name) || sv_eq(str_sv(&at->plain), name)) {
			*out = at->of;
			return true;
		}
	}
	*out = sym_find(s->pool, name);
	return !sym_is_unknown(*out);
}

bool nicknames_give(struct nicknames *n, struct hues *h, struct infer *in, struct sv name,
		    struct sv text, struct err *err)
{
	struct nick_scope scope = {n, &in->pool};
	struct nick_making k = {.names = n, .hues = h, .in = in};
	struct nick_key key = {.making = &k};
	struct sym of = SYM_UNKNOWN;
	int64_t number;
	uint32_t id;

	if (!sym_is_identifier(name))
		return err_set(err, ERR_USAGE, "'%.*s' is not a name", (int)MIN(name.len, 100),
			       name.at);
	if (!sym_is_unknown(sym_find(&in->pool, name)))
		return err_set(err, ERR_USAGE, "the model has a symbol '%.*s'",
			       (int)MIN(name.len, 100), name.at);
	if (text.len && !nick_scope_find(&scope, text, &of) &&
	    !sym_parse(&in->pool, text,
		       &(struct sym_scope){.find = nick_scope_find, .context = &scope}, &of, err))
		return false;
	if (text.len && (sym_value(&in->pool, of, &number) || sym_symbol_id(&in->pool, of, &id)))
		return err_set(err, ERR_USAGE, "'%.*s' is short already", (int)MIN(text.len, 100),
			       text.at);
	id = intern_add(&n->given, name);
	while (n->given_key.len <= id)
		vec_push(&n->given_key, 0);
	n->given_key.at[id] = 0;
	if (text.len) {
		dim_walk(&in->pool, of, nick_key_piece, &key);
		n->given_key.at[id] = nick_grown(n, str_sv(&key.text));
		str_release(&key.text);
	}
	nicknames_renew(n, h, in, NULL);
	return true;
}

void nicknames_release(struct nicknames *n)
{
	nicknames_clear(n);
	vec_release(&n->at);
	intern_release(&n->keys);
	vec_release(&n->numbers);
	intern_release(&n->bases);
	vec_release(&n->last);
	intern_release(&n->given);
	vec_release(&n->given_key);
}

/* ---- as text ---- */

/*
 * The printer writes \1 INDEX \2 for a name.  A name of the model that is no identifier stands in
 * back-quotes, so those bytes cannot be mistaken.
 */
enum {
	NICK_OPEN = 1,
	NICK_CLOSE = 2
};

struct nick_printing {
	const struct nicknames *names; /* borrowed */
	uint32_t except;
	bool *used; /* borrowed; NULL */
};

static bool nick_alias(const void *context, struct sym s, struct str *out)
{
	const struct nick_printing *p = context;
	uint32_t index = nicknames_find(p->names, s);

	if (!index || index == p->except)
		return false;
	if (p->used)
		p->used[index - 1] = true;
	str_format(out, "%c%" PRIu32 "%c", NICK_OPEN, index, NICK_CLOSE);
	return true;
}

static void nick_pieces(const struct nicknames *n, uint32_t index, dim_piece *piece, void *context)
{
	const struct nickname *name;
	struct sv text;
	size_t done = 0;

	if (!index || index > n->at.len)
		return;
	name = &n->at.at[index - 1];
	text = nickname_text(n, name);
	for (uint32_t i = 0; i < name->symbol_count; i++) {
		size_t end = i + 1 == name->symbol_count ? text.len : name->ends[i];

		piece(context, (struct sv){text.at + done, end - done}, &name->symbols[i]);
		done = end;
	}
	if (!name->symbol_count)
		piece(context, text, NULL);
}

/* The length of the text up to the next name, outside back-quotes. */
static size_t nick_plain(struct sv text)
{
	bool quoted = false;

	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] == '`')
			quoted = !quoted;
		else if (!quoted && text.at[i] == NICK_OPEN)
			return i;
	}
	return text.len;
}

void nicknames_walk(const struct nicknames *n, const struct sym_pool *p, struct sym dim,
		    uint32_t except, dim_piece *piece, void *context)
{
	struct nick_printing printing = {n, except, NULL};
	struct str text = {0};
	struct sv rest, number;
	uint32_t symbol;
	int64_t index;

	if (n->off || !n->at.len || sym_is_small(dim) || sym_symbol_id(p, dim, &symbol)) {
		dim_walk(p, dim, piece, context);
		return;
	}
	sym_print_as(p, dim, &(struct sym_aliases){nick_alias, &printing}, &text);
	for (rest = str_sv(&text); rest.len;) {
		size_t plain = nick_plain(rest);

		text_walk(p, (struct sv){rest.at, plain}, piece, context);
		rest = sv_skip(rest, plain);
		if (!rest.len)
			break;
		rest = sv_skip(rest, 1);
		number = sv_cut(&rest, NICK_CLOSE);
		if (sv_int(number, &index) && index > 0)
			nick_pieces(n, (uint32_t)index, piece, context);
	}
	str_release(&text);
}

void nicknames_mark(const struct nicknames *n, const struct sym_pool *p, struct sym dim,
		    uint32_t except, bool *used)
{
	struct nick_printing printing = {n, except, used};
	struct str text = {0};

	if (n->off || !n->at.len || sym_is_small(dim))
		return;
	sym_print_as(p, dim, &(struct sym_aliases){nick_alias, &printing}, &text);
	str_release(&text);
}

static void nick_add_piece(void *context, struct sv text, const uint32_t *symbol)
{
	struct str *out = context;

	(void)symbol;
	str_add(out, text);
}

void nicknames_print(const struct nicknames *n, const struct sym_pool *p, struct sym dim,
		     struct str *out)
{
	nicknames_walk(n, p, dim, 0, nick_add_piece, out);
}
