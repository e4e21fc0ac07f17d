// SPDX-License-Identifier: Apache-2.0

/// The C side of tb_sluice_egress: draws tables, copies and control accesses, and says what must
/// leave, written from docs/machine.md, Egress. A run is a row of phases: new tables while no copy
/// is inside; copies, and beside them control accesses to entries that no copy uses; at the end all
/// entries of all lanes are read.

#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "sluice_back_unit/stage_model.h"
#include "sluice_checksum/checksum.h"
#include "sluice_deparser/deparse.h"

enum { LANES = 16, STAGES = 4, USED = 3, LONGEST = 700, WAITING = 4096, MESSAGES = 512 };
// Of a capsule its instructions, or the first of them, are taken out from this byte on.
enum { HEAD = 44, LIST = 84, LEAST = 64 };

static const struct {
  int module, sub, bits;
} tables[] = {
#define SLUICE_TABLE(TABLE, MODULE, SUB, RULE, BITS, ROWS, SCOPE, OPS, COMMIT, KEPT, DOC) \
  {MODULE, SUB, BITS},
#include "layouts.def"
};

static struct model stage[STAGES];
static int lanes, ports, stages, first_stage, actions;
static bool checksums, capsules;
static struct bits parser[MAX_ENTRIES];
static uint16_t deparser[MAX_ENTRIES][DEPARSE_ACTIONS];
static unsigned options[MAX_ENTRIES];
static int vids[USED + 1];  // the last one is control's alone

// ---- copies
struct copy {
  unsigned ticket, port, len, row, dropped, sent;  // len: as it leaves
  uint8_t out[LONGEST];
};
static struct copy *line[LANES][WAITING];  // expected, oldest first
static unsigned oldest[LANES], known[LANES], newest[LANES];
static unsigned next_ticket, num_copies, num_dropped, num_ops, num_shorter;
static uint8_t bytes[LANES][LONGEST];  // of the copy on its way into the lane
static unsigned bytes_len[LANES], bytes_at[LANES];
static int phase, drops_off, plain;

// ---- messages
static struct message {
  uint64_t word[1 + 2 * 10], expect[1 + 128 * 10];
  int words, expects;
} message[MESSAGES];
static int first_message, num_messages, word_at, expect_at;

static uint64_t rnd64(void) { return (uint64_t)rnd(0) << 32 | rnd(0); }
static struct bits random_bits(int count) {
  struct bits b = {{0}};
  for (int i = 0; i < count; i += 32) bits_set(&b, i + 31 < count ? i + 31 : count - 1, i, rnd(0));
  return b;
}

static int words_of(int table) { return (tables[table].bits + 63) / 64; }

// Entries are left-justified in their words.
static void put_entry(uint64_t *to, int table, const struct bits *b) {
  for (int w = 0; w < words_of(table); w++) {
    to[w] = 0;
    for (int i = 0; i < 64; i++) {
      const int from = tables[table].bits - 1 - 64 * w - i;
      to[w] = to[w] << 1 | (from >= 0 ? bits_get(b, from, from) : 0);
    }
  }
}

static struct message *new_message(int op, int number, int table, int index, int row, int copy,
                                   int count) {
  if (num_messages == MESSAGES) abort();
  struct message *m = &message[num_messages++];
  struct bits h = {{0}};
  SET(&h, CHAIN_HEADER_OP, op);
  SET(&h, CHAIN_HEADER_STAGE, number);
  SET(&h, CHAIN_HEADER_RESOURCE, tables[table].module);
  SET(&h, CHAIN_HEADER_SUB, tables[table].sub);
  SET(&h, CHAIN_HEADER_INDEX, index);
  SET(&h, CHAIN_HEADER_ROW, row);
  SET(&h, CHAIN_HEADER_COPY, copy);
  SET(&h, CHAIN_HEADER_COUNT, count);
  memset(m, 0, sizeof *m);
  m->word[0] = bits_get(&h, 63, 0);
  m->words = m->expects = 1;
  m->expect[0] = (m->word[0] & ~0ull >> 4) |
                 (uint64_t)(op == SLUICE_CHAIN_READ ? SLUICE_CHAIN_ANSWER : op) << 60;
  return m;
}

