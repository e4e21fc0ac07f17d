// SPDX-License-Identifier: Apache-2.0
// The files that a command line names: none is read and written, none is written twice, and what
// is to be written can be, before anything runs.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/number.h"
#include "run.h"

enum { MOST = 4 * CLI_MAX_ARGUMENTS, MOST_LINKS = 40 };

static struct named {
  char *path;
  const char *option;  // long name; "": an argument that is no option
  bool written;
  bool standard;  // "-"
  char *place;    // without links; of a file that is not there, where it would be
  bool there;
  struct stat info;
} files[MOST];
static unsigned num_files;
static const char *folders[MOST];
static unsigned num_folders;

const char *const run_plot_ends[RUN_PLOTS] = {".svg", ".png", ".tsv"};

static int port_of(const char *item, size_t digits) {
  int port = 0;
  for (size_t i = 0; i < digits; i++) port = 10 * port + (item[i] - '0');
  return port;
}

const char *run_capture_path(const char *item, int *port) {
  const size_t digits = strspn(item, "0123456789");
  // 07:FILE is no port: numbers do not begin with 0
  const bool at_port = digits && digits < 4 && item[digits] == ':' && (*item != '0' || digits == 1);
  if (port) *port = at_port ? port_of(item, digits) : -1;
  return at_port ? item + digits + 1 : item;
}

void cli_named_forget(void) {
  for (unsigned i = 0; i < num_files; i++) {
    free(files[i].path);
    free(files[i].place);
  }
  num_files = num_folders = 0;
}

// The folder of a path, and in *name what is behind it. The caller frees it.
static char *folder_of(const char *path, const char **name) {
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  return slash == path ? strdup("/") : slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
}

// Where a file that is not there would be made: links that lead nowhere yet are followed.
static char *place_of(const char *path) {
  char *at = realpath(path, NULL);
  if (at) return at;
  at = strdup(path);
  for (int i = 0; at && i < MOST_LINKS; i++) {
    char target[PATH_MAX], *next = NULL;
    const char *name;
    const ssize_t len = readlink(at, target, sizeof target - 1);
    char *folder = folder_of(at, &name);
    if (!folder) break;
    if (len > 0) {
      target[len] = 0;
      if (target[0] == '/') next = strdup(target);
      else if (asprintf(&next, "%s/%s", folder, target) < 0) next = NULL;
    } else {
      char *real = realpath(folder, NULL);
      if (real && asprintf(&next, "%s/%s", real, name) < 0) next = NULL;
      free(real);
    }
    free(folder);
    if (!next) break;
    free(at);
    at = next;
    if (len <= 0) break;
  }
  return at;
}

static bool name_file(const char *option, const char *path, size_t len, bool written) {
  const bool standard = len == 1 && *path == '-';
  struct stat info;
  if (len == 0) return true;
  // Standard input and output may be files as well, which the shell has opened.
  if (standard &&
      (fstat(written ? STDOUT_FILENO : STDIN_FILENO, &info) != 0 || !S_ISREG(info.st_mode)))
    return true;
  struct named *n = &files[num_files];
  if (num_files == MOST) {
    cli_error("more than %d files", MOST);
    return false;
  }
  *n = (struct named){strndup(path, len), option, written, standard, NULL, false, {0}};
  n->place = n->path ? place_of(n->path) : NULL;
  if (!n->place) {
    free(n->path);
    cli_error("out of memory");
    return false;
  }
  if (standard) n->info = info;
  n->there = standard || stat(n->path, &n->info) == 0;
  num_files++;
  return true;
}

static bool cli_reads(const char *option, const char *path) {
  return name_file(option, path, strlen(path), false);
}
bool cli_writes(const char *option, const char *path) {
  return name_file(option, path, strlen(path), true);
}

static bool name_folder(const char *path) {
  if (num_folders < MOST) folders[num_folders++] = path;
  return true;
}

// FILE:VID, FILE:VID@SET
static bool name_module(const char *option, const char *text) {
  const char *colon = strrchr(text, ':');
  return name_file(option, text, colon ? (size_t)(colon - text) : strlen(text), false);
}

// N=pcap:IN, N=pcap:IN,out=OUT, N=pcap:,out=OUT: other ports name no files.
static bool name_port(const char *option, const char *text) {
  static const char kind[] = "=pcap:", out[] = ",out=";
  const char *in = strstr(text, kind);
  if (!in) return true;
  in += sizeof kind - 1;
  const size_t len = strcspn(in, ",");
  bool good = name_file(option, in, len, false);
  for (const char *at = in + len; good && *at; at += 1 + strcspn(at + 1, ","))
    if (strncmp(at, out, sizeof out - 1) == 0) {
      const char *path = at + sizeof out - 1;
      good = name_file(option, path, strcspn(path, ","), true);
    }
  return good;
}

const char *cli_entries_file(const char *item, uint64_t *vid) {
  const char *equals = strchr(item, '=');
  const size_t digits = strspn(item, "0123456789");
  uint64_t number;
  if (equals) return equals + 1;
  if (!digits || item[digits] != ':' || sluice_number_len(item, digits, &number) != SLUICE_READ)
    return item;
  if (vid) *vid = number;
  return item + digits + 1;
}

