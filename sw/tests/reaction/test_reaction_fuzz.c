// SPDX-License-Identifier: Apache-2.0
// Random programs with random malleables, arrays, a table and reactions, on the reference model of
// shape `react` with 1, 2, 4 and 8 pipelines, with packets between any two operations of the
// driver. What a reaction must have read is worked out here, from the packets with tickets below
// the cut's; so is what it must have set. Every packet sees one set of malleables and entries, and
// of each dialogue the set before it or the one behind it, in that order. What must be unchanged is
// at a guarded flip what it was in the cut. Five broken loops are found.
//
// SLUICE_PROGRAMS, SLUICE_SEED: how many, and from which seed on. SLUICE_WHERE, SLUICE_CHIP: on a
// simulator that serves, "unix:PATH", of this shape (sw/tests/chip/reaction_fuzz.sh). SLUICE_FAULT:
// a fault of its, by name: its monitors must find it.
#include "tests/rig/test.h"
#include "base/bytes.h"
#include "base/rng.h"
#include "driver/wire/pack.h"
#include "driver/wire/wire.h"
#include "tests/rig/reaction_rig.h"
#include "tests/rig/line.h"

enum { SETS = 4, PACKETS = 40000, MOST = 30000, TABLE = SETS - 1, KEYS = 64, SEQ = 92 };

// ---- a program ----------------------------------------------------------------------------------

enum form { COUNT, ADD, PUT, FORMS };
struct argument {
  unsigned array, first, num;
};
struct made {
  unsigned size[2];  // of the arrays; the second may be a scalar
  bool scalar, table;
  bool counted;  // a table with an entry for each p.i, which counts
  enum form form[2];
  unsigned params, reactions, args[2];
  struct argument arg[2][2];
  bool still[2];     // its first argument must be unchanged
  bool counts[2];    // it reads the counters
  unsigned rate;     // a packet in so many operations of the driver
  unsigned sets[2];  // bits: what a reaction sets; TABLE: it changes the table
  uint32_t salt[2];
  char text[6000];
};

static unsigned below(struct sluice_rng *rng, unsigned n) {
  return (unsigned)sluice_rng_below(rng, n);
}

static void put(struct made *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct made *m, const char *format, ...) {
  const size_t len = strlen(m->text);
  va_list list;
  va_start(list, format);
  vsnprintf(m->text + len, sizeof m->text - len, format, list);
  va_end(list);
}

// What a reaction does to the table is one of four things; `change_table` does the same.
static void put_changes(struct made *m) {
  put(m,
      "  const unsigned what = h >> 11 & 3;\n"
      "  if (what == 0) tab_default_say((h >> 5) %% %u);\n"
      "  if (what == 2) tab_clear();\n"
      "  for (unsigned i = 0; what && i < what; i++) tab_set_say((h >> i) %% %u, (h >> (5 + i)) %% "
      "%u);\n",
      MOST, m->size[0], MOST);
}

static void put_reaction(struct made *m, struct sluice_rng *rng, unsigned r) {
  static const char *const names[] = {"a", "b"};
  m->args[r] = 1 + below(rng, 2);
  const unsigned from = below(rng, 2);
  put(m, "reaction r%u(", r);
  for (unsigned i = 0; i < m->args[r]; i++) {
    struct argument *a = &m->arg[r][i];
    a->array = (from + i) % 2;
    const unsigned size = m->size[a->array];
    a->first = a->array == 1 && m->scalar ? 0 : below(rng, 3) ? 0 : below(rng, size);
    a->num = a->first ? 1 + below(rng, size - a->first) : size;
    put(m, "%s%s", i ? ", " : "", names[a->array]);
    if (a->first) put(m, "[%u..%u]", a->first, a->first + a->num - 1);
  }
  m->counts[r] = m->counted && below(rng, 3);
  if (m->counts[r]) put(m, ", counters(cnt)");
  m->still[r] = below(rng, 2);
  put(m, ")%s%s%s {\n", m->still[r] ? " unchanged(" : "",
      m->still[r] ? names[m->arg[r][0].array] : "", m->still[r] ? ")" : "");
  put(m, "  uint32_t h = %uu;\n", m->salt[r] = (uint32_t)sluice_rng_next(rng) >> 8);
  for (unsigned i = 0; i < m->args[r]; i++) {
    const struct argument *a = &m->arg[r][i];
    if (a->array == 1 && m->scalar) put(m, "  h = h * 31u + (uint32_t)b;\n");
    else
      put(m, "  for (int i = %u; i < %u; i++) h = h * 31u + (uint32_t)%s[i];\n", a->first,
          a->first + a->num, names[a->array]);
  }
  if (m->counts[r])
    put(m, "  for (int n = 0; n < cnt_count; n++)\n"
           "    printf(\"C %%d %%d\\n\", (int)cnt[n].i, (int)cnt[n].all_packets);\n");
  put(m, "  printf(\"H %%u\\n\", h);\n");
  m->sets[r] = 1 + below(rng, (1u << m->params) - 1);
  if (m->table && below(rng, 2)) m->sets[r] |= 1u << TABLE;
  for (unsigned k = 0; k < SETS; k++)
    if (k != TABLE && (m->sets[r] >> k & 1))
      put(m, "  set_m%u((int)((h >> %u) %% %u));\n", k, k + 1u, MOST);
  if (m->sets[r] >> TABLE & 1) put_changes(m);
  put(m, "}\n");
}

