// SPDX-License-Identifier: Apache-2.0
// What the head of sw/p4/ast.h promises of a checked program, on all programs that are taken.
#include <dirent.h>

#include "tests/rig/test.h"
#include "p4/front.h"

static const char *where;  // the program
static unsigned seen;      // expressions

static void hold(bool good, const struct p4_place place, const char *what) {
  if (good) return;
  print_error("%s:%u:%u: %s\n", where, place.line, place.column, what);
  fail();
}
#define HOLD(GOOD, AT, WHAT) hold(GOOD, (AT)->place, WHAT)

static void walk_expr(const struct p4_expr *e);
static void walk_decl(const struct p4_decl *d);

static bool in_range(const struct p4_value *v, const struct p4_type *type) {
  type = p4_type_base(type);
  if (type->kind == P4_TYPE_ENUM && type->element) type = type->element;
  if (v->kind != P4_VALUE_NUMBER || type->kind != P4_TYPE_BITS) return true;
  return p4_wide_fits(v->number, type->width, type->is_signed);
}

// The declaration of the top level with this name, or NULL.
static const struct p4_decl *find(const struct p4_program *program, const char *name) {
  const struct p4_decl *d = program->decls;
  while (d && strcmp(d->name, name) != 0) d = d->next;
  return d;
}

// ---- calls -------------------------------------------------------------------------------------

static const struct p4_decl *params_of(const struct p4_call *call) {
  if (!call->callee || call->kind == P4_CALL_TABLE) return NULL;
  return call->kind == P4_CALL_CONSTRUCTOR ? call->callee->constructor_params
                                           : call->callee->params;
}

static bool goes_with(const struct p4_type *arg, const struct p4_type *param) {
  const bool block = param->kind == P4_TYPE_PARSER || param->kind == P4_TYPE_CONTROL ||
                     param->kind == P4_TYPE_PACKAGE || param->kind == P4_TYPE_EXTERN;
  return arg == param || param->kind == P4_TYPE_ANY || (block && arg->kind == param->kind);
}

static void walk_args(const struct p4_call *call, const struct p4_expr *at) {
  const struct p4_decl *p = params_of(call);
  unsigned i = 0;
  for (; p; p = p->next, i++) {
    HOLD(i < call->num_args, at, "a parameter without a place");
    const struct p4_expr *a = call->args[i];
    HOLD(a || p->optional || call->kind == P4_CALL_ACTION, at, "an argument is missing");
    if (!a) continue;
    walk_expr(a);
    HOLD(!call->param_types || goes_with(a->type, call->param_types[i]) || !a->type, a,
         "an argument has not the type of its parameter");
    const bool out = p->direction == P4_OUT || p->direction == P4_INOUT;
    HOLD(!out || a->lvalue || a->kind == P4_EXPR_ANY, a, "an out argument is no l-value");
  }
  HOLD(call->kind == P4_CALL_BUILT_IN || i == call->num_args, at, "too many arguments");
}

static void walk_call(const struct p4_expr *e) {
  const struct p4_call *call = e->call;
  HOLD(call, e, "a call is not resolved");
  HOLD(!e->args, e, "arguments outside of the call");
  const bool on_object = call->kind == P4_CALL_METHOD || call->kind == P4_CALL_TABLE ||
                         call->kind == P4_CALL_PARSER || call->kind == P4_CALL_CONTROL;
  HOLD(!on_object || (call->object && call->object->type), e, "a call lacks its object");
  HOLD(call->kind == P4_CALL_BUILT_IN || call->callee, e, "a call lacks its callee");
  walk_args(call, e);
}

// ---- expressions -------------------------------------------------------------------------------

static void walk_binary(const struct p4_expr *e) {
  const bool loose = e->op == P4_OP_SHL || e->op == P4_OP_SHR || e->op == P4_OP_CONCAT;
  HOLD(loose || e->a->type == e->b->type, e, "two sides of different types");
  const bool truth = e->op >= P4_OP_LT;
  HOLD(!truth || e->type->kind == P4_TYPE_BOOL, e, "a comparison that gives no bool");
  HOLD(truth || e->op == P4_OP_CONCAT || e->type == e->a->type, e, "not the type of the left side");
}

static void walk_list(const struct p4_expr *e) {
  const struct p4_type *t = e->type;
  const bool fields = t->kind == P4_TYPE_STRUCT || t->kind == P4_TYPE_HEADER;
  unsigned i = 0;
  for (const struct p4_expr *a = e->args; a; a = a->next, i++) {
    walk_expr(a);
    if (fields) HOLD(a->type == t->fields[i].type, a, "a member has not the type of its field");
  }
  HOLD(i == e->count, e, "a wrong count of members");
  HOLD(!fields || i == t->num_fields, e, "a list with too few members");
  HOLD(e->kind == P4_EXPR_LIST, e, "members are not in the order of the fields");
}

