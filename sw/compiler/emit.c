// SPDX-License-Identifier: Apache-2.0
// Operations to tables: one match row that always hits and one action word for each stage in use,
// the parser, the deparser, and the entries of hash units, state units and order point.
#include <string.h>

#include "emit.h"

_Static_assert(SLUICE_INSTR_IMM_IMM_LSB == 0 && SLUICE_INSTR_FUNCI_IMM_LSB == 0,
               "immediates of both forms begin at bit 0");

struct sluice_write *emit_entry(struct emitter *e, enum sluice_table table, unsigned stage) {
  struct sluice_write *w = sluice_image_add_write(e->image);
  if (!w) arena_give_up(e->c->arena, ARENA_NO_MEMORY);
  w->table = table;
  w->stage = stage;
  return w;
}

// Back stages are 0..S-1, front stages S and up.
unsigned stage_number(const struct compiler *c, int stage) {
  const int front = (int)c->config->FrontStages;
  return stage <= front ? c->config->BackStages + (unsigned)stage - 1
                        : (unsigned)(stage - front) - 1;
}

static unsigned code_of(const struct operand *o) {
  return o->task ? o->task->type << 3 | o->task->container : SLUICE_TYPE_CONST << 3 | o->value;
}

// An operand of an operation that names data words: numbers stand behind them.
static unsigned data_code_of(const struct operand *o) {
  if (o->task || o->data) return code_of(o);
  return SLUICE_TYPE_CONST << 3 | (DATA_WORDS + o->value);
}

static bool names_data(const struct task *t) {
  bool any = false;
  for (unsigned i = 0; i < t->num_args; i++) any |= t->arg[i].data;
  return any;
}

// ---- action words -------------------------------------------------------------------------------

static uint32_t instruction(const struct task *t) {
  uint32_t word = 0;
  FIELD(word, INSTR, OP, t->op);
  if (t->op == SLUICE_OP_SET || t->op == SLUICE_OP_SETHI) FIELD(word, INSTR_IMM, IMM, t->imm);
  if (t->op == SLUICE_OP_SETHI) FIELD(word, INSTR_IMM, A, code_of(&t->arg[0]));
  if (t->op == SLUICE_OP_EXT) FIELD(word, INSTR_IMM, IMM, t->func);
  if (t->op == SLUICE_OP_FUNC) {
    unsigned (*code)(const struct operand *) = names_data(t) ? data_code_of : code_of;
    FIELD(word, INSTR_FUNC, F, t->func);
    FIELD(word, INSTR_FUNC, DATA, names_data(t));
    FIELD(word, INSTR_FUNC, A, code(&t->arg[0]));
    if (t->num_args > 1) FIELD(word, INSTR_FUNC, B, code(&t->arg[1]));
    if (t->num_args > 2) FIELD(word, INSTR_FUNC, C, code(&t->arg[2]));
  }
  if (t->op == SLUICE_OP_FUNCI) {
    FIELD(word, INSTR_FUNCI, F, t->func);
    FIELD(word, INSTR_FUNCI, IMM, t->imm);
    if (t->num_args) FIELD(word, INSTR_FUNCI, A, code_of(&t->arg[0]));
  }
  return word;
}

static unsigned slot_of(const struct task *t) {
  return 1 + 8 * (t->type - SLUICE_TYPE_B2) + t->container;
}

static void put_row(struct emitter *e, unsigned number, unsigned row, unsigned slot,
                    uint32_t word) {
  e->used[number] = true;
  sluice_entry_set(e->action[number][row], sluice_tables[SLUICE_TABLE_ACTION].bits, 25 * slot + 24,
                   25 * slot, word);
}

static void relocate_immediate(struct emitter *e, const struct task *t, unsigned number,
                               unsigned row, unsigned slot) {
  const unsigned lsb = 25 * slot, msb = t->op == SLUICE_OP_FUNCI ? SLUICE_INSTR_FUNCI_IMM_MSB
                                                                 : SLUICE_INSTR_IMM_IMM_MSB;
  relocate(e->c, e->image, &t->relocated, SLUICE_TABLE_ACTION, number, row, lsb + msb, lsb);
}

