// SPDX-License-Identifier: Apache-2.0
// Tables of a program in its image: whether a chip takes them.
#include "image_tables.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "capability.h"
#include "places.h"

void sluice_entry_ones(uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb) {
  for (unsigned bit = lsb; bit <= msb; bit++) sluice_entry_set(bytes, width, bit, bit, 1);
}

// All bits of the keys of a table.
static void sluice_table_field_bits(const struct sluice_image_table *t,
                                    uint8_t bits[SLUICE_KEY_BYTES]) {
  memset(bits, 0, SLUICE_KEY_BYTES);
  for (unsigned k = 0; k < t->num_keys; k++)
    sluice_entry_ones(bits, SLUICE_KEY_BITS, t->keys[k].msb, t->keys[k].lsb);
}

void sluice_table_key_bits(const struct sluice_image_table *t, uint8_t bits[SLUICE_KEY_BYTES]) {
  const struct sluice_image_part *part = &t->part;
  const struct sluice_image_key *lpm = sluice_table_lpm(t);
  sluice_table_field_bits(t, bits);
  if (part->num && lpm && t->engine == SLUICE_ENGINE_CUCKOO)
    for (unsigned bit = lpm->lsb; bit + part->classes[0].least <= lpm->msb; bit++)
      sluice_entry_set(bits, SLUICE_KEY_BITS, bit, bit, 0);
  for (unsigned i = 0; i < part->num_classes; i++)
    if (part->classes[i].guard != SLUICE_NO_GUARD)
      sluice_entry_ones(bits, SLUICE_KEY_BITS, part->classes[i].guard, part->classes[i].guard);
}

const struct sluice_image_class *sluice_table_class(const struct sluice_image_table *t,
                                                    unsigned length) {
  static const struct sluice_image_class all = {.most = 64, .guard = SLUICE_NO_GUARD};
  if (!t->part.num) return &all;
  for (unsigned i = 0; i < t->part.num_classes; i++)
    if (t->part.classes[i].least <= length && length <= t->part.classes[i].most)
      return &t->part.classes[i];
  return NULL;
}

const struct sluice_image_key *sluice_table_lpm(const struct sluice_image_table *t) {
  for (unsigned k = 0; k < t->num_keys; k++)
    if (t->keys[k].kind == SLUICE_KEY_LPM) return &t->keys[k];
  return NULL;
}

bool sluice_table_has_priority(const struct sluice_image_table *t) {
  bool any = false;
  for (unsigned k = 0; k < t->num_keys; k++) any |= t->keys[k].kind == SLUICE_KEY_TERNARY;
  return any && !sluice_table_lpm(t);
}

const struct sluice_image_table *sluice_image_table_in(const struct sluice_image *image,
                                                       unsigned stage) {
  for (size_t i = 0; i < image->num_tables; i++)
    if (image->tables[i].stage == stage && image->tables[i].engine != SLUICE_ENGINE_ARRAY)
      return &image->tables[i];
  return NULL;
}

void sluice_image_word_table(struct sluice_image_table *t) {
  t->engine = SLUICE_ENGINE_ARRAY;
  t->stage = 0;
  t->num_keys = t->num_actions = 1;
  t->keys[0] = (struct sluice_image_key){.name = "word", .kind = SLUICE_KEY_EXACT, .msb = 31};
  t->actions[0] = (struct sluice_image_action){.name = "becomes", .num_args = 1};
  t->actions[0].args[0] = (struct sluice_image_arg){
      .name = "data", .msb = 8 * SLUICE_DATA_BYTES - 1, .lsb = 8 * SLUICE_DATA_BYTES - 32};
}

unsigned sluice_engine_size(const struct sluice_config *c, enum sluice_engine_kind kind,
                            unsigned stage) {
  const bool ternary = kind == SLUICE_ENGINE_TERNARY;
  if (kind == SLUICE_ENGINE_ARRAY) return stage == 0 ? c->ArrayEntries : 0;
  if (stage >= sluice_config_stages(c)) return 0;
  if (!((ternary ? c->TernaryStages : c->CuckooStages) >> stage & 1)) return 0;
  return ternary ? c->TernaryEntries : c->CuckooEntries;
}