static void refuse(struct message *m) {
  m->expect[0] = (m->word[0] & ~0ull >> 4) | (uint64_t)SLUICE_CHAIN_REFUSED << 60;
  m->expects = 1;
}

static void send_write(int number, int table, int index, const struct bits *b) {
  struct message *m = new_message(SLUICE_CHAIN_WRITE, number, table, index, 0, 0, 1);
  put_entry(m->word + 1, table, b);
  m->words += words_of(table);
}

static void send_read(int number, int table, int index, const struct bits *b) {
  struct message *m = new_message(SLUICE_CHAIN_READ, number, table, index, 0, (int)rnd(lanes), 1);
  put_entry(m->expect + 1, table, b);
  m->expects += words_of(table);
}

// ---- state
static int range_of(int s, int row) { return (int)GET(&stage[s].segment[row], SEGMENT_RANGE); }
static int slot_of(int s, int row, int i) {
  return (int)GET(&stage[s].segment[row], SEGMENT_BASE) + i;
}

static void send_state_write(int s, int row, int index) {
  struct message *m = new_message(SLUICE_CHAIN_WRITE, first_stage + s, SLUICE_TABLE_STATE, index,
                                  row, (int)rnd(256), 1);
  m->word[m->words++] = rnd64();
  if (index >= range_of(s, row) || slot_of(s, row, index) >= stage[s].shape.slots) {
    refuse(m);
    return;
  }
  for (int l = 0; l < lanes; l++) {
    uint32_t *entry = stage[s].mem[l][slot_of(s, row, index)];
    entry[0] = (uint32_t)(m->word[1] >> 32), entry[1] = (uint32_t)m->word[1];
  }
}

static void send_fill(int s, int row) {
  struct message *m =
      new_message(SLUICE_CHAIN_WRITE, first_stage + s, SLUICE_TABLE_FILL, 0, row, 0, 1);
  m->word[m->words++] = rnd64();
  for (int l = 0; l < lanes; l++)
    for (int i = 0; i < range_of(s, row) && slot_of(s, row, i) < stage[s].shape.slots; i++) {
      uint32_t *entry = stage[s].mem[l][slot_of(s, row, i)];
      entry[0] = (uint32_t)(m->word[1] >> 32), entry[1] = (uint32_t)m->word[1];
    }
}

static void send_state_read(int s, int row, int index, int count, int lane) {
  struct message *m =
      new_message(SLUICE_CHAIN_READ, first_stage + s, SLUICE_TABLE_STATE, index, row, lane, count);
  if (lane >= lanes || index + count > range_of(s, row)) {
    refuse(m);
    return;
  }
  for (int i = index; i < index + count; i++) {
    const int slot = slot_of(s, row, i);
    const uint32_t *entry = slot < stage[s].shape.slots ? stage[s].mem[lane][slot] : NULL;
    m->expect[m->expects++] = entry ? (uint64_t)entry[0] << 32 | entry[1] : 0;
  }
}

// ---- tables of a phase
// Of a plain module the last actions: DELAY (in odd rows COPY, in others the module), DEPTH_IN, the
// port, DEPTH_OUT, into the first bytes of the payload.
static const unsigned shown[] = {18, 20, 22, 28};

