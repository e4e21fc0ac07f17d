// SPDX-License-Identifier: Apache-2.0
// Where values are kept: cells by path, headers by their place in the packet.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "inner.h"

enum { MOST_FIELDS = 200 };

static bool add_message(struct p4c *p, enum p4_severity severity, struct p4_place place,
                        const char *id, const char *format, va_list args) {
  char text[360];
  vsnprintf(text, sizeof text, format, args);
  return p4_message_add(p->messages, severity, place, id, "%s", text);
}

void p4c_refuse(struct p4c *p, struct p4_place place, const char *lacks, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const bool more = add_message(p, P4_ERROR, place, lacks, format, args);
  va_end(args);
  if (!more) arena_give_up(p->arena, p->messages->out_of_memory ? ARENA_NO_MEMORY : ARENA_TOLD);
}

void p4c_warn(struct p4c *p, struct p4_place place, const char *id, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_message(p, P4_WARNING, place, id, format, args);
  va_end(args);
}

void p4c_want(struct p4c *p, p4c_node n) {
  if (p->num_roots == p->room_roots) {
    p->room_roots = p->room_roots ? 2 * p->room_roots : 64;
    p4c_node *grown = NEW_ARRAY(p->arena, p4c_node, p->room_roots);
    if (p->num_roots) memcpy(grown, p->roots, p->num_roots * sizeof *grown);
    p->roots = grown;
  }
  p->roots[p->num_roots++] = n;
}

void p4c_head_line(struct p4c *p, const char *line) {
  p->head = arena_format(p->arena, "%s%s\n", p->head, line);
}

const char *p4c_plain(struct p4c *p, const char *name) {
  char *text = arena_text(p->arena, name, strlen(name));
  for (char *c = text; *c; c++) *c = p4c_letter(*c);
  if (strlen(text) > P4C_NAME) text[P4C_NAME] = 0;
  return text;
}

void p4c_field(struct p4c *p, const char *name, unsigned at, unsigned width) {
  const char *line = arena_format(p->arena, "\nfield %s", name), *found = p->head;
  const size_t len = strlen(line);
  if (p->num_fields == MOST_FIELDS) return;
  for (; (found = strstr(found, line)); found += len)
    if (found[len] == '\n' || found[len] == ' ') return;
  p->num_fields++;
  const bool whole = at % 16 == 0 && (width == 16 || width == 32 || width == 48);
  if (whole && (at + width) / 8 <= p->config->HeaderBytes)
    p4c_head(p, "field %s @ bytes(%u, %u)", name, at / 8, width / 8);
  else p4c_head(p, "field %s", name);
}

// ---- names to paths ----------------------------------------------------------------------------

void p4c_bind(struct p4c *p, const struct p4_decl *decl, const char *path) {
  struct p4c_binding *b = NEW(p->arena, struct p4c_binding);
  *b = (struct p4c_binding){decl, path, p->bindings};
  p->bindings = b;
}

static const char *bound(struct p4c *p, const struct p4_decl *decl) {
  for (const struct p4c_binding *b = p->bindings; b; b = b->next)
    if (b->decl == decl) return b->path;
  if (decl->kind == P4_DECL_PARAM)
    p4c_refuse(p, p->place, "constructor",
               "'%s' is a parameter of a constructor, which is not taken yet; write its value",
               decl->name);
  const char *path = arena_format(p->arena, "%s#%u", decl->name, p->num_locals++);
  p4c_bind(p, decl, path);
  return path;
}

const char *p4c_path(struct p4c *p, const struct p4_expr *e) {
  if (e->kind == P4_EXPR_NAME) return bound(p, e->decl);
  if (e->kind == P4_EXPR_MEMBER && e->member == P4_MEMBER_FIELD) {
    const char *outer = p4c_path(p, e->a);
    return outer ? arena_format(p->arena, "%s.%s", outer, e->name) : NULL;
  }
  uint64_t index;
  if (e->kind == P4_EXPR_INDEX && e->b->value &&
      p4_wide_small(e->b->value->number, 65535, &index)) {
    const char *outer = p4c_path(p, e->a);
    return outer ? arena_format(p->arena, "%s[%u]", outer, (unsigned)index) : NULL;
  }
  p4c_refuse(p, e->place, "parse-graph",
             "elements of stacks by `next`, `last` or a computed index: the machine has no parse "
             "graph, so headers stand at fixed places");
  return NULL;
}

unsigned p4c_type_width(const struct p4_type *type) {
  uint64_t bits;
  const struct p4_type *t = p4_type_base(type);
  if (t->kind == P4_TYPE_ENUM && !t->element) return 32;
  if (t->kind == P4_TYPE_ERROR) return 32;
  return p4_type_bits(t, true, &bits) && bits <= 65535 ? (unsigned)bits : 0;
}

