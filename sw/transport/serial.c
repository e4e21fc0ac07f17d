// SPDX-License-Identifier: Apache-2.0
// A board on a serial line, and a simulator on a Unix socket: the same frames, another line.
#include <sluice/transport.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../base/status.h"
#include "board.h"
#include "../driver/wire/queue.h"
#include "serial.h"

enum {
  // cycles of one request: an answer comes in time even from a slow simulator
  ADVANCE_MOST = 1024,
  ANSWER_CYCLES = 200000,  // a simulated chip has answered by then, or never will
  NS_PER_CYCLE = 100,      // of a board: slower than any clock that one has
  STORIES = 1024,          // that nobody has taken: older ones are dropped
  ANSWERS = 32,            // of the control port that nobody has received: older ones are dropped
};

struct serial {
  struct sluice_alloc alloc;
  struct board board;
  struct transport_queue packets, answers;
  // Stories that have ended, a 0 behind each; and what has come of the next one.
  struct transport_queue stories;
  char *part;
  size_t part_len;
  bool part_lost;
  // of a packet that could not be kept; told by the next packet_receive
  struct sluice_error failed;
  enum sluice_status failure;
};

static void take_packet(void *user, unsigned port, uint32_t ticket,
                        const struct sluice_packet_times *times, const uint8_t *bytes, size_t len) {
  struct serial *s = user;
  const enum sluice_status status =
      len > SLUICE_PACKET_MAX ? sluice_fail(&s->failed, SLUICE_ERR_FORMAT,
                                            "a packet of %zu bytes left port %u", len, port)
                              : transport_push(&s->packets, port, ticket, bytes, len, &s->failed);
  if (status) s->failure = status;
  else if (times) s->packets.last->times = *times;
}

static void take_answer(void *user, const uint8_t *bytes, size_t len) {
  struct serial *s = user;
  if (s->answers.num == ANSWERS) transport_pop(&s->answers);
  // One that cannot be kept is one that was lost: it is asked for again.
  (void)!transport_push(&s->answers, 0, 0, bytes, len, NULL);
}

// A story of which a part cannot be kept is left out.
static void take_story(void *user, const uint8_t *bytes, size_t len, bool last) {
  struct serial *s = user;
  const size_t room = s->part_len + len + last;
  char *more = s->part_lost || !room ? NULL : sluice_resize(&s->alloc, s->part, s->part_len, room);
  s->part_lost |= !more;
  if (more) {
    memcpy(more + s->part_len, bytes, len);
    if (last) more[room - 1] = 0;
    s->part = more;
    s->part_len = room;
  }
  if (!last) return;
  if (s->stories.num == STORIES) transport_pop(&s->stories);
  if (!s->part_lost)
    (void)!transport_push(&s->stories, 0, 0, (const uint8_t *)s->part, s->part_len, NULL);
  sluice_resize(&s->alloc, s->part, s->part_len, 0);
  s->part = NULL;
  s->part_len = 0;
  s->part_lost = false;
}

static enum sluice_status tell(void *self, uint32_t packets, struct sluice_error *error) {
  struct serial *s = self;
  transport_drop_all(&s->stories);
  return board_tell(&s->board, packets, error);
}

static char *story(void *self) {
  struct serial *s = self;
  const struct transport_item *first = s->stories.head;
  if (!first) return NULL;
  const size_t size = strlen((const char *)first->bytes) + 1;  // it ends with a 0
  char *text = sluice_resize(&s->alloc, NULL, 0, size);
  if (!text) return NULL;
  memcpy(text, first->bytes, size);
  transport_pop(&s->stories);
  return text;
}

static void story_free(void *self, char *text) {
  struct serial *s = self;
  if (text) sluice_resize(&s->alloc, text, strlen(text) + 1, 0);
}

static enum sluice_status csr_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *error) {
  return board_read(&((struct serial *)self)->board, addr, value, error);
}
static enum sluice_status csr_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  return board_write(&((struct serial *)self)->board, addr, value, error);
}
static enum sluice_status control_send(void *self, const uint8_t *bytes, size_t len,
                                       struct sluice_error *error) {
  return board_control(&((struct serial *)self)->board, bytes, len, error);
}

static enum sluice_status wait_socket(void *self, uint64_t cycles, struct sluice_error *error) {
  struct serial *s = self;
  while (cycles) {
    const uint32_t now = cycles < ADVANCE_MOST ? (uint32_t)cycles : ADVANCE_MOST;
    SLUICE_TRY(board_advance(&s->board, now, error));
    cycles -= now;
  }
  return SLUICE_OK;
}

