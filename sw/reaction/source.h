// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../base/loop.h"
#include "../driver/image/image.h"

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

/// What was built. The file has no name any more: it ends with the last process that has it open.
struct reaction_build {
  int fd;
  char object[40];  // a name for it in this process and in what it forks; "": nothing was built
};
/// The C compiler runs as a child, with limits: `seconds` (0: REACTION_BUILD_SECONDS), memory,
/// lengths of files, no network (confine.h). Another child watches over it, and ends it and removes
/// its files when time is up, or when this process ends, however it does.
///
///     status = reaction_build_begin(&under_way, image, file, 0, &error);
///     while (!reaction_build_over(under_way)) ...          // see reaction_build_watch
///     status = reaction_build_end(under_way, &built, &messages, &error);
struct reaction_building;
enum { REACTION_BUILD_SECONDS = 30 };
/// SLUICE_ERR_*: as reaction_source. SLUICE_ERR_IO: no process.
SLUICE_MUST_CHECK enum sluice_status reaction_build_begin(struct reaction_building **under_way,
                                                          const struct sluice_image *image,
                                                          const char *file, double seconds,
                                                          struct sluice_error *error);
bool reaction_build_over(struct reaction_building *under_way);
/// The next wait of `loop` ends when it may be over.
void reaction_build_watch(const struct reaction_building *under_way, struct sluice_loop *loop);
/// Frees `under_way`; one that is not over is ended. *messages is what the compiler said, errors
/// and warnings, also when the call fails; the caller frees it, NULL: nothing. SLUICE_ERR_FORMAT:
/// it found errors, or reached a limit; SLUICE_ERR_IO: there is no cc, or no folder.
SLUICE_MUST_CHECK enum sluice_status reaction_build_end(struct reaction_building *under_way,
                                                        struct reaction_build *built,
                                                        char **messages,
                                                        struct sluice_error *error);
/// All three, waiting. A signal that would end this process and is blocked ends the wait
/// (SLUICE_ERR_IO).
SLUICE_MUST_CHECK enum sluice_status reaction_build(struct reaction_build *built,
                                                    const struct sluice_image *image,
                                                    const char *file, char **messages,
                                                    struct sluice_error *error);
/// Closes it. A zeroed one is allowed.
void reaction_build_release(struct reaction_build *built);
/// Whether a signal that ends processes waits for this one, which has blocked it.
bool reaction_told_to_end(void);

/// Line of the program that an address of the object comes from, by the debugger's tables; 0: not
/// known.
unsigned reaction_line_of(const struct reaction_build *built, uint64_t offset);
