// SPDX-License-Identifier: Apache-2.0
#include "reactions.h"

#include <string.h>

bool cli_reactions_word(const struct cli_reactions *r) {
  struct reaction_bus bus;
  struct sluice_error error;
  if (r->bus && reaction_bus_parse(&bus, r->bus, &error)) {
    cli_error("--bus: %s", error.text);
    return false;
  }
  if (!r->word || strcmp(r->word, "on") == 0 || strcmp(r->word, "off") == 0) return true;
  cli_error("--reactions: '%s' is neither on nor off", r->word);
  return false;
}

static bool off(const struct cli_reactions *r) { return r->word && strcmp(r->word, "off") == 0; }

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
  const struct reactions_options options = {
      .limit = r->limit, .period = (uint32_t)r->period, .say = say, .idle = idle, .user = user};
  struct sluice_error error;
  // Programs were loaded without it.
  if (r->bus && reaction_bus_parse(&r->meter.bus, r->bus, &error)) return CLI_USAGE;
  sluice_chip_together(chip, reaction_bus_is(&r->meter.bus));
  if (off(r)) return CLI_DONE;
  enum sluice_status status = reactions_open(&r->list, chip, &r->meter, &options, &error);
  for (unsigned i = 0; !status && i < modules->count; i++)
    status = reactions_add(r->list, modules->items[i].vid, &modules->items[i].image, NULL, &error);
  if (!status) return CLI_DONE;
  cli_error("%s; --reactions off runs the programs without", error.text);
  return status == SLUICE_ERR_IO || status == SLUICE_ERR_NOMEM ? CLI_WORLD : CLI_NO;
}
