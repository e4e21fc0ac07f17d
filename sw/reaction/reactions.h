// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/chip.h>

#include "../base/loop.h"
#include "../driver/image/image.h"
#include "meter.h"

/// The reactions of a chip's modules, and the loop that runs them (docs/reactions.md).
///
///     status = reactions_open(&rs, chip, &meter, &options, &error);
///     status = reactions_add(rs, 5, image, NULL, &error);  // VLAN 5's, in the order of the text
///     while (...) {
///       ... packets ...
///       status = reactions_step(rs, &ran, &error);         // at most one dialogue
///     }
///     reactions_close(rs);
///
/// A dialogue: a cut of the module, the arguments are read, the cut ends, the body runs, what it
/// has set and done to tables becomes one transaction, if the arguments that must be unchanged are
/// so in another cut directly before the flip. Reactions take turns: modules in the order in which
/// they were added, of each its reactions in the order of the text. One thread, which calls for the
/// chip otherwise too; never while a cut or change is under way.
struct reactions;

struct reactions_options {
  double limit;        // seconds for a run of a body; 0: 1
  double build_limit;  // seconds for the C compiler; 0: REACTION_BUILD_SECONDS (source.h)
  uint32_t period;  // cycles from the begin of a round to that of the next; 0: none is waited for
  /// What a body has printed, or (`name` NULL) what the C compiler and the loop say.
  void (*say)(void *user, unsigned vid, const char *name, const char *line);
  /// Called while a body takes long, every 2 ms: packets go on.
  void (*idle)(void *user);
  void *user;
};

SLUICE_MUST_CHECK enum sluice_status reactions_open(struct reactions **rs, struct sluice_chip *chip,
                                                    struct reaction_meter *meter,
                                                    const struct reactions_options *options,
                                                    struct sluice_error *error);
/// Builds and starts those of an image, which the module with this VLAN id is of. Takes a copy. An
/// image without reactions adds none. `file`: what messages call the program (NULL: as the image
/// does). Waits meanwhile; a signal that would end this process and is blocked ends the wait.
/// SLUICE_ERR_UNSUPPORTED: an array's stage has no shadow memory; SLUICE_ERR_DIFFERS: it is not the
/// module's image; others as reaction_build.
SLUICE_MUST_CHECK enum sluice_status reactions_add(struct reactions *rs, unsigned vid,
                                                   const struct sluice_image *image,
                                                   const char *file, struct sluice_error *error);
/// The same without waiting: the C compiler and the loading of bodies take their time.
///
///     status = reactions_make(&making, rs, 5, image, NULL, NULL, &error);
///     while (!reactions_made(making)) ...                  // see reactions_make_watch
///     status = reactions_add_made(making, &error);         // they run from now on
///
/// `name`: of the only reaction that is wanted (for reactions_reload_made); NULL: all. The module
/// need not be on the chip before reactions_add_made.
struct reaction_making;
SLUICE_MUST_CHECK enum sluice_status reactions_make(struct reaction_making **making,
                                                    struct reactions *rs, unsigned vid,
                                                    const struct sluice_image *image,
                                                    const char *name, const char *file,
                                                    struct sluice_error *error);
/// Whether it is over, well or not.
bool reactions_made(struct reaction_making *making);
/// The next wait of `loop` ends when it may have been made.
void reactions_make_watch(const struct reaction_making *making, struct sluice_loop *loop);
/// Frees `making`, also when it fails.
SLUICE_MUST_CHECK enum sluice_status reactions_add_made(struct reaction_making *making,
                                                        struct sluice_error *error);
/// Ends it, wherever it is; NULL is allowed.
void reactions_make_drop(struct reaction_making *making);
/// Ends those of a module.
void reactions_remove(struct reactions *rs, unsigned vid);
/// The next reaction's dialogue, if one is due. What goes wrong in it is counted and kept there,
/// and said; the loop goes on. Fails only when the chip does not answer any more.
SLUICE_MUST_CHECK enum sluice_status reactions_step(struct reactions *rs, bool *ran,
                                                    struct sluice_error *error);
/// Whether there is one that runs.
bool reactions_run(const struct reactions *rs);
void reactions_close(struct reactions *rs);

// ---- one by one ---------------------------------------------------------------------------------

enum reaction_state { REACTION_RUNS, REACTION_STOPPED, REACTION_ENDED };
/// Cycles of the chip, of one dialogue or added up. `mirror` is what a transaction does behind the
/// flip.
struct reaction_cycles {
  uint64_t cut, read, code, write, check, flip, mirror;
};
struct reaction_info {
  unsigned vid, words;
  const char *program, *name;               // live until it is reloaded or removed
  enum reaction_state state;                // ENDED: its process is no more
  uint64_t runs, changes, errors, refused;  // refused: what must be unchanged was not
  uint64_t guarded;                         // of the changes: by a guarded flip
  uint64_t entries;                         // changes of tables that were committed
  const char *last_error;                   // "": none
  // Cut, read and code: over all runs; write, flip and mirror: over those with a change
  struct reaction_cycles sum;
  uint64_t reach, most;  // from the write of CHIP.CUT to behind the flip: added up over changes,
                         // and the longest
  uint32_t last_cut, last_flip;     // CHIP.CYCLES of the last of these
  uint32_t ticket;                  // of the cut of the last arguments
  struct reaction_traffic traffic;  // of all dialogues
  double seconds;                   // of real time in the body
  char bus[80];                     // its model, "": none
};
/// Returns false when there are not so many.
bool reactions_get(const struct reactions *rs, unsigned n, struct reaction_info *info);
/// SLUICE_ERR_NOT_FOUND: no such reaction; to start one whose process is no more starts it anew,
/// with its initial state.
SLUICE_MUST_CHECK enum sluice_status reactions_stop(struct reactions *rs, unsigned vid,
                                                    const char *name, struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status reactions_start(struct reactions *rs, unsigned vid,
                                                     const char *name, struct sluice_error *error);
/// The body and arguments that reaction `name` has in another image of the same program: same
/// malleables, arrays that the module has. Nothing else changes; its static state is new. When it
/// fails the old one goes on.
SLUICE_MUST_CHECK enum sluice_status reactions_reload(struct reactions *rs, unsigned vid,
                                                      const char *name,
                                                      const struct sluice_image *image,
                                                      const char *file, struct sluice_error *error);
/// The same with what reactions_make has made. Frees `making`, also when it fails.
SLUICE_MUST_CHECK enum sluice_status reactions_reload_made(struct reaction_making *making,
                                                           struct sluice_error *error);
