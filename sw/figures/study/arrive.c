// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

void study_finish(struct study_machine *m, struct study_packet *p) {
  p->finished = true;
  m->done++;
  while (m->oldest < m->tickets && m->packets[m->by_ticket[m->oldest]].finished) m->oldest++;
}

void study_access(struct study_machine *m, struct study_packet *p, uint32_t number) {
  const struct sluice_trace_access *a = &p->accesses[number];
  struct study_cell *c = &m->cells[a->stage][a->index];
  m->result->stage[a->stage].accesses++;
  c->in_flight--;
  p->next++;
  if (p->ticket > c->last) {
    c->last = p->ticket;
    return;
  }
  m->result->c1_accesses++;
  if (!p->late) m->result->c1_packets++;
  p->late = true;
}

void study_free_slot(struct study_machine *m, struct study_packet *p, uint32_t at) {
  if (p->escaped) {
    p->escaped = false;
    m->escape_used[at] = false;
    return;
  }
  // Boundary 0 gives its slots back to the order point.
  study_later(
      m, EVENT_FREED, at < m->K ? m->o.report : m->o.credit,
      (struct study_event){
          .stage = (uint8_t)(at / m->K), .pipe = (uint8_t)(at % m->K), .source = p->source});
}

// A packet is lost with the phantoms that it has further on.
static void drop(struct study_machine *m, struct study_packet *p) {
  for (uint32_t i = p->next; i < p->num; i++)
    m->cells[p->accesses[i].stage][p->accesses[i].index].in_flight--;
  p->void_ = true;
  m->result->dropped++;
  study_finish(m, p);
}

void study_expect(struct study_machine *m, const struct study_event *e) {
  uint32_t at = place(m, e->stage, e->pipe);
  if (e->packet >= 0) {
    struct study_packet *p = &m->packets[e->packet];
    if (p->void_ || p->doomed <= e->stage) return;
    if (m->o.overflow == 1 && fifo_is_full(m, at, p->lane)) {
      p->doomed = e->stage;
      return;
    }
    m->queued[at * m->K + p->lane]++;
  }
  study_queue_push(m, &m->order[at], (struct study_entry){e->packet, e->index, e->to});
}

static void come(struct study_machine *m, const struct study_event *e) {
  struct study_packet *p = &m->packets[e->packet];
  uint32_t number = 0, at = place(m, e->stage, e->pipe);
  const struct sluice_trace_access *a = access_at(p, e->stage, &number);
  struct study_event phantom = {e->packet, a ? a->index : 0, e->stage, e->pipe, 0, 0};
  if (a && !m->o.phantoms) study_expect(m, &phantom);
  p->source = e->source;
  if (p->doomed == e->stage) {
    m->departed[at]++;
    study_free_slot(m, p, at);
    drop(m, p);
    return;
  }
  p->at = e->stage;
  p->pipe = e->pipe;
  if (e->stage == 0) p->came = m->t;
  m->waiting[at]++;
  if (!a)
    study_queue_push(m, &m->stateless[list_at(m, at, p->source)],
                     (struct study_entry){e->packet, 0, 0});
}

void study_arrive(struct study_machine *m) {
  struct study_list *freed = study_due(m, EVENT_FREED, 0);
  for (uint32_t i = 0; i < freed->num; i++)
    credit_add(m, freed->items[i].stage, freed->items[i].pipe, freed->items[i].source, 1);
  freed->num = 0;
  struct study_list *landed = study_due(m, EVENT_LANDED, 0);
  for (uint32_t i = 0; i < landed->num; i++) study_landed(m, &landed->items[i]);
  landed->num = 0;
  struct study_list *phantoms = study_due(m, EVENT_PHANTOM, 0);
  for (uint32_t i = 0; i < phantoms->num; i++) study_expect(m, &phantoms->items[i]);
  phantoms->num = 0;
  struct study_list *arrivals = study_due(m, EVENT_ARRIVAL, 0);
  for (uint32_t i = 0; i < arrivals->num; i++) come(m, &arrivals->items[i]);
  arrivals->num = 0;
}
