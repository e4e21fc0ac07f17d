// SPDX-License-Identifier: Apache-2.0
// The architecture of v1model: what happens between the blocks of a program.
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { NORMAL, INGRESS_CLONE, EGRESS_CLONE, COALESCED, RECIRCULATED, REPLICATED, RESUBMITTED };
enum { PARSER, VERIFY, INGRESS = P4R_INGRESS, EGRESS, COMPUTE, DEPARSER };

struct queue {
  struct p4r_packet *first, **last;
};
static void put(struct queue *q, struct p4r_packet *p) {
  p->next = NULL;
  *q->last = p;
  q->last = &p->next;
}
static struct p4r_packet *take(struct queue *q) {
  struct p4r_packet *p = q->first;
  if (!p) return NULL;
  q->first = p->next;
  if (!q->first) q->last = &q->first;
  return p;
}

struct run {
  struct p4r_exec x;
  struct queue ingress, egress;
  struct p4r_output **out;
  unsigned passes, sent;  // through ingress and egress
};

// NULL: not in this architecture.
static struct p4v *standard(struct p4r_exec *x, struct p4v *of, const char *name) {
  const struct p4_type *t = x->sw->standard_type;
  for (unsigned i = 0; i < of->num; i++)
    if (strcmp(t->fields[i].name, name) == 0) return &of->items[i];
  if (x->sw->two_blocks) return NULL;
  p4r_fail(x, "standard_metadata_t has no field '%s'", name);
}
static void set(struct p4r_exec *x, struct p4r_packet *p, const char *name, uint64_t value) {
  struct p4v *v = standard(x, &p->standard, name);
  if (!v) return;
  v->word = v->width && v->width < 64 ? value & (((uint64_t)1 << v->width) - 1) : value;
}
static uint64_t get(struct p4r_exec *x, struct p4r_packet *p, const char *name) {
  return standard(x, &p->standard, name)->word;
}

// ---- packets ------------------------------------------------------------------------------------

static struct p4r_packet *packet_new(struct p4r_exec *x, const uint8_t *bytes, size_t len) {
  struct p4r_packet *p = NEW(x->arena, struct p4r_packet);
  if (len > P4R_MOST_PACKET_LEN)
    p4r_fail(x, "a packet has more than %d bytes", P4R_MOST_PACKET_LEN);
  *p = (struct p4r_packet){.len = len, .truncate = SIZE_MAX};
  p->bytes = NEW_ARRAY(x->arena, uint8_t, len + 1);
  if (len) memcpy(p->bytes, bytes, len);
  p->hdr = p4v_zero(x->arena, x->sw->hdr_type);
  p->meta = p4v_zero(x->arena, x->sw->meta_type);
  p->standard = p4v_zero(x->arena, x->sw->standard_type);
  if (x->sw->two_blocks)
    p->places = NEW_ARRAY(x->arena, size_t, p4v_under(x->sw->hdr_type)->num_fields + 1);
  set(x, p, "packet_length", len);
  return p;
}

// All of a packet again, as it stands.
static struct p4r_packet *packet_copy(struct p4r_exec *x, const struct p4r_packet *from) {
  struct p4r_packet *p = NEW(x->arena, struct p4r_packet);
  *p = *from;
  p->hdr = p4v_copy(x->arena, from->hdr);
  p->meta = p4v_copy(x->arena, from->meta);
  p->standard = p4v_copy(x->arena, from->standard);
  return p;
}

static bool is_listed(const struct p4_decl *field, uint64_t index) {
  for (const struct p4_annotation *a = field ? field->annotations : NULL; a; a = a->next) {
    uint64_t numbers[32];
    if (strcmp(a->name, "field_list") != 0) continue;
    const int num = p4_annotation_numbers(a, numbers, 32);
    for (int i = 0; i < num; i++)
      if (numbers[i] == index) return true;
  }
  return false;
}
// Fields of user metadata that bear the number of the list.
static void keep_listed(struct p4v *to, const struct p4v *from, uint64_t index) {
  const struct p4_type *t = p4v_under(from->type);
  if (t->kind != P4_TYPE_STRUCT) return;
  for (unsigned i = 0; i < from->num; i++) {
    if (is_listed(t->fields[i].decl, index)) p4v_assign(&to->items[i], from->items[i]);
    else if (from->items[i].kind == P4V_STRUCT) keep_listed(&to->items[i], &from->items[i], index);
  }
}

