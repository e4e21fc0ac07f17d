// SPDX-License-Identifier: Apache-2.0
// Declarations.
#include <string.h>

#include "parse.h"

struct p4_decl *p4_decl_new(struct p4_parser *p, enum p4_decl_kind kind, const struct p4_token *at,
                            struct p4_annotation *notes, struct p4_decl *owner) {
  struct p4_decl *d = NEW(p->c->arena, struct p4_decl);
  d->kind = kind;
  d->name = at->text;
  d->place = at->place;
  d->annotations = notes;
  d->owner = owner;
  d->built_in = at->place.file < p->c->messages->num_files &&
                p->c->messages->files[at->place.file].built_in;
  return d;
}

// Of lists that a declaration is put at the end of.
struct decls {
  struct p4_decl *owner, **end;
};
static void append(struct decls *to, struct p4_decl *d) {
  if (!d) return;
  *to->end = d;
  while (*to->end) to->end = &(*to->end)->next;
}

// ---- parameters --------------------------------------------------------------------------------

static struct p4_decl *parameter(struct p4_parser *p, struct p4_decl *owner) {
  struct p4_annotation *notes = p4_read_annotations(p);
  enum p4_direction direction = P4_NO_DIRECTION;
  if (p4_accept(p, "in")) direction = P4_IN;
  else if (p4_accept(p, "out")) direction = P4_OUT;
  else if (p4_accept(p, "inout")) direction = P4_INOUT;
  struct p4_written *w = p4_read_type(p);
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_PARAM, p4_read_name(p, "the name of a parameter"), notes, owner);
  d->written = w;
  d->direction = direction;
  d->optional = p4_annotation(notes, "optional") != NULL;
  if (p4_accept(p, "=")) d->init = p4_read_initial(p);
  p4_bind(p, d->name, false);
  return d;
}

static struct p4_decl *p4_read_parameters(struct p4_parser *p, struct p4_decl *owner) {
  struct p4_decl *first = NULL, **end = &first;
  p4_expect(p, "(");
  while (!is(p, ")")) {
    *end = parameter(p, owner);
    end = &(*end)->next;
    if (!p4_accept(p, ",")) break;
  }
  p4_expect(p, ")");
  return first;
}

// ---- constants, variables, instances -----------------------------------------------------------

struct p4_decl *p4_read_constant(struct p4_parser *p, struct p4_annotation *notes,
                                 struct p4_decl *owner) {
  p4_expect(p, "const");
  struct p4_written *w = p4_read_type(p);
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_CONST, p4_read_name(p, "the name of a constant"), notes, owner);
  d->written = w;
  p4_expect(p, "=");
  d->init = p4_read_initial(p);
  p4_semicolon(p);
  p4_bind(p, d->name, false);
  return d;
}

static struct p4_decl *function(struct p4_parser *p, struct p4_annotation *notes,
                                struct p4_written *result, struct p4_decl *owner, bool has_body);

static void instance_member(struct p4_parser *p, void *into) {
  struct decls *members = into;
  struct p4_annotation *notes = p4_read_annotations(p);
  p4_accept(p, "abstract");
  struct p4_written *w = p4_read_type(p);
  if (is(p, "(")) {
    struct p4_decl *d;
    struct p4_expr *args = p4_read_arguments(p);
    d = p4_decl_new(p, P4_DECL_INSTANCE, p4_read_name(p, "a name"), notes, members->owner);
    d->written = w;
    d->args = args;
    p4_semicolon(p);
    append(members, d);
    return;
  }
  append(members, function(p, notes, w, members->owner, true));
}

// `Type(args) name;`, or with abstract methods: `Type(args) name = { .. };`
static struct p4_decl *instance(struct p4_parser *p, struct p4_annotation *notes,
                                struct p4_written *w, struct p4_decl *owner) {
  struct p4_expr *args = p4_read_arguments(p);
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_INSTANCE, p4_read_name(p, "the name of an instance"), notes, owner);
  d->written = w;
  d->args = args;
  if (p4_accept(p, "=")) {
    struct decls members = {d, &d->members};
    d->has_body = true;
    p4_expect(p, "{");
    while (!is(p, "}") && p->now->kind != P4_TOKEN_END) p4_attempt(p, instance_member, &members);
    p4_expect(p, "}");
  }
  p4_semicolon(p);
  p4_bind(p, d->name, false);
  return d;
}

