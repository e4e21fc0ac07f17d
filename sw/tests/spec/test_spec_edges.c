// SPDX-License-Identifier: Apache-2.0
// The fast model against the machine of docs/machine.md where random cases seldom come: every table
// at the ends of its rows, capsules at the ends of their lists and packets, source routes.
#include "tests/rig/test.h"
#include "tests/rig/capsule_rig.h"
#include "base/rng.h"
#include "fuzz/references.h"
#include "spec/spec.h"

enum { ALL = 100000, DEST = 2, LONGEST = 9216, SHARDED_FID = FID + 1 };

static void assert_alike(struct fuzz_case *c) {
  struct fuzz_difference d;
  assert_false(c->nomem);
  const bool agree = fuzz_references(c, ALL, &d);
  if (!agree)
    print_message("%s, packet %llu: %s\n", c->config->name, (unsigned long long)d.packet, d.text);
  fuzz_release(c);
  assert_true(agree);
}

static void send(struct fuzz_case *c, struct control to, const struct entry *e) {
  uint8_t frame[64 + 128];
  const size_t len = control_frame(frame, to, e, e != NULL);
  fuzz_append(c, &c->control, frame, len, 0);
}

static void write_entry(struct fuzz_case *c, enum sluice_table table, unsigned index, unsigned row,
                        const struct entry *e) {
  send(c, (struct control){.op = SLUICE_CHAIN_WRITE, .table = table, .index = index, .row = row},
       e);
}

// ---- tables -------------------------------------------------------------------------------------

// A request that fills a packet of `len` bytes.
static void send_filled(struct fuzz_case *c, struct control to, size_t len) {
  uint8_t frame[LONGEST + 1] = {0};
  control_frame(frame, to, NULL, 0);
  fuzz_append(c, &c->control, frame, len, 0);
}

// An entry is written, read in a pipeline that there is and in one that there is not, and erased by
// a packet that is too long, by the longest one and by a short one.
static void ask(struct fuzz_case *c, struct sluice_rng *rng, struct control to) {
  const struct sluice_config *config = c->config;
  struct entry e;
  for (unsigned n = 0; n < sizeof e.bytes; n++) e.bytes[n] = (uint8_t)sluice_rng_next(rng);
  if (sluice_rng_below(rng, 2)) memset(&e, 0xff, sizeof e);
  if (to.table == SLUICE_TABLE_SEGMENT) {
    memset(&e, 0, sizeof e);
    SETS(&e, SEGMENT, (RANGE, 9), (BASE, 3));
  }
  to.op = SLUICE_CHAIN_WRITE;
  send(c, to, &e);
  to.op = SLUICE_CHAIN_READ;
  to.count = 1 + (unsigned)sluice_rng_below(rng, 2);
  send(c, to, NULL);
  to.copy = config->NumPipes - 1;
  send(c, to, NULL);
  to.copy = config->NumPipes;
  send(c, to, NULL);
  if (sluice_tables[to.table].ops != SLUICE_OPS_erase) return;
  to.copy = to.count = 0;
  for (size_t len = LONGEST + 1; len >= LONGEST; len--) {
    to.op = SLUICE_CHAIN_ERASE;
    send_filled(c, to, len);
    to.op = SLUICE_CHAIN_READ;
    send(c, to, NULL);
  }
  to.op = SLUICE_CHAIN_ERASE;
  send(c, to, NULL);
  to.op = SLUICE_CHAIN_READ;
  send(c, to, NULL);
}

static void ask_table(struct fuzz_case *c, struct sluice_rng *rng, enum sluice_table table,
                      unsigned stage) {
  const struct sluice_config *s = c->config;
  const unsigned sizes[] = {1,
                            s->NumModules,
                            s->Banks * s->NumModules,
                            s->MatchEntries,
                            s->MatchEntries + s->ExtraActions,
                            s->TernaryEntries,
                            s->CuckooEntries,
                            s->ArrayEntries,
                            256,
                            s->Banks * s->ActiveIds};
  const unsigned rows = s->Banks * s->NumModules;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    if (i && sizes[i] <= 1) continue;
    for (unsigned index = sizes[i] - 1; index <= sizes[i] + 1; index++)
      ask(c, rng,
          (struct control){.table = table,
                           .stage = stage,
                           .index = index,
                           .row = (unsigned)sluice_rng_below(rng, rows)});
  }
  // Rows of modules: the last one, and the first that there is not.
  for (unsigned row = rows - 1; row <= rows; row++)
    ask(c, rng, (struct control){.table = table, .stage = stage, .index = 8, .row = row});
}

