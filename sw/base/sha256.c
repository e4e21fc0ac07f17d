// SPDX-License-Identifier: Apache-2.0
#include "sha256.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, as the
// standard lists them.
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

static void mix(struct sluice_sha256 *h, const uint8_t *block) {
  uint32_t w[ROUNDS], s[8];
  for (unsigned t = 0; t < 16; t++, block += 4)
    w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
  for (unsigned t = 16; t < ROUNDS; t++)
    w[t] = w[t - 16] + (turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 7] +
           (turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10);
  memcpy(s, h->state, sizeof s);
  for (unsigned t = 0; t < ROUNDS; t++) {
    const uint32_t a = s[0], e = s[4],
                   one = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                         ((e & s[5]) ^ (~e & s[6])) + constants[t] + w[t],
                   two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
                         ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += one;
    s[0] = one + two;
  }
  for (unsigned n = 0; n < 8; n++) h->state[n] += s[n];
}

void sluice_sha256_begin(struct sluice_sha256 *h) {
  *h = (struct sluice_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                        0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sluice_sha256_add(struct sluice_sha256 *h, const void *bytes, size_t len) {
  const uint8_t *at = bytes;
  size_t there = h->len % BLOCK;
  h->len += len;
  while (len) {
    const size_t here = BLOCK - there < len ? BLOCK - there : len;
    memcpy(h->block + there, at, here);
    at += here;
    len -= here;
    there += here;
    if (there < BLOCK) break;
    mix(h, h->block);
    there = 0;
  }
}

void sluice_sha256_text(struct sluice_sha256 *h, char text[SLUICE_SHA256_TEXT]) {
  static const uint8_t end[BLOCK] = {0x80};
  const uint64_t bits = h->len * 8;
  uint8_t len[8];
  for (unsigned n = 0; n < 8; n++) len[n] = (uint8_t)(bits >> (56 - 8 * n));
  // 0x80, and zeros until the length ends a block.
  sluice_sha256_add(h, end, 1 + (2 * BLOCK - 1 - sizeof len - h->len % BLOCK) % BLOCK);
  sluice_sha256_add(h, len, sizeof len);
  for (unsigned n = 0; n < 8; n++) snprintf(text + 8 * n, 9, "%08x", (unsigned)h->state[n]);
}

bool sluice_sha256_file(const char *path, char text[SLUICE_SHA256_TEXT]) {
  static uint8_t bytes[65536];
  struct sluice_sha256 h;
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  sluice_sha256_begin(&h);
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
    sluice_sha256_add(&h, bytes, got);
  const bool good = !ferror(file);
  fclose(file);
  sluice_sha256_text(&h, text);
  return good;
}
