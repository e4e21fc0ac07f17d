// SPDX-License-Identifier: Apache-2.0
// Straight-line statements to values: each assignment makes a new value of its target, a guarded
// one chooses between new and old. What is left at the end are the values of the outputs and of the
// states.
#include "table.h"

// A way through the text: a condition that holds, or does not, on the way around it.
struct way {
  int around, cond;  // -1: none; without a condition it holds
  bool holds;
};
struct env {
  struct ir_context *c;
  struct node **field, **temp;
  const struct token **written;  // by malleable: where a malleable field was assigned first
  struct node **upper;           // by field: the bits above its low 32; NULL: they are 0
  struct node *hit[MAX_TABLES], *action[MAX_TABLES];  // NULL: not applied yet
  struct node *key[MAX_TABLES][NODE_ARGS];
  const struct flat *now;
  bool in_index;
  bool on_way;      // as in struct plan
  struct way *way;  // by temporary, of those that are paths
  int *way_of;      // by node: the path that it is, + 1
};

static struct node *make(struct env *v, enum op op, struct node *x, struct node *y) {
  return node_make(v->c, op, x, y, NULL);
}

static struct node *truth(struct env *v, struct node *n) {
  return node_is_bool(n) ? n : make(v, OP_NE, n, node_const(v->c, 0));
}

static unsigned source_find(struct ir_context *c, struct source s) {
  struct graph *g = c->graph;
  for (unsigned i = 0; i < g->num_sources; i++)
    if (g->source[i].metadata == s.metadata && g->source[i].offset == s.offset &&
        g->source[i].width == s.width && g->source[i].param == s.param)
      return i;
  g->source[g->num_sources] = s;
  return g->num_sources++;
}

// ---- what is read on a way ----------------------------------------------------------------------

// 1: who comes by `path` also came by `other`; 0: nobody comes by both; -1: neither is known.
static int came_by(const struct env *v, int path, int other) {
  bool all = true;
  for (int b = other; b >= 0; b = v->way[b].around) {
    bool there = false;
    for (int a = path; a >= 0 && !there; a = v->way[a].around) {
      const struct way *x = &v->way[a], *y = &v->way[b];
      there = a == b;
      if (x->cond == y->cond && x->holds != y->holds) return 0;
    }
    all &= there;
  }
  return all ? 1 : -1;
}

// What a value is on the way of the statement: not what the branch beside it has made of it, for
// which it would have to wait.
static struct node *seen(const struct env *v, struct node *n) {
  enum { MOST = 64 };
  if (v->in_index) return n;
  for (unsigned i = 0; i < MOST && n && n->op == OP_SELECT && v->now && v->now->path >= 0; i++) {
    const int other = n->arg[0]->id < MAX_NODES ? v->way_of[n->arg[0]->id] - 1 : -1,
              came = other < 0 ? -1 : came_by(v, v->now->path, other);
    if (came < 0) break;
    n = n->arg[came ? 1 : 2];
  }
  return n;
}

// The value of a field before the program. One byte is taken out of the two of a word, or on a chip
// without shifters out of two in which it is the lower one.
static struct node *input(struct env *v, const struct sluice_program_field *f) {
  if (f->home == SLUICE_HOME_ARRAY) return node_leaf(v->c, OP_WORDS, 0, 0, NULL, 0);
  if (f->home != SLUICE_HOME_BYTES && f->home != SLUICE_HOME_METADATA) return node_const(v->c, 0);
  bool byte = f->width == 1,
       low = byte && (f->offset & 1 || (f->offset && !v->c->config->Shifters));
  struct source s = {f->home == SLUICE_HOME_METADATA, low ? f->offset - 1 : f->offset,
                     byte ? 2 : f->width, f->param};
  struct node *n = node_leaf(v->c, OP_INPUT, source_find(v->c, s), 0, NULL, 0);
  if (!byte) return n;
  return low ? make(v, OP_AND, n, node_const(v->c, 255)) : make(v, OP_SRL, n, node_const(v->c, 8));
}

static struct node *eval(struct env *v, const struct expr *e, struct node *path);

// What a lookup gives (table.h).
static struct node *lookup(struct env *v, unsigned table, unsigned which) {
  return node_leaf(v->c, OP_TABLE, table, which, v->key[table],
                   v->c->program->table[table]->num_keys);
}

