// SPDX-License-Identifier: Apache-2.0
#include "tests/rig/interpret.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/table.h"

// A table, and what its lookup gave the packet.
struct lookup {
  struct sluice_interpreter_entry *list;
  size_t num, room;
  int32_t hit, action;
};
// Values are 48 bits wide, those of fewer bits have zeros above: so they are kept, copied, compared
// by == and !=, and tested. All other operators take the low 32 bits, as signed numbers. How many
// bits a place holds its declaration alone says.
struct sluice_interpreter {
  const struct sluice_program *program;
  int32_t *memory;
  size_t first[MAX_STATES];   // of a state in `memory`
  int32_t stray[MAX_STATES];  // the cell of an access outside the array, for one packet
  uint64_t fields[MAX_FIELDS + MAX_MALLEABLES];
  int32_t (*rows)[SLUICE_ROW_WORDS];  // by field
  int32_t stray_row[MAX_STATES][SLUICE_ROW_WORDS];
  unsigned word;  // that is looked at, of rows
  int32_t param[MAX_MALLEABLES];
  struct lookup lookup[MAX_TABLES];
  const struct table_action *action;  // whose body runs; NULL: the program's
  const uint64_t *arg;
  // In which words are looked up.
  struct sluice_interpreter_pair *pairs;
  size_t num_pairs, room_pairs;
  uint32_t there;
};

bool sluice_interpreter_pair(struct sluice_interpreter *in, uint32_t key, uint32_t data) {
  for (size_t i = 0; i < in->num_pairs; i++)
    if (in->pairs[i].key == key) {
      in->pairs[i].data = data;
      return true;
    }
  if (in->num_pairs == in->room_pairs) {
    const size_t room = in->room_pairs ? 2 * in->room_pairs : 16;
    struct sluice_interpreter_pair *grown = realloc(in->pairs, room * sizeof *grown);
    if (!grown) return false;
    in->pairs = grown;
    in->room_pairs = room;
  }
  in->pairs[in->num_pairs++] = (struct sluice_interpreter_pair){key, data};
  return true;
}

void sluice_interpreter_no_pair(struct sluice_interpreter *in, uint32_t key) {
  size_t i = 0;
  while (i < in->num_pairs && in->pairs[i].key != key) i++;
  if (i < in->num_pairs) in->pairs[i] = in->pairs[--in->num_pairs];
}

bool sluice_interpreter_add(struct sluice_interpreter *in, size_t table,
                            const struct sluice_interpreter_entry *entry) {
  struct lookup *x = &in->lookup[table];
  if (x->num == x->room) {
    const size_t room = x->room ? 2 * x->room : 16;
    struct sluice_interpreter_entry *grown = realloc(x->list, room * sizeof *grown);
    if (!grown) return false;
    x->list = grown;
    x->room = room;
  }
  x->list[x->num++] = *entry;
  return true;
}

// The entries that the text gives.
static bool add_own(struct sluice_interpreter *in) {
  for (size_t i = 0; i < in->program->num_tables; i++)
    for (const struct table_entry *e = in->program->table[i]->entries; e; e = e->next) {
      struct sluice_interpreter_entry made = {.action = e->call.action, .priority = e->priority};
      memcpy(made.key, e->key, sizeof made.key);
      memcpy(made.care, e->care, sizeof made.care);
      memcpy(made.arg, e->call.arg, sizeof made.arg);
      if (!sluice_interpreter_add(in, i, &made)) return false;
    }
  const struct word_table *words = in->program->word_table;
  for (const struct word_pair *e = words ? words->pairs : NULL; e; e = e->next)
    if (!sluice_interpreter_pair(in, e->key, e->data)) return false;
  return true;
}

void sluice_interpreter_there(struct sluice_interpreter *in, uint32_t words) { in->there = words; }

static unsigned width_of(const struct state *s) { return s->info.words ? s->info.words : 1; }

