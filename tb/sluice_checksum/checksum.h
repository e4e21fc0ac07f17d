// SPDX-License-Identifier: Apache-2.0
// Checksum updates after the deparser, written from docs/machine.md, section Checksums.
#ifndef SLUICE_TB_CHECKSUM_H
#define SLUICE_TB_CHECKSUM_H
#include <stdbool.h>
#include <stdint.h>

enum { CHECKSUM_IP = 1, CHECKSUM_L4 = 2, CHECKSUM_HEADER = 128, CHECKSUM_FIRST = 18 };

static inline unsigned checksum_get(const uint8_t *p) { return (unsigned)p[0] << 8 | p[1]; }

static inline void checksum_put(uint8_t *p, unsigned v) {
  p[0] = (uint8_t)(v >> 8);
  p[1] = (uint8_t)v;
}

// Ones' complement addition of 16-bit numbers, carry by carry.
static inline unsigned checksum_add(unsigned a, unsigned b) {
  const unsigned s = a + b;
  return s > 0xffff ? s - 0xffff : s;
}

// One covered word more. Returns whether it changed.
static inline bool checksum_word(unsigned *sum, const uint8_t *old, const uint8_t *now,
                                 unsigned at) {
  const unsigned m = checksum_get(old + at), n = checksum_get(now + at);
  if (m == n) return false;
  *sum = checksum_add(checksum_add(*sum, ~m & 0xffff), n);
  return true;
}

// The same of a word of which only the first byte is covered.
static inline bool checksum_half(unsigned *sum, const uint8_t *old, const uint8_t *now,
                                 unsigned at) {
  const uint8_t m[2] = {old[at], 0}, n[2] = {now[at], 0};
  return checksum_word(sum, m, n, 0);
}

// A loose or strict source route behind NOPs that still has an address in front of it.
static inline bool checksum_routed(const uint8_t *old, unsigned l4) {
  for (unsigned at = 38; at + 3 <= l4; at++)
    if (old[at] != 1) return (old[at] == 131 || old[at] == 137) && old[at + 2] <= old[at + 1];
  return false;
}

static inline void checksum_update(unsigned opt, unsigned len, const uint8_t *old, uint8_t *now) {
  const unsigned end = len < CHECKSUM_HEADER ? len : CHECKSUM_HEADER;
  const unsigned ihl = old[18] & 15;
  if (checksum_get(old + 16) != 0x0800 || old[18] >> 4 != 4 || ihl < 5) return;
  const unsigned l4 = CHECKSUM_FIRST + 4 * ihl;
  const bool udp = old[27] == 17, tcp = old[27] == 6,
             first = (checksum_get(old + 24) & 0x1fff) == 0;
  unsigned ip_new = 0, l4_new = 0;
  bool ip_changed = false, l4_changed = false;
  const unsigned ip_at = 28, l4_at = l4 + (udp ? 6 : 16);

  unsigned sum = ~checksum_get(now + ip_at) & 0xffff;
  for (unsigned at = CHECKSUM_FIRST; at + 1 < end && at < l4; at += 2)
    if (at != ip_at) ip_changed |= checksum_word(&sum, old, now, at);
  ip_new = ~sum & 0xffff;

  // the datagram: as long as IPv4 and UDP both say, and as far as it is there
  unsigned last = CHECKSUM_FIRST + checksum_get(old + 20);
  if (udp && l4 + 6 <= end && l4 + checksum_get(old + l4 + 4) < last)
    last = l4 + checksum_get(old + l4 + 4);
  const bool l4_there = (udp || tcp) && first && l4_at + 2 <= end && l4_at + 2 <= last;
  if (end < last) last = end;
  if (l4_there) {
    const unsigned before = checksum_get(now + l4_at);
    sum = ~before & 0xffff;
    for (unsigned at = 30; at < (checksum_routed(old, l4) ? 34u : 38u); at += 2)
      l4_changed |= checksum_word(&sum, old, now, at);
    for (unsigned at = l4; at + 1 < last; at += 2)
      if (at != l4_at) l4_changed |= checksum_word(&sum, old, now, at);
    if (last % 2) l4_changed |= checksum_half(&sum, old, now, last - 1);
    l4_new = ~sum & 0xffff;
    if (udp && before == 0) l4_changed = false;
    if (udp && l4_new == 0) l4_new = 0xffff;
  }
  if (opt & CHECKSUM_IP && ip_changed) checksum_put(now + ip_at, ip_new);
  if (opt & CHECKSUM_L4 && l4_there && l4_changed) checksum_put(now + l4_at, l4_new);
}

// A marked packet: CE if it is IPv4 or IPv6 (before the deparser) and ECT (after it), and the IPv4
// header checksum with it. Comes after checksum_update. Returns whether it did anything.
static inline bool checksum_mark(const uint8_t *old, uint8_t *now) {
  const unsigned six = now[19] >> 4 & 3;
  if (checksum_get(old + 16) == 0x86dd && old[18] >> 4 == 6 && (six == 1 || six == 2)) {
    now[19] |= 0x30;
    return true;
  }
  if (checksum_get(old + 16) != 0x0800 || old[18] >> 4 != 4 || (old[18] & 15) < 5) return false;
  if ((now[19] & 3) != 1 && (now[19] & 3) != 2) return false;
  uint8_t before[CHECKSUM_HEADER];
  for (unsigned i = 0; i < CHECKSUM_HEADER; i++) before[i] = now[i];
  now[19] |= 3;
  unsigned sum = ~checksum_get(now + 28) & 0xffff;
  checksum_word(&sum, before, now, 18);
  checksum_put(now + 28, ~sum & 0xffff);
  return true;
}
#endif