static enum sluice_status wait_board(void *self, uint64_t cycles, struct sluice_error *error) {
  struct serial *s = self;
  const uint64_t ns = cycles * NS_PER_CYCLE;
  const struct timespec pause = {.tv_sec = (time_t)(ns / 1000000000),
                                 .tv_nsec = (long)(ns % 1000000000)};
  nanosleep(&pause, NULL);
  return board_listen(&s->board, 0, error);
}

// The answer that is there, or comes within `seconds`.
static enum sluice_status receive(struct serial *s, double seconds, uint8_t *bytes, size_t room,
                                  size_t *len, struct sluice_error *error) {
  const struct wire_frame *unused;
  *len = 0;
  if (!s->answers.head) {
    s->board.have_control = false;
    SLUICE_TRY(board_control_wait(&s->board, seconds, &unused, error));
  }
  const struct transport_item *first = s->answers.head;
  if (!first) return SLUICE_OK;
  const size_t there = first->len;
  if (there <= room) memcpy(bytes, first->bytes, there);
  transport_pop(&s->answers);
  if (there > room)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "an answer of %zu bytes, more than %zu", there,
                       room);
  *len = there;
  return SLUICE_OK;
}

static enum sluice_status receive_board(void *self, uint8_t *bytes, size_t room, size_t *len,
                                        struct sluice_error *error) {
  struct serial *s = self;
  return receive(s, s->board.patience, bytes, room, len, error);
}

// A simulated chip must be given time to answer.
static enum sluice_status receive_socket(void *self, uint8_t *bytes, size_t room, size_t *len,
                                         struct sluice_error *error) {
  struct serial *s = self;
  enum sluice_status status = SLUICE_OK;
  for (uint64_t passed = 0, step = 64; !status;
       passed += step, step = step < ADVANCE_MOST ? 2 * step : step) {
    status = receive(s, 0, bytes, room, len, error);
    if (status || *len || passed >= ANSWER_CYCLES) break;
    status = wait_socket(s, step, error);
  }
  return status;
}

static enum sluice_status packet_send(void *self, unsigned port, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  struct serial *s = self;
  if (port > 255)
    return sluice_fail(error, SLUICE_ERR_RANGE, "port %u: the line knows 0 to 255", port);
  return board_packet(&s->board, port, bytes, len, error);
}

// A socket loses nothing, so answers may come later: many packets are on their way at once.
static enum sluice_status packet_send_socket(void *self, unsigned port, const uint8_t *bytes,
                                             size_t len, struct sluice_error *error) {
  struct serial *s = self;
  if (port > 255)
    return sluice_fail(error, SLUICE_ERR_RANGE, "port %u: the line knows 0 to 255", port);
  return board_post(&s->board, port, bytes, len, error);
}

static enum sluice_status packet_receive(void *self, struct sluice_packet_out *packet,
                                         struct sluice_error *error) {
  struct serial *s = self;
  packet->len = 0;
  if (!s->packets.head) SLUICE_TRY(board_listen(&s->board, 0, error));
  if (s->failure) {
    const enum sluice_status status = s->failure;
    if (error) *error = s->failed;
    s->failure = SLUICE_OK;
    return status;
  }
  transport_take(&s->packets, packet);
  return SLUICE_OK;
}

// A server sends packets only to those who want them, and says when they came and left to those who
// want that.
static enum sluice_status want_packets(struct serial *s, struct sluice_error *error) {
  enum { PACKETS = 1, TIMES = 2 };
  if (s->board.greeting) return SLUICE_OK;
  s->board.greeting = PACKETS | TIMES;
  return board_hello(&s->board, error);
}

static enum sluice_status packet_receive_socket(void *self, struct sluice_packet_out *packet,
                                                struct sluice_error *error) {
  packet->len = 0;
  const enum sluice_status status = want_packets(self, error);
  return status ? status : packet_receive(self, packet, error);
}

static enum sluice_status packet_send_at(void *self, unsigned port, uint32_t cycle,
                                         const uint8_t *bytes, size_t len,
                                         struct sluice_error *error) {
  struct serial *s = self;
  if (port > 255)
    return sluice_fail(error, SLUICE_ERR_RANGE, "port %u: the line knows 0 to 255", port);
  const enum sluice_status status = want_packets(s, error);
  return status ? status : board_post_at(&s->board, port, cycle, bytes, len, error);
}

