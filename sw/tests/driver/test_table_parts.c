// SPDX-License-Identifier: Apache-2.0
// Tables that are in several stages, on a chip (the reference model). Routes beside a trie that
// knows nothing of engines, 10,000 and more of them, with lengths as often as among routes of the
// Internet. Then changes with a packet before each operation of the driver: it finds the set before
// a call or the one after it. And entries in an order, over two stages.

#include <sluice/sluice.h>

#include "tests/rig/test.h"
#include "base/rng.h"
#include "compiler/compiler.h"
#include "driver/chip/chip.h"
#include "driver/image/image_tables.h"
#include "driver/wire/wire.h"
#include "tests/rig/line.h"
#include "tests/rig/table_rig.h"
#include "transport/filter.h"

enum { VID = 5, MISS = 0x0bad, MOST = 1 << 16 };

// ---- a trie -------------------------------------------------------------------------------------

struct trie {
  unsigned num, room;
  struct trie_node {
    unsigned child[2];
    bool has;
    uint32_t mark;
  } * node;
};
struct route {
  uint32_t address, mark;
  unsigned len;
};

static void trie_begin(struct trie *t) {
  t->room = 1 << 20;
  t->num = 1;
  t->node = calloc(t->room, sizeof *t->node);
}
// The node of a prefix; `make`: it is made, else 0 if there is none.
static unsigned trie_node(struct trie *t, uint32_t address, unsigned len, bool make) {
  unsigned at = 0;
  for (unsigned i = 0; i < len; i++) {
    const unsigned bit = address >> (31 - i) & 1;
    if (!t->node[at].child[bit]) {
      if (!make) return 0;
      assert_true(t->num < t->room);
      t->node[at].child[bit] = t->num++;
    }
    at = t->node[at].child[bit];
  }
  return at;
}
static void trie_set(struct trie *t, const struct route *r) {
  struct trie_node *n = &t->node[trie_node(t, r->address, r->len, true)];
  n->has = true;
  n->mark = r->mark;
}
static void trie_clear(struct trie *t, const struct route *r) {
  t->node[trie_node(t, r->address, r->len, true)].has = false;
}
static bool trie_has(struct trie *t, uint32_t address, unsigned len) {
  const unsigned at = trie_node(t, address, len, false);
  return (at || !len) && t->node[at].has;
}
static uint32_t trie_find(const struct trie *t, uint32_t address) {
  uint32_t best = t->node[0].has ? t->node[0].mark : MISS;
  for (unsigned i = 0, at = 0; i < 32; i++) {
    at = t->node[at].child[address >> (31 - i) & 1];
    if (!at) break;
    if (t->node[at].has) best = t->node[at].mark;
  }
  return best;
}

// ---- a chip -------------------------------------------------------------------------------------

struct life {
  struct sluice_filter line;
  struct sluice_transport model, to;
  struct sluice_chip *chip;
  struct sluice_rng rng;
  void (*traffic)(struct life *l);  // before each operation of the driver
  unsigned long packets;
  struct trie before, after;
  struct route *list;
  unsigned num;
  bool seen, tolerant, clear_not_bank;  // a fault of a driver: entries for both banks at once
  unsigned wrong;                       // packets, where they are only counted
};

static unsigned below(struct life *l, unsigned n) { return (unsigned)sluice_rng_below(&l->rng, n); }

static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct life *l = user;
  (void)op, (void)cycles;
  if (l->traffic) l->traffic(l);
  return true;
}

static enum sluice_status send_wrong(void *self, const uint8_t *bytes, size_t len,
                                     struct sluice_error *e) {
  struct sluice_filter *w = self;
  const struct life *l = w->user;
  uint8_t frame[SLUICE_PACKET_MAX];
  struct sluice_reconfig packet;
  memcpy(frame, bytes, len);
  if (l->clear_not_bank && sluice_reconfig_decode(&packet, frame, len, NULL) == SLUICE_OK &&
      packet.op == SLUICE_CHAIN_WRITE)
    for (unsigned n = 0; n < packet.num_entries; n++) {
      uint8_t *entry = frame + (packet.entries - frame) + (size_t)n * packet.stride;
      if (packet.table == SLUICE_TABLE_TERNARY) SLUICE_SET(entry, TERNARY, NOT_BANK, 0);
      if (packet.table == SLUICE_TABLE_CUCKOO) SLUICE_SET(entry, CUCKOO, NOT_BANK, 0);
    }
  return sluice_filter_ops.control_send(self, frame, len, e);
}

