#include <stdio.h>

#include "app/app.h"
#include "app/completion.h"
#include "base/base.h"
#include "base/err.h"
#include "base/sv.h"

enum exit_code run_completion(const struct app *app)
{
	const struct {
		const char *shell;
		const unsigned char *script;
		size_t size;
	} rows[] = {
		{"bash", completion_bash, completion_bash_size},
		{"zsh", completion_zsh, completion_zsh_size},
		{"fish", completion_fish, completion_fish_size},
	};
	const char *shell = app->args->words.at[0];
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (sv_is(sv_of(shell), rows[i].shell)) {
			fwrite(rows[i].script, 1, rows[i].size, stdout);
			return EXIT_DONE;
		}
	}
	err_set(&err, ERR_USAGE,
		"there is no completion for '%s'; the shells are bash, zsh and fish", shell);
	return complain(&err);
}
