// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "terms.h"

enum mode { OF_PACKET, OF_FIRST, OF_SECOND, FIRST_TO_SECOND, SECOND_TO_FIRST, NUM_MODES };
enum { RANK_BITS = 7, MAX_RANKS = 3 * MAX_POINTS };

// Numbers in unsigned order, each once.
struct order {
  unsigned num;
  uint32_t value[MAX_RANKS];
};

static int by_value(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void sort(struct order *o) {
  unsigned kept = 0;
  qsort(o->value, o->num, sizeof *o->value, by_value);
  for (unsigned i = 0; i < o->num; i++)
    if (!kept || o->value[kept - 1] != o->value[i]) o->value[kept++] = o->value[i];
  o->num = kept;
}

static unsigned rank(const struct order *o, uint32_t value) {
  unsigned i = 0;
  while (o->value[i] != value) i++;
  return i;
}

static Z3_sort rank_sort(const struct unit *u) { return Z3_mk_bv_sort(u->z, RANK_BITS); }
static Z3_ast place(const struct unit *u, unsigned n) {
  return Z3_mk_unsigned_int(u->z, n, rank_sort(u));
}
static Z3_ast at_most(const struct unit *u, Z3_ast a, unsigned n) {
  return Z3_mk_bvule(u->z, a, place(u, n));
}

// The place is in from..to-1, over the end if to < from; empty if they are one.
static Z3_ast within(const struct unit *u, Z3_ast at, unsigned from, unsigned to) {
  if (from == to) return u->no;
  const Z3_ast high = Z3_mk_bvuge(u->z, at, place(u, from)),
               low = Z3_mk_bvult(u->z, at, place(u, to));
  return from < to ? both(u, high, low) : either(u, high, low);
}

void ranks_start(const struct unit *u, struct ranks *r, Z3_solver solver) {
  const Z3_sort boolean = Z3_mk_bool_sort(u->z);
  for (unsigned p = 0; p < 4; p++) {
    for (unsigned i = 0; i < 3; i++)
      r->predicate[p].mode[i] = i && u->words == 1 ? u->no : variable(u, boolean);
    for (unsigned i = 0; i < 2; i++)
      r->predicate[p].kind[i] = u->words == 1 ? u->no : variable(u, boolean);
    r->predicate[p].invert = variable(u, boolean);
    // Modes 5 to 7 are none.
    const Z3_ast *mode = r->predicate[p].mode;
    Z3_solver_assert(u->z, solver, Z3_mk_not(u->z, both(u, mode[2], either(u, mode[0], mode[1]))));
  }
  for (unsigned a = 0; a < 4; a++)
    for (unsigned w = 0; w < u->words; w++)
      r->keep[a][w] = u->without == BREAK_KEEP ? u->no : variable(u, boolean);
}

static Z3_ast mode_is(const struct unit *u, const Z3_ast mode[3], unsigned is) {
  Z3_ast bit[3];
  for (unsigned i = 0; i < 3; i++) bit[i] = is >> i & 1 ? mode[i] : Z3_mk_not(u->z, mode[i]);
  return Z3_mk_and(u->z, 3, bit);
}

// `if_so` takes a value with these shares of the fields, but for its sign and what is constant.
static void use(const struct unit *u, struct uses *uses, Z3_solver solver, Z3_ast if_so,
                const struct form *x) {
  unsigned i, first = 0;
  int sign[FIELDS];
  while (first < FIELDS && !x->times[first]) first++;
  if (first == FIELDS) return;
  for (unsigned f = 0; f < FIELDS; f++) sign[f] = x->times[first] < 0 ? -x->times[f] : x->times[f];
  for (i = 0; i < uses->num; i++)
    if (memcmp(uses->times[i], sign, sizeof sign) == 0) break;
  if (i == MAX_USES) return;
  if (i == uses->num) {
    uses->num++;
    memcpy(uses->times[i], sign, sizeof sign);
    uses->used[i] = variable(u, Z3_mk_bool_sort(u->z));
  }
  Z3_solver_assert(u->z, solver, Z3_mk_implies(u->z, if_so, uses->used[i]));
}

// Whether word `w` is in an interval, by point.
static void intervals(const struct unit *u, const struct packet *p, unsigned w, struct uses *uses,
                      Z3_ast used_if, Z3_solver solver, Z3_ast *holds) {
  struct order o = {.num = p->num};
  const Z3_ast from = variable(u, rank_sort(u)), to = variable(u, rank_sort(u)),
               over = variable(u, Z3_mk_bool_sort(u->z));
  for (unsigned i = 0; i < p->num; i++) o.value[i] = p->old[i][w];
  sort(&o);
  // A border between two old words that follow each other is the second of them.
  for (unsigned i = 0; uses && i < p->num; i++) {
    const unsigned at = rank(&o, p->old[i][w]);
    if (!at || o.value[at - 1] + 1 != o.value[at]) continue;
    const Z3_ast here =
        either(u, Z3_mk_eq(u->z, from, place(u, at)), Z3_mk_eq(u->z, to, place(u, at)));
    use(u, uses, solver, both(u, used_if, here), &uses->of->old[i][w]);
  }
  for (unsigned i = 0; i < p->num; i++) {
    const unsigned at = rank(&o, p->old[i][w]);
    holds[i] = Z3_mk_xor(u->z, over, Z3_mk_xor(u->z, at_most(u, from, at), at_most(u, to, at)));
  }
}

// Whether x + c is equal to, less than, at most y, with x word `w`, y the other, and some c: what
// it is decides between borders alone, y - x and the number behind it, and where x + c wraps.
static void distances(const struct unit *u, const struct packet *p, unsigned w,
                      const Z3_ast kind[2], Z3_ast invert, struct uses *uses, Z3_ast used_if,
                      Z3_solver solver, Z3_ast *holds) {
  struct order o = {0};
  const Z3_ast c = variable(u, rank_sort(u));
  for (unsigned i = 0; i < p->num; i++) {
    const uint32_t x = p->old[i][w], y = p->old[i][1 - w];
    o.value[o.num++] = y - x;
    o.value[o.num++] = y - x + 1;
    o.value[o.num++] = 0x80000000u - x;
  }
  sort(&o);
  for (unsigned i = 0; i < p->num; i++) {
    const uint32_t x = p->old[i][w], y = p->old[i][1 - w];
    const unsigned equal = rank(&o, y - x);
    const Z3_ast is_equal = within(u, c, equal, (equal + 1) % o.num),
                 is_less = within(u, c, rank(&o, 0x80000000u - x), equal);
    const Z3_ast all[4] = {is_equal, is_less, either(u, is_equal, is_less), is_less};
    holds[i] = Z3_mk_xor(u->z, invert, choose(u, kind, 2, all));
  }
  Z3_solver_assert(u->z, solver, at_most(u, c, o.num - 1));
  for (unsigned i = 0; uses && i < p->num; i++) {
    const uint32_t x = p->old[i][w], y = p->old[i][1 - w];
    struct form part = uses->of->old[i][1 - w];
    for (unsigned f = 0; f < FIELDS; f++) part.times[f] -= uses->of->old[i][w].times[f];
    use(u, uses, solver, both(u, used_if, Z3_mk_eq(u->z, c, place(u, rank(&o, y - x)))), &part);
  }
}

// A number for each point that its new word, or what is added to it, must be: places among those of
// all points.
static void classes(const struct packet *p, unsigned w, unsigned value[MAX_POINTS],
                    unsigned added[MAX_POINTS]) {
  struct order v = {.num = p->num}, d = {.num = p->num};
  for (unsigned i = 0; i < p->num; i++)
    v.value[i] = p->now[i][w], d.value[i] = p->now[i][w] - p->old[i][w];
  sort(&v);
  sort(&d);
  for (unsigned i = 0; i < p->num; i++)
    value[i] = rank(&v, p->now[i][w]), added[i] = rank(&d, p->now[i][w] - p->old[i][w]);
}

void ranks_packet(const struct unit *u, const struct ranks *r, Z3_solver solver,
                  const struct packet *p, struct uses *uses, Z3_ast holds[4][MAX_POINTS]) {
  const Z3_sort boolean = Z3_mk_bool_sort(u->z);
  for (unsigned n = 0; n < 4; n++) {
    Z3_ast by[NUM_MODES][MAX_POINTS];
    const Z3_ast fixed = variable(u, boolean);
    intervals(u, p, 0, uses, mode_is(u, r->predicate[n].mode, OF_FIRST), solver, by[OF_FIRST]);
    if (u->words == 2) {
      intervals(u, p, 1, uses, mode_is(u, r->predicate[n].mode, OF_SECOND), solver, by[OF_SECOND]);
      distances(u, p, 0, r->predicate[n].kind, r->predicate[n].invert, uses,
                mode_is(u, r->predicate[n].mode, FIRST_TO_SECOND), solver, by[FIRST_TO_SECOND]);
      distances(u, p, 1, r->predicate[n].kind, r->predicate[n].invert, uses,
                mode_is(u, r->predicate[n].mode, SECOND_TO_FIRST), solver, by[SECOND_TO_FIRST]);
    }
    for (unsigned i = 0; i < p->num; i++) {
      Z3_ast all[8];
      for (unsigned m = 0; m < 8; m++)
        all[m] = m == OF_PACKET || m >= NUM_MODES || (u->words == 1 && m > OF_FIRST) ? fixed
                                                                                     : by[m][i];
      holds[n][i] = choose(u, r->predicate[n].mode, 3, all);
    }
  }
  Z3_ast good[4][MAX_POINTS];
  for (unsigned a = 0; a < 4; a++)
    for (unsigned w = 0; w < u->words; w++) {
      unsigned value[MAX_POINTS], added[MAX_POINTS];
      const Z3_ast class = variable(u, rank_sort(u));
      classes(p, w, value, added);
      for (unsigned i = 0; i < p->num; i++) {
        const Z3_ast is =
            Z3_mk_eq(u->z, class, pick(u, r->keep[a][w], place(u, added[i]), place(u, value[i])));
        good[a][i] = w ? both(u, good[a][i], is) : is;
      }
    }
  for (unsigned i = 0; i < p->num; i++) {
    const bool same = p->now[i][0] == p->old[i][0] &&
                      (u->words == 1 || p->now[i][1] == p->old[i][1]);
    const Z3_ast last =
        pick(u, holds[3][i], pick(u, holds[2][i], good[2][i], good[3][i]), same ? u->yes : u->no);
    Z3_solver_assert(u->z, solver,
                     pick(u, holds[0][i], pick(u, holds[1][i], good[0][i], good[1][i]), last));
  }
  // What an arm adds, or the number that it gives, where it is taken.
  for (unsigned i = 0; uses && i < p->num; i++) {
    const Z3_ast taken[4] = {
        both(u, holds[0][i], holds[1][i]), both(u, holds[0][i], Z3_mk_not(u->z, holds[1][i])),
        both(u, Z3_mk_not(u->z, holds[0][i]), both(u, holds[3][i], holds[2][i])),
        both(u, Z3_mk_not(u->z, holds[0][i]), both(u, holds[3][i], Z3_mk_not(u->z, holds[2][i])))};
    for (unsigned a = 0; a < 4; a++)
      for (unsigned w = 0; w < u->words; w++) {
        struct form added = uses->of->now[i][w];
        for (unsigned f = 0; f < FIELDS; f++) added.times[f] -= uses->of->old[i][w].times[f];
        use(u, uses, solver, both(u, taken[a], r->keep[a][w]), &added);
        use(u, uses, solver, both(u, taken[a], Z3_mk_not(u->z, r->keep[a][w])),
            &uses->of->now[i][w]);
      }
  }
}

static bool independent(const int *x, const int *y) {
  for (unsigned i = 0; i < FIELDS; i++)
    for (unsigned j = 0; j < i; j++)
      if (x[i] * y[j] != x[j] * y[i]) return true;
  return false;
}

// Three values of which none is made of the other two take three operands.
void ranks_operands(const struct unit *u, const struct uses *uses, Z3_solver solver) {
  for (unsigned i = 0; i < uses->num; i++)
    for (unsigned j = 0; j < i; j++) {
      const int *x = uses->times[i], *y = uses->times[j];
      if (u->without == BREAK_OPERAND && independent(x, y))
        Z3_solver_assert(u->z, solver, Z3_mk_not(u->z, both(u, uses->used[i], uses->used[j])));
      for (unsigned k = 0; k < j; k++) {
        const int *z = uses->times[k];
        if (!(x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) +
              x[2] * (y[0] * z[1] - y[1] * z[0])))
          continue;
        const Z3_ast all =
            Z3_mk_and(u->z, 3, (Z3_ast[]){uses->used[i], uses->used[j], uses->used[k]});
        Z3_solver_assert(u->z, solver, Z3_mk_not(u->z, all));
      }
    }
}
