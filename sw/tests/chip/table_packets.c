// SPDX-License-Identifier: Apache-2.0
// Entries and packets for the programs in sw/programs/tables, and what must become of them, worked
// out here from the entries alone: neither compiler nor model nor driver is asked.
//
//   table_packets make PROGRAM DIR PACKETS ROUTES SEED    DIR/TABLE.csv, DIR/in.pcapng
//   table_packets check PROGRAM DIR PACKETS ROUTES SEED   compares DIR/out.pcapng
//
// Packets carry their number in the last four bytes. Checksums of what must come out are summed
// anew. ROUTES is how many entries the table `route` gets beside those of the source. A line is
// printed: of the router how many packets were routed and went to the control plane, and so on.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/rng.h"
#include "lib/capture.h"

enum { PORTS = 4, CPU = 3, VID = 5, MOST = 10400, KEYS = 6, FRAME = 200, RULES = 16 };

struct key {
  uint64_t value, care;
};
struct entry {
  struct key key[KEYS];
  unsigned priority, action;
  uint64_t arg[3];
};
// Kinds of keys: e exact, l longest prefix, t ternary. In `actions` each name has its arguments
// behind it.
struct table {
  const char *name, *kinds, *keys[KEYS], *actions[3], *args[3][3], *columns;
  struct entry entry[MOST];
  unsigned num, constant;  // the first `constant` ones are those of the source
};

static struct sluice_rng rng;
static unsigned below(unsigned n) { return (unsigned)sluice_rng_below(&rng, n); }
static uint32_t word(void) { return (uint32_t)sluice_rng_next(&rng); }

static int failed(const char *what, const char *why) {
  fprintf(stderr, "table_packets: %s: %s\n", what, why);
  return 3;
}

// ---- frames -------------------------------------------------------------------------------------

enum { TO = 0, FROM = 6, TCI = 14, TYPE = 16, IP = 18, TTL = 26, PROTOCOL = 27, SRC = 30 };
enum { DST = 34 };
enum { ICMP = 1, TCP = 6, UDP = 17 };

static uint32_t sum(const uint8_t *at, size_t len, uint32_t so_far) {
  for (size_t i = 0; i < len; i++) so_far += (uint32_t)at[i] << (i % 2 ? 0 : 8);
  return so_far;
}
static unsigned folded(uint32_t value) {
  while (value >> 16) value = (value & 0xffff) + (value >> 16);
  return ~value & 0xffff;
}
// A UDP checksum of 0 means that there is none, and stays.
static void checksums(uint8_t *f) {
  const unsigned head = (f[IP] & 15u) * 4, len = (unsigned)sluice_get(f + IP + 2, 2) - head;
  uint8_t *l4 = f + IP + head;
  sluice_put(f + IP + 10, 2, 0);
  sluice_put(f + IP + 10, 2, folded(sum(f + IP, head, 0)));
  const unsigned at = f[PROTOCOL] == TCP ? 16 : 6;
  if (f[PROTOCOL] != TCP && (f[PROTOCOL] != UDP || sluice_get(l4 + at, 2) == 0)) return;
  sluice_put(l4 + at, 2, 0);
  const unsigned c = folded(sum(l4, len, sum(f + SRC, 8, f[PROTOCOL] + len)));
  sluice_put(l4 + at, 2, f[PROTOCOL] == UDP && c == 0 ? 0xffff : c);
}

struct packet {
  uint8_t bytes[FRAME];
  unsigned len, port;
  int out;  // -1: none
};