// A data word is moved to six bytes as one of four: with 0 above it.
static struct task in_row(const struct task *t, unsigned row) {
  struct task made = *t->row[row];
  if (made.func == SLUICE_FUNC_MOVE && names_data(&made) && t->type == SLUICE_TYPE_B6) {
    made.func = SLUICE_FUNC_OR;
    made.arg[1] = (struct operand){NULL, 0, false};
    made.num_args = 2;
  }
  return made;
}

static void put_task(struct emitter *e, const struct task *t) {
  const unsigned number = stage_number(e->c, t->stage);
  for (unsigned row = 0; row < e->rows[number]; row++) {
    const struct task made = t->row ? in_row(t, row) : *t;
    put_row(e, number, row, slot_of(t), instruction(&made));
    relocate_immediate(e, &made, number, row, slot_of(t));
  }
}

// What a key of the stage is in an action row; 0 if the stage does not look it up.
static unsigned chosen(const struct emitter *e, unsigned stage, unsigned row,
                       const struct operand *key) {
  for (unsigned i = 0; i < MAX_STAGE_CHOICES; i++) {
    const struct choice *x = &e->choice[stage][i];
    if (!x->key) break;
    if (x->key->task == key->task) return row % x->num;
    row /= x->num;
  }
  return 0;
}

// What slot 0 gets of the port or the discard flag in a row; NULL: nothing.
static const struct task *in_slot(const struct emitter *e, const struct task *t, unsigned stage,
                                  unsigned row) {
  if (!t || stage_number(e->c, t->stage) != stage) return NULL;
  return t->row ? t->row[row] : t;
}

static bool is_number(const struct task *t) { return t->op == SLUICE_OP_SET; }

static uint32_t port_word(const struct emitter *e, const struct task *t) {
  uint32_t word = 0;
  if (is_number(t)) {
    const uint32_t port = (uint32_t)t->imm & 255u;
    FIELD(word, INSTR_MD, OP, SLUICE_OP_PORT);
    FIELD(word, INSTR_MD, DEST, e->c->config->NumPorts > 8 ? port : port < 8 ? 1u << port : 0);
    return word;
  }
  FIELD(word, INSTR_FUNC, OP, SLUICE_OP_FUNC);
  FIELD(word, INSTR_FUNC, A, code_of(&t->arg[0]));
  FIELD(word, INSTR_FUNC, DATA, t->arg[0].data);
  return word;
}

// Both in one stage are one operation. In a row of a table the flag may be a number: then the port
// is set alone, or the packet is discarded, and needs none.
static uint32_t slot_word(const struct emitter *e, const struct task *port,
                          const struct task *discard) {
  uint32_t word = 0;
  if (discard && is_number(discard) && (discard->imm || !port)) {
    FIELD(word, INSTR_MD, OP, SLUICE_OP_DISCARD);
    FIELD(word, INSTR_MD, DISCARD, discard->imm != 0);
    return word;
  }
  if (port && (!discard || is_number(discard))) return port_word(e, port);
  if (!port) {
    FIELD(word, INSTR, OP, SLUICE_OP_FUNCI);
    FIELD(word, INSTR, A, code_of(&discard->arg[0]));
    return word;
  }
  FIELD(word, INSTR, OP, SLUICE_OP_SETHI);
  FIELD(word, INSTR, A,
        is_number(port) ? SLUICE_TYPE_CONST << 3 | ((uint32_t)port->imm & 7u)
                        : code_of(&port->arg[0]));
  FIELD(word, INSTR, B, code_of(&discard->arg[0]));
  return word;
}

