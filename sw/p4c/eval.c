// SPDX-License-Identifier: Apache-2.0
// Expressions to values of the IR. Numbers of up to 32 bits are computed; up to 64 bits are moved,
// compared for equality, and cut.
#include <string.h>

#include "inner.h"

static struct p4c_val val(p4c_node low, unsigned width, bool clean) {
  return (struct p4c_val){low, 0, width, clean, 0, {0}};
}

static struct p4c_val zero_of(struct p4c *p, unsigned width) {
  struct p4c_val v = val(p4c_const(p, 0), width, true);
  v.high = v.low;
  return v;
}

static struct p4c_val p4c_number(struct p4c *p, const struct p4_wide *number, unsigned width) {
  const uint64_t bits = p4_wide_low(number);
  struct p4c_val v = val(p4c_const(p, (uint32_t)bits), width, false);
  v.high = p4c_const(p, (uint32_t)(bits >> 32));
  return p4c_clean(p, v);
}

struct p4c_val p4c_clean(struct p4c *p, struct p4c_val v) {
  if (v.clean) return v;
  if (v.width <= 32) v.low = p4c_low(p, v.low, v.width);
  else v.high = p4c_low(p, v.high, v.width - 32);
  v.clean = true;
  v.whole = 0;
  return v;
}

static struct p4c_val constant(struct p4c *p, const struct p4_expr *e) {
  const unsigned width = p4c_type_width(e->type);
  const struct p4_value *v = e->value;
  if (v->kind == P4_VALUE_BOOL) return val(p4c_const(p, v->truth), 1, true);
  if (v->kind == P4_VALUE_MEMBER) return val(p4c_const(p, v->member->number), 32, true);
  if (v->kind == P4_VALUE_NUMBER) {
    // a number of type int stands only where any width goes
    const unsigned bits = e->type->kind == P4_TYPE_INT ? 32 : width;
    if (bits <= 64) return p4c_number(p, v->number, bits);
  }
  p4c_refuse(p, e->place, "wide",
             "this value has no place in the machine, which computes with up to 64 bits");
  return zero_of(p, width <= 64 ? width : 64);
}

// ---- comparisons -------------------------------------------------------------------------------

p4c_node p4c_equal(struct p4c *p, struct p4c_val a, struct p4c_val b) {
  a = p4c_clean(p, a);
  b = p4c_clean(p, b);
  const p4c_node low = p4c_binary(p, "==", a.low, b.low);
  return a.width > 32 ? p4c_and(p, p4c_binary(p, "==", a.high, b.high), low) : low;
}

// Numbers with a sign fill 32 bits; those without are moved so that a signed compare does.
static p4c_node comparable(struct p4c *p, struct p4c_val v, bool is_signed) {
  if (is_signed && v.width < 32) {
    const p4c_node by = p4c_const(p, 32 - v.width);
    return p4c_binary(p, ">>", p4c_binary(p, "<<", v.low, by), by);
  }
  v = p4c_clean(p, v);
  return !is_signed && v.width == 32 ? p4c_binary(p, "^", v.low, p4c_const(p, 0x80000000u)) : v.low;
}

p4c_node p4c_less(struct p4c *p, struct p4c_val a, struct p4c_val b, bool is_signed,
                  bool or_equal) {
  return p4c_binary(p, or_equal ? "<=" : "<", comparable(p, a, is_signed),
                    comparable(p, b, is_signed));
}

static p4c_node compare(struct p4c *p, const struct p4_expr *e, struct p4c_val a,
                        struct p4c_val b) {
  if (e->op == P4_OP_EQ) return p4c_equal(p, a, b);
  if (e->op == P4_OP_NE) return p4c_not(p, p4c_equal(p, a, b));
  if (a.width > 32) {
    p4c_refuse(p, e->place, "wide",
               "the machine orders numbers of up to 32 bits, and these have %u", a.width);
    return p4c_const(p, 0);
  }
  const struct p4_type *t = p4_type_base(e->a->type);
  const bool is_signed = t->kind == P4_TYPE_BITS && t->is_signed;
  if (e->op == P4_OP_LT) return p4c_less(p, a, b, is_signed, false);
  if (e->op == P4_OP_LE) return p4c_less(p, a, b, is_signed, true);
  if (e->op == P4_OP_GT) return p4c_less(p, b, a, is_signed, false);
  return p4c_less(p, b, a, is_signed, true);
}

