// SPDX-License-Identifier: Apache-2.0
// Checksums of IPv4, UDP and TCP behind a VLAN tag, updated as RFC 1624 does it (equation 3). What
// they cover: RFC 768, 791, 1071, 9293.
#include "../base/bytes.h"
#include "machine.h"

enum { IP = 18, IP_SUM = IP + 10, IP_ADDRESSES = IP + 12, IP_TO = IP + 16, IP_OPTIONS = IP + 20 };

// What the changes of covered words add up to.
struct delta {
  uint32_t sum;  // of ~m + m'
  bool changed;
};

// The word at `at`, of which the bytes before `end` are covered: the others count as 0.
static uint16_t word(const uint8_t *bytes, unsigned at, unsigned end) {
  return (uint16_t)(bytes[at] << 8 | (at + 1 < end ? bytes[at + 1] : 0));
}

// Adds the bytes from..end-1, apart from the word at `except`.
static void cover(struct delta *d, const uint8_t *before, const uint8_t *after, unsigned from,
                  unsigned end, unsigned except) {
  for (unsigned at = from; at < end; at += 2) {
    const uint16_t old = word(before, at, end), new = word(after, at, end);
    if (at == except || old == new) continue;
    d->sum += (uint32_t)(uint16_t)~old + new;
    d->changed = true;
  }
}

static uint16_t updated(const struct delta *d, uint16_t old) {
  uint32_t sum = d->sum + (uint16_t)~old;
  while (sum >> 16) sum = (sum & 0xffffu) + (sum >> 16);
  return (uint16_t)~sum;
}

static void put16(uint8_t *bytes, uint16_t value) { sluice_put16(bytes, value); }

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

// Whether the packet is on its way along a source route, so that its sender has summed up another
// destination address. `start`: where the options end.
static bool on_source_route(const uint8_t *before, unsigned start, unsigned reach) {
  enum { NOP = 1, LOOSE = 131, STRICT = 137 };
  unsigned at = IP_OPTIONS;
  while (at < start && at < reach && before[at] == NOP) at++;
  if (at + 3 > start || at + 3 > reach) return false;
  const unsigned length = before[at + 1], pointer = before[at + 2];
  return (before[at] == LOOSE || before[at] == STRICT) && pointer <= length;
}

// `reach`: bytes of the packet that the deparser reaches.
static void update_l4(const uint8_t *before, uint8_t *header, unsigned reach) {
  const unsigned protocol = before[IP + 9];
  const bool udp = protocol == 17, tcp = protocol == 6;
  const unsigned start = IP + 4u * (before[IP] & 15u);
  const unsigned at = start + (udp ? 6 : 16);
  if ((!udp && !tcp) || model_get16(before + IP + 6) & 0x1fffu || at + 2 > reach) return;
  unsigned end = IP + (unsigned)model_get16(before + IP + 2);
  if (udp) end = least(end, start + model_get16(before + start + 4));
  if (at + 2 > end) return;
  const uint16_t old = model_get16(header + at);
  if (udp && old == 0) return;  // its sender made none
  struct delta d = {0};
  cover(&d, before, header, start, least(end, reach), at);
  cover(&d, before, header, IP_ADDRESSES,
        on_source_route(before, start, reach) ? IP_TO : IP_OPTIONS, 0);
  if (!d.changed) return;
  const uint16_t new = updated(&d, old);
  put16(header + at, udp && new == 0 ? 0xffffu : new);
}

static bool is_ipv4(const uint8_t *before) {
  return model_get16(before + 16) == 0x0800 && before[IP] >> 4 == 4 && (before[IP] & 15u) >= 5;
}

// Of the class of traffic, bits 5:4 of the second byte; there is no checksum.
static bool congestion_ipv6(uint8_t *header) {
  const unsigned ecn = header[IP + 1] >> 4 & 3u;
  if (ecn == 0 || ecn == 3) return false;
  header[IP + 1] |= 3u << 4;
  return true;
}

bool model_congestion(const uint8_t *before, uint8_t *header) {
  if (model_get16(before + 16) == 0x86dd && before[IP] >> 4 == 6) return congestion_ipv6(header);
  const unsigned ecn = header[IP + 1] & 3u;
  if (!is_ipv4(before) || ecn == 0 || ecn == 3) return false;
  const uint16_t old = model_get16(header + IP);
  header[IP + 1] |= 3u;
  const struct delta d = {.sum = (uint32_t)(uint16_t)~old + model_get16(header + IP)};
  put16(header + IP_SUM, updated(&d, model_get16(header + IP_SUM)));
  return true;
}

void model_checksums(uint8_t options, const uint8_t *before, unsigned len, uint8_t *header) {
  const uint64_t opt = options;
  const unsigned reach = len < SLUICE_MODEL_HEADER ? len : SLUICE_MODEL_HEADER;
  const unsigned ihl = before[IP] & 15u;
  if (!is_ipv4(before)) return;
  // The transport checksum first: it covers the addresses, but not the checksum of the IPv4 header.
  if (FIELD(&opt, DEPARSE_OPT, L4_CHECKSUM)) update_l4(before, header, reach);
  if (FIELD(&opt, DEPARSE_OPT, IP_CHECKSUM)) {
    struct delta d = {0};
    cover(&d, before, header, IP, least(IP + 4 * ihl, reach & ~1u), IP_SUM);
    if (d.changed) put16(header + IP_SUM, updated(&d, model_get16(header + IP_SUM)));
  }
}
