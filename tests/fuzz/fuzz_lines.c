/*
 * The input selects a model (the lowest 2 bits of the first byte), followed by lines as in a script
 * or the user's configuration; after a > follow keys, typed one by one.  No file is written.
 * The screen can be drawn, complete and plain; errors are reported; everything can be undone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/tui_session.h"
#include "base/bug.h"
#include "base/utf8.h"
#include "tests/fuzz/models.h"
#include "tests/fuzz/plain.h"
#include "tests/fuzz/target.h"
#include "tests/wire/scratch.h"

enum {
	MAX_LINES = 12,
	DRAWN_SHARE = 4, /* one in so many lines is drawn, and the last: drawing is slow */
	LONGEST_LINE = 300,
	MAX_DRAWN = 100 /* drawings until a pane has finished */
};

#define OPT(id) ((uint64_t)1 << OPTION_##id)

static const struct command edit = {.name = "edit", .options = UINT64_MAX, .max = 1};
static const char *const models[] = {"small.onnx", "hostile.onnx", "nested.onnx", NULL};

static void write_model(const char *name, const unsigned char *bytes, size_t size)
{
	BUG_ON(!write_whole(scratch_path(0, name), (struct sv){(const char *)bytes, size}));
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	scratch_in_memory();
	write_model(models[0], small_model, small_model_size);
	write_model(models[1], hostile_model, hostile_model_size);
	write_model(models[2], nested_model, nested_model_size);
	BUG_ON(chdir(scratch_folder()) != 0);
	BUG_ON(setenv("XDG_STATE_HOME", scratch_path(0, "state"), 1) != 0);
	BUG_ON(setenv("XDG_CONFIG_HOME", scratch_path(0, "config"), 1) != 0);
	/* `diff -` reads it. */
	BUG_ON(!freopen("/dev/null", "r", stdin));
	BUG_ON(!freopen("/dev/null", "w", stdout));
	return 0;
}

/* ---- invariants ---- */

static void check_prompt(const struct prompt *p)
{
	if (!p->open)
		return;
	BUG_ON(p->cursor > p->text.len);
	BUG_ON(p->cursor < p->text.len && (p->text.at[p->cursor] & 0xc0) == 0x80 &&
	       text_is_plain(str_sv(&p->text)));
}

static void check_screen(struct session *s)
{
	struct str text = {0};
	struct sv rest, line;
	int rows = 0, drawn = 0;

	do {
		screen_draw(&s->screen);
		BUG_ON(drawn++ == MAX_DRAWN);
	} while (s->screen.working);
	canvas_print(&text, &s->screen.canvas, false);
	BUG_ON(!text_is_plain(str_sv(&text)));
	rest = str_sv(&text);
	for (; text_line(&rest, &line); rows++)
		BUG_ON(utf8_width(line) > (size_t)s->screen.canvas.width);
	BUG_ON(rows > s->screen.canvas.height);
	check_prompt(&s->screen.prompt);
	str_release(&text);
}

/* ---- lines ---- */

static void type(struct session *s, struct sv text)
{
	while (text.len && !s->done) {
		struct utf8_char c = utf8_next(text);
		uint32_t key = c.code < 0 ? (unsigned char)text.at[0] : (uint32_t)c.code;

		session_key(s, (struct event){.key = key});
		check_prompt(&s->screen.prompt);
		text = sv_skip(text, c.len);
	}
}

static void run_lines(struct session *s, struct sv lines)
{
	struct sv line;
	unsigned count = 0;

	while (!s->done && count++ < MAX_LINES && text_line(&lines, &line)) {
		struct err err = {0};

		if (line.len > LONGEST_LINE)
			continue;
		if (line.len && line.at[0] == '>')
			type(s, sv_skip(line, 1));
		else
			BUG_ON(!session_run(s, line, &err) && err.text[0] == 0);
		if (count % DRAWN_SHARE == 0)
			check_screen(s);
	}
	check_screen(s);
}

static void check_undone(struct session *s)
{
	struct document *d = &s->document;

	document_end_preview(d);
	document_clear_what_if(d);
	while (document_undo(d))
		continue;
	BUG_ON(document_is_changed(d));
}

static void run(const struct app *app, struct sv lines)
{
	char *printed = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&printed, &len);
	struct session s;
	struct err err;

	BUG_ON(!out);
	if (!session_open(&s, app, &err)) {
		fprintf(stderr, "%s\n", err.text);
		BUG_ON(true);
	}
	s.out = out;
	s.read_only = true;
	run_lines(&s, lines);
	check_undone(&s);
	session_close(&s);
	BUG_ON(fclose(out) != 0);
	BUG_ON(!text_is_plain((struct sv){printed, len}));
	free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct args args = {.command = &edit, .given = OPT(SCRIPT) | OPT(DISCARD) | OPT(QUIET)};
	struct app app = {.args = &args};
	const char *model;

	if (size == 0)
		return 0;
	model = models[data[0] & 3];
	if (model)
		vec_push(&args.words, model);
	else
		args.given |= OPT(DEMO);
	run(&app, (struct sv){(const char *)data + 1, size - 1});
	args_release(&args);
	return 0;
}
