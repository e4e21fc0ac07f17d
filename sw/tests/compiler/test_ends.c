// SPDX-License-Identifier: Apache-2.0
// Programs at the ends of what the compiler does: the least and the greatest number, one entry, the
// last byte. What is accepted runs on the reference model as interpreted; what it takes, and what
// is said of it, is that of ends.cases, beside this file.
//
// Run from the root of the tree.

#include "tests/rig/cases.h"
#include "tests/rig/domino_rig.h"

enum { PACKETS = 600 };
#ifndef CASES
#define CASES "sw/tests/compiler/ends.cases"
#endif

static const char head[] =
    "struct Packet { int w @ bytes(46, 2); int x @ bytes(48, 2); int y @ bytes(50, 2);\n"
    "  int b @ bytes(54, 4); int c @ bytes(58, 4); int d @ bytes(62, 4); int o @ bytes(66, 4);\n"
    "  int t; int u; int i; };\n";

// CHIP: TEXT, or CHIP: [DECLARATIONS :: ] BODY.
static void try_end(void *user, const struct one_case *c) {
  char chip[64], is[4000], *text = malloc(strlen(c->request) + sizeof head + 40);
  const char *colon = strstr(c->request, ": "), *of = colon ? colon + 2 : NULL;
  const char *bar = of ? strstr(of, " :: ") : NULL, *body = bar ? bar + 4 : of;
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  struct rig rig;
  (void)user;
  assert_true(of && text && (size_t)(colon - c->request) < sizeof chip);
  snprintf(chip, sizeof chip, "%.*s", (int)(colon - c->request), c->request);
  if (!sluice_config_find(chip)) fail_msg("%s: there is no chip '%s'", c->where, chip);
  if (strstr(of, "struct Packet")) strcpy(text, of);
  else sprintf(text, "%s%.*s void f(struct Packet p) { %s }\n", head, (int)(body - of), of, body);
  for (char *at = strstr(text, " :: "); at; at = strstr(at, " :: ")) memcpy(at, "    ", 4);
  const enum rig_opened opened = rig_open(&rig, text, sluice_config_find(chip), &diags);
  if (opened == RIG_BROKEN) fail_msg("%s: %s", c->where, rig.why);
  size_t len = 0;
  if (opened == RIG_REJECTED && rig.program)
    sluice_compile_advise(rig.program, rig.config, NULL, &diags);
  if (opened == RIG_OPEN)
    len = (size_t)snprintf(is, sizeof is, "front %u, back %u, operations %u, pinned %u%s",
                           rig.usage.front_stages, rig.usage.back_stages, rig.usage.operations,
                           rig.usage.pinned,
                           rig.usage.multiplier_stages ? ", multiplies in" : "\n");
  for (unsigned s = 0, all = rig.usage.multiplier_stages; all >> s; s++)
    if (all >> s & 1)
      len += (size_t)snprintf(is + len, sizeof is - len, " %u%s", s, all >> s == 1 ? "\n" : "");
  for (size_t r = 0; r < rig.image.num_reactions; r++)
    for (unsigned i = 0; i < rig.image.reactions[r].num_args; i++) {
      const struct sluice_reaction_arg *a = &rig.image.reactions[r].args[i];
      len += (size_t)snprintf(is + len, sizeof is - len, "%s from %u: %u%s\n", a->name, a->first,
                              a->num, a->scalar ? ", a number" : "");
    }
  for (size_t i = 0; i < diags.num && len < sizeof is; i++)
    len += (size_t)snprintf(is + len, sizeof is - len, "%u:%u %s: %s\n", diags.list[i].line,
                            diags.list[i].column, diags.list[i].id, diags.list[i].text);
  assert_true(len > 0 && len < sizeof is);
  cases_answer(c, is);
  sluice_rng_init(&rng, 1, "ends");
  for (unsigned i = 0; opened == RIG_OPEN && i < PACKETS; i++)
    if (!rig_packet(&rig, &rng)) fail_msg("%s, packet %u: %s", c->where, i, rig.why);
  if (opened == RIG_OPEN && !rig_state(&rig)) fail_msg("%s: %s", c->where, rig.why);
  rig_close(&rig);
  sluice_diags_release(&diags);
  free(text);
}

TEST(programs_at_the_ends_are_what_they_were) {
  cases_each(CASES, "texts", try_end, NULL);
  cases_each(CASES, "refused", try_end, NULL);
  cases_each(CASES, "messages", try_end, NULL);
}
