// SPDX-License-Identifier: Apache-2.0
// Tables that are too large for one engine: parts of them in several stages.
//
//     exact keys      cuckoo engines, then ternary ones; an entry is in any of them
//     ternary keys    ternary engines; entries of earlier parts win
//     a prefix        cuckoo engines for the commonest lengths, one each; a ternary engine for all
//                     others. On a chip without cuckoo engines as ternary keys.
//
// A later part wins against earlier ones, so lengths go up from part to part. Those of the ternary
// engine lie between the others, so there is something to guard:
//
//     part 0  ternary  all but 16 and 24    found: bit 0 if longer than 16, bit 1 if longer than 24
//     part 1  cuckoo   16                   guard: bit 0 of what was found
//     part 2  cuckoo   24                   guard: bit 1
//
// What was found is in a container, of which the guard is a bit of the key: an entry has 0 there,
// and does not match if something longer was found.
#include <string.h>

#include "table.h"

// How often which length is among routes of the Internet, in thousandths, roughly
// (docs/matching.md).
static const struct length_share {
  unsigned length, thousandths;
} published[MAX_LENGTHS] = {{24, 590}, {22, 110}, {23, 100}, {21, 52},
                            {20, 46},  {19, 28},  {16, 16}};
enum { PUBLISHED_WIDTH = 32, THOUSAND = 1000, COUNTED_ON = 900 };  // of 1,000 ternary entries

struct part {
  int stage;
  enum sluice_engine_kind engine;
  unsigned length, size;
};
struct parts {
  struct compiler *c;
  struct table *t;
  int first;  // stage from which on its keys are there
  unsigned num;
  struct part part[SLUICE_MAX_PARTS];
};

// ---- where they are -----------------------------------------------------------------------------

static int last_stage(const struct compiler *c) {
  return (int)(c->config->FrontStages + c->config->BackStages);
}

static bool engine_in(const struct compiler *c, enum sluice_engine_kind engine, int stage) {
  const unsigned number = stage_number(c, stage);
  const uint32_t stages = engine == SLUICE_ENGINE_CUCKOO ? c->config->CuckooStages
                                                         : c->config->TernaryStages;
  return !(c->part_stages >> stage & 1) && stages >> number & 1;
}

static unsigned room_of(const struct compiler *c, enum sluice_engine_kind engine) {
  return engine == SLUICE_ENGINE_CUCKOO ? table_cuckoo_room(c->config) : c->config->TernaryEntries;
}

static struct part *add(struct parts *p, enum sluice_engine_kind engine, int stage) {
  const unsigned room = room_of(p->c, engine), size = p->t->size;
  struct part *made = &p->part[p->num++];
  *made = (struct part){.stage = stage, .engine = engine, .size = room < size ? room : size};
  return made;
}

static bool taken(const struct parts *p, int stage) {
  for (unsigned i = 0; i < p->num; i++)
    if (p->part[i].stage == stage) return true;
  return false;
}

static void sort(struct parts *p) {
  for (unsigned i = 1; i < p->num; i++)
    for (unsigned j = i; j && p->part[j].stage < p->part[j - 1].stage; j--) {
      const struct part x = p->part[j];
      p->part[j] = p->part[j - 1];
      p->part[j - 1] = x;
    }
}

// Engines of one kind, as many as hold `left` entries; what is left then.
static unsigned fill_engines(struct parts *p, enum sluice_engine_kind engine, bool ordered,
                             unsigned left) {
  const unsigned room = room_of(p->c, engine), kept = ordered ? sluice_part_reserve(room) : 0;
  for (int s = p->first; room && left && s <= last_stage(p->c); s++) {
    if (p->num == SLUICE_MAX_PARTS) break;
    if (!engine_in(p->c, engine, s) || taken(p, s)) continue;
    (void)add(p, engine, s);
    left -= left < room - kept ? left : room - kept;
  }
  return left;
}

static bool by_room(struct parts *p, bool exact) {
  struct compiler *c = p->c;
  unsigned left = p->t->size;
  if (exact) left = fill_engines(p, SLUICE_ENGINE_CUCKOO, false, left);
  if (left) left = fill_engines(p, SLUICE_ENGINE_TERNARY, !exact, left);
  if (left && p->num > 1)
    diag_error(&c->ir, p->t->at, "table-size",
               "'%s' has %u entries, and the engines of all stages of chip '%s' where its keys are "
               "known, %u, hold %u; see --chip",
               p->t->name, p->t->size, c->config->name, p->num, p->t->size - left);
  sort(p);
  return !left;
}

