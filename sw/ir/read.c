// SPDX-License-Identifier: Apache-2.0
// The IR's text (docs/compiler.md) to a program. One pass over the characters, a line at a time, no
// recursion. Whatever is wrong is told at the character where it is seen, and ends the reading;
// what is true of values as a whole (which are truth values, what an index depends on) is checked
// on the graph that the lines make (check.c).
#include <ctype.h>
#include <string.h>

#include "reader.h"

enum { LEAST_ROOM = 64 };

// ---- lists that grow ----------------------------------------------------------------------------

static void *grown(struct reader *r, void *list, unsigned num, unsigned *room, size_t size) {
  if (num < *room) return list;
  *room = *room ? 2 * *room : LEAST_ROOM;
  void *made = arena_alloc(r->c->arena, *room * size);
  if (num) memcpy(made, list, num * size);
  return made;
}
#define PUSH(R, LIST, ...)                                                                     \
  ((R)->ir->LIST =                                                                             \
       grown(R, (R)->ir->LIST, (R)->ir->NUM_##LIST, &(R)->ROOM_##LIST, sizeof *(R)->ir->LIST), \
   (R)->ir->LIST[(R)->ir->NUM_##LIST++] = __VA_ARGS__)
#define NUM_value num_values
#define NUM_source num_sources
#define NUM_access num_accesses
#define NUM_output num_outputs
#define ROOM_value room_values
#define ROOM_source room_sources
#define ROOM_access room_accesses
#define ROOM_output room_outputs

// ---- what is declared ---------------------------------------------------------------------------

char *ir_declared_name(struct reader *r, const struct token *t) {
  if (t->len >= SLUICE_NAME_LEN)
    diag_fatal(r->c, t, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
  return arena_text(r->c->arena, t->text, t->len);
}

const struct token *ir_keep(struct reader *r, const struct token *t) {
  struct token *kept = NEW(r->c->arena, struct token);
  *kept = *t;
  return kept;
}

// bytes := "bytes" "(" offset "," width ")"; behind the word.
static void bytes(struct reader *r, bool byte, unsigned *offset, unsigned *width) {
  ir_expect(r, "(");
  const struct token o = ir_number_within(r, "an offset", 0, HEADER_LEN - 1);
  ir_expect(r, ",");
  const struct token w = ir_number_within(r, "a width", 1, 6);
  ir_expect(r, ")");
  *offset = (unsigned)o.value;
  *width = (unsigned)w.value;
  if (*width != 2 && *width != 4 && *width != 6 && !(byte && *width == 1))
    diag_fatal(r->c, &w, "field-width", "a width is %s2, 4 or 6, not %u", byte ? "1, " : "",
               *width);
  if (*offset + *width > HEADER_LEN)
    diag_fatal(r->c, &o, "field-offset",
               "bytes %u..%u are not among the first %d, which the parser reaches", *offset,
               *offset + *width - 1, HEADER_LEN);
}

// meta := "meta" "." name; behind the word.
static struct sluice_program_field meta(struct reader *r) {
  struct sluice_program_field f = {.name = NULL};
  ir_expect(r, ".");
  const struct token t = ir_name(r, "the name of a metadatum");
  if (!home_find(r->p, &f, "meta", arena_text(r->c->arena, t.text, t.len)))
    diag_fatal(r->c, &t, "unknown-home",
               "there is no 'meta." TOKEN "'; see docs/compiler.md for the list", TOKEN_ARGS(&t));
  return f;
}

static void read_option(struct reader *r) {
  if (r->p->outer)
    diag_fatal(r->c, &r->now, "egress-option", "options stand before the egress function");
  struct sluice_program *p = r->p;
  const struct token at = r->now;
  if (ir_accept(r, "checksum")) {
    p->checksum = true;
    p->only_ip_sum = ir_accept(r, "ip");
    p->checksum_at = ir_keep(r, &at);
    return;
  }
  ir_expect(r, "require");
  if (ir_accept(r, "ip")) p->need_ip = true;
  else if (ir_accept(r, "udp")) p->need_udp = true;
  else ir_unexpected(r, "'ip' or 'udp'");
}

// words := number "]"; behind the bracket.
static unsigned row_words(struct reader *r) {
  const unsigned words = (unsigned)ir_number_within(r, "a number of words", 1, 16).value;
  ir_expect(r, "]");
  return words;
}

// array := "array" "(" offset ")"; behind the word.
static void read_array(struct reader *r, struct field *f) {
  ir_expect(r, "(");
  const struct token t = ir_number_within(r, "an offset", 0, HEADER_LEN - 1);
  ir_expect(r, ")");
  if (!f->info.words) diag_fatal(r->c, &t, "array-home", "an array has a number of words: '[8]'");
  if (t.value & 1) diag_fatal(r->c, &t, "array-odd", "an array begins at an even byte");
  if ((unsigned)t.value + 4 * f->info.words > HEADER_LEN)
    diag_fatal(r->c, &t, "field-offset", "bytes %d..%u are not among the first %d", t.value,
               (unsigned)t.value + 4 * f->info.words - 1, HEADER_LEN);
  for (size_t i = 0; i < r->p->num_fields; i++)
    if (r->p->field[i]->info.home == SLUICE_HOME_ARRAY)
      diag_fatal(r->c, &t, "two-arrays", "a packet has one array");
  f->info.home = SLUICE_HOME_ARRAY;
  f->info.offset = (unsigned)t.value;
}

static void read_field(struct reader *r) {
  struct sluice_program *p = r->p;
  const struct token t = ir_name(r, "the name of a field");
  if (p->num_fields == MAX_FIELDS)
    diag_fatal(r->c, &t, "too-many-fields", "more than %d fields", MAX_FIELDS);
  struct field *f = NEW(r->c->arena, struct field);
  f->at = ir_keep(r, &t);
  if (ir_accept(r, "[")) f->info.words = row_words(r);
  const unsigned words = f->info.words;
  if (ir_accept(r, "@")) {
    f->tie_at = ir_keep(r, &r->now);
    if (ir_accept(r, "meta")) f->info = meta(r);
    else if (ir_accept(r, "bytes")) {
      f->info.home = SLUICE_HOME_BYTES;
      bytes(r, true, &f->info.offset, &f->info.width);
    } else if (ir_accept(r, "array")) {
      read_array(r, f);
    } else ir_unexpected(r, "'bytes', 'meta' or 'array'");
    if (words && f->info.home != SLUICE_HOME_ARRAY)
      diag_fatal(r->c, f->tie_at, "array-home", "the home of an array is 'array(offset)'");
    f->info.words = words;
  }
  f->info.name = ir_declared_name(r, &t);
  for (size_t i = 0; i < p->num_fields; i++)
    if (strcmp(p->field[i]->info.name, f->info.name) == 0)
      diag_fatal(r->c, f->at, "twice", "a second field '%s'", f->info.name);
  p->field[p->num_fields++] = f;
}

static void read_state(struct reader *r) {
  struct sluice_program *p = r->p;
  const struct token t = ir_name(r, "the name of a state");
  if (p->num_states == MAX_STATES)
    diag_fatal(r->c, &t, "too-many-states", "more than %d states", MAX_STATES);
  struct state *s = NEW(r->c->arena, struct state);
  s->at = ir_keep(r, &t);
  s->info.name = ir_declared_name(r, &t);
  s->info.size = 1;
  s->info.scalar = true;
  s->place = ANYWHERE;
  if (ir_accept(r, "[")) {
    s->info.scalar = false;
    s->info.size = (unsigned)ir_number_within(r, "a number of entries", 1, MAX_ENTRIES).value;
    ir_expect(r, "]");
    if (ir_accept(r, "[")) s->info.words = row_words(r);
  }
  ir_expect(r, "=");
  s->info.init = ir_constant(r);
  if (s->info.words && s->info.init) diag_fatal(r->c, s->at, "row-init", "rows start with 0");
  if (ir_accept(r, "@")) {
    s->stage_at = ir_keep(r, &r->now);
    ir_expect(r, "stage");
    ir_expect(r, "(");
    s->place = ir_number_within(r, "a back stage", 0, MAX_BACK_STAGES - 1).value;
    ir_expect(r, ")");
  }
  for (size_t i = 0; i < p->num_states; i++)
    if (strcmp(p->state[i]->info.name, s->info.name) == 0)
      diag_fatal(r->c, s->at, "twice", "a second state '%s'", s->info.name);
  for (size_t i = 0; p->outer && i < p->outer->num_states; i++)
    if (strcmp(p->outer->state[i]->info.name, s->info.name) == 0)
      diag_fatal(r->c, s->at, "twice", "a second state '%s'", s->info.name);
  p->state[p->num_states++] = s;
}

// The field of the program with this name, or of the token's.
static unsigned field_named(struct reader *r, const struct token *t) {
  for (size_t i = 0; i < r->p->num_fields; i++)
    if (strlen(r->p->field[i]->info.name) == t->len &&
        memcmp(r->p->field[i]->info.name, t->text, t->len) == 0)
      return (unsigned)i;
  diag_fatal(r->c, t, "unknown-field", "there is no field '" TOKEN "'", TOKEN_ARGS(t));
}

// choices := "among" name ("," name)*; the malleable is a field of its own then, behind the others.
static void read_choices(struct reader *r, struct malleable *m) {
  struct sluice_program *p = r->p;
  do {
    const struct token t = ir_name(r, "the name of a field");
    if (m->num == SLUICE_MAX_CHOICES)
      diag_fatal(r->c, &t, "too-many-choices", "more than %d choices", SLUICE_MAX_CHOICES);
    m->choice_at[m->num] = ir_keep(r, &t);
    m->choice[m->num] = field_named(r, &t);
    const struct sluice_program_field *f = &p->field[m->choice[m->num]]->info,
                                      *first = &p->field[m->choice[0]]->info;
    if (f->param || (f->home != SLUICE_HOME_BYTES && f->home != SLUICE_HOME_METADATA) ||
        f->width == 1 || f->width != first->width)
      diag_fatal(r->c, &t, "choice", "choices are 2, 4 or 6 bytes or metadata, all of one width");
    m->num++;
  } while (ir_accept(r, ","));
  m->low = 0;
  m->high = (int32_t)m->num - 1;
  for (size_t i = 0; i < p->num_fields; i++)
    if (strcmp(p->field[i]->info.name, m->name) == 0)
      diag_fatal(r->c, m->at, "twice", "a second '%s'", m->name);
  if (p->num_fields == MAX_FIELDS)
    diag_fatal(r->c, m->at, "too-many-fields", "more than %d fields", MAX_FIELDS);
  struct field *f = NEW(r->c->arena, struct field);
  if (m->init < 0 || m->init > m->high)
    diag_fatal(r->c, m->at, "range", "'%s' is choice %d of %u", m->name, m->init, m->num);
  f->info = p->field[m->choice[m->init]]->info;
  f->info.name = m->name;
  f->info.param = (unsigned)p->num_malleables + 1;
  f->at = f->tie_at = m->at;
  m->field = (unsigned)p->num_fields;
  p->field[p->num_fields++] = f;
}

// param := "param" name "=" constant ["in" constant ".." constant | choices]
static void read_param(struct reader *r) {
  struct sluice_program *p = r->p;
  struct malleable *m = NEW(r->c->arena, struct malleable);
  const struct token t = ir_name(r, "the name of a malleable");
  if (p->num_malleables == MAX_MALLEABLES)
    diag_fatal(r->c, &t, "too-many-malleables", "more than %d malleables", MAX_MALLEABLES);
  m->at = ir_keep(r, &t);
  m->name = ir_declared_name(r, &t);
  for (size_t i = 0; i < p->num_malleables; i++)
    if (strcmp(p->malleable[i]->name, m->name) == 0)
      diag_fatal(r->c, &t, "twice", "a second '%s'", m->name);
  ir_expect(r, "=");
  m->init = ir_constant(r);
  m->low = INT32_MIN;
  m->high = INT32_MAX;
  m->is_field = ir_accept(r, "among");
  m->ranged = m->is_field || ir_accept(r, "in");
  if (m->is_field) read_choices(r, m);
  else if (m->ranged) {
    m->low = ir_constant(r);
    ir_expect(r, ".");
    ir_expect(r, ".");
    m->high = ir_constant(r);
    if (m->init < m->low || m->init > m->high)
      diag_fatal(r->c, m->at, "range", "'%s' starts with %d, which is not from %d to %d", m->name,
                 m->init, m->low, m->high);
  }
  p->malleable[p->num_malleables++] = m;
}

// The malleable that is named here.
static unsigned param(struct reader *r) {
  const struct token t = ir_name(r, "the name of a malleable");
  for (size_t i = 0; i < r->p->num_malleables; i++)
    if (strlen(r->p->malleable[i]->name) == t.len &&
        memcmp(r->p->malleable[i]->name, t.text, t.len) == 0)
      return (unsigned)i;
  diag_fatal(r->c, &t, "unknown-name", "there is no malleable '" TOKEN "'", TOKEN_ARGS(&t));
}

static unsigned state(struct reader *r) {
  const struct token t = ir_name(r, "the name of a state");
  for (size_t i = 0; i < r->p->num_states; i++)
    if (strlen(r->p->state[i]->info.name) == t.len &&
        memcmp(r->p->state[i]->info.name, t.text, t.len) == 0)
      return (unsigned)i;
  diag_fatal(r->c, &t, "unknown-name", "there is no state '" TOKEN "'", TOKEN_ARGS(&t));
}

// ---- values -------------------------------------------------------------------------------------

// Whether the token is `vN` without leading zeroes, and N.
static bool value_name(const struct token *t, unsigned *n) {
  if (t->kind != TOKEN_NAME || t->len < 2 || t->len > 7 || t->text[0] != 'v' ||
      (t->text[1] == '0' && t->len > 2))
    return false;
  *n = 0;
  for (unsigned i = 1; i < t->len; i++) {
    if (!isdigit((unsigned char)t->text[i])) return false;
    *n = *n * 10 + (unsigned)(t->text[i] - '0');
  }
  return true;
}

// A value that a line before this one makes.
unsigned ir_operand(struct reader *r) {
  unsigned n;
  if (!value_name(&r->now, &n)) ir_unexpected(r, "a value, v and its number,");
  if (n >= r->ir->num_values)
    diag_fatal(r->c, &r->now, "unknown-value", "no line before makes 'v%u'", n);
  ir_next(r);
  return n;
}

static unsigned source(struct reader *r, struct source s) {
  for (unsigned i = 0; i < r->ir->num_sources; i++) {
    const struct source *x = &r->ir->source[i];
    if (x->metadata == s.metadata && x->offset == s.offset && x->width == s.width &&
        x->param == s.param)
      return i;
  }
  PUSH(r, source, s);
  return r->ir->num_sources - 1;
}

static void read_meta(struct reader *r, struct ir_value *v) {
  const struct token t = r->now;
  const struct sluice_program_field f = meta(r);
  if (f.home != SLUICE_HOME_METADATA)
    diag_fatal(r->c, &t, "write-only",
               f.home == SLUICE_HOME_ELSEWHERE ? "only the other function can read this"
                                               : "this can be written, not read");
  v->op = OP_INPUT;
  v->index = source(r, (struct source){true, f.offset, f.width, 0});
}

// A malleable field is read by the parser.
static void read_malleable(struct reader *r, struct ir_value *v) {
  const unsigned n = param(r);
  const struct malleable *m = r->p->malleable[n];
  v->op = m->is_field ? OP_INPUT : OP_PARAM;
  v->index = n;
  if (!m->is_field) return;
  const struct sluice_program_field *f = &r->p->field[m->field]->info;
  v->index =
      source(r, (struct source){f->home == SLUICE_HOME_METADATA, f->offset, f->width, n + 1});
}

static void read_hash(struct reader *r, struct ir_value *v, unsigned algorithm) {
  const unsigned most = algorithm == SLUICE_HASH_IDENTITY ? 1 : 3;
  if (r->p->outer) diag_fatal(r->c, &r->now, "egress-hash", "egress stages have no hash units");
  v->op = OP_HASH;
  v->index = algorithm;
  ir_expect(r, "(");
  do {
    if (v->num_args == most)
      diag_fatal(r->c, &r->now, "arguments", "'%s' takes at most %u value%s",
                 ir_hash_names[algorithm], most, most == 1 ? "" : "s");
    v->arg[v->num_args++] = ir_operand(r);
  } while (ir_accept(r, ","));
  ir_expect(r, ")");
  if (algorithm == SLUICE_HASH_IDENTITY && !ir_at(r, "mod")) ir_unexpected(r, "'mod'");
  if (ir_accept(r, "mod"))
    v->modulus = (uint32_t)ir_number_within(r, "a modulus", 1, 0x80000000u).value;
}

// In two lines `old NAME` would be two reads of one access.
static void read_old(struct reader *r, struct ir_value *v) {
  const struct token t = r->now;
  v->op = OP_OLD;
  v->index = state(r);
  int *old = &r->ir->old[v->index];
  if (*old != IR_NONE)
    diag_fatal(r->c, &t, "twice", "the old value of '" TOKEN "' is v%d already", TOKEN_ARGS(&t),
               *old);
  *old = (int)r->ir->num_values;
}

// Between operands: `v1 + v2`, `v1 ? v2 : v3`.
static void read_operation(struct reader *r, struct ir_value *v) {
  v->arg[v->num_args++] = ir_operand(r);
  if (ir_accept(r, "?")) {
    v->op = OP_SELECT;
    v->arg[v->num_args++] = ir_operand(r);
    ir_expect(r, ":");
    v->arg[v->num_args++] = ir_operand(r);
    return;
  }
  for (enum op op = OP_ADD; op <= OP_LOR; op++) {
    if (!ir_accept(r, op_text(op))) continue;
    v->op = op;
    v->arg[v->num_args++] = ir_operand(r);
    return;
  }
  ir_unexpected(r, "an operator");
}

// max(v1, v2), behind the word.
static void read_of_rows(struct reader *r, struct ir_value *v, enum op op) {
  v->op = op;
  ir_expect(r, "(");
  v->arg[v->num_args++] = ir_operand(r);
  ir_expect(r, ",");
  v->arg[v->num_args++] = ir_operand(r);
  ir_expect(r, ")");
}

static void read_value(struct reader *r, const struct token *at, unsigned n) {
  struct ir_value v = {.op = OP_CONST, .at = *at};
  unsigned unused;
  if (n != r->ir->num_values)
    diag_fatal(r->c, at, "value-number", "the next value is 'v%u', not 'v%u'", r->ir->num_values,
               n);
  if (n == IR_MAX_VALUES) diag_fatal(r->c, at, "too-long", "more than %d values", IR_MAX_VALUES);
  ir_expect(r, "=");
  if (value_name(&r->now, &unused)) read_operation(r, &v);
  else if (r->now.kind == TOKEN_NUMBER || ir_at(r, "-")) v.value = ir_constant(r);
  else if (ir_accept(r, "~")) {
    v.op = OP_NOT;
    v.arg[v.num_args++] = ir_operand(r);
  } else if (!r->p->outer && ir_accept(r, "words")) v.op = OP_WORDS;
  else if (r->p->word_table && ir_accept(r, "found")) v.op = OP_FOUND;
  else if (ir_accept(r, "max")) read_of_rows(r, &v, OP_MAX);
  else if (ir_accept(r, "min")) read_of_rows(r, &v, OP_MIN);
  else if (ir_accept(r, "add_sat")) read_of_rows(r, &v, OP_ADDS);
  else if (ir_accept(r, "lookup")) ir_read_lookup(r, &v);
  else if (ir_accept(r, "old")) read_old(r, &v);
  else if (ir_accept(r, "param")) read_malleable(r, &v);
  else if (ir_accept(r, "meta")) read_meta(r, &v);
  else if (ir_accept(r, "bytes")) {
    struct source s = {.metadata = false};
    bytes(r, false, &s.offset, &s.width);
    v.op = OP_INPUT;
    v.index = source(r, s);
  } else {
    unsigned i = 0;
    while (ir_hash_names[i] && !ir_at(r, ir_hash_names[i])) i++;
    if (ir_at(r, "result"))
      diag_fatal(r->c, &r->now, "result",
                 "a result of a state unit stands only in what is printed behind the mapping");
    if (!ir_hash_names[i])
      ir_unexpected(r, "a value, a number, 'bytes', 'meta', 'lookup', 'old' or a hash");
    ir_next(r);
    read_hash(r, &v, i);
  }
  PUSH(r, value, v);
}

// ---- what comes of them -------------------------------------------------------------------------

static void read_access(struct reader *r) {
  struct ir_access a = {.index = IR_NONE, .guard = IR_NONE, .at = r->now};
  if (r->ir->num_accesses == IR_MAX_ACCESSES)
    diag_fatal(r->c, &a.at, "too-long", "more than %d accesses", IR_MAX_ACCESSES);
  a.state = state(r);
  const struct sluice_program_state *s = &r->p->state[a.state]->info;
  if (s->scalar && ir_at(r, "["))
    diag_fatal(r->c, &a.at, "not-array", "'%s' is not an array", s->name);
  if (!s->scalar) {
    ir_expect(r, "[");
    a.index = (int)ir_operand(r);
    ir_expect(r, "]");
  }
  if (ir_accept(r, "if")) a.guard = (int)ir_operand(r);
  PUSH(r, access, a);
}

static void read_new(struct reader *r) {
  const struct token t = r->now;
  int *new_value = &r->ir->new_value[state(r)];
  if (*new_value != IR_NONE)
    diag_fatal(r->c, &t, "twice", "'" TOKEN "' has a new value already, v%d", TOKEN_ARGS(&t),
               *new_value);
  ir_expect(r, "=");
  *new_value = (int)ir_operand(r);
}

static void set_once(struct reader *r, const struct token *t, int *target) {
  if (*target != IR_NONE)
    diag_fatal(r->c, t, "twice", "'" TOKEN "' is v%d already", TOKEN_ARGS(t), *target);
  ir_expect(r, "=");
  *target = (int)ir_operand(r);
}

static void read_order(struct reader *r, const struct token *t) {
  struct flow_order *f = &r->p->flow_order;
  f->at = ir_keep(r, t);
  ir_expect(r, "(");
  f->entries = (unsigned)ir_number_within(r, "a number of entries", 1, MAX_ENTRIES).value;
  ir_expect(r, ")");
  set_once(r, t, &r->ir->flow);
}

static void read_output_param(struct reader *r, const struct token *t, struct ir_output *o) {
  const unsigned n = param(r);
  const struct malleable *m = r->p->malleable[n];
  for (unsigned i = 0; i < m->num; i++)
    if (r->p->field[m->choice[i]]->info.home != SLUICE_HOME_BYTES)
      diag_fatal(r->c, t, "read-only", "'%s' may be metadata, which cannot be changed", m->name);
  if (!m->is_field)
    diag_fatal(r->c, t, "read-only", "'%s' is a value, which cannot be changed", m->name);
  o->offset = r->p->field[m->field]->info.offset;
  o->width = r->p->field[m->field]->info.width;
  o->param = n + 1;
}

static void read_output(struct reader *r) {
  const struct token t = r->now;
  if (r->p->outer && !ir_at(r, "bytes") && !ir_at(r, "discard"))
    ir_unexpected(r, "'bytes' or 'discard', which an egress function can change,");
  if (ir_accept(r, "port")) {
    r->ir->port_at = t;
    set_once(r, &t, &r->ir->port);
  } else if (ir_accept(r, "discard")) {
    r->ir->discard_at = t;
    set_once(r, &t, &r->ir->discard);
  } else if (ir_accept(r, "words")) {
    r->ir->words_at = t;
    set_once(r, &t, &r->ir->words);
  } else if (ir_accept(r, "ports")) {
    r->ir->ports_at = t;
    set_once(r, &t, &r->ir->ports);
  } else if (ir_accept(r, "order")) {
    read_order(r, &t);
  } else {
    struct ir_output o = {.value = IR_NONE};
    if (ir_accept(r, "param")) read_output_param(r, &t, &o);
    else if (ir_accept(r, "bytes")) bytes(r, false, &o.offset, &o.width);
    else ir_unexpected(r, "'bytes', 'param', 'port', 'ports', 'discard', 'words' or 'order'");
    for (unsigned i = 0; i < r->ir->num_outputs; i++)
      if (r->ir->output[i].offset == o.offset && r->ir->output[i].width == o.width &&
          r->ir->output[i].param == o.param)
        diag_fatal(r->c, &t, "twice", "bytes(%u, %u) are v%d already", o.offset, o.width,
                   r->ir->output[i].value);
    if (r->ir->num_outputs == MAX_FIELDS)
      diag_fatal(r->c, &t, "too-many-fields", "more than %d outputs", MAX_FIELDS);
    ir_expect(r, "=");
    o.value = (int)ir_operand(r);
    PUSH(r, output, o);
  }
}

// ---- the whole ----------------------------------------------------------------------------------

static void end_line(struct reader *r) {
  if (r->now.kind != TOKEN_END) ir_unexpected(r, "the end of the line");
  if (r->at == r->end) return;
  r->at++;
  r->line++;
  r->line_start = r->at;
  ir_next(r);
}

static bool at_end(const struct reader *r) { return r->now.kind == TOKEN_END && r->at == r->end; }

static void skip_empty(struct reader *r) {
  while (r->now.kind == TOKEN_END && !at_end(r)) end_line(r);
}

// name "(" packet ")"
static void read_name(struct reader *r, struct sluice_program *p) {
  const struct token t = ir_name(r, "the name of the program");
  p->name_at = p->struct_at = ir_keep(r, &t);
  p->name = ir_declared_name(r, &t);
  ir_expect(r, "(");
  const struct token packet = ir_name(r, "the name of the packet");
  p->param = ir_keep(r, &packet);
  ir_expect(r, ")");
}

static void read_head(struct reader *r) {
  struct sluice_program *p = r->p;
  skip_empty(r);
  ir_expect(r, "sluice");
  ir_expect(r, "-");
  ir_expect(r, "ir");
  const struct token version = r->now;
  if (version.kind != TOKEN_NUMBER) ir_unexpected(r, "the version");
  if (version.value != IR_VERSION)
    diag_fatal(r->c, &version, "version", "version %u of the IR; this compiler reads version %d",
               (uint32_t)version.value, IR_VERSION);
  ir_next(r);
  end_line(r);
  skip_empty(r);
  p->name_at = p->struct_at = ir_keep(r, &r->now);
  ir_expect(r, "program");
  read_name(r, p);
  end_line(r);
}

// What the reader fills: a program, and its lines.
static void begin_program(struct reader *r, struct sluice_program *p) {
  struct ir *ir = NEW(r->c->arena, struct ir);
  p->field = NEW_ARRAY(r->c->arena, struct field *, MAX_FIELDS);
  p->state = NEW_ARRAY(r->c->arena, struct state *, MAX_STATES);
  p->malleable = NEW_ARRAY(r->c->arena, struct malleable *, MAX_MALLEABLES);
  p->table = NEW_ARRAY(r->c->arena, struct table *, MAX_TABLES);
  for (unsigned i = 0; i < MAX_STATES; i++) ir->old[i] = ir->new_value[i] = IR_NONE;
  ir->port = ir->discard = ir->flow = ir->words = ir->ports = IR_NONE;
  p->ir = ir;
  r->p = p;
  r->ir = ir;
  r->room_values = r->room_sources = r->room_accesses = r->room_outputs = 0;
}

// egress := "egress" name "(" packet ")"; behind the word. All lines behind it are the function's.
static void read_egress(struct reader *r) {
  struct sluice_program *p = r->p, *q = NEW(r->c->arena, struct sluice_program);
  p->egress = q;
  q->outer = p;
  q->own_lines = p->own_lines;
  q->checksum = p->checksum;
  q->checksum_at = p->checksum_at;
  read_name(r, q);
  begin_program(r, q);
}

static void read_line(struct reader *r) {
  const struct token first = r->now;
  unsigned n;
  if (value_name(&first, &n)) {
    ir_next(r);
    read_value(r, &first, n);
  } else if (ir_accept(r, "option")) read_option(r);
  else if (ir_accept(r, "field")) read_field(r);
  else if (ir_accept(r, "state")) read_state(r);
  else if (!r->p->outer && ir_accept(r, "param")) read_param(r);
  else if (!r->p->outer && ir_accept(r, "egress")) read_egress(r);
  else if (ir_accept(r, "access")) read_access(r);
  else if (ir_read_table(r)) return;
  else if (!r->p->outer && ir_read_word_table(r)) return;
  else if (ir_accept(r, "new")) read_new(r);
  else if (ir_accept(r, "output")) read_output(r);
  else
    ir_unexpected(r, "a line: 'option', 'field', 'state', 'param', 'table', 'lookup', a value, "
                     "'access', 'new', 'output' or 'egress'");
}

bool ir_is(const char *text, size_t len) {
  static const char magic[] = "sluice-ir";
  const char *end = text + len;
  for (;;) {
    while (text < end && isspace((unsigned char)*text)) text++;
    if (end - text < 2 || text[0] != '/' || text[1] != '/') break;
    while (text < end && *text != '\n') text++;
  }
  return (size_t)(end - text) >= sizeof magic - 1 && memcmp(text, magic, sizeof magic - 1) == 0;
}

void ir_read(struct ir_context *c, const char *text, size_t len) {
  struct sluice_program *p = c->program;
  struct reader r = {.c = c, .at = text, .end = text + len, .line_start = text, .line = 1};
  begin_program(&r, p);
  ir_next(&r);
  read_head(&r);
  for (skip_empty(&r); !at_end(&r); skip_empty(&r)) {
    read_line(&r);
    end_line(&r);
  }
  ir_check(c);
  if (!p->egress) return;
  c->program = p->egress;
  ir_check(c);
  c->program = p;
}
