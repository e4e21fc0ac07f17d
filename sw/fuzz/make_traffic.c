// SPDX-License-Identifier: Apache-2.0
// Traffic: frames that differ in few fields, of few values, and every way to play them.
#include <string.h>

#include "../base/bytes.h"
#include "make.h"

enum {
  HEAD = 128,  // bytes that a flow has of its own
  MAX_FLOWS = 256,
  MAX_PACKETS = 4000,
  BEATS_PER_PIPE = 4000,
  IP_AT = 18,
};

enum sizes { SMALL, FIXED, HEADERS, BIMODAL, USUAL, JUMBO, NUM_SIZES };

struct flows {
  unsigned num, num_change;  // words that differ from packet to packet
  uint8_t head[MAX_FLOWS][HEAD];
};

static uint16_t pick_word(struct make *m) { return m->words[pick(m, MAKE_WORDS)]; }

static unsigned pick_vid(struct make *m) {
  unsigned vid = m->modules[pick(m, m->num_modules)].vid;
  if (chance(m, 97)) return vid;
  // Of the row of a module, but not its; any, half of them so small that the row may have none.
  if (chance(m, 50)) return (vid + 32 * (1 + pick(m, 127))) & 0xfff;
  vid = pick(m, 4096);
  return vid < 2048 ? vid % m->config->NumModules : vid;
}

// Ethernet, VLAN, and mostly IPv4; what follows is made of words.
static void make_head(struct make *m, uint8_t *b) {
  for (unsigned i = 0; i < HEAD; i += 2)
    sluice_put16(b + i, chance(m, 92) ? pick_word(m) : pick(m, 65536));
  sluice_put16(b + 12, chance(m, 99) ? 0x8100 : 0x88a8);
  sluice_put16(b + 14, pick_vid(m) | (chance(m, 20) ? pick(m, 16) << 12 : 0));
  sluice_put16(b + 16, chance(m, 88) ? 0x0800 : PICK(m, 0x86dd, 0x0806, 0x0801, 0x0000));
  uint8_t *ip = b + IP_AT;
  ip[0] = (uint8_t)(chance(m, 80) ? 0x45 : chance(m, 80) ? 0x45 + pick(m, 11) : pick(m, 256));
  sluice_put16(ip + 6, chance(m, 85) ? 0x4000 : pick(m, 65536));
  ip[9] = (uint8_t)(chance(m, 60) ? 17 : chance(m, 80) ? 6 : pick(m, 256));
  if (chance(m, 1)) sluice_put16(b + 40, SLUICE_RECONFIG_PORT);
}

// The IPv4 length, and checksums: right, zero or anything. Updates must do well on all of them.
static void finish(struct make *m, uint8_t *b, size_t len) {
  uint8_t *ip = b + IP_AT;
  unsigned header = 4u * (ip[0] & 15), kind = pick(m, 10);
  if (kind == 0) return;
  size_t total = len - IP_AT;
  if (chance(m, 10)) total = pick(m, 2) ? pick(m, (unsigned)total + 1) : total + pick(m, 200);
  sluice_put16(ip + 2, total & 0xffff);
  if (header < 20 || IP_AT + header > len) return;
  sluice_put16(ip + 10, 0);
  sluice_put16(ip + 10, sluice_fold16(sluice_sum16(ip, header)));
  size_t sum_at = IP_AT + header + (ip[9] == 17 ? 6 : 16);
  if (kind > 7 || total < header || total > len - IP_AT || sum_at + 2 > len) return;
  if (ip[9] == 17) sluice_put16(ip + header + 4, total - header);
  sluice_put16(b + sum_at, 0);
  unsigned sum = sluice_fold16(sluice_sum16(ip + 12, 8) + ip[9] + (uint32_t)(total - header) +
                               sluice_sum16(ip + header, total - header));
  sluice_put16(b + sum_at, kind == 1 ? 0 : sum ? sum : 0xffff);
}

static size_t pick_len(struct make *m, enum sizes sizes, unsigned fixed) {
  switch (sizes) {
    case SMALL: return 64;
    case FIXED: return fixed;
    case HEADERS: return 64 + pick(m, 80);
    case BIMODAL: return chance(m, 50) ? 150 + pick(m, 100) : 1300 + pick(m, 200);
    case USUAL: return 64 + pick(m, 1455);
    default: return chance(m, 90) ? 64 + pick(m, 1455) : 64 + pick(m, SLUICE_FRAME_MAX - 63);
  }
}

// What a case may aim at besides what chance brings. FILLED: short frames at full rate, without
// pacing and brake, so that the queues inside fill up and only credits and exact counts are left.
// MOVING: a few busy flows in short frames, scans for moves one after the other, and packets that
// wait resolved at the order point while indices move.
enum aim { ANYTHING, FILLED, MOVING };