struct p4_decl *p4_read_variable(struct p4_parser *p, struct p4_annotation *notes,
                                 struct p4_decl *owner) {
  struct p4_written *w = p4_read_type(p);
  if (is(p, "(")) return instance(p, notes, w, owner);
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_VARIABLE, p4_read_name(p, "the name of a variable"), notes, owner);
  d->written = w;
  if (p4_accept(p, "=")) d->init = p4_read_initial(p);
  p4_semicolon(p);
  p4_bind(p, d->name, false);
  return d;
}

// ---- types -------------------------------------------------------------------------------------

static void field(struct p4_parser *p, void *into) {
  struct decls *fields = into;
  struct p4_annotation *notes = p4_read_annotations(p);
  struct p4_written *w = p4_read_type(p);
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_FIELD, p4_read_name(p, "the name of a field"), notes, fields->owner);
  d->written = w;
  p4_semicolon(p);
  append(fields, d);
}

// struct, header, header_union
static struct p4_decl *struct_type(struct p4_parser *p, struct p4_annotation *notes,
                                   struct p4_decl *owner) {
  const enum p4_decl_kind kind = is(p, "struct")   ? P4_DECL_STRUCT
                                 : is(p, "header") ? P4_DECL_HEADER
                                                   : P4_DECL_UNION;
  p->now++;
  struct p4_decl *d = p4_decl_new(p, kind, p4_read_name(p, "the name of a type"), notes, owner);
  p4_bind(p, d->name, true);
  struct p4_binding *const names = p4_scope(p);
  d->type_params = p4_read_type_params(p, d);
  struct decls fields = {d, &d->members};
  p4_expect(p, "{");
  while (!is(p, "}") && p->now->kind != P4_TOKEN_END) p4_attempt(p, field, &fields);
  p4_expect(p, "}");
  p4_scope_back(p, names);
  return d;
}

// a, b = 1, c
static void identifiers(struct p4_parser *p, enum p4_decl_kind kind, struct decls *to) {
  p4_expect(p, "{");
  while (!is(p, "}")) {
    struct p4_annotation *notes = p4_read_annotations(p);
    struct p4_decl *d = p4_decl_new(p, kind, p4_read_name(p, "a name"), notes, to->owner);
    if (kind == P4_DECL_ENUM_MEMBER && p4_accept(p, "=")) d->init = p4_read_expr(p);
    append(to, d);
    if (!p4_accept(p, ",")) break;
  }
  p4_expect(p, "}");
}

static struct p4_decl *enum_type(struct p4_parser *p, struct p4_annotation *notes,
                                 struct p4_decl *owner) {
  p->now++;
  struct p4_written *w = p4_is_name(p->now) && is_next(p, "{") ? NULL : p4_read_type(p);
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_ENUM, p4_read_name(p, "the name of an enum"), notes, owner);
  d->written = w;
  p4_bind(p, d->name, true);
  struct decls members = {d, &d->members};
  identifiers(p, P4_DECL_ENUM_MEMBER, &members);
  return d;
}

// `error { A, B }` and `match_kind { a, b }`: a declaration for each member.
static struct p4_decl *members_of(struct p4_parser *p, enum p4_decl_kind kind) {
  struct p4_decl *first = NULL;
  struct decls members = {NULL, &first};
  p->now++;
  identifiers(p, kind, &members);
  for (struct p4_decl *d = first; kind == P4_DECL_MATCH_KIND && d; d = d->next)
    p4_bind(p, d->name, false);
  return first;
}

static struct p4_decl *derived_type(struct p4_parser *p, struct p4_annotation *notes,
                                    struct p4_decl *owner) {
  if (is(p, "struct") || is(p, "header") || is(p, "header_union"))
    return struct_type(p, notes, owner);
  if (is(p, "enum")) return enum_type(p, notes, owner);
  return NULL;
}

