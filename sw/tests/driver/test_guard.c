// SPDX-License-Identifier: Apache-2.0
// What an untrusted module may write to its packets: programs through the compiler, and images by
// hand.

#include "tests/rig/cases.h"
#include "base/rng.h"
#include "compiler/compiler.h"
#include "driver/plan/guard.h"
#include "driver/plan/plan.h"
#include "driver/chip/packets.h"
#include "model/model.h"

static const char fields[] =
    "struct Packet { int tci @ vlan.tci; int type @ eth.type; int tag @ bytes(12, 2); int ttl @ "
    "ipv4.ttl; int proto @ ipv4.protocol;\n"
    "  int sport @ udp.sport; int dport @ udp.dport; int h; };\nint s[16];\n";

static void compile(struct sluice_image *image, const char *chip, const char *body) {
  char text[1000];
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  memset(image, 0, sizeof *image);
  snprintf(text, sizeof text, "%svoid f(struct Packet p) { %s }\n", fields, body);
  struct sluice_program *program CLOSED_BY(free_program) =
      sluice_program_parse("guard.dom", text, strlen(text), &diags);
  const struct sluice_compile_options options = {0};
  if (!program || sluice_compile(program, sluice_config_find(chip), &options, image, &diags)) {
    sluice_diags_print(&diags, stderr);
    fail_msg("does not compile: %s", body);
  }
}

static void judged(const struct one_case *c, const char *chip, const struct sluice_image *image) {
  struct sluice_error error = {{0}};
  const enum sluice_status status = sluice_guard(sluice_config_find(chip), image, &error);
  assert_true(!status || status == SLUICE_ERR_RANGE);
  cases_answer(c, status ? error.text : "taken");
}

static void try_body(void *user, const struct one_case *c) {
  struct sluice_image image CLOSED_BY(sluice_image_release);
  (void)user;
  compile(&image, "k4", c->request);
  judged(c, "k4", &image);
}
TEST(programs_are_judged_by_what_they_write) {
  cases_each("sw/tests/driver/guard.cases", "fields", try_body, NULL);
}

// Words of an array are bytes of the packet like others; what is found in a lookup is a number.
static void try_array(void *user, const struct one_case *c) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {0};
  char text[800];
  unsigned offset;
  int body;
  (void)user;
  assert_int_equal(sscanf(c->request, "%u %n", &offset, &body), 1);
  snprintf(text, sizeof text,
           "struct Packet { int i @ bytes(100, 2); int tci; int dport; int f; int v[8] @ "
           "array(%u); };\nint r[16][8];\nlookup t[16];\n%s%svoid f(struct Packet p) { %s }\n",
           offset, strstr(c->request, "tci") ? "bind tci @ vlan.tci;\n" : "",
           strstr(c->request, "dport") ? "bind dport @ udp.dport;\n" : "", c->request + body);
  struct sluice_program *program CLOSED_BY(free_program) =
      sluice_program_parse("guard.dom", text, strlen(text), &diags);
  if (!program || sluice_compile(program, sluice_config_find("arrays"), NULL, &image, &diags)) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s: it does not compile", c->where);
  }
  judged(c, "arrays", &image);
}
TEST(arrays_are_judged_by_what_changes_them) {
  cases_each("sw/tests/driver/guard.cases", "arrays", try_array, NULL);
}

TEST(a_plan_refuses_them_too) {
  struct sluice_image image CLOSED_BY(sluice_image_release);
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  struct sluice_error error;
  compile(&image, "k4", "p.tci = 5;");
  sluice_plan_init(&plan, sluice_config_find("k4"));
  assert_int_equal(sluice_plan_add(&plan, &image, 6, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "only a trusted module may"));
  assert_int_equal(plan.num_modules, 0);
  sluice_plan_trust(&plan, true);
  assert_int_equal(sluice_plan_add(&plan, &image, 6, &error), SLUICE_OK);
  sluice_plan_trust(&plan, false);
  assert_int_equal(sluice_plan_replace(&plan, &image, 6, &error), SLUICE_ERR_RANGE);
}

// ---- random images, against the reference model -------------------------------------------------

static void random_bytes(struct sluice_rng *rng, uint8_t *to, size_t len) {
  for (size_t i = 0; i < len; i++) to[i] = (uint8_t)sluice_rng_next(rng);
}