p4c_node p4c_matches(struct p4c *p, const struct p4_keyset *set, struct p4c_val key) {
  if (set->kind == P4_KEYSET_ANY) return p4c_const(p, 1);
  if (set->kind == P4_KEYSET_VALUE_SET) {
    p4c_refuse(p, set->place, "parse-graph",
               "a value set: the machine has no parse graph whose rows a controller could change");
    return p4c_const(p, 0);
  }
  const struct p4c_val a = p4c_eval(p, set->a);
  if (set->kind == P4_KEYSET_VALUE) return p4c_equal(p, key, a);
  struct p4c_val b = p4c_eval(p, set->b);
  if (set->kind == P4_KEYSET_MASK) {
    struct p4c_val x = key, y = a;
    x.low = p4c_binary(p, "&", x.low, b.low);
    y.low = p4c_binary(p, "&", y.low, b.low);
    if (key.width > 32) {
      x.high = p4c_binary(p, "&", x.high, b.high);
      y.high = p4c_binary(p, "&", y.high, b.high);
    }
    return p4c_equal(p, x, y);
  }
  if (key.width > 32) {
    p4c_refuse(p, set->place, "wide", "the machine orders numbers of up to 32 bits");
    return p4c_const(p, 0);
  }
  return p4c_and(p, p4c_less(p, a, key, false, true), p4c_less(p, key, b, false, true));
}

// ---- widths ------------------------------------------------------------------------------------

struct p4c_val p4c_resize(struct p4c *p, struct p4c_val v, unsigned width, bool is_signed) {
  if (width > 64) {
    p4c_refuse(p, p->place, "wide", "the machine computes with up to 64 bits, and this has %u",
               width);
    return zero_of(p, 64);
  }
  if (width == v.width) return v;
  if (width > v.width) {
    v = p4c_clean(p, v);
    if (v.width <= 32 && width > 32) v.high = p4c_const(p, 0);
    if (is_signed) {
      if (v.width > 32 || width > 32)
        p4c_refuse(p, p->place, "wide", "the machine has signed numbers of up to 32 bits");
      v.low = comparable(p, v, true);
      v.clean = width >= 32;
    }
  } else {
    v.clean = width == 32;  // of more bits the low word is whole
  }
  v.width = width;
  v.whole = 0;
  return v;
}

struct p4c_val p4c_slice(struct p4c *p, struct p4c_val v, unsigned high, unsigned low) {
  v = p4c_clean(p, v);
  const unsigned width = high - low + 1;
  if (low == 0) return p4c_resize(p, v, width, false);
  if (v.width <= 32)
    return val(p4c_binary(p, ">>>", v.low, p4c_const(p, low)), width, high + 1 == v.width);
  if (low >= 32)
    return val(p4c_binary(p, ">>>", v.high, p4c_const(p, low - 32)), width, high + 1 == v.width);
  struct p4c_val r = zero_of(p, width);
  r.low = p4c_binary(p, "|", p4c_binary(p, ">>>", v.low, p4c_const(p, low)),
                     p4c_binary(p, "<<", v.high, p4c_const(p, 32 - low)));
  r.high = p4c_binary(p, ">>>", v.high, p4c_const(p, low));
  r.clean = high + 1 == v.width && width != 32;
  return r;
}

struct p4c_val p4c_concat(struct p4c *p, struct p4c_val high, struct p4c_val low) {
  const unsigned width = high.width + low.width;
  low = p4c_clean(p, low);
  struct p4c_val r = p4c_resize(p, p4c_clean(p, high), width, false);
  if (width > 64 || low.width == 0) return r;
  // r << low.width | low
  struct p4c_val s = zero_of(p, width);
  const unsigned by = low.width;
  if (by < 32) {
    s.low = p4c_binary(p, "|", p4c_binary(p, "<<", high.low, p4c_const(p, by)), low.low);
    if (width > 32) {
      s.high = p4c_binary(p, ">>>", high.low, p4c_const(p, 32 - by));
      if (high.width > 32)
        s.high = p4c_binary(p, "|", p4c_binary(p, "<<", high.high, p4c_const(p, by)), s.high);
    }
  } else {
    s.low = low.low;
    s.high = by == 32 ? high.low
                      : p4c_binary(p, "|", p4c_binary(p, "<<", high.low, p4c_const(p, by - 32)),
                                   low.high);
  }
  s.clean = high.clean;
  return s;
}

