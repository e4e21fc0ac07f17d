// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>

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
  json_object_set_new(object, "accesses", whole(g->accesses));
  json_object_set_new(object, "used", whole(g->used));
  json_object_set_new(object, "nothing", whole(g->nothing));
  json_object_set_new(object, "order", whole(g->order));
  json_object_set_new(object, "credit", whole(g->credit));
  json_object_set_new(object, "move", whole(g->move));
  json_object_set_new(object, "held", whole(g->held));
  json_object_set_new(object, "beside", whole(g->beside));
  json_object_set_new(object, "deepest_queue", whole(g->deepest));
  json_object_set_new(object, "moves", whole(g->moves));
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
  json_object_set_new(root, "pipelines", whole(r->lanes));
  json_object_set_new(root, "cycles", whole(r->cycles));
  json_object_set_new(root, "last_in", whole(r->last_in));
  json_object_set_new(root, "last_out", whole(r->last_out));
  json_object_set_new(root, "packets", whole(r->packets));
  json_object_set_new(root, "left", whole(r->left));
  json_object_set_new(root, "dropped", whole(r->dropped));
  json_object_set_new(root, "overload", whole(r->overload));
  json_object_set_new(root, "constant_latency", whole(r->constant));
  json_object_set_new(root, "mean_latency", json_real(r->mean_latency));
  json_object_set_new(root, "deepest_queue", whole(r->deepest_queue));
  json_object_set_new(root, "deepest_lane", whole(r->deepest_lane));
  json_object_set_new(root, "moves", whole(r->moves));
  json_object_set_new(root, "escapes", whole(r->escapes));
  json_object_set_new(root, "recirculations", whole(r->recirculations));
  json_object_set_new(root, "c1_accesses", whole(r->c1_accesses));
  json_object_set_new(root, "c1_packets", whole(r->c1_packets));
  json_object_set_new(root, "held", held);
  json_object_set_new(root, "stages", stages);
  json_object_set_new(root, "options", options_json(&r->options));
  bool good = root && json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) == 0;
  json_decref(root);
  if (good) fputc('\n', out);
  return good;
}
