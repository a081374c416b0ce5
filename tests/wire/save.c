/*
 * Saves that are interrupted, refused or redirected.  In any case the target is complete,
 * old or new; nothing else is left in its folder; and the message says why.
 *
 * The argument is the folder with the test models.
 */
#define _GNU_SOURCE /* unshare, mount */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os.h"
#include "ir/dims.h"
#include "tests/tap.h"
#include "tests/wire/scratch.h"
#include "wire/patch_model.h"
#include "wire/save.h"

static const char *models;
static struct str old_bytes, new_bytes;

enum {
	LONGEST_RUN = 1000, /* steps of one save, far above what happens */
	CHILD_OK = 0,
	CHILD_FAILED = 3
};

static const char *model(int slot, const char *name)
{
	static struct str paths[4];

	str_clear(&paths[slot]);
	str_format(&paths[slot], "%s/%s", models, name);
	return str_c(&paths[slot]);
}

/* ---- saving with a plan for every step ---- */

enum {
	NOBODY = 65534
};

struct plan {
	int at;          /* the step it happens at; -1 for never */
	int step;        /* counted */
	bool cancel;     /* stop */
	bool die;        /* kill -9 */
	const char *cut; /* truncate this file */
};

static bool follow_plan(void *context, const char *what, uint64_t done, uint64_t total)
{
	struct plan *plan = context;

	(void)what;
	(void)done;
	(void)total;
	if (plan->step++ != plan->at)
		return true;
	if (plan->die)
		raise(SIGKILL);
	if (plan->cut && truncate(plan->cut, 100) != 0)
		abort();
	return !plan->cancel;
}

static void name_every_dim(void *context, const struct dim *dim)
{
	void **both = context;
	struct dim to = {.kind = DIM_PARAM};
	struct err err;

	if (dim->origin && !patch_dim(both[0], both[1], dim->origin, &to, SV("renamed"), &err))
		abort();
}

/* Opens `from`, renames every dim (or none), saves to `to`. */
static bool save_model(const char *from, const char *to, bool edit, bool force, struct plan *plan,
		       struct str *notes, struct err *err)
{
	struct save_options options = {.force = force, .progress = follow_plan, .context = plan};
	struct save_report report = {0};
	struct patch patch = {0};
	struct wire w;
	bool ok = false;

	if (!wire_open(&w, from, err))
		return false;
	if (edit)
		model_each_dim(&w.model, name_every_dim, (void *[]){&patch, &w});
	ok = wire_save(&w, &patch, to, &options, &report, err);
	if (notes)
		str_add(notes, str_sv(&report.notes));
	save_report_release(&report);
	patch_release(&patch);
	wire_release(&w);
	return ok;
}

static bool simple_save(const char *from, const char *to, struct err *err)
{
	return save_model(from, to, true, false, &(struct plan){.at = -1}, NULL, err);
}

static bool forced_save(const char *from, const char *to, struct err *err)
{
	return save_model(from, to, true, true, &(struct plan){.at = -1}, NULL, err);
}

static bool file_is(const char *path, const struct str *bytes)
{
	struct str got = {0};
	bool same = read_whole(path, &got) && sv_eq(str_sv(&got), str_sv(bytes));

	str_release(&got);
	return same;
}

/* A new folder with the source in it; the expected result is computed once. */
static const char *fresh(const char *name)
{
	struct err err;

	scratch_remove();
	if (old_bytes.len == 0) {
		CHECK(read_whole(model(0, "nested.onnx"), &old_bytes));
		CHECK(simple_save(model(0, "nested.onnx"), scratch_path(0, "wanted"), &err));
		CHECK(read_whole(scratch_path(0, "wanted"), &new_bytes));
		CHECK(!sv_eq(str_sv(&old_bytes), str_sv(&new_bytes)));
		scratch_remove();
	}
	write_whole(scratch_path(0, name), str_sv(&old_bytes));
	return scratch_path(0, name);
}

