// SPDX-License-Identifier: Apache-2.0
#include "weights.h"

static const double ln_2 = 0x1.62e42fefa39efp-1;

double sluice_natural_log(double x) {
  double whole = 0.0;
  for (; x >= 1.5; x *= 0.5) whole += 1.0;
  for (; x < 0.75; x *= 2.0) whole -= 1.0;
  double z = (x - 1.0) / (x + 1.0), power = z, sum = 0.0;
  for (int n = 1; n < 31; n += 2, power *= z * z) sum += power / n;
  return whole * ln_2 + 2.0 * sum;
}

// y <= 0
static double exponential(double y) {
  double scale = 1.0, term = 1.0, sum = 1.0;
  for (; y < -ln_2; y += ln_2) scale *= 0.5;
  for (int n = 1; n < 20; n++) sum += term *= y / n;
  return scale * sum;
}

uint64_t sluice_zipf_weight(uint32_t rank, double exponent) {
  return (uint64_t)(exponential(-exponent * sluice_natural_log(rank + 1.0)) * 0x1p32) + 1;
}

uint32_t sluice_draw(struct sluice_rng *rng, const uint64_t *sums, uint32_t num) {
  uint64_t x = sluice_rng_below(rng, sums[num - 1]);
  uint32_t low = 0, high = num - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (sums[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}
