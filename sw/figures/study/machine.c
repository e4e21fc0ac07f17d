// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/rng.h"

enum { PLENTY = 1 << 24 };  // slots of a bank that is as large as it takes

// All memory comes from here; what fails is noticed once, at the end.
static void *take(struct study_machine *m, size_t num, size_t each) {
  void *p = calloc(num ? num : 1, each);
  if (!p) m->nomem = true;
  return p;
}

static void make_cells(struct study_machine *m, uint32_t stage) {
  if (m->cells[stage]) return;
  struct study_cell *cells = m->cells[stage] = take(m, m->entries, sizeof *cells);
  m->active[stage].items = take(m, m->entries, sizeof(uint32_t));
  if (!m->o.remap)
    m->round[stage].table = take(m, (size_t)m->o.table, sizeof(struct study_counter));
  if (m->nomem) return;
  for (uint32_t i = 0; i < m->entries; i++) cells[i].last = -1;
}

// Places are drawn stage after stage, so that they do not depend on the order of the flows.
static void settle(struct study_machine *m) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, (uint64_t)m->o.seed, "study places");
  for (uint32_t stage = 0; stage < m->S; stage++) {
    struct study_cell *cells = m->cells[stage];
    for (uint32_t i = 0; cells && i < m->entries; i++) {
      uint64_t pipe = m->o.place == 0   ? (i + (uint32_t)m->o.base) % m->K
                      : m->o.place == 1 ? (uint64_t)i * m->K / m->entries
                      : m->o.place == 2 ? sluice_rng_below(&rng, m->K)
                                        : 0;
      cells[i].pipe = cells[i].home = (uint8_t)pipe;
    }
  }
}

static int by_stage(const void *a, const void *b) {
  const struct sluice_trace_access *x = a, *y = b;
  return (x->stage > y->stage) - (x->stage < y->stage);
}

static void make_packets(struct study_machine *m, const struct sluice_trace *trace) {
  size_t each = SLUICE_TRACE_ACCESSES;
  m->accesses = take(m, trace->num_flows * each, sizeof *m->accesses);
  m->packets = take(m, m->n, sizeof *m->packets);
  m->by_ticket = take(m, m->n, sizeof *m->by_ticket);
  m->lane_list = take(m, m->n, sizeof *m->lane_list);
  for (uint32_t i = 0; i < trace->num_flows && !m->nomem; i++) {
    const struct sluice_trace_flow *f = &trace->flows[i];
    memcpy(m->accesses + i * each, f->accesses, f->num * sizeof *m->accesses);
    qsort(m->accesses + i * each, f->num, sizeof *m->accesses, by_stage);
    for (uint32_t a = 0; a < f->num; a++) make_cells(m, f->accesses[a].stage);
  }
  if (m->nomem) return;
  for (uint32_t i = 0; i < m->n; i++) {
    const struct sluice_trace_packet *from = &trace->packets[i];
    struct study_packet *p = &m->packets[i];
    *p = (struct study_packet){.arrival = from->arrival,
                               .offered = from->time,
                               .ticket = -1,
                               .lane = (uint8_t)from->lane,
                               .at = NOWHERE,
                               .doomed = NOWHERE};
    if (from->flow != SLUICE_TRACE_NO_FLOW) {
      p->accesses = m->accesses + from->flow * each;
      p->num = (uint8_t)trace->flows[from->flow].num;
    }
    m->lane_start[from->lane + 1]++;
    if (from->time > m->result->last_in) m->result->last_in = from->time;
  }
  for (uint32_t k = 0; k < m->K; k++) {
    m->lane_start[k + 1] += m->lane_start[k];
    m->lane_next[k] = m->lane_come[k] = m->lane_start[k];
  }
  for (uint32_t i = 0; i < m->n; i++) m->lane_list[m->lane_come[m->packets[i].lane]++] = i;
  for (uint32_t k = 0; k < m->K; k++) m->lane_come[k] = m->lane_ahead[k] = m->lane_start[k];
}