static struct sluice_image image_of(const char *text, const struct sluice_config *chip) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image = {0};
  struct sluice_program *program CLOSED_BY(free_program) =
      sluice_program_parse("x", text, strlen(text), &diags);
  if (!program || sluice_compile(program, chip, NULL, &image, &diags) != SLUICE_OK) {
    sluice_diags_print(&diags, stderr);
    fail_msg("refused");
  }
  return image;
}

// If not 0, what a part may have.
static unsigned most_of_part;

// A fault of the compiler: a part does not look at what was found before it.
static bool no_guard;
static void leave_guards_out(struct sluice_image *image) {
  for (size_t i = 0; i < image->num_tables; i++) {
    struct sluice_image_table *t = &image->tables[i];
    for (size_t w = 0; w < image->num_writes; w++) {
      struct sluice_write *mask = &image->writes[w];
      if (mask->table != SLUICE_TABLE_KEY_MASK || mask->stage != t->stage) continue;
      for (unsigned n = 0; n < t->part.num_classes; n++)
        if (t->part.classes[n].guard != SLUICE_NO_GUARD)
          sluice_entry_set(mask->bytes, SLUICE_KEY_BITS, t->part.classes[n].guard,
                           t->part.classes[n].guard, 1);
    }
    for (unsigned n = 0; n < t->part.num_classes; n++) t->part.classes[n].guard = SLUICE_NO_GUARD;
  }
}

static void begin(struct life *l, const char *chip, const char *text, uint64_t seed) {
  memset(l, 0, sizeof *l);
  sluice_rng_init(&l->rng, seed, "parts");
  GOOD(sluice_transport_model(&l->model, chip, NULL, &error));
  sluice_filter_init(&l->line, &l->model, l);
  l->line.ops.control_send = send_wrong;
  l->line.before = enter;
  l->to = l->line.to;
  const struct sluice_chip_options options = {.tries = 8};
  GOOD(sluice_chip_open(&l->chip, &l->to, &options, &error));
  struct sluice_image image = image_of(text, sluice_config_find(chip));
  if (no_guard) leave_guards_out(&image);
  for (size_t i = 0; most_of_part && i < image.num_tables; i++) image.tables[i].size = most_of_part;
  GOOD(sluice_chip_load(l->chip, &image, VID, &error));
  sluice_image_release(&image);
  l->list = calloc(MOST, sizeof *l->list);
  trie_begin(&l->before);
  trie_begin(&l->after);
}
static void end(struct life *l) {
  l->traffic = NULL;
  GOOD(sluice_chip_audit(l->chip, &error));
  sluice_chip_close(l->chip);
  sluice_transport_close(&l->model);
  free(l->list);
  free(l->before.node);
  free(l->after.node);
}

static uint32_t ask(struct life *l, uint32_t dst, unsigned dport, unsigned *port) {
  uint8_t bytes[RIG_FRAME];
  static struct sluice_packet_out out;
  rig_frame(bytes, VID, dst, dport);
  through(&l->model, 1, bytes, sizeof bytes, &out);
  if (!out.len) fail_msg("a packet is lost");
  l->packets++;
  if (port) *port = out.port;
  return rig_mark(out.bytes, 0);
}

static const char *route_program(char *text, size_t len, const char *key, unsigned size) {
  snprintf(text, len,
           "struct Packet { int dst @ ipv4.dst; int mark @ bytes(46, 4); int hit @ bytes(50, 2); "
           "int out @ meta.port_out; };\n"
           "void forward(struct Packet p, int port, int mark) { p.out = port; p.mark = mark; }\n"
           "void miss(struct Packet p) { p.mark = 0x0bad; }\n"
           "table route { key: p.dst: %s; actions: forward; size: %u; default: miss; }\n"
           "void f(struct Packet p) { apply(route); p.hit = route.hit; }\n",
           key, size);
  return text;
}

