// SPDX-License-Identifier: Apache-2.0
#include "loop.h"

#include "lib/trace_loop.h"

// The loop counts packets from 0, all else from 1.

void loop_admitted(struct run *run, const struct sluice_checker_admitted *a) {
  struct sluice_trace_loop *loop = player_loop(run->player);
  if (!loop) return;
  for (unsigned s = 0; s < run->config->BackStages; s++)
    if (a->result->access[s].resolved && a->result->access[s].pipe != a->lane &&
        !run->error.text[0])
      sluice_fail(&run->error, SLUICE_ERR_RANGE,
                  "packet %llu in lane %u needs state of pipeline %u in stage %u: no pass may",
                  (unsigned long long)a->number, a->lane, a->result->access[s].pipe, s);
  sluice_trace_loop_admitted(loop, a->number - 1);
}

void loop_sent(struct run *run, const struct sluice_checker_sent *sent) {
  player_left(run->player, sent->number, run->cycle, sent->bytes, sent->len);
}

void loop_dropped(struct run *run, const struct sluice_checker_dropped *d) {
  struct sluice_trace_loop *loop = player_loop(run->player);
  if (loop) sluice_trace_loop_lost(loop, d->number - 1);
}

json_t *loop_json(struct run *run) {
  struct sluice_trace_loop *loop = player_loop(run->player);
  struct sluice_trace_loop_counts c;
  if (!loop) return NULL;
  if (!sluice_trace_loop_count(loop, &c))
    sluice_fail(&run->error, SLUICE_ERR_NOMEM, "out of memory for counts of passes");
  const double packets = c.packets ? (double)c.packets : 1.0;
  return json_pack(
      "{s:I s:I s:I s:I s:f s:I s:I s:I s:I s:f s:I s:I s:I}", "packets", (json_int_t)c.packets,
      "done", (json_int_t)c.done, "lost", (json_int_t)c.lost, "passes", (json_int_t)c.passes,
      "passes_per_packet", (double)c.passes / packets, "most_passes", (json_int_t)c.most_passes,
      "accesses", (json_int_t)c.accesses, "c1_accesses", (json_int_t)c.c1_accesses,
      "c1_late_packets", (json_int_t)c.c1_late, "c1_late_share", (double)c.c1_late / packets,
      "c1_early_packets", (json_int_t)c.c1_early, "reordered_in_flows", (json_int_t)c.reordered,
      "reordered_in_flows_of_a_lane", (json_int_t)c.reordered_of_a_lane);
}