// What the destination of a row is: the set, or with more than 8 ports the row of PORT_MASK that is
// its port; if it has several, the driver finds a row and puts it in.
static uint32_t destination(struct emitter *e, unsigned stage, unsigned row, uint64_t ports) {
  const unsigned all = sluice_config_destinations(e->c->config);
  if (e->c->config->NumPorts <= 8) return (uint32_t)ports;
  if (all < 64) ports &= (UINT64_C(1) << all) - 1;
  if (ports && !(ports & (ports - 1))) return (uint32_t)__builtin_ctzll(ports);
  unsigned i = 0;
  while (i < e->image->num_port_sets && e->image->port_sets[i].ports != ports) i++;
  if (i == e->image->num_port_sets) {
    struct sluice_port_set *set = sluice_image_add_port_set(e->image);
    if (!set) arena_give_up(e->c->arena, ARENA_NO_MEMORY);
    set->ports = ports;
  }
  struct sluice_set_word *word = sluice_image_add_set_word(e->image);
  if (!word) arena_give_up(e->c->arena, ARENA_NO_MEMORY);
  *word = (struct sluice_set_word){i, stage, row};
  return 0;
}

static uint32_t set_word(struct emitter *e, unsigned stage, unsigned row, uint64_t ports) {
  uint32_t word = 0;
  FIELD(word, INSTR_MD, OP, SLUICE_OP_PORT);
  FIELD(word, INSTR_MD, DEST, destination(e, stage, row, ports));
  return word;
}

// The set of ports that a row sends to, or 0.
static uint64_t set_in_row(const struct emitter *e, unsigned stage, unsigned row) {
  const struct node *n = e->c->graph->ports;
  const unsigned number = n->op == OP_CONST ? (unsigned)n->value
                                            : chosen(e, stage, row, &e->c->code->set_key);
  return number ? e->c->set[number - 1] : 0;
}

static void metadata(struct emitter *e) {
  for (unsigned stage = 0; stage < MAX_STAGE_NUMBER; stage++)
    for (unsigned row = 0; row < e->rows[stage]; row++) {
      const struct task *port = in_slot(e, e->c->code->port, stage, row),
                        *discard = in_slot(e, e->c->code->discard, stage, row);
      if (!port && !discard) continue;
      const uint64_t set = port && e->c->graph->ports ? set_in_row(e, stage, row) : 0;
      put_row(e, stage, row, 0, set ? set_word(e, stage, row, set) : slot_word(e, port, discard));
    }
}

// ---- units --------------------------------------------------------------------------------------

static void hash_entry(struct emitter *e, const struct task *t) {
  struct sluice_write *w = emit_entry(e, SLUICE_TABLE_HASH_INSTR, stage_number(e->c, t->stage));
  const struct node *n = t->node;
  SLUICE_SETS(w->bytes, HASH_INSTR, (VALID, 1), (ALGORITHM, n->index), (NUM_WORDS, t->num_args),
              (A, code_of(&t->arg[0])));
  if (t->num_args > 1) SLUICE_SET(w->bytes, HASH_INSTR, B, code_of(&t->arg[1]));
  if (t->num_args > 2) SLUICE_SET(w->bytes, HASH_INSTR, C, code_of(&t->arg[2]));
  SLUICE_SETS(w->bytes, HASH_INSTR, (MODULUS, n->modulus),
              (RECIPROCAL, n->modulus ? UINT32_MAX / n->modulus : 0));
}

static void multiply_entry(struct emitter *e, const struct task *t) {
  const unsigned number = stage_number(e->c, t->stage);
  for (unsigned row = 0; row < e->rows[number]; row++) {
    struct sluice_write *w = emit_entry(e, SLUICE_TABLE_MULTIPLY, number);
    w->index = row;
    SLUICE_SETS(w->bytes, MULTIPLY, (A, code_of(&t->arg[0])), (B, code_of(&t->arg[1])));
  }
}

static uint32_t predicate_bits(const struct predicate *p) {
  uint32_t bits = 0;
  FIELD(bits, PREDICATE, X_STATE, p->state);
  FIELD(bits, PREDICATE, X_PACKET, p->packet);
  FIELD(bits, PREDICATE, REL, p->rel);
  FIELD(bits, PREDICATE, Y, p->y);
  return bits;
}

