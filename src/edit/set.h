/*
 * The edits of dynamic axes.
 *
 *   x:0=batch         name an axis            x:0=8    fix it       x:0=?   make it anonymous
 *   mask:1=past+seq   an expression of known symbols
 *   batch=N           rename a symbol everywhere, token by token inside expressions
 *   batch=8           fix it everywhere       total=past+seq        substitute it everywhere
 *   *:0=batch         axes of all inputs that match a pattern (pattern.h)
 *
 * A rename changes names and nothing else.  After any other edit, claims (outputs,
 * value_info, formal inputs of bodies) whose inferred dim changed are updated; a claim that
 * was edited itself stays as the user set it.
 *
 * An input axis that is set must really have that dim: if the graph allows it one size only,
 * the edit is refused, with the repair that would free it.
 */
#ifndef EDIT_SET_H
#define EDIT_SET_H

#include "base/err.h"
#include "base/sv.h"
#include "edit/document.h"

enum shapes_policy {
	SHAPES_REFRESH, /* claims follow what the edit changed */
	SHAPES_KEEP,    /* claims stay as they are */
	SHAPES_ALL,     /* every known shape is written */
	SHAPES_STRIP,   /* value_info is removed */
	SHAPES_COUNT
};

struct set_options {
	bool merge; /* two symbols may become one */
	bool force; /* even if the graph contradicts it or pins an axis */
	enum shapes_policy shapes;
	struct sv batch;   /* the dim of axis 0 of every input that has one; empty for none */
	const char *model; /* borrowed: the file, to write a repair as a command; NULL: a line */
};

bool shapes_policy_find(struct sv name, enum shapes_policy *out);
/* All edits are one action. */
bool document_set(struct document *d, const struct sv *edits, size_t count,
		  const struct set_options *options, struct err *err) MUST_USE;
/* The same from words of a line: edits, --batch=NAME, --merge, --force, --shapes=POLICY. */
bool set_words(struct document *d, const struct sv *words, size_t count, struct err *err) MUST_USE;

#endif
