// SPDX-License-Identifier: Apache-2.0
// Assembler and disassembler of capsules, preloading, files, moves to other stages; and that the
// published programs do on the interpreter what they are for. Run from the root of the tree.

#include "tests/rig/cases.h"
#include "active/assemble.h"
#include "active/interpreter.h"
#include "active/mutate.h"
#include "base/rng.h"
#include "tests/rig/texts.h"

// ---- the assembler ------------------------------------------------------------------------------

static struct active_source assembled(const char *text, bool explicit_labels) {
  struct active_source s;
  active_assemble(text, strlen(text), explicit_labels, ACTIVE_SHAPE, &s);
  return s;
}

TEST(instructions_have_the_published_bytes) {
  static const char text[] =
      "// a comment\n\nMAR_LOAD, $BUCKET // another\n\tmem_read\r\nCJUMP,@FOUND\nDROP\n"
      "  NOP , :FOUND\nRETURN";
  static const uint8_t published[] = {0, 15, 0, 41, 1, 8, 0, 5, 1, 1, 0, 2, 0, 0};
  static const uint8_t numbered[] = {0, 15, 0, 41, 2, 8, 0, 5, 3, 1, 0, 2, 0, 0};
  uint8_t bytes[100];
  struct active_source s = assembled(text, false);
  assert_int_equal(s.num_notes, 0);
  assert_int_equal(active_to_apo(&s.program, bytes), sizeof published);
  assert_memory_equal(bytes, published, sizeof published);
  FIELDS_ARE(&s, (line[0], 3), (line[5], 8));
  s = assembled(text, true);
  active_to_apo(&s.program, bytes);
  assert_memory_equal(bytes, numbered, sizeof numbered);
  // Numbers: in the order of first use, but those in names stay; #N; bytes.
  s = assembled(
      "UJUMP,@X\nUJUMP,@L0\nUJUMP,@Y\nNOP,:L0\nNOP,:Y\nNOP,:X\nHASH,#9\nNOP,=fc\nWORD,=ab7f\n",
      true);
  assert_int_equal(s.num_notes, 0);
  static const uint8_t flags[] = {1 << 2 | 2, 2,          2 << 2 | 2, 3,   2 << 2 | 3,
                                  1 << 2 | 3, 9 << 2 | 2, 0xfc,       0xab};
  for (unsigned i = 0; i < s.program.num; i++)
    assert_int_equal(s.program.instrs[i].flags, flags[i]);
  assert_int_equal(s.program.instrs[8].opcode, 0x7f);
  // A label may come again: a jump goes to the next one.
  for (unsigned form = 0; form < 2; form++) {
    s = assembled("UJUMP,@A\nNOP,:A\nUJUMP,@A\nNOP,:A\n", form);
    assert_int_equal(s.num_notes, 0);
  }
  // ADDR_MASK and ADDR_OFFSET name the stage of the next access.
  s = assembled("ADDR_MASK\nADDR_OFFSET\nMEM_READ\nADDR_OFFSET\nNOP\nMEM_READ\nADDR_MASK_3\n",
                false);
  FIELDS_ARE(&s.program, (instrs[0].opcode, SLUICE_OPCODE_ADDR_MASK_2),
             (instrs[1].opcode, SLUICE_OPCODE_ADDR_OFFSET_2),
             (instrs[3].opcode, SLUICE_OPCODE_ADDR_OFFSET_5),
             (instrs[6].opcode, SLUICE_OPCODE_ADDR_MASK_3));
}

static void try_text(void *user, const struct one_case *c) {
  const struct active_source s = assembled(c->request, *(const bool *)user);
  char said[400];
  if (s.num_notes != 1) fail_msg("%s: %u notes", c->where, s.num_notes);
  assert_int_equal(s.num_errors, !s.notes[0].warning);
  snprintf(said, sizeof said, "(%u:%u %s) %s", s.notes[0].line, s.notes[0].column,
           s.notes[0].warning ? "warning" : "error", s.notes[0].text);
  cases_answer(c, said);
}