static uint32_t update_bits(const struct update *u) {
  uint32_t bits = 0;
  FIELD(bits, UPDATE, KEEP, u->keep);
  FIELD(bits, UPDATE, SUB, u->sub);
  FIELD(bits, UPDATE, A, u->a);
  FIELD(bits, UPDATE, B, u->b);
  return bits;
}

static void state_instruction(struct emitter *e, const struct task *t, unsigned row) {
  const struct mapping *m = t->codelet->map;
  struct sluice_write *w = emit_entry(e, SLUICE_TABLE_STATE_INSTR, stage_number(e->c, t->stage));
  uint8_t *bytes = w->bytes;
  w->index = row;
  SLUICE_SETS(bytes, STATE_INSTR, (VALID, 1), (P1, code_of(&t->arg[0])), (P2, code_of(&t->arg[1])));
  SLUICE_SETS(bytes, STATE_INSTR, (PRED_1, predicate_bits(&m->pred[0])),
              (PRED_2, predicate_bits(&m->pred[1])), (PRED_3, predicate_bits(&m->pred[2])),
              (PRED_4, predicate_bits(&m->pred[3])));
  SLUICE_SETS(bytes, STATE_INSTR, (A1, update_bits(&m->arm[0][0])),
              (A2, update_bits(&m->arm[0][1])));
  SLUICE_SETS(bytes, STATE_INSTR, (B1, update_bits(&m->arm[1][0])),
              (B2, update_bits(&m->arm[1][1])));
  SLUICE_SETS(bytes, STATE_INSTR, (C1, update_bits(&m->arm[2][0])),
              (C2, update_bits(&m->arm[2][1])));
  SLUICE_SETS(bytes, STATE_INSTR, (D1, update_bits(&m->arm[3][0])),
              (D2, update_bits(&m->arm[3][1])));
  SLUICE_SETS(bytes, STATE_INSTR, (K0, (uint32_t)m->konst[0]), (K1, (uint32_t)m->konst[1]),
              (K2, (uint32_t)m->konst[2]), (K3, (uint32_t)m->konst[3]));
  static const struct {
    unsigned msb, lsb;
  } konst[4] = {{SLUICE_STATE_INSTR_K0_MSB, SLUICE_STATE_INSTR_K0_LSB},
                {SLUICE_STATE_INSTR_K1_MSB, SLUICE_STATE_INSTR_K1_LSB},
                {SLUICE_STATE_INSTR_K2_MSB, SLUICE_STATE_INSTR_K2_LSB},
                {SLUICE_STATE_INSTR_K3_MSB, SLUICE_STATE_INSTR_K3_LSB}};
  for (unsigned i = 0; i < 4; i++)
    relocate(e->c, e->image, &m->relocated[i], SLUICE_TABLE_STATE_INSTR,
             stage_number(e->c, t->stage), row, konst[i].msb, konst[i].lsb);
}

static void row_instruction(struct emitter *e, const struct task *t, unsigned codelet,
                            unsigned row) {
  const unsigned stage = stage_number(e->c, t->stage);
  const struct row_operation *o =
      &t->codelet->instr[chosen(e, stage, row, &e->c->code->which[codelet])];
  struct sluice_write *w = emit_entry(e, SLUICE_TABLE_ARRAY_INSTR, stage);
  w->index = row;
  SLUICE_SETS(w->bytes, ARRAY_INSTR, (VALID, 1), (SELECT, o->select), (ON_TRUE, o->on_true),
              (ON_FALSE, o->on_false), (RESULT, o->result));
}

