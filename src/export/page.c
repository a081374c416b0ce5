#include "export/page.h"

#include "base/utf8.h"

static void add_text(struct str *out, struct sv text)
{
	static const char *const entities[256] = {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;"};
	struct str shown = {0};

	str_add_shown(&shown, text);
	for (size_t i = 0; i < shown.len; i++) {
		const char *entity = entities[(unsigned char)shown.at[i]];

		if (entity)
			str_text(out, entity);
		else
			str_char(out, shown.at[i]);
	}
	str_release(&shown);
}

/* What stands before the picture itself, a page may not have in its middle. */
static struct sv without_prolog(struct sv svg)
{
	struct sv rest = svg;

	while (rest.len && !sv_starts(rest, SV("<svg")))
		rest = sv_skip(rest, 1);
	return rest.len ? rest : svg;
}

void page_make(struct str *out, struct sv title, struct sv svg)
{
	str_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		      "<meta http-equiv=\"Content-Security-Policy\" "
		      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>");
	add_text(out, title);
	str_text(out, "</title>\n<style>body { margin: 1em; background: #fff; } "
		      "svg { display: block; margin: auto; }</style>\n</head>\n<body>\n");
	str_add(out, without_prolog(svg));
	str_text(out, "</body>\n</html>\n");
}
