#include <stdlib.h>

#include "base/bug.h"
#include "base/str.h"
#include "export/sheet/sheet.h"
#include "layout/draw.h"
#include "layout/picture/picture.h"
#include "layout/sketch.h"

enum {
	MAX_CELLS = 1 << 20 /* per pass: a sheet may have a million rows */
};

static void put_label(void *context, uint32_t item, uint32_t line, struct str *out)
{
	struct sheet *s = context;
	struct label shape = {0};
	struct str more = {0};

	if (line == 0) {
		sheet_title(s, item, out);
		sheet_constants(s, item, &more);
		str_text(out, more.len ? " " : "");
		str_add(out, str_sv(&more));
	} else if (line == 1) {
		sheet_shape(s, item, &shape);
		str_add(out, str_sv(&shape.text));
	}
	label_release(&shape);
	str_release(&more);
}

static void put_net(void *context, uint32_t net, struct str *out)
{
	sheet_net(context, net, out);
}

void sheet_text(struct sheet *s, bool ascii, struct str *out)
{
	const struct drawing how = {.ascii = ascii,
				    .selected = SKETCH_NONE,
				    .label = put_label,
				    .name = put_net,
				    .context = s};
	const struct picture *p = &s->picture;
	int32_t band = MAX(1, MIN(p->height, MAX_CELLS / MAX(1, p->width)));
	struct cell *cells = must_alloc(((size_t)band * (size_t)p->width + 1) * sizeof(*cells));

	for (int32_t y = 0; y < p->height; y += band) {
		struct rect window = {0, y, p->width, MIN(band, p->height - y)};

		picture_draw(p, window, &how, cells);
		cells_print(out, cells, window.width, window.height);
	}
	free(cells);
}
