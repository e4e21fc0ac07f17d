// SPDX-License-Identifier: Apache-2.0
// Monitor of the ordered merge (docs/machine.md): the place of packets of merged lanes, from their
// arrival times and keys alone.
#include "machine.h"
#include "monitor.h"

void sluice_checker_merge(struct sluice_checker *ck, unsigned lanes, unsigned key, unsigned idle) {
  MONITOR_EVENT(ck, MERGE, lanes, key, idle);
  struct monitor_merge *g = &ck->merge;
  g->lanes = lanes & ((1u << ck->config->NumPipes) - 1);
  g->key = key;
  g->idle = idle;
}

// The operand MERGE.KEY; a container that the chip does not have is the constant 0.
static struct model_operand operand_of(const struct sluice_checker *ck) {
  const uint64_t word = ck->merge.key;
  const struct model_operand o = {.type = (uint8_t)FIELD(&word, OPERAND, KIND),
                                  .index = (uint8_t)FIELD(&word, OPERAND, IDX)};
  const unsigned have = o.type == SLUICE_TYPE_B2   ? ck->config->Num2B
                        : o.type == SLUICE_TYPE_B4 ? ck->config->Num4B
                        : o.type == SLUICE_TYPE_B6 ? ck->config->Num6B
                                                   : 8;
  return o.index < have ? o : (struct model_operand){.type = SLUICE_TYPE_CONST};
}

void monitor_merge_arrives(struct sluice_checker *ck, struct monitor_packet *p) {
  struct monitor_merge *g = &ck->merge;
  if (!ck->config->OrderedMerge || !(g->lanes >> p->lane & 1)) return;
  p->placed = false;
  if (!g->next[p->lane]) g->next[p->lane] = p;
  // Whether the filter has dropped it is not known around a change, nor when it may be above its
  // rate: then nothing is said of the order until all have their places; above a rate, which may
  // last, until no packet has waited for so long that all lanes are idle, whatever came before.
  const uint32_t passes = 1u << SLUICE_DROP_NONE;
  if (p->verdicts & (p->verdicts - 1)) {
    g->unsure = true;
    g->above_rate |= (p->verdicts & 1u << SLUICE_DROP_RATE) != 0;
  }
  p->merge_dropped = !(p->verdicts & passes);
  if (p->merge_dropped) return;
  const struct sluice_model_packet packet = monitor_model_packet(p);
  struct sluice_model_phv phv;
  reference_mute(ck, true);
  p->merge_dropped = model_front(ck->model, &packet, &phv) != SLUICE_DROP_NONE;
  reference_mute(ck, false);
  if (!p->merge_dropped) p->merge_key = model_read32(&phv, operand_of(ck));
}

void monitor_merge_disposed(struct sluice_checker *ck, const struct monitor_packet *p) {
  if (ck->merge.next[p->lane] == p) ck->merge.next[p->lane] = p->next;
}

static void place(struct sluice_checker *ck, struct monitor_packet *p, uint64_t time) {
  struct monitor_merge *g = &ck->merge;
  p->placed = true;
  p->place = time;
  p->unsure = g->unsure;
  g->next[p->lane] = p->next;
  if (p->merge_dropped) return;
  ck->report.merged++;
  if (g->above_rate || g->guess) ck->report.merge_maybe_late++;
  else if (g->any && p->merge_key < g->last_key) ck->report.merge_late++;
  g->any = true;
  g->guess = g->above_rate;
  g->last_key = p->merge_key;
}

// Time `time` of arrivals: at most one packet gets its place.
static void step(struct sluice_checker *ck, uint64_t time) {
  enum { BOUND = 65535 };
  struct monitor_merge *g = &ck->merge;
  struct monitor_packet *least = NULL, *due = NULL, *first[MONITOR_LANES] = {NULL};
  bool waits = false;
  for (unsigned l = 0; l < ck->config->NumPipes; l++) {
    struct monitor_packet *p = g->next[l];
    if (p && p->arrival > time) p = NULL;
    // A lane that never had a packet has been empty for ever.
    if (!time) g->empty[l] = UINT32_MAX;
    if (p) g->empty[l] = 0;
    else if (g->empty[l] < UINT32_MAX) g->empty[l]++;
    if (!(g->lanes >> l & 1)) continue;
    first[l] = p;
    if (!p) waits |= g->empty[l] < g->idle;
    else if (!least || p->merge_key < least->merge_key) least = p;
    if (p && p->merge_passed >= BOUND && !due) due = p;
  }
  if (due) least = due;
  if (least && !waits) {
    for (unsigned l = 0; l < ck->config->NumPipes; l++)
      if (first[l] && first[l] != least) first[l]->merge_passed++;
    place(ck, least, time);
  }
  bool any = g->above_rate;
  for (unsigned l = 0; l < ck->config->NumPipes; l++) any |= g->next[l] != NULL;
  g->unsure &= any;
}

void monitor_merge_cycle(struct sluice_checker *ck) {
  if (!ck->config->OrderedMerge) return;
  // Up to the last time of which all verdicts are known.
  uint64_t end = ck->now + 1;
  for (unsigned l = 0; l < ck->config->NumPipes; l++) {
    const struct monitor_packet *p = ck->lane[l].judged.head;
    if (p && p->arrival < end) end = p->arrival;
  }
  struct monitor_merge *g = &ck->merge;
  for (; g->time < end; g->time++) step(ck, g->time);
  bool waits = false;
  for (unsigned l = 0; l < ck->config->NumPipes; l++)
    waits |= g->next[l] || ck->lane[l].num_waiting;
  if (waits) g->busy = ck->now;
  else if (ck->now > g->busy + g->idle + SLUICE_CHECKER_SETTLE) g->unsure = g->above_rate = false;
}
