// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "study.h"

/// The state of a run, private to this folder. Each file works on its part once a cycle, in this
/// order: arrive.c lets packets arrive, remap.c and round.c move indices, steer.c chooses
/// pipelines, exit.c empties the exit, issue.c issues, order.c admits.

/// A packet waits in at most one place.
enum { NOWHERE = 255, AGES = 16, STUDY_BANKS = 16 };

struct study_packet {
  const struct sluice_trace_access *accesses;  // by rising stage
  uint32_t arrival, offered;
  int32_t ticket;  // -1: not admitted
  int64_t came;    // to boundary 0
  uint8_t lane;
  uint8_t num;                           // accesses
  uint8_t next;                          // the first access that is not done
  uint8_t at;                            // boundary where it waits, or NOWHERE
  uint8_t pipe;                          // where it waits
  uint8_t source;                        // whose bank it is in
  bool escaped;                          // it is in an escape slot
  bool finished;                         // out of the machine
  bool void_;                            // dropped inside: its phantoms count for nothing
  bool late;                             // it has accessed a state out of order
  uint8_t doomed;                        // boundary where its phantom was dropped, or NOWHERE
  uint8_t where[SLUICE_TRACE_ACCESSES];  // pipelines of its accesses, from admission on
};

/// One counter of accesses.
struct study_counter {
  uint32_t home, count;
};

/// What a remap as built knows of a stage (remap.c).
struct study_round {
  struct study_counter *table;  // bank after bank
  struct study_counter best[STUDY_BANKS];
  uint32_t pending[STUDY_BANKS];  // accesses that are to be counted
  bool count[STUDY_BANKS], stalled[STUDY_BANKS], asked[STUDY_BANKS];
  uint32_t at[STUDY_BANKS];  // the scan
  uint32_t state, step, timer, rounds, bank;
  uint32_t high, low, under_way, fade, homes, victim;
  int32_t most, least;
  int64_t half;
};

/// In an order queue: a phantom, or (packet -1) a move of `index` to pipeline `to`. In a queue of
/// stateless packets: a packet.
struct study_entry {
  int32_t packet;
  uint32_t index;
  uint8_t to;
};

struct study_queue {
  struct study_entry *items;
  uint32_t room, head, num;  // room is a power of two
};

/// What happens later: rings of lists, one list a cycle.
enum study_kind {
  EVENT_FREED,     // a slot of bank (pipe, source) at boundary `stage`
  EVENT_ARRIVAL,   // of a packet at (stage, pipe)
  EVENT_DECISION,  // a packet of `source` must be steered into boundary `stage`
  EVENT_REPORT,    // lane `source` has room again in its FIFO of phantoms at (stage, pipe)
  EVENT_VALUE,     // of `index` comes to (stage, pipe)
  EVENT_PHANTOM,   // comes to (stage, pipe): an entry of its order queue
  EVENT_EXIT,      // a packet of (`source`, `pipe`) comes to the exit of lane `to`
  EVENT_MOVE,      // `index` of `stage` moves to pipeline `to`
  EVENT_LANDED,    // of `index`: the remap hears of it
  EVENT_KINDS,
};

struct study_event {
  int32_t packet;
  uint32_t index;
  uint8_t stage, pipe, source, to;
};

struct study_list {
  struct study_event *items;
  uint32_t num, room;
};

/// One index of a stage.
struct study_cell {
  int32_t last;        // youngest ticket that accessed it
  uint32_t busy;       // estimated accesses
  uint32_t in_flight;  // packets admitted that will access it
  uint8_t pipe;        // where it lives
  uint8_t home;        // where it lived at first
  bool moving;         // its value is still to come there
  bool under_way;      // the remap has not heard that it is there
  bool touched;        // an access was sampled since the last look
  uint8_t idle;        // looks that saw none
};

struct study_index_list {
  uint32_t *items;
  uint32_t num;
};

struct study_machine {
  struct study_options o;
  struct study_result *result;
  uint32_t K, S, n, entries;
  int32_t brake;
  int64_t t;
  bool nomem;
  struct study_packet *packets;  // in the order of arrival, then lane
  struct sluice_trace_access *accesses;
  uint32_t *lane_list;  // packets of lane k: lane_list[lane_start[k]] ..
  uint32_t lane_start[SLUICE_TRACE_LANES + 1];
  uint32_t lane_next[SLUICE_TRACE_LANES], lane_come[SLUICE_TRACE_LANES];
  uint32_t lane_ahead[SLUICE_TRACE_LANES];         // packets that the lane has
  uint32_t next;                                   // strict order: the next packet
  int32_t *by_ticket;                              // packet of a ticket
  struct study_event leaving[SLUICE_TRACE_LANES];  // the order point, in this cycle
  uint32_t num_leaving;
  int32_t tickets, oldest, seen_oldest;
  uint64_t done, latency;

  struct study_list *wheel;  // [kind][cycle modulo wheel_size]
  uint32_t wheel_size;

  // Indexed by place(): stage, pipeline.
  struct study_queue *order, *stateless, *landing;
  int32_t *waiting, *leaky, *known, *departed, *view, *count;
  int32_t *undecided, *credit_sum;                  // here the pipeline is the source
  int32_t *steered_to;                              // likewise: where its last open packet went
  int64_t *wary;                                    // likewise: when that needs a second credit
  int32_t *old_waiting, *old_leaky, *old_departed;  // [cycle modulo AGES][place]
  int32_t old_oldest[AGES], old_tickets[AGES];
  bool old_overload[AGES];
  bool *escape_used;
  int32_t *credit;  // [place][source]
  int32_t *queued;  // [place][lane]
  int32_t *exit;    // [lane][pipeline]: packets at the exit, which is boundary S for credits
  uint32_t exit_turn[SLUICE_TRACE_LANES], leaving_exit;

