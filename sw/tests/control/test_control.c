// SPDX-License-Identifier: Apache-2.0
// The control socket of a live switch: what each verb answers, and clients that send garbage, die
// or do not read. The chip is the reference model; server and clients take turns in one thread.
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sluice/version.h>

#include "tests/rig/cases.h"
#include "tests/rig/compile.h"
#include "base/loop.h"
#include "base/now.h"
#include "base/rng.h"
#include "compiler/compiler.h"
#include "live/control.h"
#include "live/verbs.h"

struct rig {
  struct sluice_transport to;
  struct live *live;
  struct control *control;
  char path[100];
  char *image, *other;  // "count", and another program, as texts
};

static char *image_text(const char *program, const char *chip) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {.num_writes = 0};
  struct sluice_error error;
  const struct sluice_compile_options options = {.pin = false};
  char path[] = "/tmp/sluice-control-XXXXXX";
  struct sluice_program *p CLOSED_BY(free_program) = parsed("count.dom", program, &diags);
  assert_int_equal(sluice_compile(p, sluice_config_find(chip), &options, &image, &diags),
                   SLUICE_OK);
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(sluice_image_save(&image, path, &error), SLUICE_OK);
  json_t *tree CLOSED_BY(drop_json) = json_load_file(path, 0, NULL);
  char *text = json_dumps(tree, JSON_COMPACT);
  assert_non_null(text);
  unlink(path);
  return text;
}

static int open_chip(void **state, const char *chip) {
  struct rig *rig = calloc(1, sizeof *rig);
  struct sluice_error error = {{0}};
  assert_non_null(rig);
  rig->image = image_text(
      "struct Packet { int in @ meta.port_in; int out @ meta.port_out; };\nint count[8] = {7};\n"
      "void f(struct Packet p) { count[p.in] = count[p.in] + 1; p.out = p.in ^ 1; }\n",
      chip);
  char where[40];
  snprintf(where, sizeof where, "model:%s", chip);
  snprintf(rig->path, sizeof rig->path, "/tmp/sluice-control-%ld", (long)getpid());
  if (sluice_transport_open(&rig->to, where, NULL, &error) ||
      live_open(&rig->live, &rig->to, chip, &error) ||
      control_open(&rig->control, rig->path, &error))
    fail_msg("%s", error.text);
  *state = rig;
  return 0;
}

static int open_rig(void **state) { return open_chip(state, "tiny"); }
static int open_banks(void **state) { return open_chip(state, "banks"); }
static int open_marks(void **state) { return open_chip(state, "marks"); }
static int open_arrays(void **state) { return open_chip(state, "arrays"); }

static int close_rig(void **state) {
  struct rig *rig CLOSED_BY(freed) = *state;
  struct stat info;
  control_close(rig->control);
  assert_int_equal(lstat(rig->path, &info), -1);
  assert_int_equal(live_close(rig->live, NULL), SLUICE_OK);
  sluice_transport_close(&rig->to);
  free(rig->image);
  free(rig->other);
  return 0;
}

static void try_request(void *user, const struct one_case *c) {
  struct rig *rig = user;
  size_t len;
  char *half CLOSED_BY(freed) = cases_with(c->request, "$IMAGE", rig->image);
  char *line CLOSED_BY(freed) = cases_with(half, "$OTHER", rig->other ? rig->other : "");
  char *answer CLOSED_BY(freed) = live_answer(rig->live, line, strlen(line), &len);
  assert_non_null(answer);
  assert_int_equal(strlen(answer), len);
  assert_null(strchr(answer, '\n'));
  cases_answer(c, answer);
}
static void answers(struct rig *rig, const char *section) {
  cases_each("sw/tests/control/control.cases", section, try_request, rig);
}
// A line that depends on what was answered before.
static void asks(struct rig *rig, const char *line, const char *wanted) {
  const struct one_case c = {line, {wanted}, 1, "test_control.c"};
  try_request(rig, &c);
}

TEST_WITH(malleables, open_banks, close_rig) {
  struct rig *rig = *state;
  free(rig->image);
  rig->image = NULL;
  rig->image = image_text(
      "struct Packet { int a @ bytes(46, 2); int b @ bytes(48, 2); int c @ bytes(50, 2); };\n"
      "malleable int m = 7;\nmalleable field k = p.b among { p.a, p.b };\nvoid f(struct Packet p) "
      "{ p.c = k + m; }\n",
      "banks");
  answers(rig, "malleables");
}

