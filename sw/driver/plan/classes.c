// SPDX-License-Identifier: Apache-2.0
// Weights of the classes in the output queues, as what their beats count.
#include <sluice/plan.h>

#include "../../base/status.h"

enum { MOST_COUNT = 16 };

// What a beat of a class counts, if one of weight 1 counted `scale`: the nearest whole number.
static unsigned count_of(unsigned weight, unsigned scale) {
  const unsigned count = (2 * scale + weight) / (2 * weight);
  return count ? count : 1;
}

// How far the shares of two classes are from their weights, at most, in 1/1,000. The largest
// number: the counts do not fit.
static unsigned apart(const unsigned *weights, unsigned num, unsigned scale) {
  unsigned worst = 0;
  for (unsigned a = 0; a < num; a++) {
    if (count_of(weights[a], scale) > MOST_COUNT) return ~0u;
    for (unsigned b = 0; b < num; b++) {
      // beats of b for one of a, over what they should be
      const unsigned got = 1000 * count_of(weights[a], scale) * weights[a] /
                           (count_of(weights[b], scale) * weights[b]);
      if (got > 1000 && got - 1000 > worst) worst = got - 1000;
    }
  }
  return worst;
}

enum sluice_status sluice_class_costs(const unsigned *weights, unsigned num, uint32_t *costs,
                                      struct sluice_error *error) {
  unsigned best = 0, worst = ~0u;
  if (num == 0 || num > SLUICE_CLASSES_MAX)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u weights of classes, legal is 1 to %d", num,
                       SLUICE_CLASSES_MAX);
  for (unsigned c = 0; c < num; c++)
    if (weights[c] < 1 || weights[c] > SLUICE_CLASS_WEIGHT_MAX)
      return sluice_fail(error, SLUICE_ERR_RANGE, "weight of class %u: %u, legal is 1 to %d", c,
                         weights[c], SLUICE_CLASS_WEIGHT_MAX);
  // Scale: what a beat of weight 1 would count.
  for (unsigned scale = 1; scale <= MOST_COUNT * SLUICE_CLASS_WEIGHT_MAX; scale++) {
    const unsigned now = apart(weights, num, scale);
    if (now < worst) worst = now, best = scale;
  }
  *costs = 0;
  for (unsigned c = 0; c < SLUICE_CLASSES_MAX; c++)
    *costs |= (uint32_t)(count_of(weights[c < num ? c : 0], best) - 1) << 4 * c;
  return SLUICE_OK;
}
