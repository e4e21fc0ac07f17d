// SPDX-License-Identifier: Apache-2.0
// Capsules by the driver, on the reference model as a chip: the flag of a module, ids, regions,
// addresses, refusals, a bad line. cmocka.h needs those before it.

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "base/layouts.h"
#include "tests/rig/chip_rig.h"
#include "driver/chip/chip.h"
#include "tests/rig/line.h"

enum { VID = 5, FID = 7, LEN = 100, IDS = 16 };

struct rig {
  struct sluice_transport model;
  struct bad_line line;
  struct sluice_transport bad;
  struct sluice_chip *chip;
};

static void open_rig(struct rig *r, const char *name, bool bad) {
  memset(r, 0, sizeof *r);
  GOOD(sluice_transport_model(&r->model, name, NULL, &error));
  r->line = (struct bad_line){.inner = &r->model, .lose = 0.05, .twice = 0.05, .swap = 0.05};
  sluice_rng_init(&r->line.rng, 5, "line");
  if (bad) r->bad = bad_transport(&r->line);
  GOOD(sluice_chip_open(&r->chip, bad ? &r->bad : &r->model, NULL, &error));
  struct sluice_image *image CLOSED_BY(close_image) = counter("count", 3, name);
  assert_non_null(image);
  GOOD(sluice_chip_load(r->chip, image, VID, &error));
}
static void close_rig(struct rig *r) {
  sluice_chip_close(r->chip);
  sluice_transport_close(&r->model);
}

static void make_active(struct rig *r, bool on) {
  struct sluice_plan *plan CLOSED_BY(close_plan);
  GOOD(sluice_plan_copy(&plan, sluice_chip_plan(r->chip), &error));
  GOOD(sluice_plan_active(plan, VID, on, &error));
  GOOD(sluice_chip_apply(r->chip, plan, &error));
}

// MEM_READ at the first stage, MBR_STORE: DATA_3 of what leaves; 0 when it is no capsule to the
// chip.
static uint32_t read_word(struct rig *r, uint32_t address) {
  static struct sluice_packet_out out;
  uint8_t b[LEN] = {[12] = 0x81, [15] = VID, [16] = 0x83, [17] = 0xb2, 0x12, 0x34,      0x56,
                    0x78,        0,          1,           0,           FID,  [45] = 41, [47] = 16};
  sluice_put32(b + 28, address);
  through(&r->model, 0, b, sizeof b, &out);
  assert_true(out.len == LEN || out.len == LEN - 6);
  return sluice_get32(out.bytes + 40);
}