/* ---- interrupted ---- */

static int save_in_child(const char *path, struct plan plan, void (*prepare)(void), char *said,
			 size_t room)
{
	int pipe_ends[2], status;
	ssize_t n = 0;
	pid_t child;

	if (pipe(pipe_ends) != 0)
		abort();
	fflush(stdout);
	child = fork();
	if (child == 0) {
		struct err err = {0};
		bool ok;

		if (prepare)
			prepare();
		ok = save_model(path, path, true, false, &plan, NULL, &err);
		if (write(pipe_ends[1], err.text, strlen(err.text)) < 0)
			_exit(CHILD_FAILED);
		_exit(ok ? CHILD_OK : CHILD_FAILED);
	}
	close(pipe_ends[1]);
	if (said)
		n = read(pipe_ends[0], said, room - 1);
	if (said)
		said[n > 0 ? n : 0] = '\0';
	close(pipe_ends[0]);
	waitpid(child, &status, 0);
	return status;
}

TEST(a_kill_at_any_step_leaves_the_old_file_or_the_new)
{
	int killed = 0, renamed = 0;

	for (int at = 0; at < LONGEST_RUN; at++) {
		const char *path = fresh("m.onnx");
		int status = save_in_child(path, (struct plan){.at = at, .die = true}, NULL, NULL,
					   0);
		struct err err;

		if (WIFEXITED(status)) {
			CHECK(WEXITSTATUS(status) == CHILD_OK && file_is(path, &new_bytes));
			break;
		}
		killed++;
		renamed += file_is(path, &new_bytes);
		CHECK_THAT(file_is(path, &old_bytes) || file_is(path, &new_bytes),
			   "killed at step %d: the file is damaged", at);
		/* The next save removes what the kill left. */
		CHECK(save_model(path, path, false, false, &(struct plan){.at = -1}, NULL, &err));
		CHECK_THAT(count_entries(scratch_folder()) == 1, "killed at step %d: rubbish stays",
			   at);
	}
	CHECK_THAT(killed > 20 && renamed == 1, "%d kills, %d after the rename", killed, renamed);
	printf("# killed at each of %d steps\n", killed);
}

TEST(a_cancel_at_any_step_leaves_nothing)
{
	int cancelled = 0;

	for (int at = 0; at < LONGEST_RUN; at++) {
		const char *path = fresh("m.onnx");
		struct plan plan = {.at = at, .cancel = true};
		struct err err;

		if (save_model(path, path, true, false, &plan, NULL, &err))
			break;
		cancelled++;
		CHECK(err.kind == ERR_STOPPED && file_is(path, &old_bytes));
		CHECK(count_entries(scratch_folder()) == 1);
	}
	CHECK_THAT(cancelled > 20, "%d", cancelled);
}

static void limit_file_size(void)
{
	struct rlimit limit = {600, 600};

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(a_file_that_may_not_grow_is_told)
{
	const char *path = fresh("m.onnx");
	char said[512];
	int status = save_in_child(path, (struct plan){.at = -1}, limit_file_size, said,
				   sizeof(said));

	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == CHILD_FAILED);
	CHECK_THAT(strstr(said, "m.onnx: cannot be written: File too large"), "said: %s", said);
	CHECK(file_is(path, &old_bytes) && count_entries(scratch_folder()) == 1);
}

