// SPDX-License-Identifier: Apache-2.0
// The interpreter of P4-16: every STF test of sw/tests/p4/stf and of the tutorial programs, and
// that each of them notices a wrong packet.
#include <dirent.h>

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "p4/front.h"
#include "p4run/runtime.h"
#include "p4run/stf.h"

static char *read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  const size_t len = fread(text, 1, (1 << 20) - 1, f);
  assert_true(len < (1 << 20) - 1);
  fclose(f);
  return text;
}

// Runs a text on a program; how many things were wrong, or -1: it does not even begin.
static int run(const char *p4_path, const char *stf_path, const char *stf, FILE *out,
               unsigned *expects) {
  char why[600];
  char *text = read_file(p4_path);
  assert_non_null(text);
  const struct p4_options options = {0};
  struct p4_messages messages = {0};
  struct p4_program *program = p4_front(p4_path, text, strlen(text), &options, &messages);
  if (!program) p4_messages_print(&messages, 0, stderr);
  int failures = -1;
  const struct p4r_options run_options = {.seed = 1, .messages = &messages};
  struct p4r_switch *sw = program ? p4r_open(program, &run_options, why, sizeof why) : NULL;
  if (program && !sw) fprintf(stderr, "%s: %s\n", p4_path, why);
  if (sw) {
    struct p4r_stf report = {.out = out};
    p4r_stf_run(&report, sw, why, stf_path, stf);
    failures = (int)report.failures;
    *expects = report.expects;
  }
  p4r_close(sw);
  p4_program_free(program);
  p4_messages_release(&messages);
  free(text);
  return failures;
}

// The text with another last digit in its first packet that is expected; false: it has none.
static bool spoil(char *stf) {
  for (char *line = stf; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    if (strncmp(line, "expect", 6) != 0) continue;
    char *end = line + strcspn(line, "\n");
    while (end > line && !strchr("0123456789abcdef", *end)) end--;
    if (end - line < 9) continue;
    *end = *end == '0' ? '1' : '0';
    return true;
  }
  return false;
}

static unsigned run_folder(const char *p4_dir, const char *stf_dir) {
  DIR *dir = opendir(stf_dir);
  assert_non_null(dir);
  // Of a program with a fault put into it: the first test that notices it is enough.
  const bool quick = from_environment("SLUICE_QUICK", 0);
  unsigned tests = 0, wrong = 0;
  for (const struct dirent *e; !(quick && wrong) && (e = readdir(dir));) {
    char p4[600], path[600];
    const char *dot = strstr(e->d_name, ".stf");
    if (!dot || dot[4]) continue;
    snprintf(p4, sizeof p4, "%s/%.*s.p4", p4_dir, (int)(dot - e->d_name), e->d_name);
    snprintf(path, sizeof path, "%s/%s", stf_dir, e->d_name);
    char *stf = read_file(path);
    assert_non_null(stf);
    unsigned expects = 0;
    const int failures = run(p4, path, stf, stderr, &expects);
    const bool noticed = quick || expects == 0 ||
                         (spoil(stf) && run(p4, path, stf, NULL, &expects) > 0);
    if (failures || !noticed) wrong++;
    if (!noticed) fprintf(stderr, "%s: a wrong digit is not noticed\n", path);
    free(stf);
    tests++;
  }
  closedir(dir);
  assert_int_equal(wrong, 0);
  return tests;
}

TEST(the_language_and_v1model) {
  assert_true(run_folder("sw/tests/p4/stf", "sw/tests/p4/stf") >= 300);
}
TEST(the_tutorials) {
  assert_int_equal(run_folder("sw/programs/p4", "sw/tests/p4/programs"), 13);
  assert_int_equal(run_folder("sw/programs/p4/menshen", "sw/tests/p4/programs/menshen"), 8);
}

// What a text says when it runs on one of the programs.
static void says(const char *program, const char *stf, const char *what) {
  char path[200], *said = NULL;
  size_t len = 0;
  unsigned expects;
  FILE *out = open_memstream(&said, &len);
  assert_non_null(out);
  snprintf(path, sizeof path, "sw/tests/p4/stf/%s.p4", program);
  const int failures = run(path, "x.stf", stf, out, &expects);
  fclose(out);
  assert_string_equal(said, what);
  assert_int_equal(failures, *what != 0);
  free(said);
}

TEST(what_is_wrong_in_an_stf_text_is_said) {
  static const struct {
    const char *stf, *says;
  } cases[] = {
      {"packet 1 0", "x.stf:1: half a byte is missing\n"},
      {"packet 1 0g", "x.stf:1: 'g' is no hexadecimal digit\n"},
      {"packet 99999 00", "x.stf:1: a port from 0 to 511 is missing\n"},
      {"\nadd u k:1 set(v:1)", "x.stf:2: the program has no table named 'u'\n"},
      {"add t nokey:1 set(v:1)", "x.stf:1: table I.t has no key 'nokey'\n"},
      {"add t h.d.k:1 put(v:1)", "x.stf:1: table I.t has no action 'put'\n"},
      {"add t h.d.k:1 set()", "x.stf:1: action set needs its parameter 'v'\n"},
      {"add t h.d.k:1 set(v:256)", "x.stf:1: parameter 'v' of action set has 8 bits\n"},
      {"add t h.d.k:0x100 set(v:1)", "x.stf:1: the value of key 'h.d.k' has more than 8 bits\n"},
      {"add t h.d.k:1 set(v:1)\nadd t h.d.k:1 set(v:2)",
       "x.stf:2: table I.t has an entry with these keys\n"},
      {"add t",
       "x.stf:1: this is no 'add TABLE [PRIORITY] KEY:VALUE ... ACTION(ARG:VALUE, ...)'\n"},
      {"frobnicate", "x.stf:1: unknown command 'frobnicate'\n"},
      {"packet 0 0100\nexpect 1 01dc $",
       "x.stf:2: packet 1 at port 1: byte 1 is dd, expected dc\n  expected 01dc $\n"
       "  received 01dd\n"},
      {"packet 0 0100\nexpect 1 01dd00",
       "x.stf:2: packet 1 at port 1 has 2 bytes, expected at least 3\n  expected 01dd00\n"
       "  received 01dd\n"},
      {"packet 0 0100\nexpect 1 01 $",
       "x.stf:2: packet 1 at port 1 has 2 bytes, expected 1\n  expected 01 $\n"
       "  received 01dd\n"},
      {"packet 0 0100\nexpect 1", ""},
      {"packet 1 0100", "x.stf:1: a packet came out of port 1 that is not expected\n"
                        "  received 01dd\n"},
      {"expect 1 00", "x.stf:1: packet 1 at port 1 did not come\n  expected 00\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    says("table_exact", cases[i].stf, cases[i].says);
  says("table_const_default_kept", "setdefault t NoAction()",
       "x.stf:1: the default action of table I.t is const\n");
  says("table_const_default_kept", "add t h.d.k:1 NoAction()",
       "x.stf:1: action NoAction is for the default of table I.t only\n");
  says("table_range_entries", "add t h.d.k:1 h.d.l:2 a(v:1)",
       "x.stf:1: the entries of table I.t are const\n");
  says("v1_register_struct", "register_write r 1 5",
       "x.stf:1: I.r holds structs, and no numbers\n");
}
