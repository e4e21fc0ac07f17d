// SPDX-License-Identifier: Apache-2.0
// Makes a failing case smaller, by delta debugging: what can be left out is left out, in large
// pieces first. Every step is kept only if the case still fails.
#include <stdlib.h>
#include <string.h>

#include "../base/now.h"
#include "../driver/plan/plan.h"
#include "../driver/wire/wire.h"
#include "capsule.h"

enum by { BY_OP, BY_ROW, BY_TABLE };

struct shrink {
  struct fuzz_case *c;
  unsigned tries, most;
  double until;
  fuzz_fails *fails;
  void *context;
};

static bool over(const struct shrink *s) { return s->tries >= s->most || sluice_now() > s->until; }

static bool fails(struct shrink *s, uint64_t *packet) {
  s->tries++;
  return s->fails(s->context, s->c, packet);
}

static bool has_moves(const struct fuzz_case *c) { return c->marking.num && !c->config->Marks; }

// An entry that a move starts from, or that stands in between: without it the move is one that
// packets may see.
static bool is_fixed(const struct fuzz_case *c, const struct fuzz_frames *list,
                     const struct fuzz_frame *f) {
  struct sluice_reconfig p;
  return list == &c->control && has_moves(c) &&
         !sluice_reconfig_decode(&p, f->bytes, f->len, NULL) && p.op == SLUICE_CHAIN_WRITE &&
         (p.table == SLUICE_TABLE_TERNARY || p.table == SLUICE_TABLE_CUCKOO);
}

// Tries without the frames first..first+num-1. Returns whether they stay away.
static bool without(struct shrink *s, struct fuzz_frames *list, size_t first, size_t num) {
  for (size_t i = first; i < first + num; i++)
    if (is_fixed(s->c, list, &list->items[i])) return false;
  struct fuzz_frame *kept = malloc((num + 1) * sizeof *kept);
  if (!kept) return false;
  uint64_t packet;
  struct fuzz_frame *at = list->items + first;
  memcpy(kept, at, num * sizeof *kept);
  memmove(at, at + num, (list->num - first - num) * sizeof *kept);
  list->num -= num;
  bool gone = fails(s, &packet);
  if (!gone) {
    memmove(at + num, at, (list->num - first) * sizeof *kept);
    memcpy(at, kept, num * sizeof *kept);
    list->num += num;
  }
  free(kept);
  return gone;
}

// Halves, quarters, ... from the end, until single frames; `most` bounds the tries of this list.
static void shrink_list(struct shrink *s, struct fuzz_frames *list, unsigned most) {
  unsigned end = s->tries + most;
  for (size_t piece = (list->num + 1) / 2; piece > 0; piece /= 2) {
    size_t at = list->num;
    while (at > 0) {
      if (over(s) || s->tries >= end) return;
      size_t num = at < piece ? at : piece;
      at -= num;
      without(s, list, at, num);
    }
  }
}

// Moves of entries begin where those before them ended: only the last ones can go.
static void shrink_moves(struct shrink *s, unsigned most) {
  const unsigned end = s->tries + most;
  struct fuzz_frames *list = &s->c->marking;
  for (size_t piece = list->num; piece > 0; piece /= 2)
    while (list->num >= piece && !over(s) && s->tries < end &&
           without(s, list, list->num - piece, piece))
      continue;
}

// What comes long after the first wrong packet is not needed.
static void cut(struct shrink *s) {
  struct fuzz_frames *list = &s->c->packets;
  uint64_t packet = UINT64_MAX;
  if (!fails(s, &packet) || packet >= list->num) return;
  for (unsigned more = 1; more <= 256 && !over(s); more *= 16)
    if (packet + more < list->num &&
        without(s, list, (size_t)packet + more, list->num - (size_t)packet - more))
      return;
}

static void shrink_play(struct shrink *s) {
  struct fuzz_play plain = fuzz_play_plain(), kept = s->c->play;
  uint64_t packet;
  for (unsigned i = 0; i < 18 && !over(s); i++) {
    struct fuzz_play *p = &s->c->play, before = *p;
    switch (i) {
      case 0: *p = plain; break;
      case 1: p->malformed = 0; break;
      case 2: p->stall = 0; break;
      case 3: p->by_time = false; break;
      case 4: p->hash_lanes = false; break;
      case 5: p->load = 1.0; break;
      case 6: p->set.pace = -1; break;
      case 7: p->set.brake = -1; break;
      case 8: p->set.lane_limit = -1; break;
      case 9: p->set.mode = -1; break;
      case 10: p->set.ecn_queue = -1; break;
      case 11: p->set.ecn_lane = -1; break;
      case 12: p->set.output_limit = -1; break;
      case 13: p->set.class_costs = p->set.class_strict = -1; break;
      case 14: p->idle = 0; break;
      case 15: p->set.merge_lanes = p->set.merge_key = p->set.merge_idle = -1; break;
      case 16: p->num_class_ecn = 0; break;
      default: p->set.move_period = 0; break;
    }
    if (memcmp(p, &before, sizeof before) != 0 && !fails(s, &packet)) *p = before;
    if (i == 0 && memcmp(p, &kept, sizeof kept) != 0) return;
  }
}

