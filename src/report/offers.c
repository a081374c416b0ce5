#include "report/offers.h"

#include "base/str.h"
#include "base/vec.h"
#include "edit/repair/offer.h"
#include "report/findings.h"

void offers_find(struct offers *out, struct document *d)
{
	enum {
		MAX_TRIED = 100
	};
	size_t tried = 0;

	for (size_t i = 0; i < MIN(d->infer.findings.len, (size_t)FINDINGS_MAX); i++) {
		struct str *line = vec_add(&out->lines);

		if (tried < MAX_TRIED && offer_line(&d->infer, &d->infer.findings.at[i], line)) {
			tried++;
			if (!offer_works(d, str_sv(line)))
				str_clear(line);
		}
	}
}

void offers_release(struct offers *o)
{
	for (size_t i = 0; i < o->lines.len; i++)
		str_release(&o->lines.at[i]);
	vec_release(&o->lines);
}