TEST_WITH(verbs, open_rig, close_rig) {
  struct rig *rig = *state;
  answers(rig, "verbs");
}

TEST_WITH(cuts, open_marks, close_rig) {
  struct rig *rig = *state;
  answers(rig, "cuts");
}

// With two banks an update keeps what arrays hold, and says what it did.
TEST_WITH(updates, open_banks, close_rig) {
  struct rig *rig = *state;
  rig->other = image_text("struct Packet { int in @ meta.port_in; int out @ meta.port_out; };\nint "
                          "count[8] = {9}; int sum = 4;\n"
                          "void g(struct Packet p) { count[p.in] = count[p.in] + 2; sum = sum + 1; "
                          "p.out = p.in ^ 1; }\n",
                          "banks");
  answers(rig, "updates");
}

// An entry that is read and written back is the same; one digit less is none.
TEST_WITH(entries, open_rig, close_rig) {
  struct rig *rig = *state;
  char request[500], wanted[500];
  size_t len;
  const char *ask = "{\"do\":\"show\",\"vid\":5,\"table\":\"access\"}";
  answers(rig, "load");
  char *answer CLOSED_BY(freed) = live_answer(rig->live, ask, strlen(ask), &len);
  json_t *tree CLOSED_BY(drop_json) = json_loads(answer, 0, NULL);
  const json_t *entry = json_array_get(json_object_get(tree, "entries"), 0);
  const char *hex = json_string_value(json_object_get(entry, "bytes"));
  const int stage = (int)json_integer_value(json_object_get(entry, "stage"));
  assert_int_equal(strlen(hex), 8);
  snprintf(wanted, sizeof wanted, "\"bytes\":\"%s\"", hex);
  for (int digits = 8; digits >= 6; digits -= 2) {
    snprintf(request, sizeof request,
             "{\"do\":\"set\",\"vid\":5,\"table\":\"access\",\"stage\":%d,\"bytes\":\"%.*s\"}",
             stage, digits, hex);
    asks(rig, request, digits == 8 ? "= {\"ok\":true}" : "\"ok\":false");
    asks(rig, ask, wanted);
  }
  answers(rig, "entries");
  asks(rig, ask, wanted);
}

// The CPU port of the shape is connected as such, unless something stands there or another port is.
TEST(the_cpu_port_of_the_shape) {
  void *opened;
  struct live_spec spec;
  struct sluice_error error = {{0}};
  open_chip(&opened, "tiny.NumPorts5");
  struct rig *rig = opened;
  assert_int_equal(live_cpu_of_shape(rig->live, &error), SLUICE_OK);
  asks(rig, "{\"do\":\"list\"}", "\"ports\":[{\"port\":4,\"kind\":\"cpu\",\"trunk\":true}]");
  asks(rig, "{\"do\":\"event\"}", "= {\"ok\":true,\"events\":[],\"lost\":0,\"links\":[]}");
  assert_int_equal(live_cpu_of_shape(rig->live, &error), SLUICE_OK);
  close_rig(&opened);
  static const char *const other[] = {"3=cpu", "4=udp:0,trunk"};
  for (unsigned i = 0; i < 2; i++) {
    open_chip(&opened, "tiny.NumPorts5");
    rig = opened;
    if (live_spec_parse(&spec, other[i], 5, &error) || live_connect(rig->live, &spec, &error))
      fail_msg("%s", error.text);
    assert_int_equal(live_cpu_of_shape(rig->live, &error), SLUICE_OK);
    asks(rig, "{\"do\":\"list\"}",
         i ? "\"ports\":[{\"port\":4,\"kind\":\"udp\""
           : "\"ports\":[{\"port\":3,\"kind\":\"cpu\",\"trunk\":true}]");
    close_rig(&opened);
  }
  open_rig(&opened);
  rig = opened;
  assert_int_equal(live_cpu_of_shape(rig->live, &error), SLUICE_OK);
  asks(rig, "{\"do\":\"event\"}", "no port of this switch is the CPU port");
  close_rig(&opened);
}

