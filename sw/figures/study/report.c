// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <jansson.h>

#include "../../base/json.h"
#include "study.h"

const char *const study_hold_names[STUDY_HOLDS] = {"pace",   "brake",  "depth",
                                                   "credit", "window", "lane"};

static double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

void study_print(const struct study_result *r, FILE *out) {
  if (r->stuck)
    fprintf(out, "STUCK: %" PRIu64 " of %" PRIu64 " packets left in %" PRIu64 " cycles\n", r->left,
            r->packets, r->cycles);
  else
    fprintf(out, "throughput  %.4f, less the constant latency %.4f\n", study_throughput(r),
            study_throughput_net(r));
  fprintf(out, "mode        %s, %" PRIu32 " pipelines, %" PRIu32 " stages\n",
          study_mode_names[r->options.mode], r->lanes, r->stages);
  fprintf(out, "packets     %" PRIu64 " in %" PRIu64 " cycles, dropped %" PRIu64 "\n", r->packets,
          r->cycles, r->dropped);
  if (r->overload)
    fprintf(out, "overload    %" PRIu64 " of them dropped at the order point\n", r->overload);
  fprintf(out, "latency     mean %.1f, least %" PRIu64 " cycles\n", r->mean_latency, r->constant);
  fprintf(out, "deepest     order queue %" PRIu32 ", lane %" PRIu32 "\n", r->deepest_queue,
          r->deepest_lane);
  fprintf(out, "moves       %" PRIu64 ", escapes %" PRIu64 ", recirculations %" PRIu64 "\n",
          r->moves, r->escapes, r->recirculations);
  fprintf(out, "C1 broken   %" PRIu64 " accesses, by %" PRIu64 " packets (%.1f %%)\n",
          r->c1_accesses, r->c1_packets, percent(r->c1_packets, r->packets));
  fprintf(out, "cycles held");
  for (int i = 0; i < STUDY_HOLDS; i++)
    fprintf(out, "%s %s %" PRIu64, i ? "," : "", study_hold_names[i], r->held[i]);
  fprintf(
      out,
      "\n\nslots, %%    accesses   used  nothing  order  credit   move   held  deepest  moves\n");
  uint64_t slots = r->cycles * r->lanes;
  for (uint32_t s = 0; s < r->stages; s++) {
    const struct study_stage *g = &r->stage[s];
    fprintf(out,
            "stage %-3" PRIu32 " %11" PRIu64 " %6.2f %8.2f %6.2f %7.2f %6.2f %6.2f %8" PRIu32
            " %6" PRIu64 "\n",
            s, g->accesses, percent(g->used, slots), percent(g->nothing, slots),
            percent(g->order, slots), percent(g->credit, slots), percent(g->move, slots),
            percent(g->held, r->cycles), g->deepest, g->moves);
  }
}

static json_t *whole(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *options_json(const struct study_options *o) {
  json_t *object = json_object();
  for (const struct study_option *row = study_option_table; row->name; row++)
    json_object_set_new(object, row->name, json_integer(study_value(o, row)));
  return object;
}

static json_t *stage_json(const struct study_stage *g) {
  json_t *object = json_object();
  SLUICE_JSON_INTS(object, ("accesses", g->accesses), ("used", g->used), ("nothing", g->nothing),
                   ("order", g->order), ("credit", g->credit), ("move", g->move), ("held", g->held),
                   ("beside", g->beside), ("deepest_queue", g->deepest), ("moves", g->moves));
  return object;
}

bool study_print_json(const struct study_result *r, FILE *out) {
  json_t *root = json_object(), *held = json_object(), *stages = json_array();
  for (int i = 0; i < STUDY_HOLDS; i++)
    json_object_set_new(held, study_hold_names[i], whole(r->held[i]));
  for (uint32_t s = 0; s < r->stages; s++) json_array_append_new(stages, stage_json(&r->stage[s]));
  json_object_set_new(root, "mode", json_string(study_mode_names[r->options.mode]));
  json_object_set_new(root, "stuck", json_boolean(r->stuck));
  json_object_set_new(root, "throughput", json_real(study_throughput(r)));
  json_object_set_new(root, "throughput_net", json_real(study_throughput_net(r)));
  SLUICE_JSON_INTS(root, ("pipelines", r->lanes), ("cycles", r->cycles), ("last_in", r->last_in),
                   ("last_out", r->last_out), ("packets", r->packets), ("left", r->left),
                   ("dropped", r->dropped), ("overload", r->overload),
                   ("constant_latency", r->constant));
  json_object_set_new(root, "mean_latency", json_real(r->mean_latency));
  SLUICE_JSON_INTS(root, ("deepest_queue", r->deepest_queue), ("deepest_lane", r->deepest_lane),
                   ("moves", r->moves), ("escapes", r->escapes),
                   ("recirculations", r->recirculations), ("c1_accesses", r->c1_accesses),
                   ("c1_packets", r->c1_packets));
  json_object_set_new(root, "held", held);
  json_object_set_new(root, "stages", stages);
  json_object_set_new(root, "options", options_json(&r->options));
  bool good = root && json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) == 0;
  json_decref(root);
  if (good) fputc('\n', out);
  return good;
}
