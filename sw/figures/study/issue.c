// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

enum { OUT = -1, LATER = -2 };  // where to: out of the machine; decided when it leaves the stage

static bool is_oldest(const struct study_machine *m, const struct study_packet *p) {
  return m->o.escape && p->ticket == m->seen_oldest;
}

struct choice {
  int32_t entry;  // of the queue; -1: none
  uint32_t list;  // of the stateless ones
  int32_t to;
  bool by_escape;
};

// May this packet go on, and where to?
static bool has_room(const struct study_machine *m, uint32_t stage, uint32_t pipe,
                     const struct study_packet *p, struct choice *c) {
  c->by_escape = false;
  c->to = OUT;
  if (stage == m->S - 1) return !m->o.exit || credit_of(m, m->S, p->lane, pipe) > 0;
  uint32_t next = stage + 1, source = place(m, next, owner(m, next, pipe)), number;
  bool spare = m->o.steer != 2 || m->credit_sum[source] > m->undecided[source];
  if (access_at(p, next, &number)) {
    c->to = p->where[number];
    if (spare && credit_left(m, next, (uint32_t)c->to, pipe) > 0) return true;
  } else if (m->o.steer == 2) {
    c->to = LATER;
    if (spare) return true;
  } else if (m->o.steer == 0) {
    c->to = (int32_t)pipe;
    if (credit_of(m, next, pipe, pipe) > 0) return true;
  } else {
    for (uint32_t j = 0; j < m->K; j++) {
      uint32_t d = (pipe + j) % m->K;
      if (credit_of(m, next, d, pipe) > 0 &&
          (c->to < 0 || m->view[place(m, next, d)] < m->view[place(m, next, (uint32_t)c->to)]))
        c->to = (int32_t)d;
    }
    if (c->to >= 0) return true;
  }
  if (!is_oldest(m, p)) return false;
  if (c->to < 0) c->to = (int32_t)pipe;
  c->by_escape = !m->escape_used[place(m, next, (uint32_t)c->to)];
  return c->by_escape;
}

// A move reads the old pipeline's state, or writes the new one's: true if it does so now.
static bool unit_moves(struct study_machine *m, uint32_t at) {
  struct study_queue *q = &m->order[at], *landing = &m->landing[at];
  uint32_t stage = at / m->K;
  bool lands = landing->num && !m->o.remap;
  if (!lands && q->num && queue_at(q, 0)->packet < 0) {
    struct study_entry e = *queue_at(q, 0);
    study_later(m, EVENT_VALUE, m->o.transfer,
                (struct study_event){-1, e.index, (uint8_t)stage, e.to, 0, 0});
    study_queue_erase(q, 0);
    return true;
  }
  if (!landing->num) return false;
  uint32_t index = queue_at(landing, 0)->index;
  m->cells[stage][index].moving = false;
  if (!m->o.remap)
    study_later(m, EVENT_LANDED, m->o.landed,
                (struct study_event){-1, index, (uint8_t)stage, (uint8_t)(at % m->K), 0, 0});
  study_queue_erase(landing, 0);
  return true;
}

// What stood in the way of a slot.
struct obstacle {
  bool credit, move;
};

static void choose_stateful(const struct study_machine *m, uint32_t stage, uint32_t pipe,
                            struct choice *choice, struct obstacle *obstacle) {
  const struct study_queue *q = &m->order[place(m, stage, pipe)];
  for (uint32_t i = 0; i < q->num && i < (uint32_t)m->o.window; i++) {
    const struct study_entry *e = queue_at(q, i);
    bool older = e->packet < 0;
    for (uint32_t j = 0; j < i; j++) older |= queue_at(q, j)->index == e->index;
    if (!older && m->packets[e->packet].at == stage &&
        (stage > 0 || m->t >= m->packets[e->packet].came + m->o.head)) {
      const struct study_cell *c = &m->cells[stage][e->index];
      if (c->moving && c->pipe == pipe) {
        obstacle->move = true;
      } else {
        obstacle->credit = true;
        if (has_room(m, stage, pipe, &m->packets[e->packet], choice)) {
          choice->entry = (int32_t)i;
          return;
        }
      }
    }
    if (!m->o.reorder) return;
  }
}

static void choose_stateless(const struct study_machine *m, uint32_t stage, uint32_t pipe,
                             struct choice *choice, struct obstacle *obstacle) {
  uint32_t at = place(m, stage, pipe), lists = m->o.lists ? m->K : 1;
  const struct study_queue *q = NULL;
  int32_t least = INT32_MAX;
  for (uint32_t i = 0; i < lists; i++) {
    const struct study_queue *list = &m->stateless[at * m->K + i];
    if (!list->num || m->packets[queue_at(list, 0)->packet].ticket >= least) continue;
    q = list;
    least = m->packets[queue_at(list, 0)->packet].ticket;
    choice->list = at * m->K + i;
  }
  if (!q) return;
  obstacle->credit = true;
  if (has_room(m, stage, pipe, &m->packets[queue_at(q, 0)->packet], choice)) {
    choice->entry = 0;
    return;
  }
  // The oldest packet overtakes; it is looked for only if it waits here.
  if (!m->o.escape || m->seen_oldest >= m->tickets) return;
  int32_t number = m->by_ticket[m->seen_oldest];
  const struct study_packet *p = &m->packets[number];
  if (p->at != stage || p->pipe != pipe) return;
  choice->list = list_at(m, at, p->source);
  q = &m->stateless[choice->list];
  for (uint32_t i = 0; i < q->num; i++)
    if (queue_at(q, i)->packet == number && has_room(m, stage, pipe, p, choice))
      choice->entry = (int32_t)i;
}