// Packets at the CPU port are told once, as bytes; what the control plane sends comes in there.
TEST_WITH(events, open_rig, close_rig) {
  struct rig *rig = *state;
  struct live_spec spec;
  struct sluice_error error = {{0}};
  uint8_t frame[64] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x81, 0, 0, 5, 0x88, 0xb5, 7};
  answers(rig, "no_events");
  answers(rig, "load");
  if (live_spec_parse(&spec, "3=cpu", 4, &error) || live_connect(rig->live, &spec, &error))
    fail_msg("%s", error.text);
  assert_int_equal(live_connect(rig->live, &spec, &error), SLUICE_ERR_EXISTS);
  assert_int_equal(live_cpu_port(rig->live, 2, &error), SLUICE_ERR_EXISTS);
  assert_non_null(strstr(error.text, "port 3 is the CPU port already"));
  answers(rig, "events_of_nothing");
  for (unsigned n = 0; n < 3; n++)
    assert_int_equal(rig->to.ops->packet_send(rig->to.self, 2, frame, sizeof frame, &error), 0);
  rig->other = calloc(2, sizeof frame + 1);
  assert_non_null(rig->other);
  for (size_t i = 0; i < sizeof frame; i++) sprintf(rig->other + 2 * i, "%02x", frame[i]);
  answers(rig, "events");
  assert_int_equal(live_turn(rig->live, LIVE_TURN_CYCLES, &error), SLUICE_OK);
  answers(rig, "sent");
}

// An array of rows is given as lists of words, and taken as such, or word by word.
TEST_WITH(rows, open_arrays, close_rig) {
  struct rig *rig = *state;
  free(rig->image);
  rig->image = image_text("struct Packet { int row @ bytes(50, 2); int v[8] @ array(62); int out @ "
                          "meta.port_out; };\nint sum[4][8];\nvoid f(struct Packet p) { sum[p.row] "
                          "+= p.v; p.v = sum[p.row]; p.out = 1; }\n",
                          "arrays");
  answers(rig, "rows");
}

TEST_WITH(no_requests, open_rig, close_rig) {
  struct rig *rig = *state;
  answers(rig, "no_requests");
  asks(rig, "", "{\"ok\":false,\"status\":\"format\",\"error\":\"no JSON: ");
}

// ---- clients ------------------------------------------------------------------------------------

static void serve(struct rig *rig, unsigned times) {
  for (unsigned n = 0; n < times; n++) control_serve(rig->control, rig->live);
}

// Connects, and takes the greeting, if there is room for one more.
static int join(struct rig *rig) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", rig->path);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_true(fd >= 0);
  assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
  static const char greeting[] = "{\"sluice\":\"" SLUICE_VERSION "\",\"protocol\":1,\"chip\":\"";
  char said[200] = "";
  serve(rig, 1);
  if (recv(fd, said, sizeof said - 1, MSG_DONTWAIT) > 0)
    assert_memory_equal(said, greeting, sizeof greeting - 1);
  return fd;
}

// A line to the server and its answer, while others do what they do.
static void good_client(struct rig *rig, int fd) {
  static const char line[] = "{\"do\":\"list\",\"id\":1}\n";
  char answer[4096];
  ssize_t got = 0;
  assert_int_equal(send(fd, line, sizeof line - 1, MSG_NOSIGNAL), sizeof line - 1);
  for (unsigned n = 0; n < 100 && got <= 0; n++) {
    serve(rig, 1);
    got = recv(fd, answer, sizeof answer - 1, MSG_DONTWAIT);
  }
  assert_true(got > 0);
  answer[got] = 0;
  if (strncmp(answer, "{\"ok\":true,\"id\":1,\"chip\":\"tiny\"", 31) != 0 ||
      answer[got - 1] != '\n')
    fail_msg("%s", answer);
}