// ---- checks -------------------------------------------------------------------------------------

struct check {
  const struct sluice_config *config;
  const struct sluice_image *image;
  char *why;
  size_t len;
};

__attribute__((format(printf, 3, 4))) static bool no(const struct check *c, const char *table,
                                                     const char *format, ...) {
  va_list args;
  const int used = snprintf(c->why, c->len, "table '%s': ", table);
  va_start(args, format);
  if (used > 0 && (size_t)used < c->len)
    vsnprintf(c->why + used, c->len - (size_t)used, format, args);
  va_end(args);
  return false;
}

static const struct sluice_write *write_at(const struct check *c, enum sluice_table table,
                                           unsigned stage, unsigned index) {
  for (size_t i = 0; i < c->image->num_writes; i++) {
    const struct sluice_write *w = &c->image->writes[i];
    if (w->table == table && w->stage == stage && w->index == index) return w;
  }
  return NULL;
}

static bool any_bit(const uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb) {
  for (unsigned bit = lsb; bit <= msb; bit++)
    if (sluice_entry_get(bytes, width, bit, bit)) return true;
  return false;
}

static bool check_keys(const struct check *c, const struct sluice_image_table *t) {
  uint8_t all[SLUICE_ENTRY_BYTES] = {0}, seen[SLUICE_KEY_BYTES] = {0}, bits[SLUICE_KEY_BYTES];
  unsigned prefixes = 0;
  if (t->num_keys < 1 || t->num_keys > SLUICE_MAX_KEYS)
    return no(c, t->name, "%u keys, legal is 1..%d", t->num_keys, SLUICE_MAX_KEYS);
  // What the chip keeps of a mask is what it has containers for.
  sluice_entry_ones(all, SLUICE_KEY_BITS, SLUICE_KEY_BITS - 1, 0);
  sluice_entry_kept(c->config, SLUICE_TABLE_KEY_MASK, all);
  for (unsigned k = 0; k < t->num_keys; k++) {
    const struct sluice_image_key *key = &t->keys[k];
    if (key->msb >= SLUICE_KEY_BITS || key->lsb > key->msb)
      return no(c, t->name, "key '%s' in bits %u..%u of a key of %d", key->name, key->msb, key->lsb,
                SLUICE_KEY_BITS);
    if (sluice_key_width(key) > 64)
      return no(c, t->name, "key '%s' has %u bits, legal is up to 64", key->name,
                sluice_key_width(key));
    for (unsigned bit = key->lsb; bit <= key->msb; bit++)
      if (!sluice_entry_get(all, SLUICE_KEY_BITS, bit, bit))
        return no(c, t->name, "key '%s' is in bit %u, for which chip '%s' has no container",
                  key->name, bit, c->config->name);
    if (any_bit(seen, SLUICE_KEY_BITS, key->msb, key->lsb))
      return no(c, t->name, "key '%s' is where another key is", key->name);
    sluice_entry_ones(seen, SLUICE_KEY_BITS, key->msb, key->lsb);
    if (key->kind != SLUICE_KEY_EXACT && t->engine == SLUICE_ENGINE_CUCKOO &&
        !(key->kind == SLUICE_KEY_LPM && t->part.num))
      return no(c, t->name, "key '%s' is %s, the cuckoo engine compares whole keys", key->name,
                sluice_key_kind_names[key->kind]);
    prefixes += key->kind == SLUICE_KEY_LPM;
    for (unsigned other = 0; other < k; other++)
      if (strcmp(t->keys[other].name, key->name) == 0)
        return no(c, t->name, "two keys '%s'", key->name);
  }
  if (prefixes > 1) return no(c, t->name, "%u keys with a longest prefix, one can be", prefixes);
  // What the stage compares is what the keys are.
  const struct sluice_write *mask = write_at(c, SLUICE_TABLE_KEY_MASK, t->stage, 0);
  sluice_table_key_bits(t, bits);
  for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit++) {
    const bool hidden = mask && sluice_entry_get(mask->bytes, SLUICE_KEY_BITS, bit, bit),
               kept = sluice_entry_get(all, SLUICE_KEY_BITS, bit, bit),
               ours = sluice_entry_get(bits, SLUICE_KEY_BITS, bit, bit);
    if (ours ? hidden : kept && !hidden)
      return no(c, t->name, "KEY_MASK of stage %u %s bit %u", t->stage,
                ours ? "hides a key in" : "lets through what is no key,", bit);
  }
  return true;
}