TEST(a_full_disk_is_told)
{
	const char *path = fresh("m.onnx");
	const char *disk = scratch_path(1, "disk");
	const char *target = scratch_path(2, "disk/m.onnx");
	struct str filler = {0};
	struct err err;
	bool ok;

	mkdir(disk, 0777);
	/* In a private namespace, so that nothing is left when this process ends. */
	if (unshare(CLONE_NEWNS) != 0 ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", disk, "tmpfs", 0, "size=8k") != 0)
		SKIP("needs the right to mount");
	CHECK(write_whole(target, str_sv(&old_bytes)));
	str_repeat(&filler, 'x', 4096);
	write_whole(scratch_path(3, "disk/filler"), str_sv(&filler));
	ok = simple_save(path, target, &err);
	CHECK_THAT(!ok && strstr(err.text, "No space left on device"), "said: %s", err.text);
	CHECK(file_is(target, &old_bytes) && count_entries(disk) == 2);
	umount(disk);
	str_release(&filler);
}

static void become_nobody(void)
{
	if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
		_exit(CHILD_OK);
}

TEST(a_read_only_folder_is_told)
{
	const char *path = fresh("m.onnx");
	char said[512];
	int status;

	if (geteuid() == 0)
		CHECK(chown(path, NOBODY, NOBODY) == 0);
	chmod(scratch_folder(), 0555);
	status = save_in_child(path, (struct plan){.at = -1}, become_nobody, said, sizeof(said));
	chmod(scratch_folder(), 0755);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == CHILD_FAILED);
	CHECK_THAT(strstr(said, "m.onnx: cannot write to its folder: Permission denied"),
		   "said: %s", said);
	CHECK(file_is(path, &old_bytes) && count_entries(scratch_folder()) == 1);
}

/* ---- the source changes ---- */

TEST(a_source_cut_off_meanwhile_does_not_reach_the_target)
{
	int refused = 0;

	for (int at = 0; at < 40; at++) {
		const char *path = fresh("m.onnx");
		const char *target = scratch_path(1, "out.onnx");
		struct plan plan = {.at = at, .cut = path};
		struct err err;

		write_whole(target, str_sv(&new_bytes));
		if (save_model(path, target, true, false, &plan, NULL, &err))
			continue; /* the last step: already renamed */
		refused++;
		CHECK(file_is(target, &new_bytes) && count_entries(scratch_folder()) == 2);
		CHECK_THAT(strstr(err.text, "changed on disk") || strstr(err.text, "was truncated"),
			   "said: %s", err.text);
	}
	CHECK_THAT(refused > 20, "%d", refused);
}

struct opened {
	struct wire wire;
	struct patch patch;
	struct save_report report;
};

static bool save_opened(struct opened *o, const char *target, bool force, struct err *err)
{
	struct save_options options = {.force = force};

	return wire_save(&o->wire, &o->patch, target, &options, &o->report, err);
}

static void close_opened(struct opened *o)
{
	patch_release(&o->patch);
	save_report_release(&o->report);
	wire_release(&o->wire);
}

TEST(a_source_that_changed_is_refused_unless_forced)
{
	const char *path = fresh("m.onnx");
	const char *out = scratch_path(1, "out.onnx");
	struct opened o = {0};
	struct err err;

	CHECK(wire_open(&o.wire, path, &err));
	write_whole(path, str_sv(&new_bytes));
	CHECK(!save_opened(&o, out, false, &err));
	CHECK_THAT(strstr(err.text, "m.onnx changed on disk since it was opened"), "%s", err.text);
	CHECK(access(out, F_OK) != 0);
	close_opened(&o);
}

TEST(a_source_that_was_replaced_is_refused_unless_forced)
{
	const char *path = fresh("m.onnx");
	const char *other = scratch_path(1, "other.onnx");
	struct opened o = {0};
	struct err err;

	CHECK(wire_open(&o.wire, path, &err));
	write_whole(other, str_sv(&new_bytes));
	rename(other, path);
	CHECK(!save_opened(&o, path, false, &err));
	CHECK_THAT(strstr(err.text, "was replaced on disk"), "%s", err.text);
	CHECK(file_is(path, &new_bytes));
	/* The opened file still exists without a name; force writes it back. */
	CHECK(save_opened(&o, path, true, &err) && file_is(path, &old_bytes));
	close_opened(&o);
}

