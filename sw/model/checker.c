// SPDX-License-Identifier: Apache-2.0
// Life of a checker, and its end of run.
#include "checker.h"

#include <stdlib.h>
#include <string.h>

#include "monitor.h"

struct sluice_checker *sluice_checker_open(const struct sluice_config *config,
                                           const struct sluice_checker_hooks *hooks) {
  struct sluice_checker *ck = calloc(1, sizeof *ck);
  if (!ck) return NULL;
  ck->model = sluice_model_open(config);
  ck->capacity = 1024;
  ck->inside = calloc(ck->capacity, sizeof(struct monitor_packet *));
  ck->slots = calloc((size_t)config->StateStages * config->StateEntries, sizeof *ck->slots);
  if (ck->model) ck->config = sluice_model_config(ck->model);
  if (!ck->model || !ck->inside || !ck->slots || !monitor_counts_open(ck) ||
      !monitor_keys_open(ck) || !monitor_egress_open(ck)) {
    sluice_checker_close(ck);
    return NULL;
  }
  if (hooks) ck->hooks = *hooks;
  ck->tag_mask = 4 * config->Window - 1;
  ck->report.first_beat_in = UINT64_MAX;
  ck->report.first.packet = UINT64_MAX;
  return ck;
}

static void drain(struct monitor_queue *q) {
  for (struct monitor_packet *p = monitor_pop(q); p; p = monitor_pop(q)) free(p);
}

void sluice_checker_close(struct sluice_checker *ck) {
  if (!ck) return;
  for (unsigned l = 0; l < MONITOR_LANES; l++) {
    drain(&ck->lane[l].judged);
    drain(&ck->lane[l].waiting);
  }
  monitor_wires_close(ck);
  monitor_again_close(ck);
  monitor_egress_close(ck);
  for (uint64_t t = ck->oldest; t < ck->next_ticket; t++) free(ck->inside[t & (ck->capacity - 1)]);
  monitor_marks_close(ck);
  monitor_counts_close(ck);
  monitor_keys_close(ck);
  reference_close(ck);
  sluice_model_close(ck->model);
  free(ck->inside);
  free(ck->slots);
  free(ck);
}

void sluice_checker_watch(struct sluice_checker *ck, const struct sluice_checker_watch *watch) {
  ck->watch = *watch;
}

const struct sluice_model *sluice_checker_model(const struct sluice_checker *ck) {
  return ck->model;
}

void sluice_checker_state_entry(struct sluice_checker *ck, unsigned row, unsigned stage,
                                unsigned index, uint32_t s1, uint32_t s2) {
  MONITOR_EVENT(ck, STATE_ENTRY, row, stage, index, s1, s2);
  uint32_t e1 = 0, e2 = 0;
  if (!reference_state(ck, row, stage, index, &e1, &e2)) {
    monitor_differ(ck, NULL, monitor_text("state stage %u index %u", stage, index),
                   monitor_text("none in the segment of row %u", row), monitor_text("an entry"));
    return;
  }
  ck->report.state_entries++;
  const uint32_t expected[2] = {e1, e2}, got[2] = {s1, s2};
  for (unsigned w = 0; w < 2; w++)
    if (expected[w] != got[w])
      monitor_differ(ck, NULL, monitor_text("state stage %u index %u word %u", stage, index, w + 1),
                     monitor_text("0x%08x (row %u)", (unsigned)expected[w], row),
                     monitor_text("0x%08x", (unsigned)got[w]));
}

