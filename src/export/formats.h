/*
 * The formats of export: the rows of formats.def, and what their writers are given.
 *
 * A format that draws is given a sheet; one that tells is about all graphs of the model and
 * has no --graph.  A new format is a row and its write_ function.
 */
#ifndef EXPORT_FORMATS_H
#define EXPORT_FORMATS_H

#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "export/render/render.h"
#include "export/sheet/sheet.h"
#include "infer/infer.h"

#include "export/formats.def"

enum format_id {
#define FORMAT(place, id, ...) FORMAT_##id,
	EXPORT_FORMATS(FORMAT)
#undef FORMAT
	FORMAT_COUNT
};

enum format_flag {
	FORMAT_BINARY = 1 << 0,  /* nothing for a terminal */
	FORMAT_STREAM = 1 << 1,  /* several may follow one another in a stream */
	FORMAT_REPAIRS = 1 << 2, /* tells which repairs are offered */
	FORMAT_WHOLE = 1 << 3,   /* for other programs: only a large graph is folded unasked */
	FORMAT_BODIES = 1 << 4   /* bodies are drawn inside their nodes */
};

/* What is exported, and how; a writer takes what it needs.  Everything is borrowed. */
struct format_job {
	const struct format *format;
	struct infer *in;          /* with the bindings, if there are any */
	struct sv path;            /* of the model */
	uint64_t bytes;            /* of its file */
	struct sheet_request part; /* what is asked for of it */
	struct sheet *sheet;       /* that part, laid out; NULL for a format that tells */
	const struct str *repairs; /* by finding; see report/findings.h */
	size_t repair_count;
	bool use_dot; /* Graphviz's own layout */
	bool ascii;
	/* What is done now, a short text; the timeout when Graphviz does it, else 0. */
	void (*tell)(void *context, const char *what, unsigned seconds);
	void *context;
};

/* What cannot be written is noticed when the stream is flushed. */
typedef bool format_writer(const struct format_job *job, FILE *out, struct err *err);

struct format {
	const char *name;     /* for --format */
	const char *label;    /* in a sentence */
	const char *endings;  /* ".dot .gv"; the first is given to new files */
	const char *graphviz; /* as Graphviz calls it; NULL when it has no part in it */
	enum render_limit limit;
	format_writer *write;
	bool draws;
	unsigned flags;
};

const struct format *format_row(enum format_id id);
/* By its name, or by the ending of a file; NULL when there is none. */
const struct format *format_named(struct sv name);
const struct format *format_of_file(struct sv path);
/* The ending for new files. */
struct sv format_ending(const struct format *f);
/* Those with a flag, for a sentence: "JSON or CSV". */
void format_labels(struct str *out, enum format_flag flag);

/* One function per writer that a row names. */
#define FORMAT(place, id, name, does, also, writer, ...) format_writer write_##writer;
EXPORT_FORMATS(FORMAT)
#undef FORMAT

#endif
