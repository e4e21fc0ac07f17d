// SPDX-License-Identifier: Apache-2.0
// What the control plane does to groups, sessions, registers, counters and meters.
#include <stdlib.h>
#include <string.h>

#include "names.h"

// ---- replication --------------------------------------------------------------------------------

bool p4r_group_create(struct p4r_switch *sw, unsigned group) {
  return group > 0 && group < 65536 ? true : p4r_say(sw, "a multicast group is 1 to 65535");
}

static struct p4r_node *find_node(struct p4r_switch *sw, unsigned id) {
  struct p4r_node *n = sw->nodes;
  while (n && n->id != id) n = n->next;
  if (!n) p4r_say(sw, "there is no node %u", id);
  return n;
}

static int by_number(const void *a, const void *b) {
  const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}
static void set_ports(struct p4r_switch *sw, struct p4r_node *n, const unsigned *ports,
                      unsigned num) {
  n->ports = NEW_ARRAY(&sw->own, unsigned, num + 1);
  n->num_ports = 0;
  if (num) memcpy(n->ports, ports, num * sizeof *ports);
  qsort(n->ports, num, sizeof *ports, by_number);
  for (unsigned i = 0; i < num; i++)  // each once
    if (i == 0 || n->ports[i] != n->ports[n->num_ports - 1]) n->ports[n->num_ports++] = n->ports[i];
}

int p4r_node_create(struct p4r_switch *sw, unsigned rid, const unsigned *ports, unsigned num) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory"), -1;
  struct p4r_node *n = NEW(&sw->own, struct p4r_node);
  *n = (struct p4r_node){.id = sw->num_nodes++, .rid = rid, .next = sw->nodes};
  set_ports(sw, n, ports, num);
  sw->nodes = n;
  return (int)n->id;
}
bool p4r_node_update(struct p4r_switch *sw, unsigned node, const unsigned *ports, unsigned num) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_node *n = find_node(sw, node);
  if (n) set_ports(sw, n, ports, num);
  return n != NULL;
}
bool p4r_node_associate(struct p4r_switch *sw, unsigned group, unsigned node) {
  struct p4r_node *n = find_node(sw, node);
  if (!n) return false;
  if (n->associated) return p4r_say(sw, "node %u is in group %u", node, n->group);
  n->associated = true;
  n->group = group;
  n->order = sw->num_associated++;
  return true;
}

bool p4r_session_set(struct p4r_switch *sw, unsigned session, bool is_group, unsigned target) {
  if (session > 32767) return p4r_say(sw, "a clone session is 0 to 32767");
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_session *s = sw->sessions;
  while (s && s->id != session) s = s->next;
  if (!s) {
    s = NEW(&sw->own, struct p4r_session);
    *s = (struct p4r_session){.id = session, .next = sw->sessions};
    sw->sessions = s;
  }
  if (is_group) s->has_group = true, s->group = target;
  else s->has_port = true, s->port = target;
  return true;
}
bool p4r_session_delete(struct p4r_switch *sw, unsigned session) {
  for (struct p4r_session **s = &sw->sessions; *s; s = &(*s)->next)
    if ((*s)->id == session) return *s = (*s)->next, true;
  return p4r_say(sw, "there is no clone session %u", session);
}

// ---- cells --------------------------------------------------------------------------------------

static struct p4r_cell *cell(struct p4r_switch *sw, struct p4r_object *o, uint64_t index) {
  if (index < o->size) return &o->cells[index];
  p4r_say(sw, "%s has no cell %llu", o->name, (unsigned long long)index);
  return NULL;
}

static bool holds_structs(const struct p4r_object *o) {
  const struct p4_type *t = p4v_under(o->type->args[0]);
  return t->kind == P4_TYPE_STRUCT || t->kind == P4_TYPE_HEADER || t->kind == P4_TYPE_TUPLE ||
         t->kind == P4_TYPE_STACK || t->kind == P4_TYPE_UNION;
}

bool p4r_register_read(struct p4r_switch *sw, const char *name, uint64_t index,
                       struct p4r_number *value) {
  struct p4r_object *o = p4r_find(sw, P4R_EXTERN, "register\0", name);
  const struct p4r_cell *c = o ? cell(sw, o, index) : NULL;
  if (!c) return false;
  if (holds_structs(o)) return p4r_say(sw, "%s holds structs, and no numbers", o->name);
  const struct p4_type *t = p4v_under(o->type->args[0]);
  const unsigned width = t->kind == P4_TYPE_BITS ? t->width : 64;
  *value = (struct p4r_number){.len = sizeof value->bytes};
  for (unsigned i = 0; i < width; i++)
    if (i / 8 < value->len && (c->words[i / 64] >> i % 64 & 1))
      value->bytes[value->len - 1 - i / 8] |= (uint8_t)(1 << i % 8);
  return true;
}