// `typedef T x;` and `type T x;`; a struct, enum .. may be declared within the first.
static struct p4_decl *renamed_type(struct p4_parser *p, struct p4_annotation *notes) {
  const enum p4_decl_kind kind = is(p, "typedef") ? P4_DECL_TYPEDEF : P4_DECL_NEW;
  p->now++;
  struct p4_annotation *inner_notes = p4_read_annotations(p);
  struct p4_place place = p->now->place;
  struct p4_decl *inner = kind == P4_DECL_TYPEDEF ? derived_type(p, inner_notes, NULL) : NULL;
  struct p4_written *w;
  if (inner) {
    w = NEW(p->c->arena, struct p4_written);
    *w = (struct p4_written){.kind = P4_WRITTEN_NAME, .place = place, .name = inner->name};
  } else {
    w = p4_read_type(p);
  }
  struct p4_decl *d = p4_decl_new(p, kind, p4_read_name(p, "the name of a type"), notes, NULL);
  d->written = w;
  p4_semicolon(p);
  p4_bind(p, d->name, true);
  if (!inner) return d;
  inner->next = d;
  return inner;
}

// ---- functions, actions, externs ---------------------------------------------------------------

static struct p4_decl *function(struct p4_parser *p, struct p4_annotation *notes,
                                struct p4_written *result, struct p4_decl *owner, bool has_body) {
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_FUNCTION, p4_read_name(p, "the name of a function"), notes, owner);
  d->written = result;
  p4_bind(p, d->name, false);
  struct p4_binding *const names = p4_scope(p);
  d->type_params = p4_read_type_params(p, d);
  d->params = p4_read_parameters(p, d);
  if (has_body) d->body = p4_read_block(p);
  else p4_semicolon(p);
  d->has_body = has_body;
  p4_scope_back(p, names);
  return d;
}

static struct p4_decl *action(struct p4_parser *p, struct p4_annotation *notes,
                              struct p4_decl *owner) {
  p->now++;
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_ACTION, p4_read_name(p, "the name of an action"), notes, owner);
  p4_bind(p, d->name, false);
  struct p4_binding *const names = p4_scope(p);
  d->params = p4_read_parameters(p, d);
  d->body = p4_read_block(p);
  d->has_body = true;
  p4_scope_back(p, names);
  return d;
}

static void method(struct p4_parser *p, void *into) {
  struct decls *methods = into;
  struct p4_annotation *notes = p4_read_annotations(p);
  const bool is_abstract = p4_accept(p, "abstract");
  if (p->now->text == methods->owner->name && is_next(p, "(")) {
    struct p4_decl *d = p4_decl_new(p, P4_DECL_CONSTRUCTOR, p->now++, notes, methods->owner);
    struct p4_binding *const names = p4_scope(p);
    d->constructor_params = p4_read_parameters(p, d);
    p4_semicolon(p);
    p4_scope_back(p, names);
    append(methods, d);
    return;
  }
  struct p4_binding *const names = p4_scope(p);
  struct p4_decl *d = function(p, notes, p4_read_type(p), methods->owner, false);
  d->is_abstract = is_abstract;
  d->optional = p4_annotation(notes, "optional") != NULL;
  p4_scope_back(p, names);
  append(methods, d);
}

static struct p4_decl *extern_object(struct p4_parser *p, struct p4_annotation *notes) {
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_EXTERN, p4_read_name(p, "the name of an extern"), notes, NULL);
  p4_bind(p, d->name, true);
  struct p4_binding *const names = p4_scope(p);
  d->type_params = p4_read_type_params(p, d);
  struct decls methods = {d, &d->members};
  if (!p4_accept(p, ";")) {
    p4_expect(p, "{");
    while (!is(p, "}") && p->now->kind != P4_TOKEN_END) p4_attempt(p, method, &methods);
    p4_expect(p, "}");
  }
  p4_scope_back(p, names);
  return d;
}

// Whether `extern` stands before an object, rather than before a function.
static bool is_object(const struct p4_parser *p) {
  const struct p4_token *t = p->now;
  if (!p4_is_name(t)) return false;
  t++;
  if (p4_token_is(t, "<")) {
    while (t->kind != P4_TOKEN_END && !p4_token_is(t, ">")) t++;
    t++;
  }
  return p4_token_is(t, "{") || p4_token_is(t, ";");
}

// The type of the result may be one of the function's own type parameters, which stand behind it.
static struct p4_decl *extern_function(struct p4_parser *p, struct p4_annotation *notes) {
  struct p4_binding *const names = p4_scope(p);
  struct p4_decl *d = function(p, notes, p4_read_type(p), NULL, false);
  p4_scope_back(p, names);
  p4_bind(p, d->name, false);
  return d;
}

