// SPDX-License-Identifier: Apache-2.0
// The system's compiler, and the tool that knows lines of addresses.
//
// Three processes: this one, a guard, and the compiler with what it starts. The guard makes a
// folder and runs the compiler in it. It ends the compiler when time is up. It holds the end of a
// pipe, the leash, whose other end this process has: when that is closed, by this process or by its
// death, the guard ends what still runs, removes the folder and ends itself.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/child.h"
#include "../base/loop.h"
#include "../base/now.h"
#include "../base/number.h"
#include "confine.h"
#include "source.h"

enum {
  MEMORY_MB = 1024,
  FILE_MB = 64,
  SAID_MOST = 64 << 10,  // of what the compiler says
  LATE_SECONDS = 10,     // the guard must have answered so long behind the limit
  LINE_SECONDS = 5,      // addr2line
};
#define STEP_SECONDS 0.01

// ---- a command with limits ----------------------------------------------------------------------

enum { NOT_RUN = -1, TOO_LONG = -2, LEASH_CLOSED = -3 };

struct said {
  char *text;  // SAID_MOST + 1 bytes; 0 behind it
  size_t len;
};

static _Noreturn void be_command(pid_t parent, const char *const *argv, const char *folder,
                                 int kept, int out, double seconds) {
  const struct confine_limits limits = {(unsigned)seconds + 1, (uint64_t)MEMORY_MB << 20,
                                        (uint64_t)FILE_MB << 20};
  setpgid(0, 0);
  sluice_child_follow(parent, SIGKILL);
  sluice_child_signals();
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  if (kept >= 0 && dup2(kept, 3) == 3) fcntl(3, F_SETFD, 0);
  sluice_child_close(kept >= 0 ? 4 : 3, -1);
  if (folder) setenv("TMPDIR", folder, 1);
  if (!confine_compiler(&limits)) {
    static const char why[] = "the C compiler cannot be confined here: no seccomp filters\n";
    (void)!write(STDERR_FILENO, why, sizeof why - 1);
    _exit(126);
  }
  execvp(argv[0], (char *const *)(uintptr_t)argv);
  _exit(127);
}

