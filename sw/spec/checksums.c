// SPDX-License-Identifier: Apache-2.0
// docs/machine.md: Checksums; Congestion.
#include <string.h>

#include "parts.h"

enum { IP_AT = 18, IP_CHECKSUM_AT = 28, SOURCE_AT = 30, DESTINATION_AT = 34, OPTIONS_AT = 38 };
enum { TCP = 6, UDP = 17, NOP = 1, LOOSE_SOURCE_ROUTE = 131, STRICT_SOURCE_ROUTE = 137 };

// Which bytes of the header a checksum covers.
struct covered {
  bool byte[SLUICE_MODEL_HEADER];
};

static void cover(struct covered *c, unsigned from, unsigned end) {
  for (unsigned i = from; i < end && i < SLUICE_MODEL_HEADER; i++) c->byte[i] = true;
}

static unsigned sum(unsigned a, unsigned b) { return ((a + b) & 0xffff) + ((a + b) >> 16); }

static unsigned word_of(const struct covered *c, const uint8_t *bytes, unsigned at) {
  return (c->byte[at] ? (unsigned)bytes[at] << 8 : 0) | (c->byte[at + 1] ? bytes[at + 1] : 0);
}

// new = ~(~old + sum of ~m + m'), over the words that changed (RFC 1624)
static unsigned incremental(const struct covered *c, unsigned old, const uint8_t *before,
                            const uint8_t *after, bool *changed) {
  unsigned total = ~old & 0xffff;
  *changed = false;
  for (unsigned at = 0; at < SLUICE_MODEL_HEADER; at += 2) {
    const unsigned m = word_of(c, before, at), next = word_of(c, after, at);
    if (m == next) continue;
    *changed = true;
    total = sum(sum(total, ~m & 0xffff), next);
  }
  return ~total & 0xffff;
}

static bool spec_is_ipv4(const uint8_t *bytes) {
  return spec_number(bytes + 16, 2) == 0x0800 && bytes[IP_AT] >> 4 == 4 && (bytes[IP_AT] & 15) >= 5;
}

static void put16(uint8_t *bytes, unsigned value) {
  bytes[0] = (uint8_t)(value >> 8);
  bytes[1] = (uint8_t)value;
}

// "covers the IPv4 header, the checksum itself excepted; of a header that the packet's end cuts
// off, whole words alone"
static void ip_checksum(const uint8_t *before, unsigned end, unsigned readable, uint8_t *header) {
  struct covered c = {{false}};
  bool changed;
  cover(&c, IP_AT, end < readable ? end : readable & ~1u);
  c.byte[IP_CHECKSUM_AT] = c.byte[IP_CHECKSUM_AT + 1] = false;
  const unsigned next =
      incremental(&c, (unsigned)spec_number(header + IP_CHECKSUM_AT, 2), before, header, &changed);
  if (changed) put16(header + IP_CHECKSUM_AT, next);
}

// "if the first option that is no NOP is a loose or strict source route and its pointer is at most
// its length"; the IPv4 header, which ends at `end`, is whole: the datagram's checksum is behind it
static bool source_route_goes_on(const uint8_t *before, unsigned end) {
  unsigned at = OPTIONS_AT;
  while (at < end && before[at] == NOP) at++;
  if (at + 2 >= end) return false;
  return (before[at] == LOOSE_SOURCE_ROUTE || before[at] == STRICT_SOURCE_ROUTE) &&
         before[at + 2] <= before[at + 1];
}

// The datagram ends where the first of these ends: IPv4 total length, length of UDP's header.
static void l4_checksum(const uint8_t *before, unsigned begin, unsigned readable, uint8_t *header) {
  const unsigned protocol = before[27];
  const bool fragment = spec_number(before + 24, 2) & 0x1fff;
  unsigned end = IP_AT + (unsigned)spec_number(before + 20, 2);
  if ((protocol != UDP && protocol != TCP) || fragment) return;
  if (protocol == UDP) {
    const unsigned length = (unsigned)spec_number(before + begin + 4, 2);
    if (begin + length < end) end = begin + length;
  }
  if (end > readable) end = readable;
  const unsigned at = begin + (protocol == UDP ? 6 : 16);
  if (at + 2 > end) return;
  const unsigned old = (unsigned)spec_number(header + at, 2);
  if (protocol == UDP && old == 0) return;  // the sender made none
  struct covered c = {{false}};
  bool changed;
  cover(&c, begin, end);
  cover(&c, SOURCE_AT, source_route_goes_on(before, begin) ? DESTINATION_AT : OPTIONS_AT);
  c.byte[at] = c.byte[at + 1] = false;
  const unsigned next = incremental(&c, old, before, header, &changed);
  if (changed) put16(header + at, protocol == UDP && next == 0 ? 0xffff : next);
}

// Checksums
void spec_checksums(const struct sluice_spec *s, unsigned options, const uint8_t *before,
                    unsigned len, uint8_t *header) {
  const unsigned readable = len < s->c.HeaderBytes ? len : s->c.HeaderBytes;
  if (!spec_is_ipv4(before)) return;
  // Fields that decide are those before the deparser's writes; bytes behind the packet's end read 0
  uint8_t old[SLUICE_MODEL_HEADER] = {0};
  memcpy(old, before, readable);
  const unsigned begin = IP_AT + 4 * (old[IP_AT] & 15u);
  if (options >> SLUICE_DEPARSE_OPT_IP_CHECKSUM_LSB & 1) ip_checksum(old, begin, readable, header);
  if (options >> SLUICE_DEPARSE_OPT_L4_CHECKSUM_LSB & 1) l4_checksum(old, begin, readable, header);
}

// Congestion
bool spec_congestion(const uint8_t *before, unsigned len, uint8_t *header) {
  const bool ipv6 = spec_number(before + 16, 2) == 0x86dd && before[18] >> 4 == 6;
  const unsigned shift = ipv6 ? 4 : 0, ecn = header[19] >> shift & 3;
  (void)len;
  if ((!ipv6 && !spec_is_ipv4(before)) || ecn == 0 || ecn == 3) return false;
  const unsigned m = (unsigned)spec_number(header + 18, 2);
  header[19] = (uint8_t)(header[19] | 3u << shift);
  if (ipv6) return true;
  const unsigned old = (unsigned)spec_number(header + IP_CHECKSUM_AT, 2);
  put16(header + IP_CHECKSUM_AT,
        ~sum(sum(~old & 0xffff, ~m & 0xffff), (unsigned)spec_number(header + 18, 2)));
  return true;
}