static void walk_member(const struct p4_expr *e) {
  if (e->a->kind == P4_EXPR_TYPE) {
    HOLD(e->value, e, "a member of a type without a value");
    return;
  }
  if (e->member != P4_MEMBER_FIELD) return;
  HOLD(e->decl && e->field < e->a->type->num_fields, e, "a field is not resolved");
  HOLD(e->a->type->fields[e->field].type == e->type, e, "a field of another type");
}

static void walk_kind(const struct p4_expr *e) {
  switch (e->kind) {
    case P4_EXPR_NAME: HOLD(e->decl, e, "a name without a declaration"); break;
    case P4_EXPR_MEMBER: walk_member(e); break;
    case P4_EXPR_BINARY: walk_binary(e); break;
    case P4_EXPR_CALL: walk_call(e); return;
    case P4_EXPR_LIST:
    case P4_EXPR_STRUCT: walk_list(e); return;
    case P4_EXPR_SLICE:
      HOLD(e->high >= e->low && e->type->width == e->high - e->low + 1, e, "a wrong slice");
      break;
    case P4_EXPR_COND: HOLD(e->b->type == e->c->type, e, "two choices of different types"); break;
    case P4_EXPR_CAST: HOLD(e->implicit == !e->written, e, "a cast without a type"); break;
    default: break;
  }
  if (e->kind == P4_EXPR_MEMBER && e->a->kind == P4_EXPR_TYPE) return;
  if (e->a) walk_expr(e->a);
  if (e->kind == P4_EXPR_SLICE) return;
  if (e->b) walk_expr(e->b);
  if (e->c) walk_expr(e->c);
}

static void walk_expr(const struct p4_expr *e) {
  seen++;
  if (e->kind == P4_EXPR_DEFAULT || e->kind == P4_EXPR_ANY) return;
  HOLD(e->type, e, "an expression without a type");
  HOLD(e->type->kind != P4_TYPE_POISON, e, "an expression with an error");
  if (e->value) {
    HOLD(in_range(e->value, e->type), e, "a value outside of its type");
    return;
  }
  HOLD(e->type->kind != P4_TYPE_INT || e->kind == P4_EXPR_NAME, e, "an int without a value");
  walk_kind(e);
}

// ---- statements --------------------------------------------------------------------------------

static void walk_stmt(const struct p4_stmt *s) {
  for (; s; s = s->next) {
    if (s->decl) walk_decl(s->decl);
    if (s->target) walk_expr(s->target);
    if (s->value && s->value->kind != P4_EXPR_RANGE) walk_expr(s->value);
    if (s->kind == P4_STMT_ASSIGN && !s->compound)
      HOLD(s->target->type == s->value->type, s, "an assignment of another type");
    if (s->kind == P4_STMT_ASSIGN) HOLD(s->target->lvalue, s, "an assignment to no l-value");
    if (s->kind == P4_STMT_IF)
      HOLD(s->value->type->kind == P4_TYPE_BOOL, s, "a condition that is no bool");
    for (const struct p4_case *c = s->cases; c; c = c->next) {
      HOLD(!s->over_actions || c->label->kind == P4_EXPR_DEFAULT || c->label->decl, c,
           "a label without its action");
      HOLD(s->over_actions || c->label->kind == P4_EXPR_DEFAULT || c->label->value, c,
           "a label without a value");
      walk_stmt(c->body);
    }
    walk_stmt(s->inits);
    walk_stmt(s->updates);
    walk_stmt(s->body);
    walk_stmt(s->then);
    walk_stmt(s->otherwise);
  }
}

static void walk_sets(const struct p4_keyset *sets, unsigned num) {
  for (unsigned i = 0; i < num; i++) {
    const bool two = sets[i].kind == P4_KEYSET_MASK || sets[i].kind == P4_KEYSET_RANGE;
    if (sets[i].kind == P4_KEYSET_VALUE || two) walk_expr(sets[i].a);
    if (two) walk_expr(sets[i].b);
    HOLD(sets[i].kind != P4_KEYSET_VALUE_SET || sets[i].set, &sets[i], "a value set is missing");
  }
}

