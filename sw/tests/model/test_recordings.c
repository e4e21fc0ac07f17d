// SPDX-License-Identifier: Apache-2.0
// What the monitors are told, as a text (docs/verification.md, Events): their verdict, whichever
// reference counts; what of a text is refused; that a recording of it is the text again.

#include "tests/rig/cases.h"
#include "fuzz/shrink_events.h"
#include "model/events.h"
#include "spec/spec.h"

enum { MOST = 20000 };

static const char cases[] = "sw/tests/model/recordings.cases";

// Plays it, and says what came out. `again`: what the monitors wrote down of it.
static void judge(const char *text, const struct sluice_second *second, char *verdict, size_t len,
                  FILE *again) {
  struct sluice_error error = {0};
  struct sluice_report report;
  struct sluice_replay *r = sluice_replay_open(second);
  static char lines[MOST];
  unsigned number = 0, differs = 0;
  assert_non_null(r);
  assert_true((size_t)snprintf(lines, sizeof lines, "%s", text) < sizeof lines);
  bool recorded = false, good = true;
  for (char *line = lines, *end; good && (end = strchr(line, '\n')); line = end + 1) {
    *end = 0;
    number++;
    good = !sluice_replay_line(r, line, &error);
    struct sluice_checker *ck = sluice_replay_checker(r);
    if (ck && !recorded && again) sluice_checker_record(ck, again);
    recorded = ck != NULL;
    if (ck && !differs && sluice_checker_failed(ck)) differs = number;
  }
  if (!good) snprintf(verdict, len, "line %u: %s", number, error.text);
  else if (!sluice_replay_checker(r)) snprintf(verdict, len, "no events");
  else {
    sluice_checker_report(sluice_replay_checker(r), &report);
    if (differs)
      snprintf(verdict, len, "line %u: %s: expected %s, got %s", differs, report.first.field,
               report.first.expected, report.first.got);
    else
      snprintf(verdict, len, "equivalent%s", sluice_replay_finished(r) ? "" : ", without an end");
  }
  sluice_replay_close(r);
}

// A case of a chip, whose first lines are left out in it.
static void try_of_chip(void *user, const struct one_case *c) {
  const char *chip = user;
  static char text[MOST], again[MOST];
  char model[2000], spec[2000], head[200];
  snprintf(head, sizeof head, "sluice events 1\nchip %s\nlayout 0x%08x\n", chip,
           (unsigned)sluice_layout_hash());
  snprintf(text, sizeof text, "%s%s", head, c->request);
  memset(again, 0, sizeof again);
  FILE *to = fmemopen(again, sizeof again - 1, "w");
  assert_non_null(to);
  judge(text, NULL, model, sizeof model, to);
  fclose(to);
  cases_answer(c, model);
  judge(text, &sluice_spec_second, spec, sizeof spec, NULL);
  if (strcmp(model, spec) != 0)
    fail_msg("%s: by the model '%s', by the page '%s'", c->where, model, spec);
  if (strcmp(again, text) != 0)
    fail_msg("%s: what is written down is not what was told, but\n%s", c->where, again);
}

TEST(guarded_flips) { cases_each(cases, "flips", try_of_chip, "react"); }
TEST(guarded_flips_of_few_rows) { cases_each(cases, "few", try_of_chip, "react.NumModules8"); }
TEST(cuts_and_their_ticket) { cases_each(cases, "cuts", try_of_chip, "react"); }
TEST(words_and_keys) { cases_each(cases, "words", try_of_chip, "arrays"); }
TEST(packets_above_a_rate_in_a_merge) {
  cases_each(cases, "rates", try_of_chip,
             "merge.k4.NumPorts62.OutputClasses4.ActiveIds16.NumModules4");
}
TEST(gaps_inside_packets) { cases_each(cases, "gaps", try_of_chip, "leave"); }