// Of no protocol in particular; number in the last bytes.
static void frame(struct packet *p, unsigned number, unsigned type) {
  memset(p, 0, sizeof *p);
  p->len = 64 + below(FRAME - 64);
  p->port = below(CPU);
  for (unsigned i = IP; i < p->len; i++) p->bytes[i] = (uint8_t)word();
  sluice_put(p->bytes + TO, 6, UINT64_C(0x020000000000) + below(1000));
  sluice_put(p->bytes + FROM, 6, UINT64_C(0x020000001000) + below(1000));
  sluice_put(p->bytes + TCI - 2, 2, 0x8100);
  sluice_put(p->bytes + TCI, 2, VID);
  sluice_put(p->bytes + TYPE, 2, type);
  sluice_put(p->bytes + p->len - 4, 4, number);
}
static void frame_ip(struct packet *p, unsigned number, unsigned protocol, unsigned head) {
  frame(p, number, 0x0800);
  uint8_t *f = p->bytes, *l4 = f + IP + head;
  if (p->len < IP + head + 28) p->len = IP + head + 28;
  sluice_put(f + p->len - 4, 4, number);
  f[IP] = (uint8_t)(0x40 | head / 4);
  sluice_put(f + IP + 2, 2, p->len - IP);
  sluice_put(f + IP + 6, 2, 0);
  f[PROTOCOL] = (uint8_t)protocol;
  if (protocol == UDP) sluice_put(l4 + 4, 2, p->len - IP - head);
  if (protocol == UDP && below(5) == 0) sluice_put(l4 + 6, 2, 0);
  if (protocol == UDP && sluice_get(l4 + 6, 2) == 0) sluice_put(l4 + 6, 2, 0);
}
static unsigned some_protocol(void) {
  static const uint8_t list[] = {ICMP, TCP, TCP, UDP, UDP, 47};
  return list[below(sizeof list)];
}

// ---- tables -------------------------------------------------------------------------------------

static struct entry *add(struct table *t, unsigned action) {
  struct entry *e = &t->entry[t->num++];
  memset(e, 0, sizeof *e);
  e->action = action;
  return e;
}
static void exact(struct entry *e, unsigned n, uint64_t value) {
  e->key[n] = (struct key){value, UINT64_MAX};
}

// The entry that a packet with these keys finds: the first of the lowest priority, which is 32
// minus the length for prefixes.
static const struct entry *find(const struct table *t, const uint64_t *keys) {
  const struct entry *best = NULL;
  for (unsigned i = 0; i < t->num; i++) {
    const struct entry *e = &t->entry[i];
    bool same = !best || e->priority < best->priority;
    for (unsigned k = 0; same && t->kinds[k]; k++)
      same = ((keys[k] ^ e->key[k].value) & e->key[k].care) == 0;
    if (same) best = e;
  }
  return best;
}
// No two entries with the same keys: such a file is refused.
static bool twice(const struct table *t) {
  const struct entry *last = &t->entry[t->num - 1];
  for (unsigned i = 0; i + 1 < t->num; i++)
    if (memcmp(t->entry[i].key, last->key, sizeof last->key) == 0) return true;
  return false;
}

static void write_key(FILE *out, char kind, struct key k) {
  unsigned len = 0;
  while (kind == 'l' && len < 32 && k.care >> (31 - len) & 1) len++;
  if (kind != 'e' && k.care == 0) fprintf(out, "_");
  else if (kind == 'l')
    fprintf(out, "%u.%u.%u.%u/%u", (unsigned)(k.value >> 24 & 255), (unsigned)(k.value >> 16 & 255),
            (unsigned)(k.value >> 8 & 255), (unsigned)(k.value & 255), len);
  else if (kind == 't' && k.care != UINT64_MAX)
    fprintf(out, "0x%" PRIx64 "&&&0x%" PRIx64, k.value, k.care);
  else fprintf(out, "0x%" PRIx64, k.value);
}
static int write_table(const char *folder, const struct table *t) {
  char path[500];
  snprintf(path, sizeof path, "%s/%s.csv", folder, t->name);
  FILE *out = fopen(path, "w");
  if (!out) return failed(path, "cannot be written");
  const char *args[9];
  unsigned num = 0;
  for (unsigned k = 0; t->kinds[k]; k++) fprintf(out, "%s,", t->keys[k]);
  fprintf(out, "%saction", strchr(t->kinds, 't') ? "priority," : "");
  for (unsigned a = 0; a < 3; a++)
    for (unsigned i = 0; i < 3 && t->args[a][i]; i++) {
      bool known = false;
      for (unsigned n = 0; n < num; n++) known = known || strcmp(args[n], t->args[a][i]) == 0;
      if (!known) fprintf(out, ",%s", args[num++] = t->args[a][i]);
    }
  for (unsigned n = t->constant; n < t->num; n++) {
    const struct entry *e = &t->entry[n];
    fprintf(out, "\n");
    for (unsigned k = 0; t->kinds[k]; k++) write_key(out, t->kinds[k], e->key[k]), fputc(',', out);
    if (strchr(t->kinds, 't')) fprintf(out, "%u,", e->priority);
    fprintf(out, "%s", t->actions[e->action]);
    for (unsigned a = 0; a < num; a++) {
      fputc(',', out);
      for (unsigned i = 0; i < 3 && t->args[e->action][i]; i++)
        if (strcmp(t->args[e->action][i], args[a]) == 0) fprintf(out, "%" PRIu64, e->arg[i]);
    }
  }
  fprintf(out, "\n");
  return fclose(out) ? failed(path, "cannot be written") : 0;
}

