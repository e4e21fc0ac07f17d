// SPDX-License-Identifier: Apache-2.0
// Job files: what the simulator believes, and what it refuses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "job.h"

// Reads a job of this text.
static enum sluice_status load(struct job *job, const char *text, struct sluice_error *error) {
  char path[] = "/tmp/sluice-job-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (long)strlen(text));
  close(file);
  const enum sluice_status status = job_load(job, path, error);
  unlink(path);
  return status;
}

#define HEAD "\"sluice_job\": 1, \"config\": \"tight\", \"report\": \"r\""

static void takes_every_key(void **state) {
  (void)state;
  struct job job;
  struct sluice_error error;
  const enum sluice_status status = load(
      &job,
      "{" HEAD ", \"capture\": \"in%ff.pcap\", \"schedule\": \"s\", \"control\": \"c\", "
      "\"out\": \"o\", \"timeline\": \"t\", "
      "\"accesses\": \"a\", \"stories\": \"w\", \"told\": [[1, 3], [5, 5]], \"brief\": true, "
      "\"load\": 0.5, \"stall\": 0.25, \"malformed\": 1, \"idle\": 0.125, "
      "\"ns_per_cycle\": 2, \"recirculate\": 2, \"seed\": 9000000000000000, \"packets\": 7, "
      "\"max_cycles\": 8, \"last_offered\": 9, "
      "\"progress\": true, \"check_counters\": false, \"pace_by\": \"time\", \"lanes\": "
      "\"hash\", \"faults\": [\"lane_swap\"], "
      "\"modules\": [{\"image\": \"i\", \"vid\": 5, \"set\": 1, \"rate\": 64, \"burst\": 8, "
      "\"class\": 3}], "
      "\"segments\": [{\"stage\": 2, \"row\": 11, \"range\": 3}], "
      "\"class_ecn\": [16, 0, 2047], "
      "\"settings\": {\"pace\": 1, \"brake\": 2, \"lane_limit\": 3, \"output_limit\": 4, "
      "\"mode\": 5, \"ecn_queue\": 6, "
      "\"ecn_lane\": 7, \"pin\": 8, \"sets\": 4, \"move_period\": 9, \"move_least\": 10, "
      "\"move_quota\": 11, \"class_costs\": 4294967295, \"class_strict\": 12, \"merge_lanes\": 13, "
      "\"merge_key\": 14, \"merge_idle\": 15}}",
      &error);
  if (status) fail_msg("%s", error.text);
  assert_string_equal(job.capture, "in\xff.pcap");
  assert_true(job.num_told == 2 && job.brief && job.told[0].first == 1 && job.told[0].last == 3 &&
              job.told[1].last == 5);
  assert_true(job.load == 0.5 && job.stall == 0.25 && job.malformed == 1.0 && job.idle == 0.125 &&
              job.ns_per_cycle == 2.0);
  assert_true(job.merge_lanes == 13 && job.merge_key == 14 && job.merge_idle == 15);
  assert_true(job.seed == UINT64_C(9000000000000000) && job.packets == 7 && job.max_cycles == 8 &&
              job.last_offered == 9);
  assert_true(job.progress && !job.check_counters && job.by_time && job.hash_lanes &&
              job.fault_mask != 0);
  assert_true(job.num_modules == 1 && job.modules[0].vid == 5 && job.modules[0].set == 1 &&
              job.modules[0].rate == 64 && job.modules[0].burst == 8);
  assert_true(job.num_segments == 1 && job.segments[0].stage == 2 && job.segments[0].row == 11 &&
              job.segments[0].range == 3);
  assert_true(job.pace == 1 && job.brake == 2 && job.lane_limit == 3 && job.output_limit == 4 &&
              job.mode == 5 && job.ecn_queue == 6 && job.ecn_lane == 7 && job.pin == 8 &&
              job.sets == 4 && job.move_period == 9 && job.move_least == 10 &&
              job.move_quota == 11 && job.modules[0].class == 3 && job.class_costs == 0xffffffff &&
              job.class_strict == 12);
  assert_true(job.num_class_ecn == 3 && job.class_ecn[0] == 16 && job.class_ecn[1] == 0 &&
              job.class_ecn[2] == 2047);
  job_release(&job);
}

