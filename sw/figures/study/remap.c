// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

// The lane that is sampled in this cycle, as rtl/cells/sluice_draw.sv draws it.
static uint32_t drawn_lane(struct study_machine *m) {
  enum { BITS = (1 << 23) - 1 };
  uint64_t now = ((uint64_t)turns(m) + (uint64_t)m->o.drawn) % BITS;
  if (!m->draw || now < m->draw_at) m->draw = BITS, m->draw_at = 0;
  for (; m->draw_at < now; m->draw_at++)
    m->draw = (m->draw << 1 | ((m->draw >> 22 ^ m->draw >> 17) & 1)) & BITS;
  uint32_t lane = 0;
  for (uint32_t b = 0; UINT32_C(1) << b < m->K; b++) lane |= (m->draw >> (4 * b) & 1) << b;
  return lane % m->K;
}

void study_count(struct study_machine *m, uint32_t stage, uint32_t index, uint32_t lane) {
  // The first study, whose figures remap 1 repeats, samples the lanes in turn.
  if (m->o.sample && (m->o.remap ? (uint32_t)(turns(m) % m->K) : drawn_lane(m)) != lane) return;
  if (!m->o.remap) {
    m->cells[stage][index].touched = true;
    m->cells[stage][index].idle = 0;
    study_round_count(m, stage, index);
    return;
  }
  struct study_cell *cells = m->cells[stage];
  struct study_index_list *active = &m->active[stage];
  uint32_t start = 0;
  if (!cells[index].busy) {
    if (active->num < (uint32_t)m->o.busiest) {
      active->items[active->num++] = index;
    } else {
      // The least busy one gives up its counter, and what it holds.
      uint32_t least = 0;
      for (uint32_t i = 1; i < active->num; i++) {
        const struct study_cell *c = &cells[active->items[i]], *best = &cells[active->items[least]];
        if (c->busy < best->busy ||
            (c->busy == best->busy && active->items[i] < active->items[least]))
          least = i;
      }
      start = cells[active->items[least]].busy;
      cells[active->items[least]].busy = 0;
      active->items[least] = index;
    }
  }
  cells[index].busy += start + 1;
}

// The busiest index of pipeline `from` that fits the gap; -1: none.
static int64_t choose(const struct study_machine *m, uint32_t stage, uint32_t from, uint32_t to,
                      int64_t half, int64_t *gain) {
  const struct study_cell *cells = m->cells[stage];
  int64_t best = 0, chosen = -1, scale = m->o.sample ? m->K : 1;
  for (uint32_t i = 0; i < m->active[stage].num; i++) {
    uint32_t index = m->active[stage].items[i];
    const struct study_cell *c = &cells[index];
    int64_t estimate = c->busy * scale;
    if (c->pipe != from || c->moving || estimate > half || estimate < best) continue;
    if (m->o.guard && estimate == half) continue;  // the paper: less than half the difference
    if (m->o.guard == 1 && c->in_flight) continue;
    uint32_t home = c->home;
    if (home != to && home == from && m->away[stage] >= m->o.relocated) continue;
    if (estimate == best && (chosen < 0 || index > chosen)) continue;
    best = estimate;
    chosen = index;
  }
  *gain = best;
  if (m->o.guard == 2 && chosen >= 0 && cells[chosen].in_flight) return -1;
  return chosen;
}

// In order: an entry in the old pipeline's order queue; the new one keeps the index pending until
// the value has landed. With the guard nobody is under way, and the value is there at once.
static void study_move(struct study_machine *m, uint32_t stage, uint32_t index, uint32_t to) {
  struct study_cell *c = &m->cells[stage][index];
  uint32_t home = c->home, from = c->pipe;
  if (m->o.remap) m->away[stage] += (from == home) - (to == home);
  c->pipe = (uint8_t)to;
  if (!m->o.guard) {
    c->moving = true;
    struct study_event e = {-1, index, (uint8_t)stage, (uint8_t)from, 0, (uint8_t)to};
    int32_t delay = m->o.phantom * (int32_t)stage;
    if (delay) study_later(m, EVENT_PHANTOM, delay, e);
    else study_expect(m, &e);
  }
  m->result->moves++;
  m->result->stage[stage].moves++;
}

static void remap_stage(struct study_machine *m, uint32_t stage) {
  int32_t *load = &m->count[place(m, stage, 0)];
  for (int32_t i = 0; i < m->o.moves; i++) {
    uint32_t high = 0, low = 0;
    for (uint32_t d = 1; d < m->K; d++) {
      if (load[d] > load[high]) high = d;
      if (load[d] < load[low]) low = d;
    }
    int64_t half = (load[high] - load[low]) / 2, gain;
    if (half * 100 < (int64_t)m->o.least * m->o.period) break;
    int64_t index = choose(m, stage, high, low, half, &gain);
    if (index < 0) break;
    study_move(m, stage, (uint32_t)index, low);
    load[high] -= (int32_t)gain;
    load[low] += (int32_t)gain;
  }
  for (uint32_t d = 0; d < m->K; d++) load[d] = 0;
  struct study_index_list *active = &m->active[stage];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < active->num; i++) {
    struct study_cell *c = &m->cells[stage][active->items[i]];
    c->busy = m->o.forget ? 0 : c->busy / 2;
    if (c->busy) active->items[kept++] = active->items[i];
  }
  active->num = kept;
}

void study_remap(struct study_machine *m) {
  struct study_list *values = study_due(m, EVENT_VALUE, 0);
  for (uint32_t i = 0; i < values->num; i++) {
    const struct study_event *e = &values->items[i];
    study_queue_push(m, &m->landing[place(m, e->stage, e->pipe)],
                     (struct study_entry){-1, e->index, e->pipe});
  }
  values->num = 0;
  struct study_list *moves = study_due(m, EVENT_MOVE, 0);
  for (uint32_t i = 0; i < moves->num; i++)
    study_move(m, moves->items[i].stage, moves->items[i].index, moves->items[i].to);
  moves->num = 0;
  if (!m->o.period || m->K == 1) return;
  for (uint32_t stage = 0; !m->o.remap && stage < m->S; stage++)
    if (m->cells[stage]) study_round(m, stage);
  if (!m->o.remap || --m->timer > 0) return;
  m->timer = m->o.period;
  for (uint32_t stage = 0; stage < m->S; stage++)
    if (m->cells[stage]) remap_stage(m, stage);
}
