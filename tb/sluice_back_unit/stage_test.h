// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TB_STAGE_TEST_H
#define SLUICE_TB_STAGE_TEST_H

/// The C side of the tests of a column of match-action units, front or back: makes packets and
/// chain messages, runs the model and says what must come out. The test bench calls st_* over DPI,
/// once a cycle in this order: st_begin, st_expect (each pipeline whose packet leaves), st_event,
/// st_seen, st_drive, st_word. A run is a row of phases: new tables while no packet is inside, then
/// packets at full, middle or low load with control accesses in between.

#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "sluice_back_unit/stage_model.h"

static struct model model;
static int stage_number, num_phases;

static uint64_t rnd64(void) { return (uint64_t)rnd(0) << 32 | rnd(0); }

static int failed;
static long cycle;
#define FAIL(...)                   \
  do {                              \
    if (!failed) {                  \
      printf("cycle %ld: ", cycle); \
      printf(__VA_ARGS__);          \
      printf("\n");                 \
    }                               \
    failed = 1;                     \
  } while (0)

static const struct {
  int module, sub, bits;
} tables[] = {
#define SLUICE_TABLE(TABLE, MODULE, SUB, RULE, BITS, ROWS, SCOPE, OPS, COMMIT, KEPT, DOC) \
  {MODULE, SUB, BITS},
#include "layouts.def"
};

// Entries of an overlay table.
static int entries(void) { return model.shape.banks * model.shape.modules; }

// ---- tables of the model
static struct bits *table_entry(int table, int index) {
  switch (table) {
    case SLUICE_TABLE_KEY_EXTRACT: return &model.extract[index];
    case SLUICE_TABLE_KEY_MASK: return &model.mask[index];
    case SLUICE_TABLE_KEY_COMPARE: return &model.compare[index];
    case SLUICE_TABLE_MATCH: return &model.match[index];
    case SLUICE_TABLE_ACTION: return &model.action[index];
    case SLUICE_TABLE_SEGMENT: return &model.segment[index];
    case SLUICE_TABLE_STATE_INSTR: return &model.instr[index];
    case SLUICE_TABLE_HASH_INSTR: return &model.hash[index];
    case SLUICE_TABLE_ACCESS: return &model.access[index];
    case SLUICE_TABLE_MULTIPLY: return &model.multiply[index];
  }
  abort();
}

// A state instruction of one word: predicates 2 to 4 hold always or never.
static void keep_one_word(struct bits *b) {
  const int lsb[] = {SLUICE_STATE_INSTR_PRED_2_LSB, SLUICE_STATE_INSTR_PRED_3_LSB,
                     SLUICE_STATE_INSTR_PRED_4_LSB};
  for (int i = 0; i < 3; i++) {
    const bool always = bits_get(b, lsb[i] + 5, lsb[i] + 3) == SLUICE_REL_TRUE;
    bits_set(b, lsb[i] + 10, lsb[i], (always ? SLUICE_REL_TRUE : SLUICE_REL_FALSE) << 3);
  }
  SET(b, STATE_INSTR_A2, 0);
  SET(b, STATE_INSTR_B2, 0);
  SET(b, STATE_INSTR_C2, 0);
  SET(b, STATE_INSTR_D2, 0);
}

// A key has a container only of types of which there is one, a second only of those of which there
// are two.
static void keep_key(struct bits *b) {
  if (model.shape.num[SLUICE_TYPE_B6] < 1) SET(b, KEY_B6_FIRST, 0);
  if (model.shape.num[SLUICE_TYPE_B6] < 2) SET(b, KEY_B6_SECOND, 0);
  if (model.shape.num[SLUICE_TYPE_B4] < 2) SET(b, KEY_B4_SECOND, 0);
  if (model.shape.num[SLUICE_TYPE_B2] < 2) SET(b, KEY_B2_SECOND, 0);
}

