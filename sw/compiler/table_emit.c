// SPDX-License-Identifier: Apache-2.0
// A table in the image: which containers its stage looks up, where the keys stand in them, and its
// actions and entries for the driver.
#include <string.h>

#include "../driver/wire/wire.h"
#include "table.h"

// Parts of a key, first and second container of each size.
enum { PARTS = 6 };
static const struct {
  unsigned type, msb, lsb, pick_msb, pick_lsb;
} parts[PARTS] = {{SLUICE_TYPE_B6, SLUICE_KEY_B6_FIRST_MSB, SLUICE_KEY_B6_FIRST_LSB,
                   SLUICE_KEY_EXTRACT_B6_FIRST_MSB, SLUICE_KEY_EXTRACT_B6_FIRST_LSB},
                  {SLUICE_TYPE_B6, SLUICE_KEY_B6_SECOND_MSB, SLUICE_KEY_B6_SECOND_LSB,
                   SLUICE_KEY_EXTRACT_B6_SECOND_MSB, SLUICE_KEY_EXTRACT_B6_SECOND_LSB},
                  {SLUICE_TYPE_B4, SLUICE_KEY_B4_FIRST_MSB, SLUICE_KEY_B4_FIRST_LSB,
                   SLUICE_KEY_EXTRACT_B4_FIRST_MSB, SLUICE_KEY_EXTRACT_B4_FIRST_LSB},
                  {SLUICE_TYPE_B4, SLUICE_KEY_B4_SECOND_MSB, SLUICE_KEY_B4_SECOND_LSB,
                   SLUICE_KEY_EXTRACT_B4_SECOND_MSB, SLUICE_KEY_EXTRACT_B4_SECOND_LSB},
                  {SLUICE_TYPE_B2, SLUICE_KEY_B2_FIRST_MSB, SLUICE_KEY_B2_FIRST_LSB,
                   SLUICE_KEY_EXTRACT_B2_FIRST_MSB, SLUICE_KEY_EXTRACT_B2_FIRST_LSB},
                  {SLUICE_TYPE_B2, SLUICE_KEY_B2_SECOND_MSB, SLUICE_KEY_B2_SECOND_LSB,
                   SLUICE_KEY_EXTRACT_B2_SECOND_MSB, SLUICE_KEY_EXTRACT_B2_SECOND_LSB}};

struct maker {
  struct compiler *c;
  struct sluice_image *image;
  const struct table *t;
  unsigned number, stage;
  const struct task *unit;
  struct sluice_image_table *made;
};

static struct sluice_write *add(struct maker *m, enum sluice_table table) {
  struct sluice_write *w = sluice_image_add_write(m->image);
  if (!w) arena_give_up(m->c->arena, ARENA_NO_MEMORY);
  w->table = table;
  w->stage = m->stage;
  return w;
}

static void set_bits(uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb, bool value) {
  for (unsigned bit = lsb; bit <= msb; bit++) sluice_entry_set(bytes, width, bit, bit, value);
}

// Bits of what parts before have found, where bit 0 is at `lsb`.
static void guard(struct maker *m, uint8_t *mask, unsigned lsb) {
  struct sluice_image_part *part = &m->made->part;
  for (unsigned i = 0; i < part->num_classes; i++) {
    unsigned *bit = &part->classes[i].guard;
    if (*bit == SLUICE_NO_GUARD) continue;
    *bit += lsb;
    set_bits(mask, SLUICE_KEY_BITS, *bit, *bit, false);
  }
}

static void keys(struct maker *m) {
  const struct task *taken[PARTS] = {NULL};
  add(m, SLUICE_TABLE_KEY_EXTRACT);
  struct sluice_write *w = add(m, SLUICE_TABLE_KEY_MASK);
  uint8_t *extract = w[-1].bytes;
  set_bits(w->bytes, SLUICE_KEY_BITS, SLUICE_KEY_BITS - 1, 0, true);
  for (unsigned i = 0; i < m->t->num_keys; i++) {
    const struct task *t = m->unit->arg[i].task;
    const unsigned shift = m->c->code->key_shift[m->number][i], width = m->t->key[i].width;
    unsigned p = 0;
    while (p < PARTS &&
           (parts[p].type != t->type ||
            (taken[p] && (taken[p]->type != t->type || taken[p]->container != t->container))))
      p++;
    if (p == PARTS) SLUICE_BUG("a key without a part");
    taken[p] = t;
    sluice_entry_set(extract, SLUICE_KEY_EXTRACT_BITS, parts[p].pick_msb, parts[p].pick_lsb,
                     t->container);
    const unsigned lsb = parts[p].lsb + shift, msb = lsb + width - 1;
    if (msb > parts[p].msb) SLUICE_BUG("a key that is wider than its container");
    if (m->t->part.guarded && i + 1 == m->t->num_keys) {
      guard(m, w->bytes, lsb - m->t->key[i].shift);
      continue;
    }
    struct sluice_image_key *k = &m->made->keys[m->made->num_keys++];
    snprintf(k->name, sizeof k->name, "%s", m->t->key[i].name);
    k->kind = m->t->key[i].kind;
    k->lsb = lsb;
    k->msb = msb;
    // All prefixes of a part in a cuckoo engine have one length.
    const bool whole = k->kind != SLUICE_KEY_LPM || !m->t->part.length;
    set_bits(w->bytes, SLUICE_KEY_BITS, msb, whole ? lsb : msb + 1 - m->t->part.length, false);
  }
}

