// SPDX-License-Identifier: Apache-2.0
#include "board.h"

#include <stdio.h>
#include <string.h>

#include "../base/bytes.h"
#include "../base/now.h"

// Answers of posts come in their order and none is lost, so more of them may be under way than
// their numbers of 8 bits tell apart. A client that only posts reads nothing meanwhile; it must be
// no more than a server keeps for it.
enum {
  POSTED_MOST = 2048,
  POSTED_BYTES = 1 << 20,
  OUT_TOGETHER = 32768,  // bytes that wait to go out together
};

enum sluice_status board_flush(struct board *board, struct sluice_error *error) {
  const size_t len = board->out_len;
  board->out_len = 0;
  return len ? line_write(&board->line, board->out, len, board->patience, error) : SLUICE_OK;
}

// Puts a request behind what waits to go out.
static enum sluice_status put(struct board *board, unsigned kind, unsigned arg,
                              const uint8_t *payload, size_t len, struct sluice_error *error) {
  if (board->out_len + wire_size(len) > sizeof board->out) SLUICE_TRY(board_flush(board, error));
  board->out_len +=
      wire_encode(board->out + board->out_len, kind, board->number, arg, payload, len);
  return SLUICE_OK;
}

// The answer to a packet that was posted: answers come in the order of the requests.
static bool of_a_post(struct board *board) {
  const struct wire_frame *f = &board->frame;
  if (!board->posted ||
      (f->kind != (WIRE_PACKET | WIRE_ANSWER) && f->kind != (WIRE_PACKET_AT | WIRE_ANSWER)) ||
      f->number != (uint8_t)(board->number - board->posted))
    return false;
  if (--board->posted == 0) board->posted_bytes = 0;
  if (f->arg) board->post_code = f->arg;
  return true;
}

// What nobody waits for: frames that the chip sends on its own, and answers to posted packets.
// Returns false for an answer.
static bool unasked(struct board *board) {
  const struct wire_frame *f = &board->frame;
  if (of_a_post(board)) return true;
  if (f->kind != WIRE_PACKET_OUT && f->kind != WIRE_PACKET_TIMED && f->kind != WIRE_CONTROL_OUT &&
      f->kind != WIRE_STORY)
    return false;
  if (board->numbered) board->lost += (uint8_t)(f->number - board->expected);
  board->numbered = true;
  board->expected = (uint8_t)(f->number + 1);
  if (f->kind == WIRE_STORY) {
    if (board->story) board->story(board->user, f->payload, f->len, f->arg == 1);
  } else if (f->kind == WIRE_CONTROL_OUT) {
    if (board->answer) board->answer(board->user, f->payload, f->len);
    else board->control = *f;
    board->have_control = true;
  } else if (board->packet && f->kind == WIRE_PACKET_TIMED && f->len >= 20) {
    const uint8_t *p = f->payload;
    const struct sluice_packet_times times = {sluice_get32(p + 4), sluice_get32(p + 8),
                                              sluice_get32(p + 12), sluice_get32(p + 16)};
    board->packet(board->user, f->arg, sluice_get32(p), &times, p + 20, f->len - 20);
  } else if (board->packet && f->kind == WIRE_PACKET_OUT && f->len >= 4) {
    board->packet(board->user, f->arg, sluice_get32(f->payload), NULL, f->payload + 4, f->len - 4);
  }
  return true;
}

enum wanted { AN_ANSWER, A_CONTROL_FRAME, ROOM_TO_POST, SILENCE };

// Takes bytes until what is wanted has come, or nothing has come for `seconds`. *found says which.
// Bytes behind the wanted frame are taken too: the chip's frames among them are served, and answers
// nobody waits for are ignored.
static enum sluice_status wait_for(struct board *board, enum wanted wanted, double seconds,
                                   bool *found, struct sluice_error *error) {
  const double longest = sluice_now() +
                         20 * (seconds + 1);  // noise without end is no answer either
  *found = false;
  enum sluice_status status = board_flush(board, error);
  if (status) return status;
  while (!*found) {
    if (board->in_at == board->in_len) {
      board->in_at = 0;
      if (sluice_now() >= longest) return SLUICE_OK;
      status = line_read(&board->line, board->in, sizeof board->in, seconds, &board->in_len, error);
      if (status) board->in_len = 0;
      if (status) return status;
      if (board->in_len == 0) return SLUICE_OK;
    }
    size_t took;
    const bool whole = wire_decode_some(&board->decoder, board->in + board->in_at,
                                        board->in_len - board->in_at, &took, &board->frame);
    board->in_at += took;
    if (!whole) continue;
    *found = unasked(board) ? (wanted == A_CONTROL_FRAME && board->have_control) ||
                                  (wanted == ROOM_TO_POST && !board->posted)
                            : wanted == AN_ANSWER;
  }
  return SLUICE_OK;
}

