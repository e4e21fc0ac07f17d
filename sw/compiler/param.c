// SPDX-License-Identifier: Apache-2.0
// Malleables: values of the program that nobody knows at compile time, and which stand where a
// constant would stand. Which entry of the image they are in is told by relocations
// (driver/image/param.h), which this file makes.
//
//     x < m + 3      FUNCI LT, immediate:  signed, 12 bits, add 3
//     x - m          FUNCI ADD, immediate: signed, 12 bits, negated
//     s > m          state instruction, K0: word
//     p.x = m        SET, immediate: unsigned, 16 bits; or SET and SETHI: low and high
#include <string.h>

#include "../driver/image/param.h"
#include "internal.h"

bool node_linear(const struct node *n, struct relocated *r) {
  const struct node *a = n->num_args ? n->arg[0] : NULL, *b = n->num_args == 2 ? n->arg[1] : NULL;
  struct relocated inner;
  if (n->op == OP_PARAM) {
    *r = (struct relocated){.param = n->index + 1};
    return true;
  }
  if (!b || (n->op != OP_ADD && n->op != OP_SUB)) return false;
  const bool reversed = a->op == OP_CONST;
  const struct node *konst = reversed ? a : b;
  if (konst->op != OP_CONST || !node_linear(reversed ? b : a, &inner)) return false;
  *r = inner;
  if (n->op == OP_SUB && reversed) relocated_negate(r);
  const int64_t add = (int64_t)r->add +
                      (n->op == OP_SUB && !reversed ? -(int64_t)konst->value : konst->value);
  if (add < INT32_MIN || add > INT32_MAX) return false;
  r->add = (int32_t)add;
  return true;
}

void relocated_negate(struct relocated *r) {
  r->negated = !r->negated;
  r->add = op_eval(OP_NEG, r->add, 0);
}

static int64_t amount(const struct relocated *r, int64_t value) {
  return (r->negated ? -value : value) + r->add;
}

bool relocated_within(const struct compiler *c, const struct relocated *r, int64_t low,
                      int64_t high) {
  const struct malleable *m = c->program->malleable[r->param - 1];
  const int64_t x = amount(r, m->ranged ? m->low : m->init),
                y = amount(r, m->ranged ? m->high : m->init);
  return x >= low && x <= high && y >= low && y <= high;
}

// ---- state instructions -------------------------------------------------------------------------

// A comparison has the operand on the left alone, or inside a sum with a state word. "P < S"
// becomes "S > K"; in a sum only the packet's part can stand. What always holds names no operand.
static bool fits_predicate(struct predicate *p, unsigned word, unsigned konst) {
  static const unsigned mirror[] = {
      [SLUICE_REL_EQ] = SLUICE_REL_EQ, [SLUICE_REL_NE] = SLUICE_REL_NE,
      [SLUICE_REL_LT] = SLUICE_REL_GT, [SLUICE_REL_LE] = SLUICE_REL_GE,
      [SLUICE_REL_GT] = SLUICE_REL_LT, [SLUICE_REL_GE] = SLUICE_REL_LE};
  const unsigned part[2] = {SLUICE_PRED_P_P1, SLUICE_PRED_P_P2};
  if (p->y == SLUICE_PRED_Y_P1 + word) p->y = konst;
  if (p->packet == part[word] && !p->state && p->y >= SLUICE_PRED_Y_S1) {
    *p =
        (struct predicate){.state = p->y - SLUICE_PRED_Y_S1 + 1, .rel = mirror[p->rel], .y = konst};
    return true;
  }
  if (p->packet == part[word] && !p->state && p->y == SLUICE_PRED_Y_P1 + !word) {
    *p = (struct predicate){.packet = part[!word], .rel = mirror[p->rel], .y = konst};
    return true;
  }
  return p->packet == SLUICE_PRED_P_ZERO || p->packet == part[!word] ||
         p->packet == part[!word] + 2;
}

