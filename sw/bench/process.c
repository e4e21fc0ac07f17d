// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/child.h"
#include "../base/now.h"

void process_word(struct process_words *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int len = vsnprintf(w->text + w->used, sizeof w->text - w->used, format, arguments);
  va_end(arguments);
  if (len < 0 || (size_t)len >= sizeof w->text - w->used || w->count == PROCESS_WORDS) {
    w->full = true;
    return;
  }
  w->words[w->count++] = w->text + w->used;
  w->words[w->count] = NULL;
  w->used += (unsigned)len + 1;
}

void process_split(struct process_words *w, const char *text) {
  for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
    const int len = (int)strcspn(text, " ");
    process_word(w, "%.*s", len, text);
    text += len;
  }
}

// In the child. The file is emptied and not removed: it may be a device, and both may be the same.
static void redirect(const char *path, int to) {
  if (!path) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
  if (file < 0 || dup2(file, to) < 0) _exit(126);
}

pid_t process_start(struct process_words *w, const char *out, const char *err, const char *variable,
                    const char *value) {
  if (w->full || !w->count) {
    errno = E2BIG;
    return -1;
  }
  fflush(NULL);
  const pid_t parent = getpid(), child = fork();
  if (child != 0) {
    if (child > 0) setpgid(child, child);
    return child;
  }
  setpgid(0, 0);
  // Whoever ends this command must not leave runs behind.
  sluice_child_follow(parent, SIGTERM);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  if (variable && setenv(variable, value, 1) != 0) _exit(126);
  execvp(w->words[0], w->words);
  dprintf(STDERR_FILENO, "cannot execute '%s': %s\n", w->words[0], strerror(errno));
  _exit(127);
}

int process_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_run(struct process_words *w, const char *out, const char *err, double limit,
                double *seconds, struct rusage *usage) {
  const double start = sluice_now();
  const pid_t child = process_start(w, out, err, NULL, NULL);
  if (child < 0) return 127;
  int status = 0;
  bool late = false;
  struct rusage own;
  for (;;) {
    const pid_t ended = wait4(child, &status, limit > 0 ? WNOHANG : 0, usage ? usage : &own);
    if (ended == child || (ended < 0 && errno != EINTR)) break;
    if (limit > 0 && !late && sluice_now() - start > limit) late = kill(-child, SIGTERM) == 0;
    if (ended == 0) nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  }
  if (seconds) *seconds = sluice_now() - start;
  return late ? 124 : process_code(status);
}
