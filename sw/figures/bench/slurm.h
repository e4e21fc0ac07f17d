// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pool.h"

/// Makes the runs that are wanted as a Slurm job array, and waits for it. The nodes must share the
/// project's folder. Task N makes run N of FOLDER/todo.tsv, and leaves its line in
/// FOLDER/tasks/N.jsonl.
/// `options`: more words for sbatch.
SLUICE_MUST_CHECK enum sluice_status slurm_run(const struct pool *pool, const char *options,
                                               struct sluice_error *error);
/// Takes over what tasks have left, also those of a command that did not live to do so.
SLUICE_MUST_CHECK enum sluice_status slurm_collect(struct results *results, const char *folder,
                                                   struct sluice_error *error);
/// Path of the results of a task.
void slurm_path(char *path, size_t size, const char *folder, unsigned task);
