// SPDX-License-Identifier: Apache-2.0
#include "serve.h"

#include <errno.h>
#include <signal.h>
#include <sluice/chip.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "../base/listen.h"
#include "../base/loop.h"
#include "../base/now.h"
#include "../monitor/stories.h"
#include "../transport/wire.h"

enum {
  MAX_CLIENTS = 16,
  // bytes that wait for a client; one that lets more come together does not read
  OUT_MAX = 4 << 20,
  ADVANCE_MAX = 1 << 20,  // cycles of one request
  FLUSH_CYCLES = 256,     // in a long ADVANCE clients get what has left so often
  READ_SECONDS = 5,       // who asked for it and does not read so long is disconnected
  DRAIN_CYCLES = 100000,  // at the end, until everything has left
  STORY_PART = 16000,     // bytes of a story in one frame
  TELL_MAX = 1000,        // stories that can be asked for at once
  GREETING_PACKETS = 1,   // argument of HELLO: send me the packets that leave
  GREETING_TIMES = 2,     // with the cycles in which they came and left
};
enum code { DONE, NO_KIND, WRONG_LENGTH, NO_PORT, REFUSED, TIMEOUT };

struct client {
  int fd;                        // -1: nobody
  bool packets, times, stories;  // it has asked for them
  uint8_t number;                // of the next frame that is no answer
  struct wire_decoder decoder;
  uint8_t *out;
  size_t out_at, out_len, out_room;
};

struct server {
  struct monitored *m;
  struct wires *wires;
  struct sluice_error error;
  struct sluice_listener listener;
  struct sluice_loop loop;
  struct client clients[MAX_CLIENTS];
  struct stories stories;
  uint64_t first, last;  // packets whose stories are wanted; 0: none
  uint64_t requests;
  struct wire_frame frame;
  uint8_t answer[WIRE_PAYLOAD_MAX];
};

// Signals come to any thread of the simulator, and coroutines have masks of their own: so a handler
// takes them, and wakes the loop.
static volatile sig_atomic_t told_to_end;
static int wakes = -1;
static void on_signal(int number) {
  const uint64_t one = 1;
  (void)number;
  told_to_end = 1;
  (void)!write(wakes, &one, sizeof one);
}

// ---- the socket ---------------------------------------------------------------------------------

static void disconnect(struct client *c) {
  if (c->fd >= 0) close(c->fd);
  free(c->out);
  memset(c, 0, sizeof *c);
  c->fd = -1;
}

