// SPDX-License-Identifier: Apache-2.0
// What entries of tables have counted. The chip counts by places of its engines, and places change
// hands: before entries are written, the counters of the places that they take are read, and what
// they have counted goes to the entries that stood there.
//
// An entry is known by its VLAN id and key. While it moves it stands at two places; what the one
// that it leaves has counted goes to the other one.
#include <sluice/table.h>
#include <string.h>

#include "../../base/cuckoo.h"
#include "chip.h"
#include "../plan/table_diff.h"
#include "../plan/table_plan.h"

enum { SOME = 32, KINDS = 2 };

/// A place of an engine.
struct chip_count {
  bool named, touched;  // an entry stands there, or has stood there
  uint64_t name;        // of the entry
  // The counter, all pipelines: when it was read last, and as it is being read
  struct sluice_table_count seen, now;
  // what the entry has counted up to `seen`: since it was cleared, and since it was added
  struct sluice_table_count of, all;
  uint64_t serial;  // of the entry: one that is added again has another
  // While tables change: the entry may be taken out and added again. `born`: its order in the plan
  // before; `dead_of`, `dead_all`: what of the numbers above is that entry's.
  bool watched;
  uint32_t born;
  struct sluice_table_count dead_of, dead_all;
};

struct engine {
  struct sluice_chip *chip;
  unsigned stage;
  enum sluice_engine_kind kind;
  struct chip_count *places;
};

static unsigned size_of(const struct sluice_config *c, enum sluice_engine_kind kind) {
  return kind == SLUICE_ENGINE_TERNARY ? c->TernaryEntries : c->CuckooEntries;
}

static enum sluice_table count_table(enum sluice_engine_kind kind) {
  return kind == SLUICE_ENGINE_TERNARY ? SLUICE_TABLE_TERNARY_COUNT : SLUICE_TABLE_CUCKOO_COUNT;
}

static enum sluice_engine_kind kind_of(enum sluice_table table) {
  return table == SLUICE_TABLE_TERNARY ? SLUICE_ENGINE_TERNARY : SLUICE_ENGINE_CUCKOO;
}

// ---- names --------------------------------------------------------------------------------------

// VID, key and mask of an entry as the engine holds it. Of a cuckoo entry it is the hash that says
// where it may stand. False: there is none.
static bool name_of(enum sluice_engine_kind kind, const uint8_t *bytes, uint64_t *name) {
  uint64_t key[SLUICE_CUCKOO_KEY_WORDS];
  *name = 0;
  if (kind == SLUICE_ENGINE_CUCKOO) {
    for (unsigned w = 0; w < SLUICE_CUCKOO_KEY_WORDS; w++) {
      const unsigned lsb = 64 * w,
                     msb = lsb + 63 < SLUICE_KEY_BITS ? lsb + 63 : SLUICE_KEY_BITS - 1;
      key[w] = sluice_entry_get(bytes, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB + msb,
                                SLUICE_CUCKOO_KEY_LSB + lsb);
    }
    *name = sluice_cuckoo_hash((unsigned)SLUICE_GET(bytes, CUCKOO, VID), key);
    return SLUICE_GET(bytes, CUCKOO, VALID);
  }
  *name = SLUICE_GET(bytes, TERNARY, VID);
  for (unsigned lsb = SLUICE_TERNARY_CARE_LSB; lsb <= SLUICE_TERNARY_KEY_MSB; lsb += 32) {
    const unsigned msb = lsb + 31 < SLUICE_TERNARY_KEY_MSB ? lsb + 31 : SLUICE_TERNARY_KEY_MSB;
    *name = (*name ^ sluice_entry_get(bytes, SLUICE_TERNARY_BITS, msb, lsb)) *
            UINT64_C(0x9e3779b97f4a7c15);
    *name ^= *name >> 29;
  }
  return SLUICE_GET(bytes, TERNARY, VALID);
}
_Static_assert(SLUICE_TERNARY_KEY_LSB == SLUICE_TERNARY_CARE_MSB + 1,
               "mask and key are neighbours");

