// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include "tests/rig/test.h"
#include "tests/rig/chip_rig.h"
#include "reaction/dialogue.h"
#include "reaction/process.h"
#include "reaction/reactions.h"
#include "tests/rig/says.h"
#include "transport/filter.h"

/// What reactions have said, one line behind the other.
static char heard[20000];
static inline void hear_line(void *user, const char *line) {
  (void)user;
  const size_t len = strlen(heard);
  snprintf(heard + len, sizeof heard - len, "%s\n", line);
}
static inline void hear_named(void *user, unsigned vid, const char *name, const char *line) {
  (void)user;
  const size_t len = strlen(heard);
  snprintf(heard + len, sizeof heard - len, "%s/%u: %s\n", name ? name : "", vid, line);
}
#define HEARD(TEXT)                                                         \
  do {                                                                      \
    if (!strstr(heard, TEXT)) fail_msg("'%s' is not in '%s'", TEXT, heard); \
  } while (0)

/// A program with the malleables low and high (1..4000), arrays first and second of 40 entries, a
/// scalar total, and these reactions, the first one in line 5. Each packet counts in first[i],
/// second[j] and total, and carries both malleables.
static inline struct sluice_image *program_with(const char *reactions, const char *chip) {
  static char text[8000];
  snprintf(text, sizeof text,
           "struct Packet { int in @ meta.port_in; int out @ meta.port_out; int i @ bytes(46, 2); "
           "int j @ bytes(48, 2); int low @ bytes(50, 2); int high @ bytes(80, 2); };\n"
           "malleable int low = 1 in 1..4000; malleable int high = 1 in 1..4000;\n"
           "#define ENTRIES 40\n"
           "int first[ENTRIES] = {0}; int second[ENTRIES] = {0};\n"
           "%s\n"
           "void f(struct Packet p) { first[p.i] = first[p.i] + 1; second[p.j] = second[p.j] + 1; "
           "p.low = low; p.high = high; p.out = p.in ^ 1; }\n",
           reactions);
  struct sluice_image *image = compiled_text(text, chip);
  if (!image) fail_msg("it does not compile:\n%s", text);
  return image;
}

/// A chip of the reference model with reactions of a program.
struct reacting {
  struct sluice_image *image;
  struct sluice_transport model;
  struct reaction_meter meter;
  struct sluice_chip *chip;
  struct reactions *rs;
};
/// Loads the image, which is closed with the rest, for `num` VLANs; no reaction is added yet.
/// `line`: NULL, or what is laid around the model, with `before` to be called with `user`.
static inline void reacting_open(struct reacting *r, const char *chip, struct sluice_image *image,
                                 const unsigned *vids, unsigned num, struct sluice_filter *line,
                                 void *user,
                                 bool (*before)(void *, enum sluice_filter_call, uint64_t),
                                 const struct reactions_options *options) {
  *r = (struct reacting){.image = image};
  heard[0] = 0;
  GOOD(sluice_transport_model(&r->model, chip, NULL, &error));
  if (line) {
    sluice_filter_init(line, &r->model, user);
    line->before = before;
  }
  reaction_meter_init(&r->meter, line ? &line->to : &r->model);
  GOOD(sluice_chip_open(&r->chip, &r->meter.to, NULL, &error));
  for (unsigned n = 0; n < num; n++) GOOD(sluice_chip_load(r->chip, image, vids[n], &error));
  GOOD(reactions_open(&r->rs, r->chip, &r->meter, options, &error));
}
static inline void reacting_close(struct reacting *r) {
  reactions_close(r->rs);
  sluice_chip_close(r->chip);
  sluice_image_close(r->image);
  sluice_transport_close(&r->model);
}
/// The same for a chip that must hold what it is believed to hold.
static inline void reacting_audit(struct reacting *r) {
  GOOD(sluice_chip_audit(r->chip, &error));
  reacting_close(r);
}
/// The next dialogue.
static inline void step(struct reacting *r) {
  bool ran;
  GOOD(reactions_step(r->rs, &ran, &error));
  assert_true(ran);
}
static inline struct reaction_info reaction_at(struct reacting *r, unsigned n) {
  struct reaction_info info = {.vid = 0};
  assert_true(reactions_get(r->rs, n, &info));
  return info;
}
