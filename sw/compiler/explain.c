// SPDX-License-Identifier: Apache-2.0
// Why an update does not fit: which operand, constant or comparison is one too many, and the
// decision tree that the mapper saw, in the words of the text.
#include <stdarg.h>
#include <string.h>

#include "mapper.h"
#include "table.h"

struct text {
  char *at;
  size_t left;
};

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(t->at, t->left, format, args);
  va_end(args);
  size_t used = n < 0 ? 0 : (size_t)n < t->left ? (size_t)n : t->left - 1;
  t->at += used;
  t->left -= used;
}

// ---- values -------------------------------------------------------------------------------------

enum { MOST_DEPTH = 3 };

static void put_input(const struct mapper *m, struct text *t, const struct node *n) {
  const struct source *s = &m->ir->graph->source[n->index];
  const struct token *param = m->ir->program->param;
  if (s->param) {
    put(t, "%s", m->ir->program->malleable[s->param - 1]->name);
    return;
  }
  for (size_t i = 0; i < m->ir->program->num_fields; i++) {
    const struct sluice_program_field *f = &m->ir->program->field[i]->info;
    enum sluice_home_kind home = s->metadata ? SLUICE_HOME_METADATA : SLUICE_HOME_BYTES;
    if (f->home != home || f->offset != s->offset || f->width != s->width) continue;
    put(t, "%.*s.%s", (int)param->len, param->text, f->name);
    return;
  }
  put(t, "bytes(%u, %u)", s->offset, s->width);
}

// What a lookup gives: a parameter by its name.
static void put_lookup(const struct mapper *m, struct text *t, const struct node *n) {
  const struct table *table = m->ir->program->table[n->index];
  if (n->modulus < TABLE_WORD) {
    put(t, "%s.%s", table->name,
        n->modulus == TABLE_HIT      ? "hit"
        : n->modulus == TABLE_ACTION ? "action"
                                     : "found");
    return;
  }
  const struct table_action *a = &table->action[(n->modulus - TABLE_WORD) / DATA_WORDS];
  const unsigned word = (n->modulus - TABLE_WORD) % DATA_WORDS;
  unsigned i = 0;
  while (i + 1 < a->num_args && a->arg[i].word != word) i++;
  put(t, "%s.%s", a->name, a->num_args ? a->arg[i].name : "(data)");
}

static void put_node(const struct mapper *m, struct text *t, const struct node *n, unsigned depth) {
  if (n->op == OP_CONST) put(t, "%d", n->value);
  else if (n->op == OP_INPUT) put_input(m, t, n);
  else if (n->op == OP_PARAM) put(t, "%s", m->ir->program->malleable[n->index]->name);
  else if (n->op == OP_OLD) put(t, "%s", m->ir->program->state[n->index]->info.name);
  else if (n->op == OP_TABLE) put_lookup(m, t, n);
  else if (n->op == OP_FOUND) put(t, "found in %s", m->ir->program->word_table->name);
  else if (!depth) put(t, "(..)");
  else if (n->op == OP_HASH) put(t, "hash(..)");
  else if (n->op == OP_SELECT) {
    put(t, "(");
    put_node(m, t, n->arg[0], depth - 1);
    put(t, " ? ");
    put_node(m, t, n->arg[1], depth - 1);
    put(t, " : ");
    put_node(m, t, n->arg[2], depth - 1);
    put(t, ")");
  } else if (n->num_args == 1) {
    put(t, "%s", op_text(n->op));
    put_node(m, t, n->arg[0], depth - 1);
  } else {
    put(t, "(");
    put_node(m, t, n->arg[0], depth - 1);
    put(t, " %s ", op_text(n->op));
    put_node(m, t, n->arg[1], depth - 1);
    put(t, ")");
  }
}

static void put_term(struct text *t, uint32_t times, bool *first) {
  bool minus = times > 0x80000000u;
  if (minus) put(t, *first ? "-" : " - ");
  else if (!*first) put(t, " + ");
  if (times != 1 && times != UINT32_MAX) put(t, "%u * ", minus ? 0u - times : times);
  *first = false;
}

static void put_sum(const struct mapper *m, struct text *t, const struct sum *sum) {
  bool first = true;
  for (unsigned w = 0; w < m->k->num_states; w++) {
    if (!sum->state[w]) continue;
    put_term(t, sum->state[w], &first);
    put(t, "%s", m->ir->program->state[m->k->state[w]]->info.name);
  }
  for (unsigned i = 0; i < sum->num; i++) {
    put_term(t, sum->term[i].times, &first);
    put_node(m, t, sum->term[i].atom, MOST_DEPTH);
  }
  if (first) put(t, "%d", (int32_t)sum->konst);
  else if (sum->konst)
    put(t, (int32_t)sum->konst < 0 && sum->konst != 0x80000000u ? " - %u" : " + %u",
        (int32_t)sum->konst < 0 ? 0u - sum->konst : sum->konst);
}

