// SPDX-License-Identifier: Apache-2.0
// Tokens to a syntax tree, by recursive descent. Each function is named after the grammar rule
// above it, starts at p->now and leaves p->now behind what it read. A wrong token ends the
// statement, field or declaration in which it stands; the parse goes on behind its `;` or `}`, so
// that one run tells several errors.
#include "parser.h"
#include "table.h"

enum { MAX_DEPTH = 200 };  // nesting of expressions and statements

// A `;` that is missing before a `}`, or at the end of a line, is told and taken as if it were
// there.
void parse_semicolon(struct parser *p) {
  if (accept(p, ";")) return;
  if (p->now->kind == TOKEN_END || (!is(p, "}") && p->now->line == p->now[-1].line))
    unexpected(p, "';'");
  diag_error(p->c, p->now, "syntax", "'" TOKEN "' where ';' should be", TOKEN_ARGS(p->now));
}

// To behind the `;` or `}` that ends what p->now is in, or before the `}` around it. Between
// declarations (`outside`) the next program or option is an end as well.
static void skip(struct parser *p, const struct token *start, bool outside) {
  int braces = 0, parentheses = 0;
  do {
    bool loop = is(p, "for");  // the semicolons of its head end nothing
    for (; p->now->kind != TOKEN_END; p->now++) {
      if (outside && !braces && p->now > start &&
          (is(p, "void") || is(p, "egress") || is(p, "option") || is(p, "bind") ||
           is(p, "malleable") || is(p, "table") || is(p, "lookup") || is(p, "reaction")))
        return;
      if (loop && is(p, "(")) parentheses++;
      if (parentheses && is(p, ")")) parentheses--;
      if (is(p, "{")) braces++;
      if (is(p, "}") && --braces < 0) return;
      if (!braces && !parentheses && (is(p, ";") || is(p, "}"))) break;
    }
    if (p->now->kind == TOKEN_END) arena_give_up(p->c->arena, ARENA_TOLD);
    p->now++;
  } while (accept(p, "else"));
}

// Runs a rule; false after an error in it, behind what it could not read.
bool parse_attempt(struct parser *p, void (*rule)(struct parser *p, void *into), void *into) {
  jmp_buf here, *outer = p->recover;
  const struct token *const start = p->now;
  const int depth = p->depth;
  if (setjmp(here) == 0) {
    p->recover = &here;
    rule(p, into);
    p->recover = outer;
    return true;
  }
  p->recover = outer;
  p->depth = depth;
  skip(p, start, !outer);
  return false;
}

const struct token *parse_name(struct parser *p, const char *wanted) {
  static const char *const reserved[] = {
      "int",    "void", "struct", "if",     "else",     "for",    "while",    "do",
      "switch", "case", "goto",   "break",  "continue", "return", "unsigned", "long",
      "short",  "char", "float",  "double", "static",   "const",  "sizeof",   "typedef"};
  if (p->now->kind != TOKEN_NAME) unexpected(p, wanted);
  for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
    if (is(p, reserved[i])) unexpected(p, wanted);
  return p->now++;
}

static struct expr *expr_new(struct parser *p, enum expr_kind kind, const struct token *at) {
  struct expr *e = NEW(p->c->arena, struct expr);
  e->kind = kind;
  e->at = at;
  return e;
}

static struct expr *expr_op(struct parser *p, enum op op, const struct token *at, struct expr *x,
                            struct expr *y) {
  struct expr *e = expr_new(p, EXPR_OP, at);
  e->op = op;
  e->arg[0] = x;
  e->arg[1] = y;
  e->num_args = y ? 2 : 1;
  x->up = e;
  return e;
}

static void deeper(struct parser *p) {
  if (++p->depth > MAX_DEPTH)
    diag_fatal(p->c, p->now, "too-deep", "more than %d levels of nesting", MAX_DEPTH);
}

static struct expr *expr(struct parser *p);