static bool check_args(const struct check *c, const struct sluice_image_table *t,
                       const struct sluice_image_action *a) {
  uint8_t seen[SLUICE_DATA_BYTES] = {0};
  if (a->num_args > SLUICE_MAX_ARGS)
    return no(c, t->name, "action '%s' has %u arguments, legal is up to %d", a->name, a->num_args,
              SLUICE_MAX_ARGS);
  if (a->num_args && !c->config->ActionData)
    return no(c, t->name, "action '%s' has arguments, chip '%s' has no data words", a->name,
              c->config->name);
  for (unsigned i = 0; i < a->num_args; i++) {
    const struct sluice_image_arg *arg = &a->args[i];
    if (arg->msb >= 8 * SLUICE_DATA_BYTES || arg->lsb > arg->msb || arg->msb - arg->lsb >= 64)
      return no(c, t->name, "argument '%s' of '%s' in bits %u..%u of the data", arg->name, a->name,
                arg->msb, arg->lsb);
    if (any_bit(seen, 8 * SLUICE_DATA_BYTES, arg->msb, arg->lsb))
      return no(c, t->name, "argument '%s' of '%s' is where another one is", arg->name, a->name);
    sluice_entry_ones(seen, 8 * SLUICE_DATA_BYTES, arg->msb, arg->lsb);
    for (unsigned other = 0; other < i; other++)
      if (strcmp(a->args[other].name, arg->name) == 0)
        return no(c, t->name, "two arguments '%s' of '%s'", arg->name, a->name);
  }
  return true;
}

// Each variant of the rows of a part is there.
static bool check_variants(const struct check *c, const struct sluice_image_table *t) {
  for (unsigned i = 0; i < t->part.num_classes; i++)
    for (unsigned a = 0; a < t->num_actions; a++) {
      const unsigned row = t->actions[a].row + t->part.classes[i].variant * t->part.rows;
      if (!t->actions[a].only_default && !write_at(c, SLUICE_TABLE_ACTION, t->stage, row))
        return no(c, t->name,
                  "action '%s' is row %u in variant %u, which no entry of ACTION is for",
                  t->actions[a].name, row, t->part.classes[i].variant);
    }
  return true;
}

// Parts stand one behind the other, and are alike but for where they are and what they take.
static bool check_part(const struct check *c, size_t n) {
  const struct sluice_image_table *t = &c->image->tables[n];
  const struct sluice_image_part *p = &t->part;
  uint8_t bits[SLUICE_KEY_BYTES];
  if (!p->num) return true;
  if (p->num > SLUICE_MAX_PARTS || p->number >= p->num || p->number > n ||
      n - p->number + p->num > c->image->num_tables)
    return no(c, t->name, "part %u of %u", p->number, p->num);
  const struct sluice_image_table *first = t - p->number;
  if (first->part.num != p->num || first->part.number || first->part.whole != p->whole ||
      strcmp(first->name, t->name) != 0 || first->num_keys != t->num_keys ||
      first->num_actions != t->num_actions || first->default_action != t->default_action)
    return no(c, t->name, "part %u is not like the first", p->number);
  for (unsigned k = 0; k < t->num_keys; k++)
    if (strcmp(t->keys[k].name, first->keys[k].name) != 0 ||
        t->keys[k].kind != first->keys[k].kind ||
        sluice_key_width(&t->keys[k]) != sluice_key_width(&first->keys[k]))
      return no(c, t->name, "part %u has another key '%s'", p->number, t->keys[k].name);
  for (unsigned a = 0; a < t->num_actions; a++)
    if (strcmp(t->actions[a].name, first->actions[a].name) != 0 ||
        t->actions[a].only_default != first->actions[a].only_default ||
        t->actions[a].num_args != first->actions[a].num_args ||
        memcmp(t->actions[a].args, first->actions[a].args, sizeof first->actions[a].args) != 0)
      return no(c, t->name, "part %u has another action '%s'", p->number, t->actions[a].name);
  if (!p->num_classes || p->num_classes > SLUICE_MAX_CLASSES)
    return no(c, t->name, "part %u has %u classes", p->number, p->num_classes);
  if (t->engine == SLUICE_ENGINE_ARRAY ||
      (t->engine == SLUICE_ENGINE_CUCKOO && p->num_classes > 1) ||
      (t->engine == SLUICE_ENGINE_CUCKOO && sluice_table_lpm(t) &&
       p->classes[0].least != p->classes[0].most))
    return no(c, t->name, "part %u takes what its engine cannot hold", p->number);
  sluice_table_field_bits(t, bits);
  for (unsigned i = 0; i < p->num_classes; i++) {
    const struct sluice_image_class *x = &p->classes[i];
    if (x->least > x->most || x->most > 64 || x->variant >= SLUICE_MAX_CLASSES ||
        (x->guard != SLUICE_NO_GUARD &&
         (x->guard >= SLUICE_KEY_BITS ||
          sluice_entry_get(bits, SLUICE_KEY_BITS, x->guard, x->guard))))
      return no(c, t->name, "class %u of part %u", i, p->number);
  }
  return true;
}