// Whether all posted packets were taken, as far as answers have come.
static enum sluice_status posts_taken(struct board *board, struct sluice_error *error) {
  const unsigned code = board->post_code;
  board->post_code = 0;
  return code ? sluice_fail(error, SLUICE_ERR_IO, "a packet that was sent before: %s",
                            wire_code_text(WIRE_PACKET, code))
              : SLUICE_OK;
}

static enum sluice_status ask(struct board *board, enum wire_kind kind, unsigned arg,
                              const uint8_t *payload, size_t len, const char *what,
                              struct sluice_error *error) {
  const unsigned long seen = board->decoder.seen, broken = board->decoder.broken;
  bool found;
  if (board->payload_max && len > board->payload_max)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%s: %zu bytes, and the board takes %u", what, len,
                       board->payload_max);
  enum sluice_status status = put(board, kind, arg, payload, len, error);
  if (!status) status = wait_for(board, AN_ANSWER, board->patience, &found, error);
  if (status) return status;
  const struct wire_frame *f = &board->frame;
  const uint8_t number = board->number++;
  if (found && f->kind == WIRE_ERROR)
    return sluice_fail(error, SLUICE_ERR_IO, "%s: the board says: %s", what,
                       wire_code_text(f->kind, f->arg));
  if (found && (f->kind != (kind | WIRE_ANSWER) || f->number != number))
    return sluice_fail(error, SLUICE_ERR_IO,
                       "%s: another request was answered (kind %02x, number %u)", what, f->kind,
                       f->number);
  if (found && f->arg)
    return sluice_fail(error, SLUICE_ERR_IO, "%s: %s", what, wire_code_text(f->kind, f->arg));
  if (found) return posts_taken(board, error);
  if (board->decoder.seen == seen)
    return sluice_fail(error, SLUICE_ERR_IO,
                       "%s: no answer for %.1f s, not one byte: is the board on, configured, '%s' "
                       "its line, and the baud rate right?",
                       what, board->patience, board->line.name);
  if (board->decoder.broken != broken)
    return sluice_fail(error, SLUICE_ERR_IO,
                       "%s: no answer for %.1f s, but %lu damaged or short frames: is the baud "
                       "rate right, the line sound?",
                       what, board->patience, board->decoder.broken - broken);
  return sluice_fail(
      error, SLUICE_ERR_IO,
      "%s: no answer for %.1f s, %lu bytes that are no frame: is the baud rate right?", what,
      board->patience, board->decoder.seen - seen);
}

// Answers with four bytes behind the head.
static enum sluice_status ask_word(struct board *board, enum wire_kind kind, unsigned arg,
                                   const uint8_t *payload, size_t len, uint32_t *value,
                                   const char *what, struct sluice_error *error) {
  SLUICE_TRY(ask(board, kind, arg, payload, len, what, error));
  if (board->frame.len != 4)
    return sluice_fail(error, SLUICE_ERR_IO, "%s: an answer of %zu bytes, not 4", what,
                       board->frame.len);
  *value = sluice_get32(board->frame.payload);
  return SLUICE_OK;
}

enum sluice_status board_hello(struct board *board, struct sluice_error *error) {
  uint32_t word = 0;
  SLUICE_TRY(ask_word(board, WIRE_HELLO, board->greeting, NULL, 0, &word, "hello", error));
  if (word >> 24 != WIRE_VERSION)
    return sluice_fail(error, SLUICE_ERR_FOREIGN,
                       "the board speaks version %u of the line's frames, this software %d",
                       word >> 24, WIRE_VERSION);
  board->lanes = word >> 16 & 0xff;
  board->payload_max = word & 0xffff;
  return SLUICE_OK;
}

enum sluice_status board_reset(struct board *board, struct sluice_error *error) {
  return ask(board, WIRE_RESET, 0, NULL, 0, "reset", error);
}

enum sluice_status board_read(struct board *board, uint32_t addr, uint32_t *value,
                              struct sluice_error *error) {
  uint8_t payload[4];
  char what[40];
  sluice_put32(payload, addr);
  snprintf(what, sizeof what, "read of register 0x%05x", addr);
  return ask_word(board, WIRE_READ, 0, payload, sizeof payload, value, what, error);
}