// What has come from the command; the rest, if it says too much, is dropped. False: nothing will.
static bool hear(int fd, struct said *said) {
  char bytes[4096];
  for (;;) {
    const ssize_t got = read(fd, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 && errno == EAGAIN;
    const size_t room = SAID_MOST - said->len, here = (size_t)got < room ? (size_t)got : room;
    memcpy(said->text + said->len, bytes, here);
    said->len += here;
    said->text[said->len] = 0;
  }
}

// Runs a command, at most `seconds`, or until nobody holds the other end of the leash (-1: there is
// none). `kept` becomes its descriptor 3. Its exit code, or one of the above.
static int command(const char *const *argv, const char *folder, int kept, double seconds, int leash,
                   struct said *said) {
  struct sluice_loop loop = SLUICE_LOOP;
  int ends[2], status = 0, code = NOT_RUN;
  const double until = sluice_now() + seconds;
  const pid_t parent = getpid();
  if (pipe2(ends, O_CLOEXEC)) return NOT_RUN;
  const pid_t child = fork();
  if (child == 0) be_command(parent, argv, folder, kept, ends[1], seconds);
  close(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  if (child > 0) setpgid(child, child);
  for (bool open = child > 0, over = child <= 0; !over;) {
    unsigned ended;
    sluice_loop_watch(&loop, open ? ends[0] : -1, SLUICE_LOOP_IN, NULL);
    sluice_loop_watch(&loop, leash, 0, &ended);
    sluice_loop_until(&loop, sluice_now() + STEP_SECONDS);
    (void)sluice_loop_wait(&loop);
    if (open) open = hear(ends[0], said);
    if (waitpid(child, &status, WNOHANG) == child) {
      code = WIFEXITED(status) ? WEXITSTATUS(status) : NOT_RUN;
      over = true;
      if (open) (void)hear(ends[0], said);
      kill(-child, SIGKILL);  // nothing that it started stays
    } else if (sluice_now() >= until || ended) {
      code = ended ? LEASH_CLOSED : TOO_LONG;
      over = true;
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    }
  }
  close(ends[0]);
  return code;
}

// ---- the guard ----------------------------------------------------------------------------------

// The guard's answer: this, then what the compiler said.
struct answer {
  int code, why;  // why: errno of what could not be done, 0: nothing
  uint32_t said;
  char folder[3800];
};

static void remove_folder(const char *path) {
  DIR *folder = opendir(path);
  const struct dirent *entry;
  while (folder && (entry = readdir(folder)))
    if (entry->d_name[0] != '.') unlinkat(dirfd(folder), entry->d_name, 0);
  if (folder) closedir(folder);
  rmdir(path);
}

// `track` is an option that not every compiler has: errors in arguments of a macro at the line of
// its use, not at that of its definition.
static int compile(const char *folder, const char *track, double seconds, int leash,
                   struct said *said) {
  char source[4000], object[4000];
  snprintf(source, sizeof source, "%s/reactions.c", folder);
  snprintf(object, sizeof object, "%s/reactions.so", folder);
  const char *const argv[] = {"cc",
                              "-std=c11",
                              "-O2",
                              "-g",
                              "-Wall",
                              "-Wextra",
                              "-Werror=implicit-function-declaration",
                              "-fPIC",
                              "-fno-omit-frame-pointer",
                              "-fno-optimize-sibling-calls",
                              track,
                              "-shared",
                              "-o",
                              object,
                              "-x",
                              "c",
                              source,
                              "-lm",
                              NULL};
  return command(argv, folder, -1, seconds, leash, said);
}

static bool write_source(const char *folder, const char *text) {
  char path[4000];
  snprintf(path, sizeof path, "%s/reactions.c", folder);
  FILE *out = fopen(path, "w");
  const bool good = out && fputs(text, out) >= 0;
  return (!out || fclose(out) == 0) && good;
}

static void tell(int fd, const void *bytes, size_t len) {
  for (const char *at = bytes; len;) {
    const ssize_t put = write(fd, at, len);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    at += put;
    len -= (size_t)put;
  }
}

static _Noreturn void be_guard(const char *text, double seconds, int leash, int out) {
  struct answer answer = {.code = NOT_RUN};
  struct said said = {malloc(SAID_MOST + 1), 0};
  const char *above = getenv("TMPDIR");
  setpgid(0, 0);
  sluice_child_signals();
  // Only the leash ends it, so that it is never ended before it has cleared up.
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  const int nothing = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++) dup2(nothing, fd);
  dup2(leash, 3);  // both were moved far up
  dup2(out, 4);
  sluice_child_close(5, -1);
  leash = 3, out = 4;
  fcntl(leash, F_SETFD, FD_CLOEXEC);
  fcntl(out, F_SETFD, FD_CLOEXEC);
  if (!above || !*above) above = "/tmp";
  if (said.text) said.text[0] = 0;
  if ((size_t)snprintf(answer.folder, sizeof answer.folder, "%s/sluice-reactions-XXXXXX", above) >=
          sizeof answer.folder ||
      !said.text || !mkdtemp(answer.folder) || !write_source(answer.folder, text)) {
    answer.why = errno ? errno : ENAMETOOLONG;
  } else {
    answer.code = compile(answer.folder, "-ftrack-macro-expansion=0", seconds, leash, &said);
    if (answer.code > 0 && strstr(said.text, "-ftrack-macro-expansion")) {
      said.len = 0;
      answer.code = compile(answer.folder, "-g", seconds, leash, &said);
    }
  }
  answer.said = (uint32_t)said.len;
  tell(out, &answer, sizeof answer);
  if (said.text) tell(out, said.text, said.len);
  close(out);
  while (!sluice_await(leash, 0, INFINITY)) continue;
  if (answer.folder[0]) remove_folder(answer.folder);
  _exit(0);
}

// ---- a build under way --------------------------------------------------------------------------

struct reaction_building {
  pid_t guard;
  int leash, said;
  bool over;
  double seconds, until;
  size_t len;  // bytes of the answer that have come
  char program[SLUICE_NAME_LEN];
  struct {
    struct answer head;
    char said[SAID_MOST];
  } answer;
};

static void give_up(struct reaction_building *b) {
  if (b->leash >= 0) close(b->leash);
  if (b->said >= 0) close(b->said);
  while (b->guard > 0 && waitpid(b->guard, NULL, 0) < 0 && errno == EINTR) continue;
  free(b);
}

static int far_up(int fd) {
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, 64);
  if (moved >= 0) close(fd);
  return moved;
}