void sluice_checker_state_row(struct sluice_checker *ck, unsigned row, unsigned stage,
                              unsigned index, const uint32_t *words) {
  uint8_t held[4 * SLUICE_MODEL_WORDS];
  const struct monitor_bytes got = monitor_words(held, words, ck->config->ArrayWords);
  MONITOR_EVENT_BYTES(ck, STATE_ROW, got.bytes, got.len, row, stage, index);
  uint32_t expected[SLUICE_MODEL_WORDS];
  if (!reference_row(ck, row, stage, index, expected)) {
    monitor_differ(ck, NULL, monitor_text("row of words, stage %u index %u", stage, index),
                   monitor_text("none in the segment of row %u", row), monitor_text("one"));
    return;
  }
  ck->report.state_words += ck->config->ArrayWords;
  for (unsigned w = 0; w < ck->config->ArrayWords; w++)
    if (expected[w] != words[w])
      monitor_differ(ck, NULL,
                     monitor_text("row of words, stage %u index %u word %u", stage, index, w),
                     monitor_text("0x%08x (row %u)", (unsigned)expected[w], row),
                     monitor_text("0x%08x", (unsigned)words[w]));
}

uint32_t sluice_checker_faults(const struct sluice_checker *ck, unsigned id) {
  return reference_faults(ck, id);
}

void monitor_counter(struct sluice_checker *ck, const char *name, uint64_t expected, uint64_t got) {
  if (expected != got)
    monitor_differ(ck, NULL, monitor_text("%s", name),
                   monitor_text("%llu", (unsigned long long)expected),
                   monitor_text("%llu", (unsigned long long)got));
}

void sluice_checker_counter(struct sluice_checker *ck, const char *name, uint64_t expected,
                            uint64_t got) {
  MONITOR_EVENT_BYTES(ck, COUNTER, name, strlen(name), expected, got);
  monitor_counter(ck, name, expected, got);
}

bool sluice_checker_idle(const struct sluice_checker *ck) {
  for (unsigned l = 0; l < ck->config->NumPipes; l++) {
    const struct monitor_lane *lane = &ck->lane[l];
    if (lane->judged.head || lane->waiting.head || lane->rx.open || lane->tx.open ||
        lane->order.valid)
      return false;
  }
  return ck->oldest == ck->next_ticket && monitor_wires_idle(ck) && monitor_again_idle(ck);
}

// The story of a packet that is still inside ends here.
static void lose(const struct sluice_checker *ck, const struct monitor_packet *p) {
  if (p->story) ck->watch.ended(p->story, true);
}

void sluice_checker_finish(struct sluice_checker *ck) {
  MONITOR_EVENT(ck, FINISH, 0);
  monitor_marks_finish(ck);
  monitor_cut_finish(ck);
  monitor_wires_finish(ck);
  for (unsigned l = 0; l < ck->config->NumPipes; l++) {
    const struct monitor_lane *lane = &ck->lane[l];
    for (const struct monitor_packet *p = lane->judged.head; p; p = p->next) {
      lose(ck, p);
      monitor_differ(ck, p, monitor_text("verdict of lane %u", l), monitor_text("one"),
                     monitor_text("none, it is lost"));
    }
    for (const struct monitor_packet *p = lane->waiting.head; p; p = p->next) {
      lose(ck, p);
      monitor_differ(ck, p, monitor_text("order point, lane %u", l),
                     monitor_text("admitted or dropped"), monitor_text("neither, it is lost"));
    }
    for (const struct monitor_packet *p = lane->again.packets.head; p; p = p->next)
      monitor_differ(ck, p, monitor_text("recirculation, lane %u", l),
                     monitor_text("a further pass"), monitor_text("none, it is lost"));
    if (lane->tx.open)
      monitor_differ(ck, NULL, monitor_text("output lane %u", l), monitor_text("a last beat"),
                     monitor_text("none"));
  }
  for (uint64_t t = ck->oldest; t < ck->next_ticket; t++) {
    const struct monitor_packet *p = monitor_inside(ck, t);
    if (p) lose(ck, p);
    if (p && !p->exited)
      monitor_differ(ck, p, monitor_text("ticket %llu", (unsigned long long)t),
                     monitor_text("at a deparser"), monitor_text("nowhere, it is lost"));
    else if (p)
      monitor_differ(ck, p, monitor_text("port set 0x%llx", (unsigned long long)p->to_send),
                     monitor_text("a copy for each"), monitor_text("none, it is lost"));
  }
}
