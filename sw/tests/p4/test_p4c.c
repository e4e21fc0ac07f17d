// SPDX-License-Identifier: Apache-2.0
// P4 programs on the chip that there is: each program of sw/tests/p4/chip, which names a chip in
// its second line, and those of sw/programs/p4 that the machine takes, with their entries, on the
// interpreter of P4 and, compiled, on the reference model. Both get the same random packets; port,
// drop, bytes and registers must be equal. In sw/tests/p4/chip_reject stand programs that the
// machine cannot take, with the place and the beginning of the sentence; which of sw/programs/p4
// run where is what docs/p4-16.md says.
#include <dirent.h>
#include <unistd.h>

#include "tests/rig/test.h"
#include "tests/rig/p4c_both.h"

enum { PACKETS = 3000, FEWER = 1000 };

static unsigned programs, arrays, packets_each;
static bool in_keys;  // conditions stand in a table, of programs that have such

// `must`: the machine has to take it; else false if it does not.
static bool compare_one(const char *path, const char *chip, const char *entries, bool must) {
  const unsigned packets = packets_each ? packets_each : chip ? FEWER : PACKETS;
  struct both b = {0};
  struct p4c_result ir;
  read_program(&b, path, chip);
  const bool taken = in_keys ? p4c_lower_in_keys(b.program, b.config, &b.messages, &ir)
                             : p4c_lower(b.program, b.config, &b.messages, &ir);
  if (!taken && must) p4_messages_print(&b.messages, 0, stderr);
  if (!taken && must) fail_msg("%s is not taken", path);
  if (!taken || !load(&b, &ir, entries, must)) {
    release(&b);
    return false;
  }
  const struct p4r_options options = {.seed = 1, .messages = &b.messages};
  b.interpreter = p4r_open(b.program, &options, b.why, sizeof b.why);
  assert_non_null(b.interpreter);
  if (entries && !p4r_runtime_load(b.interpreter, b.why, sizeof b.why, entries, strlen(entries)))
    fail_msg("%s: %s", path, b.why);
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "p4c");
  for (unsigned n = 0; n < packets; n++) one_packet(&b, &rng, n);
  for (size_t i = 0; i < b.image.num_arrays; i++)
    for (unsigned w = 0; w < 2; w++) arrays += compare_array(&b, &b.image.arrays[i], w);
  programs++;
  release(&b);
  return true;
}

static void compare(const char *path) { compare_one(path, NULL, NULL, true); }
static void compare_if_taken(const char *path) { compare_one(path, NULL, NULL, false); }

