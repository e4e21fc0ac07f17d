// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

enum { ADMITTED = -1, OPEN = -2, OVERLOAD_AGE = 3 };

static bool by_rank(const struct study_machine *m) { return m->o.spray == 2 && m->o.steer == 2; }

// Where a packet that is stateless at the first boundary goes: -1 if there is no room, OPEN if
// steering will choose.
static int32_t first_pipe(const struct study_machine *m, uint32_t lane) {
  if (by_rank(m)) {
    uint32_t mine = owner(m, 0, lane);
    return m->credit_sum[mine] > m->undecided[mine] ? OPEN : -1;
  }
  if (!m->o.spray) return credit_of(m, 0, lane, lane) > 0 ? (int32_t)lane : -1;
  int32_t to = -1;
  for (uint32_t j = 0; j < m->K; j++) {
    uint32_t d = (lane + j) % m->K;
    if (credit_of(m, 0, d, lane) > 0 && (to < 0 || m->waiting[d] < m->waiting[to])) to = (int32_t)d;
  }
  return to;
}

// The chip's window: may as many be admitted as there are lanes, or as a cycle ago?
static bool window_has_room(const struct study_machine *m) {
  if (!m->o.in_flight) return true;
  int32_t now = m->old_tickets[age(m, 0)], before = m->old_tickets[age(m, 1)], K = (int32_t)m->K;
  int32_t span = before - m->old_oldest[age(m, 3)];
  return span + 2 * K <= m->o.in_flight || (now == before && span + K <= m->o.in_flight);
}

// Does it need such a FIFO?
static bool needs_full(const struct study_machine *m, const struct study_packet *p) {
  for (uint32_t i = 0; i < p->num; i++) {
    const struct sluice_trace_access *a = &p->accesses[i];
    uint32_t at = place(m, a->stage, m->cells[a->stage][a->index].pipe);
    if (fifo_is_full(m, at, p->lane)) return true;
  }
  return false;
}

// Why the packet must be held, and for which stage; ADMITTED: it need not.
static int why_held(const struct study_machine *m, const struct study_packet *p, uint32_t *stage,
                    int32_t *to) {
  uint32_t places = m->S * m->K;
  const int32_t *paced = m->old_leaky + age(m, m->o.pace_age) * places;
  const int32_t *jam = m->old_waiting + age(m, m->o.brake_age) * places;
  for (uint32_t i = 0; i < p->num; i++) {
    const struct sluice_trace_access *a = &p->accesses[i];
    uint32_t at = place(m, a->stage, m->cells[a->stage][a->index].pipe);
    *stage = a->stage;
    if (m->o.pace && paced[at] >= m->o.pace) return STUDY_HOLD_PACE;
    if (m->brake && jam[at] >= m->brake) return STUDY_HOLD_BRAKE;
    if (m->o.overflow != 1 && fifo_is_full(m, at, p->lane)) return STUDY_HOLD_DEPTH;
  }
  *stage = 0;
  if (p->num && p->accesses[0].stage == 0) {
    *to = m->cells[0][p->accesses[0].index].pipe;
    if (credit_left(m, 0, (uint32_t)*to, p->lane) <= 0) return STUDY_HOLD_CREDIT;
  } else {
    *to = first_pipe(m, p->lane);
    if (*to == -1) return STUDY_HOLD_CREDIT;
  }
  return window_has_room(m) ? ADMITTED : STUDY_HOLD_WINDOW;
}

static void admit(struct study_machine *m, uint32_t number, int32_t to) {
  struct study_packet *p = &m->packets[number];
  p->ticket = m->tickets;
  m->by_ticket[m->tickets++] = (int32_t)number;
  m->lane_next[p->lane]++;
  struct study_event come = {(int32_t)number, 0, 0, (uint8_t)to, p->lane, 0};
  if (to == OPEN) {
    m->undecided[owner(m, 0, p->lane)]++;
    m->leaving[m->num_leaving++] = come;
  } else {
    credit_add(m, 0, (uint32_t)to, p->lane, -1);
    m->known[to]++;
    m->view[to]++;
    study_later(m, EVENT_ARRIVAL, m->o.steered, come);
  }
  for (uint32_t i = 0; i < p->num; i++) {
    const struct sluice_trace_access *a = &p->accesses[i];
    struct study_cell *c = &m->cells[a->stage][a->index];
    uint32_t at = place(m, a->stage, c->pipe);
    p->where[i] = c->pipe;
    c->in_flight++;
    m->leaky[at]++;
    m->count[at]++;
    struct study_event e = {(int32_t)number, a->index, (uint8_t)a->stage, c->pipe, p->lane, 0};
    int32_t delay = m->o.phantom * (int32_t)a->stage;
    if (m->o.phantoms && delay) study_later(m, EVENT_PHANTOM, delay, e);
    else if (m->o.phantoms) study_expect(m, &e);
    study_count(m, a->stage, a->index, p->lane);
  }
}

