// SPDX-License-Identifier: Apache-2.0
// The remap as the chip has it (docs/blocks/order.md), one state machine for each stage: a
// round measures the loads, scans the counters, and offers the best index of each bank.
#include "machine.h"

// Cycles that the chip takes beside the scan.
enum {
  WAIT,
  MEASURE,
  SCAN,
  FLUSH,
  CHOOSE,
  OFFER,
  NEXT,
  HOME,
  SEND,
  EVICT,
  FLUSH_CYCLES = 4,
  FADE_CYCLES = 2,
  TAKE_CYCLES = 5
};
enum { COUNT_MOST = 1023 };  // what does not fit says nothing

static uint32_t log2_of(uint32_t n) {
  uint32_t bits = 0;
  while (n >> bits > 1) bits++;
  return bits;
}

// Every bit of the home shows; neighbours of one pipeline are in different banks.
static uint32_t hash_of(const struct study_machine *m, uint32_t index) {
  uint32_t home = index + (uint32_t)m->o.base;
  uint32_t bits = log2_of((uint32_t)m->o.table), hash = home & ((uint32_t)m->o.table - 1);
  for (uint32_t i = bits; i < 32; i++) {
    uint32_t bit = home >> i & 1;
    hash ^= bit << (i % bits) ^ bit << ((i + 2) % bits) ^ bit << ((i + 3) % bits);
  }
  return hash;
}

static uint32_t bank_of(const struct study_machine *m, uint32_t hash) {
  uint32_t bits = log2_of((uint32_t)m->o.table), bank_bits = log2_of((uint32_t)m->o.banks);
  uint32_t slot = log2_of(m->K) < bits - 1 ? log2_of(m->K) : 0;
  return (hash >> (bits - bank_bits) ^ hash >> slot) & ((uint32_t)m->o.banks - 1);
}

static uint32_t bank_size(const struct study_machine *m) {
  return (uint32_t)(m->o.table / m->o.banks);
}

static bool halves(const struct study_machine *m, const struct study_round *r) {
  return r->rounds % (uint32_t)m->o.halve == 0;
}

void study_round_count(struct study_machine *m, uint32_t stage, uint32_t index) {
  struct study_round *r = &m->round[stage];
  uint32_t bank = bank_of(m, hash_of(m, index));
  if (m->o.sample) {
    r->count[bank] = true;
    r->pending[bank] = index;
    return;
  }
  // All lanes at once: no chip could, so nothing is ever in the way.
  struct study_counter *c = &r->table[bank * bank_size(m) + hash_of(m, index) % bank_size(m)];
  if (c->count == 0 || c->home == index)
    *c = (struct study_counter){index, c->count < COUNT_MOST ? c->count + 1 : COUNT_MOST};
  else c->count--;
}

// One access a cycle and bank. A scan that halves lets one through, and the next is lost.
static bool count(struct study_machine *m, struct study_round *r, uint32_t bank, bool halving) {
  if (!r->count[bank]) return false;
  r->count[bank] = false;
  if (halving && r->stalled[bank]) return false;
  uint32_t index = r->pending[bank];
  struct study_counter *c = &r->table[bank * bank_size(m) + hash_of(m, index) % bank_size(m)];
  if (c->count == 0) *c = (struct study_counter){index, 1};
  else if (c->home != index) c->count--;
  else if (c->count < COUNT_MOST) c->count++;
  return true;
}

// The greatest estimate that may move: 3/4 of the difference.
static int64_t most_move(const struct study_round *r) { return r->half + r->half / 2; }

// Looks at one counter of the bank; true: it was the last one.
static bool scan(struct study_machine *m, uint32_t stage, uint32_t bank) {
  struct study_round *r = &m->round[stage];
  if (r->at[bank] == bank_size(m)) return true;
  struct study_counter *c = &r->table[bank * bank_size(m) + r->at[bank]++];
  int64_t limit = most_move(r) / m->K;
  if (limit > COUNT_MOST - 1) limit = COUNT_MOST - 1;
  if (c->count > r->best[bank].count && c->count <= limit) {
    const struct study_cell *cell = &m->cells[stage][c->home];
    if (cell->pipe == r->high && !cell->under_way) r->best[bank] = *c;
  }
  if (halves(m, r)) c->count /= 2;
  return r->at[bank] == bank_size(m);
}

