// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_REACTION_SOURCE_H
#define SLUICE_REACTION_SOURCE_H

#include "../driver/image.h"

/// The reactions of an image as one C file, and as a shared object that the system's compiler makes
/// of it.
///
///     status = reaction_source(image, NULL, &text, &error);
///     status = reaction_build(&built, image, "programs/guard.dom", &messages, &error);
///     ... dlopen(built.object) ...
///     reaction_build_release(&built);
///
/// What the object has for who runs it (process.c):
///
///     void sluice_reaction_run(uint32_t which, int32_t refused, const int32_t *values,
///                              const int32_t *words);
///         Runs reaction `which`, counted from 0. `refused`: what became of the effects of the run
///         before (enum reaction_fate). `values`: of the malleables, in the order of the image.
///         `words`: of its arguments, one behind the other.
///     uint32_t sluice_reaction_effects(uint32_t *params, uint32_t *lines, int64_t *values);
///         What it has set, at most one entry a malleable: the last value, or the first that was
///         out of range.
///     uint32_t sluice_reaction_changes(const int64_t **words);
///         What it has done to tables, one after the other, REACTION_CHANGE_WORDS words each (enum
///         reaction_word). More than REACTION_MAX_CHANGES: there are so many and one in the list,
///         the last of which has the line of the one that was too many.
enum { REACTION_MAX_PARAMS = 64, REACTION_MAX_CHANGES = 256 };
enum reaction_word {
  REACTION_WORD_OP,  // enum sluice_table_op
  REACTION_WORD_TABLE,
  REACTION_WORD_ACTION,
  REACTION_WORD_LINE,
  REACTION_WORD_PRIORITY,
  REACTION_WORD_KEYS,  // a value and a mask each
  REACTION_WORD_ARGS = REACTION_WORD_KEYS + 2 * SLUICE_MAX_KEYS,
  REACTION_CHANGE_WORDS = REACTION_WORD_ARGS + SLUICE_MAX_ARGS
};
/// What `sluice_refused` says in a body.
enum reaction_fate { REACTION_TAKEN, REACTION_REFUSED, REACTION_WRONG };

/// A name of the program or the chip as one of C: "p.src" is "p_src", PORT.PACKETS is PORT_PACKETS.
void reaction_c_name(char out[SLUICE_NAME_LEN], const char *name);

/// `file` is what #line calls the program; NULL: as the image does. The caller frees *text.
/// SLUICE_ERR_FORMAT: a malleable's name is no name in C; SLUICE_ERR_RANGE: more than
/// REACTION_MAX_PARAMS malleables.
SLUICE_MUST_CHECK enum sluice_status reaction_source(const struct sluice_image *image,
                                                     const char *file, char **text,
                                                     struct sluice_error *error);

struct reaction_build {
  char dir[3800];     // a folder of its own in $TMPDIR, for its owner alone
  char source[4000];  // of these, the C file
  char object[4000];
};
/// Runs `cc`. *messages is what it said, errors and warnings, also when the call fails; the caller
/// frees it, NULL: nothing. SLUICE_ERR_FORMAT: it found errors; SLUICE_ERR_IO: there is no cc, or
/// no folder.
SLUICE_MUST_CHECK enum sluice_status reaction_build(struct reaction_build *built,
                                                    const struct sluice_image *image,
                                                    const char *file, char **messages,
                                                    struct sluice_error *error);
/// Removes the folder. A zeroed one is allowed.
void reaction_build_release(struct reaction_build *built);

/// Line of the program that an address of the object comes from, by the debugger's tables; 0: not
/// known.
unsigned reaction_line_of(const struct reaction_build *built, uint64_t offset);

#endif