static void make_program(struct made *m, struct sluice_rng *rng) {
  static const char *const forms[] = {[COUNT] = "+= 1", [ADD] = "+= p.v", [PUT] = "= p.v"};
  memset(m, 0, sizeof *m);
  m->params = 1 + below(rng, TABLE);
  m->scalar = below(rng, 3) == 0;
  m->table = below(rng, 4) != 0;
  m->counted = !m->table;
  for (unsigned i = 0; i < 2; i++) {
    m->size[i] = i && m->scalar ? 1 : 2 + below(rng, 50);
    m->form[i] = (enum form)below(rng, FORMS);
  }
  m->reactions = 1 + below(rng, 2);
  put(m, "struct Packet { int in @ meta.port_in; int out @ meta.port_out; int i @ bytes(46, 2); "
         "int j @ bytes(48, 2); int v @ bytes(50, 4); int tick @ bytes(54, 2); ");
  for (unsigned k = 0; k < SETS; k++)
    if (k < m->params || (k == TABLE && m->table))
      put(m, "int m%u @ bytes(%u, 4); ", k, 60 + 4 * k);
  put(m, "};\n");
  for (unsigned k = 0; k < m->params; k++)
    put(m, "malleable int m%u = %u in 0..%d;\n", k, k + 1, MOST);
  put(m, "int a[%u] = {0};\n", m->size[0]);
  put(m, m->scalar ? "int b = 0;\n" : "int b[%u] = {0};\n", m->size[1]);
  if (m->table)
    put(m,
        "void say(struct Packet p, int what) { p.m%d = what; }\n"
        "malleable table tab { key: p.i: exact; actions: say; size: 60; default: say(77); }\n",
        TABLE);
  if (m->counted) {
    put(m, "void tick(struct Packet p) { p.tick = 1; }\n"
           "table cnt { key: p.i: exact; actions: tick; size: 60; entries: { ");
    for (unsigned i = 0; i < m->size[0]; i++) put(m, "%u: tick(); ", i);
    put(m, "} }\n");
  }
  for (unsigned r = 0; r < m->reactions; r++) put_reaction(m, rng, r);
  // What must be unchanged is so if packets are rare.
  m->rate = (m->still[0] || m->still[1]) && below(rng, 4) ? 200 : 3;
  put(m, "void f(struct Packet p) { a[p.i] %s; ", forms[m->form[0]]);
  put(m, m->scalar ? "b %s; " : "b[p.j] %s; ", forms[m->form[1]]);
  if (m->table) put(m, "apply(tab); ");
  if (m->counted) put(m, "apply(cnt); ");
  for (unsigned k = 0; k < m->params; k++) put(m, "p.m%u = m%u; ", k, k);
  put(m, "p.out = p.in ^ 1; }\n");
}

// ---- packets ------------------------------------------------------------------------------------

struct sent {
  uint16_t i, j;
  uint32_t v;
  bool back;
  uint32_t value[SETS];  // what it saw
};
// What packets see: malleables, the table's default, its entries.
struct set {
  uint32_t value[SETS], entry[KEYS];
  bool used[KEYS];
};
struct life {
  struct made made;
  struct sluice_rng rng;
  struct sluice_image *image;
  struct sluice_transport inner, to;
  struct sluice_filter line;
  struct reaction_meter meter;
  struct sluice_chip *chip;
  struct reactions *rs;
  bool traffic;
  struct sent sent[PACKETS];
  unsigned num, back;  // packets sent, packets that have left
  uint32_t base;       // ticket of the first one
  unsigned pipes;
  bool moves;  // indices move between pipelines
  // What the last dialogue has read of the counters, and how many packets had been sent then
  uint32_t count[KEYS];
  unsigned counted;
};