// The value of a parameter, in the action of which v->now is a statement; of more than 32 bits the
// lower ones, or those above them.
static struct node *argument(struct env *v, unsigned id, bool above) {
  const struct table *t = v->now->table;
  const struct table_arg *a = &t->action[v->now->action].arg[id];
  unsigned table = 0;
  while (v->c->program->table[table] != t) table++;
  struct node *n = lookup(
      v, table, TABLE_WORD + DATA_WORDS * v->now->action + a->word + (a->width > 32 && !above));
  const unsigned width = !above && a->width <= 32 ? a->width : above ? a->width - 32 : 32;
  if (a->lsb) n = make(v, OP_SRL, n, node_const(v->c, (int32_t)a->lsb));
  if (width < 32 && n->umax >> width)
    n = make(v, OP_AND, n, node_const(v->c, (int32_t)((1u << width) - 1)));
  return n;
}

static struct access *access_of(struct env *v, const struct expr *e, struct node *path) {
  struct access *a = &v->c->graph->access[e->id];
  struct mention *m = NEW(v->c->arena, struct mention);
  *m = (struct mention){.state = e->id, .path = path, .at = e->at, .next = v->c->graph->mentions};
  // An index is the same value on every way: an array has one.
  const bool outer = v->in_index;
  v->in_index = true;
  m->index = e->num_args ? eval(v, e->arg[0], path) : NULL;
  v->in_index = outer;
  v->c->at = e->at;
  m->next = v->c->graph->mentions;
  v->c->graph->mentions = m;
  if (!a->old) {
    a->old = a->new_value = node_leaf(v->c, OP_OLD, e->id, 0, NULL, 0);
    a->index = m->index;
    a->at = a->first_at = e->at;
  }
  return a;
}

// The field's own name for bytes that a malleable field may have changed.
static void check_alias(struct env *v, const struct expr *e) {
  const struct sluice_program *p = v->c->program;
  for (size_t i = 0; i < p->num_malleables; i++) {
    const struct malleable *m = p->malleable[i];
    for (unsigned k = 0; m->is_field && v->written[i] && k < m->num; k++) {
      if (m->choice[k] != e->id) continue;
      diag_error(
          v->c, e->at, "alias",
          "'%s' is read behind an assignment to '%s', which may stand for it; read it before",
          p->field[e->id]->info.name, m->name);
      diag_note(v->c, v->written[i], "it is assigned here");
    }
  }
}

// The bits above the low 32 of a value that may have some (width.c); NULL: they are 0.
static struct node *above(struct env *v, const struct expr *e, struct node *path);

static struct node *or_zero(struct env *v, struct node *n) { return n ? n : node_const(v->c, 0); }

// Whether a value is not 0, with the bits above it.
static struct node *truth_of(struct env *v, struct node *low, struct node *high) {
  return high ? make(v, OP_LOR, truth(v, low), truth(v, high)) : truth(v, low);
}

// The value of what is no operation.
static struct node *eval_leaf(struct env *v, const struct expr *e, struct node *path) {
  struct node *x[3] = {NULL, NULL, NULL};
  switch (e->kind) {
    case EXPR_NUMBER: v->c->at = e->at; return node_const(v->c, e->value);
    case EXPR_FIELD: check_alias(v, e); return seen(v, v->field[e->id]);
    case EXPR_PARAM: v->c->at = e->at; return node_leaf(v->c, OP_PARAM, e->id, 0, NULL, 0);
    case EXPR_ARG: v->c->at = e->at; return argument(v, e->id, false);
    case EXPR_HIT: v->c->at = e->at; return v->hit[e->id] ? v->hit[e->id] : node_const(v->c, 0);
    case EXPR_ACTION:
      v->c->at = e->at;
      return v->action[e->id] ? v->action[e->id] : node_const(v->c, 0);
    case EXPR_RAN: v->c->at = e->at; return lookup(v, e->id, TABLE_ACTION);
    case EXPR_FOUND: v->c->at = e->at; return node_leaf(v->c, OP_FOUND, 0, 0, NULL, 0);
    case EXPR_TEMP: return v->temp[e->id];
    case EXPR_STATE: {
      struct node *const n = access_of(v, e, path)->new_value;
      return v->on_way ? seen(v, n) : n;
    }
    default: break;
  }
  for (unsigned i = 0; i < e->num_args; i++) x[i] = eval(v, e->arg[i], path);
  v->c->at = e->at;
  if (e->kind == EXPR_CALL)
    return node_leaf(v->c, OP_HASH, builtins[e->id].algorithm, builtins[e->id].modulus, x,
                     e->num_args);
  return node_make(v->c, OP_SELECT, truth_of(v, x[0], above(v, e->arg[0], path)), x[1], x[2]);
}