static struct p4_decl *external(struct p4_parser *p, struct p4_annotation *notes) {
  p->now++;
  return is_object(p) ? extern_object(p, notes) : extern_function(p, notes);
}

// ---- parsers, controls, packages ---------------------------------------------------------------

static struct p4_decl *value_set(struct p4_parser *p, struct p4_annotation *notes,
                                 struct p4_decl *owner) {
  struct p4_written *w = p4_read_type_args(p);
  p4_expect(p, "(");
  struct p4_expr *size = p4_read_expr(p);
  p4_expect(p, ")");
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_VALUE_SET, p4_read_name(p, "the name of a value set"), notes, owner);
  d->written = w;
  d->init = size;
  p4_semicolon(p);
  p4_bind(p, d->name, false);
  return d;
}

static struct p4_decl *table(struct p4_parser *p, struct p4_annotation *notes,
                             struct p4_decl *owner) {
  p->now++;
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_TABLE, p4_read_name(p, "the name of a table"), notes, owner);
  p4_bind(p, d->name, false);
  d->table = p4_read_table(p);
  return d;
}

// Of a control or parser.
static void local(struct p4_parser *p, void *into) {
  struct decls *locals = into;
  struct p4_decl *owner = locals->owner;
  const bool control = owner->kind == P4_DECL_CONTROL;
  struct p4_annotation *notes = p4_read_annotations(p);
  if (is(p, "const")) append(locals, p4_read_constant(p, notes, owner));
  else if (control && is(p, "action")) append(locals, action(p, notes, owner));
  else if (control && is(p, "table")) append(locals, table(p, notes, owner));
  else if (p4_accept(p, "value_set")) append(locals, value_set(p, notes, owner));
  else if (p4_starts_type(p)) append(locals, p4_read_variable(p, notes, owner));
  else
    p4_unexpected(p, control ? "an action, a table, a variable, an instance, or 'apply'"
                             : "a state, a variable, or an instance");
}

static void state(struct p4_parser *p, void *into) {
  struct decls *states = into;
  struct p4_annotation *notes = p4_read_annotations(p);
  p4_expect(p, "state");
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_STATE, p4_read_name(p, "the name of a state"), notes, states->owner);
  d->state = p4_read_state(p);
  append(states, d);
}

// What stands behind annotations.
static const struct p4_token *behind_annotations(const struct p4_parser *p) {
  const struct p4_token *t = p->now;
  while (p4_token_is(t, "@") && t[1].kind != P4_TOKEN_END) {
    const bool round = p4_token_is(t + 2, "("), square = p4_token_is(t + 2, "[");
    t += 2;
    if (!round && !square) continue;
    for (int depth = 0; t->kind != P4_TOKEN_END; t++) {
      if (p4_token_is(t, round ? "(" : "[")) depth++;
      if (p4_token_is(t, round ? ")" : "]") && --depth == 0) break;
    }
    if (t->kind != P4_TOKEN_END) t++;
  }
  return t;
}

static void parser_body(struct p4_parser *p, struct p4_decl *d) {
  struct decls locals = {d, &d->members}, states = {d, &d->states};
  while (!is(p, "}") && p->now->kind != P4_TOKEN_END) {
    if (p4_token_is(behind_annotations(p), "state")) p4_attempt(p, state, &states);
    else p4_attempt(p, local, &locals);
  }
}

static void apply_block(struct p4_parser *p, void *into) {
  struct p4_decl *d = into;
  struct p4_annotation *notes = p4_read_annotations(p);
  const struct p4_token *at = p->now;
  p4_expect(p, "apply");
  if (d->body) p4_syntax_error(p, at->place, "twice", "a control has one 'apply'");
  d->body = p4_read_block(p);
  d->body->annotations = notes;
}

static void control_body(struct p4_parser *p, struct p4_decl *d) {
  struct decls locals = {d, &d->members};
  while (!is(p, "}") && p->now->kind != P4_TOKEN_END) {
    const struct p4_token *t = behind_annotations(p);
    if (p4_token_is(t, "apply") && p4_token_is(t + 1, "{")) p4_attempt(p, apply_block, d);
    else p4_attempt(p, local, &locals);
  }
  if (!d->body && p->now->kind != P4_TOKEN_END)
    p4_error(p->c, d->place, "no-apply", "control '%s' has no 'apply { .. }'", d->name);
}

