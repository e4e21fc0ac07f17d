// SPDX-License-Identifier: Apache-2.0
// A live switch of another process, over its control socket.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../base/json.h"
#include "../base/number.h"
#include "../driver/image/image.h"
#include "client.h"
#include "schema.h"
#include "switch.h"

enum { EVENTS = 64 };  // in an answer

enum sluice_status switch_connect(struct sluice_switch *sw, const char *path,
                                  struct sluice_error *error) {
  json_t *greeting;
  SLUICE_TRY(control_connect(&sw->fd, path, &greeting, error));
  snprintf(sw->path, sizeof sw->path, "%s", path);
  snprintf(sw->info.chip, sizeof sw->info.chip, "%s", sluice_json_text(greeting, "chip"));
  snprintf(sw->info.version, sizeof sw->info.version, "%s", sluice_json_text(greeting, "sluice"));
  sw->info.protocol = (unsigned)sluice_json_int(greeting, "protocol");
  json_decref(greeting);
  return SLUICE_OK;
}

/// What a connection of its own has brought: events, several in an answer, and the next answer as
/// far as it has come.
struct switch_events {
  int fd;
  json_t *answer;  // its events from `next` on were not told; NULL: none
  size_t next;
  char *line;
  size_t len, room;
};

static void disconnect(struct sluice_switch *sw) {
  if (sw->fd >= 0) close(sw->fd);
  if (!sw->events) return;
  if (sw->events->fd >= 0) close(sw->events->fd);
  json_decref(sw->events->answer);
  free(sw->events->line);
  free(sw->events);
  sw->events = NULL;
}

// What the switch refuses is an error.
static enum sluice_status judge(const json_t *answer, struct sluice_error *error) {
  if (json_is_true(json_object_get(answer, "ok"))) return SLUICE_OK;
  return sluice_fail(error, control_status_of(sluice_json_text(answer, "status")), "%s",
                     sluice_json_text(answer, "error"));
}

// Asks on a connection, and uses `request` up (NULL: it could not be made). The answer is the
// caller's, also when it is a refusal; NULL: there is none.
static enum sluice_status ask_on(const struct sluice_switch *sw, int fd, json_t *request,
                                 json_t **answer, struct sluice_error *error) {
  *answer = NULL;
  const enum sluice_status status = request && sluice_json_complete()
                                        ? control_ask(fd, request, sw->patience, answer, error)
                                        : sluice_no_memory(error);
  json_decref(request);
  return status ? status : judge(*answer, error);
}

// The same, without the answer of a refusal.
static enum sluice_status ask(struct sluice_switch *sw, json_t *request, json_t **answer,
                              struct sluice_error *error) {
  const enum sluice_status status = ask_on(sw, sw->fd, request, answer, error);
  if (!status) return SLUICE_OK;
  json_decref(*answer);
  *answer = NULL;
  return status;
}

// The same where nobody wants the answer.
static enum sluice_status tell(struct sluice_switch *sw, json_t *request,
                               struct sluice_error *error) {
  json_t *answer;
  const enum sluice_status status = ask(sw, request, &answer, error);
  json_decref(answer);
  return status;
}

static json_t *request_of(const char *verb, unsigned vid) {
  json_t *request = json_object();
  sluice_json_set(request, "do", json_string(verb));
  sluice_json_set_int(request, "vid", vid);
  return request;
}

static json_t *image_json(const struct sluice_image *image) {
  char *text = NULL;
  size_t len = 0;
  FILE *memory = open_memstream(&text, &len);
  const bool good = memory && sluice_image_print(image, memory);
  json_t *json = memory && fclose(memory) == 0 && good ? json_loadb(text, len, 0, NULL) : NULL;
  free(text);
  return json;
}

static enum sluice_status load(struct sluice_switch *sw, unsigned vid,
                               const struct sluice_image *image, bool update,
                               struct sluice_error *error) {
  json_t *request = request_of(update ? "update" : "load", vid);
  sluice_json_set(request, "image", image_json(image));
  return tell(sw, request, error);
}

static enum sluice_status remove_program(struct sluice_switch *sw, unsigned vid,
                                         struct sluice_error *error) {
  return tell(sw, request_of("remove", vid), error);
}

