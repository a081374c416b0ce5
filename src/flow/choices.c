/*
 * Choices, and what the search decided for them.
 */
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "flow/visit.h"

static uint64_t decision_key(const struct decision *d)
{
	return (uint64_t)d->node << 32 | d->turn;
}

void decisions_add(struct decisions *all, struct decision d)
{
	all->count++;
	*map_at(&all->options, decision_key(&d)) = d.option + 1;
}

void decisions_release(struct decisions *all)
{
	map_release(&all->options);
}

bool decision_for(const struct decisions *all, const struct decision *d, uint32_t *out)
{
	const uint32_t *found = all ? map_find(&all->options, decision_key(d)) : NULL;

	if (found)
		*out = *found - 1;
	return found;
}

void pass_add_choice(struct pass *p, const struct choice *c)
{
	vec_push(&p->choices, *c);
	p->turns[c->taken.node]++;
}

static struct decision take_given(const struct pass *p, uint32_t node, uint32_t options,
				  bool *is_given)
{
	struct decision d = {.node = node, .turn = p->turns[node]};

	*is_given = decision_for(p->given, &d, &d.option);
	if (d.option >= options)
		d.option = 0;
	return d;
}

uint32_t flow_choose(struct visit *v, uint32_t options, uint64_t symbols, const char *format, ...)
{
	struct pass *p = v->pass;
	bool is_given;
	struct decision taken = take_given(p, v->id, options, &is_given);
	char text[SENTENCE_BYTES];
	va_list args;

	va_start(args, format);
	text_print(text, sizeof(text), format, args);
	va_end(args);
	pass_add_choice(
		p, &(struct choice){
			   .taken = taken,
			   .is_given = is_given,
			   .options = options,
			   .symbols = symbols,
			   .what = arena_copy(&p->arena, (struct sv){text, strlen(text) + 1}).at,
			   .known = p->known.len,
			   .literals = p->literals.len,
		   });
	return taken.option;
}