static void table_write(int table, int index, const struct bits *b) {
  if (table == SLUICE_TABLE_SEGMENT16) {
    SET(&model.segment[index], SEGMENT_RANGE, GET(b, SEGMENT16_RANGE) * model.shape.granule);
    SET(&model.segment[index], SEGMENT_BASE, GET(b, SEGMENT16_BASE) * model.shape.granule);
    return;
  }
  if (table == SLUICE_TABLE_MATCH) model.used[index] = true;
  *table_entry(table, index) = *b;
  if (table == SLUICE_TABLE_KEY_MASK || table == SLUICE_TABLE_MATCH)
    keep_key(table_entry(table, index));
  if (table == SLUICE_TABLE_STATE_INSTR && !model.shape.pairs) keep_one_word(&model.instr[index]);
  if (table != SLUICE_TABLE_ACTION) return;
  // A slot without a container is not kept, but for slot 16.
  static const int types[] = {SLUICE_TYPE_B2, SLUICE_TYPE_B4, SLUICE_TYPE_B6};
  for (int s = 1; s < 25; s++)
    if (s != 16 && (s - 1) % 8 >= model.shape.num[types[(s - 1) / 8]])
      bits_set(&model.action[index], 25 * s + 24, 25 * s, 0);
}

static struct bits table_read(int table, int index) {
  struct bits b = {{0}};
  if (table == SLUICE_TABLE_SEGMENT16) {
    SET(&b, SEGMENT16_RANGE, GET(&model.segment[index], SEGMENT_RANGE) / model.shape.granule);
    SET(&b, SEGMENT16_BASE, GET(&model.segment[index], SEGMENT_BASE) / model.shape.granule);
  } else if (table != SLUICE_TABLE_MATCH || model.used[index]) {
    b = *table_entry(table, index);
  }
  return b;
}

/// Where entry `index` of a row lives; false if the memory has no such slot.
static bool place(int row, int index, int *pipe, int *slot) {
  const struct bits *a = &model.access[row], *s = &model.segment[row];
  bool pinned = GET(a, ACCESS_PINNED);
  *pipe = pinned ? (int)GET(a, ACCESS_PIPE) % model.shape.pipes : index % model.shape.pipes;
  *slot = GET(s, SEGMENT_BASE) + (pinned ? index : index / model.shape.pipes);
  return *slot < model.shape.slots;
}

// ---- one message at a time on the chain
enum { MAX_WORDS = 1 + 128 * 10 };
static struct {
  bool busy, state_read, state_write, fill;
  uint64_t word[MAX_WORDS], expect[MAX_WORDS], seen[MAX_WORDS];
  int words, sent, num_expect, num_seen;
  int row, index, count, done, fills[MAX_PIPES];
  struct bits data;
  long started;
} msg;

static uint64_t chain_header(int op, int stage, int table, int sub, int index, int row, int copy,
                             int count) {
  struct bits h = {{0}};
  SET(&h, CHAIN_HEADER_OP, op);
  SET(&h, CHAIN_HEADER_STAGE, stage);
  SET(&h, CHAIN_HEADER_RESOURCE, tables[table].module);
  SET(&h, CHAIN_HEADER_SUB, sub);
  SET(&h, CHAIN_HEADER_INDEX, index);
  SET(&h, CHAIN_HEADER_ROW, row);
  SET(&h, CHAIN_HEADER_COPY, copy);
  SET(&h, CHAIN_HEADER_COUNT, count);
  return bits_get(&h, 63, 0);
}

static uint64_t with_op(uint64_t header, int op) {
  return (header & ~0ull >> 4) | (uint64_t)op << 60;
}

static int any_sub(int table) {
  int sub = rnd(16);
  if (table == SLUICE_TABLE_KEY_MASK || table == SLUICE_TABLE_ACTION) return sub ? sub : 15;
  if (table == SLUICE_TABLE_SEGMENT16) return sub == 1 ? 0 : sub;
  return tables[table].sub;
}

static int entry_words(int table) { return (tables[table].bits + 63) / 64; }

static void put_entry(uint64_t *to, int table, const struct bits *b) {
  for (int w = 0; w < entry_words(table); w++) {
    to[w] = 0;
    for (int i = 0; i < 64; i++) {
      int from = tables[table].bits - 1 - 64 * w - i;
      to[w] = to[w] << 1 | (from >= 0 ? bits_get(b, from, from) : 0);
    }
  }
}

static void msg_start(uint64_t header) {
  memset(&msg, 0, sizeof msg);
  msg.busy = true;
  msg.started = cycle;
  msg.word[0] = header;
  msg.words = 1;
  msg.expect[0] = header;
  msg.num_expect = 1;
}

