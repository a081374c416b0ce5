#include "report/annotations.h"

#include <inttypes.h>
#include <string.h>

#include "base/digest.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "infer/explain.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "report/explanation.h"
#include "report/findings.h"
#include "report/json.h"
#include "report/record.h"

/* ---- a root cause ---- */

struct root_cause {
	struct infer *in;                   /* borrowed */
	const struct findings_shown *shown; /* borrowed */
	struct finding_list list;
	size_t next;            /* in the list */
	size_t work;            /* left for explanations */
	struct finding finding; /* a copy: explaining may add findings */
	struct record record;   /* of it */
	struct str message;
	struct map fingerprints; /* -> how many there were */
};

static void root_cause_begin(struct root_cause *a, struct infer *in, const struct findings_shown *s)
{
	*a = (struct root_cause){.in = in, .shown = s, .work = EXPLAIN_WORK};
	finding_list_fill(&a->list, in);
}

static void root_cause_end(struct root_cause *a)
{
	finding_list_release(&a->list);
	record_release(&a->record);
	str_release(&a->message);
	map_release(&a->fingerprints);
}

static void root_cause_add_reasons(struct root_cause *a)
{
	struct explanation e = {.max = FINDING_SHOWN_STEPS, .work = a->work};

	explain_finding(a->in, &a->finding, &e);
	for (size_t i = 0; i < e.steps.len; i++) {
		str_text(&a->message, "\n  ");
		step_print(&a->message, a->in, &e.steps.at[i]);
	}
	a->work = e.work;
	explanation_release(&e);
}

static void root_cause_add_sentence(struct root_cause *a, const struct finding *f)
{
	finding_record(&a->record, a->in, f);
	record_print_column(&a->record, FINDING_COLUMN_PLACE, &a->message);
	record_print_column(&a->record, FINDING_COLUMN_SENTENCE, &a->message);
}

/* The next root cause; false after the last. */
static bool root_cause_next(struct root_cause *a)
{
	size_t end = MIN(a->list.at.len, (size_t)FINDINGS_MAX);
	const struct finding_place *at;

	if (a->next >= end)
		return false;
	at = &a->list.at.at[a->next++];
	a->finding = a->in->findings.at[at->finding];
	str_clear(&a->message);
	root_cause_add_sentence(a, &a->finding);
	root_cause_add_reasons(a);
	if (at->finding < a->shown->repair_count && a->shown->repairs[at->finding].len) {
		str_text(&a->message, "\ndo: ");
		str_add_shown(&a->message, str_sv(&a->shown->repairs[at->finding]));
	}
	for (; a->next < end && a->list.at.at[a->next].root; a->next++) {
		struct finding f = a->in->findings.at[a->list.at.at[a->next].finding];

		str_format(&a->message, "\n> %s: ", level_info(f.level)->name);
		root_cause_add_sentence(a, &f);
	}
	finding_record(&a->record, a->in, &a->finding);
	return true;
}

/* ---- GitHub ---- */

static const char *const github_commands[GRAVITY_COUNT] = {
	[GRAVITY_PROBLEM] = "error",
	[GRAVITY_WARNING] = "warning",
	[GRAVITY_NOTE] = "notice",
};

/* The text is shown text: it has no other control characters than our line breaks. */
static void github_escape(struct str *out, struct sv text, const char *special)
{
	for (size_t i = 0; i < text.len; i++) {
		if (strchr(special, text.at[i]))
			str_format(out, "%%%02X", (unsigned char)text.at[i]);
		else
			str_char(out, text.at[i]);
	}
}

void github_print(FILE *out, struct infer *in, const struct findings_shown *s, struct sv path)
{
	struct root_cause a;
	struct str line = {0}, file = {0};

	str_add_shown(&file, path);
	root_cause_begin(&a, in, s);
	while (root_cause_next(&a)) {
		const struct level_info *level = level_info(a.finding.level);

		str_clear(&line);
		str_format(&line, "::%s file=", github_commands[level->gravity]);
		github_escape(&line, str_sv(&file), "%\r\n:,");
		str_format(&line, ",title=axed%%3A %s::", level->name);
		github_escape(&line, str_sv(&a.message), "%\r\n");
		fprintf(out, "%s\n", str_c(&line));
	}
	root_cause_end(&a);
	str_release(&line);
	str_release(&file);
}

/* ---- SARIF ---- */

static const char *const sarif_levels[GRAVITY_COUNT] = {
	[GRAVITY_PROBLEM] = "error",
	[GRAVITY_WARNING] = "warning",
	[GRAVITY_NOTE] = "note",
};

static const char *const sarif_meanings[LEVEL_COUNT] = {
#define LEVEL(id, name, gravity, fails, meaning, manual) [LEVEL_##id] = manual,
#include "infer/findings.def"
};

static void sarif_put(struct json *j, const char *key, const char *text)
{
	json_key(j, key);
	json_text(j, sv_of(text));
}

static void sarif_put_message(struct json *j, const char *key, struct sv text)
{
	json_key(j, key);
	json_object(j);
	json_key(j, "text");
	json_text(j, text);
	json_end_object(j);
}