// The slice of P4, as [15:8]; `open` is its bracket.
static _Noreturn void bit_slice(struct parser *p, const struct token *open) {
  const bool numbers = open[1].kind == TOKEN_NUMBER && open[3].kind == TOKEN_NUMBER;
  const uint64_t high = numbers ? open[1].wide : 0, low = numbers ? open[3].wide : 0;
  if (!numbers || high > 31 || low > high)
    syntax_error(p, open, "bit-slice", "there are no slices of bits: write '>>' and '&'");
  if (low)
    syntax_error(p, open, "bit-slice", "there are no slices of bits: write '>> %u & 0x%x'",
                 (unsigned)low, (unsigned)((UINT64_C(2) << (high - low)) - 1));
  syntax_error(p, open, "bit-slice", "there are no slices of bits: write '& 0x%x'",
               (unsigned)((UINT64_C(2) << high) - 1));
}

// primary := number | "(" expr ")" | name "." name | name "[" expr "]" | name "(" expr,* ")" | name
static struct expr *primary(struct parser *p) {
  if (p->now->kind == TOKEN_NUMBER) {
    struct expr *e = expr_new(p, EXPR_NUMBER, p->now);
    e->above = (uint16_t)(p->now->wide >> 32);
    e->value = p->now++->value;
    return e;
  }
  if (accept(p, "(")) {
    struct expr *e = expr(p);
    expect(p, ")");
    return e;
  }
  const struct token *base = parse_name(p, "an expression");
  struct expr *e = expr_new(p, EXPR_STATE, base);
  e->base = e->name = base;
  if (accept(p, ".")) {
    e->kind = EXPR_FIELD;
    e->name = parse_name(p, "the name of a packet field");
  } else if (accept(p, "[")) {
    const struct token *const open = p->now - 1;
    e->arg[0] = expr(p);
    e->num_args = 1;
    if (is(p, ":")) bit_slice(p, open);
    expect(p, "]");
  }
  if (e->kind != EXPR_CALL && (e->num_args || e->kind == EXPR_FIELD) && is(p, "[") &&
      p->now[1].kind == TOKEN_NUMBER && p->now[2].len == 1 && *p->now[2].text == ':')
    bit_slice(p, p->now);
  if (e->kind != EXPR_CALL && (e->num_args || e->kind == EXPR_FIELD) && is(p, "["))
    syntax_error(p, p->now, "row-word",
                 "a word of a row cannot be named: a statement is about whole rows");
  if (e->kind == EXPR_STATE && !e->num_args && accept(p, "(")) {
    e->kind = EXPR_CALL;
    while (!is(p, ")")) {
      if (e->num_args == 3)
        syntax_error(p, p->now, "arguments", "a call has at most three arguments");
      e->arg[e->num_args++] = expr(p);
      if (!accept(p, ",")) break;
    }
    expect(p, ")");
  }
  return e;
}

// unary := ("!" | "-" | "~" | "+") unary | primary
static struct expr *unary(struct parser *p) {
  deeper(p);
  const struct token *at = p->now;
  struct expr *e;
  if (accept(p, "!")) e = expr_op(p, OP_LNOT, at, unary(p), NULL);
  else if (accept(p, "-")) e = expr_op(p, OP_NEG, at, unary(p), NULL);
  else if (accept(p, "~")) e = expr_op(p, OP_NOT, at, unary(p), NULL);
  else if (accept(p, "+")) e = expr_op(p, OP_PLUS, at, unary(p), NULL);
  else e = primary(p);
  p->depth--;
  return e;
}

// binary operators, loosest first
static const struct {
  const char *text;
  enum op op;
  int level;
} operators[] = {
    {"||", OP_LOR, 0}, {"&&", OP_LAND, 1}, {"|", OP_OR, 2},   {"^", OP_XOR, 3}, {"&", OP_AND, 4},
    {"==", OP_EQ, 5},  {"!=", OP_NE, 5},   {"<", OP_LT, 6},   {"<=", OP_LE, 6}, {">", OP_GT, 6},
    {">=", OP_GE, 6},  {"<<", OP_SHL, 7},  {">>", OP_SRA, 7}, {"+", OP_ADD, 8}, {"-", OP_SUB, 8},
    {"*", OP_MUL, 9},  {"/", OP_DIV, 9},   {"%", OP_MOD, 9},
};
enum { NUM_OPERATORS = sizeof operators / sizeof operators[0] };

