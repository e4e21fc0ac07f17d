// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../reaction/report.h"
#include "cli.h"

/// Options of reactions, and starting those of modules: for serve and run.
struct cli_reactions {
  const char *word;  // "on", "off", "trusted"; NULL: on
  uint64_t period;
  double limit, build_limit;
  const char *bus;  // NULL: none
  struct reaction_meter meter;
  struct reactions *list;  // NULL: off
};
#define CLI_REACTION_OPTIONS(R)                                                                \
  {CLI_TEXT,                                                                                   \
   0,                                                                                          \
   "reactions",                                                                                \
   "WORD",                                                                                     \
   &(R).word,                                                                                  \
   0,                                                                                          \
   0,                                                                                          \
   "on: run the reactions of programs given as text (on); trusted: those of images too; off"}, \
      {CLI_WHOLE,   0, "reaction-period", "N",                                                 \
       &(R).period, 0, UINT32_MAX,        "cycles between rounds of reactions (0: at once)"},  \
      {CLI_NUMBER,                                                                             \
       0,                                                                                      \
       "reaction-limit",                                                                       \
       "SECONDS",                                                                              \
       &(R).limit,                                                                             \
       0.001,                                                                                  \
       3600,                                                                                   \
       "longest run of a reaction's body (1)"},                                                \
      {CLI_NUMBER,                                                                             \
       0,                                                                                      \
       "reaction-compile-limit",                                                               \
       "SECONDS",                                                                              \
       &(R).build_limit,                                                                       \
       0.1,                                                                                    \
       3600,                                                                                   \
       "longest run of the C compiler (30)"},                                                  \
  {                                                                                            \
    CLI_TEXT, 0, "bus", "MODEL", &(R).bus, 0, 0,                                               \
        "between driver and chip: none, pcie, read=N,write=N,width=N,code=N (none)"            \
  }
/// Whether word and bus are such; false after a message.
bool cli_reactions_word(const struct cli_reactions *r);
/// Whether there are any, and they are not off.
bool cli_reactions_wanted(const struct cli_reactions *r, const struct cli_modules *modules);
/// Starts those of the modules, which are on the chip. The chip's transport is &r->meter.to. Exit
/// code, after a message.
int cli_reactions_start(struct cli_reactions *r, struct sluice_chip *chip,
                        const struct cli_modules *modules, void (*idle)(void *user), void *user);