// ---- operators ---------------------------------------------------------------------------------

static struct p4c_val shift(struct p4c *p, const struct p4_expr *e, struct p4c_val a) {
  uint32_t by;
  const struct p4_type *t = p4_type_base(e->a->type);
  const struct p4c_val count = p4c_clean(p, p4c_eval(p, e->b));
  if (a.width > 32 || !p4c_is_const(p, count.low, &by) ||
      (count.width > 32 && !p4c_is_const(p, count.high, &by))) {
    p4c_refuse(p, e->place, "shift", "the machine shifts numbers of up to 32 bits by a constant");
    return a;
  }
  if (by >= a.width) {
    if (e->op == P4_OP_SHL || !t->is_signed) return zero_of(p, a.width);
    by = a.width - 1;
  }
  const p4c_node n = p4c_const(p, by);
  if (e->op == P4_OP_SHL) return val(p4c_binary(p, "<<", a.low, n), a.width, false);
  if (t->is_signed)
    return val(p4c_binary(p, ">>", comparable(p, a, true), n), a.width, a.width == 32);
  a = p4c_clean(p, a);
  return val(p4c_binary(p, ">>>", a.low, n), a.width, true);
}

static struct p4c_val saturate(struct p4c *p, const struct p4_expr *e, struct p4c_val a,
                               struct p4c_val b) {
  const struct p4_type *t = p4_type_base(e->type);
  if (t->is_signed || a.width > 31) {
    p4c_refuse(p, e->place, "saturate",
               "the machine has no saturating arithmetic; numbers without a sign of up to 31 bits "
               "are taken");
    return a;
  }
  a = p4c_clean(p, a);
  b = p4c_clean(p, b);
  const uint32_t most = (UINT32_C(1) << a.width) - 1;
  if (e->op == P4_OP_SUB_SAT)
    return val(p4c_choice(p, p4c_binary(p, "<", a.low, b.low), p4c_const(p, 0),
                          p4c_binary(p, "-", a.low, b.low)),
               a.width, true);
  const p4c_node sum = p4c_binary(p, "+", a.low, b.low);
  // of 31 bits the sum is negative where it is too large
  const p4c_node over = a.width == 31 ? p4c_binary(p, "<", sum, p4c_const(p, 0))
                                      : p4c_binary(p, "<", p4c_const(p, most), sum);
  return val(p4c_choice(p, over, p4c_const(p, most), sum), a.width, true);
}

static struct p4c_val bitwise(struct p4c *p, const char *op, struct p4c_val a, struct p4c_val b) {
  struct p4c_val r = val(p4c_binary(p, op, a.low, b.low), a.width,
                         *op == '&' ? a.clean || b.clean : a.clean && b.clean);
  if (a.width > 32) r.high = p4c_binary(p, op, a.high, b.high);
  return r;
}

static struct p4c_val divide(struct p4c *p, const struct p4_expr *e, struct p4c_val a,
                             struct p4c_val b) {
  uint32_t by;
  a = p4c_clean(p, a);
  if (a.width > 32 || !p4c_is_const(p, b.low, &by) || !by || (by & (by - 1))) {
    p4c_refuse(p, e->place, "divide",
               "the machine divides numbers of up to 32 bits by a power of two");
    return a;
  }
  if (e->op == P4_OP_MOD)
    return val(p4c_binary(p, "&", a.low, p4c_const(p, by - 1)), a.width, true);
  unsigned n = 0;
  while (by >> n != 1) n++;
  return val(p4c_binary(p, ">>>", a.low, p4c_const(p, n)), a.width, true);
}

static struct p4c_val arithmetic(struct p4c *p, const struct p4_expr *e, struct p4c_val a,
                                 struct p4c_val b) {
  switch (e->op) {
    case P4_OP_AND: return bitwise(p, "&", a, b);
    case P4_OP_OR: return bitwise(p, "|", a, b);
    case P4_OP_XOR: return bitwise(p, "^", a, b);
    case P4_OP_ADD_SAT:
    case P4_OP_SUB_SAT: return saturate(p, e, a, b);
    case P4_OP_DIV:
    case P4_OP_MOD: return divide(p, e, a, b);
    default: break;
  }
  if (a.width > 32) {
    p4c_refuse(p, e->place, "wide", "the machine computes with up to 32 bits, and these have %u",
               a.width);
    return a;
  }
  const char *op = e->op == P4_OP_ADD ? "+" : e->op == P4_OP_SUB ? "-" : "*";
  return val(p4c_binary(p, op, a.low, b.low), a.width, a.width == 32);
}

