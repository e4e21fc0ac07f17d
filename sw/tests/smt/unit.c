// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/layouts.h"
#include "terms.h"

enum { MAX_PACKETS = 160, MAX_ROUNDS = 60, MAX_CANDIDATES = 260, FIRST_PACKETS = 60 };
enum { FAR_PACKETS = 8, ALONE = 20, TOGETHER = 48 };

// ---- the unit as terms --------------------------------------------------------------------------

static void start(struct unit *u, Z3_context z, unsigned words, enum unit_break without) {
  *u = (struct unit){.z = z,
                     .word = Z3_mk_bv_sort(z, 32),
                     .yes = Z3_mk_true(z),
                     .no = Z3_mk_false(z),
                     .words = words,
                     .without = without};
  u->zero = number(u, 0);
}

static void bits_of(const struct unit *u, Z3_ast *bit, unsigned num, unsigned value) {
  for (unsigned i = 0; i < num; i++) bit[i] = value >> i & 1 ? u->yes : u->no;
}

static void make_free(struct unit *u) {
  const Z3_sort boolean = Z3_mk_bool_sort(u->z);
  for (unsigned k = 0; k < 4; k++)
    u->konst[k] = u->without == BREAK_CONSTANTS && k ? u->konst[0] : variable(u, u->word);
  for (unsigned p = 0; p < 4; p++) {
    for (unsigned i = 0; i < 2; i++)
      u->predicate[p].state[i] = i && u->words == 1 ? u->no : variable(u, boolean);
    for (unsigned i = 0; i < 3; i++) u->predicate[p].packet[i] = variable(u, boolean);
    for (unsigned i = 0; i < 2; i++) u->predicate[p].kind[i] = variable(u, boolean);
    for (unsigned i = 0; i < 3; i++) u->predicate[p].y[i] = variable(u, boolean);
    u->predicate[p].invert = p == 0 || p == 3 ? variable(u, boolean) : u->no;
  }
  for (unsigned a = 0; a < 4; a++)
    for (unsigned w = 0; w < u->words; w++) {
      u->arm[a][w].keep = u->without == BREAK_KEEP ? u->no : variable(u, boolean);
      u->arm[a][w].sub = variable(u, boolean);
      for (unsigned i = 0; i < 3; i++)
        u->arm[a][w].a[i] = variable(u, boolean), u->arm[a][w].b[i] = variable(u, boolean);
    }
}

static void make_fixed(struct unit *u, const struct configuration *c) {
  static const unsigned kind[] = {
      [SLUICE_REL_EQ] = KIND_EQ,     [SLUICE_REL_NE] = KIND_EQ,     [SLUICE_REL_LT] = KIND_LT,
      [SLUICE_REL_LE] = KIND_LE,     [SLUICE_REL_GT] = KIND_LE,     [SLUICE_REL_GE] = KIND_LT,
      [SLUICE_REL_TRUE] = KIND_TRUE, [SLUICE_REL_FALSE] = KIND_TRUE};
  for (unsigned k = 0; k < 4; k++) u->konst[k] = number(u, c->konst[k]);
  for (unsigned p = 0; p < 4; p++) {
    const unsigned r = c->predicate[p].relation;
    bits_of(u, u->predicate[p].state, 2, c->predicate[p].state);
    bits_of(u, u->predicate[p].packet, 3, c->predicate[p].packet);
    bits_of(u, u->predicate[p].kind, 2, kind[r]);
    bits_of(u, u->predicate[p].y, 3, c->predicate[p].y);
    u->predicate[p].invert = r == SLUICE_REL_NE || r == SLUICE_REL_GT || r == SLUICE_REL_GE ||
                                     r == SLUICE_REL_FALSE
                                 ? u->yes
                                 : u->no;
  }
  for (unsigned a = 0; a < 4; a++)
    for (unsigned w = 0; w < u->words; w++) {
      u->arm[a][w].keep = c->arm[a][w].keep ? u->yes : u->no;
      u->arm[a][w].sub = c->arm[a][w].sub ? u->yes : u->no;
      bits_of(u, u->arm[a][w].a, 3, c->arm[a][w].a);
      bits_of(u, u->arm[a][w].b, 3, c->arm[a][w].b);
    }
}