// The binary operator that stands here, or -1.
static int operator(const struct parser *p) {
  for (int i = 0; p->now->kind == TOKEN_MARK && i < NUM_OPERATORS; i++)
    if (is(p, operators[i].text)) return i;
  return -1;
}

// binary(n) := unary (operator of level n or tighter, and what binds tighter than it)*
static struct expr *binary(struct parser *p, int level) {
  struct expr *e = unary(p);
  for (int i = operator(p); i >= 0 && operators[i].level >= level; i = operator(p)) {
    const struct token *at = p->now++;
    e = expr_op(p, operators[i].op, at, e, binary(p, operators[i].level + 1));
  }
  return e;
}

// expr := binary(0) ["?" expr ":" expr]
static struct expr *expr(struct parser *p) {
  deeper(p);
  struct expr *e = binary(p, 0);
  if (is(p, "?")) {
    struct expr *choice = expr_new(p, EXPR_COND, p->now++);
    choice->arg[0] = e;
    choice->arg[1] = expr(p);
    expect(p, ":");
    choice->arg[2] = expr(p);
    choice->num_args = 3;
    e = choice;
  }
  p->depth--;
  return e;
}

struct expr *parse_expr(struct parser *p) {
  return expr(p);
}

// assign := lvalue ("=" | "op=") expr ";" | lvalue "=" lookup        a op= b means a = a op (b)
static struct stmt *assign(struct parser *p) {
  struct stmt *s = NEW(p->c->arena, struct stmt);
  s->kind = STMT_ASSIGN;
  s->target = primary(p);
  s->at = p->now;
  if (s->target->kind != EXPR_FIELD && s->target->kind != EXPR_STATE)
    syntax_error(p, s->target->at, "assign-target",
                 "only a packet field or a state variable can be assigned");
  if (accept(p, "=")) {
    if (parse_at_lookup(p)) return parse_lookup(p, s->target);
    s->value = expr(p);
  } else {
    for (int i = 0; i < NUM_OPERATORS && !s->value; i++) {
      char text[8];
      snprintf(text, sizeof text, "%s=", operators[i].text);
      if (operators[i].level != 5 && operators[i].level != 6 && is(p, text)) {
        p->now++;
        s->value = expr_op(p, operators[i].op, s->at, s->target, expr(p));
      }
    }
    if (!s->value) unexpected(p, "'='");
  }
  parse_semicolon(p);
  return s;
}

static struct stmt *stmt(struct parser *p);

static void one_stmt(struct parser *p, void *into) { *(struct stmt **)into = stmt(p); }

// block := "{" stmt* "}"
static struct stmt *block(struct parser *p) {
  struct stmt *s = NEW(p->c->arena, struct stmt);
  s->kind = STMT_BLOCK;
  s->at = expect(p, "{");
  struct stmt **end = &s->body;
  while (!is(p, "}") && p->now->kind != TOKEN_END) {
    struct stmt *next = NULL;
    if (!parse_attempt(p, one_stmt, &next)) continue;
    *end = next;
    end = &next->next;
  }
  expect(p, "}");
  return s;
}

// apply := "apply" "(" name ")" ";"
static struct stmt *apply(struct parser *p) {
  struct stmt *s = NEW(p->c->arena, struct stmt);
  s->kind = STMT_APPLY;
  s->at = expect(p, "apply");
  expect(p, "(");
  s->name = parse_name(p, "the name of a table");
  expect(p, ")");
  parse_semicolon(p);
  return s;
}

