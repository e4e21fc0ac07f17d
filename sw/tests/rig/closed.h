// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/// What a test opens is closed at the end of the block that declares it; of several the one that
/// was declared last is the first. (The attribute is one of GCC and clang.)
///
///     struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
///     struct sluice_image image CLOSED_BY(sluice_image_release) = rig_image("tables");
///
/// The function is called with the address of the variable, which must have a value by then. Not
/// called where an assertion fails: cmocka leaves the test by a longjmp.
#define CLOSED_BY(FUNCTION) __attribute__((cleanup(FUNCTION)))

/// For pointers, a function by which they are closed; declared here, so that a test which has
/// nothing to do with a type needs no header of it.
#define CLOSES_POINTER(NAME, TYPE, CLOSE) \
  struct TYPE;                            \
  void CLOSE(struct TYPE *);              \
  static inline void NAME(struct TYPE **at) { CLOSE(*at); }

CLOSES_POINTER(close_active_net, active_net, active_net_close)
CLOSES_POINTER(close_capture, sluice_capture, sluice_capture_close)
CLOSES_POINTER(close_checker, sluice_checker, sluice_checker_close)
CLOSES_POINTER(close_chip, sluice_chip, sluice_chip_close)
CLOSES_POINTER(close_image, sluice_image, sluice_image_close)
CLOSES_POINTER(close_model, sluice_model, sluice_model_close)
CLOSES_POINTER(close_plan, sluice_plan, sluice_plan_close)
CLOSES_POINTER(close_policy, sluice_policy, sluice_policy_close)
CLOSES_POINTER(close_replay, sluice_replay, sluice_replay_close)
CLOSES_POINTER(close_spec, sluice_spec, sluice_spec_close)
CLOSES_POINTER(close_switch, sluice_switch, sluice_switch_close)
CLOSES_POINTER(free_allocator, sluice_allocator, sluice_allocator_free)
CLOSES_POINTER(free_flows, sluice_flows, sluice_flows_free)
CLOSES_POINTER(free_interpreter, sluice_interpreter, sluice_interpreter_free)
CLOSES_POINTER(free_program, sluice_program, sluice_program_free)
CLOSES_POINTER(free_trace_loop, sluice_trace_loop, sluice_trace_loop_free)
CLOSES_POINTER(free_traffic, sluice_traffic, sluice_traffic_free)

static inline void drop_json(json_t **at) { json_decref(*at); }

/// For memory: `at` is the address of the pointer to it.
static inline void freed(void *at) {
  void *memory;
  memcpy(&memory, at, sizeof memory);
  free(memory);
}
