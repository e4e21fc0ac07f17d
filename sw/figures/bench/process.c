// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../base/now.h"

enum { GRACE_SECONDS = 10 };

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

// The file is emptied and not removed: it may be a device, and both may be the same.
static int option_of(const char *path) {
  const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)
                        : -1;
  return !path ? SLUICE_PROCESS_SAME : file < 0 ? -1 : SLUICE_PROCESS_FD + file;
}

static void close_option(int option) {
  if (option >= SLUICE_PROCESS_FD) close(option - SLUICE_PROCESS_FD);
}

enum sluice_status process_start(struct sluice_process *process, struct process_words *words,
                                 const char *out, const char *err, const char *variable,
                                 const char *value, struct sluice_error *error) {
  *process = (struct sluice_process){.fd = -1};
  if (words->full || !words->count)
    return sluice_fail(error, SLUICE_ERR_FULL, "the command line is too long");
  const struct sluice_process_options options = {.argv = (const char *const *)words->words,
                                                 .in = SLUICE_PROCESS_NOTHING,
                                                 .out = option_of(out),
                                                 .err = option_of(err),
                                                 .group = true,
                                                 .variable = variable,
                                                 .value = value};
  const enum sluice_status status = options.out < 0 || options.err < 0
                                        ? sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s",
                                                      options.out < 0 ? out : err, strerror(errno))
                                        : sluice_process_start(process, &options, error);
  close_option(options.out);
  close_option(options.err);
  return status;
}

int process_run(struct process_words *w, const char *out, const char *err, double limit,
                double *seconds, struct rusage *usage) {
  const double start = sluice_now();
  struct sluice_process process;
  struct sluice_error error;
  bool late = false;
  int code = 127;
  if (process_start(&process, w, out, err, NULL, NULL, &error)) {
    fprintf(stderr, "%s\n", error.text);
    return code;
  }
  while (!late &&
         !sluice_process_wait(&process, limit > 0 ? start + limit - sluice_now() : -1, &code))
    late = limit > 0 && sluice_now() - start > limit;
  if (late) sluice_process_end(&process, GRACE_SECONDS);
  if (seconds) *seconds = sluice_now() - start;
  if (usage) *usage = process.usage;
  return late ? 124 : code;
}
