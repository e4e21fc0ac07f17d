// SPDX-License-Identifier: Apache-2.0
// Packets and entries for sw/figures/bench/keys.sh: 64-byte frames with eight keys in bytes 20 to
// 51, one after the other at each of the ports.
//
//   bench-keys FOLDER ENTRIES PORTS WORDS ZIPF PACKETS SEED
//
// Leaves FOLDER/in.pcapng, and FOLDER/entries.csv with ENTRIES entries. Keys are drawn among those
// that have an entry, key r of them with weight 1 / (r + 1) ** ZIPF; words from WORDS on are like
// the first one, so that a packet has WORDS keys, or fewer if some of them are equal.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/bytes.h"
#include "base/rng.h"
#include "base/weights.h"
#include "lib/capture.h"

enum { FRAME = 64, FIRST = 20, NUM_WORDS = 8, VID = 5 };

static int failed(const char *what, const char *why) {
  fprintf(stderr, "bench-keys: %s: %s\n", what, why);
  return 3;
}

static int write_entries(const char *folder, const uint32_t *key, unsigned num) {
  char path[500];
  snprintf(path, sizeof path, "%s/entries.csv", folder);
  FILE *out = fopen(path, "w");
  if (!out) return failed(path, "cannot be written");
  fprintf(out, "word,action,data\n");
  for (unsigned r = 0; r < num; r++) fprintf(out, "%" PRIu32 ",becomes,%u\n", key[r], r);
  return fclose(out) ? failed(path, "cannot be written") : 0;
}

int main(int argc, char **argv) {
  if (argc != 8) return failed("usage", "FOLDER ENTRIES PORTS WORDS ZIPF PACKETS SEED");
  const char *folder = argv[1];
  const unsigned num = (unsigned)atoi(argv[2]), ports = (unsigned)atoi(argv[3]);
  const unsigned words = (unsigned)atoi(argv[4]), packets = (unsigned)atoi(argv[6]);
  uint32_t *key = calloc(num, sizeof *key);
  uint64_t *sums = calloc(num, sizeof *sums), sum = 0;
  if (!key || !sums || !num || !ports || !words || words > NUM_WORDS)
    return failed("arguments", "ENTRIES, PORTS and WORDS are numbers from 1 on, WORDS at most 8");
  struct sluice_rng rng;
  sluice_rng_init(&rng, strtoull(argv[7], NULL, 0), "keys");
  for (unsigned r = 0; r < num; r++) {
    // An odd factor: no two ranks have the same key.
    key[r] = (r + 1) * UINT32_C(2654435761);
    sums[r] = sum += sluice_zipf_weight(r, atof(argv[5]));
  }
  if (write_entries(folder, key, num)) return 3;

  char path[500];
  struct sluice_capture_writer *out;
  struct sluice_error error;
  snprintf(path, sizeof path, "%s/in.pcapng", folder);
  if (sluice_capture_create_ports(&out, path, ports, &error)) return failed(path, error.text);
  for (unsigned n = 0; n < packets; n++) {
    uint8_t frame[FRAME] = {0};
    sluice_put(frame, 6, UINT64_C(0x020000000000));
    sluice_put(frame + 6, 6, UINT64_C(0x020000001000) + n % ports);
    sluice_put(frame + 12, 2, 0x8100);
    sluice_put(frame + 14, 2, VID);
    sluice_put(frame + 16, 2, 0x1234);
    for (unsigned w = 0; w < NUM_WORDS; w++)
      if (w < words) sluice_put(frame + FIRST + 4 * w, 4, key[sluice_draw(&rng, sums, num)]);
      else memcpy(frame + FIRST + 4 * w, frame + FIRST, 4);
    sluice_put(frame + FRAME - 4, 4, n);
    sluice_capture_write_at(out, frame, FRAME, n, n % ports, NULL);
  }
  const int code = sluice_capture_finish(out, &error) ? failed(path, error.text) : 0;
  free(key);
  free(sums);
  return code;
}