TEST(saving_over_the_source_again_and_again)
{
	const char *path = fresh("m.onnx");
	struct opened o = {0};
	struct err err;

	CHECK(wire_open(&o.wire, path, &err));
	model_each_dim(&o.wire.model, name_every_dim, (void *[]){&o.patch, &o.wire});
	CHECK(save_opened(&o, path, false, &err) && file_is(path, &new_bytes));
	/* After undo, the file first opened is still the source. */
	patch_release(&o.patch);
	CHECK(save_opened(&o, path, false, &err) && file_is(path, &old_bytes));
	CHECK(count_entries(scratch_folder()) == 1);
	close_opened(&o);
}

/* ---- targets ---- */

TEST(a_link_stays_a_link)
{
	const char *path = fresh("m.onnx");
	const char *link = scratch_path(1, "link.onnx");
	struct stat st;
	struct err err;

	CHECK(symlink("m.onnx", link) == 0);
	CHECK(simple_save(link, link, &err));
	CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode) && file_is(path, &new_bytes));
	CHECK(unlink(path) == 0 && simple_save(model(0, "nested.onnx"), link, &err));
	CHECK(file_is(path, &new_bytes));
	unlink(link);
	CHECK(symlink("link.onnx", link) == 0);
	CHECK(!simple_save(path, link, &err) && strstr(err.text, "too many symbolic links"));
}

TEST(mode_and_owner_are_kept)
{
	const char *path = fresh("m.onnx");
	const char *out = scratch_path(1, "out.onnx");
	bool root = geteuid() == 0;
	struct stat st;
	struct err err;

	chmod(path, 0640);
	if (root && chown(path, NOBODY, NOBODY) != 0)
		root = false;
	CHECK(!root || (!simple_save(path, path, &err) && strstr(err.text, "another user")));
	CHECK(forced_save(path, path, &err) && stat(path, &st) == 0);
	CHECK((st.st_mode & 07777) == 0640 &&
	      (!root || (st.st_uid == NOBODY && st.st_gid == NOBODY)));
	umask(027);
	CHECK(simple_save(path, out, &err) && stat(out, &st) == 0 && (st.st_mode & 07777) == 0640);
	umask(022);
}

TEST(nobody_else_may_read_a_private_model)
{
	const char *path = fresh("m.onnx");
	const char *out = scratch_path(1, "out.onnx");
	struct stat st;
	struct err err;

	chmod(path, 0600);
	CHECK(simple_save(path, out, &err) && stat(out, &st) == 0 && (st.st_mode & 07777) == 0600);
	/* A wider file that is replaced becomes narrower. */
	chmod(out, 0644);
	CHECK(simple_save(path, out, &err) && stat(out, &st) == 0 && (st.st_mode & 07777) == 0600);
}

TEST(a_read_only_file_is_replaced_by_force_only)
{
	const char *path = fresh("m.onnx");
	const char *out = scratch_path(1, "out.onnx");
	struct stat st;
	struct err err;

	chmod(path, 0444);
	CHECK(!simple_save(path, path, &err) && strstr(err.text, "is read-only"));
	CHECK(forced_save(path, path, &err) && stat(path, &st) == 0 &&
	      (st.st_mode & 07777) == 0444);
	/* What is new can be written again. */
	CHECK(simple_save(path, out, &err) && stat(out, &st) == 0 && (st.st_mode & 07777) == 0644);
	CHECK(simple_save(path, out, &err));
}

TEST(only_files_are_replaced)
{
	const char *path = fresh("m.onnx");
	struct err err;

	CHECK(!simple_save(path, scratch_folder(), &err) && strstr(err.text, "not a regular file"));
	CHECK(!simple_save(path, "/dev/null", &err) && strstr(err.text, "not a regular file"));
	CHECK(!simple_save(path, scratch_path(1, "no/such/out.onnx"), &err));
	CHECK(strstr(err.text, "No such file or directory"));
	CHECK(count_entries(scratch_folder()) == 1);
}