static void leave(struct study_machine *m, uint32_t stage, uint32_t pipe, int32_t number,
                  const struct choice *c) {
  struct study_packet *p = &m->packets[number];
  uint32_t at = place(m, stage, pipe), next = stage + 1;
  m->waiting[at]--;
  m->departed[at]++;
  p->at = NOWHERE;
  study_free_slot(m, p, at);
  struct study_event e = {number, 0, (uint8_t)next, (uint8_t)c->to, (uint8_t)pipe, 0};
  if (c->to == OUT) {
    m->result->last_out = (uint64_t)m->t;
    if (m->o.exit) {
      e.to = p->lane;
      credit_add(m, m->S, p->lane, pipe, -1);
      study_later(m, EVENT_EXIT, m->o.hop, e);
      m->leaving_exit++;
    }
    m->latency += (uint64_t)m->t - p->arrival;
    m->result->left++;
    study_finish(m, p);
  } else if (c->by_escape) {
    p->escaped = true;
    m->escape_used[place(m, next, (uint32_t)c->to)] = true;
    m->result->escapes++;
    study_later(m, EVENT_ARRIVAL, m->o.hop, e);
  } else if (c->to == LATER) {
    m->undecided[place(m, next, owner(m, next, pipe))]++;
    study_later(m, EVENT_DECISION, m->o.hop - m->o.steered, e);
  } else {
    credit_add(m, next, (uint32_t)c->to, pipe, -1);
    study_later(m, EVENT_ARRIVAL, m->o.hop, e);
  }
}

// Does it leave without a slot, for state at the next stage?
static bool turns_off(const struct study_machine *m, uint32_t stage, int32_t number) {
  uint32_t access;
  return m->o.beside && stage + 1 < m->S && access_at(&m->packets[number], stage + 1, &access);
}

static void leave_beside(struct study_machine *m, uint32_t stage, uint32_t pipe, uint32_t list) {
  struct study_queue *q = &m->stateless[list];
  for (uint32_t i = 0; i < q->num;) {
    int32_t number = queue_at(q, i)->packet;
    struct choice c = {(int32_t)i, list, OUT, false};
    if (!turns_off(m, stage, number) || !has_room(m, stage, pipe, &m->packets[number], &c)) {
      i++;
      continue;
    }
    study_queue_erase(q, i);
    m->result->stage[stage].beside++;
    leave(m, stage, pipe, number, &c);
  }
}

static void issue(struct study_machine *m, uint32_t stage, uint32_t pipe) {
  uint32_t at = place(m, stage, pipe);
  for (uint32_t i = 0; m->o.beside && i < m->K; i++) leave_beside(m, stage, pipe, at * m->K + i);
  struct study_queue *q = &m->order[at];
  struct study_stage *seen = &m->result->stage[stage];
  while (q->num && queue_at(q, 0)->packet >= 0 && m->packets[queue_at(q, 0)->packet].void_) {
    m->queued[at * m->K + m->packets[queue_at(q, 0)->packet].lane]--;
    study_queue_erase(q, 0);
  }
  if (q->num > seen->deepest) seen->deepest = q->num;
  struct choice a = {-1, 0, OUT, false}, b = {-1, 0, OUT, false};
  struct obstacle obstacle = {false, false};
  if (unit_moves(m, at)) obstacle.move = m->waiting[at] > 0;
  else choose_stateful(m, stage, pipe, &a, &obstacle);
  choose_stateless(m, stage, pipe, &b, &obstacle);
  if (a.entry < 0 && b.entry < 0) {
    uint64_t *why = obstacle.credit      ? &seen->credit
                    : obstacle.move      ? &seen->move
                    : m->waiting[at] > 0 ? &seen->order
                                         : &seen->nothing;
    ++*why;
    return;
  }
  seen->used++;
  struct study_queue *l = &m->stateless[b.list];
  bool stateless = a.entry < 0, both = false;
  if (a.entry >= 0 && b.entry >= 0) {
    int32_t ticket_a = m->packets[queue_at(q, (uint32_t)a.entry)->packet].ticket;
    int32_t ticket_b = m->packets[queue_at(l, (uint32_t)b.entry)->packet].ticket;
    both = turns_off(m, stage, queue_at(q, (uint32_t)a.entry)->packet);
    stateless = both || (m->o.first == 0 ? ticket_b < ticket_a : m->o.first == 1);
  }
  if (stateless) {
    int32_t number = queue_at(l, (uint32_t)b.entry)->packet;
    study_queue_erase(l, (uint32_t)b.entry);
    leave(m, stage, pipe, number, &b);
    if (!both) return;
    // That may have taken the last credit.
    if (!has_room(m, stage, pipe, &m->packets[queue_at(q, (uint32_t)a.entry)->packet], &a)) return;
    seen->beside++;
  }
  int32_t number = queue_at(q, (uint32_t)a.entry)->packet;
  struct study_packet *p = &m->packets[number];
  study_queue_erase(q, (uint32_t)a.entry);
  study_later(m, EVENT_REPORT, m->o.report,
              (struct study_event){number, 0, (uint8_t)stage, (uint8_t)pipe, p->lane, 0});
  study_access(m, p, p->next);
  leave(m, stage, pipe, number, &a);
}

void study_issue(struct study_machine *m) {
  for (uint32_t stage = m->S; stage-- > 0;)
    for (uint32_t k = 0; k < m->K; k++) issue(m, stage, (uint32_t)((k + m->t) % m->K));
}
