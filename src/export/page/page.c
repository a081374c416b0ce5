#include "export/page/page.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "export/page/data.h"

static void page_add_text(struct str *out, struct sv text)
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

/* HTML allows no XML declaration or doctype inside the body. */
static struct sv without_prolog(struct sv svg)
{
	struct sv rest = svg;

	while (rest.len && !sv_starts(rest, SV("<svg")))
		rest = sv_skip(rest, 1);
	return rest.len ? rest : svg;
}

static void add_head(struct str *out, struct sv title)
{
	str_text(out,
		 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
	str_format(out, "script-src 'sha256-%s'; style-src 'sha256-%s'; ", page_js_digest,
		   page_css_digest);
	str_text(out, "base-uri 'none'; form-action 'none'\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	page_add_text(out, title);
	str_text(out, "</title>\n<style>");
	str_add(out, (struct sv){(const char *)page_css, page_css_size});
	str_text(out, "</style>\n</head>\n<body>\n");
}

/*
 * A script element has no entities, and `</script` ends it anywhere: so no `<` is written.  In
 * JSON it occurs in strings only, where \u003c means the same.
 */
static bool add_data(struct str *out, const struct sheet *s, struct err *err)
{
	char *data = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&data, &len);

	if (!file)
		return err_system(err, "cannot write the page");
	page_data(file, s);
	if (fclose(file) != 0) {
		free(data);
		return err_system(err, "cannot write the page");
	}
	str_text(out, "<script id=\"data\" type=\"application/json\">");
	for (size_t i = 0; i < len; i++) {
		if (data[i] == '<')
			str_text(out, "\\u003c");
		else
			str_char(out, data[i]);
	}
	str_text(out, "</script>\n");
	free(data);
	return true;
}

bool page_make(struct str *out, const struct sheet *s, struct sv title, struct sv svg,
	       struct err *err)
{
	add_head(out, title);
	str_add(out, (struct sv){(const char *)page_html, page_html_size});
	str_text(out, "<main id=\"stage\">\n");
	str_add(out, without_prolog(svg));
	str_text(out, "</main>\n");
	if (!add_data(out, s, err))
		return false;
	str_text(out, "<script>");
	str_add(out, (struct sv){(const char *)page_js, page_js_size});
	str_text(out, "</script>\n</body>\n</html>\n");
	return true;
}
