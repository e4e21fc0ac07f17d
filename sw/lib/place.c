// SPDX-License-Identifier: Apache-2.0
#include "place.h"

#include <stdlib.h>
#include <string.h>

#include "one_word.h"
#include "reconfig.h"

void sluice_plan_init(struct sluice_plan *plan, const struct sluice_config *config) {
  memset(plan, 0, sizeof *plan);
  plan->config = config;
  plan->pipes = config->NumPipes;
  for (unsigned s = 0; s < SLUICE_MAX_BACK; s++)
    for (unsigned p = 0; p < SLUICE_MAX_PIPES; p++)
      plan->slots_high[s][p] = sluice_config_slots(config);
}

void sluice_plan_pin(struct sluice_plan *plan, unsigned pipe) {
  plan->pin = true;
  plan->pin_pipe = pipe;
}

enum sluice_status sluice_plan_set(struct sluice_plan *plan, unsigned sets, unsigned set,
                                   struct sluice_error *error) {
  const unsigned all = plan->config->NumPipes;
  if (sets == 0 || sets > all || (sets & (sets - 1)))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "%u sets: must be a power of two, at most the %u pipelines of chip '%s'", sets,
                       all, plan->config->name);
  if (set >= sets)
    return sluice_fail(error, SLUICE_ERR_RANGE, "set %u: there are %u, from 0 on", set, sets);
  if (plan->num_modules && plan->pipes != all / sets)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u sets: modules before have %u", sets,
                       all / plan->pipes);
  plan->pipes = all / sets;
  plan->first = set * plan->pipes;
  return SLUICE_OK;
}

unsigned sluice_plan_sets_log2(const struct sluice_plan *plan) {
  unsigned n = 0;
  while (plan->config->NumPipes >> n > plan->pipes) n++;
  return n;
}

void sluice_plan_release(struct sluice_plan *plan) {
  free(plan->writes);
  free(plan->segments);
  free(plan->fills);
  memset(plan, 0, sizeof *plan);
}

struct sluice_home sluice_segment_home(const struct sluice_segment *segment, unsigned index) {
  if (segment->pinned) return (struct sluice_home){segment->pipe, segment->base + index};
  return (struct sluice_home){segment->pipe + index % segment->pipes,
                              segment->base + index / segment->pipes};
}

static bool by_match_row(enum sluice_table table) {
  return table == SLUICE_TABLE_MATCH || table == SLUICE_TABLE_ACTION ||
         table == SLUICE_TABLE_STATE_INSTR;
}

// Parser and deparser: the chip must have every action that is used, and reach its bytes.
static enum sluice_status check_actions(const struct sluice_config *c, const struct sluice_image *image,
                                        const struct sluice_write *w, struct sluice_error *error) {
  const char *name = w->table == SLUICE_TABLE_PARSER ? "parser" : "deparser";
  for (unsigned a = 0; a < sluice_tables[w->table].bits / SLUICE_PARSE_ACTION_BITS; a++) {
    const uint8_t *action = w->bytes + 2 * a;
    if (!SLUICE_GET(action, PARSE_ACTION, VALID)) continue;
    if (a >= c->ParseActions)
      return sluice_fail(error, SLUICE_ERR_RANGE, "module '%s' uses %s action %u, chip '%s' has %u",
                         image->program, name, a, c->name, c->ParseActions);
    const unsigned end = (unsigned)(SLUICE_GET(action, PARSE_ACTION, OFFSET) +
                                    2 * SLUICE_GET(action, PARSE_ACTION, KIND));
    if (!SLUICE_GET(action, PARSE_ACTION, METADATA) && end > c->HeaderBytes)
      return sluice_fail(error, SLUICE_ERR_RANGE, "module '%s': a %s action ends at byte %u, chip '%s' reaches %u",
                         image->program, name, end, c->name, c->HeaderBytes);
  }
  return SLUICE_OK;
}

