// SPDX-License-Identifier: Apache-2.0
// Checksums of IPv4, UDP and TCP behind a VLAN tag, updated as RFC 1624 does it (equation 3).
#include "machine.h"

enum { IP = 18, IP_SUM = IP + 10, IP_ADDRESSES = IP + 12, IP_OPTIONS = IP + 20 };

// What the changes of covered words add up to.
struct delta {
  uint32_t sum;  // of ~m + m'
  bool changed;
};

// Adds the words that start in from..to-1, apart from the one at `except`. `reach`: bytes that the
// deparser reaches.
static void cover(struct delta *d, const uint8_t *before, const uint8_t *after, unsigned from,
                  unsigned to, unsigned except, unsigned reach) {
  for (unsigned at = from; at < to && at + 2 <= reach; at += 2) {
    const uint16_t old = model_get16(before + at), new = model_get16(after + at);
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

static void put16(uint8_t *bytes, uint16_t value) {
  bytes[0] = (uint8_t)(value >> 8);
  bytes[1] = (uint8_t)value;
}

static void update_l4(const uint8_t *before, uint8_t *header, unsigned reach) {
  const unsigned protocol = before[IP + 9];
  const bool udp = protocol == 17, tcp = protocol == 6;
  const unsigned start = IP + 4u * (before[IP] & 15u);
  const unsigned end = IP + (unsigned)model_get16(before + IP + 2);
  const unsigned at = start + (udp ? 6 : 16);
  if ((!udp && !tcp) || model_get16(before + IP + 6) & 0x1fffu || at + 2 > reach) return;
  const uint16_t old = model_get16(header + at);
  if (udp && old == 0) return;  // its sender made none
  struct delta d = {0};
  cover(&d, before, header, start, end, at, reach);
  cover(&d, before, header, IP_ADDRESSES, IP_OPTIONS, 0, reach);
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
    cover(&d, before, header, IP, IP + 4 * ihl, IP_SUM, reach);
    if (d.changed) put16(header + IP_SUM, updated(&d, model_get16(header + IP_SUM)));
  }
}