static bool check_actions(const struct check *c, const struct sluice_image_table *t) {
  if (t->num_actions < 1 || t->num_actions > SLUICE_MAX_ACTIONS)
    return no(c, t->name, "%u actions, legal is 1..%d", t->num_actions, SLUICE_MAX_ACTIONS);
  if (t->default_action >= t->num_actions)
    return no(c, t->name, "the default is action %u of %u", t->default_action, t->num_actions);
  for (unsigned i = 0; i < t->num_actions; i++) {
    const struct sluice_image_action *a = &t->actions[i];
    if (!write_at(c, SLUICE_TABLE_ACTION, t->stage, a->row))
      return no(c, t->name, "action '%s' is row %u, which no entry of ACTION is for", a->name,
                a->row);
    const unsigned row = sluice_default_row(a);
    if (row != SLUICE_NO_DEFAULT && !write_at(c, SLUICE_TABLE_ACTION, t->stage, row))
      return no(c, t->name, "action '%s' is row %u as the default, which no entry of ACTION is for",
                a->name, row);
    for (unsigned other = 0; other < i; other++)
      if (strcmp(t->actions[other].name, a->name) == 0)
        return no(c, t->name, "two actions '%s'", a->name);
    if (!check_args(c, t, a)) return false;
  }
  return true;
}

static bool check_default(const struct check *c, const struct sluice_image_table *t) {
  const struct sluice_write *w = write_at(c, SLUICE_TABLE_DEFAULT_ACTION, t->stage, 0);
  if (!w) return true;
  if (!c->config->DefaultActions)
    return no(c, t->name, "chip '%s' has no default actions", c->config->name);
  if (SLUICE_GET(w->bytes, DEFAULT_ACTION, ACTION) !=
      sluice_default_row(&t->actions[t->default_action]))
    return no(c, t->name, "DEFAULT_ACTION names row %u, '%s' is row %u",
              (unsigned)SLUICE_GET(w->bytes, DEFAULT_ACTION, ACTION),
              t->actions[t->default_action].name,
              sluice_default_row(&t->actions[t->default_action]));
  return true;
}

// All tables of words are alike but for name and size.
static bool check_words(const struct check *c, const struct sluice_image_table *t, unsigned size) {
  struct sluice_image_table usual = {.size = t->size};
  sluice_image_word_table(&usual);
  if (!c->config->ArrayEntries)
    return no(c, t->name, "it looks words up, and chip '%s' has no array match", c->config->name);
  if (t->size < 1 || t->size > size)
    return no(c, t->name, "%u entries, the array match of chip '%s' has %u", t->size,
              c->config->name, size);
  const struct sluice_image_key *key = &t->keys[0];
  const struct sluice_image_arg *arg = &t->actions[0].args[0], *data = &usual.actions[0].args[0];
  if (t->stage || t->num_keys != 1 || t->num_actions != 1 || t->default_action ||
      strcmp(key->name, usual.keys[0].name) != 0 || key->kind != SLUICE_KEY_EXACT ||
      key->msb != usual.keys[0].msb || key->lsb != 0 || t->actions[0].num_args != 1 ||
      t->actions[0].only_default || strcmp(t->actions[0].name, usual.actions[0].name) != 0 ||
      strcmp(arg->name, data->name) != 0 || arg->msb != data->msb || arg->lsb != data->lsb)
    return no(c, t->name, "a table of words has the key 'word' and the action 'becomes(data)'");
  return true;
}

