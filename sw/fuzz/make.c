// SPDX-License-Identifier: Apache-2.0
// The order in which a case is made, and the choices that all parts share.
#include "make.h"

#include <stdlib.h>
#include <string.h>

struct make_write *make_add(struct make *m, enum sluice_table table, unsigned stage,
                            unsigned index) {
  struct make_write *w = &m->writes[m->num_writes];
  if (m->num_writes + 1 < MAKE_WRITES) m->num_writes++;
  *w = (struct make_write){.table = table, .stage = stage, .index = index};
  return w;
}

uint32_t pick_value(struct make *m) {
  switch (pick(m, 8)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return pick(m, 16);
    case 3: return (uint32_t)(UINT64_C(1) << pick(m, 33)) - pick(m, 2);
    case 4: return 0u - pick(m, 4);
    case 5: return m->words[pick(m, MAKE_WORDS)];
    case 6: return pick32(m) & 0xffff;
    default: return pick32(m);
  }
}

unsigned pick_container(struct make *m, unsigned type) {
  const struct sluice_config *c = m->config;
  unsigned have = type == SLUICE_TYPE_B2 ? c->Num2B : type == SLUICE_TYPE_B4 ? c->Num4B : c->Num6B;
  return have > 0 && chance(m, 96) ? pick(m, have) : pick(m, 8);
}

unsigned pick_operand(struct make *m) {
  unsigned type = PICK(m, SLUICE_TYPE_CONST, SLUICE_TYPE_B2, SLUICE_TYPE_B2, SLUICE_TYPE_B4,
                       SLUICE_TYPE_B4, SLUICE_TYPE_B4, SLUICE_TYPE_B6);
  return type << SLUICE_OPERAND_KIND_LSB |
         (type == SLUICE_TYPE_CONST ? pick(m, 8) : pick_container(m, type));
}

// Few values, so that fields of different packets are often equal; most of them small.
static void make_words(struct make *m) {
  for (unsigned i = 0; i < MAKE_WORDS; i++)
    m->words[i] = (uint16_t)(i < 4   ? i
                             : i < 9 ? pick(m, 24)
                                     : PICK(m, 0xffff, 0x8000, pick(m, 65536)));
}

static void make_modules(struct make *m) {
  uint32_t taken = 0;
  const unsigned rows = m->config->NumModules;
  m->num_modules = 1 + pick(m, MAKE_MODULES);
  if (m->num_modules > rows) m->num_modules = rows;
  if (m->num_modules > m->config->MatchEntries) m->num_modules = m->config->MatchEntries;
  // Two versions need rows: a chip with one has no updates.
  if (m->updating && m->num_modules > m->config->MatchEntries / 2)
    m->num_modules = m->config->MatchEntries / 2;
  for (unsigned i = 0; i < m->num_modules; i++) {
    struct make_module *module = &m->modules[i];
    do module->vid = chance(m, 50) ? pick(m, rows) : pick(m, 4096);
    while (taken >> module->vid % rows & 1);
    module->row = module->vid % rows;
    taken |= UINT32_C(1) << module->row;
    module->entry = module->row;
  }
}

// Sets of pipelines, and which of them the modules have.
static void make_sets(struct make *m) {
  struct sluice_rng *stream = m->rng;
  m->rng = &m->sets;
  m->c->sets = 1;
  if (chance(m, 40))
    while (2 * m->c->sets <= m->config->NumPipes && chance(m, 70)) m->c->sets *= 2;
  const unsigned pipes = m->config->NumPipes / m->c->sets;
  for (unsigned i = 0; i < m->num_modules; i++) m->modules[i].first = pipes * pick(m, m->c->sets);
  m->rng = stream;
}

// A second, spread segment for each module, which a later version may have.
static void make_spare(struct make *m, unsigned stage, unsigned *lows, const unsigned *lowests) {
  const unsigned pipes = m->config->NumPipes / m->c->sets;
  for (unsigned i = 0; i < m->num_modules; i++) {
    const unsigned first = m->modules[i].first, slots = 1 + pick(m, 4);
    if (lows[first] + slots > lowests[first]) continue;
    m->modules[i].spare[stage] = (struct make_segment){
        .there = true, .base = lows[first], .range = slots * pipes - pick(m, pipes), .pipe = first};
    lows[first] += slots;
  }
}

// Segments of a stage: sharded ones from slot 0 up in all pipelines of the module's set, pinned
// ones from the end down.
static void make_segments(struct make *m, unsigned stage) {
  const unsigned slots = sluice_config_slots(m->config), pipes = m->config->NumPipes / m->c->sets;
  const unsigned granule = sluice_config_granule(m->config);
  // Of a pipeline; of a set at its first one.
  unsigned high[SLUICE_MAX_PIPES], lows[SLUICE_MAX_PIPES] = {0}, lowests[SLUICE_MAX_PIPES];
  for (unsigned p = 0; p < m->config->NumPipes; p++) high[p] = lowests[p] = slots;
  if (m->config->Active) make_areas(m, stage, high, lows, lowests);
  for (unsigned i = 0; i < m->num_modules; i++) {
    const unsigned first = m->modules[i].first;
    struct make_segment *s = &m->modules[i].segments[stage];
    s->pipe = first;
    if (chance(m, 25)) continue;
    s->pinned = chance(m, 30);
    s->pipe = first + pick(m, m->config->NumPipes) % pipes;
    unsigned low = lows[first], lowest = lowests[first];
    unsigned room = s->pinned ? high[s->pipe] - low : (lowest - low) * pipes;
    s->range = PICK(m, 1, 2, 3, 4, 4, 5, 7, 8, 8, 16, 31, 64, pick(m, 100) + 1);
    // Each entry is read at the end: not too many segments of hundreds of them.
    if (chance(m, granule > 64 ? 5 : 25)) s->range = (s->range + granule - 1) / granule * granule;
    if (s->range > room) s->range = room;
    if (s->range == 0) continue;
    unsigned need = s->pinned ? s->range : (s->range + pipes - 1) / pipes;
    if (s->pinned) {
      high[s->pipe] -= need;
      s->base = high[s->pipe];
      if (high[s->pipe] < lowest) lowest = high[s->pipe];
    } else {
      s->base = low;
      low += need;
      // Often with a hole behind it: a base is any slot.
      if (chance(m, 50) && low + 3 < lowest) low += pick(m, 4);
    }
    lows[first] = low;
    lowests[first] = lowest;
    s->there = true;
  }
  if (m->updating) make_spare(m, stage, lows, lowests);
  make_quiet(m, stage, lows, lowests);
  // The last one may claim more than the memory has, unless there are others behind it: what is not
  // there is out of bounds.
  const struct make_module *module = &m->modules[m->num_modules - 1];
  struct make_segment *last = &m->modules[m->num_modules - 1].segments[stage];
  if (!m->config->Active && !m->updating && !m->quiet.segments[stage].there && last->there &&
      !last->pinned && lowests[module->first] == slots && chance(m, 8))
    last->range = 65535;
}

