/*
 * The terminal by ncursesw: its life and what is shown.  Only keyboard.c includes curses, too.
 *
 * Cells are compared with what was sent before, and only changed runs are written.  Signal
 * handlers only set flags and write to a pipe; the loop polls the pipe and the keyboard.
 */
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "cmd/keys.h"
#include "ui/background.h"
#include "ui/canvas.h"
#include "ui/clipboard.h"
#include "ui/keyboard.h"
#include "ui/terminal.h"
#include "ui/terminfo.h"
#include "ui/theme.h"

struct terminal {
	SCREEN *screen;
	const char *entry;  /* what stands in for an unknown TERM; NULL for nothing */
	FILE *in, *out;     /* owned when they are /dev/tty */
	struct glyph *sent; /* owned; the screen's contents */
	struct look *looks; /* owned; the theme used for them */
	int width, height;
	int colors;
	bool all; /* redraw everything */
	int cursor_x, cursor_y;
	int64_t taken_ms; /* when a slow line will have taken the last frame */
	struct keyboard keyboard;
};

/* ---- signals ---- */

static int signal_pipe[2] = {-1, -1};
static volatile sig_atomic_t curses_ended, curses_resized;

/* Restores the terminal without curses, whose functions are not async-signal-safe. */
static struct {
	volatile sig_atomic_t open;
	int fd;
	struct termios modes;
	char text[256];
	size_t len;
} curses_rescue;

static void give_back(void)
{
	if (!curses_rescue.open)
		return;
	curses_rescue.open = 0;
	/* The terminal is gone. */
	if (write(curses_rescue.fd, curses_rescue.text, curses_rescue.len) < 0)
		return;
	tcsetattr(curses_rescue.fd, TCSANOW, &curses_rescue.modes);
}

/* Restores the terminal, then dies of the signal. */
static void note_crash(int number)
{
	signal(number, SIG_DFL);
	give_back();
	raise(number);
}

static void note_signal(int number)
{
	int saved = errno;

	/* A second signal: the loop is stuck, perhaps writing to a blocked terminal. */
	if (number != SIGWINCH && curses_ended)
		note_crash(number);
	if (number == SIGWINCH)
		curses_resized = 1;
	else
		curses_ended = 1;
	if (write(signal_pipe[1], "", 1) < 0)
		errno = saved;
	errno = saved;
}

/* Strips the padding: only tputs can wait for it. */
static void add_capability(const char *name)
{
	const char *text = tigetstr(name);

	if (!text || text == (const char *)-1)
		return;
	while (*text && curses_rescue.len + 1 < sizeof(curses_rescue.text)) {
		const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;

		if (end)
			text = end + 1;
		else
			curses_rescue.text[curses_rescue.len++] = *text++;
	}
}

static void add_plain(const char *text)
{
	while (*text && curses_rescue.len + 1 < sizeof(curses_rescue.text))
		curses_rescue.text[curses_rescue.len++] = *text++;
}

/* Terminals with a mouse understand these sequences; others might print them. */
static bool is_modern(void)
{
	const char *mouse = tigetstr("kmous");

	return mouse && mouse != (const char *)-1;
}

#define MOUSE_OFF "\033[?1006l\033[?1000l"
#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

static void prepare_rescue(int fd)
{
	curses_rescue.fd = fd;
	curses_rescue.len = 0;
	if (is_modern())
		add_plain(MOUSE_OFF PASTE_OFF);
	add_capability("sgr0");
	add_capability("cnorm");
	add_capability("rmkx");
	add_capability("rmcup");
	add_plain("\r\n");
}

