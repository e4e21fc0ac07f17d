// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/rng.h"

/// The eight modules of sw/programs/menshen, said a second time in C: which entries their tables
/// hold, packets for them, and what must become of each packet. Nothing of compiler, model, driver
/// or capture library is used, so a fault of those shows.
///
///     static struct eight world;
///     eight_init(&world, 1, 16, 256);  // seed, ports, rows of PORT_MASK (0: there are none)
///     ... write eight_modules[m].arrays and, if there are rows, world.groups to the chip ...
///     eight_make(&world, &packet, EIGHT_CALC, id);     // in the order in which they will arrive
///     eight_expect(&world, &packet, &expected);        // changes the state, once for each packet
///
/// VLAN id of module m: 1 + m. Packets have 64 bytes, so that each is one beat, and their number in
/// bytes 60..63, where no module writes.
enum {
  EIGHT_CALC,
  EIGHT_FIREWALL,
  EIGHT_LOAD_BALANCING,
  EIGHT_QOS,
  EIGHT_SOURCE_ROUTING,
  EIGHT_NETCACHE,
  EIGHT_NETCHAIN,
  EIGHT_MULTICAST,
  EIGHT_MODULES,
  EIGHT_LEN = 64,
  EIGHT_ENTRIES = 64,
  EIGHT_GROUPS = 8,
  EIGHT_ID_AT = 60,
};

struct eight_array {
  const char *name;
  unsigned size;
};
static const struct eight_module {
  const char *name;  // of the file in sw/programs/menshen, without .dom
  struct eight_array arrays[2];
} eight_modules[EIGHT_MODULES] = {
    [EIGHT_CALC] = {"calc", {{NULL, 0}}},
    [EIGHT_FIREWALL] = {"firewall", {{"blocked_src", 64}, {"blocked_port", 64}}},
    [EIGHT_LOAD_BALANCING] = {"load_balancing", {{"server", 32}, {"way", 32}}},
    [EIGHT_QOS] = {"qos", {{NULL, 0}}},
    [EIGHT_SOURCE_ROUTING] = {"source_routing", {{NULL, 0}}},
    [EIGHT_NETCACHE] = {"netcache", {{"keys", 32}, {"values", 32}}},
    [EIGHT_NETCHAIN] = {"netchain", {{"last", 32}}},
    [EIGHT_MULTICAST] = {"multicast", {{"row", 32}}},
};

struct eight {
  unsigned ports, rows;
  struct sluice_rng rng;
  uint32_t entries[EIGHT_MODULES][2]
                  // of the arrays, as the operator fills them, then as packets leave them
                  [EIGHT_ENTRIES];
  uint64_t groups[EIGHT_GROUPS];  // PORT_MASK rows ports .. ports + 7
  unsigned seen[EIGHT_MODULES], dropped[EIGHT_MODULES],
      special[EIGHT_MODULES];  // packets; of these without a copy; hits, blocked, TCP...
};

struct eight_packet {
  unsigned module, port;
  uint32_t id;
  uint8_t bytes[EIGHT_LEN];
};

struct eight_expected {
  uint64_t ports;  // that send a copy; 0: dropped
  uint8_t bytes[EIGHT_LEN];
};

static inline uint32_t eight_get(const uint8_t *b, unsigned at, unsigned len) {
  return (uint32_t)sluice_get(b + at, len);
}
static inline void eight_put(uint8_t *b, unsigned at, unsigned len, uint32_t value) {
  sluice_put(b + at, len, value);
}
static inline unsigned eight_below(struct eight *w, unsigned n) {
  return (unsigned)sluice_rng_below(&w->rng, n);
}