// A module with random parser, actions and deparser; operations that keep bits are made frequent,
// places near the fields in question.
static void random_image(struct sluice_rng *rng, const struct sluice_config *c,
                         struct sluice_image *image) {
  static const unsigned ops[] = {SLUICE_OP_FUNC, SLUICE_OP_FUNC, SLUICE_OP_FUNCI, SLUICE_OP_FUNCI,
                                 SLUICE_OP_ADD,  SLUICE_OP_SUB,  SLUICE_OP_ADDI,  SLUICE_OP_SETHI,
                                 SLUICE_OP_SET,  SLUICE_OP_NOP,  SLUICE_OP_NOP,   SLUICE_OP_NOP,
                                 SLUICE_OP_EXT};
  memset(image, 0, sizeof *image);
  strcpy(image->config, c->name);
  strcpy(image->program, "random");
  for (unsigned t = 0; t < 2; t++) {
    struct sluice_write *w = sluice_image_add_write(image);
    w->table = t ? SLUICE_TABLE_DEPARSER : SLUICE_TABLE_PARSER;
    for (unsigned n = 0; n < 4; n++) {
      uint8_t *action = w->bytes + 2 * n;
      SLUICE_SETS(action, PARSE_ACTION,
                  (OFFSET, sluice_rng_below(rng, 2) ? 10 + sluice_rng_below(rng, 34)
                                                    : 44 + sluice_rng_below(rng, 14)),
                  (KIND, 1 + sluice_rng_below(rng, 3)), (IDX, sluice_rng_below(rng, 2)),
                  (VALID, n == 0 || sluice_rng_below(rng, t ? 2 : 4)));
    }
    // What is written back is often what was read: a copy of an action of the parser.
    if (t && sluice_rng_below(rng, 2))
      memcpy(w->bytes, image->writes[0].bytes, 2 + 2 * (size_t)sluice_rng_below(rng, 3));
  }
  for (unsigned s = 0; s < 2; s++) {
    const unsigned stage = s ? 0 : c->BackStages;
    for (unsigned row = 0; row < 2; row++) {
      // Without one the row is for entries of other engines, or for the default action.
      if (!c->DefaultActions || sluice_rng_below(rng, 2)) {
        struct sluice_write *match = sluice_image_add_write(image);
        *match = (struct sluice_write){.table = SLUICE_TABLE_MATCH, .stage = stage, .index = row};
        // the predicate, or nothing
        SLUICE_SET(match->bytes, MATCH, KEY, row == 0 && sluice_rng_below(rng, 2));
      }
      struct sluice_write *action = sluice_image_add_write(image);
      *action = (struct sluice_write){.table = SLUICE_TABLE_ACTION, .stage = stage, .index = row};
      for (unsigned slot = 1; slot < 25; slot++) {
        if ((slot - 1) % 8 > 1 || sluice_rng_below(rng, 3) == 0) continue;
        uint8_t word[4] = {0};
        random_bytes(rng, word, 4);
        SLUICE_SET(word, INSTR, OP, ops[sluice_rng_below(rng, sizeof ops / sizeof *ops)]);
        if (sluice_rng_below(rng, 2))
          SLUICE_SET(word, INSTR_FUNCI, IMM, UINT64_C(1) << sluice_rng_below(rng, 12));
        SLUICE_SET(word, INSTR, A, (1 + sluice_rng_below(rng, 3)) << 3 | sluice_rng_below(rng, 2));
        if (c->ActionData && sluice_rng_below(rng, 4) == 0)
          SLUICE_SET(word, INSTR, A, sluice_rng_below(rng, 8));
        sluice_entry_set(action->bytes, sluice_tables[SLUICE_TABLE_ACTION].bits, 25 * slot + 24,
                         25 * slot, sluice_entry_get(word, 25, 24, 0));
      }
    }
    struct sluice_write *product = sluice_image_add_write(image);
    *product = (struct sluice_write){.table = SLUICE_TABLE_MULTIPLY, .stage = stage};
    SLUICE_SETS(product->bytes, MULTIPLY, (A, sluice_rng_below(rng, 32)),
                (B, sluice_rng_below(rng, 32)));
    struct sluice_write *mask = sluice_image_add_write(image);
    *mask = (struct sluice_write){.table = SLUICE_TABLE_KEY_MASK, .stage = stage};
    memset(mask->bytes, 0xff, sizeof mask->bytes);
    mask->bytes[24] = sluice_rng_below(rng, 2) ? 0x80 : 0x00;  // bit 0 is the predicate
    struct sluice_write *extract = sluice_image_add_write(image);
    *extract = (struct sluice_write){.table = SLUICE_TABLE_KEY_EXTRACT, .stage = stage};
    random_bytes(rng, extract->bytes, 5);
    extract->bytes[4] &= 0xfc;
  }
}

