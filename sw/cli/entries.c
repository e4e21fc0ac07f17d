// SPDX-License-Identifier: Apache-2.0
// Entries of tables from files (--entries): they become constant entries of the image, so that all
// that takes images takes them.
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "../driver/plan/table_plan.h"
#include "../driver/plan/table_text.h"
#include "../p4c/entries.h"
#include "cli.h"

enum { MOST = 64 << 20 };

// Of one module, whose tables are in a plan of their own.
static enum sluice_status append(struct sluice_image *image, const struct sluice_plan *plan,
                                 const struct sluice_table_change *changes, unsigned num,
                                 struct sluice_error *error) {
  for (unsigned i = 0; i < num; i++) {
    struct sluice_stored stored;
    unsigned table = 0;
    enum sluice_status status = sluice_plan_table_encode(plan, &changes[i], &stored, error);
    while (!status && strcmp(image->tables[table].name, changes[i].table) != 0) table++;
    if (!status) status = p4c_entries_keep(image, table, &stored, error);
    if (status) return status;
  }
  return SLUICE_OK;
}

static enum sluice_status give(struct cli_module *m, const struct sluice_config *config,
                               const char *table, const char *text, size_t len, const char *path,
                               struct sluice_error *error) {
  struct sluice_table_change *changes = NULL;
  struct sluice_plan plan;
  unsigned num = 0;
  sluice_plan_init(&plan, config);
  sluice_plan_trust(&plan, true);  // whether it is allowed is looked at later
  enum sluice_status status = sluice_plan_add(&plan, &m->image, m->vid, error);
  if (!status)
    status =
        table_file_read(&plan, m->vid, table, text, len, path, true, &changes, &num, NULL, error);
  if (!status) status = append(&m->image, &plan, changes, num, error);
  sluice_table_free(changes, num, NULL);
  sluice_plan_release(&plan);
  return status;
}

static bool has_table(const struct cli_module *m, const char *name) {
  for (size_t i = 0; i < m->image.num_tables; i++)
    if (strcmp(m->image.tables[i].name, name) == 0) return true;
  return false;
}

// [VID:]FILE without a table: the entries of a P4 program, by its names.
static int give_p4(struct cli_modules *modules, const struct sluice_config *config,
                   const char *item) {
  struct sluice_error error;
  uint64_t vid = 0;
  const char *path = cli_entries_file(item, &vid);
  size_t len;
  bool given = false;
  char *text = cli_read_file(path, MOST, &len);
  if (!text) return CLI_WORLD;
  int code = CLI_DONE;
  for (unsigned i = 0; i < modules->count && code == CLI_DONE; i++) {
    struct cli_module *m = &modules->items[i];
    if (vid ? m->vid != vid : !m->p4) continue;
    given = true;
    if (!p4c_entries(&m->image, m->vid, config, text, len, &error)) continue;
    cli_error("--entries: '%s': %s", path, error.text);
    code = CLI_NO;
  }
  free(text);
  if (given) return code;
  cli_error("--entries: '%s' names no table, and no module%s is a P4 program", item,
            vid ? " with this VLAN id" : "");
  return CLI_USAGE;
}

// [VID:]TABLE=FILE
static int give_entries(struct cli_modules *modules, const struct sluice_config *config,
                        const char *item) {
  const char *equals = strchr(item, '='), *colon = strchr(item, ':'), *name = item;
  char table[SLUICE_NAME_LEN];
  struct sluice_error error;
  uint64_t vid = 0;
  bool given = false;
  if (!equals) return give_p4(modules, config, item);
  if (colon && colon < equals) {
    if (sluice_number_len(item, (size_t)(colon - item), &vid) != SLUICE_READ || vid < 1 ||
        vid > 4094)
      equals = NULL;
    name = colon + 1;
  }
  if (!equals || equals == name || !equals[1] || (size_t)(equals - name) >= sizeof table) {
    cli_error("--entries: '%s' is not TABLE=FILE or VID:TABLE=FILE with a VLAN id from 1 to 4094",
              item);
    return CLI_USAGE;
  }
  snprintf(table, sizeof table, "%.*s", (int)(equals - name), name);
  size_t len;
  char *text = cli_read_file(equals + 1, MOST, &len);
  if (!text) return CLI_WORLD;
  for (unsigned i = 0; i < modules->count; i++) {
    struct cli_module *m = &modules->items[i];
    if ((vid && m->vid != vid) || !has_table(m, table)) continue;
    given = true;
    if (!give(m, config, table, text, len, equals + 1, &error)) continue;
    cli_error("--entries: %s", error.text);
    free(text);
    return CLI_NO;
  }
  free(text);
  if (given) return CLI_DONE;
  cli_error("--entries: no module%s has a table '%s'", vid ? " with this VLAN id" : "", table);
  return CLI_USAGE;
}

int cli_modules_entries(struct cli_modules *modules, const struct sluice_config *config) {
  for (unsigned i = 0; i < modules->entries.count; i++) {
    const int code = give_entries(modules, config, modules->entries.items[i]);
    if (code != CLI_DONE) return code;
  }
  return CLI_DONE;
}
