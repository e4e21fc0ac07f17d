// SPDX-License-Identifier: Apache-2.0
// The image of sw/tests/rig/table_rig.h as a file, or on a chip whose tables change while packets
// come.
//
//   table_client image FILE [2]           2: another version, in which drop of route writes 0x4444
//   table_client traffic WHERE CHANGES    prints packets, of them left, changes, moves, flips
//   table_client cost WHERE               cycles of a change on a chip without packets
//
// What packets find is compared by the monitors of the simulator, which also know which entries may
// move; here it is counted that all of them leave.
// clang-format off
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <sluice/sluice.h>
// clang-format on

#include "base/rng.h"
#include "tests/rig/table_rig.h"
#include "transport/filter.h"

enum { VIDS = 2, FIRST_VID = 5 };

struct traffic {
  struct sluice_filter line;
  struct sluice_rng rng;
  bool on;
  unsigned long sent, left;
};

static unsigned below(struct traffic *t, unsigned n) {
  return (unsigned)sluice_rng_below(&t->rng, n);
}
static uint32_t address(struct traffic *t) {
  return 0x0a000000u | below(t, 3) << 16 | below(t, 2) << 8 | below(t, 40);
}

static void take(struct traffic *t) {
  static struct sluice_packet_out out;
  struct sluice_error e;
  while (!t->line.inner->ops->packet_receive(t->line.inner->self, &out, &e) && out.len) t->left++;
}

static bool before(void *user, enum sluice_filter_call call, uint64_t cycles) {
  struct traffic *t = user;
  struct sluice_error e;
  uint8_t bytes[RIG_FRAME];
  (void)cycles;
  if (!t->on || (call != SLUICE_FILTER_SEND && call != SLUICE_FILTER_WAIT)) return true;
  for (unsigned n = 0; n < 4; n++) {
    rig_frame(bytes, FIRST_VID + below(t, VIDS), address(t), below(t, 2) ? 80 : 443);
    t->sent +=
        !t->line.inner->ops->packet_send(t->line.inner->self, below(t, 4), bytes, sizeof bytes, &e);
  }
  take(t);
  return true;
}

static int failed(const struct sluice_error *error) {
  fprintf(stderr, "%s\n", error->text);
  return 1;
}

static struct sluice_table_change pick(struct traffic *t) {
  static const char *const tables[] = {"acl", "host", "route"};
  static const unsigned widths[] = {0, 8, 16, 24, 30, 32};
  const unsigned n = below(t, RIG_TABLES), width = n == RIG_HOST ? 32 : widths[below(t, 6)];
  const uint32_t mask = width ? ~0u << (32 - width) : 0;
  return (struct sluice_table_change){.op = below(t, 3) ? SLUICE_TABLE_SET : SLUICE_TABLE_DELETE,
                                      .vid = FIRST_VID + below(t, VIDS),
                                      .table = tables[n],
                                      .keys = {{address(t) & mask, mask}, {0, 0}},
                                      .priority = n == RIG_ACL ? below(t, 4) : 0,
                                      .action = below(t, 4) ? "forward" : "drop",
                                      .args = {below(t, 4), 1000 + below(t, 1000)}};
}

