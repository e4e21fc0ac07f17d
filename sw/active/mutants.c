// SPDX-License-Identifier: Apache-2.0
#include "mutants.h"

#include <string.h>

#include "program.h"

// A further pass has the stages behind those of ingress: 20 stages, 10 of them ingress, and
// position 23 is in stage 13.
static struct active_shape way_of(const struct sluice_memory_shape *shape) {
  return (struct active_shape){.stages = shape->stages, .again = shape->ingress};
}

unsigned sluice_mutants_passes(const struct sluice_memory_shape *shape, unsigned length) {
  return length ? 1 + active_pass(way_of(shape), length - 1) : 1;
}

// The accesses of `position` in stages, ascending, each once.
static void find_stages(struct sluice_mutants *m) {
  m->num_stages = 0;
  for (unsigned i = 0; i < m->num; i++) {
    const uint8_t stage = (uint8_t)active_stage(way_of(&m->shape), m->position[i]);
    unsigned at = 0;
    m->stage[i] = stage;
    while (at < m->num_stages && m->stages[at] < stage) at++;
    if (at < m->num_stages && m->stages[at] == stage) continue;
    memmove(m->stages + at + 1, m->stages + at, m->num_stages - at);
    m->stages[at] = stage;
    m->num_stages++;
  }
}

void sluice_mutants_init(struct sluice_mutants *m, const struct sluice_memory_shape *shape,
                         const struct sluice_memory_request *r, bool least_constrained) {
  const unsigned again = shape->stages - shape->ingress,
                 passes = sluice_mutants_passes(shape, r->length);
  unsigned longest = shape->stages + (passes - 1) * again;
  if (least_constrained) longest += again;
  memset(m, 0, sizeof *m);
  m->shape = *shape;
  m->num = r->num;
  for (unsigned i = 0; i < m->num; i++) {
    const unsigned at = r->access[i].position;
    m->position[i] = m->least[i] = at;
    m->distance[i] = i ? at - m->least[i - 1] : 0;
    // The published bound leaves the last place of the longest program unused.
    m->most[i] = (int)(at + longest - r->length) - 1;
    if (!least_constrained && r->ingress_limit < shape->ingress && at < r->ingress_limit)
      m->most[i] = (int)(at + shape->ingress - 1 - r->ingress_limit);
  }
  find_stages(m);
  m->wanted = m->num_stages;
  for (unsigned i = 0; i < m->num; i++) {
    unsigned first = 0;
    while (m->stage[first] != m->stage[i]) first++;
    m->first_with[i] = (uint8_t)first;
  }
}

static bool move(struct sluice_mutants *m) {
  unsigned at = m->num;
  while (at && (int)m->position[at - 1] + 1 > m->most[at - 1]) at--;
  if (!at) return false;
  m->position[at - 1]++;
  for (; at < m->num; at++) m->position[at] = m->position[at - 1] + m->distance[at];
  return true;
}

static bool is_mutant(const struct sluice_mutants *m) {
  for (unsigned i = 0; i < m->num; i++)
    if (m->stage[i] != m->stage[m->first_with[i]]) return false;
  return m->num_stages == m->wanted;
}

bool sluice_mutants_next(struct sluice_mutants *m) {
  do {
    if (m->tried && !move(m)) return false;
    m->tried++;
    find_stages(m);
  } while (!is_mutant(m));
  return true;
}
