// What tb/mutants/points.awk finds in C, and what it leaves alone (sw/tests/cli/mutants.sh). No program.
#include "sample.h"

#define TWICE(X) \
  ((X) + (X))
enum { SIZE = 4, HALF = SIZE / 2 };
static const uint8_t places[4] = {1, 2, 0x20};
static unsigned seen[16];

static bool is_there(const struct sample *s, unsigned at) {
  const char *text = "a == b";  // a comment: x == y
  unsigned long count;
  if (at >= s->num || !s->rows) return false;
  if (text[0] == '0')
    count = at > 3 ? 2.5 : at - 1u;
  for (unsigned i = 0; i < count; i++)
    if (s->rows[i] != text[i] && i <= at) return true;
  return seen[at + 1] != 0;
}
