#include "export/formats.h"

#include <assert.h>

#include "base/str.h"
#include "base/sv.h"

enum does {
	DRAWS,
	TELLS
};

static const struct format format_rows[FORMAT_COUNT] = {
#define FORMAT(place, id, name, does, also, writer, graphviz, limit, flags, help) \
	[FORMAT_##id] = {name,                                                    \
			 #id,                                                     \
			 "." name also,                                           \
			 graphviz,                                                \
			 RENDER_##limit,                                          \
			 write_##writer,                                          \
			 (does) == DRAWS,                                         \
			 flags},
	EXPORT_FORMATS(FORMAT)
#undef FORMAT
};

/* Lists read well only when the places are right; that of the drawings begins with the first. */
#define PLACE_FIRST(id, does) ((id) == 0 && (does) == DRAWS)
#define PLACE_NEXT(id, does)  ((id) > 0 && (id) < FORMAT_COUNT - 1)
#define PLACE_LAST(id, does)  ((id) == FORMAT_COUNT - 1)
#define FORMAT(place, id, name, does, ...)              \
	static_assert(PLACE_##place(FORMAT_##id, does), \
		      #id " stands in the wrong place in formats.def");
EXPORT_FORMATS(FORMAT)
#undef FORMAT

const struct format *format_row(enum format_id id)
{
	return &format_rows[id];
}

const struct format *format_named(struct sv name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		if (sv_is(name, format_rows[i].name))
			return &format_rows[i];
	}
	return NULL;
}

const struct format *format_of_file(struct sv path)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		struct sv endings = sv_of(format_rows[i].endings);

		while (endings.len) {
			if (sv_ends(path, sv_cut(&endings, ' ')))
				return &format_rows[i];
		}
	}
	return NULL;
}

struct sv format_ending(const struct format *f)
{
	struct sv endings = sv_of(f->endings);

	return sv_cut(&endings, ' ');
}

void format_labels(struct str *out, enum format_flag flag)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		if (format_rows[i].flags & flag)
			str_format(out, "%s%s", out->len ? " or " : "", format_rows[i].label);
	}
}
