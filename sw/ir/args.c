// SPDX-License-Identifier: Apache-2.0
// Where the parameters of an action stand in the four data words of an entry.
//
//     forward(int port, int mac : 48)     port: word 0; mac: 16 bits of word 1, and word 2
//
// Each has words of its own as long as they last: then it is an operand as it is. If there are too
// few, those of more than 32 bits come first, and the others fill what is left of the words.
#include <string.h>

#include "ir.h"

static unsigned upper(const struct table_arg *a) {
  return a->width > 32 ? a->width - 32 : a->width;
}

static bool apart(struct table_arg *arg, unsigned num) {
  unsigned word = 0;
  for (unsigned i = 0; i < num; i++) {
    arg[i].word = word;
    arg[i].lsb = 0;
    word += arg[i].width > 32 ? 2 : 1;
  }
  return word <= DATA_WORDS;
}

static bool packed(struct table_arg *arg, unsigned num) {
  unsigned used[DATA_WORDS] = {0}, word = 0;
  for (unsigned i = 0; i < num; i++) {
    if (arg[i].width <= 32) continue;
    if (word + 2 > DATA_WORDS) return false;
    arg[i].word = word;
    arg[i].lsb = 0;
    used[word] = upper(&arg[i]);
    used[word + 1] = 32;
    word += 2;
  }
  for (unsigned i = 0; i < num; i++) {
    if (arg[i].width > 32) continue;
    unsigned w = 0;
    while (w < DATA_WORDS && used[w] + arg[i].width > 32) w++;
    if (w == DATA_WORDS) return false;
    arg[i].word = w;
    arg[i].lsb = used[w];
    used[w] += arg[i].width;
  }
  // The last one of a shared word goes to its top, where a shift alone takes it out.
  for (unsigned i = 0; i < num; i++) {
    const unsigned w = arg[i].word;
    if (arg[i].lsb && arg[i].lsb + arg[i].width == used[w]) {
      arg[i].lsb = 32 - arg[i].width;
      used[w] = 0;
    }
  }
  return true;
}

bool table_place_args(struct table_arg *arg, unsigned num) {
  return apart(arg, num) || packed(arg, num);
}

uint32_t table_word(const struct table_action *a, const uint64_t *arg, unsigned word) {
  uint32_t value = 0;
  for (unsigned i = 0; i < a->num_args; i++) {
    const struct table_arg *x = &a->arg[i];
    if (x->width > 32 && x->word == word) value |= (uint32_t)(arg[i] >> 32);
    else if (x->word == word) value |= (uint32_t)arg[i] << x->lsb;
    else if (x->width > 32 && x->word + 1 == word) value |= (uint32_t)arg[i];
  }
  return value;
}
