// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdarg.h>

#include "tests/rig/p4_gen.h"

/// A program of p4_gen.h as P4-16 text: as it stands, or `turned` into another form that means the
/// same. There expressions are taken apart into variables, operators said by others, constants
/// hidden from the compiler, conditions turned round, functions, actions and tables written out
/// where they are used, loops unrolled, and cases of select made states.
struct gprint {
  const struct gprogram *p;
  FILE *out;
  bool turned;
  bool wrong;  // of a test of the test: the turned form subtracts one too much
  unsigned names;
  char *memory;
  size_t used, room;
};

static inline const char *gp_format(struct gprint *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline const char *gp_format(struct gprint *o, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = o->memory + o->used;
  const int len = vsnprintf(text, o->room - o->used, format, arguments);
  va_end(arguments);
  if (len < 0 || (size_t)len + 1 > o->room - o->used) abort();
  o->used += (size_t)len + 1;
  return text;
}
static inline const char *gp_type(struct gprint *o, struct gt t) {
  if (t.truth) return "bool";
  return gp_format(o, "%s<%u>", t.sign ? "int" : "bit", t.width);
}

// ---- expressions --------------------------------------------------------------------------------

static inline const char *gp_expr(struct gprint *o, const struct gx *x);

static inline const char *gp_number(struct gprint *o, struct gt t, uint64_t high, uint64_t low) {
  const char *text = high ? gp_format(o, "%uw0x%llx%016llx", t.width, (unsigned long long)high,
                                      (unsigned long long)low)
                          : gp_format(o, "%uw0x%llx", t.width, (unsigned long long)low);
  if (o->turned) text = gp_format(o, "(%s ^ (bit<%u>)m.zero)", text, t.width);
  return t.sign ? gp_format(o, "(int<%u>)%s", t.width, text) : text;
}
static inline const char *gp_literal(struct gprint *o, const struct gx *x) {
  if (!x->type.truth) return gp_number(o, x->type, x->value[1], x->value[0]);
  if (o->turned) return x->value[0] ? "(m.zero == 0)" : "(m.zero != 0)";
  return x->value[0] ? "true" : "false";
}
// A variable that holds an expression; the expression itself in the plain form.
static inline const char *gp_keep(struct gprint *o, struct gt type, const char *text) {
  if (!o->turned) return gp_format(o, "(%s)", text);
  const char *name = gp_format(o, "t%u", ++o->names);
  fprintf(o->out, "%s %s = %s;\n", gp_type(o, type), name, text);
  return name;
}
static inline const char *gp_saturated(struct gprint *o, const struct gx *x, const char *a,
                                       const char *b) {
  const unsigned w = x->type.width;
  const char *s = x->type.sign ? "int" : "bit";
  if (!x->type.sign && x->op[1] == '-')
    return gp_format(o, "%s < %s ? %s - %s : %s - %s", a, b, a, a, a, b);
  const char *sum = gp_format(o, "t%u", ++o->names);
  fprintf(o->out, "%s<%u> %s = (%s<%u>)%s %c (%s<%u>)%s;\n", s, w + 1, sum, s, w + 1, a, x->op[1],
          s, w + 1, b);
  const char *bits = gp_format(o, "(bit<%u>)%s", w + 1, sum);
  // unsigned: a carry; signed: the two upper bits differ
  if (!x->type.sign)
    return gp_format(o, "(%s)[%u:%u] == 1 ? ~(%s ^ %s) : (bit<%u>)%s", bits, w, w, a, a, w, sum);
  return gp_format(
      o,
      "(%s)[%u:%u] == (%s)[%u:%u] ? (int<%u>)%s : (%s < 0 ? (int<%u>)((bit<%u>)1 << %u) "
      ": ~(int<%u>)((bit<%u>)1 << %u))",
      bits, w, w, bits, w - 1, w - 1, w, sum, sum, w, w, w - 1, w, w, w - 1);
}
static inline const char *gp_binary(struct gprint *o, const struct gx *x) {
  const char *a = gp_expr(o, x->a), *b = gp_expr(o, x->b);
  if (!o->turned) return gp_format(o, "%s %s %s", a, x->op, b);
  if (x->op[0] == '|' && x->op[1]) return gp_saturated(o, x, a, b);
  if (x->op[0] == '-') return gp_format(o, "%s + ~%s + %d", a, b, !o->wrong);
  if (x->op[0] == '|') return gp_format(o, "~(~%s & ~%s)", a, b);
  if (x->op[0] == '^') return gp_format(o, "(%s | %s) & ~(%s & %s)", a, b, a, b);
  return gp_format(o, "%s %s %s", a, x->op, b);
}
static inline const char *gp_logic(struct gprint *o, const struct gx *x) {
  const char *a = gp_expr(o, x->a), *b = gp_expr(o, x->b);
  if (!o->turned) return gp_format(o, "%s %s %s", a, x->op, b);
  if (x->kind == GX_LOGIC)
    return gp_format(o, "!(!%s %s !%s)", a, x->op[0] == '&' ? "||" : "&&", b);
  const char *turned = x->op[0] == '<' ? x->op[1] ? ">" : ">=" : x->op[1] ? "<" : "<=";
  if (x->op[0] == '=') turned = "!=";
  if (x->op[0] == '!') turned = "==";
  return gp_format(o, "!(%s %s %s)", a, turned, b);
}
static inline const char *gp_index(struct gprint *o, const struct gx *x) {
  const char *i = gp_expr(o, x->a);
  if (!o->turned) return gp_format(o, "h.st[%s ^ m.zero[1:0]].x", i);
  return gp_format(o, "%s == 0 ? h.st[0].x : %s == 1 ? h.st[1].x : %s == 2 ? h.st[2].x : 8w0", i, i,
                   i);
}
static inline const char *gp_shift(struct gprint *o, const struct gx *x) {
  const char *a = gp_expr(o, x->a), *b = gp_expr(o, x->b);
  if (!o->turned || !x->type.sign || x->op[0] == '<') return gp_format(o, "%s %s %s", a, x->op, b);
  return gp_format(o, "%s < 0 ? ~(~%s >> %s) : %s >> %s", a, a, b, a, b);
}
static inline const char *gp_cond(struct gprint *o, const struct gx *x) {
  const char *a = gp_expr(o, x->a), *b = gp_expr(o, x->b), *c = gp_expr(o, x->c);
  if (!o->turned) return gp_format(o, "%s ? %s : %s", a, b, c);
  const char *name = gp_format(o, "t%u", ++o->names);
  fprintf(o->out, "%s %s; if (!%s) %s = %s; else %s = %s;\n", gp_type(o, x->type), name, a, name, c,
          name, b);
  return name;
}
static inline const char *gp_cast(struct gprint *o, const struct gx *x) {
  const struct gt to = x->type, from = x->a->type;
  const char *a = gp_expr(o, x->a);
  // the sign changes at the width that it has
  if (!from.truth && to.sign != from.sign && to.width != from.width)
    a = gp_format(o, "(%s<%u>)%s", to.sign ? "int" : "bit", from.width, a);
  return gp_format(o, "(%s)%s", gp_type(o, to), a);
}
static inline const char *gp_parts(struct gprint *o, const struct gx *x) {
  const char *a = gp_expr(o, x->a);
  const unsigned w = x->type.width;
  if (x->kind == GX_SLICE) {
    if (!o->turned) return gp_format(o, "%s[%u:%u]", a, x->high, x->low);
    return gp_format(o, "(bit<%u>)((bit<%u>)%s >> %u)", w, x->a->type.width, a, x->low);
  }
  const char *b = gp_expr(o, x->b);
  if (!o->turned) return gp_format(o, "%s ++ %s", a, b);
  return gp_format(o, "(bit<%u>)%s << %u | (bit<%u>)%s", w, a, x->b->type.width, w, b);
}
static inline const char *gp_expr(struct gprint *o, const struct gx *x) {
  const char *text = NULL;
  switch (x->kind) {
    case GX_LITERAL: text = gp_literal(o, x); break;
    case GX_NAME: return x->name;
    case GX_INDEX: text = gp_index(o, x); break;
    case GX_BINARY: text = gp_binary(o, x); break;
    case GX_SHIFT: text = gp_shift(o, x); break;
    case GX_UNARY:
      text = gp_expr(o, x->a);
      text = o->turned && x->op[0] == '-' ? gp_format(o, "~%s + 1", text)
                                          : gp_format(o, "%s%s", x->op, text);
      break;
    case GX_CAST: text = gp_cast(o, x); break;
    case GX_SLICE:
    case GX_CONCAT: text = gp_parts(o, x); break;
    case GX_COND: text = gp_cond(o, x); break;
    case GX_COMPARE:
    case GX_LOGIC: text = gp_logic(o, x); break;
    case GX_VALID: text = gp_format(o, "%s.isValid()", x->name); break;
  }
  return gp_keep(o, x->type, text);
}

// ---- statements ---------------------------------------------------------------------------------

static inline void gp_block(struct gprint *o, const struct gs *s);

// A block in braces.
static inline void gp_braces(struct gprint *o, const struct gs *s) {
  fprintf(o->out, "{\n");
  gp_block(o, s);
  fprintf(o->out, "}\n");
}
static inline void gp_slice(struct gprint *o, const struct gs *s) {
  const char *x = gp_expr(o, s->x);
  const unsigned w = s->type.width, n = s->high - s->low + 1;
  if (!o->turned) fprintf(o->out, "%s[%u:%u] = %s;\n", s->name, s->high, s->low, x);
  else
    fprintf(o->out, "%s = (%s & ~((bit<%u>)(~(bit<%u>)0) << %u)) | (bit<%u>)%s << %u;\n", s->name,
            s->name, w, n, s->low, w, x, s->low);
}
static inline void gp_compound(struct gprint *o, const struct gs *s) {
  if (!o->turned) {
    fprintf(o->out, "%s %s= %s;\n", s->name, s->op, gp_expr(o, s->x));
    return;
  }
  struct gx target = {.kind = GX_NAME, .type = s->type, .name = s->name};
  struct gx left = target;
  struct gx both = {.kind = GX_BINARY, .type = s->type, .op = s->op, .a = &left, .b = s->x};
  fprintf(o->out, "%s = %s;\n", s->name, gp_expr(o, &both));
}
static inline void gp_index_store(struct gprint *o, const struct gs *s) {
  const char *i = gp_expr(o, s->y), *x = gp_expr(o, s->x);
  if (!o->turned) {
    fprintf(o->out, "h.st[%s ^ m.zero[1:0]].x = %s;\n", i, x);
    return;
  }
  fprintf(o->out,
          "if (%s == 0) h.st[0].x = %s; else if (%s == 1) h.st[1].x = %s; else if (%s == 2) "
          "h.st[2].x = %s;\n",
          i, x, i, x, i, x);
}
static inline void gp_if(struct gprint *o, const struct gs *s) {
  const char *x = gp_expr(o, s->x);
  fprintf(o->out, o->turned ? "if (!%s) " : "if (%s) ", x);
  gp_braces(o, o->turned ? s->otherwise : s->then);
  if (!o->turned && !s->otherwise) return;
  fprintf(o->out, "else ");
  gp_braces(o, o->turned ? s->then : s->otherwise);
}
static inline void gp_switch(struct gprint *o, const struct gs *s) {
  const char *x = gp_expr(o, s->x);
  if (o->turned) x = gp_keep(o, s->x->type, x);
  else fprintf(o->out, "switch (%s) {\n", x);
  for (const struct gs *c = s->then; c; c = c->next) {
    if (c->dropped) continue;
    if (o->turned) fprintf(o->out, "if (%s == %u) ", x, c->number);
    else fprintf(o->out, "%u: ", c->number);
    gp_braces(o, c->then);
    if (o->turned) fprintf(o->out, "else ");
  }
  if (!o->turned) fprintf(o->out, "default: ");
  gp_braces(o, s->otherwise);
  if (!o->turned) fprintf(o->out, "}\n");
}
static inline bool gp_leaves(const struct gs *s) {
  for (; s; s = s->next)
    if (s->kind == GS_BREAK || s->kind == GS_CONTINUE ||
        (s->kind != GS_FOR && (gp_leaves(s->then) || gp_leaves(s->otherwise))))
      return true;
  return false;
}
static inline void gp_for(struct gprint *o, const struct gs *s) {
  if (!o->turned || gp_leaves(s->then)) {
    const char *i = s->name;
    if (o->turned) fprintf(o->out, "for (bit<8> %s = 0; %s < %u; %s += 1) ", i, i, s->number, i);
    else fprintf(o->out, "for (bit<8> %s in 0 .. %u) ", i, s->number - 1);
    gp_braces(o, s->then);
    return;
  }
  for (unsigned i = 0; i < s->number; i++) {
    fprintf(o->out, "{\nbit<8> %s = %u;\n", s->name, i);
    gp_block(o, s->then);
    fprintf(o->out, "}\n");
  }
}
static inline void gp_call(struct gprint *o, const struct gs *s) {
  const struct gfunction *f = &o->p->functions[s->number];
  const unsigned n = s->number;
  const char *x = gp_expr(o, s->x);
  if (!o->turned) {
    fprintf(o->out, "%s = f%u(%s, %s);\n", s->name, n, x, s->other);
    return;
  }
  const char *result = gp_format(o, "t%u", ++o->names), *p = gp_format(o, "t%u", ++o->names),
             *q = gp_format(o, "t%u", ++o->names);
  // what is passed is read before the names of the function hide anything
  fprintf(o->out, "%s %s = %s;\n%s %s = %s;\n%s %s;\n{\n", gp_type(o, f->p), p, x, gp_type(o, f->q),
          q, s->other, gp_type(o, f->result), result);
  fprintf(o->out, "%s f%up = %s;\n%s f%uq = %s;\n", gp_type(o, f->p), n, p, gp_type(o, f->q), n, q);
  gp_block(o, f->body);
  fprintf(o->out, "%s = %s;\n", result, gp_expr(o, f->value));
  fprintf(o->out, "%s = f%uq;\n}\n%s = %s;\n%s = %s;\n", q, n, s->other, q, s->name, result);
}
// The body of an action with its data.
static inline void gp_action(struct gprint *o, unsigned n, const char *p, const char *q) {
  const struct gaction *a = &o->p->actions[n];
  if (!o->turned) {
    fprintf(o->out, "a%u(%s, %s);\n", n, p, q);
    return;
  }
  fprintf(o->out, "{\n%s a%up = %s;\n%s a%uq = %s;\n", gp_type(o, a->p), n, p, gp_type(o, a->q), n,
          q);
  gp_block(o, a->body);
  fprintf(o->out, "}\n");
}
static inline void gp_data_action(struct gprint *o, unsigned n, uint64_t p, uint64_t q) {
  gp_action(o, n, gp_format(o, "%llu", (unsigned long long)p),
            gp_format(o, "%llu", (unsigned long long)q));
}
static inline void gp_fits(struct gprint *o, const struct gtable *t, const struct gentry *e,
                           const char *const *keys) {
  for (unsigned k = 0; k < t->num_keys; k++) {
    const unsigned a = (unsigned)e->a[k], b = (unsigned)e->b[k];
    fprintf(o->out, k ? " && " : "");
    if (t->keys[k].match == G_EXACT) fprintf(o->out, "%s == %u", keys[k], a);
    else if (t->keys[k].match == G_RANGE)
      fprintf(o->out, "%s >= %u && %s <= %u", keys[k], a, keys[k], b);
    else {
      const unsigned mask = t->keys[k].match == G_LPM ? 7u << (3 - b) & 7 : b;
      fprintf(o->out, "%s & %u == %u", keys[k], mask, a & mask);
    }
  }
}
// A table as a chain of conditions; prefixes from the longest to the shortest.
static inline void gp_chain(struct gprint *o, const struct gs *s) {
  const struct gtable *t = &o->p->tables[s->number];
  const bool lpm = t->keys[0].match == G_LPM;
  const char *keys[G_KEYS], *hit = gp_format(o, "t%u", ++o->names);
  for (unsigned k = 0; k < t->num_keys; k++) keys[k] = gp_expr(o, t->keys[k].x);
  fprintf(o->out, "bool %s = true;\n", hit);
  for (unsigned len = lpm ? 3 : 0;; len--) {
    for (unsigned i = 0; i < t->num_entries; i++) {
      const struct gentry *e = &t->entries[i];
      if (e->dropped || (lpm && e->b[0] != len)) continue;
      fprintf(o->out, "if (");
      gp_fits(o, t, e, keys);
      fprintf(o->out, ") {\n");
      gp_data_action(o, e->action, e->p, e->q);
      fprintf(o->out, "} else ");
    }
    if (!len) break;
  }
  fprintf(o->out, "{\n%s = false;\n", hit);
  gp_data_action(o, t->miss, t->miss_p, t->miss_q);
  fprintf(o->out, "}\nif (%s) ", hit);
  gp_braces(o, s->then);
  fprintf(o->out, "else ");
  gp_braces(o, s->otherwise);
}
static inline void gp_table(struct gprint *o, const struct gs *s) {
  if (o->turned) {
    gp_chain(o, s);
    return;
  }
  fprintf(o->out, "if (t%u.apply().hit) ", s->number);
  gp_braces(o, s->then);
  fprintf(o->out, "else ");
  gp_braces(o, s->otherwise);
}
static inline void gp_copy(struct gprint *o, const struct gs *s) {
  const char *a = s->name, *b = s->other;
  if (!o->turned) fprintf(o->out, "%s = %s;\n", a, b);
  else
    fprintf(o->out,
            "if (!%s.isValid()) { %s.setInvalid(); }\n"
            "else { %s.setValid(); %s.p = %s.p; %s.x = %s.x; }\n",
            b, a, a, a, b, a, b);
}
static inline void gp_list(struct gprint *o, const struct gs *s) {
  const char *x = gp_expr(o, s->x), *y = gp_expr(o, s->y), *a = s->name;
  if (o->turned) {
    x = gp_keep(o, s->x->type, x);
    y = gp_keep(o, s->y->type, y);
    fprintf(o->out, "%s.setValid(); %s.x = %s; %s.p = %s;\n", a, a, y, a, x);
  } else {
    fprintf(o->out, "%s = { %s, %s };\n", a, x, y);
  }
}
static inline void gp_register(struct gprint *o, const struct gs *s) {
  const char *i = gp_expr(o, s->x), *r = gp_format(o, "r%u", s->number);
  if (s->kind == GS_WRITE) {
    fprintf(o->out, "%s.write((bit<32>)%s, %s);\n", r, i, gp_expr(o, s->y));
  } else if (!o->turned) {
    fprintf(o->out, "%s.read(%s, (bit<32>)%s);\n", r, s->name, i);
  } else {
    const char *name = gp_keep(o, s->type, s->name);
    fprintf(o->out, "%s.read(%s, (bit<32>)%s);\n%s = %s;\n", r, name, i, s->name, name);
  }
}
static inline void gp_hash(struct gprint *o, const struct gs *s) {
  const char *x = gp_expr(o, s->x), *y = gp_expr(o, s->y);
  fprintf(
      o->out,
      o->turned
          ? "hash(%s, HashAlgorithm.%s, 32w3, %s ++ %s, 32w1000);\n"
          : "hash(%s, HashAlgorithm.%s, 32w3, { m.zero[8:0] ^ %s, %s ^ m.zero[15:0] }, 32w1000);\n",
      s->name, s->op, x, y);
}
static inline void gp_stmt(struct gprint *o, const struct gs *s) {
  switch (s->kind) {
    case GS_ASSIGN: fprintf(o->out, "%s = %s;\n", s->name, gp_expr(o, s->x)); break;
    case GS_SLICE: gp_slice(o, s); break;
    case GS_COMPOUND: gp_compound(o, s); break;
    case GS_INDEX: gp_index_store(o, s); break;
    case GS_IF: gp_if(o, s); break;
    case GS_SWITCH: gp_switch(o, s); break;
    case GS_CASE: break;
    case GS_FOR: gp_for(o, s); break;
    case GS_BREAK: fprintf(o->out, "break;\n"); break;
    case GS_CONTINUE: fprintf(o->out, "continue;\n"); break;
    case GS_CALL: gp_call(o, s); break;
    case GS_ACTION: {
      const char *p = gp_expr(o, s->x), *q = gp_expr(o, s->y);
      gp_action(o, s->number, p, q);
      break;
    }
    case GS_TABLE: gp_table(o, s); break;
    case GS_VALID:
      fprintf(o->out, "%s.%s();\n", s->name, s->number ? "setInvalid" : "setValid");
      break;
    case GS_PUSH:
      fprintf(o->out, "h.st.%s(%u);\n", s->low ? "pop_front" : "push_front", s->number);
      break;
    case GS_COPY: gp_copy(o, s); break;
    case GS_LIST: gp_list(o, s); break;
    case GS_READ:
    case GS_WRITE: gp_register(o, s); break;
    case GS_HASH: gp_hash(o, s); break;
    case GS_DECL:
      fprintf(o->out, "%s %s = %s;\n", gp_type(o, s->type), s->name, gp_expr(o, s->x));
      break;
  }
}
static inline void gp_block(struct gprint *o, const struct gs *s) {
  for (; s; s = s->next)
    if (!s->dropped) gp_stmt(o, s);
}

// ---- programs -----------------------------------------------------------------------------------

static inline const char *gp_state(unsigned n) {
  return (const char *const[]){"start", "take_b", "take_c", "take_st", "accept", "reject"}[n];
}
static inline void gp_transition(struct gprint *o, const struct gstate *s, unsigned n) {
  static const char *const keys[G_STATES] = {"h.a.n[3:0]", "h.b.x[3:0]", "h.c.x[3:0]",
                                             "h.st.last.x[3:0]"};
  if (!o->turned) fprintf(o->out, "transition select(%s) {\n", keys[n]);
  for (unsigned i = 0; i < s->num_cases; i++) {
    const struct gcase *c = &s->cases[i];
    const char *to = gp_state(c->to);
    if (!o->turned) {
      fprintf(o->out, "%u %s %u: %s;\n", (unsigned)c->a, c->range ? ".." : "&&&", (unsigned)c->b,
              to);
      continue;
    }
    fprintf(o->out, "transition select(");
    if (c->range)
      fprintf(o->out, "%s >= %u && !(%s > %u)", keys[n], (unsigned)c->a, keys[n], (unsigned)c->b);
    else fprintf(o->out, "%s & %u == %u", keys[n], (unsigned)c->b, (unsigned)(c->a & c->b));
    fprintf(o->out, ") { true: %s; false: n%u_%u; }\n}\nstate n%u_%u {\n", to, n, i, n, i);
  }
  fprintf(o->out, o->turned ? "transition %s;\n" : "default: %s;\n}\n", gp_state(s->otherwise));
}
static inline void gp_parser(struct gprint *o) {
  static const char *const takes[G_STATES] = {"h.a", "h.b", "h.c", "h.st.next"};
  fprintf(o->out,
          "parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {\n");
  for (unsigned i = 0; i < G_STATES; i++) {
    fprintf(o->out, "state %s {\np.extract(%s);\n", gp_state(i), takes[i]);
    gp_transition(o, &o->p->states[i], i);
    fprintf(o->out, "}\n");
  }
  fprintf(o->out, "}\n");
}
static inline void gp_declare_table(struct gprint *o, unsigned n) {
  static const char *const kinds[] = {"exact", "lpm", "ternary", "range"};
  const struct gtable *t = &o->p->tables[n];
  fprintf(o->out, "table t%u {\nkey = {\n", n);
  for (unsigned k = 0; k < t->num_keys; k++)
    fprintf(o->out, "%s : %s @name(\"k%u\");\n", gp_expr(o, t->keys[k].x), kinds[t->keys[k].match],
            k);
  fprintf(o->out, "}\nactions = { a%u; a%u; }\n", t->action[0], t->action[1]);
  if (!t->by_control_plane) fprintf(o->out, "const entries = {\n");
  for (unsigned i = 0; i < t->num_entries && !t->by_control_plane; i++) {
    const struct gentry *e = &t->entries[i];
    if (e->dropped) continue;
    for (unsigned k = 0; k < t->num_keys; k++) {
      const unsigned a = (unsigned)e->a[k], b = (unsigned)e->b[k];
      fprintf(o->out, k ? ", " : "(");
      if (t->keys[k].match == G_EXACT) fprintf(o->out, "%u", a);
      else if (t->keys[k].match == G_RANGE) fprintf(o->out, "%u .. %u", a, b);
      else fprintf(o->out, "%u &&& %u", a, t->keys[k].match == G_LPM ? 7u << (3 - b) & 7 : b);
    }
    fprintf(o->out, ") : a%u(%llu, %llu);\n", e->action, (unsigned long long)e->p,
            (unsigned long long)e->q);
  }
  if (!t->by_control_plane) fprintf(o->out, "}\n");
  fprintf(o->out, "default_action = a%u(%llu, %llu);\n}\n", t->miss, (unsigned long long)t->miss_p,
          (unsigned long long)t->miss_q);
}
static inline void gp_functions(struct gprint *o) {
  for (unsigned i = 0; i < G_FUNCTIONS; i++) {
    const struct gfunction *f = &o->p->functions[i];
    fprintf(o->out, "%s f%u(in %s f%up, inout %s f%uq) {\n", gp_type(o, f->result), i,
            gp_type(o, f->p), i, gp_type(o, f->q), i);
    gp_block(o, f->body);
    fprintf(o->out, "return %s;\n}\n", gp_expr(o, f->value));
  }
}
static inline void gp_ingress(struct gprint *o) {
  static const char params[] = "(inout headers h, inout meta m, inout standard_metadata_t s)";
  if (!o->turned) {
    fprintf(o->out, "control S%s {\napply {\n", params);
    gp_block(o, o->p->sub);
    fprintf(o->out, "}\n}\n");
  }
  fprintf(o->out, "control I%s {\n", params);
  if (!o->turned) fprintf(o->out, "S() sub;\n");
  for (unsigned i = 0; i < G_REGISTERS; i++)
    fprintf(o->out, "register<%s>(6) r%u;\n", gp_type(o, o->p->registers[i]), i);
  for (unsigned i = 0; i < G_ACTIONS && !o->turned; i++) {
    const struct gaction *a = &o->p->actions[i];
    fprintf(o->out, "action a%u(%s a%up, %s a%uq) {\n", i, gp_type(o, a->p), i, gp_type(o, a->q),
            i);
    gp_block(o, a->body);
    fprintf(o->out, "}\n");
  }
  for (unsigned i = 0; i < G_TABLES && !o->turned; i++) gp_declare_table(o, i);
  fprintf(o->out, "apply {\nif (s.parser_error == error.PacketTooShort) m.a = 1;\n"
                  "if (s.parser_error == error.StackOutOfBounds) m.a = 2;\n");
  if (o->turned) gp_braces(o, o->p->sub);
  else fprintf(o->out, "sub.apply(h, m, s);\n");
  gp_block(o, o->p->ingress);
  fprintf(o->out, "s.egress_spec = 2;\n}\n}\ncontrol E%s {\napply {\n", params);
  gp_block(o, o->p->egress);
  fprintf(o->out, "h.o = { m.a, m.b, m.c, m.d, m.e, m.f, m.g, m.i, m.k, 0 };\n}\n}\n");
}
static inline void gp_program(struct gprint *o) {
  fprintf(
      o->out,
      "#include <v1model.p4>\n"
      "header a_t { bit<16> w; bit<8> n; bit<19> x; int<4> y; bool z; }\n"
      "header b_t { bit<16> p; bit<8> x; }\n"
      "header s_t { bit<8> x; }\n"
      "header o_t { bit<8> a; bit<32> b; bit<48> c; bit<100> d; int<16> e; bit<1> f; bit<64> g;\n"
      "  bit<9> i; bool k; bit<1> pad; }\n"
      "struct headers { o_t o; a_t a; b_t b; b_t c; s_t[3] st; }\n"
      "struct meta { bit<8> a; bit<32> b; bit<48> c; bit<100> d; int<16> e; bit<1> f; bit<64> g;\n"
      "  bit<9> i; bool k; bit<128> zero; }\n");
  if (!o->turned) gp_functions(o);
  gp_parser(o);
  gp_ingress(o);
  fprintf(o->out, "control V(inout headers h, inout meta m) { apply {} }\n"
                  "control C(inout headers h, inout meta m) { apply {} }\n"
                  "control D(packet_out p, in headers h) { apply { p.emit(h); } }\n"
                  "V1Switch(P(), V(), I(), E(), C(), D()) main;\n");
}
/// What the control plane adds to the plain form, as STF.
static inline void gp_entries(struct gprint *o) {
  for (unsigned n = 0; n < G_TABLES; n++) {
    const struct gtable *t = &o->p->tables[n];
    for (unsigned i = 0; i < t->num_entries && t->by_control_plane; i++) {
      const struct gentry *e = &t->entries[i];
      if (e->dropped) continue;
      fprintf(o->out, "add t%u ", n);
      if (t->keys[0].match >= G_TERNARY) fprintf(o->out, "%u ", 100 - i);
      for (unsigned k = 0; k < t->num_keys; k++) {
        const unsigned a = (unsigned)e->a[k], b = (unsigned)e->b[k];
        fprintf(o->out,
                t->keys[k].match == G_EXACT   ? "k%u:%u "
                : t->keys[k].match == G_LPM   ? "k%u:%u/%u "
                : t->keys[k].match == G_RANGE ? "k%u:%u->%u "
                                              : "k%u:%u&&&%u ",
                k, a, b);
      }
      fprintf(o->out, "a%u(a%up:%llu, a%uq:%llu)\n", e->action, e->action, (unsigned long long)e->p,
              e->action, (unsigned long long)e->q);
    }
  }
}
