// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

// A lane takes a packet a cycle from the pipelines, in turn. It left the last stage a hop ago.
void study_exit(struct study_machine *m) {
  struct study_list *come = study_due(m, EVENT_EXIT, 0);
  for (uint32_t i = 0; i < come->num; i++)
    m->exit[come->items[i].to * m->K + come->items[i].source]++;
  come->num = 0;
  for (uint32_t lane = 0; m->leaving_exit && lane < m->K; lane++) {
    uint32_t pipe = m->K;
    for (uint32_t j = m->K; j > 0; j--) {
      uint32_t d = (m->exit_turn[lane] + j) % m->K;
      if (m->exit[lane * m->K + d]) pipe = d;
    }
    if (pipe == m->K) continue;
    m->exit[lane * m->K + pipe]--;
    m->exit_turn[lane] = pipe;
    m->leaving_exit--;
    uint64_t out = (uint64_t)(m->t - m->o.hop);
    if (out > m->result->last_out) m->result->last_out = out;
    study_later(m, EVENT_FREED, m->o.credit,
                (struct study_event){
                    .stage = (uint8_t)m->S, .pipe = (uint8_t)lane, .source = (uint8_t)pipe});
  }
}
