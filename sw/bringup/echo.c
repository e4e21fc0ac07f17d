// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "../base/rng.h"
#include "../transport/board.h"
#include "bringup.h"

enum { NAME = 0x6563686f, REGISTERS = 16, PACKETS_AT = 0x40 };

enum sluice_status bringup_echo(struct board *board, unsigned long rounds, uint64_t seed,
                                struct sluice_error *error) {
  struct sluice_rng rng;
  uint32_t value, counted;
  uint8_t bytes[1024];
  enum sluice_status status = board_hello(board, error);
  if (!status) status = board_reset(board, error);
  if (!status) status = board_read(board, 0, &value, error);
  if (status) return status;
  if (value != NAME)
    return sluice_fail(
        error, SLUICE_ERR_FOREIGN,
        "register 0 says %08x: there is something else than the echo (%08x) on the board", value,
        NAME);
  sluice_rng_init(&rng, seed, "echo");
  for (unsigned long n = 0; n < rounds; n++) {
    const uint32_t reg = (uint32_t)sluice_rng_below(&rng, REGISTERS) * 4,
                   wanted = (uint32_t)sluice_rng_next(&rng);
    size_t len = 1 + (size_t)sluice_rng_below(&rng, board->payload_max < sizeof bytes
                                                        ? board->payload_max
                                                        : sizeof bytes);
    const struct wire_frame *back;
    for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)sluice_rng_next(&rng);
    if (n % 4 == 0) memset(bytes, WIRE_FLAG, len);  // the longest way on the line
    status = board_write(board, reg, wanted, error);
    if (!status) status = board_read(board, reg, &value, error);
    if (!status && value != wanted)
      status = sluice_fail(error, SLUICE_ERR_IO, "register 0x%02x: %08x written, %08x read", reg,
                           wanted, value);
    if (!status) status = board_control(board, bytes, len, error);
    if (!status) status = board_control_answer(board, &back, error);
    if (!status && (back->len != len || memcmp(back->payload, bytes, len) != 0))
      status = sluice_fail(error, SLUICE_ERR_IO,
                           "round %lu: %zu bytes of the control port come back as %zu others", n,
                           len, back->len);
    if (!status) status = board_packet(board, 0, bytes, len, error);
    if (status) return status;
  }
  status = board_read(board, PACKETS_AT, &counted, error);
  if (!status && counted != (uint32_t)rounds)
    status =
        sluice_fail(error, SLUICE_ERR_IO, "%lu packets sent, the board counts %u", rounds, counted);
  if (!status && board->lost)
    status = sluice_fail(error, SLUICE_ERR_IO, "%lu frames of the board were lost", board->lost);
  return status;
}
