// SPDX-License-Identifier: Apache-2.0
// What the monitors are told, as a text (docs/verification.md, Events): their verdict, whichever
// reference counts; what of a text is refused; that a recording of it is the text again.

#include "tests/rig/cases.h"
#include "fuzz/shrink_events.h"
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
TEST(cuts_and_their_ticket) { cases_each(cases, "cuts", try_of_chip, "react"); }
TEST(words_and_keys) { cases_each(cases, "words", try_of_chip, "arrays"); }
TEST(gaps_inside_packets) { cases_each(cases, "gaps", try_of_chip, "leave"); }

static void try_of_text(void *user, const struct one_case *c) {
  (void)user;
  char verdict[2000];
  judge(c->request, NULL, verdict, sizeof verdict, NULL);
  cases_answer(c, verdict);
}

TEST(texts_that_are_no_recording) { cases_each(cases, "texts", try_of_text, NULL); }
