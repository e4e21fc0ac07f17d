// SPDX-License-Identifier: Apache-2.0
// The process of a reaction. It says how it dies, if it still can.
#include "child.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

#include "confine.h"
#include "source.h"

enum { DEEP = 64, ALTSTACK = 65536, MEMORY_MB = 256 };
typedef void run_fn(uint32_t which, int32_t refused, const int32_t *values, const int32_t *words);
typedef uint32_t effects_fn(uint32_t *params, uint32_t *lines, int64_t *values);
typedef uint32_t changes_fn(const int64_t **words);

static int line_fd;
static uintptr_t object_base;

static bool send_all(const void *bytes, size_t len) {
  for (const char *at = bytes; len;) {
    const ssize_t put = send(line_fd, at, len, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    len -= (size_t)put;
  }
  return true;
}

static bool read_all(void *bytes, size_t len) {
  for (char *at = bytes; len;) {
    const ssize_t got = read(line_fd, at, len);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    len -= (size_t)got;
  }
  return true;
}

static bool answer(enum reaction_frame_kind kind, uint32_t sequence, const void *bytes,
                   size_t len) {
  const struct reaction_frame frame = {REACTION_MAGIC, kind, sequence, (uint32_t)len};
  return send_all(&frame, sizeof frame) && send_all(bytes, len);
}

// Where a signal came, if the machine is known.
static const void *interrupted(const ucontext_t *at) {
#if defined(__x86_64__)
  return (const void *)(uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (const void *)(uintptr_t)at->uc_mcontext.pc;
#else
  (void)at;
  return NULL;
#endif
}

// The innermost call that is in the object. Its address is that of the instruction behind a call,
// or where the signal came.
static void on_death(int number, siginfo_t *info_of, void *at) {
  (void)info_of;
  struct reaction_died died = {.signal = (uint32_t)number};
  void *frames[DEEP];
  Dl_info info;
  const int num = backtrace(frames, DEEP);
  for (int i = 0; i < num && !died.known; i++) {
    if (!dladdr(frames[i], &info) || (uintptr_t)info.dli_fbase != object_base) continue;
    died.known = 1;
    died.offset = (uint64_t)((uintptr_t)frames[i] - object_base) - (frames[i] != interrupted(at));
  }
  (void)answer(REACTION_DIED, 0, &died, sizeof died);
  signal(number, SIG_DFL);
  raise(number);
}

// A body that ends itself does not do what the process that it was forked from does at its end.
static void leave(int code, void *nothing) {
  (void)nothing;
  fflush(stdout);
  _exit(code);
}

static void tell_of_death(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGTRAP, SIGSYS};
  static char stack[ALTSTACK];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = on_death,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  void *warm[2];
  sigemptyset(&action.sa_mask);
  sigaltstack(&other, NULL);
  (void)backtrace(warm, 2);  // the first call loads a library, which a handler must not
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    sigaction(numbers[i], &action, NULL);
}

static effects_fn *effects_of;
static changes_fn *changes_of;

// What the body has set and changed, as one frame.
static bool tell_effects(uint32_t sequence) {
  static uint32_t params[REACTION_MAX_PARAMS], lines[REACTION_MAX_PARAMS];
  static int64_t wanted[REACTION_MAX_PARAMS];
  static struct reaction_done done[REACTION_MAX_PARAMS];
  const int64_t *words;
  const struct reaction_counts counts = {effects_of(params, lines, wanted), changes_of(&words)};
  const size_t set = counts.effects * sizeof done[0],
               changed = counts.changes * REACTION_CHANGE_WORDS * sizeof *words;
  const struct reaction_frame frame = {REACTION_MAGIC, REACTION_DONE, sequence,
                                       (uint32_t)(sizeof counts + set + changed)};
  for (uint32_t i = 0; i < counts.effects; i++)
    done[i] = (struct reaction_done){params[i], lines[i], wanted[i]};
  return send_all(&frame, sizeof frame) && send_all(&counts, sizeof counts) &&
         send_all(done, set) && send_all(words, changed);
}

static _Noreturn void fail(const char *why) {
  (void)answer(REACTION_FAILED, 0, why, strlen(why));
  _exit(1);
}

static void *function(void *object, const char *name) {
  void *found = dlsym(object, name);
  if (!found) fail("the shared object has not what it must have");
  return found;
}

_Noreturn void reaction_child_main(int fd, const struct reaction_child *child) {
  Dl_info info;
  char path[40];
  line_fd = fd;
  if (!confine_body((uint64_t)MEMORY_MB << 20))
    fail("it cannot be confined here: no seccomp filters");
  snprintf(path, sizeof path, "/proc/self/fd/%d", child->object_fd);
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object) fail(dlerror());
  close(child->object_fd);
  run_fn *run;
  *(void **)&run = function(object, "sluice_reaction_run");
  *(void **)&effects_of = function(object, "sluice_reaction_effects");
  *(void **)&changes_of = function(object, "sluice_reaction_changes");
  if (dladdr(*(void **)&run, &info)) object_base = (uintptr_t)info.dli_fbase;
  struct reaction_given before;
  const size_t words = (size_t)child->num_params + child->num_words;
  int32_t *given = calloc(words + 1, sizeof *given);
  if (!given) fail("out of memory");
  tell_of_death();
  on_exit(leave, NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
  struct reaction_frame frame;
  bool good = answer(REACTION_READY, 0, NULL, 0);
  while (good && read_all(&frame, sizeof frame) && frame.magic == REACTION_MAGIC &&
         frame.kind == REACTION_RUN && frame.len == sizeof before + words * sizeof *given &&
         read_all(&before, sizeof before) && read_all(given, words * sizeof *given)) {
    run(child->which, before.refused, given, given + child->num_params);
    fflush(stdout);
    good = tell_effects(frame.sequence);
  }
  _exit(0);
}
