// SPDX-License-Identifier: Apache-2.0
// Processes: started, waited for with a bound, ended as a group, and many at a time.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/rig/test.h"
#include "base/now.h"
#include "base/process.h"

static struct sluice_error error;

static int run_shell(const char *script, double limit) {
  const char *const argv[] = {"sh", "-c", script, NULL};
  const struct sluice_process_options options = {.argv = argv, .group = true};
  int code = -1;
  assert_int_equal(sluice_process_run(&options, limit, &code, &error), SLUICE_OK);
  return code;
}

TEST(its_code_is_told) {
  assert_int_equal(run_shell("exit 0", 0), 0);
  assert_int_equal(run_shell("exit 77", 20), 77);
  assert_int_equal(run_shell("kill -USR1 $$", 20), 128 + SIGUSR1);
}

TEST(what_cannot_be_executed_is_told_by_the_start) {
  const char *const argv[] = {"/nowhere/x", NULL};
  const struct sluice_process_options options = {.argv = argv};
  struct sluice_process process;
  assert_int_equal(sluice_process_start(&process, &options, &error), SLUICE_ERR_IO);
  assert_string_equal(error.text, "cannot execute '/nowhere/x': No such file or directory");
  assert_int_equal(process.pid, 0);
  assert_int_equal(sluice_process_end(&process, 1), 0);
}

TEST(a_limit_ends_it_and_all_that_it_started) {
  char path[64], script[200], said[8];
  snprintf(path, sizeof path, "/tmp/sluice-process-%ld", (long)getpid());
  assert_int_equal(mkfifo(path, 0600), 0);
  const int fd = open(path, O_RDONLY | O_NONBLOCK);
  assert_true(fd >= 0);
  // Its child hears no SIGTERM, and would last longer than the test waits; the pipe ends when all
  // have ended that could write there.
  snprintf(script, sizeof script, "(trap '' TERM; echo here; sleep 100) >%s & wait", path);
  const double start = sluice_now();
  // A busy machine may take longer than the limit to come to the child.
  for (double limit = 0.2; read(fd, said, sizeof said) <= 0; limit *= 2)
    assert_int_equal(run_shell(script, limit), 124);
  while (read(fd, said, sizeof said) != 0)
    assert_int_equal(poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 30000), 1);
  assert_true(sluice_now() - start < 90);
  close(fd);
  unlink(path);
}

// It never ends by itself.
TEST(what_hears_nothing_is_killed) {
  const char *const argv[] = {"sh", "-c", "trap '' TERM; while :; do sleep 0.05; done", NULL};
  const struct sluice_process_options options = {.argv = argv, .group = true};
  struct sluice_process process;
  assert_int_equal(sluice_process_start(&process, &options, &error), SLUICE_OK);
  assert_false(sluice_process_wait(&process, 0.2, NULL));
  assert_int_equal(sluice_process_end(&process, 0.2), 128 + SIGKILL);
  assert_true(sluice_process_wait(&process, 0, NULL));
}

static int say_descriptors(void *user) {
  (void)user;
  return fcntl(7, F_GETFD) >= 0 ? 3 : 4;
}

TEST(descriptors_are_what_was_said) {
  int out[2], kept[2];
  char text[64] = "";
  const char *const argv[] = {"sh", "-c",
                              "read x; echo $x $V <&3; cat <&3; ls /proc/self/fd | wc -l", NULL};
  assert_int_equal(pipe(out), 0);
  assert_int_equal(pipe(kept), 0);
  assert_int_equal(write(kept[1], "kept\n", 5), 5);
  close(kept[1]);
  const struct sluice_process_options options = {.argv = argv,
                                                 .out = SLUICE_PROCESS_FD + out[1],
                                                 .in = SLUICE_PROCESS_NOTHING,
                                                 .keep = SLUICE_PROCESS_FD + kept[0],
                                                 .variable = "V",
                                                 .value = "value"};
  int code;
  assert_int_equal(sluice_process_run(&options, 20, &code, &error), SLUICE_OK);
  assert_int_equal(code, 0);
  const ssize_t got = read(out[0], text, sizeof text - 1);
  assert_true(got > 0);
  // 0 to 3, and that of the folder.
  assert_string_equal(text, "value\nkept\n5\n");
  // A body has what its parent has.
  const int seven = dup2(out[0], 7);
  assert_int_equal(seven, 7);
  const struct sluice_process_options body = {.body = say_descriptors};
  assert_int_equal(sluice_process_run(&body, 20, &code, &error), SLUICE_OK);
  assert_int_equal(code, 3);
  close(seven), close(out[0]), close(out[1]), close(kept[0]);
}

