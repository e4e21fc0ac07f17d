// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <sluice/chip.h>

#include "../base/layouts.h"
#include "port.h"
#include "tag.h"

/// A switch that runs: a chip behind any transport, its data ports connected to the world outside.
///
///     struct live *live;
///     status = live_open(&live, &to, NULL, &error);          // finds the chip, resets it
///     status = sluice_chip_apply(live_chip(live), plan, &error);
///     status = live_connect(live, &spec, &error);            // once for each port
///     while (...) {
///       status = live_turn(live, LIVE_TURN_CYCLES, &error);  // frames in, time passes, frames out
///       if (live_asleep(live)) poll(...);                    // nothing to do: time stands still
///     }
///     status = live_drain(live, &error);
///     live_close(live, &error);
///
/// A turn takes what the ports have, as much as the lanes can take in its cycles and not more, so
/// that what is too much waits, or is lost, in the interface's own queue. Then it lets the cycles
/// pass and sends what has left.
///
/// The chip's own procedures (load, replace, audit...) wait in turns too: the packets of other
/// modules go on meanwhile. One thread.
struct live;
enum { LIVE_TURN_CYCLES = 64 };

struct live_counts {
  // frames that went into the chip, and that left; bytes on the outer side
  uint64_t in, in_bytes, out, out_bytes;
  uint64_t refused[LIVE_NUM_REFUSALS];  // frames that the port did not let in, or (FOREIGN) out
  // Frames that left the chip and were not taken by the other end
  uint64_t not_taken;
};

/// `chip`: name of its shape, or NULL: one that is known. SLUICE_ERR_*: as sluice_chip_open. The
/// transport must live longer.
SLUICE_MUST_CHECK enum sluice_status live_open(struct live **live, struct sluice_transport *to,
                                               const char *chip, struct sluice_error *error);
/// The chip, for all that chip.h can do with one.
struct sluice_chip *live_chip(struct live *live);
const struct sluice_config *live_config(const struct live *live);

/// Connects a port. spec->vid is set, or spec->trunk. SLUICE_ERR_EXISTS: the port is connected
/// already.
SLUICE_MUST_CHECK enum sluice_status live_connect(struct live *live, const struct live_spec *spec,
                                                  struct sluice_error *error);
/// Makes `port` the CPU port (sluice/event.h): frames that leave there wait for sluice_chip_event,
/// and what live_cpu_put takes comes in there, tags and all. A port of kind LIVE_CPU is connected
/// so. SLUICE_ERR_RANGE: the chip does not have it; SLUICE_ERR_EXISTS: it is connected, or there is
/// another one.
SLUICE_MUST_CHECK enum sluice_status live_cpu_port(struct live *live, unsigned port,
                                                   struct sluice_error *error);
/// Connects the CPU port of the shape (sluice_config_cpu_port) so, if it has one, nothing stands
/// behind that port, and no other port is the CPU port.
SLUICE_MUST_CHECK enum sluice_status live_cpu_of_shape(struct live *live,
                                                       struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status live_cpu_put(struct live *live, const uint8_t *frame,
                                                  size_t len, struct sluice_error *error);
/// What port `port` is connected to and what it has counted; NULL, and false: to nothing.
const struct live_spec *live_spec_of(const struct live *live, unsigned port);
bool live_counts_of(const struct live *live, unsigned port, struct live_counts *counts);
/// A file descriptor that becomes readable when the port has a frame; -1: none.
int live_fd(const struct live *live, unsigned port);
/// Why a port is not there any more (the interface was removed); NULL: it is there.
const char *live_gone(const struct live *live, unsigned port);
/// The link of a port that is an interface (link.h), and a descriptor that becomes readable when it
/// may have changed; -1: none.
enum live_link_state live_link_of(const struct live *live, unsigned port);
int live_link_fd(const struct live *live, unsigned port);
/// Looks at all links. A change is told to `say` (NULL: nobody), and kept for live_next_change, 64
/// at most; the oldest are dropped.
void live_look_at_links(struct live *live,
                        void (*say)(void *user, unsigned port, enum live_link_state state),
                        void *user);
struct live_change {
  unsigned port;
  enum live_link_state state;
  uint64_t cycles;  // of live_pace, when it was seen
};
/// The oldest change that nobody has asked for; false: there is none.
bool live_next_change(struct live *live, struct live_change *change);
bool live_has_change(const struct live *live);
/// Whether a port is an interface.
bool live_has_links(const struct live *live);
/// Seconds since live_open.
double live_age(const struct live *live);
/// Copies that left the chip at ports that are connected to nothing.
uint64_t live_unconnected(const struct live *live);

/// Lets `cycles` cycles pass. Fails when the transport fails.
SLUICE_MUST_CHECK enum sluice_status live_turn(struct live *live, unsigned cycles,
                                               struct sluice_error *error);
/// The switch is idle: no packet is inside the chip, and the last turns took no frame in and gave
/// none out. Nothing will happen until a port receives a frame, so the caller may wait for one
/// (live_fd) and need not let cycles pass.
bool live_asleep(const struct live *live);
/// Whether all captures that are read have ended, and there is nothing else that frames come from.
bool live_all_read(const struct live *live);
/// Takes no more frames, and lets out what is inside; at most 200,000 cycles.
SLUICE_MUST_CHECK enum sluice_status live_drain(struct live *live, struct sluice_error *error);
/// The same for a while: frames wait where they are, in the interfaces' queues, until live_go_on.
/// SLUICE_ERR_RANGE: packets stay inside the chip; frames are taken again.
SLUICE_MUST_CHECK enum sluice_status live_pause(struct live *live, struct sluice_error *error);
void live_go_on(struct live *live);

/// Chip cycles that live_turn has let pass since the start, and the seconds of real time spent in
/// it.
struct live_pace {
  uint64_t cycles;
  double seconds;
};
struct live_pace live_pace(const struct live *live);

/// The reactions of its modules (reaction/reactions.h), for the verbs that ask for them. Kept, not
/// owned; NULL: there are none.
struct reactions;
void live_set_reactions(struct live *live, struct reactions *reactions);
/// Whether modules that are loaded later get no shares (sluice_plan_divide); as long as nobody says
/// so they get them.
void live_set_no_shares(struct live *live, bool no_shares);
bool live_no_shares(const struct live *live);
struct reactions *live_reactions(const struct live *live);

/// The image of the module of a VLAN, for the stories of its packets (story.h): a copy of `image`
/// is kept; NULL: none any more. Out of memory there is none.
void live_keep_image(struct live *live, unsigned vid, const struct sluice_image *image);
const struct sluice_image *live_image(const struct live *live, unsigned vid);
/// Asks for the stories of the next `packets` packets. SLUICE_ERR_UNSUPPORTED: nothing watches this
/// chip.
SLUICE_MUST_CHECK enum sluice_status live_tell(struct live *live, uint32_t packets,
                                               struct sluice_error *error);
/// The next one that has ended, told with the names of the source; NULL: none has.
json_t *live_story(struct live *live);

/// Disconnects all and frees it; NULL is allowed. SLUICE_ERR_IO: a capture could not be written.
enum sluice_status live_close(struct live *live, struct sluice_error *error);
