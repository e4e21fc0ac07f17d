// SPDX-License-Identifier: Apache-2.0
#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 10, LOCK_PATH = sizeof((struct sluice_listener *)0)->path + 8 };

static void lock_path(char out[LOCK_PATH], const char *path) {
  snprintf(out, LOCK_PATH, "%s.lock", path);
}

// A lock file may be removed by its last owner between our open and our lock: then it is no lock.
static int take_lock(const char *path) {
  char name[LOCK_PATH];
  struct stat held, there;
  lock_path(name, path);
  for (int n = 0; n < TRIES; n++) {
    const int fd = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
      close(fd);
      errno = EADDRINUSE;
      return -1;
    }
    if (fstat(fd, &held) == 0 && lstat(name, &there) == 0 && held.st_ino == there.st_ino &&
        held.st_dev == there.st_dev)
      return fd;
    close(fd);
  }
  errno = EAGAIN;
  return -1;
}

static void release_lock(struct sluice_listener *l) {
  char name[LOCK_PATH];
  if (l->lock < 0) return;
  lock_path(name, l->path);
  unlink(name);
  close(l->lock);
  l->lock = -1;
}

// A socket that nobody listens to is what a server left that was killed.
static bool is_dead(const struct sockaddr_un *address) {
  struct stat there;
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool dead = fd >= 0 && lstat(address->sun_path, &there) == 0 && S_ISSOCK(there.st_mode) &&
                    connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 &&
                    errno == ECONNREFUSED;
  if (fd >= 0) close(fd);
  return dead;
}

static bool bind_it(struct sluice_listener *l) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, l->path, sizeof address.sun_path);
  l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (l->fd < 0) return false;
  const mode_t mask = umask(0177);
  int bad = bind(l->fd, (const struct sockaddr *)&address, sizeof address);
  if (bad && errno == EADDRINUSE) {
    if (is_dead(&address) && unlink(l->path) == 0)
      bad = bind(l->fd, (const struct sockaddr *)&address, sizeof address);
    else errno = EADDRINUSE;
  }
  const int why = errno;
  umask(mask);
  errno = why;
  return !bad;
}

bool sluice_listen(struct sluice_listener *l, const char *path, int backlog, char *why,
                   size_t size) {
  struct stat info;
  *l = (struct sluice_listener){.fd = -1, .lock = -1};
  if (!path[0] || strlen(path) >= sizeof l->path) {
    snprintf(why, size, "the path of a socket has 1 to %zu bytes", sizeof l->path - 1);
    return false;
  }
  memcpy(l->path, path, strlen(path) + 1);
  l->lock = take_lock(path);
  const bool bound = l->lock >= 0 && bind_it(l);
  if (bound && lstat(path, &info) == 0) {
    l->device = info.st_dev;
    l->inode = info.st_ino;
  }
  if (bound && listen(l->fd, backlog) == 0) return true;
  snprintf(why, size, "%s", strerror(errno));
  sluice_listen_end(l);
  return false;
}

void sluice_listen_end(struct sluice_listener *l) {
  struct stat info;
  if (l->fd >= 0) close(l->fd);
  if (l->inode && lstat(l->path, &info) == 0 && info.st_dev == l->device && info.st_ino == l->inode)
    unlink(l->path);
  release_lock(l);
  *l = (struct sluice_listener){.fd = -1, .lock = -1};
}
