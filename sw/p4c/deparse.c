// SPDX-License-Identifier: Apache-2.0
// The deparser, and what leaves: bytes that were rewritten, the port, the drop, the registers.
#include <string.h>

#include "inner.h"

enum { DROP = 511, MOST_WORDS = 64 };

// ---- headers that leave ------------------------------------------------------------------------

static void emit(struct p4c *p, const struct p4_expr *e, const char *path,
                 const struct p4_type *type) {
  if (type->kind == P4_TYPE_HEADER) {
    struct p4c_header *h = p4c_header_of(p, path);
    if (!h) return;  // it never came
    if (h->emitted)
      p4c_refuse(p, e->place, "header-edit",
                 "'%s' is emitted twice; the machine inserts no headers", path);
    h->emitted = ++p->num_emitted;
    return;
  }
  if (type->kind == P4_TYPE_STACK)
    for (unsigned i = 0; i < type->size; i++)
      emit(p, e, arena_format(p->arena, "%s[%u]", path, i), type->element);
  for (unsigned i = 0; i < type->num_fields; i++)
    emit(p, e, arena_format(p->arena, "%s.%s", path, type->fields[i].name), type->fields[i].type);
}

// Whether some place of `a` is in front of some place of `b`.
static bool may_precede(const struct p4c_header *a, const struct p4c_header *b) {
  for (unsigned i = 0; i < a->num_places; i++)
    for (unsigned j = 0; j < b->num_places; j++)
      if (a->places[i] < b->places[j]) return true;
  return false;
}

void p4c_emit_block(struct p4c *p, const struct p4_decl *deparser) {
  for (const struct p4_stmt *s = p4c_statements(deparser); s; s = s->next) {
    p->place = s->place;
    const struct p4_expr *e = s->kind == P4_STMT_CALL ? s->value : NULL;
    if (!e || e->call->kind != P4_CALL_METHOD || strcmp(e->call->callee->name, "emit") != 0) {
      p4c_refuse(p, s->place, "header-edit",
                 "a deparser that does more than emit headers: the machine sends what came, with "
                 "fields rewritten");
      continue;
    }
    const char *path = p4c_path(p, e->call->args[0]);
    if (path) emit(p, e, path, e->call->args[0]->type);
  }
  for (const struct p4c_header *h = p->headers; h; h = h->next) {
    if (!h->emitted)
      p4c_refuse(p, deparser->place, "header-edit",
                 "'%s' is extracted and not emitted; the machine removes no headers", h->path);
    for (const struct p4c_header *o = p->headers; o; o = o->next)
      if (h->emitted && o->emitted > h->emitted && may_precede(o, h))
        p4c_refuse(p, deparser->place, "header-edit",
                   "'%s' leaves before '%s' and came behind it; the machine moves no headers",
                   h->path, o->path);
  }
}

void p4c_emit_all(struct p4c *p) {
  for (struct p4c_header *h = p->headers; h; h = h->next) h->emitted = ++p->num_emitted;
}

// ---- bytes -------------------------------------------------------------------------------------

// Words of two bytes of the frame that are written, and whole fields.
struct outputs {
  const char *lines;
  unsigned num;
  struct {
    unsigned at, width;  // bytes
    uint32_t mask;       // bits that differ from those that came
    p4c_node value;
    struct p4_place place;
    const struct p4c_header *by;
  } list[MOST_WORDS];
};

// A header at one of its places, and the condition that it is this one.
struct spot {
  const struct p4c_header *h;
  unsigned at;
  p4c_node here;
};

static struct spot spot_of(struct p4c *p, const struct p4c_header *h, unsigned n) {
  const unsigned at = h->places[n];
  return (struct spot){h, at, h->num_places > 1 ? p4c_stands_at(p, h, at) : p4c_valid(p, h->path)};
}

// What stands in the bytes of this place: elsewhere they are as they came.
static p4c_node half_at(struct p4c *p, const struct spot *s, p4c_node n, unsigned at,
                        unsigned width) {
  const p4c_node came = p4c_packet_bits(p, at, width);
  n = p4c_prune(p, n, p4c_not(p, s->here));
  return n == came ? came : p4c_choice(p, s->here, n, came);
}

static struct p4c_val value_at(struct p4c *p, const struct spot *s, const char *path, unsigned at,
                               unsigned width) {
  struct p4c_val v = *p4c_cell(p, path, width);
  const unsigned low = width < 32 ? width : 32;
  if (s->h->num_places == 1 || width > 64) return v;
  v.low = half_at(p, s, v.low, at + width - low, low);
  if (width > 32) v.high = half_at(p, s, v.high, at, width - 32);
  return v;
}