struct sluice_interpreter *sluice_interpreter_new(const struct sluice_program *p) {
  struct sluice_interpreter *in = calloc(1, sizeof *in);
  size_t total = 0;
  if (p->ir) SLUICE_BUG("a program in the IR has no statements to interpret");
  if (!in) return NULL;
  in->program = p;
  in->there = UINT32_MAX;
  for (size_t i = 0; i < p->num_states; i++) {
    in->first[i] = total;
    total += (size_t)p->state[i]->info.size * width_of(p->state[i]);
  }
  in->memory = calloc(total + 1, sizeof *in->memory);
  if (!in->memory || !add_own(in)) {
    sluice_interpreter_free(in);
    return NULL;
  }
  for (size_t i = 0; i < p->num_malleables; i++) in->param[i] = p->malleable[i]->init;
  for (size_t i = 0; i < p->num_states; i++)
    for (size_t n = 0; n < (size_t)p->state[i]->info.size * width_of(p->state[i]); n++)
      in->memory[in->first[i] + n] = p->state[i]->info.init;
  return in;
}

void sluice_interpreter_free(struct sluice_interpreter *in) {
  for (size_t i = 0; in && i < MAX_TABLES; i++) free(in->lookup[i].list);
  if (in) free(in->memory);
  if (in) free(in->pairs);
  free(in);
}

static uint64_t eval(struct sluice_interpreter *in, const struct expr *e);

static uint32_t low_of(uint64_t value) { return (uint32_t)(value & UINT32_MAX); }

// The signed number in the low 32 bits.
static int64_t number_of(uint64_t value) {
  const int64_t low = (int64_t)low_of(value);
  return low > INT32_MAX ? low - (INT64_C(1) << 32) : low;
}

