/*
 * What the files of `export` share: what was asked for, and where it goes.
 */
#ifndef APP_CLI_EXPORT_H
#define APP_CLI_EXPORT_H

#include "app/child.h"
#include "app/app.h"
#include "edit/document.h"
#include "export/sheet/sheet.h"

/* What a format asks for. */
enum means {
	MEANS_TEXT,
	MEANS_DOT,
	MEANS_PICTURE,
	MEANS_PAGE, /* a picture in a page */
	MEANS_JSON,
	MEANS_COUNT
};

struct export_kind {
	const char *name;    /* for --format */
	const char *endings; /* " .dot .gv "; the first is given to new files */
	const char *format;  /* as Graphviz calls it */
	enum means means;
	bool binary; /* nothing for a terminal */
};

struct wish {
	struct str target; /* "-" for standard output */
	const struct export_kind *kind;
	bool use_dot; /* Graphviz's own layout */
	struct sheet_request sheet;
};

/* ---- cli_export_target.c ---- */

/* By its name, or by the ending of a file; NULL when there is none. */
const struct export_kind *export_kind_named(struct sv name);
const struct export_kind *export_kind_of_file(struct sv path);
/* A file that a model could be exported to, one for each kind; false when there are no more. */
bool export_file_name(struct str *out, const char *model, size_t nth);
/* "dot, svg, ..." */
void export_kind_names(struct str *out);
/* Kind and target for one model of the command line: -o and --format. */
bool export_target(const struct app *app, size_t model, struct wish *w, struct err *err) MUST_USE;
/* Can all models be written, each to its own place? */
bool export_targets_ok(const struct app *app, struct err *err) MUST_USE;
/* The bytes of a stream, whole or not at all. */
bool export_deliver(FILE *from, const struct wish *w, struct err *err) MUST_USE;

/* ---- cli_export_json.c ---- */

bool export_json(struct document *d, const struct wish *w, FILE *out, struct err *err) MUST_USE;

#endif