// ---- the programs -------------------------------------------------------------------------------

struct program {
  const char *name;
  void (*entries)(unsigned routes);
  void (*make)(struct packet *p, unsigned number);
  void (*expect)(struct packet *p);  // bytes and out
  struct table *tables[2];
  const char *counted[2];
};
static unsigned counts[2], rules[RULES];

// Router.
enum { FORWARD, TO_CPU };
enum { KIND_CPU, KIND_ROUTED, KIND_OUT };
static struct table route = {.name = "route",
                             .kinds = "l",
                             .keys = {"p.dst"},
                             .actions = {"forward", "to_cpu"},
                             .args = {{"port", "next", "own"}}},
                    kind = {.name = "kind",
                            .kinds = "ttt",
                            .keys = {"p.type", "p.ttl", "p.to"},
                            .actions = {"to_cpu", "routed", "out"},
                            .args = {{NULL}, {NULL}, {"port"}}};

static void prefix(unsigned action, uint32_t address, unsigned len, uint64_t port, uint64_t next,
                   uint64_t own) {
  struct entry *e = add(&route, action);
  const uint32_t care = len ? ~0u << (32 - len) : 0;
  e->key[0] = (struct key){address & care, care};
  e->priority = 32 - len;
  memcpy(e->arg, (uint64_t[]){port, next, own}, sizeof e->arg);
  if (twice(&route)) route.num--;
}
// Lengths as often as among routes of the Internet (docs/matching.md), of the others alike; half of
// the routes are inside an earlier one.
static void internet_route(void) {
  static const unsigned shares[][2] = {{24, 590}, {22, 110}, {23, 100}, {21, 52}, {20, 46},
                                       {19, 28},  {16, 16},  {18, 15},  {17, 9},  {8, 34}};
  const struct entry *in = &route.entry[below(route.num)];
  unsigned dice = below(1000), i = 0;
  while (dice >= shares[i][1]) dice -= shares[i++][1];
  const unsigned len = shares[i][0] == 8 ? 8 + below(8) : shares[i][0];
  uint32_t address = word();
  if (below(2) && 32 - in->priority < len)
    address = (uint32_t)in->key[0].value | (address & ~(uint32_t)in->key[0].care);
  prefix(below(8) ? FORWARD : TO_CPU, address, len, below(CPU), word() | UINT64_C(0x020000000000),
         word());
}
static void own_routes(void) {
  prefix(FORWARD, 0x0a000000, 16, 0, UINT64_C(0x020000000010), 1);
  prefix(FORWARD, 0x0a010000, 16, 1, UINT64_C(0x020000000011), 1);
  prefix(TO_CPU, 0x0a000001, 32, 0, 0, 0);
  prefix(TO_CPU, 0x0a010001, 32, 0, 0, 0);
  route.constant = route.num;
}
static void router_entries(unsigned routes) {
  struct entry *e = add(&kind, KIND_CPU);
  *e = (struct entry){.key = {{0x0800, UINT64_MAX}, {0, 0xfe}}, .priority = 1, .action = KIND_CPU};
  e = add(&kind, KIND_ROUTED);
  *e = (struct entry){.key = {{0x0800, UINT64_MAX}}, .priority = 2, .action = KIND_ROUTED};
  for (unsigned n = 0; n < 10; n++) {
    e = add(&kind, KIND_OUT);
    *e = (struct entry){
        .key = {{0x0806, UINT64_MAX}, {0, 0}, {UINT64_C(0x020000000000) + 100 * n, UINT64_MAX}},
        .priority = 3,
        .action = KIND_OUT,
        .arg = {n % 3}};
  }
  kind.constant = 2;
  own_routes();
  // Half of the routes are inside an earlier one, so that several match.
  while (route.num < route.constant + routes) {
    const struct entry *in = &route.entry[below(route.num)];
    const unsigned least = below(2) ? 32 - in->priority : 8, len = least + below(33 - least);
    const uint32_t address =
        below(2) ? (uint32_t)in->key[0].value | (word() & ~(uint32_t)in->key[0].care) : word();
    prefix(below(8) ? FORWARD : TO_CPU, address, len, below(CPU), word() | UINT64_C(0x020000000000),
           word());
  }
}
static void parts_entries(unsigned routes) {
  own_routes();
  while (route.num < route.constant + routes) internet_route();
}
static void parts_make(struct packet *p, unsigned number) {
  frame_ip(p, number, some_protocol(), 20);
  const struct entry *in = &route.entry[below(route.num)];
  sluice_put(p->bytes + DST, 4,
             below(6) ? in->key[0].value | (word() & ~(uint32_t)in->key[0].care) : word());
  checksums(p->bytes);
}
static void parts_expect(struct packet *p) {
  uint8_t *f = p->bytes;
  const struct entry *e = find(&route, (uint64_t[]){sluice_get(f + DST, 4)});
  const bool forward = e && e->action == FORWARD;
  counts[!forward]++;
  p->out = forward ? (int)e->arg[0] : CPU;
  if (!forward) return;
  sluice_put(f + TO, 6, e->arg[1]);
  sluice_put(f + FROM, 6, UINT64_C(0x0200) << 32 | e->arg[2]);
}
static void router_make(struct packet *p, unsigned number) {
  static const uint8_t ttls[] = {0, 1, 2, 64, 64, 64, 255};
  if (below(6) == 0) {
    frame(p, number, below(3) ? 0x0806 : 0x86dd);
    if (below(2)) sluice_put(p->bytes + TO, 6, kind.entry[2 + below(10)].key[2].value);
    p->port = below(PORTS);
    return;
  }
  frame_ip(p, number, some_protocol(), below(5) ? 20 : 28);
  const struct entry *in = &route.entry[below(route.num)];
  p->bytes[TTL] = ttls[below(sizeof ttls)];
  sluice_put(p->bytes + DST, 4,
             below(6) ? in->key[0].value | (word() & ~(uint32_t)in->key[0].care) : word());
  checksums(p->bytes);
}
static void router_expect(struct packet *p) {
  uint8_t *f = p->bytes;
  const struct entry *e =
      find(&kind, (uint64_t[]){sluice_get(f + TYPE, 2), f[TTL], sluice_get(f + TO, 6)});
  p->out = e && e->action == KIND_OUT ? (int)e->arg[0] : CPU;
  if (!e || e->action != KIND_ROUTED) return;
  e = find(&route, (uint64_t[]){sluice_get(f + DST, 4)});
  counts[!e || e->action == TO_CPU]++;
  if (!e || e->action == TO_CPU) return;
  p->out = (int)e->arg[0];
  sluice_put(f + TO, 6, e->arg[1]);
  sluice_put(f + FROM, 6, UINT64_C(0x0200) << 32 | e->arg[2]);
  f[TTL]--;
  checksums(f);
}

