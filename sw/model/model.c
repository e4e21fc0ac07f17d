// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "capsule.h"
#include "machine.h"

// The memories of a configuration. Returns the bytes needed behind the struct; with `base`, places
// them there.
static size_t lay_out(struct sluice_model *m, uint8_t *base) {
  const struct sluice_config *c = &m->config;
  size_t size = 0;
  m->rows = c->Banks * c->NumModules;
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
    const struct sluice_table_info *info = &sluice_tables[t];
    switch (info->scope) {
      case SLUICE_SCOPE_stage: m->instances[t] = model_stages(m); break;
      case SLUICE_SCOPE_state: m->instances[t] = c->StateStages + c->EgressStages; break;
      case SLUICE_SCOPE_front: m->instances[t] = c->FrontStages; break;
      default: m->instances[t] = 1;
    }
    switch (info->rows) {
      case SLUICE_ROWS_overlay: m->depth[t] = m->rows; break;
      case SLUICE_ROWS_modules: m->depth[t] = c->NumModules; break;
      case SLUICE_ROWS_matches: m->depth[t] = c->MatchEntries; break;
      case SLUICE_ROWS_actions: m->depth[t] = c->MatchEntries + c->ExtraActions; break;
      case SLUICE_ROWS_ternary: m->depth[t] = c->TernaryEntries; break;
      case SLUICE_ROWS_cuckoo: m->depth[t] = c->CuckooEntries; break;
      case SLUICE_ROWS_keys: m->depth[t] = c->ArrayEntries; break;
      case SLUICE_ROWS_masks: m->depth[t] = 256; break;
      case SLUICE_ROWS_ids: m->depth[t] = c->Banks * c->ActiveIds; break;
      default: m->depth[t] = 0;
    }
    if (t == SLUICE_TABLE_LEAVE) m->depth[t] = c->Marks;  // of the stage, not of a module
    if (t == SLUICE_TABLE_SEGMENT16) m->depth[t] = 0;     // another form of SEGMENT
    if (t == SLUICE_TABLE_RECIRCULATE && !c->Recirculation) m->depth[t] = 0;
    if (info->scope == SLUICE_SCOPE_egress && !c->EgressStages) m->depth[t] = 0;
    if (t == SLUICE_TABLE_RATE_LIMIT && !c->RateLimits) m->depth[t] = 0;
    if (t == SLUICE_TABLE_OUTPUT_CLASS && !c->OutputClasses) m->depth[t] = 0;
    if (sluice_table_is_count(t) && !c->EntryCounters) m->depth[t] = 0;
    m->words[t] = (info->bits + 63) / 64;
    if (base) m->table[t] = (uint64_t *)(void *)(base + size);
    size += (size_t)m->instances[t] * m->depth[t] * m->words[t] * sizeof(uint64_t);
  }
  if (base) m->state = (struct model_pair *)(void *)(base + size);
  size += (size_t)(c->StateStages + c->EgressStages) * c->StateEntries * sizeof(struct model_pair);
  if (base && c->CutStages) m->cut = (struct model_pair *)(void *)(base + size);
  if (c->CutStages) size += (size_t)c->StateStages * c->StateEntries * sizeof(struct model_pair);
  const size_t stages = model_stages(m);
  if (base) m->overlays = (struct model_overlay *)(void *)(base + size);
  size += m->rows * sizeof(struct model_overlay);
  if (base && c->EgressStages) m->egress = (struct model_egress_row *)(void *)(base + size);
  if (c->EgressStages) size += m->rows * sizeof(struct model_egress_row);
  if (base) m->keys = (struct model_key *)(void *)(base + size);
  size += stages * m->rows * sizeof(struct model_key);
  if (base) m->actions = (struct model_action *)(void *)(base + size);
  size += stages * (c->MatchEntries + c->ExtraActions) * sizeof(struct model_action);
  if (base) m->ternaries = (struct model_ternary *)(void *)(base + size);
  size += stages * c->TernaryEntries * sizeof(struct model_ternary);
  if (base) m->found = (uint64_t *)(void *)(base + size);
  size += SLUICE_MODEL_FOUND * sizeof(uint64_t);
  if (base) m->counted = (uint64_t *)(void *)(base + size);
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++)
    if (sluice_table_is_count(t)) size += (size_t)m->instances[t] * m->depth[t] * sizeof(uint64_t);
  if (base && c->ArrayWords) m->row_words = (uint32_t *)(void *)(base + size);
  size += (size_t)c->StateStages * c->StateEntries * c->ArrayWords * sizeof(uint32_t);
  // What needs least alignment comes last.
  if (base && c->Active) m->capsules = (uint32_t *)(void *)(base + size);
  if (c->Active) size += (size_t)c->NumPipes * c->ActiveIds * sizeof(uint32_t);
  if (base && c->Active) m->faults = (uint32_t *)(void *)(base + size);
  if (c->Active) size += c->ActiveIds * sizeof(uint32_t);
  if (base) m->cuckoo_used = (uint32_t *)(void *)(base + size);
  if (c->CuckooEntries) size += stages * MODEL_VIDS * sizeof(uint32_t);
  if (base) m->next = (uint16_t *)(void *)(base + size);
  size += c->Banks * stages * c->MatchEntries * sizeof(uint16_t);
  if (base) m->next_ternary = (uint16_t *)(void *)(base + size);
  size += c->Banks * stages * c->TernaryEntries * sizeof(uint16_t);
  if (base) m->match_valid = (bool *)(base + size);
  size += stages * c->MatchEntries * sizeof(bool);
  if (base) m->mute = (bool *)(base + size);
  size += sizeof(bool);
  return size;
}

