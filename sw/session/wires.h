// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/layouts.h"
#include "../base/rng.h"

/// The wires to a simulated chip: frames wait for them, and go in beat by beat.
///
///     wires_init(&w, config, seed);
///     struct frame *f = wires_frame(bytes);    // fill it, then
///     wires_append(&w, f, false);
///     wires_drive(&w, cycle, beats);           // once a cycle: what the lanes see in the next one
///
/// A wire of a chip with fast ports has several streams: a beat goes where the one before it left
/// off, on the next stream or in the next cycle.
enum { WIRES_MAX = 16, WIRES_BEAT_BYTES = 64 };

/// One beat of a stream.
struct beat {
  bool valid, last, err;
  uint64_t keep;  // 1 for a byte that is there, from bit 0 on
  unsigned port;
  uint32_t ticket;  // outputs only
  // Inputs only, for messages: which of the packets it belongs to, from 1
  uint64_t number;
  uint8_t data[WIRES_BEAT_BYTES];
};
/// The keep signal of a beat with so many bytes, at most WIRES_BEAT_BYTES.
static inline uint64_t beat_keep(size_t bytes) {
  return bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX;
}

struct frame {
  struct frame *next;
  uint64_t number;  // from 1
  uint64_t due;     // no beat before this cycle
  unsigned port;
  bool mark_bad;
  size_t gap_at;  // byte whose keep bit is cleared; SIZE_MAX: none
  size_t len;
  uint8_t bytes[];
};

struct wires {
  // Of the caller, behind wires_init.
  double load;  // below 1: behind each frame its wire rests, in gaps of random length
  double idle;  // probability that a stream stays empty for a cycle, also inside a frame
  // A wire has nothing to send: appends a frame to some wire, or returns false. May be NULL.
  uint64_t start;  // cycle 0 of frames
  bool (*next)(void *user, uint64_t cycle);
  void *user;
  // Read by all.
  uint64_t packets, sent;  // frames that came, that went in
  unsigned queued;         // that wait, or are on their way
  // Private.
  unsigned num, streams;  // streams: of a wire
  size_t beat_bytes;
  const struct sluice_config *config;
  struct sluice_rng gaps, idles;
  // A place of a wire is a cycle of one of its streams: place 7 of a wire of two is cycle 3, stream
  // 1.
  struct wire {
    struct queue {
      struct frame *head, **tail;
    } fresh, again;     // `again`: comes in once more, and before the fresh ones
    struct frame *now;  // the frame being sent
    size_t sent;        // bytes of it already driven
    uint64_t start;     // no beat before this place
    unsigned num;
  } wire[WIRES_MAX];
};

void wires_init(struct wires *w, const struct sluice_config *config, uint64_t seed);
/// A frame with room for so many bytes; NULL: out of memory.
struct frame *wires_frame(size_t room);
/// Behind all others of its port's wire; `again`: in front of those that come for the first time.
void wires_append(struct wires *w, struct frame *f, bool again);
/// Behind all that are due no later, and behind the one that goes in now.
void wires_insert(struct wires *w, struct frame *f);
/// Frames of the wire of a port.
unsigned wires_waiting(const struct wires *w, unsigned port);
size_t wires_beats(const struct wires *w, size_t len);
/// Sets rx[lane] for all lanes, as fast as the chip takes beats, which it always does.
void wires_drive(struct wires *w, uint64_t cycle, struct beat *rx);
/// Drops all frames, also those on their way.
void wires_clear(struct wires *w);