static void leaves_what_is_not_said(void **state) {
  (void)state;
  struct job job;
  struct sluice_error error;
  assert_int_equal(load(&job, "{" HEAD ", \"modules\": [{\"image\": \"i\", \"vid\": 5}]}", &error),
                   SLUICE_OK);
  assert_true(job.load == 1.0 && job.pace == -1 && job.sets == -1 && job.check_counters &&
              job.modules[0].rate == -1);
  job_release(&job);
}

static void takes_updates(void **state) {
  (void)state;
  struct job job;
  struct sluice_error error;
  assert_int_equal(load(&job,
                        "{" HEAD ", \"updates_capture\": \"u.pcap\", \"updates\": [{}, {\"at\": 7, "
                        "\"flip\": 4294967295, \"bounces\": 2, "
                        "\"hasty\": true, \"before\": 3, \"early\": 4, \"after\": 5}]}",
                        &error),
                   SLUICE_OK);
  assert_int_equal(job.num_updates, 2);
  const struct job_update *u = &job.updates[1];
  assert_true(u->at == 7 && u->flip == 0xffffffff && u->bounces == 2 && u->hasty &&
              u->before == 3 && u->early == 4 && u->after == 5);
  assert_string_equal(job.updates_capture, "u.pcap");
  job_release(&job);
}

static void takes_cuts(void **state) {
  (void)state;
  struct job job;
  struct sluice_error error;
  assert_int_equal(load(&job,
                        "{" HEAD ", \"cuts\": [{}, {\"at\": 7, \"rows\": 4294967295, \"wait\": "
                        "true, \"home\": true, \"read\": true, "
                        "\"fill\": true}]}",
                        &error),
                   SLUICE_OK);
  assert_int_equal(job.num_cuts, 2);
  const struct job_cut *c = &job.cuts[1];
  assert_true(c->at == 7 && c->rows == 0xffffffff && c->wait && c->home && c->read && c->fill);
  assert_false(job.cuts[0].rows || job.cuts[0].wait || job.cuts[0].home || job.cuts[0].read ||
               job.cuts[0].fill);
  job_release(&job);
}

