// SPDX-License-Identifier: Apache-2.0
// The server's end of the control socket.
#include "control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../base/listen.h"
#include <sluice/version.h>

#include "../control/schema.h"
#include "verbs.h"

enum { READ_MOST = 65536 };

struct client {
  int fd;                        // -1: nobody
  bool ended;                    // nothing more will come: it is gone when all is answered
  char *in;                      // bytes that have come, from the first that no request was made of
  size_t in_len, in_room, seen;  // seen: of these, known to hold no newline
  char *out;                     // the answer that is being sent; NULL: none
  size_t out_at, out_len;
  struct live_request *asked;  // the request that is served, before it has an answer
};

struct control {
  struct sluice_listener listener;
  struct client clients[CONTROL_CLIENTS];
  unsigned next;  // client that is served first
};

// ---- the socket ---------------------------------------------------------------------------------

enum sluice_status control_open(struct control **out, const char *path,
                                struct sluice_error *error) {
  char why[100];
  *out = NULL;
  if (!path[0] || strlen(path) >= sizeof((struct sockaddr_un *)0)->sun_path)
    return sluice_fail(error, SLUICE_ERR_RANGE, "'%.100s': the path of a socket has 1 to %zu bytes",
                       path, sizeof((struct sockaddr_un *)0)->sun_path - 1);
  struct control *control = calloc(1, sizeof *control);
  if (!control) return sluice_no_memory(error);
  for (unsigned i = 0; i < CONTROL_CLIENTS; i++) control->clients[i].fd = -1;
  if (!sluice_listen(&control->listener, path, CONTROL_CLIENTS, why, sizeof why)) {
    free(control);
    return sluice_fail(error, SLUICE_ERR_IO, "no control socket at '%.100s': %s", path, why);
  }
  *out = control;
  return SLUICE_OK;
}

static void disconnect(struct client *c) {
  if (c->fd >= 0) close(c->fd);
  live_request_drop(c->asked);
  free(c->in);
  free(c->out);
  *c = (struct client){.fd = -1};
}

void control_close(struct control *control) {
  if (!control) return;
  for (unsigned i = 0; i < CONTROL_CLIENTS; i++) disconnect(&control->clients[i]);
  sluice_listen_end(&control->listener);
  free(control);
}

// ---- clients ------------------------------------------------------------------------------------

// The first line that a client gets.
static bool greeting_of(struct client *c, struct live *live) {
  json_t *line = json_pack("{s:s,s:i,s:s}", "sluice", sluice_version(), "protocol",
                           CONTROL_PROTOCOL, "chip", live_config(live)->name);
  c->out = line ? json_dumps(line, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
  json_decref(line);
  if (!c->out) return false;
  c->out_at = 0;
  c->out_len = strlen(c->out) + 1;
  c->out[c->out_len - 1] = '\n';
  return true;
}

static void greet(struct control *control, struct live *live) {
  for (;;) {
    const int fd = accept4(control->listener.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    unsigned i = 0;
    if (fd < 0) return;
    while (i < CONTROL_CLIENTS && control->clients[i].fd >= 0) i++;
    if (i == CONTROL_CLIENTS) close(fd);  // full: those who are there go on
    else {
      control->clients[i].fd = fd;
      if (!greeting_of(&control->clients[i], live)) disconnect(&control->clients[i]);
    }
  }
}

static void flush_client(struct client *c) {
  while (c->out) {
    const ssize_t put =
        send(c->fd, c->out + c->out_at, c->out_len - c->out_at, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (put < 0) {
      disconnect(c);
      return;
    }
    c->out_at += (size_t)put;
    if (c->out_at < c->out_len) continue;
    free(c->out);
    c->out = NULL;
  }
}

// Takes what has come, once there is no whole line left.
static void read_client(struct client *c) {
  if (c->in_room - c->in_len < READ_MOST) {
    const size_t room = 2 * c->in_len + READ_MOST;
    char *more = realloc(c->in, room);
    if (!more) {
      disconnect(c);
      return;
    }
    c->in = more;
    c->in_room = room;
  }
  const ssize_t got = recv(c->fd, c->in + c->in_len, READ_MOST, MSG_DONTWAIT);
  if (got > 0) c->in_len += (size_t)got;
  else if (got == 0) c->ended = true;
  else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) disconnect(c);
}

// Length of the first line, without its newline; SIZE_MAX: there is no whole one.
static size_t whole_line(const struct client *c) {
  const char *end = c->in_len > c->seen ? memchr(c->in + c->seen, '\n', c->in_len - c->seen) : NULL;
  return end ? (size_t)(end - c->in) : SIZE_MAX;
}

// The answer to what has been asked, if it is there.
static void answer(struct client *c) {
  c->out_at = 0;
  if (!live_answered(c->asked, &c->out, &c->out_len)) return;
  c->asked = NULL;
  if (!c->out) disconnect(c);
  else c->out[c->out_len++] = '\n';  // in place of the 0 behind it
}

static void ask(struct client *c, struct live *live, const char *line, size_t len) {
  c->asked = live_ask(live, line, len);
  if (!c->asked) disconnect(c);
  else answer(c);
}

static void serve_client(struct client *c, struct live *live) {
  // First: who is gone must not take what it waited for with it.
  if (c->asked && live_request_waits(c->asked) && sluice_await(c->fd, 0, 0)) disconnect(c);
  if (c->asked) answer(c);
  flush_client(c);
  if (c->fd < 0 || c->out || c->asked) return;
  size_t len = whole_line(c);
  if (len == SIZE_MAX && !c->ended) {
    c->seen = c->in_len;
    read_client(c);
    if (c->fd < 0) return;
    len = whole_line(c);
  }
  if (len == SIZE_MAX) {
    static const char too_long[] =
        "{\"ok\":false,\"status\":\"format\",\"error\":\"a line of more than 16 MB\"}\n";
    if (c->in_len > CONTROL_LINE_MAX)
      (void)!send(c->fd, too_long, sizeof too_long - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (c->ended || c->in_len > CONTROL_LINE_MAX) disconnect(c);
    return;
  }
  ask(c, live, c->in, len);
  if (c->fd < 0) return;
  c->in_len -= len + 1;
  c->seen = 0;
  memmove(c->in, c->in + len + 1, c->in_len);
  flush_client(c);
}

void control_watch(const struct control *control, struct sluice_loop *loop) {
  sluice_loop_watch(loop, control->listener.fd, SLUICE_LOOP_IN, NULL);
  for (unsigned i = 0; i < CONTROL_CLIENTS; i++) {
    const struct client *c = &control->clients[i];
    if (c->fd < 0) continue;
    if (c->asked) {
      live_request_watch(c->asked, loop);
      if (live_request_waits(c->asked)) sluice_loop_watch(loop, c->fd, 0, NULL);
      continue;
    }
    sluice_loop_watch(loop, c->fd, c->out ? SLUICE_LOOP_OUT : SLUICE_LOOP_IN, NULL);
    // Lines that have come already: each call serves one of a client's.
    if (!c->out && (whole_line(c) != SIZE_MAX || c->ended)) sluice_loop_until(loop, 0);
  }
}

void control_serve(struct control *control, struct live *live) {
  greet(control, live);
  for (unsigned n = 0; n < CONTROL_CLIENTS; n++) {
    struct client *c = &control->clients[(control->next + n) % CONTROL_CLIENTS];
    if (c->fd >= 0) serve_client(c, live);
  }
  control->next = (control->next + 1) % CONTROL_CLIENTS;
}
