// SPDX-License-Identifier: Apache-2.0
// A pair from a seed.
#include <stdlib.h>
#include <string.h>

#include "../base/rng.h"
#include "../compiler/compiler.h"
#include "../base/bytes.h"
#include "../driver/plan/plan.h"
#include "../driver/wire/wire.h"
#include "isolate.h"

enum { CYCLES = 6000, MOST_LEN = SLUICE_FRAME_MAX, SHORT = 64, TRIES = 40, MOST_TURNED = 24 };

struct make {
  struct isolate_pair *pair;
  struct sluice_rng programs, traffic, capsules;
  unsigned lanes, a_lane;
};

static unsigned below(struct sluice_rng *rng, unsigned n) {
  return (unsigned)sluice_rng_below(rng, n);
}

static enum sluice_status compile(struct sluice_image *image, const char *text,
                                  const struct sluice_config *config, struct sluice_error *error) {
  struct sluice_diags diags = {0};
  const struct sluice_compile_options options = {.pin = false};
  memset(image, 0, sizeof *image);
  struct sluice_program *program = sluice_program_parse("pair.dom", text, strlen(text), &diags);
  enum sluice_status status = SLUICE_ERR_RANGE;
  if (program) status = sluice_compile(program, config, &options, image, &diags);
  if (status)
    sluice_fail(error, status, "a program of a pair does not fit chip '%s':\n%s", config->name,
                text);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return status;
}

// ---- B's image ----------------------------------------------------------------------------------

// Whether the loader takes it, beside A.
static bool loads(const struct isolate_pair *pair, const struct sluice_image *b) {
  struct sluice_plan plan;
  struct sluice_error error;
  sluice_plan_init(&plan, pair->config);
  const bool good = !sluice_plan_add(&plan, &pair->a, ISOLATE_A_VID, &error) &&
                    !sluice_plan_add(&plan, b, ISOLATE_B_VID, &error);
  sluice_plan_release(&plan);
  return good;
}

// Turns bits over one by one; each stays if the image still loads.
static void turn_bits(struct make *m, unsigned num) {
  struct sluice_image *b = &m->pair->b;
  for (unsigned n = 0; n < num && b->num_writes; n++) {
    struct sluice_write *w = &b->writes[below(&m->programs, (unsigned)b->num_writes)];
    const unsigned bit = below(&m->programs, sluice_tables[w->table].bits);
    if (w->table == SLUICE_TABLE_MODULE || w->table == SLUICE_TABLE_SEGMENT)
      continue;  // a file with others would not be read
    const struct sluice_write before = *w;
    w->bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    const bool other_home = w->table == SLUICE_TABLE_ACCESS &&
                            SLUICE_GET(w->bytes, ACCESS, PINNED) !=
                                SLUICE_GET(before.bytes, ACCESS, PINNED);
    if (!other_home && loads(m->pair, b)) m->pair->turned++;
    else *w = before;
  }
}

static void set_dest(struct make *m) {
  struct sluice_image *b = &m->pair->b;
  m->pair->dest = below(&m->programs, 3) ? 0 : below(&m->programs, 256);
  for (size_t i = 0; i < b->num_writes; i++)
    if (b->writes[i].table == SLUICE_TABLE_MODULE && m->pair->dest) {
      const struct sluice_write before = b->writes[i];
      SLUICE_SET(b->writes[i].bytes, MODULE, DEST, m->pair->dest);
      if (!loads(m->pair, b)) b->writes[i] = before;
    }
}

static enum sluice_status make_images(struct make *m, struct sluice_error *error) {
  struct isolate_pair *pair = m->pair;
  enum sluice_status status = SLUICE_ERR_RANGE;
  for (unsigned n = 0; status && n < TRIES; n++) {
    isolate_program_a(pair->a_text, sizeof pair->a_text, &m->programs, !pair->ask.capsules);
    status = compile(&pair->a, pair->a_text, pair->config, error);
  }
  for (unsigned n = 0; !status && n < TRIES; n++) {
    isolate_program_b(pair->b_text, sizeof pair->b_text, &m->programs, !pair->ask.capsules);
    status = compile(&pair->b, pair->b_text, pair->config, error);
    if (!status && loads(pair, &pair->b)) break;
    sluice_image_release(&pair->b);
    status = n + 1 == TRIES
                 ? sluice_fail(error, SLUICE_ERR_RANGE,
                               "no program of B fits beside A on chip '%s'", pair->config->name)
                 : SLUICE_OK;
  }
  if (status) return status;
  set_dest(m);
  if (below(&m->programs, 2)) turn_bits(m, 1 + below(&m->programs, MOST_TURNED));
  return SLUICE_OK;
}

// ---- packets ------------------------------------------------------------------------------------

