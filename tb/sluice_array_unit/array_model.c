// SPDX-License-Identifier: Apache-2.0
// Rows of words beside state entries, as docs/machine.md says (State accesses, Arrays): what an
// operation makes of entry and row, and of the packet's words. Of state instructions only what the
// test uses: arm A adds K0 to S1, arm B sets S1 to P1, C and D change nothing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 16
#define MAX_SLOTS 64
#define MAX_ROWS 64

enum array_op { KEEP, ADD, ADDS, MAX, MIN, SET, CLEAR, OR };
enum result { PACKET, OLD, NEW };
enum rel { EQ, NE, LT, LE, GT, GE, ALWAYS };

struct predicate {
  int state;   // 0: nothing, 1: S1, 2: S2
  int packet;  // 0: nothing, 1: P1
  int rel;
  int constant;  // Y is K0..K3
};

struct instr {
  int valid, array_valid, select, on_true, on_false, result;
  int32_t k[4];
  struct predicate pred[4];
};

struct place {
  int32_t s1, s2;
  int32_t row[MAX_WORDS];
};

static struct instr instrs[MAX_ROWS];
static struct place places[MAX_SLOTS];
static int words;
static long done[8], refused_ops, saturated;

void am_open(int number_of_words) {
  words = number_of_words;
  memset(places, 0, sizeof places);
  memset(done, 0, sizeof done);
  refused_ops = saturated = 0;
}

void am_instr(int row, int valid, int array_valid, int select, int on_true, int on_false,
              int result, int k0, int k1, int k2, int k3) {
  struct instr *i = &instrs[row];
  i->valid = valid;
  i->array_valid = array_valid;
  i->select = select;
  i->on_true = on_true;
  i->on_false = on_false;
  i->result = result;
  i->k[0] = k0;
  i->k[1] = k1;
  i->k[2] = k2;
  i->k[3] = k3;
}

void am_predicate(int row, int n, int state, int packet, int rel, int constant) {
  instrs[row].pred[n] = (struct predicate){state, packet, rel, constant};
}

static int32_t wrap(int64_t value) { return (int32_t)(uint32_t)(uint64_t)value; }

static int holds(const struct instr *i, const struct predicate *p, const struct place *e,
                 int32_t p1) {
  int32_t x = wrap((int64_t)(p->state == 1   ? e->s1
                             : p->state == 2 ? e->s2
                                             : 0) +
                   (p->packet ? p1 : 0));
  int32_t y = i->k[p->constant];
  switch (p->rel) {
    case EQ: return x == y;
    case NE: return x != y;
    case LT: return x < y;
    case LE: return x <= y;
    case GT: return x > y;
    case GE: return x >= y;
    case ALWAYS: return 1;
    default: return 0;
  }
}

static int32_t operate(int op, int32_t r, int32_t v) {
  int64_t sum = (int64_t)r + v;
  done[op]++;
  switch (op) {
    case ADD: return wrap(sum);
    case ADDS:
      if (sum > INT32_MAX || sum < INT32_MIN) saturated++;
      return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
    case MAX: return r > v ? r : v;
    case MIN: return r < v ? r : v;
    case SET: return v;
    case CLEAR: return 0;
    case OR: return r | v;
    default: return r;
  }
}

// One operation of action row `row` on a slot (-1: refused) of a packet with operand P1 and these
// words, which it may change.
void am_operate(int slot, int row, int p1, const uint32_t *in, uint32_t *out) {
  static const struct place nothing;
  const struct instr *i = &instrs[row];
  struct place old = slot < 0 ? nothing : places[slot], new = old;
  int pred[4];
  memcpy(out, in, (size_t)words * 4);
  if (!i->valid) return;
  for (int n = 0; n < 4; n++) pred[n] = holds(i, &i->pred[n], &old, p1);
  if (pred[0]) new.s1 = pred[1] ? wrap((int64_t)old.s1 + i->k[0]) : p1;
  if (i->array_valid) {
    int chosen = i->select >= 1 && i->select <= 4 ? pred[i->select - 1] : 1;
    for (int w = 0; w < words; w++) {
      new.row[w] = operate(chosen ? i->on_true : i->on_false, old.row[w], (int32_t)in[w]);
      if (i->result == OLD) out[w] = (uint32_t)old.row[w];
      if (i->result >= NEW) out[w] = (uint32_t) new.row[w];
    }
    refused_ops += slot < 0;
  }
  if (slot >= 0) places[slot] = new;
}

// What a move or a mark reads: {row, S1, S2}, word 0 of the row at out[2].
void am_read(int slot, uint32_t *out) {
  out[0] = (uint32_t)places[slot].s2;
  out[1] = (uint32_t)places[slot].s1;
  for (int w = 0; w < words; w++) out[2 + w] = (uint32_t)places[slot].row[w];
}

void am_write(int slot, int pair, int row, const uint32_t *in) {
  if (pair) {
    places[slot].s2 = (int32_t)in[0];
    places[slot].s1 = (int32_t)in[1];
  }
  for (int w = 0; row && w < words; w++) places[slot].row[w] = (int32_t)in[2 + w];
}

// Every operation was done, also by refused ones, and sums were limited.
int am_enough(void) {
  for (int o = 0; o < 8; o++)
    if (done[o] < 100) return 0;
  return refused_ops > 100 && saturated > 100;
}
