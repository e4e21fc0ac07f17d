// SPDX-License-Identifier: Apache-2.0
// Frames, table TENANT, and what docs/machine.md (Capsules) says of them, for
// tb_sluice_capsule_parser.
#include <stdio.h>
#include <string.h>

#include "random.h"

enum { HEADER = 128, LIST_AT = 44, LIST = 42, STAGES = 20, IDS = 2 * 16384, WAITING = 8 };

struct expected {
  unsigned valid, known, drop, report, preload, id, length, mar, mbr, mbr2, data[4], tuple[3];
  unsigned ops[STAGES];  // label, numbered, target, opcode: 15 bits
};

void capsule_open(int seed, int stages, int ids, int rows);
void capsule_tenant(int index, unsigned entry);
unsigned capsule_random_tenant(void);
void capsule_frame(int row, int bank, int active, unsigned *header);
int capsule_check(int valid, int known, int drop, int report, int preload, int id, int length,
                  unsigned mar, unsigned mbr, unsigned mbr2, const unsigned *data,
                  const unsigned *tuple, const unsigned *ops);
void capsule_counts(int *executed, int *known, int *endless);

static unsigned num_stages, num_ids, num_rows, tenants[IDS];
static struct expected queue[WAITING];
static unsigned first, count, executed, known_ids, endless;

void capsule_open(int seed, int stages, int ids, int rows) {
  random_start(seed);
  num_stages = (unsigned)stages;
  num_ids = (unsigned)ids;
  num_rows = (unsigned)rows;
}

void capsule_tenant(int index, unsigned entry) { tenants[index] = entry; }

unsigned capsule_random_tenant(void) {
  const unsigned row = rnd(8) == 0 ? rnd(256) : rnd(4) * num_rows / 4;
  return (rnd(8) != 0) * 0x80000000u | rnd(4) << 29 | rnd(1 << 21) << 8 | row;
}

// ---- a frame: Ethernet, tag, capsule, list, IPv4, TCP; then some of it is made wrong
static void half(unsigned char *at, unsigned value) {
  at[0] = (unsigned char)(value >> 8);
  at[1] = (unsigned char)value;
}

static void draw_frame(unsigned char *f) {
  static const unsigned char usual[] = {15, 41, 13, 14, 22, 33, 16, 2, 11, 36, 52, 72, 8, 95, 1};
  for (unsigned b = 0; b < HEADER; b++) f[b] = (unsigned char)rnd(256);
  half(f + 12, 0x8100);
  half(f + 16, 0x83b2);
  half(f + 18, 0x1234);
  half(f + 20, 0x5678);
  f[22] &= 0xfe;              // DONE
  if (rnd(4)) f[23] &= 0xcf;  // REQUEST
  // Most ids are in TENANT; of the others often the first, which must not be taken for id 0.
  half(f + 24, rnd(12) ? rnd(num_ids) : rnd(3) ? rnd(0x10000) : num_ids);
  const unsigned instructions = rnd(3) == 0 ? 30 + rnd(13) : rnd(3 * num_stages);
  for (unsigned n = 0; n < LIST; n++) {
    unsigned opcode = rnd(4) == 0 ? rnd(256) : usual[rnd(sizeof usual)];
    if (rnd(16) == 0) opcode = 95 + rnd(2) + 32 * rnd(2);
    if (opcode == 0 || rnd(200) == 0) opcode = 128;
    if (n < instructions) f[LIST_AT + 2 * n + 1] = (unsigned char)opcode;
    if (n == instructions) f[LIST_AT + 2 * n + 1] = 0;
  }
  const unsigned ip = LIST_AT + 2 * (instructions + 1);
  if (ip < HEADER) f[ip] = 0x45;
  switch (rnd(40)) {
    case 0: f[16 + rnd(2)] ^= (unsigned char)(1u << rnd(8)); break;
    case 1: f[18 + rnd(4)] ^= (unsigned char)(1u << rnd(8)); break;
    case 2: f[22] |= 1; break;
    case 3: half(f + 16, 0x0800); break;
    default: break;
  }
  // Behind the packet's end there is nothing.
  const unsigned len = rnd(3) == 0 ? 64 + rnd(65) : HEADER;
  memset(f + len, 0, HEADER - len);
}