// ---- prefixes -----------------------------------------------------------------------------------

// The prefix of a table whose other keys are exact, so that a cuckoo engine can look for one
// length; NULL: it is another table.
static const struct table_key *prefix_of(const struct table *t) {
  const struct table_key *prefix = NULL;
  for (unsigned i = 0; i < t->num_keys; i++) {
    if (t->key[i].kind == SLUICE_KEY_TERNARY) return NULL;
    if (t->key[i].kind == SLUICE_KEY_LPM) prefix = &t->key[i];
  }
  return prefix;
}

// A ternary engine and `num` cuckoo engines, so that the last one is early; false: there are not so
// many.
static bool stages_for(struct parts *p, unsigned num) {
  struct parts best = *p;
  for (int t = p->first; t <= last_stage(p->c); t++) {
    struct parts now = *p;
    if (!engine_in(p->c, SLUICE_ENGINE_TERNARY, t)) continue;
    (void)add(&now, SLUICE_ENGINE_TERNARY, t);
    for (int s = p->first; s <= last_stage(p->c) && now.num <= num; s++)
      if (s != t && engine_in(p->c, SLUICE_ENGINE_CUCKOO, s))
        (void)add(&now, SLUICE_ENGINE_CUCKOO, s);
    sort(&now);
    if (now.num <= num) continue;
    if (!best.num || now.part[num].stage < best.part[num].stage) best = now;
  }
  *p = best;
  return p->num > 0;
}

static unsigned most_lengths(const struct parts *p) {
  unsigned num = 0;
  for (unsigned n = 1; n <= MAX_LENGTHS; n++) {
    struct parts now = *p;
    if (stages_for(&now, n)) num = n;
  }
  return num;
}

// The lengths, the shortest first, go to the cuckoo engines in the order of their stages.
static void give_lengths(struct parts *p, const unsigned *length, unsigned num) {
  unsigned shortest = 0;
  for (unsigned i = 0; i < p->num; i++) {
    if (p->part[i].engine != SLUICE_ENGINE_CUCKOO) continue;
    unsigned next = UINT32_MAX;
    for (unsigned n = 0; n < num; n++)
      if (length[n] > shortest && length[n] < next) next = length[n];
    p->part[i].length = shortest = next;
  }
}

static bool by_declared(struct parts *p, const struct table_key *key) {
  unsigned length[MAX_LENGTHS];
  for (unsigned i = 0; i < key->num_common; i++) length[i] = key->common[i];
  if (!stages_for(p, key->num_common)) {
    diag_error(&p->c->ir, key->at, "table-lengths",
               "%u lengths of '%s' want a cuckoo engine each, in a stage of its own beside that of "
               "a ternary engine for all others, and chip '%s' has that for %u; see --chip",
               key->num_common, key->name, p->c->config->name, most_lengths(p));
    return false;
  }
  give_lengths(p, length, key->num_common);
  return true;
}

// As many lengths as leave no more than the ternary engine holds.
static bool by_published(struct parts *p, const struct table_key *key) {
  const struct sluice_config *chip = p->c->config;
  const unsigned have = most_lengths(p), size = p->t->size;
  unsigned length[MAX_LENGTHS], rest = THOUSAND, num = 0;
  while (num < have && (uint64_t)rest * size > (uint64_t)COUNTED_ON * chip->TernaryEntries) {
    length[num] = published[num].length;
    rest -= published[num++].thousandths;
  }
  const unsigned fit = (unsigned)((uint64_t)COUNTED_ON * chip->TernaryEntries / rest),
                 most = (unsigned)((uint64_t)THOUSAND * table_cuckoo_room(chip) /
                                   published[0].thousandths);
  if (size > fit || size > most) {
    diag_error(&p->c->ir, p->t->at, "table-size",
               "'%s' has %u entries; with the %u commonest lengths of routes in cuckoo engines, "
               "and all others in a ternary engine of %u entries, chip '%s' holds %u; if yours "
               "have other lengths, name them, '%s: lpm(24, 16)'; see --chip",
               p->t->name, size, num, chip->TernaryEntries, chip->name, fit < most ? fit : most,
               key->name);
    return false;
  }
  if (!stages_for(p, num)) SLUICE_BUG("lengths without stages");
  give_lengths(p, length, num);
  return true;
}