static struct sluice_table_change change_of(enum sluice_table_op op, const struct route *r) {
  const uint32_t mask = r->len ? ~0u << (32 - r->len) : 0;
  return TABLE_CHANGE(op, VID, "route", r->address, mask, "forward", r->mark & 3, r->mark);
}

// ---- routes -------------------------------------------------------------------------------------

// Lengths by their share among routes of the Internet, in thousandths; of the others, alike.
static unsigned draw_length(struct life *l) {
  static const unsigned shares[][2] = {{24, 590}, {22, 110}, {23, 100}, {21, 52}, {20, 46},
                                       {19, 28},  {16, 16},  {18, 15},  {17, 9}};
  unsigned dice = below(l, 1000);
  for (unsigned i = 0; i < sizeof shares / sizeof shares[0]; i++) {
    if (dice < shares[i][1]) return shares[i][0];
    dice -= shares[i][1];
  }
  const unsigned rest = below(l, 14);  // 8 to 15, 25 to 30 and 32
  return rest < 8 ? 8 + rest : rest < 13 ? 17 + rest : 32;
}

// A route that is not there. Half of them are inside an earlier one.
static struct route draw(struct life *l) {
  struct route r;
  do {
    r.len = draw_length(l);
    r.address = (uint32_t)sluice_rng_next(&l->rng);
    if (l->num && below(l, 2)) {
      const struct route *outer = &l->list[below(l, l->num)];
      const uint32_t mask = ~0u << (32 - outer->len);
      if (outer->len < r.len) r.address = (r.address & ~mask) | outer->address;
    }
    r.address &= ~0u << (32 - r.len);
  } while (trie_has(&l->after, r.address, r.len));
  r.mark = 0x10000 + below(l, 1u << 30);
  return r;
}

static uint32_t aim(struct life *l) {
  const uint32_t any = (uint32_t)sluice_rng_next(&l->rng);
  if (!l->num || below(l, 8) == 0) return any;
  const struct route *r = &l->list[below(l, l->num)];
  return r->len < 32 ? (any & ~(~0u << (32 - r->len))) | r->address : r->address;
}

static void look(struct life *l) {
  unsigned port;
  const uint32_t dst = aim(l), want = trie_find(&l->after, dst), got = ask(l, dst, 0, &port);
  const bool wrong = got != want || port != (want == MISS ? 0 : want & 3);
  l->wrong += wrong;
  if (wrong && !l->tolerant) fail_msg("%08x finds %x, the trie %x", dst, got, want);
}

static void print_parts(const struct life *l) {
  struct sluice_table_part_info part;
  for (unsigned n = 0; sluice_plan_table_part(sluice_chip_plan(l->chip), VID, "route", n, &part);
       n++) {
    printf("  stage %u, %s: %u of %u", part.stage, part.engine, part.used, part.size);
    for (unsigned i = 0; i < part.num_lengths; i++)
      printf("%s/%u..%u", i ? ", " : ": ", part.lengths[i].least, part.lengths[i].most);
    printf("\n");
  }
}

// Adds `num` routes in one call.
static void add_routes(struct life *l, unsigned num) {
  struct sluice_table_change *list CLOSED_BY(freed) = calloc(num, sizeof *list);
  for (unsigned i = 0; i < num; i++) {
    l->list[l->num] = draw(l);
    trie_set(&l->after, &l->list[l->num]);
    list[i] = change_of(SLUICE_TABLE_ADD, &l->list[l->num++]);
  }
  GOOD(sluice_chip_table_change(l->chip, list, num, NULL, NULL, &error));
}

static void check_list(struct life *l) {
  struct sluice_table_change c;
  struct sluice_table_desc d;
  unsigned num = 0;
  for (uint32_t place = 0;
       sluice_plan_table_entry(sluice_chip_plan(l->chip), VID, "route", &place, &c); num++) {
    const unsigned len = (unsigned)__builtin_popcountll(c.keys[0].mask),
                   at = trie_node(&l->after, (uint32_t)c.keys[0].value, len, false);
    assert_true((at || !len) && l->after.node[at].has && l->after.node[at].mark == c.args[1]);
  }
  assert_true(sluice_plan_table(sluice_chip_plan(l->chip), VID, 0, &d));
  assert_int_equal(num, l->num);
  assert_int_equal(d.used, l->num);
  assert_false(sluice_plan_table(sluice_chip_plan(l->chip), VID, 1, &d));
}

