/*
 * Drawings of small graphs, described as in text.h.  Arguments: see file.h.
 */
#include "tests/layout/file.h"
#include "tests/layout/text.h"

static bool draw(const char *path, struct sv input, struct str *out)
{
	struct text_graph g;

	(void)path;
	text_graph_parse(&g, input);
	text_graph_draw(&g, out);
	text_graph_release(&g);
	return true;
}

int main(int count, char **words)
{
	return golden_main(count, words, draw);
}
