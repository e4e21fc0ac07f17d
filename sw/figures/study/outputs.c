// SPDX-License-Identifier: Apache-2.0
#include "outputs.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/rng.h"

const char *const outputs_way_names[OUTPUTS_WAYS] = {"copies", "store", "pool"};

const struct study_option outputs_option_table[] = {
#define OUTPUTS_ROW(field, name, preset, least, most, help) \
  {name, offsetof(struct outputs_options, field), preset, least, most, help},
    OUTPUTS_OPTIONS(OUTPUTS_ROW)
#undef OUTPUTS_ROW
        {0}};

void outputs_options_init(struct outputs_options *o) { study_preset(o, outputs_option_table); }

// ---- the machine --------------------------------------------------------------------------------

enum {
  MAX_LANES = 16,
  HEADER_BEATS = 2,   // of 64 bytes
  EXIT_CYCLES = 1,    // from the last back stage to the read of a header at the exit
  MARK_CYCLES = 5,    // from there to the packet in its queues
  FETCH_CYCLES = 2,   // from the request for a header to its choice
  READER_CYCLES = 5,  // from the request for a body to its first beat
  TURN_CYCLES = 12,   // a copy that has waited so long could have been sent
  WRITE_PLACES = 4,   // write-backs that may wait
  // Packets on their way through the chip and the exit: more than inside + MARK_CYCLES
  RING = 256,
};

struct packet {
  uint32_t slot, targets;    // output lanes that are to get it
  uint32_t headers, bodies;  // copies whose header, whose body must still be read
  bool written;              // its header is where it is read
  bool left;                 // its slot is free
};

// Packets of one lane that wait for one output lane, oldest first. They are numbered: those below
// `chosen` are sent (the last one's body may still be read), those below `fetched` have been asked
// for.
struct pair {
  uint32_t *packet;  // by number modulo `ring`
  uint64_t *since;   // the same: cycle of the push
  uint64_t pushed, chosen, fetched;
  uint64_t there[2 + FETCH_CYCLES];  // headers that come: by cycle
  uint32_t headers;                  // fetched and there
  uint64_t bodies;                   // number of the body that is read, or is to be
  uint32_t body_beats;               // read of it
  uint32_t beats;                    // read ahead, and not sent
  uint32_t whole;                    // bodies of them that are complete
  uint64_t sent;                     // beats on the line, for the turn
  uint64_t turn;                     // cycle of its last choice
};

// Free numbers, those that were free longest first.
struct list {
  uint32_t *item, size, head, count;
};

struct lane {
  struct packet *packets;      // those that are stored, or whose header is in the pool
  struct list slots, numbers;  // free ones: of the buffer, of `packets`
  uint32_t cells, pool;        // in use
  double next_in;              // cycle in which the next packet has come in
  // Packets inside: number + 1, by the cycle in which they reach the exit
  uint32_t ring[RING];
  uint32_t write_back[WRITE_PLACES + 1], writes;  // packets whose header waits to be written back
  unsigned body_turn, header_turn;
};

struct wire {
  bool busy;
  unsigned source;
  uint32_t header_left, body_left;
  uint64_t now;  // beats sent by the queue chosen last, at its choice
};

struct machine {
  struct outputs_options o;
  struct outputs_result *r;
  struct sluice_rng rng;
  uint64_t t;
  bool counts;
  unsigned k;
  uint64_t ring;  // places of a queue, and the packet that is being sent
  uint32_t beats, header_beats, body_beats;
  double gap;  // mean of the cycles between two packets of a lane
  struct lane lane[MAX_LANES];
  struct pair pair[MAX_LANES][MAX_LANES];  // [source][output lane]
  struct wire wire[MAX_LANES];
};

static struct packet *at(struct machine *m, unsigned l, unsigned d, uint64_t number) {
  return &m->lane[l].packets[m->pair[l][d].packet[number % m->ring]];
}

static uint32_t take(struct list *l) {
  uint32_t item = l->item[l->head];
  l->head = (l->head + 1) % l->size;
  l->count--;
  return item;
}

static void give(struct list *l, uint32_t item) {
  l->item[(l->head + l->count++) % l->size] = item;
}