TEST(a_save_that_is_still_running_is_left_alone)
{
	const char *path = fresh("m.onnx");
	const char *running = scratch_path(1, ".m.onnx.axed-0badcafe");
	const char *left = scratch_path(2, ".m.onnx.axed-deadbeef");
	const char *other = scratch_path(3, ".other.onnx.axed-deadbeef");
	int fd = open(running, O_RDWR | O_CREAT, 0666);
	struct err err;

	write_whole(left, SV("rubbish"));
	write_whole(other, SV("somebody else's"));
	CHECK(os_lock(fd) && simple_save(path, path, &err));
	CHECK(access(running, F_OK) == 0 && access(left, F_OK) != 0 && access(other, F_OK) == 0);
	close(fd);
}

/* ---- external data ---- */

static void copy_into(const char *name, const char *target)
{
	struct str bytes = {0};

	CHECK(read_whole(model(1, name), &bytes) && write_whole(target, str_sv(&bytes)));
	str_release(&bytes);
}

static bool same_as_model(const char *name, const char *path)
{
	struct str bytes = {0};
	bool same = read_whole(model(1, name), &bytes) && file_is(path, &bytes);

	str_release(&bytes);
	return same;
}

static bool save_plain(const char *from, const char *to, bool force, struct str *notes,
		       struct err *err)
{
	str_clear(notes);
	return save_model(from, to, true, force, &(struct plan){.at = -1}, notes, err);
}

TEST(external_data_goes_along_into_another_folder)
{
	struct str notes = {0};
	struct stat st;
	struct err err;

	scratch_remove();
	CHECK(save_plain(model(0, "external.onnx"), scratch_path(0, "e.onnx"), false, &notes,
			 &err));
	CHECK(same_as_model("external.bin", scratch_path(1, "external.bin")));
	CHECK(same_as_model("whole.bin", scratch_path(1, "whole.bin")));
	CHECK_THAT(strstr(str_c(&notes), "'external.bin' was "), "%s", str_c(&notes));
	/* onnx refuses data that has a second name. */
	CHECK(stat(scratch_path(1, "external.bin"), &st) == 0 && st.st_nlink == 1);
	/* Again: the existing file is the same data. */
	CHECK(save_plain(model(0, "external.onnx"), scratch_path(0, "e.onnx"), false, &notes,
			 &err));
	CHECK(notes.len == 0);
	CHECK(save_plain(model(0, "external_sub.onnx"), scratch_path(0, "s.onnx"), false, &notes,
			 &err));
	CHECK(same_as_model("sub/data.bin", scratch_path(1, "sub/data.bin")));
	str_release(&notes);
}

TEST(other_data_of_that_name_is_refused_unless_forced)
{
	const char *data = (scratch_remove(), scratch_path(1, "external.bin"));
	struct str notes = {0};
	struct err err;

	write_whole(data, SV("somebody's work"));
	CHECK(!save_plain(model(0, "external.onnx"), scratch_path(0, "e.onnx"), false, &notes,
			  &err));
	CHECK_THAT(strstr(err.text, "different external data 'external.bin' already exists"), "%s",
		   err.text);
	CHECK(count_entries(scratch_folder()) == 1);
	CHECK(save_plain(model(0, "external.onnx"), scratch_path(0, "e.onnx"), true, &notes, &err));
	CHECK(same_as_model("external.bin", data));
	str_release(&notes);
}

TEST(missing_and_unsafe_data_is_a_note)
{
	struct str notes = {0};
	struct err err;

	scratch_remove();
	CHECK(save_plain(model(0, "external_missing.onnx"), scratch_path(0, "m.onnx"), false,
			 &notes, &err));
	CHECK_THAT(strstr(str_c(&notes), "cannot be opened: No such file"), "%s", str_c(&notes));
	scratch_remove();
	CHECK(save_plain(model(0, "external_escape.onnx"), scratch_path(0, "x.onnx"), false, &notes,
			 &err));
	CHECK(strstr(str_c(&notes), "'../x' leads out of the model's folder"));
	CHECK(strstr(str_c(&notes), "'/etc/passwd' is an absolute path"));
	CHECK(strstr(str_c(&notes), "'link.bin' leads out"));
	/* Only the model and the one safe location, whose offset is wrong. */
	CHECK_THAT(count_entries(scratch_folder()) == 2, "%s", str_c(&notes));
	CHECK(same_as_model("external.bin", scratch_path(1, "external.bin")));
	str_release(&notes);
}