enum { HEAD = (sizeof(struct sluice_model) + 63) / 64 * 64 };

size_t sluice_model_bytes(const struct sluice_config *config) {
  char why[300];
  struct sluice_model shape = {.config = *config};
  return sluice_config_check(config, why, sizeof why) ? 0 : HEAD + lay_out(&shape, NULL);
}

struct sluice_model *sluice_model_open(const struct sluice_config *config) {
  const size_t bytes = sluice_model_bytes(config);
  void *block = bytes ? malloc(bytes) : NULL;
  return block ? sluice_model_place(block, config) : NULL;
}

struct sluice_model *sluice_model_place(void *memory, const struct sluice_config *config) {
  struct sluice_model *m = memory;
  memset(memory, 0, sluice_model_bytes(config));
  m->config = *config;
  lay_out(m, (uint8_t *)memory + HEAD);
  model_crc_tables(m);
  model_set_plain(m);
  model_tables_changed(m);
  m->filter.modules = config->NumModules;
  for (unsigned s = 0; s < SLUICE_MODEL_STAGES; s++) m->flip.watch[s] = 1;  // none
  for (unsigned r = 0; r < config->NumPorts + config->Recirculation; r++)
    *model_entry(m, SLUICE_TABLE_PORT_MASK, 0, r) = UINT64_C(1) << r;
  for (unsigned r = 0; r < m->rows; r++)
    *model_entry(m, SLUICE_TABLE_MODULE_PORTS, 0, r) = model_all_ports(m);
  return m;
}

void sluice_model_close(struct sluice_model *model) { free(model); }

const struct sluice_config *sluice_model_config(const struct sluice_model *model) {
  return &model->config;
}

void sluice_model_set_bitmap(struct sluice_model *model, uint32_t bitmap) {
  model->filter.bitmap = bitmap;
}

bool sluice_model_set_bank(struct sluice_model *model, uint32_t bank) {
  if (model->config.Banks < 2) return false;
  const uint32_t rows =
      model->config.NumModules < 32 ? (UINT32_C(1) << model->config.NumModules) - 1 : UINT32_MAX;
  model->filter.bank = bank & rows;
  return true;
}

void sluice_model_set_inside(struct sluice_model *model, unsigned bank, uint32_t rows) {
  model->inside[bank] = rows;
}

void sluice_model_set_sets(struct sluice_model *model, unsigned sets) {
  model->sets = 0;
  while (model->sets < sets && model->config.NumPipes >> (model->sets + 1)) model->sets++;
}

bool sluice_model_same_set(const struct sluice_model *model, unsigned a, unsigned b) {
  const unsigned pipes = model->config.NumPipes >> model->sets;
  return a / pipes == b / pipes;
}

const uint64_t *sluice_model_found(const struct sluice_model *model) { return model->found; }

void model_set_plain(struct sluice_model *m) {
  const struct sluice_config *c = &m->config;
  m->plain = !c->TernaryStages && !c->CuckooStages && !c->DefaultActions && !c->ActionData &&
             !c->EntryCounters && !m->step;
}

void sluice_model_watch(struct sluice_model *model, sluice_model_step_fn *step, void *user) {
  model->step = step;
  model->step_user = user;
  model_set_plain(model);
}

