// SPDX-License-Identifier: Apache-2.0
// DPI side of tb_sluice_checksum: makes headers, changes them as a deparser might, and says what
// the checksums must become. A packet that was right as a whole must be right afterwards: that
// checks the model.
#include <stdio.h>
#include <string.h>

#include "sluice_checksum/checksum.h"

void checksum_seed(int seed);
int checksum_case(uint32_t *len, uint32_t *opt, int *mark, uint32_t *old_bits, uint32_t *now_bits,
                  uint32_t *expected_bits);

static uint64_t state = 1;

static unsigned draw(unsigned n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 20) % n;
}

void checksum_seed(int seed) {
  state = 0x9e3779b97f4a7c15u * (uint64_t)(seed + 1);
  for (int i = 0; i < 10; i++) draw(2);
}

// Sum over from..to-1; an odd last byte is the high half of a word.
static unsigned sum_of(const uint8_t *p, unsigned from, unsigned to, unsigned sum) {
  for (unsigned at = from; at < to; at += 2)
    sum = checksum_add(sum, (unsigned)p[at] << 8 | (at + 1 < to ? p[at + 1] : 0u));
  return sum;
}

// What a receiver sums up of a datagram in bytes l4..end-1 that is for the address in bytes `to`.
static unsigned l4_sum(const uint8_t *p, unsigned l4, unsigned end, unsigned to) {
  const unsigned pseudo = sum_of(p, 30, 34, checksum_add(p[27], end - l4));
  const uint8_t address[4] = {p[to], p[to + 1], p[to + 2], p[to + 3]};
  return sum_of(p, l4, end, sum_of(address, 0, 4, pseudo));
}

// A source route behind some NOPs, as far as the options have room for one. Returns where the
// address is that the datagram is for.
static unsigned put_route(uint8_t *p, unsigned l4) {
  const unsigned room = l4 - 38, nops = draw(4), hops = 1 + draw(3), length = 3 + 4 * hops;
  if (l4 > CHECKSUM_HEADER || room < nops + length) return 34;
  const unsigned at = 38 + nops, pointer = 4 + 4 * draw(hops + 1);
  for (unsigned i = 0; i < nops; i++) p[38 + i] = 1;
  p[at] = draw(8) ? draw(2) ? 131 : 137 : 7;  // most often; or RECORD ROUTE
  p[at + 1] = (uint8_t)length;
  p[at + 2] = (uint8_t)pointer;
  return p[at] != 7 && pointer <= length ? at + length - 4 : 34;
}

// A word that is one of the two zeros, or nearly.
static unsigned near_zero(void) { return draw(4) ^ draw(2) * 0xffff; }

// The edges of ones' complement: words of 0 and 0xffff alone, in the addresses and behind them, and
// checksums of them.
static void put_edges(uint8_t *p, unsigned l4, unsigned l4_at) {
  const unsigned zeros = draw(9);
  for (unsigned at = 22; at < CHECKSUM_HEADER; at += 2)
    if (at < 24 || at >= 28) checksum_put(p + at, draw(8) < zeros ? 0 : 0xffff);
  checksum_put(p + 28, draw(4) ? 0xffff : 0);
  if (p[27] == 17 && l4 + 6 <= CHECKSUM_HEADER)
    checksum_put(p + l4 + 4, draw(4) ? 0xffff : draw(130));
  if (l4_at + 2 <= CHECKSUM_HEADER)
    checksum_put(p + l4_at, draw(4) == 0 ? 0xffff : draw(4) ? near_zero() : draw(65536));
}

// Some of them change: from 0xffff to 0, which adds nothing to a sum, or to anything.
static void change_edges(uint8_t *p, unsigned end) {
  const bool falls = draw(2);
  for (unsigned i = 1 + draw(3); i > 0; i--) {
    // Often one of the last words, which come late into the sum.
    const unsigned words = (end - 22) / 2,
                   at = 22 + 2 * (draw(2) ? draw(words) : words - 1 - draw(4));
    if (at == 24 || at == 26 || (falls && checksum_get(p + at) != 0xffff)) continue;
    checksum_put(p + at, falls ? 0 : draw(4) ? near_zero() : draw(65536));
  }
}

