// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A worker of gradient aggregation (sw/programs/coflow/aggregate.dom, docs/arrays.md): it gives
/// its vector to the chip part by part and gets the sum of all workers' vectors back. It does no
/// input or output and knows no clock: packets go out through a callback, those that come in and
/// the time are told to it. So it runs over sockets, in a simulator, or in a test.
///
///     struct sluice_worker *w = sluice_worker_new(&(struct sluice_worker_setup){
///         .worker = 3, .workers = 8, .slots = 64, .vid = 5, .timeout = 1000, .send = my_send});
///     sluice_worker_start(w, vector, num, now);
///     while (!sluice_worker_done(w)) {
///       ... len = a packet from the network, or 0 if none came for a while ...
///       if (len) sluice_worker_receive(w, bytes, len, now);
///       sluice_worker_tick(w, now);
///     }
///     ... vector[i] is now the sum of all workers' vector[i], modulo 2^32 ...
///
/// Protocol. Part p of a vector, words 8p to 8p+7, is sent in slot p modulo `slots`; a slot has one
/// part on its way at a time, so `slots` is the window. Each use of a slot is a round, counted from
/// 1. Workers agree on rounds without talking: all must reduce the same lengths in the same order.
/// A packet that is not answered within `timeout` is sent again; the chip counts it once. (The
/// protocol is SwitchML's; the chip keeps a round where that keeps a bit, so an old packet that
/// comes late is known as one.)
///
/// Numbers are added as 32-bit integers that wrap: who adds fractions chooses a scale.

enum {
  SLUICE_WORKER_WORDS = 8,   // of a part
  SLUICE_WORKER_FRAME = 94,  // bytes of a packet
  SLUICE_WORKER_MAX = 8,     // workers
  SLUICE_WORKER_SLOTS = 128  // slots that the program has
};

struct sluice_worker_setup {
  unsigned worker, workers;  // its number, of so many
  unsigned slots;            // window, 1 to SLUICE_WORKER_SLOTS; the same for all workers
  uint16_t vid;              // VLAN id of the program
  uint64_t timeout;          // in whatever the caller's time counts
  /// Sends a frame; it may get lost.
  void (*send)(void *user, const uint8_t *frame, size_t len);
  void *user;
};

struct sluice_worker_counts {
  uint64_t sent, again;  // packets; those among them that were sent before
  uint64_t answers;      // sums that came
  uint64_t ignored;      // packets that were none, or came twice
};

struct sluice_worker;

/// Returns a worker that the caller frees, or NULL: out of memory, or a number out of its range.
struct sluice_worker *sluice_worker_new(const struct sluice_worker_setup *setup);
void sluice_worker_free(struct sluice_worker *worker);

/// Begins to reduce `vector`, which the worker reads and changes until it is done. The one before
/// must be done.
void sluice_worker_start(struct sluice_worker *worker, int32_t *vector, size_t num, uint64_t now);
bool sluice_worker_done(const struct sluice_worker *worker);

/// A frame has come. False: it is no answer that this worker waits for.
bool sluice_worker_receive(struct sluice_worker *worker, const uint8_t *frame, size_t len,
                           uint64_t now);
/// Sends again what has waited too long. Returns the time at which the next one has.
uint64_t sluice_worker_tick(struct sluice_worker *worker, uint64_t now);

struct sluice_worker_counts sluice_worker_counts(const struct sluice_worker *worker);
