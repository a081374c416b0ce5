/*
 * Findings for the tools of CI: annotations of GitHub's workflows, and results of SARIF 2.1.0.
 *
 *   ::error file=m.onnx,title=axed%3A pin::Reshape /Reshape: batch_size can only be 3: ...
 *
 * Both are made from the records of findings.h.  One root cause is one annotation or result:
 * its causes, its repair and its consequences are lines of the message.
 */
#ifndef REPORT_ANNOTATIONS_H
#define REPORT_ANNOTATIONS_H

#include <stdio.h>

#include "base/sv.h"
#include "infer/infer.h"
#include "report/findings.h"
#include "report/json.h"

/* One line each; `path` is the file that it is attached to. */
void github_print(FILE *out, struct infer *in, const struct findings_shown *s, struct sv path);

/*
 * A document with one run.  Between the begin and the end come the results of each model, with
 * commas between the models; they may be printed by other processes.
 */
void sarif_begin(struct json *j, FILE *out, struct sv version);
void sarif_print(FILE *out, struct infer *in, const struct findings_shown *s, struct sv path);
void sarif_end(struct json *j);

#endif
