#include "tests/layout/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/paths.h"

bool next_line(struct sv *text, struct sv *out)
{
	const char *end;

	if (!text->len)
		return false;
	end = memchr(text->at, '\n', text->len);
	out->at = text->at;
	out->len = end ? (size_t)(end - text->at) : text->len;
	*text = sv_skip(*text, out->len + (end != NULL));
	return true;
}

struct sv next_word(struct sv *line)
{
	struct sv word;
	size_t n = 0;

	*line = sv_trim(*line);
	while (n < line->len && line->at[n] != ' ')
		n++;
	word = (struct sv){line->at, n};
	*line = sv_skip(*line, n);
	return word;
}

static void read_file(const char *path, struct str *out)
{
	FILE *f = fopen(path, "rb");
	char buffer[4096];
	size_t n;

	if (!f)
		return;
	while ((n = fread(buffer, 1, sizeof(buffer), f)) > 0)
		str_add(out, (struct sv){buffer, n});
	fclose(f);
}

/* Takes the graph; the rest of the text is the drawing. */
static struct sv split(struct sv *text)
{
	struct sv all = *text, line;

	while (next_line(text, &line)) {
		if (sv_is(line, "----"))
			return (struct sv){all.at, (size_t)(line.at - all.at)};
	}
	return all;
}

static bool keep(const char *path, struct sv input, const struct str *drawing)
{
	FILE *f = fopen(path, "wb");

	if (!f)
		return false;
	fwrite(input.at, 1, input.len, f);
	fputs("----\n", f);
	fwrite(str_c(drawing), 1, drawing->len, f);
	return fclose(f) == 0;
}

static void show_difference(struct sv expected, struct sv got)
{
	struct sv a, b;

	for (int line = 1;; line++) {
		bool left = next_line(&expected, &a), right = next_line(&got, &b);

		if (!left && !right)
			return;
		if (left && right && sv_eq(a, b))
			continue;
		printf("# line %d\n", line);
		if (left)
			printf("#   expected %.*s\n", (int)a.len, a.at);
		if (right)
			printf("#   drawn    %.*s\n", (int)b.len, b.at);
	}
}

static bool check(const char *path, bool update, golden_draw *draw)
{
	struct str text = {0}, drawing = {0};
	struct sv expected, input;
	bool ok;

	read_file(path, &text);
	expected = str_sv(&text);
	input = split(&expected);
	ok = draw(path, input, &drawing) && sv_eq(expected, str_sv(&drawing));
	if (!ok && update)
		ok = keep(path, input, &drawing);
	else if (!ok)
		show_difference(expected, str_sv(&drawing));
	str_release(&drawing);
	str_release(&text);
	return ok;
}

int golden_main(int count, char **words, golden_draw *draw)
{
	bool asked = count > 1 && strcmp(words[1], "--update") == 0;
	bool update = asked || getenv("UPDATE");
	struct paths paths = {0};
	int failed = 0;

	paths_add_words(&paths, count - asked, words + asked, ".txt");
	printf("1..%zu\n", paths.len);
	for (size_t i = 0; i < paths.len; i++) {
		bool ok = check(paths.at[i], update, draw);

		failed += !ok;
		printf("%s %zu - %s\n", ok ? "ok" : "not ok", i + 1, path_name(paths.at[i]));
	}
	paths_release(&paths);
	return failed != 0;
}