// A slot is free when nobody reads it any more: of copied and pooled headers only the body is in
// the buffer.
static void release(struct machine *m, unsigned l, struct packet *p) {
  struct lane *a = &m->lane[l];
  if (p->bodies || (m->o.way == OUTPUTS_STORE && p->headers)) return;
  if (!p->left) {
    give(&a->slots, p->slot);
    a->cells -= m->body_beats;
    p->left = true;
  }
  if (p->headers == 0) give(&a->numbers, (uint32_t)(p - a->packets));
}

static uint32_t draw_targets(struct machine *m, unsigned l) {
  uint32_t set = 0;
  for (int32_t i = 0; i < m->o.copies; i++) {
    unsigned d = (l + (unsigned)i) % m->k;
    while (m->o.spread && set >> (d = (unsigned)sluice_rng_below(&m->rng, m->k)) & 1) {}
    set |= 1u << d;
  }
  return set;
}

// A packet ends on the bus; it takes its slot then (the chip takes it with the first beat).
static bool arrive(struct machine *m, unsigned l, uint32_t *slot) {
  struct lane *a = &m->lane[l];
  if ((double)m->t < a->next_in) return false;
  double wait = m->gap > 0 ? m->gap * (sluice_rng_unit(&m->rng) + sluice_rng_unit(&m->rng)) : 0;
  a->next_in += m->beats + wait;
  if (m->counts) {
    m->r->packets++;
    m->r->offered += (uint64_t)m->beats * (uint64_t)m->o.copies;
  }
  if (a->slots.count == 0 || a->cells + m->body_beats > (uint32_t)m->o.cells) {
    if (m->counts) m->r->no_slot++;
    return false;
  }
  *slot = take(&a->slots);
  a->cells += m->body_beats;
  uint32_t number = take(&a->numbers);
  a->packets[number] = (struct packet){.slot = *slot, .targets = draw_targets(m, l)};
  a->ring[(m->t + (uint64_t)m->o.inside) % RING] = number + 1;
  uint32_t used = a->slots.size - a->slots.count;
  if (used > m->r->most_slots) m->r->most_slots = used;
  return true;
}

// Nothing stands between a packet that comes and the headers that a pair has ahead: its header goes
// there at once.
static bool goes_straight(const struct machine *m, const struct pair *q) {
  if (!m->o.straight || m->o.way != OUTPUTS_POOL) return false;
  if (q->fetched != q->pushed || q->fetched - q->chosen >= (uint64_t)m->o.ahead) return false;
  for (unsigned i = 0; i < 2 + FETCH_CYCLES; i++)
    if (q->there[i]) return false;
  return true;
}

// Admission: each of its queues that has room takes the packet.
static void push(struct machine *m, unsigned l, uint32_t number) {
  struct lane *a = &m->lane[l];
  struct packet *p = &a->packets[number];
  uint32_t taken = 0, straight = 0;
  bool pool_full = m->o.way == OUTPUTS_POOL && a->pool == (uint32_t)m->o.pool;
  bool lost = m->o.way == OUTPUTS_STORE && a->writes == WRITE_PLACES;
  if (lost && m->counts) m->r->no_write++;
  for (unsigned d = 0; d < m->k && !lost; d++) {
    struct pair *q = &m->pair[l][d];
    if (!(p->targets >> d & 1)) continue;
    if (q->pushed - q->chosen == (uint64_t)m->o.depth) {
      if (m->counts) m->r->no_place++;
      continue;
    }
    bool now = goes_straight(m, q);
    if (!now && pool_full) {
      if (m->counts) m->r->no_pool++;
      continue;
    }
    q->packet[q->pushed % m->ring] = number;
    q->since[q->pushed % m->ring] = m->t;
    q->pushed++;
    q->fetched += now;
    q->headers += now;
    straight += now;
    taken++;
  }
  p->headers = m->o.way == OUTPUTS_COPIES ? 0 : taken - straight;
  p->bodies = m->body_beats ? taken : 0;
  p->written = m->o.way != OUTPUTS_STORE;
  if (taken && m->o.way == OUTPUTS_STORE) a->write_back[a->writes++] = number;
  if (p->headers && m->o.way == OUTPUTS_POOL && ++a->pool > m->r->most_pool)
    m->r->most_pool = a->pool;
  release(m, l, p);
}

