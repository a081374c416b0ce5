/*
 * The bytes of a file as they were opened, kept although somebody writes over it.
 *
 * A file that is replaced under its name needs nothing: it stays open.  One that is written in
 * place is kept by sharing its blocks, where the file system can; elsewhere a file of moderate
 * size is copied bit by bit, so that nobody waits for it.  A larger one is not kept.
 */
#ifndef WIRE_HOLD_H
#define WIRE_HOLD_H

#include "base/base.h"
#include "base/file.h"

struct hold {
	enum {
		HOLD_NOTHING,
		HOLD_COPYING,
		HOLD_DONE,
		HOLD_FAILED, /* too large, no room, or changed meanwhile */
	} state;
	int fd;        /* owned while copying */
	uint64_t done; /* bytes copied */
};

/* Goes on for at most that long; then `file` is the copy.  `folder` is where it may be, or -1. */
void hold_work(struct hold *h, struct file *file, int folder, int max_ms);
void hold_release(struct hold *h);

#endif
