// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/child.h"
#include "../base/loop.h"
#include "../base/now.h"
#include "../base/text.h"
#include "child.h"

enum { LINE = 400, LAST_WORDS_MS = 500, LOAD_SECONDS = 20, START_SECONDS = 5, FRAME_SECONDS = 1 };
#define QUIET_SECONDS 0.002
#define WORDS_SECONDS 0.05  // what it prints while it is loaded is taken so often

struct reaction_process {
  struct reaction_process_options options;
  const struct reaction_build *built;
  unsigned num_params, num_words;
  pid_t pid;         // 0: it is no more
  int fd, said;      // its socket; what it prints
  double loaded_by;  // it is ready by then, or ended
  uint32_t sequence;
  char line[LINE];
  size_t line_len;
  int32_t *given;
  char *answer;  // room for the longest
};

enum {
  ANSWER_MOST = sizeof(struct reaction_counts) +
                REACTION_MAX_PARAMS * sizeof(struct reaction_done) +
                (REACTION_MAX_CHANGES + 1) * REACTION_CHANGE_WORDS * sizeof(int64_t)
};

// ---- what it prints -----------------------------------------------------------------------------

static void end_line(struct reaction_process *p) {
  char clean[4 * LINE];
  p->line[p->line_len] = 0;
  p->line_len = 0;
  sluice_text_clean(clean, sizeof clean, p->line, false);
  if (p->options.say) p->options.say(p->options.user, clean);
}

// All that is there. A longer line becomes several.
static void take_words(struct reaction_process *p) {
  char bytes[4096];
  for (unsigned n = 0; n < 64 && p->said >= 0; n++) {
    const ssize_t got = read(p->said, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    for (ssize_t i = 0; i < got; i++) {
      if (bytes[i] == '\n' || p->line_len + 1 == sizeof p->line) end_line(p);
      if (bytes[i] != '\n') p->line[p->line_len++] = bytes[i];
    }
  }
}

// ---- the child ----------------------------------------------------------------------------------

// Descriptors 0 to 3 become: nothing, what is printed (twice), the socket. Of all others it keeps
// the shared object, until that is loaded.
static _Noreturn void become(pid_t parent, int fd, int said, const struct reaction_child *child) {
  setpgid(0, 0);
  sluice_child_follow(parent, SIGKILL);
  sluice_child_signals();
  const int line = fcntl(fd, F_DUPFD, 10), printed = fcntl(said, F_DUPFD, 10),
            nothing = open("/dev/null", O_RDONLY);
  struct reaction_child own = *child;
  own.object_fd = fcntl(child->object_fd, F_DUPFD, 10);
  if (line < 0 || printed < 0 || nothing < 0 || own.object_fd < 0) _exit(1);
  dup2(nothing, 0);
  dup2(printed, 1);
  dup2(printed, 2);
  dup2(line, 3);
  sluice_child_close(4, own.object_fd);
  reaction_child_main(3, &own);
}

static void forget(struct reaction_process *p) {
  if (p->fd >= 0) close(p->fd);
  if (p->said >= 0) close(p->said);
  p->fd = p->said = -1;
  p->pid = 0;
}

// Ends what is left of it. What it has printed is told.
static int bury(struct reaction_process *p) {
  int status = 0;
  if (!p->pid) return 0;
  kill(-p->pid, SIGKILL);
  kill(p->pid, SIGKILL);
  while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR) continue;
  take_words(p);
  if (p->line_len) end_line(p);
  forget(p);
  return status;
}

// ---- frames -------------------------------------------------------------------------------------

enum heard { HEARD, SILENT, GONE };