static void put_cond(const struct mapper *m, struct text *t, unsigned subject,
                     const struct set *set) {
  const struct subject *s = &m->subject[subject];
  const struct set *not = set_not(m->ir->arena, set);
  not = not ? set_and(m->ir->arena, not, s->domain) : NULL;
  put_sum(m, t, &s->x);
  if (s->order) {
    bool less = set_meets(set, set_range(m->ir->arena, LESS, LESS)), same = set_meets(set, m->same),
         more = set_meets(set, set_range(m->ir->arena, MORE, MORE));
    put(t, " %s ", less ? same ? "<=" : more ? "!=" : "<" : same ? more ? ">=" : "==" : ">");
    put_sum(m, t, &s->y);
    return;
  }
  const struct part *p = set->part;
  if (set->num == 1 && p->low == p->high) put(t, " == %d", (int32_t)KEY(p->low));
  else if (not &&not ->num == 1 && not ->part[0].low == not ->part[0].high)
    put(t, " != %d", (int32_t)KEY(not ->part[0].low));
  else if (set->num == 1 && p->low == s->domain->part[0].low)
    put(t, " <= %d", (int32_t)KEY(p->high));
  else if (set->num == 1 && p->high == s->domain->part[s->domain->num - 1].high)
    put(t, " >= %d", (int32_t)KEY(p->low));
  else {
    put(t, " in ");
    for (unsigned i = 0; i < set->num && i < 3; i++)
      put(t, "%s%d..%d", i ? ", " : "", (int32_t)KEY(set->part[i].low),
          (int32_t)KEY(set->part[i].high));
    if (set->num > 3) put(t, ", ..");
  }
}

// ---- the tree -----------------------------------------------------------------------------------

void explain_cases(struct mapper *m) {
  enum { MOST_NOTES = 8 };
  unsigned notes = 0, all = 0;
  for (unsigned i = 0; i < m->num; i++) all += m->list[i].num_leaves;
  for (unsigned i = 0; i < m->num; i++)
    for (unsigned l = 0; l < m->list[i].num_leaves; l++) {
      char line[320];
      struct text t = {line, sizeof line};
      bool any = false;
      if (notes++ == MOST_NOTES) diag_note(m->ir, m->k->at, "and so on, %u cases in all", all);
      if (notes > MOST_NOTES) return;
      for (unsigned s = 0; s < m->num_subjects; s++) {
        const struct set *set = m->subject[s].own ? m->list[i].leaf[l].on[s] : m->list[i].known[s];
        const struct subject *subject = &m->subject[s];
        if (!set || (subject->order && subject->twin != NONE && set_equal(set, m->same))) continue;
        put(&t, "%s", any ? " and " : "where ");
        put_cond(m, &t, s, set);
        any = true;
      }
      put(&t, "%s", any ? ": " : "always ");
      for (unsigned w = 0; w < m->k->num_states; w++) {
        const struct sum keep = sum_of_state(w);
        const char *name = m->ir->program->state[m->k->state[w]]->info.name;
        put(&t, "%s", w ? ", " : "");
        if (sum_equal(&keep, &m->list[i].leaf[l].word[w])) {
          put(&t, "%s stays", name);
          continue;
        }
        put(&t, "%s = ", name);
        put_sum(m, &t, &m->list[i].leaf[l].word[w]);
      }
      diag_note(m->ir, m->k->at, "%s", line);
    }
}

// ---- what is too many ---------------------------------------------------------------------------

static bool times_the_old(struct mapper *m, struct text *t) {
  for (unsigned i = 0; i < m->num; i++)
    for (unsigned l = 0; l < m->list[i].num_leaves; l++)
      for (unsigned w = 0; w < m->k->num_states; w++) {
        const struct sum *sum = &m->list[i].leaf[l].word[w];
        const char *mine = m->ir->program->state[m->k->state[w]]->info.name;
        const char *other = m->k->num_states > 1 ? m->ir->program->state[m->k->state[!w]]->info.name
                                                 : "";
        if (sum->state[!w])
          put(t, "the new '%s' holds the old '%s', and a word adds to its own old value only", mine,
              other);
        else if (sum->state[w] > 1)
          put(t, "the new '%s' holds its old value %d times, and the state unit adds to it once",
              mine, (int32_t)sum->state[w]);
        else continue;
        return true;
      }
  return false;
}

static void put_values(struct mapper *m, struct text *t, const struct sum *value, unsigned num) {
  for (unsigned i = 0; i < num; i++) {
    put(t, "%s'", i == 0 ? "" : i + 1 == num ? " and " : ", ");
    put_sum(m, t, &value[i]);
    put(t, "'");
  }
}

