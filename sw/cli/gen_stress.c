// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "../base/number.h"
#include "cli.h"

struct cli_stress cli_stress_defaults(void) {
  struct sluice_stress_options o = sluice_stress_defaults();
  return (struct cli_stress){.pipelines = o.lanes,
                             .entries = o.entries,
                             .cycles = o.cycles,
                             .stages = o.stages,
                             .ports = o.ports,
                             .every = o.every,
                             .pattern = sluice_stress_patterns[0],
                             .stateful = "2,5,9,13"};
}

// "2,5,9,13"; "none" for no state.
static bool read_stateful(const char *text, struct sluice_stress_options *o) {
  o->num_stateful = 0;
  if (strcmp(text, "none") == 0) return true;
  for (const char *at = text;; at++) {
    const char *end = at;
    uint64_t stage;
    if (!sluice_number_next(&end, 0, SLUICE_TRACE_STAGES - 1, &stage) || (*end && *end != ',') ||
        o->num_stateful == SLUICE_TRACE_ACCESSES) {
      cli_error("--stateful: '%s' is not a list of up to %d stages, from 0 to %d, like 2,5,9,13",
                text, SLUICE_TRACE_ACCESSES, SLUICE_TRACE_STAGES - 1);
      return false;
    }
    o->stateful[o->num_stateful++] = (uint32_t)stage;
    if (!*end) return true;
    at = end;
  }
}

static bool read_options(const struct cli_stress *from, const struct cli_traffic *traffic,
                         struct sluice_stress_options *o) {
  *o = sluice_stress_defaults();
  o->lanes = (uint32_t)from->pipelines;
  o->entries = (uint32_t)from->entries;
  o->cycles = (uint32_t)from->cycles;
  o->stages = (uint32_t)from->stages;
  o->ports = (uint32_t)from->ports;
  o->every = (uint32_t)from->every;
  o->seed = traffic->seed;
  o->load = traffic->load;
  if (traffic->zipf >= 0) o->zipf = traffic->zipf;
  if (!read_stateful(from->stateful, o)) return false;
  if (strcmp(traffic->size, "bimodal") != 0) {
    unsigned bytes;
    if (!sluice_unsigned_in(traffic->size, 64, 9216, &bytes)) {
      cli_error("--size: '%s' is no number from 64 to 9216, as a stress trace needs it%s",
                traffic->size, sluice_number_hint(traffic->size));
      return false;
    }
    o->bytes = bytes;
  }
  for (unsigned i = 0; i < 3; i++) {
    o->pattern = (enum sluice_stress_pattern)i;
    if (strcmp(from->pattern, sluice_stress_patterns[i]) == 0) return true;
  }
  cli_error("--pattern: '%s' is none of stress, hot-swap, burst", from->pattern);
  return false;
}

int cli_gen_stress(const struct cli_stress *from, const struct cli_traffic *traffic) {
  struct sluice_stress_options o;
  struct sluice_trace trace;
  struct sluice_error error;
  if (!read_options(from, traffic, &o)) return CLI_USAGE;
  enum sluice_status status = sluice_stress_make(&trace, &o, &error);
  if (status) {
    cli_error("%s", error.text);
    return status == SLUICE_ERR_RANGE ? CLI_USAGE : CLI_WORLD;
  }
  int code = CLI_DONE;
  if (!cli_make_folder(from->dir)) {
    code = CLI_WORLD;
  } else if (sluice_trace_save(&trace, from->dir, &error)) {
    cli_error("%s", error.text);
    code = CLI_WORLD;
  } else {
    const char *first[] = {"flows", trace.pattern};
    for (int i = 0; i < 2; i++) {
      char path[4096];
      if (sluice_trace_path(&trace, from->dir, first[i], path, sizeof path)) puts(path);
    }
  }
  sluice_trace_release(&trace);
  return code;
}
