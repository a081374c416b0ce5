#include <gvplugin_textlayout.h>

#include "base/sv.h"
#include "base/utf8.h"
#include "export/render/internal.h"

enum {
	QUALITY = 1000 /* above all others: Graphviz picks the highest */
};

/* Metrics of Courier, in em. */
#define LETTER_WIDTH 0.6
#define LINE_HEIGHT  1.2
#define CENTRE_LINE  0.1

/* `boolean` is Graphviz 2.43's own type. */
static boolean render_text_measure(textspan_t *span, char **fontpath)
{
	double size = span->font->size;

	if (fontpath)
		*fontpath = NULL;
	span->size.x = (double)utf8_width(sv_of(span->str)) * size * LETTER_WIDTH;
	span->size.y = size * LINE_HEIGHT;
	span->layout = NULL;
	span->free_layout = NULL;
	span->yoffset_layout = 0;
	span->yoffset_centerline = size * CENTRE_LINE;
	return 1;
}

GVC_t *rendering_context(void)
{
	/* static and writable: Graphviz modifies and keeps these. */
	static struct gvtextlayout_engine_s engine = {render_text_measure};
	static char type[] = "textlayout", package[] = "axed";
	static gvplugin_installed_t types[] = {{0, type, QUALITY, &engine, NULL},
					       {0, NULL, 0, NULL, NULL}};
	static gvplugin_api_t apis[] = {{API_textlayout, types}, {(api_t)0, NULL}};
	static gvplugin_library_t library = {package, apis};
	static const lt_symlist_t builtins[] = {{"gvplugin_axed_LTX_library", &library},
						{NULL, NULL}};

	return gvContextPlugins(builtins, 1);
}