// ---- blocks -------------------------------------------------------------------------------------

static void begin(struct p4r_exec *x, const char *block, struct p4r_packet *p) {
  x->packet = p;
  x->place = (struct p4_place){0};
  p4r_trace_event(x, "block", "%s", block);
}

static void parse(struct p4r_exec *x, struct p4r_packet *p) {
  const struct p4r_object *parser = x->sw->blocks[PARSER];
  begin(x, parser->name, p);
  x->cursor = 0;
  x->error = 0;
  x->states = 0;
  struct p4v args[4] = {
      {.kind = P4V_OBJECT, .object = &x->sw->packet_object}, p->hdr, p->meta, p->standard};
  p4r_enter(x, parser, args);
  p->hdr = args[1];
  p->meta = args[2];
  p->standard = args[3];
  p->payload = (x->cursor + 7) / 8;
  set(x, p, "parser_error", x->error);
}

static void run_block(struct p4r_exec *x, struct p4r_packet *p, unsigned block) {
  begin(x, x->sw->blocks[block]->name, p);
  struct p4v args[3] = {p->hdr, p->meta, p->standard};
  p4r_enter(x, x->sw->blocks[block], args);
  p->hdr = args[0];
  p->meta = args[1];
  if (block == INGRESS || block == EGRESS) p->standard = args[2];
}

static void deparse(struct p4r_exec *x, struct p4r_packet *p, struct p4v_string *s) {
  begin(x, x->sw->blocks[DEPARSER]->name, p);
  struct p4v args[2] = {{.kind = P4V_OBJECT, .object = &x->sw->packet_object}, p->hdr};
  *s = (struct p4v_string){.arena = x->arena};
  x->out = s;
  p4r_enter(x, x->sw->blocks[DEPARSER], args);
  x->out = NULL;
  p4v_append_bytes(s, p->bytes + p->payload, (p->len - p->payload) * 8);
}

// ---- traffic manager ----------------------------------------------------------------------------

static void enqueue(struct run *r, struct p4r_packet *p, unsigned port, unsigned rid) {
  p->port = port;
  set(&r->x, p, "egress_rid", rid);
  set(&r->x, p, "enq_timestamp", r->x.sw->time_us);
  put(&r->egress, p);
}

// One copy for each port of each node, nodes in the order in which they joined.
static void replicate(struct run *r, const struct p4r_packet *p, uint64_t group, bool is_clone) {
  struct p4r_switch *sw = r->x.sw;
  for (unsigned order = 0; order < sw->num_associated; order++)
    for (const struct p4r_node *n = sw->nodes; n; n = n->next) {
      if (!n->associated || n->order != order || n->group != group) continue;
      for (unsigned i = 0; i < n->num_ports; i++) {
        struct p4r_packet *copy = packet_copy(&r->x, p);
        if (!is_clone) set(&r->x, copy, "instance_type", REPLICATED);
        enqueue(r, copy, n->ports[i], n->rid);
      }
    }
}

static void send_clone(struct run *r, struct p4r_packet *clone, const struct p4r_packet *from,
                       unsigned type) {
  struct p4r_exec *x = &r->x;
  const struct p4r_asked *a = &x->asked;
  const struct p4r_session *s = x->sw->sessions;
  while (s && s->id != a->clone_session) s = s->next;
  const uint64_t port = standard(x, (struct p4v *)&from->standard, "ingress_port")->word;
  clone->meta = p4v_zero(x->arena, x->sw->meta_type);
  clone->standard = p4v_zero(x->arena, x->sw->standard_type);
  if (a->clone_list) keep_listed(&clone->meta, &from->meta, a->clone_index);
  set(x, clone, "ingress_port", port);
  set(x, clone, "packet_length", clone->len);
  set(x, clone, "instance_type", type);
  clone->truncate = SIZE_MAX;
  if (s->has_group) replicate(r, clone, s->group, true);
  if (s->has_port) enqueue(r, clone, s->port, 0);
}
static bool session_exists(const struct p4r_exec *x) {
  for (const struct p4r_session *s = x->sw->sessions; s; s = s->next)
    if (s->id == x->asked.clone_session) return true;
  return false;
}

