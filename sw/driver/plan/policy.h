// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/policy.h>

#include "../image/image.h"
#include "plan.h"

/// The policy (sluice/policy.h) from inside: policy_file.c reads it, policy.c decides.

enum { POLICY_UNSET = -1 };

/// An entry of the list "modules". Numbers are POLICY_UNSET where the file does not say.
struct policy_entry {
  unsigned vid;                                              // 0: "others"
  int rows, stages, containers, state, rate, burst, number;  // number: class in the output queues
  bool some_ports, trusted;
  uint64_t ports;  // if some_ports: bit p is port p
  bool limited;
  struct sluice_lane_rate lane;  // if limited
};

struct sluice_policy {
  char name[100];  // of the file, for messages; a longer one is cut there
  bool only_listed;
  int moves;
  unsigned weights[SLUICE_CLASSES_MAX], num_weights;  // of the classes; 0: none are given
  unsigned ecn[SLUICE_CLASSES_MAX], num_ecn;          // the same
  int strict;                                         // bit c: class c
  unsigned num;
  struct policy_entry entries[SLUICE_MAX_ROWS + 1];
  struct sluice_alloc alloc;
};

/// What a module wants of the chip.
struct policy_demand {
  // rows of actions behind the match rows, of stages with a table
  unsigned actions[SLUICE_MAX_STAGES];
  unsigned entries[SLUICE_NUM_ENGINES]
                  [SLUICE_MAX_STAGES];  // of tables, by engine (enum sluice_engine_kind)
  unsigned rows[SLUICE_MAX_STAGES];     // match rows, by stage number
  unsigned slots[SLUICE_MAX_BACK];      // of state, over all pipelines of its set
  unsigned stages, containers, state;   // as in the file
  unsigned most_rows;                   // in one stage
  bool spread;                          // has state that is not pinned, and so may move
};
/// `pipes`: pipelines of its set. The image has been checked against the configuration.
struct policy_demand sluice_policy_demand(const struct sluice_config *config, unsigned pipes,
                                          const struct sluice_image *image);

/// Shares, rates at the lanes, classes and ports of modules of one plan, before there is a plan.
/// `vids`, `sets` and `grants` have `num` elements. A set with one module without a rate has no
/// limit. SLUICE_ERR_FULL: the rates of a set add up to more than 255.
struct policy_grant {
  int rate, burst;  // rate POLICY_UNSET: no limit
  int number;       // class in the output queues; POLICY_UNSET: that of its row
  bool some_ports, limited;
  uint64_t ports;
  struct sluice_lane_rate lane;  // if limited
};
enum sluice_status sluice_policy_grants(const struct sluice_policy *policy, const unsigned *vids,
                                        const unsigned *sets, unsigned num,
                                        struct policy_grant *grants, struct sluice_error *error);

/// Shares for the modules of a plan that differs from the one before by modules that came or went:
/// if those before had equal parts, so do these; else those without a share get equal parts of what
/// the others leave. SLUICE_ERR_FULL: they leave nothing.
enum sluice_status sluice_plan_divide(struct sluice_plan *plan, const struct sluice_plan *before,
                                      struct sluice_error *error);
