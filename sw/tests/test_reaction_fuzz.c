// SPDX-License-Identifier: Apache-2.0
// Random programs with random malleables, arrays and reactions, on the reference model, with
// packets between any two operations of the driver. What a reaction must have read is worked out
// here, from the packets with tickets below the cut's; so is what it must have set. Every packet
// sees one set of malleables (and what a table's default says), and of each dialogue the set before
// it or the one behind it, in that order. SLUICE_PROGRAMS, SLUICE_SEED: how many, and from which
// seed on.
#include "base/rng.h"
#include "reaction_rig.h"

enum { SETS = 4, PACKETS = 40000, MOST = 30000, TABLE = SETS - 1 };

// ---- a program ----------------------------------------------------------------------------------

enum form { COUNT, ADD, PUT, FORMS };
struct argument {
  unsigned array, first, num;
};
struct made {
  unsigned size[2];  // of the arrays; the second may be a scalar
  bool scalar, table;
  enum form form[2];
  unsigned params, reactions, args[2];
  struct argument arg[2][2];
  unsigned sets[2];  // bits: what a reaction sets
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
  put(m, ") {\n  uint32_t h = %uu;\n", m->salt[r] = (uint32_t)sluice_rng_next(rng) >> 8);
  for (unsigned i = 0; i < m->args[r]; i++) {
    const struct argument *a = &m->arg[r][i];
    if (a->array == 1 && m->scalar) put(m, "  h = h * 31u + (uint32_t)b;\n");
    else
      put(m, "  for (int i = %u; i < %u; i++) h = h * 31u + (uint32_t)%s[i];\n", a->first,
          a->first + a->num, names[a->array]);
  }
  put(m, "  printf(\"H %%u\\n\", h);\n");
  m->sets[r] = 1 + below(rng, (1u << m->params) - 1);
  if (m->table && below(rng, 2)) m->sets[r] |= 1u << TABLE;
  for (unsigned k = 0; k < SETS; k++)
    if (m->sets[r] >> k & 1)
      put(m,
          k == TABLE ? "  tab_default_say((h >> %u) %% %u);\n"
                     : "  set_m%u((int)((h >> %u) %% %u));\n",
          k == TABLE ? 5u : k, k == TABLE ? MOST : k + 1u, MOST);
  put(m, "}\n");
}

static void make_program(struct made *m, struct sluice_rng *rng) {
  static const char *const forms[] = {[COUNT] = "+= 1", [ADD] = "+= p.v", [PUT] = "= p.v"};
  memset(m, 0, sizeof *m);
  m->params = 1 + below(rng, TABLE);
  m->scalar = below(rng, 3) == 0;
  m->table = below(rng, 2);
  for (unsigned i = 0; i < 2; i++) {
    m->size[i] = i && m->scalar ? 1 : 2 + below(rng, 50);
    m->form[i] = (enum form)below(rng, FORMS);
  }
  m->reactions = 1 + below(rng, 2);
  put(m,
      "struct Packet { int in @ meta.port_in; int out @ meta.port_out; int i @ bytes(46, 2); int j "
      "@ bytes(48, 2); int v @ bytes(50, 4); ");
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
        "malleable table tab { key: p.v: exact; actions: say; size: 8; default: say(77); }\n",
        TABLE);
  for (unsigned r = 0; r < m->reactions; r++) put_reaction(m, rng, r);
  put(m, "void f(struct Packet p) { a[p.i] %s; ", forms[m->form[0]]);
  put(m, m->scalar ? "b %s; " : "b[p.j] %s; ", forms[m->form[1]]);
  if (m->table) put(m, "apply(tab); ");
  for (unsigned k = 0; k < m->params; k++) put(m, "p.m%u = m%u; ", k, k);
  put(m, "p.out = p.in ^ 1; }\n");
}

// ---- packets ------------------------------------------------------------------------------------

