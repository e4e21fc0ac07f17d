// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "machine.h"

// Of the packets that leave a stage together the i-th goes to the i-th emptiest next pipeline;
// both orders turn by one each cycle, so that nobody is favoured.
void study_steer_group(struct study_machine *m, uint32_t stage, struct study_event *group,
                       uint32_t num) {
  uint32_t K = m->K, turn = (uint32_t)(turns(m) % K), rank[SLUICE_TRACE_LANES];
  const int32_t *cost = &m->view[place(m, stage, 0)];
  for (uint32_t j = 0; j < K; j++) {
    uint32_t pipe = (j + turn) % K, i = j;
    for (; i > 0 && cost[rank[i - 1]] > cost[pipe]; i--) rank[i] = rank[i - 1];
    rank[i] = pipe;
  }
  for (uint32_t j = 1; j < num; j++) {
    struct study_event e = group[j];
    uint32_t i = j;
    for (; i > 0 && (group[i - 1].source + turn) % K > (e.source + turn) % K; i--)
      group[i] = group[i - 1];
    group[i] = e;
  }
  for (uint32_t i = 0; i < num; i++) {
    uint32_t source = group[i].source, j = 0, mine = place(m, stage, owner(m, stage, source));
    // The sum of the source's credits was above what is undecided: there is one.
    while (j < K - 1 && credit_of(m, stage, rank[(i + j) % K], source) <= 0) j++;
    uint32_t to = rank[(i + j) % K];
    credit_add(m, stage, to, source, -1);
    m->undecided[mine]--;
    m->known[place(m, stage, to)]++;
    m->steered_to[mine] = (int32_t)to;
    // The order point admits before it steers: what follows it is wary in the next cycle.
    m->wary[mine] = m->t + (stage == 0);
    group[i].pipe = (uint8_t)to;
    study_later(m, EVENT_ARRIVAL, m->o.steered, group[i]);
  }
}

void study_steer(struct study_machine *m) {
  uint32_t places = m->S * m->K, now = age(m, 0);
  size_t size = places * sizeof(int32_t);
  memcpy(m->old_departed + now * places, m->departed, size);
  memcpy(m->old_waiting + now * places, m->waiting, size);
  memcpy(m->old_leaky + now * places, m->leaky, size);
  m->old_oldest[now] = m->oldest;
  m->old_tickets[now] = m->tickets;
  m->seen_oldest = m->old_oldest[age(m, m->o.oldest_age)];
  if (!m->o.steer) return;

  // Where a stateful packet goes counts from the same cycle on.
  const struct study_list *fixed = study_due(m, EVENT_ARRIVAL, m->o.steered);
  for (uint32_t i = 0; i < fixed->num; i++)
    m->known[place(m, fixed->items[i].stage, fixed->items[i].pipe)]++;
  const int32_t *departed = m->old_departed + age(m, m->o.stale) * places;
  for (uint32_t i = 0; i < places; i++) m->view[i] = m->known[i] - departed[i];

  struct study_list *leaving = study_due(m, EVENT_DECISION, 0);
  struct study_event group[SLUICE_TRACE_LANES];
  for (uint32_t stage = 1; leaving->num && stage < m->S; stage++) {
    uint32_t num = 0;
    for (uint32_t i = 0; i < leaving->num; i++)
      if (leaving->items[i].stage == stage) group[num++] = leaving->items[i];
    study_steer_group(m, stage, group, num);
  }
  leaving->num = 0;
}