// Firewall. The rules of the source are written here once more.
enum { PERMIT, DENY, FIRST = 0x1fff0000 };  // FIRST: the fragment offset in the key `kind`
static struct table acl = {.name = "rules",
                           .kinds = "tttttt",
                           .keys = {"p.src", "p.dst", "p.kind", "p.sport", "p.dport", "p.head"},
                           .actions = {"permit", "deny"},
                           .args = {{"rule"}, {"rule"}}};
static void acl_entries(unsigned routes) {
  (void)routes;
  const uint64_t all = UINT64_MAX;
  const struct key plain = {0x45, all}, udp = {UDP, FIRST | 0xff}, tcp = {TCP, FIRST | 0xff};
  const struct entry source[] = {
      {{{0x0a000000, 0xff000000}, {0, 0}, udp, {0, 0}, {53, all}, plain}, 10, PERMIT, {1}},
      {{{0x0a000000, 0xff000000}, {0x0a000000, 0xff000000}}, 20, PERMIT, {2}},
      {{{0, 0}, {0x0a000050, all}, tcp, {0, 0}, {80, all}, plain}, 30, PERMIT, {3}},
      {{{0, 0}, {0, 0}, {0, FIRST}, {0x400, 0xfc00}, {0, 0}, plain}, 40, DENY, {4}}};
  for (unsigned n = 0; n < 4; n++) *add(&acl, 0) = source[n];
  acl.constant = 4;
  for (unsigned n = 5; n < RULES; n++) {  // among them, before them, behind them
    struct entry *e = add(&acl, below(2));
    e->priority = 3 * n + below(3) - 12;
    e->arg[0] = n;
    const uint32_t care = ~0u << below(32);
    if (below(2)) e->key[0] = (struct key){(0x0a000000 | (word() & 0xffff)) & care, care};
    if (below(2)) e->key[1] = (struct key){0x0a000000 | below(4), 0xff000003};
    if (below(2)) e->key[2] = (struct key){below(2) ? TCP : UDP, 0xff | (below(2) ? FIRST : 0)};
    if (below(2)) e->key[5] = (struct key){0x45, UINT64_MAX};
    if (below(2)) e->key[3] = (struct key){word() & 3, 3};
    else e->key[4] = (struct key){80, 0xfff0 & ~word() & 0xffff};
    e->key[4].value &= e->key[4].care;
    if (twice(&acl)) acl.num--, n--;
  }
}
static void acl_make(struct packet *p, unsigned number) {
  static const uint16_t ports[] = {53, 80, 443, 0x400, 0x7ff, 0x800};
  frame_ip(p, number, some_protocol(), below(6) ? 20 : 24);  // 24: options, which move the ports
  uint8_t *f = p->bytes;
  p->port = below(PORTS);
  if (below(6) == 0)
    sluice_put(f + IP + 6, 2, below(2) ? 1 + below(0x1fff) : 0x4000);  // fragments, or DF
  f[SRC] = below(3) ? 10 : 192;
  sluice_put(f + DST, 4, below(3) ? 0x0a000050 + below(3) : word());
  sluice_put(f + 38, 2, ports[below(6)] + below(4));
  sluice_put(f + 40, 2, ports[below(6)]);
  checksums(f);
}
static void acl_expect(struct packet *p) {
  const uint8_t *f = p->bytes;
  const struct entry *e = find(
      &acl, (uint64_t[]){sluice_get(f + SRC, 4), sluice_get(f + DST, 4), sluice_get(f + IP + 6, 4),
                         sluice_get(f + 38, 2), sluice_get(f + 40, 2), f[IP]});
  // Without ports at their place none of the rules of the source that look at ports is met.
  const bool no_ports = f[IP] != 0x45 || sluice_get(f + IP + 6, 2) & 0x1fff;
  if (no_ports && e && (e->arg[0] == 1 || e->arg[0] == 3 || e->arg[0] == 4)) abort();
  rules[e ? e->arg[0] : 0]++;
  p->out = e && e->action == PERMIT ? (int)(p->port ^ 1) : -1;
  counts[p->out < 0]++;
}

