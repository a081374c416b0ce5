/*
 * A build tool, not part of the program: inserts the program's tables into a manual page, or
 * prints one for README.md.
 *
 *   manual page FILE VERSION       lines such as @commands@ become mdoc
 *   manual readme commands|keys    a table in Markdown
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
#define OPTION(id, name, letter, value, help) OPTION_##id,
#include "app/options.def"
#undef OPTION
	OPTION_COUNT
};

#define OPT(id)      ((uint64_t)1 << OPTION_##id)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *name;
	char letter;
	const char *value, *help;
} manual_options[] = {
#define OPTION(id, name, letter, value, help) {name, letter, value, help},
#include "app/options.def"
#undef OPTION
};

static const struct {
	const char *name, *usage, *help, *more;
	uint64_t options;
} manual_commands[] = {
#define MANY                                                 "\n\nEach of several models runs in its own process: see Several models, below."
#define COMMAND(id, name, usage, help, more, opts, min, max) {name, usage, help, more, opts},
#include "app/commands.def"
#undef COMMAND
};

static const struct {
	const char *name, *abbreviation, *usage, *group, *help;
} manual_lines[] = {
#define LINE(run, argument, name, abbreviation, usage, completes, flags, group, help) \
	{name, abbreviation, usage, group, help},
#include "app/lines.def"
#undef LINE
};

static const struct {
	const char *keys, *line;
} manual_binds[] = {
#define BIND(keys, line) {keys, line},
#include "app/keys.def"
#undef BIND
};

static const struct {
	const char *name, *manual;
} manual_levels[] = {
#define LEVEL(id, name, gravity, fails, meaning, manual) {name, manual},
#include "infer/findings.def"
};

/* ---- mdoc ---- */

/* Escapes what is special to roff; a minus stays one that can be copied. */
static void manual_put_char(char c)
{
	static const char plain[] = "\\'-`^~", *const names[] = {"e",   "(aq", "-",
								 "(ga", "(ha", "(ti"};
	const char *place = strchr(plain, c);

	if (c && place)
		printf("\\%s", names[place - plain]);
	else
		putchar(c);
}

static void manual_put_text(const char *text, size_t len)
{
	/* A dot at the start of a line would be a request. */
	fputs(len && text[0] == '.' ? "\\&" : "", stdout);
	for (size_t i = 0; i < len; i++)
		manual_put_char(text[i]);
}

/* An argument of a macro, never taken for a macro or punctuation. */
static void put_word(const char *text, size_t len)
{
	fputs(" \\&", stdout);
	for (size_t i = 0; i < len; i++)
		manual_put_char(text[i]);
}

/* One sentence per line, as mdoc requires. */
static void put_sentences(const char *text, size_t len)
{
	size_t start = 0;

	for (size_t i = 0; i + 2 < len; i++) {
		if (text[i] == '.' && text[i + 1] == ' ' && text[i + 2] == ' ') {
			manual_put_text(text + start, i + 1 - start);
			putchar('\n');
			start = i + 3;
		}
	}
	manual_put_text(text + start, len - start);
	putchar('\n');
}

/* The help of a row, as a sentence. */
static void put_help(const char *help)
{
	size_t len = strlen(help);

	manual_put_text(help, len);
	puts(len && help[len - 1] == '.' ? "" : ".");
}

/* Indented lines are kept verbatim. */
static void put_paragraphs(const char *text)
{
	int literal = 0;

	while (*text) {
		size_t len = strcspn(text, "\n");
		int indented = text[0] == ' ';

		if (indented != literal)
			puts(indented ? ".Bd -literal" : ".Ed");
		literal = indented;
		if (literal) {
			manual_put_text(text, len);
			putchar('\n');
		} else if (len == 0) {
			puts(".Pp");
		} else {
			put_sentences(text, len);
		}
		text += len + (text[len] == '\n');
	}
	if (literal)
		puts(".Ed");
}

/* `MODEL [AXIS...] -o OUT` */
static void put_usage(const char *usage)
{
	while (*usage) {
		size_t len = strcspn(usage, " "), start = usage[0] == '[';
		int closes = len > start && usage[len - 1] == ']' &&
			     !memchr(usage + start, '[', len - start);
		size_t option = usage[start] == '-';

		printf("%s %s", start ? " Oo" : "", option ? "Fl" : "Ar");
		put_word(usage + start + option, len - start - option - (size_t)closes);
		fputs(closes ? " Oc" : "", stdout);
		usage += len + (usage[len] == ' ');
	}
}

static void put_option(size_t i, const char *before, const char *after)
{
	fputs(before, stdout);
	if (manual_options[i].letter)
		printf(" Fl %c ,", manual_options[i].letter);
	fputs(" Fl", stdout);
	printf(" \\-%s", manual_options[i].name);
	if (manual_options[i].value)
		printf(" Ar %s", manual_options[i].value);
	puts(after);
}

static void put_commands(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < COUNT(manual_commands); i++) {
		const char *after = "";

		printf(".It Nm Cm %s", manual_commands[i].name);
		put_usage(manual_commands[i].usage);
		putchar('\n');
		put_help(manual_commands[i].help);
		if (manual_commands[i].more) {
			puts(".Pp");
			put_paragraphs(manual_commands[i].more);
		}
		puts(".Pp\nOptions:");
		for (size_t o = 0; o < COUNT(manual_options); o++) {
			if (!(manual_commands[i].options >> o & 1))
				continue;
			after = manual_commands[i].options >> o == 1 ? " ." : " ,";
			printf(".Fl \\-%s%s\n", manual_options[o].name, after);
		}
	}
	puts(".El");
}