// Result 0: the model itself is wrong.
int checksum_case(uint32_t *len, uint32_t *opt, int *mark, uint32_t *old_bits, uint32_t *now_bits,
                  uint32_t *expected_bits) {
  uint8_t old[CHECKSUM_HEADER], now[CHECKSUM_HEADER], expected[CHECKSUM_HEADER];
  const unsigned length = draw(3) == 0   ? 64 + draw(3)
                          : draw(4) == 0 ? 120 + draw(20)
                                         : 64 + draw(80);
  for (unsigned i = 0; i < sizeof old; i++)
    old[i] = (uint8_t)(draw(8) == 0 ? 255 * draw(2) : draw(256));
  const unsigned ihl = draw(2) ? 5 : draw(16);
  const unsigned l4 = CHECKSUM_FIRST + 4 * ihl;
  const bool udp = draw(2), odd_case = draw(4) == 0;
  checksum_put(old + 16, draw(20) ? 0x0800 : 0x0900 - 0x100 * draw(2) + 1);
  old[18] = (uint8_t)((draw(20) ? 4u : draw(16)) << 4 | ihl);
  checksum_put(old + 20,
               odd_case ? draw(4) == 0 ? draw(65536) : draw(130) : length - CHECKSUM_FIRST);
  checksum_put(old + 24, draw(8) ? draw(8) << 13 : 1u << draw(16));
  if (draw(2)) old[19] = (uint8_t)((old[19] & 0xfcu) | (1 + draw(2)));  // ECT
  if (draw(8) == 0) {                                                   // IPv6, most often
    checksum_put(old + 16, draw(8) ? 0x86dd : 0x86dc);
    old[18] = (uint8_t)((draw(8) ? 6u : draw(16)) << 4 | (old[18] & 15u));
  }
  old[27] = draw(20) ? udp ? 17 : 6 : (uint8_t)draw(256);
  unsigned to = 34;
  if (ihl > 5) {
    for (unsigned i = 38; i < l4 && i < sizeof old; i++)
      if (old[i] == 131 || old[i] == 137) old[i]++;
    if (draw(2)) to = put_route(old, l4);
  }

  // a packet that is right as a whole, if all of it is in the header
  const unsigned l4_at = l4 + (old[27] == 17 ? 6 : 16);
  const bool whole = length <= CHECKSUM_HEADER && !odd_case && ihl >= 5 && l4_at + 2 <= length &&
                     (old[27] == 17 || old[27] == 6) && draw(4);
  unsigned end = length;  // of the datagram; behind it are bytes of the frame, of the IPv4 packet
  if (whole) {
    if (draw(2)) checksum_put(old + 20, (end = l4_at + 2 + draw(end - l4_at - 1)) - CHECKSUM_FIRST);
    if (old[27] == 17) {
      if (draw(2)) end = l4_at + 2 + draw(end - l4_at - 1);
      checksum_put(old + l4 + 4, end - l4);
    }
    checksum_put(old + 28, 0);
    checksum_put(old + 28, ~sum_of(old, CHECKSUM_FIRST, l4, 0) & 0xffff);
    checksum_put(old + l4_at, 0);
    const unsigned sum = ~l4_sum(old, l4, end, to) & 0xffff;
    checksum_put(old + l4_at, sum == 0 && old[27] == 17 ? 0xffff : sum);
  } else if (old[27] == 17 && l4 + 6 <= CHECKSUM_HEADER && draw(2)) {
    checksum_put(old + l4 + 4, draw(4) ? draw(130) : draw(65536));
  } else if (l4_at + 2 <= CHECKSUM_HEADER && draw(4) == 0) {
    checksum_put(old + l4_at, draw(2) ? 0 : 0xffff);
  }

  const bool edges = !whole && draw(4) == 0;
  if (edges) put_edges(old, l4, l4_at);

  memcpy(now, old, sizeof now);
  if (edges) change_edges(now, length < CHECKSUM_HEADER ? length : CHECKSUM_HEADER);
  const unsigned patches = edges ? 0 : draw(5);
  bool kept = true;  // checksums and what steers them were left alone
  for (unsigned i = 0; i < patches; i++) {
    unsigned at = draw(3)                   ? draw(CHECKSUM_HEADER)
                  : l4_at < CHECKSUM_HEADER ? draw(2) ? l4_at : 28
                                            : 30;
    if (whole && draw(3)) at = 30 + draw(length - 30);
    if (whole && draw(3) == 0) at = end - 2 + draw(3);
    const unsigned size = 1 + draw(6), value = draw(4);
    for (unsigned b = at; b < at + size && b < length && b < CHECKSUM_HEADER; b++) {
      now[b] = (uint8_t)(value == 0 ? 0 : value == 1 ? 255 : draw(256));
      if (b == 28 || b == 29 || b == l4_at || b == l4_at + 1) kept = false;
      if (b < 22 || b == 24 || b == 25 || b == 27) kept = false;
      if (b >= 38 && b < l4) kept = false;
      if (old[27] == 17 && (b == l4 + 4 || b == l4 + 5)) kept = false;
    }
  }
  memcpy(expected, now, sizeof expected);
  *len = length;
  *opt = (draw(4) ? 3 : draw(4)) | draw(64) << 2;
  checksum_update(*opt & 3, length, old, expected);
  *mark = draw(2) != 0;
  if (*mark) checksum_mark(old, expected);

  const bool is_ip = checksum_get(old + 16) == 0x0800 && old[18] >> 4 == 4;
  if (whole && kept && is_ip) {
    const bool first = (checksum_get(old + 24) & 0x1fff) == 0;
    if ((*opt & 1 || memcmp(now, old, l4) == 0) &&
        sum_of(expected, CHECKSUM_FIRST, l4, 0) != 0xffff)
      return fprintf(stderr, "the model's IPv4 checksum is wrong\n"), 0;
    if (*opt & 2 && first && l4_sum(expected, l4, end, to) != 0xffff)
      return fprintf(stderr, "the model's UDP or TCP checksum is wrong\n"), 0;
  }
  memcpy(old_bits, old, sizeof old);
  memcpy(now_bits, now, sizeof now);
  memcpy(expected_bits, expected, sizeof expected);
  return 1;
}
