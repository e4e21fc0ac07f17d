// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <stdbool.h>

/// What `sluice ctl` prints: the answers of a live switch (live/verbs.h) as text for people.
void ctl_print(const char *verb, const json_t *request, const json_t *answer);

/// What is another number, or another text, in `answer` than in `before`: a line each, as
/// "ports[0].in 1203 (+34)". Returns the number of lines.
unsigned ctl_print_changes(const json_t *before, const json_t *answer);

struct cli_list;
/// The request of the verb table (ctl_table.c), of the words behind it. Exit code, after a message.
int ctl_table_request(json_t *request, const struct cli_list *words, bool in_order);
void ctl_table_print(const json_t *answer);

/// The verb trace: asks for the stories of packets and prints them as they end. `words`: trace
/// [COUNT] [FILTER...]. `ask` sends a request, and returns an exit code after a message.
struct ctl_trace {
  bool json;
  double patience;  // seconds without a story
  int (*ask)(void *user, const json_t *request, json_t **answer);
  void *user;
};
int ctl_trace(const struct ctl_trace *trace, const struct cli_list *words);
