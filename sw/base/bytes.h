// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Numbers in packets and frames, in network order, and the Internet checksum.
static inline void sluice_put16(uint8_t *at, size_t value) {
  at[0] = (uint8_t)(value >> 8);
  at[1] = (uint8_t)value;
}

static inline void sluice_put32(uint8_t *at, uint64_t value) {
  sluice_put16(at, value >> 16);
  sluice_put16(at + 2, value);
}

static inline unsigned sluice_get16(const uint8_t *at) { return (unsigned)at[0] << 8 | at[1]; }

static inline uint32_t sluice_get32(const uint8_t *at) {
  return (uint32_t)sluice_get16(at) << 16 | sluice_get16(at + 2);
}

/// The lower `bytes` bytes of a number, at most 8.
static inline void sluice_put(uint8_t *at, unsigned bytes, uint64_t value) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static inline uint64_t sluice_get(const uint8_t *at, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++) value = value << 8 | at[i];
  return value;
}

/// Sum of 16-bit words; an odd last byte counts as the upper half of one. At most 131,072 bytes.
static inline uint32_t sluice_sum16(const uint8_t *bytes, size_t len) {
  uint32_t sum = 0;
  for (size_t i = 0; i < len; i++) sum += i % 2 ? bytes[i] : (uint32_t)bytes[i] << 8;
  return sum;
}

static inline unsigned sluice_fold16(uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}

/// Fills in lengths and checksums of an IPv4 header without options at `ip`, followed by UDP, in a
/// frame with `len` bytes from the IPv4 header on.
static inline void sluice_finish_udp(uint8_t *ip, size_t len) {
  uint8_t *udp = ip + 20;
  size_t udp_len = len - 20;
  sluice_put16(ip + 2, len);
  sluice_put16(ip + 10, 0);
  sluice_put16(ip + 10, sluice_fold16(sluice_sum16(ip, 20)));
  sluice_put16(udp + 4, udp_len);
  sluice_put16(udp + 6, 0);
  // The pseudo header: both addresses, the protocol, the length. A sum of 0 is sent as 0xffff.
  unsigned check = sluice_fold16(sluice_sum16(ip + 12, 8) + 17u + (uint32_t)udp_len +
                                 sluice_sum16(udp, udp_len));
  sluice_put16(udp + 6, check ? check : 0xffff);
}
