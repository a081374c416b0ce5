/*
 * Where the user's files are.
 */
#ifndef APP_PATHS_H
#define APP_PATHS_H

#include "base/err.h"
#include "base/str.h"

/* $XDG_CONFIG_HOME/axed/NAME; false when nobody says where that is. */
bool config_path(struct str *out, const char *name);
/* A small text file as a whole. */
bool text_read(const char *path, struct str *out, struct err *err) MUST_USE;

#endif