static void send_write(int table, int index, const struct bits *b) {
  msg_start(chain_header(SLUICE_CHAIN_WRITE, stage_number, table, any_sub(table), index, 0, 0, 1));
  put_entry(msg.word + 1, table, b);
  msg.words += entry_words(table);
  table_write(table, index, b);
}

static void send_read(int table, int index, int count) {
  int copy = rnd(model.shape.pipes);
  msg_start(
      chain_header(SLUICE_CHAIN_READ, stage_number, table, any_sub(table), index, 0, copy, count));
  msg.expect[0] = with_op(msg.word[0], SLUICE_CHAIN_ANSWER);
  for (int i = 0; i < count; i++, msg.num_expect += entry_words(table)) {
    struct bits b = table_read(table, index + i);
    put_entry(msg.expect + msg.num_expect, table, &b);
  }
}

static void send_erase(int index) {
  msg_start(chain_header(SLUICE_CHAIN_ERASE, stage_number, SLUICE_TABLE_MATCH, 0, index, 0, 0, 1));
  msg.expect[0] = with_op(msg.word[0], SLUICE_CHAIN_WRITE);
  model.used[index] = false;
}

static void refuse(void) {
  msg.expect[0] = with_op(msg.word[0], SLUICE_CHAIN_REFUSED);
  msg.num_expect = 1;
}

static void send_state_read(int row, int index, int count) {
  msg_start(chain_header(SLUICE_CHAIN_READ, stage_number, SLUICE_TABLE_STATE,
                         tables[SLUICE_TABLE_STATE].sub, index, row, rnd(256), count));
  msg.expect[0] = with_op(msg.word[0], SLUICE_CHAIN_ANSWER);
  msg.row = row, msg.index = index, msg.count = count, msg.state_read = true;
  if (row >= entries() || index + count > (int)GET(&model.segment[row], SEGMENT_RANGE))
    refuse(), msg.state_read = false;
}

static void send_state_write(int row, int index, uint64_t value) {
  msg_start(chain_header(SLUICE_CHAIN_WRITE, stage_number, SLUICE_TABLE_STATE,
                         tables[SLUICE_TABLE_STATE].sub, index, row, 0, 1));
  msg.word[msg.words++] = value;
  bits_set(&msg.data, 63, 0, value);
  msg.row = row, msg.index = index, msg.state_write = true;
  int pipe, slot;
  if (row >= entries() || index >= (int)GET(&model.segment[row], SEGMENT_RANGE) ||
      !place(row, index, &pipe, &slot))
    refuse(), msg.state_write = false;
}

static void send_fill(int row, uint64_t value) {
  msg_start(chain_header(SLUICE_CHAIN_WRITE, stage_number, SLUICE_TABLE_FILL,
                         tables[SLUICE_TABLE_FILL].sub, 0, row, 0, 1));
  msg.word[msg.words++] = value;
  bits_set(&msg.data, 63, 0, value);
  msg.row = row, msg.fill = true;
}

/// Not for this column, or out of range.
static void send_odd(void) {
  int kind = rnd(4), table = rnd(2) ? SLUICE_TABLE_KEY_EXTRACT : SLUICE_TABLE_MATCH;
  struct bits b = {{0}};
  if (kind == 0) {  // another stage's
    msg_start(chain_header(SLUICE_CHAIN_WRITE, (stage_number + 1) % 32, table, tables[table].sub, 0,
                           0, 0, 1));
    for (int i = 0; i < entry_words(table); i++) msg.word[msg.words++] = rnd64();
    memcpy(msg.expect, msg.word, sizeof msg.word);
    msg.num_expect = msg.words;
  } else if (kind == 1) {  // index behind the end
    int rows = table == SLUICE_TABLE_MATCH ? model.shape.rows : entries();
    msg_start(chain_header(SLUICE_CHAIN_WRITE, stage_number, table, tables[table].sub,
                           rows + rnd(3), 0, 0, 1));
    put_entry(msg.word + 1, table, &b);
    msg.words += entry_words(table);
    refuse();
  } else if (kind == 2) {  // no such copy
    msg_start(chain_header(SLUICE_CHAIN_READ, stage_number, table, tables[table].sub, 0, 0,
                           model.shape.pipes + rnd(9), 1));
    refuse();
  } else {  // a table that nobody here owns
    msg_start(chain_header(SLUICE_CHAIN_READ, stage_number, SLUICE_TABLE_MODULE, 0, 0, 0, 0, 1));
  }
}

