/*
 * The user's state folder: $XDG_STATE_HOME/axed, or ~/.local/state/axed.  Journals are there,
 * and what the screen remembers.
 */
#ifndef EDIT_JOURNAL_FOLDER_H
#define EDIT_JOURNAL_FOLDER_H

#include "base/err.h"
#include "base/str.h"

/* Appends its path.  Fails without `make` when there is no folder yet. */
bool folder_open(int *out, struct str *out_path, bool make, struct err *err) MUST_USE;

#endif
