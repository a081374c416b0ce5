/*
 * The models that were opened last, newest first; the start screen offers them.
 */
#ifndef APP_RECENT_H
#define APP_RECENT_H

#include "base/str.h"
#include "base/vec.h"

struct recent {
	VEC(struct str) paths; /* owned; absolute */
};

/* Those that are still regular files. */
void recent_read(struct recent *r);
/* Puts a model first; that it cannot be written does no harm. */
void recent_note(const char *path);
void recent_forget(void);
void recent_release(struct recent *r);

#endif