static void new_parser(int row, bool is_plain) {
  parser[row] = random_bits(160);
  for (int a = 0; a < DEPARSE_ACTIONS; a++) {
    const int at = 160 - 16 * (a + 1);
    uint64_t action = bits_get(&parser[row], at + 15, at) | (rnd(4) != 0);  // valid
    // Half of them are of the metadata; those of its last 20 bytes, where something is.
    action = rnd(2) ? (action & ~(uint64_t)(1 << 13 | 127 << 6)) | 1 << 13 |
                          (rnd(8) ? 12 + rnd(20) : rnd(64)) << 6
                    : action & ~(uint64_t)(1 << 13);
    bits_set(&parser[row], at + 15, at, action);
  }
  for (int a = 0; is_plain && a < 4; a++) {
    const int at = 160 - 16 * (actions - a);
    bits_set(&parser[row], at + 15, at,
             1 << 13 |
                 (a != 0    ? shown[a]
                  : row & 1 ? 12u
                  : row & 2 ? 14u
                            : shown[0])
                     << 6 |
                 SLUICE_TYPE_B2 << 4 | (unsigned)a << 1 | 1);
  }
  for (int i = 0; i < 160 - 16 * actions; i++) bits_set(&parser[row], i, i, 0);
  send_write(0, SLUICE_TABLE_EGRESS_PARSER, row, &parser[row]);
}

static struct bits deparser_bits(int row) {
  struct bits b = {{0}};
  for (int a = 0; a < actions; a++) bits_set(&b, 159 - 16 * a, 144 - 16 * a, deparser[row][a]);
  return b;
}

static void new_deparser(int row, bool is_plain) {
  struct bits b, o = {{0}};
  for (int a = 0; a < actions; a++) deparser[row][a] = (uint16_t)(rnd(8192) | (rnd(8) == 0) << 13);
  for (int a = 0; is_plain && a < 4; a++)
    deparser[row][actions - 1 - a] =
        (uint16_t)((46 + 2 * a) << 6 | SLUICE_TYPE_B2 << 4 | a << 1 | 1);
  b = deparser_bits(row);
  options[row] = rnd(4);
  bits_set(&o, 7, 0, options[row]);
  send_write(0, SLUICE_TABLE_EGRESS_DEPARSER, row, &b);
  send_write(0, SLUICE_TABLE_EGRESS_OPT, row, &o);
}

static void keep_key(const struct model *m, struct bits *b) {
  if (m->shape.num[SLUICE_TYPE_B6] < 1) SET(b, KEY_B6_FIRST, 0);
  if (m->shape.num[SLUICE_TYPE_B6] < 2) SET(b, KEY_B6_SECOND, 0);
  if (m->shape.num[SLUICE_TYPE_B4] < 2) SET(b, KEY_B4_SECOND, 0);
  if (m->shape.num[SLUICE_TYPE_B2] < 2) SET(b, KEY_B2_SECOND, 0);
}

static void new_row(int s, int i) {
  struct model *m = &stage[s];
  const int row = vids[i] % m->shape.modules;
  m->extract[row] = random_bits(38);
  send_write(first_stage + s, SLUICE_TABLE_KEY_EXTRACT, row, &m->extract[row]);
  for (int b = 0; b < SLUICE_KEY_BITS; b++) bits_set(&m->mask[row], b, b, 1);
  if (rnd(2)) SET(&m->mask[row], KEY_B2_FIRST, 0xffff & ~rnd(4));
  SET(&m->mask[row], KEY_PREDICATE, rnd(2));
  keep_key(m, &m->mask[row]);
  send_write(first_stage + s, SLUICE_TABLE_KEY_MASK, row, &m->mask[row]);
  struct bits segment = {{0}}, access = random_bits(32);
  SET(&segment, SEGMENT_BASE, i == USED ? 0 : 16 + rnd(m->shape.slots - 16));
  SET(&segment, SEGMENT_RANGE, i == USED ? 16 : rnd(4) ? 1 + rnd(8) : rnd(100));
  m->segment[row] = segment;
  send_write(first_stage + s, SLUICE_TABLE_SEGMENT, row, &segment);
  SET(&access, ACCESS_ENABLE, rnd(8) != 0);
  if (rnd(2)) SET(&access, ACCESS_INDEX, SLUICE_TYPE_CONST << 3 | rnd(8));
  m->access[row] = access;
  send_write(first_stage + s, SLUICE_TABLE_ACCESS, row, &access);
  SET(&m->access[row], ACCESS_PINNED, 1);  // as the model reads it
}

