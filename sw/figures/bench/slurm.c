// SPDX-License-Identifier: Apache-2.0
#include "slurm.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "process.h"

enum { PATH_LEN = PATH_MAX };

void slurm_path(char *path, size_t size, const char *folder, unsigned task) {
  snprintf(path, size, "%s/tasks/%u.jsonl", folder, task);
}

// In single quotes, so that the shell takes it as it is.
static void put_quoted(FILE *out, const char *text) {
  putc('\'', out);
  for (; *text; text++) {
    if (*text == '\'') fputs("'\\''", out);
    else putc(*text, out);
  }
  putc('\'', out);
}

static enum sluice_status write_todo(const struct pool *pool, const char *path, size_t *count,
                                     struct sluice_error *error) {
  struct sheet todo;
  sheet_begin(&todo, plan_header());
  for (size_t i = 0; i < pool->results->plan->count; i++)
    if (pool_wants(pool, i)) plan_put(&todo, &pool->results->plan->runs[i]);
  *count = sheet_rows(&todo);
  enum sluice_status status = sheet_write(&todo, path, '\t', error);
  sheet_release(&todo);
  return status;
}

static enum sluice_status write_script(const struct pool *pool, const char *path, size_t count,
                                       struct sluice_error *error) {
  char here[PATH_LEN];
  FILE *out = getcwd(here, sizeof here) ? fopen(path, "w") : NULL;
  if (out) {
    fprintf(out,
            "#!/bin/sh\n#SBATCH --job-name=sluice-bench --array=1-%zu --ntasks=1 "
            "--cpus-per-task=1\n#SBATCH --time=%.0f --output=%s/logs/slurm-%%a.log\ncd ",
            count, (pool->limit + 59) / 60 + 1, pool->folder);
    put_quoted(out, here);
    fputs(" || exit 1\nexec ", out);
    put_quoted(out, pool->command);
    fputs(" bench --out ", out);
    put_quoted(out, pool->folder);
    fputs(" --plan ", out);
    put_quoted(out, pool->folder);
    fprintf(out, "/todo.tsv --limit %.0f --task \"$SLURM_ARRAY_TASK_ID\"\n", pool->limit);
  }
  const bool good = out && !ferror(out);
  if (out && fclose(out) == 0 && good) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
}

enum sluice_status slurm_run(const struct pool *pool, const char *options,
                             struct sluice_error *error) {
  char todo[PATH_LEN], script[PATH_LEN];
  size_t count;
  snprintf(todo, sizeof todo, "%s/todo.tsv", pool->folder);
  snprintf(script, sizeof script, "%s/array.sh", pool->folder);
  enum sluice_status status = write_todo(pool, todo, &count, error);
  if (!status && count) status = write_script(pool, script, count, error);
  if (status || !count) return status;
  struct process_words *words = calloc(1, sizeof *words);
  if (!words) return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for a command");
  process_split(words, "sbatch --wait");
  process_split(words, options);
  process_word(words, "%s", script);
  const int code = process_run(words, NULL, NULL, 0, NULL, NULL);
  free(words);
  if (code == 127)
    return sluice_fail(error, SLUICE_ERR_IO, "there is no sbatch here (Debian: slurm-client)");
  // A task that failed makes the array fail; its sentence is in its log.
  if (code)
    return sluice_fail(error, SLUICE_ERR_IO, "sbatch ended with code %d, see %s/logs/slurm-*.log",
                       code, pool->folder);
  return SLUICE_OK;
}

enum sluice_status slurm_collect(struct results *results, const char *folder,
                                 struct sluice_error *error) {
  char tasks[PATH_LEN];
  snprintf(tasks, sizeof tasks, "%s/tasks", folder);
  enum sluice_status status = SLUICE_OK;
  DIR *dir = opendir(tasks);
  for (struct dirent *entry; !status && dir && (entry = readdir(dir));) {
    char path[PATH_LEN + 300];
    const char *end = strrchr(entry->d_name, '.');
    if (!end || strcmp(end, ".jsonl") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", tasks, entry->d_name);
    status = results_merge(results, path, error);
    if (!status) unlink(path);
  }
  if (dir) closedir(dir);
  return status;
}