TEST(a_folder_that_is_a_link_is_not_written_through)
{
	const char *outside = (scratch_remove(), scratch_path(1, "outside"));
	struct str notes = {0};
	struct err err;

	mkdir(outside, 0777);
	mkdir(scratch_path(2, "to"), 0777);
	CHECK(symlink("../outside", scratch_path(3, "to/sub")) == 0);
	CHECK(!save_plain(model(0, "external_sub.onnx"), scratch_path(0, "to/s.onnx"), false,
			  &notes, &err));
	CHECK(count_entries(outside) == 0 && count_entries(scratch_path(2, "to")) == 1);
	str_release(&notes);
}

TEST(a_model_never_overwrites_its_own_weights)
{
	const char *data = (scratch_remove(), scratch_path(1, "external.bin"));
	struct str notes = {0};
	struct err err;

	copy_into("external.onnx", scratch_path(0, "e.onnx"));
	copy_into("external.bin", data);
	copy_into("whole.bin", scratch_path(2, "whole.bin"));
	CHECK(!save_plain(scratch_path(0, "e.onnx"), data, true, &notes, &err));
	CHECK_THAT(strstr(err.text, "is the model's own external data"), "%s", err.text);
	CHECK(same_as_model("external.bin", data));
	str_release(&notes);
}

TEST(a_failed_save_takes_its_data_back)
{
	struct plan plan = {.at = 0, .cancel = true};
	struct err err;

	/* Cloning takes no step; copying and every later step can be cancelled. */
	for (int at = 0; at < LONGEST_RUN; at++) {
		scratch_remove();
		plan = (struct plan){.at = at, .cancel = true};
		if (save_model(model(0, "external_sub.onnx"), scratch_path(0, "s.onnx"), true,
			       false, &plan, NULL, &err))
			break;
		CHECK_THAT(count_entries(scratch_folder()) == 0, "cancelled at step %d", at);
	}
	CHECK(plan.at > 3);
}

static const struct tap_test tests[] = {
	T(a_kill_at_any_step_leaves_the_old_file_or_the_new),
	T(a_cancel_at_any_step_leaves_nothing),
	T(a_file_that_may_not_grow_is_told),
	T(a_full_disk_is_told),
	T(a_read_only_folder_is_told),
	T(a_source_cut_off_meanwhile_does_not_reach_the_target),
	T(a_source_that_changed_is_refused_unless_forced),
	T(a_source_that_was_replaced_is_refused_unless_forced),
	T(saving_over_the_source_again_and_again),
	T(a_link_stays_a_link),
	T(mode_and_owner_are_kept),
	T(nobody_else_may_read_a_private_model),
	T(a_read_only_file_is_replaced_by_force_only),
	T(only_files_are_replaced),
	T(a_save_that_is_still_running_is_left_alone),
	T(external_data_goes_along_into_another_folder),
	T(other_data_of_that_name_is_refused_unless_forced),
	T(missing_and_unsafe_data_is_a_note),
	T(a_folder_that_is_a_link_is_not_written_through),
	T(a_model_never_overwrites_its_own_weights),
	T(a_failed_save_takes_its_data_back),
};

int main(int count, char **words)
{
	int result;

	if (count != 2)
		return 99;
	models = words[1];
	result = tap_main(tests, (int)ARRAY_LEN(tests));
	scratch_remove();
	str_release(&old_bytes);
	str_release(&new_bytes);
	return result;
}