enum sluice_status reaction_build_begin(struct reaction_building **out,
                                        const struct sluice_image *image, const char *file,
                                        double seconds, struct sluice_error *error) {
  int leash[2] = {-1, -1}, said[2] = {-1, -1};
  char *text = NULL;
  *out = NULL;
  SLUICE_TRY(reaction_source(image, file, &text, error));
  struct reaction_building *b = calloc(1, sizeof *b);
  if (!b) {
    free(text);
    return sluice_no_memory(error);
  }
  *b = (struct reaction_building){.guard = -1,
                                  .leash = -1,
                                  .said = -1,
                                  .seconds = seconds > 0 ? seconds : REACTION_BUILD_SECONDS};
  snprintf(b->program, sizeof b->program, "%s", image->program);
  // Twice: an old compiler may not know an option.
  b->until = sluice_now() + 2 * b->seconds + LATE_SECONDS;
  fflush(NULL);
  bool good = !pipe2(leash, O_CLOEXEC) && !pipe2(said, O_CLOEXEC) &&
              (leash[0] = far_up(leash[0])) >= 0 && (said[1] = far_up(said[1])) >= 0;
  if (good) {
    b->guard = fork();
    good = b->guard >= 0;
  }
  if (good && b->guard == 0) be_guard(text, b->seconds, leash[0], said[1]);
  const int why = errno;
  free(text);
  if (leash[0] >= 0) close(leash[0]);
  if (said[1] >= 0) close(said[1]);
  b->leash = leash[1];
  b->said = said[0];
  if (!good) {
    give_up(b);
    return sluice_fail(error, SLUICE_ERR_IO, "no process for the C compiler: %s", strerror(why));
  }
  fcntl(b->said, F_SETFL, O_NONBLOCK);
  *out = b;
  return SLUICE_OK;
}

bool reaction_build_over(struct reaction_building *b) {
  while (!b->over) {
    const size_t whole = sizeof b->answer.head +
                         (b->len < sizeof b->answer.head ? 0 : b->answer.head.said);
    if (b->len >= sizeof b->answer.head && b->len == whole) b->over = true;
    if (b->over) break;
    const ssize_t got = read(b->said, (char *)&b->answer + b->len, whole - b->len);
    if (got > 0) {
      b->len += (size_t)got;
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR) || sluice_now() > b->until) {
      b->answer.head = (struct answer){.code = NOT_RUN, .why = ECHILD};
      b->over = true;
    } else {
      return false;
    }
  }
  return true;
}

void reaction_build_watch(const struct reaction_building *b, struct sluice_loop *loop) {
  sluice_loop_watch(loop, b->said, SLUICE_LOOP_IN, NULL);
  sluice_loop_until(loop, b->until);
}