// Load balancer.
enum { TO_SERVER, TO_CLIENT };
static struct table connections = {.name = "connections",
                                   .kinds = "eeee",
                                   .keys = {"p.src", "p.dst", "p.sport", "p.dport"},
                                   .actions = {"to_server", "to_client"},
                                   .args = {{"port", "server"}, {"port", "service"}}};
static void connect_one(uint32_t client, unsigned from, unsigned port, uint32_t server) {
  const uint32_t service = 0x0a090909;
  const uint64_t keys[2][4] = {{client, service, from, 80}, {server, client, 80, from}};
  for (unsigned way = TO_SERVER; way <= TO_CLIENT; way++) {
    struct entry *e = add(&connections, way);
    for (unsigned k = 0; k < 4; k++) exact(e, k, keys[way][k]);
    e->arg[0] = way == TO_SERVER ? port : 0;
    e->arg[1] = way == TO_SERVER ? server : service;
  }
}
static void balance_entries(unsigned routes) {
  (void)routes;
  connect_one(0x0a000001, 1000, 1, 0x0a020001);
  connections.constant = 2;
  for (unsigned n = 0; n < 99; n++)
    connect_one(0x0a000000 | below(1 << 16), 2000 + n, 1 + n % 2, 0x0a020001 + n % 2);
}
static void balance_make(struct packet *p, unsigned number) {
  const struct entry *e = &connections.entry[below(connections.num)];
  frame_ip(p, number, some_protocol(), 20);
  uint8_t *f = p->bytes;
  sluice_put(f + SRC, 4, e->key[0].value);
  sluice_put(f + DST, 4, e->key[1].value);
  sluice_put(f + 38, 2, e->key[2].value);
  sluice_put(f + 40, 2, e->key[3].value + (below(4) ? 0 : 1));
  checksums(f);
}
static void balance_expect(struct packet *p) {
  uint8_t *f = p->bytes;
  const struct entry *e =
      find(&connections, (uint64_t[]){sluice_get(f + SRC, 4), sluice_get(f + DST, 4),
                                      sluice_get(f + 38, 2), sluice_get(f + 40, 2)});
  p->out = e ? (int)e->arg[0] : CPU;
  counts[!e]++;
  if (!e) return;
  sluice_put(f + (e->action == TO_SERVER ? DST : SRC), 4, e->arg[1]);
  checksums(f);
}

