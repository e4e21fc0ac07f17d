// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

#include "../base/loop.h"
#include "../driver/chip/chip.h"
#include "live.h"

/// A request to a live switch while it is served (verbs.h), and the verbs. Each reads its members
/// with asked_*, which refuse what is not of the wanted type, and fills a->answer with answer_*.
struct asked {
  struct live *live;
  struct sluice_chip *chip;
  const json_t *request;
  json_t *answer;
  struct sluice_error error;    // why not
  struct asked_making *making;  // reactions that are made before the verb runs
  unsigned num_making;
  bool (*ready)(const struct asked *a);  // what the verb waits for is there; NULL: it does not wait
};

/// Reactions of the programs of a request (reaction/reactions.h), by VLAN id.
struct asked_making {
  unsigned vid;
  struct reaction_making *making;  // NULL: taken
};
/// Whether all are made; never waits.
bool asked_made(struct asked *a);
void asked_watch_making(const struct asked *a, struct sluice_loop *loop);
/// Those of this VLAN, which the caller uses up; NULL: none are.
struct reaction_making *asked_take_making(struct asked *a, unsigned vid);
void asked_drop_making(struct asked *a);

/// SLUICE_ERR_FORMAT: "'NAME' must be WHAT".
enum sluice_status asked_wants(struct asked *a, const char *name, const char *what);
bool asked_has(const struct asked *a, const char *name);
/// SLUICE_ERR_FORMAT: `object`, a member of the request called `name`, has another member than
/// these (with spaces between them).
enum sluice_status asked_only(struct asked *a, const char *name, const json_t *object,
                              const char *members);
/// A member that is true or false; false if it is not there.
enum sluice_status asked_flag(struct asked *a, const char *name, bool *value);
enum sluice_status asked_whole(struct asked *a, const char *name, json_int_t low, json_int_t high,
                               json_int_t *value);
/// A number from 0 to `most`.
enum sluice_status asked_number(struct asked *a, const char *name, unsigned most, unsigned *value);
enum sluice_status asked_number_or(struct asked *a, const char *name, unsigned most,
                                   unsigned otherwise, unsigned *value);
enum sluice_status asked_text(struct asked *a, const char *name, const char **value);
/// Bytes as hexadecimal digits, two each; `what` is what the member must be.
enum sluice_status asked_hex_bytes(struct asked *a, const char *name, const char *what,
                                   uint8_t *bytes, size_t room, size_t *len);

/// Memory ran out while the answer was made: it is not given then.
extern bool answer_lost;
void answer_put(json_t *to, const char *name, json_t *value);
void answer_append(json_t *to, json_t *value);
void answer_whole(json_t *to, const char *name, uint64_t value);
void answer_text(json_t *to, const char *name, const char *value);
/// Drops by reason, those that occurred.
void answer_drops(json_t *to, const char *name, const uint64_t *drops);
/// "bank", on a chip with two.
void answer_bank(const struct asked *a, json_t *to, unsigned vid);

// verbs_module.c
enum sluice_status begin_modules(struct asked *a);
enum sluice_status begin_reload(struct asked *a);
enum sluice_status verb_load(struct asked *a);
enum sluice_status verb_replace(struct asked *a);
enum sluice_status verb_update(struct asked *a);
enum sluice_status verb_remove(struct asked *a);
enum sluice_status verb_list(struct asked *a);
enum sluice_status verb_param(struct asked *a);
enum sluice_status verb_reaction(struct asked *a);
enum sluice_status verb_trace(struct asked *a);
// verbs_state.c
enum sluice_status verb_show(struct asked *a);
enum sluice_status verb_state(struct asked *a);
enum sluice_status verb_cut(struct asked *a);
enum sluice_status verb_set(struct asked *a);
// verbs_table.c
enum sluice_status verb_table(struct asked *a);
// verbs_traffic.c
enum sluice_status verb_counters(struct asked *a);
enum sluice_status verb_stages(struct asked *a);
enum sluice_status begin_event(struct asked *a);
enum sluice_status verb_event(struct asked *a);
enum sluice_status verb_send(struct asked *a);
enum sluice_status verb_group(struct asked *a);