const struct sluice_model_filter *sluice_model_filter(const struct sluice_model *model) {
  return &model->filter;
}

struct sluice_model_verdict model_classify(const struct sluice_model_filter *filter, uint32_t bank,
                                           const struct sluice_model_again *again,
                                           const uint8_t *bytes, unsigned len) {
  struct sluice_model_verdict v = {.reason = SLUICE_DROP_NO_VLAN};
  if (len < SLUICE_MODEL_MIN_LEN || model_get16(bytes + 12) != 0x8100) return v;
  unsigned vid = model_get16(bytes + 14) & 0xfffu;
  v.row = vid % filter->modules;
  v.bank = bank >> v.row & 1;
  const uint64_t module = filter->module[v.bank * filter->modules + v.row];
  v.known = FIELD(&module, MODULE, VALID) && FIELD(&module, MODULE, VID) == vid &&
            (!again || again->row == v.row);
  bool ipv4 = model_get16(bytes + 16) == 0x0800;
  bool udp = bytes[27] == 0x11;
  bool need_udp = FIELD(&module, MODULE, NEED_UDP);
  bool need_ip = FIELD(&module, MODULE, NEED_IP) || need_udp;
  if (!v.known) v.reason = SLUICE_DROP_UNKNOWN_MODULE;
  else if (ipv4 && udp && model_get16(bytes + 40) == 0xf1f2) v.reason = SLUICE_DROP_RECONFIG;
  else if (filter->bitmap >> v.row & 1) v.reason = SLUICE_DROP_BITMAP;
  else if ((need_ip && !ipv4) || (need_udp && !udp)) v.reason = SLUICE_DROP_PROTOCOL;
  else v.reason = SLUICE_DROP_NONE;
  return v;
}

struct sluice_model_verdict sluice_model_classify(const struct sluice_model_filter *filter,
                                                  const uint8_t *bytes, unsigned len) {
  return model_classify(filter, filter->bank, NULL, bytes, len);
}

struct sluice_model_verdict sluice_model_classify_again(const struct sluice_model_filter *filter,
                                                        const struct sluice_model_again *again,
                                                        const uint8_t *bytes, unsigned len) {
  return model_classify(filter, filter->bank, again, bytes, len);
}

uint32_t sluice_model_budget(const struct sluice_model *model, unsigned row) {
  if (!model->config.Recirculation || row >= model->rows) return 0;
  return (uint32_t)*model_entry(model, SLUICE_TABLE_RECIRCULATE, 0, row);
}

uint64_t sluice_model_rate(const struct sluice_model *model, unsigned row) {
  if (!model->config.RateLimits || row >= model->config.NumModules) return 0;
  return *model_entry(model, SLUICE_TABLE_RATE_LIMIT, 0, row);
}

unsigned sluice_model_class(const struct sluice_model *model, unsigned row) {
  const unsigned classes = model->config.OutputClasses;
  if (!classes || row >= model->config.NumModules) return 0;
  const uint64_t *entry = model_entry(model, SLUICE_TABLE_OUTPUT_CLASS, 0, row);
  return (FIELD(entry, OUTPUT_CLASS, VALID) ? (unsigned)FIELD(entry, OUTPUT_CLASS, NUMBER) : row) %
         classes;
}

unsigned model_front(const struct sluice_model *model, const struct sluice_model_packet *packet,
                     struct sluice_model_phv *phv) {
  model_parse(model, packet, phv);
  model_show(model,
             &(struct sluice_model_step){.kind = SLUICE_STEP_PARSER, .row = -1, .after = phv});
  const struct model_overlay *overlay = model_overlay(model, model_row(model, phv));
  for (unsigned n = 0; n < overlay->num_front; n++)
    model_stage_front(model, overlay->front[n], phv);
  return phv->discard ? SLUICE_DROP_DISCARD_FRONT : SLUICE_DROP_NONE;
}

unsigned sluice_model_front(const struct sluice_model *model,
                            const struct sluice_model_packet *packet,
                            struct sluice_model_phv *phv) {
  struct sluice_model_keys keys;
  const unsigned reason = model_front(model, packet, phv);
  if (reason || !model->config.ArrayEntries) return reason;
  model_keys_ask(model, packet, phv, &keys);
  model_keys_take(model, &keys, phv);
  return SLUICE_DROP_NONE;
}