// What of the unit depends on the packet alone.
struct halves {
  Z3_ast p[2], part[4], y[4], term[4][2];
};
static void packet_half(const struct unit *u, struct halves *h) {
  const Z3_ast x = h->p[0], y = h->p[1];
  const Z3_ast part[8] = {u->zero,
                          x,
                          y,
                          Z3_mk_bvneg(u->z, x),
                          Z3_mk_bvneg(u->z, y),
                          Z3_mk_bvsub(u->z, x, y),
                          Z3_mk_bvsub(u->z, y, x),
                          u->zero};
  const Z3_ast arm[8] = {u->konst[0], u->konst[1], u->konst[2], u->konst[3],
                         x,           y,           u->zero,     u->zero};
  for (unsigned p = 0; p < 4; p++) {
    h->part[p] = choose(u, u->predicate[p].packet, 3, part);
    h->y[p] = choose(u, u->predicate[p].y, 2, arm);  // K0..K3; the others: below
  }
  for (unsigned a = 0; a < 4; a++)
    for (unsigned w = 0; w < u->words; w++) {
      const Z3_ast first = choose(u, u->arm[a][w].a, 3, arm),
                   second = choose(u, u->arm[a][w].b, 3, arm);
      h->term[a][w] =
          Z3_mk_bvadd(u->z, first, pick(u, u->arm[a][w].sub, Z3_mk_bvneg(u->z, second), second));
    }
}

static Z3_ast predicate(const struct unit *u, const struct halves *h, unsigned p,
                        const Z3_ast old[2]) {
  const Z3_ast state[4] = {u->zero, old[0], old[1], u->zero},
               right[4] = {h->p[0], h->p[1], old[0], old[1]};
  const Z3_ast x = Z3_mk_bvadd(u->z, choose(u, u->predicate[p].state, 2, state), h->part[p]);
  const Z3_ast y = pick(u, u->predicate[p].y[2], choose(u, u->predicate[p].y, 2, right), h->y[p]);
  const Z3_ast equal = Z3_mk_eq(u->z, x, y), less = Z3_mk_bvslt(u->z, x, y);
  const Z3_ast kind[4] = {u->yes, equal, less, either(u, equal, less)};
  const Z3_ast holds = choose(u, u->predicate[p].kind, 2, kind);
  return u->predicate[p].invert == u->no ? holds : Z3_mk_xor(u->z, u->predicate[p].invert, holds);
}

// The new words are `now` if the predicates hold as `p` says.
static Z3_ast right_if(const struct unit *u, const struct halves *h, const Z3_ast p[4],
                       const Z3_ast old[2], const Z3_ast now[2]) {
  Z3_ast good[4], same = u->yes;
  for (unsigned w = 0; w < u->words; w++) same = both(u, same, Z3_mk_eq(u->z, old[w], now[w]));
  for (unsigned a = 0; a < 4; a++) {
    good[a] = u->yes;
    for (unsigned w = 0; w < u->words; w++) {
      const Z3_ast wanted = pick(u, u->arm[a][w].keep, Z3_mk_bvsub(u->z, now[w], old[w]), now[w]);
      good[a] = both(u, good[a], Z3_mk_eq(u->z, h->term[a][w], wanted));
    }
  }
  return pick(u, p[0], pick(u, p[1], good[0], good[1]),
              pick(u, p[3], pick(u, p[2], good[2], good[3]), same));
}

static Z3_ast right_at(const struct unit *u, const struct halves *h, const Z3_ast old[2],
                       const Z3_ast now[2]) {
  Z3_ast p[4];
  for (unsigned i = 0; i < 4; i++) p[i] = predicate(u, h, i, old);
  return right_if(u, h, p, old, now);
}