// Waits until the socket can be written (`out`) or read, and takes what is printed meanwhile.
static enum heard wait_for(struct reaction_process *p, bool out, double until) {
  struct sluice_loop loop = SLUICE_LOOP;
  for (;;) {
    const double now = sluice_now(), left = until - now;
    unsigned socket, said;
    sluice_loop_watch(&loop, p->fd, out ? SLUICE_LOOP_OUT : SLUICE_LOOP_IN, &socket);
    sluice_loop_watch(&loop, p->said, SLUICE_LOOP_IN, &said);
    sluice_loop_until(&loop, left > 0 && p->options.idle ? now + QUIET_SECONDS : until);
    const int ready = sluice_loop_wait(&loop);
    if (said & SLUICE_LOOP_IN) take_words(p);
    if (socket) return HEARD;
    // Nobody holds the other end of what is printed: do not spin.
    if (said == SLUICE_LOOP_END) {
      close(p->said);
      p->said = -1;
    }
    if (left <= 0) return SILENT;
    if (ready == 0 && p->options.idle) p->options.idle(p->options.user);
  }
}

static enum heard put(struct reaction_process *p, const void *bytes, size_t len, double until) {
  for (const char *at = bytes; len;) {
    const ssize_t done = send(p->fd, at, len, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (done > 0) {
      at += done;
      len -= (size_t)done;
    } else if (done < 0 && errno != EAGAIN && errno != EINTR) {
      return GONE;
    } else {
      const enum heard heard = wait_for(p, true, until);
      if (heard != HEARD) return heard;
    }
  }
  return HEARD;
}

static enum heard get(struct reaction_process *p, void *bytes, size_t len, double until) {
  for (char *at = bytes; len;) {
    const ssize_t done = recv(p->fd, at, len, MSG_DONTWAIT);
    if (done > 0) {
      at += done;
      len -= (size_t)done;
    } else if (done == 0 || (errno != EAGAIN && errno != EINTR)) {
      return GONE;
    } else {
      const enum heard heard = wait_for(p, false, until);
      if (heard != HEARD) return heard;
    }
  }
  return HEARD;
}

// ---- how it ended -------------------------------------------------------------------------------

static enum sluice_status with_line(const struct reaction_process *p,
                                    const struct reaction_died *died, const char *what,
                                    struct sluice_error *error) {
  const unsigned line = died->known ? reaction_line_of(p->built, died->offset) : 0;
  if (line) return sluice_fail(error, SLUICE_ERR_IO, "line %u: %s", line, what);
  return sluice_fail(error, SLUICE_ERR_IO, "%s", what);
}

static enum sluice_status died(struct reaction_process *p, const struct reaction_died *died_of,
                               struct sluice_error *error) {
  char what[160];
  bury(p);
  snprintf(what, sizeof what, "signal %u (%s)", died_of->signal, strsignal((int)died_of->signal));
  return with_line(p, died_of, what, error);
}

// The socket was closed without a word.
static enum sluice_status gone(struct reaction_process *p, struct sluice_error *error) {
  // It may be on its way out: what it dies of is more interesting than our signal.
  int status = 0;
  bool over = false;
  for (int n = 0; !over && n < LAST_WORDS_MS; n++) {
    over = waitpid(p->pid, &status, WNOHANG) == p->pid;
    if (!over) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  if (over) {
    kill(-p->pid, SIGKILL);
    take_words(p);
    if (p->line_len) end_line(p);
    forget(p);
  } else {
    bury(p);
    return sluice_fail(error, SLUICE_ERR_IO, "it has closed its socket");
  }
  if (WIFSIGNALED(status))
    return sluice_fail(error, SLUICE_ERR_IO, "signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  return sluice_fail(error, SLUICE_ERR_IO, "it has ended itself, with exit code %d",
                     WEXITSTATUS(status));
}

static enum sluice_status garbage(struct reaction_process *p, struct sluice_error *error) {
  bury(p);
  return sluice_fail(error, SLUICE_ERR_IO, "its process has written what is no answer");
}

// It is asked where it is; who does not hear that is ended all the same.
static enum sluice_status too_long(struct reaction_process *p, double limit,
                                   struct sluice_error *error) {
  struct reaction_frame frame;
  struct reaction_died where = {.signal = 0};
  const double until = sluice_now() + LAST_WORDS_MS * 1e-3;
  char what[80];
  p->options.idle = NULL;
  kill(p->pid, SIGTERM);
  if (get(p, &frame, sizeof frame, until) != HEARD || frame.magic != REACTION_MAGIC ||
      frame.kind != REACTION_DIED || frame.len != sizeof where ||
      get(p, &where, sizeof where, until) != HEARD)
    where.known = 0;
  bury(p);
  snprintf(what, sizeof what, "no answer within %g s", limit);
  return with_line(p, &where, what, error);
}

static enum sluice_status ended(struct reaction_process *p, enum heard heard, double limit,
                                struct sluice_error *error) {
  return heard == SILENT ? too_long(p, limit, error) : gone(p, error);
}

// ---- all ----------------------------------------------------------------------------------------

// A frame of one of two kinds, or how it ended.
static enum sluice_status hear(struct reaction_process *p, enum reaction_frame_kind wanted,
                               uint32_t sequence, double limit, void *bytes, size_t room,
                               size_t *len, struct sluice_error *error) {
  struct reaction_frame frame;
  struct reaction_died how;
  char why[300] = "";
  const double until = sluice_now() + limit;
  enum heard heard = get(p, &frame, sizeof frame, until);
  if (heard != HEARD) return ended(p, heard, limit, error);
  if (frame.magic != REACTION_MAGIC) return garbage(p, error);
  if (frame.kind == REACTION_DIED && frame.len == sizeof how) {
    heard = get(p, &how, sizeof how, until);
    return heard == HEARD ? died(p, &how, error) : ended(p, heard, limit, error);
  }
  if (frame.kind == REACTION_FAILED && frame.len < sizeof why) {
    heard = get(p, why, frame.len, until);
    bury(p);
    return sluice_fail(error, SLUICE_ERR_IO, "its process could not begin: %s", why);
  }
  if (frame.kind != (uint32_t)wanted || frame.sequence != sequence || frame.len > room)
    return garbage(p, error);
  *len = frame.len;
  heard = get(p, bytes, frame.len, until);
  return heard == HEARD ? SLUICE_OK : ended(p, heard, limit, error);
}

static void drop(struct reaction_process *p) {
  if (!p) return;
  free(p->given);
  free(p->answer);
  free(p);
}

enum sluice_status reaction_process_begin(struct reaction_process **out,
                                          const struct reaction_build *built, unsigned which,
                                          unsigned num_params, unsigned num_words,
                                          const struct reaction_process_options *options,
                                          struct sluice_error *error) {
  const struct reaction_child child = {built->fd, which, num_params, num_words};
  int line[2] = {-1, -1}, said[2] = {-1, -1};
  *out = NULL;
  struct reaction_process *p = calloc(1, sizeof *p);
  if (p) {
    p->given = calloc((size_t)num_params + num_words + 1, sizeof *p->given);
    p->answer = malloc(ANSWER_MOST);
  }
  if (!p || !p->given || !p->answer) {
    drop(p);
    return sluice_no_memory(error);
  }
  p->options = *options;
  if (p->options.limit <= 0) p->options.limit = 1;
  p->built = built;
  p->num_params = num_params;
  p->num_words = num_words;
  p->fd = p->said = -1;
  const pid_t parent = getpid();
  fflush(NULL);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) || pipe2(said, O_CLOEXEC) ||
      (p->pid = fork()) < 0) {
    const int why = errno;
    for (int i = 0; i < 2; i++) {
      if (line[i] >= 0) close(line[i]);
      if (said[i] >= 0) close(said[i]);
    }
    drop(p);
    return sluice_fail(error, SLUICE_ERR_IO, "no process for a reaction: %s", strerror(why));
  }
  if (p->pid == 0) become(parent, line[1], said[1], &child);
  setpgid(p->pid, p->pid);
  close(line[1]);
  close(said[1]);
  p->fd = line[0];
  p->said = said[0];
  fcntl(p->said, F_SETFL, O_NONBLOCK);
  p->loaded_by = sluice_now() + LOAD_SECONDS;
  *out = p;
  return SLUICE_OK;
}