static bool by_length(struct parts *p, const struct table_key *key) {
  if (key->num_common) return by_declared(p, key);
  if (key->width == PUBLISHED_WIDTH) return by_published(p, key);
  diag_error(&p->c->ir, p->t->at, "table-lengths",
             "'%s' has %u entries, a ternary engine of chip '%s' holds %u; it could have a cuckoo "
             "engine for each of a few lengths if they were named, as in '%s: lpm(%u, %u)'",
             p->t->name, p->t->size, p->c->config->name, p->c->config->TernaryEntries, key->name,
             key->width, key->width / 2);
  return false;
}

// ---- guards -------------------------------------------------------------------------------------

// Something that looks at what was found: a length of a cuckoo engine, or a class of the ternary
// one. Places go up with the lengths: class 0, the shortest length, class 1, ..
struct checker {
  unsigned part, place, least, most;
  int bit;  // that it looks at; -1: nothing longer comes before it
};

static void set_class(struct parts *p, const struct checker *list, unsigned num, unsigned n) {
  struct table *t = &p->t[list[n].part];
  struct sluice_image_part *image = &t->part.image;
  uint32_t found = 0;
  for (unsigned i = 0; i < num; i++)
    if (list[i].bit >= 0 && list[i].part > list[n].part && list[i].place < list[n].place)
      found |= 1u << list[i].bit;
  unsigned variant = 0;
  while (variant < t->part.num_variants && t->part.found[variant] != found) variant++;
  t->part.found[variant] = found;
  if (variant == t->part.num_variants) t->part.num_variants++;
  t->part.guarded |= list[n].bit >= 0;
  image->classes[image->num_classes++] = (struct sluice_image_class){
      .least = list[n].least,
      .most = list[n].most,
      .guard = list[n].bit >= 0 ? (unsigned)list[n].bit : SLUICE_NO_GUARD,
      .variant = variant};
}

// The checkers of parts by length, in the order of their places.
static unsigned checkers(const struct parts *p, unsigned width, struct checker *list) {
  unsigned num = 0, ternary = 0, from = 0;
  while (p->part[ternary].engine != SLUICE_ENGINE_TERNARY) ternary++;
  for (unsigned i = 0; i < p->num; i++) {
    if (i == ternary) continue;
    const unsigned length = p->part[i].length;
    if (from < length) list[num++] = (struct checker){ternary, 2 * i, from, length - 1, -1};
    list[num++] = (struct checker){i, 2 * i + 1, length, length, -1};
    from = length + 1;
  }
  if (from <= width) list[num++] = (struct checker){ternary, 2 * p->num, from, width, -1};
  return num;
}

// Bits of the ternary engine come first, so that its key has them in a row.
static void give_bits(const struct parts *p, struct checker *list, unsigned num) {
  int bits = 0;
  for (unsigned turn = 0; turn < 2; turn++)
    for (unsigned i = 0; i < num; i++) {
      bool longer = false;
      for (unsigned j = 0; j < num; j++)
        longer |= list[j].part < list[i].part && list[j].place > list[i].place;
      if (longer && (p->part[list[i].part].engine == SLUICE_ENGINE_TERNARY) == !turn)
        list[i].bit = bits++;
    }
}

static void guard_lengths(struct parts *p, const struct table_key *key) {
  struct checker list[2 * SLUICE_MAX_PARTS];
  const unsigned num = checkers(p, key->width, list);
  give_bits(p, list, num);
  for (unsigned i = 0; i < num; i++) set_class(p, list, num, i);
}

// All entries are of one class. Ordered: a part is asked only if none before it has found anything.
static void guard_parts(struct parts *p, bool ordered) {
  for (unsigned i = 0; i < p->num; i++) {
    struct table *t = &p->t[i];
    t->part.num_variants = 1;
    t->part.found[0] = ordered;
    t->part.guarded = ordered && i;
    t->part.image.ordered = ordered;
    t->part.image.num_classes = 1;
    t->part.image.classes[0] =
        (struct sluice_image_class){.most = 64, .guard = t->part.guarded ? 0 : SLUICE_NO_GUARD};
  }
}