static void state_entries(struct emitter *e, unsigned codelet) {
  const struct compiler *c = e->c;
  const struct codelet *k = &c->codelets.list[codelet];
  const struct task *t = c->code->state[codelet];
  unsigned stage = stage_number(c, t->stage);
  const struct operand *guard = &c->code->guard[codelet], *index = &c->code->index[codelet];
  const unsigned room = k->pinned ? sluice_config_slots(c->config) : c->config->StateEntries;
  if (k->size > room)
    diag_error(&e->c->ir, k->at, "state-size",
               "'%s' has %u entries, %s of chip '%s' has room for %u", codelet_name(c, k), k->size,
               c->program->outer ? "an output lane"
               : k->pinned       ? "a pipeline"
                                 : "a stage",
               c->config->name, room);
  e->used[stage] = true;
  for (unsigned row = 0; (k->num_states || k->row) && row < e->rows[stage]; row++)
    state_instruction(e, t, row);
  for (unsigned row = 0; k->row && row < e->rows[stage]; row++) row_instruction(e, t, codelet, row);
  uint8_t *bytes = emit_entry(e, SLUICE_TABLE_SEGMENT, stage)->bytes;
  SLUICE_SET(bytes, SEGMENT, RANGE, k->size);
  bytes = emit_entry(e, SLUICE_TABLE_ACCESS, stage)->bytes;
  SLUICE_SETS(bytes, ACCESS, (ENABLE, 1), (PINNED, k->pinned));
  if (guard->task) {
    SLUICE_SETS(bytes, ACCESS, (INVERT, c->code->invert[codelet]), (PREDICATE, code_of(guard)));
  }
  SLUICE_SET(bytes, ACCESS, INDEX, code_of(index));
  struct sluice_array *array = sluice_image_add_array(e->image);
  if (!array) arena_give_up(c->arena, ARENA_NO_MEMORY);
  array->stage = stage;
  array->size = k->size;
  array->pinned = k->pinned;
  if (!k->num_states && !k->row)
    snprintf(array->name[0], sizeof array->name[0], "%s", codelet_name(c, k));
  if (k->row) {
    const struct sluice_program_state *s = &c->program->state[k->row - 1]->info;
    snprintf(array->row, sizeof array->row, "%s", s->name);
    array->words = s->words;
  }
  for (unsigned w = 0; w < k->num_states; w++) {
    const struct sluice_program_state *s = &c->program->state[k->state[w]]->info;
    snprintf(array->name[w], sizeof array->name[w], "%s", s->name);
    array->init[w] = s->init;
  }
}

// ---- lines of the source ------------------------------------------------------------------------

static void add_line(struct emitter *e, const struct task *t, enum sluice_line_unit unit,
                     int operand, const struct token *at) {
  if (!at || !at->line) return;
  struct sluice_line *line = sluice_image_add_line(e->image);
  if (!line) arena_give_up(e->c->arena, ARENA_NO_MEMORY);
  *line = (struct sluice_line){
      .unit = unit, .stage = stage_number(e->c, t->stage), .operand = operand, .line = at->line};
}

static const struct token *state_line(const struct compiler *c, const struct codelet *k) {
  const struct token *at = k->num_states ? c->graph->access[k->state[0]].first_at : NULL;
  return at ? at : k->at;
}

static void lines(struct emitter *e) {
  const struct code *code = e->c->code;
  for (unsigned i = 0; i < code->num; i++) {
    const struct task *t = code->list[i];
    const struct token *at = t->node ? t->node->at : NULL;
    if (!t->live) continue;
    if (t->kind == TASK_ALU || t->kind == TASK_RESULT)
      add_line(e, t, SLUICE_LINE_OPERATION, (int)(t->type << 3 | t->container), at);
    if (t->kind == TASK_STATE) add_line(e, t, SLUICE_LINE_STATE, -1, state_line(e->c, t->codelet));
    if (t->kind == TASK_HASH) add_line(e, t, SLUICE_LINE_HASH, -1, at);
    if (t->kind == TASK_MULTIPLY) add_line(e, t, SLUICE_LINE_MULTIPLY, -1, at);
    if (t->kind == TASK_TABLE)
      add_line(e, t, SLUICE_LINE_TABLE, -1, e->c->program->table[t->table]->apply_at);
  }
  if (code->port) add_line(e, code->port, SLUICE_LINE_PORT, -1, e->c->graph->port_at);
  if (code->discard) add_line(e, code->discard, SLUICE_LINE_DISCARD, -1, e->c->graph->discard_at);
}

// ---- all ----------------------------------------------------------------------------------------