// The ports of a destination: a set, or with more than 8 ports a row of PORT_MASK.
static uint64_t destination(const struct sluice_model *m, uint8_t dest) {
  uint64_t ports = m->config.NumPorts <= 8 ? dest
                                           : *model_entry(m, SLUICE_TABLE_PORT_MASK, 0, dest);
  return ports & model_all_ports(m);
}

// A capsule goes through the program of its module as well: `came` is the packet as it came to the
// order point, with its bank there.
static void resolve_capsule(struct sluice_model *m, const struct sluice_model_phv *came,
                            struct model_capsule *capsule, struct sluice_model_result *result) {
  const struct model_overlay *overlay = model_overlay(m, model_row(m, came));
  // In stages without state there is nothing that a memory instruction could stand in place of.
  for (unsigned s = 0; s < m->config.StateStages; s++) {
    result->access[s].capsule = model_capsule_has(capsule, s);
    if (result->access[s].capsule) model_capsule_resolve(m, s, capsule, &result->access[s]);
  }
  for (unsigned n = 0; n < overlay->num_access; n++)
    if (!result->access[overlay->access[n]].capsule)
      model_resolve(m, overlay->access[n], came, &result->access[overlay->access[n]]);
}

// Whether a capsule that has run goes on in a further pass. Then it has not ended yet, and takes
// its registers along.
static bool goes_on(const struct sluice_model *m, unsigned row, const struct sluice_model_phv *now,
                    struct model_capsule *capsule, struct sluice_model_again *again) {
  const uint64_t ports = *model_entry(m, SLUICE_TABLE_MODULE_PORTS, 0, row);
  if (now->discard || !(ports & model_again_port(m)) || !model_capsule_more(m, capsule))
    return false;
  model_capsule_pause(capsule, again);
  return true;
}

// The ports of a packet that is not discarded, or why it has none.
static void choose_ports(const struct sluice_model *m, unsigned row, uint8_t dest, unsigned round,
                         struct sluice_model_result *result) {
  const uint64_t asked = destination(m, dest),
                 allowed = asked & *model_entry(m, SLUICE_TABLE_MODULE_PORTS, 0, row);
  result->ports = allowed;
  if (model_again_port(m)) {
    const uint64_t *entry = model_entry(m, SLUICE_TABLE_RECIRCULATE, 0, row);
    if (round >= FIELD(entry, RECIRCULATE, ROUNDS)) result->ports &= ~model_again_port(m);
  }
  if (!asked) result->reason = SLUICE_DROP_NO_DEST;
  else if (!allowed) result->reason = SLUICE_DROP_FORBIDDEN;
  else if (!result->ports) result->reason = SLUICE_DROP_ROUNDS;
  result->some_forbidden = result->ports && allowed != asked;
}

// Of a capsule that goes on and leaves as well: the port of recirculation is one of its ports.
static void fork_ports(const struct sluice_model *m, unsigned row, uint8_t dest,
                       struct sluice_model_result *result) {
  const uint64_t asked = destination(m, dest) | model_again_port(m);
  result->ports = asked & *model_entry(m, SLUICE_TABLE_MODULE_PORTS, 0, row);
  result->some_forbidden = result->ports != asked;
}

