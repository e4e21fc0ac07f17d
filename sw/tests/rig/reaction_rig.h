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
           "int j @ bytes(48, 2); int low @ "
           "bytes(50, 2); int high @ bytes(80, 2); };\n"
           "malleable int low = 1 in 1..4000; malleable int high = 1 in 1..4000;\n"
           "#define ENTRIES 40\n"
           "int first[ENTRIES] = {0}; int second[ENTRIES] = {0};\n"
           "%s\n"
           "void f(struct Packet p) { first[p.i] = first[p.i] + 1; second[p.j] = second[p.j] + 1; "
           "p.low = low; p.high = high; "
           "p.out = p.in ^ 1; }\n",
           reactions);
  struct sluice_image *image = compiled_text(text, chip);
  if (!image) fail_msg("it does not compile:\n%s", text);
  return image;
}