// `high`: the bits above x and y.
static struct node *operation(struct env *v, enum op op, struct node *x, struct node *y,
                              struct node *const high[2]) {
  const bool wide = high[0] || high[1];
  switch (op) {
    case OP_LNOT: return make(v, OP_EQ, wide ? truth_of(v, x, high[0]) : x, node_const(v->c, 0));
    case OP_EQ:
    case OP_NE:
      if (!wide) return make(v, op, x, y);
      return make(v, op == OP_EQ ? OP_LAND : OP_LOR, make(v, op, x, y),
                  make(v, op, or_zero(v, high[0]), or_zero(v, high[1])));
    case OP_NEG: return make(v, OP_SUB, node_const(v->c, 0), x);
    case OP_PLUS: return x;
    case OP_GT: return make(v, OP_LT, y, x);
    case OP_GE: return make(v, OP_LE, y, x);
    case OP_LAND:
    case OP_LOR: return make(v, op, truth_of(v, x, high[0]), truth_of(v, y, high[1]));
    default: return make(v, op, x, y);
  }
}

static struct node *eval(struct env *v, const struct expr *e, struct node *path) {
  const struct expr *x = expr_first(e);
  struct node *value = eval_leaf(v, x, path), *high[2] = {above(v, x, path), NULL};
  while (x != e) {
    x = x->up;
    struct node *right = x->num_args == 2 ? eval(v, x->arg[1], path) : NULL;
    high[1] = x->num_args == 2 ? above(v, x->arg[1], path) : NULL;
    v->c->at = x->at;
    value = operation(v, x->op, value, right, high);
    high[0] = NULL;
  }
  return value;
}

static struct node *above(struct env *v, const struct expr *e, struct node *path) {
  if (e->kind == EXPR_NUMBER) return e->above ? node_const(v->c, e->above) : NULL;
  if (e->kind == EXPR_FIELD) return seen(v, v->upper[e->id]);
  if (e->kind == EXPR_ARG) {
    const bool wide = v->now->table->action[v->now->action].arg[e->id].width > 32;
    return wide ? argument(v, e->id, true) : NULL;
  }
  if (e->kind != EXPR_COND) return NULL;
  struct node *x = above(v, e->arg[1], path), *y = above(v, e->arg[2], path);
  if (!x && !y) return NULL;
  struct node *cond = truth_of(v, eval(v, e->arg[0], path), above(v, e->arg[0], path));
  return node_make(v->c, OP_SELECT, cond, or_zero(v, x), or_zero(v, y));
}

static struct node *chosen(struct env *v, struct node *path, struct node *value,
                           struct node *otherwise) {
  return path ? node_make(v->c, OP_SELECT, path, value, otherwise) : value;
}

// Whether the value is bytes of the packet, those of the field from one of its bytes on.
static bool arrived(const struct env *v, const struct node *n, const struct sluice_program_field *f,
                    unsigned from) {
  if (n->op != OP_INPUT) return false;
  const struct source *s = &v->c->graph->source[n->index];
  return !s->metadata && !s->param && s->offset == f->offset + from;
}

// A field as a key: its bits as they arrived, or the low ones of what was assigned.
static struct node *key(struct env *v, const struct table_key *k) {
  const struct field *f = v->c->program->field[k->field];
  struct node *n = v->field[k->field];
  v->c->at = k->at;
  if (k->width == 48) {
    const bool whole = f->whole && arrived(v, n, &f->info, 2) &&
                       arrived(v, or_zero(v, v->upper[k->field]), &f->info, 0);
    if (!whole && (f->whole || !arrived(v, n, &f->info, 0))) {
      diag_error(v->c, k->at, "key-assigned",
                 "'%s' has 6 bytes, and is assigned before the table is applied: only as it "
                 "arrives it can be a key",
                 f->info.name);
      return n;
    }
    return whole ? node_leaf(v->c, OP_INPUT,
                             source_find(v->c, (struct source){false, f->info.offset, 6, 0}), 0,
                             NULL, 0)
                 : n;
  }
  if (k->width < 32 && n->umax >> k->width)
    n = make(v, OP_AND, n, node_const(v->c, (int32_t)((1u << k->width) - 1)));
  return n;
}