// ---- cells -------------------------------------------------------------------------------------

static struct p4c_cell *find(struct p4c_state *s, const char *name) {
  for (unsigned i = 0; i < s->num; i++)
    if (strcmp(s->cells[i].name, name) == 0) return &s->cells[i];
  return NULL;
}

static struct p4c_cell *add(struct p4c *p, struct p4c_state *s, const char *name,
                            struct p4c_val val) {
  if (s->num == s->room) {
    const unsigned room = s->room ? 2 * s->room : 32;
    struct p4c_cell *cells = NEW_ARRAY(p->arena, struct p4c_cell, room);
    if (s->num) memcpy(cells, s->cells, s->num * sizeof *cells);
    s->cells = cells;
    s->room = room;
  }
  s->cells[s->num] = (struct p4c_cell){name, val};
  return &s->cells[s->num++];
}

unsigned p4c_chip_bit(unsigned bit) { return bit < P4C_TAG_AT * 8 ? bit : bit + P4C_TAG * 8; }

struct p4c_header *p4c_header_of(struct p4c *p, const char *path) {
  struct p4c_header *h = p->headers;
  while (h && strcmp(h->path, path) != 0) h = h->next;
  return h;
}

static const struct p4_field *field_at(const struct p4_type *type, const char *path,
                                       unsigned *bit) {
  for (unsigned i = 0; i < type->num_fields; i++) {
    const struct p4_field *f = &type->fields[i];
    const size_t len = strlen(f->name);
    if (strncmp(path, f->name, len) == 0) {
      if (!path[len]) return f;
      if (path[len] == '.' && f->type->kind == P4_TYPE_STRUCT)
        return field_at(f->type, path + len + 1, bit);
    }
    *bit += p4c_type_width(f->type);
  }
  return NULL;
}

struct p4c_header *p4c_header_with(struct p4c *p, const char *path, const struct p4_field **field,
                                   unsigned *bit) {
  for (struct p4c_header *h = p->headers; h; h = h->next) {
    const size_t len = strlen(h->path);
    if (strncmp(path, h->path, len) != 0 || path[len] != '.') continue;
    *bit = 0;
    *field = field_at(h->type, path + len + 1, bit);
    return *field ? h : NULL;
  }
  return NULL;
}

// What the ingress left in metadata: numbers are known, all else does not travel.
static p4c_node from_ingress(struct p4c *p, const char *path) {
  struct p4c_cell *c = find(&p->ingress->now, path);
  uint32_t number = 0;
  if (!c || (p4c_is_const(p->ingress, c->val.low, &number) && c->val.width <= 32))
    return p4c_const(p, number);
  p4c_refuse(p, p->place, "bridge",
             "'%s' is computed by the ingress; nothing but the packet's bytes goes from there to "
             "the egress of the machine",
             path);
  c->val.low = p4c_const(p->ingress, 0);  // told once
  c->val.width = 1;
  return p4c_const(p, 0);
}

static struct p4c_val choose(struct p4c *p, p4c_node condition, struct p4c_val a,
                             struct p4c_val b) {
  uint32_t known;
  if (p4c_is_const(p, p4c_choice(p, condition, p4c_const(p, 1), p4c_const(p, 0)), &known))
    return known ? a : b;
  const struct p4c_val v = {p4c_choice(p, condition, a.low, b.low),
                            a.width > 32 ? p4c_choice(p, condition, a.high, b.high) : a.high,
                            a.width,
                            a.clean && b.clean,
                            a.whole == b.whole ? a.whole : 0,
                            a.place.line ? a.place : b.place};
  return v;
}

// A field as it stands at a bit of the packet.
static struct p4c_val bits_at(struct p4c *p, const char *path, unsigned bit, unsigned width) {
  const p4c_node zero = p4c_const(p, 0);
  struct p4c_val v = {zero, zero, width, true, 0, {0}};
  const unsigned at = p4c_chip_bit(bit);
  if (width > 64 || p4c_chip_bit(bit + width - 1) != at + width - 1) {
    p4c_refuse(p, p->place, "wide",
               "'%s' has %u bits; the machine computes with up to 64, which "
               "the VLAN tag behind byte 12 does not part",
               path, width);
    return v;
  }
  const unsigned low = width < 32 ? width : 32;
  v.low = p4c_packet_bits(p, at + width - low, low);
  if (width > 32) v.high = p4c_packet_bits(p, at, width - 32);
  if (width == 48 && at % 8 == 0) v.whole = 1 + at / 8;
  return v;
}