TEST(mistakes_are_told_at_their_place) {
  bool numbered = false;
  cases_each("sw/tests/active/assembler.cases", "published", try_text, &numbered);
  numbered = true;
  cases_each("sw/tests/active/assembler.cases", "numbered", try_text, &numbered);
  // Too long, too many labels, names that are too long; more mistakes than are kept.
  char text[8192] = "";
  for (unsigned i = 0; i < 129; i++) strcat(text, "NOP\n");
  assert_int_equal(assembled(text, false).num_errors, 1);
  text[4 * 128] = 0;
  assert_int_equal(assembled(text, false).num_errors, 0);
  assert_int_equal(assembled(text, false).num_warnings, 1);
  text[0] = 0;
  for (unsigned i = 0; i < 65; i++) sprintf(text + strlen(text), "NOP,:A%u\n", i);
  assert_int_equal(assembled(text, true).num_errors, 1);
  memset(text, 'A', 200);
  text[200] = 0;
  assert_int_equal(assembled(text, false).num_errors, 1);
  text[0] = 0;
  for (unsigned i = 0; i < 50; i++) strcat(text, "X\n");
  const struct active_source s = assembled(text, false);
  assert_true(s.num_errors == 50 && s.num_notes == ACTIVE_MAX_NOTES);
}

static unsigned num_programs(unsigned few) {
  const char *text = getenv("SLUICE_PROGRAMS");
  return text ? (unsigned)strtoul(text, NULL, 10) : few;
}
static uint64_t seed(void) {
  const char *text = getenv("SLUICE_SEED");
  const uint64_t value = text ? strtoull(text, NULL, 10) : 1;
  print_message("seed %llu\n", (unsigned long long)value);
  return value;
}

// Random bytes of three kinds: any; as the published assembler makes them; as the explicit form.
TEST(any_program_comes_back_from_its_text) {
  struct sluice_rng rng;
  static char text[ACTIVE_TEXT];
  sluice_rng_init(&rng, seed(), "round trip");
  for (unsigned n = 0; n < num_programs(4000); n++) {
    struct active_program p = {.num = (unsigned)sluice_rng_below(&rng, n % 50 ? 40 : 129)};
    for (unsigned i = 0; i < p.num; i++) {
      const unsigned kind = n % 3;
      p.instrs[i].opcode = (uint8_t)(1 + sluice_rng_below(&rng, kind ? 95 : 255));
      if (sluice_rng_below(&rng, 3) == 0)
        p.instrs[i].opcode = (uint8_t)(SLUICE_OPCODE_CJUMP + sluice_rng_below(&rng, 3));
      p.instrs[i].flags = (uint8_t)sluice_rng_next(&rng);
      if (kind == 1) p.instrs[i].flags &= 1;
      if (kind == 2) p.instrs[i].flags &= 0x0f;
    }
    struct active_source s;
    active_disassemble(&p, text);
    const bool good = active_assemble(text, strlen(text), active_is_explicit(&p), ACTIVE_SHAPE, &s);
    if (!good || s.program.num != p.num ||
        memcmp(s.program.instrs, p.instrs, p.num * sizeof *p.instrs) != 0)
      fail_msg("program %u: %u:%u: %s\n%s", n, s.notes[0].line, s.notes[0].column, s.notes[0].text,
               text);
  }
}

// Any text: no crash, and no more notes than there is room for.
TEST(any_text_is_read) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, seed(), "text");
  static const char *const words[] = {"NOP", "UJUMP", "HASH", "WORD", "ADDR_MASK", "MEM_READ",  ",",
                                      ",:A", ",@A",   ",#3",  ",=0f", "\n",        "//",        " ",
                                      "=",   "L63",   "@L64", "$",    "\r\n",      "CJUMP,@A\n"};
  for (unsigned n = 0; n < num_programs(4000); n++) {
    char text[600];
    size_t len = 0;
    while (len < sizeof text - 20 && sluice_rng_below(&rng, 60)) {
      if (sluice_rng_below(&rng, 8) == 0) {
        text[len++] = (char)sluice_rng_next(&rng);
        continue;
      }
      const char *w = words[sluice_rng_below(&rng, sizeof words / sizeof *words)];
      memcpy(text + len, w, strlen(w));
      len += strlen(w);
    }
    char *exact CLOSED_BY(freed) = malloc(len + 1);  // so that a read behind the end is found
    memcpy(exact, text, len);
    struct active_source s;
    const bool good = active_assemble(exact, len, n & 1, ACTIVE_SHAPE, &s);
    assert_true(good == (s.num_errors == 0) && s.num_notes <= ACTIVE_MAX_NOTES);
  }
}