static void new_match(int s, int r) {
  struct model *m = &stage[s];
  const int vid = vids[plain ? 1 + rnd(USED - 1) : rnd(USED)], row = vid % m->shape.modules;
  struct bits entry = {{0}}, action = random_bits(625), instr = random_bits(256);
  if (!bits_get(&m->mask[row], SLUICE_KEY_B2_FIRST_LSB, SLUICE_KEY_B2_FIRST_LSB))
    SET(&entry, KEY_B2_FIRST, rnd(2));
  SET(&entry, KEY_PREDICATE, rnd(2) && !GET(&m->mask[row], KEY_PREDICATE));
  SET(&entry, MATCH_VID, vid);
  m->match[r] = entry;
  m->used[r] = true;
  send_write(first_stage + s, SLUICE_TABLE_MATCH, r, &entry);
  static const int ops[] = {SLUICE_OP_LOAD, SLUICE_OP_STORE, SLUICE_OP_LOADD};
  if (rnd(2)) bits_set(&action, 25 * 16 + 24, 25 * 16 + 21, ops[rnd(3)]);
  // Discards: never, by a container, or whatever comes.
  if (drops_off) bits_set(&action, 24, 21, SLUICE_OP_EXT);
  else if (rnd(4))
    bits_set(&action, 24, 16,
             SLUICE_OP_FUNCI << 5 | (rnd(2) ? SLUICE_TYPE_B2 << 3 | rnd(4) : rnd(32)));
  m->action[r] = action;
  send_write(first_stage + s, SLUICE_TABLE_ACTION, r, &action);
  SET(&instr, STATE_INSTR_VALID, rnd(2));
  if (rnd(2)) {  // a counter: every lost update shows
    SET(&instr, STATE_INSTR_PRED_1, SLUICE_REL_TRUE << 3);
    SET(&instr, STATE_INSTR_PRED_2, SLUICE_REL_TRUE << 3);
    SET(&instr, STATE_INSTR_A1, 0x80 | SLUICE_ARM_K0 << 3 | SLUICE_ARM_ZERO);
    SET(&instr, STATE_INSTR_A2, 0x80 | SLUICE_ARM_K1 << 3 | SLUICE_ARM_P1);
  }
  m->instr[r] = instr;
  send_write(first_stage + s, SLUICE_TABLE_STATE_INSTR, r, &instr);
}

void egress_open(int lanes_, int ports_, int stages_, int first_stage_, int modules, int b2, int b4,
                 int b6, int rows, int slots, int actions_, int shifters, int checksums_,
                 int capsules_, int seed) {
  random_start(seed);
  checksums = checksums_, capsules = capsules_;
  lanes = lanes_, ports = ports_, stages = stages_, first_stage = first_stage_, actions = actions_;
  for (int s = 0; s < stages; s++)
    stage[s].shape = (struct shape){.back = true,
                                    .pipes = lanes,
                                    .ports = ports,
                                    .num = {0, b2, b4, b6},
                                    .rows = rows,
                                    .modules = modules,
                                    .banks = 1,
                                    .slots = slots,
                                    .granule = 1,
                                    .pairs = true,
                                    .shifters = shifters};
}

// New tables; with `quiet` nothing is discarded.
void egress_phase(int quiet) {
  const int modules = stage[0].shape.modules;
  phase++;
  drops_off = quiet;
  plain = phase % 2;  // the first module matches nothing
  first_message = num_messages = word_at = expect_at = 0;
  const int first = (int)rnd(256);
  for (int i = 0; i <= USED; i++) vids[i] = (first + i * (1 + 32 * (int)rnd(7))) % 256;
  for (int i = 0; i <= USED; i++)
    for (int j = 0; j < i; j++)
      if (vids[i] % modules == vids[j] % modules) vids[i] = (vids[i] + 1) % 256, j = -1;
  for (int i = 0; i < USED; i++) {
    new_parser(vids[i] % modules, plain && i == 0);
    new_deparser(vids[i] % modules, plain && i == 0);
  }
  for (int s = 0; s < stages; s++) {
    for (int i = 0; i <= USED; i++) new_row(s, i);
    for (int r = 0; r < stage[s].shape.rows; r++) new_match(s, r);
    for (int i = 0; i <= USED; i++) {
      const int row = vids[i] % modules;
      if (rnd(2) || phase == 1) send_fill(s, row);
      if (range_of(s, row) && rnd(2)) send_state_write(s, row, (int)rnd(range_of(s, row)));
    }
  }
}