// A predicate at all points of a packet, said shorter than point by point. With o the packet's part
// of the sum:
//     S + o < y    if S is in [MIN - o, y - o)        S + o == y   if S is y - o
//     o < S        if S is in [o + 1, MIN)            o == S       if S is o
//     S + o < S    if S is in [MIN - o, MIN)          S + o == S   if o is 0
// where intervals may go over the end of the numbers. So each point is compared with two borders,
// and nothing is added.
static void predicate_points(const struct unit *u, const struct halves *h, unsigned n,
                             const struct packet *p, Z3_ast holds[MAX_POINTS]) {
  const Z3_ast *state = u->predicate[n].state, *yy = u->predicate[n].y, o = h->part[n],
               least = number(u, 0x80000000u);
  // Words: 0 for none. x: the left side has word 1 or 2; y: the right side is a word.
  const Z3_ast x_first = both(u, state[0], Z3_mk_not(u->z, state[1])),
               x_second = both(u, state[1], Z3_mk_not(u->z, state[0]));
  const Z3_ast x = either(u, x_first, x_second), y_word = both(u, yy[2], yy[1]), y_second = yy[0];
  const Z3_ast y = pick(u, yy[2], pick(u, yy[0], h->p[1], h->p[0]), h->y[n]),
               difference = Z3_mk_bvsub(u->z, y, o);
  const Z3_ast from = pick(u, x, Z3_mk_bvsub(u->z, least, o), Z3_mk_bvadd(u->z, o, number(u, 1))),
               to = pick(u, y_word, least, difference);
  const Z3_ast equal_to = pick(u, x, difference, o), over = Z3_mk_bvult(u->z, to, from),
               second = pick(u, x, x_second, y_second);
  const Z3_ast same_word = pick(u, y_second, x_second, x_first);  // where y is a word
  const Z3_ast no_word = both(u, Z3_mk_not(u->z, x), Z3_mk_not(u->z, y_word));
  const Z3_ast both_words = both(u, both(u, x, y_word), Z3_mk_not(u->z, same_word)),
               one_word = both(u, both(u, x, y_word), same_word);
  const Z3_ast less_packet = Z3_mk_bvslt(u->z, o, y), equal_packet = Z3_mk_eq(u->z, o, y),
               none = Z3_mk_eq(u->z, o, u->zero);
  for (unsigned i = 0; i < p->num; i++) {
    Z3_ast less[2], equal[2], old[2];
    for (unsigned w = 0; w < 2; w++) {
      old[w] = number(u, p->old[i][w]);
      less[w] = Z3_mk_xor(
          u->z, over,
          Z3_mk_xor(u->z, Z3_mk_bvule(u->z, from, old[w]), Z3_mk_bvule(u->z, to, old[w])));
      equal[w] = Z3_mk_eq(u->z, equal_to, old[w]);
    }
    Z3_ast is_less = pick(u, second, less[1], less[0]),
           is_equal = pick(u, one_word, none, pick(u, second, equal[1], equal[0]));
    if (u->words == 2) {
      const Z3_ast sum = Z3_mk_bvadd(u->z, pick(u, x_second, old[1], old[0]), o),
                   other = pick(u, x_second, old[0], old[1]);
      is_less = pick(u, both_words, Z3_mk_bvslt(u->z, sum, other), is_less);
      is_equal = pick(u, both_words, Z3_mk_eq(u->z, sum, other), is_equal);
    }
    is_less = pick(u, no_word, less_packet, is_less);
    is_equal = pick(u, no_word, equal_packet, is_equal);
    const Z3_ast kind[4] = {u->yes, is_equal, is_less, either(u, is_equal, is_less)};
    const Z3_ast is = choose(u, u->predicate[n].kind, 2, kind);
    holds[i] = u->predicate[n].invert == u->no ? is : Z3_mk_xor(u->z, u->predicate[n].invert, is);
  }
}

// That it is right at all points of the packet, with these operands.
static void right_for(const struct unit *u, Z3_solver solver, const Z3_ast operand[2],
                      const struct packet *p) {
  struct halves h = {.p = {operand[0], operand[1]}};
  Z3_ast holds[4][MAX_POINTS];
  packet_half(u, &h);
  for (unsigned n = 0; n < 4; n++) predicate_points(u, &h, n, p, holds[n]);
  for (unsigned i = 0; i < p->num; i++) {
    const Z3_ast old[2] = {number(u, p->old[i][0]), number(u, p->old[i][1])},
                 now[2] = {number(u, p->now[i][0]), number(u, p->now[i][1])};
    const Z3_ast at[4] = {holds[0][i], holds[1][i], holds[2][i], holds[3][i]};
    Z3_solver_assert(u->z, solver, Z3_simplify(u->z, right_if(u, &h, at, old, now)));
  }
}

// ---- the update as a term -----------------------------------------------------------------------

static Z3_ast term_of(const struct unit *u, struct term t, const Z3_ast *field, const Z3_ast *old) {
  return t.kind == TERM_CONST   ? number(u, t.value)
         : t.kind == TERM_FIELD ? field[t.value]
                                : old[t.value];
}

static Z3_ast condition_of(const struct unit *u, const struct condition *c, const Z3_ast *field,
                           const Z3_ast *old) {
  Z3_ast x = c->state ? old[c->state - 1] : u->zero;
  if (c->plus) x = Z3_mk_bvadd(u->z, x, number(u, c->plus));
  for (unsigned f = 0; f < FIELDS; f++)
    if (c->times[f])
      x = c->times[f] > 0 ? Z3_mk_bvadd(u->z, x, field[f]) : Z3_mk_bvsub(u->z, x, field[f]);
  const Z3_ast y = term_of(u, c->right, field, old);
  switch (c->relation) {
    case IS_EQ: return Z3_mk_eq(u->z, x, y);
    case IS_NE: return Z3_mk_not(u->z, Z3_mk_eq(u->z, x, y));
    case IS_LT: return Z3_mk_bvslt(u->z, x, y);
    case IS_LE: return Z3_mk_bvsle(u->z, x, y);
    case IS_GT: return Z3_mk_bvsgt(u->z, x, y);
    default: return Z3_mk_bvsge(u->z, x, y);
  }
}