static void ask_all(const struct sluice_config *config, uint64_t seed) {
  struct fuzz_case c = {.config = config, .seed = seed, .sets = 1};
  struct sluice_rng rng;
  assert_non_null(config);
  sluice_rng_init(&rng, seed, "ends");
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
    const enum sluice_scope scope = sluice_tables[t].scope;
    const bool of_stages = scope == SLUICE_SCOPE_stage || scope == SLUICE_SCOPE_state ||
                           scope == SLUICE_SCOPE_front;
    for (unsigned s = 0; s <= (of_stages ? sluice_config_stages(config) : 0); s++)
      ask_table(&c, &rng, (enum sluice_table)t, s);
  }
  // Every chip has 256 port masks, more than fit into a packet.
  for (size_t len = LONGEST; len <= LONGEST + 1; len++) {
    send_filled(&c, (struct control){.op = SLUICE_CHAIN_WRITE, .table = SLUICE_TABLE_PORT_MASK},
                len);
    send_filled(&c, (struct control){.op = SLUICE_CHAIN_READ, .table = SLUICE_TABLE_PORT_MASK},
                len);
  }
  assert_alike(&c);
}

// Of shapes with names, and of those that no name has: engines without rows behind the match
// rows, by chance.
TEST(tables_have_the_same_ends) {
  for (unsigned n = 0; n < sluice_num_configs; n++) ask_all(&sluice_configs[n], n);
  ask_all(sluice_config_find("tables.ExtraActions0"), 0);
  for (unsigned n = 0; n < 8; n++) ask_all(sluice_config_random(n), n);
}

// State of a lane is where lane, stage, row and index are, and nowhere behind them.
TEST(lanes_have_the_same_ends) {
  const struct sluice_config *c = sluice_config_find("egress");
  struct sluice_model *m = sluice_model_open(c);
  struct sluice_spec *s = sluice_spec_open(c);
  uint8_t frame[128];
  assert_true(m && s);
  for (unsigned row = 0; row < c->NumModules; row++)
    for (unsigned e = 0; e < c->EgressStages; e++) {
      struct entry segment = ENTRY_OF(SEGMENT, (RANGE, 5));
      const size_t len = control_frame(frame,
                                       (struct control){.table = SLUICE_TABLE_SEGMENT,
                                                        .stage = c->BackStages + c->FrontStages + e,
                                                        .index = row},
                                       &segment, 1);
      assert_true(sluice_model_control(m, frame, len, NULL));
      assert_true(sluice_spec_control(s, frame, len, NULL));
    }
  unsigned there = 0;
  for (unsigned row = 0; row < 2 * c->NumModules; row += c->NumModules - 1)
    for (unsigned stage = 0; stage <= c->EgressStages; stage++)
      for (unsigned lane = 0; lane <= c->NumPipes; lane++)
        for (unsigned index = 4; index < 6; index++) {
          uint32_t w[2];
          const bool is = stage < c->EgressStages && lane < c->NumPipes && row < c->NumModules &&
                          index < 5;
          assert_int_equal(sluice_model_lane_state(m, row, stage, lane, index, &w[0], &w[1]), is);
          assert_int_equal(sluice_spec_lane_state(s, row, stage, lane, index, &w[0], &w[1]), is);
          there += is;
        }
  assert_int_equal(there, 2 * c->EgressStages * c->NumPipes);
  sluice_model_close(m);
  sluice_spec_close(s);
}

// A write of state is an access to what is watched; a FILL is none.
TEST(fills_are_no_accesses) {
  const struct sluice_config *c = sluice_config_find("react");
  struct sluice_model *m = sluice_model_open(c);
  struct sluice_spec *s = sluice_spec_open(c);
  struct entry segment = {{0}}, value = {{0}};
  SET(&segment, SEGMENT, RANGE, 8);
  const struct {
    enum sluice_table table;
    unsigned status;
  } steps[] = {{SLUICE_TABLE_SEGMENT, 1}, {SLUICE_TABLE_FILL, 1}, {SLUICE_TABLE_STATE, 3}};
  assert_true(m && s && c->FlipGuard && c->Marks);
  sluice_model_flip_watch(m, 0, 0xffffu << 16);
  sluice_spec_flip_watch(s, 0, 0xffffu << 16);
  sluice_model_cut_ask(m, 1u << ROW);
  sluice_spec_cut_ask(s, 1u << ROW);
  sluice_model_cut_take(m);
  sluice_spec_cut_take(s);
  for (unsigned i = 0; i < 3; i++) {
    uint8_t frame[128];
    // Of a module that is not in the cut.
    const struct control to = {.table = steps[i].table, .index = i ? 0 : ROW + 1, .row = ROW + 1};
    const size_t len = control_frame(frame, to, i ? &value : &segment, 1);
    assert_true(sluice_model_control(m, frame, len, NULL));
    assert_true(sluice_spec_control(s, frame, len, NULL));
    assert_int_equal(sluice_model_flip_status(m), steps[i].status);
    assert_int_equal(sluice_spec_flip_status(s), steps[i].status);
  }
  sluice_model_close(m);
  sluice_spec_close(s);
}