// stmt := "if" "(" expr ")" stmt ["else" stmt] | block | ";" | apply | lookup | assign
static struct stmt *stmt(struct parser *p) {
  static const struct {
    const char *word, *why;
  } banned[] = {{"for", "a packet passes each stage once"},
                {"while", "a packet passes each stage once"},
                {"do", "a packet passes each stage once"},
                {"continue", "a packet passes each stage once"},
                {"switch", "write 'if (..) .. else if (..) ..', or a table with an exact key"},
                {"case", "write 'if (..) .. else if (..) ..', or a table with an exact key"},
                {"break", "there is no loop or 'switch' to leave"},
                {"goto", "statements are done in their order; 'if' chooses among them"},
                {"return", "put what follows into an 'else'"}};
  deeper(p);
  const struct token *at = p->now;
  struct stmt *s;
  for (size_t i = 0; i < sizeof banned / sizeof banned[0]; i++)
    if (is(p, banned[i].word))
      syntax_error(p, at, "no-jumps", "'%s' is not in the language: %s", banned[i].word,
                   banned[i].why);
  if (is(p, "int") || is(p, "unsigned"))
    syntax_error(p, at, "no-locals", "there are no local variables: add a field to struct Packet");
  if (accept(p, "if")) {
    s = NEW(p->c->arena, struct stmt);
    s->kind = STMT_IF;
    s->at = at;
    expect(p, "(");
    s->value = expr(p);
    if (is(p, "=")) syntax_error(p, p->now, "syntax", "'=' assigns: a comparison is '=='");
    expect(p, ")");
    s->then = stmt(p);
    if (accept(p, "else")) s->otherwise = stmt(p);
  } else if (is(p, "{")) {
    s = block(p);
  } else if (accept(p, ";")) {
    s = NEW(p->c->arena, struct stmt);
    s->kind = STMT_BLOCK;
    s->at = at;
  } else if (is(p, "apply") && p->now[1].len == 1 && *p->now[1].text == '(') {
    s = apply(p);
  } else if (parse_at_lookup(p)) {
    s = parse_lookup(p, NULL);
  } else {
    s = assign(p);
  }
  p->depth--;
  return s;
}

// home := "@" (name "." name | "bytes" "(" expr "," expr ")" | "array" "(" expr ")")
static void home(struct parser *p, struct field *f) {
  expect(p, "@");
  f->tie_at = p->now;
  if (accept(p, "bytes")) {
    expect(p, "(");
    f->tie_offset = expr(p);
    expect(p, ",");
    f->tie_width = expr(p);
    expect(p, ")");
  } else if (accept(p, "array")) {
    expect(p, "(");
    f->tie_array = expr(p);
    expect(p, ")");
  } else {
    f->tie_group = parse_name(p, "a header, 'meta', 'bytes(offset, width)' or 'array(offset)'");
    expect(p, ".");
    f->tie_name = parse_name(p, "the name of a header field");
  }
}

// field := "int" name ["[" expr "]"] [home] ";"
static void field(struct parser *p, void *into) {
  struct field ***end = into;
  expect(p, "int");
  struct field *f = NEW(p->c->arena, struct field);
  f->at = parse_name(p, "the name of a packet field");
  if (accept(p, "[")) {
    f->words = expr(p);
    expect(p, "]");
  }
  if (is(p, "@")) home(p, f);
  parse_semicolon(p);
  **end = f;
  *end = &f->next;
  p->program->num_fields++;
}

// bind := "bind" name home ";"        the home of a field of struct Packet, said elsewhere
static void bind(struct parser *p) {
  struct field *f = NEW(p->c->arena, struct field);
  expect(p, "bind");
  f->at = parse_name(p, "the name of a packet field");
  home(p, f);
  parse_semicolon(p);
  *p->bind_end = f;
  p->bind_end = &f->next;
}

// struct := "struct" "Packet" "{" field* "}" ";"
static void packet(struct parser *p) {
  if (p->system ? p->system_struct : p->program->struct_at) {
    diag_error(p->c, p->now, "twice", "a second struct Packet");
    diag_note(p->c, p->system ? p->system_struct : p->program->struct_at, "the first one is here");
    longjmp(*p->recover, 1);
  }
  expect(p, "struct");
  const struct token *at = expect(p, "Packet");
  if (p->system) p->system_struct = at;
  else p->program->struct_at = at;
  expect(p, "{");
  struct field **end = &p->program->field_list;
  while (*end) end = &(*end)->next;
  while (!is(p, "}") && p->now->kind != TOKEN_END) parse_attempt(p, field, &end);
  expect(p, "}");
  parse_semicolon(p);
}

// range := "in" expr ".." expr
static void range(struct parser *p, struct malleable *m) {
  m->low_expr = expr(p);
  expect(p, ".");
  expect(p, ".");
  m->high_expr = expr(p);
}

