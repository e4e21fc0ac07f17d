// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/switch.h>
#include <sys/un.h>

/// The two kinds of switch behind sluice/switch.h: one that another process has (remote.c), and a
/// chip that this process drives (local.c). Each function as that of the header.
struct switch_ops {
  void (*close)(struct sluice_switch *sw);
  enum sluice_status (*load)(struct sluice_switch *sw, unsigned vid,
                             const struct sluice_image *image, bool update,
                             struct sluice_error *error);
  enum sluice_status (*remove)(struct sluice_switch *sw, unsigned vid, struct sluice_error *error);
  enum sluice_status (*programs)(struct sluice_switch *sw,
                                 enum sluice_status (*each)(void *user, unsigned vid,
                                                            const char *program),
                                 void *user, struct sluice_error *error);
  enum sluice_status (*table_change)(struct sluice_switch *sw, unsigned vid, const char *table,
                                     enum sluice_table_op op, const char *const *words,
                                     unsigned num, struct sluice_error *error);
  enum sluice_status (*table_list)(struct sluice_switch *sw, unsigned vid, const char *table,
                                   enum sluice_status (*each)(void *user, const char *const *words,
                                                              unsigned num),
                                   void *user, struct sluice_error *error);
  enum sluice_status (*state_read)(struct sluice_switch *sw, unsigned vid, const char *array,
                                   unsigned first, unsigned num, uint32_t *values,
                                   struct sluice_error *error);
  enum sluice_status (*state_write)(struct sluice_switch *sw, unsigned vid, const char *array,
                                    unsigned first, unsigned num, const uint32_t *values,
                                    struct sluice_error *error);
  enum sluice_status (*param_set)(struct sluice_switch *sw, unsigned vid, const char *name,
                                  int64_t value, struct sluice_error *error);
  enum sluice_status (*counters)(struct sluice_switch *sw, struct sluice_counters *counters,
                                 struct sluice_error *error);
  enum sluice_status (*event)(struct sluice_switch *sw, struct sluice_packet_out *packet,
                              struct sluice_error *error);
  enum sluice_status (*event_fd)(struct sluice_switch *sw, int *fd, struct sluice_error *error);
  enum sluice_status (*send)(struct sluice_switch *sw, const uint8_t *bytes, size_t len,
                             struct sluice_error *error);
};
extern const struct switch_ops switch_remote, switch_local;

struct sluice_switch {
  const struct switch_ops *ops;
  struct sluice_alloc alloc;
  struct sluice_switch_info info;
  // remote
  int fd;
  char path[sizeof((struct sockaddr_un *)0)->sun_path];
  double patience;
  struct switch_events *events;  // a connection of its own; NULL: nobody wants a descriptor
  char *answer;                  // of the last sluice_switch_ask
  // local
  struct sluice_transport to;
  struct sluice_chip *chip;
};

enum sluice_status switch_connect(struct sluice_switch *sw, const char *path,
                                  struct sluice_error *error);
enum sluice_status switch_open(struct sluice_switch *sw, const char *where,
                               struct sluice_error *error);
