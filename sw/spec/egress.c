// SPDX-License-Identifier: Apache-2.0
// docs/machine.md: Egress.
#include <string.h>

#include "parts.h"

// The numbers of a copy, layout EGRESS_METADATA. They depend on time and queues: the caller knows.
static void metadata_of(const struct sluice_model_copy *copy, uint8_t word[32]) {
  memset(word, 0, 32);
  FIELD_SET(word, EGRESS_METADATA, COPY, copy->number);
  FIELD_SET(word, EGRESS_METADATA, MODULE_ID, (copy->vid & 0xff) << 4);
  FIELD_SET(word, EGRESS_METADATA, DELAY, copy->delay);
  FIELD_SET(word, EGRESS_METADATA, DEPTH_IN, copy->depth_in);
  FIELD_SET(word, EGRESS_METADATA, PORT_OUT, copy->port);
  FIELD_SET(word, EGRESS_METADATA, CYCLE, copy->cycle);
  FIELD_SET(word, EGRESS_METADATA, DEPTH_OUT, copy->depth_out);
  FIELD_SET(word, EGRESS_METADATA, LENGTH, copy->len);
}

// A copy, step by step: 1. parser, 2. stages, 3. discard, 4. deparser. What is taken
// out of a capsule (5.) goes when the copy leaves: sluice_spec_leave.
void sluice_spec_egress(struct sluice_spec *s, const struct sluice_model_copy *copy,
                        struct sluice_model_egressed *result) {
  struct spec_phv phv = {.vid = copy->vid & 0xff, .bank = copy->bank, .len = copy->len};
  const unsigned kept = copy->len < SLUICE_MODEL_HEADER ? copy->len : SLUICE_MODEL_HEADER;
  uint8_t metadata[32];
  *result = (struct sluice_model_egressed){.dropped = false};
  memcpy(result->header, copy->bytes, kept);
  metadata_of(copy, metadata);
  spec_parse(s, &phv, spec_of_row(s, SLUICE_TABLE_EGRESS_PARSER, 0, &phv), copy->bytes, copy->len,
             metadata);
  for (unsigned e = 0; e < s->c.EgressStages; e++) {
    const unsigned stage = s->c.BackStages + s->c.FrontStages + e;
    struct sluice_model_access *access = &result->access[e];
    // Of ACCESS only ENABLE and INDEX count; the index is found at the stage, as that of a pinned
    // access is.
    access->resolved = access->pinned =
        FIELD(spec_of_row(s, SLUICE_TABLE_ACCESS, stage, &phv), ACCESS, ENABLE);
    access->pipe = (uint8_t)copy->lane;
    spec_stage(s, stage, copy->lane, &phv, access, false);
  }
  result->dropped = phv.discard;
  if (result->dropped) return;
  spec_deparse(s, &phv, spec_of_row(s, SLUICE_TABLE_EGRESS_DEPARSER, 0, &phv), copy->len,
               result->header);
  spec_checksums(s, (unsigned)*spec_of_row(s, SLUICE_TABLE_EGRESS_OPT, 0, &phv), copy->bytes,
                 copy->len, result->header);
}
