// SPDX-License-Identifier: Apache-2.0
// Cuts at any time, in a chip that has them: of one module, several or all, one after the other,
// some begun before the last one has ended or ended before it is ready, with indices at home and
// not. Reads of them come with the marks, too.
#include "make.h"

enum { EACH = 600 };  // cycles

static unsigned pick_rows(struct make *m) {
  unsigned rows = 0;
  if (chance(m, 15)) return 0xffffffffu;
  for (unsigned n = chance(m, 50) ? 1 : 1 + pick(m, m->num_modules); n; n--)
    rows |= 1u << m->modules[pick(m, m->num_modules)].row;
  // A row without a module is cut as well.
  if (chance(m, 5)) rows |= 1u << pick(m, m->config->NumModules);
  return rows;
}

static void add(struct make *m, const struct job_cut *cut) {
  if (m->c->num_cuts < FUZZ_CUTS) m->c->cuts[m->c->num_cuts++] = *cut;
}

void make_cuts(struct make *m) {
  const uint64_t cycles = make_traffic_cycles(m->c);
  // One takes some hundred cycles from the recall to the end: most are to be over before the
  // traffic is.
  const unsigned most = PICK(m, 2, 5, 10, 20),
                 fit = (unsigned)(cycles / EACH < most ? cycles / EACH : most) + 1;
  const unsigned num = chance(m, 85) ? fit : most;
  const unsigned every = (unsigned)((cycles < 1000000 ? cycles : 1000000) / num / 2) + 1;
  const unsigned careful =
      PICK(m, 100, 90, 50);  // percent of the writes that wait until they are allowed
  uint64_t at = 0;
  // All of it is drawn in one order, whatever is used: calls within an expression have none.
  for (unsigned n = 0; n < num; n++) {
    struct job_cut cut = {.at = at += pick(m, every) + 1};
    cut.rows = chance(m, 97) ? pick_rows(m) : 0;
    cut.wait = chance(m, careful);
    cut.home = chance(m, 60);
    cut.read = chance(m, 40);
    cut.fill = chance(m, 30);
    add(m, &cut);
    const bool hurry = chance(m, 10);
    struct job_cut end = {.at = at += hurry ? pick(m, 20) : pick(m, every)};
    end.wait = chance(m, careful);
    end.read = chance(m, 60);
    if (chance(m, 90)) add(m, &end);
    if (chance(m, 5)) add(m, &end);
    if (hurry) at += pick(m, 3);
  }
  if (!m->c->marking.num && chance(m, 60)) m->c->play.set.move_period = (int)PICK(m, 30, 40, 64);
}
