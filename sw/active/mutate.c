// SPDX-License-Identifier: Apache-2.0
#include "mutate.h"

#include <string.h>

#include "../base/status.h"
#include "crc.h"

// Access `from[i]` needs at least this position when the one before it is at `before`.
static unsigned least(const unsigned *from, unsigned i, unsigned before) {
  return i == 0 ? from[0] : before + from[i] - from[i - 1];
}

static enum sluice_status check(const unsigned *from, unsigned have, const unsigned *to,
                                unsigned num, struct sluice_error *error) {
  if (have != num)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "the program has %u memory accesses, there are places for %u", have, num);
  for (unsigned i = 0; i < num; i++) {
    const unsigned first = least(from, i, i ? to[i - 1] : 0);
    if (to[i] < first)
      return sluice_fail(
          error, SLUICE_ERR_RANGE,
          "access %u cannot be at position %u: the instructions before it reach to %u", i, to[i],
          first);
  }
  return SLUICE_OK;
}

enum sluice_status active_mutate(const struct active_program *p, struct active_shape shape,
                                 const unsigned *to, unsigned num, struct active_program *out,
                                 struct active_mutation *mutation, struct sluice_error *error) {
  struct active_mutation report = {0};
  struct active_program moved = {0};
  unsigned from[ACTIVE_MAX_INSTRS];
  const unsigned have = active_accesses(p, from);
  SLUICE_TRY(check(from, have, to, num, error));
  const unsigned grown = num ? to[num - 1] - from[num - 1] : 0;
  if (grown > ACTIVE_MAX_INSTRS - p->num)
    return sluice_fail(error, SLUICE_ERR_FULL, "%u instructions and %u NOPs are more than %d",
                       p->num, grown, ACTIVE_MAX_INSTRS);
  for (unsigned i = 0, next = 0; i < p->num; i++) {
    struct active_instr in = p->instrs[i];
    unsigned k;
    if (next < num && i == from[next]) {
      for (; moved.num < to[next]; report.nops++)
        moved.instrs[moved.num++] = (struct active_instr){0, SLUICE_OPCODE_NOP};
      next++;
    } else if (next < num && active_addr(in.opcode, &k) && active_stage(shape, from[next]) == k) {
      const unsigned stage = active_stage(shape, to[next]);
      in.opcode = (uint8_t)(SLUICE_OPCODE_ADDR_MASK_0 + 2 * stage + in.opcode % 2);
    } else if (in.opcode == SLUICE_OPCODE_HASH && !active_numbered(in) &&
               active_stage(shape, i) % ACTIVE_NUM_CRCS !=
                   active_stage(shape, moved.num) % ACTIVE_NUM_CRCS) {
      report.hashes++;
    }
    moved.instrs[moved.num++] = in;
  }
  *out = moved;
  report.num = num;
  if (num) memcpy(report.positions, to, num * sizeof *to);
  if (mutation) *mutation = report;
  return SLUICE_OK;
}

// The first position of a stage that is not below `from`; ACTIVE_MAX_INSTRS: none.
static unsigned reach(struct active_shape shape, unsigned stage, unsigned from) {
  unsigned at = from;
  while (at < ACTIVE_MAX_INSTRS && active_stage(shape, at) != stage) at++;
  return at;
}

enum sluice_status active_mutate_stages(const struct active_program *p, struct active_shape shape,
                                        const unsigned *stages, unsigned num,
                                        struct active_program *out,
                                        struct active_mutation *mutation,
                                        struct sluice_error *error) {
  unsigned from[ACTIVE_MAX_INSTRS], to[ACTIVE_MAX_INSTRS];
  const unsigned have = active_accesses(p, from);
  for (unsigned i = 0; i < num && i < have; i++) {
    to[i] = reach(shape, stages[i], least(from, i, i ? to[i - 1] : 0));
    if (to[i] == ACTIVE_MAX_INSTRS)
      return sluice_fail(error, SLUICE_ERR_RANGE, "access %u cannot reach stage %u", i, stages[i]);
  }
  return active_mutate(p, shape, to, num, out, mutation, error);
}

// ---- a set of stages ----------------------------------------------------------------------------

struct search {
  struct active_shape written, shape;
  unsigned num, from[ACTIVE_MAX_INSTRS];
  unsigned to[ACTIVE_MAX_INSTRS], best[ACTIVE_MAX_INSTRS];
  unsigned last;  // below which the last access must be
  uint32_t set;
};

// The access before `i` that shares its stage in the program; i: none.
static unsigned partner(const struct search *s, unsigned i) {
  const unsigned stage = active_stage(s->written, s->from[i]);
  for (unsigned j = 0; j < i; j++)
    if (active_stage(s->written, s->from[j]) == stage) return j;
  return i;
}

// Access i and those behind it. `used`: stages that the accesses before it have. There are as many
// stages in the set as accesses that need one of their own, so in the end all are used.
static void place(struct search *s, unsigned i, uint32_t used) {
  if (i == s->num) {
    s->last = s->to[s->num - 1];
    memcpy(s->best, s->to, s->num * sizeof *s->to);
    return;
  }
  const unsigned shared = partner(s, i);
  const unsigned behind = s->from[s->num - 1] - s->from[i];
  // A stage comes again within two passes.
  const unsigned first = least(s->from, i, i ? s->to[i - 1] : 0);
  for (unsigned at = first; at < first + 2 * s->shape.stages && at + behind < s->last; at++) {
    const unsigned stage = active_stage(s->shape, at);
    const bool good = shared < i ? stage == active_stage(s->shape, s->to[shared])
                                 : (s->set >> stage & 1) && !(used >> stage & 1);
    if (!good) continue;
    s->to[i] = at;
    place(s, i + 1, used | 1u << stage);
  }
}

enum sluice_status active_mutate_set(const struct active_program *p, struct active_shape written,
                                     struct active_shape shape, uint32_t set,
                                     struct active_program *out, struct active_mutation *mutation,
                                     struct sluice_error *error) {
  struct search s = {.written = written, .shape = shape, .last = ACTIVE_MAX_INSTRS, .set = set};
  unsigned stages = 0, distinct = 0;
  s.num = active_accesses(p, s.from);
  for (unsigned i = 0; i < s.num; i++) distinct += partner(&s, i) == i;
  for (unsigned i = 0; i < 32; i++) stages += set >> i & 1;
  if (stages != distinct)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "the program accesses memory in %u stages, the allocation has %u", distinct,
                       stages);
  if (s.num) place(&s, 0, 0);
  if (s.num && s.last == ACTIVE_MAX_INSTRS)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "no NOPs bring the accesses to the stages %#x of the allocation",
                       (unsigned)set);
  return active_mutate(p, shape, s.best, s.num, out, mutation, error);
}
