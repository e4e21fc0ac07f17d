// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/un.h>

/// A Unix socket with a name, for its owner alone, from its first moment on.
///
///     struct sluice_listener l;
///     if (!sluice_listen(&l, path, 16, why, sizeof why)) ...
///     fd = accept4(l.fd, ...);
///     sluice_listen_end(&l);
///
/// While it is open PATH.lock is locked. So of two servers that are started together one gets the
/// name, and the other one is told that it is taken. A socket that nobody listens to, left by a
/// server that was killed, is replaced; a living one and other files never are.
struct sluice_listener {
  int fd, lock;  // fd -1: not open
  dev_t device;  // of the socket's file: it is removed only if it is still ours
  ino_t inode;
  char path[sizeof((struct sockaddr_un *)0)->sun_path];
};

/// False with a sentence in `why`.
bool sluice_listen(struct sluice_listener *l, const char *path, int backlog, char *why,
                   size_t size);
/// Removes the name; one that is not open (fd -1) is allowed.
void sluice_listen_end(struct sluice_listener *l);