TEST(routes_of_the_internet) {
  static struct life l;
  char text[1000];
  enum { ROUTES = 10000, LOOKUPS = 20000 };
  begin(&l, "prefixes", route_program(text, sizeof text, "lpm", ROUTES), 1);
  add_routes(&l, ROUTES);
  for (unsigned i = 0; i < LOOKUPS; i++) look(&l);
  check_list(&l);
  printf("seed 1, chip prefixes: %u routes, %u lookups as the trie says\n", l.num, LOOKUPS);
  print_parts(&l);
  struct route r = draw(&l);
  const struct sluice_table_change more = change_of(SLUICE_TABLE_ADD, &r);
  SAYS(SLUICE_ERR_FULL, "10000 entries are used",
       sluice_chip_table_change(l.chip, &more, 1, NULL, NULL, &error));
  end(&l);
}

// ---- changes under traffic ----------------------------------------------------------------------

// A packet finds the set before the call or the one after it, and never the one before again.
static void one_of_two(struct life *l) {
  const uint32_t dst = aim(l), old = trie_find(&l->before, dst), new = trie_find(&l->after, dst),
                 got = ask(l, dst, 0, NULL);
  if (got == new &&new != old) l->seen = true;
  const bool wrong = (got != old || (l->seen && old != new)) && got != new;
  l->wrong += wrong;
  if (wrong && !l->tolerant) fail_msg("%08x finds %x, before %x, after %x", dst, got, old, new);
}

// A change of the list and of both tries' successor; `before` follows when the call has returned.
static struct sluice_table_change pick(struct life *l, struct route *was, struct route *is) {
  const unsigned dice = below(l, 3), at = l->num ? below(l, l->num) : 0;
  *was = *is = (struct route){0, 0, 0};
  if (!dice || !l->num) {
    *is = draw(l);
    trie_set(&l->after, is);
    l->list[l->num++] = *is;
    return change_of(SLUICE_TABLE_ADD, is);
  }
  *was = l->list[at];
  if (dice == 1) {
    trie_clear(&l->after, was);
    l->list[at] = l->list[--l->num];
    return change_of(SLUICE_TABLE_DELETE, was);
  }
  l->list[at].mark = 0x10000 + below(l, 1u << 30);
  *is = l->list[at];
  trie_set(&l->after, is);
  return change_of(SLUICE_TABLE_MODIFY, is);
}

static void settle(struct trie *t, const struct route *was, const struct route *is) {
  if (is->mark) trie_set(t, is);
  else trie_clear(t, was);
}

static unsigned change_routes(struct life *l, unsigned calls, bool in_order) {
  const struct sluice_table_options options = {.in_order = in_order};
  unsigned full = 0;
  for (unsigned n = 0; n < calls; n++) {
    enum { MANY = 6 };
    struct sluice_table_change list[MANY];
    struct route was[MANY], is[MANY];
    const unsigned num = in_order ? 1 : 1 + below(l, MANY), had = l->num;
    struct route *copy = malloc((had + 1) * sizeof *copy);
    memcpy(copy, l->list, had * sizeof *copy);
    for (unsigned i = 0; i < num; i++) list[i] = pick(l, &was[i], &is[i]);
    l->seen = false;
    l->traffic = one_of_two;
    const enum sluice_status status =
        sluice_chip_table_change(l->chip, list, num, &options, NULL, &error);
    l->traffic = NULL;
    if (status) {
      if (status != SLUICE_ERR_FULL && !l->tolerant) fail_msg("%d: %s", status, error.text);
      full++;
      // As it was: the last change first.
      for (unsigned i = num; i-- > 0;) {
        if (was[i].mark) trie_set(&l->after, &was[i]);
        else trie_clear(&l->after, &is[i]);
      }
      memcpy(l->list, copy, had * sizeof *copy);
      l->num = had;
    } else {
      for (unsigned i = 0; i < num; i++) settle(&l->before, &was[i], &is[i]);
    }
    free(copy);
    for (unsigned i = 0; i < 4; i++) look(l);
  }
  return full;
}