// Checksums: a chip without them would leave old ones in the packets.
static enum sluice_status check_checksums(const struct sluice_config *c, const struct sluice_image *image,
                                          const struct sluice_write *w, struct sluice_error *error) {
  const bool wanted = SLUICE_GET(w->bytes, DEPARSE_OPT, IP_CHECKSUM) || SLUICE_GET(w->bytes, DEPARSE_OPT, L4_CHECKSUM);
  if (!wanted || c->Checksums) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE, "module '%s' has its checksums updated, chip '%s' updates none",
                     image->program, c->name);
}

static enum sluice_status check_hash(const struct sluice_config *c, const struct sluice_image *image,
                                     const struct sluice_write *w, struct sluice_error *error) {
  if (!SLUICE_GET(w->bytes, HASH_INSTR, VALID) || c->HashUnits) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE, "module '%s' hashes, chip '%s' has no hash units", image->program, c->name);
}

// One field of a VLIW slot of an action word.
#define SLOT_GET(BYTES, SLOT, FORM, FIELD)                                                \
  ((unsigned)sluice_entry_get(BYTES, sluice_tables[SLUICE_TABLE_ACTION].bits,             \
                              SLUICE_INSTR_BITS * (SLOT) + SLUICE_##FORM##_##FIELD##_MSB, \
                              SLUICE_INSTR_BITS * (SLOT) + SLUICE_##FORM##_##FIELD##_LSB))

// Shifts: without shifters they give 0. Slot 0 has none, and slots of containers that are not there do nothing.
static enum sluice_status check_shifts(const struct sluice_config *c, const struct sluice_image *image,
                                       const struct sluice_write *w, struct sluice_error *error) {
  for (unsigned slot = 1; slot <= 24 && !c->Shifters; slot++) {
    const unsigned op = SLOT_GET(w->bytes, slot, INSTR, OP);
    const unsigned func = op == SLUICE_OP_FUNC ? SLOT_GET(w->bytes, slot, INSTR_FUNC, F) : SLOT_GET(w->bytes, slot, INSTR_FUNCI, F);
    if (sluice_op_shifts(op, func) && sluice_config_has_slot(c, slot))
      return sluice_fail(error, SLUICE_ERR_RANGE, "module '%s' shifts in slot %u at stage %u, chip '%s' has no shifters",
                         image->program, slot, w->stage, c->name);
  }
  return SLUICE_OK;
}

// A table of stages with state, or of front stages, in a stage that is none: the chip would refuse the packet.
static enum sluice_status check_stage(const struct sluice_config *c, const struct sluice_image *image,
                                      const struct sluice_write *w, struct sluice_error *error) {
  const struct sluice_table_info *table = &sluice_tables[w->table];
  if (w->stage >= c->BackStages + c->FrontStages)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "module '%s': stage %u, chip '%s' has %u",
                       image->program, w->stage, c->name, c->BackStages + c->FrontStages);
  const bool there = sluice_table_in_stage(w->table, w->stage, c);
  if (table->scope == SLUICE_SCOPE_state && !there)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "module '%s' writes %s at stage %u, chip '%s' has state in back stages 0 to %u: compile it again",
                       image->program, table->name, w->stage, c->name, c->StateStages - 1);
  if (table->scope == SLUICE_SCOPE_front && !there)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "module '%s' writes %s at stage %u, which is none of the %u front stages of chip '%s': compile it again",
                       image->program, table->name, w->stage, c->FrontStages, c->name);
  return SLUICE_OK;
}