// The lookup is done for every packet: it changes nothing. Where the text does not apply the table,
// its results are 0.
static void apply(struct env *v, const struct flat *f) {
  const struct table *t = f->table;
  const unsigned table = f->action;
  struct node *path = f->path < 0 ? NULL : v->temp[f->path];
  for (unsigned i = 0; i < t->num_keys; i++) v->key[table][i] = key(v, &t->key[i]);
  v->c->at = t->apply_at;
  v->hit[table] = chosen(v, path, lookup(v, table, TABLE_HIT), node_const(v->c, 0));
  v->action[table] = chosen(v, path, lookup(v, table, TABLE_ACTION), node_const(v->c, 0));
}

static void assign(struct env *v, const struct flat *f) {
  v->now = f;
  if (!f->target) {
    apply(v, f);
    return;
  }
  struct node *path = f->path < 0 ? NULL : v->temp[f->path];
  struct node *value = eval(v, f->value, path), *high = above(v, f->value, path);
  v->c->at = f->target->at;
  if (f->target->kind == EXPR_TEMP) {
    struct node *const n = v->temp[f->target->id] = truth_of(v, value, high);
    if (!f->is_path) return;
    v->way[f->target->id] = (struct way){f->around, f->cond, f->holds};
    if (!v->way_of[n->id]) v->way_of[n->id] = (int)f->target->id + 1;
    return;
  }
  const unsigned param =
      f->target->kind == EXPR_FIELD ? v->c->program->field[f->target->id]->info.param : 0;
  if (param && !v->written[param - 1]) v->written[param - 1] = f->target->at;
  struct node **target;
  if (f->target->kind == EXPR_FIELD) {
    target = &v->field[f->target->id];
  } else {
    struct access *a = access_of(v, f->target, path);
    if (a->new_value == a->old) a->at = f->target->at;  // messages are about the update
    target = &a->new_value;
  }
  *target = chosen(v, path, value, *target);
  if (f->target->kind != EXPR_FIELD || !v->c->program->field[f->target->id]->whole) return;
  struct node **upper = &v->upper[f->target->id];
  if (high || *upper) *upper = chosen(v, path, or_zero(v, high), or_zero(v, *upper));
}

// The two bytes that hold the one-byte field, with its new value in place.
static struct node *merge_byte(struct env *v, struct node *word, unsigned offset,
                               struct node *value) {
  struct node *low = make(v, OP_AND, value, node_const(v->c, 255));
  if (offset & 1) return make(v, OP_OR, make(v, OP_AND, word, node_const(v->c, ~255)), low);
  return make(v, OP_OR, make(v, OP_AND, word, node_const(v->c, 255)),
              make(v, OP_SHL, low, node_const(v->c, 8)));
}

static struct output *add_output(struct graph *g, unsigned offset, unsigned width, unsigned param) {
  for (unsigned i = 0; i < g->num_outputs; i++)
    if (g->output[i].offset == offset && g->output[i].width == width && g->output[i].param == param)
      return &g->output[i];
  g->output[g->num_outputs] = (struct output){.offset = offset, .width = width, .param = param};
  return &g->output[g->num_outputs++];
}

// Words that hold single bytes first: the deparser writes them before fields that share a byte with
// them (such a field may lie over the byte that is not assigned).
static void outputs(struct env *v) {
  struct ir_context *c = v->c;
  struct graph *g = c->graph;
  for (unsigned bytes = 1; bytes <= 2; bytes++)
    for (unsigned i = 0; i < c->program->num_fields; i++) {
      const struct sluice_program_field *f = &c->program->field[i]->info;
      if (f->home != SLUICE_HOME_BYTES || !f->assigned || (f->width == 1) != (bytes == 1)) continue;
      c->at = c->program->field[i]->at;
      if (c->program->field[i]->whole && !node_is(v->upper[i], 0)) {
        add_output(g, f->offset, 2, 0)->value = v->upper[i];
        add_output(g, f->offset + 2, 4, 0)->value = v->field[i];
        continue;
      }
      if (f->width > 1) {
        add_output(g, f->offset, f->width, f->param)->value = v->field[i];
        continue;
      }
      struct output *o = add_output(g, f->offset & ~1u, 2, 0);
      if (!o->value)
        o->value = node_leaf(c, OP_INPUT, source_find(c, (struct source){false, o->offset, 2, 0}),
                             0, NULL, 0);
      o->value = merge_byte(v, o->value, f->offset, v->field[i]);
    }
}