static int64_t saturated(int64_t x) {
  return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

static uint64_t operate(enum op op, uint64_t a, uint64_t b) {
  const int64_t x = number_of(a), y = number_of(b);
  const unsigned count = (unsigned)(b & 31);
  switch (op) {
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LAND: return a && b;
    case OP_LOR: return a || b;
    case OP_LNOT: return !a;
    case OP_LT: return x < y;
    case OP_LE: return x <= y;
    case OP_GT: return x > y;
    case OP_GE: return x >= y;
    case OP_ADD: return low_of((uint64_t)(x + y));
    case OP_SUB: return low_of((uint64_t)(x - y));
    case OP_MUL: return low_of((uint64_t)(x * y));
    case OP_DIV: return y ? low_of((uint64_t)(x / y)) : 0;
    case OP_MOD: return y ? low_of((uint64_t)(x % y)) : 0;
    case OP_AND: return low_of(a & b);
    case OP_OR: return low_of(a | b);
    case OP_XOR: return low_of(a ^ b);
    case OP_SHL: return low_of(a << count);
    case OP_SRA:  // towards the least number
      return low_of(
          (uint64_t)((x - (int64_t)(low_of(a) & ((1u << count) - 1))) / (INT64_C(1) << count)));
    case OP_NOT: return low_of(~a);
    case OP_NEG: return low_of((uint64_t)-x);
    case OP_PLUS: return low_of(a);
    case OP_MAX: return low_of((uint64_t)(x > y ? x : y));
    case OP_MIN: return low_of((uint64_t)(x < y ? x : y));
    case OP_ADDS: return low_of((uint64_t)saturated(x + y));
    default: SLUICE_BUG("an operator that no text has");
  }
}

// A place of 32 bits; fields that are single values are elsewhere.
static int32_t *place(struct sluice_interpreter *in, const struct expr *e) {
  if (e->kind == EXPR_FIELD && in->program->field[e->id]->info.words)
    return &in->rows[e->id][in->word];
  const struct state *s = in->program->state[e->id];
  uint32_t index = e->num_args ? low_of(eval(in, e->arg[0])) : 0;
  if (index >= s->info.size)
    return s->info.words ? &in->stray_row[e->id][in->word] : &in->stray[e->id];
  if (s->info.words) return &in->memory[in->first[e->id] + index * s->info.words + in->word];
  return &in->memory[in->first[e->id] + index];
}

static unsigned words_of(const struct sluice_interpreter *in, const struct expr *e) {
  return e->kind == EXPR_FIELD ? in->program->field[e->id]->info.words
                               : in->program->state[e->id]->info.words;
}

// The value of what is no operation.
static uint64_t eval_leaf(struct sluice_interpreter *in, const struct expr *e) {
  int32_t x[3] = {0, 0, 0};
  if (e->kind == EXPR_NUMBER) return (uint64_t)e->above << 32 | (uint32_t)e->value;
  if (e->kind == EXPR_PARAM) return (uint32_t)in->param[e->id];
  if (e->kind == EXPR_ARG) return in->arg[e->id];
  if (e->kind == EXPR_HIT) return (uint32_t)in->lookup[e->id].hit;
  if (e->kind == EXPR_ACTION) return (uint32_t)in->lookup[e->id].action;
  if (e->kind == EXPR_FIELD && !words_of(in, e)) return in->fields[e->id];
  if (e->kind == EXPR_FIELD || e->kind == EXPR_STATE) return (uint32_t)*place(in, e);
  if (e->kind == EXPR_COND) return eval(in, e->arg[eval(in, e->arg[0]) ? 1 : 2]);
  for (unsigned i = 0; i < e->num_args; i++) x[i] = (int32_t)low_of(eval(in, e->arg[i]));
  return (uint32_t)hash_eval(builtins[e->id].algorithm, x, e->num_args, builtins[e->id].modulus);
}

static uint64_t eval(struct sluice_interpreter *in, const struct expr *e) {
  const struct expr *x = expr_first(e);
  uint64_t value = eval_leaf(in, x);
  while (x != e) {
    x = x->up;
    value = operate(x->op, value, x->num_args == 2 ? eval(in, x->arg[1]) : 0);
  }
  return value;
}

// Fields of 6 bytes hold 48 bits, and those without a home, which no declaration narrows.
static void set_field(struct sluice_interpreter *in, unsigned id, uint64_t value) {
  const struct sluice_program_field *f = &in->program->field[id]->info;
  const bool wide = f->home == SLUICE_HOME_TEMPORARY ||
                    (f->home == SLUICE_HOME_BYTES && f->width == 6);
  in->fields[id] = wide ? value : low_of(value);
}

static void run(struct sluice_interpreter *in, const struct stmt *s);

static bool matches(const struct table *t, const struct sluice_interpreter_entry *e,
                    const uint64_t *key) {
  for (unsigned i = 0; i < t->num_keys; i++)
    if ((key[i] ^ e->key[i]) & e->care[i]) return false;
  return true;
}

static void apply(struct sluice_interpreter *in, unsigned table) {
  const struct table *t = in->program->table[table];
  struct lookup *x = &in->lookup[table];
  const struct sluice_interpreter_entry *best = NULL;
  uint64_t key[SLUICE_MAX_KEYS];
  for (unsigned i = 0; i < t->num_keys; i++) {
    const struct table_key *k = &t->key[i];
    key[i] = in->fields[k->field];
    key[i] &= (UINT64_C(1) << k->width) - 1;
  }
  for (size_t i = 0; i < x->num; i++)
    if (matches(t, &x->list[i], key) && (!best || x->list[i].priority < best->priority))
      best = &x->list[i];
  const unsigned action = best ? best->action : t->otherwise.action;
  x->hit = best != NULL;
  x->action = (int32_t)action + 1;
  in->action = &t->action[action];
  in->arg = best ? best->arg : t->otherwise.arg;
  if (in->action->function) run(in, in->action->function->body);
  in->action = NULL;
}

static void look_up(struct sluice_interpreter *in, const struct stmt *s) {
  const struct word_table *t = in->program->word_table;
  int32_t *row = in->rows[t->field], found = 0;
  for (unsigned i = 0; i < SLUICE_ROW_WORDS; i++) {
    if (!((t->words & in->there) >> i & 1)) continue;
    size_t n = 0;
    while (n < in->num_pairs && in->pairs[n].key != (uint32_t)row[i]) n++;
    if (n < in->num_pairs) row[i] = (int32_t)in->pairs[n].data;
    else if (!t->stay) row[i] = 0;
    found |= (n < in->num_pairs) << i;
  }
  if (!s->target) return;
  set_field(in, s->target->id, (uint32_t)found);
}

// Word by word: no word of a row depends on another.
static void assign_row(struct sluice_interpreter *in, const struct stmt *s, unsigned words) {
  for (in->word = 0; in->word < words; in->word++) {
    const uint64_t value = eval(in, s->value);
    *place(in, s->target) = (int32_t)low_of(value);
  }
  in->word = 0;
}

static void assign(struct sluice_interpreter *in, const struct stmt *s) {
  const unsigned words = words_of(in, s->target);
  if (words) {
    assign_row(in, s, words);
    return;
  }
  const uint64_t value = eval(in, s->value);
  if (s->target->kind == EXPR_FIELD) set_field(in, s->target->id, value);
  else *place(in, s->target) = (int32_t)low_of(value);
}

static void run(struct sluice_interpreter *in, const struct stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) run(in, s->body);
    else if (s->kind == STMT_IF) run(in, eval(in, s->value) ? s->then : s->otherwise);
    else if (s->kind == STMT_APPLY) apply(in, s->table);
    else if (s->kind == STMT_LOOKUP) look_up(in, s);
    else assign(in, s);
  }
}