static void make_wheel(struct study_machine *m) {
  const struct study_options *o = &m->o;
  uint32_t S = m->S, longest = (uint32_t)(o->hop > o->credit ? o->hop : o->credit);
  if ((uint32_t)o->report > longest) longest = (uint32_t)o->report;
  if ((uint32_t)o->landed > longest) longest = (uint32_t)o->landed;
  if ((uint32_t)o->transfer > longest) longest = (uint32_t)o->transfer;
  if ((uint32_t)o->phantom * S > longest) longest = (uint32_t)o->phantom * S;
  if (o->mode == STUDY_RECIRCULATION) longest = (uint32_t)(o->hop * (int32_t)S + 1 + o->loop);
  for (m->wheel_size = 8; m->wheel_size < longest + 2;) m->wheel_size *= 2;
  m->wheel = take(m, (size_t)EVENT_KINDS * m->wheel_size, sizeof *m->wheel);
}

bool study_machine_init(struct study_machine *m, const struct study_options *o,
                        const struct sluice_trace *trace, struct study_result *result) {
  memset(m, 0, sizeof *m);
  m->o = *o;
  m->result = result;
  m->K = trace->lanes;
  m->S = result->stages;
  m->n = trace->num_packets;
  m->entries = trace->entries;
  m->t = -1;
  m->timer = o->period ? o->period - o->phase % o->period : 0;
  m->brake = o->brake >= 0 ? o->brake : (o->pool ? o->pool : o->bank * (int32_t)m->K) * 3 / 4;
  if (o->in_flight < 0) m->o.in_flight = m->K > 4 ? 256 * (int32_t)m->K : 1024;
  make_packets(m, trace);
  if (!m->nomem) settle(m);
  make_wheel(m);

  size_t places = (size_t)m->S * m->K, number = sizeof(int32_t);
  m->order = take(m, places, sizeof *m->order);
  m->stateless = take(m, places * m->K, sizeof *m->stateless);
  m->landing = take(m, places, sizeof *m->landing);
  int32_t **const counts[] = {&m->waiting, &m->leaky, &m->known,     &m->departed,
                              &m->view,    &m->count, &m->undecided, &m->credit_sum};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    *counts[i] = take(m, places + m->K, number);
  m->steered_to = take(m, places, number);
  m->wary = take(m, places, sizeof *m->wary);
  m->old_waiting = take(m, places * AGES, number);
  m->old_leaky = take(m, places * AGES, number);
  m->old_departed = take(m, places * AGES, number);
  m->escape_used = take(m, places, sizeof(bool));
  m->credit = take(m, (places + m->K) * m->K, number);
  m->exit = take(m, (size_t)m->K * m->K, number);
  m->queued = take(m, places * m->K, number);
  if (m->nomem) return false;
  int32_t bank = o->bank ? o->bank : PLENTY;
  for (size_t i = 0; i < (places + m->K) * m->K; i++) m->credit[i] = bank;
  for (size_t i = 0; i < places; i++) {
    if (o->pool) m->credit[i * m->K] = o->pool;
    m->credit_sum[i] = (o->pool ? o->pool : bank) * (int32_t)m->K;
    m->wary[i] = -1;
  }
  study_round_start(m);
  return true;
}

static void free_queues(struct study_queue *queues, size_t num) {
  for (size_t i = 0; queues && i < num; i++) free(queues[i].items);
  free(queues);
}

void study_machine_release(struct study_machine *m) {
  size_t places = (size_t)m->S * m->K;
  free_queues(m->order, places);
  free_queues(m->stateless, places * m->K);
  free_queues(m->landing, places);
  for (size_t i = 0; m->wheel && i < (size_t)EVENT_KINDS * m->wheel_size; i++)
    free(m->wheel[i].items);
  for (uint32_t stage = 0; stage < SLUICE_TRACE_STAGES; stage++) {
    free(m->cells[stage]);
    free(m->active[stage].items);
    free(m->round[stage].table);
  }
  void *const rest[] = {
      m->exit,         m->wheel,       m->accesses,   m->packets,  m->by_ticket,   m->lane_list,
      m->waiting,      m->leaky,       m->known,      m->departed, m->view,        m->count,
      m->credit,       m->undecided,   m->credit_sum, m->queued,   m->old_waiting, m->old_leaky,
      m->old_departed, m->escape_used, m->steered_to, m->wary};
  for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) free(rest[i]);
  memset(m, 0, sizeof *m);
}