static void head(struct make *m, uint8_t *b, size_t len, unsigned vid, unsigned port,
                 uint32_t number) {
  for (size_t i = 0; i < len; i++)
    b[i] = (uint8_t)(i < 128 ? below(&m->traffic, 256) : i * 7 + number);
  sluice_put16(b + 12, 0x8100);
  sluice_put16(b + 14, vid | below(&m->traffic, 16) << 12);
  sluice_put16(b + 16, 0x0800);
  b[18] = 0x45;
  b[27] = 17;
  sluice_put16(b + 40, below(&m->traffic, 0xf000));  // never the port of reconfiguration packets
  sluice_put32(b + ISOLATE_NUMBER_AT, number);
  b[ISOLATE_PORT_AT] = (uint8_t)port;
}

static unsigned beats(const struct make *m, size_t len) {
  return sluice_config_beats(m->pair->config, (unsigned)len);
}

static unsigned port_of(struct make *m, unsigned lane) {
  const struct sluice_config *c = m->pair->config;
  return sluice_wire_port(c, lane, below(&m->traffic, sluice_wire_ports(c, lane)));
}

// A: in one lane, at random times; at most 70 % of its part of an output lane and of an order
// queue; and not more packets than half of an output queue holds while each other lane sends the
// longest packet of B. Beside a class of B in its lane it has half of that part, a quarter of the
// places for sure, and waits for the packets that isolate_bound counts.
static void make_a(struct make *m, unsigned cycles) {
  static uint8_t frame[MOST_LEN];
  const bool by_class = isolate_by_class(m->pair);
  const unsigned ahead = by_class ? 2 + 3 * (m->lanes - 1) : m->lanes - 1,
                 places = m->pair->config->OutputDepth / (by_class ? 4 : 1),
                 queue = 50 * places / (ahead * m->pair->longest_beats),
                 part = 70 / (m->lanes * (by_class ? 2 : 1)), most = queue < part ? queue : part;
  const unsigned percent = 1 + (most ? below(&m->traffic, most) : 0);
  const unsigned long_ones = below(&m->traffic, 3) ? 0 : 1 + below(&m->traffic, 40);
  uint64_t busy = 0;  // cycle of the last beat of the packet before
  uint32_t number = 0;
  for (uint64_t cycle = 200; cycle < 200 + cycles;) {
    size_t len = below(&m->traffic, 100) < long_ones ? SHORT + below(&m->traffic, 1400) : SHORT;
    const bool program = m->pair->ask.capsules && below(&m->capsules, 2);
    if (program) len = ISOLATE_CAPSULE_A_LEN;
    const unsigned need = beats(m, len);
    // Gaps of mean need * 100 / percent: as many beats as `percent` says.
    cycle += 1 + below(&m->traffic, 2 * need * 100 / percent);
    if (cycle < busy + need) cycle = busy + need;
    head(m, frame, len, ISOLATE_A_VID, port_of(m, m->a_lane), number++);
    if (program) isolate_capsule_a(m->pair, &m->capsules, frame);
    fuzz_append(&m->pair->packets, &m->pair->packets.packets, frame, len, cycle);
    busy = cycle;
  }
}

// What B sends besides packets of its own: of no module, or reconfiguration packets, to A's module
// as well. On a data port they must do nothing.
static void spoil(struct make *m, uint8_t *b) {
  if (below(&m->traffic, 3) == 0) {
    sluice_put16(b + 14, 7 + below(&m->traffic, 4000));
    return;
  }
  sluice_put16(b + 14, below(&m->traffic, 2) ? ISOLATE_A_VID : ISOLATE_B_VID);
  sluice_put16(b + 40, SLUICE_RECONFIG_PORT);
  b[46] = (uint8_t)below(&m->traffic, 256);
  b[47] = (uint8_t)below(&m->traffic, 16);
}

static size_t b_len(struct make *m, unsigned kind) {
  switch (kind) {
    case 0: return SHORT;
    case 1: return SHORT + below(&m->traffic, 128);
    case 2: return 1500;
    case 3: return 64 + below(&m->traffic, 1455);
    case 4: return 9000;
    default:
      return below(&m->traffic, 4) ? SHORT : SHORT + below(&m->traffic, MOST_LEN - SHORT + 1);
  }
}

// How B sends.
struct flood {
  unsigned kind, load, hot, change, spoilt, target;
  bool one_port;
  uint32_t number;
};

static struct flood make_flood(struct make *m) {
  struct flood f = {.kind = below(&m->traffic, 2) ? 0 : below(&m->traffic, 6),
                    .number = 0x80000000u};
  f.load = below(&m->traffic, 3) ? 100 : 30 + below(&m->traffic, 70);
  f.hot = 1u << below(&m->traffic, 7);
  f.change = 1u << (5 + below(&m->traffic, 6));
  f.spoilt = below(&m->traffic, 2) ? 0 : 5;
  f.one_port = below(&m->traffic, 3) == 0;
  f.target = below(&m->traffic, 0xf000);
  return f;
}