/* A rule for each level; a result names it by its place too. */
static void sarif_put_rules(struct json *j)
{
	json_key(j, "rules");
	json_array(j);
	for (enum level i = 0; i < LEVEL_COUNT; i++) {
		json_object(j);
		sarif_put(j, "id", level_info(i)->name);
		sarif_put_message(j, "shortDescription", sv_of(level_info(i)->meaning));
		sarif_put_message(j, "fullDescription", sv_of(sarif_meanings[i]));
		json_key(j, "defaultConfiguration");
		json_object(j);
		sarif_put(j, "level", sarif_levels[level_info(i)->gravity]);
		json_end_object(j);
		json_end_object(j);
	}
	json_end_array(j);
}

void sarif_begin(struct json *j, FILE *out, struct sv version)
{
	json_init(j, out);
	json_object(j);
	sarif_put(j, "$schema",
		  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
		  "sarif-schema-2.1.0.json");
	sarif_put(j, "version", "2.1.0");
	json_key(j, "runs");
	json_array(j);
	json_object(j);
	json_key(j, "tool");
	json_object(j);
	json_key(j, "driver");
	json_object(j);
	sarif_put(j, "name", "axed");
	json_key(j, "version");
	json_text(j, version);
	sarif_put_rules(j);
	json_end_object(j);
	json_end_object(j);
	json_key(j, "results");
	json_array(j);
}

void sarif_end(struct json *j)
{
	json_end_array(j);
	json_end_object(j);
	json_end_array(j);
	json_end_object(j);
	json_line(j);
}

/* A relative path stays relative: a reader resolves it against the checkout. */
static void sarif_add_uri(struct str *out, struct sv path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";

	str_text(out, sv_starts(path, SV("/")) ? "file://" : "");
	for (size_t i = 0; i < path.len; i++) {
		if (path.at[i] && strchr(plain, path.at[i]))
			str_char(out, path.at[i]);
		else
			str_format(out, "%%%02X", (unsigned char)path.at[i]);
	}
}

/* GitHub requires a region; the file has no lines, so it is the first. */
static void sarif_put_file(struct json *j, struct sv path)
{
	struct str uri = {0};

	sarif_add_uri(&uri, path);
	json_key(j, "physicalLocation");
	json_object(j);
	json_key(j, "artifactLocation");
	json_object(j);
	sarif_put(j, "uri", str_c(&uri));
	json_end_object(j);
	json_key(j, "region");
	json_object(j);
	json_key(j, "startLine");
	json_int(j, 1);
	json_end_object(j);
	json_end_object(j);
	str_release(&uri);
}

static struct sv root_cause_text(const struct root_cause *a, const char *key)
{
	const struct cell *c = record_find(&a->record, key);

	return c && c->kind == CELL_TEXT ? cell_text(&a->record, c) : (struct sv){"", 0};
}

/* The node, by its operator if it has no name, or else the tensor. */
static void sarif_put_node(struct json *j, const struct root_cause *a)
{
	bool node = a->finding.node;
	struct sv name = root_cause_text(a, node ? "node" : "tensor");
	struct sv graph = root_cause_text(a, "graph");
	struct str whole = {0};

	if (node && !name.len)
		name = root_cause_text(a, "op");
	if (!name.len)
		return;
	str_add(&whole, graph);
	str_text(&whole, graph.len ? "/" : "");
	str_add(&whole, name);
	json_key(j, "logicalLocations");
	json_array(j);
	json_object(j);
	json_key(j, "name");
	json_text(j, name);
	json_key(j, "fullyQualifiedName");
	json_text(j, str_sv(&whole));
	sarif_put(j, "kind", node ? "node" : "tensor");
	json_end_object(j);
	json_end_array(j);
	str_release(&whole);
}

/*
 * GitHub takes two results of a rule for one if their lines are alike, and all are on line 1: so
 * a result says what makes it another one, which stays when the model is exported again.
 */
static void sarif_put_fingerprint(struct json *j, struct root_cause *a)
{
	static const char *const keys[] = {"level", "graph", "op", "node", "tensor"};
	uint64_t digest = digest_u64((uint64_t)a->finding.axis, 0);
	struct str text = {0};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		digest = digest_bytes(root_cause_text(a, keys[i]), digest);
	str_format(&text, "%016" PRIx64 ":%" PRIu32, digest, ++*map_at(&a->fingerprints, digest));
	json_key(j, "partialFingerprints");
	json_object(j);
	sarif_put(j, "primaryLocationLineHash", str_c(&text));
	json_end_object(j);
	str_release(&text);
}

static void sarif_put_result(struct json *j, struct root_cause *a, struct sv path)
{
	const struct level_info *level = level_info(a->finding.level);

	json_object(j);
	sarif_put(j, "ruleId", level->name);
	json_key(j, "ruleIndex");
	json_int(j, a->finding.level);
	sarif_put(j, "level", sarif_levels[level->gravity]);
	sarif_put_message(j, "message", str_sv(&a->message));
	json_key(j, "locations");
	json_array(j);
	json_object(j);
	sarif_put_file(j, path);
	sarif_put_node(j, a);
	json_end_object(j);
	json_end_array(j);
	sarif_put_fingerprint(j, a);
	json_key(j, "properties");
	record_json(j, &a->record);
	json_end_object(j);
}

void sarif_print(FILE *out, struct infer *in, const struct findings_shown *s, struct sv path)
{
	struct root_cause a;
	struct json j;

	json_init(&j, out);
	root_cause_begin(&a, in, s);
	while (root_cause_next(&a))
		sarif_put_result(&j, &a, path);
	root_cause_end(&a);
}