static void receive(struct life *l) {
  static struct sluice_packet_out out;
  for (;;) {
    GOOD(l->inner.ops->packet_receive(l->inner.self, &out, &error));
    if (!out.len) return;
    uint32_t n = 0;
    for (unsigned i = 0; i < 4; i++) n = n << 8 | out.bytes[SEQ + i];
    assert_true(n < l->num && !l->sent[n].back);
    if (n == 0) l->base = out.ticket;
    assert_int_equal(out.ticket - l->base, n);
    l->sent[n].back = true;
    l->back++;
    for (unsigned k = 0; k < SETS; k++)
      if (k < l->made.params || (k == TABLE && l->made.table))
        for (unsigned i = 0; i < 4; i++)
          l->sent[n].value[k] = l->sent[n].value[k] << 8 | out.bytes[60 + 4 * k + i];
  }
}

static void send_one(struct life *l) {
  uint8_t bytes[100] = {0};
  if (l->num == PACKETS) fail_msg("too many packets");
  struct sent *s = &l->sent[l->num];
  *s = (struct sent){.i = (uint16_t)below(&l->rng, l->made.size[0]),
                     .j = (uint16_t)below(&l->rng, l->made.size[1]),
                     .v = (uint32_t)sluice_rng_next(&l->rng)};
  udp_head(bytes, 1);
  sluice_put16(bytes + 46, s->i);
  sluice_put16(bytes + 48, s->j);
  for (unsigned i = 0; i < 4; i++) {
    bytes[50 + i] = (uint8_t)(s->v >> (24 - 8 * i));
    bytes[SEQ + i] = (uint8_t)(l->num >> (24 - 8 * i));
  }
  l->num++;
  GOOD(l->inner.ops->packet_send(l->inner.self, 0, bytes, sizeof bytes, &error));
  receive(l);
}

static bool feed(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct life *l = user;
  (void)op, (void)cycles;
  if (l->traffic && below(&l->rng, l->made.rate) == 0) send_one(l);
  return true;
}

// Until all packets have left.
static void drain(struct life *l) {
  for (unsigned n = 0; l->back < l->num && n < 1000; n++) {
    GOOD(l->inner.ops->wait(l->inner.self, 500, &error));
    receive(l);
  }
  if (l->back < l->num) fail_msg("%u packets are lost", l->num - l->back);
}

// ---- what must be -------------------------------------------------------------------------------

static void apply_form(enum form form, uint32_t *word, uint32_t v) {
  *word = form == COUNT ? *word + 1 : form == ADD ? *word + v : v;
}

// The arrays as they are at a ticket.
struct words {
  uint32_t of[2][64];
};
static struct words words_at(const struct life *l, uint32_t ticket) {
  struct words w = {0};
  for (uint32_t n = 0; n < ticket - l->base; n++) {
    apply_form(l->made.form[0], &w.of[0][l->sent[n].i], l->sent[n].v);
    apply_form(l->made.form[1], &w.of[1][l->sent[n].j], l->sent[n].v);
  }
  return w;
}

// What reaction r reads if the cut is at a ticket.
static uint32_t hash_at(const struct life *l, unsigned r, uint32_t ticket) {
  const struct words w = words_at(l, ticket);
  uint32_t h = l->made.salt[r];
  for (unsigned i = 0; i < l->made.args[r]; i++) {
    const struct argument *a = &l->made.arg[r][i];
    for (unsigned n = a->first; n < a->first + a->num; n++) h = h * 31 + w.of[a->array][n];
  }
  return h;
}

// Whether what reaction r wants unchanged is the same at both tickets.
static bool is_still(const struct life *l, unsigned r, uint32_t from, uint32_t to) {
  const struct argument *a = &l->made.arg[r][0];
  const struct words one = words_at(l, from), two = words_at(l, to);
  return memcmp(&one.of[a->array][a->first], &two.of[a->array][a->first],
                a->num * sizeof one.of[0][0]) == 0;
}

// Whether a packet from a ticket on accesses what reaction r wants unchanged, or an entry whose
// slot in another pipeline is that of one of them. An index that is away may be any.
static bool accessed(const struct life *l, unsigned r, uint32_t from) {
  const struct argument *a = &l->made.arg[r][0];
  const unsigned pipes = l->pipes, low = a->first / pipes * pipes,
                 high = ((a->first + a->num - 1) / pipes + 1) * pipes;
  for (uint32_t n = from - l->base; n < l->num; n++) {
    const unsigned at = a->array ? l->sent[n].j : l->sent[n].i;
    if (l->moves || (at >= low && at < high)) return true;
  }
  return false;
}

