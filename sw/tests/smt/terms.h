// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <z3.h>

#include "unit.h"

// What unit.c and ranks.c share: terms of z3.

// A configuration as z3 sees it: variables, or the constants of a struct configuration.
struct unit {
  Z3_context z;
  Z3_sort word;
  Z3_ast yes, no, zero;
  unsigned words;
  enum unit_break without;
  Z3_ast konst[4];
  struct {
    Z3_ast state[2], packet[3], kind[2], invert, y[3];  // bits, lowest first
  } predicate[4];
  struct {
    Z3_ast keep, sub, a[3], b[3];
  } arm[4][2];
};
// Relations: a kind and its inverse. Inverting predicate 2 or 3 exchanges its arms, so theirs are
// not.
enum { KIND_TRUE, KIND_EQ, KIND_LT, KIND_LE };

static inline Z3_ast number(const struct unit *u, uint32_t value) {
  return Z3_mk_unsigned_int(u->z, value, u->word);
}

static inline Z3_ast pick(const struct unit *u, Z3_ast bit, Z3_ast one, Z3_ast zero) {
  if (bit == u->yes || one == zero) return one;
  return bit == u->no ? zero : Z3_mk_ite(u->z, bit, one, zero);
}

// item[number that the bits make]
static inline Z3_ast choose(const struct unit *u, const Z3_ast *bit, unsigned num_bits,
                            const Z3_ast *item) {
  if (!num_bits) return item[0];
  const unsigned half = 1u << (num_bits - 1);
  return pick(u, bit[num_bits - 1], choose(u, bit, num_bits - 1, item + half),
              choose(u, bit, num_bits - 1, item));
}

static inline Z3_ast both(const struct unit *u, Z3_ast a, Z3_ast b) {
  return Z3_mk_and(u->z, 2, (Z3_ast[]){a, b});
}
static inline Z3_ast either(const struct unit *u, Z3_ast a, Z3_ast b) {
  return Z3_mk_or(u->z, 2, (Z3_ast[]){a, b});
}

static inline Z3_ast variable(const struct unit *u, Z3_sort sort) {
  return Z3_mk_fresh_const(u->z, "v", sort);
}

// ---- generic.c: packets that stand for many -----------------------------------------------------

/// times[0] * x + times[1] * y + times[2] * z + konst, modulo 2^32.
struct form {
  int times[FIELDS];
  uint32_t konst;
};
/// A packet whose old and new words are forms of its fields, and so are those of 2^72 others, which
/// follow when each field grows by up to 2^24: no number passes another one, or goes over the end,
/// and no condition changes its answer, so their points say the same of the unit (ranks_packet).
struct generic {
  struct packet p;
  struct form old[MAX_POINTS][2], now[MAX_POINTS][2];
};
/// False: none was found.
bool generic_draw(const struct update *u, struct generic *g, struct sluice_rng *rng);

/// Values of a generic packet that a configuration takes: borders of comparisons, what arms add.
/// All are made of the two operands: each is a * P1 + b * P2 + a constant, a and b in -2..2. So of
/// three of them the sum of some small multiples, not all 0, is constant; and if the three are
/// independent, as forms of the fields, that is so for less than one in 2^24 of the 2^72 packets,
/// for each of the 8 million ways at most in which a configuration could take three. So for one
/// packet at least what is taken is made of two forms, and its points say what those of all others
/// do.
enum { MAX_USES = 60 };
struct uses {
  const struct generic *of;
  unsigned num;
  int times[MAX_USES][FIELDS];
  Z3_ast used[MAX_USES];
};

// ---- ranks.c: the unit without its numbers ------------------------------------------------------

/// What a configuration can tell of old words, by their order alone: for one packet, a comparison
/// of a word with what the packet brings holds for the words of an interval, which may go over the
/// end of the numbers; of two words, for those that it holds for with some distance c. And an arm
/// adds something to a word, or gives it a number. Which two operands and four constants that takes
/// is not asked: a configuration that does not exist here does not exist at all, and z3 says so in
/// milliseconds, since all numbers are places in lists of at most 90.
struct ranks {
  struct {
    Z3_ast mode[3], kind[2], invert;  // modes: enum mode in ranks.c
  } predicate[4];
  Z3_ast keep[4][2];
};
void ranks_start(const struct unit *u, struct ranks *r, Z3_solver solver);
/// That it is right at all points of the packet. `holds`: predicate p at point i. `uses`: of a
/// generic one, or NULL.
void ranks_packet(const struct unit *u, const struct ranks *r, Z3_solver solver,
                  const struct packet *p, struct uses *uses, Z3_ast holds[4][MAX_POINTS]);
/// That what it takes of a generic packet is made of two values.
void ranks_operands(const struct unit *u, const struct uses *uses, Z3_solver solver);