struct sent {
  uint16_t i, j;
  uint32_t v;
};
struct set {
  uint32_t value[SETS];
};
struct life {
  struct made made;
  struct sluice_rng rng;
  struct sluice_image *image;
  struct sluice_transport model, to;
  struct wrapped line;
  struct reaction_meter meter;
  struct sluice_chip *chip;
  struct reactions *rs;
  bool traffic;
  struct sent sent[PACKETS];  // by ticket
  unsigned num;
  struct set seen[8];  // of a dialogue, one after the other
  unsigned num_seen, mixed;
};

static bool feed(void *user, enum wrapped_op op, uint64_t cycles) {
  struct life *l = user;
  static struct sluice_packet_out out;
  uint8_t bytes[100] = {0};
  (void)op, (void)cycles;
  if (!l->traffic || below(&l->rng, 3)) return true;
  struct sent *s = &l->sent[l->num];
  *s = (struct sent){(uint16_t)below(&l->rng, l->made.size[0]),
                     (uint16_t)below(&l->rng, l->made.size[1]), (uint32_t)sluice_rng_next(&l->rng)};
  bytes[12] = 0x81, bytes[15] = 1, bytes[16] = 0x08, bytes[18] = 0x45, bytes[27] = 17;
  bytes[46] = (uint8_t)(s->i >> 8), bytes[47] = (uint8_t)s->i;
  bytes[48] = (uint8_t)(s->j >> 8), bytes[49] = (uint8_t)s->j;
  for (unsigned i = 0; i < 4; i++) bytes[50 + i] = (uint8_t)(s->v >> (24 - 8 * i));
  GOOD(l->model.ops->packet_send(l->model.self, 0, bytes, sizeof bytes, &error));
  GOOD(l->model.ops->packet_receive(l->model.self, &out, &error));
  assert_true(out.len != 0);
  assert_int_equal(out.ticket, l->num);
  l->num++;
  struct set set = {{0}};
  for (unsigned k = 0; k < SETS; k++)
    if (k < l->made.params || (k == TABLE && l->made.table))
      for (unsigned i = 0; i < 4; i++) set.value[k] = set.value[k] << 8 | out.bytes[60 + 4 * k + i];
  if (l->num_seen && memcmp(&set, &l->seen[l->num_seen - 1], sizeof set) == 0) return true;
  if (l->num_seen == 8) fail_msg("a dialogue shows more than eight sets");
  l->seen[l->num_seen++] = set;
  return true;
}

// ---- what must be -------------------------------------------------------------------------------

static void apply_form(enum form form, uint32_t *word, uint32_t v) {
  *word = form == COUNT ? *word + 1 : form == ADD ? *word + v : v;
}

// What reaction r reads if the cut is at a ticket.
static uint32_t hash_at(const struct life *l, unsigned r, uint32_t ticket) {
  uint32_t words[2][64] = {{0}}, h = l->made.salt[r];
  for (uint32_t n = 0; n < ticket; n++) {
    apply_form(l->made.form[0], &words[0][l->sent[n].i], l->sent[n].v);
    apply_form(l->made.form[1], &words[1][l->sent[n].j], l->sent[n].v);
  }
  for (unsigned i = 0; i < l->made.args[r]; i++) {
    const struct argument *a = &l->made.arg[r][i];
    for (unsigned n = a->first; n < a->first + a->num; n++) h = h * 31 + words[a->array][n];
  }
  return h;
}

static void begin(struct life *l, uint64_t seed) {
  memset(l, 0, sizeof *l);
  heard[0] = 0;
  sluice_rng_init(&l->rng, seed, "reactions");
  make_program(&l->made, &l->rng);
  l->image = compiled_text(l->made.text, "react");
  if (!l->image)
    fail_msg("seed %llu does not compile:\n%s", (unsigned long long)seed, l->made.text);
  GOOD(sluice_transport_model(&l->model, "react", NULL, &error));
  l->line = (struct wrapped){.inner = &l->model, .before = feed, .user = l};
  l->to = (struct sluice_transport){&wrapped_ops, &l->line, SLUICE_PACKET_MAX};
  reaction_meter_init(&l->meter, &l->to);
  GOOD(sluice_chip_open(&l->chip, &l->meter.to, NULL, &error));
  sluice_chip_together(l->chip, seed % 2);
  GOOD(sluice_chip_load(l->chip, l->image, 1, &error));
  GOOD(reactions_open(&l->rs, l->chip, &l->meter,
                      &(struct reactions_options){.say = hear_named, .limit = 5}, &error));
  GOOD(reactions_add(l->rs, 1, l->image, NULL, &error));
}

