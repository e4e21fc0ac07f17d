// SPDX-License-Identifier: Apache-2.0
// Updates of modules under traffic, in a chip with two banks: what a driver may do, in any order
// and at any time, and writes that are refused while packets are inside.
#include <string.h>

#include "make.h"

// The bank whose entries are made now.
static void make_in_bank(struct make *m, struct make_module *module, unsigned bank) {
  module->bank = bank;
  module->entry = bank * m->config->NumModules + module->row;
}

// Whether contents of the bank that is made go to a place that packets of the live one do not
// reach.
static bool is_apart(const struct make_module *module, unsigned stage) {
  return module->place[module->bank][stage] == MAKE_SPARE &&
         module->place[module->live][stage] == MAKE_FIRST;
}

// Where the version that is made has its state: as the first one, in a part of that, or in a place
// of its own.
static void pick_segment(struct make *m, struct make_module *module, unsigned stage) {
  struct make_segment *s = &module->segments[stage];
  const unsigned pipes = m->config->NumPipes / m->c->sets;
  const bool spare = module->spare[stage].there && chance(m, 35);
  module->was[stage] = module->place[module->bank][stage];
  module->place[module->bank][stage] = spare ? MAKE_SPARE : MAKE_FIRST;
  *s = spare ? module->spare[stage] : module->first_segments[stage];
  if (!s->there || spare) return;
  if (chance(m, 25)) {
    s->range = 1 + pick(m, s->range);
  } else if (!s->pinned && chance(m, 20)) {
    // The slots of one pipeline, by another index.
    s->pinned = true;
    s->pipe = module->first + pick(m, pipes);
    s->range = (s->range + pipes - 1) / pipes;
  }
}

// A match row as it is, with another NOT_BANK. Not for one that was erased: packets would see it
// come.
static void make_again(struct make *m, struct make_own *own, unsigned stage, unsigned i,
                       unsigned not_bank) {
  uint8_t *e = make_add(m, SLUICE_TABLE_MATCH, stage, own->rows[i])->bytes;
  memcpy(e, own->match[i], sizeof own->match[i]);
  SLUICE_SET(e, MATCH, NOT_BANK, not_bank);
  own->seen[i] = (uint8_t)(3 & ~not_bank);
}

// Another version, in the bank that packets do not take. Rows that packets see now stay; some of
// them the new version sees too.
static void make_version(struct make *m, struct make_module *module) {
  const struct sluice_config *c = m->config;
  const unsigned stages = make_all_stages(m);
  make_in_bank(m, module, !module->live);
  for (unsigned s = 0; s < c->StateStages; s++) pick_segment(m, module, s);
  make_module_tables(m, module);
  make_module_state(m, module);
  make_egress_version(m, module);
  for (unsigned s = 0; s < stages; s++) {
    struct make_own *own = &module->own[s];
    make_module_rows(m, module, s);
    for (unsigned i = 0; i < own->num; i++)
      if (own->seen[i] == 1u << module->live && own->written[i] && chance(m, 15) && !own->erased[i])
        make_again(m, own, s, i, 0);
  }
  make_engines_shared(m, module);
  // Contents of a place that packets do not reach yet.
  for (unsigned s = 0; s < c->StateStages; s++)
    if (is_apart(module, s)) make_module_values(m, module, s);
  if (chance(m, 30))
    SLUICE_SET(make_add(m, SLUICE_TABLE_MODULE_PORTS, 0, module->entry)->bytes, MODULE_PORTS, PORTS,
               sluice_rng_next(m->rng) | 1);
}

// A write of the bank that packets do not take any more, of which some are inside: it takes effect
// only when none is.
static void send_early(struct make *m, struct make_module *module) {
  struct sluice_frame *frame = &(struct sluice_frame){0};
  uint8_t entry[SLUICE_ENTRY_BYTES];
  enum sluice_table table = (enum sluice_table)PICK(
      m, SLUICE_TABLE_PARSER, SLUICE_TABLE_DEPARSER, SLUICE_TABLE_DEPARSE_OPT,
      SLUICE_TABLE_KEY_EXTRACT, SLUICE_TABLE_KEY_MASK, SLUICE_TABLE_MODULE_PORTS);
  if (m->config->EgressStages && chance(m, 30))
    table = (enum sluice_table)PICK(m, SLUICE_TABLE_EGRESS_PARSER, SLUICE_TABLE_EGRESS_DEPARSER,
                                    SLUICE_TABLE_EGRESS_OPT);
  unsigned stage = sluice_tables[table].scope == SLUICE_SCOPE_stage ? pick(m, make_all_stages(m))
                                                                    : 0;
  const unsigned state = pick(m, m->config->StateStages);
  const bool fill = is_apart(module, state) && chance(m, 50);
  for (size_t i = 0; i < sizeof entry; i++) entry[i] = (uint8_t)pick(m, 256);
  if (fill) {
    sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_FILL, state, 0);
    SLUICE_RECONFIG_SET(frame, ROW, module->entry);
  } else {
    sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, table, stage, module->entry);
  }
  sluice_reconfig_append(frame, fill ? SLUICE_TABLE_FILL : table, entry);
  sluice_reconfig_finish(frame);
  make_send(m, frame);
}

