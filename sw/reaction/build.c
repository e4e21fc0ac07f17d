// SPDX-License-Identifier: Apache-2.0
// The system's compiler, and the tool that knows lines of addresses.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/number.h"
#include "source.h"

// Runs a command, with its output and errors in *text (0 behind it). Its exit code; -1: it could
// not be run, or died.
static int command(const char *const *argv, char **text) {
  int ends[2], status = 0;
  size_t len = 0, room = 4096;
  *text = NULL;
  if (pipe2(ends, O_CLOEXEC)) return -1;
  const pid_t child = fork();
  if (child == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
  }
  close(ends[1]);
  char *bytes = child > 0 ? malloc(room) : NULL;
  while (bytes) {
    if (room - len < 4096) {
      char *more = room < 1 << 20 ? realloc(bytes, 2 * room) : NULL;
      if (!more) break;
      bytes = more;
      room *= 2;
    }
    const ssize_t got = read(ends[0], bytes + len, room - len - 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    len += (size_t)got;
  }
  close(ends[0]);
  if (bytes) bytes[len] = 0;
  *text = bytes;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static enum sluice_status make_folder(struct reaction_build *built, struct sluice_error *error) {
  const char *above = getenv("TMPDIR");
  if (!above || !*above) above = "/tmp";
  if ((size_t)snprintf(built->dir, sizeof built->dir, "%s/sluice-reactions-XXXXXX", above) >=
          sizeof built->dir ||
      !mkdtemp(built->dir)) {
    built->dir[0] = 0;
    return sluice_fail(error, SLUICE_ERR_IO, "cannot make a folder in '%.200s': %s; set TMPDIR",
                       above, strerror(errno));
  }
  snprintf(built->source, sizeof built->source, "%s/reactions.c", built->dir);
  snprintf(built->object, sizeof built->object, "%s/reactions.so", built->dir);
  return SLUICE_OK;
}

static enum sluice_status write_source(const struct reaction_build *built, const char *text,
                                       struct sluice_error *error) {
  FILE *out = fopen(built->source, "w");
  const bool good = out && fputs(text, out) >= 0;
  if ((out && fclose(out)) || !good)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%.200s': %s", built->source,
                       strerror(errno));
  return SLUICE_OK;
}

// `track` is an option that not every compiler has: errors in arguments of a macro at the line of
// its use, not at that of its definition.
static int compile(const struct reaction_build *built, const char *track, char **messages) {
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
                              built->object,
                              "-x",
                              "c",
                              built->source,
                              "-lm",
                              NULL};
  return command(argv, messages);
}

enum sluice_status reaction_build(struct reaction_build *built, const struct sluice_image *image,
                                  const char *file, char **messages, struct sluice_error *error) {
  char *text = NULL;
  *built = (struct reaction_build){.dir = ""};
  *messages = NULL;
  enum sluice_status status = reaction_source(image, file, &text, error);
  if (!status) status = make_folder(built, error);
  if (!status) status = write_source(built, text, error);
  free(text);
  if (!status) {
    int code = compile(built, "-ftrack-macro-expansion=0", messages);
    if (code && *messages && strstr(*messages, "-ftrack-macro-expansion")) {
      free(*messages);
      code = compile(built, "-g", messages);
    }
    if (*messages && !**messages) {
      free(*messages);
      *messages = NULL;
    }
    if (code == 127 || code < 0)
      status = sluice_fail(error, SLUICE_ERR_IO,
                           "reactions need the C compiler 'cc', which cannot be run");
    else if (code)
      status = sluice_fail(error, SLUICE_ERR_FORMAT, "the reactions of '%s' are not correct C",
                           image->program);
  }
  if (status) reaction_build_release(built);
  return status;
}

void reaction_build_release(struct reaction_build *built) {
  if (built->dir[0]) {
    unlink(built->source);
    unlink(built->object);
    rmdir(built->dir);
  }
  *built = (struct reaction_build){.dir = ""};
}

unsigned reaction_line_of(const struct reaction_build *built, uint64_t offset) {
  char address[32], *said = NULL;
  snprintf(address, sizeof address, "0x%llx", (unsigned long long)offset);
  const char *const argv[] = {"addr2line", "-s", "-e", built->object, address, NULL};
  const int code = command(argv, &said);
  const char *colon = code == 0 && said ? strchr(said, ':') : NULL;
  // What is in the C file itself is no line of the program.
  const bool own = colon && strncmp(said, "reactions.c:", 12) != 0;
  const char *end;
  uint64_t line = 0;
  if (own && sluice_number_at(colon + 1, &end, &line) != SLUICE_READ) line = 0;
  free(said);
  return (unsigned)line;
}
