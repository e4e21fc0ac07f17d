// SPDX-License-Identifier: Apache-2.0
// Job files: what the simulator believes, and what it refuses.
#include <unistd.h>

#include "tests/rig/cases.h"
#include "session/job.h"

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

static const char every_key[] =
    "{" HEAD
    ", \"capture\": \"in%ff.pcap\", \"schedule\": \"s\", \"control\": \"c\", \"out\": \"o\", "
    "\"timeline\": \"t\", \"accesses\": \"a\", \"stories\": \"w\", \"told\": [[1, 3], [5, 5]], "
    "\"brief\": true, \"load\": 0.5, \"stall\": 0.25, \"malformed\": 1, \"idle\": 0.125, "
    "\"ns_per_cycle\": 2, \"recirculate\": 2, \"seed\": 9000000000000000, \"packets\": 7, "
    "\"max_cycles\": 8, \"last_offered\": 9, \"progress\": true, \"check_counters\": false, "
    "\"pace_by\": \"time\", \"lanes\": \"hash\", \"faults\": [\"lane_swap\"], \"modules\": "
    "[{\"image\": \"i\", \"vid\": 5, \"set\": 1, \"rate\": 64, \"burst\": 8, \"class\": 3}], "
    "\"segments\": [{\"stage\": 2, \"row\": 11, \"range\": 3}], \"class_ecn\": [16, 0, 2047], "
    "\"settings\": {\"pace\": 1, \"brake\": 2, \"lane_limit\": 3, \"output_limit\": 4, \"mode\": "
    "5, \"ecn_queue\": 6, \"ecn_lane\": 7, \"pin\": 8, \"sets\": 4, \"move_period\": 9, "
    "\"move_least\": 10, \"move_quota\": 11, \"class_costs\": 4294967295, \"class_strict\": 12, "
    "\"merge_lanes\": 13, \"merge_key\": 14, \"merge_idle\": 15}}";

TEST(takes_every_key) {
  struct job job CLOSED_BY(job_release);
  struct sluice_error error;
  const enum sluice_status status = load(&job, every_key, &error);
  if (status) fail_msg("%s", error.text);
  assert_string_equal(job.capture, "in\xff.pcap");
  assert_true(job.num_told == 2 && job.brief && job.told[0].first == 1 && job.told[0].last == 3 &&
              job.told[1].last == 5);
  assert_true(job.load == 0.5 && job.stall == 0.25 && job.malformed == 1.0 && job.idle == 0.125 &&
              job.ns_per_cycle == 2.0);
  assert_true(job.set.merge_lanes == 13 && job.set.merge_key == 14 && job.set.merge_idle == 15);
  assert_true(job.seed == UINT64_C(9000000000000000) && job.packets == 7 && job.max_cycles == 8 &&
              job.last_offered == 9);
  assert_true(job.progress && !job.check_counters && job.by_time && job.hash_lanes &&
              job.fault_mask != 0);
  assert_true(job.num_modules == 1 && job.modules[0].vid == 5 && job.modules[0].set == 1 &&
              job.modules[0].rate == 64 && job.modules[0].burst == 8);
  assert_true(job.num_segments == 1 && job.segments[0].stage == 2 && job.segments[0].row == 11 &&
              job.segments[0].range == 3);
  assert_true(job.set.pace == 1 && job.set.brake == 2 && job.set.lane_limit == 3 &&
              job.set.output_limit == 4 && job.set.mode == 5 && job.set.ecn_queue == 6 &&
              job.set.ecn_lane == 7 && job.set.pin == 8 && job.set.sets == 4 &&
              job.set.move_period == 9 && job.set.move_least == 10 && job.set.move_quota == 11 &&
              job.modules[0].class == 3 && job.set.class_costs == 0xffffffff &&
              job.set.class_strict == 12);
  assert_true(job.num_class_ecn == 3 && job.class_ecn[0] == 16 && job.class_ecn[1] == 0 &&
              job.class_ecn[2] == 2047);
}

// The text of a job, as it is written.
static char *saved(const struct job *job) {
  struct sluice_error error;
  char path[] = "/tmp/sluice-job-XXXXXX", *text = calloc(1, 20000);
  close(mkstemp(path));
  if (job_save(job, path, &error)) fail_msg("%s", error.text);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fread(text, 1, 19999, file) > 0);
  fclose(file);
  unlink(path);
  return text;
}