static void make_layout(struct make *m) {
  make_words(m);
  make_modules(m);
  make_sets(m);
  if (m->config->Active) make_ids(m);
  for (unsigned s = 0; s < m->config->StateStages; s++) make_segments(m, s);
}

static void make_modes(struct make *m) {
  struct fuzz_play *p = &m->c->play;
  if (chance(m, 50))
    p->set.mode = (int)(pick(m, 3) << SLUICE_MODE_STEER_LSB | pick(m, 3) << SLUICE_MODE_ISSUE_LSB |
                        pick(m, 2) << SLUICE_MODE_DROP_FULL_LSB);
  if (chance(m, 30)) p->set.ecn_queue = (int)PICK(m, 1, 1, 2, 4, 8, 16);
  if (chance(m, 30)) p->set.ecn_lane = (int)PICK(m, 1, 1, 2, 4, m->config->LaneDepth / 2);
}

void fuzz_make(struct fuzz_case *c, const struct sluice_config *config, uint64_t seed) {
  fuzz_make_long(c, config, seed, 1);
}

void fuzz_make_long(struct fuzz_case *c, const struct sluice_config *config, uint64_t seed,
                    unsigned times) {
  memset(c, 0, sizeof *c);
  c->config = config;
  c->sets = 1;
  c->times = times;
  c->seed = seed;
  c->play = fuzz_play_plain();
  struct make *m = calloc(1, sizeof *m);
  if (m) m->writes = calloc(MAKE_WRITES, sizeof *m->writes);
  if (m) m->config = config;
  if (!m || !m->writes || !make_places_open(m)) {
    c->nomem = true;
  } else {
    m->c = c;
    sluice_rng_init(&m->tables, seed, "fuzz tables");
    sluice_rng_init(&m->traffic, seed, "fuzz traffic");
    sluice_rng_init(&m->modes, seed, "fuzz modes");
    sluice_rng_init(&m->sets, seed, "fuzz sets");
    sluice_rng_init(&m->updates, seed, "fuzz updates");
    sluice_rng_init(&m->marks, seed, "fuzz marks");
    sluice_rng_init(&m->moves, seed, "fuzz moves");
    sluice_rng_init(&m->cuts, seed, "fuzz cuts");
    sluice_rng_init(&m->capsules, seed, "fuzz capsules");
    sluice_rng_init(&m->arrays, seed, "fuzz arrays");
    sluice_rng_init(&m->keys, seed, "fuzz keys");
    sluice_rng_init(&m->again, seed, "fuzz recirculation");
    sluice_rng_init(&m->counts, seed, "fuzz counters");
    sluice_rng_init(&m->egress, seed, "fuzz egress");
    sluice_rng_init(&m->fast, seed, "fuzz fast");
    sluice_rng_init(&m->merge, seed, "fuzz merge");
    make_merge_open(m);
    m->out = &c->control;
    m->rng = &m->updates;
    m->updating = config->Banks == 2 && chance(m, 50) && config->MatchEntries > 1;
    m->rng = &m->tables;
    make_layout(m);
    make_packet_tables(m);
    make_state_tables(m);
    make_egress(m);
    make_stages(m);
    make_shares(m);
    make_rates(m);
    make_classes(m);
    make_first_counts(m);
    m->rng = &m->tables;
    make_control(m);
    make_replay(m, &c->control, 0);
    m->rng = &m->traffic;
    make_traffic(m);
    m->rng = &m->modes;
    make_modes(m);
    make_fast_play(m);
    make_merge_play(m);
    m->rng = &m->updates;
    if (m->updating) make_updates(m);
    m->rng = &m->cuts;
    m->cutting = config->CutStages && chance(m, 50);
    m->rng = &m->marks;
    if (config->Marks && chance(m, 50)) make_marks(m);
    m->rng = &m->cuts;
    if (m->cutting) make_cuts(m);
    m->rng = &m->moves;
    if ((config->TernaryStages || config->CuckooStages) && !m->updating && !c->marking.num &&
        chance(m, 90))
      make_entry_moves(m);
    m->rng = &m->egress;
    if (config->EgressStages && !c->marking.num && chance(m, 60)) make_egress_control(m);
    m->rng = &m->keys;
    if (config->ArrayEntries && !c->marking.num && chance(m, 80)) make_key_marks(m);
    if (!c->marking.num) make_counting(m);
  }
  if (m) {
    make_places_close(m);
    free(m->writes);
  }
  free(m);
}
