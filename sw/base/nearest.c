// SPDX-License-Identifier: Apache-2.0
#include "nearest.h"

#include <string.h>

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

bool sluice_nearer(const char *text, const char *word, const char **near, unsigned *best) {
  enum { MOST_LETTERS = 40 };
  // away[i % 3][j]: changes from the first i letters of the text to the first j of the word.
  unsigned away[3][MOST_LETTERS + 1];
  const size_t n = strlen(text), m = strlen(word);
  if (m > MOST_LETTERS || n > MOST_LETTERS) return false;
  for (size_t j = 0; j <= m; j++) away[0][j] = (unsigned)j;
  for (size_t i = 1; i <= n; i++) {
    unsigned *const row = away[i % 3];
    const unsigned *const before = away[(i - 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
      const bool same = text[i - 1] == word[j - 1];
      row[j] = least(before[j - 1] + !same, least(before[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && text[i - 1] == word[j - 2] && text[i - 2] == word[j - 1])
        row[j] = least(row[j], away[(i - 2) % 3][j - 2] + 1);
    }
  }
  const unsigned changes = away[n % 3][m];
  // Of a short word a change leaves little.
  if (changes >= *best || 2 * changes > m) return false;
  *best = changes;
  *near = word;
  return true;
}