static unsigned word(const unsigned char *f, unsigned at) {
  unsigned value = 0;
  for (unsigned b = at; b < at + 4; b++) value = value << 8 | (b < HEADER ? f[b] : 0);
  return value;
}

static struct expected parse(const unsigned char *f, unsigned row, unsigned bank, unsigned active) {
  struct expected e;
  memset(&e, 0, sizeof e);
  const unsigned request = f[23] >> 4 & 3;
  if (!active || f[16] != 0x83 || f[17] != 0xb2 || word(f, 18) != 0x12345678 || (f[22] & 1) ||
      request == 1 || request == 2)
    return e;
  e.valid = 1;
  while (e.length < LIST) {
    const unsigned at = LIST_AT + 2 * e.length, opcode = f[at + 1];
    e.length++;
    if (opcode == 0) break;
    if (e.length == LIST) endless++;
    if (e.length <= num_stages)  // label 6, numbered, target; then 7 bits of opcode
      e.ops[e.length - 1] = (unsigned)f[at] << 7 | (opcode > 95 ? 1 : opcode);
  }
  for (unsigned d = 0; d < 4; d++) e.data[d] = word(f, 28 + 4 * d);
  e.preload = f[23] & 1;
  if (e.preload) {
    e.mar = e.data[0];
    e.mbr = e.data[1];
    e.mbr2 = e.data[2];
  }
  const unsigned ip = LIST_AT + 2 * e.length;
  e.tuple[2] = word(f, ip + 12);
  e.tuple[1] = word(f, ip + 16);
  e.tuple[0] = word(f, ip + 20);
  const unsigned fid = word(f, 24) >> 16, entry = tenants[bank * num_ids + fid % num_ids];
  e.id = fid % num_ids;
  e.known = fid < num_ids && entry >> 31 && (entry & 255) == row;
  e.drop = e.known && (entry >> 30 & 1);
  e.report = e.known && (entry >> 29 & 1);
  executed++;
  known_ids += e.known;
  return e;
}

void capsule_frame(int row, int bank, int active, unsigned *header) {
  unsigned char f[HEADER];
  draw_frame(f);
  queue[(first + count++) % WAITING] = parse(f, (unsigned)row, (unsigned)bank, (unsigned)active);
  memcpy(header, f, HEADER);
}

static int differs(const char *what, unsigned is, unsigned should) {
  if (is != should) printf("%s is 0x%x, should be 0x%x\n", what, is, should);
  return is != should;
}

int capsule_check(int valid, int known, int drop, int report, int preload, int id, int length,
                  unsigned mar, unsigned mbr, unsigned mbr2, const unsigned *data,
                  const unsigned *tuple, const unsigned *ops) {
  const struct expected e = queue[first];
  first = (first + 1) % WAITING;
  count--;
  int bad = differs("valid", (unsigned)valid, e.valid);
  bad |= differs("known", (unsigned)known, e.known);
  bad |= differs("drop", (unsigned)drop, e.drop) | differs("report", (unsigned)report, e.report);
  bad |= differs("preload", (unsigned)preload, e.preload);
  bad |= differs("id", (unsigned)id, e.id) | differs("length", (unsigned)length, e.length);
  bad |= differs("MAR", mar, e.mar) | differs("MBR", mbr, e.mbr) | differs("MBR2", mbr2, e.mbr2);
  for (unsigned d = 0; d < 4; d++) bad |= differs("DATA", data[d], e.data[d]);
  for (unsigned t = 0; t < 3; t++) bad |= differs("tuple", tuple[t], e.tuple[t]);
  for (unsigned s = 0; s < num_stages; s++) {
    unsigned op = 0;
    for (unsigned b = 0; b < 15; b++) op |= (ops[(15 * s + b) / 32] >> (15 * s + b) % 32 & 1) << b;
    bad |= differs("instruction", op, e.ops[s]);
  }
  return bad;
}

void capsule_counts(int *executed_, int *known, int *endless_) {
  *executed_ = (int)executed;
  *known = (int)known_ids;
  *endless_ = (int)endless;
}