static enum sluice_status reset(void *self, struct sluice_error *error) {
  struct serial *s = self;
  const enum sluice_status status = board_reset(&s->board, error);
  transport_drop_all(&s->packets);
  transport_drop_all(&s->answers);
  s->board.have_control = false;
  s->board.numbered = false;
  return status;
}

static void close_serial(void *self) {
  struct serial *s = self;
  const struct sluice_alloc alloc = s->alloc;
  (void)!board_flush(&s->board, NULL);
  line_close(&s->board.line);
  transport_drop_all(&s->packets);
  transport_drop_all(&s->answers);
  transport_drop_all(&s->stories);
  sluice_resize(&alloc, s->part, s->part_len, 0);
  sluice_resize(&alloc, s, sizeof *s, 0);
}

static const struct sluice_transport_ops board_ops = {
    .kind = "serial",
    .csr_read = csr_read,
    .csr_write = csr_write,
    .control_send = control_send,
    .control_receive = receive_board,
    .packet_send = packet_send,
    .packet_receive = packet_receive,
    .wait = wait_board,
    .reset = reset,
    .close = close_serial,
};

static const struct sluice_transport_ops socket_ops = {
    .kind = "unix",
    .csr_read = csr_read,
    .csr_write = csr_write,
    .control_send = control_send,
    .control_receive = receive_socket,
    .packet_send = packet_send_socket,
    .packet_receive = packet_receive_socket,
    .wait = wait_socket,
    .reset = reset,
    .close = close_serial,
    .tell = tell,
    .story = story,
    .story_free = story_free,
    .packet_send_at = packet_send_at,
};

static enum sluice_status new_serial(struct serial **s, double patience,
                                     const struct sluice_alloc *alloc, struct sluice_error *error) {
  *s = sluice_zeroed(alloc, sizeof **s);
  if (!*s) return sluice_no_memory(error);
  if (alloc) (*s)->alloc = (*s)->packets.alloc = (*s)->answers.alloc = (*s)->stories.alloc = *alloc;
  (*s)->board.patience = patience;
  (*s)->board.packet = take_packet;
  (*s)->board.answer = take_answer;
  (*s)->board.story = take_story;
  (*s)->board.user = *s;
  (*s)->board.line.fd = (*s)->board.line.leash = -1;
  return SLUICE_OK;
}

static enum sluice_status finish(struct sluice_transport *to, struct serial *s,
                                 const struct sluice_transport_ops *ops, enum sluice_status status,
                                 struct sluice_error *error) {
  if (!status) status = board_hello(&s->board, error);
  if (status) {
    close_serial(s);
    return status;
  }
  *to = (struct sluice_transport){
      ops, s, s->board.payload_max < SLUICE_PACKET_MAX ? s->board.payload_max : SLUICE_PACKET_MAX};
  return SLUICE_OK;
}

enum sluice_status sluice_transport_serial(struct sluice_transport *to, const char *device,
                                           unsigned baud, double patience,
                                           const struct sluice_alloc *alloc,
                                           struct sluice_error *error) {
  struct serial *s;
  *to = (struct sluice_transport){.ops = NULL};
  const enum sluice_status status = new_serial(&s, patience, alloc, error);
  return status ? status
                : finish(to, s, &board_ops, line_open(&s->board.line, device, baud, error), error);
}

enum sluice_status sluice_transport_unix(struct sluice_transport *to, const char *path,
                                         double patience, const struct sluice_alloc *alloc,
                                         struct sluice_error *error) {
  struct serial *s;
  *to = (struct sluice_transport){.ops = NULL};
  const enum sluice_status status = new_serial(&s, patience, alloc, error);
  return status ? status
                : finish(to, s, &socket_ops, line_connect(&s->board.line, path, error), error);
}

enum sluice_status sluice_transport_line(struct sluice_transport *to, struct line *line,
                                         double patience, struct sluice_error *error) {
  struct serial *s;
  *to = (struct sluice_transport){.ops = NULL};
  const enum sluice_status status = new_serial(&s, patience, NULL, error);
  if (status) {
    line_close(line);
    return status;
  }
  s->board.line = *line;
  *line = (struct line){.fd = -1, .leash = -1};
  return finish(to, s, &board_ops, SLUICE_OK, error);
}

unsigned sluice_transport_lanes(const struct sluice_transport *to) {
  return ((const struct serial *)to->self)->board.lanes;
}
unsigned long sluice_transport_lost(const struct sluice_transport *to) {
  return ((const struct serial *)to->self)->board.lost;
}