static void flush_client(struct client *c) {
  while (c->fd >= 0 && c->out_at < c->out_len) {
    const ssize_t put =
        send(c->fd, c->out + c->out_at, c->out_len - c->out_at, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (put < 0) {
      disconnect(c);
      return;
    }
    c->out_at += (size_t)put;
  }
  c->out_at = c->out_len = 0;
}

static void flush_all(struct server *s) {
  for (unsigned i = 0; i < MAX_CLIENTS; i++) flush_client(&s->clients[i]);
}

// Puts a frame behind what waits for the client.
static void put(struct client *c, unsigned kind, unsigned number, unsigned arg,
                const uint8_t *payload, size_t len) {
  if (c->fd < 0) return;
  const size_t size = wire_size(len);  // at most
  if (c->out_len - c->out_at + size > OUT_MAX) {
    disconnect(c);
    return;
  }
  if (c->out_len + size > c->out_room) {
    if (c->out_at) {
      memmove(c->out, c->out + c->out_at, c->out_len - c->out_at);
      c->out_len -= c->out_at;
      c->out_at = 0;
    }
    const size_t room = 2 * (c->out_len + size);
    uint8_t *more = realloc(c->out, room);
    if (!more) {
      disconnect(c);
      return;
    }
    c->out = more;
    c->out_room = room;
  }
  c->out_len += wire_encode(c->out + c->out_len, kind, number, arg, payload, len);
}

// ---- packets ------------------------------------------------------------------------------------

static void on_sent(void *user, const struct sluice_checker_sent *sent) {
  struct server *s = user;
  enum { TIMES = 16, TICKET = 4 };
  uint8_t payload[TICKET + TIMES + SLUICE_FRAME_MAX];
  if (sent->len > SLUICE_FRAME_MAX) return;  // the monitors have said so already
  for (unsigned i = 0; i < MAX_CLIENTS; i++) {
    struct client *c = &s->clients[i];
    size_t at = TICKET;
    if (c->fd < 0 || !c->packets) continue;
    sluice_put32(payload, sent->ticket);
    if (c->times) {
      sluice_put32(payload + 4, sent->number);
      sluice_put32(payload + 8, sent->arrival);
      sluice_put32(payload + 12, sent->first_cycle);
      sluice_put32(payload + 16, sent->cycle);
      at += TIMES;
    }
    memcpy(payload + at, sent->bytes, sent->len);
    put(c, c->times ? WIRE_PACKET_TIMED : WIRE_PACKET_OUT, c->number++, sent->port, payload,
        at + sent->len);
  }
}

// A packet that goes in at once, or (`due`) not before a cycle, CHIP.CYCLES.
static enum code take_packet(struct server *s, unsigned port, const uint32_t *due,
                             const uint8_t *bytes, size_t len) {
  const struct sluice_transport *to = &s->m->to;
  if (port >= s->m->config->NumPorts) return NO_PORT;
  if (len == 0 || len > SLUICE_FRAME_MAX) return WRONG_LENGTH;
  return (due ? to->ops->packet_send_at(to->self, port, *due, bytes, len, NULL)
              : to->ops->packet_send(to->self, port, bytes, len, NULL))
             ? TIMEOUT
             : DONE;
}

// ---- requests -----------------------------------------------------------------------------------

// A story goes to who asked last, in parts that frames can carry.
static void send_story(void *user, const char *story, size_t len) {
  struct server *s = user;
  struct client *c = s->clients;
  while (c < s->clients + MAX_CLIENTS && !c->stories) c++;
  if (c == s->clients + MAX_CLIENTS) return;
  for (size_t at = 0, here; c->fd >= 0 && at < len; at += here) {
    here = len - at < STORY_PART ? len - at : STORY_PART;
    put(c, WIRE_STORY, c->number++, at + here == len, (const uint8_t *)story + at, here);
  }
}

static bool is_wanted(void *user, uint64_t number) {
  const struct server *s = user;
  return s->first && number >= s->first && number <= s->last;
}

static enum code tell(struct server *s, struct client *c, uint32_t packets) {
  if (packets > TELL_MAX) return WRONG_LENGTH;
  if (!s->stories.take) {
    s->stories = (struct stories){
        .config = s->m->config, .wanted = is_wanted, .take = send_story, .user = s, .brief = true};
    stories_watch(&s->stories, s->m->checker);
  }
  for (unsigned i = 0; i < MAX_CLIENTS; i++) s->clients[i].stories = &s->clients[i] == c;
  s->first = packets ? s->wires->packets + 1 : 0;
  s->last = s->wires->packets + packets;
  return DONE;
}

// Who lets time pass may be sent more than it has read yet: it gets time to.
static void let_read(struct client *c) {
  while (c->fd >= 0 && c->out_len - c->out_at > OUT_MAX / 4) {
    if (sluice_await(c->fd, SLUICE_LOOP_OUT, sluice_now() + READ_SECONDS)) flush_client(c);
    else disconnect(c);
  }
}

static enum code advance(struct server *s, struct client *c, uint32_t cycles) {
  if (cycles > ADVANCE_MAX) return WRONG_LENGTH;
  for (uint32_t left = cycles, here; left; left -= here) {
    here = left < FLUSH_CYCLES ? left : FLUSH_CYCLES;
    (void)!s->m->to.ops->wait(s->m, here, NULL);
    if (here < FLUSH_CYCLES) break;
    flush_all(s);
    let_read(c);
  }
  return DONE;
}

// A frame for the control port, and its answer, which goes to who asked.
static enum code control(struct server *s, struct client *c, const struct wire_frame *in) {
  const struct sluice_transport *to = &s->m->to;
  size_t len = 0;
  if (in->len == 0 || in->len > SLUICE_FRAME_MAX) return WRONG_LENGTH;
  if (to->ops->control_send(to->self, in->payload, in->len, NULL)) return TIMEOUT;
  if (to->ops->control_receive(to->self, s->answer, sizeof s->answer, &len, NULL)) return TIMEOUT;
  if (len) put(c, WIRE_CONTROL_OUT, c->number++, 0, s->answer, len);
  return DONE;
}

static void serve_frame(struct server *s, struct client *c, const struct wire_frame *in) {
  const struct sluice_transport *to = &s->m->to;
  uint8_t payload[4];
  size_t len = 0;
  uint32_t value = 0;
  enum code code = DONE;
  s->requests++;
  switch (in->kind) {
    case WIRE_HELLO:
      c->packets |= in->arg & GREETING_PACKETS;
      c->times |= (in->arg & GREETING_TIMES) != 0;
      value = (uint32_t)WIRE_VERSION << 24 | s->m->config->NumPipes << 16 | SLUICE_FRAME_MAX;
      len = 4;
      break;
    case WIRE_READ:
      if (in->len != 4) code = WRONG_LENGTH;
      else if (to->ops->csr_read(to->self, sluice_get32(in->payload), &value, NULL)) code = REFUSED;
      else len = 4;
      break;
    case WIRE_WRITE:
      if (in->len != 8) code = WRONG_LENGTH;
      else if (to->ops->csr_write(to->self, sluice_get32(in->payload),
                                  sluice_get32(in->payload + 4), NULL))
        code = REFUSED;
      break;
    case WIRE_PACKET:
      c->packets = true;
      code = take_packet(s, in->arg, NULL, in->payload, in->len);
      break;
    case WIRE_PACKET_AT:
      c->packets = true;
      value = in->len > 4 ? sluice_get32(in->payload) : 0;
      code = in->len > 4 ? take_packet(s, in->arg, &value, in->payload + 4, in->len - 4)
                         : WRONG_LENGTH;
      value = 0;
      break;
    case WIRE_CONTROL: code = control(s, c, in); break;
    case WIRE_RESET:
      wires_clear(s->wires);
      (void)!to->ops->reset(to->self, NULL);
      s->first = 0;
      if (s->stories.take) stories_watch(&s->stories, s->m->checker);
      break;
    case WIRE_ADVANCE:
      code = in->len == 4 ? advance(s, c, sluice_get32(in->payload)) : WRONG_LENGTH;
      break;
    case WIRE_TELL:
      code = in->len == 4 ? tell(s, c, sluice_get32(in->payload)) : WRONG_LENGTH;
      break;
    default: code = NO_KIND;
  }
  sluice_put32(payload, value);
  put(c, in->kind | WIRE_ANSWER, in->number, code, payload, len);
}

static void serve_client(struct server *s, struct client *c) {
  uint8_t bytes[65536];
  const ssize_t got = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
  if (got <= 0) {
    disconnect(c);
    return;
  }
  for (size_t i = 0, took; i < (size_t)got && c->fd >= 0; i += took) {
    const unsigned long broken = c->decoder.broken;
    if (wire_decode_some(&c->decoder, bytes + i, (size_t)got - i, &took, &s->frame))
      serve_frame(s, c, &s->frame);
    else if (c->fd >= 0 && c->decoder.broken != broken) put(c, WIRE_ERROR, 0, 1, NULL, 0);
  }
}

static void greet(struct server *s) {
  const int fd = accept4(s->listener.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return;
  for (unsigned i = 0; i < MAX_CLIENTS; i++)
    if (s->clients[i].fd < 0) {
      s->clients[i].fd = fd;
      return;
    }
  close(fd);  // full
}

// Waits for something to do; the simulation stands still meanwhile.
static void serve_once(struct server *s) {
  unsigned comes, ready[MAX_CLIENTS];
  int fds[MAX_CLIENTS];
  sluice_loop_watch(&s->loop, wakes, SLUICE_LOOP_IN, NULL);
  sluice_loop_watch(&s->loop, s->listener.fd, SLUICE_LOOP_IN, &comes);
  for (unsigned i = 0; i < MAX_CLIENTS; i++) {
    const struct client *c = &s->clients[i];
    const unsigned out = c->out_at < c->out_len ? SLUICE_LOOP_OUT : 0;
    fds[i] = c->fd;
    sluice_loop_watch(&s->loop, c->fd, SLUICE_LOOP_IN | out, &ready[i]);
  }
  if (sluice_loop_wait(&s->loop) < 0) return;
  if (comes) greet(s);
  for (unsigned i = 0; i < MAX_CLIENTS; i++)
    if (ready[i] && s->clients[i].fd == fds[i]) {
      if (ready[i] & (SLUICE_LOOP_IN | SLUICE_LOOP_END)) serve_client(s, &s->clients[i]);
      flush_all(s);
    }
}

static struct server *give_up(struct server *s, const char *path, const char *what) {
  fprintf(stderr, "sluice-sim: cannot serve on '%s': %s\n", path, what);
  if (s) sluice_listen_end(&s->listener);
  free(s);
  return NULL;
}

struct server *serve_open(const struct sluice_config *config, struct monitored *m,
                          struct wires *wires, const char *path) {
  char why[100];
  const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  struct server *s = calloc(1, sizeof *s);
  const struct sluice_checker_hooks hooks = {.user = s, .sent = on_sent};
  m->served = true;
  if (!s || !monitored_open(m, config, &hooks)) return give_up(s, path, "out of memory");
  s->m = m;
  s->wires = wires;
  wires_init(wires, config, 0);
  s->loop = SLUICE_LOOP;
  for (unsigned i = 0; i < MAX_CLIENTS; i++) s->clients[i].fd = -1;
  if (!sluice_listen(&s->listener, path, MAX_CLIENTS, why, sizeof why))
    return give_up(s, path, why);
  if ((wakes = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) < 0 || sigaction(SIGINT, &action, NULL) ||
      sigaction(SIGTERM, &action, NULL))
    return give_up(s, path, strerror(errno));
  return s;
}

void serve_main(void *context) {
  struct server *s = context;
  struct sluice_chip *chip;
  const struct sluice_chip_options options = {.chip = s->m->config->name, .keep = true};
  if (sluice_chip_open(&chip, &s->m->to, &options, &s->error)) return;
  // the chip is what it should be; what is done with it is the clients' affair
  sluice_chip_close(chip);
  printf("serving %s on %s\n", s->m->config->name, s->listener.path);
  fflush(stdout);
  while (!told_to_end) serve_once(s);
  for (unsigned n = 0;
       n < DRAIN_CYCLES && (s->wires->queued || !sluice_checker_idle(s->m->checker)); n++)
    (void)!s->m->to.ops->wait(s->m, 1, NULL);
  sluice_checker_finish(s->m->checker);
}

// What else was compared, as far as there was any.
static void say_more(const struct sluice_report *r) {
  const struct {
    uint64_t num;
    const char *what;
  } list[] = {{r->state_ops, "operations on state"},
              {r->array_ops, "of them on rows"},
              {r->recirculated, "further passes"},
              {r->flips, "flips of a bank"},
              {r->marks, "marks"},
              {r->cuts, "cuts"},
              {r->cuts_compared, "entries of cuts"},
              {r->cuts_changed, "of them changed since"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (list[i].num) printf(", %llu %s", (unsigned long long)list[i].num, list[i].what);
}

int serve_close(struct server *s) {
  if (!s) return 0;
  struct sluice_report r;
  sluice_checker_report(s->m->checker, &r);
  const uint64_t differences = r.differences + s->m->differences;
  if (s->error.text[0]) fprintf(stderr, "sluice-sim: %s\n", s->error.text);
  else if (differences)
    printf("DIFFERENT: %llu; the first: %s\n", (unsigned long long)differences,
           s->m->difference[0] ? s->m->difference : r.first.text);
  else {
    printf(
        "%s: %llu requests, %llu packets since the last reset, %llu copies, %llu answers compared",
        r.packets ? "EQUIVALENT" : "UNTESTED", (unsigned long long)s->requests,
        (unsigned long long)r.packets, (unsigned long long)r.copies,
        (unsigned long long)s->m->answers);
    say_more(&r);
    printf("\n");
  }
  fflush(stdout);
  const bool bad = differences || s->error.text[0];
  for (unsigned i = 0; i < MAX_CLIENTS; i++) {
    flush_client(&s->clients[i]);
    disconnect(&s->clients[i]);
  }
  stories_drop(&s->stories);
  sluice_listen_end(&s->listener);
  sluice_loop_close(&s->loop);
  free(s);
  return bad ? -1 : 0;
}