static void refuses_what_it_does_not_know(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"[]", "is not a JSON object"},
      {"{\"config\": \"tiny\", \"report\": \"r\"}", "'sluice_job' must be 1"},
      {"{\"sluice_job\": 2, \"config\": \"tiny\", \"report\": \"r\"}", "'sluice_job' must be 1"},
      {"{\"sluice_job\": 1, \"config\": \"tiny\"}", "needs 'config' and 'report'"},
      {"{" HEAD ", \"stal\": 0.5}", "no key 'stal' is known"},
      {"{" HEAD ", \"seed\": \"abc\"}", "'seed' must be a whole number"},
      {"{" HEAD ", \"seed\": 1.5}", "'seed' must be a whole number"},
      {"{" HEAD ", \"packets\": -1}", "'packets' must be a whole number from 0"},
      {"{" HEAD ", \"load\": \"all\"}", "'load' must be a number"},
      {"{" HEAD ", \"load\": 0}", "'load' must be a number from 0.001 to 1"},
      {"{" HEAD ", \"lanes\": \"bogus\"}", "'lanes' must be \"spread\" or \"hash\""},
      {"{" HEAD ", \"pace_by\": 7}", "'pace_by' must be \"line\" or \"time\""},
      {"{" HEAD ", \"progress\": 1}", "'progress' must be true or false"},
      {"{" HEAD ", \"out\": 5}", "'out' must be a text"},
      {"{" HEAD ", \"out\": \"%zz\"}", "'out' must be a path"},
      {"{" HEAD ", \"out\": \"a\", \"out\": \"b\"}", "duplicate"},
      {"{" HEAD ", \"settings\": {\"pace\": \"x\"}}", "settings: 'pace' must be a whole number"},
      {"{" HEAD ", \"settings\": {\"mode\": 99999999999}}",
       "settings: 'mode' must be a whole number from 0 to 127"},
      {"{" HEAD ", \"settings\": {\"ecn_lane\": 8192}}", "settings: 'ecn_lane'"},
      {"{" HEAD ", \"settings\": {\"speed\": 1}}", "settings: no key 'speed' is known"},
      {"{" HEAD ", \"settings\": []}", "settings: is not a JSON object"},
      {"{" HEAD ", \"modules\": {}}", "'modules' must be a list"},
      {"{" HEAD ", \"class_ecn\": [2048]}",
       "'class_ecn' must be packets for each class, 0 to 2047"},
      {"{" HEAD ", \"modules\": [{\"vid\": 5}]}", "module 0 needs an image and a vid"},
      {"{" HEAD ", \"modules\": [{\"image\": \"i\", \"vid\": 4096}]}", "module 0: 'vid' must be"},
      {"{" HEAD ", \"modules\": [{\"image\": \"i\", \"vid\": 5, \"rate\": 64}]}",
       "'rate' and 'burst' belong together"},
      {"{" HEAD ", \"modules\": [{\"image\": \"i\", \"vid\": 5, \"lane_packets\": 64}]}",
       "the four numbers of a rate at the lanes belong together"},
      {"{" HEAD ", \"modules\": [{\"image\": \"i\", \"vid\": 5, \"lane_beats\": 1001}]}",
       "module 0: 'lane_beats' must be"},
      {"{" HEAD ", \"modules\": [{\"image\": \"i\", \"vid\": 5, \"colour\": 64}]}",
       "module 0: no key 'colour' is known"},
      {"{" HEAD ", \"segments\": [{\"stage\": 1, \"row\": 2}]}",
       "segment 0 needs a stage, a row and a range"},
      {"{" HEAD ", \"segments\": [{\"stage\": 1, \"row\": 64, \"range\": 1}]}",
       "segment 0: 'row' must be"},
      {"{" HEAD ", \"updates\": [{\"at\": 1}]}", "'updates' need 'updates_capture'"},
      {"{" HEAD ", \"updates_capture\": \"u\", \"updates\": [{\"at\": -1}]}",
       "update 0: 'at' must be"},
      {"{" HEAD ", \"updates_capture\": \"u\", \"updates\": [{\"when\": 1}]}",
       "update 0: no key 'when' is known"},
      {"{\"sluice_job\": 1, \"config\": \"tiny\", \"report\": \"r\", \"updates_capture\": \"u\", "
       "\"updates\": [{\"at\": 1}]}",
       "chip 'tiny' has one bank"},
      {"{" HEAD ", \"cuts\": [{\"at\": -1}]}", "cut 0: 'at' must be"},
      {"{" HEAD ", \"cuts\": [{\"row\": 1}]}", "cut 0: no key 'row' is known"},
      {"{\"sluice_job\": 1, \"config\": \"tiny\", \"report\": \"r\", \"cuts\": [{\"at\": 1}]}",
       "chip 'tiny' has no stage with a shadow memory"},
      {"{" HEAD ", \"told\": [[0, 1]]}", "'told' must be pairs"},
      {"{" HEAD ", \"told\": [[3, 5], [5, 6]]}", "sorted and apart"},
      {"{" HEAD ", \"faults\": [\"sabotage\"]}", "unknown fault 'sabotage'"},
      {"{" HEAD ", \"faults\": [3]}", "unknown fault"},
      {"{\"sluice_job\": 1, \"config\": \"k4\", \"report\": \"r\", \"faults\": [\"lane_swap\"]}",
       "chip 'k4' is built without faults"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct job job;
    struct sluice_error error;
    if (load(&job, cases[i].text, &error) == SLUICE_OK) fail_msg("accepted: %s", cases[i].text);
    if (!strstr(error.text, cases[i].says))
      fail_msg("%s\nsays: %s\nnot:  %s", cases[i].text, error.text, cases[i].says);
    job_release(&job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(takes_every_key),
                                     cmocka_unit_test(leaves_what_is_not_said),
                                     cmocka_unit_test(takes_updates), cmocka_unit_test(takes_cuts),
                                     cmocka_unit_test(refuses_what_it_does_not_know)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