// The container of what was found, in the key of a part.
static bool add_guard(struct compiler *c, struct table *t) {
  const struct sluice_image_part *image = &t->part.image;
  unsigned low = UINT32_MAX, high = 0;
  if (!t->part.guarded) return true;
  if (t->num_keys == SLUICE_MAX_KEYS) {
    diag_error(&c->ir, t->at, "too-many-keys",
               "'%s' takes several stages, and a key of its own for what was found before; with %d "
               "keys there is none left",
               t->name, SLUICE_MAX_KEYS);
    return false;
  }
  for (unsigned i = 0; i < image->num_classes; i++) {
    const unsigned bit = image->classes[i].guard;
    if (bit == SLUICE_NO_GUARD) continue;
    low = bit < low ? bit : low;
    high = bit > high ? bit : high;
  }
  struct table_key *k = &t->key[t->num_keys++];
  *k = (struct table_key){.at = t->at,
                          .name = "(what was found before)",
                          .shift = low,
                          .width = high - low + 1,
                          .kind = SLUICE_KEY_TERNARY};
  return true;
}

// ---- all ----------------------------------------------------------------------------------------

// The program is shared with other compilations, so it is copied.
static void own_program(struct compiler *c) {
  struct sluice_program *p = NEW(c->arena, struct sluice_program);
  *p = *c->program;
  p->table = NEW_ARRAY(c->arena, struct table *, MAX_TABLES);
  for (size_t i = 0; i < p->num_tables; i++) p->table[i] = c->program->table[i];
  c->program = p;
}

static bool choose(struct parts *p, const struct table_key *prefix) {
  const bool cuckoo = p->c->config->CuckooStages;
  if (!prefix || !cuckoo) return by_room(p, table_is_exact(p->t));
  return by_length(p, prefix);
}

static void make(struct parts *p, unsigned number, const struct table_key *prefix) {
  struct compiler *c = p->c;
  const struct table *whole = p->t;
  const unsigned others = (unsigned)c->program->num_tables;
  if (others + p->num - 1 > MAX_TABLES)
    diag_fatal(&c->ir, whole->at, "too-many-tables",
               "'%s' takes %u stages, each as a table has, and with them there are %u tables, at "
               "most %d are possible",
               whole->name, p->num, others + p->num - 1, MAX_TABLES);
  p->t = NEW_ARRAY(c->arena, struct table, p->num);
  for (unsigned i = 0; i < p->num; i++) {
    struct table *t = &p->t[i];
    *t = *whole;
    t->size = p->part[i].size;
    t->part = (struct table_part){.first = number,
                                  .stage = p->part[i].stage,
                                  .engine = p->part[i].engine,
                                  .length = p->part[i].length,
                                  .image = {.number = i, .num = p->num, .whole = whole->size}};
    c->part_stages |= 1u << t->part.stage;
  }
  if (prefix && c->config->CuckooStages) guard_lengths(p, prefix);
  else guard_parts(p, !table_is_exact(whole));
  for (unsigned i = 0; i < p->num; i++) {
    struct table *t = &p->t[i];
    t->part.image.rows = table_entry_actions(t);
    if (!add_guard(c, t)) return;
    if (i) c->program->table[c->program->num_tables++] = t;
    else c->program->table[number] = t;
  }
  table_spread(&c->ir, number);
}

void table_parts(struct compiler *c) {
  const unsigned num = (unsigned)c->program->num_tables;
  bool own = false;
  for (unsigned i = 0; i < num; i++) {
    struct table *t = c->program->table[i];
    const struct table_key *prefix = prefix_of(t);
    const struct node *lookup = NULL;
    for (unsigned n = 0; n < c->graph->num; n++)
      if (c->graph->list[n]->op == OP_TABLE && c->graph->list[n]->index == i)
        lookup = c->graph->list[n];
    if (!lookup || !t->apply_at || table_fits_one(c, t)) continue;
    if (!own) own_program(c);
    own = true;
    struct parts p = {.c = c, .t = t, .first = (int)table_keys_ready(c, lookup) + 1};
    const int from = c->plan->table_stage[i];
    if (from > p.first) p.first = from;
    if (prefix && !c->config->TernaryStages) continue;
    if (choose(&p, prefix)) make(&p, i, prefix);
    give_up_on_errors(&c->ir);
  }
}
