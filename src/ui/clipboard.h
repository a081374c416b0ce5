/*
 * The clipboard, by the terminal: OSC 52.
 */
#ifndef UI_CLIPBOARD_H
#define UI_CLIPBOARD_H

#include "base/str.h"
#include "base/sv.h"

/* The sequence that makes a terminal copy the text. */
void clipboard_sequence(struct sv text, struct str *out);

#endif