// The next place with this name from `from` on; the engine's size: none.
static unsigned next_named(const struct engine *e, uint64_t name, unsigned from) {
  const unsigned size = size_of(e->chip->config, e->kind);
  unsigned best = size;
  if (e->kind == SLUICE_ENGINE_CUCKOO) {
    for (unsigned way = 0; way < SLUICE_CUCKOO_WAYS; way++) {
      const unsigned at = sluice_cuckoo_entry(name, way, size);
      if (at >= from && at < best && e->places[at].named && e->places[at].name == name) best = at;
    }
    return best;
  }
  for (unsigned at = from; at < size; at++)
    if (e->places[at].named && e->places[at].name == name) return at;
  return size;
}

static void add(struct sluice_table_count *to, const struct sluice_table_count *what) {
  to->packets += what->packets;
  to->bytes += what->bytes;
}

// An entry that stands elsewhere already keeps its serial.
static uint64_t serial_of(const struct engine *e, uint64_t name) {
  const unsigned at = next_named(e, name, 0);
  return at < size_of(e->chip->config, e->kind) ? e->places[at].serial : ++e->chip->count_serial;
}

static void rename_place(const struct engine *e, unsigned at, bool named, uint64_t name) {
  struct chip_count *p = &e->places[at];
  const unsigned size = size_of(e->chip->config, e->kind);
  if (named == p->named && (!named || name == p->name)) return;
  p->named = false;
  const unsigned other = p->touched ? next_named(e, p->name, 0) : size;
  if (other < size) {
    add(&e->places[other].of, &p->of);
    add(&e->places[other].all, &p->all);
    if (p->watched) {
      e->places[other].watched = true;
      e->places[other].born = p->born;
      add(&e->places[other].dead_of, &p->dead_of);
      add(&e->places[other].dead_all, &p->dead_all);
    }
  }
  p->watched = false;
  p->dead_of = p->dead_all = (struct sluice_table_count){0, 0};
  p->of = p->all = (struct sluice_table_count){0, 0};
  if (named) p->serial = serial_of(e, name);
  p->named = named;
  p->touched |= named;
  p->name = name;
}

// ---- reading ------------------------------------------------------------------------------------

struct reading {
  struct engine *e;
  struct chip_query query[SOME];
  unsigned num;
  struct sluice_error *error;
};

static void take(void *user, size_t n, const struct sluice_reconfig *answer) {
  const struct reading *r = user;
  const struct chip_query *q = &r->query[n];
  for (unsigned i = 0; i < q->count; i++) {
    const uint8_t *bytes = sluice_reconfig_entry(answer, i);
    const struct sluice_table_count one = {SLUICE_GET(bytes, ENTRY_COUNT, PACKETS),
                                           SLUICE_GET(bytes, ENTRY_COUNT, BYTES)};
    add(&r->e->places[q->index + i].now, &one);
  }
}

static enum sluice_status flush(struct reading *r) {
  const unsigned num = r->num;
  r->num = 0;
  return chip_query_all(r->e->chip, r->query, num, take, r, r->error);
}

// Asks for the counters of some places; the answers are there behind `flush`.
static enum sluice_status ask(struct reading *r, unsigned at, unsigned num) {
  for (unsigned i = 0; i < num; i++) r->e->places[at + i].now = (struct sluice_table_count){0, 0};
  for (unsigned copy = 0; copy < r->e->chip->config->NumPipes; copy++) {
    if (r->num == SOME) CHIP_TRY(flush(r));
    r->query[r->num++] =
        (struct chip_query){count_table(r->e->kind), r->e->stage, at, num, copy, 0};
  }
  return SLUICE_OK;
}

