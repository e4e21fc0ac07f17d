// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/domino_rig.h"
#include "tests/rig/ir_rig.h"

/// Any text through the whole compiler: it is refused with an error, or it compiles, and then the
/// reference model does with some packets what the interpreter does. A text in the IR is printed,
/// read and compiled to the same image. False and `why` if not.
static inline bool fuzz_one(const char *bytes, size_t len, char why[400]) {
  static const char *const chips[] = {"k4",  "tiny",     "small", "k4",
                                      "k16", "multiply", "k4.k8", "k4"};
  static FILE *nowhere;
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  struct rig rig;
  if (ir_is(bytes, len)) return ir_any(bytes, len, why);
  char *text = malloc(len + 1);
  if (!text) return true;
  memcpy(text, bytes, len);
  text[len] = 0;
  sluice_rng_init(&rng, len, "fuzz");
  const struct sluice_config *chip = sluice_config_find(chips[len % 8]);
  const enum rig_opened opened = rig_open(&rig, text, chip, &diags);
  bool good = opened == RIG_OPEN || (opened == RIG_REJECTED && diags.num_errors > 0);
  snprintf(why, 400, "%s", opened == RIG_BROKEN ? rig.why : "refused without a reason");
  for (size_t i = 0; i < diags.num; i++)
    if (!diags.list[i].line || !diags.list[i].text[0]) {
      good = false;
      snprintf(why, 400, "message %zu [%s] has no place or no text", i, diags.list[i].id);
    }
  // Where checksums stand depends on bytes that are random here.
  const unsigned packets = opened == RIG_OPEN && !rig.program->checksum ? 10 : 0;
  for (unsigned i = 0; good && i < packets; i++)
    if (!rig_packet(&rig, &rng)) {
      good = false;
      snprintf(why, 400, "%s", rig.why);
    }
  if (good && opened == RIG_OPEN && !rig_state(&rig)) {
    good = false;
    snprintf(why, 400, "%s", rig.why);
  }
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  if (good && nowhere && rig.program) {
    // What is printed for people.
    const struct sluice_compile_options options = {.dump = "all", .dump_to = nowhere};
    struct sluice_image image;
    if (sluice_compile(rig.program, chip, &options, &image, &diags) == SLUICE_OK)
      sluice_image_release(&image);
    sluice_diags_print(&diags, nowhere);
    sluice_diags_json(&diags, nowhere);
  }
  rig_close(&rig);
  sluice_diags_release(&diags);
  free(text);
  return good;
}