// Headers that wait are written back, up to `ports` a cycle, each to another bank, and none to that
// in which the packet that comes in is written. The oldest first.
static void write_back(struct machine *m, unsigned l, bool came, uint32_t in) {
  struct lane *a = &m->lane[l];
  uint32_t banks = (uint32_t)m->o.banks, left = 0;
  uint64_t taken = came ? 1ull << in % banks : 0;
  int32_t ports = m->o.ports;
  for (uint32_t i = 0; i < a->writes; i++) {
    struct packet *p = &a->packets[a->write_back[i]];
    if (ports == 0 || taken >> p->slot % banks & 1) {
      a->write_back[left++] = a->write_back[i];
      continue;
    }
    taken |= 1ull << p->slot % banks;
    ports--;
    p->written = true;
  }
  a->writes = left;
}

// One read of a lane's headers: the output lane that has fewest ahead is first, of equal ones in
// turn. `taken`: banks of the store that are read already in this cycle. False: nobody asks.
static bool fetch_one(struct machine *m, unsigned l, uint64_t *taken) {
  struct lane *a = &m->lane[l];
  uint32_t banks = (uint32_t)m->o.banks, best_ahead = UINT32_MAX;
  int best = -1;
  bool asks[MAX_LANES];
  for (unsigned i = 0; i < m->k; i++) {
    unsigned d = (a->header_turn + i) % m->k;
    struct pair *q = &m->pair[l][d];
    uint32_t ahead = (uint32_t)(q->fetched - q->chosen);
    asks[d] = q->fetched < q->pushed && ahead < (uint32_t)m->o.ahead &&
              q->since[q->fetched % m->ring] < m->t;
    if (!asks[d]) continue;
    const struct packet *p = at(m, l, d, q->fetched);
    asks[d] = p->written && (m->o.way == OUTPUTS_POOL || !(*taken >> p->slot % banks & 1));
    if (asks[d] && ahead < best_ahead) {
      best = (int)d;
      best_ahead = ahead;
    }
  }
  if (best < 0) return false;
  a->header_turn = (unsigned)(best + 1) % m->k;
  struct packet *p = at(m, l, (unsigned)best, m->pair[l][best].fetched);
  *taken |= 1ull << p->slot % banks;
  for (unsigned d = 0; d < m->k; d++) {
    struct pair *q = &m->pair[l][d];
    if (d != (unsigned)best && !(m->o.shared && asks[d] && at(m, l, d, q->fetched) == p)) continue;
    q->fetched++;
    q->there[(m->t + FETCH_CYCLES) % (2 + FETCH_CYCLES)]++;
    p->headers--;
  }
  if (p->headers == 0 && m->o.way == OUTPUTS_POOL) a->pool--;
  if (p->headers == 0) release(m, l, p);
  return true;
}

// The pool has a read port of its own; in the store the exit reads first, whenever it has a packet.
static void fetch(struct machine *m, unsigned l, uint32_t exits) {
  struct lane *a = &m->lane[l];
  uint64_t taken = exits ? 1ull << a->packets[exits - 1].slot % (uint32_t)m->o.banks : 0;
  for (int32_t i = 0; i < m->o.ports; i++)
    if (!fetch_one(m, l, &taken)) return;
}

// The lane's body store gives one beat; a reader stays until its body ends or its output lane has
// no room.
static void read_body(struct machine *m, unsigned l) {
  struct lane *a = &m->lane[l];
  for (unsigned i = 0; i < m->k; i++) {
    unsigned d = (a->body_turn + i) % m->k;
    struct pair *q = &m->pair[l][d];
    if (q->bodies == q->pushed || q->beats == (uint32_t)m->o.beats ||
        m->t < q->since[q->bodies % m->ring] + READER_CYCLES)
      continue;
    a->body_turn = d;
    q->beats++;
    if (++q->body_beats < m->body_beats) return;
    struct packet *p = at(m, l, d, q->bodies);
    q->body_beats = 0;
    q->bodies++;
    q->whole++;
    a->body_turn = (d + 1) % m->k;
    p->bodies--;
    release(m, l, p);
    return;
  }
}

