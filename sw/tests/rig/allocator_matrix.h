// SPDX-License-Identifier: Apache-2.0
// The published rules once more, written apart from sw/active/allocator_published.c: a matrix of
// blocks in which each block has the number of its owner, and everything is found by looking at
// blocks, as the published controller does. Slow, and with nothing kept but the matrix, `offset`
// and `holes`. The mutants are the library's (mutants.h): numbers and order of these are tested by
// themselves.
#pragma once

#include <stdbool.h>
#include <string.h>

#include "active/allocator.h"

enum { MATRIX_STAGES = 20, MATRIX_BLOCKS = 368, MATRIX_FIDS = 200, MATRIX_HOLES = 400 };
struct matrix {
  unsigned blocks;
  uint16_t owner[MATRIX_STAGES][MATRIX_BLOCKS];  // 0: free
  unsigned demand[MATRIX_FIDS][MATRIX_STAGES];   // 0: not in this stage
  unsigned offset[MATRIX_STAGES];
  unsigned hole[MATRIX_STAGES][MATRIX_HOLES][2], num_holes[MATRIX_STAGES];
  bool moved[MATRIX_FIDS];  // residents who lost a block at the last arrival
  bool stopped;             // the published code would have stopped by an assertion
};

static double matrix_cost(const struct matrix *m, unsigned s, unsigned demand, enum sluice_fit fit,
                          bool *fits) {
  unsigned needed = demand, elastic = 0, inelastic = 0;
  const unsigned top = m->blocks - m->offset[s];
  for (unsigned f = 1; f < MATRIX_FIDS; f++) {
    needed += m->demand[f][s];
    elastic += m->demand[f][s] == 1;
    inelastic += m->demand[f][s] > 1 ? m->demand[f][s] : 0;
  }
  *fits = false;
  if (needed > m->blocks) return 0;
  if (demand == 1) {
    if (elastic >= top) return 0;
  } else {
    const bool big = m->num_holes[s] && m->hole[s][0][1] > top;
    if (!big && (int)top - (int)demand < (int)elastic) return 0;
    if ((big ? m->hole[s][0][1] : top) < demand) return 0;
  }
  *fits = true;
  if (fit == SLUICE_FIT_FIRST) return 0;
  if (fit != SLUICE_FIT_REALLOC)
    return demand == 1 ? elastic * (m->blocks * 1.0 / top) : (double)needed;
  if (demand > 1 || !elastic) return elastic;
  // Shares of the residents before and after, counted.
  const unsigned room = m->blocks - inelastic, before = room / elastic,
                 after = room / (elastic + 1);
  return after < before ? elastic : elastic - room % (elastic + 1);
}

static void matrix_holes(struct matrix *m, unsigned s) {
  int start = -1;
  m->num_holes[s] = 0;
  for (unsigned b = 0; b < m->offset[s]; b++) {
    if (!m->owner[s][b]) {
      if (start < 0) start = (int)b;
    } else if (start >= 0) {
      m->hole[s][m->num_holes[s]][0] = (unsigned)start;
      m->hole[s][m->num_holes[s]++][1] = b - (unsigned)start;
      start = -1;
    }
  }
}

static void matrix_sort(struct matrix *m, unsigned s) {
  for (unsigned i = 1; i < m->num_holes[s]; i++)
    for (unsigned n = i; n && m->hole[s][n][1] > m->hole[s][n - 1][1]; n--)
      for (unsigned k = 0; k < 2; k++) {
        const unsigned x = m->hole[s][n][k];
        m->hole[s][n][k] = m->hole[s][n - 1][k];
        m->hole[s][n - 1][k] = x;
      }
}