// A pipeline's load a cycle.
static void measure(struct study_machine *m, uint32_t stage, uint32_t pipe) {
  struct study_round *r = &m->round[stage];
  int32_t load = m->count[place(m, stage, pipe)];
  if (pipe == 0 || load > r->most) {
    r->high = pipe;
    r->most = load;
  }
  if (pipe == 0 || load < r->least) {
    r->low = pipe;
    r->least = load;
  }
}

static void weigh(struct study_machine *m, struct study_round *r) {
  r->half = (r->most - r->least) / 2;
  for (uint32_t b = 0; b < (uint32_t)m->o.banks; b++) {
    r->best[b].count = r->at[b] = 0;
    r->stalled[b] = r->asked[b] = false;
  }
  r->state = SCAN;
}

// An entry of the relocation table is there for an index that is away or comes home.
static bool has_entry(const struct study_cell *c) { return c->pipe != c->home || c->under_way; }

static bool worth(const struct study_machine *m, uint32_t stage) {
  const struct study_round *r = &m->round[stage];
  const struct study_counter *best = &r->best[r->bank];
  int64_t least = ((int64_t)m->o.period * m->o.least) >> 5;
  return best->count && (int64_t)best->count * m->K <= most_move(r) && r->half >= least &&
         r->under_way < (uint32_t)m->o.ids &&
         (has_entry(&m->cells[stage][best->home]) || m->away[stage] < m->o.relocated);
}

static uint32_t counter_of(const struct study_machine *m, uint32_t stage, uint32_t index) {
  const struct study_round *r = &m->round[stage];
  uint32_t bank = bank_of(m, hash_of(m, index));
  const struct study_counter *c = &r->table[bank * bank_size(m) + hash_of(m, index) % bank_size(m)];
  return c->home == index ? c->count : 0;
}

static bool resting(const struct study_cell *c) { return c->pipe != c->home && !c->under_way; }

// Once a round.
static void look(struct study_machine *m, uint32_t stage) {
  for (uint32_t i = 0; i < m->entries; i++) {
    struct study_cell *c = &m->cells[stage][i];
    if (m->o.counted ? counter_of(m, stage, i) > 0 : c->touched) c->idle = 0;
    else if (c->idle < 255) c->idle++;
    c->touched = false;
  }
}

static bool find_idle(const struct study_machine *m, uint32_t stage, uint32_t *found) {
  for (uint32_t i = 0; i < m->entries; i++) {
    const struct study_cell *c = &m->cells[stage][i];
    if (!resting(c) || c->idle < m->o.idle) continue;
    *found = i;
    return true;
  }
  return false;
}

// The least busy one that is away makes room for the candidate.
static bool find_victim(const struct study_machine *m, uint32_t stage, uint32_t *found) {
  uint32_t least = m->round[stage].best[m->round[stage].bank].count / (uint32_t)m->o.evict;
  bool any = false;
  for (uint32_t i = 0; i < m->entries; i++) {
    if (!resting(&m->cells[stage][i])) continue;
    uint32_t count = counter_of(m, stage, i);
    if (count > least || (any && count == least)) continue;
    least = count;
    *found = i;
    any = true;
  }
  return any;
}

static void send_home(struct study_machine *m, uint32_t stage, uint32_t index) {
  struct study_round *r = &m->round[stage];
  struct study_cell *cell = &m->cells[stage][index];
  int32_t amount = (int32_t)(counter_of(m, stage, index) * m->K);
  m->count[place(m, stage, cell->pipe)] -= amount;
  m->count[place(m, stage, cell->home)] += amount;
  r->under_way++;
  study_later(m, EVENT_MOVE, TAKE_CYCLES,
              (struct study_event){-1, index, (uint8_t)stage, 0, 0, cell->home});
  cell->under_way = true;
}

static void take(struct study_machine *m, uint32_t stage) {
  struct study_round *r = &m->round[stage];
  const struct study_counter *best = &r->best[r->bank];
  struct study_cell *cell = &m->cells[stage][best->home];
  int32_t amount = (int32_t)(best->count * m->K);
  m->away[stage] += !has_entry(cell);
  r->half = r->half > amount ? r->half - amount : 0;
  m->count[place(m, stage, r->high)] -= amount;
  m->count[place(m, stage, r->low)] += amount;
  r->under_way++;
  // Packets that are resolved already still go to the old place.
  study_later(m, EVENT_MOVE, TAKE_CYCLES,
              (struct study_event){-1, best->home, (uint8_t)stage, 0, 0, (uint8_t)r->low});
  cell->under_way = true;
  cell->idle = 0;
}

