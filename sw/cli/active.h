// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

#include "../active/assemble.h"
#include "../active/capsule.h"
#include "../active/interpreter.h"
#include "cli.h"

/// What the command line of `sluice active` says.
struct active_job {
  const char *path;  // the file behind asm, show or run
  const char *output, *memidx, *move, *args, *tuple, *memory, *memory_out;
  bool explicit_labels, preload, published, trace, json;
  uint64_t fid, vid, words, stages, budget, port, count, delay, depth;
  uint64_t packets, fids, length, seed;
  struct active_shape shape;
};

/// The actions. Exit codes.
int active_show_action(const struct active_job *job);
int active_run_action(const struct active_job *job);
int active_gen_action(const struct active_job *job);

/// Whether bytes begin like a capture file.
bool active_is_capture(const uint8_t *bytes, size_t len);
/// The path under which a capture can be read that was found in `bytes`: job->path, or a file in
/// `work` if that is standard input. NULL after a message. `work` must be closed.
const char *active_capture_path(const struct active_job *job, const char *bytes, size_t len,
                                struct cli_work *work, char *path, size_t size);
/// The program in a file's bytes: .apo if there is a byte 0 among them, else text, which is
/// assembled. `source` gets lines and notes of a text. Exit code, after messages.
int active_load(const struct active_job *job, const char *bytes, size_t len,
                struct active_source *source);
/// Takes out loads, as --preload says, and warns of what that may change.
struct active_preload active_load_preload(const struct active_job *job,
                                          struct active_program *program);
/// Moves the accesses, as --to says. Exit code, after a message.
int active_load_move(const struct active_job *job, struct active_program *program);
/// Numbers with commas between them: "1,0x2f,3". Returns how many there are; -1 after a message.
int active_numbers(const char *option, const char *text, uint64_t most, unsigned room,
                   uint64_t *numbers);
/// The instructions as a list of texts.
json_t *active_texts_json(const struct active_program *program);
/// The arguments as four numbers.
json_t *active_args_json(const struct active_args *args);
/// Prints JSON to standard output. Exit code.
int active_print_json(json_t *all);

/// --tuple: addresses and ports; NULL leaves them. False after a message.
bool active_read_tuple(const char *text, struct active_packet *packet);
/// Whether a file of this name is a capture.
bool active_names_capture(const char *path);
/// A frame with a capsule, in front of a UDP packet with these addresses and ports. --vid.
SLUICE_MUST_CHECK enum sluice_status active_make_frame(const struct active_job *job,
                                                       const struct active_capsule *capsule,
                                                       const struct active_packet *packet,
                                                       uint8_t *frame, size_t size, size_t *len,
                                                       struct sluice_error *error);
/// Writes a capture of one packet with the program: --args, --fid, --tuple and --vid. Exit code.
int active_write_packet(const struct active_job *job, const struct active_program *program,
                        bool preload);

/// Regions and words of a machine as JSON (docs/active.md).
///
///     {"tenants": [{"fid": 1, "report": true}],
///      "regions": [{"fid": 1, "stage": 1, "first": 0, "last": 255}],
///      "memory": [{"stage": 1, "word": 13, "value": 43690}]}
///
/// False after a message that names the file.
bool active_memory_read(struct active_machine *machine, const char *path);
/// Every region, and every word that is not 0.
bool active_memory_write(const struct active_machine *machine, const char *path);
