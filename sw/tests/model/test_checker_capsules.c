// SPDX-License-Identifier: Apache-2.0
// The checker and capsules: a chip made of paper whose packets count in a region, and leave shorter
// than they came.
#include "tests/rig/test.h"
#include "tests/rig/capsule_rig.h"
#include "model/checker.h"

enum { NUM = 6, LEN = 100, GONE = 8, BASE = 20, SLOT = BASE + 3, OUT_OF_REGION = 4 };

// What the chip does wrong, if anything.
struct wrong {
  unsigned packet, at;
  bool len, list, byte, no_op, place, counts, twice;
};

static void send_control(struct sluice_checker *ck, enum sluice_table table, unsigned stage,
                         unsigned index, unsigned row, const struct entry *e) {
  uint8_t frame[400];
  const struct control c = {.table = table, .stage = stage, .index = index, .row = row};
  assert_true(sluice_checker_control(ck, 0, frame, control_frame(frame, c, e, 1), NULL));
}

static void configure(struct sluice_checker *ck) {
  struct entry module = {{0}}, id = {{0}}, where = {{0}}, segment = {{0}}, access = {{0}};
  SETS(&module, MODULE, (VALID, 1), (ACTIVE, 1), (DEST, 2), (VID, ROW));
  send_control(ck, SLUICE_TABLE_MODULE, 0, ROW, 0, &module);
  SETS(&id, TENANT, (VALID, 1), (REPORT, 1), (ROW, ROW));
  send_control(ck, SLUICE_TABLE_TENANT, 0, FID, ROW, &id);
  SETS(&where, REGION, (VALID, 1), (PIPE, 1), (HIGH, 9), (BASE, BASE));
  send_control(ck, SLUICE_TABLE_REGION, 0, FID, ROW, &where);
  SETS(&segment, SEGMENT, (BASE, BASE), (RANGE, 10));
  send_control(ck, SLUICE_TABLE_SEGMENT, 0, ROW, 0, &segment);
  SETS(&access, ACCESS, (PINNED, 1), (PIPE, 1));
  send_control(ck, SLUICE_TABLE_ACCESS, 0, ROW, 0, &access);
}

static void beats(struct sluice_checker *ck, bool in, uint64_t cycle, unsigned number,
                  const uint8_t *bytes, unsigned len) {
  for (unsigned at = 0; at < len; at += 64) {
    const unsigned here = len - at < 64 ? len - at : 64;
    const uint64_t keep = here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1;
    uint8_t data[64] = {0};
    memcpy(data, bytes + at, here);
    if (in)
      sluice_checker_rx(ck, cycle + at / 64, 0, data, keep, at + here == len, false, 0, number);
    else sluice_checker_tx(ck, cycle + at / 64, 0, data, keep, at + here == len, 1, number);
  }
}

// Packet OUT_OF_REGION names a word that its region does not have.
static void leave(uint8_t *bytes, unsigned number, unsigned count) {
  memmove(bytes + LIST_AT, bytes + LIST_AT + GONE, LEN - LIST_AT - GONE);
  bytes[22] |= 1;
  if (number == OUT_OF_REGION) bytes[23] |= 0x80;
  sluice_put32(bytes + 28 + 12, number == OUT_OF_REGION ? 77 : count);
}

static void one_packet(struct sluice_checker *ck, unsigned i, unsigned *count,
                       const struct wrong *w) {
  const bool outside = i == OUT_OF_REGION, wrong = w && w->packet == i;
  struct capsule c = {
      .flags = PRELOAD,
      .fid = FID,
      .len = LEN,
      .data = {outside ? 10 : 3, 77, 0, 5},
      .instr = {SLUICE_OPCODE_MEM_INCREMENT, SLUICE_OPCODE_MBR_STORE, SLUICE_OPCODE_RETURN}};
  uint8_t bytes[512];
  const uint64_t cycle = 10 + 100 * i;
  capsule_frame(&c, bytes);
  beats(ck, true, cycle, i, bytes, LEN);
  sluice_checker_lane(ck, cycle + 3, 0, SLUICE_DROP_NONE);
  sluice_checker_order(ck, cycle + 20, 0, SLUICE_DROP_NONE, i);
  sluice_checker_cycle(ck, cycle + 20);
  const bool refused = outside && !(wrong && w->counts);
  if (!outside) ++*count;
  for (unsigned n = wrong && w->no_op ? 1 : 0; n < (wrong && w->twice ? 2u : 1u); n++)
    sluice_checker_state(ck, cycle + 30, 0, 1, wrong && w->place ? SLOT + 1 : SLOT, i, refused);
  leave(bytes, i, *count);
  sluice_checker_exit(ck, cycle + 60, 0, SLUICE_DROP_NONE, i, 2, 0);
  if (wrong && w->byte) bytes[w->at] ^= 1;
  if (wrong && w->list) capsule_frame(&c, bytes);
  beats(ck, false, cycle + 70, i, bytes, wrong && w->len ? LEN : LEN - GONE);
}

static struct sluice_report run_chip(const struct wrong *w) {
  struct sluice_checker *ck CLOSED_BY(close_checker) =
      sluice_checker_open(sluice_config_find("capsules"), NULL);
  struct sluice_report report;
  unsigned count = 0;
  assert_non_null(ck);
  configure(ck);
  sluice_checker_ready(ck, 0);
  for (unsigned i = 0; i < NUM; i++) one_packet(ck, i, &count, w);
  sluice_checker_state_entry(ck, ROW, 0, 3, count, 0);
  sluice_checker_finish(ck);
  sluice_checker_report(ck, &report);
  return report;
}

TEST(faultless_chip_passes) {
  const struct sluice_report r = run_chip(NULL);
  if (r.differences) fail_msg("%s", r.first.text);
  FIELDS_ARE(&r, (state_ops, NUM), (refused_ops, 1), (copies, NUM),
             (copy_bytes, NUM * (LEN - GONE)), (state_entries, 1));
}

static void caught(struct wrong w, const char *field) {
  const struct sluice_report r = run_chip(&w);
  if (!r.differences) fail_msg("not caught: %s", field);
  if (!strstr(r.first.field, field)) fail_msg("wanted '%s': %s", field, r.first.text);
}

TEST(mutants_are_caught) {
  caught((struct wrong){.packet = 2, .len = true}, "length");
  caught((struct wrong){.packet = 2, .list = true}, "byte");
  caught((struct wrong){.packet = 3, .byte = true, .at = 22}, "byte 22");
  caught((struct wrong){.packet = 3, .byte = true, .at = 43}, "byte 43");
  caught((struct wrong){.packet = 3, .byte = true, .at = 44}, "byte 44");
  caught((struct wrong){.packet = 3, .byte = true, .at = 91}, "byte 91");
  caught((struct wrong){.packet = OUT_OF_REGION, .byte = true, .at = 23}, "byte 23");
  caught((struct wrong){.packet = 1, .no_op = true}, "state operation at stage 0");
  caught((struct wrong){.packet = 1, .twice = true}, "state operation at stage 0");
  caught((struct wrong){.packet = 1, .place = true}, "state operation at stage 0");
  caught((struct wrong){.packet = OUT_OF_REGION, .counts = true}, "state operation at stage 0");
  caught((struct wrong){.packet = OUT_OF_REGION, .no_op = true}, "state operation at stage 0");
}
