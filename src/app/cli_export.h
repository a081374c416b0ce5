/*
 * Shared by the files of `export`: the request and its target.
 */
#ifndef APP_CLI_EXPORT_H
#define APP_CLI_EXPORT_H

#include <stdio.h>

#include "app/app.h"
#include "base/err.h"
#include "base/str.h"
#include "export/formats.h"
#include "export/sheet/sheet.h"
#include "infer/hues.h"
#include "infer/nicknames.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"
#include "wire/wire.h"

struct wish {
	struct str target; /* "-" for standard output */
	const struct format *format;
	bool use_dot; /* Graphviz's own layout */
	bool fresh;   /* no file is replaced */
	struct sheet_request sheet;
};

/* What the screen shows. */
struct export_view {
	const struct scopes *folds; /* borrowed: the graph, and how it is folded */
	struct view_focus focus;
	struct hues *hues;             /* borrowed: the colours of symbols */
	const struct nicknames *names; /* borrowed: short names */
	bool fresh;                    /* no file is replaced */
};

/* The default file for a model: resnet.svg for models/resnet.onnx. */
void export_file_name(struct str *out, const char *model, const struct format *format);
/* Format and target for one model of the command line: -o and --format. */
bool export_target(const struct app *app, size_t model, struct wish *w, struct err *err) MUST_USE;
/* Checks that all models can be written, each to its own file. */
bool export_targets_ok(const struct app *app, struct err *err) MUST_USE;
/* May the target be written?  Asked before the work, and again when it is delivered. */
bool export_may_write(const struct wish *w, struct wire *source, struct err *err) MUST_USE;
/* Writes all of a stream, or nothing. */
bool export_deliver(FILE *from, const struct wish *w, struct wire *source,
		    struct err *err) MUST_USE;

#endif