// A control access beside copies: to entries that they do not use, to tables.
void egress_control(void) {
  const int modules = stage[0].shape.modules, row = vids[USED] % modules,
            used = vids[rnd(USED)] % modules, s = (int)rnd(stages);
  if (num_messages == MESSAGES) return;
  if (first_message == num_messages) first_message = num_messages = 0;
  if (num_messages > MESSAGES - 2) return;
  switch (rnd(6)) {
    case 0: send_fill(s, row); break;
    case 1: send_state_write(s, row, (int)rnd(17)); break;
    case 2: {
      const struct bits b = rnd(2) ? parser[used] : deparser_bits(used);
      send_read(0,
                memcmp(&b, &parser[used], sizeof b) ? SLUICE_TABLE_EGRESS_DEPARSER
                                                    : SLUICE_TABLE_EGRESS_PARSER,
                used, &b);
      break;
    }
    default: {
      const int index = (int)rnd(16);
      send_state_read(s, row, index, 1 + (int)rnd(16 - index), (int)rnd(lanes + (rnd(8) == 0)));
    }
  }
}

// All entries of all rows and lanes.
void egress_read_all(void) {
  const int modules = stage[0].shape.modules;
  first_message = num_messages = 0;
  for (int s = 0; s < stages; s++)
    for (int l = 0; l < lanes; l++)
      for (int i = 0; i <= USED; i++) {
        const int row = vids[i] % modules, range = range_of(s, row);
        if (range) send_state_read(s, row, 0, range, l);
      }
}

// ---- the chain
// The next word of the message that is under way; 0: there is none.
int egress_word(int taken, int *first, int *last, uint64_t *data) {
  if (first_message == num_messages) return 0;
  const struct message *m = &message[first_message];
  word_at += taken;
  if (word_at >= m->words) return 0;
  *first = word_at == 0, *last = word_at == m->words - 1, *data = m->word[word_at];
  return 1;
}

int egress_answer(int first, int last, const uint32_t word[2]) {
  const uint64_t data = (uint64_t)word[1] << 32 | word[0];
  if (first_message == num_messages) {
    printf("an answer that nobody waits for\n");
    return 1;
  }
  const struct message *m = &message[first_message];
  if (expect_at >= m->expects || data != m->expect[expect_at] || first != (expect_at == 0) ||
      last != (expect_at == m->expects - 1)) {
    printf("reply to %016llx: word %d is %016llx, not %016llx\n", (unsigned long long)m->word[0],
           expect_at, (unsigned long long)data,
           expect_at < m->expects ? (unsigned long long)m->expect[expect_at] : 0ull);
    return 1;
  }
  if (++expect_at == m->expects) first_message++, word_at = expect_at = 0;
  return 0;
}

int egress_messages(void) { return num_messages - first_message; }