static void count(const struct compiler *c, struct sluice_usage *u) {
  bool seen[4][8] = {{false}};
  for (unsigned i = 0; i < c->code->num; i++) {
    const struct task *t = c->code->list[i];
    if (!t->live) continue;
    if (task_is_value(t) && !seen[t->type][t->container]) {
      seen[t->type][t->container] = true;
      u->containers[t->type]++;
    }
    u->hash_units += t->kind == TASK_HASH;
    if (t->kind == TASK_MULTIPLY) u->multiplier_stages |= 1u << stage_number(c, t->stage);
    u->operations += t->kind == TASK_ALU || t->kind == TASK_RESULT || t->kind == TASK_PORT ||
                     t->kind == TASK_DISCARD;
    if (t->kind == TASK_FOUND) continue;
    unsigned stage = (unsigned)t->stage, front = (unsigned)c->code->front;
    if (stage <= front && stage > u->front_stages) u->front_stages = stage;
    if (stage > front && stage - front > u->back_stages) u->back_stages = stage - front;
  }
  u->state_stages = c->codelets.num;
  for (unsigned i = 0; i < c->codelets.num; i++) u->atom[i] = c->codelets.list[i].atom;
  for (unsigned i = 0; i < c->codelets.num; i++) u->pinned += c->codelets.list[i].pinned;
}

static void place_tables(struct emitter *e) {
  const struct compiler *c = e->c;
  for (unsigned stage = 0; stage < MAX_STAGE_NUMBER; stage++) {
    e->rows[stage] = 1;
    e->table[stage] = -1;
  }
  for (unsigned i = 0; i < c->program->num_tables; i++) {
    const struct task *t = c->code->table[i];
    if (!t || !t->live) continue;
    const unsigned stage = stage_number(c, t->stage);
    e->table[stage] = (int)i;
    e->rows[stage] = table_rows(c->program->table[i]);
    e->used[stage] = true;
  }
}

static void add_choice(struct emitter *e, int at, const struct operand *key, unsigned num,
                       const struct token *where) {
  const unsigned stage = stage_number(e->c, at);
  unsigned i = 0;
  if (!key->task) return;
  if (e->table[stage] >= 0)
    diag_fatal(&e->c->ir, where, "row-table",
               "a condition chooses what is done here, in the stage of table '%s', which chooses",
               e->c->program->table[e->table[stage]]->name);
  // One number may choose twice.
  while (e->choice[stage][i].key && e->choice[stage][i].key->task != key->task) i++;
  if (!e->choice[stage][i].key) e->choice[stage][i] = (struct choice){key, 1};
  if (num > e->choice[stage][i].num) {
    e->rows[stage] = e->rows[stage] / e->choice[stage][i].num * num;
    e->choice[stage][i].num = num;
  }
  if (e->rows[stage] > MAX_CHOICE_ROWS || e->rows[stage] > e->c->config->MatchEntries)
    diag_fatal(&e->c->ir, where, "action-rows",
               "needs %u action rows in one stage, chip '%s' has %u", e->rows[stage],
               e->c->config->name,
               e->c->config->MatchEntries < MAX_CHOICE_ROWS ? e->c->config->MatchEntries
                                                            : MAX_CHOICE_ROWS);
  if (e->rows[stage] > e->image->match_rows) e->image->match_rows = e->rows[stage];
}

static void place_choices(struct emitter *e) {
  const struct compiler *c = e->c;
  for (unsigned i = 0; i < c->codelets.num; i++)
    if (c->codelets.list[i].row)
      add_choice(e, c->code->state[i]->stage, &c->code->which[i], c->codelets.list[i].num_instr,
                 c->program->state[c->codelets.list[i].row - 1]->at);
  if (c->graph->ports)
    add_choice(e, c->code->port->stage, &c->code->set_key, c->num_sets + 1, c->graph->ports_at);
}

static void action_entry(struct emitter *e, unsigned stage, unsigned row) {
  struct sluice_write *w = emit_entry(e, SLUICE_TABLE_ACTION, stage);
  w->index = row;
  memcpy(w->bytes, e->action[stage][row], SLUICE_ENTRY_BYTES);
}