// What a field is before anything is written to it.
static struct p4c_val start(struct p4c *p, const char *path, unsigned width) {
  const struct p4_field *field;
  unsigned bit;
  const struct p4c_header *h = p4c_header_with(p, path, &field, &bit);
  const p4c_node zero = p4c_const(p, 0);
  struct p4c_val v = {zero, zero, width, true, 0, {0}};
  if (p->two_blocks && strcmp(path, "sm.port") == 0) v.low = p4c_port_in(p);
  if (p->ingress && strncmp(path, "meta.", 5) == 0) v.low = from_ingress(p, path);
  if (strncmp(path, "reg:", 4) == 0)
    v.low = p4c_text(p, arena_format(p->arena, "old %s", path + 4));
  if (!h) return v;
  v = bits_at(p, path, h->places[0] + bit, width);
  for (unsigned i = 1; i < h->num_places; i++)
    v = choose(p, p4c_stands_at(p, h, h->places[i]), bits_at(p, path, h->places[i] + bit, width),
               v);
  return v;
}

struct p4c_val *p4c_cell(struct p4c *p, const char *name, unsigned width) {
  struct p4c_cell *c = find(&p->now, name);
  if (!c) c = add(p, &p->now, name, start(p, name, width));
  return &c->val;
}

p4c_node p4c_stands_at(struct p4c *p, const struct p4c_header *h, unsigned at) {
  return p4c_cell(p, arena_format(p->arena, "%s.$at%u$", h->path, at), 1)->low;
}

p4c_node p4c_valid(struct p4c *p, const char *path) {
  if (!p4c_header_of(p, path)) return p4c_const(p, 0);
  return p4c_cell(p, arena_format(p->arena, "%s.$valid$", path), 1)->low;
}

// ---- reading and writing -----------------------------------------------------------------------

// What differs behind two ways stands where one of them wrote it.
static struct p4c_val join(struct p4c *p, p4c_node condition, struct p4c_val a, struct p4c_val b) {
  const struct p4_place place = p->place;
  if (a.place.line || b.place.line) p->place = a.place.line ? a.place : b.place;
  const struct p4c_val v = choose(p, condition, a, b);
  p->place = place;
  return v;
}

// The header that a field belongs to, also of one that no parser extracts; NULL: it is in none.
static const char *header_path(struct p4c *p, const char *path) {
  for (const struct p4c_header *h = p->headers; h; h = h->next) {
    const size_t len = strlen(h->path);
    if (strncmp(path, h->path, len) == 0 && path[len] == '.') return h->path;
  }
  return NULL;
}

struct p4c_val p4c_read(struct p4c *p, const char *path, const struct p4_type *type) {
  const unsigned width = p4c_type_width(type);
  const struct p4c_val v = *p4c_cell(p, path, width);
  const char *header = header_path(p, path);
  if (!header) return v;
  const p4c_node zero = p4c_const(p, 0);
  return choose(p, p4c_valid(p, header), v, (struct p4c_val){zero, zero, width, true, 0, {0}});
}

void p4c_write(struct p4c *p, const char *path, const struct p4_type *type, struct p4c_val val) {
  const unsigned width = p4c_type_width(type);
  const char *header = header_path(p, path);
  if (header) {
    // what is written to a header that is not there vanishes
    val = choose(p, p4c_valid(p, header), val, *p4c_cell(p, path, width));
    p4c_header_of(p, header)->written = true;
  }
  val.place = p->place;
  *p4c_cell(p, path, width) = val;
}

// ---- ways --------------------------------------------------------------------------------------

struct p4c_state p4c_state_copy(struct p4c *p, const struct p4c_state *s) {
  struct p4c_state copy = *s;
  copy.room = s->num + 16;
  copy.cells = NEW_ARRAY(p->arena, struct p4c_cell, copy.room);
  if (s->num) memcpy(copy.cells, s->cells, s->num * sizeof *copy.cells);
  return copy;
}

void p4c_merge(struct p4c *p, p4c_node condition, struct p4c_state *yes, struct p4c_state *no) {
  for (unsigned i = 0; i < yes->num; i++) {
    struct p4c_cell *a = &yes->cells[i], *b = find(no, a->name);
    p->now = *no;
    if (!b) b = add(p, no, a->name, start(p, a->name, a->val.width));
    b->val = join(p, condition, a->val, b->val);
  }
  for (unsigned i = 0; i < no->num; i++)
    if (!find(yes, no->cells[i].name)) {
      const struct p4c_cell *b = &no->cells[i];
      no->cells[i].val = join(p, condition, start(p, b->name, b->val.width), b->val);
    }
  no->exited = p4c_choice(p, condition, yes->exited, no->exited);
  no->returned = p4c_choice(p, condition, yes->returned, no->returned);
  p->now = *no;
}