// choice := name "." name
static const struct token *choice(struct parser *p, struct malleable *m) {
  const struct token *packet = parse_name(p, "a packet field, as 'p.src'");
  if (!m->packet) m->packet = packet;
  if (m->packet->len != packet->len || memcmp(m->packet->text, packet->text, packet->len) != 0)
    syntax_error(p, packet, "unknown-name", "'" TOKEN "' and '" TOKEN "' cannot both be the packet",
                 TOKEN_ARGS(m->packet), TOKEN_ARGS(packet));
  expect(p, ".");
  return parse_name(p, "the name of a packet field");
}

// malleable := "malleable" ("int" name "=" expr [range]
//              | "field" name "=" choice "among" "{" choice ("," choice)* "}") ";"
static void malleable(struct parser *p) {
  struct malleable *m = NEW(p->c->arena, struct malleable), **end = &p->program->malleable_list;
  expect(p, "malleable");
  m->is_field = accept(p, "field");
  if (!m->is_field && !accept(p, "int")) unexpected(p, "'int' or 'field'");
  m->at = parse_name(p, "the name of a malleable");
  expect(p, "=");
  if (m->is_field) {
    m->first = choice(p, m);
    expect(p, "among");
    expect(p, "{");
    do {
      if (m->num == SLUICE_MAX_CHOICES)
        syntax_error(p, p->now, "too-many-choices", "a malleable field has at most %d choices",
                     SLUICE_MAX_CHOICES);
      m->choice_at[m->num++] = choice(p, m);
    } while (accept(p, ","));
    expect(p, "}");
  } else {
    m->init_expr = expr(p);
    m->ranged = accept(p, "in");
    if (m->ranged) range(p, m);
  }
  parse_semicolon(p);
  while (*end) end = &(*end)->next;
  *end = m;
  p->program->num_malleables++;
}

static bool is_builtin(const struct token *t) {
  for (unsigned i = 0; i < num_builtins; i++)
    if (t->len == strlen(builtins[i].name) && memcmp(t->text, builtins[i].name, t->len) == 0)
      return true;
  return false;
}

// prototype := "int" name "(" ... ")" ";"        of what is built in, as in published programs
static void prototype(struct parser *p, const struct token *at) {
  while (!is(p, ")") && !is(p, ";") && !is(p, "{") && p->now->kind != TOKEN_END) p->now++;
  if (accept(p, ")") && is(p, ";") && is_builtin(at)) p->now++;
  else
    syntax_error(p, at, "helper",
                 "functions of one's own are not in the language; there are hash2, hash3 and hash");
}

// state := "int" name ["[" expr "]" ["[" expr "]"]] ["@" ("stage" "(" expr ")" | "egress")]
//          ["=" (expr | "{" expr "}")] ";"
static void state(struct parser *p, struct state ***end) {
  expect(p, "int");
  struct state *s = NEW(p->c->arena, struct state);
  s->at = parse_name(p, "the name of a state variable");
  if (is(p, "(")) {
    prototype(p, s->at);
    return;
  }
  if (accept(p, "[")) {
    s->size = expr(p);
    expect(p, "]");
    if (accept(p, "[")) {
      s->words = expr(p);
      expect(p, "]");
    }
  }
  if (accept(p, "@")) {
    if (is(p, "egress")) s->egress_at = p->now++;
    else {
      s->stage_at = p->now;
      if (!accept(p, "stage")) unexpected(p, "'stage(number)' or 'egress'");
      expect(p, "(");
      s->stage = expr(p);
      expect(p, ")");
    }
  }
  if (accept(p, "=")) {
    bool braces = accept(p, "{");
    s->init = expr(p);
    if (braces) {
      if (is(p, ","))
        syntax_error(p, p->now, "initialiser",
                     "one initial value is given, and every entry gets it");
      expect(p, "}");
    }
  }
  parse_semicolon(p);
  **end = s;
  *end = &s->next;
  p->program->num_states++;
}

// param := "int" name [":" expr]
static void param(struct parser *p, struct function *f) {
  expect(p, "int");
  if (f->num_args == SLUICE_MAX_ARGS)
    syntax_error(p, p->now, "arguments", "an action has at most %d parameters", SLUICE_MAX_ARGS);
  struct table_arg *a = &f->arg[f->num_args++];
  a->at = parse_name(p, "the name of a parameter");
  if (accept(p, ":")) a->width_expr = expr(p);
}

