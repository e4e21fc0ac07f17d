// SPDX-License-Identifier: Apache-2.0
// The client's library (sluice/switch.h): the same calls do the same on a live switch, over its
// socket, and on a model in this process. And what a request may be: every form of control.def.

#include <signal.h>
#include <sluice/sluice.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/rig/test.h"
#include "base/json.h"
#include "base/listen.h"
#include "base/loop.h"
#include "base/now.h"
#include "base/process.h"
#include "tests/rig/chip_rig.h"
#include "control/client.h"
#include "control/schema.h"
#include "live/control.h"
#include "tests/rig/says.h"

static char path[100], where[120];
static struct sluice_process server;

// ---- a live switch in a process of its own ------------------------------------------------------

static int serve(void *user) {
  struct sluice_transport to;
  struct live *live;
  struct control *control;
  struct live_spec spec;
  (void)user;
  if (sluice_transport_model(&to, "react", NULL, &error) || live_open(&live, &to, NULL, &error) ||
      live_spec_parse(&spec, "3=cpu", 4, &error) || live_connect(live, &spec, &error) ||
      control_open(&control, path, &error))
    return 1;
  struct sluice_loop loop = SLUICE_LOOP;
  for (;;) {
    control_watch(control, &loop);
    if (!live_asleep(live)) sluice_loop_until(&loop, 0);
    (void)sluice_loop_wait(&loop);
    control_serve(control, live);
    if (live_turn(live, LIVE_TURN_CYCLES, &error)) return 2;
  }
}

static int start(void **state) {
  (void)state;
  snprintf(path, sizeof path, "/tmp/sluice-switch-%ld", (long)getpid());
  snprintf(where, sizeof where, "control:%s", path);
  const struct sluice_process_options options = {.body = serve, .follows = SIGKILL};
  if (sluice_process_start(&server, &options, &error)) return -1;
  for (int n = 0; n < 1000 && access(path, F_OK) != 0; n++)
    if (sluice_process_wait(&server, 0.01, NULL)) return -1;
  return 0;
}

static int end(void **state) {
  char lock[120];
  (void)state;
  sluice_process_end(&server, 0);
  unlink(path);
  snprintf(lock, sizeof lock, "%s.lock", path);
  unlink(lock);
  return 0;
}

// ---- the same on both ---------------------------------------------------------------------------

static char seen[400];
static enum sluice_status note(void *user, const char *const *words, unsigned num) {
  (void)user;
  for (unsigned n = 0; n < num; n++) {
    strcat(seen, words[n]);
    strcat(seen, n + 1 < num ? " " : ";");
  }
  return SLUICE_OK;
}
static enum sluice_status note_program(void *user, unsigned vid, const char *program) {
  (void)user;
  snprintf(seen + strlen(seen), 100, "%u %s;", vid, program);
  return SLUICE_OK;
}

// The routes behind those that the program brings.
static void lists(struct sluice_switch *sw, const char *wanted) {
  static const char last[] = "10.1.0.1/32 to_cpu;";
  seen[0] = 0;
  GOOD(sluice_switch_table_list(sw, 5, "route", note, NULL, &error));
  const char *own = strstr(seen, last);
  assert_non_null(own);
  assert_string_equal(own + sizeof last - 1, wanted);
}