static void matrix_place(struct matrix *m, unsigned s, uint16_t fid) {
  const unsigned demand = m->demand[fid][s];
  unsigned best = MATRIX_HOLES, at;
  for (unsigned i = 0; i < m->num_holes[s]; i++)
    if (m->hole[s][i][1] >= demand &&
        (best == MATRIX_HOLES || m->hole[s][i][1] > m->hole[s][best][1]))
      best = i;
  if (best == MATRIX_HOLES) {
    at = m->offset[s];
    if (at + demand > m->blocks) {
      m->stopped = true;
      return;
    }
    m->offset[s] += demand;
  } else {
    at = m->hole[s][best][0];
    m->hole[s][best][0] += demand;
    m->hole[s][best][1] -= demand;
    if (!m->hole[s][best][1]) {
      m->num_holes[s]--;
      memmove(m->hole[s][best], m->hole[s][best + 1],
              (m->num_holes[s] - best) * sizeof m->hole[s][0]);
    }
  }
  for (unsigned b = 0; b < demand; b++) m->owner[s][at + b] = fid;
}

static void matrix_share(struct matrix *m, unsigned s) {
  unsigned share[MATRIX_FIDS] = {0}, left = m->blocks - m->offset[s], at = m->offset[s], num = 0;
  for (unsigned f = 1; f < MATRIX_FIDS; f++) num += m->demand[f][s] == 1;
  if (num > left) m->stopped = true;
  while (num && left)
    for (unsigned f = 1; f < MATRIX_FIDS && left; f++)
      if (m->demand[f][s] == 1) {
        share[f]++;
        left--;
      }
  for (unsigned f = 1; f < MATRIX_FIDS; f++)
    for (unsigned b = 0; b < share[f]; b++) m->owner[s][at++] = (uint16_t)f;
}

// False: refused, the matrix is as it was.
static bool matrix_admit(struct matrix *m, const struct sluice_memory_request *r,
                         enum sluice_fit fit, bool least) {
  static struct matrix before;
  struct sluice_mutants mutants, best = {0};
  bool found = false;
  double cost = 0;
  sluice_mutants_init(&mutants, &sluice_memory_published_shape, r, least);
  while (sluice_mutants_next(&mutants) && !(found && fit == SLUICE_FIT_FIRST)) {
    double sum = 0;
    bool all = true;
    for (unsigned i = 0; i < mutants.num_stages && all; i++)
      sum += matrix_cost(m, mutants.stages[i], r->access[i].demand, fit, &all);
    if (!all || (found && (fit == SLUICE_FIT_BEST ? sum <= cost : sum >= cost))) continue;
    found = true;
    cost = sum;
    best = mutants;
  }
  if (!found) return false;
  before = *m;
  memset(m->moved, 0, sizeof m->moved);
  for (unsigned i = 0; i < best.num_stages; i++)
    m->demand[r->fid][best.stages[i]] = r->access[i].demand;
  for (unsigned s = 0; s < MATRIX_STAGES; s++) {
    bool any = false;
    for (unsigned f = 1; f < MATRIX_FIDS; f++) any |= m->demand[f][s] > 0;
    if (!any) continue;
    matrix_holes(m, s);
    for (unsigned b = m->offset[s]; b < m->blocks; b++) m->owner[s][b] = 0;
    if (m->demand[r->fid][s] > 1) matrix_place(m, s, r->fid);
    matrix_sort(m, s);
    matrix_share(m, s);
    for (unsigned b = 0; b < m->blocks; b++)
      if (before.owner[s][b] && before.owner[s][b] != m->owner[s][b])
        m->moved[before.owner[s][b]] = true;
  }
  if (!m->stopped) return true;
  *m = before;
  m->stopped = true;
  return false;
}

static void matrix_release(struct matrix *m, uint16_t fid) {
  for (unsigned s = 0; s < MATRIX_STAGES; s++) {
    unsigned num = 0, last = 0;
    if (!m->demand[fid][s]) continue;
    for (unsigned b = 0; b < m->blocks; b++)
      if (m->owner[s][b] == fid) {
        m->owner[s][b] = 0;
        num++;
        last = b;
      }
    if (m->demand[fid][s] > 1) {
      if (last + 1 == m->offset[s]) {
        m->offset[s] -= num;
      } else {
        m->hole[s][m->num_holes[s]][0] = last + 1 - num;
        m->hole[s][m->num_holes[s]++][1] = num;
      }
    }
    m->demand[fid][s] = 0;
  }
}