TEST(no_packet_misses_a_route_that_is_there) {
  static struct life l;
  char text[1000];
  begin(&l, "tables", route_program(text, sizeof text, "lpm(24, 22)", 200), 2);
  add_routes(&l, 40);
  for (unsigned i = 0; i < l.num; i++) trie_set(&l.before, &l.list[i]);
  const unsigned full = change_routes(&l, 400, false);
  l.seen = false;
  const unsigned later = change_routes(&l, 200, true);
  check_list(&l);
  printf("seed 2: 600 calls, %u of them full, %u routes, %lu packets\n", full + later, l.num,
         l.packets);
  print_parts(&l);
  assert_true(l.packets > 4000);
  end(&l);
}

// What the tests above are for: a compiler without guards, a driver that writes for both banks.
TEST(faults_are_found) {
  static struct life l;
  char text[1000];
  no_guard = true;
  begin(&l, "tables", route_program(text, sizeof text, "lpm(24, 22)", 200), 2);
  no_guard = false;
  l.tolerant = true;
  // Each inside the one before.
  static const unsigned lengths[] = {16, 22, 24, 25};
  for (unsigned i = 0; i < 4; i++) {
    l.list[i] = (struct route){0x0a010400, 0x10000 + i, lengths[i]};
    l.list[i].address &= ~0u << (32 - lengths[i]);
    trie_set(&l.after, &l.list[i]);
    const struct sluice_table_change c = change_of(SLUICE_TABLE_ADD, &l.list[i]);
    GOOD(sluice_chip_table_change(l.chip, &c, 1, NULL, NULL, &error));
    l.num++;
  }
  for (unsigned i = 0; i < 200; i++) look(&l);
  printf("without guards %u of 200 packets find another route\n", l.wrong);
  assert_true(l.wrong > 0);
  end(&l);
  begin(&l, "tables", route_program(text, sizeof text, "lpm(24, 22)", 200), 2);
  add_routes(&l, 40);
  for (unsigned i = 0; i < l.num; i++) trie_set(&l.before, &l.list[i]);
  l.tolerant = l.clear_not_bank = true;
  (void)change_routes(&l, 40, false);
  printf("with entries for both banks at once %u of %lu packets find neither set\n", l.wrong,
         l.packets);
  assert_true(l.wrong > 0);
  l.clear_not_bank = false;
  sluice_chip_close(l.chip);
  sluice_transport_close(&l.model);
  free(l.list);
  free(l.before.node);
  free(l.after.node);
}

// What does not fit is told with what would help.
TEST(a_length_without_room_is_refused) {
  static struct life l;
  char text[1000];
  struct sluice_table_change c;
  begin(&l, "tables", route_program(text, sizeof text, "lpm(24, 16)", 200), 3);
  for (unsigned i = 0; i <= 16; i++) {
    struct route r = {0x0a000000u | i << 12, 0x10000 + i, 20};
    c = change_of(SLUICE_TABLE_ADD, &r);
    if (i < 16) GOOD(sluice_chip_table_change(l.chip, &c, 1, NULL, NULL, &error));
  }
  SAYS(SLUICE_ERR_FULL, "prefixes of 17 to 23 bits share the ternary engine of stage 2",
       sluice_chip_table_change(l.chip, &c, 1, NULL, NULL, &error));
  SAYS(SLUICE_ERR_FULL, "names it in 'lpm(..)'",
       sluice_chip_table_change(l.chip, &c, 1, NULL, NULL, &error));
  struct route r = {0x0a000000, 0x20000, 24};
  c = change_of(SLUICE_TABLE_ADD, &r);
  GOOD(sluice_chip_table_change(l.chip, &c, 1, NULL, NULL, &error));
  end(&l);
}