// The copy that a wire sends next: of those that can be sent without a gap, of the queue that has
// sent least.
static void choose(struct machine *m, unsigned d) {
  struct wire *w = &m->wire[d];
  int best = -1;
  bool best_whole = false;
  for (unsigned l = 0; l < m->k; l++) {
    struct pair *q = &m->pair[l][d];
    bool waits = q->chosen < q->pushed;
    if (!waits && q->sent < w->now) q->sent = w->now;
    if (!waits || q->since[q->chosen % m->ring] >= m->t) continue;
    if (m->o.way != OUTPUTS_COPIES && q->headers == 0) continue;
    if (m->body_beats && q->beats == 0) continue;
    bool whole = !m->body_beats || q->whole || q->beats == (uint32_t)m->o.beats;
    struct pair *b = best < 0 ? NULL : &m->pair[best][d];
    if (b &&
        (best_whole > whole ||
         (best_whole == whole && (b->sent < q->sent || (b->sent == q->sent && b->turn < q->turn)))))
      continue;
    best = (int)l;
    best_whole = whole;
  }
  w->busy = best >= 0;
  if (!w->busy) return;
  struct pair *q = &m->pair[best][d];
  w->source = (unsigned)best;
  w->header_left = m->header_beats;
  w->body_left = m->body_beats;
  w->now = q->sent;
  q->turn = m->t;
  if (m->counts) {
    m->r->latency += m->t + 1 - q->since[q->chosen % m->ring] + EXIT_CYCLES + MARK_CYCLES;
    m->r->copies++;
  }
  if (m->o.way != OUTPUTS_COPIES) q->headers--;
  q->chosen++;
}

// A beat of a wire; whether it may choose the next copy in this cycle.
static void send(struct machine *m, unsigned d) {
  struct wire *w = &m->wire[d];
  bool sends = false;
  if (w->busy) {
    struct pair *q = &m->pair[w->source][d];
    if (w->header_left) {
      w->header_left--;
      sends = true;
    } else if (q->beats) {
      q->beats--;
      if (--w->body_left == 0) q->whole--;
      sends = true;
    }
    if (sends) q->sent++;
  }
  if (m->counts && sends) m->r->sent++;
  if (m->counts && !sends) {
    bool waited = w->busy;
    for (unsigned l = 0; l < m->k; l++) {
      struct pair *q = &m->pair[l][d];
      waited |= q->chosen < q->pushed && q->since[q->chosen % m->ring] + TURN_CYCLES < m->t;
    }
    if (waited) m->r->rested++;
  }
  if (!w->busy || (w->header_left == 0 && w->body_left == 0)) choose(m, d);
}

static void tick(struct machine *m) {
  unsigned senders = m->o.senders && (unsigned)m->o.senders < m->k ? (unsigned)m->o.senders : m->k;
  for (unsigned d = 0; d < m->k; d++) {
    for (unsigned l = 0; l < m->k; l++) {
      uint64_t *there = &m->pair[l][d].there[m->t % (2 + FETCH_CYCLES)];
      m->pair[l][d].headers += (uint32_t)*there;
      *there = 0;
    }
    send(m, d);
  }
  for (unsigned l = 0; l < m->k; l++) {
    struct lane *a = &m->lane[l];
    uint32_t in = 0, *exits = &a->ring[m->t % RING];
    uint32_t *marked = &a->ring[(m->t + RING - MARK_CYCLES) % RING];
    bool came = l < senders && arrive(m, l, &in);
    if (m->o.way != OUTPUTS_COPIES) fetch(m, l, *exits);
    if (m->body_beats) read_body(m, l);
    write_back(m, l, came, in);
    if (*marked) push(m, l, *marked - 1);
    *marked = 0;
  }
}