// Source NAT: 0 is the port inside, 1 the one outside.
static struct table outgoing = {.name = "outgoing",
                                .kinds = "eeee",
                                .keys = {"p.port_in", "p.protocol", "p.src", "p.sport"},
                                .actions = {"to_outside"},
                                .args = {{"address", "port"}}},
                    incoming = {.name = "incoming",
                                .kinds = "eeee",
                                .keys = {"p.port_in", "p.protocol", "p.dst", "p.dport"},
                                .actions = {"to_inside"},
                                .args = {{"address", "port"}}};
static void nat_entries(unsigned routes) {
  (void)routes;
  for (unsigned n = 0; n < 200; n++) {
    const unsigned protocol = n % 2 ? TCP : UDP, from = 1024 + below(64000), as = 30000 + n;
    const uint32_t inside = 0x0a000000 | below(250), outside = 0xc0000201 + below(2);
    struct entry *o = add(&outgoing, 0), *i = add(&incoming, 0);
    exact(o, 0, 0), exact(o, 1, protocol), exact(o, 2, inside), exact(o, 3, from);
    exact(i, 0, 1), exact(i, 1, protocol), exact(i, 2, outside), exact(i, 3, as);
    o->arg[0] = outside, o->arg[1] = as;
    i->arg[0] = inside, i->arg[1] = from;
    if (twice(&outgoing)) outgoing.num--, incoming.num--, n--;
  }
}
static void nat_make(struct packet *p, unsigned number) {
  const bool out = below(2);
  const struct table *t = out ? &outgoing : &incoming;
  const struct entry *e = &t->entry[below(t->num)];
  frame_ip(p, number, below(8) ? (unsigned)e->key[1].value : some_protocol(), 20);
  p->port = below(8) ? !out : below(PORTS);
  sluice_put(p->bytes + (out ? SRC : DST), 4, e->key[2].value);
  sluice_put(p->bytes + (out ? 38 : 40), 2, e->key[3].value + (below(6) ? 0 : 1));
  checksums(p->bytes);
}
static void nat_expect(struct packet *p) {
  uint8_t *f = p->bytes;
  const struct entry *o = find(&outgoing, (uint64_t[]){p->port, f[PROTOCOL], sluice_get(f + SRC, 4),
                                                       sluice_get(f + 38, 2)}),
                     *i = find(&incoming, (uint64_t[]){p->port, f[PROTOCOL], sluice_get(f + DST, 4),
                                                       sluice_get(f + 40, 2)});
  p->out = o ? 1 : i ? 0 : CPU;
  counts[!o && !i]++;
  if (!o && !i) return;
  sluice_put(f + (o ? SRC : DST), 4, (o ? o : i)->arg[0]);
  sluice_put(f + (o ? 38 : 40), 2, (o ? o : i)->arg[1]);
  checksums(f);
}

// Switch. The upper three bits of the tag say where a packet has come in.
static struct table switching = {.name = "switching",
                                 .kinds = "e",
                                 .keys = {"p.dst"},
                                 .actions = {"forward"},
                                 .args = {{"port"}}},
                    learned = {.name = "learned",
                               .kinds = "ee",
                               .keys = {"p.src", "p.port_in"},
                               .actions = {"nothing"}};