// ---- files --------------------------------------------------------------------------------------

TEST(files_come_back) {
  struct active_program p;
  struct sluice_error error;
  size_t used;
  assert_int_equal(active_from_apo(&p, (const uint8_t *)"\1\10\0\51\0\0\7\7", 8, &used, &error),
                   SLUICE_OK);
  assert_true(p.num == 2 && used == 6 && p.instrs[1].opcode == 41 && p.instrs[0].flags == 1);
  assert_int_equal(active_from_apo(&p, (const uint8_t *)"\1\10\0\51", 4, NULL, &error),
                   SLUICE_ERR_FORMAT);
  assert_string_equal(error.text, "2 instructions and no EOF behind them");
  uint8_t many[400];
  memset(many, 1, sizeof many);
  assert_int_equal(active_from_apo(&p, many, sizeof many, NULL, &error), SLUICE_ERR_FULL);
  struct active_memidx m = {.num = 3, .positions = {0, 3, 7}, .ingress_limit = -1};
  char text[1000];
  active_memidx_print(&m, text, sizeof text);
  assert_string_equal(text, "0,3,7\n-1\n");
}

// ---- the published programs ---------------------------------------------------------------------

enum { WORDS = 1024, FID = 7 };
struct bench {
  struct active_machine m;
  struct active_packet packet;
  struct active_result r;
};

static void open(struct bench *b, struct active_shape shape) {
  assert_int_equal(active_machine_init(&b->m, shape, WORDS, 8, NULL), SLUICE_OK);
  b->packet = (struct active_packet){
      .port = 3, .source = 0x0a000001, .dest = 0x0a000002, .sport = 4000, .dport = 80, .budget = 4};
}
static uint32_t *word(struct bench *b, unsigned stage, uint32_t index) {
  return &b->m.memory[stage * WORDS + index];
}
static void give(struct bench *b, unsigned stage, uint32_t first, uint32_t last) {
  *active_machine_region(&b->m, FID, stage) = active_region_physical(first, last);
}

static struct active_program load_for(const char *name, bool explicit_labels,
                                      struct active_shape shape) {
  char path[200];
  snprintf(path, sizeof path, "sw/programs/active/%s.ap4", name);
  size_t len;
  char *text = bytes_of(path, &len);
  struct active_source s;
  if (!active_assemble(text, len, explicit_labels, shape, &s) || s.num_notes)
    fail_msg("%s:%u:%u: %s", path, s.notes[0].line, s.notes[0].column, s.notes[0].text);
  free(text);
  return s.program;
}
static struct active_program load(const char *name) {
  return load_for(name, false, ACTIVE_SHAPE_PUBLISHED);
}

static const struct active_leaving *run(struct bench *b, const struct active_program *p,
                                        bool preload, uint32_t d0, uint32_t d1, uint32_t d2,
                                        uint32_t d3) {
  const struct active_capsule c = {FID, preload, {{d0, d1, d2, d3}}, *p};
  active_run(&b->m, &c, &b->packet, &b->r, NULL, NULL);
  return &b->r.leaving[b->r.num_leaving - 1];
}

static void expect_accesses(const struct active_program *p, const char *memidx) {
  char text[1000];
  const struct active_memidx m = active_memidx(p);
  active_memidx_print(&m, text, sizeof text);
  assert_string_equal(text, memidx);
}