static void output(struct p4c *p, struct outputs *o, const struct spot *s, unsigned at,
                   unsigned width, p4c_node value, struct p4_place place, uint32_t mask) {
  for (unsigned i = 0; i < o->num; i++) {
    if (o->list[i].at >= at + width || at >= o->list[i].at + o->list[i].width) continue;
    if (o->list[i].at != at || o->list[i].width != width) {
      p4c_refuse(p, p->program->main->place, "overlap",
                 "'%s' and '%s' share bytes, and fields of different sizes are written in both",
                 s->h->path, o->list[i].by->path);
      return;
    }
    // of headers that exclude each other the one that is there
    p->place = place;
    o->list[i].mask |= mask;
    o->list[i].value = p4c_choice(p, s->here, value, o->list[i].value);
    return;
  }
  if (o->num == MOST_WORDS) return;
  o->list[o->num].at = at;
  o->list[o->num].width = width;
  o->list[o->num].mask = mask;
  o->list[o->num].value = value;
  o->list[o->num].place = place;
  o->list[o->num++].by = s->h;
}

static bool changed(struct p4c *p, const struct spot *s, const char *path, unsigned at,
                    unsigned width) {
  const struct p4c_val v = value_at(p, s, path, at, width);
  const unsigned low = width < 32 ? width : 32;
  return v.low != p4c_packet_bits(p, at + width - low, low) ||
         (width > 32 && v.high != p4c_packet_bits(p, at, width - 32));
}

// A field that fills words of two bytes.
static void output_whole(struct p4c *p, struct outputs *o, const struct spot *s, struct p4c_val v,
                         unsigned at) {
  if (v.width == 16) output(p, o, s, at / 8, 2, v.low, v.place, UINT32_MAX);
  if (v.width == 32) output(p, o, s, at / 8, 4, v.low, v.place, UINT32_MAX);
  if (v.width == 48) {
    output(p, o, s, at / 8, 2, v.high, v.place, UINT32_MAX);
    output(p, o, s, at / 8 + 2, 4, v.low, v.place, UINT32_MAX);
  }
}

static bool is_whole(unsigned at, unsigned width) {
  return at % 16 == 0 && (width == 16 || width == 32 || width == 48);
}

struct fields {
  unsigned num;
  struct {
    const char *path;
    unsigned at, width;
  } list[200];
};

static void list_fields(struct p4c *p, struct fields *to, const char *path,
                        const struct p4_type *type, unsigned bit) {
  for (unsigned i = 0; i < type->num_fields && to->num < 200; i++) {
    const struct p4_field *f = &type->fields[i];
    const char *name = arena_format(p->arena, "%s.%s", path, f->name);
    const unsigned width = p4c_type_width(f->type);
    if (f->type->kind == P4_TYPE_STRUCT) {
      list_fields(p, to, name, f->type, bit);
    } else {
      to->list[to->num].path = name;
      to->list[to->num].at = p4c_chip_bit(bit);
      to->list[to->num++].width = width;
    }
    bit += width;
  }
}

// Bits of a value that belong into the word of two bytes at bit `word`, in their place.
static p4c_node piece(struct p4c *p, struct p4c_val v, unsigned at, unsigned word, uint32_t *mask) {
  const unsigned from = at > word ? at : word;
  const unsigned end = at + v.width < word + 16 ? at + v.width : word + 16;
  const unsigned low = at + v.width - end, width = end - from, left = word + 16 - end;
  const struct p4c_val part = p4c_slice(p, v, low + width - 1, low);
  *mask |= ((UINT32_C(1) << width) - 1) << left;
  return p4c_binary(p, "<<", p4c_low(p, part.low, width), p4c_const(p, left));
}

// The word of two bytes with these bits of a field in their place.
static p4c_node with_piece(struct p4c *p, struct p4c_val v, unsigned at, unsigned word) {
  const p4c_node came = p4c_text(p, arena_format(p->arena, "bytes(%u, 2)", word / 8));
  uint32_t mask = 0;
  if (v.width <= 32 && v.low == p4c_packet_bits(p, at, v.width)) return came;
  const p4c_node in_place = piece(p, p4c_clean(p, v), at, word, &mask);
  uint32_t number;
  if (p4c_is_const(p, in_place, &number) && number == mask)
    return p4c_binary(p, "|", came, in_place);
  return p4c_binary(p, "|", p4c_binary(p, "&", came, p4c_const(p, ~mask & 0xffff)), in_place);
}

