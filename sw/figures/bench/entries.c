// SPDX-License-Identifier: Apache-2.0
// What writing entries costs, beside figure 9 of Menshen, which varies how many are written: 16 to
// 192 entries that are there are written over, in one call, on a line that loses 0, 1, 10
// or 50 % of the control packets and of the answers. At the end the chip is compared over a sound
// line.
//   entries [CHIP]     model:tables
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

enum { VID = 5, MOST = 192, TIMES = 5 };
static struct sluice_error error;
static struct sluice_rng rng;
static const struct sluice_table_options how = {.in_order = true};
static double lost;  // share of what goes over the line

static bool over_the_line(void *user, enum sluice_filter_call call, uint64_t cycles) {
  (void)user, (void)cycles;
  return (call != SLUICE_FILTER_SEND && call != SLUICE_FILTER_RECEIVE) ||
         sluice_rng_unit(&rng) >= lost;
}

static void must(enum sluice_status status) {
  if (!status) return;
  fprintf(stderr, "%s\n", error.text);
  exit(3);
}

static void measure(struct sluice_chip *chip, struct sluice_table_change *list, unsigned num,
                    double share) {
  struct sluice_chip_line before, after;
  unsigned wanted = 0, told = 0;
  double seconds = 0, packets = 0;
  for (unsigned time = 0; time < TIMES; time++) {
    for (unsigned n = 0; n < num; n++) list[n].args[1] = sluice_rng_below(&rng, 1 << 30);
    sluice_chip_line_counts(chip, &before);
    lost = share;
    const double start = sluice_now();
    const enum sluice_status status = sluice_chip_table_change(chip, list, num, &how, NULL, &error);
    seconds += sluice_now() - start;
    lost = 0;
    sluice_chip_line_counts(chip, &after);
    packets += (double)(after.sent - before.sent);
    // Whatever was said is true: over a sound line the chip is what the driver takes it for.
    must(sluice_chip_audit(chip, &error));
    if (status) told++;
    else wanted++;
  }
  printf("| %.0f %% | %u | %.1f | %.2f | %u of %d%s |\n", share * 100, num,
         seconds / TIMES / num * 1e6, packets / TIMES / num, wanted, TIMES,
         told ? "; the others were told" : "");
  fflush(stdout);
}

int main(int argc, char **argv) {
  static const double shares[] = {0, 0.01, 0.1, 0.5};
  static const unsigned nums[] = {16, 64, MOST};
  struct sluice_transport inner;
  struct sluice_chip *chip;
  struct sluice_chip_info info;
  struct sluice_table_change *list = calloc(MOST, sizeof *list);
  if (!list) return 3;
  sluice_rng_init(&rng, 1, "entries");
  must(sluice_transport_open(&inner, argc > 1 ? argv[1] : "model:tables", NULL, &error));
  struct sluice_filter w;
  sluice_filter_init(&w, &inner, NULL);
  w.before = over_the_line;
  must(sluice_chip_open(&chip, &w.to, NULL, &error));
  sluice_chip_describe(chip, &info);
  struct sluice_image image = rig_image(info.name);
  must(sluice_chip_load(chip, &image, VID, &error));
  sluice_image_release(&image);
  for (unsigned n = 0; n < MOST; n++)
    list[n] = (struct sluice_table_change){.op = SLUICE_TABLE_SET,
                                           .vid = VID,
                                           .table = "host",
                                           .keys = {{n * 0x9e3779b1u, ~0u}},
                                           .action = "forward",
                                           .args = {n % 4, n}};
  must(sluice_chip_table_change(chip, list, MOST, &how, NULL, &error));
  printf("| lost | entries | microseconds an entry | control packets an entry | as wanted |\n"
         "|---|---|---|---|---|\n");
  for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
    for (size_t n = 0; n < sizeof nums / sizeof *nums; n++) measure(chip, list, nums[n], shares[s]);
  free(list);
  sluice_chip_close(chip);
  sluice_transport_close(&inner);
  return 0;
}
