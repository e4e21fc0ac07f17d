// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dialogue.h"
#include "source.h"

/// A reaction in a process of its own. Whatever its body does, this process goes on: a body that
/// crashes, ends, takes too long or writes what is no answer is ended, and the call says so. What
/// it may do besides computing is little (confine.h).
///
///     status = reaction_process_start(&p, &built, which, num_params, num_words, &options, &error);
///     // again and again: its statics live
///     status = reaction_process_run(p, before, values, words, &effects, &error);
///     reaction_process_end(p);
///
/// Between the two goes, over a socket pair, in either direction a frame {magic, kind, sequence,
/// length} and its bytes: RUN with the fate of the run before, the malleables' values and the
/// arguments' words; READY, DONE with how many, {malleable, line, value} of each that was set, and
/// the words of each change of a table, FAILED with a sentence, DIED with a signal and where it
/// was.
struct reaction_process;

struct reaction_process_options {
  double limit;  // seconds for a run; 0: 1
  /// A line that the body has printed (standard output or error). NULL: they are dropped.
  void (*say)(void *user, const char *line);
  /// Called while an answer takes longer than 2 ms, every 2 ms. NULL: nothing is.
  void (*idle)(void *user);
  void *user;
};

/// Starts the process, which loads the body; it may run when it has (reaction_process_loaded, which
/// never waits). `built` must stay until the end. SLUICE_ERR_IO; when the second call fails the
/// process is no more, and wants its reaction_process_end all the same.
SLUICE_MUST_CHECK enum sluice_status reaction_process_begin(
    struct reaction_process **p, const struct reaction_build *built, unsigned which,
    unsigned num_params, unsigned num_words, const struct reaction_process_options *options,
    struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status reaction_process_loaded(struct reaction_process *p,
                                                             bool *loaded,
                                                             struct sluice_error *error);
/// The next wait of `loop` ends when that may have something new to say.
void reaction_process_watch(const struct reaction_process *p, struct sluice_loop *loop);
/// Both; returns when the body is loaded.
SLUICE_MUST_CHECK enum sluice_status reaction_process_start(
    struct reaction_process **p, const struct reaction_build *built, unsigned which,
    unsigned num_params, unsigned num_words, const struct reaction_process_options *options,
    struct sluice_error *error);
/// SLUICE_ERR_IO: the process is no more, and the text says why: "line 12: signal 11 (Segmentation
/// fault)". `before`: what became of the effects of the run before.
SLUICE_MUST_CHECK enum sluice_status reaction_process_run(
    struct reaction_process *p, enum reaction_fate before, const int32_t *values,
    const int32_t *words, struct reaction_effects *effects, struct sluice_error *error);
/// Ends it; NULL is allowed.
void reaction_process_end(struct reaction_process *p);