static bool fill(struct list *l, uint32_t size) {
  *l = (struct list){.item = calloc(size, sizeof *l->item), .size = size, .count = size};
  for (uint32_t i = 0; l->item && i < size; i++) l->item[i] = i;
  return l->item != NULL;
}

static bool make(struct machine *m) {
  bool ok = true;
  for (unsigned l = 0; l < m->k; l++) {
    struct lane *a = &m->lane[l];
    uint32_t most = (uint32_t)(m->o.slots + m->o.pool);
    a->packets = calloc(most, sizeof *a->packets);
    ok = fill(&a->slots, (uint32_t)m->o.slots) && fill(&a->numbers, most) && a->packets && ok;
    a->next_in = m->beats + (double)sluice_rng_below(&m->rng, m->beats);
    for (unsigned d = 0; d < m->k; d++) {
      struct pair *q = &m->pair[l][d];
      q->packet = calloc(m->ring, sizeof *q->packet);
      q->since = calloc(m->ring, sizeof *q->since);
      ok = ok && q->packet && q->since;
    }
  }
  return ok;
}

static void unmake(struct machine *m) {
  for (unsigned l = 0; l < m->k; l++) {
    free(m->lane[l].packets);
    free(m->lane[l].slots.item);
    free(m->lane[l].numbers.item);
    for (unsigned d = 0; d < m->k; d++) {
      free(m->pair[l][d].packet);
      free(m->pair[l][d].since);
    }
  }
}

enum sluice_status outputs_run(const struct outputs_options *o, struct outputs_result *r,
                               struct sluice_error *error) {
  memset(r, 0, sizeof *r);
  r->options = *o;
  if (o->copies > o->lanes)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "copies is above lanes: each goes to an output lane of its own");
  struct machine *m = calloc(1, sizeof *m);
  if (!m) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  m->o = *o;
  m->r = r;
  m->k = (unsigned)o->lanes;
  m->ring = (uint64_t)o->depth + 2;
  m->beats = ((uint32_t)o->size + 63) / 64;
  m->header_beats = m->beats < HEADER_BEATS ? m->beats : HEADER_BEATS;
  m->body_beats = m->beats - m->header_beats;
  // A lane alone cannot offer more than its bus brings.
  double senders = o->senders && o->senders < o->lanes ? o->senders : o->lanes;
  double rate = o->load / 1000.0 * o->lanes / (senders * o->copies);
  m->gap = rate < 1 ? m->beats / rate - m->beats : 0;
  sluice_rng_init(&m->rng, (uint64_t)o->seed, "outputs");
  bool ok = make(m);
  for (m->t = 1; ok && m->t <= (uint64_t)o->cycles; m->t++) {
    m->counts = m->t > (uint64_t)o->cycles / 10;
    r->cycles += m->counts;
    tick(m);
  }
  unmake(m);
  free(m);
  return ok ? SLUICE_OK : sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
}

void outputs_print(const struct outputs_result *r, FILE *out) {
  const struct outputs_options *o = &r->options;
  double wires = (double)r->cycles * (double)o->lanes;
  fprintf(out, "headers     %s, %d lanes, %d bytes, %d copies, load %.3f, %llu packets\n",
          outputs_way_names[o->way], (int)o->lanes, (int)o->size, (int)o->copies, o->load / 1000.0,
          (unsigned long long)r->packets);
  fprintf(out, "share       %.4f of the wires, %.4f of what was offered\n", (double)r->sent / wires,
          r->offered ? (double)r->sent / (double)r->offered : 0.0);
  fprintf(out, "rested      %.4f of the wires, while a copy waited\n", (double)r->rested / wires);
  fprintf(out, "latency     %.1f cycles from the last stage to the wire\n",
          r->copies ? (double)r->latency / (double)r->copies : 0.0);
  fprintf(out,
          "lost        copies: %llu without a place, %llu without a place in the pool; packets: "
          "%llu without a slot, %llu that met %d writes\n",
          (unsigned long long)r->no_place, (unsigned long long)r->no_pool,
          (unsigned long long)r->no_slot, (unsigned long long)r->no_write, WRITE_PLACES);
  fprintf(out, "most        %u slots, %u headers in a pool\n", r->most_slots, r->most_pool);
}