// What was counted since the last time goes to the entry that stands there.
static void fold(struct chip_count *p) {
  const uint64_t packets = (UINT64_C(1) << 28) - 1, bytes = (UINT64_C(1) << 36) - 1;
  const struct sluice_table_count more = {(p->now.packets - p->seen.packets) & packets,
                                          (p->now.bytes - p->seen.bytes) & bytes};
  add(&p->of, &more);
  add(&p->all, &more);
  p->seen = p->now;
}
_Static_assert(SLUICE_ENTRY_COUNT_PACKETS_MSB - SLUICE_ENTRY_COUNT_PACKETS_LSB == 27 &&
                   SLUICE_ENTRY_COUNT_BYTES_MSB - SLUICE_ENTRY_COUNT_BYTES_LSB == 35,
               "where counters wrap");

// Reads all places of an engine at which an entry stands or, `all`, every place.
static enum sluice_status read_engine(struct engine *e, bool all, struct sluice_error *error) {
  struct reading r = {.e = e, .error = error};
  const unsigned size = size_of(e->chip->config, e->kind),
                 block = chip_query_max(e->chip, count_table(e->kind));
  for (unsigned at = 0; at < size; at += block) {
    const unsigned num = size - at < block ? size - at : block;
    bool wanted = all;
    for (unsigned i = 0; i < num; i++) {
      e->places[at + i].now = e->places[at + i].seen;
      wanted |= e->places[at + i].named;
    }
    if (wanted) CHIP_TRY(ask(&r, at, num));
  }
  CHIP_TRY(flush(&r));
  for (unsigned at = 0; at < size; at++) fold(&e->places[at]);
  return SLUICE_OK;
}

// ---- life ---------------------------------------------------------------------------------------

static struct chip_count **places_of(struct sluice_chip *chip, unsigned stage,
                                     enum sluice_engine_kind kind) {
  return &chip->counts[stage][kind == SLUICE_ENGINE_CUCKOO];
}

static bool get_engine(struct sluice_chip *chip, unsigned stage, enum sluice_engine_kind kind,
                       struct engine *e) {
  struct chip_count **places = places_of(chip, stage, kind);
  if (!*places)
    *places = sluice_zeroed(&chip->alloc, size_of(chip->config, kind) * sizeof **places);
  *e = (struct engine){chip, stage, kind, *places};
  return *places != NULL;
}

void chip_counts_release(struct sluice_chip *chip) {
  for (unsigned s = 0; s < SLUICE_TABLES_STAGES; s++)
    for (unsigned k = 0; k < KINDS; k++) {
      const enum sluice_engine_kind kind = k ? SLUICE_ENGINE_CUCKOO : SLUICE_ENGINE_TERNARY;
      struct chip_count **places = places_of(chip, s, kind);
      if (*places)
        sluice_resize(&chip->alloc, *places, size_of(chip->config, kind) * sizeof **places, 0);
      *places = NULL;
    }
}

void chip_counts_reset(struct sluice_chip *chip) {
  chip_counts_release(chip);
  chip->counts_known = true;
}

// Somebody else has used the chip: entries count from now on.
static enum sluice_status begin(struct sluice_chip *chip, struct sluice_error *error) {
  struct engine e;
  if (chip->counts_known) return SLUICE_OK;
  chip_counts_release(chip);
  for (unsigned s = 0; s < SLUICE_TABLES_STAGES; s++)
    for (unsigned k = 0; k < KINDS; k++) {
      const enum sluice_engine_kind kind = k ? SLUICE_ENGINE_CUCKOO : SLUICE_ENGINE_TERNARY;
      if (!sluice_table_in_stage(count_table(kind), s, chip->config)) continue;
      if (!get_engine(chip, s, kind, &e)) return sluice_no_memory(error);
      CHIP_TRY(read_engine(&e, true, error));
      for (unsigned at = 0; at < size_of(chip->config, kind); at++) {
        uint8_t bytes[SLUICE_ENTRY_BYTES];
        const uint32_t id = sluice_tables_at(&chip->plan->tables, s, kind, at);
        struct chip_count *p = &e.places[at];
        sluice_tables_encode(&chip->plan->tables, id, 0, bytes);
        const bool named = id != SLUICE_NO_ID && name_of(kind, bytes, &p->name);
        if (named) p->serial = serial_of(&e, p->name);
        p->named = named;
        p->touched = true;
        p->of = p->all = (struct sluice_table_count){0, 0};
      }
    }
  chip->counts_known = true;
  return SLUICE_OK;
}