static void msg_finish(void) {
  if (msg.num_seen != msg.num_expect)
    FAIL("reply to %016llx: %d words, not %d", (unsigned long long)msg.word[0], msg.num_seen,
         msg.num_expect);
  for (int i = 0; i < msg.num_expect; i++)
    if (msg.seen[i] != msg.expect[i])
      FAIL("reply to %016llx: word %d is %016llx, not %016llx", (unsigned long long)msg.word[0], i,
           (unsigned long long)msg.seen[i], (unsigned long long)msg.expect[i]);
  if (msg.state_write && msg.done != 1) FAIL("write of state: %d entries written", msg.done);
  if (msg.fill) {
    int want[MAX_PIPES] = {0}, pipe, slot;
    for (int i = 0; i < (int)GET(&model.segment[msg.row], SEGMENT_RANGE); i++)
      if (place(msg.row, i, &pipe, &slot)) want[pipe]++;
    for (int p = 0; p < model.shape.pipes; p++)
      if (want[p] != msg.fills[p])
        FAIL("fill: pipeline %d wrote %d slots, not %d", p, msg.fills[p], want[p]);
  }
  msg.busy = false;
}

// ---- random tables
static int vids[4];
static bool dense;

static uint64_t small_or_big(void) {
  static const uint64_t edge[] = {0,      0xffffffff, 0x80000000, 0x7fffffff, 0xffffffffffff,
                                  0xffff, 0x8000,     1};
  switch (rnd(8)) {
    case 0:
    case 1:
    case 2:
    case 3: return rnd(4);
    case 4:
    case 5: return rnd(48);
    case 6: return edge[rnd(8)];
    default: return rnd64();
  }
}

static struct phv random_phv(void) {
  static const int width[4] = {0, 16, 32, 48};
  struct phv p = {
      .vid = dense || rnd(20) ? vids[rnd(4)] : (int)(rnd(8) * 32 + rnd(model.shape.modules / 2)),
      .bank = model.shape.banks > 1 ? (int)rnd(2) : 0,
      .dest = rnd(256),
      .discard = rnd(2)};
  for (int t = 1; t < 4; t++)
    for (int i = 0; i < 8; i++) p.c[t][i] = small_or_big() & ((1ull << width[t]) - 1);
  return p;
}

static struct bits random_bits(int count) {
  struct bits b = {{0}};
  for (int i = 0; i < count; i += 32) bits_set(&b, i + 31 < count ? i + 31 : count - 1, i, rnd(0));
  return b;
}

