// SPDX-License-Identifier: Apache-2.0
// Externs of v1model: registers, counters, drops, hashes, checksums.
#include <string.h>

#include "inner.h"

enum { DROP = 511, MOST_SIZE = 65535 };

// ---- registers and counters --------------------------------------------------------------------

static bool plain_name(const char *name) {
  for (; *name; name++)
    if (!((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
          (*name >= '0' && *name <= '9') || *name == '_'))
      return false;
  return true;
}

static struct p4c_register *find_register(struct p4c *p, const struct p4_decl *d, const char *end) {
  const char *name =
      arena_format(p->arena, "%s%s", plain_name(d->local_name) ? d->local_name : d->name, end);
  for (struct p4c_register *r = p->registers; r; r = r->next)
    if (r->decl == d && strcmp(r->name, name) == 0) return r;
  struct p4c_register *r = NEW(p->arena, struct p4c_register);
  if (p->is_egress)
    p4c_refuse(p, d->place, "lanes",
               "'%s' in an egress that asks for its queue: each output lane of the machine would "
               "have one of its own",
               d->name);
  uint64_t size = 0;
  const struct p4_expr *e = d->call && d->call->num_args ? d->call->args[0] : NULL;
  if (!e || !e->value || !p4_wide_small(e->value->number, MOST_SIZE, &size) || !size)
    p4c_refuse(p, d->place, "size", "the machine takes arrays of 1 to %d entries", MOST_SIZE);
  *r = (struct p4c_register){.decl = d,
                             .name = name,
                             .size = size ? size : 1,
                             .next = p->registers,
                             .guards = NEW_ARRAY(p->arena, const char *, 1000)};
  p->registers = r;
  return r;
}

// A number below the size, or the packet does not reach it.
static p4c_node in_range(struct p4c *p, const struct p4c_register *r, struct p4c_val index) {
  if (index.width < 32 && r->size >> index.width) return p4c_const(p, 1);
  uint32_t mask;
  const struct p4c_def *d = &p->nodes[index.low];
  if (d->op == P4C_BINARY && strcmp(d->text, "&") == 0 && p4c_is_const(p, d->b, &mask) &&
      mask < r->size)
    return p4c_const(p, 1);
  const struct p4c_val size = {p4c_const(p, (uint32_t)r->size), p4c_const(p, 0), 32, true, 0, {0}};
  // an index of fewer bits has no sign
  const struct p4c_val wide = {index.low, p4c_const(p, 0), index.width < 32 ? 31 : 32, true, 0,
                               {0}};
  return p4c_less(p, wide,
                  index.width < 32 ? (struct p4c_val){size.low, size.high, 31, true, 0, {0}} : size,
                  false, false);
}

static p4c_node full_guard(struct p4c *p, p4c_node also) {
  const unsigned assumed = p->num_assumed;
  p->num_assumed = 0;
  const p4c_node n = p4c_and(p, p->guard, also);
  p->num_assumed = assumed;
  return n;
}

// Where the access happens; false after a message.
static bool access(struct p4c *p, struct p4c_register *r, const struct p4_expr *at, p4c_node *in) {
  struct p4c_val index = p4c_clean(p, p4c_eval(p, at));
  // a cast to bit<32> keeps the bits that there were
  const struct p4_expr *inner = at;
  while (inner->kind == P4_EXPR_CAST && !inner->value &&
         p4c_type_width(inner->type) >= p4c_type_width(inner->a->type))
    inner = inner->a;
  if (!inner->value && p4c_type_width(inner->type) < index.width)
    index.width = p4c_type_width(inner->type);
  if (index.width > 32) {
    p4c_refuse(p, at->place, "wide", "an index has up to 32 bits");
    return false;
  }
  if (r->used && r->index != index.low) {
    p4c_refuse(p, at->place, "two-addresses",
               "'%s' is used at a second index; the machine reaches one entry of a register for "
               "each packet",
               r->decl->name);
    return false;
  }
  r->used = true;
  r->index = index.low;
  *in = in_range(p, r, index);
  const p4c_node guard = full_guard(p, *in);
  uint32_t known;
  const char *where = r->size == 1 ? "" : arena_format(p->arena, "[v%u]", r->index);
  if (p4c_is_const(p, guard, &known) && !known) return true;
  p4c_want(p, guard);
  p4c_want(p, r->index);
  if (r->num_guards < 1000)
    r->guards[r->num_guards++] =
        p4c_is_const(p, guard, &known)
            ? arena_format(p->arena, "access %s%s", r->name, where)
            : arena_format(p->arena, "access %s%s if v%u", r->name, where, guard);
  return true;
}

static struct p4c_val *register_cell(struct p4c *p, const struct p4c_register *r) {
  return p4c_cell(p, arena_format(p->arena, "reg:%s", r->name), r->width);
}

static void read_register(struct p4c *p, struct p4c_register *r, const struct p4_expr *to,
                          const struct p4_expr *at) {
  p4c_node in;
  if (!access(p, r, at, &in)) return;
  struct p4c_val v = *register_cell(p, r);
  // Sums are stored as they are, so above the width there is anything: the state unit only adds.
  v = (struct p4c_val){v.low, v.high, r->width, r->width == 32, 0, {0}};
  const struct p4c_val old = p4c_eval(p, to);
  v.low = p4c_choice(p, in, v.low, old.low);
  v.clean = v.clean && old.clean;
  const char *path = p4c_path(p, to);
  if (path) p4c_write(p, path, to->type, v);
}

static void write_register(struct p4c *p, struct p4c_register *r, const struct p4_expr *at,
                           struct p4c_val v) {
  p4c_node in;
  if (!access(p, r, at, &in)) return;
  struct p4c_val *cell = register_cell(p, r);
  cell->low = p4c_choice(p, in, v.low, cell->low);
  cell->place = p->place;
}

static void register_method(struct p4c *p, const struct p4_expr *e) {
  const struct p4_decl *d = e->call->object->decl;
  const struct p4_type *type = d->type->num_args ? d->type->args[0] : NULL;
  const unsigned width = type ? p4c_type_width(type) : 0;
  if (!width || width > 32 || p4_type_base(type)->kind == P4_TYPE_STRUCT) {
    p4c_refuse(p, e->place, "wide", "the machine has registers of up to 32 bits");
    return;
  }
  struct p4c_register *r = find_register(p, d, "");
  r->width = width;
  struct p4_expr *const *args = e->call->args;
  const char *name = e->call->callee->name;
  if (strcmp(name, "write") == 0 || strcmp(name, "store") == 0) {
    write_register(p, r, args[0], p4c_eval(p, args[1]));
    return;
  }
  if (strcmp(name, "loadd") == 0) {
    struct p4c_val sum = *register_cell(p, r);
    sum.low = p4c_binary(p, "+", sum.low, p4c_const(p, 1));
    write_register(p, r, args[1], sum);
  }
  read_register(p, r, args[0], args[1]);
}

static void count(struct p4c *p, const struct p4_expr *e, const char *end, p4c_node by) {
  struct p4c_register *r = find_register(p, e->call->object->decl, end);
  r->width = 32;
  p4c_node in;
  if (!access(p, r, e->call->args[0], &in)) return;
  struct p4c_val *cell = register_cell(p, r);
  cell->low = p4c_choice(p, in, p4c_binary(p, "+", cell->low, by), cell->low);
  cell->place = p->place;
}

static void counter_method(struct p4c *p, const struct p4_expr *e) {
  const struct p4_decl *d = e->call->object->decl;
  const struct p4_value *type = d->call->num_args > 1 ? d->call->args[1]->value : NULL;
  const char *unit = type && type->kind == P4_VALUE_MEMBER ? type->member->name : "packets";
  const p4c_node length = p4c_binary(p, "-", p4c_text(p, "meta.length"), p4c_const(p, P4C_TAG));
  if (strcmp(unit, "bytes") != 0) count(p, e, "", p4c_const(p, 1));
  if (strcmp(unit, "packets") != 0) count(p, e, strcmp(unit, "bytes") == 0 ? "" : "_bytes", length);
}

// ---- methods -----------------------------------------------------------------------------------

struct p4c_val p4c_lookahead(struct p4c *p, const struct p4_expr *e, const struct p4_type *type,
                             unsigned from) {
  const unsigned width = p4c_type_width(type), cursor = p->cursor + from;
  const unsigned at = p4c_chip_bit(cursor), low = width < 32 ? width : 32;
  const p4c_node zero = p4c_const(p, 0);
  struct p4c_val v = {zero, zero, width, true, 0, {0}};
  if (p4_type_base(type)->kind != P4_TYPE_BITS || width > 64 ||
      p4c_chip_bit(cursor + width - 1) != at + width - 1 || cursor + width > 60 * 8) {
    p4c_refuse(p, e->place, "parse-graph",
               "the machine looks ahead at numbers of up to 64 bits within the first 60 bytes");
    return v;
  }
  v.low = p4c_packet_bits(p, at + width - low, low);
  if (width > 32) v.high = p4c_packet_bits(p, at, width - 32);
  return v;
}

static void lookahead(struct p4c *p, const struct p4_expr *e) {
  *p4c_cell(p, "#result", p4c_type_width(e->type)) = p4c_lookahead(p, e, e->type, 0);
}

void p4c_extern_method(struct p4c *p, const struct p4_expr *e) {
  const struct p4_type *type = e->call->object->type;
  const char *name = type->decl->name, *method = e->call->callee->name;
  const struct p4_decl *d = e->call->object->decl;
  const bool packet = strcmp(name, "packet_in") == 0 || strcmp(name, "packet_out") == 0;
  if (!packet && (!d || d->kind != P4_DECL_INSTANCE || !d->call)) {
    p4c_refuse(
        p, e->place, "instance",
        "an extern that is a parameter of a constructor is not taken yet; name the instance");
    return;
  }
  if (strcmp(name, "register") == 0) register_method(p, e);
  else if (strcmp(name, "counter") == 0) counter_method(p, e);
  else if (strcmp(name, "direct_counter") == 0) return;  // entries count by themselves
  else if (strcmp(method, "lookahead") == 0) lookahead(p, e);
  else if (strcmp(method, "extract") == 0)
    p4c_refuse(
        p, e->place, "parse-graph",
        "extract under a condition: the machine has no parse graph; a state of its own may do");
  else if (strcmp(method, "advance") == 0) return;  // told before
  else p4c_refuse(p, e->place, name, "the machine has no unit for '%s'", name);
}

// ---- functions ---------------------------------------------------------------------------------

static void assign_result(struct p4c *p, const struct p4_expr *to, struct p4c_val v) {
  const char *path = p4c_path(p, to);
  if (path) p4c_write(p, path, to->type, p4c_resize(p, v, p4c_type_width(to->type), false));
}

static void refuse_hash(struct p4c *p, const struct p4_expr *e, const struct p4_expr *items,
                        const char *name) {
  unsigned bits = 0;
  for (const struct p4_expr *i = items; i; i = i->next) bits += p4c_type_width(i->type);
  p4c_refuse(p, e->place, "hash",
             "hash '%s' of %u bytes: the hash units of the machine take up to 12, words with their "
             "lowest byte first, and P4 the bytes of the packet in their order; `identity` of one "
             "number of up to 24 bits and `xor16` of numbers of 16, 32 or 48 bits are taken",
             name, (bits + 7) / 8);
}

// Data that is no whole number of bytes has zeros at its low end.
static bool identity(struct p4c *p, const struct p4_expr *items, struct p4c_val *hash) {
  const unsigned width = p4c_type_width(items->type), bytes = (width + 7) / 8;
  if (items->next || !width || bytes > 3) return false;
  const struct p4c_val v = p4c_clean(p, p4c_eval(p, items));
  hash->low = p4c_binary(p, "<<", v.low, p4c_const(p, 8 * bytes - width));
  return true;
}

// Fields of a header that is not there give no bits, so they must be whole words of 16.
static bool xor16(struct p4c *p, const struct p4_expr *items, struct p4c_val *hash) {
  hash->low = p4c_const(p, 0);
  for (const struct p4_expr *e = items; e; e = e->next) {
    const unsigned width = p4c_type_width(e->type);
    if (!width || width % 16 || width > 64) return false;
    const struct p4c_val v = p4c_eval(p, e);
    for (unsigned low = 0; low < width; low += 16)
      hash->low = p4c_binary(p, "^", hash->low, p4c_clean(p, p4c_slice(p, v, low + 15, low)).low);
  }
  return items;
}

// result = base + data modulo max
static void hash(struct p4c *p, const struct p4_expr *e) {
  struct p4_expr *const *args = e->call->args;
  const struct p4_value *algorithm = args[1]->value;
  const char *name = algorithm && algorithm->kind == P4_VALUE_MEMBER ? algorithm->member->name : "";
  const struct p4_expr *data = args[3];
  if (data->kind == P4_EXPR_LIST || data->kind == P4_EXPR_STRUCT) data = data->args;
  uint32_t max;
  const struct p4c_val most = p4c_eval(p, args[4]);
  struct p4c_val v = {0};
  const bool taken = strcmp(name, "identity") == 0 ? data && identity(p, data, &v)
                     : strcmp(name, "xor16") == 0  ? xor16(p, data, &v)
                                                   : false;
  const bool counted = p4c_is_const(p, most.low, &max) && max <= INT32_MAX;
  if (!counted)
    p4c_refuse(p, args[4]->place, "hash",
               "the machine takes a constant as the number of values of a hash, and none that an "
               "entry or the packet gives");
  if (!taken || p4c_type_width(args[0]->type) > 32) refuse_hash(p, e, data, name);
  if (!counted || !taken || p4c_type_width(args[0]->type) > 32) return;
  const struct p4c_val base = p4c_clean(p, p4c_eval(p, args[2]));
  if (max == 0) v.low = p4c_const(p, 0);
  else if ((max & (max - 1)) == 0) v.low = p4c_binary(p, "&", v.low, p4c_const(p, max - 1));
  else {
    p4c_want(p, v.low);
    v.low = p4c_text(p, arena_format(p->arena, "identity(v%u) mod %u", v.low, max));
  }
  v.low = p4c_binary(p, "+", v.low, base.low);
  v.width = 32;
  v.clean = true;
  assign_result(p, args[0], v);
}

void p4c_extern_function(struct p4c *p, const struct p4_expr *e) {
  const char *name = e->call->callee->name;
  if (strcmp(name, "mark_to_drop") == 0) {
    const p4c_node zero = p4c_const(p, 0);
    *p4c_cell(p, "sm.egress_spec", 9) =
        (struct p4c_val){p4c_const(p, DROP), zero, 9, true, 0, p->place};
  } else if (strcmp(name, "hash") == 0) {
    hash(p, e);
  } else if (strcmp(name, "log_msg") == 0) {
    return;
  } else if (strstr(name, "checksum")) {
    p4c_refuse(p, e->place, "checksum", "checksums are taken in the blocks for them");
  } else {
    p4c_refuse(p, e->place, name, "the machine has no unit for '%s'", name);
  }
}

// ---- checksums ---------------------------------------------------------------------------------

enum { SUM_AT = 24 * 8, IPV4_BITS = 20 * 8 };

static bool stands_behind_ethernet(const struct p4c_header *h) {
  bool there = false;
  for (unsigned i = 0; i < h->num_places; i++) there |= h->places[i] == P4C_IPV4_AT;
  return there;
}

// Whether the list is the IPv4 header behind Ethernet, but for the sum itself.
static bool is_ipv4_sum(struct p4c *p, const struct p4_expr *list, const struct p4_expr *sum) {
  const struct p4_field *field;
  unsigned bit;
  const char *path = p4c_path(p, sum);
  const struct p4c_header *h = path ? p4c_header_with(p, path, &field, &bit) : NULL;
  if (!h || P4C_IPV4_AT + bit != SUM_AT || !stands_behind_ethernet(h)) return false;
  p->summed = h;
  unsigned at = P4C_IPV4_AT;
  if (list->kind != P4_EXPR_LIST && list->kind != P4_EXPR_STRUCT) return false;
  for (const struct p4_expr *e = list->args; e; e = e->next) {
    if (e->kind != P4_EXPR_MEMBER) return false;
    if (at == SUM_AT) at += 16;
    path = p4c_path(p, e);
    if (!path || p4c_header_with(p, path, &field, &bit) != h || P4C_IPV4_AT + bit != at)
      return false;
    at += p4c_type_width(e->type);
  }
  return at == P4C_IPV4_AT + IPV4_BITS;
}

void p4c_compute_checksum(struct p4c *p, const struct p4_decl *control) {
  for (const struct p4_stmt *s = p4c_statements(control); s; s = s->next) {
    if (s->kind == P4_STMT_EMPTY) continue;
    const struct p4_expr *e = s->kind == P4_STMT_CALL ? s->value : NULL;
    const struct p4_value *algorithm = e && e->call->num_args == 4 ? e->call->args[3]->value : NULL;
    if (!e || e->call->kind != P4_CALL_EXTERN ||
        strcmp(e->call->callee->name, "update_checksum") != 0 || !algorithm ||
        strcmp(algorithm->member->name, "csum16") != 0 ||
        !is_ipv4_sum(p, e->call->args[1], e->call->args[2])) {
      p4c_refuse(p, s->place, "checksum",
                 "the machine updates the checksum of an IPv4 header that stands behind Ethernet, "
                 "of all its fields but the options; it has no unit for others");
      continue;
    }
    p->checksum = true;
  }
}