// A number that a stage looks up: the container, in the first part of the key of its size, or in
// the second.
static void stage_key(struct emitter *e, unsigned stage, uint8_t *extract, uint8_t *mask,
                      unsigned lsb[MAX_STAGE_CHOICES]) {
  static const struct {
    unsigned type, lsb, pick_msb, pick_lsb;
  } parts[] = {{SLUICE_TYPE_B2, SLUICE_KEY_B2_FIRST_LSB, SLUICE_KEY_EXTRACT_B2_FIRST_MSB,
                SLUICE_KEY_EXTRACT_B2_FIRST_LSB},
               {SLUICE_TYPE_B2, SLUICE_KEY_B2_SECOND_LSB, SLUICE_KEY_EXTRACT_B2_SECOND_MSB,
                SLUICE_KEY_EXTRACT_B2_SECOND_LSB},
               {SLUICE_TYPE_B4, SLUICE_KEY_B4_FIRST_LSB, SLUICE_KEY_EXTRACT_B4_FIRST_MSB,
                SLUICE_KEY_EXTRACT_B4_FIRST_LSB},
               {SLUICE_TYPE_B4, SLUICE_KEY_B4_SECOND_LSB, SLUICE_KEY_EXTRACT_B4_SECOND_MSB,
                SLUICE_KEY_EXTRACT_B4_SECOND_LSB},
               {SLUICE_TYPE_B6, SLUICE_KEY_B6_FIRST_LSB, SLUICE_KEY_EXTRACT_B6_FIRST_MSB,
                SLUICE_KEY_EXTRACT_B6_FIRST_LSB},
               {SLUICE_TYPE_B6, SLUICE_KEY_B6_SECOND_LSB, SLUICE_KEY_EXTRACT_B6_SECOND_MSB,
                SLUICE_KEY_EXTRACT_B6_SECOND_LSB}};
  const struct task *taken[6] = {NULL};
  for (unsigned i = 0; i < MAX_STAGE_CHOICES && e->choice[stage][i].key; i++) {
    const struct task *t = e->choice[stage][i].key->task;
    unsigned p = 0;
    while (parts[p].type != t->type || (taken[p] && taken[p] != t)) p++;
    taken[p] = t;
    sluice_entry_set(extract, SLUICE_KEY_EXTRACT_BITS, parts[p].pick_msb, parts[p].pick_lsb,
                     t->container);
    lsb[i] = parts[p].lsb;
    for (unsigned bit = 0; bit < CHOICE_BITS; bit++)
      sluice_entry_set(mask, SLUICE_KEY_BITS, lsb[i] + bit, lsb[i] + bit, 0);
  }
}

// Row 1 is for packets for which the comparison holds.
static void place_compares(struct emitter *e) {
  for (unsigned i = 0; i < e->c->code->num; i++) {
    const struct task *t = e->c->code->list[i];
    if (!t->live || t->kind != TASK_COMPARE) continue;
    const unsigned stage = stage_number(e->c, t->stage);
    if (e->rows[stage] != (e->compare[stage] ? WIDE_ROWS : 1)) SLUICE_BUG("two that choose a row");
    e->compare[stage] = t;
    e->rows[stage] = WIDE_ROWS;
    e->used[stage] = true;
    if (e->image->match_rows < WIDE_ROWS) e->image->match_rows = WIDE_ROWS;
    if (e->c->config->MatchEntries < WIDE_ROWS)
      diag_fatal(&e->c->ir, t->node->at, "action-rows",
                 "needs %u action rows in one stage, chip '%s' has %u", WIDE_ROWS,
                 e->c->config->name, e->c->config->MatchEntries);
  }
}

static void compare_entry(struct emitter *e, const struct task *t) {
  uint8_t *bytes = emit_entry(e, SLUICE_TABLE_KEY_COMPARE, stage_number(e->c, t->stage))->bytes;
  SLUICE_SETS(bytes, KEY_COMPARE, (OP, t->op), (A, code_of(&t->arg[0])), (IMMEDIATE, t->func));
  if (t->func) SLUICE_SET(bytes, KEY_COMPARE, K, (uint32_t)t->imm);
  else SLUICE_SET(bytes, KEY_COMPARE, B, code_of(&t->arg[1]));
}