enum sluice_status reaction_process_loaded(struct reaction_process *p, bool *loaded,
                                           struct sluice_error *error) {
  size_t len;
  *loaded = false;
  take_words(p);
  if (sluice_await(p->fd, SLUICE_LOOP_IN, 0)) {
    // What it says is some bytes, sent at once.
    SLUICE_TRY(hear(p, REACTION_READY, 0, FRAME_SECONDS, NULL, 0, &len, error));
    *loaded = true;
    return SLUICE_OK;
  }
  return sluice_now() < p->loaded_by ? SLUICE_OK : too_long(p, LOAD_SECONDS, error);
}

void reaction_process_watch(const struct reaction_process *p, struct sluice_loop *loop) {
  const double words = sluice_now() + WORDS_SECONDS;
  sluice_loop_watch(loop, p->fd, SLUICE_LOOP_IN, NULL);
  sluice_loop_until(loop, words < p->loaded_by ? words : p->loaded_by);
}

enum sluice_status reaction_process_start(struct reaction_process **p,
                                          const struct reaction_build *built, unsigned which,
                                          unsigned num_params, unsigned num_words,
                                          const struct reaction_process_options *options,
                                          struct sluice_error *error) {
  size_t len;
  SLUICE_TRY(reaction_process_begin(p, built, which, num_params, num_words, options, error));
  const enum sluice_status status =
      hear(*p, REACTION_READY, 0, START_SECONDS, NULL, 0, &len, error);
  if (status) {
    reaction_process_end(*p);
    *p = NULL;
  }
  return status;
}