// Facts: cache 0, 3, 7 after its MAR_LOAD was taken out; heavy hitter 5, 10, 13, 18, 23, 25 after
// both loads; Cheetah SYN 4, 6, 15, 17, nothing taken out. The published length is the one before
// that.
TEST(access_lists_are_the_published_ones) {
  struct active_program p = load("cache_read");
  expect_accesses(&p, "1,4,8\n7\n");
  assert_int_equal(p.num, 11);
  struct active_preload l = active_preload(&p, ACTIVE_SHAPE_PUBLISHED);
  assert_true(l.preload && l.loads == ACTIVE_MAR && l.hazards == 0);
  expect_accesses(&p, "0,3,7\n6\n");  // the published file keeps the limit 7
  p = load("heavy_hitter");
  assert_int_equal(p.num, 29);
  expect_accesses(&p, "7,12,15,20,25,27\n-1\n");
  assert_int_equal(p.instrs[5].opcode, SLUICE_OPCODE_ADDR_MASK_7);
  l = active_preload(&p, ACTIVE_SHAPE_PUBLISHED);
  assert_int_equal(l.loads, ACTIVE_MBR | ACTIVE_MBR2);
  expect_accesses(&p, "5,10,13,18,23,25\n-1\n");
  assert_int_equal(p.instrs[3].opcode, SLUICE_OPCODE_ADDR_MASK_5);
  assert_int_equal(active_stage(ACTIVE_SHAPE_PUBLISHED, 13),
                   active_stage(ACTIVE_SHAPE_PUBLISHED, 23));
  p = assembled("SET_DST\nCRTS\nRTS\nNOP\n", false).program;
  assert_int_equal(active_ingress_limit(&p), 2);
  p = load("cheetah_syn");
  assert_int_equal(p.num, 28);
  expect_accesses(&p, "4,6,15,17\n18\n");
}

TEST(preloading_keeps_what_a_program_does) {
  static const struct {
    const char *before, *after;
    unsigned loads, hazards;
  } all[] = {
      {"MAR_LOAD\nMBR_LOAD\nMBR2_LOAD\nMEM_WRITE\n", "MEM_WRITE\n", 7, 0},
      {"MBR_LOAD\nMBR_LOAD\n", "MBR_LOAD\n", ACTIVE_MBR, 0},
      {"HASH\nMAR_LOAD\nMEM_READ\n", "HASH\nMAR_LOAD\nMEM_READ\n", 0, 0},
      {"MAR_LOAD\nMBR_STORE\n", "MBR_STORE\n", ACTIVE_MAR, ACTIVE_MBR},
      {"UJUMP,@A\nMAR_LOAD\nNOP,:A\n", "UJUMP,@L2\nMAR_LOAD\nNOP,:L2\n", 0, 0},
      {"MAR_LOAD,:A\n", "MAR_LOAD,:L0\n", 0, 0},
      {"MAR_LOAD\nADDR_MASK\nNOP\nMEM_READ\n", "ADDR_MASK_2\nNOP\nMEM_READ\n", ACTIVE_MAR, 0},
      {"MAR_LOAD\nADDR_OFFSET_9\nMEM_READ\n", "ADDR_OFFSET_9\nMEM_READ\n", ACTIVE_MAR, 0},
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    static char text[ACTIVE_TEXT];
    struct active_source s = assembled(all[i].before, false);
    const struct active_preload l = active_preload(&s.program, ACTIVE_SHAPE);
    active_disassemble(&s.program, text);
    assert_string_equal(text, all[i].after);
    FIELDS_ARE(&l, (loads, all[i].loads), (hazards, all[i].hazards), (preload, all[i].loads != 0));
  }
}

TEST(small_programs) {
  struct bench b;
  open(&b, ACTIVE_SHAPE);
  const struct active_program ping = load("ping"), nop = load("nop"), get = load("memory_read"),
                              put = load("memory_write");
  const struct active_leaving *l = run(&b, &ping, false, 0, 0, 0, 0);
  assert_true(l->done && l->swapped && l->has_port && l->port == 3);
  l = run(&b, &nop, false, 1, 2, 3, 4);
  assert_true(l->done && !l->has_port && l->args.data[3] == 4 && l->consumed == 2);
  struct active_program get_moved;  // to the stage of the write
  give(&b, 2, 100, 199);
  assert_int_equal(
      active_mutate_stages(&get, ACTIVE_SHAPE, (unsigned[]){2}, 1, &get_moved, NULL, NULL),
      SLUICE_OK);
  run(&b, &put, false, 150, 77, 0, 0);
  assert_int_equal(*word(&b, 2, 150), 77);
  assert_int_equal(run(&b, &get_moved, false, 150, 0, 0, 0)->args.data[3], 77);
  assert_int_equal(run(&b, &get_moved, false, 99, 0, 0, 5)->args.data[3], 0);
  assert_int_equal(b.r.faults, 1);
  active_machine_release(&b.m);
}

