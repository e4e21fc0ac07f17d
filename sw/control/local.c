// SPDX-License-Identifier: Apache-2.0
// A chip that this process drives, as a switch.
#include <stdio.h>
#include <string.h>

#include <sluice/event.h>
#include <sluice/param.h>
#include <sluice/version.h>

#include "../base/status.h"
#include "schema.h"
#include "switch.h"

enum sluice_status switch_open(struct sluice_switch *sw, const char *where,
                               struct sluice_error *error) {
  struct sluice_chip_info info;
  const char *shape = strncmp(where, "model:", 6) == 0 ? where + 6 : NULL;
  const struct sluice_chip_options options = {.chip = shape, .alloc = &sw->alloc};
  SLUICE_TRY(sluice_transport_open(&sw->to, where, &sw->alloc, error));
  SLUICE_TRY(sluice_chip_open(&sw->chip, &sw->to, &options, error));
  sluice_chip_describe(sw->chip, &info);
  snprintf(sw->info.chip, sizeof sw->info.chip, "%s", info.name);
  snprintf(sw->info.version, sizeof sw->info.version, "%s", sluice_version());
  sw->info.protocol = CONTROL_PROTOCOL;
  return SLUICE_OK;
}

static void close_chip(struct sluice_switch *sw) {
  if (sw->chip) sluice_chip_close(sw->chip);
  sluice_transport_close(&sw->to);
}

static enum sluice_status load(struct sluice_switch *sw, unsigned vid,
                               const struct sluice_image *image, bool update,
                               struct sluice_error *error) {
  struct sluice_chip_info info;
  sluice_chip_describe(sw->chip, &info);
  if (!update) return sluice_chip_load(sw->chip, image, vid, error);
  return info.banks == 2 ? sluice_chip_update(sw->chip, image, vid, NULL, error)
                         : sluice_chip_replace(sw->chip, image, vid, error);
}

static enum sluice_status remove_program(struct sluice_switch *sw, unsigned vid,
                                         struct sluice_error *error) {
  return sluice_chip_remove(sw->chip, vid, error);
}

static enum sluice_status programs(struct sluice_switch *sw,
                                   enum sluice_status (*each)(void *user, unsigned vid,
                                                              const char *program),
                                   void *user, struct sluice_error *error) {
  struct sluice_module m;
  (void)error;
  for (unsigned n = 0; sluice_plan_module(sluice_chip_plan(sw->chip), n, &m); n++)
    SLUICE_TRY(each(user, m.vid, m.program));
  return SLUICE_OK;
}

static enum sluice_status table_change(struct sluice_switch *sw, unsigned vid, const char *table,
                                       enum sluice_table_op op, const char *const *words,
                                       unsigned num, struct sluice_error *error) {
  struct sluice_table_change change;
  SLUICE_TRY(
      sluice_table_parse(sluice_chip_plan(sw->chip), vid, table, op, words, num, &change, error));
  return sluice_chip_table_change(sw->chip, &change, 1, NULL, NULL, error);
}

// An entry in words; returns how many.
static unsigned words_of(const struct sluice_plan *plan, const struct sluice_table_change *entry,
                         bool has_priority, char texts[SLUICE_TABLE_WORDS][2 * SLUICE_TABLE_TEXT],
                         const char *words[SLUICE_TABLE_WORDS]) {
  struct sluice_table_key_info key;
  struct sluice_table_action_info action;
  unsigned num = 0;
  for (unsigned k = 0; sluice_plan_table_key(plan, entry->vid, entry->table, k, &key); k++)
    sluice_table_key_text(plan, entry, k, texts[num++]);
  if (has_priority) snprintf(texts[num++], sizeof texts[0], "priority=%u", entry->priority);
  snprintf(texts[num++], sizeof texts[0], "%s", entry->action);
  for (unsigned n = 0; sluice_plan_table_action(plan, entry->vid, entry->table, n, &action); n++)
    for (unsigned i = 0; strcmp(action.name, entry->action) == 0 && i < action.num_args; i++) {
      char text[SLUICE_TABLE_TEXT];
      sluice_table_arg_text(plan, entry, i, text);
      snprintf(texts[num++], sizeof texts[0], "%.63s=%.63s", action.args[i], text);
    }
  for (unsigned n = 0; n < num; n++) words[n] = texts[n];
  return num;
}

static enum sluice_status table_list(struct sluice_switch *sw, unsigned vid, const char *table,
                                     enum sluice_status (*each)(void *user,
                                                                const char *const *words,
                                                                unsigned num),
                                     void *user, struct sluice_error *error) {
  const struct sluice_plan *plan = sluice_chip_plan(sw->chip);
  struct sluice_table_change entry;
  struct sluice_table_desc d;
  bool found = false;
  for (unsigned n = 0; !found && sluice_plan_table(plan, vid, n, &d); n++)
    found = strcmp(d.name, table) == 0;
  if (!found)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module with VLAN id %u has a table '%.60s'",
                       vid, table);
  for (uint32_t place = 0; sluice_plan_table_entry(plan, vid, table, &place, &entry);) {
    char texts[SLUICE_TABLE_WORDS][2 * SLUICE_TABLE_TEXT];
    const char *words[SLUICE_TABLE_WORDS];
    const unsigned num = words_of(plan, &entry, d.has_priority, texts, words);
    SLUICE_TRY(each(user, words, num));
  }
  return SLUICE_OK;
}

static enum sluice_status state_read(struct sluice_switch *sw, unsigned vid, const char *array,
                                     unsigned first, unsigned num, uint32_t *values,
                                     struct sluice_error *error) {
  return sluice_chip_state_read(sw->chip, vid, array, first, num, values, error);
}

static enum sluice_status state_write(struct sluice_switch *sw, unsigned vid, const char *array,
                                      unsigned first, unsigned num, const uint32_t *values,
                                      struct sluice_error *error) {
  return sluice_chip_state_write(sw->chip, vid, array, first, num, values, error);
}

static enum sluice_status param_set(struct sluice_switch *sw, unsigned vid, const char *name,
                                    int64_t value, struct sluice_error *error) {
  const struct sluice_setting set = {.vid = vid, .name = name, .value = value};
  return sluice_chip_set_params(sw->chip, &set, 1, NULL, error);
}

static enum sluice_status counters(struct sluice_switch *sw, struct sluice_counters *counters_of,
                                   struct sluice_error *error) {
  return sluice_chip_counters(sw->chip, counters_of, error);
}

static enum sluice_status event(struct sluice_switch *sw, struct sluice_packet_out *packet,
                                struct sluice_error *error) {
  return sluice_chip_event(sw->chip, packet, error);
}

static enum sluice_status event_fd(struct sluice_switch *sw, int *fd, struct sluice_error *error) {
  (void)sw;
  *fd = -1;
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "a chip that this process drives has no descriptor of events");
}

static enum sluice_status send_packet(struct sluice_switch *sw, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  return sluice_chip_cpu_send(sw->chip, bytes, len, error);
}

const struct switch_ops switch_local = {
    close_chip,  load,      remove_program, programs, table_change, table_list, state_read,
    state_write, param_set, counters,       event,    event_fd,     send_packet};
