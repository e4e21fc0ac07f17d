// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net.h"

/// All five systems on one chip (docs/papers.md): each alone with its traffic, then all together.
enum five_system {
  FIVE_PROGRAMS,  // MP5: its four programs
  FIVE_UPDATE,    // Menshen: a module that is updated again and again
  FIVE_REACTION,  // Mantis: a reaction blocks floods
  FIVE_TENANTS,   // ActiveRMT: tenants with capsules come and go
  FIVE_COFLOW,    // ADCP: eight workers reduce vectors
  FIVE_SYSTEMS,
};

/// VLAN ids.
enum {
  FIVE_FLOWLET = 1,
  FIVE_CONGA,
  FIVE_WFQ,
  FIVE_SEQUENCER,
  FIVE_VERSIONED,
  FIVE_FILTER,
  FIVE_CAPSULES,
  FIVE_AGGREGATE,
};

struct five_options {
  const char *sim, *chip;  // the simulator, and the shape of its chip
  uint64_t cycles, seed;
  const char *bus;        // between driver and chip, as in reaction/bus.h
  uint64_t update_every;  // cycles from the begin of an update to that of the next
  const char *fault;      // of the chip (enumeration FAULT), NULL: none
  bool greedy;            // the control processor has no slots (run.c)
  bool replace;           // updates by Menshen's procedure, which drops packets
};

/// What is measured of a system: names with values, in the order in which they are told.
enum { FIVE_FIGURES = 32, FIVE_EVENTS = 4096, FIVE_BINS = 120 };
struct five_figure {
  char name[64];
  double value;
  bool kept;  // together it must be within the bound of what it is alone
};
struct five_result {
  unsigned num;
  struct five_figure figure[FIVE_FIGURES];
  unsigned long wrong;  // things that must not be: lost, mixed or wrong words
  char why[200];        // the first of them
};
struct five_event {
  uint64_t cycle;    // from the start of the traffic
  const char *kind;  // "update", "blocked", "free", "comes", "leaves"
};

void five_figure(struct five_result *r, const char *name, double value, bool kept);
void five_wrong(struct five_result *r, unsigned long num, const char *what);

/// Order statistics of cycles; sorts them. 0 of none.
uint64_t five_quantile(uint32_t *list, size_t num, double share);

/// One run.
struct five_run {
  const struct five_options *options;
  struct five_net *net;
  bool has[FIVE_SYSTEMS];
  uint64_t start;  // cycle of the chip
  bool reacted;    // the last thing that was done was a dialogue
  struct five_result result[FIVE_SYSTEMS];
  unsigned num_events;
  struct five_event event[FIVE_EVENTS];
  uint32_t left[FIVE_BINS][FIVE_SYSTEMS];  // packets that left in each part of the time
  uint64_t packets, words, late;  // sent; of state, read at the end; packets that came too late
  // What the control processor did: the longest of each system; how often it was longer than its
  // slot.
  uint64_t longest[FIVE_SYSTEMS], overrun;
  enum live_verdict verdict;
  char said[1000];
};
void five_happens(struct five_run *run, uint64_t cycle, const char *kind);

/// The text of a program with other values of some macros (NULL ends the list), compiled for the
/// chip. SLUICE_ERR_RANGE: it cannot take it, or there is no such macro.
SLUICE_MUST_CHECK enum sluice_status five_compile(const struct five_run *run,
                                                  struct sluice_image *image, const char *path,
                                                  const char *const (*defines)[2],
                                                  struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status five_compile_text(const struct five_run *run,
                                                       struct sluice_image *image, const char *name,
                                                       const char *text,
                                                       struct sluice_error *error);

/// The parts of a run. _load puts modules on the chip; _start lets traffic begin at run->start;
/// _finish adds figures.
SLUICE_MUST_CHECK enum sluice_status five_traffic_load(struct five_run *run,
                                                       struct sluice_error *error);
void five_traffic_start(struct five_run *run);
void five_traffic_finish(struct five_run *run);
/// The next version of the module that is updated.
SLUICE_MUST_CHECK enum sluice_status five_traffic_update(struct five_run *run,
                                                         struct sluice_error *error);

SLUICE_MUST_CHECK enum sluice_status five_reaction_load(struct five_run *run,
                                                        struct sluice_error *error);
void five_reaction_start(struct five_run *run);
/// At most one dialogue.
SLUICE_MUST_CHECK enum sluice_status five_reaction_step(struct five_run *run, bool *ran,
                                                        struct sluice_error *error);
void five_reaction_finish(struct five_run *run);

SLUICE_MUST_CHECK enum sluice_status five_tenants_load(struct five_run *run,
                                                       struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status five_tenants_start(struct five_run *run,
                                                        struct sluice_error *error);
/// What has come for the controller, one frame; requests only if they `may_change` the chip now.
SLUICE_MUST_CHECK enum sluice_status five_tenants_step(struct five_run *run, bool may_change,
                                                       bool *ran, struct sluice_error *error);
void five_tenants_finish(struct five_run *run);

SLUICE_MUST_CHECK enum sluice_status five_workers_load(struct five_run *run,
                                                       struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status five_workers_start(struct five_run *run,
                                                        struct sluice_error *error);
void five_workers_finish(struct five_run *run);

/// Lets time pass until run->net->end, and does what is to be done meanwhile.
SLUICE_MUST_CHECK enum sluice_status five_control(struct five_run *run, struct sluice_error *error);

/// Runs it: the systems of run->has. An error is one of the machine; what is wrong is in the
/// results and the verdict.
SLUICE_MUST_CHECK enum sluice_status five_run(struct five_run *run, struct sluice_error *error);