// ---- a copy
static void run(struct copy *c, int lane, const uint8_t *in, const uint8_t meta[32], int vid) {
  const int row = vid % stage[0].shape.modules;
  struct phv p = {.vid = vid};
  for (int a = 0; a < actions; a++) {
    const unsigned action = (unsigned)bits_get(&parser[row], 159 - 16 * a, 144 - 16 * a);
    const unsigned offset = action >> 6 & 127, kind = action >> 4 & 3, idx = action >> 1 & 7;
    if (!(action & 1) || kind == 0) continue;
    uint64_t v = 0;
    for (unsigned b = 0; b < 2 * kind; b++) {
      const unsigned at = offset + b;
      v = v << 8 | (action >> 13 & 1 ? (at < 32 ? meta[at] : 0)
                                     : (at < c->len && at < DEPARSE_HEADER ? in[at] : 0));
    }
    if ((int)idx < stage[0].shape.num[kind]) p.c[kind][idx] = v;
  }
  for (int s = 0; s < stages; s++)
    num_ops += run_stage(&stage[s], lane, GET(&stage[s].access[row], ACCESS_ENABLE), -1, &p).op;
  c->dropped = (unsigned)p.discard;
  struct deparse_phv phv;
  for (int i = 0; i < 8; i++)
    phv.b2[i] = (uint16_t)p.c[1][i], phv.b4[i] = (uint32_t)p.c[2][i], phv.b6[i] = p.c[3][i];
  uint8_t header[DEPARSE_HEADER] = {0};
  memcpy(c->out, in, c->len);
  memcpy(header, in, c->len < DEPARSE_HEADER ? c->len : DEPARSE_HEADER);
  deparse(deparser[row], (unsigned)actions, &phv, c->len, header, DEPARSE_HEADER);
  if (checksums) checksum_update(options[row], c->len, in, header);
  memcpy(c->out, header, c->len < DEPARSE_HEADER ? c->len : DEPARSE_HEADER);
}

static void put(uint8_t *to, unsigned count, uint32_t v) {
  for (unsigned i = 0; i < count; i++) to[i] = (uint8_t)(v >> 8 * (count - 1 - i));
}

// What is taken out of a copy goes behind all else; what is then shorter than 64 bytes is filled
// up.
static void take_out(struct copy *c, unsigned count) {
  const unsigned there = count < c->len - HEAD ? count : c->len - HEAD;
  memmove(c->out + HEAD, c->out + HEAD + there, c->len - HEAD - there);
  c->len -= there;
  if (c->len < LEAST) memset(c->out + c->len, 0, LEAST - c->len), c->len = LEAST;
  num_shorter += count != 0;
}

// A new copy for a lane. brief: 64 bytes. fields: len, port of the lane, VID, accepted,
// ports that get a copy, ticket, what is taken out; depth_in and waiting of each port of the lane.
void egress_new(int lane, int brief, int cycle, uint32_t fields[7], uint32_t depth_in[8],
                uint32_t waiting[8], uint32_t header[32]) {
  struct copy *c = calloc(1, sizeof *c);
  if (!c || newest[lane] - oldest[lane] >= WAITING) abort();
  // The lane has each lanes-th port, from that with its own number on.
  const unsigned mine = (unsigned)((ports - lane + lanes - 1) / lanes);
  const unsigned limit = (unsigned)lanes * 32;
  uint8_t *in = bytes[lane], meta[32] = {0};
  c->len = brief || rnd(3) == 0 ? 64 : rnd(2) ? 64 + rnd(130) : 64 + rnd(LONGEST - 64);
  memset(in, 0, LONGEST);
  for (unsigned i = 0; i < c->len; i++) in[i] = (uint8_t)rnd(256);
  if (rnd(2)) {  // IPv4
    checksum_put(in + 16, 0x0800);
    in[18] = (uint8_t)(0x45 + (rnd(4) == 0 ? rnd(8) : 0));
    checksum_put(in + 20, c->len - 18);
    checksum_put(in + 24, 0);
    in[27] = rnd(2) ? 17 : 6;
  }
  const unsigned vid = (unsigned)vids[rnd(USED)], port = rnd(mine),
                 number = port * (unsigned)lanes + (unsigned)lane,
                 set = rnd(1u << ports) | 1u << number;
  unsigned below = 0;
  for (unsigned p = 0; p < number; p++) below += set >> p & 1;
  for (unsigned p = 0; p < 8; p++) depth_in[p] = rnd(limit), waiting[p] = 1 + rnd(limit);
  fields[0] = c->len, fields[1] = 1u << port, fields[2] = vid;
  fields[3] = (uint32_t)cycle - (rnd(4) ? rnd(300) : rnd(0)), fields[4] = set;
  fields[5] = c->ticket = next_ticket++;
  // An instruction counts as a whole, also where half of it is behind the packet's end.
  const unsigned list = 2 * (1 + rnd(LIST / 2)), most = (c->len - HEAD + 1) / 2 * 2;
  fields[6] = !capsules || rnd(2) ? 0 : list < most ? list : most;
  memcpy(header, in, DEPARSE_HEADER);
  bytes_len[lane] = c->len, bytes_at[lane] = 0;
  c->port = number;
  c->row = vid % (unsigned)stage[0].shape.modules;
  // layout EGRESS_METADATA, byte 0 first
  put(meta + 14, 2, (vid & 255) << 5);
  put(meta + 16, 4, (uint32_t)cycle - fields[3]);
  put(meta + 20, 2, depth_in[port]);
  put(meta + 12, 2, below);
  put(meta + 22, 2, c->port);
  put(meta + 24, 4, (uint32_t)cycle);
  put(meta + 28, 2, waiting[port] - 1);
  put(meta + 30, 2, c->len);
  run(c, lane, in, meta, (int)vid);
  take_out(c, fields[6]);
  num_copies++, num_dropped += c->dropped;
  line[lane][newest[lane]++ % WAITING] = c;
}