static enum sluice_status programs(struct sluice_switch *sw,
                                   enum sluice_status (*each)(void *user, unsigned vid,
                                                              const char *program),
                                   void *user, struct sluice_error *error) {
  json_t *answer, *one;
  size_t n;
  SLUICE_TRY(ask(sw, json_pack("{s:s}", "do", "list"), &answer, error));
  enum sluice_status status = SLUICE_OK;
  json_array_foreach(json_object_get(answer, "modules"), n, one) {
    if (!status)
      status = each(user, (unsigned)sluice_json_int(one, "vid"), sluice_json_text(one, "program"));
  }
  json_decref(answer);
  return status;
}

// ---- tables -------------------------------------------------------------------------------------

static enum sluice_status table_change(struct sluice_switch *sw, unsigned vid, const char *table,
                                       enum sluice_table_op op, const char *const *words,
                                       unsigned num, struct sluice_error *error) {
  json_t *request = request_of("table", vid), *list = json_array(), *one = json_array();
  sluice_json_add(one, json_string(control_change_word(op)));
  for (unsigned n = 0; n < num; n++) sluice_json_add(one, json_string(words[n]));
  sluice_json_add(list, one);
  sluice_json_set(request, "table", json_string(table));
  sluice_json_set(request, "changes", list);
  return tell(sw, request, error);
}

static const json_t *action_named(const json_t *table, const char *name) {
  const json_t *list = json_object_get(table, "actions");
  for (size_t n = 0; n < json_array_size(list); n++)
    if (strcmp(sluice_json_text(json_array_get(list, n), "name"), name) == 0)
      return json_array_get(list, n);
  return NULL;
}

// An entry in words, of which `texts` holds those that are put together; returns how many.
static unsigned words_of(const json_t *table, const json_t *entry,
                         char texts[SLUICE_TABLE_WORDS][2 * SLUICE_TABLE_TEXT],
                         const char *words[SLUICE_TABLE_WORDS]) {
  const char *action = sluice_json_text(entry, "action");
  const json_t *keys = json_object_get(table, "keys"),
               *args = json_object_get(action_named(table, action), "args");
  unsigned num = 0;
  for (size_t k = 0; k < json_array_size(keys) && num < SLUICE_TABLE_WORDS - 2; k++)
    words[num++] = sluice_json_text(entry, sluice_json_text(json_array_get(keys, k), "name"));
  if (json_object_get(entry, "priority")) {
    snprintf(texts[num], sizeof texts[0], "priority=%lld", sluice_json_int(entry, "priority"));
    words[num] = texts[num];
    num++;
  }
  words[num++] = action;
  for (size_t i = 0; i < json_array_size(args) && num < SLUICE_TABLE_WORDS; i++, num++) {
    const char *name = sluice_json_text(json_array_get(args, i), "name");
    snprintf(texts[num], sizeof texts[0], "%.63s=%.63s", name, sluice_json_text(entry, name));
    words[num] = texts[num];
  }
  return num;
}

static enum sluice_status table_list(struct sluice_switch *sw, unsigned vid, const char *table,
                                     enum sluice_status (*each)(void *user,
                                                                const char *const *words,
                                                                unsigned num),
                                     void *user, struct sluice_error *error) {
  json_t *request = request_of("table", vid), *answer, *one;
  size_t n;
  sluice_json_set(request, "table", json_string(table));
  SLUICE_TRY(ask(sw, request, &answer, error));
  enum sluice_status status = SLUICE_OK;
  json_array_foreach(json_object_get(answer, "entries"), n, one) {
    char texts[SLUICE_TABLE_WORDS][2 * SLUICE_TABLE_TEXT];
    const char *words[SLUICE_TABLE_WORDS];
    const unsigned num = words_of(json_object_get(answer, "table"), one, texts, words);
    if (!status) status = each(user, words, num);
  }
  json_decref(answer);
  return status;
}

// ---- state, parameters --------------------------------------------------------------------------

