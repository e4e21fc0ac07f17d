// SPDX-License-Identifier: Apache-2.0
// sluice active gen: a capture of random capsules.
#include "../active/random_capsule.h"
#include "../lib/capture.h"
#include "active.h"

int active_gen_action(const struct active_job *job) {
  struct sluice_rng rng;
  struct sluice_capture_writer *out;
  struct sluice_error error;
  if (!job->output) return cli_error("active gen needs -o FILE"), CLI_USAGE;
  enum sluice_status status = sluice_capture_create(&out, job->output, &error);
  sluice_rng_init(&rng, job->seed, "capsules");
  for (uint64_t n = 0; !status && n < job->packets; n++) {
    struct active_capsule random;
    struct active_packet packet = {.sport = (uint16_t)sluice_rng_next(&rng), .dport = 80};
    uint8_t frame[1024];
    size_t len;
    packet.source = 0x0a000000u | (uint32_t)sluice_rng_below(&rng, 256);
    packet.dest = 0x0a010000u | (uint32_t)sluice_rng_below(&rng, 256);
    active_random(&rng,
                  &(struct active_random){.fids = (unsigned)job->fids,
                                          .most = (unsigned)job->length,
                                          .words = (uint32_t)job->words},
                  &random);
    status = active_make_frame(job, &random, &packet, frame, sizeof frame, &len, &error);
    if (!status) sluice_capture_write(out, frame, len, 1000 * n);
  }
  struct sluice_error last;
  const enum sluice_status written = sluice_capture_finish(out, &last);
  if (!status && !written) return CLI_DONE;
  cli_error("%s", status ? error.text : last.text);
  return CLI_WORLD;
}