void sluice_model_admit(struct sluice_model *model, const struct sluice_model_packet *packet,
                        const struct sluice_model_phv *phv, struct sluice_model_result *result) {
  struct sluice_model_phv now = *phv, came = *phv;
  const unsigned row = model_row(model, phv);
  const struct model_overlay *overlay = model_overlay(model, row), *before = overlay;
  // A guarded flip came between the arrival and the order point: up to there it is of the old bank.
  if (model->config.FlipGuard && phv->bank != packet->bank) {
    came.bank = (uint8_t)packet->bank;
    before = model_overlay(model, model_row(model, &came));
  }
  result->reason = SLUICE_DROP_NONE;
  result->some_forbidden = result->congestion = false;
  result->len = packet->len;
  result->taken_out = 0;
  result->ports = 0;
  memset(result->access, 0, model->config.BackStages * sizeof result->access[0]);
  // All accesses are resolved from the PHV at the order point, before any back stage changes it.
  struct model_array words, *array = model->config.ArrayWords ? &words : NULL;
  if (array) model_array_parse(model, before, packet, array);
  // Words that were keys are what the lookups gave.
  if (model->config.ArrayEntries) memcpy(words.words, phv->words, sizeof words.words);
  struct model_capsule capsule;
  const bool executed = before->active && model_capsule_parse(model, packet, &came, &capsule);
  if (executed) {
    model_capsule_count(model, packet, &capsule);
    resolve_capsule(model, &came, &capsule, result);
  } else {
    for (unsigned n = 0; n < before->num_access; n++)
      model_resolve(model, before->access[n], &came, &result->access[before->access[n]]);
  }
  if (model->config.FlipGuard) model_flip_packet(model, phv, result->access);
  if (executed) {
    // From here on it has the bank of its ticket, and an instruction is executed at each stage.
    model_capsule_bank(model, phv->bank, &capsule);
    for (unsigned s = 0; s < model->config.BackStages; s++)
      model_stage_capsule(model, s, &now, &result->access[s], &capsule, array);
  } else {
    for (unsigned n = 0; n < overlay->num_back; n++)
      model_stage_back(model, overlay->back[n], &now, &result->access[overlay->back[n]], array);
  }
  const unsigned round = packet->again ? packet->again->round : 0;
  result->again = (struct sluice_model_again){.round = (uint8_t)(round + 1),
                                              .row = (uint8_t)(row % model->config.NumModules),
                                              .port = (uint8_t)packet->port,
                                              .dest = now.dest};
  const bool more = executed && goes_on(model, row, &now, &capsule, &result->again);
  model_deparse(model, packet, &now, array, result->header);
  if (executed) model_capsule_exit(model, packet, &capsule, result);
  if (now.mark) result->congestion = model_congestion(packet->bytes, result->header);
  if (now.discard) {
    result->reason = SLUICE_DROP_DISCARD_BACK;
    return;
  }
  if (!more) choose_ports(model, row, now.dest, round, result);
  else if (capsule.forked) fork_ports(model, row, now.dest, result);
  else result->ports = model_again_port(model);
}

bool sluice_model_mark(const struct sluice_model_packet *packet,
                       struct sluice_model_result *result) {
  const bool set = model_congestion(packet->bytes, result->header);
  result->congestion |= set;
  return set;
}

void sluice_model_pass_over(struct sluice_model *model, const struct sluice_model_packet *packet,
                            const struct sluice_model_phv *phv) {
  struct model_capsule capsule;
  if (model_overlay(model, model_row(model, phv))->active &&
      model_capsule_parse(model, packet, phv, &capsule))
    model_capsule_count(model, packet, &capsule);
}

uint32_t sluice_model_faults(const struct sluice_model *model, unsigned id) {
  return id < model->config.ActiveIds ? model->faults[id] : 0;
}

void sluice_model_queued(const struct sluice_model_packet *packet, const uint8_t *header,
                         uint8_t *bytes) {
  const unsigned head = packet->len < SLUICE_MODEL_HEADER ? packet->len : SLUICE_MODEL_HEADER;
  memcpy(bytes, header, head);
  memcpy(bytes + head, packet->bytes + head, packet->len - head);
}

unsigned sluice_model_take_out(const struct sluice_model_result *result, unsigned len,
                               uint8_t *bytes) {
  const unsigned at = SLUICE_MODEL_TAKEN_AT, gone = result->taken_out;
  if (!gone) return result->len;
  memmove(bytes + at, bytes + at + gone, len - at - gone);
  if (len - gone < result->len) memset(bytes + len - gone, 0, result->len - (len - gone));
  return result->len;
}

unsigned sluice_model_leave(const struct sluice_model_packet *packet,
                            const struct sluice_model_result *result, uint8_t *bytes) {
  sluice_model_queued(packet, result->header, bytes);
  return sluice_model_take_out(result, packet->len, bytes);
}

bool sluice_model_state(const struct sluice_model *model, unsigned row, unsigned stage,
                        unsigned index, uint32_t *s1, uint32_t *s2) {
  unsigned pipe;
  uint32_t slot;
  if (row >= model->rows || stage >= model->config.StateStages) return false;
  if (!model_home(model, row, stage, index, &pipe, &slot)) return false;
  const struct model_pair *pair = model_slot(model, stage, pipe, slot);
  *s1 = pair->s1;
  *s2 = pair->s2;
  return true;
}

unsigned sluice_model_state_range(const struct sluice_model *model, unsigned row, unsigned stage) {
  const bool egress = model_is_egress(model, stage) && stage < model_stages(model);
  if (row >= model->rows || (stage >= model->config.StateStages && !egress)) return 0;
  return FIELD32(model_entry(model, SLUICE_TABLE_SEGMENT, stage, row), SEGMENT, RANGE);
}