static void a_life(const char *at, const char *chip) {
  static const char *const one[] = {"10.9.0.0/16", "forward", "port=3", "next=00:11:22:33:44:55",
                                    "own=7"},
                           *const other[] = {"10.9.0.0/16", "to_cpu"};
  struct sluice_switch *sw CLOSED_BY(close_switch);
  struct sluice_switch_info info;
  struct sluice_image *router CLOSED_BY(close_image) =
      compiled("sw/programs/tables/router.dom", chip),
                              *count CLOSED_BY(close_image) = counter("count", 7, chip);
  GOOD(sluice_switch_connect(&sw, at, NULL, &error));
  sluice_switch_describe(sw, &info);
  assert_string_equal(info.chip, chip);
  assert_string_equal(info.version, SLUICE_VERSION);
  assert_int_equal(info.protocol, 1);
  // Programs.
  GOOD(sluice_switch_load(sw, 5, router, &error));
  GOOD(sluice_switch_load(sw, 6, count, &error));
  SAYS(SLUICE_ERR_EXISTS, "VLAN 6 has a program", sluice_switch_load(sw, 6, count, &error));
  seen[0] = 0;
  GOOD(sluice_switch_programs(sw, note_program, NULL, &error));
  assert_non_null(strstr(seen, "5 router;"));
  assert_non_null(strstr(seen, "6 "));
  // Tables.
  GOOD(sluice_switch_table_change(sw, 5, "route", SLUICE_TABLE_ADD, one, 5, &error));
  lists(sw, "10.9.0.0/16 forward port=3 next=00:11:22:33:44:55 own=7;");
  SAYS(SLUICE_ERR_EXISTS, "10.9.0.0/16",
       sluice_switch_table_change(sw, 5, "route", SLUICE_TABLE_ADD, one, 5, &error));
  GOOD(sluice_switch_table_change(sw, 5, "route", SLUICE_TABLE_MODIFY, other, 2, &error));
  lists(sw, "10.9.0.0/16 to_cpu;");
  SAYS(SLUICE_ERR_NOT_FOUND, "nothing",
       sluice_switch_table_list(sw, 5, "nothing", note, NULL, &error));
  GOOD(sluice_switch_table_change(sw, 5, "route", SLUICE_TABLE_DELETE, other, 1, &error));
  lists(sw, "");
  // State.
  const uint32_t nine = 9;
  uint32_t value = 0;
  GOOD(sluice_switch_state_read(sw, 6, "count", 0, 1, &value, &error));
  assert_int_equal(value, 7);
  GOOD(sluice_switch_state_write(sw, 6, "count", 0, 1, &nine, &error));
  GOOD(sluice_switch_state_read(sw, 6, "count", 0, 1, &value, &error));
  assert_int_equal(value, 9);
  // Another version keeps it.
  GOOD(sluice_switch_update(sw, 6, count, &error));
  GOOD(sluice_switch_state_read(sw, 6, "count", 0, 1, &value, &error));
  assert_int_equal(value, 9);
  SAYS(SLUICE_ERR_NOT_FOUND, "has no malleables",
       sluice_switch_param_set(sw, 6, "none", 1, &error));
  struct sluice_counters counters;
  GOOD(sluice_switch_counters(sw, &counters, &error));
  assert_int_equal(counters.packets, 0);
  GOOD(sluice_switch_remove(sw, 6, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 6", sluice_switch_remove(sw, 6, &error));
  GOOD(sluice_switch_remove(sw, 5, &error));
}

TEST(a_live_switch) { a_life(where, "react"); }

TEST(a_model_in_this_process) { a_life("model:react", "react"); }

TEST(malleables_and_events) {
  static struct sluice_packet_out packet;
  struct sluice_switch *sw CLOSED_BY(close_switch);
  const char *answer;
  struct sluice_image *image CLOSED_BY(close_image) =
      compiled_text("struct Packet { int out @ meta.port_out; };\nmalleable int to = 1 in 0..3;\n"
                    "void f(struct Packet p) { p.out = to; }\n",
                    "react");
  if (!image) fail_msg("the program does not compile");
  GOOD(sluice_switch_connect(&sw, where, NULL, &error));
  GOOD(sluice_switch_load(sw, 7, image, &error));
  GOOD(sluice_switch_param_set(sw, 7, "to", 2, &error));
  GOOD(sluice_switch_ask(sw, "{\"do\":\"param\",\"vid\":7}", &answer, &error));
  assert_non_null(strstr(answer, "\"value\":2"));
  GOOD(sluice_switch_event(sw, &packet, &error));
  assert_int_equal(packet.len, 0);
  SAYS(SLUICE_ERR_FORMAT, "no JSON", sluice_switch_ask(sw, "{", &answer, &error));
  SAYS(SLUICE_ERR_FORMAT, "did you mean 'list'?",
       sluice_switch_ask(sw, "{\"do\":\"lits\"}", &answer, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 8",
       sluice_switch_ask(sw, "{\"do\":\"param\",\"vid\":8}", &answer, &error));
  assert_non_null(strstr(answer, "\"status\":\"not_found\""));
  GOOD(sluice_switch_remove(sw, 7, &error));
}

// All that comes goes to the CPU port.
static struct sluice_switch *with_events(void) {
  struct sluice_switch *sw;
  struct sluice_image *image CLOSED_BY(close_image) =
      compiled_text("struct Packet { int out @ meta.port_out; };\n"
                    "void f(struct Packet p) { p.out = 3; }\n",
                    "react");
  GOOD(sluice_switch_connect(&sw, where, NULL, &error));
  GOOD(sluice_switch_load(sw, 7, image, &error));
  return sw;
}

static void send_numbered(struct sluice_switch *sw, uint8_t number) {
  uint8_t frame[64] = {[12] = 0x81, [15] = 7, [63] = number};
  GOOD(sluice_switch_send(sw, frame, sizeof frame, &error));
}

TEST(events_come_by_a_descriptor) {
  enum { MANY = 100 };  // more than in one answer
  static struct sluice_packet_out packet;
  struct sluice_switch *sw = with_events(), *other CLOSED_BY(close_switch);
  int fd, again;
  GOOD(sluice_switch_event_fd(sw, &fd, &error));
  GOOD(sluice_switch_event_fd(sw, &again, &error));
  assert_int_equal(fd, again);
  // None is there: neither says so by waiting.
  assert_int_equal(sluice_await(fd, SLUICE_LOOP_IN, sluice_now() + 0.05), 0);
  GOOD(sluice_switch_event(sw, &packet, &error));
  assert_int_equal(packet.len, 0);
  for (uint8_t n = 0; n < MANY; n++) send_numbered(sw, n);
  for (unsigned n = 0; n < MANY;) {
    assert_int_equal(sluice_await(fd, SLUICE_LOOP_IN, sluice_now() + 20), SLUICE_LOOP_IN);
    for (;; n++) {
      GOOD(sluice_switch_event(sw, &packet, &error));
      if (!packet.len) break;
      FIELDS_ARE(&packet, (len, 64), (bytes[63], n));
    }
  }
  // Who waits and goes away takes nothing with it.
  GOOD(sluice_switch_connect(&other, where, NULL, &error));
  sluice_switch_close(sw);
  send_numbered(other, 9);
  const double until = sluice_now() + 20;
  do GOOD(sluice_switch_event(other, &packet, &error));
  while (!packet.len && sluice_now() < until);
  assert_int_equal(packet.bytes[63], 9);
  GOOD(sluice_switch_remove(other, 7, &error));
}

TEST(a_chip_of_this_process_has_no_descriptor) {
  static struct sluice_packet_out packet;
  struct sluice_switch *sw CLOSED_BY(close_switch);
  const char *answer;
  int fd;
  GOOD(sluice_switch_connect(&sw, "model:react", NULL, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "no descriptor", sluice_switch_event_fd(sw, &fd, &error));
  assert_int_equal(fd, -1);
  SAYS(SLUICE_ERR_UNSUPPORTED, "CPU port", sluice_switch_event(sw, &packet, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "CPU port", sluice_switch_send(sw, packet.bytes, 64, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "takes no requests", sluice_switch_ask(sw, "{}", &answer, &error));
}

// ---- two protocols ------------------------------------------------------------------------------

TEST(each_knows_the_other_at_once) {
  struct sluice_transport to = {.ops = NULL};
  struct sluice_chip *chip = NULL;
  struct sluice_switch *sw;
  char unix_where[120];
  const double from = sluice_now();
  snprintf(unix_where, sizeof unix_where, "unix:%s", path);
  // Whoever opens a chip at a control socket is told what it is; at the first call at the latest.
  enum sluice_status status = sluice_transport_open(&to, unix_where, NULL, &error);
  if (!status) status = sluice_chip_open(&chip, &to, NULL, &error);
  assert_int_equal(status, SLUICE_ERR_FOREIGN);
  assert_non_null(strstr(error.text, "is the control socket of a live switch"));
  assert_true(sluice_now() - from < 5);
  if (to.ops) sluice_transport_close(&to);
  SAYS(SLUICE_ERR_IO, "no switch answers at '/nowhere/x'",
       sluice_switch_connect(&sw, "control:/nowhere/x", NULL, &error));
  assert_null(sw);
  SAYS(SLUICE_ERR_NOT_FOUND, "", sluice_switch_connect(&sw, "model:nothing", NULL, &error));
}

// Something else has a socket, and greets in its own way.
static int other_server(void *user) {
  struct sluice_listener l;
  char why[100];
  if (!sluice_listen(&l, user, 4, why, sizeof why)) return 1;
  static const char *const says[] = {"{\"sluice\":\"9\",\"protocol\":2,\"chip\":\"k4\"}\n",
                                     "220 mail\n", "{\"ok\":true}\n"};
  for (unsigned n = 0; n < 3; n++) {
    (void)sluice_await(l.fd, SLUICE_LOOP_IN, sluice_now() + 20);
    const int fd = accept4(l.fd, NULL, NULL, SOCK_CLOEXEC);
    (void)!write(fd, says[n], strlen(says[n]));
    char byte;
    (void)!read(fd, &byte, 1);
    close(fd);
  }
  sluice_listen_end(&l);
  return 0;
}

TEST(another_protocol_is_refused) {
  char other[110], at[130];
  struct sluice_switch *sw;
  struct sluice_process process;
  snprintf(other, sizeof other, "%s-other", path);
  snprintf(at, sizeof at, "control:%s", other);
  const struct sluice_process_options options = {.body = other_server, .user = other};
  GOOD(sluice_process_start(&process, &options, &error));
  for (int n = 0; n < 1000 && access(other, F_OK) != 0; n++)
    assert_false(sluice_process_wait(&process, 0.01, NULL));
  SAYS(SLUICE_ERR_FOREIGN, "speaks protocol 2, this software 1",
       sluice_switch_connect(&sw, at, NULL, &error));
  SAYS(SLUICE_ERR_FOREIGN, "does not greet", sluice_switch_connect(&sw, at, NULL, &error));
  SAYS(SLUICE_ERR_FOREIGN, "does not greet", sluice_switch_connect(&sw, at, NULL, &error));
  sluice_process_end(&process, 5);
}

// ---- the schema ---------------------------------------------------------------------------------

// A value that a member may have; `wrong`: one that it may not.
static json_t *value_of(const struct control_row *m, bool wrong) {
  json_t *list = json_array();
  switch (m->kind) {
    case CONTROL_WHOLE:
      json_decref(list);
      return wrong ? json_integer(m->high + 1) : json_integer(m->low);
    case CONTROL_TEXT: json_decref(list); return wrong ? json_integer(1) : json_string("x");
    case CONTROL_FLAG: json_decref(list); return wrong ? json_integer(1) : json_true();
    case CONTROL_OBJECT: json_decref(list); return wrong ? json_string("x") : json_object();
    case CONTROL_LIST:
      for (int64_t n = 0; n < (wrong ? m->high + 1 : m->low); n++)
        json_array_append_new(list, json_integer(0));
      return list;
  }
  return list;
}

static enum sluice_status check(json_t *request, unsigned wanted) {
  unsigned form = 1000;
  const enum sluice_status status = control_check(request, &form, &error);
  if (!status) assert_int_equal(form, wanted);
  return status;
}

TEST(every_form_is_checked) {
  unsigned form = 0, members = 0;
  for (unsigned r = 0; r < control_num_rows; r++) {
    if (!control_rows[r].verb) continue;
    json_t *whole = json_pack("{s:s,s:i}", "do", control_rows[r].verb, "id", 1);
    unsigned last = r + 1;
    for (; last < control_num_rows && control_rows[last].name; last++)
      if (control_rows[last].needed)
        json_object_set_new(whole, control_rows[last].name, value_of(&control_rows[last], false));
    GOOD(check(whole, form));
    for (unsigned m = r + 1; m < last; m++, members++) {
      const struct control_row *row = &control_rows[m];
      const bool is_key = strcmp(row->name, control_rows[r].key) == 0;
      json_t *one CLOSED_BY(drop_json) = json_copy(whole);
      json_object_set_new(one, row->name, value_of(row, true));
      assert_int_equal(check(one, form), SLUICE_ERR_FORMAT);
      assert_non_null(strstr(error.text, row->name));
      assert_non_null(strstr(error.text, "must be"));
      json_object_del(one, row->name);
      // Without its key it may be another form.
      if (!is_key) assert_int_equal(check(one, form), row->needed ? SLUICE_ERR_FORMAT : SLUICE_OK);
    }
    json_object_set_new(whole, "colour", json_true());
    assert_int_equal(check(whole, form), SLUICE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "no key 'colour' is known"));
    json_decref(whole);
    form++;
  }
  assert_true(form > 25 && members > 60);
}

TEST(words_of_statuses_come_back) {
  for (int s = 0; s >= SLUICE_ERR_DIFFERS; s--)
    if (s) assert_int_equal(control_status_of(control_status_word((enum sluice_status)s)), s);
  assert_int_equal(control_status_of("what"), SLUICE_ERR_IO);
  assert_true(control_is_watched("list"));
  assert_true(control_is_watched("event"));
  assert_false(control_is_watched("load"));
  assert_false(control_is_watched(""));
  assert_false(control_is_watched("list show"));
}

TEST_GROUP(start, end)
