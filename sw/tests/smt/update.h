// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

/// Random updates of one or two state words, of the kind that the state unit does, and somewhat
/// beyond it:
///
///     if (s + p.x - p.y < 7) { if (p.z == 3) s = s + p.x; else s = 0; } else ...
///     if (p.x) s += 1;  if (s == p.y) s = 1;
///
/// as text for the compiler, as a function of concrete points, and with points that are sharp: at
/// the borders of its comparisons, also where sums wrap.

enum { FIELDS = 3, MAX_NODES = 31, MAX_STEPS = 3, MAX_POINTS = 28 };
enum term_kind {
  TERM_CONST,
  TERM_FIELD,
  TERM_STATE
};  // TERM_STATE: right side of a condition only
struct term {
  enum term_kind kind;
  uint32_t value;  // the constant, or which field or word
};
enum relation { IS_EQ, IS_NE, IS_LT, IS_LE, IS_GT, IS_GE };
/// (word `state` - 1, or 0) + times[0] * x + times[1] * y + times[2] * z + plus  RELATION  right.
struct condition {
  unsigned state;
  int times[FIELDS];  // -1, 0, 1
  uint32_t plus;
  enum relation relation;
  struct term right;
};
/// New word = (its old value or 0) + a +/- b.
struct assignment {
  bool keep, sub;
  struct term a, b;
};
struct branch {
  bool leaf;
  struct condition condition;
  unsigned yes, no;
  struct assignment word[2];
};
struct update {
  unsigned words, fields, num;
  // Written one after the other, each sees what those before it made of the word; the branches say
  // the same of the old word.
  unsigned num_steps;
  struct step {
    struct condition condition;
    struct assignment word;
  } step[MAX_STEPS];
  struct branch branch[MAX_NODES];  // the first is the root
};

/// A packet, and old words that go with it.
struct packet {
  uint32_t field[FIELDS];
  unsigned num;
  uint32_t old[MAX_POINTS][2], now[MAX_POINTS][2];
  unsigned situation;  // bit i: condition i of the packet conditions holds
};

void update_draw(struct update *u, struct sluice_rng *rng);
/// The program in Domino.
void update_print(const struct update *u, char *text, size_t room);
/// The same update in other words: conditions turned around and joined by && and ||, `else if`,
/// `? :`, or a value and what is put in its place.
void update_print_as(const struct update *u, struct sluice_rng *rng, char *text, size_t room);
void update_run(const struct update *u, const uint32_t field[FIELDS], const uint32_t old[2],
                uint32_t now[2]);
bool condition_holds(const struct condition *c, const uint32_t field[FIELDS],
                     const uint32_t old[2]);
/// Whether the condition does not look at the state.
bool condition_of_packet(const struct condition *c);
/// The constants of the update, each once; how many.
unsigned update_constants(const struct update *u, uint32_t *list, unsigned room);
/// A packet with sharp old words; `kind` 0: fields that are far apart, else what the constants
/// suggest.
void packet_draw(const struct update *u, struct packet *p, unsigned kind, struct sluice_rng *rng);
/// Old words for the fields that the packet has.
void packet_points(const struct update *u, struct packet *p, struct sluice_rng *rng);
/// Whether each of two words depends on the old value of the other on some of the points.
bool update_mutual(const struct update *u, const struct packet *list, unsigned num);
