// SPDX-License-Identifier: Apache-2.0
// Today's switch with several pipelines (MP5, section 2.3): nothing waits inside, and a packet that
// needs the state of another pipeline comes in again through that pipeline's input.
#include "machine.h"

// One pass: the packet accesses states as long as the next one is in this pipeline. An index lives
// in one pipeline, so that the order of entering is the order of accesses.
static void pass(struct study_machine *m, uint32_t number, uint32_t pipe, int32_t constant) {
  struct study_packet *p = &m->packets[number];
  for (uint32_t s = 0; s < m->S; s++) m->result->stage[s].used++;
  while (p->next < p->num && p->where[p->next] == pipe) study_access(m, p, p->next);
  if (p->next < p->num) {
    m->result->recirculations++;
    study_later(m, EVENT_ARRIVAL, constant + m->o.loop,
                (struct study_event){(int32_t)number, 0, 0, p->where[p->next], 0, 0});
    return;
  }
  uint64_t out = (uint64_t)(m->t + constant);
  if (out > m->result->last_out) m->result->last_out = out;
  m->latency += out - p->arrival;
  m->result->left++;
  study_finish(m, p);
}

static void enter(struct study_machine *m, uint32_t number) {
  struct study_packet *p = &m->packets[number];
  for (uint32_t i = 0; i < p->num; i++) {
    struct study_cell *c = &m->cells[p->accesses[i].stage][p->accesses[i].index];
    p->where[i] = c->pipe;
    c->in_flight++;
  }
}

void study_recirculate(struct study_machine *m) {
  int32_t constant = (int32_t)(m->S - 1) * m->o.hop + 1;
  // One logical pipeline would take them in the order of arrival, then lane.
  for (uint32_t i = 0; i < m->n; i++) m->packets[i].ticket = (int32_t)i;
  while (m->done < m->n && !m->nomem) {
    if (m->t == m->o.limit) {
      m->result->stuck = true;
      break;
    }
    m->t++;
    struct study_list *again = study_due(m, EVENT_ARRIVAL, 0);
    for (uint32_t i = 0; i < again->num; i++)
      study_queue_push(m, &m->order[again->items[i].pipe],
                       (struct study_entry){again->items[i].packet, 0, 0});
    again->num = 0;
    for (uint32_t k = 0; k < m->K; k++) {
      struct study_queue *q = &m->order[k];
      if (q->num > m->result->stage[0].deepest) m->result->stage[0].deepest = q->num;
      uint32_t *come = &m->lane_come[k];
      while (*come < m->lane_start[k + 1] &&
             m->packets[m->lane_list[*come]].arrival <= (uint64_t)m->t)
        ++*come;
      if (q->num) {
        uint32_t number = (uint32_t)queue_at(q, 0)->packet;
        study_queue_erase(q, 0);
        pass(m, number, k, constant);
      } else if (m->lane_next[k] < *come) {
        uint32_t number = m->lane_list[m->lane_next[k]++];
        enter(m, number);
        pass(m, number, k, constant);
      }
      if (*come - m->lane_next[k] > m->result->deepest_lane)
        m->result->deepest_lane = *come - m->lane_next[k];
    }
  }
  for (uint32_t s = 0; s < m->S; s++)
    m->result->stage[s].nothing = (uint64_t)(m->t + 1) * m->K - m->result->stage[s].used;
}