void sluice_interpreter_run(struct sluice_interpreter *in, int32_t *fields) {
  uint16_t upper[MAX_FIELDS + MAX_MALLEABLES] = {0};
  sluice_interpreter_run_whole(in, fields, upper);
}

void sluice_interpreter_run_whole(struct sluice_interpreter *in, int32_t *fields, uint16_t *upper) {
  int32_t rows[MAX_FIELDS + MAX_MALLEABLES][SLUICE_ROW_WORDS] = {{0}};
  sluice_interpreter_run_rows(in, fields, upper, rows);
}

void sluice_interpreter_run_rows(struct sluice_interpreter *in, int32_t *fields, uint16_t *upper,
                                 int32_t (*rows)[SLUICE_ROW_WORDS]) {
  const struct sluice_program *p = in->program;
  in->rows = rows;
  for (size_t i = 0; i < p->num_fields; i++)
    in->fields[i] = (uint64_t)upper[i] << 32 | (uint32_t)fields[i];
  for (size_t i = 0; i < p->num_tables; i++) in->lookup[i].hit = in->lookup[i].action = 0;
  memset(in->stray, 0, sizeof in->stray);
  memset(in->stray_row, 0, sizeof in->stray_row);
  for (size_t i = 0; i < p->num_malleables; i++) {
    const struct malleable *m = p->malleable[i];
    if (m->is_field) in->fields[m->field] = in->fields[m->choice[in->param[i]]];
  }
  run(in, p->body);
  for (size_t i = 0; i < p->num_malleables; i++) {
    const struct malleable *m = p->malleable[i];
    if (m->is_field && p->field[m->field]->info.assigned)
      in->fields[m->choice[in->param[i]]] = in->fields[m->field];
  }
  for (size_t i = 0; i < p->num_fields; i++) {
    fields[i] = (int32_t)low_of(in->fields[i]);
    upper[i] = (uint16_t)(in->fields[i] >> 32);
  }
  in->rows = NULL;
}

int32_t sluice_interpreter_state(const struct sluice_interpreter *in, size_t state,
                                 unsigned index) {
  return in->memory[in->first[state] + index];
}

const int32_t *sluice_interpreter_row(const struct sluice_interpreter *in, size_t state,
                                      unsigned index) {
  return &in->memory[in->first[state] + (size_t)index * in->program->state[state]->info.words];
}