bool cli_named(const struct cli_option *o, const char *text) {
  const char *at;
  switch (o->kind) {
    case CLI_READ:
    case CLI_PATH: return cli_reads(o->name, text);
    case CLI_WRITE:
    case CLI_MAKE: return cli_writes(o->name, text);
    case CLI_FOLDER: return name_folder(text);
    case CLI_MODULES: return name_module(o->name, text);
    case CLI_CAPTURES: return cli_reads(o->name, run_capture_path(text, NULL));
    case CLI_ENTRIES:
      at = cli_entries_file(text, NULL);
      return cli_take_input(at) && cli_reads(o->name, at);
    case CLI_PORTS: return name_port(o->name, text);
    case CLI_PREFIX:
      for (unsigned i = 0; i < RUN_PLOTS; i++) {
        char path[RUN_PATH + 8];
        const int n = snprintf(path, sizeof path, "%s%s", text, run_plot_ends[i]);
        if (n > 0 && (size_t)n < sizeof path && !cli_writes(o->name, path)) return false;
      }
      return true;
    case CLI_END:
    case CLI_GROUP:
    case CLI_FLAG:
    case CLI_TEXT:
    case CLI_LIST:
    case CLI_WHOLE:
    case CLI_NUMBER: break;
  }
  return true;
}

bool cli_named_argument(const char *text) {
  struct stat info;
  if (strcmp(text, "-") == 0) return cli_reads("", text);
  return stat(text, &info) != 0 || !S_ISREG(info.st_mode) || cli_reads("", text);
}

enum cli_file cli_file_of(enum cli_kind kind) {
  switch (kind) {
    case CLI_READ:
    case CLI_PATH:
    case CLI_MODULES:
    case CLI_CAPTURES:
    case CLI_ENTRIES: return CLI_FILE_READ;
    case CLI_WRITE:
    case CLI_MAKE:
    case CLI_PREFIX: return CLI_FILE_WRITTEN;
    case CLI_PORTS: return CLI_FILE_BOTH;
    case CLI_FOLDER: return CLI_FILE_FOLDER;
    case CLI_END:
    case CLI_GROUP:
    case CLI_FLAG:
    case CLI_TEXT:
    case CLI_LIST:
    case CLI_WHOLE:
    case CLI_NUMBER: break;
  }
  return CLI_FILE_NONE;
}

// What can be lost: /dev/null, a terminal or a pipe cannot.
static bool same(const struct named *a, const struct named *b) {
  if (a->there != b->there) return false;
  if (!a->there) return strcmp(a->place, b->place) == 0;
  return (S_ISREG(a->info.st_mode) || S_ISSOCK(a->info.st_mode)) &&
         a->info.st_dev == b->info.st_dev && a->info.st_ino == b->info.st_ino;
}

static const char *dashes(const struct named *n) { return *n->option ? "--" : "an argument"; }

static bool apart(const struct named *out, const struct named *other) {
  if (!same(out, other)) return true;
  if (other->written)
    cli_error("'%s' is to be written twice, by --%s and by --%s", out->path, other->option,
              out->option);
  else
    cli_error("'%s' is to be read, and to be written (%s%s, --%s)", out->path, dashes(other),
              other->option, out->option);
  return false;
}

static bool writable(const struct named *n) {
  if (n->standard) return true;
  if (n->there && S_ISDIR(n->info.st_mode)) {
    cli_error("--%s: cannot write '%s': it is a folder", n->option, n->path);
    return false;
  }
  if (n->there) {
    if (S_ISSOCK(n->info.st_mode) || access(n->path, W_OK) == 0) return true;
    cli_error("--%s: cannot write '%s': %s", n->option, n->path, strerror(errno));
    return false;
  }
  const char *name;
  char *folder = folder_of(n->place, &name);
  const bool good = folder && access(folder, W_OK | X_OK) == 0;
  if (!good)
    cli_error("--%s: cannot write '%s': folder '%s': %s", n->option, n->path, folder ? folder : "",
              strerror(errno));
  free(folder);
  return good;
}

// A folder that is there, or can be made in the nearest one that is.
static bool folder_writable(const char *path) {
  char *at = strdup(path);
  struct stat info;
  const char *name;
  errno = 0;
  while (at && stat(at, &info) != 0 && errno == ENOENT && strcmp(at, ".") != 0) {
    char *above = folder_of(at, &name);
    free(at);
    at = above;
  }
  if (!at || errno == ENAMETOOLONG) {  // it is told when the folder is made
    free(at);
    return true;
  }
  const bool folder = stat(at, &info) != 0 || S_ISDIR(info.st_mode);
  const bool good = folder && access(at, W_OK | X_OK) == 0;
  if (!good)
    cli_error("cannot make files in '%s': '%s': %s", path, at,
              folder ? strerror(errno) : "it is no folder");
  free(at);
  return good;
}

enum cli_parsed cli_named_check(void) {
  for (unsigned i = 0; i < num_files; i++)
    for (unsigned k = 0; files[i].written && k < num_files; k++)
      if ((files[k].written ? k < i : true) && !apart(&files[i], &files[k])) return CLI_WRONG;
  for (unsigned i = 0; i < num_files; i++)
    if (files[i].written && !writable(&files[i])) return CLI_FAILED;
  for (unsigned i = 0; i < num_folders; i++)
    if (!folder_writable(folders[i])) return CLI_FAILED;
  return CLI_GO;
}