static Z3_ast new_word(const struct unit *u, const struct update *up, unsigned at, unsigned w,
                       const Z3_ast *field, const Z3_ast *old) {
  const struct branch *b = &up->branch[at];
  if (!b->leaf)
    return Z3_mk_ite(u->z, condition_of(u, &b->condition, field, old),
                     new_word(u, up, b->yes, w, field, old), new_word(u, up, b->no, w, field, old));
  const struct assignment *a = &b->word[w];
  const Z3_ast x = term_of(u, a->a, field, old), y = term_of(u, a->b, field, old);
  return Z3_mk_bvadd(u->z, a->keep ? old[w] : u->zero,
                     a->sub ? Z3_mk_bvsub(u->z, x, y) : Z3_mk_bvadd(u->z, x, y));
}

// ---- a configuration that z3 gave ---------------------------------------------------------------

static bool bit_of(const struct unit *u, Z3_model m, Z3_ast bit) {
  Z3_ast value;
  return Z3_model_eval(u->z, m, bit, true, &value) && Z3_get_bool_value(u->z, value) == Z3_L_TRUE;
}
static unsigned value_of(const struct unit *u, Z3_model m, const Z3_ast *bit, unsigned num) {
  unsigned value = 0;
  for (unsigned i = 0; i < num; i++) value |= (unsigned)bit_of(u, m, bit[i]) << i;
  return value;
}
static uint32_t word_of(const struct unit *u, Z3_model m, Z3_ast word) {
  Z3_ast value;
  uint64_t n = 0;
  if (Z3_model_eval(u->z, m, word, true, &value)) Z3_get_numeral_uint64(u->z, value, &n);
  return (uint32_t)n;
}

static void read_configuration(const struct unit *u, Z3_model m, struct configuration *c) {
  static const unsigned relation[2][4] = {
      {SLUICE_REL_TRUE, SLUICE_REL_EQ, SLUICE_REL_LT, SLUICE_REL_LE},
      {SLUICE_REL_FALSE, SLUICE_REL_NE, SLUICE_REL_GE, SLUICE_REL_GT}};
  *c = (struct configuration){0};
  for (unsigned k = 0; k < 4; k++) c->konst[k] = word_of(u, m, u->konst[k]);
  for (unsigned p = 0; p < 4; p++) {
    c->predicate[p].state = value_of(u, m, u->predicate[p].state, 2);
    c->predicate[p].packet = value_of(u, m, u->predicate[p].packet, 3);
    c->predicate[p].y = value_of(u, m, u->predicate[p].y, 3);
    c->predicate[p].relation =
        relation[bit_of(u, m, u->predicate[p].invert)][value_of(u, m, u->predicate[p].kind, 2)];
  }
  for (unsigned a = 0; a < 4; a++)
    for (unsigned w = 0; w < u->words; w++) {
      c->arm[a][w].keep = bit_of(u, m, u->arm[a][w].keep);
      c->arm[a][w].sub = bit_of(u, m, u->arm[a][w].sub);
      c->arm[a][w].a = value_of(u, m, u->arm[a][w].a, 3);
      c->arm[a][w].b = value_of(u, m, u->arm[a][w].b, 3);
    }
}

void configuration_print(const struct configuration *c, unsigned words, FILE *out) {
  static const char *const state[] = {"0", "S1", "S2", "0"}, *const packet[] = {
                                                                 "",           " + P1",
                                                                 " + P2",      " - P1",
                                                                 " - P2",      " + P1 - P2",
                                                                 " + P2 - P1", ""};
  static const char *const relation[] = {"==", "!=", "<", "<=", ">", ">=", "true", "false"};
  static const char *const y[] = {"K0", "K1", "K2", "K3", "P1", "P2", "S1", "S2"}, *const arm[] = {
                                                                                       "K0", "K1",
                                                                                       "K2", "K3",
                                                                                       "P1", "P2",
                                                                                       "0",  "0"};
  for (unsigned k = 0; k < 4; k++)
    fprintf(out, "K%u = %d%s", k, (int32_t)c->konst[k], k < 3 ? ", " : "\n");
  for (unsigned p = 0; p < 4; p++)
    fprintf(out, "predicate %u: %s%s %s %s\n", p + 1, state[c->predicate[p].state],
            packet[c->predicate[p].packet], relation[c->predicate[p].relation],
            y[c->predicate[p].y]);
  for (unsigned a = 0; a < 4; a++)
    for (unsigned w = 0; w < words; w++)
      fprintf(out, "arm %c: S%u' = %s + (%s %c %s)\n", 'A' + (char)a, w + 1,
              c->arm[a][w].keep ? state[w + 1] : "0", arm[c->arm[a][w].a],
              c->arm[a][w].sub ? '-' : '+', arm[c->arm[a][w].b]);
}