static bool check_table(const struct check *c, size_t n) {
  const struct sluice_image_table *t = &c->image->tables[n];
  const unsigned size = sluice_engine_size(c->config, t->engine, t->stage);
  if (!t->name[0]) return no(c, t->name, "it has no name");
  for (size_t i = 0; i < n; i++) {
    if (strcmp(c->image->tables[i].name, t->name) == 0 && !(t->part.num && n - i <= t->part.number))
      return no(c, t->name, "two have this name");
    const bool words = c->image->tables[i].engine == SLUICE_ENGINE_ARRAY;
    if (words != (t->engine == SLUICE_ENGINE_ARRAY)) continue;
    if (words) return no(c, t->name, "'%s' looks words up already", c->image->tables[i].name);
    if (c->image->tables[i].stage == t->stage)
      return no(c, t->name, "stage %u has table '%s' already", t->stage, c->image->tables[i].name);
  }
  if (t->engine == SLUICE_ENGINE_ARRAY) return check_words(c, t, size);
  if (!size)
    return no(c, t->name, "stage %u of chip '%s' has no %s engine", t->stage, c->config->name,
              sluice_engine_names[t->engine]);
  if (t->size < 1 || t->size > size)
    return no(c, t->name, "%u entries, the %s engine of chip '%s' has %u in a stage", t->size,
              sluice_engine_names[t->engine], c->config->name, size);
  return check_part(c, n) && check_keys(c, t) && check_actions(c, t) && check_variants(c, t) &&
         check_default(c, t);
}

enum { MOST_ROWS = 1024 };

static bool check_default_alone(const struct check *c, const struct sluice_write *w) {
  const unsigned row = (unsigned)SLUICE_GET(w->bytes, DEFAULT_ACTION, ACTION);
  const char *wrong = NULL;
  if (!c->config->DefaultActions) wrong = "the chip has no rows for default actions";
  else if (write_at(c, SLUICE_TABLE_MATCH, w->stage, 0)) wrong = "it has match rows, too";
  else if (!write_at(c, SLUICE_TABLE_ACTION, w->stage, row))
    wrong = "ACTION has no entry of its row";
  if (wrong) snprintf(c->why, c->len, "DEFAULT_ACTION of stage %u: %s", w->stage, wrong);
  return !wrong;
}

// A stage with a table, or with a default action alone, has no match rows: its rows are behind
// those of the chip.
static bool check_writes(const struct check *c) {
  for (size_t i = 0; i < c->image->num_writes; i++) {
    const struct sluice_write *w = &c->image->writes[i];
    const struct sluice_image_table *t = sluice_image_table_in(c->image, w->stage);
    const bool by_row = sluice_by_match_row(w->table);
    const unsigned rows = c->config->ExtraActions < MOST_ROWS ? c->config->ExtraActions : MOST_ROWS;
    if (t && w->table == SLUICE_TABLE_MATCH)
      return no(c, t->name, "stage %u has match rows beside it", t->stage);
    if (t && by_row && w->index >= rows)
      return no(c, t->name, "%s of stage %u, row %u: chip '%s' has %u behind its match rows",
                sluice_tables[w->table].name, w->stage, w->index, c->config->name, rows);
    if (w->table == SLUICE_TABLE_DEFAULT_ACTION && !t && !check_default_alone(c, w)) return false;
  }
  return true;
}

