/*
 * What the files of `export` share: what was asked for, and where it goes.
 */
#ifndef APP_CLI_EXPORT_H
#define APP_CLI_EXPORT_H

#include "app/child.h"
#include "app/app.h"
#include "edit/document.h"
#include "export/formats.h"

struct wish {
	struct str target; /* "-" for standard output */
	const struct format *format;
	bool use_dot; /* Graphviz's own layout */
	struct sheet_request sheet;
};

/* A file that a model could be exported to, resnet.svg for models/resnet.onnx. */
void export_file_name(struct str *out, const char *model, const struct format *format);
/* Format and target for one model of the command line: -o and --format. */
bool export_target(const struct app *app, size_t model, struct wish *w, struct err *err) MUST_USE;
/* Can all models be written, each to its own place? */
bool export_targets_ok(const struct app *app, struct err *err) MUST_USE;
/* The bytes of a stream, whole or not at all. */
bool export_deliver(FILE *from, const struct wish *w, struct err *err) MUST_USE;

#endif