static void each(const char *folder, void (*check)(const char *path)) {
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (struct dirent *e; (e = readdir(dir));) {
    char path[300];
    const char *dot = strrchr(e->d_name, '.');
    if (!dot || strcmp(dot, ".p4") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    check(path);
  }
  closedir(dir);
}

TEST(interpreter_is_model) {
  each("sw/tests/p4/chip", compare);
  print_message("%u programs, %u packets each, %u entries of registers and counters\n", programs,
                PACKETS, arrays);
  assert_true(programs >= 9 && arrays > 10);
}

// Where the engines and containers of the chip are too few for the table the program is passed
// over.
TEST(with_conditions_in_keys) {
  programs = 0;
  in_keys = true;
  each("sw/tests/p4/chip", compare_if_taken);
  in_keys = false;
  print_message("%u programs\n", programs);
  assert_true(programs >= 6);
}

// ---- what is refused ---------------------------------------------------------------------------

static unsigned sentences;

static void is_refused(const char *path) {
  struct both b = {0};
  struct p4c_result ir;
  read_program(&b, path, NULL);
  const bool taken = p4c_lower(b.program, b.config, &b.messages, &ir);
  unsigned told = 0;
  for (const char *at = b.text; (at = strstr(at, "// ERROR "));) {
    unsigned line, column;
    int used = 0;
    at += strlen("// ERROR ");
    assert_int_equal(sscanf(at, "%u:%u %n", &line, &column, &used), 2);
    at += used;
    bool found = false;
    for (size_t i = 0; i < b.messages.num; i++) {
      const struct p4_message *m = &b.messages.list[i];
      found |= m->severity == P4_ERROR && m->place.line == line && m->place.column == column &&
               strncmp(m->text, at, strcspn(at, "\n")) == 0;
    }
    if (!found) {
      p4_messages_print(&b.messages, 0, stderr);
      fail_msg("%s: no such error: %u:%u %.*s", path, line, column, (int)strcspn(at, "\n"), at);
    }
    told++;
  }
  assert_false(taken);
  if (told != b.messages.num_errors) p4_messages_print(&b.messages, 0, stderr);
  assert_int_equal(told, b.messages.num_errors);
  sentences += told;
  release(&b);
}

// ---- the programs of the page ------------------------------------------------------------------

static const char *const chips[] = {"react", "s2", "s4", "k4.k1", "k4.k2", "k4", "k4.k8"};
enum { CHIPS = sizeof chips / sizeof *chips };

static char *entries_of(const char *name) {
  char path[300];
  snprintf(path, sizeof path, "sw/tests/p4/programs/%s.json", name);
  return access(path, R_OK) == 0 ? slurp(path) : NULL;
}

// A line of the page's table "what runs where": | `NAME` | CHIPS | ..; false: it is none.
static bool row_of(const char *line, char *name, char *where) {
  const char *cell = strstr(line, "` | ");
  if (strncmp(line, "| `", 3) != 0 || !cell) return false;
  snprintf(name, 60, "%.*s", (int)(cell - line - 3), line + 3);
  cell += 4;
  const char *end = strstr(cell, " |");
  snprintf(where, 100, "%.*s", end ? (int)(end - cell) : 0, cell);
  return end;
}

TEST(what_runs_where) {
  char *page = slurp("docs/p4-16.md"), name[60], where[100], path[300];
  char *line = strstr(page, "| program | chips |");
  unsigned rows = 0, on_chips = 0;
  assert_non_null(line);
  for (; (line = strchr(line, '\n')) && *++line == '|';) {
    char found[100] = "";
    if (!row_of(line, name, where)) continue;
    snprintf(path, sizeof path, "sw/programs/p4/%s.p4", name);
    char *entries = entries_of(name);
    for (unsigned i = 0; i < CHIPS; i++)
      if (compare_one(path, chips[i], entries, false)) {
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", *found ? ", " : "",
                 chips[i]);
        on_chips++;
      }
    free(entries);
    if (strcmp(where, *found ? found : "none") != 0)
      fail_msg("docs/p4-16.md says of %s '%s', and it is '%s'", name, where, found);
    rows++;
  }
  free(page);
  print_message("%u programs, %u times on a chip\n", rows, on_chips);
  assert_int_equal(rows, 13 + 8);
}

// What s4 takes it takes with one, two and eight pipelines, too, and does the same.
TEST(any_number_of_pipelines) {
  static const char *const shapes[] = {"s4.k1", "s4.k2", "s4.k8"};
  char *page = slurp("docs/p4-16.md"), name[60], where[100], path[300];
  char *line = strstr(page, "| program | chips |");
  unsigned runs = 0;
  assert_non_null(line);
  packets_each = 200;
  for (; (line = strchr(line, '\n')) && *++line == '|';) {
    if (!row_of(line, name, where) || !strstr(where, "s4")) continue;
    snprintf(path, sizeof path, "sw/programs/p4/%s.p4", name);
    char *entries = entries_of(name);
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
      runs += compare_one(path, shapes[i], entries, true);
    free(entries);
  }
  free(page);
  packets_each = 0;
  print_message("%u times\n", runs);
  assert_true(runs >= 3 * 11);
}

// Programs that were written for the interpreter's tests, as far as the machine takes them:
// SLUICE_P4_ALL.
TEST(tests_of_the_interpreter) {
  if (!getenv("SLUICE_P4_ALL")) skip();
  programs = 0;
  each("sw/tests/p4/stf", compare_if_taken);
  print_message("%u programs\n", programs);
  assert_true(programs >= 60);
}

TEST(refused) {
  each("sw/tests/p4/chip_reject", is_refused);
  assert_true(sentences >= 20);
}