// How many of such routes come in, one after the other, before one finds no place.
TEST(routes_until_one_does_not_fit) {
  static const struct {
    const char *chip, *key;
    unsigned size, least;
  } all[] = {{"tables", "lpm(24, 22)", 400, 20},
             {"routes", "lpm(24, 22)", 20000, 3000},
             {"prefixes", "lpm(24, 22, 23, 21, 20, 19, 16)", 60000, 15000}};
  for (unsigned i = 0; i < 3; i++) {
    static struct life l;
    char text[1000];
    begin(&l, all[i].chip, route_program(text, sizeof text, all[i].key, all[i].size), 4);
    struct sluice_plan *plan;
    GOOD(sluice_plan_copy(&plan, sluice_chip_plan(l.chip), &error));
    for (enum sluice_status status = SLUICE_OK; !status && l.num < all[i].size;) {
      enum { SOME = 100 };
      struct sluice_table_change list[SOME];
      struct route drawn[SOME];
      const unsigned num = all[i].size < 1000 ? 1 : SOME;
      for (unsigned n = 0; n < num; n++) {
        drawn[n] = draw(&l);
        trie_set(&l.after, &drawn[n]);
        list[n] = change_of(SLUICE_TABLE_ADD, &drawn[n]);
      }
      status = sluice_plan_table_change(plan, list, num, &error);
      if (status && status != SLUICE_ERR_FULL) fail_msg("%s", error.text);
      for (unsigned n = 0; !status && n < num; n++) l.list[l.num++] = drawn[n];
    }
    printf("seed 4, chip %s, %s: %u routes, then: %s\n", all[i].chip, all[i].key, l.num,
           l.num < all[i].size ? error.text : "the size");
    assert_true(l.num >= all[i].least);
    sluice_plan_close(plan);
    end(&l);
  }
}

// ---- entries in an order ------------------------------------------------------------------------

enum { RULES = 28 };
struct rule {
  uint32_t dst, care, priority, mark;
};
static struct rules {
  unsigned num;
  struct rule list[RULES + 1];  // older ones first
} rules, rules_before;

static uint32_t rules_find(const struct rules *all, uint32_t dst) {
  const struct rule *best = NULL;
  for (unsigned i = 0; i < all->num; i++)
    if (((dst ^ all->list[i].dst) & all->list[i].care) == 0 &&
        (!best || all->list[i].priority < best->priority))
      best = &all->list[i];
  return best ? best->mark : MISS;
}

static void rule_packet(struct life *l) {
  const uint32_t dst = below(l, 256), old = rules_find(&rules_before, dst),
                 new = rules_find(&rules, dst), got = ask(l, dst, 0, NULL);
  if (got == new &&new != old) l->seen = true;
  if ((got != old || (l->seen && old != new)) && got != new)
    fail_msg("%08x finds %x, before %x, after %x", dst, got, old, new);
}

static struct sluice_table_change rule_change(struct life *l, bool full) {
  enum sluice_table_op op = SLUICE_TABLE_ADD;
  const unsigned dice = below(l, 4), at = rules.num ? below(l, rules.num) : 0;
  struct rule r;
  if (rules.num && (full || dice == 0)) {
    r = rules.list[at];
    memmove(&rules.list[at], &rules.list[at + 1], (--rules.num - at) * sizeof r);
    op = SLUICE_TABLE_DELETE;
  } else if (rules.num && dice == 1) {
    rules.list[at].mark = 0x10000 + below(l, 1u << 30);
    r = rules.list[at];
    op = SLUICE_TABLE_MODIFY;
  } else {
    bool twice;
    do {
      r = (struct rule){below(l, 256), below(l, 256), below(l, 8), 0x10000 + below(l, 1u << 30)};
      r.dst &= r.care;
      twice = false;
      for (unsigned i = 0; i < rules.num; i++)
        twice |= rules.list[i].dst == r.dst && rules.list[i].care == r.care &&
                 rules.list[i].priority == r.priority;
    } while (twice);
    rules.list[rules.num++] = r;
  }
  return (struct sluice_table_change){.op = op,
                                      .vid = VID,
                                      .table = "acl",
                                      .keys = {{r.dst, r.care}},
                                      .priority = r.priority,
                                      .action = "note",
                                      .args = {r.mark}};
}

