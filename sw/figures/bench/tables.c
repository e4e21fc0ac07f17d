// SPDX-License-Identifier: Apache-2.0
// What changes of tables cost, on the reference model of shape `routes`: host time, control
// packets, bytes on the control port and cycles that they take there, for 10,000 and 59,000
// addresses in the cuckoo engine and 1,000 prefixes in the ternary one: the table of
// docs/driver.md.
//   tables [MODEL]     model:routes
// clang-format off
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <sluice/sluice.h>
// clang-format on

#include "../../base/now.h"
#include "base/rng.h"
#include "tests/rig/table_rig.h"
#include "transport/filter.h"

enum { VID = 5 };
static struct sluice_error error;
static struct sluice_chip *chip;

// Bytes of control packets, on their way through the transport.
static uint64_t bytes;
static enum sluice_status count_send(void *self, const uint8_t *frame, size_t len,
                                     struct sluice_error *e) {
  bytes += len;
  return sluice_filter_ops.control_send(self, frame, len, e);
}
static void must(enum sluice_status status) {
  if (!status) return;
  fprintf(stderr, "%s\n", error.text);
  exit(3);
}

// A call, or as many calls as there are changes.
static void measure(const char *what, const struct sluice_table_change *list, unsigned num,
                    bool each, bool straight) {
  const struct sluice_table_options options = {.in_order = straight};
  struct sluice_table_report report, sum = {.atomic = false};
  struct sluice_chip_line before, after;
  const uint64_t bytes_before = bytes;
  sluice_chip_line_counts(chip, &before);
  const double start = sluice_now();
  for (unsigned n = 0; n < (each ? num : 1); n++) {
    must(sluice_chip_table_change(chip, list + n, each ? 1 : num, &options, &report, &error));
    sum.writes += report.writes;
    sum.moves += report.moves;
    sum.steps += report.steps;
  }
  const double seconds = sluice_now() - start;
  sluice_chip_line_counts(chip, &after);
  const double packets = (double)(after.sent - before.sent);
  printf("| %s | %.2f | %.2f | %.3f | %u | %.0f |\n", what, seconds, packets / num,
         (double)sum.moves / num, each ? sum.steps / num : sum.steps,
         (double)(bytes - bytes_before) / num);
  fflush(stdout);
}

static struct sluice_table_change *make(const char *table, unsigned num, uint64_t seed) {
  struct sluice_table_change *list = calloc(num, sizeof *list);
  static const unsigned shares[] = {8, 16, 16, 20, 22, 24, 24, 24, 24, 24};
  struct sluice_rng rng;
  if (!list) exit(3);
  sluice_rng_init(&rng, seed, table);
  for (unsigned n = 0; n < num; n++) {
    const bool route = strcmp(table, "route") == 0;
    const unsigned width = route ? shares[sluice_rng_below(&rng, 10)] : 32;
    const uint32_t mask = ~0u << (32 - width);
    // Numbers that do not repeat: a multiplication that can be taken back.
    const uint32_t dst = route ? (n * 0x9e3779b1u) & mask : n * 0x9e3779b1u;
    list[n] = (struct sluice_table_change){.op = route ? SLUICE_TABLE_SET : SLUICE_TABLE_ADD,
                                           .vid = VID,
                                           .table = table,
                                           .keys = {{dst, mask}},
                                           .action = "forward",
                                           .args = {n % 4, n}};
  }
  return list;
}

static void as(struct sluice_table_change *list, unsigned num, enum sluice_table_op op) {
  for (unsigned n = 0; n < num; n++) list[n].op = op;
}

int main(int argc, char **argv) {
  struct sluice_transport inner;
  struct sluice_filter w;
  must(sluice_transport_open(&inner, argc > 1 ? argv[1] : "model:routes", NULL, &error));
  sluice_filter_init(&w, &inner, NULL);
  w.ops.control_send = count_send;
  must(sluice_chip_open(&chip, &w.to, NULL, &error));
  struct sluice_chip_info info;
  sluice_chip_describe(chip, &info);
  struct sluice_image image = rig_image(info.name);
  must(sluice_chip_load(chip, &image, VID, &error));
  sluice_image_release(&image);
  struct sluice_table_change *host = make("host", 59000, 1), *route = make("route", 1000, 2);
  printf(
      "| changes | seconds | control packets a change | moves a change | steps | bytes a change |\n"
      "|---|---|---|---|---|---|\n");
  measure("10,000 addresses added, one transaction", host, 10000, false, false);
  measure("1,000 of them changed, one transaction", (as(host, 1000, SLUICE_TABLE_SET), host), 1000,
          false, false);
  measure("100 changed, one transaction each", host, 100, true, false);
  measure("1,000 changed, straight, a call each", host, 1000, true, true);
  measure("10,000 deleted, one transaction", (as(host, 10000, SLUICE_TABLE_DELETE), host), 10000,
          false, false);
  measure("10,000 added, straight, one call", (as(host, 10000, SLUICE_TABLE_ADD), host), 10000,
          false, true);
  measure("the next 49,000 (0.9 full), one transaction", host + 10000, 49000, false, false);
  measure("1,000 deleted, straight, a call each", (as(host, 1000, SLUICE_TABLE_DELETE), host), 1000,
          true, true);
  measure("1,000 added at 0.9, straight, a call each", (as(host, 1000, SLUICE_TABLE_ADD), host),
          1000, true, true);
  measure("1,000 prefixes, one transaction", route, 1000, false, false);
  measure("1,000 prefixes changed, straight, a call each", route, 1000, true, true);
  free(host);
  free(route);
  sluice_chip_close(chip);
  sluice_transport_close(&inner);
  return 0;
}