static void catch_signals(void)
{
	static const int ends[] = {SIGTERM, SIGHUP, SIGINT},
			 crashes[] = {SIGSEGV, SIGABRT,   SIGBUS,  SIGFPE,  SIGILL,
				      SIGTRAP, SIGSYS,    SIGQUIT, SIGUSR1, SIGUSR2,
				      SIGALRM, SIGVTALRM, SIGXCPU, SIGXFSZ, SIGPROF};
	struct sigaction note = {.sa_handler = note_signal}, crash = {.sa_handler = note_crash};
	/* After a stack overflow the handler needs another stack. */
	static char spare[1 << 16];

	crash.sa_flags = SA_ONSTACK;
	sigaltstack(&(stack_t){.ss_sp = spare, .ss_size = sizeof(spare)}, NULL);
	if (signal_pipe[0] < 0 && pipe(signal_pipe) == 0) {
		for (int i = 0; i < 2; i++) {
			fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
			fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		sigaction(ends[i], &note, NULL);
	for (size_t i = 0; i < ARRAY_LEN(crashes); i++)
		sigaction(crashes[i], &crash, NULL);
	sigaction(SIGWINCH, &note, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* ---- life ---- */

static void find_colors(struct terminal *t)
{
	if (!has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	t->colors = COLORS >= 256 ? 256 : COLORS >= 8 ? 8 : 0;
}

static void set_modes(struct terminal *t, bool mouse)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	leaveok(stdscr, FALSE);
	terminal_mouse(t, mouse);
}

/* Terminals bracket pasted text. */
static void set_paste(const struct terminal *t, bool on)
{
	if (!is_modern())
		return;
	fputs(on ? PASTE_ON : PASTE_OFF, t->out);
	fflush(t->out);
	keyboard_paste(on);
}

/* The answer comes with the keys, or never. */
static void ask_background(struct terminal *t)
{
	const char *term = getenv("TERM");

	/* The console of Linux has a mouse, but may print the question. */
	if (!is_modern() || t->colors == 0 || (term && sv_starts(sv_of(term), SV("linux"))))
		return;
	fputs(BACKGROUND_QUESTION, t->out);
	fflush(t->out);
	keyboard_asked(&t->keyboard);
}

/* `dumb` and similar terminals cannot position the cursor. */
static bool can_show(void)
{
	const char *cup = tigetstr("cup");

	return cup && cup != (const char *)-1;
}

/* Curses prefers the variable to the window's size. */
static void limit_one(const char *variable, long window, int most)
{
	const char *wanted = getenv(variable);
	char text[16];

	if ((wanted ? strtol(wanted, NULL, 10) : window) <= most)
		return;
	(void)snprintf(text, sizeof(text), "%d", most);
	(void)setenv(variable, text, 1);
}

/* It has more than a hundred bytes for each cell, from the start. */
static void limit_size(const struct terminal *t)
{
	struct winsize size = {0};

	(void)ioctl(fileno(t->out), TIOCGWINSZ, &size);
	limit_one("COLUMNS", size.ws_col, CANVAS_WIDEST);
	limit_one("LINES", size.ws_row, CANVAS_TALLEST);
}

/* The entry is read from the variable, and nobody else shall see it there. */
static SCREEN *start_builtin(const struct terminal *t, const char *term)
{
	const char *old = getenv("TERMINFO");
	struct str kept = {0}, entry = {0};
	SCREEN *screen;

	str_text(&kept, old ? old : "");
	terminfo_builtin(term, &entry);
	(void)setenv("TERMINFO", str_c(&entry), 1);
	screen = newterm(TERMINFO_BUILTIN, t->out, t->in);
	if (old)
		(void)setenv("TERMINFO", str_c(&kept), 1);
	else
		(void)unsetenv("TERMINFO");
	str_release(&kept);
	str_release(&entry);
	return screen;
}

static void start_screen(struct terminal *t, const char *term)
{
	t->screen = newterm(term, t->out, t->in);
	for (size_t i = 0; !t->screen && (t->entry = terminfo_nearest(term, i)); i++)
		t->screen = newterm(t->entry, t->out, t->in);
	if (t->screen)
		return;
	t->entry = TERMINFO_BUILTIN;
	t->screen = start_builtin(t, term);
}

static bool curses_start(struct terminal *t, struct err *err)
{
	const char *term = getenv("TERM");

	/* Standard input may be a model: read keys from the terminal itself. */
	if (!isatty(STDIN_FILENO))
		t->in = fopen("/dev/tty", "re");
	if (!t->in)
		return err_set(err, ERR_SYSTEM, "cannot open /dev/tty to read keys");
	if (!isatty(fileno(t->out)) || tcgetattr(fileno(t->out), &curses_rescue.modes) != 0)
		return err_set(err, ERR_SYSTEM, "standard output is not a terminal");
	if (!term || !*term)
		return err_set(err, ERR_SYSTEM,
			       "TERM is not set, so there is no screen; try TERM=xterm-256color, "
			       "or axed show");
	limit_size(t);
	start_screen(t, term);
	if (t->screen && !can_show()) {
		endwin();
		delscreen(t->screen);
		t->screen = NULL;
	}
	return t->screen ||
	       err_set(err, ERR_SYSTEM,
		       "a terminal '%s' cannot move its cursor, so there is no screen; axed show "
		       "works on any",
		       term);
}

struct terminal *terminal_open(bool mouse, bool color, struct err *err)
{
	struct terminal *t = must_alloc(sizeof(*t));

	*t = (struct terminal){.in = stdin, .out = stdout, .all = true, .cursor_x = -1};
	if (!curses_start(t, err)) {
		if (t->in && t->in != stdin)
			fclose(t->in);
		free(t);
		return NULL;
	}
	t->keyboard.fd = fileno(t->in);
	prepare_rescue(fileno(t->out));
	curses_rescue.open = 1;
	bug_at_exit(give_back);
	catch_signals();
	if (color)
		find_colors(t);
	set_modes(t, mouse);
	set_paste(t, true);
	ask_background(t);
	getmaxyx(stdscr, t->height, t->width);
	return t;
}

void terminal_close(struct terminal *t)
{
	if (!t)
		return;
	if (!curses_ended)
		keyboard_await_background(&t->keyboard);
	set_paste(t, false);
	endwin();
	curses_rescue.open = 0;
	bug_at_exit(NULL);
	delscreen(t->screen);
	if (t->in != stdin)
		fclose(t->in);
	free(t->sent);
	free(t->looks);
	free(t);
}

void terminal_size(const struct terminal *t, int *width, int *height)
{
	*width = t->width;
	*height = t->height;
}

int terminal_colors(const struct terminal *t)
{
	return t->colors;
}

enum background terminal_background(const struct terminal *t)
{
	return t->keyboard.background;
}

const char *terminal_substitute(const struct terminal *t)
{
	return t->entry;
}

void terminal_mouse(struct terminal *t, bool on)
{
	(void)t;
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED | BUTTON_SHIFT : 0,
		  NULL);
	/* Otherwise curses delays every click to wait for a second one. */
	mouseinterval(0);
}

/* ---- out ---- */

static attr_t attributes_of(const struct look *look)
{
	attr_t a = 0;

	a |= look->attrs & THEME_BOLD ? A_BOLD : 0;
	a |= look->attrs & THEME_DIM ? A_DIM : 0;
	a |= look->attrs & THEME_UNDERLINE ? A_UNDERLINE : 0;
	a |= look->attrs & THEME_REVERSE ? A_REVERSE : 0;
#ifdef A_ITALIC
	a |= look->attrs & THEME_ITALIC ? A_ITALIC : 0;
#endif
	return a;
}

/* Pairs are allocated on demand: there are few styles, and few backgrounds. */
static int pair_of(const struct terminal *t, const struct look *look, const struct look *ground)
{
	int fg = t->colors == 256 ? look->fg : look->fg8;
	int bg = t->colors == 256 ? ground->bg : ground->bg8;

	return t->colors ? alloc_pair(fg, bg) : 0;
}

static void add_glyph(struct terminal *t, const struct glyph *g, const struct theme *theme)
{
	const struct look *look = &theme->looks[g->style];
	/* A style with its own background, such as a match, keeps it on a selected row. */
	const struct look *ground = g->ground == STYLE_TEXT || look->bg >= 0
					    ? look
					    : &theme->looks[g->ground];
	attr_t attrs = attributes_of(look);
	wchar_t text[2] = {(wchar_t)g->code, 0};
	cchar_t cell;

	if (ground != look)
		attrs |= attributes_of(ground) & ~A_BOLD;
	/* With few colours, bold black is a grey that cannot be read on white. */
	if (t->colors && t->colors < 256 && look->fg8 == COLOR_BLACK)
		attrs &= ~A_BOLD;
	setcchar(&cell, text, attrs, 0, &(int){pair_of(t, look, ground)});
	add_wch(&cell);
}

static bool same_glyph(const struct glyph *a, const struct glyph *b)
{
	return a->code == b->code && a->style == b->style && a->ground == b->ground;
}

/* Returns how many cells changed. */
static int show_row(struct terminal *t, const struct canvas *c, const struct theme *theme, int y)
{
	const struct glyph *row = &c->cells[y * c->width];
	struct glyph *sent = &t->sent[y * c->width];
	int changed = 0;

	for (int x = 0; x < c->width; x++) {
		if (!t->all && same_glyph(&row[x], &sent[x]))
			continue;
		if (row[x].code && move(y, x) != ERR)
			add_glyph(t, &row[x], theme);
		sent[x] = row[x];
		changed++;
	}
	return changed;
}

static void match_size(struct terminal *t, const struct canvas *c, const struct theme *theme)
{
	size_t cells = (size_t)c->width * (size_t)c->height;

	if (!t->sent || t->all) {
		free(t->sent);
		t->sent = must_alloc(cells * sizeof(*t->sent));
		memset(t->sent, 0, cells * sizeof(*t->sent));
		t->all = true;
	}
	if (!t->looks || memcmp(t->looks, theme->looks, sizeof(theme->looks)) != 0) {
		free(t->looks);
		t->looks = must_alloc(sizeof(theme->looks));
		memcpy(t->looks, theme->looks, sizeof(theme->looks));
		t->all = true;
	}
}

/*
 * Kernels and programs between us and a serial line buffer some thousand bytes: seconds of frames
 * that nobody wants any more.  So the time that a frame takes is worked out from the line's speed.
 */
static void pace_frame(struct terminal *t, int cells)
{
	enum {
		FAST = 38400,  /* what pseudo terminals say they are */
		CELL_BITS = 30 /* of a changed cell, with its share of colours and moves */
	};
	int speed = baudrate();

	if (speed > 0 && speed < FAST)
		t->taken_ms = clock_ms() + (int64_t)cells * CELL_BITS * 1000 / speed;
}

bool terminal_has_room(const struct terminal *t)
{
	struct pollfd fd = {.fd = fileno(t->out), .events = POLLOUT};

	return poll(&fd, 1, 0) != 0 && (!t->taken_ms || clock_ms() >= t->taken_ms);
}

void terminal_show(struct terminal *t, const struct canvas *c, const struct theme *theme)
{
	int changed = 0;

	if (c->width != t->width || c->height != t->height)
		return; /* the next frame has the new size */
	match_size(t, c, theme);
	for (int y = 0; y < c->height; y++)
		changed += show_row(t, c, theme, y);
	t->all = false;
	if (t->cursor_x >= 0 && t->cursor_x < t->width && t->cursor_y < t->height) {
		curs_set(1);
		move(t->cursor_y, t->cursor_x);
	} else {
		curs_set(0);
	}
	refresh();
	pace_frame(t, changed);
}

void terminal_redraw(struct terminal *t)
{
	t->all = true;
	clearok(stdscr, TRUE);
}

void terminal_cursor(struct terminal *t, int x, int y)
{
	t->cursor_x = x;
	t->cursor_y = y;
}

void terminal_copy(struct terminal *t, struct sv text)
{
	struct str out = {0};

	clipboard_sequence(text, &out);
	fwrite(str_c(&out), 1, out.len, t->out);
	fflush(t->out);
	str_release(&out);
}

/* ---- in ---- */

static struct event resize_event(struct terminal *t)
{
	struct winsize size;

	curses_resized = 0;
	if (ioctl(fileno(t->out), TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row)
		resizeterm(MIN(size.ws_row, CANVAS_TALLEST), MIN(size.ws_col, CANVAS_WIDEST));
	getmaxyx(stdscr, t->height, t->width);
	terminal_redraw(t);
	return (struct event){.key = KEY_RESIZED};
}

static void drain_pipe(void)
{
	char bytes[64];

	while (read(signal_pipe[0], bytes, sizeof(bytes)) > 0)
		continue;
}

struct event terminal_wait(struct terminal *t, int ms, bool *out_end)
{
	struct pollfd fds[2] = {{.fd = fileno(t->in), .events = POLLIN},
				{.fd = signal_pipe[0], .events = POLLIN}};
	struct event e = curses_resized ? resize_event(t) : keyboard_read(&t->keyboard);

	*out_end = curses_ended;
	if (e.key || curses_ended)
		return e;
	if (poll(fds, 2, ms) < 0 && errno != EINTR)
		*out_end = true;
	drain_pipe();
	/* The terminal hung up. */
	*out_end |= curses_ended || (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
	return curses_resized ? resize_event(t) : keyboard_read(&t->keyboard);
}

void terminal_suspend(struct terminal *t)
{
	set_paste(t, false);
	endwin();
	curses_rescue.open = 0;
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	/* The window may have been resized meanwhile. */
	curses_rescue.open = 1;
	curses_resized = 1;
	terminal_redraw(t);
	refresh();
	set_paste(t, true);
	ask_background(t);
}
