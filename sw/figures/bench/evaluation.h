// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"

/// The evaluation: all figures of the papers, rerun.
struct evaluation {
  bool quick;          // K = 2 and 4, the runs that have goals and what they are compared with
  const char *traces;  // folder of MP5's published traces
  const char *stress;  // folder of the stress traces
};

/// Stress traces: every packet accesses four states. Each is a folder of its own in `stress`.
struct evaluation_stress {
  unsigned pipelines, entries;
  bool zipf;
  unsigned load;  // percent of line rate
};
enum { EVALUATION_STRESS = 6 };
extern const struct evaluation_stress evaluation_stress[EVALUATION_STRESS];
/// "4-zipf-512-90": the name of its folder.
void evaluation_stress_name(const struct evaluation_stress *stress, char *name, size_t size);

/// The shape for so many pipelines of MP5's traces: `shape` ("b4") or "b4.k8"; "b16", which a
/// machine of 16 GB can build, for sixteen.
void evaluation_chip(char *text, size_t len, const char *shape, unsigned pipelines);

/// Begins `sheet` with the columns of a plan and puts the runs there. Those whose traces are not
/// there are left out.
void evaluation_plan(struct sheet *sheet, const struct evaluation *evaluation);