void study_landed(struct study_machine *m, const struct study_event *e) {
  struct study_cell *c = &m->cells[e->stage][e->index];
  c->under_way = false;
  m->round[e->stage].under_way--;
  m->away[e->stage] -= !has_entry(c);
}

// Of the banks that were not asked yet, the one with the greatest count comes next.
static void next_bank(const struct study_machine *m, struct study_round *r) {
  r->bank = STUDY_BANKS;
  for (uint32_t b = 0; b < (uint32_t)m->o.banks; b++)
    if (!r->asked[b] && (r->bank == STUDY_BANKS || r->best[b].count > r->best[r->bank].count))
      r->bank = b;
  r->state = CHOOSE;
}

static void end(struct study_machine *m, uint32_t stage) {
  struct study_round *r = &m->round[stage];
  r->asked[r->bank] = true;
  next_bank(m, r);
  if (r->bank < STUDY_BANKS) return;
  int32_t full = m->o.full < 0 ? m->o.relocated - m->o.relocated / 4 : m->o.full;
  r->state = m->o.home && m->away[stage] >= full ? HOME : WAIT;
  r->homes = 0;
  if (halves(m, r)) r->fade = FADE_CYCLES;
}

void study_round(struct study_machine *m, uint32_t stage) {
  struct study_round *r = &m->round[stage];
  bool ended = true;
  for (uint32_t b = 0; b < (uint32_t)m->o.banks; b++) {
    bool halving = r->state == SCAN && r->at[b] < bank_size(m) && halves(m, r);
    r->stalled[b] = count(m, r, b, halving) && halving;
    if (r->state == SCAN && (r->stalled[b] || !scan(m, stage, b))) ended = false;
  }
  for (uint32_t d = 0; r->fade == 1 && d < m->K; d++) m->count[place(m, stage, d)] /= 2;
  if (r->fade) r->fade--;
  r->timer++;
  switch (r->state) {
    case WAIT:
      if (r->timer < (uint32_t)m->o.period) return;
      r->timer = 0;
      r->step = 0;
      r->rounds++;
      if (m->o.home) look(m, stage);
      r->state = MEASURE;
      return;
    case MEASURE:
      if (++r->step > 1 && r->step < m->K + 2) measure(m, stage, r->step - 2);
      if (r->step == m->K + 2) weigh(m, r);
      return;
    case SCAN:
      r->step = 0;
      if (ended) r->state = FLUSH;
      return;
    case FLUSH:
      if (++r->step == FLUSH_CYCLES) next_bank(m, r);
      return;
    case CHOOSE:
      r->state = worth(m, stage) ? OFFER : NEXT;
      if (r->state == NEXT && m->o.evict && r->under_way < (uint32_t)m->o.ids &&
          m->away[stage] >= m->o.relocated && r->best[r->bank].count &&
          (int64_t)r->best[r->bank].count * m->K <= most_move(r) &&
          r->half >= (((int64_t)m->o.period * m->o.least) >> 5) &&
          find_victim(m, stage, &r->victim))
        r->state = EVICT;
      return;
    case EVICT:
      if ((turns(m) + 2) % m->S != stage) return;
      send_home(m, stage, r->victim);
      r->state = NEXT;
      return;
    case HOME:
      if (r->homes == (uint32_t)m->o.home || !find_idle(m, stage, &r->victim)) r->state = WAIT;
      else if (r->under_way < (uint32_t)m->o.ids) r->state = SEND;
      return;
    case SEND:
      if ((turns(m) + 2) % m->S != stage) return;
      if (m->cells[stage][r->victim].idle) send_home(m, stage, r->victim);
      r->homes++;
      r->state = HOME;
      return;
    case OFFER:  // stages take turns
      if ((turns(m) + 2) % m->S != stage) return;
      take(m, stage);
      r->state = NEXT;
      return;
    default: end(m, stage);
  }
}

void study_round_start(struct study_machine *m) {
  for (uint32_t stage = 0; stage < m->S; stage++) {
    if (!m->round[stage].table) continue;
    m->round[stage].timer = (uint32_t)m->o.period;
    for (int32_t i = 0; i < m->o.phase; i++) study_round(m, stage);
  }
}
