// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdio.h>

#include "update.h"

/// The state unit of docs/machine.md (*State accesses*, STATE_INSTR) as bit vectors without
/// quantifiers, and whether any configuration of it does an update. First by the order of numbers
/// alone (terms.h), which is quick; then exactly.
///
/// What is asked is more than the compiler can do: the packet operands P1 and P2 may be any two
/// numbers for each packet, as if earlier stages computed any function of it. So what no
/// configuration does for some packets and old words, no program of any text does. By
/// counterexample-guided synthesis:
///
///     packets = one;  loop:
///       is there a configuration, and two numbers for each of the packets, right at all of their
///       points?  no: PROVEN is there another packet for which this configuration is right with no
///       two numbers?                 yes: take it too else choose the numbers among values of the
///       packet, by the conditions of the text, and ask whether text and configuration differ for
///       any packet and old words:                              no: FOUND; yes: that is the packet
///
/// Not modelled: a second word beside a single state that remembers something about it, and packets
/// that are kept from the access by its predicate.

/// Relations are those of REL in layouts.def.
struct configuration {
  uint32_t konst[4];
  struct {
    unsigned state, packet, relation, y;  // enumerations PRED_S, PRED_P, REL, PRED_Y
  } predicate[4];
  struct {
    bool keep, sub;
    unsigned a, b;  // enumeration ARM
  } arm[4][2];
};

enum verdict { VERDICT_PROVEN, VERDICT_FOUND, VERDICT_GIVEN_UP, VERDICT_OPEN };
/// GIVEN_UP: a query took more than its steps. OPEN: a configuration is right for all packets
/// tried, but no choice of the numbers was found.
struct answer {
  enum verdict verdict;
  bool by_order;                       // PROVEN without looking at operands and constants
  bool by_operands;                    // PROVEN, and by how many values it takes
  unsigned packets, points, queries;   // of the last query; of all
  struct configuration configuration;  // FOUND, OPEN
  char operands[2000];                 // FOUND: what P1 and P2 are
};
/// What the unit is made without, to show that the answers depend on it: 0 nothing.
enum unit_break { BREAK_NONE, BREAK_KEEP, BREAK_CONSTANTS, BREAK_OPERAND, NUM_BREAKS };
/// `steps`: of z3 (its resource limit) for a query. `seed` chooses packets. `brief`: only what the
/// order of numbers says, and how many values are taken.
struct answer unit_ask(const struct update *u, uint64_t seed, unsigned steps, bool brief,
                       enum unit_break without);
void configuration_print(const struct configuration *c, unsigned words, FILE *out);