// Match rows: the module gets, in each stage, as many rows behind the last one in use as it has.
static enum sluice_status take_rows(struct sluice_plan *plan, const struct sluice_image *image,
                                    struct sluice_placed *placed, struct sluice_error *error) {
  const struct sluice_config *c = plan->config;
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i];
    const enum sluice_status there = check_stage(c, image, w, error);
    if (there != SLUICE_OK) return there;
    if (w->table == SLUICE_TABLE_PARSER || w->table == SLUICE_TABLE_DEPARSER) {
      const enum sluice_status status = check_actions(c, image, w, error);
      if (status != SLUICE_OK) return status;
    }
    if (w->table == SLUICE_TABLE_DEPARSE_OPT) {
      const enum sluice_status status = check_checksums(c, image, w, error);
      if (status != SLUICE_OK) return status;
    }
    if (w->table == SLUICE_TABLE_HASH_INSTR) {
      const enum sluice_status status = check_hash(c, image, w, error);
      if (status != SLUICE_OK) return status;
    }
    if (w->table == SLUICE_TABLE_ACTION) {
      const enum sluice_status status = check_shifts(c, image, w, error);
      if (status != SLUICE_OK) return status;
    }
    if (!c->StatePairs) {
      const enum sluice_status status = sluice_one_word_check(c, image, w, error);
      if (status != SLUICE_OK) return status;
    }
    if (by_match_row(w->table) && w->index >= placed->num_rows[w->stage])
      placed->num_rows[w->stage] = w->index + 1;
  }
  for (unsigned s = 0; s < c->BackStages + c->FrontStages; s++) {
    placed->first_row[s] = plan->match_used[s];
    if (placed->num_rows[s] > c->MatchEntries - plan->match_used[s])
      return sluice_fail(
          error, SLUICE_ERR_FULL,
          "module '%s' (VLAN %u) needs %u match rows in %s stage %u, %u of %u are free",
          image->program, placed->vid, placed->num_rows[s], s < c->BackStages ? "back" : "front",
          s < c->BackStages ? s : s - c->BackStages, c->MatchEntries - plan->match_used[s],
          c->MatchEntries);
    plan->match_used[s] += placed->num_rows[s];
  }
  return SLUICE_OK;
}

// Where pinned segments of a stage start in the pipeline of the set where they start lowest.
static unsigned lowest_high(const struct sluice_plan *plan, unsigned stage) {
  unsigned low = plan->slots_high[stage][plan->first];
  for (unsigned p = 1; p < plan->pipes; p++)
    if (plan->slots_high[stage][plan->first + p] < low)
      low = plan->slots_high[stage][plan->first + p];
  return low;
}

static enum sluice_status take_slots(struct sluice_plan *plan, const struct sluice_placed *placed,
                                     const struct sluice_array *array,
                                     struct sluice_segment *segment, struct sluice_error *error) {
  const struct sluice_config *c = plan->config;
  unsigned *low = &plan->slots_low[array->stage][plan->first],
           *high = plan->slots_high[array->stage];
  memset(segment, 0, sizeof *segment);
  segment->pipe = plan->first;
  segment->pipes = plan->pipes;
  segment->stage = array->stage;
  segment->row = placed->row;
  segment->range = array->size;
  segment->pinned = array->pinned != 0;
  segment->s1 = (uint32_t)array->init[0];
  segment->s2 = (uint32_t)array->init[1];
  memcpy(segment->name, array->name, sizeof segment->name);

  unsigned need, room;
  const bool in_set = plan->pin_pipe >= plan->first && plan->pin_pipe < plan->first + plan->pipes;
  if (plan->pin && (!segment->pinned || !in_set))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "module '%s' (VLAN %u): array '%s' cannot be in pipeline %u alone: %s",
                       placed->program, placed->vid, array->name[0], plan->pin_pipe,
                       segment->pinned ? "the chip, or the set of the module, has no such pipeline"
                                       : "the image was not compiled with --pin");
  if (segment->pinned) {
    for (unsigned p = plan->first; p < plan->first + plan->pipes && !plan->pin; p++)
      if (high[p] > high[segment->pipe]) segment->pipe = p;
    if (plan->pin) segment->pipe = plan->pin_pipe;
    need = array->size;
    room = high[segment->pipe] - *low;
  } else {
    need = array->size / plan->pipes + (array->size % plan->pipes != 0);
    room = lowest_high(plan, array->stage) - *low;
  }
  if (need > room)
    return sluice_fail(
        error, SLUICE_ERR_FULL,
        "module '%s' (VLAN %u): array '%s' needs %u state slots in %s of back stage %u, "
        "%u of %u are free",
        placed->program, placed->vid, array->name[0], need,
        segment->pinned ? "one pipeline" : "each pipeline", array->stage, room,
        sluice_config_slots(c));
  if (segment->pinned) {
    high[segment->pipe] -= need;
    segment->base = high[segment->pipe];
  } else {
    segment->base = *low;
    *low += need;
  }
  return SLUICE_OK;
}