// Of what the compiler has died, or why its answer counts for nothing.
static enum sluice_status judge(const struct reaction_building *b, const char *said,
                                struct sluice_error *error) {
  const struct answer *a = &b->answer.head;
  static const char *const short_of[] = {"out of memory allocating", "memory exhausted",
                                         "signal terminated program", "File too large"};
  if (!b->over) return sluice_fail(error, SLUICE_ERR_IO, "the C compiler was told to end");
  if (a->why)
    return sluice_fail(error, SLUICE_ERR_IO,
                       "cannot make a folder with the C file of reactions in $TMPDIR: %s",
                       strerror(a->why));
  if (a->code == 126) return sluice_fail(error, SLUICE_ERR_IO, "%.200s", said ? said : "?");
  if (a->code == TOO_LONG)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "the C compiler was not through with the reactions of '%s' after %g s",
                       b->program, b->seconds);
  if (a->code == 127 || a->code < 0)
    return sluice_fail(error, SLUICE_ERR_IO,
                       "reactions need the C compiler 'cc', which cannot be run");
  for (size_t i = 0; a->code && said && i < sizeof short_of / sizeof *short_of; i++)
    if (strstr(said, short_of[i]))
      return sluice_fail(error, SLUICE_ERR_FORMAT,
                         "the reactions of '%s' take the C compiler more than it may have: %g s, "
                         "%d MB of memory, %d MB a file",
                         b->program, b->seconds, MEMORY_MB, FILE_MB);
  if (a->code)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "the reactions of '%s' are not correct C",
                       b->program);
  return SLUICE_OK;
}

enum sluice_status reaction_build_end(struct reaction_building *b, struct reaction_build *built,
                                      char **messages, struct sluice_error *error) {
  *built = (struct reaction_build){.fd = -1};
  *messages = NULL;
  if (b->over && b->answer.head.said) {
    *messages = strndup(b->answer.said, b->answer.head.said);
    if (!*messages) {
      give_up(b);
      return sluice_no_memory(error);
    }
  }
  enum sluice_status status = judge(b, *messages, error);
  if (!status) {
    char path[4000];
    snprintf(path, sizeof path, "%s/reactions.so", b->answer.head.folder);
    built->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (built->fd < 0)
      status = sluice_fail(error, SLUICE_ERR_IO, "cannot open '%.200s': %s", path, strerror(errno));
    else snprintf(built->object, sizeof built->object, "/proc/self/fd/%d", built->fd);
  }
  give_up(b);
  return status;
}

bool reaction_told_to_end(void) {
  sigset_t waiting;
  return sigpending(&waiting) == 0 &&
         (sigismember(&waiting, SIGTERM) == 1 || sigismember(&waiting, SIGINT) == 1 ||
          sigismember(&waiting, SIGHUP) == 1);
}

enum sluice_status reaction_build(struct reaction_build *built, const struct sluice_image *image,
                                  const char *file, char **messages, struct sluice_error *error) {
  struct reaction_building *b;
  *built = (struct reaction_build){.fd = -1};
  *messages = NULL;
  SLUICE_TRY(reaction_build_begin(&b, image, file, 0, error));
  while (!reaction_build_over(b) && !reaction_told_to_end())
    (void)sluice_await(b->said, SLUICE_LOOP_IN, sluice_now() + STEP_SECONDS);
  return reaction_build_end(b, built, messages, error);
}

void reaction_build_release(struct reaction_build *built) {
  if (built->object[0]) close(built->fd);
  *built = (struct reaction_build){.fd = -1};
}

unsigned reaction_line_of(const struct reaction_build *built, uint64_t offset) {
  char address[32], *colon = NULL;
  struct said said = {malloc(SAID_MOST + 1), 0};
  uint64_t line = 0;
  if (!said.text) return 0;
  said.text[0] = 0;
  snprintf(address, sizeof address, "0x%llx", (unsigned long long)offset);
  const char *const argv[] = {"addr2line", "-s", "-e", "/proc/self/fd/3", address, NULL};
  if (command(argv, NULL, built->fd, LINE_SECONDS, -1, &said) == 0) colon = strchr(said.text, ':');
  // What is in the C file itself is no line of the program.
  const bool own = colon && strncmp(said.text, "reactions.c:", 12) != 0;
  const char *end;
  if (own && sluice_number_at(colon + 1, &end, &line) != SLUICE_READ) line = 0;
  free(said.text);
  return (unsigned)line;
}