// The n-th packet of a lane, whose last beat is in `cycle`.
static void add_b(struct make *m, struct flood *f, unsigned lane, uint64_t n, uint64_t cycle,
                  size_t len) {
  static uint8_t frame[MOST_LEN];
  head(m, frame, len, ISOLATE_B_VID, port_of(m, lane), f->number++);
  // the hot set moves
  sluice_put16(frame + 38, (uint32_t)(n / f->change * 37 + below(&m->traffic, f->hot)) & 0xffff);
  if (f->one_port) sluice_put16(frame + 40, f->target);
  const bool spoilt = below(&m->traffic, 100) < f->spoilt;
  // Under A's VLAN id a program would be one of A.
  if (spoilt) spoil(m, frame);
  else if (m->pair->ask.capsules && below(&m->capsules, 8))
    isolate_capsule_b(m->pair, &m->capsules, frame, len);
  fuzz_append(&m->pair->packets, &m->pair->packets.packets, frame, len, cycle);
  if (beats(m, len) > m->pair->longest_beats) m->pair->longest_beats = beats(m, len);
}

// B in all lanes but A's, back to back or in bursts, for as long as A sends.
static void make_b(struct make *m, struct flood *f, unsigned cycles) {
  for (unsigned lane = 0; lane < m->lanes; lane++)
    for (uint64_t cycle = 100, n = 0; lane != m->a_lane && cycle < 200 + cycles; n++) {
      const size_t len = b_len(m, f->kind);
      cycle += beats(m, len);
      // bursts of 32
      if (f->load < 100 && n % 32 == 0) cycle += 32 * beats(m, len) * (100 - f->load) / f->load;
      add_b(m, f, lane, n, cycle, len);
    }
}

// B in the beats that A leaves in its lane: the wire itself holds nobody up.
static void make_b_between(struct make *m, struct flood *f, size_t first_a, size_t num_a) {
  uint64_t cycle = 100, n = 0;
  for (size_t i = 0; i < num_a; i++) {
    const struct fuzz_frame a = m->pair->packets.packets.items[first_a + i];
    const uint64_t begins = a.time_ns + 1 - beats(m, a.len);
    for (size_t len = b_len(m, f->kind); cycle + beats(m, len) < begins; len = b_len(m, f->kind)) {
      cycle += beats(m, len);
      add_b(m, f, m->a_lane, n++, cycle, len);
    }
    cycle = a.time_ns;
  }
}

static int by_time(const void *a, const void *b) {
  const struct fuzz_frame *x = a, *y = b;
  if (x->time_ns != y->time_ns) return x->time_ns < y->time_ns ? -1 : 1;
  return memcmp(x->bytes + ISOLATE_NUMBER_AT, y->bytes + ISOLATE_NUMBER_AT, 4);
}

enum sluice_status isolate_make(struct isolate_pair *pair, const struct sluice_config *config,
                                uint64_t seed, const struct isolate_ask *ask,
                                struct sluice_error *error) {
  struct make m = {.pair = pair, .lanes = sluice_num_wires(config)};
  memset(pair, 0, sizeof *pair);
  pair->config = pair->packets.config = config;
  pair->seed = pair->packets.seed = seed;
  pair->ask = *ask;
  pair->packets.sets = 1;
  pair->packets.play = fuzz_play_plain();
  sluice_rng_init(&m.programs, seed, "pair programs");
  sluice_rng_init(&m.traffic, seed, "pair traffic");
  SLUICE_TRY(make_images(&m, error));
  sluice_rng_init(&m.capsules, seed, "pair capsules");
  const enum sluice_status tenants = ask->capsules ? isolate_tenants(pair, &m.capsules, error)
                                                   : SLUICE_OK;
  if (tenants) return tenants;
  m.a_lane = below(&m.traffic, m.lanes);
  const unsigned cycles = ask->cycles ? ask->cycles : CYCLES;
  struct flood flood = make_flood(&m);
  make_b(&m, &flood, cycles);  // first: what A may send depends on the length of B's packets
  const size_t first_a = pair->packets.packets.num;
  make_a(&m, cycles);
  if (ask->shared_lanes) make_b_between(&m, &flood, first_a, pair->packets.packets.num - first_a);
  if (pair->packets.nomem) return sluice_no_memory(error);
  struct fuzz_frames *list = &pair->packets.packets;
  qsort(list->items, list->num, sizeof *list->items, by_time);
  return SLUICE_OK;
}

void isolate_release(struct isolate_pair *pair) {
  sluice_image_release(&pair->a);
  sluice_image_release(&pair->b);
  fuzz_release(&pair->packets);
}