// What entries at run time may do: in each stage a default action, and an entry of each engine,
// that name an action of the module, with any data.
static void put(struct sluice_rng *rng, struct sluice_model *m, enum sluice_table table,
                unsigned stage, unsigned index, uint8_t *entry) {
  struct sluice_frame frame;
  for (unsigned i = 0; i < 16; i++)
    entry[(sluice_tables[table].bits + 7) / 8 - 1 - i] = (uint8_t)sluice_rng_next(rng);
  sluice_reconfig_begin(&frame, SLUICE_CHAIN_WRITE, table, stage, index);
  sluice_reconfig_append(&frame, table, entry);
  sluice_reconfig_finish(&frame);
  // refused where the stage has no such engine
  sluice_model_control(m, frame.bytes, frame.len, NULL);
}
static void random_entries(struct sluice_rng *rng, struct sluice_model *m,
                           const struct sluice_plan *plan) {
  const struct sluice_config *c = plan->config;
  for (unsigned stage = 0; stage < c->BackStages + c->FrontStages; stage++) {
    uint8_t by_default[SLUICE_ENTRY_BYTES] = {0}, ternary[SLUICE_ENTRY_BYTES] = {0},
            data[SLUICE_ENTRY_BYTES] = {0};
    const unsigned row = sluice_plan_row(plan, 5, stage, (unsigned)sluice_rng_below(rng, 2));
    if (row == SLUICE_NO_ROW) continue;
    SLUICE_SETS(by_default, DEFAULT_ACTION, (VALID, sluice_rng_below(rng, 4) != 0), (ACTION, row));
    put(rng, m, SLUICE_TABLE_DEFAULT_ACTION, stage, 5, by_default);
    SLUICE_SET(ternary, TERNARY, VALID, sluice_rng_below(rng, 2));
    SLUICE_SETS(ternary, TERNARY, (VID, 5), (ACTION, row), (KEY, 1), (CARE, 1));
    put(rng, m, SLUICE_TABLE_TERNARY, stage, 0, ternary);
    for (unsigned n = 0; n < c->MatchEntries; n++)
      put(rng, m, SLUICE_TABLE_MATCH_DATA, stage, n, data);
  }
}

static bool send(void *model, const struct sluice_frame *frame) {
  return sluice_model_control(model, frame->bytes, frame->len, NULL);
}

// Whether a packet that came and left so is one that the check knows.
static void check_bits(unsigned seed, const struct sluice_guard_bit *known, const uint8_t *in,
                       const uint8_t *out, unsigned *told) {
  for (unsigned i = 0; i < 8 * 64; i++) {
    const struct sluice_guard_bit b = known[i];
    const unsigned got = (unsigned)out[i / 8] >> i % 8 & 1u;
    const bool as_it_came = b.same >= 0 && b.same < 8 * 64 &&
                            ((unsigned)in[b.same / 8] >> b.same % 8 & 1u) == got;
    if (!as_it_came && !(got ? b.one : b.zero) && b.same < 8 * 64)
      fail_msg("seed %u: byte %u bit %u leaves as %u: it may be%s%s, or bit %d", seed, i / 8, i % 8,
               got, b.zero ? " 0" : "", b.one ? " 1" : "", b.same);
    *told += (b.same >= 0 && b.same != (int)i) || (b.same < 0 && !(b.zero && b.one));
  }
}

