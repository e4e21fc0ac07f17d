// SPDX-License-Identifier: Apache-2.0
// Random IPv4 packets with right checksums, for the programs of checksums.sh: UDP and TCP,
// datagrams of even and odd length, IPv4 options and source routes, fragments, UDP without a
// checksum, bytes behind the datagram within the IPv4 packet, and behind the IPv4 packet within the
// frame.
//
//   checksum_packets FILE PACKETS SEED     VLAN ids 1 to 3 in turn, which PROGRAMS below are for
//
// What programs write never is what says how long a datagram is, nor its checksum.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/rng.h"
#include "lib/capture.h"

enum { IP = 18, OPTIONS = 38, LEAST = 64, MOST = 200, UDP = 17, TCP = 6 };

// Bytes that each program writes: FIRST and how many.
static const struct span {
  unsigned first, bytes;
} PROGRAMS[3][3] = {
    {{63, 2}, {65, 1}, {0, 0}}, {{26, 1}, {30, 4}, {34, 4}}, {{54, 2}, {58, 4}, {71, 1}}};

static struct sluice_rng rng;
static unsigned below(unsigned n) { return (unsigned)sluice_rng_below(&rng, n); }
// RFC 1071: an odd octet at the end has a zero beside it.
static unsigned sum(const uint8_t *bytes, unsigned len, unsigned from) {
  unsigned long all = from;
  for (unsigned i = 0; i < len; i++) all += i % 2 ? bytes[i] : (unsigned long)bytes[i] << 8;
  while (all >> 16) all = (all & 0xffff) + (all >> 16);
  return (unsigned)all;
}

struct frame {
  uint8_t bytes[MOST + 64];
  unsigned len, start, end, sum_at;  // end: of the datagram
  unsigned to;                       // where the address stands that the datagram is for
  bool udp;
};

// Options up to byte `start`. Returns where the final destination stands.
static unsigned put_options(uint8_t *b, unsigned start) {
  unsigned at = OPTIONS, to = IP + 16;
  memset(b + OPTIONS, 0, start - OPTIONS);
  while (at < start && below(3)) b[at++] = 1;
  const unsigned room = start - at;
  if (room >= 7 && below(3)) {
    const unsigned hops = 1 + below((room - 3) / 4), length = 3 + 4 * hops;
    b[at] = (uint8_t)(below(4) ? below(2) ? 131 : 137 : 7);
    b[at + 1] = (uint8_t)length;
    b[at + 2] = (uint8_t)(4 + 4 * below(hops + 1));
    for (unsigned i = 3; i < length; i++) b[at + i] = (uint8_t)(1 + below(220));
    if (b[at] != 7 && b[at + 2] <= length) to = at + length - 4;
  } else if (room >= 4 && below(2)) {
    memcpy(b + at, (const uint8_t[]){148, 4, 0, 0}, 4);  // router alert
  }
  return to;
}

static void make(struct frame *f, unsigned vid) {
  uint8_t *b = f->bytes;
  for (unsigned i = 0; i < sizeof f->bytes; i++)
    b[i] = (uint8_t)(below(6) ? below(256) : 255 * below(2));
  memcpy(b, (const uint8_t[]){2, 0, 0, 0, 0, 2, 2}, 7);
  sluice_put16(b + 12, 0x8100), sluice_put16(b + 14, vid), sluice_put16(b + 16, 0x0800);
  const unsigned ihl = below(2) ? 5 : 5 + below(11);
  f->udp = below(2);
  f->start = IP + 4 * ihl;
  f->sum_at = f->start + (f->udp ? 6 : 16);
  const unsigned head = f->start + (f->udp ? 8 : 20), ip_end = head + below(60);
  f->end = f->udp && below(2) ? head + below(ip_end - head + 1) : ip_end;
  f->len = ip_end + (below(2) ? below(6) : 0);
  if (f->len < LEAST) f->len = LEAST;
  b[IP] = (uint8_t)(0x40 | ihl);
  sluice_put16(b + IP + 2, ip_end - IP);
  sluice_put16(b + IP + 6, 0x4000);
  b[IP + 9] = f->udp ? UDP : TCP;
  // Addresses that say nothing of themselves, and ports that no dissector asks for.
  for (unsigned i = 0; i < 8; i++) b[IP + 12 + i] = (uint8_t)(1 + below(220));
  f->to = put_options(b, f->start);
  sluice_put16(b + f->start, 50000 + below(9000)),
      sluice_put16(b + f->start + 2, 50000 + below(9000));
  if (f->udp) sluice_put16(b + f->start + 4, f->end - f->start);
  else b[f->start + 12] = 0x50, b[f->start + 13] = 0x10;
}