static void try_of_text(void *user, const struct one_case *c) {
  (void)user;
  char verdict[2000];
  judge(c->request, NULL, verdict, sizeof verdict, NULL);
  cases_answer(c, verdict);
}

TEST(texts_that_are_no_recording) { cases_each(cases, "texts", try_of_text, NULL); }

// ---- how large a number may be ------------------------------------------------------------------

// On chip tiny, by name; any other is of 32 bits.
static uint64_t most_of(const char *name, size_t len) {
  static const struct {
    const char *name;
    uint64_t most;
  } most[] = {{"lane", 1},
              {"stream", 1},
              {"pipe", 1},
              {"port", 3},
              {"stage", 19},
              {"row", 31},
              {"tag", 511},
              {"reason", 31},
              {"bank", 1},
              {"begin", UINT64_C(1) << 48},
              {"cycle", UINT64_C(1) << 48},
              {"from", UINT64_C(1) << 48},
              {"until", UINT64_C(1) << 48},
              {"number", UINT64_MAX},
              {"keep", UINT64_MAX},
              {"accepted_ports", UINT64_MAX},
              {"refused_ports", UINT64_MAX},
              {"expected", UINT64_MAX},
              {"got", UINT64_MAX}};
  static const char *const flags[] = {"last",  "err",   "on",   "accepted", "refused",
                                      "raced", "write", "deep", "dropped"};
  for (size_t i = 0; i < sizeof most / sizeof most[0]; i++)
    if (strlen(most[i].name) == len && !memcmp(most[i].name, name, len)) return most[i].most;
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
    if (strlen(flags[i]) == len && !memcmp(flags[i], name, len)) return 1;
  return UINT32_MAX;
}

// Whether an event that begins so is refused for its last number. It is never told: what follows
// the number is refused, too.
static bool is_refused(struct sluice_replay *r, const char *begins, bool hex, uint64_t value,
                       const char *name) {
  struct sluice_error error = {0};
  char line[200], wanted[60];
  snprintf(line, sizeof line, hex ? "%s 0x%llx ?" : "%s %llu ?", begins, (unsigned long long)value);
  snprintf(wanted, sizeof wanted, "%s: a value", name);
  assert_true(sluice_replay_line(r, line, &error) != SLUICE_OK);
  return strncmp(error.text, wanted, strlen(wanted)) == 0;
}

TEST(numbers_are_as_large_as_their_names_say) {
  struct sluice_replay *r = sluice_replay_open(NULL);
  struct sluice_error error;
  const char *event;
  unsigned tried = 0;
  assert_int_equal(sluice_replay_line(r, "sluice events 1", &error), SLUICE_OK);
  assert_int_equal(sluice_replay_line(r, "chip tiny", &error), SLUICE_OK);
  for (unsigned n = 0; (event = sluice_event_name(n)); n++) {
    if (strchr(sluice_event_arguments(n), '$')) continue;  // any text may follow its numbers
    char begins[200], name[40];
    size_t at = (size_t)snprintf(begins, sizeof begins, "%s", event);
    for (const char *a = sluice_event_arguments(n); *a && *a != '+';) {
      const bool hex = *a == '*';
      const size_t len = strcspn(a += hex, " ");
      const uint64_t most = most_of(a, len);
      snprintf(name, sizeof name, "%.*s", (int)len, a);
      if (is_refused(r, begins, hex, most, name)) fail_msg("%s: %s is refused", event, name);
      if (most != UINT64_MAX && !is_refused(r, begins, hex, most + 1, name))
        fail_msg("%s: %s may be larger than %llu", event, name, (unsigned long long)most);
      at += (size_t)snprintf(begins + at, sizeof begins - at, hex ? " 0x0" : " 0");
      a += len + (a[len] == ' ');
      tried++;
    }
  }
  assert_true(tried > 100);
  assert_int_equal(sluice_replay_events(r), 0);
  sluice_replay_close(r);
  sluice_replay_close(NULL);
}