// Whether it may change something, so that it matters if it is computed.
static bool has_call(const struct p4_expr *e) {
  if (!e || e->value) return false;
  if (e->kind == P4_EXPR_CALL) return e->call->kind != P4_CALL_BUILT_IN;
  for (const struct p4_expr *a = e->args; a; a = a->next)
    if (has_call(a)) return true;
  return has_call(e->a) || has_call(e->b) || has_call(e->c);
}

// What is computed on one way alone, where that may change something.
struct arm {
  const struct p4_expr *value;
  const char *path;
};

static void keep_arm(struct p4c *p, const void *x) {
  const struct arm *a = x;
  if (!a->value) return;
  const struct p4c_val v = p4c_eval(p, a->value);
  *p4c_cell(p, a->path, v.width) = v;
}

// NULL: that way the value is `start`.
static struct p4c_val by_ways(struct p4c *p, p4c_node condition, const struct p4_expr *yes,
                              const struct p4_expr *no, struct p4c_val start) {
  const char *path = arena_format(p->arena, "#arm%u", p->num_locals++);
  const struct arm arms[2] = {{yes, path}, {no, path}};
  *p4c_cell(p, path, start.width) = start;
  p4c_branch(p, condition, keep_arm, &arms[0], keep_arm, &arms[1]);
  return *p4c_cell(p, path, start.width);
}

static struct p4c_val binary(struct p4c *p, const struct p4_expr *e) {
  if (e->op == P4_OP_LAND || e->op == P4_OP_LOR) {
    const p4c_node a = p4c_truth(p, e->a);
    const unsigned assumed = p4c_assumed(p);
    const bool land = e->op == P4_OP_LAND;
    if (has_call(e->b))
      return by_ways(p, a, land ? e->b : NULL, land ? NULL : e->b,
                     val(p4c_const(p, !land), 1, true));
    p4c_assume(p, a, land);
    const p4c_node b = p4c_truth(p, e->b);
    p4c_forget(p, assumed);
    return val(e->op == P4_OP_LAND ? p4c_and(p, a, b) : p4c_or(p, a, b), 1, true);
  }
  const struct p4c_val a = p4c_eval(p, e->a);
  if (e->op == P4_OP_SHL || e->op == P4_OP_SHR) return shift(p, e, a);
  const struct p4c_val b = p4c_eval(p, e->b);
  if (e->op == P4_OP_CONCAT) {
    if (a.width + b.width <= 64) return p4c_concat(p, a, b);
    p4c_refuse(p, e->place, "wide", "the machine computes with up to 64 bits");
    return zero_of(p, 64);
  }
  if (e->op >= P4_OP_LT && e->op <= P4_OP_NE) return val(compare(p, e, a, b), 1, true);
  return arithmetic(p, e, a, b);
}

static struct p4c_val unary(struct p4c *p, const struct p4_expr *e) {
  if (e->op == P4_OP_NOT) return val(p4c_not(p, p4c_truth(p, e->a)), 1, true);
  struct p4c_val a = p4c_eval(p, e->a);
  if (e->op == P4_OP_PLUS) return a;
  if (e->op == P4_OP_COMPLEMENT) {
    struct p4c_val r = val(p4c_unary(p, "~", a.low), a.width, a.width == 32 || a.width == 64);
    if (a.width > 32) r.high = p4c_unary(p, "~", a.high);
    return r;
  }
  if (a.width > 32) p4c_refuse(p, e->place, "wide", "the machine computes with up to 32 bits");
  return val(p4c_binary(p, "-", p4c_const(p, 0), a.low), a.width, a.width == 32);
}

// ---- the rest ----------------------------------------------------------------------------------

static struct p4c_val cast(struct p4c *p, const struct p4_expr *e) {
  const struct p4_type *from = p4_type_base(e->a->type);
  const struct p4c_val v = p4c_eval(p, e->a);
  const unsigned width = p4c_type_width(e->type);
  return p4c_resize(p, v, width, from->kind == P4_TYPE_BITS && from->is_signed);
}