static int traffic(const char *where, unsigned changes) {
  static struct traffic t;
  struct sluice_transport inner;
  struct sluice_error error;
  struct sluice_chip *chip;
  unsigned done = 0, moves = 0, flips = 0;
  sluice_rng_init(&t.rng, 7, "client");
  if (sluice_transport_open(&inner, where, NULL, &error)) return failed(&error);
  sluice_filter_init(&t.line, &inner, &t);
  t.line.before = before;
  if (sluice_chip_open(&chip, &t.line.to, NULL, &error)) return failed(&error);
  struct sluice_image image = rig_image("react");
  for (unsigned v = 0; v < VIDS; v++)
    if (sluice_chip_load(chip, &image, FIRST_VID + v, &error)) return failed(&error);
  sluice_image_release(&image);
  t.on = true;
  for (unsigned n = 0; n < changes; n++) {
    struct sluice_table_change list[4];
    struct sluice_table_report report;
    const unsigned num = n % 4 == 0 ? 4 : 1;
    for (unsigned i = 0; i < num; i++) list[i] = pick(&t);
    const enum sluice_status status =
        sluice_chip_table_change(chip, list, num, NULL, &report, &error);
    if (status && status != SLUICE_ERR_EXISTS && status != SLUICE_ERR_NOT_FOUND &&
        status != SLUICE_ERR_RANGE && status != SLUICE_ERR_FULL)
      return failed(&error);
    if (status) continue;
    done++;
    moves += report.moves;
    flips += report.flipped;
  }
  t.on = false;
  for (unsigned n = 0; n < 200 && t.left < t.sent; n++) {
    if (inner.ops->wait(inner.self, 1000, &error)) return failed(&error);
    take(&t);
  }
  if (sluice_chip_audit(chip, &error)) return failed(&error);
  printf("%lu packets, %lu left, %u changes, %u moves, %u flips\n", t.sent, t.left, done, moves,
         flips);
  sluice_chip_close(chip);
  sluice_transport_close(&inner);
  return t.left == t.sent ? 0 : 1;
}

// Mean cycles of `num` calls with `each` additions.
static int cost_of(struct sluice_chip *chip, const char *what, unsigned num, unsigned each,
                   bool straight, uint32_t first) {
  struct sluice_table_change list[64];
  const struct sluice_table_options options = {.in_order = straight};
  struct sluice_error error;
  uint32_t addr, start, now;
  if (sluice_chip_register(chip, "CHIP", 0, "CYCLES", 0, &addr, &error) ||
      sluice_chip_read(chip, addr, &start, &error))
    return failed(&error);
  for (unsigned n = 0; n < num; n++) {
    for (unsigned i = 0; i < each; i++)
      list[i] = (struct sluice_table_change){.vid = FIRST_VID,
                                             .table = "host",
                                             .keys = {{first + n * each + i, ~0u}},
                                             .action = "forward",
                                             .args = {1, n}};
    if (sluice_chip_table_change(chip, list, each, &options, NULL, &error)) return failed(&error);
  }
  if (sluice_chip_read(chip, addr, &now, &error)) return failed(&error);
  printf("%s: %u cycles an entry\n", what, (now - start) / (num * each));
  return 0;
}

static int cost(const char *where) {
  struct sluice_transport to;
  struct sluice_error error;
  struct sluice_chip *chip;
  if (sluice_transport_open(&to, where, NULL, &error)) return failed(&error);
  if (sluice_chip_open(&chip, &to, NULL, &error)) return failed(&error);
  struct sluice_image image = rig_image("react");
  if (sluice_chip_load(chip, &image, FIRST_VID, &error)) return failed(&error);
  sluice_image_release(&image);
  const int bad = cost_of(chip, "one, with a flip", 20, 1, false, 1000) ||
                  cost_of(chip, "one, straight", 20, 1, true, 2000) ||
                  cost_of(chip, "60, with one flip", 1, 60, false, 3000) ||
                  cost_of(chip, "60, straight", 1, 60, true, 4000);
  sluice_chip_close(chip);
  sluice_transport_close(&to);
  return bad;
}

int main(int argc, char **argv) {
  struct sluice_error error;
  if (argc == 3 && strcmp(argv[1], "cost") == 0) return cost(argv[2]);
  if (argc == 4 && strcmp(argv[1], "traffic") == 0)
    return traffic(argv[2], (unsigned)atoi(argv[3]));
  if (argc < 3 || strcmp(argv[1], "image") != 0) return 2;
  struct sluice_image image CLOSED_BY(sluice_image_release) = rig_image("react");
  for (size_t i = 0; argc > 3 && i < image.num_writes; i++) {
    struct sluice_write *w = &image.writes[i];
    if (w->table == SLUICE_TABLE_ACTION && w->stage == RIG_ROUTE && w->index == 1)
      rig_slot(w, 10 + RIG_ROUTE, SLUICE_OP_SET << 21 | 0x4444);
  }
  const enum sluice_status status = sluice_image_save(&image, argv[2], &error);
  return status ? failed(&error) : 0;
}