static struct p4_decl *parser_or_control(struct p4_parser *p, struct p4_annotation *notes) {
  const enum p4_decl_kind kind = is(p, "parser") ? P4_DECL_PARSER : P4_DECL_CONTROL;
  p->now++;
  struct p4_decl *d = p4_decl_new(p, kind, p4_read_name(p, "a name"), notes, NULL);
  p4_bind(p, d->name, true);
  struct p4_binding *const names = p4_scope(p);
  d->type_params = p4_read_type_params(p, d);
  d->params = p4_read_parameters(p, d);
  if (is(p, "(")) d->constructor_params = p4_read_parameters(p, d);
  if (p4_accept(p, "{")) {
    d->has_body = true;
    if (kind == P4_DECL_PARSER) parser_body(p, d);
    else control_body(p, d);
    p4_expect(p, "}");
  } else {
    p4_semicolon(p);
  }
  p4_scope_back(p, names);
  return d;
}

static struct p4_decl *package(struct p4_parser *p, struct p4_annotation *notes) {
  p->now++;
  struct p4_decl *d =
      p4_decl_new(p, P4_DECL_PACKAGE, p4_read_name(p, "the name of a package"), notes, NULL);
  p4_bind(p, d->name, true);
  struct p4_binding *const names = p4_scope(p);
  d->type_params = p4_read_type_params(p, d);
  d->constructor_params = p4_read_parameters(p, d);
  p4_scope_back(p, names);
  p4_semicolon(p);
  return d;
}

// ---- the program -------------------------------------------------------------------------------

// `T name(..) { .. }`, `T name;` (which the checker refuses), `T(args) name;`
static struct p4_decl *typed(struct p4_parser *p, struct p4_annotation *notes) {
  if (!p4_starts_type(p))
    p4_unexpected(p, "a declaration, as of a header, struct, parser or control,");
  const struct p4_token *const start = p->now;
  struct p4_written *w = p4_read_type(p);
  if (is(p, "(")) return instance(p, notes, w, NULL);
  if (p4_is_name(p->now) && (is_next(p, "(") || is_next(p, "<"))) {
    struct p4_binding *const names = p4_scope(p);
    struct p4_decl *d = function(p, notes, w, NULL, true);
    p4_scope_back(p, names);
    p4_bind(p, d->name, false);
    return d;
  }
  p->now = start;
  return p4_read_variable(p, notes, NULL);
}

static struct p4_decl *declaration(struct p4_parser *p) {
  struct p4_annotation *notes = p4_read_annotations(p);
  if (is(p, "const")) return p4_read_constant(p, notes, NULL);
  if (is(p, "extern")) return external(p, notes);
  if (is(p, "action")) return action(p, notes, NULL);
  if (is(p, "package")) return package(p, notes);
  if (is(p, "error") && is_next(p, "{")) return members_of(p, P4_DECL_ERROR);
  if (is(p, "match_kind") && is_next(p, "{")) return members_of(p, P4_DECL_MATCH_KIND);
  if (is(p, "parser") || is(p, "control")) return parser_or_control(p, notes);
  if (is(p, "typedef") || (is(p, "type") && !is_next(p, "("))) return renamed_type(p, notes);
  struct p4_decl *d = derived_type(p, notes, NULL);
  return d ? d : typed(p, notes);
}

static void top_level(struct p4_parser *p, void *into) { append(into, declaration(p)); }

void p4_parse(struct p4_context *c, const struct p4_tokens *tokens, struct p4_program *program) {
  struct p4_parser *p = NEW(c->arena, struct p4_parser);
  p->c = c;
  p->now = tokens->list;
  p->program = program;
  struct decls all = {NULL, &program->decls};
  while (p->now->kind != P4_TOKEN_END) {
    if (p4_accept(p, ";")) continue;
    if (is(p, "}")) {
      p4_error(c, p->now->place, "syntax", "'}' without a '{' before it");
      p->now++;
      continue;
    }
    p4_attempt(p, top_level, &all);
  }
}