static struct bits random_entry(int table) {
  struct bits b = random_bits(tables[table].bits);
  switch (table) {
    case SLUICE_TABLE_KEY_MASK:  // few bits of the key count, else nothing would ever match
      for (int i = 0; i < SLUICE_KEY_BITS; i++) bits_set(&b, i, i, 1);
      if (dense) break;
      if (rnd(3) == 0) SET(&b, KEY_B2_FIRST, 0xffff & ~rnd(4));
      if (rnd(3) == 0) SET(&b, KEY_B4_SECOND, ~(uint64_t)rnd(4));
      if (rnd(3) == 0) SET(&b, KEY_B6_FIRST, ~(uint64_t)rnd(4));
      SET(&b, KEY_PREDICATE, rnd(2));
      break;
    case SLUICE_TABLE_KEY_COMPARE:  // containers and constants that often meet
      SET(&b, KEY_COMPARE_OP, rnd(6));
      if (rnd(8) == 0) SET(&b, KEY_COMPARE_OP, 6 + rnd(2));
      SET(&b, KEY_COMPARE_K, small_or_big());
      break;
    case SLUICE_TABLE_MATCH: {
      struct phv p = random_phv();
      masked_key(&model, &p, &b);
      SET(&b, MATCH_VID, p.vid);
      SET(&b, MATCH_WIDE, wide_compare(&model, &p));
      if (!dense && rnd(8) == 0) SET(&b, MATCH_RESERVED, 1);
      if (!dense && rnd(8) == 0) SET(&b, MATCH_WIDE, rnd(2));
      // In a chip with one bank only bit 0 says something.
      if (!dense && rnd(model.shape.banks > 1 ? 2 : 8) == 0) SET(&b, MATCH_NOT_BANK, 1 + rnd(3));
      break;
    }
    case SLUICE_TABLE_ACTION:
      if (dense || rnd(2)) {  // more memory operations than one in five
        static const int ops[] = {SLUICE_OP_LOAD, SLUICE_OP_STORE, SLUICE_OP_LOADD};
        bits_set(&b, 25 * 16 + 24, 25 * 16 + 21, ops[dense ? 1 + rnd(2) : rnd(3)]);
      }
      if (model.shape.multipliers) {  // a product in a container that every chip has
        const int slot = rnd(2) ? 1 : 9;
        bits_set(&b, 25 * slot + 24, 25 * slot,
                 SLUICE_OP_EXT << SLUICE_INSTR_OP_LSB | SLUICE_EXT_PRODUCT);
      }
      break;
    case SLUICE_TABLE_STATE_INSTR:
      if (rnd(2)) SET(&b, STATE_INSTR_K0, rnd(4));
      if (rnd(2)) SET(&b, STATE_INSTR_K1, rnd(4));
      if (!model.shape.pairs && rnd(4)) {  // what compares there would hold never
        SET(&b, STATE_INSTR_PRED_2, (rnd(3) ? SLUICE_REL_TRUE : SLUICE_REL_FALSE) << 3);
        SET(&b, STATE_INSTR_PRED_3, (rnd(3) ? SLUICE_REL_TRUE : SLUICE_REL_FALSE) << 3);
        SET(&b, STATE_INSTR_PRED_4, (rnd(3) ? SLUICE_REL_TRUE : SLUICE_REL_FALSE) << 3);
      }
      if (rnd(4) == 0) {  // a counter: every lost update shows
        SET(&b, STATE_INSTR_PRED_1, SLUICE_REL_TRUE << 3);
        SET(&b, STATE_INSTR_PRED_2, SLUICE_REL_TRUE << 3);
        SET(&b, STATE_INSTR_A1, 0x80 | SLUICE_ARM_K0 << 3 | SLUICE_ARM_ZERO);
        SET(&b, STATE_INSTR_A2, 0x80 | SLUICE_ARM_K1 << 3 | SLUICE_ARM_P1);
      }
      break;
    case SLUICE_TABLE_SEGMENT:
      SET(&b, SEGMENT_RANGE, rnd(40));
      SET(&b, SEGMENT_BASE, rnd(model.shape.slots));
      break;
    case SLUICE_TABLE_ACCESS:
      SET(&b, ACCESS_PIPE, rnd(model.shape.pipes));
      if (dense) SET(&b, ACCESS_PINNED, 0);
      break;
    case SLUICE_TABLE_HASH_INSTR: {
      uint32_t n = rnd(4) == 0 ? 0
                   : rnd(2)    ? 1 + rnd(5000)
                   : rnd(2)    ? 1u << rnd(32)
                               : 1 + rnd(0x7fffffff);
      if (rnd(4)) SET(&b, HASH_INSTR_VALID, 1);
      SET(&b, HASH_INSTR_MODULUS, n);
      SET(&b, HASH_INSTR_RECIPROCAL, n ? 0xffffffffu / n : 0);
      break;
    }
  }
  return b;
}

static int random_table(bool by_row) {
  if (model.shape.multipliers && !by_row && rnd(8) == 0) return SLUICE_TABLE_MULTIPLY;
  if (model.shape.wide && rnd(8) == 0) return SLUICE_TABLE_KEY_COMPARE;
  static const int front[] = {SLUICE_TABLE_KEY_EXTRACT, SLUICE_TABLE_KEY_MASK,
                              SLUICE_TABLE_HASH_INSTR, SLUICE_TABLE_MATCH, SLUICE_TABLE_ACTION};
  static const int back[] = {SLUICE_TABLE_KEY_EXTRACT, SLUICE_TABLE_KEY_MASK,
                             SLUICE_TABLE_SEGMENT16,   SLUICE_TABLE_SEGMENT,
                             SLUICE_TABLE_ACCESS,      SLUICE_TABLE_MATCH,
                             SLUICE_TABLE_ACTION,      SLUICE_TABLE_STATE_INSTR};
  return model.shape.back ? back[rnd(by_row ? 5 : 8)] : front[rnd(by_row ? 3 : 5)];
}