// The entry as this chip needs it: absolute rows, the module's VLAN id, bases and pipelines.
static void relocate(struct sluice_write *w, const struct sluice_placed *placed,
                     const struct sluice_segment *const at[SLUICE_MAX_STAGES]) {
  const struct sluice_segment *segment = at[w->stage];
  w->index = by_match_row(w->table) ? w->index + placed->first_row[w->stage] : placed->row;
  switch (w->table) {
    case SLUICE_TABLE_MATCH:
      SLUICE_SET(w->bytes, MATCH, VID, placed->vid & 255u);
      SLUICE_SET(w->bytes, MATCH, PCP_DEI, 0);
      break;
    case SLUICE_TABLE_SEGMENT:
      SLUICE_SET(w->bytes, SEGMENT, BASE, segment ? segment->base : 0);
      break;
    case SLUICE_TABLE_ACCESS:
      SLUICE_SET(w->bytes, ACCESS, PIPE, segment ? segment->pipe : placed->first);
      break;
    case SLUICE_TABLE_MODULE:
      SLUICE_SET(w->bytes, MODULE, VALID, 1);
      SLUICE_SET(w->bytes, MODULE, VID, placed->vid);
      SLUICE_SET(w->bytes, MODULE, PIPE, placed->first);
      break;
    default: break;
  }
}

// An array needs a stage with state that no other array of the module has, and as many words as its entries have.
static enum sluice_status check_array(const struct sluice_config *c, const struct sluice_image *image,
                                      const struct sluice_array *array,
                                      const struct sluice_segment *const at[SLUICE_MAX_STAGES],
                                      struct sluice_error *error) {
  if (!c->StatePairs && (array->name[1][0] || array->init[1]))
    return sluice_fail(error, SLUICE_ERR_RANGE, "module '%s': array '%s' has entries of two words, chip '%s' has entries of one word",
                       image->program, array->name[0], c->name);
  if (array->stage < c->StateStages && !at[array->stage]) return SLUICE_OK;
  if (array->stage >= c->BackStages || at[array->stage])
    return sluice_fail(error, SLUICE_ERR_FORMAT, "module '%s': back stage %u %s", image->program, array->stage,
                       array->stage < c->BackStages ? "has two arrays" : "does not exist");
  return sluice_fail(error, SLUICE_ERR_RANGE,
                     "module '%s': array '%s' is at back stage %u, chip '%s' has state in back stages 0 to %u: compile it again",
                     image->program, array->name[0], array->stage, c->name, c->StateStages - 1);
}

// Everything the module adds, written behind what the plan holds already; `plan` is a scratch copy.
static enum sluice_status fill_in(struct sluice_plan *plan, const struct sluice_image *image,
                                  struct sluice_placed *placed, struct sluice_error *error) {
  enum sluice_status status = take_rows(plan, image, placed, error);
  if (status) return status;
  const struct sluice_segment *at[SLUICE_MAX_STAGES] = {0};
  for (size_t i = 0; i < image->num_arrays; i++) {
    const struct sluice_array *array = &image->arrays[i];
    status = check_array(plan->config, image, array, at, error);
    if (status) return status;
    struct sluice_segment *segment = &plan->segments[plan->num_segments++];
    status = take_slots(plan, placed, array, segment, error);
    if (status) return status;
    at[array->stage] = segment;
    plan->fills[plan->num_fills++] =
        (struct sluice_fill){segment->stage, segment->row, segment->s1, segment->s2};
  }
  bool has_module = false, has_segment[SLUICE_MAX_STAGES] = {0};
  for (size_t i = 0; i < image->num_writes; i++) {
    struct sluice_write *w = &plan->writes[plan->num_writes++];
    *w = image->writes[i];
    relocate(w, placed, at);
    has_module |= w->table == SLUICE_TABLE_MODULE;
    if (w->table == SLUICE_TABLE_SEGMENT) has_segment[w->stage] = true;
  }
  for (unsigned s = 0; s < plan->config->StateStages; s++) {
    if (!at[s] || has_segment[s]) continue;
    struct sluice_write *w = &plan->writes[plan->num_writes++];
    *w = (struct sluice_write){.table = SLUICE_TABLE_SEGMENT, .stage = s};
    SLUICE_SET(w->bytes, SEGMENT, RANGE, at[s]->range);
    relocate(w, placed, at);
  }
  if (!has_module) {
    struct sluice_write *w = &plan->writes[plan->num_writes++];
    *w = (struct sluice_write){.table = SLUICE_TABLE_MODULE};
    relocate(w, placed, at);
  }
  return SLUICE_OK;
}

