// SPDX-License-Identifier: Apache-2.0
// One processor does all that controls the chip, one thing after the other: a dialogue, a change of
// tenants' memory, an update. Its time is shared as that of the chip is: each has slots of its own,
// whether or not it is alone, and begins nothing that may not end in its slot. So nobody waits
// longer for it together than alone. (--greedy: whoever comes is served at once, in turns.)
#include "../../base/status.h"
#include "five.h"

// Example: of 26,000 cycles a dialogue may begin in the first 1,000 (it takes up to 4,000 of its
// slot of 5,000), a change of memory from 5,000 to 6,500.
struct slot {
  enum five_system system;
  unsigned cycles, most;  // most: that one thing of the system takes
};
static const struct slot slots[] = {{FIVE_REACTION, 5000, 4000},
                                    {FIVE_TENANTS, 9000, 7500},
                                    {FIVE_REACTION, 5000, 4000},
                                    {FIVE_UPDATE, 7000, 6000}};
enum { SLOTS = sizeof slots / sizeof *slots };

// Whether a system may begin something now; *end: when its slot ends, else when the next one does.
static bool may_begin(const struct five_run *run, enum five_system system, uint64_t *end) {
  unsigned frame = 0;
  *end = UINT64_MAX;
  if (run->options->greedy) return true;
  for (unsigned s = 0; s < SLOTS; s++) frame += slots[s].cycles;
  uint64_t at = (run->net->now - run->start) / frame * frame + run->start;
  for (unsigned s = 0; s < SLOTS; at += slots[s++].cycles) {
    if (run->net->now < at || run->net->now >= at + slots[s].cycles) continue;
    *end = at + slots[s].cycles;
    return slots[s].system == system && run->net->now + slots[s].most <= *end;
  }
  return false;
}

enum sluice_status five_control(struct five_run *run, struct sluice_error *error) {
  const struct five_options *o = run->options;
  struct five_net *n = run->net;
  uint64_t next = run->has[FIVE_UPDATE] ? run->start + o->update_every / 2 : UINT64_MAX, end;
  while (n->now < n->end) {
    const uint64_t before = n->now;
    enum five_system what = FIVE_TENANTS;
    bool did = false;
    if (n->now < run->start) {
      SLUICE_TRY(five_net_turn(n, FIVE_TURN, error));
      continue;
    }
    if (n->now >= next && may_begin(run, FIVE_UPDATE, &end)) {
      SLUICE_TRY(five_traffic_update(run, error));
      what = FIVE_UPDATE;
      next += o->update_every;
    } else if (may_begin(run, FIVE_REACTION, &end) && !(o->greedy && run->reacted)) {
      SLUICE_TRY(five_reaction_step(run, &did, error));
      run->reacted = true;
      what = FIVE_REACTION;
    } else {
      // All that has come, up to the first one that changes the chip: others take no time.
      const bool may_change = may_begin(run, FIVE_TENANTS, &end);
      for (did = true; did && n->now == before;)
        SLUICE_TRY(five_tenants_step(run, may_change, &did, error));
      run->reacted = false;
    }
    run->overrun += n->now > end;
    if (n->now - before > run->longest[what]) run->longest[what] = n->now - before;
    if (n->now == before) SLUICE_TRY(five_net_turn(n, FIVE_TURN, error));
  }
  return SLUICE_OK;
}