// Rows that only packets of the idle bank saw go out of use; those of both become the other one's.
static void make_after(struct make *m, struct make_module *module) {
  struct sluice_frame *frame = &(struct sluice_frame){0};
  const unsigned stages = make_all_stages(m), idle = 1u << module->bank;
  m->num_writes = 0;
  make_engines_after(m, module);
  make_keys_after(m, module);
  for (unsigned s = 0; s < stages; s++) {
    struct make_own *own = &module->own[s];
    for (unsigned i = 0; i < own->num; i++) {
      if (own->seen[i] == idle && chance(m, 80)) {
        sluice_reconfig_erase(frame, s, own->rows[i]);
        make_send(m, frame);
        own->seen[i] = 0;
      } else if (own->seen[i] == 3 && own->written[i] && chance(m, 40) && !own->erased[i]) {
        make_again(m, own, s, i, idle);
      }
    }
  }
  make_send_writes(m);
}

static void send_reads(struct make *m, unsigned num) {
  for (; num && m->num_writes; num--) {
    struct sluice_frame *frame = &(struct sluice_frame){0};
    make_read(m, frame);
    make_send(m, frame);
  }
}

// Leaves out many entries: what the idle bank has there stays, and the update is over soon. Match
// rows are kept: whom they are for is known of every row that was written.
static void thin_out(struct make *m) {
  size_t kept = 0;
  for (size_t i = 0; i < m->num_writes; i++)
    if (m->writes[i].table == SLUICE_TABLE_MATCH || chance(m, 35)) m->writes[kept++] = m->writes[i];
  m->num_writes = kept;
}

static bool has_write(const struct make *m, enum sluice_table table, unsigned stage, unsigned row) {
  for (size_t i = 0; i < m->num_writes; i++) {
    const struct make_write *w = &m->writes[i];
    if (w->table == table && w->stage == stage && w->index == row) return true;
  }
  return false;
}

// Where the idle bank has its state is what SEGMENT and ACCESS say. If neither is written, it is
// where it was. Contents that might go to the live bank's place are left out: packets would see
// them come.
static void settle_places(struct make *m, struct make_module *module) {
  size_t kept = 0;
  for (unsigned s = 0; s < m->config->StateStages; s++) {
    const bool segment = has_write(m, SLUICE_TABLE_SEGMENT, s, module->entry) ||
                         has_write(m, SLUICE_TABLE_SEGMENT16, s, module->entry);
    const bool access = has_write(m, SLUICE_TABLE_ACCESS, s, module->entry);
    if (!segment && !access) module->place[module->bank][s] = module->was[s];
    else if (!segment || !access) module->place[module->bank][s] = MAKE_UNKNOWN;
  }
  for (size_t i = 0; i < m->num_writes; i++) {
    const struct make_write *w = &m->writes[i];
    const bool contents = (w->table == SLUICE_TABLE_STATE || w->table == SLUICE_TABLE_FILL ||
                           w->table == SLUICE_TABLE_STATE_ROW) &&
                          w->row == module->entry;
    if (!contents || is_apart(module, w->stage)) m->writes[kept++] = *w;
  }
  m->num_writes = kept;
}

static void make_update(struct make *m, struct job_update *u) {
  struct make_module *chosen[MAKE_MODULES];
  const struct fuzz_frames *frames = &m->c->updating;
  unsigned num = 0;
  size_t start = frames->num;
  for (unsigned i = 0; i < m->num_modules; i++)
    if (chance(m, 45)) chosen[num++] = &m->modules[i];
  if (!num) chosen[num++] = &m->modules[pick(m, m->num_modules)];

  m->num_writes = 0;
  for (unsigned i = 0; i < num; i++) {
    make_version(m, chosen[i]);
    u->flip |= UINT32_C(1) << chosen[i]->row;
  }
  if (chance(m, 50)) thin_out(m);
  for (unsigned i = 0; i < num; i++) settle_places(m, chosen[i]);
  make_send_writes(m);
  send_reads(m, pick(m, 6));
  u->before = (unsigned)(frames->num - start);
  make_replay(m, frames, start);

  u->hasty = chance(m, 30);
  u->bounces = PICK(m, 0, 0, 0, 0, 0, 1, 1, 2, 3);
  for (unsigned i = 0; i < num; i++) {
    if (u->bounces % 2 == 0) chosen[i]->live = !chosen[i]->live;
    make_in_bank(m, chosen[i], !chosen[i]->live);
  }
  start = frames->num;
  for (unsigned i = 0; i < num; i++)
    for (unsigned n = chance(m, 60) ? pick(m, 4) : 0; n; n--) send_early(m, chosen[i]);
  u->early = (unsigned)(frames->num - start);

  start = frames->num;
  for (unsigned i = 0; i < num; i++) make_after(m, chosen[i]);
  send_reads(m, pick(m, 3));
  u->after = (unsigned)(frames->num - start);
  make_replay(m, frames, start);
}

void make_updates(struct make *m) {
  const unsigned num = PICK(m, 1, 2, 2, 3, 4, 6, FUZZ_UPDATES);
  const uint64_t every = make_traffic_cycles(m->c) / num + 1;
  uint64_t at = 0;
  m->out = &m->c->updating;
  for (unsigned i = 0; i < m->num_modules; i++)
    memcpy(m->modules[i].first_segments, m->modules[i].segments,
           sizeof m->modules[i].first_segments);
  while (m->c->num_updates < num) {
    struct job_update *u = &m->c->updates[m->c->num_updates++];
    // Mostly spread over the traffic, or one behind the other from the first packet on.
    if (chance(m, 70)) at += pick(m, every < 100000 ? (unsigned)every : 100000);
    u->at = at;
    make_update(m, u);
  }
}