// Runs packets through the model; returns what the first bad one does, or NULL. *told counts bits
// that were changed, and yet known.
static const char *misdeed(struct sluice_rng *rng, unsigned seed, const struct sluice_config *c,
                           const struct sluice_image *image, unsigned *told) {
  struct sluice_guard_bit known[SLUICE_GUARD_BITS];
  sluice_guard_header(c, image, known);
  struct sluice_plan plan;
  struct sluice_error error;
  struct sluice_model *m = sluice_model_open(c);
  const char *found = NULL;
  sluice_plan_init(&plan, c);
  sluice_plan_trust(&plan, true);
  if (sluice_plan_add(&plan, image, 5, &error)) fail_msg("%s", error.text);
  assert_true(sluice_reconfig_plan(&plan, send, m));
  random_entries(rng, m, &plan);
  for (unsigned n = 0; n < 60 && !found; n++) {
    uint8_t bytes[64];
    random_bytes(rng, bytes, sizeof bytes);
    memcpy(bytes + 12, (const uint8_t[]){0x81, 0x00, (uint8_t)(bytes[14] & 0xf0), 5}, 4);
    // Near to a reconfiguration packet: all of it but one part, or two.
    memcpy(bytes + 16, "\x08", 2);
    bytes[27] = 0x11;
    memcpy(bytes + 40, "\xf1\xf2", 2);
    static const unsigned parts[] = {16, 17, 27, 40, 41};
    for (unsigned i = 0; i < 1 + n % 2; i++)
      bytes[parts[sluice_rng_below(rng, 5)]] ^= (uint8_t)(1 + sluice_rng_below(rng, 255));
    if (sluice_reconfig_is(bytes, sizeof bytes)) continue;
    const struct sluice_model_packet packet = {.bytes = bytes, .len = sizeof bytes};
    struct sluice_model_phv phv;
    struct sluice_model_result result;
    if (sluice_model_front(m, &packet, &phv) != SLUICE_DROP_NONE) continue;
    sluice_model_admit(m, &packet, &phv, &result);
    check_bits(seed, known, bytes, result.header, told);
    if (result.header[12] != 0x81 || result.header[13] || (result.header[14] & 15) ||
        result.header[15] != 5)
      found = "tag";
    else if (sluice_reconfig_is(result.header, 64)) found = "reconfiguration";
  }
  sluice_plan_release(&plan);
  sluice_model_close(m);
  return found;
}

static void accepted_does_no_harm(const char *chip) {
  struct sluice_config shape = *sluice_config_find(chip);
  const struct sluice_config *c = &shape;
  shape.Multipliers = 1;  // so that every result that an action may ask for is one
  unsigned accepted = 0, refused = 0, harmful = 0, told = 0;
  for (unsigned seed = 1; seed <= 3000; seed++) {
    struct sluice_rng rng;
    struct sluice_image image CLOSED_BY(sluice_image_release);
    struct sluice_error error;
    sluice_rng_init(&rng, seed, "guard");
    random_image(&rng, c, &image);
    const bool good = sluice_guard(c, &image, &error) == SLUICE_OK;
    const char *found = misdeed(&rng, seed, c, &image, &told);
    if (good && found) fail_msg("seed %u: accepted, and it does harm: %s", seed, found);
    accepted += good;
    refused += !good;
    harmful += found != NULL;
  }
  print_message("%s: %u images accepted, %u refused, %u of these seen to do harm; %u bits written "
                "and known\n",
                chip, accepted, refused, harmful, told);
  assert_true(accepted > 200 && harmful > 200 && told > 100000);
}

TEST(what_is_accepted_does_no_harm) { accepted_does_no_harm("tiny"); }

TEST(nor_with_any_entry_of_the_engines) { accepted_does_no_harm("tables"); }

static void set_slot(struct sluice_write *action, unsigned slot, unsigned op, unsigned f,
                     unsigned a, unsigned data) {
  uint8_t word[4] = {0};
  SLUICE_SETS(word, INSTR_FUNC, (OP, op), (F, f), (A, a), (DATA, data));
  sluice_entry_set(action->bytes, sluice_tables[SLUICE_TABLE_ACTION].bits, 25 * slot + 24,
                   25 * slot, sluice_entry_get(word, 25, 24, 0));
}

