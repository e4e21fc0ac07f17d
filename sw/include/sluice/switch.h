// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SWITCH_H
#define SLUICE_SWITCH_H

#include <sluice/chip.h>
#include <sluice/image.h>
#include <sluice/table.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// A switch that runs: programs come and go, tables, state and parameters change, while packets
/// flow. The same calls reach a switch of another process, and a chip that this one drives.
///
///     struct sluice_switch *sw;
///     const char *words[] = {"10.9.0.0/16", "forward", "port=3"};
///     status = sluice_switch_connect(&sw, "control:/tmp/switch", NULL, &error);
///     status = sluice_switch_table_change(sw, 5, "route", SLUICE_TABLE_ADD, words, 3, &error);
///     sluice_switch_close(sw);
///
/// "control:/tmp/switch" is a live switch, 'sluice serve --control /tmp/switch'. "model:tables" is
/// the reference model in this process, which begins empty. "unix:PATH" and "serial:DEVICE,BAUD"
/// are a chip that this process drives alone.
///
/// Each call blocks until it is done, or refused: then nothing has changed, and `error` says why.
/// A connection belongs to one thread at a time; several to one switch do not disturb each other.
struct sluice_switch;

/// SLUICE_ERR_IO: nobody is there; SLUICE_ERR_FOREIGN: what is there speaks another protocol, or
/// another version of this one. `alloc` as in sluice_chip_open.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_connect(struct sluice_switch **sw,
                                                           const char *where,
                                                           const struct sluice_alloc *alloc,
                                                           struct sluice_error *error);
/// NULL is allowed. A live switch goes on.
void sluice_switch_close(struct sluice_switch *sw);

struct sluice_switch_info {
  char chip[64];     // name of its shape
  char version[32];  // of the software that answers
  unsigned protocol;
};
void sluice_switch_describe(const struct sluice_switch *sw, struct sluice_switch_info *info);
/// Seconds that a call waits for an answer of a live switch (60).
void sluice_switch_patience(struct sluice_switch *sw, double seconds);

/// Loads a program for the packets of a VLAN; puts another version in its place, in which arrays
/// and tables that stay keep their contents; takes it out. On a chip with one bank that this
/// process drives the new version begins as after a load.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_load(struct sluice_switch *sw, unsigned vid,
                                                        const struct sluice_image *image,
                                                        struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_switch_update(struct sluice_switch *sw, unsigned vid,
                                                          const struct sluice_image *image,
                                                          struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_switch_remove(struct sluice_switch *sw, unsigned vid,
                                                          struct sluice_error *error);
/// Calls `each` for every program. SLUICE_OK unless it returns another status.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_programs(
    struct sluice_switch *sw,
    enum sluice_status (*each)(void *user, unsigned vid, const char *program), void *user,
    struct sluice_error *error);

/// One change of a table; `words` as those of 'sluice ctl table' behind the operation.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_table_change(
    struct sluice_switch *sw, unsigned vid, const char *table, enum sluice_table_op op,
    const char *const *words, unsigned num, struct sluice_error *error);
/// Calls `each` for every entry: its keys, its action, and the action's arguments as NAME=VALUE, in
/// the words that table_change takes. Texts live until `each` returns.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_table_list(
    struct sluice_switch *sw, unsigned vid, const char *table,
    enum sluice_status (*each)(void *user, const char *const *words, unsigned num), void *user,
    struct sluice_error *error);

/// Entries of an array.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_state_read(struct sluice_switch *sw,
                                                              unsigned vid, const char *array,
                                                              unsigned first, unsigned num,
                                                              uint32_t *values,
                                                              struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_switch_state_write(struct sluice_switch *sw,
                                                               unsigned vid, const char *array,
                                                               unsigned first, unsigned num,
                                                               const uint32_t *values,
                                                               struct sluice_error *error);
/// A malleable of a program.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_param_set(struct sluice_switch *sw, unsigned vid,
                                                             const char *name, int64_t value,
                                                             struct sluice_error *error);
/// What the chip has counted since its start.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_counters(struct sluice_switch *sw,
                                                            struct sluice_counters *counters,
                                                            struct sluice_error *error);
/// The next packet that has come to the CPU port and nobody has asked for; len 0: there is none.
/// Only of a live switch: a chip that this process drives has no CPU port here, and refuses
/// (SLUICE_ERR_UNSUPPORTED), as a switch without one does.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_event(struct sluice_switch *sw,
                                                         struct sluice_packet_out *packet,
                                                         struct sluice_error *error);
/// A descriptor that becomes readable when there are events, for poll, until the connection is
/// closed. From then on sluice_switch_event never waits for the switch: when the descriptor is
/// readable, call it until there is none. Nothing else may read from it.
///
///     status = sluice_switch_event_fd(sw, &fd, &error);
///     poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
///     while (!(status = sluice_switch_event(sw, &packet, &error)) && packet.len) ...
SLUICE_MUST_CHECK enum sluice_status sluice_switch_event_fd(struct sluice_switch *sw, int *fd,
                                                            struct sluice_error *error);
/// A packet of the control plane, in at the CPU port; it has a VLAN tag, which says whose it is.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_send(struct sluice_switch *sw,
                                                        const uint8_t *bytes, size_t len,
                                                        struct sluice_error *error);
/// Any request of docs/control.md, as JSON: {"do": "show", "vid": 5}. *answer is JSON as well, and
/// belongs to the connection until its next call. What the switch refuses is an error here too;
/// *answer is then what it said. NULL: it said nothing.
/// Only of a live switch: others are SLUICE_ERR_UNSUPPORTED.
SLUICE_MUST_CHECK enum sluice_status sluice_switch_ask(struct sluice_switch *sw,
                                                       const char *request, const char **answer,
                                                       struct sluice_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
