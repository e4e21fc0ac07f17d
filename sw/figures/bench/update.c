// SPDX-License-Identifier: Apache-2.0
// Figure 10 of Menshen (NSDI'22): three programs whose packets come 5 : 3 : 2, one of which is
// replaced. Once with Menshen's procedure, once through the second bank.
//   update WHERE PROCEDURE VERSION-1 VERSION-2 OTHER
// WHERE is a chip (docs/driver.md), PROCEDURE `replace` or `update`, the others are images. The
// programs write the cycle of arrival into the packet (STAMP_AT). Prints two lines that begin with
// #, then a line for each BIN cycles: the cycle, counted from the start of the change, and the
// packets of the modules 1 to 3 that came then and left the chip.
#include <sluice/sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/bytes.h"
#include "../../transport/filter.h"

// The mixture repeats after ten packets of each port: on a chip with two ports a lane, 80 cycles.
enum { MODULES = 3, LEN = 200, STAMP_AT = 46, BIN = 160, AROUND = 2000, MAX_BINS = 1 << 16 };

static struct sluice_error error;
#define NEED(CALL)         \
  do {                     \
    if (CALL) fail(#CALL); \
  } while (0)

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, error.text);
  exit(1);
}

// A transport that puts packets into the ports before each call of another one, more than the lanes
// can take in the time of the call. So the lanes are never idle while the library works.
struct feeder {
  struct sluice_filter line;
  unsigned ports;
  bool on;
  unsigned long in[MODULES], out[MODULES], sent;
  unsigned long bin[MAX_BINS][MODULES];
};
static bool feed_ahead(void *user, enum sluice_filter_call call, uint64_t cycles);
static struct feeder feeder;

static void take_all(struct feeder *f) {
  static struct sluice_packet_out out;
  for (;;) {
    NEED(f->line.inner->ops->packet_receive(f->line.inner->self, &out, &error));
    if (!out.len) return;
    const unsigned module = out.bytes[15] - 1u;
    const unsigned char *stamp = out.bytes + STAMP_AT;
    const unsigned long cycle = sluice_get32(stamp);
    if (module >= MODULES || cycle / BIN >= MAX_BINS) {
      fprintf(stderr, "a packet of module %u, cycle %lu\n", module + 1, cycle);
      exit(1);
    }
    f->out[module]++;
    f->bin[cycle / BIN][module]++;
  }
}

static void feed(struct feeder *f, unsigned num) {
  static const unsigned char who[10] = {0, 1, 0, 2, 0, 1, 0, 2, 0, 1};
  unsigned char bytes[LEN];
  for (unsigned n = 0; f->on && n < num; n++) {
    const unsigned long id = f->sent++;
    // A round of all ports is of one module, so every lane sees the same mixture.
    const unsigned module = who[id / f->ports % sizeof who];
    for (unsigned i = 0; i < LEN; i++) bytes[i] = (unsigned char)(i * 7 + id);
    bytes[12] = 0x81, bytes[13] = 0, bytes[14] = 0, bytes[15] = (unsigned char)(module + 1);
    bytes[16] = 0x08, bytes[17] = 0, bytes[18] = 0x45, bytes[27] = 17, bytes[40] = 0x12,
    bytes[41] = 0x34;
    NEED(f->line.inner->ops->packet_send(f->line.inner->self, (unsigned)(id % f->ports), bytes, LEN,
                                         &error));
    f->in[module]++;
  }
  take_all(f);
}

// Packets ahead of an operation: one takes some ten cycles, a packet takes a lane four. Of a wait
// as many as it has cycles, up to 64.
enum { A_CALL = 16 };
static bool feed_ahead(void *user, enum sluice_filter_call call, uint64_t cycles) {
  if (call == SLUICE_FILTER_WAIT) feed(user, (unsigned)(cycles < 64 ? cycles : 64));
  else if (call <= SLUICE_FILTER_RECEIVE) feed(user, A_CALL);
  return true;
}

static uint32_t cycle_of(struct sluice_chip *chip) {
  uint32_t addr, cycle;
  NEED(sluice_chip_register(chip, "CHIP", 0, "CYCLES", 0, &addr, &error));
  NEED(sluice_chip_read(chip, addr, &cycle, &error));
  return cycle;
}

static void pass(struct sluice_chip *chip, uint32_t cycles) {
  for (const uint32_t start = cycle_of(chip); cycle_of(chip) - start < cycles;)
    feed(&feeder, A_CALL);
}

int main(int argc, char **argv) {
  if (argc != 6 || (strcmp(argv[2], "replace") != 0 && strcmp(argv[2], "update") != 0)) {
    fprintf(stderr, "usage: update WHERE replace|update VERSION-1 VERSION-2 OTHER\n");
    return 2;
  }
  const bool update = strcmp(argv[2], "update") == 0;
  const struct sluice_chip_options options = {.drain_cycles = 4000};
  struct sluice_transport inner;
  struct sluice_chip *chip;
  struct sluice_chip_info info;
  struct sluice_image *images[3];
  struct sluice_chip_line line;
  for (int i = 0; i < 3; i++) NEED(sluice_image_open(&images[i], argv[3 + i], NULL, &error));
  NEED(sluice_transport_open(&inner, argv[1], NULL, &error));
  sluice_filter_init(&feeder.line, &inner, &feeder);
  feeder.line.before = feed_ahead;
  NEED(sluice_chip_open(&chip, &feeder.line.to, &options, &error));
  sluice_chip_describe(chip, &info);
  feeder.ports = info.ports;
  NEED(sluice_chip_load(chip, images[0], 1, &error));
  for (unsigned vid = 2; vid <= MODULES; vid++)
    NEED(sluice_chip_load(chip, images[2], vid, &error));
  sluice_chip_line_counts(chip, &line);
  const unsigned long before = line.sent;

  feeder.on = true;
  pass(chip, 2 * AROUND);
  const uint32_t start = cycle_of(chip);
  if (update) NEED(sluice_chip_update(chip, images[1], 1, NULL, &error));
  else NEED(sluice_chip_replace(chip, images[1], 1, &error));
  const uint32_t end = cycle_of(chip);
  sluice_chip_line_counts(chip, &line);
  pass(chip, 2 * AROUND);
  const uint32_t last = cycle_of(chip);
  feeder.on = false;
  for (int n = 0; n < 100; n++) {
    NEED(inner.ops->wait(inner.self, 100, &error));
    take_all(&feeder);
  }

  printf("# %s on %s: %u cycles, %lu control packets\n# lost:",
         update ? "two banks" : "Menshen's procedure", info.name, end - start, line.sent - before);
  for (unsigned m = 0; m < MODULES; m++)
    printf(" module %u %lu of %lu%s", m + 1, feeder.in[m] - feeder.out[m], feeder.in[m],
           m + 1 < MODULES ? "," : "\n");
  // Whole bins, from AROUND before the change to AROUND behind it: by then the lanes had been
  // filled.
  for (uint32_t bin = (start - AROUND) / BIN + 1;
       bin < (end + AROUND < last ? end + AROUND : last) / BIN; bin++)
    printf("%ld\t%lu\t%lu\t%lu\n", (long)bin * BIN - (long)start, feeder.bin[bin][0],
           feeder.bin[bin][1], feeder.bin[bin][2]);
  sluice_chip_close(chip);
  sluice_transport_close(&inner);
  for (int i = 0; i < 3; i++) sluice_image_close(images[i]);
  return 0;
}