// Packets with many entries become packets with one: so that entries can go one by one.
static void split(struct shrink *s) {
  struct fuzz_case *c = s->c;
  struct fuzz_frames old = c->control;
  c->control = (struct fuzz_frames){0};
  for (size_t i = 0; i < old.num; i++) {
    const struct fuzz_frame *f = &old.items[i];
    struct sluice_reconfig p;
    struct sluice_frame *one = &(struct sluice_frame){0};
    if (sluice_reconfig_decode(&p, f->bytes, f->len, NULL) || p.op != SLUICE_CHAIN_WRITE ||
        p.table == SLUICE_NUM_TABLES || p.num_entries < 2) {
      fuzz_append(c, &c->control, f->bytes, f->len, f->time_ns);
      continue;
    }
    for (unsigned n = 0; n < p.num_entries; n++) {
      sluice_reconfig_begin(one, p.op, p.table, p.stage, p.index + n);
      SLUICE_RECONFIG_SET(one, ROW, p.row);
      sluice_reconfig_append(one, p.table, sluice_reconfig_entry(&p, n));
      sluice_reconfig_finish(one);
      fuzz_append(c, &c->control, one->bytes, one->len, f->time_ns);
    }
  }
  uint64_t packet;
  if (fails(s, &packet)) {
    free(old.items);
  } else {
    free(c->control.items);
    c->control = old;
  }
}

// What a control packet belongs to: an overlay row, a table, an operation. Packets that no row can
// be told of have row SLUICE_MAX_ROWS. Rows of the match tables belong to the module that MATCH
// names.
struct kin {
  unsigned row, table, op;
};

static unsigned kin_value(const struct kin *kin, enum by by) {
  return by == BY_ROW ? kin->row : by == BY_TABLE ? kin->table : kin->op;
}

static struct kin kin_of(const struct fuzz_frame *f,
                         unsigned char owner[SLUICE_MAX_STAGES + 8][1024]) {
  struct kin kin = {SLUICE_MAX_ROWS, SLUICE_NUM_TABLES, 255};
  struct sluice_reconfig p;
  if (sluice_reconfig_decode(&p, f->bytes, f->len, NULL)) return kin;
  kin.op = p.op;
  kin.table = p.table;
  if (p.op != SLUICE_CHAIN_WRITE || !p.num_entries || p.index >= 1024) return kin;
  switch (p.table) {
    case SLUICE_TABLE_MATCH:
      kin.row = (unsigned)SLUICE_GET(p.entries, MATCH, VID) % SLUICE_MAX_ROWS;
      owner[p.stage][p.index] = (unsigned char)kin.row;
      break;
    case SLUICE_TABLE_ACTION:
    case SLUICE_TABLE_STATE_INSTR:
    case SLUICE_TABLE_ARRAY_INSTR:
    case SLUICE_TABLE_MULTIPLY: kin.row = owner[p.stage][p.index]; break;
    case SLUICE_TABLE_STATE:
    case SLUICE_TABLE_STATE_ROW:
    case SLUICE_TABLE_FILL:
    case SLUICE_TABLE_TENANT:
    case SLUICE_TABLE_REGION:
    case SLUICE_TABLE_ADDRESS: kin.row = p.row; break;
    case SLUICE_TABLE_PORT_MASK:
    case SLUICE_NUM_TABLES: break;
    default: kin.row = p.index; break;
  }
  return kin;
}