TEST(rules_keep_their_order_over_two_stages) {
  static struct life l;
  unsigned full = 0, most = 0;
  begin(&l, "tables",
        "struct Packet { int dst @ ipv4.dst; int mark @ bytes(46, 4); };\n"
        "void note(struct Packet p, int mark) { p.mark = mark; }\n"
        "void miss(struct Packet p) { p.mark = 0x0bad; }\n"
        "table acl { key: p.dst: ternary; actions: note; size: 28; default: miss; }\n"
        "void f(struct Packet p) { apply(acl); }\n",
        5);
  memset(&rules, 0, sizeof rules);
  for (unsigned n = 0; n < 600; n++) {
    rules_before = rules;
    const struct sluice_table_options options = {.in_order = n % 4 == 3};
    const struct sluice_table_change c = rule_change(&l, rules.num == RULES);
    l.seen = false;
    l.traffic = rule_packet;
    const enum sluice_status status =
        sluice_chip_table_change(l.chip, &c, 1, &options, NULL, &error);
    l.traffic = NULL;
    if (status && status != SLUICE_ERR_FULL) fail_msg("%d: %s", status, error.text);
    full += status != SLUICE_OK;
    if (status) rules = rules_before;
    if (rules.num > most) most = rules.num;
    rules_before = rules;
    for (unsigned i = 0; i < 8; i++) rule_packet(&l);
  }
  printf("seed 5: 600 changes of %u rules and less over two ternary engines of 16, %u found no "
         "place, %lu packets\n",
         most, full, l.packets);
  assert_true(most == RULES && full == 0 && l.packets > 6000);
  end(&l);
}

// Rules for any packet, each behind all that are there or before them, one in a call or all at
// once, until the table is full. The best one is what packets find; it goes, until each has been
// found, and where `refills` says so another one comes behind all the others. `most`: of each part,
// if the chip would have more for it.
TEST(rules_for_any_packet_are_found_in_their_order) {
  static const struct {
    unsigned size;
    bool last_first, at_once, refills;
    unsigned most;
  } ways[] = {{28, false, false, false, 0},
              {28, true, true, true, 0},
              {20, false, true, true, 0},
              {20, true, false, true, 0},
              {20, true, false, true, 10}};
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    static struct life l;
    struct sluice_table_change list[2 * RULES];
    const unsigned size = ways[w].size;
    char text[500];
    snprintf(text, sizeof text,
             "struct Packet { int dst @ ipv4.dst; int mark @ bytes(46, 4); };\n"
             "void note(struct Packet p, int mark) { p.mark = mark; }\n"
             "void miss(struct Packet p) { p.mark = 0x0bad; }\n"
             "table acl { key: p.dst: ternary; actions: note; size: %u; default: miss; }\n"
             "void f(struct Packet p) { apply(acl); }\n",
             size);
    most_of_part = ways[w].most;
    begin(&l, "tables", text, 5);
    most_of_part = 0;
    for (unsigned n = 0; n < 2 * size; n++) {
      const unsigned rule = n < size && ways[w].last_first ? size - 1 - n : n;
      list[n] = (struct sluice_table_change){
          .vid = VID, .table = "acl", .priority = rule, .action = "note", .args = {rule}};
    }
    for (unsigned n = 0; n < size; n += ways[w].at_once ? size : 1)
      GOOD(sluice_chip_table_change(l.chip, &list[n], ways[w].at_once ? size : 1, NULL, NULL,
                                    &error));
    for (unsigned n = 0; n < (ways[w].refills ? 2 : 1) * size; n++) {
      struct sluice_table_part_info part;
      const uint32_t got = ask(&l, 1, 0, NULL);
      if (got != n) fail_msg("way %zu: rule %u where %u is the best", w, got, n);
      const struct sluice_table_change gone = {
          .op = SLUICE_TABLE_DELETE, .vid = VID, .table = "acl", .priority = n};
      GOOD(sluice_chip_table_change(l.chip, &gone, 1, NULL, NULL, &error));
      if (ways[w].refills && n < size)
        GOOD(sluice_chip_table_change(l.chip, &list[size + n], 1, NULL, NULL, &error));
      for (unsigned k = 0; sluice_plan_table_part(sluice_chip_plan(l.chip), VID, "acl", k, &part);
           k++)
        assert_true(part.used <= part.size);
    }
    assert_int_equal(ask(&l, 1, 0, NULL), MISS);
    end(&l);
  }
}