TEST(the_cache_hits_and_misses) {
  struct bench b;
  open(&b, ACTIVE_SHAPE);
  static const unsigned stages[] = {2, 5, 9};
  struct active_program get = load("cache_read"), put = load("cache_write");
  for (unsigned i = 0; i < 3; i++) give(&b, stages[i], 10, 19);
  assert_int_equal(active_mutate_stages(&get, ACTIVE_SHAPE, stages, 3, &get, NULL, NULL),
                   SLUICE_OK);
  assert_int_equal(active_mutate_stages(&put, ACTIVE_SHAPE, stages, 3, &put, NULL, NULL),
                   SLUICE_OK);
  const struct active_leaving *l = run(&b, &put, false, 13, 0xaaaa, 0xbbbb, 0x12345678);
  assert_true(l->done && !l->has_port);
  assert_true(*word(&b, 2, 13) == 0xaaaa && *word(&b, 5, 13) == 0xbbbb);
  l = run(&b, &get, false, 13, 0xaaaa, 0xbbbb, 0);
  assert_true(l->has_port && l->port == 3 && l->swapped && l->args.data[3] == 0x12345678);
  static const uint32_t misses[][3] = {
      {13, 0xaaaa, 0xbbbc}, {13, 0xaaab, 0xbbbb}, {12, 0xaaaa, 0xbbbb}};
  for (unsigned i = 0; i < 3; i++) {
    l = run(&b, &get, false, misses[i][0], misses[i][1], misses[i][2], 0);
    assert_true(l->done && !l->has_port && !l->swapped && l->args.data[3] == 0);
  }
  // The same with the loads taken out.
  active_preload(&get, ACTIVE_SHAPE);
  assert_int_equal(active_mutate_set(&get, ACTIVE_SHAPE, ACTIVE_SHAPE, 1 << 2 | 1 << 5 | 1 << 9,
                                     &get, NULL, NULL),
                   SLUICE_OK);
  l = run(&b, &get, true, 13, 0xaaaa, 0xbbbb, 0);
  assert_true(l->has_port && l->args.data[3] == 0x12345678);
  active_machine_release(&b.m);
}

// Counts a key until the sketch is above the threshold; the others stay below.
static void heavy_hitters(struct bench *b, const struct active_program *p, const unsigned *at) {
  for (unsigned i = 0; i < 6; i++) give(b, at[i], 256, 511);
  *word(b, at[2], 300) = 10;  // the threshold
  for (unsigned n = 1; n <= 12; n++) {
    const struct active_leaving *l = run(b, p, false, 300, 0xcafe, 0xf00d, 0);
    assert_true(l->done && !l->dropped && b->r.faults == 0);
    run(b, p, false, 300, n, 2 * n, 0);
    assert_int_equal(*word(b, at[2], 300), n <= 10 ? 10 : n);
    assert_int_equal(*word(b, at[3], 300), n <= 10 ? 0 : 0xcafe);
    assert_int_equal(*word(b, at[5], 300), n <= 10 ? 0 : 0xf00d);
  }
  assert_int_equal(at[2], at[4]);
}

TEST(heavy_hitters_are_found) {
  struct bench b;
  struct active_program p = load("heavy_hitter");
  open(&b, ACTIVE_SHAPE_PUBLISHED);
  static const unsigned published[] = {7, 12, 15, 10, 15, 17};
  heavy_hitters(&b, &p, published);
  active_machine_release(&b.m);
  // On the chip of Sluice the threshold comes again a whole pass later: 15, and 35.
  open(&b, ACTIVE_SHAPE);
  struct active_mutation m;
  static const unsigned ours[] = {7, 12, 15, 0, 15, 17};
  const uint32_t set = 1u << 7 | 1u << 12 | 1u << 15 | 1u << 0 | 1u << 17;
  assert_int_equal(active_mutate_set(&p, ACTIVE_SHAPE_PUBLISHED, ACTIVE_SHAPE, set, &p, &m, NULL),
                   SLUICE_OK);
  assert_true(m.num == 6 && m.positions[2] == 15 && m.positions[4] == 35 && m.hashes == 0);
  heavy_hitters(&b, &p, ours);
  active_machine_release(&b.m);
}