static void put_options(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < COUNT(manual_options); i++) {
		put_option(i, ".It", "");
		put_help(manual_options[i].help);
	}
	puts(".El");
}

static void put_lines(void)
{
	const char *group = "";

	for (size_t i = 0; i < COUNT(manual_lines); i++) {
		if (strcmp(group, manual_lines[i].group) != 0) {
			printf("%s.Ss Lines: %s\n.Bl -tag -width Ds\n", i ? ".El\n" : "",
			       manual_lines[i].group);
			group = manual_lines[i].group;
		}
		fputs(".It Ic", stdout);
		put_word(manual_lines[i].name, strlen(manual_lines[i].name));
		if (manual_lines[i].abbreviation)
			printf(" , Ic \\&%s", manual_lines[i].abbreviation);
		if (manual_lines[i].usage[0]) {
			fputs(" Ar", stdout);
			for (const char *u = manual_lines[i].usage; *u; u += strspn(u, " ")) {
				put_word(u, strcspn(u, " "));
				u += strcspn(u, " ");
			}
		}
		putchar('\n');
		put_help(manual_lines[i].help);
	}
	puts(".El");
}

/* The number of consecutive bindings of the same line. */
static size_t same_line(size_t i)
{
	size_t n = 1;

	while (i + n < COUNT(manual_binds) &&
	       strcmp(manual_binds[i].line, manual_binds[i + n].line) == 0)
		n++;
	return n;
}

/* Without the trailing blank of a line that waits for another key. */
static size_t line_length(const char *line)
{
	size_t len = strlen(line);

	return len && line[len - 1] == ' ' ? len - 1 : len;
}

static void put_keys(void)
{
	puts(".Bl -tag -width \"Backspace, Ctrl-C\" -compact");
	for (size_t i = 0, n; i < COUNT(manual_binds); i += n) {
		n = same_line(i);
		fputs(".It", stdout);
		for (size_t k = i; k < i + n; k++) {
			fputs(k > i ? " , Ic" : " Ic", stdout);
			put_word(manual_binds[k].keys, strlen(manual_binds[k].keys));
		}
		putchar('\n');
		manual_put_text(manual_binds[i].line, line_length(manual_binds[i].line));
		putchar('\n');
	}
	puts(".El");
}

static void put_levels(void)
{
	puts(".Bl -tag -width unsupported -compact");
	for (size_t i = 0; i < COUNT(manual_levels); i++)
		printf(".It Sy %s\n%s\n", manual_levels[i].name, manual_levels[i].manual);
	puts(".El");
}

static void put_models(void)
{
	put_paragraphs(MANY_TEXT);
}

static const struct {
	const char *mark;
	void (*put)(void);
} manual_parts[] = {
	{"@commands@\n", put_commands}, {"@options@\n", put_options}, {"@lines@\n", put_lines},
	{"@levels@\n", put_levels},     {"@keys@\n", put_keys},       {"@models@\n", put_models},
};

static int put_page(const char *path, const char *version)
{
	FILE *in = fopen(path, "r");
	char line[1000];

	if (!in)
		return 1;
	while (fgets(line, sizeof(line), in)) {
		size_t part = 0;
		char *mark = strstr(line, "@version@");

		while (part < COUNT(manual_parts) && strcmp(line, manual_parts[part].mark) != 0)
			part++;
		if (part < COUNT(manual_parts))
			manual_parts[part].put();
		else if (mark)
			printf("%.*s%s%s", (int)(mark - line), line, version, mark + 9);
		else
			fputs(line, stdout);
	}
	return fclose(in) != 0;
}

/* ---- Markdown ---- */

static void table_commands(void)
{
	puts("| command | what it does |\n|---|---|");
	for (size_t i = 0; i < COUNT(manual_commands); i++)
		printf("| `axed %s %s` | %s |\n", manual_commands[i].name, manual_commands[i].usage,
		       manual_commands[i].help);
}

static const char *help_of(const char *line)
{
	size_t len = strcspn(line, " ");

	for (size_t i = 0; i < COUNT(manual_lines); i++) {
		if (strlen(manual_lines[i].name) == len &&
		    strncmp(manual_lines[i].name, line, len) == 0)
			return manual_lines[i].help;
	}
	return "";
}

static void table_keys(void)
{
	puts("| keys | line | what it does |\n|---|---|---|");
	for (size_t i = 0, n; i < COUNT(manual_binds); i += n) {
		size_t len = line_length(manual_binds[i].line);
		const char *help;

		n = same_line(i);
		for (size_t k = i; k < i + n; k++)
			printf("%s `%s`", k > i ? "" : "|", manual_binds[k].keys);
		/* A line with an argument does one of what its help lists after a colon. */
		help = help_of(manual_binds[i].line);
		printf(" | `%.*s` | %.*s |\n", (int)len, manual_binds[i].line,
		       (int)strcspn(help, memchr(manual_binds[i].line, ' ', len) ? ":" : ""), help);
	}
}

int main(int count, char **words)
{
	int bad = 1;

	if (count == 4 && strcmp(words[1], "page") == 0) {
		bad = put_page(words[2], words[3]);
	} else if (count == 3 && strcmp(words[1], "readme") == 0) {
		bad = 0;
		if (strcmp(words[2], "commands") == 0)
			table_commands();
		else
			table_keys();
	}
	return bad || fflush(stdout) != 0;
}