static uint64_t ones(unsigned bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

static bool check_entry_keys(const struct check *c, const struct sluice_image_table *t,
                             const struct sluice_image_entry *e, size_t n) {
  uint8_t bits[SLUICE_KEY_BYTES];
  sluice_table_field_bits(t, bits);
  for (unsigned i = 0; i < SLUICE_KEY_BYTES; i++) {
    if (e->care[i] & ~bits[i]) return no(c, t->name, "entry %zu compares what is no key", n);
    if (e->key[i] & ~e->care[i])
      return no(c, t->name, "entry %zu has a bit in its key that is not compared", n);
  }
  for (unsigned k = 0; k < t->num_keys; k++) {
    const struct sluice_image_key *key = &t->keys[k];
    const unsigned width = sluice_key_width(key);
    const uint64_t care = sluice_entry_get(e->care, SLUICE_KEY_BITS, key->msb, key->lsb),
                   not_care = ~care & ones(width);
    if (key->kind == SLUICE_KEY_EXACT && not_care)
      return no(c, t->name, "entry %zu does not compare all of '%s'", n, key->name);
    if (key->kind != SLUICE_KEY_LPM) continue;
    if (not_care & (not_care + 1))
      return no(c, t->name, "entry %zu compares no prefix of '%s'", n, key->name);
    if (e->priority != (unsigned)__builtin_popcountll(not_care))
      return no(c, t->name, "entry %zu has priority %u, its prefix of '%s' says %d", n, e->priority,
                key->name, __builtin_popcountll(not_care));
  }
  return true;
}

// Of more entries two with one key are found when they are placed.
enum { FEW = 4096 };

static bool check_entry(const struct check *c, size_t n) {
  const struct sluice_image_entry *e = &c->image->entries[n];
  uint8_t args[SLUICE_DATA_BYTES] = {0};
  if (e->table >= c->image->num_tables) return no(c, "?", "entry %zu is of no table", n);
  const struct sluice_image_table *t = &c->image->tables[e->table];
  if (e->action >= t->num_actions)
    return no(c, t->name, "entry %zu has action %u of %u", n, e->action, t->num_actions);
  const struct sluice_image_action *a = &t->actions[e->action];
  if (a->only_default)
    return no(c, t->name, "entry %zu does '%s', which is for the default alone", n, a->name);
  if (t->part.number)
    return no(c, t->name, "entry %zu is of part %u, not of the first", n, t->part.number);
  if (t->engine != SLUICE_ENGINE_TERNARY && e->priority && !sluice_table_lpm(t))
    return no(c, t->name, "entry %zu has a priority, the %s engine knows none", n,
              sluice_engine_names[t->engine]);
  for (unsigned i = 0; i < a->num_args; i++)
    sluice_entry_ones(args, 8 * SLUICE_DATA_BYTES, a->args[i].msb, a->args[i].lsb);
  for (unsigned i = 0; i < SLUICE_DATA_BYTES; i++)
    if (e->data[i] & ~args[i])
      return no(c, t->name, "entry %zu has data that is no argument of '%s'", n, a->name);
  if (!check_entry_keys(c, t, e, n)) return false;
  for (size_t i = 0; n < FEW && i < n; i++) {
    const struct sluice_image_entry *o = &c->image->entries[i];
    if (o->table == e->table && o->priority == e->priority &&
        memcmp(o->key, e->key, sizeof o->key) == 0 && memcmp(o->care, e->care, sizeof o->care) == 0)
      return no(c, t->name, "entries %zu and %zu have the same key", i, n);
  }
  return true;
}

bool sluice_image_check_tables(const struct sluice_config *config, const struct sluice_image *image,
                               char *why, size_t len) {
  const struct check c = {config, image, why, len};
  for (size_t i = 0; i < image->num_tables; i++)
    if (!check_table(&c, i)) return false;
  if (!check_writes(&c)) return false;
  for (size_t i = 0; i < image->num_entries; i++)
    if (!check_entry(&c, i)) return false;
  for (unsigned t = 0; t < image->num_tables; t++) {
    size_t num = 0;
    for (size_t i = 0; i < image->num_entries; i++) num += image->entries[i].table == t;
    if (num > sluice_table_whole(&image->tables[t]))
      return no(&c, image->tables[t].name, "%zu entries, its size is %u", num,
                sluice_table_whole(&image->tables[t]));
  }
  return true;
}
