// SPDX-License-Identifier: Apache-2.0
#include "reactions.h"

#include <string.h>

#include "../reaction/source.h"

bool cli_reactions_word(const struct cli_reactions *r) {
  struct reaction_bus bus;
  struct sluice_error error;
  if (r->bus && reaction_bus_parse(&bus, r->bus, &error)) {
    cli_error("--bus: %s", error.text);
    return false;
  }
  if (!r->word || strcmp(r->word, "on") == 0 || strcmp(r->word, "off") == 0 ||
      strcmp(r->word, "trusted") == 0)
    return true;
  cli_error("--reactions: '%s' is none of on, trusted, off", r->word);
  return false;
}

static bool off(const struct cli_reactions *r) { return r->word && strcmp(r->word, "off") == 0; }

// An image is what somebody made somewhere, and the text of its reactions is code for this machine.
static bool trusted(const struct cli_reactions *r, const struct cli_module *m) {
  if (!m->foreign || !m->image.num_reactions || (r->word && strcmp(r->word, "trusted") == 0))
    return true;
  cli_error("'%s' is an image that brings reactions: code that would run here with your rights; "
            "--reactions trusted runs it, --reactions off runs the program without",
            m->image.program);
  return false;
}

bool cli_reactions_wanted(const struct cli_reactions *r, const struct cli_modules *modules) {
  bool any = false;
  for (unsigned i = 0; i < modules->count; i++) any |= modules->items[i].image.num_reactions != 0;
  return any && !off(r);
}

static void say(void *user, unsigned vid, const char *name, const char *line) {
  (void)user;
  if (name) fprintf(stderr, "reaction %s (VLAN %u): %s\n", name, vid, line);
  else fprintf(stderr, "%s\n", line);
}

int cli_reactions_start(struct cli_reactions *r, struct sluice_chip *chip,
                        const struct cli_modules *modules, void (*idle)(void *user), void *user) {
  const struct reactions_options options = {.limit = r->limit,
                                            .build_limit = r->build_limit,
                                            .period = (uint32_t)r->period,
                                            .say = say,
                                            .idle = idle,
                                            .user = user};
  struct sluice_error error;
  // Programs were loaded without it.
  if (r->bus && reaction_bus_parse(&r->meter.bus, r->bus, &error)) return CLI_USAGE;
  sluice_chip_together(chip, reaction_bus_is(&r->meter.bus));
  if (off(r)) return CLI_DONE;
  for (unsigned i = 0; i < modules->count; i++)
    if (!trusted(r, &modules->items[i])) return CLI_NO;
  enum sluice_status status = reactions_open(&r->list, chip, &r->meter, &options, &error);
  for (unsigned i = 0; !status && i < modules->count; i++)
    status = reactions_add(r->list, modules->items[i].vid, &modules->items[i].image, NULL, &error);
  if (!status) return CLI_DONE;
  if (reaction_told_to_end()) return CLI_WORLD;  // nothing is wrong with the programs
  cli_error("%s; --reactions off runs the programs without", error.text);
  return status == SLUICE_ERR_IO || status == SLUICE_ERR_NOMEM ? CLI_WORLD : CLI_NO;
}
