/*
 * A record: what is said about one thing, as typed cells, built once for every way to show it.
 *
 * A record has two faces.  Cells with a key are its data, which record_json writes as an
 * object.  Cells that are shown make up its columns: tables, panes and pages print those.
 * Most cells are both.  Texts are raw, as in the file: whoever prints them escapes them.
 *
 *   record_name(r, "input", LINK_VALUE, value, name);    {"input": "x", "axis": 0, "dim": "batch"}
 *   record_say(r, ":");
 *   record_count(r, "axis", 0);                          x:0  batch
 *   record_column(r);
 *   record_dim(r, "dim", batch);
 */
#ifndef REPORT_RECORD_H
#define REPORT_RECORD_H

#include "base/intern.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/text.h"
#include "ir/type.h"
#include "ops/info.h"
#include "report/json.h"
#include "sym/sym.h"

enum cell_kind {
	CELL_NULL,
	CELL_TEXT,
	CELL_NUMBER,
	CELL_COUNT,
	CELL_TRUTH,
	CELL_DIM,      /* a number, an expression, or unknown */
	CELL_SHAPE,    /* of a tensor; a text, whose dims a printer may colour */
	CELL_CONTENTS, /* the known elements of a tensor; likewise */
	CELL_TYPE,     /* as declared */
	CELL_GROUP,    /* an object: the cells up to its end */
	CELL_LIST,
	CELL_END, /* of a group or list */
	CELL_KIND_COUNT
};

/* How a shown cell looks; colours are the printer's. */
enum tone {
	TONE_PLAIN,
	TONE_FAINT,
	TONE_STRONG,
	TONE_NUMBER,
	TONE_ADDED,
	TONE_CHANGED,
	TONE_REMOVED,
	TONE_NOTE,
	TONE_WARNING,
	TONE_ERROR,
	TONE_COUNT
};

/* What a cell leads to. */
enum link {
	LINK_NONE,
	LINK_NODE,
	LINK_VALUE,
	LINK_TENSOR,
	LINK_GRAPH,
	LINK_SYMBOL, /* a declared name */
	LINK_COUNT
};

/* What a record is made for: one of its faces, or both. */
enum face {
	FACE_BOTH,
	FACE_DATA,
	FACE_SHOWN,
	FACE_COUNT
};

struct cell {
	enum cell_kind kind;
	enum tone tone;
	enum link link;
	uint32_t id;      /* of the link's target */
	const char *key;  /* static; NULL for a cell that is no data */
	uint32_t at, len; /* its text */
	uint32_t column;
	bool shown;
	bool condition; /* a text with names of symbols: see condition_walk */
	bool amount;    /* a count in which like-named rows may differ */
	union {
		int64_t number;
		uint64_t count;
		struct sym dim;
		struct {
			const struct type *type;    /* borrowed */
			const struct intern *names; /* borrowed */
		};
		const struct info *info; /* borrowed: whose shape or contents it is */
	};
};

/* All-zero is empty. */
struct record {
	VEC(struct cell) cells;
	struct str text;
	const struct sym_pool *pool; /* borrowed: of the dims */
	uint32_t column;             /* of the next cell */
	enum tone tone;              /* of the next cell */
	bool hidden;                 /* the next cell is data only */
	uint32_t printing;           /* the cell between record_print and record_printed, plus 1 */
	enum face face;              /* leaves out what the others need; kept when cleared */
	bool brief;                  /* conditions cut long lists; kept too */
};

/* Empties it for the next one. */
void record_clear(struct record *r, const struct sym_pool *pool);
void record_release(struct record *r);

/* ---- cells; a NULL key makes one that is only shown ---- */

void record_text(struct record *r, const char *key, struct sv text);
/* `past + seq <= 512`, whose symbols a printer may colour. */
void record_condition(struct record *r, const char *key, struct sv text);
/* A name that leads somewhere. */
void record_name(struct record *r, const char *key, enum link link, uint32_t id, struct sv name);
void record_number(struct record *r, const char *key, int64_t number);
void record_count(struct record *r, const char *key, uint64_t count);
void record_amount(struct record *r, const char *key, uint64_t count);
void record_truth(struct record *r, const char *key, bool truth);
void record_dim(struct record *r, const char *key, struct sym dim);
/* A dim as declared: a number, a symbol or unknown. */
void record_declared(struct record *r, const char *key, const struct dim *d,
		     const struct intern *names);
/* A number, shown as `1,234 nodes` or `38.8 KiB`. */
void record_things(struct record *r, const char *key, uint64_t count, const char *thing);
void record_size(struct record *r, const char *key, uint64_t bytes);
/* `[batch, 3]`, or with another part of the type. */
void record_shape(struct record *r, const char *key, const struct info *info, enum info_part part);
/* `[batch, 3]`, of a scalar `3`; shows only the first elements. */
void record_contents(struct record *r, const char *key, const struct info *info);
/* A text that the caller prints to the result, until record_printed tells where it leads. */
struct str *record_print(struct record *r, const char *key);
void record_printed(struct record *r, enum link link, uint32_t id);
/* Data only. */
void record_type(struct record *r, const char *key, const struct type *t,
		 const struct intern *names);
void record_null(struct record *r, const char *key);
/* Words between the cells. */
void record_say(struct record *r, const char *words);
void record_format(struct record *r, const char *format, ...) LIKE_PRINTF(2, 3);
/* Cells up to record_end belong to one object or list; those of a list have the key "". */
void record_group(struct record *r, const char *key);
void record_list(struct record *r, const char *key);
void record_end(struct record *r);

/* ---- how the next cells are shown ---- */

/* In the next column, plain. */
void record_column(struct record *r);
void record_tone(struct record *r, enum tone tone);
/* Not at all, or again. */
void record_hide(struct record *r);
void record_show(struct record *r);

/* ---- reading ---- */

/* The first cell with the key; NULL for none. */
const struct cell *record_find(const struct record *r, const char *key);
/* Is anything shown in the column? */
bool record_has(const struct record *r, uint32_t column);
struct sv cell_text(const struct record *r, const struct cell *c);
/* False when every column is empty. */
bool record_is_shown(const struct record *r);
/*
 * The text of the shown cell at *at and of those after it that look alike, in the same column;
 * *at moves past them.
 */
struct sv record_run(const struct record *r, size_t *at);
/* The data as an object, or as keys of one that the caller has opened. */
void record_json(struct json *j, const struct record *r);
void record_json_keys(struct json *j, const struct record *r);
/* A column as text, escaped for display. */
void record_print_column(const struct record *r, uint32_t column, struct str *out);

#endif
