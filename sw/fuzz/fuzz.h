// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../base/layouts.h"
#include "../base/status.h"
#include "../session/job.h"

/// Random tests of the whole chip: a case is a configuration (as packets of the control port), a
/// capture, and how to play it. A seed always gives the same case (for one compiler, which chooses
/// the order of calls within an expression).
///
///     struct fuzz_case c;
///     fuzz_make(&c, sluice_config_find("tiny"), seed);
///     fuzz_save(&c, "build/fuzz/tiny/17", &error);      // job.json, control.pcap, capture.pcap
///     ... run the simulator on job.json ...
///     fuzz_shrink(&c, &effort, fails, context);    // while it still fails
///     fuzz_release(&c);
///
/// A configuration is legal whatever is left out of it: so frames can be removed one by one.
/// What the chip must do is not known here; that is the reference model's part.

/// A frame of the control port or of the capture. The bytes belong to the case.
struct fuzz_frame {
  uint64_t time_ns;
  size_t len;
  uint8_t *bytes;
};

struct fuzz_frames {
  size_t num, room;
  struct fuzz_frame *items;
};

/// How the simulator plays the capture: members of the job with the same names.
struct fuzz_play {
  double load, stall, malformed, idle;
  bool by_time, hash_lanes;
  struct job_settings set;
  unsigned num_class_ecn, class_ecn[8];  // of the first so many classes
};

/// The frames of updates are the next ones of fuzz_case.updating.
enum { FUZZ_UPDATES = 8, FUZZ_CUTS = 48 };

struct fuzz_case {
  const struct sluice_config *config;
  uint64_t seed;
  unsigned times;  // as much traffic as usual, at least 1
  unsigned sets;   // of pipelines, 1: one of all; segments are made for it
  struct fuzz_frames control, packets;
  struct fuzz_frames updating;  // frames of the updates
  struct job_update updates[FUZZ_UPDATES];
  unsigned num_updates;
  // control packets under traffic; time: the cycle, from the first packet on
  struct fuzz_frames marking;
  struct job_cut cuts[FUZZ_CUTS];
  unsigned num_cuts;
  struct fuzz_play play;
  const char *fault;          // name of a fault to switch on, or NULL
  bool events;                // the run keeps what the monitors are told
  bool stories;               // the run keeps the stories of all packets, and what leaves
  bool nomem;                 // out of memory while it was made
  struct fuzz_block *blocks;  // private: what the bytes live in
};

/// Plays everything at once, with the settings after reset.
struct fuzz_play fuzz_play_plain(void);

/// Makes the case of a seed. `nomem` tells whether that worked.
void fuzz_make(struct fuzz_case *c, const struct sluice_config *config, uint64_t seed);
/// The same with `times` as much traffic; control packets under traffic are as many, and spread
/// over all of it. With 1 it is the case of fuzz_make.
void fuzz_make_long(struct fuzz_case *c, const struct sluice_config *config, uint64_t seed,
                    unsigned times);
void fuzz_release(struct fuzz_case *c);

/// Bytes that live as long as the case; NULL and `nomem` when there are none left.
uint8_t *fuzz_bytes(struct fuzz_case *c, size_t len);
/// Appends a copy of the bytes.
void fuzz_append(struct fuzz_case *c, struct fuzz_frames *to, const uint8_t *bytes, size_t len,
                 uint64_t time_ns);

/// Writes job.json, control.pcap, capture.pcap, and updates.pcap and marks.pcap if there are any,
/// to `dir`, which must exist. The report will be report.json there. The job asks for the final
/// state of every segment that the configuration has in the end. With `stories` it also asks for
/// stories.json and out.pcap there.
enum sluice_status fuzz_save(const struct fuzz_case *c, const char *dir,
                             struct sluice_error *error);

/// Writes configuration and packets as text.
void fuzz_describe(const struct fuzz_case *c, FILE *out);

/// Returns whether the case still fails, in the way that is looked for. `packet` gets the number of
/// the first packet that is wrong, or is left alone.
typedef bool fuzz_fails(void *context, const struct fuzz_case *c, uint64_t *packet);

/// How much to spend on making a case smaller.
struct fuzz_effort {
  unsigned tries;
  double seconds;
};

/// Makes a failing case smaller: packets, playing, control packets, single entries, slots of action
/// words. Returns the number of tries.
unsigned fuzz_shrink(struct fuzz_case *c, const struct fuzz_effort *effort, fuzz_fails *fails,
                     void *context);
