// SPDX-License-Identifier: Apache-2.0
#include "nearest.h"

#include <string.h>

bool sluice_nearer(const char *text, const char *word, const char **near, unsigned *best) {
  enum { MOST_LETTERS = 40 };
  unsigned row[MOST_LETTERS + 1];
  const size_t n = strlen(text), m = strlen(word);
  if (m > MOST_LETTERS || n > MOST_LETTERS) return false;
  for (size_t j = 0; j <= m; j++) row[j] = (unsigned)j;
  for (size_t i = 1; i <= n; i++) {
    unsigned corner = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
      const unsigned changed = corner + (text[i - 1] != word[j - 1]);
      corner = row[j];
      const unsigned more = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = changed < more ? changed : more;
    }
  }
  // Of a short word a change leaves little.
  if (row[m] >= *best || 2 * row[m] > m) return false;
  *best = row[m];
  *near = word;
  return true;
}
