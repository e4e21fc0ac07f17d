// SPDX-License-Identifier: Apache-2.0
// A container for each value. A value occupies the gaps between stages from the one that writes it
// to the last that reads it; since a stage reads before it writes, a container is free again for
// what the last reader's stage writes. Values with least choice go first.
#include <string.h>

#include "internal.h"

enum { MAX_GAPS = 64, TYPES = 4 };
struct pool {
  unsigned num[TYPES];
  bool taken[TYPES][8][MAX_GAPS];
};

// Types of container that the value may be in, best first; returns how many.
static unsigned choices(const struct compiler *c, const struct task *t, unsigned type[3]) {
  static const unsigned by_width[7] = {
      [2] = SLUICE_TYPE_B2, [4] = SLUICE_TYPE_B4, [6] = SLUICE_TYPE_B6};
  unsigned n = 0;
  if (t->kind == TASK_INPUT) {
    const struct source *s = &c->graph->source[t->source];
    // As a key it has its size.
    type[n++] = by_width[t->width ? t->width : s->width];
    // Four bytes are also the low end of six.
    if (s->width == 4 && !t->width && s->offset >= 2 && !t->plain && !s->param)
      type[n++] = SLUICE_TYPE_B6;
    return n;
  }
  if (t->width) {
    type[n++] = by_width[t->width];
    return n;
  }
  if (t->small) type[n++] = SLUICE_TYPE_B2;
  type[n++] = SLUICE_TYPE_B4;
  type[n++] = SLUICE_TYPE_B6;
  return n;
}

static int last_gap(const struct compiler *c, const struct task *t) {
  int last = t->last == LAST_DEPARSER ? c->code->stages + 1 : t->last;
  return last < MAX_GAPS ? last : MAX_GAPS;
}

static bool place(const struct compiler *c, struct pool *pool, struct task *t) {
  unsigned type[3], n = choices(c, t, type);
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < pool->num[type[i]]; k++) {
      bool *taken = pool->taken[type[i]][k];
      int last = last_gap(c, t);
      bool free = true;
      for (int g = t->stage; g < last && free; g++) free = !taken[g];
      if (!free) continue;
      for (int g = t->stage; g < last; g++) taken[g] = true;
      t->type = type[i];
      t->container = k;
      return true;
    }
  return false;
}

static void report_full(struct compiler *c, const struct task *t) {
  static const char *const names[TYPES] = {"", "2-byte ", "4-byte ", "6-byte "};
  unsigned type[3], n = choices(c, t, type), live = 0;
  for (unsigned i = 0; i < c->code->num; i++) {
    const struct task *other = c->code->list[i];
    if (other->live && other->kind <= TASK_RESULT && other->stage <= t->stage &&
        t->stage < last_gap(c, other))
      live++;
  }
  const struct token *at = t->node ? t->node->at : c->program->name_at;
  char where[40];
  if (t->stage == 0) snprintf(where, sizeof where, "the parser");
  else if (t->stage <= c->code->front)
    snprintf(where, sizeof where, "front stage %d", t->stage - 1);
  else snprintf(where, sizeof where, "back stage %d", t->stage - c->code->front - 1);
  diag_error(&c->ir, at, "containers",
             "no %scontainer is left after %s, where %u values are kept; chip '%s' has %u of 2, %u "
             "of 4 and %u of 6 bytes; see --chip",
             n > 1 ? "" : names[type[0]], where, live, c->config->name, c->config->Num2B,
             c->config->Num4B, c->config->Num6B);
}

bool allocate(struct compiler *c, bool report) {
  struct pool *pool = NEW(c->arena, struct pool);
  struct code *code = c->code;
  unsigned type[3];
  pool->num[SLUICE_TYPE_B2] = c->config->Num2B;
  pool->num[SLUICE_TYPE_B4] = c->config->Num4B;
  pool->num[SLUICE_TYPE_B6] = c->config->Num6B;
  lifetimes(c);
  for (unsigned wanted = 1; wanted <= 3; wanted++)
    for (int stage = 0; stage <= code->stages; stage++)
      for (unsigned i = 0; i < code->num; i++) {
        struct task *t = code->list[i];
        if (!t->live || !task_is_value(t) || t->stage != stage || choices(c, t, type) != wanted)
          continue;
        if (t->last <= t->stage) SLUICE_BUG("a value that nobody reads");
        if (place(c, pool, t)) continue;
        if (report) report_full(c, t);
        return false;
      }
  return true;
}