// What every packet does: the module's default action or, in a chip without rows for that, one
// match row that every packet hits. Where numbers choose, a match row for each.
static void plain_stage(struct emitter *e, unsigned stage) {
  unsigned lsb[MAX_STAGE_CHOICES] = {0};
  if (e->rows[stage] == 1 && e->c->config->DefaultActions) {
    action_entry(e, stage, 0);
    SLUICE_SET(emit_entry(e, SLUICE_TABLE_DEFAULT_ACTION, stage)->bytes, DEFAULT_ACTION, VALID, 1);
    return;
  }
  if (e->compare[stage]) compare_entry(e, e->compare[stage]);
  emit_entry(e, SLUICE_TABLE_KEY_EXTRACT, stage);
  uint8_t *mask = emit_entry(e, SLUICE_TABLE_KEY_MASK, stage)->bytes;
  memset(mask, 0xff, (SLUICE_KEY_BITS + 7) / 8);
  // One bit more than whole bytes: entries are left-justified, what is behind them is zero.
  mask[SLUICE_KEY_BITS / 8] = (uint8_t)(0xff00u >> SLUICE_KEY_BITS % 8);
  stage_key(e, stage, e->image->writes[e->image->num_writes - 2].bytes, mask, lsb);
  for (unsigned row = 0; row < e->rows[stage]; row++) {
    action_entry(e, stage, row);
    struct sluice_write *w = emit_entry(e, SLUICE_TABLE_MATCH, stage);
    w->index = row;
    if (e->compare[stage]) SLUICE_SET(w->bytes, MATCH, WIDE, row);
    for (unsigned i = 0, left = row; i < MAX_STAGE_CHOICES && e->choice[stage][i].key; i++) {
      sluice_entry_set(w->bytes, sluice_tables[SLUICE_TABLE_MATCH].bits, lsb[i] + CHOICE_BITS - 1,
                       lsb[i], left % e->choice[stage][i].num);
      left /= e->choice[stage][i].num;
    }
  }
}

// Action rows that entries of the table name, and the last one by default.
static void table_stage(struct emitter *e, unsigned stage) {
  for (unsigned row = 0; row < e->rows[stage]; row++) action_entry(e, stage, row);
}

void emit(struct compiler *c, struct sluice_image *image) {
  struct emitter *e = NEW(c->arena, struct emitter);
  e->c = c;
  e->image = image;
  snprintf(image->config, sizeof image->config, "%s", c->config->name);
  snprintf(image->program, sizeof image->program, "%s", c->program->name);
  memcpy(image->system, c->program->system_name, sizeof image->system);
  image->layout_hash = sluice_layout_hash();
  image->match_rows = 1;
  emit_parser(e);
  place_tables(e);
  place_choices(e);
  place_compares(e);
  for (unsigned i = 0; i < c->code->num; i++) {
    const struct task *t = c->code->list[i];
    if (!t->live) continue;
    if (t->kind == TASK_ALU || t->kind == TASK_RESULT) put_task(e, t);
    if (t->kind == TASK_HASH) hash_entry(e, t);
    if (t->kind == TASK_MULTIPLY) multiply_entry(e, t);
  }
  for (unsigned i = 0; i < c->codelets.num; i++) state_entries(e, i);
  metadata(e);
  for (unsigned stage = 0; stage < c->config->BackStages + c->config->FrontStages; stage++) {
    if (!e->used[stage]) continue;
    if (e->table[stage] >= 0) table_stage(e, stage);
    else plain_stage(e, stage);
  }
  for (unsigned i = 0; i < c->program->num_tables; i++) table_emit(c, image, i);
  emit_packet(e);
  if (c->num_errors == 0) emit_malleables(c, image);
  if (c->num_errors == 0) emit_reactions(&c->ir, image);
  lines(e);
  if (c->options->usage) count(c, c->options->usage);
}
