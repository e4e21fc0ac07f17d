// SPDX-License-Identifier: Apache-2.0
// A call of a body only writes down what it wants: sluice_change(line, op, table, action, priority,
// keys and masks, arguments). Whether it can be done the switch says, behind the body.
#include "tables.h"

#include <string.h>

#include "../driver/image/image_tables.h"

static const struct op {
  enum sluice_table_op op;
  const char *name;
  bool keys, action;
} ops[] = {
    {SLUICE_TABLE_ADD, "add", true, true},          {SLUICE_TABLE_MODIFY, "modify", true, true},
    {SLUICE_TABLE_SET, "set", true, true},          {SLUICE_TABLE_DELETE, "delete", true, false},
    {SLUICE_TABLE_DEFAULT, "default", false, true}, {SLUICE_TABLE_CLEAR, "clear", false, false}};
enum { OPS = sizeof ops / sizeof ops[0] };

// ---- one function -------------------------------------------------------------------------------

struct made {
  FILE *out;
  const struct sluice_image_table *table;
  unsigned number, action;
  const struct op *op;
};

static const struct sluice_image_action *action_of(const struct made *m) {
  return m->op->action ? &m->table->actions[m->action] : NULL;
}

static void put_name(const struct made *m) {
  fprintf(m->out, "%s_%s", m->table->name, m->op->name);
  if (action_of(m)) fprintf(m->out, "_%s", action_of(m)->name);
}

static void put_parameters(const struct made *m) {
  char name[SLUICE_NAME_LEN];
  const struct sluice_image_action *a = action_of(m);
  for (unsigned k = 0; m->op->keys && k < m->table->num_keys; k++) {
    const struct sluice_image_key *key = &m->table->keys[k];
    reaction_c_name(name, key->name);
    fprintf(m->out, ", int64_t sluice_%s", name);
    if (key->kind == SLUICE_KEY_LPM) fprintf(m->out, ", uint32_t sluice_%s_length", name);
    if (key->kind == SLUICE_KEY_TERNARY) fprintf(m->out, ", int64_t sluice_%s_mask", name);
  }
  if (m->op->keys && sluice_table_has_priority(m->table))
    fprintf(m->out, ", uint32_t sluice_priority");
  for (unsigned i = 0; a && i < a->num_args; i++) {
    reaction_c_name(name, a->args[i].name);
    fprintf(m->out, ", int64_t sluice_to_%s", name);
  }
}

static void put_key(const struct made *m, unsigned k) {
  char name[SLUICE_NAME_LEN];
  const struct sluice_image_key *key = &m->table->keys[k];
  const unsigned width = sluice_key_width(key);
  reaction_c_name(name, key->name);
  fprintf(m->out,
          "\n      [%d] = sluice_bits(sluice_%s, %u), [%d] = ", REACTION_WORD_KEYS + 2 * (int)k,
          name, width, REACTION_WORD_KEYS + 2 * (int)k + 1);
  if (key->kind == SLUICE_KEY_LPM)
    fprintf(m->out, "sluice_prefix(sluice_%s_length, %u),", name, width);
  else if (key->kind == SLUICE_KEY_TERNARY)
    fprintf(m->out, "sluice_bits(sluice_%s_mask, %u),", name, width);
  else fprintf(m->out, "-1,");
}

static void put_function(const struct made *m) {
  const struct sluice_image_action *a = action_of(m);
  char name[SLUICE_NAME_LEN];
  fprintf(m->out, "static inline void sluice_");
  put_name(m);
  fprintf(m->out, "(uint32_t sluice_line");
  put_parameters(m);
  fprintf(m->out,
          ") {\n  sluice_change((const int64_t[%d]){[%d] = %d, [%d] = %u, [%d] = %u, [%d] = "
          "sluice_line,",
          REACTION_CHANGE_WORDS, REACTION_WORD_OP, (int)m->op->op, REACTION_WORD_TABLE, m->number,
          REACTION_WORD_ACTION, m->action, REACTION_WORD_LINE);
  for (unsigned k = 0; m->op->keys && k < m->table->num_keys; k++) put_key(m, k);
  if (m->op->keys && sluice_table_has_priority(m->table))
    fprintf(m->out, "\n      [%d] = sluice_priority,", REACTION_WORD_PRIORITY);
  for (unsigned i = 0; a && i < a->num_args; i++) {
    reaction_c_name(name, a->args[i].name);
    fprintf(m->out, "\n      [%d] = sluice_bits(sluice_to_%s, %u),", REACTION_WORD_ARGS + (int)i,
            name, a->args[i].msb - a->args[i].lsb + 1);
  }
  fprintf(m->out, "});\n}\n#define ");
  put_name(m);
  const bool some = m->op->keys || (a && a->num_args);
  fprintf(m->out, some ? "(...) sluice_" : "() sluice_");
  put_name(m);
  fprintf(m->out, some ? "(__LINE__, __VA_ARGS__)\n" : "(__LINE__)\n");
}