// ---- capsules -----------------------------------------------------------------------------------

static void write_id(struct fuzz_case *c, enum sluice_table table, unsigned stage, unsigned id,
                     const struct entry *e) {
  send(c,
       (struct control){
           .op = SLUICE_CHAIN_WRITE, .table = table, .stage = stage, .index = id, .row = ROW},
       e);
}

static void add_module(struct fuzz_case *c) {
  struct entry module = {{0}}, own = {{0}};
  SETS(&module, MODULE, (VALID, 1), (ACTIVE, 1), (DEST, DEST), (VID, ROW));
  write_entry(c, SLUICE_TABLE_MODULE, ROW, 0, &module);
  SETS(&own, TENANT, (VALID, 1), (REPORT, 1), (ROW, ROW));
  const unsigned ids[] = {0, FID, SHARDED_FID, c->config->ActiveIds - 1};
  for (unsigned i = 0; i < 4; i++) write_id(c, SLUICE_TABLE_TENANT, 0, ids[i], &own);
  for (unsigned stage = 0; stage < c->config->StateStages; stage++)
    for (unsigned i = 0; i < 4; i++) {
      struct entry words =
          ENTRY_OF(REGION, (VALID, 1), (SHARDED, ids[i] == SHARDED_FID), (HIGH, 9));
      write_id(c, SLUICE_TABLE_REGION, stage, ids[i], &words);
    }
}

static void add_capsule(struct fuzz_case *c, const struct capsule *capsule) {
  uint8_t frame[512];
  const unsigned len = capsule_frame(capsule, frame);
  fuzz_append(c, &c->packets, frame, len, c->packets.num);
}

// Ids around that of the module and around the last one; every polynomial by its label; memory
// in each stage, with state or without.
static void add_ids_and_hashes(struct fuzz_case *c) {
  const unsigned last = c->config->ActiveIds;
  const unsigned ids[] = {0, 1, FID, last - 1, last, last + 1, last + FID, 65535};
  for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++)
    add_capsule(c,
                &(struct capsule){.flags = PRELOAD,
                                  .fid = ids[i],
                                  .data = {1, 77, 78, 79},
                                  .instr = {SLUICE_OPCODE_MEM_INCREMENT, SLUICE_OPCODE_MBR_STORE}});
  for (unsigned at = 0; at < c->config->BackStages; at++) {
    struct capsule k = {.flags = PRELOAD, .fid = FID, .data = {3, 77, 78, 79}, .num = at + 3};
    for (unsigned i = 0; i < at; i++) k.instr[i] = SLUICE_OPCODE_NOP;
    k.instr[at] = SLUICE_OPCODE_MEM_INCREMENT;
    k.instr[at + 1] = SLUICE_OPCODE_MBR_STORE;
    add_capsule(c, &k);
  }
  for (unsigned label = 0; label < 16; label++)
    add_capsule(
        c, &(struct capsule){
               .flags = PRELOAD,
               .fid = FID,
               .data = {5, 77 + label, 78, 79},
               .instr = {SLUICE_OPCODE_COPY_HASHDATA_MBR, with_label(SLUICE_OPCODE_HASH, label),
                         SLUICE_OPCODE_COPY_MBR_MAR, SLUICE_OPCODE_MBR_STORE}});
}

// Behind any jump an address is not known from the list; in front of it, it is.
static void add_jumps(struct fuzz_case *c) {
  const uint16_t ops[] = {SLUICE_OPCODE_CJUMP, SLUICE_OPCODE_CJUMPI, SLUICE_OPCODE_UJUMP,
                          SLUICE_OPCODE_NOP};
  for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
    for (unsigned mbr = 0; mbr < 2; mbr++)
      add_capsule(
          c, &(struct capsule){.flags = mbr ? PRELOAD : 0,
                               .fid = SHARDED_FID,
                               .data = {5, mbr, 78, 79},
                               .instr = {ops[i], SLUICE_OPCODE_MAR_LOAD,
                                         SLUICE_OPCODE_MEM_INCREMENT, SLUICE_OPCODE_MBR_STORE}});
}

