// SPDX-License-Identifier: Apache-2.0
// Fast ports and ordered merge: what makes their cases worth it.
#include "../base/bytes.h"
#include "make.h"

unsigned make_fast_dest(struct make *m, unsigned dest) {
  if (!m->config->FastLanes) return dest;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->fast;
  if (chance(m, 40)) dest |= (1u << m->config->NumPorts) - 1;
  m->rng = stream;
  return dest;
}

// Half of the cases have streams that stay empty, also between the beats of a packet.
void make_fast_play(struct make *m) {
  if (!m->config->FastLanes && !m->config->OrderedMerge) return;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->fast;
  m->c->play.idle = chance(m, 50) ? 0.0 : PICK(m, 5, 20, 50, 90) / 100.0;
  m->rng = stream;
}

// Keys that follow one another as a sorted lane has them, with equal ones; the same over the sign
// bit; few values; anything; none at all.
enum kind { SORTED, SIGN, EQUAL, UNSORTED, NUM_KINDS };
enum { KEY_AT = 60 };  // in the shortest packet, too

void make_merge_open(struct make *m) {
  if (!m->config->OrderedMerge) return;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->merge;
  struct fuzz_play *p = &m->c->play;
  const unsigned all = (1u << m->config->NumPipes) - 1;
  p->set.merge_lanes = (int)(chance(m, 50) ? all : pick(m, all + 1));
  p->set.merge_idle = (int)PICK(m, 0, 1, 2, 3, 8, 30, 30, 100, 300, 3000);
  // The operand: mostly a container that the parser fills with the key.
  const bool there = chance(m, 85);
  const unsigned type = PICK(m, SLUICE_TYPE_B4, SLUICE_TYPE_B4, SLUICE_TYPE_B2, SLUICE_TYPE_B6);
  p->set.merge_key =
      (int)(there ? type << SLUICE_OPERAND_KIND_LSB | pick_container(m, type) : pick_operand(m));
  m->merge_at = there ? KEY_AT : 0;
  m->merge_kind = (unsigned)PICK(m, SORTED, SORTED, SORTED, SIGN, EQUAL, UNSORTED);
  m->merge_value = m->merge_kind == SIGN     ? 0x7fffff00u + pick(m, 256)
                   : m->merge_kind == SORTED ? pick(m, 1000)
                                             : 0;
  m->rng = stream;
}

// The last action wins. What a module's front stages make of it is up to them.
void make_merge_parser(struct make *m, uint8_t *entry) {
  if (!m->config->OrderedMerge || !m->merge_at) return;
  const unsigned key = (unsigned)m->c->play.set.merge_key,
                 type = key >> SLUICE_OPERAND_KIND_LSB & 3,
                 bytes = type == SLUICE_TYPE_B2   ? 2
                         : type == SLUICE_TYPE_B4 ? 4
                                                  : 6;
  uint8_t *action = entry + 2 * (m->config->ParseActions - 1);
  SLUICE_SETS(action, PARSE_ACTION, (METADATA, 0), (OFFSET, m->merge_at + 4 - bytes), (KIND, type),
              (IDX, key & 7), (VALID, 1));
}

void make_merge_play(struct make *m) {
  if (!m->config->OrderedMerge) return;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->merge;
  // Lanes that go idle have few flows, or packets far between.
  if (chance(m, 40)) m->c->play.hash_lanes = true;
  if (chance(m, 30)) m->c->play.by_time = true;
  m->rng = stream;
}

void make_merge_packet(struct make *m, uint8_t *frame) {
  if (!m->config->OrderedMerge || !m->merge_at) return;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->merge;
  if (m->merge_kind == UNSORTED) m->merge_value = pick_value(m);
  else if (m->merge_kind == EQUAL) m->merge_value = pick(m, 3);
  else m->merge_value += PICK(m, 0, 0, 1, 1, 2, 5);
  // Now and then one that breaks the order of its lane.
  sluice_put32(frame + m->merge_at, chance(m, 2) ? m->merge_value - pick(m, 20) : m->merge_value);
  m->rng = stream;
}