static void walk_state(const struct p4_decl *d) {
  const struct p4_state *s = d->state;
  walk_stmt(s->body);
  HOLD(s->to || s->select, d, "a state leads nowhere");
  for (const struct p4_expr *e = s->select; e; e = e->next) walk_expr(e);
  for (const struct p4_select_case *c = s->cases; c; c = c->next) {
    HOLD(c->target && c->sets, c, "a case is not resolved");
    walk_sets(c->sets, s->num_select);
  }
}

static void walk_table(const struct p4_decl *d) {
  const struct p4_table *t = d->table;
  unsigned num = 0;
  for (const struct p4_key *k = t->keys; k; k = k->next, num++) {
    walk_expr(k->expr);
    HOLD(k->kind && k->control_name, d, "a key without a kind or a name");
  }
  HOLD(num == t->num_keys, d, "a wrong count of keys");
  num = 0;
  for (const struct p4_action_ref *a = t->actions; a; a = a->next, num++)
    HOLD(a->action && a->call, a, "an action is not resolved");
  HOLD(num == t->num_actions, d, "a wrong count of actions");
  HOLD(t->miss && t->miss->action && t->miss->call, d, "nothing happens on a miss");
  for (const struct p4_entry *e = t->entries; e; e = e->next) {
    HOLD(e->sets && e->action->call, e, "an entry is not resolved");
    walk_sets(e->sets, t->num_keys);
    walk_args(e->action->call, e->keyset);
  }
}

static void walk_decl(const struct p4_decl *d) {
  if (d->built_in || d->type_params) return;
  const bool typed = d->kind != P4_DECL_STATE;
  HOLD(!typed || d->type, d, "a declaration without a type");
  if (d->init && d->kind != P4_DECL_ENUM_MEMBER) walk_expr(d->init);
  if (d->kind == P4_DECL_INSTANCE) {
    HOLD(d->call, d, "an instance without its constructor");
    walk_args(d->call, &(struct p4_expr){.place = d->place});
  }
  for (const struct p4_decl *m = d->members; m; m = m->next) walk_decl(m);
  for (const struct p4_decl *s = d->states; s; s = s->next) walk_state(s);
  for (const struct p4_decl *p = d->params; p; p = p->next)
    HOLD(p->type && p->slot < d->num_slots + 1000u, p, "a parameter without a type");
  if (d->table) walk_table(d);
  walk_stmt(d->body);
}

// ---- all ---------------------------------------------------------------------------------------

static char *read_text(const char *path, size_t *len) {
  FILE *in = fopen(path, "rb");
  char *text = malloc(1 << 20);
  assert_non_null(in);
  assert_non_null(text);
  *len = fread(text, 1, 1 << 20, in);
  fclose(in);
  return text;
}

static void walk_folder(const char *folder, void (*each)(const char *text, size_t len)) {
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (const struct dirent *entry; (entry = readdir(dir));) {
    char path[600];
    size_t len;
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".p4") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    char *text = read_text(path, &len);
    where = path;
    each(text, len);
    free(text);
  }
  closedir(dir);
}

static const char *const folders[] = {"sw/tests/p4/include"};

static void walk_text(const char *text, size_t len) {
  struct p4_messages messages = {0};
  const struct p4_options options = {.num_folders = 1, .folders = folders};
  struct p4_program *program = p4_front(where, text, len, &options, &messages);
  assert_non_null(program);
  for (const struct p4_decl *d = program->decls; d; d = d->next) walk_decl(d);
  for (unsigned i = 0; i < program->num_types; i++) assert_int_equal(program->types[i]->number, i);
  for (unsigned i = 0; i < program->num_errors; i++)
    assert_int_equal(program->errors[i]->number, i);
  p4_program_free(program);
  p4_messages_release(&messages);
}

TEST(promises_hold_on_all_programs) {
  walk_folder("sw/programs/p4", walk_text);
  walk_folder("sw/tests/p4/accept", walk_text);
  assert_true(seen > 2000);
}

// With less memory than it takes: refused, told as such, and nothing is left behind.
static void starve(const char *text, size_t len) {
  bool taken = false;
  for (size_t most = 1 << 16; !taken; most += 1 << 16) {
    struct p4_messages messages = {0};
    const struct p4_options options = {.num_folders = 1, .folders = folders, .most_memory = most};
    struct p4_program *program = p4_front(where, text, len, &options, &messages);
    taken = program != NULL;
    assert_true(taken == !messages.out_of_memory);
    assert_int_equal(messages.num_errors, 0);
    p4_program_free(program);
    p4_messages_release(&messages);
  }
}

TEST(too_little_memory_is_told) { walk_folder("sw/programs/p4", starve); }