static void to_constant(struct mapping *m, unsigned word) {
  struct mapping made = *m;
  struct relocated r;
  if (!m->operand[word] || !node_linear(m->operand[word], &r)) return;
  unsigned konst = m->num_konst;
  if (konst == 4) return;
  r.kind = SLUICE_RELOCATE_WORD;
  for (unsigned i = 0; i < 4; i++)
    if (!fits_predicate(&made.pred[i], word, konst)) return;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned w = 0; w < 2; w++) {
      struct update *u = &made.arm[i][w];
      if (u->a == SLUICE_ARM_P1 + word) u->a = konst;
      if (u->b == SLUICE_ARM_P1 + word) u->b = konst;
    }
  made.num_konst++;
  made.relocated[konst] = r;
  made.operand[word] = NULL;
  *m = made;
}

void map_malleables(struct compiler *c) {
  for (unsigned i = 0; i < c->codelets.num; i++)
    for (unsigned word = 0; c->codelets.list[i].map && word < 2; word++)
      to_constant(c->codelets.list[i].map, word);
}

// ---- the image ----------------------------------------------------------------------------------

void relocate(const struct compiler *c, struct sluice_image *image, const struct relocated *r,
              enum sluice_table table, unsigned stage, unsigned index, unsigned msb, unsigned lsb) {
  struct sluice_relocation *made = r->param ? sluice_image_add_relocation(image) : NULL;
  if (!r->param) return;
  if (!made) arena_give_up(c->arena, ARENA_NO_MEMORY);
  *made = (struct sluice_relocation){.param = r->param - 1,
                                     .table = table,
                                     .stage = stage,
                                     .index = index,
                                     .msb = msb,
                                     .lsb = lsb,
                                     .kind = r->kind,
                                     .negated = r->negated,
                                     .add = r->add};
}

// Without a range in the text it is what all places hold.
static void derive(const struct sluice_image *image, unsigned param, int64_t *low, int64_t *high) {
  *low = INT32_MIN;
  *high = INT32_MAX;
  for (size_t i = 0; i < image->num_relocations; i++) {
    const struct sluice_relocation *r = &image->relocations[i];
    int64_t least, most;
    sluice_relocation_limits(r->kind, r->msb - r->lsb + 1, &least, &most);
    if (r->param != param || least == INT64_MIN) continue;
    const int64_t x = r->negated ? r->add - most : least - r->add,
                  y = r->negated ? r->add - least : most - r->add;
    if (x > *low) *low = x;
    if (y < *high) *high = y;
  }
}

static void choices(const struct compiler *c, const struct malleable *m, struct sluice_param *p) {
  p->num_choices = m->num;
  p->high = (int32_t)m->num - 1;
  for (unsigned i = 0; i < m->num; i++) {
    const struct sluice_program_field *f = &c->program->field[m->choice[i]]->info;
    snprintf(p->choice[i].name, sizeof p->choice[i].name, "%s", f->name);
    p->choice[i].metadata = f->home == SLUICE_HOME_METADATA;
    p->choice[i].offset = f->offset;
  }
}

void emit_malleables(const struct compiler *c, struct sluice_image *image) {
  char why[300];
  for (unsigned i = 0; i < c->program->num_malleables; i++) {
    const struct malleable *m = c->program->malleable[i];
    struct sluice_param *p = sluice_image_add_param(image);
    int64_t low = m->low, high = m->high;
    if (!p) arena_give_up(c->arena, ARENA_NO_MEMORY);
    snprintf(p->name, sizeof p->name, "%s", m->name);
    if (!m->ranged) derive(image, i, &low, &high);
    p->low = (int32_t)low;
    p->high = (int32_t)high;
    p->value = m->init;
    if (m->is_field) choices(c, m, p);
  }
  for (size_t i = 0; i < image->num_relocations; i++)
    if (!sluice_relocation_check(image, &image->relocations[i], why, sizeof why)) SLUICE_BUG(why);
  sluice_image_bind(image);
}