// Tries without all control packets of one kind.
static void without_kind(struct shrink *s, const struct kin *kin, enum by by, unsigned value) {
  struct fuzz_frames *list = &s->c->control;
  struct fuzz_frame *kept = malloc((list->num + 1) * sizeof *kept);
  if (!kept) return;
  size_t num = list->num, left = 0;
  memcpy(kept, list->items, num * sizeof *kept);
  for (size_t i = 0; i < num; i++) {
    unsigned is = kin_value(&kin[i], by);
    if (is != value || is_fixed(s->c, list, &kept[i])) list->items[left++] = kept[i];
  }
  uint64_t packet;
  list->num = left;
  if (left == num || !fails(s, &packet)) {
    memcpy(list->items, kept, num * sizeof *kept);
    list->num = num;
  }
  free(kept);
}

// Whole operations, modules and tables: large pieces that delta debugging does not see, because
// their packets lie apart.
static void shrink_kinds(struct shrink *s, enum by by, unsigned first, unsigned end) {
  static unsigned char owner[SLUICE_MAX_STAGES + 8][1024];
  struct fuzz_frames *list = &s->c->control;
  for (unsigned value = first; value < end && !over(s); value++) {
    struct kin *kin = malloc((list->num + 1) * sizeof *kin);
    if (!kin) return;
    memset(owner, SLUICE_MAX_ROWS, sizeof owner);
    for (size_t i = 0; i < list->num; i++) kin_of(&list->items[i], owner);
    for (size_t i = 0; i < list->num; i++) kin[i] = kin_of(&list->items[i], owner);
    bool any = false;
    for (size_t i = 0; i < list->num; i++) any = any || kin_value(&kin[i], by) == value;
    if (any) without_kind(s, kin, by, value);
    free(kin);
  }
}

// Slots of action words, moves of parser entries: tries each one empty.
static void shrink_entries(struct shrink *s) {
  struct fuzz_frames *list = &s->c->control;
  for (size_t i = 0; i < list->num; i++) {
    struct sluice_reconfig p;
    struct fuzz_frame *f = &list->items[i];
    if (sluice_reconfig_decode(&p, f->bytes, f->len, NULL) || p.op != SLUICE_CHAIN_WRITE ||
        p.num_entries != 1)
      continue;
    unsigned parts = p.table == SLUICE_TABLE_ACTION ? 25 : 10;
    if (p.table != SLUICE_TABLE_ACTION && sluice_tables[p.table].kept != SLUICE_KEPT_actions)
      continue;
    unsigned bits = sluice_tables[p.table].bits, each = bits / parts;
    uint8_t *entry = f->bytes + (p.entries - f->bytes);
    for (unsigned n = 0; n < parts && !over(s); n++) {
      uint64_t packet, word = sluice_entry_get(entry, bits, each * n + each - 1, each * n);
      if (!word) continue;
      sluice_entry_set(entry, bits, each * n + each - 1, each * n, 0);
      if (!fails(s, &packet)) sluice_entry_set(entry, bits, each * n + each - 1, each * n, word);
    }
  }
}

// Instructions of capsules become NOP, arguments 0; only of few packets.
enum { FEW = 24 };

static bool without_bytes(struct shrink *s, uint8_t *bytes, unsigned num, const uint8_t *simple) {
  uint8_t kept[4];
  uint64_t packet;
  if (over(s) || memcmp(bytes, simple, num) == 0) return false;
  memcpy(kept, bytes, num);
  memcpy(bytes, simple, num);
  if (fails(s, &packet)) return true;
  memcpy(bytes, kept, num);
  return false;
}

static void shrink_capsule(struct shrink *s, struct fuzz_frame *f) {
  static const uint8_t nop[2] = {0, SLUICE_OPCODE_NOP}, zero[4] = {0};
  if (!is_capsule(f)) return;
  for (unsigned at = CAPSULE_LIST_AT;
       has_instruction(f, at) && f->bytes[at + 1] != SLUICE_OPCODE_EOF; at += 2) {
    if (without_bytes(s, f->bytes + at, 2, zero)) break;  // the list ends here
    without_bytes(s, f->bytes + at, 2, nop);
  }
  for (unsigned at = CAPSULE_DATA_AT; at < CAPSULE_LIST_AT; at += 4)
    without_bytes(s, f->bytes + at, 4, zero);
}

static void shrink_capsules(struct shrink *s) {
  const struct fuzz_frames *list = &s->c->packets;
  if (!s->c->config->Active || list->num > FEW) return;
  for (size_t i = list->num; i-- > 0 && !over(s);) shrink_capsule(s, &list->items[i]);
}