// ---- all ----------------------------------------------------------------------------------------

static void put_table(FILE *out, const struct sluice_image_table *t, unsigned number) {
  for (unsigned o = 0; o < OPS; o++) {
    struct made m = {out, t, number, 0, &ops[o]};
    for (; m.action < (ops[o].action ? t->num_actions : 1); m.action++) {
      const struct sluice_image_action *a = &t->actions[m.action];
      const bool as_default = ops[o].op == SLUICE_TABLE_DEFAULT;
      if (ops[o].action && !as_default && a->only_default) continue;
      if (as_default && sluice_default_row(a) == SLUICE_NO_DEFAULT) continue;
      put_function(&m);
    }
  }
}

// Tables of the system-level module are the operator's: no program has a name with a dot.
static bool of_operator(const struct sluice_image_table *t) { return strchr(t->name, '.'); }

void reaction_put_tables(FILE *out, const struct sluice_image *image) {
  fprintf(out,
          "static int64_t sluice_changes[%d][%d];\nstatic uint32_t sluice_num_changes;\n\n"
          "// One more than there is room for is kept for its line.\n"
          "static inline void sluice_change(const int64_t words[static %d]) {\n"
          "  if (sluice_num_changes <= %d) memcpy(sluice_changes[sluice_num_changes++], words, "
          "sizeof sluice_changes[0]);\n"
          "}\n"
          "// An address in a word of an array may look negative.\n"
          "static inline int64_t sluice_bits(int64_t value, uint32_t bits) {\n"
          "  return bits == 32 && value < 0 && value >= INT32_MIN ? value & 0xffffffff : value;\n"
          "}\n"
          "static inline int64_t sluice_prefix(uint32_t length, uint32_t bits) {\n"
          "  if (length > bits) return INT64_MIN;  // no mask of any key\n"
          "  return (int64_t)((UINT64_C(1) << bits) - (UINT64_C(1) << (bits - length)));\n"
          "}\n\n",
          REACTION_MAX_CHANGES + 1, REACTION_CHANGE_WORDS, REACTION_CHANGE_WORDS,
          REACTION_MAX_CHANGES);
  for (size_t i = 0; i < image->num_tables; i++)
    if (!of_operator(&image->tables[i]) && !image->tables[i].part.number)
      put_table(out, &image->tables[i], (unsigned)i);
}

enum sluice_status reaction_table_change(const struct sluice_image *image, unsigned vid,
                                         const int64_t words[REACTION_CHANGE_WORDS],
                                         struct sluice_table_change *change,
                                         struct sluice_error *error) {
  const int64_t op = words[REACTION_WORD_OP], table = words[REACTION_WORD_TABLE],
                action = words[REACTION_WORD_ACTION];
  unsigned o = 0;
  while (o < OPS && ops[o].op != op) o++;
  if (o == OPS || table < 0 || table >= (int64_t)image->num_tables || action < 0 ||
      of_operator(&image->tables[table]) || image->tables[table].part.number ||
      action >= image->tables[table].num_actions)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "there is no table %lld or action %lld",
                       (long long)table, (long long)action);
  const struct sluice_image_table *t = &image->tables[table];
  *change = (struct sluice_table_change){.op = ops[o].op,
                                         .vid = vid,
                                         .table = t->name,
                                         .action = ops[o].action ? t->actions[action].name : NULL,
                                         .priority = (uint32_t)words[REACTION_WORD_PRIORITY]};
  for (unsigned k = 0; k < SLUICE_MAX_KEYS; k++)
    change->keys[k] = (struct sluice_table_match){(uint64_t)words[REACTION_WORD_KEYS + 2 * k],
                                                  (uint64_t)words[REACTION_WORD_KEYS + 2 * k + 1]};
  for (unsigned i = 0; i < SLUICE_MAX_ARGS; i++)
    change->args[i] = (uint64_t)words[REACTION_WORD_ARGS + i];
  return SLUICE_OK;
}