// CRC-16/ARC bit by bit over words, least significant byte first.
static inline unsigned eight_hash(const uint32_t *words, unsigned num) {
  unsigned crc = 0;
  for (unsigned i = 0; i < 4 * num; i++) {
    crc ^= words[i / 4] >> 8 * (i % 4) & 0xff;
    for (unsigned bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xa001 : crc >> 1;
  }
  return crc;
}

// Ones' complement sum of 16-bit words, folded and inverted.
static inline unsigned eight_sum(const uint8_t *b, unsigned from, unsigned to, uint32_t start) {
  uint32_t sum = start;
  for (unsigned i = from; i < to; i += 2) sum += eight_get(b, i, 2);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}

// Both checksums of an IPv4 packet, from all its bytes.
static inline void eight_sums(uint8_t *b) {
  const bool udp = b[27] == 17, tcp = b[27] == 6;
  eight_put(b, 28, 2, 0);
  eight_put(b, 28, 2, eight_sum(b, 18, 38, 0));
  if (!udp && !tcp) return;
  const unsigned at = udp ? 44 : 54;
  const uint32_t pseudo = eight_get(b, 30, 2) + eight_get(b, 32, 2) + eight_get(b, 34, 2) +
                          eight_get(b, 36, 2) + b[27] + (EIGHT_LEN - 38);
  eight_put(b, at, 2, 0);
  const unsigned sum = eight_sum(b, 38, EIGHT_LEN, pseudo);
  eight_put(b, at, 2, udp && sum == 0 ? 0xffff : sum);
}

// Addresses and ports come from few values, so that entries are met.
static inline uint32_t eight_src(unsigned n) { return 0x0a000001u + n * 0x00010007u; }
static inline unsigned eight_dport(unsigned n) { return 1000 + 77 * n; }
enum { EIGHT_SRCS = 24, EIGHT_DPORTS = 6 };

static inline void eight_init(struct eight *w, uint64_t seed, unsigned ports, unsigned rows) {
  memset(w, 0, sizeof *w);
  sluice_rng_init(&w->rng, seed, "eight modules");
  w->ports = ports;
  w->rows = rows;
  for (unsigned n = 0; n < EIGHT_SRCS; n += 2) {
    const uint32_t key[2] = {eight_src(n), eight_dport(n % EIGHT_DPORTS)};
    const unsigned bucket = eight_hash(key, 2) % 64;
    w->entries[EIGHT_FIREWALL][0][bucket] = key[0];
    w->entries[EIGHT_FIREWALL][1][bucket] = key[1];
  }
  for (unsigned n = 0; n < 32; n++) {
    w->entries[EIGHT_LOAD_BALANCING][0][n] = 0xc0a80000u + 3 * n;
    w->entries[EIGHT_LOAD_BALANCING][1][n] = eight_below(w, ports);
    if (n % 3) {
      w->entries[EIGHT_NETCACHE][0][n] = 1 + eight_below(w, 3);  // key n, n + 32 or n + 64
      w->entries[EIGHT_NETCACHE][1][n] = 0xcafe0000u + n;
    }
    w->entries[EIGHT_MULTICAST][0][n] = rows && n % 4 ? ports + n / 4 : n % ports;
  }
  for (unsigned n = 0; n < EIGHT_GROUPS; n++)
    w->groups[n] = n ? (uint64_t)1 << eight_below(w, ports) | (uint64_t)1 << eight_below(w, ports) |
                           (uint64_t)1 << n % ports
                     : 0;
}

// A packet of a module, for the port where it will come in.
static inline void eight_make(struct eight *w, struct eight_packet *p, unsigned module,
                              unsigned port, uint32_t id) {
  uint8_t *b = p->bytes;
  p->module = module, p->port = port, p->id = id;
  for (unsigned i = 0; i < EIGHT_LEN; i++) b[i] = (uint8_t)eight_below(w, 256);
  eight_put(b, 12, 2, 0x8100);
  eight_put(b, 14, 2, eight_below(w, 16) << 12 | (1 + module));  // any priority and DEI
  eight_put(b, 16, 2, 0x0800);
  b[18] = 0x45;
  eight_put(b, 20, 2, EIGHT_LEN - 18);
  eight_put(b, 24, 2, 0x4000);
  b[27] = (uint8_t)(module == EIGHT_QOS && eight_below(w, 2) ? eight_below(w, 2) ? 6 : 1 : 17);
  eight_put(b, 30, 4, eight_src(eight_below(w, EIGHT_SRCS)));
  eight_put(b, 40, 2, eight_dport(eight_below(w, EIGHT_DPORTS)));
  eight_put(b, 42, 2, EIGHT_LEN - 38);
  eight_put(b, EIGHT_ID_AT, 4, id);
  switch (module) {
    case EIGHT_CALC:
      eight_put(b, 46, 2, eight_below(w, 8) ? 1 + eight_below(w, 5) : eight_below(w, 65536));
      break;
    case EIGHT_SOURCE_ROUTING: {
      const unsigned hops = eight_below(w, 5);
      for (unsigned n = 0; n < 4; n++)
        eight_put(b, 46 + 2 * n, 2,
                  n < hops ? eight_below(w, w->ports) | (n + 1 == hops ? 0x8000u : 0) : 0);
      if (hops == 1) b[46] |= 0x80;
      break;
    }
    case EIGHT_NETCACHE:
      eight_put(b, 46, 2, eight_below(w, 8) ? 1 : 2 + eight_below(w, 2));
      eight_put(b, 48, 4, eight_below(w, 96));
      break;
    case EIGHT_NETCHAIN:
      eight_put(b, 46, 2, 1 + eight_below(w, 2));
      eight_put(b, 48, 2, eight_below(w, 4) ? eight_below(w, 8) : eight_below(w, 65536));
      eight_put(b, 50, 4, eight_below(w, 2) ? 0 : eight_below(w, 40));
      eight_put(b, 54, 4, eight_below(w, w->ports) | eight_below(w, 1 << 15) << 8);
      break;
    default: break;
  }
  if (b[27] == 17 || b[27] == 6) eight_sums(b);
  else eight_put(b, 28, 2, 0), eight_put(b, 28, 2, eight_sum(b, 18, 38, 0));
}

static inline uint64_t eight_port(const struct eight *w, uint32_t port) {
  return port < w->ports ? (uint64_t)1 << port : 0;
}

// What leaves, from the text above each program; the state goes on.
static inline void eight_expect(struct eight *w, const struct eight_packet *p,
                                struct eight_expected *e) {
  uint32_t(*table)[EIGHT_ENTRIES] = w->entries[p->module];
  uint8_t *b = e->bytes;
  memcpy(b, p->bytes, EIGHT_LEN);
  const uint32_t src = eight_get(b, 30, 4), dst = eight_get(b, 34, 4);
  const uint64_t wire = (uint64_t)1 << (p->port ^ 1);
  bool special = false;
  switch (p->module) {
    case EIGHT_CALC: {
      const uint32_t op = eight_get(b, 46, 2), x = eight_get(b, 48, 4), y = eight_get(b, 52, 4);
      const uint32_t results[] = {0, x + y, x - y, x & y, x | y, x ^ y};
      eight_put(b, 56, 4, op < 6 ? results[op] : 0);
      e->ports = (uint64_t)1 << p->port;
      special = op >= 6;
      break;
    }
    case EIGHT_FIREWALL: {
      // Not by the bucket: is there an entry with this address and port?
      for (unsigned i = 0; i < 64; i++)
        special |= table[0][i] == src && table[1][i] == eight_get(b, 40, 2);
      e->ports = special ? 0 : wire;
      break;
    }
    case EIGHT_LOAD_BALANCING: {
      const uint32_t tuple[3] = {src, dst, eight_get(b, 38, 4)};
      const unsigned place = eight_hash(tuple, 3) % 32;
      eight_put(b, 34, 4, table[0][place]);
      eight_sums(b);
      e->ports = eight_port(w, table[1][place]);
      special = place < 8;
      break;
    }
    case EIGHT_QOS:
      b[19] = (uint8_t)((b[19] & 3) | (b[27] == 17 ? 46 << 2 : b[27] == 6 ? 44 << 2 : 0));
      eight_put(b, 28, 2, 0);
      eight_put(b, 28, 2, eight_sum(b, 18, 38, 0));
      e->ports = wire;
      special = b[27] == 6;
      break;
    case EIGHT_SOURCE_ROUTING: {
      const uint32_t first = eight_get(b, 46, 2);
      memmove(b + 46, b + 48, 6);
      eight_put(b, 52, 2, 0);
      e->ports = first ? eight_port(w, first & 0x7fff & 255) : 0;
      special = first >> 15;
      break;
    }
    case EIGHT_NETCACHE: {
      const uint32_t op = eight_get(b, 46, 2), key = eight_get(b, 48, 4);
      const bool held = table[0][key % 32] == key / 32 + 1;
      e->ports = eight_port(w, 1);
      if (op == 1 && held) {
        eight_put(b, 46, 2, 4);
        eight_put(b, 52, 4, table[1][key % 32]);
        eight_sums(b);
        e->ports = (uint64_t)1 << p->port;
        special = true;
      }
      if (op == 2 && held) table[0][key % 32] = 0;
      if (op == 3) table[0][key % 32] = key / 32 + 1, table[1][key % 32] = eight_get(b, 52, 4);
      break;
    }
    case EIGHT_NETCHAIN: {
      uint32_t *last = &table[0][eight_get(b, 48, 2) % 32];
      const uint32_t number = eight_get(b, 50, 4), way = eight_get(b, 54, 4);
      if (eight_get(b, 46, 2) == 2) {
        special = number > *last;
        if (number == 0) *last += 1;
        else if (number > *last) *last = number;
      }
      eight_put(b, 50, 4, *last);
      eight_put(b, 54, 4, way >> 8);
      e->ports = eight_port(w, way & 255);
      break;
    }
    default: {
      const uint32_t row = table[0][dst % 32];
      e->ports = row < w->ports ? (uint64_t)1 << row : w->groups[row - w->ports];
      special = e->ports & (e->ports - 1);
      break;
    }
  }
  w->seen[p->module]++;
  w->dropped[p->module] += e->ports == 0;
  w->special[p->module] += special;
}