static void drop(struct study_machine *m, uint32_t number) {
  struct study_packet *p = &m->packets[number];
  m->lane_next[p->lane]++;
  p->finished = true;
  m->done++;
  m->result->dropped++;
  m->result->overload++;
}

// Tries to admit, or drops; false: it and all behind it are held in this cycle.
static bool try_admit(struct study_machine *m, uint32_t number) {
  uint32_t stage;
  int32_t to;
  int why = why_held(m, &m->packets[number], &stage, &to);
  if (why == ADMITTED) {
    admit(m, number, to);
    return true;
  }
  if (m->old_overload[age(m, OVERLOAD_AGE)] ||
      (m->o.overflow == 2 && needs_full(m, &m->packets[number]))) {
    drop(m, number);
    return true;
  }
  m->result->held[why]++;
  m->result->stage[stage].held++;
  return false;
}

// In the order of arrival, then lane, until one must wait. A lane reads one packet a cycle, and
// nothing passes its second one.
static void admit_strictly(struct study_machine *m) {
  uint64_t given = 0;
  int32_t masks = 0;
  for (uint32_t first = m->next; m->next < m->n; m->next++) {
    const struct study_packet *p = &m->packets[m->next];
    if (p->arrival > (uint64_t)m->t) return;
    bool next_mask = m->next == first || p->arrival != p[-1].arrival;
    if (m->o.masks && next_mask && masks++ == m->o.masks) return;
    if (given >> p->lane & 1) {
      m->result->held[STUDY_HOLD_LANE]++;
      return;
    }
    if (!try_admit(m, m->next)) return;
    given |= UINT64_C(1) << p->lane;
  }
}

// Of the packets that stand first in their lanes, in that order: one may pass a lane's second.
static void admit_first_of_lanes(struct study_machine *m) {
  uint32_t heads[SLUICE_TRACE_LANES], num = 0;
  for (uint32_t k = 0; k < m->K; k++) {
    if (m->lane_next[k] == m->lane_come[k]) continue;
    uint32_t head = m->lane_list[m->lane_next[k]], i = num++;
    for (; i > 0 && heads[i - 1] > head; i--) heads[i] = heads[i - 1];
    heads[i] = head;
  }
  for (uint32_t i = 0; i < num; i++)
    if (!try_admit(m, heads[i])) return;
}

// A lane has its packets for a while before the order point sees them.
static void look_at_lanes(struct study_machine *m) {
  bool overload = false;
  for (uint32_t k = 0; k < m->K; k++) {
    uint32_t waiting = m->lane_come[k] - m->lane_next[k];
    if (waiting > m->result->deepest_lane) m->result->deepest_lane = waiting;
    if (!m->o.lane_limit) continue;
    while (m->lane_ahead[k] < m->lane_start[k + 1] &&
           m->packets[m->lane_list[m->lane_ahead[k]]].arrival <= (uint64_t)(m->t + m->o.lane_ahead))
      m->lane_ahead[k]++;
    overload |= m->lane_ahead[k] - m->lane_next[k] >= (uint32_t)m->o.lane_limit;
  }
  m->old_overload[age(m, 0)] = overload;
}

void study_admit(struct study_machine *m) {
  for (uint32_t i = 0; i < m->S * m->K; i++)
    if (m->leaky[i]) m->leaky[i]--;
  struct study_list *reports = study_due(m, EVENT_REPORT, 0);
  for (uint32_t i = 0; i < reports->num; i++) {
    const struct study_event *e = &reports->items[i];
    m->queued[place(m, e->stage, e->pipe) * m->K + e->source]--;
  }
  reports->num = 0;
  for (uint32_t k = 0; k < m->K; k++)
    while (m->lane_come[k] < m->lane_start[k + 1] &&
           m->packets[m->lane_list[m->lane_come[k]]].arrival <= (uint64_t)m->t)
      m->lane_come[k]++;
  m->num_leaving = 0;
  if (m->o.strict) admit_strictly(m);
  else admit_first_of_lanes(m);
  if (m->num_leaving) study_steer_group(m, 0, m->leaving, m->num_leaving);
  look_at_lanes(m);
}