// A module that writes 2B[0] to its VLAN id if the action is done, whatever row it is in.
static void tag_image(struct sluice_image *image, const struct sluice_config *c, unsigned row,
                      bool match, unsigned a, unsigned data) {
  memset(image, 0, sizeof *image);
  strcpy(image->config, c->name);
  strcpy(image->program, "tag");
  for (unsigned t = 0; t < 2; t++) {
    struct sluice_write *w = sluice_image_add_write(image);
    w->table = t ? SLUICE_TABLE_DEPARSER : SLUICE_TABLE_PARSER;
    SLUICE_SETS(w->bytes, PARSE_ACTION, (OFFSET, 14), (KIND, SLUICE_TYPE_B2), (VALID, 1));
  }
  struct sluice_write *w = sluice_image_add_write(image);
  *w = (struct sluice_write){.table = SLUICE_TABLE_ACTION, .index = row};
  set_slot(w, 1, SLUICE_OP_FUNC, SLUICE_FUNC_MOVE, a, data);
  if (!match) return;
  w = sluice_image_add_write(image);
  *w = (struct sluice_write){.table = SLUICE_TABLE_MATCH, .index = row};
}

TEST(actions_and_data_of_engines_count) {
  const unsigned own = SLUICE_TYPE_B2 << 3;  // 2B[0]: the VLAN id comes back as it was
  const struct {
    const char *chip;
    unsigned row;
    bool match;
    unsigned a, data;
    bool refused;
  } list[] = {
      {"tables", 0, true, own, 0, false},
      {"tables", 0, true, own, 1, false},
      {"tables", 0, true, 5, 0, true},
      {"tables", 0, true, 0, 1, true},  // data word 0
      // For an entry of another engine
      {"tables", 1, false, 5, 0, true},
      // beyond the exact rows
      {"tables", 40, false, 5, 0, true},
      {"tables", 40, false, own, 0, false},
      {"tables", 63, false, 3, 1, true},
      {"tiny", 1, false, 5, 0, false},  // nobody does it
  };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    struct sluice_image image CLOSED_BY(sluice_image_release);
    struct sluice_error error = {{0}};
    const struct sluice_config *c = sluice_config_find(list[i].chip);
    tag_image(&image, c, list[i].row, list[i].match, list[i].a, list[i].data);
    const enum sluice_status status = sluice_guard(c, &image, &error);
    if ((status == SLUICE_ERR_RANGE) != list[i].refused) fail_msg("case %zu: '%s'", i, error.text);
  }
}

static struct sluice_write *add(struct sluice_image *image, enum sluice_table table, unsigned row) {
  struct sluice_write *w = sluice_image_add_write(image);
  *w = (struct sluice_write){.table = table, .index = row};
  return w;
}

static void parse_2b(struct sluice_write *w, unsigned n, unsigned container, unsigned offset) {
  SLUICE_SETS(w->bytes + 2 * n, PARSE_ACTION, (IDX, container), (OFFSET, offset),
              (KIND, SLUICE_TYPE_B2), (VALID, 1));
}

// 2B[1], which leaves as the VLAN id, gets the VLAN id in each of the rows; before, it is something
// else. Row i asks for bits[i] of {wide compare, comparator}.
static void rows_image(struct sluice_image *image, const struct sluice_config *c, bool wide,
                       bool predicate, unsigned num, const unsigned *bits) {
  memset(image, 0, sizeof *image);
  strcpy(image->config, c->name);
  strcpy(image->program, "rows");
  struct sluice_write *w = add(image, SLUICE_TABLE_PARSER, 0);
  parse_2b(w, 0, 0, 14);
  parse_2b(w, 1, 1, 16);
  parse_2b(add(image, SLUICE_TABLE_DEPARSER, 0), 0, 1, 14);
  w = add(image, SLUICE_TABLE_KEY_MASK, 0);
  for (unsigned i = predicate; i < SLUICE_KEY_BITS; i++)
    sluice_entry_set(w->bytes, SLUICE_KEY_BITS, i, i, 1);
  if (wide) add(image, SLUICE_TABLE_KEY_COMPARE, 0);
  for (unsigned row = 0; row < num; row++) {
    w = add(image, SLUICE_TABLE_MATCH, row);
    SLUICE_SET(w->bytes, MATCH, WIDE, bits[row] >> 1);
    sluice_entry_set(w->bytes, SLUICE_MATCH_BITS, 0, 0, bits[row] & 1);
    set_slot(add(image, SLUICE_TABLE_ACTION, row), 2, SLUICE_OP_FUNC, SLUICE_FUNC_MOVE,
             SLUICE_TYPE_B2 << 3, 0);
  }
}