static void change_table(const struct made *m, uint32_t h, struct set *set) {
  const unsigned what = h >> 11 & 3;
  if (what == 0) set->value[TABLE] = (h >> 5) % MOST;
  if (what == 2) memset(set->used, 0, sizeof set->used);
  for (unsigned i = 0; what && i < what; i++) {
    const unsigned key = (h >> i) % m->size[0];
    set->used[key] = true;
    set->entry[key] = (h >> (5 + i)) % MOST;
  }
}

static struct set set_behind(const struct life *l, unsigned r, uint32_t h, const struct set *now) {
  struct set next = *now;
  for (unsigned k = 0; k < TABLE; k++)
    if (l->made.sets[r] >> k & 1) next.value[k] = (h >> (k + 1)) % MOST;
  if (l->made.sets[r] >> TABLE & 1) change_table(&l->made, h, &next);
  return next;
}

static struct set first_set(const struct made *m) {
  struct set set;
  memset(&set, 0, sizeof set);
  for (unsigned k = 0; k < m->params; k++) set.value[k] = k + 1;
  set.value[TABLE] = 77;
  return set;
}

static bool saw(const struct life *l, const struct sent *p, const struct set *set) {
  for (unsigned k = 0; k < l->made.params; k++)
    if (p->value[k] != set->value[k]) return false;
  const uint32_t entry = set->used[p->i] ? set->entry[p->i] : set->value[TABLE];
  return !l->made.table || p->value[TABLE] == entry;
}

// Whether all packets from number `from` on see one set, and behind one of them the other; *last:
// all see the second one from the end on.
static bool one_change(const struct life *l, unsigned from, const struct set *now,
                       const struct set *next) {
  bool changed = false;
  for (unsigned n = from; n < l->num; n++) {
    const struct sent *p = &l->sent[n];
    if (!changed && saw(l, p, now)) continue;
    if (!saw(l, p, next)) return false;
    changed = true;
  }
  return true;
}

// Counters are read behind the cut: all packets with tickets below its own are in them, of the
// others those that came until they were read, or fewer.
static void check_counts(const struct life *l, uint32_t ticket) {
  for (unsigned k = 0; k < l->made.size[0]; k++) {
    unsigned least = 0, most = 0;
    for (unsigned n = 0; n < l->counted; n++) {
      most += l->sent[n].i == k;
      least += l->sent[n].i == k && n < ticket - l->base;
    }
    if (l->count[k] < least || l->count[k] > most)
      fail_msg("counter of entry %u: %u packets, and %u are before the cut at ticket %u, %u were "
               "there\n%s",
               k, l->count[k], least, ticket, most, l->made.text);
  }
}

// ---- life ---------------------------------------------------------------------------------------

// Shapes in turn: as many pipelines as there can be.
static const char *chip_of(uint64_t seed) {
  static const char *const chips[] = {"react.k8", "react.k1", "react", "react.k4"};
  const char *one = getenv("SLUICE_CHIP");
  return one ? one : chips[seed % 4];
}

// Packets come just before a guarded flip, so that it meets some between arrival and order point.
static enum sluice_status write_close(void *self, uint32_t addr, uint32_t value,
                                      struct sluice_error *e) {
  struct life *l = ((struct sluice_filter *)self)->user;
  if (addr == SLUICE_FLIP_BASE + SLUICE_FLIP_BANK && l->traffic && below(&l->rng, 2))
    for (unsigned n = below(&l->rng, 3); n; n--) send_one(l);
  return sluice_filter_ops.csr_write(self, addr, value, e);
}

static void hear(void *user, unsigned vid, const char *name, const char *line) {
  struct life *l = user;
  unsigned key, packets;
  if (sscanf(line, "C %u %u", &key, &packets) != 2) {
    hear_named(NULL, vid, name, line);
    return;
  }
  assert_true(key < l->made.size[0]);
  l->count[key] = packets;
  l->counted = l->num;
}