// The next beat of it; returns whether it is the last.
int egress_in(int lane, uint32_t data[16]) {
  memset(data, 0, 64);
  const unsigned left = bytes_len[lane] - bytes_at[lane];
  memcpy(data, bytes[lane] + bytes_at[lane], left < 64 ? left : 64);
  bytes_at[lane] += 64;
  return left <= 64;
}

// What became of the next copy.
int egress_fate(int lane, int ticket, int port, int dropped, int row, int counted) {
  if (known[lane] == newest[lane]) {
    printf("lane %d: a fate without a copy\n", lane);
    return 1;
  }
  const struct copy *c = line[lane][known[lane]++ % WAITING];
  if ((unsigned)ticket != c->ticket || (unsigned)port != c->port ||
      (unsigned)dropped != c->dropped || (unsigned)counted != c->dropped ||
      (c->dropped && (unsigned)row != c->row)) {
    printf("lane %d: fate of ticket %u, port %u: dropped %u; should be %u, %u: %u\n", lane,
           (unsigned)ticket, (unsigned)port, (unsigned)dropped, c->ticket, c->port, c->dropped);
    return 1;
  }
  return 0;
}

static void leave_dropped(int lane) {
  while (oldest[lane] != known[lane] && line[lane][oldest[lane] % WAITING]->dropped)
    free(line[lane][oldest[lane]++ % WAITING]);
}

// A beat on the wire.
int egress_out(int lane, int port, int last, int ticket, const uint32_t bits[2], int len,
               const uint32_t data[16]) {
  const uint64_t keep = (uint64_t)bits[1] << 32 | bits[0];
  leave_dropped(lane);
  if (oldest[lane] == known[lane]) {
    printf("lane %d: a beat of nobody\n", lane);
    return 1;
  }
  struct copy *c = line[lane][oldest[lane] % WAITING];
  const unsigned left = c->len - c->sent, count = left < 64 ? left : 64;
  if ((unsigned)port != c->port || (unsigned)ticket != c->ticket || last != (left <= 64) ||
      (last && (unsigned)len != c->len) || keep != ~0ull >> (64 - count) ||
      memcmp(data, c->out + c->sent, count)) {
    const uint8_t *got = (const uint8_t *)data;
    unsigned at = 0;
    while (at < count && got[at] == c->out[c->sent + at]) at++;
    printf("lane %d: byte %u of ticket %u (%u bytes, port %u) is wrong, or its port %u, length %d, "
           "end %d\n",
           lane, c->sent + at, c->ticket, c->len, c->port, (unsigned)port, len, last);
    return 1;
  }
  c->sent += 64;
  if (last) {
    free(c);
    oldest[lane]++;
  }
  return 0;
}

int egress_left(void) {
  unsigned n = 0;
  for (int l = 0; l < lanes; l++) {
    leave_dropped(l);
    n += newest[l] - oldest[l];
  }
  return (int)n;
}

void egress_totals(uint32_t totals[4]) {
  totals[0] = num_copies, totals[1] = num_dropped, totals[2] = num_ops, totals[3] = num_shorter;
}