// Whether the program of the packet would write what says how the datagram is to be read.
static bool steers(const struct frame *f, const struct span *program) {
  for (const struct span *s = program; s < program + 3; s++)
    for (unsigned at = s->first; at < s->first + s->bytes; at++) {
      if (at == f->sum_at || at == f->sum_at + 1 || (at >= OPTIONS && at < f->start)) return true;
      if (f->udp ? at == f->start + 4 || at == f->start + 5 : at == f->start + 12) return true;
      if (at == IP + 9) return true;
    }
  return false;
}

static void sum_up(struct frame *f) {
  uint8_t *b = f->bytes;
  sluice_put16(b + f->sum_at, 0);
  if (!f->udp || below(20)) {
    unsigned s = sum(b + IP + 12, 4, sum(b + f->to, 4, (f->udp ? UDP : TCP) + f->end - f->start));
    s = 0xffff - sum(b + f->start, f->end - f->start, s);
    sluice_put16(b + f->sum_at, f->udp && s == 0 ? 0xffff : s);
  }
  sluice_put16(b + IP + 10, 0);
  sluice_put16(b + IP + 10, 0xffff - sum(b + IP, f->start - IP, 0));
}

// One datagram in two fragments: 8 n bytes, and the rest.
static void fragment(const struct frame *whole, struct frame *first, struct frame *second) {
  const unsigned cut = 24 + 8 * below((whole->end - whole->start - 24) / 8);
  *first = *second = *whole;
  memmove(second->bytes + whole->start, whole->bytes + whole->start + cut,
          whole->end - whole->start - cut);
  first->end = whole->start + cut;
  second->end = whole->end - cut;
  sluice_put16(first->bytes + IP + 6, 0x2000);
  sluice_put16(second->bytes + IP + 6, cut / 8);
  for (unsigned n = 0; n < 2; n++) {
    struct frame *f = n ? second : first;
    sluice_put16(f->bytes + IP + 2, f->end - IP);
    f->len = f->end < LEAST ? LEAST : f->end;
    sluice_put16(f->bytes + IP + 10, 0);
    sluice_put16(f->bytes + IP + 10, 0xffff - sum(f->bytes + IP, f->start - IP, 0));
  }
}

int main(int argc, char **argv) {
  struct sluice_capture_writer *to = NULL;
  struct sluice_error error;
  if (argc != 4) return fprintf(stderr, "usage: checksum_packets FILE PACKETS SEED\n"), 2;
  const unsigned num = (unsigned)strtoul(argv[2], NULL, 10);
  sluice_rng_init(&rng, strtoull(argv[3], NULL, 10), "checksums");
  if (sluice_capture_create(&to, argv[1], &error)) return fprintf(stderr, "%s\n", error.text), 3;
  for (unsigned n = 0; n < num; n++) {
    struct frame f, part[2];
    const unsigned program = n % 3;
    do make(&f, 1 + program);
    while (steers(&f, PROGRAMS[program]));
    sluice_put16(f.bytes + IP + 4, n);  // each packet has an identification of its own
    sum_up(&f);
    // The second fragment has no header for a program to find: only the addresses' program is given
    // some.
    const bool cut = program == 1 && f.to == IP + 16 && f.start == OPTIONS &&
                     f.end >= f.start + 40 && (!f.udp || f.len == f.end) && below(4) == 0;
    if (cut) fragment(&f, &part[0], &part[1]);
    for (unsigned i = 0; i < (cut ? 2 : 1); i++) {
      const struct frame *out = cut ? &part[i] : &f;
      sluice_capture_write(to, out->bytes, out->len, UINT64_C(1000) * n);
    }
  }
  if (sluice_capture_finish(to, &error)) return fprintf(stderr, "%s\n", error.text), 3;
  return 0;
}
