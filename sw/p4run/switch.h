// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../p4/front.h"

/// A switch that runs a checked P4 program of v1model, one statement after the other: the reference
/// that everything else is compared with. It shares nothing with compiler, model and chip.
///
///     struct p4r_switch *sw = p4r_open(program, &options, why, sizeof why);
///     struct p4r_output *out;
///     if (!p4r_send(sw, 1, bytes, len, &out)) puts(why);
///     for (; out; out = out->next) ...
///     p4r_close(sw);
///
/// Calls that return bool say in `why` (of p4r_open) what is wrong when they return false.

struct p4r_trace {
  FILE *out;  // NULL: nothing is told
  bool json;
};
struct p4r_options {
  uint64_t seed;  // of random()
  struct p4r_trace trace;
  const struct p4_messages *messages;  // of the front end: names of files
};
struct p4r_output {
  unsigned port;
  const uint8_t *bytes;  // until the next call of p4r_send
  size_t len;
  struct p4r_output *next;
};
struct p4r_switch;
struct p4r_switch *p4r_open(const struct p4_program *program, const struct p4r_options *options,
                            char *why, size_t why_size);
void p4r_close(struct p4r_switch *sw);
/// Gives a packet to a port, and all that comes out, in order. False: the program cannot go on (a
/// false assert, a loop without an end); what came out before is there.
bool p4r_send(struct p4r_switch *sw, unsigned port, const uint8_t *bytes, size_t len,
              struct p4r_output **out);
/// What the queues of the next packets are like: packets that wait when one comes and when it
/// leaves, and how long it waits. Else nothing waits.
struct p4r_queue {
  uint64_t depth_in, depth_out, waited;
};
void p4r_set_queue(struct p4r_switch *sw, const struct p4r_queue *queue);
/// The clock of meters and time stamps.
void p4r_set_time(struct p4r_switch *sw, uint64_t time_us);
uint64_t p4r_time(const struct p4r_switch *sw);

// ---- what the control plane does ----------------------------------------------------------------
// Tables, actions and externs by full name or by a suffix of it that only one has; keys by name.

/// A value of one key or parameter: big-endian bytes with as many leading zeros as one likes.
struct p4r_number {
  uint8_t bytes[256];
  size_t len;
  bool negative;
};
enum p4r_given_kind {
  P4R_GIVEN_VALUE,
  P4R_GIVEN_MASK,    // value &&& mask
  P4R_GIVEN_PREFIX,  // value / prefix_len
  P4R_GIVEN_RANGE,   // value .. mask
  // Written digit by digit: mask has ones where a digit was written. A ternary key takes the mask,
  // an lpm key the first prefix_len bits if there are `*`; the others take a value without `*`.
  P4R_GIVEN_DIGITS,
};
struct p4r_given {
  const char *name;  // of the key or the parameter; NULL: the next one
  enum p4r_given_kind kind;
  struct p4r_number value, mask;
  unsigned prefix_len;
  bool has_stars;
};
struct p4r_request {
  const char *table, *action;
  const struct p4r_given *keys, *args;
  unsigned num_keys, num_args;
  bool has_priority;
  uint64_t priority;           // the larger number wins
  const char *label;           // a name for it; NULL: none
  bool has_member, has_group;  // instead of an action: of the table's action profile
  uint64_t member;             // its id, or that of the group
};
/// Decimal, 0x.., 0b.., 0o.., with _; false: no number, or above 256 bytes.
bool p4r_number_read(struct p4r_number *number, const char *text, size_t len);
/// "exact", "lpm" .. of a key, or NULL.
const char *p4r_key_kind(struct p4r_switch *sw, const char *table, const char *key);
bool p4r_entry_add(struct p4r_switch *sw, const struct p4r_request *request);
/// Removes the entry with these keys.
bool p4r_entry_remove(struct p4r_switch *sw, const struct p4r_request *request);
bool p4r_default_set(struct p4r_switch *sw, const struct p4r_request *request);

bool p4r_member_set(struct p4r_switch *sw, const char *profile, uint64_t id,
                    const struct p4r_request *action);
bool p4r_group_make(struct p4r_switch *sw, const char *profile, uint64_t id);
bool p4r_group_add(struct p4r_switch *sw, const char *profile, uint64_t group, uint64_t member);
bool p4r_value_set_add(struct p4r_switch *sw, const char *set, const struct p4r_given *members,
                       unsigned num);

bool p4r_group_create(struct p4r_switch *sw, unsigned group);
/// The node's number; -1: no memory.
int p4r_node_create(struct p4r_switch *sw, unsigned rid, const unsigned *ports, unsigned num_ports);
bool p4r_node_update(struct p4r_switch *sw, unsigned node, const unsigned *ports,
                     unsigned num_ports);
bool p4r_node_associate(struct p4r_switch *sw, unsigned group, unsigned node);
/// Sends clones of a session to a port, or to a group.
bool p4r_session_set(struct p4r_switch *sw, unsigned session, bool is_group, unsigned target);
bool p4r_session_delete(struct p4r_switch *sw, unsigned session);

bool p4r_register_read(struct p4r_switch *sw, const char *name, uint64_t index,
                       struct p4r_number *value);
/// Of all cells if index is UINT64_MAX.
bool p4r_register_write(struct p4r_switch *sw, const char *name, uint64_t index,
                        const struct p4r_number *value);
bool p4r_counter_read(struct p4r_switch *sw, const char *name, uint64_t index, uint64_t *packets,
                      uint64_t *bytes);
/// Of a direct counter: of the entry with this label, or number from 1, of its table.
bool p4r_counter_read_entry(struct p4r_switch *sw, const char *name, const char *label,
                            uint64_t *packets, uint64_t *bytes);
bool p4r_counter_write(struct p4r_switch *sw, const char *name, uint64_t index, uint64_t packets,
                       uint64_t bytes);
/// Rates per second: committed, peak. Of all cells if index is UINT64_MAX; of a direct meter index
/// is the number of an entry from 1.
bool p4r_meter_rates(struct p4r_switch *sw, const char *name, uint64_t index,
                     const uint64_t rate[2], const uint64_t burst[2]);
