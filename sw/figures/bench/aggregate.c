// SPDX-License-Identifier: Apache-2.0
// Packets for sw/figures/bench/aggregate.sh, and what must become of them: eight workers send their
// vectors as in sw/programs/coflow/aggregate.dom, 32 slots, round after round. Rows of even rounds
// come first, then those of odd ones: so rows of a round are spread over all pipelines.
//
//   bench-aggregate make FILE FORM PORTS ROUNDS SEED     the capture; workers take the ports in
//   turn bench-aggregate check FILE FORM PORTS ROUNDS SEED    one of what left: prints "RIGHT
//   WRONG"
//
// PORTS: a set of the ports 0 to 7: 0x15 is 0, 2 and 4. RIGHT: sums of a round and slot that left
// through each of them and are the host's; WRONG: copies that are not. FORM: full, 94 bytes with 8
// words behind IP and UDP; short, 64 bytes with 8 words and nothing else; four and word, the same
// with 4 words and with one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/bytes.h"
#include "lib/capture.h"

enum { WORKERS = 8, SLOTS = 32, WORDS = 8, MAX_FRAME = 94, VID = 5, ALL_PORTS = 8 };

// Where things stand in a packet.
static const struct form {
  const char *name;
  unsigned len, round, words, num;
} forms[] = {{"full", 94, 46, 62, WORDS},
             {"short", 64, 18, 28, WORDS},
             {"four", 64, 18, 28, 4},
             {"word", 64, 18, 28, 1}};

static int failed(const char *what, const char *why) {
  fprintf(stderr, "bench-aggregate: %s: %s\n", what, why);
  return 3;
}

// Word `word` of a worker's part in a slot's round.
static uint32_t word_of(uint64_t seed, unsigned worker, unsigned round, unsigned slot,
                        unsigned word) {
  uint64_t x = seed + (((uint64_t)worker * 4096 + round) * SLOTS + slot) * WORDS + word;
  x *= UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(x >> 32);
}

// The port of a worker.
static unsigned port_of(unsigned ports, unsigned worker) {
  unsigned of[ALL_PORTS], num = 0;
  for (unsigned p = 0; p < ALL_PORTS; p++)
    if (ports >> p & 1) of[num++] = p;
  return of[worker % num];
}

static int make(const char *path, const struct form *f, unsigned ports, unsigned rounds,
                uint64_t seed) {
  struct sluice_capture_writer *out;
  struct sluice_error error;
  uint64_t number = 0;
  if (sluice_capture_create_ports(&out, path, ALL_PORTS, &error)) return failed(path, error.text);
  for (unsigned r = 1; r <= rounds; r++)
    for (unsigned n = 0; n < SLOTS; n++)
      for (unsigned w = 0; w < WORKERS; w++) {
        // Not all for the same row, or the same pipeline, at the same time.
        const unsigned s = (n + w * (SLOTS / WORKERS + 1)) % SLOTS;
        uint8_t frame[MAX_FRAME] = {2, [6] = 2, [11] = (uint8_t)w};
        sluice_put16(frame + 12, 0x8100);
        sluice_put16(frame + 14, VID);
        sluice_put16(frame + 16, 0x88b5);
        sluice_put32(frame + f->round, r);
        sluice_put16(frame + f->round + 4, s * WORKERS + w);
        sluice_put16(frame + f->round + 6, s + SLOTS * (r & 1));
        // Where the passes begin; rows of words take no notice.
        if (f->num == 4) sluice_put16(frame + f->round + 8, (s + SLOTS * (r & 1)) * 4);
        for (unsigned i = 0; i < f->num; i++)
          sluice_put32(frame + f->words + 4 * i, word_of(seed, w, r, s, i));
        sluice_capture_write_at(out, frame, f->len, number++, port_of(ports, w), NULL);
      }
  return sluice_capture_finish(out, &error) ? failed(path, error.text) : 0;
}

static bool right_words(const uint8_t *frame, const struct form *f, unsigned round, unsigned slot,
                        uint64_t seed) {
  for (unsigned i = 0; i < f->num; i++) {
    uint32_t sum = 0;
    for (unsigned w = 0; w < WORKERS; w++) sum += word_of(seed, w, round, slot, i);
    if (sluice_get32(frame + f->words + 4 * i) != sum) return false;
  }
  return true;
}

static int check(const char *path, const struct form *f, unsigned ports, unsigned rounds,
                 uint64_t seed) {
  struct sluice_capture *in;
  struct sluice_packet got;
  struct sluice_error error;
  unsigned right = 0, wrong = 0;
  uint8_t *seen = calloc((size_t)(rounds + 1) * SLOTS, 1);  // ports that had the sum
  if (!seen) return failed("memory", "none is left");
  if (sluice_capture_open(&in, path, &error)) return failed(path, error.text);
  enum sluice_status status;
  while ((status = sluice_capture_next(in, &got, &error)) == SLUICE_OK && got.bytes) {
    const bool whole = got.len == f->len;
    const unsigned r = whole ? sluice_get32(got.bytes + f->round) : 0,
                   s = whole ? sluice_get16(got.bytes + f->round + 6) % SLOTS : 0;
    const bool known = r >= 1 && r <= rounds && got.interface >= 0 && got.interface < ALL_PORTS &&
                       ports >> got.interface & 1;
    uint8_t *had = &seen[(size_t)(known ? r : 0) * SLOTS + s];
    if (!known || *had >> got.interface & 1 || !right_words(got.bytes, f, r, s, seed)) {
      wrong++;
      continue;
    }
    *had |= (uint8_t)(1u << got.interface);
    right += *had == ports;
  }
  sluice_capture_close(in);
  free(seen);
  if (status) return failed(path, error.text);
  printf("%u %u\n", right, wrong);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 7) return failed("usage", "make|check FILE full|short|four|word PORTS ROUNDS SEED");
  const unsigned ports = (unsigned)strtoul(argv[4], NULL, 0), rounds = (unsigned)atoi(argv[5]);
  const struct form *form = NULL;
  for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strcmp(argv[3], forms[i].name) == 0) form = &forms[i];
  if (!form || ports < 1 || ports >> ALL_PORTS || rounds < 1 || rounds > 4095)
    return failed("arguments", "a form, a set of the ports 0 to 7, 1 to 4095 rounds");
  const uint64_t seed = strtoull(argv[6], NULL, 0);
  return strcmp(argv[1], "make") == 0 ? make(argv[2], form, ports, rounds, seed)
                                      : check(argv[2], form, ports, rounds, seed);
}