static void begin(struct life *l, uint64_t seed, enum sluice_verify verify) {
  const char *where = getenv("SLUICE_WHERE"), *chip = chip_of(seed);
  char model[40];
  memset(l, 0, sizeof *l);
  heard[0] = 0;
  l->pipes = sluice_config_find(chip)->NumPipes;
  sluice_rng_init(&l->rng, seed, "reactions");
  make_program(&l->made, &l->rng);
  l->image = compiled_text(l->made.text, chip);
  if (!l->image)
    fail_msg("seed %llu does not compile:\n%s", (unsigned long long)seed, l->made.text);
  snprintf(model, sizeof model, "model:%s", chip);
  GOOD(sluice_transport_open(&l->inner, where ? where : model, NULL, &error));
  sluice_filter_init(&l->line, &l->inner, l);
  l->line.before = feed;
  l->line.ops.csr_write = write_close;
  l->to = l->line.to;
  reaction_meter_init(&l->meter, &l->to);
  GOOD(sluice_chip_open(&l->chip, &l->meter.to,
                        &(struct sluice_chip_options){.chip = chip, .verify = verify}, &error));
  const char *fault = getenv("SLUICE_FAULT");
  if (fault) {
    const int bit = sluice_value_find("FAULT", fault);
    assert_true(bit >= 0);
    GOOD(sluice_chip_write(l->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_FAULT, UINT32_C(1) << bit,
                           &error));
  }
  l->moves = where && seed % 3 == 0;
  if (l->moves) {
    GOOD(sluice_chip_write(l->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_MOVE_LEAST, 1, &error));
    GOOD(sluice_chip_write(l->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_MOVE_PERIOD, 40, &error));
  }
  sluice_chip_together(l->chip, seed % 2);
  GOOD(sluice_chip_load(l->chip, l->image, 1, &error));
  GOOD(reactions_open(&l->rs, l->chip, &l->meter,
                      &(struct reactions_options){.say = hear, .user = l, .limit = 5}, &error));
  send_one(l);
  drain(l);
  l->traffic = true;
}

static void end(struct life *l, bool sound) {
  l->traffic = false;
  if (sound) GOOD(sluice_chip_audit(l->chip, &error));
  reactions_close(l->rs);
  sluice_chip_close(l->chip);
  sluice_image_close(l->image);
  sluice_transport_close(&l->inner);
}