static bool is_match_table(int table) {
  return table == SLUICE_TABLE_MATCH || table == SLUICE_TABLE_ACTION ||
         table == SLUICE_TABLE_STATE_INSTR || table == SLUICE_TABLE_MULTIPLY;
}

// ---- phases
static int phase, step_in_phase, load;
static enum { CONFIGURE, TRAFFIC, DRAIN, LAST, DONE } mode;
static long mode_cycle;
static int last_pipe, last_index;
static long num_packets, num_hits, num_ops, num_refused, num_msgs, num_reads, num_writes, num_holds;

static void next_config_message(void) {
  const int rows = model.shape.rows;
  int s = step_in_phase++;
  static const int by_row[] = {SLUICE_TABLE_KEY_EXTRACT, SLUICE_TABLE_KEY_MASK,
                               SLUICE_TABLE_SEGMENT, SLUICE_TABLE_ACCESS, SLUICE_TABLE_KEY_COMPARE};
  if (s == 0) {
    dense = model.shape.back && phase % 4 == 3;
    for (int i = 0; i < 4; i++)
      vids[i] = dense && i ? vids[0] : (int)(rnd(8) * 32 + rnd(model.shape.modules / 2));
  }
  const int overlay = 20 * model.shape.banks;
  if (s < overlay) {
    int table = by_row[s % 5],
        row = vids[s / 5 % 4] % model.shape.modules + s / 20 * model.shape.modules;
    if (!model.shape.back && table == SLUICE_TABLE_SEGMENT) table = SLUICE_TABLE_HASH_INSTR;
    if (!model.shape.back && table == SLUICE_TABLE_ACCESS) return;
    if (!model.shape.wide && table == SLUICE_TABLE_KEY_COMPARE) return;
    if (table == SLUICE_TABLE_SEGMENT && rnd(4) == 0) table = SLUICE_TABLE_SEGMENT16;
    struct bits b = random_entry(table);
    send_write(table, row, &b);
  } else if (s < overlay + 4 * rows) {
    int row = (s - overlay) / 4, part = (s - overlay) % 4;
    static const int by_match[] = {SLUICE_TABLE_MATCH, SLUICE_TABLE_ACTION,
                                   SLUICE_TABLE_STATE_INSTR, SLUICE_TABLE_MULTIPLY};
    if ((part == 2 && !model.shape.back) || (part == 3 && !model.shape.multipliers)) return;
    if (part == 0 && !dense && rnd(5) == 0) {
      send_erase(row);
      return;
    }
    struct bits b = random_entry(by_match[part]);
    send_write(by_match[part], row, &b);
  } else {
    mode = TRAFFIC;
    mode_cycle = cycle;
    load = dense ? 100 : (const int[]){100, 100, 70, 20}[rnd(4)];
  }
}

static void next_traffic_message(void) {
  if (rnd(8) == 0) return;
  int row = vids[rnd(4)] % model.shape.modules +
            (model.shape.banks > 1 ? (int)rnd(2) * model.shape.modules : 0),
      range = GET(&model.segment[row], SEGMENT_RANGE), kind = rnd(8);
  if (model.shape.back && kind < 3) {
    int count = 1 + rnd(12);
    send_state_read(rnd(20) ? row : entries() + (int)rnd(9), rnd(range + 1), count);
  } else if (model.shape.back && kind == 3) {
    send_state_write(rnd(20) ? row : entries() + (int)rnd(9), rnd(range + 1), rnd64());
  } else if (model.shape.back && kind == 4 && rnd(2)) {
    send_fill(row, rnd64());
  } else if (kind == 5) {
    send_odd();
  } else if (kind == 6) {
    const int half = model.shape.modules / 2;  // rows above have no packets
    int table = random_table(true),
        idle = half + rnd(half) + (model.shape.banks > 1 ? (int)rnd(2) * model.shape.modules : 0);
    struct bits b = random_bits(tables[table].bits);
    send_write(table, idle, &b);
  } else {
    int table = random_table(false), rows = is_match_table(table) ? model.shape.rows : entries();
    int index = rnd(rows), count = 1 + rnd(5);
    send_read(table, index, index + count > rows ? 1 : count);
  }
}