// How it is played.
static enum aim make_play(struct make *m) {
  struct fuzz_play *p = &m->c->play;
  p->load = chance(m, 50) ? 1.0 : PICK(m, 90, 75, 50, 20, 3) / 100.0;
  p->stall = chance(m, 60) ? 0.0 : PICK(m, 10, 30, 60, 90) / 100.0;
  p->malformed = chance(m, 60) ? 0.0 : PICK(m, 1, 5, 30) / 100.0;
  p->by_time = chance(m, 20);
  p->hash_lanes = chance(m, 25);
  if (chance(m, 40)) p->set.pace = (int)PICK(m, 0, 0, 2, 4, 8, 24, 48, 1000);
  if (chance(m, 30)) p->set.brake = (int)PICK(m, 0, 0, 1, 2, 4, 8);
  if (chance(m, 40)) p->set.lane_limit = (int)PICK(m, 0, 0, 1, 2, 8, m->config->LaneDepth);
  if (chance(m, 60)) p->set.move_period = (int)PICK(m, 0, 30, 40, 64, 100, 1000);
  if (chance(m, 30)) p->set.output_limit = (int)PICK(m, 0, 1, 2, 8, m->config->OutputDepth);
  const enum aim aim = chance(m, 20) ? FILLED : chance(m, 25) ? MOVING : ANYTHING;
  if (aim == ANYTHING) return aim;
  p->load = 1.0;
  p->stall = 0.0;
  p->by_time = false;
  p->set.pace = p->set.brake = 0;
  if (aim == MOVING) {
    p->set.pace = (int)PICK(m, 4, 8, 12);
    p->set.move_period = (int)PICK(m, 30, 40);
    p->set.lane_limit = (int)m->config->LaneDepth;
    p->malformed = 0.0;
  }
  return aim;
}

// Bursts: many frames at one time, then nothing for a while.
static uint64_t pick_gap(struct make *m, unsigned burst) {
  return pick(m, burst) ? 0 : pick(m, 40 * burst);
}

void make_traffic(struct make *m) {
  static struct flows flows;
  static uint8_t frame[SLUICE_FRAME_MAX + 256];
  const enum aim aim = make_play(m);
  if (m->config->Active) make_capsules_open(m);
  flows.num = PICK(m, 1, 2, 4, 16, 64, MAX_FLOWS);
  flows.num_change = PICK(m, 0, 1, 3, 8, 20);
  if (aim == MOVING) flows.num = 24, flows.num_change = 0;
  for (unsigned f = 0; f < flows.num; f++) make_head(m, flows.head[f]);
  for (size_t i = HEAD; i < sizeof frame; i++) frame[i] = (uint8_t)pick(m, 256);
  enum sizes sizes =
      (enum sizes)PICK(m, SMALL, SMALL, SMALL, FIXED, HEADERS, HEADERS, BIMODAL, USUAL, JUMBO);
  if (aim != ANYTHING) sizes = SMALL;
  unsigned fixed = 64 + pick(m, chance(m, 80) ? 140 : 1455), burst = PICK(m, 2, 8, 50);
  unsigned packets = PICK(m, 100, 500, 1500, MAX_PACKETS),
           beats = BEATS_PER_PIPE * m->config->NumPipes;
  if (aim == MOVING || m->updating) packets = MAX_PACKETS;
  packets *= m->c->times, beats *= m->c->times;
  uint64_t time_ns = 0;
  while (packets > 0) {
    size_t len = pick_len(m, sizes, fixed);
    unsigned flow = pick(m, flows.num);
    if (aim == MOVING) flow = pick(m, flow + 1);  // low numbers are busier
    if (m->config->Active) len = make_capsule_begin(m, flow, len);
    unsigned need = sluice_config_beats(m->config, (unsigned)len);
    if (need > beats) break;
    beats -= need;
    packets--;
    memcpy(frame, flows.head[flow], HEAD);
    for (unsigned n = 0; n < flows.num_change; n++)
      sluice_put16(frame + 20 + 2 * pick(m, (HEAD - 20) / 2),
                   chance(m, 90) ? pick_word(m) : pick(m, 65536));
    if (chance(m, 10)) sluice_put16(frame + 14, pick_vid(m));
    // Destination port 0xf1f2 is rare enough in what was drawn.
    make_keys_packet(m, frame, len, false);
    make_merge_packet(m, frame);
    finish(m, frame, len);
    make_keys_packet(m, frame, len, true);
    if (m->config->Active) make_capsule_end(m, frame);
    fuzz_append(m->c, &m->c->packets, frame, len, time_ns);
    time_ns += pick_gap(m, burst);
  }
}

uint64_t make_traffic_cycles(const struct fuzz_case *c) {
  uint64_t beats = 0;
  for (size_t i = 0; i < c->packets.num; i++)
    beats += sluice_config_beats(c->config, c->packets.items[i].len);
  return (uint64_t)((double)beats / c->config->NumPipes / c->play.load);
}