TEST(one_of_the_rows_of_a_compare_is_hit) {
  const struct {
    const char *chip;
    bool wide, predicate, refused;
    unsigned num, bits[4];
  } list[] = {
      {"tiny", false, true, false, 2, {0, 1}},       {"tiny", false, true, true, 1, {0}},
      {"tiny", false, true, true, 2, {1, 1}},        {"tiny", false, false, false, 1, {0}},
      {"tiny", false, false, true, 1, {1}},          {"react", true, false, false, 2, {2, 0}},
      {"react", true, false, true, 1, {2}},          {"react", true, true, true, 2, {2, 0}},
      {"react", true, true, false, 4, {2, 0, 3, 1}}, {"react", false, false, true, 1, {2}}};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    struct sluice_image image CLOSED_BY(sluice_image_release);
    struct sluice_error error = {{0}};
    const struct sluice_config *c = sluice_config_find(list[i].chip);
    rows_image(&image, c, list[i].wide, list[i].predicate, list[i].num, list[i].bits);
    if ((sluice_guard(c, &image, &error) == SLUICE_ERR_RANGE) != list[i].refused)
      fail_msg("case %zu: '%s'", i, error.text);
  }
}

// 2B[1], which leaves as the VLAN id, gets it by an action of the parser: those behind the last
// that the chip has do nothing, in the parser and in the deparser.
TEST(actions_behind_the_last_parse_action_do_nothing) {
  const struct sluice_config *c = sluice_config_find("tiny.ParseActions3");
  const struct {
    unsigned reads, writes;
    bool refused;
  } list[] = {{2, 2, false}, {3, 2, true}, {3, 3, false}};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    struct sluice_image image CLOSED_BY(sluice_image_release) = {.num_writes = 0};
    struct sluice_error error = {{0}};
    parse_2b(add(&image, SLUICE_TABLE_PARSER, 0), list[i].reads, 1, 14);
    parse_2b(add(&image, SLUICE_TABLE_DEPARSER, 0), list[i].writes, 1, 14);
    if ((sluice_guard(c, &image, &error) == SLUICE_ERR_RANGE) != list[i].refused)
      fail_msg("case %zu: '%s'", i, error.text);
  }
}

// They would be another module's, or name another module's actions.
// A default action without an action, or beside match rows, is none either.
TEST(images_have_no_entries_of_engines) {
  static const enum sluice_table list[] = {SLUICE_TABLE_TERNARY, SLUICE_TABLE_CUCKOO,
                                           SLUICE_TABLE_DEFAULT_ACTION, SLUICE_TABLE_MATCH_DATA};
  const struct sluice_config *c = sluice_config_find("tables");
  for (unsigned i = 0; i < 4; i++) {
    struct sluice_image image CLOSED_BY(sluice_image_release);
    struct sluice_plan plan CLOSED_BY(sluice_plan_release);
    struct sluice_error error = {{0}};
    uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
    tag_image(&image, c, 0, true, SLUICE_TYPE_B2 << 3, 0);
    sluice_plan_init(&plan, c);
    sluice_plan_trust(&plan, true);
    assert_int_equal(sluice_plan_add(&plan, &image, 5, &error), SLUICE_OK);
    assert_int_equal(sluice_plan_entry_set(&plan, 5, list[i], 2, 0, entry, &error),
                     SLUICE_ERR_RANGE);
    struct sluice_write *w = sluice_image_add_write(&image);
    *w = (struct sluice_write){.table = list[i], .stage = 2};
    assert_int_equal(sluice_plan_add(&plan, &image, 6, &error), SLUICE_ERR_RANGE);
    assert_non_null(strstr(error.text, list[i] == SLUICE_TABLE_DEFAULT_ACTION
                                           ? "DEFAULT_ACTION of stage 2: "
                                           : "are no part of an image"));
    assert_int_equal(sluice_plan_replace(&plan, &image, 5, &error), SLUICE_ERR_RANGE);
  }
}