static struct p4c_val condition(struct p4c *p, const struct p4_expr *e) {
  const p4c_node c = p4c_truth(p, e->a);
  const unsigned assumed = p4c_assumed(p);
  if (has_call(e->b) || has_call(e->c))
    return by_ways(p, c, e->b, e->c, zero_of(p, p4c_type_width(e->type)));
  p4c_assume(p, c, true);
  const struct p4c_val b = p4c_eval(p, e->b);
  p4c_forget(p, assumed);
  p4c_assume(p, c, false);
  const struct p4c_val d = p4c_eval(p, e->c);
  p4c_forget(p, assumed);
  struct p4c_val r = val(p4c_choice(p, c, b.low, d.low), b.width, b.clean && d.clean);
  if (b.width > 32) r.high = p4c_choice(p, c, b.high, d.high);
  return r;
}

// What an egress behind the queues knows; NULL: not this.
static const char *known_to_copies(const char *name, unsigned *bits) {
  static const struct {
    const char *name, *text;
    unsigned bits;
  } list[] = {{"egress_port", "meta.port_out", 8},
              {"enq_qdepth", "meta.depth_in", 16},
              {"deq_qdepth", "meta.depth_out", 16},
              {"deq_timedelta", "meta.time", 32}};
  for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
    if (strcmp(name, list[i].name) == 0) {
      *bits = list[i].bits;
      return list[i].text;
    }
  return NULL;
}

static bool asks_expr(const struct p4_expr *e);

static bool asks_list(const struct p4_expr *list) {
  for (const struct p4_expr *e = list; e; e = e->next)
    if (asks_expr(e)) return true;
  return false;
}

static bool asks_expr(const struct p4_expr *e) {
  unsigned bits;
  if (!e || e->value) return false;
  if (e->kind == P4_EXPR_MEMBER && e->a && e->a->type && e->a->type->decl &&
      strcmp(e->a->type->decl->name, "standard_metadata_t") == 0 &&
      strcmp(e->name, "egress_port") != 0 && known_to_copies(e->name, &bits))
    return true;
  if (e->kind == P4_EXPR_CALL) {
    for (unsigned i = 0; i < e->call->num_args; i++)
      if (asks_expr(e->call->args[i])) return true;
  }
  return asks_list(e->args) || asks_expr(e->a) || asks_expr(e->b) || asks_expr(e->c);
}

static bool asks(const struct p4_stmt *list) {
  for (const struct p4_stmt *s = list; s; s = s->next)
    if (asks_expr(s->value) || asks(s->body) || asks(s->then) || asks(s->otherwise) ||
        (s->kind == P4_STMT_DECL && s->decl->kind == P4_DECL_VARIABLE && asks_expr(s->decl->init)))
      return true;
  return false;
}

bool p4c_asks_queues(const struct p4_decl *block) {
  if (asks(p4c_statements(block))) return true;
  for (const struct p4_decl *d = block->members; d; d = d->next) {
    if (d->kind == P4_DECL_ACTION && asks(d->body)) return true;
    for (const struct p4_key *k = d->kind == P4_DECL_TABLE ? d->table->keys : NULL; k; k = k->next)
      if (asks_expr(k->expr)) return true;
  }
  return false;
}

// Of standard metadata what the machine knows.
static bool standard(struct p4c *p, const struct p4_expr *e, const char *path, struct p4c_val *v) {
  if (strncmp(path, "sm.", 3) != 0 || p->two_blocks) return false;
  const char *name = path + 3, *text;
  unsigned bits;
  if (p->is_egress && (text = known_to_copies(name, &bits))) {
    const unsigned width = p4c_type_width(e->type);
    const p4c_node n = p4c_text(p, text);
    p->nodes[n].bits = bits;
    *v = val(n, width, bits <= width);
  } else if (strcmp(name, "ingress_port") == 0 && !p->is_egress) {
    *v = val(p4c_port_in(p), 9, true);
  } else if (strcmp(name, "packet_length") == 0) {
    *v = val(p4c_binary(p, "-", p4c_text(p, "meta.length"), p4c_const(p, P4C_TAG)), 32, true);
  } else if (strcmp(name, "egress_spec") == 0 || strcmp(name, "egress_port") == 0 ||
             strcmp(name, "mcast_grp") == 0) {
    return false;
  } else if (strcmp(name, "instance_type") == 0 || strcmp(name, "egress_rid") == 0) {
    *v = zero_of(p, p4c_type_width(e->type));
  } else {
    p4c_refuse(p, e->place, "standard-metadata",
               "'%s' is not known to the machine where this is computed%s", name,
               known_to_copies(name, &bits) && !p->is_egress
                   ? "; an egress of its own behind the queues knows it, on chips as 's2' and 's4'"
                   : "");
    *v = zero_of(p, p4c_type_width(e->type));
  }
  return true;
}