TEST_WITH(for_its_owner, open_rig, close_rig) {
  struct rig *rig = *state, *first = rig;
  struct stat info;
  struct control *second;
  struct sluice_error error;
  assert_int_equal(stat(first->path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0600);
  // Neither a living one nor another file is taken over.
  assert_int_equal(control_open(&second, rig->path, &error), SLUICE_ERR_IO);
  assert_non_null(strstr(error.text, "in use"));
  assert_int_equal(control_open(&second, "/dev/null", &error), SLUICE_ERR_IO);
  assert_int_equal(control_open(&second, "", &error), SLUICE_ERR_RANGE);
  char path[200];
  memset(path, 'x', sizeof path - 1);
  path[sizeof path - 1] = 0;
  assert_int_equal(control_open(&second, path, &error), SLUICE_ERR_RANGE);
  const int fd = join(rig);
  good_client(rig, fd);
  close(fd);
}

TEST_WITH(takes_over_a_dead_one, open_rig, close_rig) {
  struct rig *rig = *state;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct control *control;
  snprintf(address.sun_path, sizeof address.sun_path, "%.90s-dead", rig->path);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
  close(fd);
  assert_int_equal(control_open(&control, address.sun_path, NULL), SLUICE_OK);
  control_close(control);
  assert_int_equal(access(address.sun_path, F_OK), -1);
}

// Lines that come in pieces, many at once, and without an end.
TEST_WITH(pieces, open_rig, close_rig) {
  struct rig *rig = *state;
  const int fd = join(rig);
  const char *lines = "{\"do\":\"list\"}\n\n{\"do\":\"list\"}\n{\"do\":";
  char answer[4096];
  for (size_t i = 0; lines[i]; i++) {
    assert_int_equal(send(fd, lines + i, 1, MSG_NOSIGNAL), 1);
    serve(rig, 2);
  }
  serve(rig, 10);
  ssize_t got = recv(fd, answer, sizeof answer, MSG_DONTWAIT);
  unsigned newlines = 0;
  for (ssize_t i = 0; i < got; i++) newlines += answer[i] == '\n';
  assert_int_equal(newlines, 3);
  // The other end is closed for writing: what is there is answered, then the connection ends.
  assert_int_equal(send(fd, "\"list\"}\n{", 9, MSG_NOSIGNAL), 9);
  shutdown(fd, SHUT_WR);
  serve(rig, 10);
  got = recv(fd, answer, sizeof answer, MSG_DONTWAIT);
  assert_true(got > 0 && answer[got - 1] == '\n');
  assert_int_equal(recv(fd, answer, sizeof answer, MSG_DONTWAIT), 0);
  struct sluice_loop loop = SLUICE_LOOP;
  const double soon = sluice_now() + 0.01;
  control_watch(rig->control, &loop);
  sluice_loop_until(&loop, soon);
  assert_int_equal(sluice_loop_wait(&loop), 0);
  assert_true(sluice_now() >= soon);  // nothing is left to be done
  close(fd);
}

TEST_WITH(one_that_does_not_read, open_rig, close_rig) {
  struct rig *rig = *state;
  const int deaf = join(rig), good = join(rig);
  answers(rig, "load");
  const char *line = "{\"do\":\"show\",\"vid\":5}\n";
  size_t sent = 0, rounds = 0;
  // Until neither end takes any more: the server stops reading from it and keeps one answer.
  for (unsigned quiet = 0; quiet < 50 && rounds < 100000; rounds++) {
    const ssize_t put = send(deaf, line + sent % strlen(line), strlen(line) - sent % strlen(line),
                             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put > 0) sent += (size_t)put;
    quiet = put > 0 ? 0 : quiet + 1;
    serve(rig, 1);
  }
  assert_true(rounds < 100000);
  good_client(rig, good);
  close(deaf);
  good_client(rig, good);
  close(good);
}

TEST_WITH(too_many_and_too_long, open_rig, close_rig) {
  struct rig *rig = *state;
  int fds[CONTROL_CLIENTS + 8];
  static char x[65536];
  const int good = join(rig);
  good_client(rig, good);
  for (unsigned i = 0; i < CONTROL_CLIENTS + 8; i++) {
    fds[i] = join(rig);
    serve(rig, 1);
  }
  good_client(rig, good);
  for (unsigned i = 0; i < CONTROL_CLIENTS + 8; i++) close(fds[i]);
  serve(rig, 4);
  const int endless = join(rig);
  memset(x, 'x', sizeof x);
  size_t sent = 0;
  for (unsigned n = 0; n < 20000; n++) {
    const ssize_t put = send(endless, x, sizeof x, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put > 0) sent += (size_t)put;
    if (put < 0 && errno == EPIPE) break;
    serve(rig, 1);
  }
  assert_true(sent > CONTROL_LINE_MAX && sent < CONTROL_LINE_MAX + (4 << 20));
  char answer[200];
  const ssize_t got = recv(endless, answer, sizeof answer - 1, MSG_DONTWAIT);
  answer[got > 0 ? got : 0] = 0;
  assert_non_null(strstr(answer, "more than 16 MB"));
  close(endless);
  good_client(rig, good);
  close(good);
}

// Clients that send random bytes and damaged requests, read or do not, go away at any moment.
TEST_WITH(garbage, open_rig, close_rig) {
  struct rig *rig = *state;
  static const char *const seeds[] = {
      "{\"do\":\"list\"}\n",
      "{\"do\":\"counters\",\"id\":3}\n",
      "{\"do\":\"show\",\"vid\":5}\n",
      "{\"do\":\"set\",\"vid\":5,\"array\":\"count\",\"first\":0,\"values\":[1,2]}\n",
      "{\"do\":\"state\",\"vid\":5,\"array\":\"count\",\"first\":1,\"count\":2}\n",
      "{\"do\":\"set\",\"vid\":5,\"table\":\"segment\",\"stage\":0,\"bytes\":\"00200000\"}\n",
      "{\"do\":\"load\",\"vid\":6,\"image\":{\"sluice_image\":1}}\n",
      "[[[[[[[[[[",
      "\n\n\n"};
  const int good = join(rig);
  int fds[8];
  char text[400], answer[65536];
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "control");
  answers(rig, "load");
  for (unsigned i = 0; i < 8; i++) fds[i] = join(rig);
  for (unsigned n = 0; n < 20000; n++) {
    const unsigned who = (unsigned)sluice_rng_below(&rng, 8);
    size_t len = (size_t)snprintf(text, sizeof text, "%s",
                                  seeds[sluice_rng_below(&rng, sizeof seeds / sizeof *seeds)]);
    for (uint64_t k = sluice_rng_below(&rng, 4); k; k--)
      text[sluice_rng_below(&rng, len)] = (char)sluice_rng_below(&rng, 256);
    if (sluice_rng_below(&rng, 8) == 0) len = (size_t)sluice_rng_below(&rng, len + 1);
    if (send(fds[who], text, len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
      assert_true(errno == EAGAIN || errno == EPIPE || errno == ECONNRESET);
    if (sluice_rng_below(&rng, 3)) (void)!recv(fds[who], answer, sizeof answer, MSG_DONTWAIT);
    if (sluice_rng_below(&rng, 50) == 0) {
      close(fds[who]);
      fds[who] = join(rig);
    }
    serve(rig, 1);
    if (n % 500 == 0) good_client(rig, good);
  }
  for (unsigned i = 0; i < 8; i++) close(fds[i]);
  serve(rig, 1000);
  good_client(rig, good);
  assert_int_equal(sluice_chip_audit(live_chip(rig->live), NULL), SLUICE_OK);
  close(good);
}

// The library's own client, against a server in a child.
TEST_WITH(the_client, open_rig, close_rig) {
  struct rig *rig = *state;
  struct sluice_error error = {{0}};
  json_t *answer, *request CLOSED_BY(drop_json) = json_pack("{s:s}", "do", "list");
  int fd;
  assert_int_equal(control_connect(&fd, "/nonexistent/switch", NULL, &error), SLUICE_ERR_IO);
  assert_non_null(strstr(error.text, "no switch answers at '/nonexistent/switch'"));
  const pid_t child = fork();
  if (child == 0) {
    struct sluice_loop loop = SLUICE_LOOP;
    for (;;) {
      control_watch(rig->control, &loop);
      (void)sluice_loop_wait(&loop);
      serve(rig, 1);
    }
  }
  assert_int_equal(control_connect(&fd, rig->path, NULL, &error), SLUICE_OK);
  for (unsigned n = 0; n < 3; n++) {
    assert_int_equal(control_ask(fd, request, 20, &answer, &error), SLUICE_OK);
    assert_string_equal(json_string_value(json_object_get(answer, "chip")), "tiny");
    json_decref(answer);
  }
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  assert_int_equal(control_ask(fd, request, 0.1, &answer, &error), SLUICE_ERR_IO);
  assert_null(answer);
  close(fd);
}