// func := ["egress"] "void" name "(" "struct" "Packet" name ("," param)* ")" "{" stmt* "}"
static void func(struct parser *p) {
  struct function *f = NEW(p->c->arena, struct function), **end = &p->program->functions;
  f->egress = accept(p, "egress");
  expect(p, "void");
  f->at = parse_name(p, "the name of the program");
  expect(p, "(");
  expect(p, "struct");
  expect(p, "Packet");
  f->packet = parse_name(p, "the name of the packet");
  while (accept(p, ",")) param(p, f);
  expect(p, ")");
  while (*end) end = &(*end)->next;
  *end = f;
  f->body = block(p);
}

// flow_order := "flow_order" "(" expr ("," name)* ")"
static void flow_order(struct parser *p) {
  struct flow_order *f = &p->program->flow_order;
  const struct token *at = expect(p, "flow_order");
  if (f->size) {
    diag_error(p->c, at, "twice", "a second flow order");
    diag_note(p->c, f->at, "the first one is here");
    longjmp(*p->recover, 1);
  }
  f->at = at;
  expect(p, "(");
  f->size = expr(p);
  while (accept(p, ",")) {
    if (f->num_fields == MAX_FLOW_FIELDS)
      syntax_error(p, p->now, "arguments", "a flow is told by at most %d fields", MAX_FLOW_FIELDS);
    f->name[f->num_fields++] = parse_name(p, "the name of a packet field");
  }
  expect(p, ")");
}

// option := "option" ("checksum" | "require" ("ip" | "udp") | flow_order) ";"
static void option(struct parser *p) {
  if (is(p, "checksum")) {
    p->program->checksum_at = p->now++;
    p->program->checksum = true;
  } else if (accept(p, "require")) {
    if (!is(p, "ip") && !is(p, "udp")) unexpected(p, "'ip' or 'udp'");
    p->program->need_ip |= is(p, "ip");
    p->program->need_udp |= is(p, "udp");
    p->now++;
  } else if (is(p, "flow_order")) {
    flow_order(p);
  } else {
    unexpected(p, "'checksum', 'flow_order' or 'require'");
  }
  parse_semicolon(p);
}

// `malleable table`: every table can change, the word says so to who reads it.
static bool is_table(const struct token *t) {
  return t->kind == TOKEN_NAME && t->len == 5 && memcmp(t->text, "table", 5) == 0;
}

// declaration := option | malleable | reaction | bind | struct | table | word_table | state
//                | prototype | func
static void declaration(struct parser *p, void *states) {
  if (accept(p, "option")) option(p);
  else if (is(p, "malleable") && is_table(p->now + 1)) {
    p->now++;
    parse_table(p);
  } else if (is(p, "malleable")) malleable(p);
  else if (is(p, "reaction")) p->now = reaction_parse(p->c, p->now);
  else if (is(p, "bind")) bind(p);
  else if (is(p, "struct")) packet(p);
  else if (is(p, "table")) parse_table(p);
  else if (is(p, "lookup")) parse_word_table(p);
  else if (is(p, "int")) state(p, states);
  else if (is(p, "void") || is(p, "egress")) func(p);
  else if (word_of_p4(p->now) || ((is(p, "const") || is(p, "typedef")) && word_of_p4(p->now + 1)))
    refuse_p4(p->c, p->now);
  else unexpected(p, "'struct Packet', a state variable 'int ...' or the program 'void ...'");
}

// file := declaration*
static void file(struct parser *p, struct state ***states) {
  while (p->now->kind != TOKEN_END)
    if (!parse_attempt(p, declaration, states) && accept(p, "}")) accept(p, ";");
  give_up_on_errors(p->c);
}

void parse(struct ir_context *c) {
  struct parser p = {
      .c = c, .program = c->program, .now = c->program->tokens, .bind_end = &c->program->bind_list};
  struct state **states = &c->program->state_list;
  file(&p, &states);
  if (!c->program->struct_at) diag_fatal(c, p.now, "syntax", "the program has no struct Packet");
  if (c->program->system) {
    p.now = c->program->system;
    p.system = true;
    file(&p, &states);
  }
  parse_program(&p);
  if (c->program->system) system_join(c);
  egress_split(c);
}
