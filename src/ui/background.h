/*
 * What a terminal says its background is, when it is asked (OSC 11).
 *
 * The answer comes among the keys, at any time or never, and in pieces: ESC ] 11;rgb:RR/GG/BB,
 * then BEL or ESC \.  Here are the characters after ESC ], one by one.
 */
#ifndef UI_BACKGROUND_H
#define UI_BACKGROUND_H

#include "base/base.h"
#include "base/sv.h"

#define BACKGROUND_QUESTION "\033]11;?\a"

enum background {
	BACKGROUND_UNKNOWN,
	BACKGROUND_DARK,
	BACKGROUND_LIGHT
};

struct background_answer {
	bool awaited; /* asked, and not answered */
	bool open;    /* its beginning was read */
	char text[40];
	size_t len;
};

enum background_step {
	BACKGROUND_GOES_ON,
	BACKGROUND_ANSWERED, /* the answer is whole, and no longer awaited */
	BACKGROUND_OVER      /* this is no part of an answer: a key */
};

void background_begin(struct background_answer *a);
enum background_step background_take(struct background_answer *a, uint32_t code);
/* Of a whole answer; unknown when it is not one. */
enum background background_read(struct sv text);
/* Of COLORFGBG, "15;0": the number of the background comes last. */
enum background background_of_numbers(struct sv text);

#endif