static enum sluice_status state_read(struct sluice_switch *sw, unsigned vid, const char *array,
                                     unsigned first, unsigned num, uint32_t *values,
                                     struct sluice_error *error) {
  json_t *request = request_of("state", vid), *answer;
  sluice_json_set(request, "array", json_string(array));
  SLUICE_JSON_INTS(request, ("first", first), ("count", num));
  SLUICE_TRY(ask(sw, request, &answer, error));
  const json_t *list = json_object_get(answer, "values");
  bool good = json_array_size(list) == num;
  for (unsigned n = 0; good && n < num; n++) {
    good = json_is_integer(json_array_get(list, n));
    values[n] = (uint32_t)json_integer_value(json_array_get(list, n));
  }
  json_decref(answer);
  return good ? SLUICE_OK
              : sluice_fail(error, SLUICE_ERR_RANGE,
                            "'%.60s' is an array of rows: ask for them with sluice_switch_ask",
                            array);
}

static enum sluice_status state_write(struct sluice_switch *sw, unsigned vid, const char *array,
                                      unsigned first, unsigned num, const uint32_t *values,
                                      struct sluice_error *error) {
  json_t *request = request_of("set", vid), *list = json_array();
  for (unsigned n = 0; n < num; n++) sluice_json_add_int(list, values[n]);
  sluice_json_set(request, "array", json_string(array));
  sluice_json_set_int(request, "first", first);
  sluice_json_set(request, "values", list);
  return tell(sw, request, error);
}

static enum sluice_status param_set(struct sluice_switch *sw, unsigned vid, const char *name,
                                    int64_t value, struct sluice_error *error) {
  json_t *request = request_of("param", vid), *list = json_array();
  sluice_json_add(list, json_pack("{s:s,s:I}", "name", name, "value", (json_int_t)value));
  sluice_json_set(request, "set", list);
  return tell(sw, request, error);
}

// ---- what was counted, events -------------------------------------------------------------------

static enum sluice_status counters(struct sluice_switch *sw, struct sluice_counters *c,
                                   struct sluice_error *error) {
  json_t *answer;
  SLUICE_TRY(ask(sw, json_pack("{s:s}", "do", "counters"), &answer, error));
  const json_t *chip = json_object_get(answer, "chip"), *drops = json_object_get(chip, "drops");
  *c = (struct sluice_counters){.packets = (uint64_t)sluice_json_int(chip, "packets"),
                                .accepted = (uint64_t)sluice_json_int(chip, "accepted"),
                                .admitted = (uint64_t)sluice_json_int(chip, "admitted"),
                                .left = (uint64_t)sluice_json_int(chip, "left"),
                                .copies = (uint64_t)sluice_json_int(chip, "copies"),
                                .copy_bytes = (uint64_t)sluice_json_int(chip, "copy_bytes")};
  for (unsigned r = 0; r < SLUICE_NUM_DROPS; r++)
    c->drops[r] = (uint64_t)sluice_json_int(drops, sluice_drop_name(r));
  json_decref(answer);
  return SLUICE_OK;
}

// The packet of an event; NULL: none, of no bytes.
static enum sluice_status take_event(const json_t *one, struct sluice_packet_out *packet,
                                     struct sluice_error *error) {
  const char *hex = sluice_json_text(one, "bytes");
  packet->len = strlen(hex) / 2;
  packet->ticket = (uint32_t)sluice_json_int(one, "ticket");
  if (packet->len > sizeof packet->bytes) packet->len = sizeof packet->bytes;
  bool good = true;
  for (size_t i = 0; good && i < packet->len; i++) {
    uint64_t byte = 0;
    good = sluice_hex_digits(&hex[2 * i], 2, &byte);
    packet->bytes[i] = (uint8_t)byte;
  }
  return good ? SLUICE_OK
              : sluice_fail(error, SLUICE_ERR_FORMAT, "the bytes of an event are no digits");
}

// The answer to this comes when there is an event: so its descriptor is readable then.
static enum sluice_status want_events(const struct sluice_switch *sw, struct sluice_error *error) {
  json_t *request = json_pack("{s:s,s:i,s:b}", "do", "event", "count", EVENTS, "wait", 1);
  const enum sluice_status status = request
                                        ? control_send(sw->events->fd, request, sw->patience, error)
                                        : sluice_no_memory(error);
  json_decref(request);
  return status;
}

static enum sluice_status open_events(struct sluice_switch *sw, struct sluice_error *error) {
  json_t *answer;
  SLUICE_TRY(control_connect(&sw->events->fd, sw->path, NULL, error));
  const enum sluice_status status =
      ask_on(sw, sw->events->fd, json_pack("{s:s,s:i}", "do", "event", "count", 0), &answer, error);
  json_decref(answer);
  return status ? status : want_events(sw, error);
}