static unsigned from_env(const char *name, unsigned otherwise) {
  const char *text = getenv(name);
  return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

// What a dialogue was.
struct ran {
  uint32_t ticket, h;  // of its cut; what the reaction has read by then
  bool refused, guarded;
  uint32_t flip;  // guarded: ticket of the flip
};

// A dialogue, and packets behind it.
static struct ran run_one(struct life *l, unsigned r) {
  struct reaction_info before, after;
  struct ran ran = {0};
  bool did;
  heard[0] = 0;
  assert_true(reactions_get(l->rs, r, &before));
  GOOD(reactions_step(l->rs, &did, &error));
  assert_true(reactions_get(l->rs, r, &after));
  ran.ticket = after.ticket;
  ran.refused = after.refused != before.refused;
  ran.guarded = after.guarded != before.guarded;
  l->traffic = false;
  GOOD(sluice_chip_read(l->chip, SLUICE_FLIP_BASE + SLUICE_FLIP_TICKET, &ran.flip, &error));
  for (unsigned n = 0; n < 4; n++) send_one(l);
  drain(l);
  l->traffic = true;
  ran.h = hash_at(l, r, ran.ticket);
  return ran;
}

// What must be unchanged was at the flip what the cut has said; every packet before the flip sees
// the one set, every later one the other.
static void check_guarded(const struct life *l, unsigned r, const struct ran *ran,
                          const struct set *now, const struct set *next) {
  if (!l->made.still[r]) fail_msg("a guarded flip of a reaction without 'unchanged'");
  if (!is_still(l, r, ran->ticket, ran->flip))
    fail_msg("a guarded flip at ticket %u, and what must be unchanged is not as at ticket %u",
             ran->flip, ran->ticket);
  for (uint32_t n = ran->ticket - l->base; n < l->num; n++)
    if (!saw(l, &l->sent[n], n < ran->flip - l->base ? now : next))
      fail_msg("guarded flip at ticket %u: packet %u sees another set\n%s", ran->flip, n + l->base,
               l->made.text);
}

TEST(reactions_do_what_the_reference_says) {
  const unsigned programs = from_env("SLUICE_PROGRAMS", 12), first = from_env("SLUICE_SEED", 1);
  struct life *l CLOSED_BY(freed) = malloc(sizeof *l);
  unsigned dialogues = 0, changes = 0, packets = 0, refused = 0, guarded = 0, counted = 0,
           moves = 0;
  for (unsigned p = 0; p < programs; p++) {
    const uint64_t seed = first + p;
    begin(l, seed, SLUICE_VERIFY_READ);
    GOOD(reactions_add(l->rs, 1, l->image, NULL, &error));
    struct set now = first_set(&l->made);
    for (unsigned d = 0; d < 12; d++, dialogues++) {
      const unsigned r = d % l->made.reactions, from = l->num;
      char wanted[80];
      const struct ran ran = run_one(l, r);
      snprintf(wanted, sizeof wanted, "r%u/1: H %u\n", r, ran.h);
      if (strcmp(heard, wanted) != 0)
        fail_msg("seed %llu, dialogue %u at ticket %u: '%s', not '%s'\n%s",
                 (unsigned long long)seed, d, ran.ticket, heard, wanted, l->made.text);
      if (ran.refused && !(l->made.still[r] && accessed(l, r, ran.ticket)))
        fail_msg("seed %llu, dialogue %u at ticket %u: refused, though nothing was accessed\n%s",
                 (unsigned long long)seed, d, ran.ticket, l->made.text);
      const struct set next = ran.refused ? now : set_behind(l, r, ran.h, &now);
      if (ran.guarded) check_guarded(l, r, &ran, &now, &next);
      if (l->made.counts[r]) check_counts(l, ran.ticket);
      counted += l->made.counts[r];
      refused += ran.refused;
      guarded += ran.guarded;
      // The packets behind it see the new one.
      if (!one_change(l, from, &now, &next) || !one_change(l, l->num - 4, &next, &next))
        fail_msg("seed %llu, dialogue %u: packets see another set\n%s", (unsigned long long)seed, d,
                 l->made.text);
      changes += memcmp(&now, &next, sizeof now) != 0;
      now = next;
    }
    packets += l->num;
    if (l->moves) {
      uint32_t decided;
      GOOD(sluice_chip_read(l->chip, SLUICE_MOVE_BASE + SLUICE_MOVE_DECIDED, &decided, &error));
      moves += decided;
    }
    end(l, true);
  }
  print_message("seeds %u to %u: %u dialogues, %u changes, %u guarded, %u refused, %u packets; %u "
                "read counters, %u moves\n",
                first, first + programs - 1, dialogues, changes, guarded, refused, packets, counted,
                moves);
  if (programs >= 12) assert_true(guarded && refused && counted);
}

// ---- broken loops -------------------------------------------------------------------------------

// Arguments of two cuts are found: they are the reference's at neither ticket.
TEST(arguments_of_two_cuts_are_found) {
  static const unsigned vid = 1;
  struct life *l CLOSED_BY(freed) = malloc(sizeof *l);
  unsigned found = 0, tried = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    begin(l, seed, SLUICE_VERIFY_READ);
    for (unsigned d = 0; d < 4 && l->made.args[0] == 2; d++, tried++) {
      uint32_t words[64], ticket[2], h = l->made.salt[0];
      for (unsigned i = 0; i < 2; i++) {
        const struct argument *a = &l->made.arg[0][i];
        GOOD(sluice_chip_cut_begin(l->chip, &vid, 1, &ticket[i], &error));
        GOOD(sluice_chip_cut_read(l->chip, vid, a->array ? "b" : "a", a->first, a->num, words,
                                  &error));
        for (unsigned n = 0; n < a->num; n++) h = h * 31 + words[n];
        GOOD(sluice_chip_cut_end(l->chip, &error));
      }
      found += h != hash_at(l, 0, ticket[0]) && h != hash_at(l, 0, ticket[1]);
    }
    end(l, true);
  }
  print_message("%u of %u\n", found, tried);
  assert_true(tried > 4 && found > 0);
}

// The rows of the match tables that an update adds are hidden from one bank, and default actions
// are written in the one that is not taken. Here the rows are hidden from none, and default actions
// are written in the other bank: new values are outside the banks.
static enum sluice_status send_outside(void *self, const uint8_t *bytes, size_t len,
                                       struct sluice_error *e) {
  struct life *l = ((struct sluice_filter *)self)->user;
  bool outside = false;
  static struct sluice_frame frame;
  struct sluice_reconfig p;
  memcpy(frame.bytes, bytes, frame.len = len);
  const bool write = !sluice_reconfig_decode(&p, frame.bytes, len, e) && p.op == SLUICE_CHAIN_WRITE;
  if (write && p.table == SLUICE_TABLE_DEFAULT_ACTION) {
    const unsigned rows = sluice_config_find("react")->NumModules;
    SLUICE_RECONFIG_SET(&frame, INDEX_LO, (p.index + rows) % (2 * rows));
    GOOD(sluice_reconfig_finish(&frame));
    outside = true;
  }
  if (write && p.table == SLUICE_TABLE_MATCH) {
    for (unsigned i = 0; i < p.num_entries; i++) {
      uint8_t *entry = frame.bytes + (p.entries - frame.bytes) + (size_t)i * p.stride;
      SLUICE_SET(entry, MATCH, NOT_BANK, 0);
    }
    GOOD(sluice_reconfig_finish(&frame));
    outside = true;
  }
  const enum sluice_status status = sluice_filter_ops.control_send(self, frame.bytes, frame.len, e);
  for (unsigned n = 0; outside && l->traffic && n < 4; n++) send_one(l);
  return status;
}