// What is set is there, and is what a packet finds: the array of the module, seen by a capsule.
static void set_and_get(bool bad) {
  struct rig r CLOSED_BY(close_rig);
  open_rig(&r, "capsules", bad);
  struct sluice_chip_info info;
  sluice_chip_describe(r.chip, &info);
  assert_int_equal(info.active_ids, IDS);
  const struct sluice_segment *s = &sluice_chip_plan(r.chip)->segments[0];
  const struct sluice_active_tenant id = {.valid = true, .report = true},
                                    other = {.valid = true, .drop = true};
  struct sluice_active_region words = {.valid = true,
                                       .sharded = !s->pinned,
                                       .pipe = s->pipe,
                                       .low = 60,
                                       .high = 60,
                                       .base = s->base};
  const struct sluice_active_address address = {
      .valid = true, .k = 3, .mask = 0xff, .offset = 0x12345};
  struct sluice_active_tenant t, all[IDS];
  struct sluice_active_region w;
  struct sluice_active_address a;
  assert_int_equal(s->stage, 0);
  GOOD(sluice_chip_tenant_set(r.chip, VID, 0, FID, &id, &error));
  GOOD(sluice_chip_tenant_set(r.chip, VID, 1, FID, &other, &error));
  GOOD(sluice_chip_region_set(r.chip, VID, 0, FID, 0, &words, &error));
  GOOD(sluice_chip_address_set(r.chip, VID, 1, FID, 7, &address, &error));
  GOOD(sluice_chip_tenant_get(r.chip, 0, FID, &t, &error));
  assert_true(t.valid && t.report && !t.drop && t.row == VID);
  GOOD(sluice_chip_tenant_get(r.chip, 1, FID, &t, &error));
  assert_true(t.valid && !t.report && t.drop && t.row == VID);
  GOOD(sluice_chip_tenant_get(r.chip, 1, FID + 1, &t, &error));
  assert_false(t.valid);
  GOOD(sluice_chip_tenants_get(r.chip, 0, 0, IDS, all, &error));
  for (unsigned i = 0; i < IDS; i++) {
    GOOD(sluice_chip_tenant_get(r.chip, 0, i, &t, &error));
    assert_true(t.valid == all[i].valid && t.report == all[i].report && t.row == all[i].row);
    assert_int_equal(all[i].valid, i == FID);
  }
  SAYS(SLUICE_ERR_RANGE, "has ids 0 to", sluice_chip_tenants_get(r.chip, 0, 1, IDS, all, &error));
  GOOD(sluice_chip_region_get(r.chip, 0, FID, 0, &w, &error));
  assert_true(w.valid && w.sharded == words.sharded && w.low == 60 && w.high == 60 &&
              w.base == words.base && w.pipe == words.pipe);
  GOOD(sluice_chip_address_get(r.chip, 1, FID, 7, &a, &error));
  assert_true(a.valid && a.k == 3 && a.mask == 0xff && a.offset == 0x12345);
  assert_int_equal(read_word(&r, 60), 0);
  make_active(&r, true);
  assert_int_equal(read_word(&r, 60), 4);  // the packet before counted
  // A change of modules and an audit leave them alone.
  GOOD(sluice_chip_audit(r.chip, &error));
  make_active(&r, false);
  assert_int_equal(read_word(&r, 60), 0);
  make_active(&r, true);
  GOOD(sluice_chip_region_get(r.chip, 0, FID, 0, &w, &error));
  assert_true(w.valid);
  assert_int_equal(read_word(&r, 60), 5);
}

TEST(entries_are_set) { set_and_get(false); }
TEST(also_on_a_bad_line) { set_and_get(true); }

TEST(another_program_keeps_the_flag) {
  struct rig r CLOSED_BY(close_rig);
  open_rig(&r, "capsules", false);
  make_active(&r, true);
  struct sluice_image *image CLOSED_BY(close_image) = counter("other", 9, "capsules");
  GOOD(sluice_chip_replace(r.chip, image, VID, &error));
  const struct sluice_write *w =
      sluice_plan_entry(sluice_chip_plan(r.chip), SLUICE_TABLE_MODULE, 0, VID);
  assert_true(w && SLUICE_GET(w->bytes, MODULE, ACTIVE));
  GOOD(sluice_chip_update(r.chip, image, VID, NULL, &error));
  w = sluice_plan_entry(sluice_chip_plan(r.chip), SLUICE_TABLE_MODULE, 0, VID);
  assert_true(w && SLUICE_GET(w->bytes, MODULE, ACTIVE));
  GOOD(sluice_chip_remove(r.chip, VID, &error));
  GOOD(sluice_chip_load(r.chip, image, VID, &error));
  w = sluice_plan_entry(sluice_chip_plan(r.chip), SLUICE_TABLE_MODULE, 0, VID);
  assert_false(w && SLUICE_GET(w->bytes, MODULE, ACTIVE));
}

