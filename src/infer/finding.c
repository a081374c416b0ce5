#include "infer/finding.h"

static const struct level_info level_infos[LEVEL_COUNT] = {
#define LEVEL(id, name, gravity, fails, meaning, manual) {name, GRAVITY_##gravity, fails, meaning},
#include "infer/findings.def"
};

static const char *const gravity_marks[GRAVITY_COUNT] = {
#define GRAVITY(id, mark, style) mark,
#include "infer/findings.def"
};

const struct level_info *level_info(enum level level)
{
	return &level_infos[level];
}

bool level_find(struct sv name, enum level *out)
{
	for (enum level i = 0; i < LEVEL_COUNT; i++) {
		if (sv_is(name, level_infos[i].name)) {
			*out = i;
			return true;
		}
	}
	return false;
}

const char *gravity_mark(enum gravity gravity)
{
	return gravity_marks[gravity];
}

bool finding_pins(const struct sym_pool *pool, const struct finding *f, struct sym dim)
{
	uint32_t symbol;

	return f->kind == FINDING_PINNED && sym_symbol_id(pool, dim, &symbol) &&
	       symbol == f->symbol;
}