// The same of each value that a field may get, so that behind the choice nothing is left to do.
static p4c_node each_piece(struct p4c *p, struct p4c_val v, unsigned at, unsigned word,
                           unsigned depth) {
  const struct p4c_def d = p->nodes[v.low];
  struct p4c_val yes = v, no = v;
  if (d.op != P4C_CHOICE || v.width > 32 || depth == 60) return with_piece(p, v, at, word);
  yes.low = d.b;
  no.low = d.c;
  return p4c_choice(p, d.a, each_piece(p, yes, at, word, depth + 1),
                    each_piece(p, no, at, word, depth + 1));
}

static void output_word(struct p4c *p, struct outputs *o, const struct spot *s,
                        const struct fields *f, unsigned word) {
  p4c_node value = p4c_const(p, 0), alone = 0;
  uint32_t mask = 0;
  unsigned num = 0;
  struct p4_place place = {0};
  for (unsigned i = 0; i < f->num; i++) {
    const unsigned at = f->list[i].at, width = f->list[i].width;
    if (at + width <= word || at >= word + 16 || width > 64 || is_whole(at, width)) continue;
    if (!changed(p, s, f->list[i].path, at, width)) continue;
    const struct p4c_val v = value_at(p, s, f->list[i].path, at, width);
    p->place = place = v.place;
    if (num++ == 0) alone = each_piece(p, v, at, word, 0);
    value = p4c_binary(p, "|", value, piece(p, p4c_clean(p, v), at, word, &mask));
  }
  if (num == 1) value = alone;
  else
    value =
        p4c_binary(p, "|", value,
                   p4c_binary(p, "&", p4c_text(p, arena_format(p->arena, "bytes(%u, 2)", word / 8)),
                              p4c_const(p, ~mask & 0xffff)));
  if (num) output(p, o, s, word / 8, 2, value, place, mask);
}

static void output_spot(struct p4c *p, struct outputs *o, const struct spot *s) {
  struct fields *f = NEW(p->arena, struct fields);
  list_fields(p, f, s->h->path, s->h->type, s->at);
  unsigned first = UINT32_MAX, end = 0;
  for (unsigned i = 0; i < f->num; i++) {
    const unsigned at = f->list[i].at, width = f->list[i].width;
    if (width > 64) continue;
    if (is_whole(at, width)) {
      if (changed(p, s, f->list[i].path, at, width))
        output_whole(p, o, s, p4c_clean(p, value_at(p, s, f->list[i].path, at, width)), at);
    } else {
      if (at < first) first = at;
      if (at + width > end) end = at + width;
    }
  }
  if (first == UINT32_MAX) return;
  for (unsigned word = first / 16 * 16; word < end; word += 16) output_word(p, o, s, f, word);
}

static void output_header(struct p4c *p, struct outputs *o, const struct p4c_header *h) {
  for (unsigned n = 0; n < h->num_places; n++) {
    const struct spot s = spot_of(p, h, n);
    const unsigned before = o->num;
    output_spot(p, o, &s);
    if (h == p->summed && o->num != before && s.at != P4C_IPV4_AT)
      p4c_refuse(p, o->list[before].place, "checksum",
                 "'%s' is changed where it stands at byte %u; the machine updates the checksum of "
                 "an IPv4 header that stands behind Ethernet",
                 h->path, s.at / 8);
  }
}

void p4c_name_fields(struct p4c *p) {
  for (const struct p4c_header *h = p->headers; h; h = h->next) {
    if (h->num_places > 1) continue;  // no field of it has one place
    struct fields *f = NEW(p->arena, struct fields);
    list_fields(p, f, h->path, h->type, h->places[0]);
    for (unsigned i = 0; i < f->num; i++)
      if (is_whole(f->list[i].at, f->list[i].width))
        p4c_field(p, p4c_plain(p, f->list[i].path), f->list[i].at, f->list[i].width);
  }
}

// ---- the port ----------------------------------------------------------------------------------

// The machine takes 8 bits of a port. What is asked of one: is it the one that drops, has it more
// bits; and the port itself, 0 where that is so.
enum question { IS_DROP, IS_LARGE, PORT };

static p4c_node leaf(struct p4c *p, p4c_node n, enum question question) {
  uint32_t number;
  if (p4c_is_const(p, n, &number)) {
    if (question == PORT)
      return p4c_const(p, p->two_blocks ? number & 255 : number < 256 ? number : 0);
    return p4c_const(p, question == IS_DROP ? number == DROP : number > 255);
  }
  if (question == PORT) return n;
  if (p4c_bits(p, n) <= 8) return p4c_const(p, 0);
  if (question == IS_DROP) return p4c_binary(p, "==", n, p4c_const(p, DROP));
  return p4c_not(p, p4c_not(p, p4c_binary(p, ">>>", n, p4c_const(p, 8))));
}