TEST(what_is_refused) {
  struct rig r CLOSED_BY(close_rig);
  const struct sluice_active_tenant id = {.valid = true};
  struct sluice_active_region words = {.valid = true};
  struct sluice_active_address address = {.valid = true};
  open_rig(&r, "capsules", false);
  SAYS(SLUICE_ERR_RANGE, "ids 0 to 15", sluice_chip_tenant_set(r.chip, VID, 0, 16, &id, &error));
  SAYS(SLUICE_ERR_RANGE, "banks 0 and 1", sluice_chip_tenant_set(r.chip, VID, 2, 0, &id, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 6",
       sluice_chip_tenant_set(r.chip, VID + 1, 0, 0, &id, &error));
  SAYS(SLUICE_ERR_RANGE, "0 to 7", sluice_chip_region_set(r.chip, VID, 0, 0, 8, &words, &error));
  words.high = 1 << 20;
  SAYS(SLUICE_ERR_RANGE, "20 bits", sluice_chip_region_set(r.chip, VID, 0, 0, 0, &words, &error));
  words = (struct sluice_active_region){.base = 65536};
  SAYS(SLUICE_ERR_RANGE, "16 bits", sluice_chip_region_set(r.chip, VID, 0, 0, 0, &words, &error));
  words = (struct sluice_active_region){.pipe = 2};
  SAYS(SLUICE_ERR_RANGE, "pipeline 2",
       sluice_chip_region_set(r.chip, VID, 0, 0, 0, &words, &error));
  address.k = 32;
  SAYS(SLUICE_ERR_RANGE, "k 0x20", sluice_chip_address_set(r.chip, VID, 0, 0, 0, &address, &error));
  // An image brings none of these, and no flag.
  uint8_t e[SLUICE_ENTRY_BYTES] = {0};
  struct sluice_plan *plan CLOSED_BY(close_plan);
  GOOD(sluice_plan_copy(&plan, sluice_chip_plan(r.chip), &error));
  SAYS(SLUICE_ERR_RANGE, "TENANT",
       sluice_plan_entry_set(plan, VID, SLUICE_TABLE_TENANT, 0, 0, e, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 9", sluice_plan_active(plan, 9, true, &error));
  SLUICE_SET(e, MODULE, ACTIVE, 1);
  GOOD(sluice_plan_entry_set(plan, VID, SLUICE_TABLE_MODULE, 0, 0, e, &error));
  const struct sluice_write *w = sluice_plan_entry(plan, SLUICE_TABLE_MODULE, 0, VID);
  assert_false(SLUICE_GET(w->bytes, MODULE, ACTIVE));
  sluice_plan_close(plan);
  close_rig(&r);

  open_rig(&r, "banks", false);
  SAYS(SLUICE_ERR_UNSUPPORTED, "chip 'banks' executes no capsules",
       sluice_chip_tenant_set(r.chip, VID, 0, 0, &id, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "it has no REGION",
       sluice_chip_region_set(r.chip, VID, 0, 0, 0, &words, &error));
  GOOD(sluice_plan_copy(&plan, sluice_chip_plan(r.chip), &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "executes no capsules", sluice_plan_active(plan, VID, true, &error));
  GOOD(sluice_plan_active(plan, VID, false, &error));
}

TEST(as_text) {
  struct sluice_frame frame;
  struct sluice_reconfig p;
  char text[200];
  uint8_t e[SLUICE_ENTRY_BYTES] = {0};
  SLUICE_SETS(e, REGION, (VALID, 1), (HIGH, 99), (BASE, 200));
  sluice_reconfig_begin(&frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_REGION, 2, 7);
  SLUICE_RECONFIG_SET(&frame, ROW, 5);
  assert_true(sluice_reconfig_append(&frame, SLUICE_TABLE_REGION, e));
  GOOD(sluice_reconfig_finish(&frame));
  GOOD(sluice_reconfig_decode(&p, frame.bytes, frame.len, &error));
  sluice_reconfig_describe(&p, text, sizeof text);
  assert_string_equal(text, "write REGION stage 2 row 5 index 7");
  sluice_entry_describe(p.table, sluice_reconfig_entry(&p, 0), text, sizeof text);
  assert_string_equal(text, "VALID 1, HIGH 0x63, BASE 0xc8");
}