static void l2_entries(unsigned routes) {
  (void)routes;
  for (unsigned n = 0; n < 200; n++) {
    const uint64_t mac = UINT64_C(0x020000000000) + n * UINT64_C(0x01000001);
    struct entry *s = add(&switching, 0), *l = add(&learned, 0);
    s->arg[0] = below(CPU);
    exact(s, 0, mac);
    exact(l, 0, mac);
    exact(l, 1, s->arg[0]);
  }
}
static void l2_make(struct packet *p, unsigned number) {
  const struct entry *from = &learned.entry[below(200)], *to = &switching.entry[below(200)];
  frame(p, number, 0x1234);
  sluice_put(p->bytes + TO, 6, below(6) ? to->key[0].value : UINT64_C(0xffffffffffff));
  sluice_put(p->bytes + FROM, 6, from->key[0].value + (below(6) ? 0 : UINT64_C(0x800000000000)));
  p->port = below(6) ? (unsigned)from->key[1].value : below(PORTS);
  sluice_put(p->bytes + TCI, 2, below(p->port == CPU ? CPU : 2) << 13 | VID);
}
static void l2_expect(struct packet *p) {
  uint8_t *f = p->bytes;
  const bool known = find(&learned, (uint64_t[]){sluice_get(f + FROM, 6), p->port});
  const struct entry *e = find(&switching, (uint64_t[]){sluice_get(f + TO, 6)});
  p->out = p->port == CPU ? f[TCI] >> 5 : known && e ? (int)e->arg[0] : CPU;
  counts[p->out == CPU]++;
  f[TCI] = (uint8_t)((f[TCI] & 0x1f) | p->port << 5);
}

// Placement: sums by group at places that a table says.
enum { PLACES = 32, ELSEWHERE = PLACES - 1, GROUP = 20, AMOUNT = 24, PLACE = 28 };
static struct table places = {
    .name = "places", .kinds = "l", .keys = {"p.group"}, .actions = {"at"}, .args = {{"place"}}};
static uint32_t sums[PLACES];
static void placement_entries(unsigned routes) {
  (void)routes;
  while (places.num < 16) {  // half of them inside an earlier one; lengths of 2 to 32
    const struct entry *in = &places.entry[places.num ? below(places.num) : 0];
    const unsigned least = places.num && below(2) ? 32 - in->priority : 2;
    const unsigned len = below(3) ? least + below(33 - least) : 32;
    const uint32_t care = ~0u << (32 - len), inside = (uint32_t)in->key[0].value;
    const uint32_t group = places.num && least > 2 ? inside | (word() & ~(uint32_t)in->key[0].care)
                                                   : word();
    struct entry *e = add(&places, 0);
    e->key[0] = (struct key){group & care, care};
    e->priority = 32 - len;
    e->arg[0] = below(ELSEWHERE);
    if (twice(&places)) places.num--;
  }
}
static void placement_make(struct packet *p, unsigned number) {
  const struct key *near = &places.entry[below(places.num)].key[0];
  frame(p, number, 0x1234);
  if (below(4))
    sluice_put(p->bytes + GROUP, 4, near->value | (word() & ~(uint32_t)near->care & 0xffffffff));
}
static void placement_expect(struct packet *p) {
  const struct entry *e = find(&places, (uint64_t[]){sluice_get(p->bytes + GROUP, 4)});
  const unsigned place = e ? (unsigned)e->arg[0] : ELSEWHERE;
  sums[place] += (uint32_t)sluice_get(p->bytes + AMOUNT, 4);
  sluice_put(p->bytes + PLACE, 2, place);
  p->out = (int)p->port;
  counts[!e]++;
}

static const struct program programs[] = {
    {"router",
     router_entries,
     router_make,
     router_expect,
     {&route, &kind},
     {"routed", "without a route of their own"}},
    {"acl", acl_entries, acl_make, acl_expect, {&acl}, {"permitted", "denied"}},
    {"balance",
     balance_entries,
     balance_make,
     balance_expect,
     {&connections},
     {"of connections", "new"}},
    {"parts",
     parts_entries,
     parts_make,
     parts_expect,
     {&route},
     {"forwarded", "to the control plane"}},
    {"nat", nat_entries, nat_make, nat_expect, {&outgoing, &incoming}, {"translated", "new"}},
    {"l2",
     l2_entries,
     l2_make,
     l2_expect,
     {&switching, &learned},
     {"switched", "to the control plane"}},
    {"placement",
     placement_entries,
     placement_make,
     placement_expect,
     {&places},
     {"of ranges with a place", "of others"}},
};