// The same, computed.
static bool run_right(const struct configuration *c, unsigned words, const uint32_t p[2],
                      const uint32_t old[2], const uint32_t now[2]) {
  const uint32_t part[8] = {0, p[0], p[1], 0u - p[0], 0u - p[1], p[0] - p[1], p[1] - p[0], 0};
  const uint32_t arm[8] = {c->konst[0], c->konst[1], c->konst[2], c->konst[3], p[0], p[1], 0, 0};
  const uint32_t state[4] = {0, old[0], old[1], 0};
  bool holds[4];
  for (unsigned i = 0; i < 4; i++) {
    const unsigned r = c->predicate[i].relation, yy = c->predicate[i].y;
    const int32_t x = (int32_t)(state[c->predicate[i].state] + part[c->predicate[i].packet]),
                  y = (int32_t)(yy < 6 ? arm[yy] : old[yy - 6]);
    holds[i] = r == SLUICE_REL_EQ   ? x == y
               : r == SLUICE_REL_NE ? x != y
               : r == SLUICE_REL_LT ? x < y
               : r == SLUICE_REL_LE ? x <= y
               : r == SLUICE_REL_GT ? x > y
               : r == SLUICE_REL_GE ? x >= y
                                    : r == SLUICE_REL_TRUE;
  }
  const int a = holds[0] ? (holds[1] ? 0 : 1) : holds[3] ? (holds[2] ? 2 : 3) : -1;
  for (unsigned w = 0; w < words; w++) {
    uint32_t is = old[w];
    if (a >= 0) {
      const uint32_t x = arm[c->arm[a][w].a], y = arm[c->arm[a][w].b];
      is = (c->arm[a][w].keep ? old[w] : 0) + (c->arm[a][w].sub ? x - y : x + y);
    }
    if (is != now[w]) return false;
  }
  return true;
}

// ---- operands -----------------------------------------------------------------------------------

// Values of a packet that an operand may be: a + b or a - b of fields and constants.
struct candidate {
  struct term a, b;
  bool sub;
};
struct candidates {
  unsigned num;
  struct candidate list[MAX_CANDIDATES];
};

static void candidates_make(const struct update *u, const struct configuration *c,
                            struct candidates *all) {
  struct term term[FIELDS + 30];
  uint32_t konst[24];
  unsigned num = 0, constants = update_constants(u, konst, 12);
  for (unsigned k = 0; k < 4; k++) konst[constants++] = c->konst[k];
  konst[constants++] = 1;
  all->num = 0;
  for (unsigned f = 0; f < u->fields; f++) term[num++] = (struct term){TERM_FIELD, f};
  for (unsigned k = 0; k < constants; k++) term[num++] = (struct term){TERM_CONST, konst[k]};
  const struct term zero = {TERM_CONST, 0};
  all->list[all->num++] = (struct candidate){zero, zero, false};
  for (unsigned i = 0; i < num; i++)
    all->list[all->num++] = (struct candidate){term[i], zero, false};
  for (unsigned f = 0; f < u->fields; f++) {
    all->list[all->num++] = (struct candidate){zero, term[f], true};
    for (unsigned i = 0; i < num; i++)
      for (unsigned sub = 0; sub < 2; sub++)
        if (i != f && all->num < MAX_CANDIDATES)
          all->list[all->num++] = (struct candidate){term[f], term[i], sub};
  }
}

static uint32_t candidate_value(const struct candidate *c, const uint32_t *field) {
  const uint32_t a = c->a.kind == TERM_CONST ? c->a.value : field[c->a.value],
                 b = c->b.kind == TERM_CONST ? c->b.value : field[c->b.value];
  return c->sub ? a - b : a + b;
}
static Z3_ast candidate_term(const struct unit *u, const struct candidate *c, const Z3_ast *field) {
  const Z3_ast a = term_of(u, c->a, field, NULL), b = term_of(u, c->b, field, NULL);
  return c->sub ? Z3_mk_bvsub(u->z, a, b) : Z3_mk_bvadd(u->z, a, b);
}
static void candidate_print(const struct candidate *c, char *text, size_t room) {
  char part[2][20];
  const struct term t[2] = {c->a, c->b};
  for (unsigned i = 0; i < 2; i++)
    if (t[i].kind == TERM_CONST) snprintf(part[i], sizeof part[i], "%d", (int32_t)t[i].value);
    else snprintf(part[i], sizeof part[i], "p.%c", "xyz"[t[i].value]);
  snprintf(text, room, "%s %c %s", part[0], c->sub ? '-' : '+', part[1]);
}

static bool right_at_all(const struct update *u, const struct configuration *c,
                         const struct packet *p, const struct candidate *one,
                         const struct candidate *two) {
  const uint32_t operand[2] = {candidate_value(one, p->field), candidate_value(two, p->field)};
  for (unsigned i = 0; i < p->num; i++)
    if (!run_right(c, u->words, operand, p->old[i], p->now[i])) return false;
  return true;
}

// ---- the loop -----------------------------------------------------------------------------------