// Contents of state go to where the segment of their row says. Without it they might come where
// packets see them.
static bool is_needed(const struct fuzz_frames *updating, const struct fuzz_frame *segment) {
  struct sluice_reconfig where, p;
  if (sluice_reconfig_decode(&where, segment->bytes, segment->len, NULL) ||
      where.op != SLUICE_CHAIN_WRITE)
    return false;
  if (where.table != SLUICE_TABLE_SEGMENT && where.table != SLUICE_TABLE_SEGMENT16) return false;
  for (size_t i = 0; i < updating->num; i++) {
    const struct fuzz_frame *f = &updating->items[i];
    if (sluice_reconfig_decode(&p, f->bytes, f->len, NULL) || p.op != SLUICE_CHAIN_WRITE ||
        p.stage != where.stage)
      continue;
    if (p.table != SLUICE_TABLE_STATE && p.table != SLUICE_TABLE_FILL &&
        p.table != SLUICE_TABLE_STATE_ROW)
      continue;
    if (p.row >= where.index && p.row < where.index + where.num_entries) return true;
  }
  return false;
}

// The last updates go first: earlier ones decide what later ones may do. Then what is odd about
// each, and single frames before the flip, but for segments with contents: whatever else the idle
// bank holds is legal.
static unsigned frames_of(const struct job_update *u) { return u->before + u->early + u->after; }

static void shrink_updates(struct shrink *s) {
  struct fuzz_case *c = s->c;
  uint64_t packet;
  while (c->num_updates && !over(s)) {
    const size_t all = c->updating.num;
    c->updating.num -= frames_of(&c->updates[--c->num_updates]);
    if (fails(s, &packet)) continue;
    c->updating.num = all;
    c->num_updates++;
    break;
  }
  size_t first = 0;
  for (unsigned i = 0; i < c->num_updates && !over(s); i++) {
    struct job_update *u = &c->updates[i], kept = *u;
    u->hasty = false;
    u->bounces %= 2;
    if (memcmp(u, &kept, sizeof kept) != 0 && !fails(s, &packet)) *u = kept;
    for (unsigned n = u->early; n-- > 0 && !over(s);) {
      u->early--;
      if (!without(s, &c->updating, first + u->before + n, 1)) u->early++;
    }
    for (unsigned n = u->before; n-- > 0 && !over(s);) {
      if (is_needed(&c->updating, &c->updating.items[first + n])) continue;
      u->before--;
      if (!without(s, &c->updating, first + n, 1)) u->before++;
    }
    first += frames_of(u);
  }
}

// Cuts, from the last one; then what is odd about each.
static void shrink_cuts(struct shrink *s) {
  struct fuzz_case *c = s->c;
  uint64_t packet;
  for (unsigned i = c->num_cuts; i-- > 0 && !over(s);) {
    const struct job_cut kept = c->cuts[i];
    memmove(&c->cuts[i], &c->cuts[i + 1], (--c->num_cuts - i) * sizeof kept);
    if (fails(s, &packet)) continue;
    memmove(&c->cuts[i + 1], &c->cuts[i], (c->num_cuts++ - i) * sizeof kept);
    c->cuts[i] = kept;
  }
  for (unsigned i = 0; i < c->num_cuts; i++)
    for (unsigned what = 0; what < 3 && !over(s); what++) {
      struct job_cut *u = &c->cuts[i], kept = *u;
      if (what == 0) u->fill = false;
      if (what == 1) u->read = false;
      if (what == 2) u->home = false;
      if (memcmp(u, &kept, sizeof kept) != 0 && !fails(s, &packet)) *u = kept;
    }
}

unsigned fuzz_shrink(struct fuzz_case *c, const struct fuzz_effort *effort, fuzz_fails *fails_fn,
                     void *context) {
  struct shrink s = {.c = c,
                     .most = effort->tries,
                     .until = sluice_now() + effort->seconds,
                     .fails = fails_fn,
                     .context = context};
  unsigned third = effort->tries / 3;
  cut(&s);
  shrink_list(&s, &c->packets, third);
  shrink_play(&s);
  shrink_updates(&s);
  shrink_cuts(&s);
  if (has_moves(c)) shrink_moves(&s, third);
  else shrink_list(&s, &c->marking, third);
  if (!over(&s)) split(&s);
  shrink_kinds(&s, BY_OP, SLUICE_CHAIN_READ, 256);
  shrink_kinds(&s, BY_ROW, 0, SLUICE_MAX_ROWS + 1);
  shrink_kinds(&s, BY_TABLE, 0, SLUICE_NUM_TABLES);
  shrink_list(&s, &c->control, third);
  shrink_list(&s, &c->packets, third / 2);
  shrink_capsules(&s);
  shrink_entries(&s);
  return s.tries;
}