// Nothing is lost on the way: every key of the text is in what is written, and it reads the same.
TEST(writes_what_it_has_read) {
  static const char more[] =
      "{" HEAD
      ", \"updates_capture\": \"u\", \"marks_capture\": \"m\", \"initial\": \"i\", \"events\": "
      "\"e\", \"updates\": [{}, {\"at\": 7, \"flip\": 4294967295, \"bounces\": 2, \"hasty\": true, "
      "\"before\": 3, \"early\": 4, \"after\": 5}], \"cuts\": [{}, {\"at\": 7, \"rows\": "
      "4294967295, \"wait\": true, \"home\": true, \"read\": true, \"fill\": true}], \"every\": "
      "[0, 3], \"registers\": [\"CHIP.PACE\"], \"state\": true, \"spec\": true, \"writes\": 5, "
      "\"writes_break\": 1, \"no_gaps\": true, \"modules\": [{\"image\": \"i%ff\", \"vid\": 0, "
      "\"ports\": \"0x3f\", \"trusted\": true, \"active\": true, \"passes\": 1, \"pass_rate\": 2, "
      "\"pass_burst\": 3, \"lane_packets\": 4, \"lane_packet_burst\": 5, \"lane_beats\": 6, "
      "\"lane_beat_burst\": 7}, {\"image\": \"j\", \"vid\": 1}]}";
  const char *const texts[] = {every_key, more};
  for (unsigned i = 0; i < 2; i++) {
    struct job job CLOSED_BY(job_release), again CLOSED_BY(job_release);
    struct sluice_error error;
    if (load(&job, texts[i], &error)) fail_msg("%s", error.text);
    char *first CLOSED_BY(freed) = saved(&job);
    if (load(&again, first, &error)) fail_msg("%s: %s", error.text, first);
    char *second CLOSED_BY(freed) = saved(&again);
    assert_string_equal(first, second);
    for (const char *at = texts[i]; (at = strchr(at, '"')); at++) {
      const size_t len = strcspn(at + 1, "\"") + 2;
      char key[60];
      snprintf(key, sizeof key, "%.*s", (int)len, at);
      if (at[len] == ':' && !strstr(first, key)) fail_msg("%s is not in %s", key, first);
      at += len - 1;
    }
    assert_memory_equal(&job.set, &again.set, sizeof job.set);
    assert_true(job.fault_mask == again.fault_mask && job.num_told == again.num_told &&
                job.num_updates == again.num_updates && job.num_cuts == again.num_cuts &&
                job.num_segments == again.num_segments && job.num_modules == again.num_modules &&
                job.num_registers == again.num_registers && job.by_time == again.by_time);
    assert_memory_equal(job.every, again.every, sizeof job.every);
    assert_memory_equal(job.class_ecn, again.class_ecn, sizeof job.class_ecn);
    if (job.num_cuts) assert_memory_equal(job.cuts, again.cuts, 2 * sizeof *job.cuts);
    if (i == 1) assert_true(again.modules[0].ports == 0x3f && again.modules[1].ports == UINT64_MAX);
  }
}

TEST(leaves_what_is_not_said) {
  struct job job CLOSED_BY(job_release);
  struct sluice_error error;
  assert_int_equal(load(&job, "{" HEAD ", \"modules\": [{\"image\": \"i\", \"vid\": 5}]}", &error),
                   SLUICE_OK);
  assert_true(job.load == 1.0 && job.set.pace == -1 && job.set.sets == -1 && job.check_counters &&
              job.modules[0].rate == -1);
}

TEST(takes_updates) {
  struct job job CLOSED_BY(job_release);
  struct sluice_error error;
  assert_int_equal(
      load(&job,
           "{" HEAD
           ", \"updates_capture\": \"u.pcap\", \"updates\": [{}, {\"at\": 7, \"flip\": 4294967295, "
           "\"bounces\": 2, \"hasty\": true, \"before\": 3, \"early\": 4, \"after\": 5}]}",
           &error),
      SLUICE_OK);
  assert_int_equal(job.num_updates, 2);
  const struct job_update *u = &job.updates[1];
  assert_true(u->at == 7 && u->flip == 0xffffffff && u->bounces == 2 && u->hasty &&
              u->before == 3 && u->early == 4 && u->after == 5);
  assert_string_equal(job.updates_capture, "u.pcap");
}

TEST(takes_cuts) {
  struct job job CLOSED_BY(job_release);
  struct sluice_error error;
  assert_int_equal(load(&job,
                        "{" HEAD ", \"cuts\": [{}, {\"at\": 7, \"rows\": 4294967295, \"wait\": "
                        "true, \"home\": true, \"read\": true, \"fill\": true}]}",
                        &error),
                   SLUICE_OK);
  assert_int_equal(job.num_cuts, 2);
  const struct job_cut *c = &job.cuts[1];
  assert_true(c->at == 7 && c->rows == 0xffffffff && c->wait && c->home && c->read && c->fill);
  assert_false(job.cuts[0].rows || job.cuts[0].wait || job.cuts[0].home || job.cuts[0].read ||
               job.cuts[0].fill);
}

static void try_job(void *user, const struct one_case *c) {
  struct job job CLOSED_BY(job_release);
  struct sluice_error error;
  (void)user;
  char *text CLOSED_BY(freed) = cases_with(c->request, "$HEAD", HEAD);
  if (load(&job, text, &error) == SLUICE_OK) fail_msg("%s: accepted: %s", c->where, text);
  cases_answer(c, error.text);
}

TEST(refuses_what_it_does_not_know) {
  cases_each("sw/tests/session/job.cases", "refused", try_job, NULL);
}