static bool confine(void *user) {
  errno = *(int *)user;
  return errno == 0;
}

TEST(before_may_refuse) {
  int why = EACCES;
  const char *const argv[] = {"true", NULL};
  struct sluice_process_options options = {.argv = argv, .before = confine, .user = &why};
  struct sluice_process process;
  assert_int_equal(sluice_process_start(&process, &options, &error), SLUICE_ERR_IO);
  assert_string_equal(error.text, "cannot execute 'true': Permission denied");
  why = 0;
  int code = -1;
  assert_int_equal(sluice_process_run(&options, 20, &code, &error), SLUICE_OK);
  assert_int_equal(code, 0);
}

// Leaves a process behind which never ends by itself.
static int die_with_parent(void *user) {
  const char *const argv[] = {"sh", "-c", "while :; do sleep 0.05; done", NULL};
  const struct sluice_process_options options = {.argv = argv, .follows = SIGKILL};
  struct sluice_process process;
  if (sluice_process_start(&process, &options, NULL)) return 1;
  (void)!write(*(int *)user, &process.pid, sizeof process.pid);
  return 0;
}

TEST(none_outlives_its_parent) {
  int ends[2], code;
  pid_t orphan;
  assert_int_equal(pipe(ends), 0);
  const struct sluice_process_options options = {.body = die_with_parent, .user = &ends[1]};
  assert_int_equal(sluice_process_run(&options, 20, &code, &error), SLUICE_OK);
  assert_int_equal(code, 0);
  assert_int_equal(read(ends[0], &orphan, sizeof orphan), sizeof orphan);
  // Looks until it is gone, two seconds at most: it is no child of this process, which could wait
  // for it.
  int there = 0;
  for (int n = 0; n < 200 && (there = kill(orphan, 0)) == 0; n++) {
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)orphan);
    FILE *stat = fopen(path, "r");
    if (!stat || !fgets(text, sizeof text, stat) || strstr(text, ") Z")) there = -1;
    if (stat) fclose(stat);
    if (there) break;
    usleep(10000);
  }
  assert_int_equal(there, -1);
  close(ends[0]), close(ends[1]);
}

// Longer than the test waits: only a signal ends it in time.
static int sleep_long(void *user) {
  (void)user;
  sleep(60);
  return 0;
}

TEST(a_body_runs_beside_its_parent) {
  const struct sluice_process_options options = {.body = sleep_long};
  struct sluice_process process;
  const double begin = sluice_now();
  assert_int_equal(sluice_process_start(&process, &options, &error), SLUICE_OK);
  assert_false(sluice_process_wait(&process, 0, NULL));
  assert_int_equal(sluice_process_end(&process, 10), 128 + SIGTERM);
  assert_true(sluice_now() - begin < 30);
}

struct tally {
  uint64_t seen, sum, stop;
};
static int pool_body(void *user, uint64_t number) {
  (void)user;
  return (int)(number % 7);
}
static bool pool_done(void *user, uint64_t number, int code) {
  struct tally *t = user;
  assert_int_equal(code, number % 7);
  t->seen++;
  t->sum += number;
  return number != t->stop;
}

TEST(a_pool_runs_each_once) {
  for (unsigned jobs = 1; jobs <= 5; jobs += 2) {
    struct tally t = {.stop = 1000};
    const struct sluice_process_pool pool = {3, 20, jobs, pool_body, pool_done, &t};
    assert_int_equal(sluice_process_pool(&pool, &error), SLUICE_OK);
    FIELDS_ARE(&t, (seen, 17), (sum, 19 * 20 / 2 - 3));
  }
  struct tally t = {.stop = 4};
  const struct sluice_process_pool pool = {0, 1000, 2, pool_body, pool_done, &t};
  assert_int_equal(sluice_process_pool(&pool, &error), SLUICE_OK);
  assert_in_range(t.seen, 5, 8);
}
