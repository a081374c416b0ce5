#include "ui/search.h"

bool search_run(struct screen *s, struct sv text, struct err *err)
{
	(void)s;
	(void)text;
	return err_set(err, ERR_USAGE, "not found");
}

bool search_step(struct screen *s, int step)
{
	(void)s;
	(void)step;
	return false;
}

bool search_changed(struct screen *s, int step)
{
	(void)s;
	(void)step;
	return false;
}

bool search_problem(struct screen *s, int step)
{
	(void)s;
	(void)step;
	return false;
}

bool search_goto(struct screen *s, struct sv name, struct err *err)
{
	(void)s;
	(void)name;
	return err_set(err, ERR_USAGE, "not found");
}