TEST(a_malleable_outside_the_bank_is_found) {
  struct life *l CLOSED_BY(freed) = malloc(sizeof *l);
  unsigned found = 0, tried = 0;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    begin(l, seed, SLUICE_VERIFY_COUNT);  // reading back would find it at once
    GOOD(reactions_add(l->rs, 1, l->image, NULL, &error));
    l->line.ops.control_send = send_outside;
    struct set now = first_set(&l->made);
    for (unsigned d = 0; d < 6; d++, tried++) {
      const unsigned r = d % l->made.reactions, from = l->num;
      const struct ran ran = run_one(l, r);
      const struct set next = ran.refused ? now : set_behind(l, r, ran.h, &now);
      found += !one_change(l, from, &now, &next);
      now = next;
    }
    end(l, false);
  }
  print_message("%u of %u\n", found, tried);
  assert_true(found > 0);
}

// A flip that does not wait for what must be unchanged: the write of FLIP.BANK goes to CHIP.BANK.
static enum sluice_status flip_beside(void *self, uint32_t addr, uint32_t value,
                                      struct sluice_error *e) {
  const bool flip = addr == SLUICE_FLIP_BASE + SLUICE_FLIP_BANK;
  return write_close(self, flip ? SLUICE_CHIP_BASE + SLUICE_CHIP_BANK : addr, value, e);
}

TEST(a_flip_without_its_guard_is_found) {
  struct life *l CLOSED_BY(freed) = malloc(sizeof *l);
  unsigned found = 0, tried = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    begin(l, seed, SLUICE_VERIFY_READ);
    GOOD(reactions_add(l->rs, 1, l->image, NULL, &error));
    l->line.ops.csr_write = flip_beside;
    l->made.rate = 3;
    struct set now = first_set(&l->made);
    for (unsigned d = 0; d < 6; d++) {
      const unsigned r = d % l->made.reactions;
      unsigned n = l->num;
      const struct ran ran = run_one(l, r);
      const struct set next = ran.refused ? now : set_behind(l, r, ran.h, &now);
      while (n < l->num && saw(l, &l->sent[n], &now)) n++;
      if (l->made.still[r] && !ran.refused && n < l->num) {
        found += !is_still(l, r, ran.ticket, n + l->base);
        tried++;
      }
      now = next;
    }
    end(l, true);
  }
  print_message("%u of %u\n", found, tried);
  assert_true(tried > 4 && found > tried / 2);
}

// Counters that are read before the cut lack packets that are in it.
TEST(counters_before_the_cut_are_found) {
  static const unsigned vid = 1;
  static struct sluice_table_count counts[KEYS];
  struct life *l CLOSED_BY(freed) = malloc(sizeof *l);
  unsigned found = 0, tried = 0;
  for (uint64_t seed = 1; seed <= 24; seed++) {
    begin(l, seed, SLUICE_VERIFY_READ);
    for (unsigned d = 0; d < 4 && l->made.counted; d++, tried++) {
      uint64_t sum = 0;
      unsigned num;
      uint32_t ticket;
      GOOD(sluice_chip_table_counts(l->chip, vid, "cnt", false, counts, KEYS, &num, &error));
      GOOD(sluice_chip_cut_begin(l->chip, &vid, 1, &ticket, &error));
      GOOD(sluice_chip_cut_end(l->chip, &error));
      for (unsigned n = 0; n < num; n++) sum += counts[n].packets;
      found += sum < ticket - l->base;
    }
    end(l, true);
  }
  print_message("%u of %u\n", found, tried);
  assert_true(tried > 4 && found > 0);
}

