// SPDX-License-Identifier: Apache-2.0
// A model of the array match of a lane in cycles, without the chip: how many packets a cycle it
// takes, for numbers of keys, banks and ports, with and without the key that a bank keeps
// (docs/blocks/lane.md). The keys are 16,384, dealt to the banks at random.
//
//   bench-key-banks
//
// prints the table of that page.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/weights.h"

enum {
  KEYS = 16384,
  BANKS = 32,
  WORDS = 16,
  QUEUE = 8,     // keys that wait for a bank
  RESULTS = 12,  // results of a bank that wait, or will come
  BEATS = 64,    // beats whose results are not all there
  LOOKUP = 5,    // cycles
  VOTES = 15,
  CYCLES = 200000
};

struct shape {
  unsigned words, banks, ports;
  bool keeps;
};

struct bank {
  uint32_t queue[QUEUE];
  unsigned head, waiting;
  unsigned under_way, done;    // results; of these there
  uint32_t looked_up[LOOKUP];  // by cycle modulo LOOKUP
  bool valid[LOOKUP];
  uint32_t kept;
  unsigned votes;
};

struct beat {
  unsigned num[BANKS];
  bool last;
};

static uint64_t sums[KEYS];
static unsigned bank_of[KEYS];

// A lookup of the key has ended: the vote.
static void vote(struct bank *b, uint32_t key) {
  if (b->votes && b->kept == key) b->votes += b->votes < VOTES;
  else if (b->votes > 1) b->votes--;
  else {
    b->kept = key;
    b->votes = 1;
  }
}

// Packets a cycle.
static double run(const struct shape *s, struct sluice_rng *rng) {
  static struct bank banks[BANKS];
  static struct beat beats[BEATS];
  unsigned first = 0, num_beats = 0, left = 0;
  uint32_t keys[WORDS];
  unsigned long packets = 0;
  memset(banks, 0, sizeof banks);
  for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
    const unsigned now = cycle % LOOKUP;
    for (unsigned b = 0; b < s->banks; b++) {
      struct bank *bank = &banks[b];
      if (bank->valid[now]) {
        bank->done++;
        if (s->keeps) vote(bank, bank->looked_up[now]);
      }
      bank->valid[now] = false;
    }
    // The oldest beat, if all its results are there.
    bool there = num_beats;
    for (unsigned b = 0; b < s->banks; b++) there = there && banks[b].done >= beats[first].num[b];
    if (there) {
      for (unsigned b = 0; b < s->banks; b++) {
        banks[b].done -= beats[first].num[b];
        banks[b].under_way -= beats[first].num[b];
      }
      packets += beats[first].last;
      first = (first + 1) % BEATS;
      num_beats--;
    }
    for (unsigned b = 0; b < s->banks; b++) {
      struct bank *bank = &banks[b];
      if (!bank->waiting || bank->under_way == RESULTS) continue;
      bank->looked_up[now] = bank->queue[bank->head];
      bank->valid[now] = true;
      bank->head = (bank->head + 1) % QUEUE;
      bank->waiting--;
      bank->under_way++;
    }
    // The next packet: its different keys, but for those that are kept.
    if (!left)
      for (unsigned w = 0; w < s->words; w++) {
        const uint32_t key = sluice_draw(rng, sums, KEYS);
        bool known = false;
        for (unsigned i = 0; i < left; i++) known = known || keys[i] == key;
        if (!known) keys[left++] = key;
      }
    struct beat beat = {.last = true};
    bool room = num_beats < BEATS;
    for (unsigned i = 0; i < left; i++) {
      const unsigned b = bank_of[keys[i]];
      if (banks[b].votes && banks[b].kept == keys[i]) continue;
      if (beat.num[b] < s->ports) beat.num[b]++;
      else beat.last = false;
    }
    for (unsigned b = 0; b < s->banks; b++) room = room && banks[b].waiting + beat.num[b] <= QUEUE;
    if (!room) continue;
    unsigned stay = 0, gone[BANKS] = {0};
    for (unsigned i = 0; i < left; i++) {
      struct bank *bank = &banks[bank_of[keys[i]]];
      const unsigned b = bank_of[keys[i]];
      if (bank->votes && bank->kept == keys[i]) bank->votes += bank->votes < VOTES;
      else if (gone[b] == s->ports) keys[stay++] = keys[i];
      else {
        bank->queue[(bank->head + bank->waiting++) % QUEUE] = keys[i];
        gone[b]++;
      }
    }
    left = stay;
    beats[(first + num_beats++) % BEATS] = beat;
  }
  return (double)packets / CYCLES;
}

int main(void) {
  static const struct shape shapes[] = {{8, 16, 4, false}, {8, 16, 4, true},   {8, 16, 3, true},
                                        {8, 16, 2, true},  {16, 32, 4, false}, {16, 32, 4, true}};
  static const double exponents[] = {0, 0.9, 1.1};
  puts("| keys of a packet, banks | ports a bank | kept | uniform | Zipf 0.9 | Zipf 1.1 |");
  puts("|---|---|---|---|---|---|");
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const struct shape *s = &shapes[i];
    printf("| %u, %u | %u | %s ", s->words, s->banks, s->ports, s->keeps ? "yes" : "no");
    for (unsigned z = 0; z < 3; z++) {
      uint64_t sum = 0;
      for (unsigned k = 0; k < KEYS; k++) sums[k] = sum += sluice_zipf_weight(k, exponents[z]);
      for (unsigned seed = 1; seed <= 2; seed++) {
        struct sluice_rng rng;
        sluice_rng_init(&rng, seed, "key banks");
        for (unsigned k = 0; k < KEYS; k++) bank_of[k] = (unsigned)sluice_rng_below(&rng, s->banks);
        printf("%s%.3f", seed == 1 ? "| " : ", ", run(s, &rng));
      }
      printf(" ");
    }
    printf("|\n");
  }
  return 0;
}
