// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "../base/number.h"
#include "cli.h"

struct cli_traffic cli_traffic_defaults(void) {
  struct sluice_traffic_options o = sluice_traffic_defaults();
  return (struct cli_traffic){.packets = o.packets,
                              .flows = o.flows,
                              .seed = o.seed,
                              .size = "bimodal",
                              .zipf = -1.0,
                              .load = o.load,
                              .rate = o.rate_gbps};
}

bool cli_traffic_options(const struct cli_traffic *from, struct sluice_traffic_options *to) {
  *to = sluice_traffic_defaults();
  to->packets = from->packets;
  to->flows = (unsigned)from->flows;
  to->seed = from->seed;
  to->load = from->load;
  to->rate_gbps = from->rate;
  to->random_gaps = from->random_gaps;
  to->ect = from->ect;
  const char *mix = from->mix ? from->mix : from->zipf >= 0 ? "zipf" : "websearch";
  if (strcmp(mix, "websearch") == 0) {
    to->mix = SLUICE_FLOWS_WEBSEARCH;
  } else if (strcmp(mix, "zipf") == 0) {
    to->mix = SLUICE_FLOWS_ZIPF;
    to->zipf = from->zipf >= 0 ? from->zipf : 1.0;
  } else if (strcmp(mix, "uniform") == 0) {
    to->mix = SLUICE_FLOWS_ZIPF;
    to->zipf = 0;
  } else if (strcmp(mix, "single") == 0) {
    to->mix = SLUICE_FLOWS_SINGLE;
  } else {
    cli_error("--mix: '%s' is none of websearch, zipf, uniform, single", mix);
    return false;
  }
  if (strcmp(from->size, "bimodal") == 0) {
    to->size = SLUICE_SIZE_BIMODAL;
  } else if (strcmp(from->size, "imix") == 0) {
    to->size = SLUICE_SIZE_IMIX;
  } else {
    unsigned len;
    if (!sluice_unsigned_in(from->size, 64, 9216, &len)) {
      cli_error("--size: '%s' is none of bimodal, imix, 64..9216%s", from->size,
                sluice_number_hint(from->size));
      return false;
    }
    to->size = SLUICE_SIZE_FIXED;
    to->frame_len = len;
  }
  return true;
}