  // Indexed by stage.
  struct study_cell *cells[SLUICE_TRACE_STAGES];        // NULL: no state
  struct study_index_list active[SLUICE_TRACE_STAGES];  // indices with busy > 0
  int32_t away[SLUICE_TRACE_STAGES];                    // indices that are not at home
  struct study_round round[SLUICE_TRACE_STAGES];
  int32_t timer;
  uint32_t draw;     // bits of rtl/cells/sluice_draw.sv
  uint64_t draw_at;  // of this turn
};

static inline uint32_t place(const struct study_machine *m, uint32_t stage, uint32_t pipe) {
  return stage * m->K + pipe;
}

/// Cycles of the chip, one behind the order point: what goes in turn goes by this.
static inline uint64_t turns(const struct study_machine *m) {
  return (uint64_t)(m->t + m->o.start + m->o.lane_ahead + 1);
}

/// Where a ring of AGES keeps what was so many cycles ago.
static inline uint32_t age(const struct study_machine *m, int32_t cycles) {
  return (uint32_t)((m->t - cycles + 100 * AGES) % AGES);
}

/// The access that the packet has at this stage, or NULL. `stage` is where it waits or the next.
static inline const struct sluice_trace_access *access_at(const struct study_packet *p,
                                                          uint32_t stage, uint32_t *number) {
  uint32_t i = p->next;
  while (i < p->num && p->accesses[i].stage < stage) i++;
  if (i == p->num || p->accesses[i].stage != stage) return NULL;
  *number = i;
  return &p->accesses[i];
}

/// Whose credits a source has: its own, or with a pool everybody's.
static inline uint32_t owner(const struct study_machine *m, uint32_t stage, uint32_t source) {
  return m->o.pool && stage < m->S ? 0 : source;
}

static inline void credit_add(struct study_machine *m, uint32_t stage, uint32_t pipe,
                              uint32_t source, int32_t add) {
  source = owner(m, stage, source);
  m->credit[place(m, stage, pipe) * m->K + source] += add;
  m->credit_sum[place(m, stage, source)] += add;
}

static inline int32_t credit_of(const struct study_machine *m, uint32_t stage, uint32_t pipe,
                                uint32_t source) {
  return m->credit[place(m, stage, pipe) * m->K + owner(m, stage, source)];
}

/// Has the lane's FIFO of phantoms at that stage and pipeline no room?
static inline bool fifo_is_full(const struct study_machine *m, uint32_t at, uint32_t lane) {
  return m->o.depth && m->queued[at * m->K + lane] >= m->o.depth;
}

/// The credits that a packet finds whose place is fixed. What is steered in the same cycle might
/// take any of them.
static inline int32_t credit_left(const struct study_machine *m, uint32_t stage, uint32_t pipe,
                                  uint32_t source) {
  uint32_t at = place(m, stage, owner(m, stage, source));
  bool other = m->wary[at] == m->t && m->steered_to[at] != (int32_t)pipe;
  return credit_of(m, stage, pipe, source) - (m->o.wary && other);
}

/// The list of stateless packets from a source.
static inline uint32_t list_at(const struct study_machine *m, uint32_t at, uint32_t source) {
  return at * m->K + (m->o.lists ? source : 0);
}

static inline struct study_entry *queue_at(const struct study_queue *q, uint32_t i) {
  return &q->items[(q->head + i) & (q->room - 1)];
}

// queue.c
void study_queue_push(struct study_machine *m, struct study_queue *q, struct study_entry entry);
void study_queue_erase(struct study_queue *q, uint32_t i);
void study_later(struct study_machine *m, enum study_kind kind, int32_t cycles,
                 struct study_event event);
/// The list of the cycle that is `cycles` ahead.
struct study_list *study_due(struct study_machine *m, enum study_kind kind, int32_t cycles);

// machine.c
bool study_machine_init(struct study_machine *m, const struct study_options *o,
                        const struct sluice_trace *trace, struct study_result *result);
void study_machine_release(struct study_machine *m);

// arrive.c: arrivals, phantoms and credits that are due
void study_arrive(struct study_machine *m);
/// Puts a phantom, or a move, into its order queue.
void study_expect(struct study_machine *m, const struct study_event *event);
/// Notes an access to state; the one place that knows C1.
void study_access(struct study_machine *m, struct study_packet *p, uint32_t number);
/// Gives back the slot of the bank, or of the escape, that the packet is in.
void study_free_slot(struct study_machine *m, struct study_packet *p, uint32_t at);
/// A packet is out of the machine.
void study_finish(struct study_machine *m, struct study_packet *p);

// issue.c: one issue a (stage, pipeline)
void study_issue(struct study_machine *m);

// exit.c: the queues before the lanes
void study_exit(struct study_machine *m);

// remap.c
void study_remap(struct study_machine *m);
void study_count(struct study_machine *m, uint32_t stage, uint32_t index, uint32_t lane);

// round.c: the remap as built
void study_round_start(struct study_machine *m);
void study_round(struct study_machine *m, uint32_t stage);
void study_round_count(struct study_machine *m, uint32_t stage, uint32_t index);
void study_landed(struct study_machine *m, const struct study_event *event);

// steer.c: keeps the aged copies of the counts, and steers what leaves a stage
void study_steer(struct study_machine *m);
/// Steers packets that leave together into boundary `stage`; they arrive `steered` cycles later.
void study_steer_group(struct study_machine *m, uint32_t stage, struct study_event *group,
                       uint32_t num);

// order.c
void study_admit(struct study_machine *m);

// recirculate.c: a machine of another kind, the same packets
void study_recirculate(struct study_machine *m);