/// At the end all of the memory is read, pipeline by pipeline, through a pinned segment.
static void next_last_message(void) {
  struct bits b = {{0}};
  if (!model.shape.back || last_pipe == model.shape.pipes) {
    mode = DONE;
  } else if (last_index == -2) {
    SET(&b, SEGMENT_RANGE, model.shape.slots);
    send_write(SLUICE_TABLE_SEGMENT, 0, &b);
    last_index++;
  } else if (last_index == -1) {
    SET(&b, ACCESS_PINNED, 1);
    SET(&b, ACCESS_PIPE, last_pipe);
    send_write(SLUICE_TABLE_ACCESS, 0, &b);
    last_index++;
  } else {
    int count = model.shape.slots - last_index < 128 ? model.shape.slots - last_index : 128;
    send_state_read(0, last_index, count);
    last_index += count;
    if (last_index == model.shape.slots) last_pipe++, last_index = -1;
  }
}

// ---- calls of the test bench
static int latency;  // CoreCycles or FrontCycles of sluice_stage_pkg, less than 16
static struct phv driven[MAX_PIPES][16], result[MAX_PIPES];
static struct {
  bool granted, active;
  int slot;
} with[MAX_PIPES][16];

void st_start(int back, int pipes, int ports, int n2, int n4, int n6, int rows, int modules,
              int banks, int slots, int granule, int pairs, int shifters, int multipliers, int wide,
              int stage, int cycles, int seed, int phases);
void st_start(int back, int pipes, int ports, int n2, int n4, int n6, int rows, int modules,
              int banks, int slots, int granule, int pairs, int shifters, int multipliers, int wide,
              int stage, int cycles, int seed, int phases) {
  model.shape = (struct shape){.back = back,
                               .pipes = pipes,
                               .ports = ports,
                               .num = {0, n2, n4, n6},
                               .rows = rows,
                               .modules = modules,
                               .banks = banks,
                               .slots = slots,
                               .granule = granule,
                               .pairs = pairs,
                               .shifters = shifters,
                               .multipliers = multipliers,
                               .wide = wide};
  latency = cycles;
  stage_number = stage;
  num_phases = phases;
  random_start(seed);
  last_index = -2;
}

/// Start of a cycle. 0: go on, 1: done, 2: failed.
int st_begin(void);
int st_begin(void) {
  cycle++;
  if (msg.busy && cycle - msg.started > (msg.fill ? 200000 : 20000))
    FAIL("no reply to %016llx", (unsigned long long)msg.word[0]);
  if (failed) return 2;
  if (mode == TRAFFIC && cycle - mode_cycle > 500 && !msg.busy) mode = DRAIN, mode_cycle = cycle;
  if (mode == DRAIN && cycle - mode_cycle > 6 + latency) {
    mode = ++phase < num_phases ? CONFIGURE : LAST;
    step_in_phase = 0;
  }
  return mode == DONE;
}

/// The packet driven `latency` cycles ago in this pipeline leaves now. Bits: 0 hit, 1 operation,
/// 2 refused; slot from bit 8.
int st_expect(int pipe);
int st_expect(int pipe) {
  int at = (cycle - latency) & 15;
  struct effect e = {.hit = false};
  result[pipe] = driven[pipe][at];
  if (with[pipe][at].active)
    e = run_stage(&model, pipe, with[pipe][at].granted, with[pipe][at].slot, &result[pipe]);
  num_packets++;
  num_hits += e.hit;
  num_ops += e.op && !e.refused;
  num_refused += e.op && e.refused;
  return e.hit | e.op << 1 | (e.op && e.refused) << 2 | e.slot << 8;
}
long long st_result(int pipe, int type, int i);
long long st_result(int pipe, int type, int i) {
  return type ? (long long)result[pipe].c[type][i] : i ? result[pipe].discard : result[pipe].dest;
}