struct search {
  struct unit unit;  // with variables
  const struct update *update;
  struct answer *answer;
  unsigned steps, num, num_active, active[MAX_PACKETS];
  struct packet list[MAX_PACKETS];
  bool is_active[MAX_PACKETS];
  struct sluice_rng rng;
};

static Z3_solver solver_new(struct search *s) {
  Z3_context z = s->unit.z;
  Z3_solver solver = Z3_mk_solver_for_logic(z, Z3_mk_string_symbol(z, "QF_BV"));
  Z3_solver_inc_ref(z, solver);  // before anything else is made: z3 forgets what nobody holds
  Z3_params p = Z3_mk_params(z);
  Z3_params_inc_ref(z, p);
  Z3_params_set_uint(z, p, Z3_mk_string_symbol(z, "rlimit"), s->steps);
  Z3_solver_set_params(z, solver, p);
  Z3_params_dec_ref(z, p);
  s->answer->queries++;
  return solver;
}

static Z3_model model_of(const struct unit *u, Z3_solver solver) {
  Z3_model m = Z3_solver_get_model(u->z, solver);
  Z3_model_inc_ref(u->z, m);
  return m;
}

// Whether the order of numbers alone says that no configuration is right for these packets of the
// list (ranks.c).
static bool impossible_by_order(struct search *s, unsigned first, unsigned num) {
  const struct unit *u = &s->unit;
  struct ranks ranks;
  Z3_ast holds[4][MAX_POINTS];
  Z3_solver solver = solver_new(s);
  ranks_start(u, &ranks, solver);
  s->answer->packets = num;
  s->answer->points = 0;
  for (unsigned i = first; i < first + num; i++) {
    ranks_packet(u, &ranks, solver, &s->list[i], NULL, holds);
    s->answer->points += s->list[i].num;
  }
  const Z3_lbool found = Z3_solver_check(u->z, solver);
  Z3_solver_dec_ref(u->z, solver);
  return found == Z3_L_FALSE;
}

// One packet after the other, then some together, then more.
static bool proven_by_order(struct search *s) {
  for (unsigned i = 0; i < ALONE; i++)
    if (impossible_by_order(s, i, 1)) return true;
  for (unsigned num = 3; num <= TOGETHER; num *= 2)
    if (impossible_by_order(s, FAR_PACKETS, num)) return true;
  return false;
}

// Whether the order of numbers says so, and that two operands make two values: of generic packets.
static bool impossible_by_operands(struct search *s, const struct generic *list, unsigned num) {
  const struct unit *u = &s->unit;
  struct ranks ranks;
  Z3_ast holds[4][MAX_POINTS];
  Z3_solver solver = solver_new(s);
  ranks_start(u, &ranks, solver);
  s->answer->packets = num;
  s->answer->points = 0;
  for (unsigned i = 0; i < num; i++) {
    struct uses uses = {.of = &list[i]};
    ranks_packet(u, &ranks, solver, &list[i].p, &uses, holds);
    ranks_operands(u, &uses, solver);
    s->answer->points += list[i].p.num;
  }
  const Z3_lbool found = Z3_solver_check(u->z, solver);
  Z3_solver_dec_ref(u->z, solver);
  return found == Z3_L_FALSE;
}

static bool proven_by_operands(struct search *s) {
  enum { GENERIC = 12 };
  static struct generic list[GENERIC];
  unsigned num = 0;
  for (unsigned i = 0; i < GENERIC; i++) {
    if (!generic_draw(s->update, &list[num], &s->rng)) continue;
    if (impossible_by_operands(s, &list[num++], 1)) return true;
  }
  for (unsigned n = 3; n <= num; n *= 2)
    if (impossible_by_operands(s, list, n)) return true;
  return false;
}

// A configuration for the active packets.
static Z3_lbool configuration_for(struct search *s, struct configuration *c) {
  struct unit *u = &s->unit;
  Z3_solver solver = solver_new(s);
  for (unsigned k = 0; k + 1 < 4; k++)
    Z3_solver_assert(u->z, solver, Z3_mk_bvule(u->z, u->konst[k], u->konst[k + 1]));
  s->answer->points = 0;
  for (unsigned i = 0; i < s->num_active; i++) {
    const Z3_ast first = variable(u, u->word);
    const Z3_ast operand[2] = {first, u->without == BREAK_OPERAND ? first : variable(u, u->word)};
    right_for(u, solver, operand, &s->list[s->active[i]]);
    s->answer->points += s->list[s->active[i]].num;
  }
  const Z3_lbool found = Z3_solver_check(u->z, solver);
  if (found == Z3_L_TRUE) {
    Z3_model m = model_of(u, solver);
    read_configuration(u, m, c);
    Z3_model_dec_ref(u->z, m);
  }
  Z3_solver_dec_ref(u->z, solver);
  return found;
}

