// SPDX-License-Identifier: Apache-2.0
// The client's end of the control socket.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../base/loop.h"
#include "../base/now.h"
#include "client.h"
#include "schema.h"

enum { READ_MOST = 65536 };
#define GREETING_SECONDS 10.0

// Waits until the socket can be written to, or has something to read.
static enum sluice_status wait_for(int fd, unsigned what, double until,
                                   struct sluice_error *error) {
  if (sluice_await(fd, what, until)) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "the switch does not answer in time");
}

static enum sluice_status send_all(int fd, const char *bytes, size_t len, double until,
                                   struct sluice_error *error) {
  while (len) {
    const ssize_t put = send(fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put > 0) {
      bytes += put;
      len -= (size_t)put;
      continue;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
      return sluice_fail(error, SLUICE_ERR_IO, "the switch is gone: %s", strerror(errno));
    SLUICE_TRY(wait_for(fd, SLUICE_LOOP_OUT, until, error));
  }
  return SLUICE_OK;
}

static enum sluice_status receive_line(int fd, double until, char **line, size_t *len,
                                       struct sluice_error *error) {
  size_t room = 0;
  *line = NULL;
  *len = 0;
  for (;;) {
    if (room - *len < READ_MOST) {
      room = 2 * *len + READ_MOST;
      char *more = realloc(*line, room);
      if (!more) return sluice_no_memory(error);
      *line = more;
    }
    SLUICE_TRY(wait_for(fd, SLUICE_LOOP_IN, until, error));
    const ssize_t got = recv(fd, *line + *len, READ_MOST, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0)
      return sluice_fail(error, SLUICE_ERR_IO, "the switch is gone: %s",
                         got ? strerror(errno) : "it has closed the connection");
    *len += (size_t)got;
    if ((*line)[*len - 1] == '\n') return SLUICE_OK;
  }
}

enum sluice_status control_send(int fd, const json_t *request, double seconds,
                                struct sluice_error *error) {
  const double until = sluice_now() + seconds;
  char *line = json_dumps(request, JSON_COMPACT);
  if (!line) return sluice_no_memory(error);
  enum sluice_status status = send_all(fd, line, strlen(line), until, error);
  free(line);
  return status ? status : send_all(fd, "\n", 1, until, error);
}

enum sluice_status control_ask(int fd, const json_t *request, double seconds, json_t **answer,
                               struct sluice_error *error) {
  const double until = sluice_now() + seconds;
  json_error_t where;
  char *line = NULL;
  size_t len;
  *answer = NULL;
  enum sluice_status status = control_send(fd, request, seconds, error);
  if (!status) status = receive_line(fd, until, &line, &len, error);
  if (!status) *answer = json_loadb(line, len, 0, &where);
  free(line);
  if (status) return status;
  if (json_is_boolean(json_object_get(*answer, "ok"))) return SLUICE_OK;
  json_decref(*answer);
  *answer = NULL;
  return sluice_fail(error, SLUICE_ERR_FORMAT, "what answers is no live switch");
}

// What the switch says first. A simulator, or whoever else has a socket, says nothing or something
// else.
static enum sluice_status greeted(int fd, const char *path, json_t **greeting,
                                  struct sluice_error *error) {
  struct sluice_error why;
  char *line = NULL;
  size_t len = 0;
  enum sluice_status status = receive_line(fd, sluice_now() + GREETING_SECONDS, &line, &len, &why);
  *greeting = status ? NULL : json_loadb(line, len, 0, NULL);
  free(line);
  if (status == SLUICE_ERR_NOMEM) return sluice_no_memory(error);
  const json_t *protocol = json_object_get(*greeting, "protocol");
  if (json_is_integer(protocol) && json_integer_value(protocol) == CONTROL_PROTOCOL)
    return SLUICE_OK;
  status = json_is_integer(protocol)
               ? sluice_fail(error, SLUICE_ERR_FOREIGN,
                             "the switch at '%s' speaks protocol %lld, this software %d", path,
                             (long long)json_integer_value(protocol), CONTROL_PROTOCOL)
               : sluice_fail(error, SLUICE_ERR_FOREIGN,
                             "what answers at '%s' is no live switch: it does not greet", path);
  json_decref(*greeting);
  *greeting = NULL;
  return status;
}

enum sluice_status control_connect(int *fd, const char *path, json_t **greeting,
                                   struct sluice_error *error) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  json_t *said = NULL;
  *fd = -1;
  if (greeting) *greeting = NULL;
  if (strlen(path) >= sizeof address.sun_path)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'%.100s...': the path of a socket has at most %zu bytes", path,
                       sizeof address.sun_path - 1);
  memcpy(address.sun_path, path, strlen(path) + 1);
  *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  enum sluice_status status = SLUICE_OK;
  if (*fd < 0 || connect(*fd, (const struct sockaddr *)&address, sizeof address) != 0)
    status =
        sluice_fail(error, SLUICE_ERR_IO, "no switch answers at '%s': %s", path, strerror(errno));
  if (!status) status = greeted(*fd, path, &said, error);
  if (status && *fd >= 0) {
    close(*fd);
    *fd = -1;
  }
  if (greeting) *greeting = said;
  else json_decref(said);
  return status;
}