// packet.lookahead<header_t>().field
static bool looks_ahead(const struct p4_expr *e) {
  return e->kind == P4_EXPR_MEMBER && e->member == P4_MEMBER_FIELD && e->a->kind == P4_EXPR_CALL &&
         e->a->call->kind == P4_CALL_METHOD && strcmp(e->a->call->callee->name, "lookahead") == 0;
}

static struct p4c_val field_ahead(struct p4c *p, const struct p4_expr *e) {
  const struct p4_type *t = p4_type_base(e->a->type);
  unsigned from = 0;
  for (unsigned i = 0; i < t->num_fields && strcmp(t->fields[i].name, e->name) != 0; i++)
    from += p4c_type_width(t->fields[i].type);
  return p4c_lookahead(p, e, e->type, from);
}

static struct p4c_val member(struct p4c *p, const struct p4_expr *e) {
  if (looks_ahead(e)) return field_ahead(p, e);
  if (e->kind == P4_EXPR_MEMBER && (e->member == P4_MEMBER_HIT || e->member == P4_MEMBER_MISS)) {
    const struct p4c_table *t = p4c_apply(p, e->a);
    const p4c_node hit = t ? p4c_hit(p, t) : p4c_const(p, 0);
    return val(e->member == P4_MEMBER_HIT ? hit : p4c_not(p, hit), 1, true);
  }
  const unsigned width = p4c_type_width(e->type);
  const char *path = p4c_path(p, e);
  struct p4c_val v;
  if (!path) return zero_of(p, width <= 64 ? width : 64);
  if (standard(p, e, path, &v)) return v;
  return p4c_read(p, path, e->type);
}

static struct p4c_val call(struct p4c *p, const struct p4_expr *e) {
  if (e->call->kind == P4_CALL_BUILT_IN && e->call->built_in == P4_IS_VALID) {
    const char *path = p4c_path(p, e->call->object);
    return val(path ? p4c_valid(p, path) : p4c_const(p, 0), 1, true);
  }
  p4c_call(p, e);
  return *p4c_cell(p, "#result", p4c_type_width(e->type));
}

// Structs, headers and what is made of them are assigned part by part, and are no values here.
static bool is_whole(const struct p4_type *type) {
  const struct p4_type *t = p4_type_base(type);
  return t->kind == P4_TYPE_STRUCT || t->kind == P4_TYPE_HEADER || t->kind == P4_TYPE_UNION ||
         t->kind == P4_TYPE_STACK || t->kind == P4_TYPE_TUPLE;
}

struct p4c_val p4c_eval(struct p4c *p, const struct p4_expr *e) {
  if (is_whole(e->type)) {
    p4c_refuse(p, e->place, "whole",
               "structs and headers as values: the machine takes their fields");
    return zero_of(p, 32);
  }
  if (e->value) return constant(p, e);
  switch (e->kind) {
    case P4_EXPR_NAME:
      if (e->decl->kind == P4_DECL_CONST && e->decl->init) return p4c_eval(p, e->decl->init);
      return member(p, e);
    case P4_EXPR_MEMBER:
    case P4_EXPR_INDEX: return member(p, e);
    case P4_EXPR_SLICE: return p4c_slice(p, p4c_eval(p, e->a), e->high, e->low);
    case P4_EXPR_UNARY: return unary(p, e);
    case P4_EXPR_BINARY: return binary(p, e);
    case P4_EXPR_COND: return condition(p, e);
    case P4_EXPR_CAST: return cast(p, e);
    case P4_EXPR_CALL: return call(p, e);
    default:
      p4c_refuse(p, e->place, "expression", "this has no form in the machine yet");
      return zero_of(p, 32);
  }
}

p4c_node p4c_truth(struct p4c *p, const struct p4_expr *e) {
  return p4c_clean(p, p4c_eval(p, e)).low;
}
