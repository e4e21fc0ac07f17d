// SPDX-License-Identifier: Apache-2.0
// Files and folders of the verbs.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/files.h"
#include "cli.h"

enum { PATH_LEN = 4096, STALE_SECONDS = 60 };

bool cli_make_folder(const char *path) {
  char above[PATH_LEN];
  if ((size_t)snprintf(above, sizeof above, "%s", path) >= sizeof above) {
    cli_error("the path is too long: '%s'", path);
    return false;
  }
  for (char *slash = *above ? strchr(above + 1, '/') : NULL; slash;
       slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(above, 0777);  // what is wrong with it shows below
    *slash = '/';
  }
  struct stat info;
  if (mkdir(path, 0777) == 0 ||
      (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
    return true;
  cli_error("cannot make the folder '%s': %s", path, strerror(errno));
  return false;
}

bool cli_private_folder(const char *path) {
  struct stat info;
  if (mkdir(path, 0700) != 0 && errno != EEXIST) {
    cli_error("cannot make the folder '%s': %s", path, strerror(errno));
    return false;
  }
  if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
      !(info.st_mode & 022))
    return true;
  cli_error("'%s' is there and is not a folder of your own that only you may write in: set TMPDIR",
            path);
  return false;
}

const char *cli_temporary(void) {
  const char *named = getenv("TMPDIR");
  return named && *named ? named : "/tmp";
}

bool cli_copy_file(const char *from, const char *to) {
  struct sluice_error error;
  const enum sluice_status status = sluice_file_copy(from, to, &error);
  if (status) cli_error("%s", error.text);
  return !status;
}

bool cli_write_file(const char *path, const void *bytes, size_t len) {
  struct sluice_error error;
  const enum sluice_status status = sluice_file_write(path, bytes, len, &error);
  if (status) cli_error("%s", error.text);
  return !status;
}

char *cli_read_file(const char *path, size_t most, size_t *len) {
  struct sluice_file file;
  struct sluice_error error;
  if (sluice_file_read(&file, path, most, NULL, &error)) cli_error("%s", error.text);
  *len = file.len;
  return file.bytes;
}

char *cli_read_text(const char *path, size_t most, size_t *len) {
  struct sluice_file file;
  struct sluice_error error;
  if (sluice_text_read(&file, path, most, NULL, &error)) cli_error("%s", error.text);
  *len = file.len;
  return file.bytes;
}

void cli_forget_file(const char *path) {
  struct stat info;
  if (path && lstat(path, &info) == 0 && S_ISREG(info.st_mode)) remove(path);
}

// ---- simulators ---------------------------------------------------------------------------------

static bool try_sim(char *path, size_t size, const char *format, const char *dir,
                    const char *chip) {
  int n = snprintf(path, size, format, dir, chip);
  return n > 0 && (size_t)n < size && access(path, X_OK) == 0;
}

bool cli_find_sim(char *path, size_t size, const char *named, const char *chip) {
  if (!named) named = getenv("SLUICE_SIM");
  if (named && *named) {
    if (try_sim(path, size, "%s", named, chip)) return true;
    cli_error("cannot run the simulator '%s'", named);
    return false;
  }
  char here[1024];
  ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
  here[n > 0 ? n : 0] = 0;
  char *slash = strrchr(here, '/');
  if (slash) *slash = 0;
  if (n > 0 && (try_sim(path, size, "%s/%s/sim", here, chip) ||
                try_sim(path, size, "%s/build/%s/sim", here, chip) ||
                try_sim(path, size, "%s/../build/%s/sim", here, chip) ||
                try_sim(path, size, "%s/../lib/sluice/%s/sim", here, chip)))  // installed
    return true;
  cli_error("cannot find build/%s/sim near '%s': build it with 'make sim CONFIG=%s', or name it "
            "with --sim",
            chip, here, chip);
  return false;
}

// ---- working folders ----------------------------------------------------------------------------

static const char prefix[] = ".sluice-run-";

// Working files are called NUMBER-NAME; a folder with anything else in it stays, and so does that.
static void remove_folder(const char *path) {
  DIR *dir = opendir(path);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    const size_t digits = strspn(e->d_name, "0123456789");
    if (digits && e->d_name[digits] == '-') unlinkat(dirfd(dir), e->d_name, 0);
  }
  if (dir) closedir(dir);
  rmdir(path);
}

// Removes what killed commands have left in `above`: folders of ours that nobody holds a lock on,
// and that are not so young that their maker may not have taken it yet.
static void remove_stale(const char *above) {
  DIR *dir = opendir(above);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    char path[PATH_LEN];
    struct stat info;
    if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 || strlen(e->d_name) != strlen(prefix) + 6)
      continue;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", above, e->d_name) >= sizeof path) continue;
    const int held = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (held < 0) continue;
    if (fstat(held, &info) == 0 && info.st_uid == geteuid() &&
        time(NULL) - info.st_mtime > STALE_SECONDS && flock(held, LOCK_EX | LOCK_NB) == 0)
      remove_folder(path);
    close(held);
  }
  if (dir) closedir(dir);
}

bool cli_work_open(struct cli_work *work, const char *beside) {
  const char *const above[] = {beside, cli_temporary()};
  work->lock = -1;
  for (int i = beside ? 0 : 1; i < 2; i++) {
    if (i == 0) mkdir(above[0], 0777);
    if ((size_t)snprintf(work->path, sizeof work->path, "%s/%sXXXXXX", above[i], prefix) >=
        sizeof work->path)
      continue;
    remove_stale(above[i]);
    if (!mkdtemp(work->path)) continue;
    work->lock = open(work->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (work->lock >= 0) flock(work->lock, LOCK_EX | LOCK_NB);
    return true;
  }
  cli_error("cannot make a working folder in '%s': %s; set TMPDIR, or name one with --dir",
            above[1], strerror(errno));
  work->path[0] = 0;
  return false;
}

void cli_work_close(struct cli_work *work) {
  if (work->path[0]) remove_folder(work->path);
  if (work->lock >= 0) close(work->lock);
  *work = (struct cli_work){.lock = -1};
}