static unsigned data_lsb(unsigned word) { return 32 * (DATA_WORDS - 1 - word); }

// ---- the default --------------------------------------------------------------------------------

static const uint8_t *action_row(const struct maker *m, unsigned row) {
  for (size_t i = 0; i < m->image->num_writes; i++) {
    const struct sluice_write *w = &m->image->writes[i];
    if (w->table == SLUICE_TABLE_ACTION && w->stage == m->stage && w->index == row) return w->bytes;
  }
  SLUICE_BUG("a table without an action row");
}

static bool of_row(const struct maker *m, enum sluice_table table, unsigned stage, unsigned index,
                   unsigned row) {
  return stage == m->stage && index == row &&
         (table == SLUICE_TABLE_ACTION || table == SLUICE_TABLE_STATE_INSTR ||
          table == SLUICE_TABLE_MULTIPLY);
}

// The set of ports that the driver puts into a row, counted from 1; 0: none.
static unsigned set_of_row(const struct maker *m, unsigned row) {
  for (size_t i = 0; i < m->image->num_set_words; i++) {
    const struct sluice_set_word *w = &m->image->set_words[i];
    if (w->stage == m->stage && w->index == row) return w->set + 1;
  }
  return 0;
}

// Whether the row of the default does what its action does in a row of entries: then the program
// does not look at hits, and any action may become the default in the row that it has. A malleable
// may change one row and not the other.
static bool alike(const struct maker *m, unsigned row, unsigned other) {
  for (size_t i = 0; i < m->image->num_relocations; i++) {
    const struct sluice_relocation *r = &m->image->relocations[i];
    if (r->table == SLUICE_TABLE_ACTION && r->stage == m->stage) return false;
  }
  return set_of_row(m, row) == set_of_row(m, other) &&
         memcmp(action_row(m, row), action_row(m, other), SLUICE_ENTRY_BYTES) == 0;
}

static void drop_row(const struct maker *m, unsigned row) {
  struct sluice_image *image = m->image;
  size_t num = 0;
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write w = image->writes[i];
    if (!of_row(m, w.table, w.stage, w.index, row)) image->writes[num++] = w;
  }
  image->num_writes = num;
  num = 0;
  for (size_t i = 0; i < image->num_relocations; i++) {
    const struct sluice_relocation r = image->relocations[i];
    if (!of_row(m, r.table, r.stage, r.index, row)) image->relocations[num++] = r;
  }
  image->num_relocations = num;
  num = 0;
  for (size_t i = 0; i < image->num_set_words; i++) {
    const struct sluice_set_word w = image->set_words[i];
    if (w.stage != m->stage || w.index != row) image->set_words[num++] = w;
  }
  image->num_set_words = num;
}

// Which row the actions have as the default.
static void default_rows(struct maker *m) {
  const unsigned last = table_rows(m->t) - 1, action = m->t->otherwise.action;
  const bool later = m->t->part.image.number;
  const bool own = !m->t->action[m->t->num_actions - 1].only_default,
             shared = own && !later && alike(m, last, action);
  if (shared) drop_row(m, last);
  for (unsigned i = 0; i < m->t->num_actions && !shared; i++) {
    struct sluice_image_action *a = &m->made->actions[i];
    a->apart = true;
    a->default_row = i == action ? last : SLUICE_NO_DEFAULT;
  }
}

static void note_port(struct compiler *c, const struct node *n, unsigned deep) {
  enum { MOST_DEEP = 40 };
  if (!n || deep == MOST_DEEP) return;
  if (n->op == OP_SELECT)
    for (unsigned i = 1; i < 3; i++) note_port(c, n->arg[i], deep + 1);
  if (n->op == OP_TABLE && n->modulus >= TABLE_WORD && n->modulus - TABLE_WORD < 64)
    c->port_words[n->index] |= UINT64_C(1) << (n->modulus - TABLE_WORD);
}

void table_port_words(struct compiler *c) { note_port(c, c->graph->port, 0); }

// Ports of the chip, and behind them that of recirculation, or groups (docs/tm.md).
static unsigned last_port(const struct sluice_config *c) {
  return c->NumPorts > 8 ? (unsigned)sluice_table_rows(SLUICE_TABLE_PORT_MASK, c) - 1
                         : sluice_config_destinations(c) - 1;
}

// Whether the parameter is the output port as it is, of packets that find such an entry.
static bool is_port(const struct maker *m, unsigned action, const struct table_arg *x) {
  const unsigned table = m->t->part.image.num > 1 ? m->t->part.first : m->number;
  const unsigned word = DATA_WORDS * action + x->word;
  return !x->lsb && word < 64 && m->c->port_words[table] >> word & 1;
}