// ---- changes of entries -------------------------------------------------------------------------

// The array match does not count.
static bool counts(const struct sluice_change *c) {
  return sluice_change_of_engine(c) && c->table != SLUICE_TABLE_ARRAY_MATCH;
}

enum sluice_status chip_counts_before(struct sluice_chip *chip, const struct sluice_change *list,
                                      size_t num, struct sluice_error *error) {
  if (!chip->config->EntryCounters || !chip->counts_known) return SLUICE_OK;
  struct engine e = {.places = NULL};
  struct reading r = {.e = &e, .error = error};
  size_t from = 0;
  for (size_t i = 0; i <= num; i++) {
    const struct sluice_change *c = i < num ? &list[i] : NULL;
    if (c && !counts(c)) continue;
    const bool same = c && e.places && c->stage == e.stage &&
                      kind_of((enum sluice_table)c->table) == e.kind;
    if (!same && e.places) {
      CHIP_TRY(flush(&r));
      for (size_t n = from; n < i; n++)
        if (counts(&list[n]) && e.places[list[n].index].touched) {
          struct chip_count *p = &e.places[list[n].index];
          fold(p);
          if (p->watched) p->dead_of = p->of, p->dead_all = p->all;
        }
    }
    if (!c) break;
    if (!same) {
      from = i;
      if (!get_engine(chip, c->stage, kind_of((enum sluice_table)c->table), &e))
        return sluice_no_memory(error);
    }
    if (e.places[c->index].touched) CHIP_TRY(ask(&r, c->index, 1));
  }
  for (size_t i = 0; i < num; i++) {
    const struct sluice_change *c = &list[i];
    uint64_t name;
    if (!counts(c)) continue;
    if (!get_engine(chip, c->stage, kind_of((enum sluice_table)c->table), &e))
      return sluice_no_memory(error);
    const bool named = name_of(e.kind, c->bytes, &name);
    rename_place(&e, c->index, named, name);
  }
  return SLUICE_OK;
}

static uint64_t name_of_id(const struct engine *e, uint32_t id) {
  uint8_t bytes[SLUICE_ENTRY_BYTES];
  uint64_t name;
  sluice_tables_encode(&e->chip->plan->tables, id, 0, bytes);
  (void)name_of(e->kind, bytes, &name);
  return name;
}

// ---- entries that are taken out and added again -------------------------------------------------

enum { NO_TABLE = UINT32_MAX };

// Which changes may do that: those that put an entry, behind one that takes some out.
static bool puts_entry(const struct sluice_table_change *c) {
  return c->op == SLUICE_TABLE_ADD || c->op == SLUICE_TABLE_SET;
}

// The number of the table that a change is of; it is the same behind the change.
static uint32_t table_of(const struct sluice_chip *chip, const struct sluice_table_change *c) {
  const struct sluice_placed_table *t =
      puts_entry(c) ? sluice_plan_table_named(chip->plan, c->vid, c->table, NULL) : NULL;
  return t ? (uint32_t)(t - chip->plan->tables.list) : NO_TABLE;
}

// The places of the entry that a change of this table puts, if the plan has it; *id: its number
// there.
static bool entry_of(struct sluice_chip *chip, uint32_t table, const struct sluice_table_change *c,
                     uint32_t *id, struct engine *e, uint64_t *name) {
  if (table == NO_TABLE || !sluice_plan_table_find_in(chip->plan, table, c, id)) return false;
  const struct sluice_stored *entry = &chip->plan->tables.entries[*id];
  if (entry->engine == SLUICE_ENGINE_ARRAY) return false;
  if (!get_engine(chip, entry->stage, (enum sluice_engine_kind)entry->engine, e)) return false;
  *name = name_of_id(e, *id);
  return true;
}