// Whether there are two numbers for the packet.
static Z3_lbool operands_for(struct search *s, const struct unit *fixed, const struct packet *p) {
  Z3_solver solver = solver_new(s);
  const Z3_ast first = variable(fixed, fixed->word);
  const Z3_ast operand[2] = {
      first, fixed->without == BREAK_OPERAND ? first : variable(fixed, fixed->word)};
  right_for(fixed, solver, operand, p);
  const Z3_lbool found = Z3_solver_check(fixed->z, solver);
  Z3_solver_dec_ref(fixed->z, solver);
  return found;
}

static bool by_candidates(const struct search *s, const struct configuration *c,
                          const struct candidates *all, const struct packet *p) {
  for (unsigned i = 0; i < all->num; i++)
    for (unsigned j = 0; j < all->num; j++)
      if (right_at_all(s->update, c, p, &all->list[i], &all->list[j])) return true;
  return false;
}

static void take(struct search *s, unsigned i) {
  s->is_active[i] = true;
  s->active[s->num_active++] = i;
}

// A packet for which the configuration is wrong whatever its operands; false: none of the list.
static bool refute(struct search *s, const struct unit *fixed, const struct configuration *c,
                   const struct candidates *all) {
  const unsigned from = (unsigned)sluice_rng_below(&s->rng, s->num);
  for (unsigned n = 0; n < s->num; n++) {
    const unsigned i = (from + n) % s->num;
    if (s->is_active[i] || by_candidates(s, c, all, &s->list[i]) ||
        operands_for(s, fixed, &s->list[i]) != Z3_L_FALSE)
      continue;
    take(s, i);
    return true;
  }
  return false;
}

static Z3_ast situation_of(const struct search *s, const struct unit *u, unsigned situation,
                           const Z3_ast *field) {
  Z3_ast all = u->yes;
  unsigned bit = 0;
  for (unsigned i = 0; i < s->update->num; i++) {
    const struct condition *c = &s->update->branch[i].condition;
    if (s->update->branch[i].leaf || !condition_of_packet(c)) continue;
    const Z3_ast holds = condition_of(u, c, field, NULL);
    all = both(u, all, situation >> bit++ & 1 ? holds : Z3_mk_not(u->z, holds));
  }
  return all;
}

// A packet that z3 gave, with the old words that it gave and sharp ones; false: no room.
static bool add_packet(struct search *s, const struct unit *u, Z3_solver solver,
                       const Z3_ast *field, const Z3_ast *old) {
  if (s->num == MAX_PACKETS) return false;
  Z3_model m = model_of(u, solver);
  struct packet *p = &s->list[s->num];
  for (unsigned f = 0; f < FIELDS; f++) p->field[f] = word_of(u, m, field[f]);
  packet_points(s->update, p, &s->rng);
  if (old) {
    if (p->num == MAX_POINTS) p->num--;
    for (unsigned w = 0; w < 2; w++) p->old[p->num][w] = w < u->words ? word_of(u, m, old[w]) : 0;
    update_run(s->update, p->field, p->old[p->num], p->now[p->num]);
    p->num++;
  }
  s->num++;
  Z3_model_dec_ref(u->z, m);
  return true;
}

// Text and unit differ somewhere in the situation with these operands: TRUE, and the packet is
// added.
static Z3_lbool differ(struct search *s, const struct unit *fixed, unsigned situation,
                       const struct candidate *one, const struct candidate *two) {
  Z3_ast field[FIELDS], old[2], now[2];
  for (unsigned f = 0; f < FIELDS; f++) field[f] = variable(fixed, fixed->word);
  for (unsigned w = 0; w < 2; w++) {
    old[w] = w < fixed->words ? variable(fixed, fixed->word) : fixed->zero;
    now[w] = w < fixed->words ? new_word(fixed, s->update, 0, w, field, old) : fixed->zero;
  }
  struct halves h = {.p = {candidate_term(fixed, one, field), candidate_term(fixed, two, field)}};
  packet_half(fixed, &h);
  Z3_solver solver = solver_new(s);
  Z3_solver_assert(fixed->z, solver, situation_of(s, fixed, situation, field));
  Z3_solver_assert(fixed->z, solver, Z3_mk_not(fixed->z, right_at(fixed, &h, old, now)));
  Z3_lbool found = Z3_solver_check(fixed->z, solver);
  if (found == Z3_L_TRUE && !add_packet(s, fixed, solver, field, old)) found = Z3_L_UNDEF;
  Z3_solver_dec_ref(fixed->z, solver);
  return found;
}

