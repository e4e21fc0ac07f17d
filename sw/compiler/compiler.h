// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../driver/image/image.h"
#include "../ir/diag.h"
#include "../ir/home.h"

/// The Domino compiler: from the text of a program to the configuration image of a chip.
///
///     struct sluice_diags diags = {0};
///     struct sluice_program *program = sluice_program_parse("x.dom", text, len, &diags);
///     if (program) status = sluice_compile(program, config, NULL, &image, &diags);
///     sluice_diags_print(&diags, stderr);
///
/// A text that is wrong, or does not fit the chip, is told in `diags`, never printed. The language
/// is described in docs/programs.md; what an image means in docs/machine.md.

/// A program whose text is right. It owns its memory; immutable after parsing.
struct sluice_program;

/// Parses and checks `len` bytes of text, in Domino or (if it begins with `sluice-ir`) in the IR;
/// `file` is for messages. Returns NULL when the text is wrong (diags has an error) or memory ran
/// out (it has none).
struct sluice_program *sluice_program_parse(const char *file, const char *text, size_t len,
                                            struct sluice_diags *diags);
/// The same with a second text behind the first, which ties fields of struct Packet to the packet:
/// `bind sport @ udp.sport;`, and options.
struct sluice_text {
  const char *file, *text;
  size_t len;
};
struct sluice_program *sluice_program_parse_bound(const struct sluice_text *program,
                                                  const struct sluice_text *bindings,
                                                  struct sluice_diags *diags);
/// The same with the text of a system-level module around it (docs/isolation.md): what its
/// functions `before` and `after` say is done before and behind the program.
struct sluice_program *sluice_program_parse_under(const struct sluice_text *program,
                                                  const struct sluice_text *system,
                                                  struct sluice_diags *diags);
/// What an image compiled under it says (image->system): its file without folders, and a sum of its
/// text.
void sluice_system_name(const struct sluice_text *system, char name[SLUICE_NAME_LEN]);
void sluice_program_free(struct sluice_program *program);

const char *sluice_program_name(const struct sluice_program *program);
size_t sluice_program_num_fields(const struct sluice_program *program);
const struct sluice_program_field *sluice_program_field(const struct sluice_program *program,
                                                        size_t i);
size_t sluice_program_num_states(const struct sluice_program *program);
const struct sluice_program_state *sluice_program_state(const struct sluice_program *program,
                                                        size_t i);

/// What a compilation used, for reports.
struct sluice_usage {
  unsigned front_stages, back_stages;  // highest stage used, counted from 1
  unsigned state_stages, pinned;       // stages with state, those of them that are pinned
  unsigned hash_units, operations;     // VLIW slots used
  uint32_t multiplier_stages;          // bit s: stage s, as the chip numbers stages, multiplies
  unsigned egress_stages;              // of the egress function; and what it takes of the lane:
  unsigned egress_operations, egress_parse_actions, egress_deparse_actions;
  unsigned containers[4];  // by container type: 2-byte [1], 4-byte [2], 6-byte [3]
  unsigned parse_actions, deparse_actions;
  unsigned shared;        // pairs of arrays that share a stage and would not have to
  size_t memory;          // bytes that the compiler took for it, also of what is refused
  unsigned quick_stages;  // with `fewest`: stages of the quick answer, 0 if it does not fit
  const char *atom[32];  // of each array of the image, with `atoms`: the least that does its update
};
/// Banzai's atoms from the least on, as docs/compiler.md has them; NULL at the end.
extern const char *const sluice_atoms[];

struct sluice_compile_options {
  bool fewest;  // the fewest stages, also if the quick answer fits; arrays may share a stage for it
  const char *dump;  // print the program after this pass ("all": after each); NULL: none
  FILE *dump_to;
  FILE *dot_to;  // the operations as a graph for Graphviz, if it compiles; NULL: not wanted
  struct sluice_usage *usage;  // NULL: not wanted
  bool atoms;                  // find the least atom of each array
  const char *target;  // refuse updates that need more than this one of sluice_atoms; NULL: none
  bool pin;            // every array is all in one pipeline
  bool keep_index;  // the index of a sharded array can be read at its stage too (mode NO_PHANTOMS)
  bool wide;        // choices by wide compares also where that takes no fewer stages (for tests)
};

/// Names of the passes that can be dumped, NULL at the end.
extern const char *const sluice_compile_passes[];

/// The egress function (docs/egress.md) as a program of its own, with its fields as they are parsed
/// again, and its arrays and tables; NULL: there is none. It lives as long as the program.
const struct sluice_program *sluice_program_egress(const struct sluice_program *program);

/// Prints the program as text in the compiler's IR (docs/compiler.md), which sluice_program_parse()
/// takes in place of Domino: it compiles to the same image. The text is made for a chip: one byte
/// of a packet is taken out of a word by a shift only where there are shifters. `options`: as it
/// will be compiled; NULL: without any. SLUICE_ERR_FULL: see diags. SLUICE_ERR_NOMEM.
enum sluice_status sluice_program_print_ir(const struct sluice_program *program,
                                           const struct sluice_config *config,
                                           const struct sluice_compile_options *options, FILE *out,
                                           struct sluice_diags *diags);

/// Compiles for a chip. `options` may be NULL. `image` is filled (release it with
/// sluice_image_release) when SLUICE_OK is returned. SLUICE_ERR_FULL: the program does not fit or
/// uses what the chip has not, see diags. SLUICE_ERR_NOMEM.
enum sluice_status sluice_compile(const struct sluice_program *program,
                                  const struct sluice_config *config,
                                  const struct sluice_compile_options *options,
                                  struct sluice_image *image, struct sluice_diags *diags);

/// Behind a compilation that was refused: where a message ends in "see --chip", it then names the
/// smallest shape that takes the whole program, of those in configs.def, or says that there is
/// none. (The shapes of tests are not tried.) It compiles for one shape after the other.
void sluice_compile_advise(const struct sluice_program *program, const struct sluice_config *config,
                           const struct sluice_compile_options *options,
                           struct sluice_diags *diags);