static bool watch(struct sluice_chip *chip, const struct sluice_table_change *changes, unsigned num,
                  uint32_t *tables) {
  bool takes_out = false, watched = false;
  struct engine e;
  uint64_t name;
  uint32_t id;
  for (unsigned i = 0; i < num; i++) {
    tables[i] = table_of(chip, &changes[i]);
    takes_out |= changes[i].op == SLUICE_TABLE_DELETE || changes[i].op == SLUICE_TABLE_CLEAR;
    if (!takes_out || !entry_of(chip, tables[i], &changes[i], &id, &e, &name)) continue;
    const unsigned size = size_of(chip->config, e.kind);
    for (unsigned at = next_named(&e, name, 0); at < size; at = next_named(&e, name, at + 1)) {
      struct chip_count *p = &e.places[at];
      p->watched = watched = true;
      p->born = chip->plan->tables.entries[id].order;
      p->dead_of = p->of;
      p->dead_all = p->all;
    }
  }
  return watched;
}

bool chip_counts_watch(struct sluice_chip *chip, const struct sluice_table_change *changes,
                       unsigned num, uint32_t **tables) {
  *tables = NULL;
  if (!chip->config->EntryCounters || !chip->counts_known) return true;
  uint32_t *list = sluice_resize(&chip->alloc, NULL, 0, num * sizeof *list);
  if (!list) return false;
  if (watch(chip, changes, num, list)) *tables = list;
  else sluice_resize(&chip->alloc, list, num * sizeof *list, 0);
  return true;
}

static void take_off(struct sluice_table_count *from, const struct sluice_table_count *what) {
  from->packets -= what->packets;
  from->bytes -= what->bytes;
}

void chip_counts_watched(struct sluice_chip *chip, const struct sluice_table_change *changes,
                         unsigned num, uint32_t *tables) {
  struct engine e;
  uint64_t name;
  uint32_t id;
  for (unsigned i = 0; i < num; i++) {
    if (!entry_of(chip, tables[i], &changes[i], &id, &e, &name)) continue;
    const unsigned size = size_of(chip->config, e.kind);
    uint64_t serial = 0;
    for (unsigned at = next_named(&e, name, 0); at < size; at = next_named(&e, name, at + 1)) {
      struct chip_count *p = &e.places[at];
      if (p->watched && p->born != chip->plan->tables.entries[id].order) {
        take_off(&p->of, &p->dead_of);
        take_off(&p->all, &p->dead_all);
        if (!serial) serial = ++chip->count_serial;
      }
      p->watched = false;
      p->dead_of = p->dead_all = (struct sluice_table_count){0, 0};
    }
    for (unsigned at = next_named(&e, name, 0); serial && at < size;
         at = next_named(&e, name, at + 1))
      e.places[at].serial = serial;
  }
  sluice_resize(&chip->alloc, tables, num * sizeof *tables, 0);
}

// ---- for the caller -----------------------------------------------------------------------------

static enum sluice_status find(struct sluice_chip *chip, unsigned vid, const char *table,
                               const struct sluice_placed_table **t, struct sluice_error *error) {
  CHIP_TRY(chip_settle(chip, error));
  *t = sluice_plan_table_named(chip->plan, vid, table, error);
  if (!*t) return SLUICE_ERR_RANGE;
  if ((*t)->table.engine == SLUICE_ENGINE_ARRAY)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "'%s' looks words up in the array match, whose entries do not count", table);
  return begin(chip, error);
}

// The engine in which an entry stands.
static bool engine_of(struct sluice_chip *chip, uint32_t id, struct engine *e) {
  const struct sluice_stored *entry = &chip->plan->tables.entries[id];
  return get_engine(chip, entry->stage, (enum sluice_engine_kind)entry->engine, e);
}

// Reads the engines of all parts.
static enum sluice_status read_parts(struct sluice_chip *chip, const struct sluice_placed_table *t,
                                     struct sluice_error *error) {
  const struct sluice_placed_table *part;
  struct engine e;
  for (unsigned n = 0; (part = sluice_tables_part(&chip->plan->tables, t, n)); n++) {
    if (!get_engine(chip, part->table.stage, part->table.engine, &e))
      return sluice_no_memory(error);
    CHIP_TRY(read_engine(&e, false, error));
  }
  return SLUICE_OK;
}