enum sluice_status board_write(struct board *board, uint32_t addr, uint32_t value,
                               struct sluice_error *error) {
  uint8_t payload[8];
  char what[40];
  sluice_put32(payload, addr);
  sluice_put32(payload + 4, value);
  snprintf(what, sizeof what, "write of register 0x%05x", addr);
  return ask(board, WIRE_WRITE, 0, payload, sizeof payload, what, error);
}

enum sluice_status board_packet(struct board *board, unsigned port, const uint8_t *bytes,
                                size_t len, struct sluice_error *error) {
  char what[40];
  snprintf(what, sizeof what, "packet for port %u", port);
  return ask(board, WIRE_PACKET, port, bytes, len, what, error);
}

static enum sluice_status post(struct board *board, enum wire_kind kind, unsigned port,
                               const uint8_t *bytes, size_t len, struct sluice_error *error) {
  bool found = true;
  enum sluice_status status = SLUICE_OK;
  if (board->payload_max && len > board->payload_max)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "packet for port %u: %zu bytes, and the board takes %u", port, len,
                       board->payload_max);
  if (board->posted == POSTED_MOST || (board->posted && board->posted_bytes + len > POSTED_BYTES))
    status = wait_for(board, ROOM_TO_POST, board->patience, &found, error);
  if (!status && !found)
    status = sluice_fail(error, SLUICE_ERR_IO,
                         "packet for port %u: no answer to those before it for %.1f s", port,
                         board->patience);
  if (!status) status = posts_taken(board, error);
  if (!status) status = put(board, kind, port, bytes, len, error);
  if (status) return status;
  board->number++;
  board->posted++;
  board->posted_bytes += len;
  return board->out_len < OUT_TOGETHER ? SLUICE_OK : board_flush(board, error);
}

enum sluice_status board_post(struct board *board, unsigned port, const uint8_t *bytes, size_t len,
                              struct sluice_error *error) {
  return post(board, WIRE_PACKET, port, bytes, len, error);
}

enum sluice_status board_post_at(struct board *board, unsigned port, uint32_t cycle,
                                 const uint8_t *bytes, size_t len, struct sluice_error *error) {
  uint8_t payload[4 + SLUICE_PACKET_MAX];
  if (len > SLUICE_PACKET_MAX)
    return sluice_fail(error, SLUICE_ERR_RANGE, "packet for port %u: %zu bytes, more than %d", port,
                       len, SLUICE_PACKET_MAX);
  sluice_put32(payload, cycle);
  memcpy(payload + 4, bytes, len);
  return post(board, WIRE_PACKET_AT, port, payload, len + 4, error);
}

enum sluice_status board_control(struct board *board, const uint8_t *bytes, size_t len,
                                 struct sluice_error *error) {
  board->have_control = false;
  return ask(board, WIRE_CONTROL, 0, bytes, len, "control packet", error);
}

enum sluice_status board_control_wait(struct board *board, double seconds,
                                      const struct wire_frame **answer,
                                      struct sluice_error *error) {
  bool found = board->have_control;
  *answer = NULL;
  if (!found) SLUICE_TRY(wait_for(board, A_CONTROL_FRAME, seconds, &found, error));
  if (found) *answer = &board->control;
  return SLUICE_OK;
}

enum sluice_status board_control_answer(struct board *board, const struct wire_frame **answer,
                                        struct sluice_error *error) {
  const enum sluice_status status = board_control_wait(board, board->patience, answer, error);
  if (status || *answer) return status;
  return sluice_fail(error, SLUICE_ERR_IO, "control port: no answer for %.1f s", board->patience);
}

enum sluice_status board_advance(struct board *board, uint32_t cycles, struct sluice_error *error) {
  uint8_t payload[4];
  sluice_put32(payload, cycles);
  return ask(board, WIRE_ADVANCE, 0, payload, sizeof payload, "advance", error);
}

enum sluice_status board_tell(struct board *board, uint32_t packets, struct sluice_error *error) {
  uint8_t payload[4];
  sluice_put32(payload, packets);
  return ask(board, WIRE_TELL, 0, payload, sizeof payload, "stories", error);
}

enum sluice_status board_listen(struct board *board, double seconds, struct sluice_error *error) {
  bool found;
  return wait_for(board, SILENCE, seconds, &found, error);
}
