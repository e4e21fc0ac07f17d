// SPDX-License-Identifier: Apache-2.0
// Recirculation, in a chip that has it: who may, how often, and who asks for it.
#include "make.h"

// Few rounds: each packet may pass so often.
static unsigned pick_rounds(struct make *m) {
  return chance(m, 15) ? 0 : 1 + pick(m, chance(m, 80) ? 3 : 8);
}

void make_module_again(struct make *m, const struct make_module *module) {
  if (!m->config->Recirculation) return;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->again;
  if (chance(m, 85)) {
    uint8_t *e = make_add(m, SLUICE_TABLE_RECIRCULATE, 0, module->entry)->bytes;
    const bool plenty = chance(m, 50);
    SLUICE_SET(e, RECIRCULATE, ROUNDS, pick_rounds(m));
    SLUICE_SETS(e, RECIRCULATE, (BURST, plenty ? 255 : PICK(m, 0, 1, 2, 8, 64)),
                (RATE, plenty ? 65535 : PICK(m, 0, 16, 256, 1024, 4096)));
  }
  m->rng = stream;
}

unsigned make_again_dest(struct make *m, unsigned dest) {
  if (!m->config->Recirculation || m->config->NumPorts >= 8) return dest;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->again;
  const unsigned port = 1u << m->config->NumPorts, what = pick(m, 100);
  m->rng = stream;
  return what < 15 ? port : what < 30 ? dest | port : dest;
}

unsigned make_again_rounds(struct make *m) {
  if (!m->config->Recirculation) return 0;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->again;
  const unsigned rounds = pick_rounds(m);
  m->rng = stream;
  return rounds;
}
