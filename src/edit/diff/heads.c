/*
 * Metadata and functions of two models.
 */
#include <inttypes.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/diff/internal.h"
#include "ir/graph.h"

#define DONE UINT32_MAX /* in a map of indexes: already compared */

static void compare_numbers(struct comparison *c, enum difference_kind kind, struct sv name,
			    const char *what, int64_t before, int64_t after)
{
	struct str from = {0}, to = {0};

	str_format(&from, "%" PRId64, before);
	str_format(&to, "%" PRId64, after);
	compare_texts(c, kind, name, what, str_sv(&from), str_sv(&to));
	str_release(&from);
	str_release(&to);
}

static struct sv domain_shown(const struct model *m, uint32_t domain)
{
	struct sv text = model_name(m, domain);

	return text.len ? text : SV("ai.onnx");
}

static void tell_opset(struct comparison *c, enum difference_kind kind, struct sv name,
		       struct sv domain, const struct opset *a, const struct opset *b)
{
	struct str what = {0}, before = {0}, after = {0};

	if (a && b && a->version == b->version)
		return;
	str_text(&what, "opset ");
	str_add(&what, domain);
	if (a)
		str_format(&before, "%" PRId64, a->version);
	if (b)
		str_format(&after, "%" PRId64, b->version);
	compare_tell(c, (struct telling){kind, name, str_c(&what), a ? &before : NULL,
					 b ? &after : NULL});
	str_release(&what);
	str_release(&before);
	str_release(&after);
}

static uint64_t domain_token(const struct side *s, uint32_t domain)
{
	return domain_is_standard(model_name(s->m, domain)) ? 0 : s->name_tokens[domain];
}

static void compare_opsets(struct comparison *c, enum difference_kind kind, struct sv name,
			   const struct opset *a, uint32_t a_count, const struct opset *b,
			   uint32_t b_count)
{
	struct map places = {0};

	for (uint32_t i = b_count; i-- > 0;)
		*map_at(&places, domain_token(&c->b, b[i].domain)) = i + 1;
	for (uint32_t i = 0; i < a_count; i++) {
		uint32_t *place = map_find(&places, domain_token(&c->a, a[i].domain));

		if (place && !*place)
			continue; /* a duplicate domain */
		tell_opset(c, kind, name, domain_shown(c->a.m, a[i].domain), &a[i],
			   place ? &b[*place - 1] : NULL);
		*map_at(&places, domain_token(&c->a, a[i].domain)) = 0;
	}
	for (uint32_t i = 0; i < b_count; i++) {
		if (*map_find(&places, domain_token(&c->b, b[i].domain)) == i + 1)
			tell_opset(c, kind, name, domain_shown(c->b.m, b[i].domain), NULL, &b[i]);
	}
	map_release(&places);
}

void compare_heads(struct comparison *c)
{
	const struct model *a = c->a.m, *b = c->b.m;
	const struct {
		const char *what;
		struct sv before, after;
	} texts[] = {
		{"producer", a->producer_name, b->producer_name},
		{"producer version", a->producer_version, b->producer_version},
		{"domain", a->domain, b->domain},
		{"doc", a->doc, b->doc},
	};

	compare_numbers(c, DIFFERENCE_MODEL, SV(""), "IR version", a->ir_version, b->ir_version);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		compare_texts(c, DIFFERENCE_MODEL, SV(""), texts[i].what, texts[i].before,
			      texts[i].after);
	compare_numbers(c, DIFFERENCE_MODEL, SV(""), "model version", a->model_version,
			b->model_version);
	compare_opsets(c, DIFFERENCE_MODEL, SV(""), a->opsets, a->opset_count, b->opsets,
		       b->opset_count);
	compare_pairs(c, DIFFERENCE_MODEL, SV(""), a->metadata, a->metadata_count, b->metadata,
		      b->metadata_count);
}

static uint64_t function_token(const struct comparison *c, const struct side *s,
			       const struct function *f)
{
	uint64_t h = hash_u64(s->name_tokens[f->domain], c->seed);

	h = hash_u64(s->name_tokens[f->name], h);
	return hash_u64(s->name_tokens[f->overload], h);
}

