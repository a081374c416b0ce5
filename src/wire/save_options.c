#include "wire/save_options.h"

bool save_step(const struct save_options *o, const char *what, uint64_t done, uint64_t total,
	       struct err *err)
{
	if (!o->progress || o->progress(o->context, what, done, total))
		return true;
	return err_set(err, ERR_STOPPED, "save cancelled");
}
