// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coroutine.h"
#include <sluice/status.h>

#include "pins.h"

/// The host side of the chip: registers and control port, as blocking calls for the script of a
/// run.
///
/// Calls wait by yielding the script's coroutine, one yield a cycle; sim_tick moves the pins
/// between. Every wait has a bound: a call that outlasts it returns an error that says what was
/// waited for.
enum { HOST_WAIT_CYCLES = 200000 };

struct host {
  struct coroutine *coroutine;
  size_t beat_bytes;           // of the control port
  const struct pins_out *out;  // this cycle
  struct pins_in *in;          // the next cycle
  uint64_t rest;               // cycles that the script still lets pass
};

/// Lets one cycle pass.
void host_wait(struct host *host);
/// Lets so many pass, and enters the script once for all of them.
void host_wait_many(struct host *host, uint64_t cycles);
/// Whether the script is to be entered in this cycle; called once a cycle, by the clock.
bool host_turn(struct host *host);

enum sluice_status host_csr_read(struct host *host, uint32_t addr, uint32_t *value,
                                 struct sluice_error *error);
/// SLUICE_ERR_BUSY: the register refused it (SLVERR).
enum sluice_status host_csr_write(struct host *host, uint32_t addr, uint32_t value,
                                  struct sluice_error *error);

/// Sends a frame on the control port.
enum sluice_status host_send(struct host *host, const uint8_t *bytes, size_t len,
                             struct sluice_error *error);
/// Receives the next answer from it. More than `room` bytes are SLUICE_ERR_FORMAT.
enum sluice_status host_receive(struct host *host, uint8_t *bytes, size_t room, size_t *len,
                                struct sluice_error *error);