struct entry_sum {
  struct sluice_table_count of, all;  // as those of a place
  uint64_t serial;
};

// Of all places at which the entry stands; `clear`: from then on it begins with 0.
static struct entry_sum sum_of(const struct engine *e, uint32_t id, bool clear) {
  const unsigned size = size_of(e->chip->config, e->kind);
  const uint64_t name = name_of_id(e, id);
  struct entry_sum sum = {{0, 0}, {0, 0}, 0};
  for (unsigned at = next_named(e, name, 0); at < size; at = next_named(e, name, at + 1)) {
    struct chip_count *p = &e->places[at];
    add(&sum.of, &p->of);
    add(&sum.all, &p->all);
    sum.serial = p->serial;
    if (clear) p->of = (struct sluice_table_count){0, 0};
  }
  return sum;
}

enum sluice_status sluice_chip_table_counts(struct sluice_chip *chip, unsigned vid,
                                            const char *table, bool clear,
                                            struct sluice_table_count *counts, unsigned room,
                                            unsigned *num, struct sluice_error *error) {
  const struct sluice_placed_table *t;
  struct engine e;
  *num = 0;
  CHIP_TRY(find(chip, vid, table, &t, error));
  CHIP_TRY(read_parts(chip, t, error));
  for (uint32_t id = 0;
       (id = sluice_tables_next(&chip->plan->tables, t, id)) != SLUICE_NO_ID && *num < room; id++) {
    if (!engine_of(chip, id, &e)) return sluice_no_memory(error);
    counts[(*num)++] = sum_of(&e, id, clear).of;
  }
  return SLUICE_OK;
}

enum sluice_status sluice_chip_table_totals(struct sluice_chip *chip, unsigned vid,
                                            const char *table, struct sluice_table_total *totals,
                                            unsigned room, unsigned *num,
                                            struct sluice_error *error) {
  const struct sluice_placed_table *t;
  struct engine e;
  *num = 0;
  CHIP_TRY(find(chip, vid, table, &t, error));
  CHIP_TRY(read_parts(chip, t, error));
  for (uint32_t id = 0;
       (id = sluice_tables_next(&chip->plan->tables, t, id)) != SLUICE_NO_ID && *num < room; id++) {
    if (!engine_of(chip, id, &e)) return sluice_no_memory(error);
    const struct entry_sum sum = sum_of(&e, id, false);
    totals[(*num)++] = (struct sluice_table_total){
        .packets = sum.all.packets, .bytes = sum.all.bytes, .serial = sum.serial};
  }
  return SLUICE_OK;
}

enum sluice_status sluice_chip_table_count(struct sluice_chip *chip,
                                           const struct sluice_table_change *entry, bool clear,
                                           struct sluice_table_count *count,
                                           struct sluice_error *error) {
  const struct sluice_placed_table *t;
  struct engine e;
  struct reading r = {.e = &e, .error = error};
  uint32_t id;
  *count = (struct sluice_table_count){0, 0};
  CHIP_TRY(find(chip, entry->vid, entry->table, &t, error));
  if (!sluice_plan_table_find(chip->plan, entry, &id))
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "table '%s' of module %u has no such entry",
                       entry->table, entry->vid);
  if (!engine_of(chip, id, &e)) return sluice_no_memory(error);
  const unsigned size = size_of(chip->config, e.kind);
  const uint64_t name = name_of_id(&e, id);
  for (unsigned at = next_named(&e, name, 0); at < size; at = next_named(&e, name, at + 1))
    CHIP_TRY(ask(&r, at, 1));
  CHIP_TRY(flush(&r));
  for (unsigned at = next_named(&e, name, 0); at < size; at = next_named(&e, name, at + 1))
    fold(&e.places[at]);
  *count = sum_of(&e, id, clear).of;
  return SLUICE_OK;
}