bool p4r_register_write(struct p4r_switch *sw, const char *name, uint64_t index,
                        const struct p4r_number *value) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_object *o = p4r_find(sw, P4R_EXTERN, "register\0", name);
  if (!o || (index != UINT64_MAX && !cell(sw, o, index))) return false;
  if (holds_structs(o) && index != UINT64_MAX)
    return p4r_say(sw, "%s holds structs, and no numbers", o->name);
  const struct p4v v = p4r_number_value(&sw->own, value, o->type->args[0]);
  const uint64_t first = index == UINT64_MAX ? 0 : index;
  const uint64_t behind = index == UINT64_MAX ? o->size : index + 1;
  for (uint64_t i = first; i < behind; i++) {
    o->cells[i].value = NULL;
    if (v.kind == P4V_BITS && v.width > 64)
      memcpy(o->cells[i].words, v.words, (v.width + 63) / 64 * sizeof *v.words);
    else o->cells[i].words[0] = p4v_low(v);
  }
  return true;
}

bool p4r_counter_read(struct p4r_switch *sw, const char *name, uint64_t index, uint64_t *packets,
                      uint64_t *bytes) {
  struct p4r_object *o = p4r_find(sw, P4R_EXTERN, "counter\0", name);
  const struct p4r_cell *c = o ? cell(sw, o, index) : NULL;
  if (!c) return false;
  *packets = c->packets;
  *bytes = c->bytes;
  return true;
}
bool p4r_counter_write(struct p4r_switch *sw, const char *name, uint64_t index, uint64_t packets,
                       uint64_t bytes) {
  struct p4r_object *o = p4r_find(sw, P4R_EXTERN, "counter\0", name);
  struct p4r_cell *c = o ? cell(sw, o, index) : NULL;
  if (!c) return false;
  c->packets = packets;
  c->bytes = bytes;
  return true;
}

static struct p4r_object *table_with(struct p4r_switch *sw, const struct p4r_object *direct) {
  struct p4r_object *t = sw->objects;
  while (t && t->counter != direct && t->meter != direct) t = t->next;
  if (!t) p4r_say(sw, "no table uses %s", direct->name);
  return t;
}
static struct p4r_entry *entry_named(struct p4r_switch *sw, struct p4r_object *table,
                                     const char *label) {
  char number[24];
  for (struct p4r_entry *e = table->entries; e; e = e->next) {
    snprintf(number, sizeof number, "%u", e->id);
    if (!e->gone && ((e->label && strcmp(e->label, label) == 0) || strcmp(number, label) == 0))
      return e;
  }
  p4r_say(sw, "table %s has no entry '%s'", table->name, label);
  return NULL;
}
bool p4r_counter_read_entry(struct p4r_switch *sw, const char *name, const char *label,
                            uint64_t *packets, uint64_t *bytes) {
  struct p4r_object *o = p4r_find(sw, P4R_EXTERN, "direct_counter\0", name);
  struct p4r_object *table = o ? table_with(sw, o) : NULL;
  const struct p4r_entry *e = table ? entry_named(sw, table, label) : NULL;
  if (!e) return false;
  *packets = e->cell.packets;
  *bytes = e->cell.bytes;
  return true;
}

bool p4r_meter_rates(struct p4r_switch *sw, const char *name, uint64_t index,
                     const uint64_t rate[2], const uint64_t burst[2]) {
  struct p4r_object *o = p4r_find(sw, P4R_EXTERN, "meter\0direct_meter\0", name);
  if (!o) return false;
  if (rate[1] < rate[0]) return p4r_say(sw, "the peak rate is below the committed one");
  if (strcmp(o->decl->name, "direct_meter") == 0) {
    struct p4r_object *table = table_with(sw, o);
    for (struct p4r_entry *e = table ? table->entries : NULL; e; e = e->next)
      if (index == UINT64_MAX || e->id == index)
        p4r_meter_set(&e->cell.meter, sw->time_us, rate, burst);
    return table != NULL;
  }
  if (index != UINT64_MAX && !cell(sw, o, index)) return false;
  const uint64_t first = index == UINT64_MAX ? 0 : index;
  const uint64_t behind = index == UINT64_MAX ? o->size : index + 1;
  for (uint64_t i = first; i < behind; i++)
    p4r_meter_set(&o->cells[i].meter, sw->time_us, rate, burst);
  return true;
}