// Room for `more` elements behind `count`; the list stays valid if it fails.
static bool reserve(void *list, void **grown, size_t count, size_t more, size_t size) {
  *grown = realloc(list, (count + more + 1) * size);
  return *grown != NULL;
}

enum sluice_status sluice_plan_add(struct sluice_plan *plan, const struct sluice_image *image,
                                   unsigned vid, struct sluice_error *error) {
  if (strcmp(image->config, plan->config->name) != 0)
    return sluice_fail(error, SLUICE_ERR_FOREIGN, "module '%s' is made for chip '%s', this is '%s'",
                       image->program, image->config, plan->config->name);
  if (vid < 1 || vid > 4094)
    return sluice_fail(error, SLUICE_ERR_RANGE, "VLAN id %u, legal is 1..4094", vid);
  unsigned row = vid % plan->config->NumModules;
  for (size_t i = 0; i < plan->num_modules; i++)
    if (plan->modules[i].row == row)
      return sluice_fail(
          error, SLUICE_ERR_FULL,
          "VLAN %u needs overlay row %u, which VLAN %u ('%s') has: ids must differ modulo %u", vid,
          row, plan->modules[i].vid, plan->modules[i].program, plan->config->NumModules);
  void *grown;
  if (!reserve(plan->writes, &grown, plan->num_writes, image->num_writes + SLUICE_MAX_BACK,
               sizeof *plan->writes))
    return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  plan->writes = grown;
  if (!reserve(plan->segments, &grown, plan->num_segments, image->num_arrays,
               sizeof *plan->segments))
    return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  plan->segments = grown;
  if (!reserve(plan->fills, &grown, plan->num_fills, image->num_arrays, sizeof *plan->fills))
    return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  plan->fills = grown;

  // The copy shares the lists: what is written behind their ends counts only if the copy is taken
  // over.
  struct sluice_plan next = *plan;
  struct sluice_placed *placed = &next.modules[next.num_modules++];
  memset(placed, 0, sizeof *placed);
  placed->vid = vid;
  placed->row = row;
  placed->first = plan->first;
  placed->pipes = plan->pipes;
  memcpy(placed->program, image->program, sizeof placed->program);
  enum sluice_status status = fill_in(&next, image, placed, error);
  if (!status) *plan = next;
  return status;
}

enum sluice_status sluice_plan_share(struct sluice_plan *plan, unsigned vid, unsigned rate,
                                     unsigned burst, struct sluice_error *error) {
  bool there = false;
  for (size_t i = 0; i < plan->num_modules; i++) there |= plan->modules[i].vid == vid;
  if (!there)
    return sluice_fail(error, SLUICE_ERR_RANGE, "a share for VLAN %u, which no module has", vid);
  if (rate > SLUICE_SHARE_RATE_MAX || burst > SLUICE_SHARE_BURST_MAX)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "share of VLAN %u: rate %u, burst %u; legal is up to %d and %d", vid, rate,
                       burst, SLUICE_SHARE_RATE_MAX, SLUICE_SHARE_BURST_MAX);
  void *grown;
  if (!reserve(plan->writes, &grown, plan->num_writes, 1, sizeof *plan->writes))
    return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  plan->writes = grown;
  struct sluice_write *w = &plan->writes[plan->num_writes++];
  *w = (struct sluice_write){.table = SLUICE_TABLE_SHARE, .index = vid % plan->config->NumModules};
  SLUICE_SET(w->bytes, SHARE, LIMIT, 1);
  SLUICE_SET(w->bytes, SHARE, BURST, burst);
  SLUICE_SET(w->bytes, SHARE, RATE, rate);
  return SLUICE_OK;
}
