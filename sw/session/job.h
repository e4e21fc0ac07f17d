// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/plan.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../base/layouts.h"
#include "../base/status.h"

/// What a run of the simulator is to do. On its way to the simulator it is a JSON file, +job=FILE,
/// which job_save writes and job_load reads:
///
///     {"sluice_job": 1, "config": "tiny", "report": "r.json", "capture": "in.pcap",
///      "settings": {"pace": 24}, "modules": [{"image": "a.json", "vid": 5}]}
///
/// Keys are the members of the structs below: job.def lists most of them. Settings stand in
/// "settings", faults by name in "faults", `told` as pairs [FIRST, LAST], `pace_by` is "line" or
/// "time", `lanes` "spread" or "hash". Every key may be left out but `sluice_job` (the version),
/// `config` and `report`. A key that is not listed, a value of another type or out of its range, is
/// an error. Paths are written by sluice_path_encode (base/text.h): "%ff" is the byte 0xff.
enum {
  JOB_VERSION = 1,
  JOB_MAX_MODULES = 32,
  JOB_MAX_FAULTS = 8,
  JOB_MAX_SEGMENTS = 512,
  JOB_MAX_REGISTERS = 64,
  JOB_MAX_UPDATES = 100000,
  JOB_MAX_TOLD = 1000000,
  JOB_MAX_CUTS = 100000,
  JOB_MAX_EVERY = 1000,
  JOB_MAX_LANES = 16
};

#define JOB_PATH const char *
#define JOB_WORD const char *
#define JOB_FLAG bool
#define JOB_REAL double
#define JOB_WHOLE uint64_t
#define JOB_BITS uint64_t
#define JOB_COUNT int64_t
#define JOB_SMALL unsigned
#define JOB_SIGNED int

enum { JOB_UNSET = -1 };  // below 0: as after reset
struct job_settings {
#define SETTING(NAME, REGISTER, LEAST, MOST) int64_t NAME;
#include "job.def"
};
struct job_module {
#define MODULE(KIND, NAME, IF_NOT_SAID, LEAST, MOST) JOB_##KIND NAME;
#include "job.def"
};
struct job_segment {
#define SEGMENT(KIND, NAME, IF_NOT_SAID, LEAST, MOST) JOB_##KIND NAME;
#include "job.def"
};
struct job_update {
#define UPDATE(KIND, NAME, IF_NOT_SAID, LEAST, MOST) JOB_##KIND NAME;
#include "job.def"
};
struct job_cut {
#define CUT(KIND, NAME, IF_NOT_SAID, LEAST, MOST) JOB_##KIND NAME;
#include "job.def"
};

struct job {
#define JOB(KIND, NAME, IF_NOT_SAID, LEAST, MOST) JOB_##KIND NAME;
#include "job.def"
  struct job_settings set;
  bool by_time;     // start packets at their capture times
  bool hash_lanes;  // lane by flow; else lanes are filled evenly
  struct job_module modules[JOB_MAX_MODULES];
  unsigned num_modules;
  struct job_segment segments[JOB_MAX_SEGMENTS];
  unsigned num_segments;
  struct job_update *updates;
  size_t num_updates;
  struct job_cut *cuts;
  size_t num_cuts;
  struct job_told {
    uint64_t first, last;  // numbers of packets, from 1
  } * told;
  size_t num_told;
  unsigned every[JOB_MAX_LANES];  // lane n is ready in one of so many cycles; 0, 1: in all
  unsigned num_class_ecn, class_ecn[SLUICE_CLASSES_MAX];  // of the first so many classes
  uint64_t fault_mask;                                    // bit f: fault f
  struct job_register {
    // BLOCK.NAME or BLOCK[INSTANCE].NAME, as docs/tables.md has them: read at the end
    const char *name;
    uint32_t addr;  // only of one that was read
  } registers[JOB_MAX_REGISTERS];
  unsigned num_registers;
};

/// As if a job said nothing; no member of it is the job's to free.
struct job job_fresh(void);
struct job_settings job_settings_fresh(void);
struct job_module job_module_fresh(void);

/// Settings that are registers, one after the other, in the order in which they are written:
/// number `n`, from 0. False: there is no such one.
bool job_setting(const struct job_settings *settings, unsigned n, uint32_t *addr, int64_t *value);

/// Tells, in a line, those that are not as after reset.
void job_settings_describe(const struct job_settings *settings, FILE *out);

/// Reads a job. Returns an error when the file is not a legal job; the text says what is wrong.
enum sluice_status job_load(struct job *job, const char *path, struct sluice_error *error);
/// Of one that was read.
void job_release(struct job *job);
/// Writes what it says: a member that is as in job_fresh is left out.
SLUICE_MUST_CHECK enum sluice_status job_save(const struct job *job, const char *path,
                                              struct sluice_error *error);

/// A module's part of a plan.
struct sluice_image;
SLUICE_MUST_CHECK enum sluice_status job_module_plan(const struct job_module *module,
                                                     const struct sluice_image *image, int64_t sets,
                                                     struct sluice_plan *plan,
                                                     struct sluice_error *error);
