// SPDX-License-Identifier: Apache-2.0
#include "switch.h"

#include <stdlib.h>
#include <string.h>

#include "../base/status.h"

#define PATIENCE 60.0

enum sluice_status sluice_switch_connect(struct sluice_switch **out, const char *where,
                                         const struct sluice_alloc *alloc,
                                         struct sluice_error *error) {
  static const char prefix[] = "control:";
  const bool remote = strncmp(where, prefix, sizeof prefix - 1) == 0;
  *out = NULL;
  struct sluice_switch *sw = sluice_zeroed(alloc, sizeof *sw);
  if (!sw) return sluice_no_memory(error);
  *sw = (struct sluice_switch){.ops = remote ? &switch_remote : &switch_local,
                               .alloc = alloc ? *alloc : (struct sluice_alloc){NULL, NULL},
                               .fd = -1,
                               .patience = PATIENCE};
  const enum sluice_status status = remote ? switch_connect(sw, where + sizeof prefix - 1, error)
                                           : switch_open(sw, where, error);
  if (status) sluice_switch_close(sw);
  else *out = sw;
  return status;
}

void sluice_switch_close(struct sluice_switch *sw) {
  if (!sw) return;
  const struct sluice_alloc alloc = sw->alloc;
  sw->ops->close(sw);
  free(sw->answer);
  sluice_resize(&alloc, sw, sizeof *sw, 0);
}

void sluice_switch_describe(const struct sluice_switch *sw, struct sluice_switch_info *info) {
  *info = sw->info;
}

void sluice_switch_patience(struct sluice_switch *sw, double seconds) { sw->patience = seconds; }

enum sluice_status sluice_switch_load(struct sluice_switch *sw, unsigned vid,
                                      const struct sluice_image *image,
                                      struct sluice_error *error) {
  return sw->ops->load(sw, vid, image, false, error);
}

enum sluice_status sluice_switch_update(struct sluice_switch *sw, unsigned vid,
                                        const struct sluice_image *image,
                                        struct sluice_error *error) {
  return sw->ops->load(sw, vid, image, true, error);
}

enum sluice_status sluice_switch_remove(struct sluice_switch *sw, unsigned vid,
                                        struct sluice_error *error) {
  return sw->ops->remove(sw, vid, error);
}

enum sluice_status sluice_switch_programs(struct sluice_switch *sw,
                                          enum sluice_status (*each)(void *user, unsigned vid,
                                                                     const char *program),
                                          void *user, struct sluice_error *error) {
  return sw->ops->programs(sw, each, user, error);
}

enum sluice_status sluice_switch_table_change(struct sluice_switch *sw, unsigned vid,
                                              const char *table, enum sluice_table_op op,
                                              const char *const *words, unsigned num,
                                              struct sluice_error *error) {
  return sw->ops->table_change(sw, vid, table, op, words, num, error);
}

enum sluice_status sluice_switch_table_list(
    struct sluice_switch *sw, unsigned vid, const char *table,
    enum sluice_status (*each)(void *user, const char *const *words, unsigned num), void *user,
    struct sluice_error *error) {
  return sw->ops->table_list(sw, vid, table, each, user, error);
}

enum sluice_status sluice_switch_state_read(struct sluice_switch *sw, unsigned vid,
                                            const char *array, unsigned first, unsigned num,
                                            uint32_t *values, struct sluice_error *error) {
  return sw->ops->state_read(sw, vid, array, first, num, values, error);
}

enum sluice_status sluice_switch_state_write(struct sluice_switch *sw, unsigned vid,
                                             const char *array, unsigned first, unsigned num,
                                             const uint32_t *values, struct sluice_error *error) {
  return sw->ops->state_write(sw, vid, array, first, num, values, error);
}

enum sluice_status sluice_switch_param_set(struct sluice_switch *sw, unsigned vid, const char *name,
                                           int64_t value, struct sluice_error *error) {
  return sw->ops->param_set(sw, vid, name, value, error);
}

enum sluice_status sluice_switch_counters(struct sluice_switch *sw,
                                          struct sluice_counters *counters,
                                          struct sluice_error *error) {
  return sw->ops->counters(sw, counters, error);
}

enum sluice_status sluice_switch_event_fd(struct sluice_switch *sw, int *fd,
                                          struct sluice_error *error) {
  return sw->ops->event_fd(sw, fd, error);
}

enum sluice_status sluice_switch_send(struct sluice_switch *sw, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  return sw->ops->send(sw, bytes, len, error);
}

enum sluice_status sluice_switch_event(struct sluice_switch *sw, struct sluice_packet_out *packet,
                                       struct sluice_error *error) {
  return sw->ops->event(sw, packet, error);
}