// Which entry of the flow order's array a packet passes: the fields as they arrive, hashed. Of its
// own accord the flow is told by IPv4 addresses and the ports of UDP or TCP.
static void flow_order(struct env *v) {
  static const struct sluice_program_field usual[MAX_FLOW_FIELDS] = {
      {.home = SLUICE_HOME_BYTES, .offset = 30, .width = 4},
      {.home = SLUICE_HOME_BYTES, .offset = 34, .width = 4},
      {.home = SLUICE_HOME_BYTES, .offset = 38, .width = 4}};
  struct ir_context *c = v->c;
  const struct flow_order *f = &c->program->flow_order;
  unsigned num = f->num_fields ? f->num_fields : MAX_FLOW_FIELDS;
  struct node *word[MAX_FLOW_FIELDS];
  if (!f->at) return;
  c->at = f->at;
  for (unsigned i = 0; i < num; i++)
    word[i] = input(v, f->num_fields ? &c->program->field[f->field[i]]->info : &usual[i]);
  c->graph->flow = node_leaf(c, OP_HASH, SLUICE_HASH_CRC32, f->entries, word, num);
}

// Some bytes of a field of which all are read or written.
static struct node *part(struct env *v, const struct field *f, unsigned from, unsigned width) {
  return node_leaf(v->c, OP_INPUT,
                   source_find(v->c, (struct source){false, f->info.offset + from, width, 0}), 0,
                   NULL, 0);
}

void ssa(struct ir_context *c, const struct flats *flats, bool on_way) {
  size_t num_fields = c->program->num_fields;
  struct graph *g = c->graph = NEW(c->arena, struct graph);
  struct env v = {
      .c = c,
      .on_way = on_way,
      .field = NEW_ARRAY(c->arena, struct node *, num_fields + 1),
      .temp = NEW_ARRAY(c->arena, struct node *, flats->num_temps + 1),
      .written = NEW_ARRAY(c->arena, const struct token *, c->program->num_malleables + 1),
      .upper = NEW_ARRAY(c->arena, struct node *, num_fields + 1),
      .way = NEW_ARRAY(c->arena, struct way, flats->num_temps + 1),
      .way_of = NEW_ARRAY(c->arena, int, MAX_NODES)};
  g->source = NEW_ARRAY(c->arena, struct source, 3 * num_fields + MAX_FLOW_FIELDS);
  g->output = NEW_ARRAY(c->arena, struct output, 2 * num_fields + 1);
  for (size_t i = 0; i < num_fields; i++) {
    const struct field *f = c->program->field[i];
    c->at = f->at;
    const bool six = f->whole && f->info.home == SLUICE_HOME_BYTES;
    v.field[i] = six ? part(&v, f, 2, 4) : input(&v, &f->info);
    if (six) v.upper[i] = part(&v, f, 0, 2);
  }
  flow_order(&v);
  for (const struct flat *f = flats->first; f; f = f->next) assign(&v, f);
  give_up_on_errors(c);
  outputs(&v);
  for (size_t i = 0; i < num_fields; i++) {
    const struct field *f = c->program->field[i];
    if (!f->info.assigned) continue;
    if (f->info.home == SLUICE_HOME_PORT_OUT) g->port = v.field[i], g->port_at = f->at;
    if (f->info.home == SLUICE_HOME_DISCARD) g->discard = v.field[i], g->discard_at = f->at;
    if (f->info.home == SLUICE_HOME_PORTS_OUT) g->ports = v.field[i], g->ports_at = f->at;
    if (f->info.home == SLUICE_HOME_ARRAY) g->words = v.field[i], g->words_at = f->at;
  }
}

void addresses(struct ir_context *c) {
  struct graph *g = c->graph;
  c->at = c->program->name_at;
  for (unsigned s = 0; s < c->program->num_states; s++) {
    struct access *a = &g->access[s];
    bool always = false;
    const struct token *told = NULL;  // where the last error is: `+=` mentions its left side twice
    for (struct mention *m = g->mentions; m; m = m->next) {
      if (m->state != s) continue;
      if (a->used && m->index != a->index && m->at != told) {
        told = m->at;
        diag_error(c, m->at, "two-addresses", "'%s' is used at two addresses by one packet",
                   c->program->state[s]->info.name);
        diag_note(c, a->at,
                  "here it is another entry; a stage gives a packet one entry of an array");
      }
      if (m->path) a->guard = a->guard ? node_make(c, OP_LOR, a->guard, m->path, NULL) : m->path;
      else always = true;
    }
    if (always) a->guard = NULL;
  }
  g->mentions = NULL;
  give_up_on_errors(c);
  warn_values(c);
}