static void append(struct reaction_effects *to, const struct reaction_effects *from) {
  for (unsigned i = 0; i < from->num; i++) {
    unsigned n = 0;
    while (n < to->num && to->list[n].param != from->list[i].param) n++;
    if (n == to->num) to->list[to->num++] = from->list[i];
  }
  for (unsigned i = 0; i < from->num_changes; i++)
    memcpy(to->changes[to->num_changes++], from->changes[i], sizeof from->changes[i]);
}

// One dialogue of a loop that runs both bodies on one cut, and makes one transaction of what both
// have set.
static void mixed_dialogue(struct life *l, struct reaction_process *const *p, uint32_t *ticket) {
  static const unsigned vid = 1;
  static struct reaction_effects effects[2];
  static struct sluice_table_change changes[REACTION_MAX_CHANGES];
  static unsigned lines[REACTION_MAX_CHANGES];
  struct sluice_setting settings[REACTION_MAX_PARAMS];
  const struct sluice_plan *plan = sluice_chip_plan(l->chip);
  int32_t words[2][130], values[REACTION_MAX_PARAMS];
  unsigned num, num_changes;
  GOOD(sluice_chip_cut_begin(l->chip, &vid, 1, ticket, &error));
  for (unsigned r = 0; r < 2; r++)
    GOOD(reaction_read(l->chip, vid, &l->image->reactions[r], words[r], &error));
  GOOD(sluice_chip_cut_end(l->chip, &error));
  GOOD(reaction_values(l->image, plan, vid, values, &error));
  for (unsigned r = 0; r < 2; r++)
    GOOD(reaction_process_run(p[r], REACTION_TAKEN, values, words[r], &effects[r], &error));
  append(&effects[0], &effects[1]);
  GOOD(reaction_settings(l->image, plan, vid, &effects[0], settings, &num, &error));
  GOOD(reaction_changes(l->image, plan, vid, &effects[0], changes, lines, &num_changes, &error));
  const struct sluice_transaction t = {
      .settings = settings, .num_settings = num, .changes = changes, .num_changes = num_changes};
  GOOD(sluice_chip_transact(l->chip, &t, NULL, NULL, &error));
}

TEST(effects_of_two_reactions_mixed_are_found) {
  struct life *l CLOSED_BY(freed) = malloc(sizeof *l);
  unsigned found = 0, tried = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    const struct reaction_process_options options = {.limit = 5};
    struct reaction_process *p[2];
    struct reaction_build built;
    char *messages;
    begin(l, seed, SLUICE_VERIFY_READ);
    if (l->made.reactions == 2) {
      GOOD(reaction_build(&built, l->image, NULL, &messages, &error));
      for (unsigned r = 0; r < 2; r++)
        GOOD(reaction_process_start(&p[r], &built, r, l->made.params,
                                    reaction_num_words(&l->image->reactions[r]), &options, &error));
      struct set now = first_set(&l->made);
      for (unsigned d = 0; d < 3; d++, tried++) {
        const unsigned from = l->num;
        uint32_t ticket;
        mixed_dialogue(l, p, &ticket);
        l->traffic = false;
        for (unsigned n = 0; n < 4; n++) send_one(l);
        drain(l);
        l->traffic = true;
        // By turns: first what the one has set, then what the other has.
        const struct set one = set_behind(l, 0, hash_at(l, 0, ticket), &now);
        const struct set two = set_behind(l, 1, hash_at(l, 1, ticket), &one);
        found += !one_change(l, from, &now, &one) || !one_change(l, l->num - 4, &one, &one);
        now = two;
      }
      for (unsigned r = 0; r < 2; r++) reaction_process_end(p[r]);
      reaction_build_release(&built);
    }
    end(l, true);
  }
  print_message("%u of %u\n", found, tried);
  assert_true(tried > 4 && found > tried / 2);
}

// Shapes of any width have a name.
TEST(shapes_have_the_pipelines_that_they_name) {
  static const char *const none[] = {"react.k3", "react.k", "react.k32", "none.k4", "react.k4x"};
  for (unsigned k = 1; k <= 16; k *= 2) {
    char name[20];
    snprintf(name, sizeof name, "react.k%u", k);
    const struct sluice_config *c = sluice_config_find(name);
    assert_non_null(c);
    assert_int_equal(c->NumPipes, k);
    assert_string_equal(c->name, name);
    assert_int_equal(c->CutStages, sluice_config_find("react")->CutStages);
  }
  for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
    assert_null(sluice_config_find(none[i]));
}

int main(void) {
  if (getenv("SLUICE_WHERE")) cmocka_set_test_filter("reactions_do_*");
  return tests_run();
}