static enum sluice_status event_fd(struct sluice_switch *sw, int *fd, struct sluice_error *error) {
  *fd = -1;
  if (!sw->events) {
    sw->events = calloc(1, sizeof *sw->events);
    if (!sw->events) return sluice_no_memory(error);
    sw->events->fd = -1;
    const enum sluice_status status = open_events(sw, error);
    if (status) {
      if (sw->events->fd >= 0) close(sw->events->fd);
      free(sw->events);
      sw->events = NULL;
      return status;
    }
  }
  *fd = sw->events->fd;
  return SLUICE_OK;
}

// Reads what has come of the answer, and never waits. *whole: all of it.
static enum sluice_status hear_events(struct switch_events *e, bool *whole,
                                      struct sluice_error *error) {
  enum { READ_MOST = 65536 };
  *whole = false;
  for (;;) {
    if (e->room - e->len < READ_MOST) {
      char *more = realloc(e->line, 2 * e->len + READ_MOST);
      if (!more) return sluice_no_memory(error);
      e->line = more;
      e->room = 2 * e->len + READ_MOST;
    }
    const ssize_t got = recv(e->fd, e->line + e->len, READ_MOST, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return SLUICE_OK;
    if (got <= 0)
      return sluice_fail(error, SLUICE_ERR_IO, "the switch is gone: %s",
                         got ? strerror(errno) : "it has closed the connection");
    e->len += (size_t)got;
    *whole = e->line[e->len - 1] == '\n';
    if (*whole) return SLUICE_OK;
  }
}

static enum sluice_status next_event(struct sluice_switch *sw, struct sluice_packet_out *packet,
                                     struct sluice_error *error) {
  struct switch_events *e = sw->events;
  for (;;) {
    const json_t *list = json_object_get(e->answer, "events");
    bool whole;
    if (e->next < json_array_size(list))
      return take_event(json_array_get(list, e->next++), packet, error);
    json_decref(e->answer);
    e->answer = NULL;
    e->next = 0;
    SLUICE_TRY(hear_events(e, &whole, error));
    if (!whole) return take_event(NULL, packet, error);
    e->answer = json_loadb(e->line, e->len, 0, NULL);
    e->len = 0;
    SLUICE_TRY(judge(e->answer, error));
    SLUICE_TRY(want_events(sw, error));
  }
}

static enum sluice_status event(struct sluice_switch *sw, struct sluice_packet_out *packet,
                                struct sluice_error *error) {
  json_t *answer;
  packet->len = 0;
  if (sw->events) return next_event(sw, packet, error);
  SLUICE_TRY(ask(sw, json_pack("{s:s,s:i}", "do", "event", "count", 1), &answer, error));
  const enum sluice_status status =
      take_event(json_array_get(json_object_get(answer, "events"), 0), packet, error);
  json_decref(answer);
  return status;
}

static enum sluice_status send_packet(struct sluice_switch *sw, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  char *hex = calloc(2 * len + 1, 1);
  if (!hex) return sluice_no_memory(error);
  for (size_t n = 0; n < len; n++) snprintf(&hex[2 * n], 3, "%02x", bytes[n]);
  json_t *request = json_pack("{s:s,s:s}", "do", "send", "bytes", hex);
  free(hex);
  return tell(sw, request, error);
}

const struct switch_ops switch_remote = {
    disconnect,  load,      remove_program, programs, table_change, table_list, state_read,
    state_write, param_set, counters,       event,    event_fd,     send_packet};

enum sluice_status sluice_switch_ask(struct sluice_switch *sw, const char *request,
                                     const char **text, struct sluice_error *error) {
  json_error_t where;
  json_t *answer;
  *text = NULL;
  if (sw->ops != &switch_remote)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "a chip that this process drives takes no requests");
  json_t *json = json_loads(request, JSON_REJECT_DUPLICATES, &where);
  if (!json)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "no JSON: %.160s, at byte %d", where.text,
                       where.position);
  const enum sluice_status status = ask_on(sw, sw->fd, json, &answer, error);
  free(sw->answer);
  sw->answer = answer ? json_dumps(answer, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
  *text = sw->answer;
  const bool lost = answer && !sw->answer;
  json_decref(answer);
  return lost ? sluice_no_memory(error) : status;
}