static void end(struct life *l) {
  GOOD(sluice_chip_audit(l->chip, &error));
  reactions_close(l->rs);
  sluice_chip_close(l->chip);
  sluice_image_close(l->image);
  sluice_transport_close(&l->model);
}

static unsigned from_env(const char *name, unsigned otherwise) {
  const char *text = getenv(name);
  return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static void reactions_do_what_the_reference_says(void **state) {
  (void)state;
  const unsigned programs = from_env("SLUICE_PROGRAMS", 12), first = from_env("SLUICE_SEED", 1);
  struct life *l = malloc(sizeof *l);
  unsigned dialogues = 0, changes = 0, packets = 0;
  for (unsigned p = 0; p < programs; p++) {
    const uint64_t seed = first + p;
    begin(l, seed);
    struct set now = {{0}};
    for (unsigned k = 0; k < l->made.params; k++) now.value[k] = k + 1;
    if (l->made.table) now.value[TABLE] = 77;
    l->traffic = true;
    for (unsigned d = 0; d < 12; d++, dialogues++) {
      const unsigned r = d % l->made.reactions;
      struct set next = now;
      uint32_t ticket;
      bool ran;
      char wanted[80];
      heard[0] = 0;
      l->num_seen = 0;
      GOOD(reactions_step(l->rs, &ran, &error));
      l->traffic = false;
      GOOD(sluice_chip_read(l->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_CUT_TICKET, &ticket, &error));
      l->traffic = true;
      const uint32_t h = hash_at(l, r, ticket);
      snprintf(wanted, sizeof wanted, "r%u/1: H %u\n", r, h);
      if (strcmp(heard, wanted) != 0)
        fail_msg("seed %llu, dialogue %u at ticket %u: '%s', not '%s'\n%s",
                 (unsigned long long)seed, d, ticket, heard, wanted, l->made.text);
      for (unsigned k = 0; k < SETS; k++)
        if (l->made.sets[r] >> k & 1) next.value[k] = (h >> (k == TABLE ? 5 : k + 1)) % MOST;
      const bool differs = memcmp(&now, &next, sizeof now) != 0;
      for (unsigned n = 0; n < l->num_seen; n++) {
        const struct set *must = n ? &next : &now;
        if (n > 1 || (memcmp(&l->seen[n], must, sizeof now) != 0 &&
                      !(n == 0 && memcmp(&l->seen[n], &next, sizeof now) == 0)))
          fail_msg("seed %llu, dialogue %u: packets see another set\n%s", (unsigned long long)seed,
                   d, l->made.text);
      }
      changes += differs;
      now = next;
    }
    packets += l->num;
    l->traffic = false;
    end(l);
  }
  print_message("seeds %u to %u: %u dialogues, %u changes, %u packets\n", first,
                first + programs - 1, dialogues, changes, packets);
  free(l);
}

// Arguments of two cuts are found: they are the reference's at neither ticket.
static void arguments_of_two_cuts_are_found(void **state) {
  (void)state;
  static const unsigned vid = 1;
  struct life *l = malloc(sizeof *l);
  unsigned found = 0, tried = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    begin(l, seed);
    l->traffic = true;
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
    l->traffic = false;
    end(l);
  }
  print_message("%u of %u\n", found, tried);
  assert_true(tried > 4 && found > 0);
  free(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reactions_do_what_the_reference_says),
      cmocka_unit_test(arguments_of_two_cuts_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