static void heads_tell_function(struct comparison *c, const struct side *s,
				const struct function *f)
{
	struct str path = {0}, text = {0};
	bool first = s == &c->a;

	graph_path(&path, s->m, f->graph);
	str_things(&text, s->m->graphs.at[f->graph].nodes.len, "node");
	compare_tell(c, (struct telling){DIFFERENCE_FUNCTION, str_sv(&path), "",
					 first ? &text : NULL, first ? NULL : &text});
	str_release(&path);
	str_release(&text);
}

/* Required attributes, and those with a default value. */
static void compare_signatures(struct comparison *c, const struct function *a,
			       const struct function *b)
{
	struct str path = {0}, from = {0}, to = {0};
	struct node given = {.attrs = a->defaults, .attr_count = a->default_count};
	struct node wanted = {.attrs = b->defaults, .attr_count = b->default_count};

	c->graph = a->graph;
	graph_path(&path, c->a.m, a->graph);
	for (uint32_t i = 0; i < a->attribute_count && from.len <= COMPARE_TEXT; i++) {
		str_text(&from, i ? ", " : "");
		str_add(&from, model_cut_name(c->a.m, a->attributes[i]));
	}
	for (uint32_t i = 0; i < b->attribute_count && to.len <= COMPARE_TEXT; i++) {
		str_text(&to, i ? ", " : "");
		str_add(&to, model_cut_name(c->b.m, b->attributes[i]));
	}
	compare_texts(c, DIFFERENCE_FUNCTION, str_sv(&path), "attributes", str_sv(&from),
		      str_sv(&to));
	compare_opsets(c, DIFFERENCE_FUNCTION, str_sv(&path), a->opsets, a->opset_count, b->opsets,
		       b->opset_count);
	given.name = a->name;
	wanted.name = b->name;
	compare_attrs(c, &given, &wanted);
	str_release(&path);
	str_release(&from);
	str_release(&to);
}

void compare_functions(struct comparison *c)
{
	const struct model *a = c->a.m, *b = c->b.m;
	struct map places = {0};

	for (uint32_t i = (uint32_t)b->functions.len; i-- > 0;)
		*map_at(&places, function_token(c, &c->b, &b->functions.at[i])) = i + 1;
	for (uint32_t i = 0; i < a->functions.len; i++) {
		const struct function *f = &a->functions.at[i];
		uint32_t *place = map_at(&places, function_token(c, &c->a, f));

		if (*place == DONE)
			continue; /* a duplicate name */
		if (*place) {
			match_bodies(c, f->graph, b->functions.at[*place - 1].graph);
			compare_signatures(c, f, &b->functions.at[*place - 1]);
		} else {
			heads_tell_function(c, &c->a, f);
		}
		*place = DONE;
	}
	c->graph = 0;
	for (uint32_t i = 0; i < b->functions.len; i++) {
		const struct function *f = &b->functions.at[i];

		if (*map_find(&places, function_token(c, &c->b, f)) == i + 1)
			heads_tell_function(c, &c->b, f);
	}
	map_release(&places);
}

void compare_trainings(struct comparison *c)
{
	size_t both = MIN(c->a.m->trainings.len, c->b.m->trainings.len);

	compare_numbers(c, DIFFERENCE_MODEL, SV(""), "training graphs",
			(int64_t)c->a.m->trainings.len, (int64_t)c->b.m->trainings.len);
	for (size_t i = 0; i < both; i++) {
		const struct training *a = &c->a.m->trainings.at[i], *b = &c->b.m->trainings.at[i];

		compare_pairs(c, DIFFERENCE_MODEL, SV("initialization binding"),
			      a->initialization_bindings, a->initialization_count,
			      b->initialization_bindings, b->initialization_count);
		compare_pairs(c, DIFFERENCE_MODEL, SV("update binding"), a->update_bindings,
			      a->update_count, b->update_bindings, b->update_count);
		if (a->initialization && b->initialization)
			match_bodies(c, a->initialization, b->initialization);
		if (a->algorithm && b->algorithm)
			match_bodies(c, a->algorithm, b->algorithm);
	}
}