static const struct p4_decl *member(const struct p4_decl *d, const char *name) {
  for (const struct p4_decl *m = d->members; m; m = m->next)
    if (strcmp(m->name, name) == 0) return m;
  fail();
  return NULL;
}

static struct p4_program *program_of(const char *text, struct p4_messages *messages) {
  struct p4_program *program = p4_front("test.p4", text, strlen(text), NULL, messages);
  if (!program) p4_messages_print(messages, 0, stderr);
  assert_non_null(program);
  return program;
}

TEST(names_are_those_of_the_control_plane) {
  struct p4_messages messages = {0};
  struct p4_program *program =
      program_of("#include <core.p4>\n"
                 "header H { bit<8> a; @name(\"bee\") bit<8> b; }\n"
                 "struct S { H h; H[2] hs; }\n"
                 "@name(\"Outer\") control c(inout S s) {\n"
                 "  @name(\"act\") action x() { }\n"
                 "  @name(\".top\") @hidden action y() { }\n"
                 "  table t { key = { s.h.a : exact; s.hs[1].b : exact; s.h.isValid() : exact;\n"
                 "      s.h.a[3:0] : ternary; s.h.a & 0xF0 : exact; s.h.b : lpm @name(\"own\"); }\n"
                 "    actions = { x; y; NoAction; } }\n"
                 "  apply { t.apply(); } }\n",
                 &messages);
  static const char *const keys[] = {"s.h.a",      "s.hs[1].bee",  "s.h.$valid$",
                                     "s.h.a[3:0]", "s.h.a & 0xf0", "own"};
  const struct p4_decl *c = find(program, "c");
  assert_string_equal(member(c, "x")->control_name, "Outer.act");
  assert_string_equal(member(c, "y")->control_name, "top");
  assert_true(member(c, "y")->hidden);
  assert_string_equal(member(c, "t")->control_name, "Outer.t");
  unsigned i = 0;
  for (const struct p4_key *k = member(c, "t")->table->keys; k; k = k->next)
    assert_string_equal(k->control_name, keys[i++]);
  assert_int_equal(i, 6);
  p4_program_free(program);
  p4_messages_release(&messages);
}

// The numbers that the language fills in.
TEST(priorities_are_filled_in) {
  struct p4_messages messages = {0};
  struct p4_program *program = program_of(
      "#include <core.p4>\n"
      "control c(in bit<8> a) {\n"
      "  table t { key = { a : ternary; } actions = { NoAction; } priority_delta = 10;\n"
      "    entries = { 1 : NoAction(); 2 : NoAction(); 3 : NoAction(); } }\n"
      "  table u { key = { a : ternary; } actions = { NoAction; } largest_priority_wins = false;\n"
      "    entries = { priority = 5 : 1 : NoAction(); 2 : NoAction(); priority = 20 : 3 : "
      "NoAction();\n"
      "      4 : NoAction(); } }\n"
      "  apply { t.apply(); u.apply(); } }\n",
      &messages);
  static const uint64_t t[] = {21, 11, 1}, u[] = {5, 6, 20, 21};
  const struct p4_decl *c = find(program, "c");
  unsigned i = 0;
  for (const struct p4_entry *e = member(c, "t")->table->entries; e; e = e->next)
    assert_int_equal(e->priority, t[i++]);
  i = 0;
  for (const struct p4_entry *e = member(c, "u")->table->entries; e; e = e->next)
    assert_int_equal(e->priority, u[i++]);
  p4_program_free(program);
  p4_messages_release(&messages);
}

TEST(architectures_are_known) {
  static const struct {
    const char *path;
    enum p4_architecture architecture;
  } cases[] = {{"sw/programs/p4/basic.p4", P4_ARCH_V1MODEL},
               {"sw/tests/p4/accept/psa.p4", P4_ARCH_PSA},
               {"sw/tests/p4/accept/menshen.p4", P4_ARCH_MENSHEN},
               {"sw/tests/p4/accept/packages.p4", P4_ARCH_OTHER},
               {"sw/tests/p4/accept/empty.p4", P4_ARCH_NONE}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t len;
    char *text = read_text(cases[i].path, &len);
    struct p4_messages messages = {0};
    struct p4_program *program = p4_front(cases[i].path, text, len, NULL, &messages);
    assert_non_null(program);
    assert_int_equal(program->architecture, cases[i].architecture);
    assert_true(!program->main == (cases[i].architecture == P4_ARCH_NONE));
    p4_program_free(program);
    p4_messages_release(&messages);
    free(text);
  }
}