// A packet that goes to the parser again.
static void again(struct run *r, struct p4r_packet *from, const uint8_t *bytes, size_t len,
                  uint64_t list, unsigned type) {
  struct p4r_exec *x = &r->x;
  struct p4r_packet *p = packet_new(x, bytes, len);
  keep_listed(&p->meta, &from->meta, list);
  set(x, p, "ingress_port", get(x, from, "ingress_port"));
  set(x, p, "ingress_global_timestamp", get(x, from, "ingress_global_timestamp"));
  set(x, p, "instance_type", type);
  put(&r->ingress, p);
}

static void end_ingress(struct run *r, struct p4r_packet *p) {
  struct p4r_exec *x = &r->x;
  const struct p4r_asked asked = x->asked;
  if (asked.clone && asked.clone_type == 0 && session_exists(x)) {
    struct p4r_packet *clone = packet_new(x, p->bytes, p->len);
    set(x, clone, "ingress_port", get(x, p, "ingress_port"));
    parse(x, clone);
    send_clone(r, clone, p, INGRESS_CLONE);
  }
  if (asked.digest)
    p4r_trace_event(x, "digest", "%s %s", asked.digest_name,
                    p4v_text(x->arena, asked.digest_value));
  if (asked.resubmit) {
    again(r, p, p->bytes, p->len, asked.resubmit_index, RESUBMITTED);
    p4r_trace_event(x, "resubmit", "to the parser");
    return;
  }
  const uint64_t group = get(x, p, "mcast_grp"), spec = get(x, p, "egress_spec");
  if (group) {
    p4r_trace_event(x, "multicast", "group %u", (unsigned)group);
    replicate(r, p, group, false);
  } else if (spec == P4R_DROP_PORT) {
    p4r_trace_event(x, "drop", "at the end of ingress");
  } else {
    set(x, p, "instance_type", NORMAL);
    enqueue(r, p, (unsigned)spec, 0);
  }
}

static void put_out(struct run *r, struct p4r_packet *p, const struct p4v_string *s, size_t len) {
  p4r_trace_event(&r->x, "output", "port %u, %zu bytes", p->port, len);
  if (p->port == P4R_DROP_PORT) return;
  struct p4r_output *o = NEW(r->x.arena, struct p4r_output);
  *o = (struct p4r_output){.port = p->port, .bytes = s->bytes, .len = len};
  if (!o->bytes) o->bytes = NEW(r->x.arena, uint8_t);
  *r->out = o;
  r->out = &o->next;
}

// ---- two blocks ---------------------------------------------------------------------------------

// Over the bits that are there.
static void write_bits(uint8_t *to, size_t at, const struct p4v_string *s) {
  for (size_t i = 0; i < s->bits; i++, at++) {
    const uint8_t bit = (uint8_t)(0x80 >> at % 8);
    to[at / 8] = s->bytes[i / 8] >> (7 - i % 8) & 1 ? to[at / 8] | bit : to[at / 8] & (uint8_t)~bit;
  }
}

// What the ingress leaves in the headers stands in the packet where they came from.
static void two_blocks(struct run *r, struct p4r_packet *p) {
  struct p4r_exec *x = &r->x;
  parse(x, p);
  run_block(x, p, INGRESS);
  if (get(x, p, "discard")) {
    p4r_trace_event(x, "drop", "at the end of ingress");
    return;
  }
  struct p4v_string all = {.arena = x->arena};
  p4v_append_bytes(&all, p->bytes, p->len * 8);
  for (unsigned i = 0; i < p->hdr.num; i++) {
    struct p4v_string s = {.arena = x->arena};
    if (!p->places[i]) continue;
    p4v_append(&s, p->hdr.items[i]);
    write_bits(all.bytes, p->places[i] - 1, &s);
  }
  p->port = get(x, p, "port") & 255;
  put_out(r, p, &all, p->len);
}

// ---- passes -------------------------------------------------------------------------------------

static void ingress(struct run *r, struct p4r_packet *p) {
  struct p4r_exec *x = &r->x;
  if (x->sw->two_blocks) {
    two_blocks(r, p);
    return;
  }
  x->asked = (struct p4r_asked){0};
  x->truncate = SIZE_MAX;
  parse(x, p);
  x->checksum_error = false;
  run_block(x, p, VERIFY);
  set(x, p, "checksum_error", x->checksum_error);
  run_block(x, p, INGRESS);
  p->truncate = x->truncate;
  end_ingress(r, p);
}