// SYN gives cookies, packets of the flow find the port again; `p` and `q` are SYN and flow.
static unsigned balance(const struct active_program *p, const struct active_program *q,
                        const unsigned *at) {
  struct bench b;
  unsigned found = 0;
  open(&b, ACTIVE_SHAPE);
  for (unsigned i = 0; i < 4; i++) give(&b, at[i], 0, 255);
  *word(&b, at[0], 20) = 3;   // four servers
  *word(&b, at[2], 20) = 64;  // their ports
  for (unsigned i = 0; i < 4; i++) *word(&b, at[3], 64 + i) = 100 + i;
  for (unsigned flow = 0; flow < 16; flow++) {
    b.packet.source = 0x0a000000 + flow * 77;
    b.packet.sport = (uint16_t)(5000 + 13 * flow);
    const struct active_leaving *l = run(&b, p, false, 20, 0, 0, 0);
    const unsigned port = l->port;
    assert_true(l->done && l->has_port && b.r.faults == 0 && port == 100 + (flow + 1) % 4);
    const uint32_t cookie = l->args.data[3];
    l = run(&b, q, false, 0, cookie, 0, 0);
    assert_true(l->done && l->has_port);
    found += l->port == port;
  }
  active_machine_release(&b.m);
  return found;
}

TEST(flows_keep_their_server) {
  static const unsigned first[] = {4, 6, 15, 17}, moved[] = {5, 7, 16, 18};
  const struct active_program syn = load("cheetah_syn"), flow = load("cheetah_flow");
  const struct active_program syn_x = load_for("cheetah_syn_explicit", true, ACTIVE_SHAPE),
                              flow_x = load_for("cheetah_flow_explicit", true, ACTIVE_SHAPE);
  struct active_program p;
  struct active_mutation m;
  assert_int_equal(balance(&syn, &flow, first), 16);
  assert_int_equal(balance(&syn_x, &flow_x, first), 16);
  // Moved by one stage, HASH has another polynomial; the number makes it the same.
  assert_int_equal(active_mutate_stages(&syn, ACTIVE_SHAPE, moved, 4, &p, &m, NULL), SLUICE_OK);
  assert_int_equal(m.hashes, 1);
  assert_true(balance(&p, &flow, moved) < 4);
  assert_int_equal(active_mutate_stages(&syn_x, ACTIVE_SHAPE, moved, 4, &p, &m, NULL), SLUICE_OK);
  assert_int_equal(m.hashes, 0);
  assert_int_equal(balance(&p, &flow_x, moved), 16);
}

// ---- moves --------------------------------------------------------------------------------------