// The first and the last of the masks and offsets of addresses, and what is beside them.
static void add_addresses(struct fuzz_case *c) {
  const unsigned ks[] = {0, 19}, ids[] = {FID, SHARDED_FID};
  for (unsigned i = 0; i < 2; i++) {
    struct entry address =
        ENTRY_OF(ADDRESS, (VALID, 1), (K, ks[i]), (MASK, 0xf0f0), (OFFSET, 0x1234));
    write_id(c, SLUICE_TABLE_ADDRESS, 0, ids[i], &address);
    for (unsigned op = SLUICE_OPCODE_ADDR_MASK_0 - 1; op <= SLUICE_OPCODE_ADDR_OFFSET; op++)
      add_capsule(c, &(struct capsule){.flags = PRELOAD,
                                       .fid = ids[i],
                                       .data = {0xabcd, 77, 78, 79},
                                       .instr = {(uint16_t)op, SLUICE_OPCODE_COPY_MBR_MAR,
                                                 SLUICE_OPCODE_MBR_STORE}});
  }
}

// Lists of all lengths, with and without an end, whose last instruction has to do with memory;
// packets that end anywhere behind them; their sender gets them back.
static void add_lists(struct fuzz_case *c) {
  for (unsigned num = 1; num <= 42; num++)
    for (unsigned kind = 0; kind < 4; kind++) {
      struct capsule k = {.flags = PRELOAD, .fid = FID, .data = {2, 7, 8, 9}, .num = num};
      for (unsigned i = 0; i < num; i++) k.instr[i] = SLUICE_OPCODE_NOP;
      k.instr[num - 1] = kind & 1 ? SLUICE_OPCODE_MEM_READ : SLUICE_OPCODE_EOF;
      if (num > 1) k.instr[0] = SLUICE_OPCODE_RTS;
      if (kind & 2 && num > 1) k.instr[num - 2] = SLUICE_OPCODE_MEM_INCREMENT;
      add_capsule(c, &k);
      for (unsigned len = LIST_AT + 2 * num + 10; len < LIST_AT + 2 * num + 24; len++) {
        k.len = len < 64 ? 64 : len;
        add_capsule(c, &k);
      }
    }
}

TEST(capsules_have_the_same_ends) {
  const char *const chips[] = {"capsules", "active", "s2", "leave", "capsules.StateStages5"};
  for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++) {
    struct fuzz_case c = {.config = sluice_config_find(chips[i]), .seed = i, .sets = 1};
    assert_non_null(c.config);
    add_module(&c);
    add_ids_and_hashes(&c);
    add_jumps(&c);
    add_addresses(&c);
    add_lists(&c);
    assert_alike(&c);
  }
}

// ---- source routes ------------------------------------------------------------------------------

// A byte of the payload is written over one of the destination address; the option is a source
// route at any place, that goes on or has ended, or something else.
TEST(source_routes_go_on_alike) {
  struct fuzz_case c = {.config = sluice_config_find("tiny"), .sets = 1};
  struct entry module = {{0}}, parser = {{0}}, options = {{0}};
  SETS(&module, MODULE, (VALID, 1), (DEST, DEST), (VID, ROW));
  write_entry(&c, SLUICE_TABLE_MODULE, ROW, 0, &module);
  entry_action(&parser, 0, parse_action(0, 80, B2, 0));
  write_entry(&c, SLUICE_TABLE_PARSER, ROW, 0, &parser);
  memset(&parser, 0, sizeof parser);
  entry_action(&parser, 0, parse_action(0, 34, B2, 0));
  write_entry(&c, SLUICE_TABLE_DEPARSER, ROW, 0, &parser);
  SETS(&options, DEPARSE_OPT, (L4_CHECKSUM, 1), (IP_CHECKSUM, 1));
  write_entry(&c, SLUICE_TABLE_DEPARSE_OPT, ROW, 0, &options);
  for (unsigned n = 0; n < 4000; n++) {
    struct sluice_rng rng;
    sluice_rng_init(&rng, n, "routes");
    const unsigned ihl = 5 + (unsigned)sluice_rng_below(&rng, 5), len = 110,
                   at = 38 + (unsigned)sluice_rng_below(&rng, 10);
    const uint8_t kinds[] = {131, 137, 7, 0, 1};
    uint8_t frame[110];
    data_frame(frame, len, ROW, n);
    frame[18] = (uint8_t)(0x40 | ihl);
    sluice_put16(frame + 20, len - 18);
    frame[24] = frame[25] = 0;
    frame[27] = sluice_rng_below(&rng, 2) ? 17 : 6;
    for (unsigned i = 38; i < at; i++) frame[i] = 1;
    frame[at] = kinds[sluice_rng_below(&rng, 5)];
    frame[at + 1] = (uint8_t)(3 + sluice_rng_below(&rng, 9));
    frame[at + 2] = (uint8_t)(frame[at + 1] - 2 + (int)sluice_rng_below(&rng, 5));
    sluice_put16(frame + 18 + 4 * ihl + 4, len - 18 - 4 * ihl);
    fuzz_append(&c, &c.packets, frame, len, n);
  }
  assert_alike(&c);
}