static void egress(struct run *r, struct p4r_packet *p) {
  struct p4r_exec *x = &r->x;
  x->asked = (struct p4r_asked){0};
  x->truncate = p->truncate;
  set(x, p, "egress_port", p->port);
  set(x, p, "egress_spec", 0);
  set(x, p, "egress_global_timestamp", x->sw->time_us);
  set(x, p, "enq_qdepth", x->sw->queue.depth_in);
  set(x, p, "deq_qdepth", x->sw->queue.depth_out);
  set(x, p, "deq_timedelta", x->sw->queue.waited);
  run_block(x, p, EGRESS);
  p->truncate = x->truncate;
  const struct p4r_asked asked = x->asked;
  if (asked.clone && asked.clone_type == 1 && session_exists(x))
    send_clone(r, packet_copy(x, p), p, EGRESS_CLONE);
  if (get(x, p, "egress_spec") == P4R_DROP_PORT) {
    p4r_trace_event(x, "drop", "at the end of egress");
    return;
  }
  run_block(x, p, COMPUTE);
  struct p4v_string s;
  deparse(x, p, &s);
  size_t len = (s.bits + 7) / 8;
  if (len > p->truncate) len = p->truncate;
  if (asked.recirculate) {
    p4r_trace_event(x, "recirculate", "to the parser");
    again(r, p, s.bytes, len, asked.recirculate_index, RECIRCULATED);
  } else {
    put_out(r, p, &s, len);
  }
}

static void run_all(struct run *r) {
  struct p4r_packet *p;
  for (;;) {
    if (++r->passes > P4R_MOST_PASSES) {
      r->x.place.line = 0;
      p4r_fail(&r->x, "the packet goes through the switch more than %d times", P4R_MOST_PASSES);
    }
    if ((p = take(&r->egress))) egress(r, p);
    else if ((p = take(&r->ingress))) ingress(r, p);
    else return;
  }
}

bool p4r_send(struct p4r_switch *sw, unsigned port, const uint8_t *bytes, size_t len,
              struct p4r_output **out) {
  *out = NULL;
  arena_release(&sw->now);
  sw->now = (struct arena){.bound = P4R_MOST_MEMORY};
  snprintf(sw->why, sw->why_size, "out of memory");
  if (setjmp(sw->now.escape) || setjmp(sw->own.escape)) return false;
  struct run *run = NEW(&sw->now, struct run);
  run->x.sw = sw;
  run->x.arena = &sw->now;
  run->ingress.last = &run->ingress.first;
  run->egress.last = &run->egress.first;
  run->out = out;
  struct p4r_packet *p = packet_new(&run->x, bytes, len);
  set(&run->x, p, sw->two_blocks ? "port" : "ingress_port", port);
  set(&run->x, p, "ingress_global_timestamp", sw->time_us);
  p4r_trace_event(&run->x, "packet", "at port %u, %zu bytes", port, len);
  put(&run->ingress, p);
  run_all(run);
  return true;
}

// ---- life ---------------------------------------------------------------------------------------

static bool build(struct p4r_switch *sw) {
  if (setjmp(sw->now.escape) || setjmp(sw->own.escape)) return false;
  return p4r_build(sw);
}

struct p4r_switch *p4r_open(const struct p4_program *program, const struct p4r_options *options,
                            char *why, size_t why_size) {
  struct p4r_switch *sw = calloc(1, sizeof *sw);
  snprintf(why, why_size, "out of memory");
  if (!sw) return NULL;
  sw->program = program;
  sw->why = why;
  sw->why_size = why_size;
  sw->trace = options->trace;
  sw->messages = options->messages;
  sw->last_object = &sw->objects;
  sluice_rng_init(&sw->rng, options->seed, "p4");
  if (build(sw)) return sw;
  p4r_close(sw);
  return NULL;
}

void p4r_close(struct p4r_switch *sw) {
  if (!sw) return;
  arena_release(&sw->now);
  arena_release(&sw->own);
  free(sw);
}

void p4r_set_queue(struct p4r_switch *sw, const struct p4r_queue *queue) { sw->queue = *queue; }
void p4r_set_time(struct p4r_switch *sw, uint64_t time_us) { sw->time_us = time_us; }
uint64_t p4r_time(const struct p4r_switch *sw) { return sw->time_us; }