/// Control used the state memory of this pipeline in the last cycle. 1: write, 2: read.
void st_event(int pipe, int kind);
void st_event(int pipe, int kind) {
  int home, slot;
  if (kind == 2) {
    struct bits b = {{0}};
    if (!msg.state_read || msg.done >= msg.count) {
      FAIL("pipeline %d reads state, unasked", pipe);
      return;
    }
    if (place(msg.row, msg.index + msg.done++, &home, &slot)) {
      SET(&b, STATE_ENTRY_S1, model.mem[home][slot][0]);
      SET(&b, STATE_ENTRY_S2, model.mem[home][slot][1]);
    }
    if (home != pipe)
      FAIL("entry %d read from pipeline %d, not %d", msg.index + msg.done - 1, pipe, home);
    msg.expect[msg.num_expect++] = bits_get(&b, 63, 0);
    num_reads++;
    return;
  }
  if (msg.fill) {
    slot = GET(&model.segment[msg.row], SEGMENT_BASE) + msg.fills[pipe]++;
  } else if (msg.state_write && place(msg.row, msg.index, &home, &slot) && home == pipe) {
    msg.done++;
  } else {
    FAIL("pipeline %d writes state, unasked", pipe);
    return;
  }
  if (slot >= model.shape.slots) {
    FAIL("fill beyond the memory");
    return;
  }
  model.mem[pipe][slot][0] = GET(&msg.data, STATE_ENTRY_S1);
  model.mem[pipe][slot][1] = model.shape.pairs ? GET(&msg.data, STATE_ENTRY_S2) : 0;
  num_writes++;
}

/// A word that left the column on the chain.
void st_seen(int first, int last, long long data);
void st_seen(int first, int last, long long data) {
  if (!msg.busy || msg.num_seen >= MAX_WORDS) {
    FAIL("a word on the chain that nobody asked for: %016llx", (unsigned long long)data);
    return;
  }
  if (first != (msg.num_seen == 0)) FAIL("first word in the wrong place");
  msg.seen[msg.num_seen++] = (uint64_t)data;
  if (last) {
    if (msg.sent < msg.words) FAIL("reply before the message ended");
    msg_finish();
  }
}

/// What the order point resolved of an access: a slot, or -1 for a pinned one. Mostly as the entry says
/// that the stage has.
static int resolved_slot(bool pinned, int slots) {
  if (rnd(12) == 0) pinned = !pinned;
  return pinned ? -1 : (int)(rnd(3) ? rnd(2) : rnd(slots));
}

/// As the test bench takes it: slot from bit 8, bit 3: a pinned one.
static int slot_bits(int slot) { return slot < 0 ? 1 << 3 : slot << 8; }

/// Next packet of this pipeline: bit 0 valid, 1 access granted, 2 active, 3 pinned; slot from bit 8.
int st_drive(int pipe, int hold);
int st_drive(int pipe, int hold) {
  int at = cycle & 15;
  num_holds += hold;
  if (mode != TRAFFIC || hold || rnd(100) >= (uint32_t)load) return 0;
  driven[pipe][at] = random_phv();
  with[pipe][at].granted = dense || rnd(10) != 0;
  with[pipe][at].active = model.shape.back || rnd(8) != 0;
  const bool pinned =
      GET(&model.access[entry_of(&model, &driven[pipe][at])], ACCESS_PINNED);
  with[pipe][at].slot = resolved_slot(pinned, model.shape.slots);
  return 1 | with[pipe][at].granted << 1 | with[pipe][at].active << 2 |
         slot_bits(with[pipe][at].slot);
}
long long st_packet(int pipe, int type, int i);
long long st_packet(int pipe, int type, int i) {
  const struct phv *p = &driven[pipe][cycle & 15];
  return type     ? (long long)p->c[type][i]
         : i == 0 ? p->dest
         : i == 1 ? p->discard
         : i == 2 ? p->vid
                  : p->bank;
}

/// Next word for the chain; `taken`: the last one was. Bits: 0 valid, 1 first, 2 last.
int st_word(int taken, long long *data);
int st_word(int taken, long long *data) {
  if (taken) msg.sent++;
  if (!msg.busy) {
    if (mode == CONFIGURE) next_config_message();
    else if (mode == TRAFFIC) next_traffic_message();
    else if (mode == LAST) next_last_message();
    num_msgs += msg.busy;
  }
  *data = 0;
  if (!msg.busy || msg.sent >= msg.words) return 0;
  *data = (long long)msg.word[msg.sent];
  return 1 | (msg.sent == 0) << 1 | (msg.sent == msg.words - 1) << 2;
}

void st_report(void);
void st_report(void) {
  if (model.shape.back && num_phases >= 4 && !num_holds) printf("no hold was ever needed: ");
  printf("PASS %ld packets, %ld hits, %ld state operations, %ld refused, %ld messages, %ld state "
         "reads, %ld state writes, %ld cycles of hold, %ld cycles\n",
         num_packets, num_hits, num_ops, num_refused, num_msgs, num_reads, num_writes, num_holds,
         cycle);
}

#endif