static void actions(struct maker *m) {
  m->made->num_actions = m->t->num_actions;
  m->made->default_action = m->t->otherwise.action;
  for (unsigned i = 0; i < m->t->num_actions; i++) {
    const struct table_action *from = &m->t->action[i];
    struct sluice_image_action *a = &m->made->actions[i];
    snprintf(a->name, sizeof a->name, "%s", from->name);
    a->row = from->only_default ? table_rows(m->t) - 1 : i;
    a->only_default = from->only_default;
    a->num_args = from->num_args;
    for (unsigned n = 0; n < from->num_args; n++) {
      const struct table_arg *x = &from->arg[n];
      snprintf(a->args[n].name, sizeof a->args[n].name, "%s", x->name);
      a->args[n].lsb = data_lsb(x->word + (x->width > 32)) + x->lsb;
      a->args[n].msb = a->args[n].lsb + x->width - 1;
      const unsigned most = last_port(m->c->config);
      if (is_port(m, i, x) && (uint64_t)most >> x->width == 0) a->args[n].most = most;
    }
  }
}

static void put_data(uint8_t *bytes, unsigned bits, const struct table_action *a,
                     const struct table_call *call) {
  for (unsigned word = 0; word < DATA_WORDS; word++)
    sluice_entry_set(bytes, bits, data_lsb(word) + 31, data_lsb(word),
                     table_word(a, call->arg, word));
}

static void warn_of_port(struct maker *m, const struct table_call *call) {
  const struct sluice_image_action *a = &m->made->actions[call->action];
  for (unsigned i = 0; i < a->num_args; i++)
    if (a->args[i].most && call->arg[i] > a->args[i].most)
      diag_warning(
          &m->c->ir, call->arg_at[i] ? call->arg_at[i] : call->at, "port",
          "'%s' of '%s' is an output port, 0 to %u on chip '%s': these packets are dropped",
          a->args[i].name, a->name, a->args[i].most, m->c->config->name);
}

static void default_action(struct maker *m) {
  const struct table_call *call = &m->t->otherwise;
  uint8_t *bytes = add(m, SLUICE_TABLE_DEFAULT_ACTION)->bytes;
  SLUICE_SETS(bytes, DEFAULT_ACTION, (VALID, 1),
              (ACTION, sluice_default_row(&m->made->actions[call->action])));
  put_data(bytes, SLUICE_DEFAULT_ACTION_BITS, &m->t->action[call->action], call);
  warn_of_port(m, call);
}

static void entries(struct maker *m) {
  if (m->t->part.image.number) return;  // all are of the first part, and the loader places them
  for (const struct table_entry *from = m->t->entries; from; from = from->next) {
    struct sluice_image_entry *e = sluice_image_add_entry(m->image);
    if (!e) arena_give_up(m->c->arena, ARENA_NO_MEMORY);
    e->table = (unsigned)m->image->num_tables - 1;
    e->action = from->call.action;
    e->priority = from->priority;
    for (unsigned i = 0; i < m->made->num_keys; i++) {
      const struct sluice_image_key *k = &m->made->keys[i];
      sluice_entry_set(e->key, SLUICE_KEY_BITS, k->msb, k->lsb, from->key[i]);
      sluice_entry_set(e->care, SLUICE_KEY_BITS, k->msb, k->lsb, from->care[i]);
    }
    put_data(e->data, SLUICE_MATCH_DATA_BITS, &m->t->action[e->action], &from->call);
    warn_of_port(m, &from->call);
  }
}

static void emit_one(struct compiler *c, struct sluice_image *image, unsigned table) {
  struct maker m = {.c = c, .image = image, .t = c->program->table[table], .number = table};
  m.unit = c->code->table[table];
  m.stage = stage_number(c, m.unit->stage);
  m.made = sluice_image_add_table(image);
  if (!m.made) arena_give_up(c->arena, ARENA_NO_MEMORY);
  snprintf(m.made->name, sizeof m.made->name, "%s", m.t->name);
  m.made->stage = m.stage;
  m.made->engine = table_engine(c, table, m.stage);
  m.made->size = m.t->size;
  m.made->part = m.t->part.image;
  keys(&m);
  actions(&m);
  default_rows(&m);
  default_action(&m);
  entries(&m);
}

static bool is_live(const struct compiler *c, unsigned table) {
  return c->code->table[table] && c->code->table[table]->live;
}

// Parts of a table stand one behind the other.
void table_emit(struct compiler *c, struct sluice_image *image, unsigned table) {
  const struct sluice_image_part *part = &c->program->table[table]->part.image;
  if (part->number || !is_live(c, table)) return;
  emit_one(c, image, table);
  for (unsigned number = 1; number < part->num; number++)
    for (unsigned i = 0; i < c->program->num_tables; i++) {
      const struct table *t = c->program->table[i];
      if (t->part.first != table || t->part.image.number != number) continue;
      if (!is_live(c, i)) SLUICE_BUG("a part of a table that nobody looks up");
      emit_one(c, image, i);
    }
}
