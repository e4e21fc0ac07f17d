// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/process.h"

/// A way to the board: bytes out, bytes in, both with a bound. A serial device, or the simulated
/// board, which is a serial device too: a pseudo terminal.
struct line {
  int fd;
  struct sluice_process simulator;  // 0: none
  int leash;                        // the simulator ends when this is closed
  bool is_socket, heard;            // heard: bytes have come
  char name[64];
};

/// Opens a serial device: raw, 8 data bits, no parity, one stop bit, no flow control.
/// SLUICE_ERR_IO; SLUICE_ERR_RANGE: the system does not know this baud rate.
enum sluice_status line_open(struct line *line, const char *device, unsigned baud,
                             struct sluice_error *error);
/// Starts a simulated board (`make fpga-sim`) with options of its own, NULL at the end, and opens
/// its line.
enum sluice_status line_simulate(struct line *line, const char *simulator,
                                 const char *const options[], struct sluice_error *error);
/// Connects to a Unix socket on which a simulator serves.
enum sluice_status line_connect(struct line *line, const char *path, struct sluice_error *error);
/// Closes it, and ends the simulator.
void line_close(struct line *line);

/// Writes all bytes; SLUICE_ERR_IO when the line takes none for `seconds`.
enum sluice_status line_write(struct line *line, const uint8_t *bytes, size_t len, double seconds,
                              struct sluice_error *error);
/// Waits at most `seconds` for a byte, then takes what is there. *got is 0 when nothing came.
enum sluice_status line_read(struct line *line, uint8_t *bytes, size_t size, double seconds,
                             size_t *got, struct sluice_error *error);
