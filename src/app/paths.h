/*
 * Paths of the user's files.
 */
#ifndef APP_PATHS_H
#define APP_PATHS_H

#include "base/err.h"
#include "base/str.h"

/* $XDG_CONFIG_HOME/axed/NAME; false when neither it nor HOME is set. */
bool config_path(struct str *out, const char *name);
/* The model nearest to a path that is not there: in its folder, with or without ".onnx". */
bool model_nearest(const char *path, struct str *out);
/* Reads a whole small text file. */
bool text_read(const char *path, struct str *out, struct err *err) MUST_USE;

#endif
