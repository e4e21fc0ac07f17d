// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

#include <sluice/transport.h>

#include "../driver/wire/wire.h"
#include "line.h"
#include "wire.h"

/// The chip on a board, as blocking calls over a line. Every call ends within `patience` seconds
/// after the last byte that came, with an error that says what was waited for and what came
/// instead. Requests are never repeated: a write that was answered wrongly may have been done.
struct board {
  struct line line;
  double patience;
  uint8_t number;               // of the next request
  unsigned lanes, payload_max;  // from HELLO
  bool numbered;                // `expected` counts
  uint8_t expected;             // number of the chip's next frame of its own
  unsigned long lost;           // frames of the chip that did not come
  // Called for each packet that leaves a port, in the order of the line, from within any call;
  // NULL: none are wanted.
  // `times`: of a simulator that was greeted with 2, else NULL.
  void (*packet)(void *user, unsigned port, uint32_t ticket,
                 const struct sluice_packet_times *times, const uint8_t *bytes, size_t len);
  // Called for each frame of the control port likewise. NULL: the last one is kept, until the next
  // is sent.
  void (*answer)(void *user, const uint8_t *bytes, size_t len);
  // Called for each part of a story that was asked for; NULL: none are wanted.
  void (*story)(void *user, const uint8_t *bytes, size_t len, bool last);
  void *user;
  // argument of HELLO; 1: a server sends the packets that leave (a board always does), with 2 the
  // cycles in which they came and left
  unsigned greeting;
  // Private.
  // packets whose answers have not come yet; they are the last before request `number`
  unsigned posted;
  size_t posted_bytes;  // of posts since the last time that none was under way
  unsigned post_code;   // what one of them was answered with, if it was not taken
  bool have_control;
  struct wire_frame control;  // the last frame of the control port
  struct wire_frame frame;
  struct wire_decoder decoder;
  uint8_t in[65536];  // bytes of the line that have come and are not looked at yet
  size_t in_at, in_len;
  uint8_t out[65536];  // posted packets, and the next request: they go out together
  size_t out_len;
};

/// Finds the board at the other end; sets lanes and payload_max.
enum sluice_status board_hello(struct board *board, struct sluice_error *error);
/// Resets the chip.
enum sluice_status board_reset(struct board *board, struct sluice_error *error);
enum sluice_status board_read(struct board *board, uint32_t addr, uint32_t *value,
                              struct sluice_error *error);
enum sluice_status board_write(struct board *board, uint32_t addr, uint32_t value,
                               struct sluice_error *error);
/// Sends a frame to a data port, or to the control port.
enum sluice_status board_packet(struct board *board, unsigned port, const uint8_t *bytes,
                                size_t len, struct sluice_error *error);
enum sluice_status board_control(struct board *board, const uint8_t *bytes, size_t len,
                                 struct sluice_error *error);
/// Sends a frame to a data port and does not wait for the answer, for lines that lose nothing. If
/// it is not taken, a later call fails and says so. It may wait here for the next call but a post.
enum sluice_status board_post(struct board *board, unsigned port, const uint8_t *bytes, size_t len,
                              struct sluice_error *error);
/// The same, but the packet does not go in before a cycle: a simulator alone knows it.
enum sluice_status board_post_at(struct board *board, unsigned port, uint32_t cycle,
                                 const uint8_t *bytes, size_t len, struct sluice_error *error);
/// Sends posts that wait.
enum sluice_status board_flush(struct board *board, struct sluice_error *error);
/// Waits for a frame of the control port. It lives until the next call.
enum sluice_status board_control_answer(struct board *board, const struct wire_frame **answer,
                                        struct sluice_error *error);
/// Whether one is there already, or comes within `seconds`; it lives until the next call.
enum sluice_status board_control_wait(struct board *board, double seconds,
                                      const struct wire_frame **answer, struct sluice_error *error);
/// Lets clock cycles pass: a simulated chip behind a socket stands still otherwise. A board does
/// not know this request.
enum sluice_status board_advance(struct board *board, uint32_t cycles, struct sluice_error *error);
/// Asks for the stories of the next `packets` packets that are sent. As board_advance: a simulator
/// alone knows it.
enum sluice_status board_tell(struct board *board, uint32_t packets, struct sluice_error *error);
/// Takes what comes for at most `seconds`, or until nothing comes for that long.
enum sluice_status board_listen(struct board *board, double seconds, struct sluice_error *error);
