// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "../driver/image/image.h"
#include "../fuzz/fuzz.h"

/// Non-interference as a machine: module A runs alone, and then with the same packets beside a
/// hostile module B. A must not notice: same packets, same bytes, same state at the end, in order
/// if A asks for order, at most `bound` cycles later.
///
///     struct isolate_pair pair;
///     isolate_make(&pair, config, seed, &ask, &error);
///     isolate_save(&pair, false, dir, &error);  ... run the simulator on dir/alone.job ...
///     isolate_save(&pair, true, dir, &error);   ... and on dir/beside.job ...
///     isolate_compare(&pair, dir, &outcome, &error);
///     isolate_release(&pair);
///
/// A seed always gives the same pair. B is made to hurt: a program that wants one word for all its
/// packets, or an index that is wrong, hot sets that change, every output, multicast; or such a
/// program with random bits of its image turned over, if the loader accepts it. Its packets have
/// all sizes and fill its lanes, and some are no packets of any module, or reconfiguration packets.
///
/// A keeps to what docs/isolation.md asks of it: its packets come in at one lane, which B does not
/// use (unless `shared_lanes`), it needs no more than its share of an order queue and of an output
/// lane. Who plays has nothing to configure: shares, quota and limits are the default policy.
enum {
  ISOLATE_A_VID = 5,
  ISOLATE_B_VID = 6,
  ISOLATE_NUMBER_AT = 58,  // number of a packet, 4 bytes: no program of A writes there
  ISOLATE_PORT_AT = 62,    // port where it comes in, 1 byte
  ISOLATE_CAPSULE_A_LEN = 96,
  ISOLATE_LANE_RATE = 500,  // of B in each lane, packets and beats in 1,000 cycles (RateLimits)
};

struct isolate_ask {
  // B comes in at all lanes: promised by chips with classes, shares of the buffers and rates
  bool shared_lanes;
  bool no_shares;     // no shares of the order queues: the pair must fail (a mutant)
  bool one_class;     // both are of one class of the output queues: likewise, with shared_lanes
  bool capsules;      // on a chip that executes them: tenants, A of words of its array, B hostile
  bool wide_regions;  // with `capsules`: B may reach A's words as well (a mutant)
  unsigned cycles;    // how long A sends; 0: 6,000
};

struct isolate_pair {
  const struct sluice_config *config;
  struct isolate_ask ask;
  uint64_t seed;
  char a_text[2000], b_text[2000];  // the programs
  unsigned turned;                  // bits of B's image that were turned over
  // B's destination without a port of its own, a set of ports on chips with at most 8
  unsigned dest;
  struct sluice_image a, b;
  unsigned longest_beats;  // of a packet of B
  // With `capsules`: back stage of the array that programs of A reach, and its entries. Which words
  // are whose stands in the control packets of `packets`; time_ns of one is its overlay row.
  unsigned a_stage, a_words;
  /// Packets in the order of arrival; time_ns is the cycle of the last beat, the port stands in the
  /// frame. A case of the fuzzer, so that fuzz_shrink can make it smaller.
  struct fuzz_case packets;
};

/// SLUICE_ERR_NOMEM, or SLUICE_ERR_RANGE: a program of A does not fit the chip.
enum sluice_status isolate_make(struct isolate_pair *pair, const struct sluice_config *config,
                                uint64_t seed, const struct isolate_ask *ask,
                                struct sluice_error *error);
void isolate_release(struct isolate_pair *pair);

/// Programs, by a stream of random numbers: of A, and of B. In isolate/programs.c. Where A's text
/// begins with ISOLATE_ORDERED, packets with the same source port must leave each port in the order
/// in which they came.
#define ISOLATE_ORDERED "option flow_order(32, sport);\n"
struct sluice_rng;
/// `udp`: of packets of UDP alone; else the same bytes of any packet.
void isolate_program_a(char *text, size_t size, struct sluice_rng *rng, bool udp);
void isolate_program_b(char *text, size_t size, struct sluice_rng *rng, bool udp);

/// Tenants of a pair, in isolate/capsules.c: who has which words; and what the bytes of a packet
/// are made into. Of A, with ISOLATE_CAPSULE_A_LEN bytes: its number stands behind the list, and
/// once more where it is when the list is gone. Of B: any program, of any id.
enum sluice_status isolate_tenants(struct isolate_pair *pair, struct sluice_rng *rng,
                                   struct sluice_error *error);
void isolate_capsule_a(const struct isolate_pair *pair, struct sluice_rng *rng, uint8_t *bytes);
void isolate_capsule_b(const struct isolate_pair *pair, struct sluice_rng *rng, uint8_t *bytes,
                       size_t len);

/// Writes all files of one of the two runs: alone.* or beside.*; its report will be alone.json or
/// beside.json, what leaves alone.pcapng.
enum sluice_status isolate_save(const struct isolate_pair *pair, bool beside, const char *dir,
                                struct sluice_error *error);

/// Whether B comes in at A's lane as well, on a chip where the two are of different classes.
static inline bool isolate_by_class(const struct isolate_pair *pair) {
  return pair->ask.shared_lanes && pair->config->OutputClasses;
}

/// How much later than alone a packet of A may leave: see docs/isolation.md.
unsigned isolate_bound(const struct isolate_pair *pair);

/// What the two runs say.
struct isolate_side {
  uint64_t packets;  // copies of A that left
  // Packets that were lost. Of the run alone they must be 0; beside B the report counts B's under
  // A's VLAN id as well.
  uint64_t lost;
  // Cycles that a packet waited, at most: compared with the quickest one alone.
  uint64_t longest;
  uint64_t first, last;  // cycles of the first and last departure
  uint64_t b_packets, b_lost;
};
enum isolate_kind {
  ISOLATE_SAME,
  ISOLATE_ORDER,
  ISOLATE_BYTES,
  ISOLATE_LATE,
  ISOLATE_LOST,
  ISOLATE_VERDICT,
  ISOLATE_STATE,
  ISOLATE_SLOW,
  ISOLATE_ASKS
};
struct isolate_outcome {
  enum isolate_kind kind;  // ISOLATE_SAME: nothing was noticed
  char what[300];          // what was, first of all
  uint64_t packet;         // number of the packet concerned; UINT64_MAX: none
  unsigned later;          // the most that a packet left later than alone
  uint64_t moved;          // copies that had another place in the order of their port
  struct isolate_side alone, beside;
};
/// Compares the files, and writes dir/latencies.tsv: number, port, cycle of arrival and both
/// latencies of every copy. SLUICE_ERR_FORMAT or SLUICE_ERR_IO: they are not there, or not what
/// they should be.
enum sluice_status isolate_compare(const struct isolate_pair *pair, const char *dir,
                                   struct isolate_outcome *outcome, struct sluice_error *error);