// ---- files --------------------------------------------------------------------------------------

static int make(const struct program *g, const char *folder, struct packet *packets, unsigned num) {
  char path[500];
  struct sluice_capture_writer *out;
  struct sluice_error error;
  for (unsigned t = 0; t < 2 && g->tables[t]; t++)
    if (write_table(folder, g->tables[t])) return 3;
  snprintf(path, sizeof path, "%s/in.pcapng", folder);
  if (sluice_capture_create_ports(&out, path, PORTS, &error)) return failed(path, error.text);
  for (unsigned n = 0; n < num; n++)
    sluice_capture_write_at(out, packets[n].bytes, packets[n].len, n * 100, packets[n].port, NULL);
  return sluice_capture_finish(out, &error) ? failed(path, error.text) : 0;
}

static void show(const char *what, const uint8_t *bytes, unsigned len, int port) {
  fprintf(stderr, "  %s, port %d:", what, port);
  for (unsigned i = 0; i < len && i < 64; i++)
    fprintf(stderr, "%s%02x", i % 16 ? "" : " ", bytes[i]);
  fprintf(stderr, "\n");
}

static int check(const struct program *g, const char *folder, struct packet *packets,
                 unsigned num) {
  char path[500];
  struct sluice_capture *in;
  struct sluice_packet got;
  struct sluice_error error;
  unsigned came = 0, wanted = 0;
  bool *seen = calloc(num, sizeof *seen);
  if (!seen) return failed("memory", "none is left");
  for (unsigned n = 0; n < num; n++) {
    g->expect(&packets[n]);
    wanted += packets[n].out >= 0;
  }
  snprintf(path, sizeof path, "%s/out.pcapng", folder);
  if (sluice_capture_open(&in, path, &error)) return failed(path, error.text);
  while (sluice_capture_next(in, &got, &error) == SLUICE_OK && got.bytes) {
    const uint64_t number = got.len < 64 ? num : sluice_get(got.bytes + got.len - 4, 4);
    const struct packet *p = &packets[number < num ? number : 0];
    came++;
    if (number < num && !seen[number] && p->out == got.interface && p->len == got.len &&
        memcmp(p->bytes, got.bytes, p->len) == 0) {
      seen[number] = true;
      continue;
    }
    fprintf(stderr, "packet %" PRIu64 " in port %u\n", number, p->port);
    show("wanted", p->bytes, p->len, p->out);
    show("came", got.bytes, (unsigned)got.len, got.interface);
    return 1;
  }
  sluice_capture_close(in);
  free(seen);
  if (came != wanted) {
    fprintf(stderr, "%u packets came, %u were wanted\n", came, wanted);
    return 1;
  }
  printf("%s: %u packets, %u came out; %u %s, %u %s", g->name, num, came, counts[0], g->counted[0],
         counts[1], g->counted[1]);
  for (unsigned t = 0; t < 2 && g->tables[t]; t++)
    printf("; %u entries of %s", g->tables[t]->num, g->tables[t]->name);
  printf("\n");
  if (g->tables[0] == &acl)
    for (unsigned n = 0; n < RULES; n++) printf("%u%s", rules[n], n + 1 < RULES ? "," : "\n");
  if (g->tables[0] == &places)
    for (unsigned n = 0; n < PLACES; n++)
      printf("%" PRId32 "%s", (int32_t)sums[n], n + 1 < PLACES ? "," : "\n");
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 7) return failed("usage", "make|check PROGRAM DIR PACKETS ROUTES SEED");
  const unsigned num = (unsigned)atoi(argv[4]);
  struct packet *packets = calloc(num, sizeof *packets);
  if (!packets) return failed("memory", "none is left");
  int code = 2;
  sluice_rng_init(&rng, strtoull(argv[6], NULL, 0), argv[2]);
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
    if (strcmp(programs[i].name, argv[2]) != 0) continue;
    programs[i].entries((unsigned)atoi(argv[5]));
    for (unsigned n = 0; n < num; n++) programs[i].make(&packets[n], n);
    code = strcmp(argv[1], "make") == 0 ? make(&programs[i], argv[3], packets, num)
                                        : check(&programs[i], argv[3], packets, num);
  }
  free(packets);
  return code;
}