static p4c_node ask(struct p4c *p, p4c_node n, enum question question, unsigned depth) {
  const struct p4c_def d = p->nodes[n];
  if (d.op != P4C_CHOICE || depth > 60) return leaf(p, n, question);
  return p4c_choice(p, d.a, ask(p, d.b, question, depth + 1), ask(p, d.c, question, depth + 1));
}

p4c_node p4c_drop(struct p4c *p, p4c_node spec) { return ask(p, spec, IS_DROP, 0); }

// ---- all ---------------------------------------------------------------------------------------

static const char *add_line(struct p4c *p, const char *lines, struct p4_place place,
                            const char *line) {
  if (p->num_tail == p->room_tail) {
    p->room_tail = p->room_tail ? 2 * p->room_tail : 64;
    struct p4_place *grown = NEW_ARRAY(p->arena, struct p4_place, p->room_tail);
    if (p->num_tail) memcpy(grown, p->tail, p->num_tail * sizeof *grown);
    p->tail = grown;
  }
  p->tail[p->num_tail++] = place;
  return arena_format(p->arena, "%s%s\n", lines, line);
}

static const char *register_lines(struct p4c *p) {
  const char *lines = "";
  for (const struct p4c_register *r = p->registers; r; r = r->next) {
    if (!r->num_guards) continue;
    const struct p4c_val *v = p4c_cell(p, arena_format(p->arena, "reg:%s", r->name), r->width);
    const struct p4_place place = v->place.line ? v->place : r->decl->place;
    p4c_want(p, v->low);
    for (unsigned i = 0; i < r->num_guards; i++) lines = add_line(p, lines, place, r->guards[i]);
    lines = add_line(p, lines, place, arena_format(p->arena, "new %s = v%u", r->name, v->low));
  }
  return lines;
}

static const char *byte_lines(struct p4c *p, const struct outputs *o, const char *lines) {
  for (unsigned i = 0; i < o->num; i++) {
    p4c_want(p, o->list[i].value);
    p->written[p->num_written].at = o->list[i].at;
    p->written[p->num_written].mask = o->list[i].mask;
    p->written[p->num_written++].width = o->list[i].width;
    lines = add_line(p, lines, o->list[i].place,
                     arena_format(p->arena, "output bytes(%u, %u) = v%u", o->list[i].at,
                                  o->list[i].width, o->list[i].value));
  }
  return lines;
}

// A copy keeps its port.
static const char *copy_outputs(struct p4c *p, struct outputs *o) {
  const struct p4c_val spec = *p4c_cell(p, "sm.egress_spec", 9);
  const p4c_node drop = p4c_drop(p, p4c_clean(p, spec).low);
  uint32_t known;
  for (unsigned i = 0; i < o->num; i++) o->list[i].value = p4c_prune(p, o->list[i].value, drop);
  const char *lines = byte_lines(p, o, "");
  p4c_want(p, drop);
  if (p4c_is_const(p, drop, &known) && !known) return lines;
  return add_line(p, lines, spec.place, arena_format(p->arena, "output discard = v%u", drop));
}

const char *p4c_outputs(struct p4c *p) {
  struct outputs *o = NEW(p->arena, struct outputs);
  p->place = p->program->main->place;
  for (const struct p4c_header *h = p->headers; h; h = h->next)
    if (h->written) output_header(p, o, h);
  if (p->is_egress) return copy_outputs(p, o);
  const struct p4c_val sent = p4c_clean(p, *p4c_cell(p, "out.port", 9));
  const p4c_node spec = p4c_cell(p, "sm.egress_spec", 9)->low,
                 dropped = p4c_cell(p, "out.dropped", 1)->low;
  p->place = sent.place.line ? sent.place : p->place;
  p4c_node drop = p4c_or(p, dropped, p4c_drop(p, spec));
  // of Menshen's port the lowest 8 bits count
  if (!p->two_blocks) drop = p4c_or(p, drop, ask(p, p4c_prune(p, sent.low, drop), IS_LARGE, 0));
  const p4c_node port = ask(p, sent.low, PORT, 0);
  const char *lines = register_lines(p);
  for (unsigned i = 0; i < o->num; i++) o->list[i].value = p4c_prune(p, o->list[i].value, drop);
  const p4c_node to = p4c_prune(p, port, drop);
  lines = byte_lines(p, o, lines);
  p4c_want(p, to);
  p4c_want(p, drop);
  uint32_t known;
  lines = add_line(p, lines, sent.place, arena_format(p->arena, "output port = v%u", to));
  if (!p4c_is_const(p, drop, &known) || known)
    lines = add_line(p, lines, sent.place, arena_format(p->arena, "output discard = v%u", drop));
  return lines;
}