enum { MOST_VALUES = 12 };

static void add_value(struct sum *value, unsigned *num, const struct sum *sum) {
  struct sum rest = *sum;
  rest.state[0] = rest.state[1] = rest.konst = 0;
  struct sum minus = sum_times(&rest, UINT32_MAX);
  if (!rest.num) return;
  for (unsigned i = 0; i < *num; i++)
    if (sum_equal(&value[i], &rest) || sum_equal(&value[i], &minus)) return;
  if (*num < MOST_VALUES) value[(*num)++] = rest;
}

// Packet values that are added to, or compared with, state words.
static unsigned values(const struct mapper *m, struct sum *value) {
  unsigned num = 0;
  for (unsigned i = 0; i < m->num_subjects; i++) {
    if (!m->subject[i].own) continue;
    add_value(value, &num, &m->subject[i].x);
    if (m->subject[i].order) add_value(value, &num, &m->subject[i].y);
  }
  for (unsigned i = 0; i < m->num; i++)
    for (unsigned l = 0; l < m->list[i].num_leaves; l++)
      for (unsigned w = 0; w < m->k->num_states; w++)
        add_value(value, &num, &m->list[i].leaf[l].word[w]);
  return num;
}

static void put_comparisons(struct mapper *m, struct text *t) {
  bool first = true;
  for (unsigned i = 0; i < m->num_subjects; i++) {
    if (!m->subject[i].own) continue;
    put(t, "%s'", first ? "" : ", ");
    put_sum(m, t, &m->subject[i].x);
    if (m->subject[i].order) put(t, " <=> "), put_sum(m, t, &m->subject[i].y);
    put(t, "'");
    first = false;
  }
}

static bool compares(const struct mapper *m) {
  bool any = false;
  for (unsigned i = 0; i < m->num_subjects; i++) any |= m->subject[i].own;
  return any;
}

static unsigned constants_needed(struct mapper *m, const struct ability *can,
                                 struct mapping **found) {
  struct ability more = *can;
  unsigned cost;
  bool out;
  more.constants = MAX_CONSTANTS;
  *found = fit(m, &more, &cost, &out);
  return *found ? (*found)->num_konst : 0;
}

enum { MOST_RESULTS = 5 };

// The most that the words of one situation can become.
static unsigned results(const struct mapper *m) {
  unsigned most = 0;
  for (unsigned i = 0; i < m->num; i++) {
    unsigned num = 0;
    for (unsigned l = 0; l < m->list[i].num_leaves; l++) {
      unsigned j = 0;
      const struct leaf *leaf = m->list[i].leaf;
      while (j < l && !(sum_equal(&leaf[j].word[0], &leaf[l].word[0]) &&
                        sum_equal(&leaf[j].word[1], &leaf[l].word[1])))
        j++;
      num += j == l;
    }
    if (num > most) most = num;
  }
  return most;
}

void explain(struct mapper *m, const struct ability *can, bool out_of_steps) {
  struct text t = {m->why, sizeof m->why};
  struct sum value[MOST_VALUES];
  struct mapping *found;
  m->why_at = NULL;
  if (times_the_old(m, &t)) return;
  unsigned konsts = constants_needed(m, can, &found), num = values(m, value);
  if (konsts > NUM_KONST) {
    put(&t, "it takes %u constants, the state instruction has %d", konsts, NUM_KONST);
  } else if (num > can->operands) {
    put(&t, "it takes the packet values ");
    put_values(m, &t, value, num);
    put(&t, ", and the state instruction has %u packet operands", can->operands);
  } else if (results(m) > MOST_RESULTS) {
    put(&t,
        "it has %u different results, and the state instruction makes %d and leaves the words as "
        "they are",
        results(m), MOST_RESULTS - 1);
  } else if (out_of_steps) {
    put(&t, "no instruction was found in the time that the search has; its comparisons are about ");
    put_comparisons(m, &t);
  } else if (!compares(m)) {
    put(&t, "no earlier stage computes the packet value ");
    put_values(m, &t, value, num);
  } else {
    put(&t,
        "its conditions do not nest as if {if A else B} else if {if C else D}; they are about ");
    put_comparisons(m, &t);
    if (num) {
      put(&t, " with ");
      put_values(m, &t, value, num);
    }
  }
}

void explain_late(struct mapper *m, const struct node *operand) {
  struct text t = {m->why, sizeof m->why};
  m->why_at = NULL;
  put(&t, "it takes the packet value '");
  put_node(m, &t, operand, MOST_DEPTH);
  put(&t,
      "', which earlier stages compute, and chip '%s' has none before the last stage with state; "
      "see --chip",
      m->ir->config->name);
}
