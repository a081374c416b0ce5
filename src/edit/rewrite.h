/*
 * Replaces a symbol in every declared dim: by a name, a number, an expression or nothing.
 *
 * A dim is the symbol when its whole text is the name.  A text is parsed as an expression
 * when inputs declare every name in it, and may mention the symbol; any other text is a
 * name and stays.
 */
#ifndef EDIT_REWRITE_H
#define EDIT_REWRITE_H

#include "base/err.h"
#include "base/map.h"
#include "base/sv.h"
#include "edit/change.h"
#include "edit/document.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "sym/sym.h"
#include "sym/text.h"

enum wanted_kind {
	WANTED_NOTHING,
	WANTED_NUMBER,
	WANTED_NAME,
	WANTED_EXPRESSION,
	WANTED_KIND_COUNT
};

/* The new content of a dim. */
struct wanted {
	enum wanted_kind kind;
	int64_t number;
	uint32_t text; /* the name, or the expression as it is written into the file */
	struct sym expression;
};

/* The names that expressions may use: those that main inputs declare. */
struct declared_scope {
	struct document *document; /* borrowed */
	struct map names;
	struct sv replaced; /* this name means `by`; empty for none */
	struct sym by;
};

void declared_scope_init(struct declared_scope *s, struct document *d);
void declared_scope_release(struct declared_scope *s);
struct sym_scope declared_scope(struct declared_scope *s);

/* Is it the whole text of some dim? */
bool symbol_exists(const struct model *m, uint32_t name);
/* Parses the text after the equals sign. */
bool wanted_read(struct document *d, struct sv text, struct wanted *out, struct err *err) MUST_USE;
struct dim wanted_dim(const struct wanted *w);

void rewrite_rename(struct document *d, struct change_log *log, uint32_t from, uint32_t to);
void rewrite_replace(struct document *d, struct change_log *log, uint32_t name,
		     const struct wanted *by);
/*
 * An expression of a main input that was valid before the log but now uses a name that no
 * input declares.  0 for none.
 */
uint32_t rewrite_orphan(struct document *d, const struct change_log *log);

#endif
