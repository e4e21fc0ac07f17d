// SPDX-License-Identifier: Apache-2.0
#include "chip.h"

enum { SHORT = 8 };

static size_t bucket(const struct chip_index *x, unsigned table, unsigned stage, unsigned at) {
  const uint32_t h = (at * 32 + stage) * UINT32_C(0x9e3779b1) ^ table * UINT32_C(0x85ebca6b);
  return (h ^ h >> 15) & (x->num_heads - 1);
}

bool chip_index_make(struct chip_index *x, const struct sluice_change *list, size_t num, bool first,
                     const struct sluice_alloc *alloc) {
  *x = (struct chip_index){.list = list, .num = num, .num_heads = 1};
  if (num <= SHORT && !first) return true;
  if (!num) return true;
  while (x->num_heads < num) x->num_heads *= 2;
  x->heads = sluice_resize(alloc, NULL, 0, x->num_heads * sizeof *x->heads);
  x->next = sluice_resize(alloc, NULL, 0, num * sizeof *x->next);
  if (!x->heads || !x->next) return false;
  for (size_t i = 0; i < x->num_heads; i++) x->heads[i] = UINT32_MAX;
  // What is put in last is found first.
  for (size_t n = 0; n < num; n++) {
    const size_t i = first ? num - 1 - n : n;
    uint32_t *head = &x->heads[bucket(x, list[i].table, list[i].stage, list[i].index)];
    x->next[i] = *head;
    *head = (uint32_t)i;
  }
  return true;
}

void chip_index_release(struct chip_index *x, const struct sluice_alloc *alloc) {
  if (x->heads) sluice_resize(alloc, x->heads, x->num_heads * sizeof *x->heads, 0);
  if (x->next) sluice_resize(alloc, x->next, x->num * sizeof *x->next, 0);
  *x = (struct chip_index){.list = NULL};
}

static bool is_at(const struct sluice_change *c, unsigned table, unsigned stage, unsigned at) {
  return (c->kind == SLUICE_CHANGE_WRITE || c->kind == SLUICE_CHANGE_ERASE) && c->table == table &&
         c->stage == stage && c->index == at;
}

const struct sluice_change *chip_index_find(const struct chip_index *x, enum sluice_table table,
                                            unsigned stage, unsigned at) {
  if (!x->heads) {
    for (size_t i = x->num; i-- > 0;)
      if (is_at(&x->list[i], table, stage, at)) return &x->list[i];
    return NULL;
  }
  for (uint32_t i = x->heads[bucket(x, table, stage, at)]; i != UINT32_MAX; i = x->next[i])
    if (is_at(&x->list[i], table, stage, at)) return &x->list[i];
  return NULL;
}