// Operands for a situation. FALSE: none of the candidates.
static Z3_lbool settle(struct search *s, const struct unit *fixed, const struct configuration *c,
                       const struct candidates *all, unsigned situation) {
  for (unsigned i = 0; i < all->num; i++)
    for (unsigned j = 0; j < all->num; j++) {
      bool good = true;
      for (unsigned n = 0; good && n < s->num; n++)
        good = s->list[n].situation != situation ||
               right_at_all(s->update, c, &s->list[n], &all->list[i], &all->list[j]);
      if (!good) continue;
      const Z3_lbool other = differ(s, fixed, situation, &all->list[i], &all->list[j]);
      if (other == Z3_L_UNDEF) return other;
      if (other == Z3_L_TRUE) continue;
      char one[60], two[60];
      candidate_print(&all->list[i], one, sizeof one);
      candidate_print(&all->list[j], two, sizeof two);
      const size_t len = strlen(s->answer->operands);
      snprintf(s->answer->operands + len, sizeof s->answer->operands - len,
               "situation %u: P1 = %s, P2 = %s\n", situation, one, two);
      return Z3_L_TRUE;
    }
  return Z3_L_FALSE;
}

// A situation that no packet of the list is in: TRUE, and one is added.
static Z3_lbool other_situation(struct search *s, const struct unit *u) {
  Z3_ast field[FIELDS];
  for (unsigned f = 0; f < FIELDS; f++) field[f] = variable(u, u->word);
  Z3_solver solver = solver_new(s);
  for (unsigned i = 0; i < s->num; i++)
    Z3_solver_assert(u->z, solver,
                     Z3_mk_not(u->z, situation_of(s, u, s->list[i].situation, field)));
  Z3_lbool found = Z3_solver_check(u->z, solver);
  if (found == Z3_L_TRUE && !add_packet(s, u, solver, field, NULL)) found = Z3_L_UNDEF;
  Z3_solver_dec_ref(u->z, solver);
  return found;
}

// Whether the configuration does the update, with operands chosen by situation. UNDEF: there are
// packets more to look at.
static Z3_lbool confirm(struct search *s, const struct unit *fixed, const struct configuration *c,
                        const struct candidates *all) {
  const unsigned before = s->num;
  s->answer->operands[0] = 0;
  while (other_situation(s, fixed) == Z3_L_TRUE) continue;
  if (s->num > before) return Z3_L_UNDEF;
  for (unsigned i = 0; i < before; i++) {
    bool seen = false;
    for (unsigned j = 0; j < i; j++) seen |= s->list[j].situation == s->list[i].situation;
    if (seen) continue;
    const Z3_lbool found = settle(s, fixed, c, all, s->list[i].situation);
    if (found == Z3_L_TRUE) continue;
    return s->num > before ? Z3_L_UNDEF : found;
  }
  return Z3_L_TRUE;
}

static void cegis(struct search *s) {
  static struct candidates all;
  s->answer->verdict = VERDICT_GIVEN_UP;
  for (unsigned round = 0; round < MAX_ROUNDS; round++) {
    struct configuration *c = &s->answer->configuration;
    const Z3_lbool found = configuration_for(s, c);
    s->answer->packets = s->num_active;
    if (found == Z3_L_FALSE) s->answer->verdict = VERDICT_PROVEN;
    if (found != Z3_L_TRUE) return;
    struct unit fixed = s->unit;
    make_fixed(&fixed, c);
    candidates_make(s->update, c, &all);
    Z3_lbool right = Z3_L_UNDEF;
    while (right == Z3_L_UNDEF && !refute(s, &fixed, c, &all)) {
      const unsigned before = s->num;
      right = confirm(s, &fixed, c, &all);
      if (right == Z3_L_TRUE) s->answer->verdict = VERDICT_FOUND;
      else if (right == Z3_L_FALSE || s->num == before) s->answer->verdict = VERDICT_OPEN;
      if (s->answer->verdict != VERDICT_GIVEN_UP) return;
    }
  }
}

struct answer unit_ask(const struct update *u, uint64_t seed, unsigned steps, bool brief,
                       enum unit_break without) {
  struct answer answer = {0};
  struct search *s = calloc(1, sizeof *s);
  Z3_config config = Z3_mk_config();
  Z3_context z = Z3_mk_context(config);
  answer.verdict = VERDICT_GIVEN_UP;
  if (s) {
    start(&s->unit, z, u->words, without);
    make_free(&s->unit);
    s->update = u;
    s->answer = &answer;
    s->steps = steps;
    sluice_rng_init(&s->rng, seed, "smt points");
    for (; s->num < FIRST_PACKETS; s->num++)
      packet_draw(u, &s->list[s->num], s->num >= FAR_PACKETS, &s->rng);
    if (proven_by_order(s)) {
      answer.verdict = VERDICT_PROVEN;
      answer.by_order = true;
    } else if (proven_by_operands(s)) {
      answer.verdict = VERDICT_PROVEN;
      answer.by_operands = true;
    } else if (!brief) {
      take(s, 0);
      cegis(s);
    }
  }
  Z3_del_context(z);
  Z3_del_config(config);
  free(s);
  return answer;
}