// The bytes of an answer; false: they are none.
static bool understood(const struct reaction_process *p, size_t len,
                       struct reaction_effects *effects) {
  struct reaction_counts counts;
  struct reaction_done done[REACTION_MAX_PARAMS];
  if (len < sizeof counts) return false;
  memcpy(&counts, p->answer, sizeof counts);
  const size_t change = sizeof effects->changes[0];
  if (counts.effects > REACTION_MAX_PARAMS || counts.changes > REACTION_MAX_CHANGES + 1 ||
      len != sizeof counts + counts.effects * sizeof done[0] + counts.changes * change)
    return false;
  memcpy(done, p->answer + sizeof counts, counts.effects * sizeof done[0]);
  for (uint32_t i = 0; i < counts.effects; i++) {
    if (done[i].param >= p->num_params) return false;
    effects->list[i] = (struct reaction_effect){done[i].param, done[i].line, done[i].value};
  }
  memcpy(effects->changes, p->answer + sizeof counts + counts.effects * sizeof done[0],
         counts.changes * change);
  effects->num = counts.effects;
  effects->num_changes = counts.changes;
  return true;
}

enum sluice_status reaction_process_run(struct reaction_process *p, enum reaction_fate before,
                                        const int32_t *values, const int32_t *words,
                                        struct reaction_effects *effects,
                                        struct sluice_error *error) {
  const size_t bytes = ((size_t)p->num_params + p->num_words) * sizeof *p->given;
  const struct reaction_given given = {before};
  const struct reaction_frame frame = {REACTION_MAGIC, REACTION_RUN, ++p->sequence,
                                       (uint32_t)(sizeof given + bytes)};
  const double until = sluice_now() + p->options.limit;
  size_t len = 0;
  effects->num = effects->num_changes = 0;
  if (!p->pid) return sluice_fail(error, SLUICE_ERR_IO, "its process is no more");
  memcpy(p->given, values, p->num_params * sizeof *values);
  memcpy(p->given + p->num_params, words, p->num_words * sizeof *words);
  enum heard heard = put(p, &frame, sizeof frame, until);
  if (heard == HEARD) heard = put(p, &given, sizeof given, until);
  if (heard == HEARD) heard = put(p, p->given, bytes, until);
  // Who has died may have said of what.
  if (heard == SILENT) return ended(p, heard, p->options.limit, error);
  SLUICE_TRY(
      hear(p, REACTION_DONE, p->sequence, p->options.limit, p->answer, ANSWER_MOST, &len, error));
  if (!understood(p, len, effects)) return garbage(p, error);
  take_words(p);
  return SLUICE_OK;
}

void reaction_process_end(struct reaction_process *p) {
  if (!p) return;
  bury(p);
  drop(p);
}