TEST(accesses_move_and_nothing_else_changes) {
  struct active_program out;
  struct active_mutation m;
  struct sluice_error error;
  static char text[ACTIVE_TEXT];
  struct active_source s =
      assembled("ADDR_MASK\nMEM_READ\nUJUMP,@A\nADDR_OFFSET_9\nMEM_WRITE,:A\nHASH\n", false);
  assert_int_equal(active_mutate(&s.program, ACTIVE_SHAPE, (unsigned[]){2, 6}, 2, &out, &m, &error),
                   SLUICE_OK);
  active_disassemble(&out, text);
  assert_string_equal(
      text, "ADDR_MASK_2\nNOP\nMEM_READ\nUJUMP,@L6\nADDR_OFFSET_9\nNOP\nMEM_WRITE,:L6\nHASH\n");
  assert_true(m.nops == 2 && m.hashes == 1 && m.num == 2);
  assert_int_equal(active_mutate(&s.program, ACTIVE_SHAPE, (unsigned[]){2, 4}, 2, &out, &m, &error),
                   SLUICE_ERR_RANGE);
  assert_string_equal(error.text,
                      "access 1 cannot be at position 4: the instructions before it reach to 5");
  assert_int_equal(active_mutate(&s.program, ACTIVE_SHAPE, (unsigned[]){2}, 1, &out, &m, &error),
                   SLUICE_ERR_RANGE);
  assert_int_equal(
      active_mutate(&s.program, ACTIVE_SHAPE, (unsigned[]){2, 127}, 2, &out, &m, &error),
      SLUICE_ERR_FULL);
  assert_int_equal(
      active_mutate_stages(&s.program, ACTIVE_SHAPE, (unsigned[]){2, 0}, 2, &out, &m, &error),
      SLUICE_OK);
  assert_int_equal(m.positions[1], 20);
  assert_int_equal(
      active_mutate_stages(&s.program, ACTIVE_SHAPE, (unsigned[]){2, 20}, 2, &out, &m, &error),
      SLUICE_ERR_RANGE);
  assert_int_equal(active_mutate_set(&s.program, ACTIVE_SHAPE, ACTIVE_SHAPE, 1, &out, &m, &error),
                   SLUICE_ERR_RANGE);
  assert_string_equal(error.text, "the program accesses memory in 2 stages, the allocation has 1");
  // The lowest stage need not be in the first pass.
  assert_int_equal(
      active_mutate_set(&s.program, ACTIVE_SHAPE, ACTIVE_SHAPE, 1 << 0 | 1 << 19, &out, &m, &error),
      SLUICE_OK);
  assert_true(m.positions[0] == 20 && m.positions[1] == 39);
}

// Random programs without jumps: moved, and given the moved memory, they do the same.
TEST(moved_programs_do_the_same) {
  struct sluice_rng rng;
  unsigned moved = 0;
  sluice_rng_init(&rng, seed(), "moves");
  for (unsigned n = 0; n < num_programs(2000); n++) {
    struct active_program p = {.num = 1 + (unsigned)sluice_rng_below(&rng, 12)}, q;
    unsigned stages[ACTIVE_MAX_INSTRS], from[ACTIVE_MAX_INSTRS];
    for (unsigned i = 0; i < p.num; i++) {
      unsigned o;
      do o = 13 + (unsigned)sluice_rng_below(&rng, 36);
      while (o == SLUICE_OPCODE_HASH || o == SLUICE_OPCODE_LOAD_TCP_5TUPLE);
      p.instrs[i] = (struct active_instr){0, (uint8_t)o};
    }
    // Every access to a stage of its own, of both programs.
    const unsigned num = active_accesses(&p, from);
    unsigned next = 0;
    for (unsigned i = 0; i < num; i++)
      stages[i] = next = (i ? next + from[i] - from[i - 1] : from[0]) +
                         (unsigned)sluice_rng_below(&rng, 3);
    if (num && next >= 20) continue;
    struct bench a, b;
    open(&a, ACTIVE_SHAPE);
    open(&b, ACTIVE_SHAPE);
    assert_int_equal(active_mutate_stages(&p, ACTIVE_SHAPE, stages, num, &q, NULL, NULL),
                     SLUICE_OK);
    for (unsigned i = 0; i < num; i++) {
      give(&a, from[i], 0, 7);
      give(&b, stages[i], 0, 7);
    }
    for (unsigned k = 0; k < 4; k++) {
      uint32_t d[4];
      for (unsigned i = 0; i < 4; i++) d[i] = (uint32_t)sluice_rng_below(&rng, 10);
      const struct active_leaving *x = run(&a, &p, true, d[0], d[1], d[2], d[3]);
      const struct active_leaving *y = run(&b, &q, true, d[0], d[1], d[2], d[3]);
      assert_memory_equal(&x->args, &y->args, sizeof x->args);
      assert_memory_equal(&a.r.registers, &b.r.registers, sizeof a.r.registers);
      assert_int_equal(a.r.faults, b.r.faults);
      for (unsigned i = 0; i < num; i++)
        assert_memory_equal(word(&a, from[i], 0), word(&b, stages[i], 0), 8 * 4);
    }
    moved += num != 0;
    active_machine_release(&a.m);
    active_machine_release(&b.m);
  }
  assert_true(moved > num_programs(2000) / 4);
}
