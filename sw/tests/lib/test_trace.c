// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include "tests/rig/test.h"
#include "lib/trace.h"

#define FLOWS "flowid,stage_num_1,...\n"
#define PACKETS "port,pkt_size,flowid,time\n"

static char folder[64];

static const char *put(const char *name, const char *text, size_t len) {
  static char paths[2][128];
  static int turn;
  char *path = paths[turn ^= 1];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, len, out), len);
  assert_int_equal(fclose(out), 0);
  return path;
}

static enum sluice_status load_as(struct sluice_trace *t, const char *name, const char *flows,
                                  const char *packets, struct sluice_error *error) {
  const char *flows_path = put(name, flows, strlen(flows));
  const char *packets_path = put("p.csv", packets, strlen(packets));
  enum sluice_status status = sluice_trace_load(t, flows_path, packets_path, error);
  unlink(flows_path);
  unlink(packets_path);
  return status;
}

static const char name_4[] = "flows_10_4_3_2_8_64.csv";  // 10 ports, 4 lanes, 3 stages, 8 entries

TEST(a_trace_is_read) {
  struct sluice_trace t;
  struct sluice_error error;
  assert_int_equal(load_as(&t, name_4, FLOWS "7,5,3,0,7\r\n2,1,0\n9\n\n",
                           PACKETS "0,64,7,12\n9,1500,2,3\n3,64,9,3", &error),
                   SLUICE_OK);
  FIELDS_ARE(&t, (ports, 10), (lanes, 4), (entries, 8));
  assert_int_equal(t.stages, 6);  // a flow says so, the name says 3
  assert_string_equal(t.size, "64");
  FIELDS_ARE(&t, (num_flows, 3), (flows[0].id, 2), (flows[1].num, 2),
             (flows[1].accesses[0].stage, 5), (flows[1].accesses[0].index, 3), (flows[2].num, 0),
             (num_packets, 3), (packets[0].flow, 1), (packets[0].time, 12));
  assert_int_equal(t.packets[1].lane, 3);  // ports 8 and 9 are left over
  FIELDS_ARE(&t.packets[2], (lane, 1), (bytes, 64));
  sluice_trace_release(&t);
  assert_null(t.packets);
}

TEST(without_flows_every_packet_is_stateless) {
  struct sluice_trace t CLOSED_BY(sluice_trace_release);
  assert_int_equal(load_as(&t, name_4, FLOWS, PACKETS "0,64,77,1\n", NULL), SLUICE_OK);
  assert_int_equal(t.packets[0].flow, SLUICE_TRACE_NO_FLOW);
}

TEST(what_is_written_is_read_again) {
  struct sluice_trace t CLOSED_BY(sluice_trace_release), again CLOSED_BY(sluice_trace_release);
  char flows[256], packets[256];
  assert_int_equal(
      load_as(&t, name_4, FLOWS "1,5,3,0,7\n2,1,0\n", PACKETS "0,64,1,12\n9,1500,2,3\n", NULL),
      SLUICE_OK);
  strcpy(t.pattern, "some");
  t.stages = 3;
  assert_int_equal(sluice_trace_save(&t, folder, NULL), SLUICE_OK);
  assert_true(sluice_trace_path(&t, folder, "flows", flows, sizeof flows));
  assert_true(sluice_trace_path(&t, folder, "some", packets, sizeof packets));
  assert_non_null(strstr(flows, "/flows_10_4_3_2_8_64.csv"));
  assert_false(sluice_trace_path(&t, folder, "some", packets + 200, 20));
  assert_int_equal(sluice_trace_load(&again, flows, packets, NULL), SLUICE_OK);
  assert_string_equal(again.pattern, "some");
  FIELDS_ARE(&again, (stages, 6), (num_packets, t.num_packets), (num_flows, t.num_flows));
  assert_int_equal(memcmp(again.flows, t.flows, t.num_flows * sizeof *t.flows), 0);
  assert_int_equal(memcmp(again.packets, t.packets, t.num_packets * sizeof *t.packets), 0);
  unlink(flows);
  unlink(packets);
}

TEST(a_lane_takes_one_packet_a_cycle) {
  struct sluice_trace t CLOSED_BY(sluice_trace_release);
  // Lane 0: flows 1 and 2 in cycle 3, 3 in cycle 4. Lane 2 has its packet in cycle 4 as well.
  assert_int_equal(load_as(&t, name_4, FLOWS "1\n2\n3\n4\n",
                           PACKETS "5,64,4,4\n0,64,3,4\n0,64,1,3\n1,64,2,3\n", NULL),
                   SLUICE_OK);
  assert_int_equal(sluice_trace_arrive(&t, NULL), SLUICE_OK);
  static const uint32_t id[] = {1, 2, 4, 3}, arrival[] = {3, 4, 4, 5};
  for (int i = 0; i < 4; i++) FIELDS_ARE(&t.packets[i], (id, id[i]), (arrival, arrival[i]));
}

TEST(rounds_follow_each_other) {
  struct sluice_trace t CLOSED_BY(sluice_trace_release);
  assert_int_equal(load_as(&t, name_4, FLOWS "1\n", PACKETS "0,64,1,4\n0,64,1,1\n", NULL),
                   SLUICE_OK);
  assert_int_equal(sluice_trace_repeat(&t, 3, NULL), SLUICE_OK);
  static const uint32_t time[] = {4, 1, 9, 6, 14, 11};
  assert_int_equal(t.num_packets, 6);
  for (int i = 0; i < 6; i++) assert_int_equal(t.packets[i].time, time[i]);
  assert_int_equal(sluice_trace_repeat(&t, 1u << 30, NULL), SLUICE_ERR_RANGE);
}

TEST(broken_files_are_refused_with_the_place) {
  static const struct {
    const char *name, *flows, *packets, *text;
  } cases[] = {
      {"flows_10_4_3_2_8.csv", FLOWS, PACKETS "0,64,1,1\n", "rename"},
      {"flows_0_4_3_2_8_64.csv", FLOWS, PACKETS "0,64,1,1\n", "rename"},
      {"flows_10_65_3_2_8_64.csv", FLOWS, PACKETS "0,64,1,1\n", "rename"},
      {"flows_3_4_3_2_8_64.csv", FLOWS, PACKETS "0,64,1,1\n", "rename"},
      {"flows_10_4_0_2_8_64.csv", FLOWS, PACKETS "0,64,1,1\n", "rename"},
      {"flows_10_4_3_2_0_64.csv", FLOWS, PACKETS "0,64,1,1\n", "rename"},
      {"flows_99999999999999999999_4_3_2_0_64.csv", FLOWS, PACKETS "0,64,1,1\n", "rename"},
      {"flows_10_4_3_2_8_a-word-that-is-really-too-long.csv", FLOWS, PACKETS, "rename"},
      {name_4, "", PACKETS "0,64,1,1\n", "heading must begin with 'flowid'"},
      {name_4, "1,2,3\n", PACKETS "0,64,1,1\n", "line 1: the heading"},
      {name_4, PACKETS, PACKETS "0,64,1,1\n", "line 1: the heading"},
      {name_4, FLOWS "1,2\n", PACKETS "0,64,1,1\n", "line 2: no comma behind a stage"},
      {name_4, FLOWS "1,2,\n", PACKETS "0,64,1,1\n", "line 2: here a number is missing"},
      {name_4, FLOWS "1,2,3,\n", PACKETS "0,64,1,1\n", "line 2: here a number is missing: a stage"},
      {name_4, FLOWS "1,-2,3\n", PACKETS "0,64,1,1\n", "line 2: here a number is missing"},
      {name_4, FLOWS "1,2,3x\n", PACKETS "0,64,1,1\n", "line 2: the line should end"},
      {name_4, FLOWS "1,2,8\n", PACKETS "0,64,1,1\n", "line 2: an index below the entries"},
      {name_4, FLOWS "1,64,3\n", PACKETS "0,64,1,1\n", "line 2: a stage must be at most 63"},
      {name_4, FLOWS "1,2,3,2,4\n", PACKETS "0,64,1,1\n", "line 2: stage 2 twice"},
      {name_4, FLOWS "1\n4294967295\n", PACKETS "0,64,1,1\n", "line 3: the flow's id must be"},
      {name_4, FLOWS "1\n2\n1\n", PACKETS "0,64,1,1\n", "line 4: flow 1 again, it is in line 2"},
      {name_4,
       FLOWS "1,0,0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0\n",
       PACKETS "0,64,1,1\n", "line 2: more than 16"},
      {name_4, FLOWS "1\n", "", "heading must begin with 'port,'"},
      {name_4, FLOWS "1\n", PACKETS, "has no packets"},
      {name_4, FLOWS "1\n", PACKETS "10,64,1,1\n", "line 2: a port below"},
      {name_4, FLOWS "1\n", PACKETS "0,64,1\n", "line 2: no comma behind the flow's id"},
      {name_4, FLOWS "1\n", PACKETS "0,64,1,1,\n", "line 2: the line should end"},
      {name_4, FLOWS "1\n", PACKETS "0,64,2,1\n", "line 2: flow 2 is not in the flows file"},
      {name_4, FLOWS "1\n", PACKETS "0,64,1,1\n0,65536,1,1\n", "line 3: the bytes must be at most"},
      {name_4, FLOWS "1\n", PACKETS "0,64,1,99999999999999999999999\n", "line 2: the time"},
      {name_4, FLOWS "1\n", PACKETS "0,64,1,2000000000\n", "line 2: the time"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct sluice_trace t;
    struct sluice_error error = {""};
    enum sluice_status status =
        load_as(&t, cases[i].name, cases[i].flows, cases[i].packets, &error);
    if (status != SLUICE_ERR_FORMAT || !strstr(error.text, cases[i].text))
      fail_msg("case %zu: status %d, '%s' should have '%s'", i, status, error.text, cases[i].text);
    assert_null(t.packets);
    assert_null(t.flows);
  }
}

TEST(bytes_that_are_no_text_are_refused) {
  struct sluice_trace t;
  struct sluice_error error;
  static const char zeros[] = FLOWS "1,2\0,3\n";
  const char *flows = put(name_4, zeros, sizeof zeros - 1);
  const char *packets = put("p.csv", PACKETS "0,64,1,1\n", strlen(PACKETS) + 9);
  assert_int_equal(sluice_trace_load(&t, flows, packets, &error), SLUICE_ERR_FORMAT);
  assert_non_null(strstr(error.text, "line 2: not a line of text"));
  char longer[3000];
  memset(longer, '1', sizeof longer);
  memcpy(longer, "flowid\n", 7);
  flows = put(name_4, longer, sizeof longer);
  packets = put("p.csv", PACKETS, strlen(PACKETS));
  assert_int_equal(sluice_trace_load(&t, flows, packets, &error), SLUICE_ERR_FORMAT);
  assert_non_null(strstr(error.text, "less than 1024 bytes"));
  unlink(flows);
  unlink(packets);
  assert_int_equal(sluice_trace_load(&t, flows, packets, &error), SLUICE_ERR_IO);
  assert_non_null(strstr(error.text, "cannot open"));
}

// Every prefix of good files, and every single byte of them changed, is read or refused: the
// sanitizers watch.
TEST(damaged_files_do_no_harm) {
  static const char flows[] = FLOWS "1,5,3,0,7\n2,1,0\n", packets[] = PACKETS "0,64,1,12\n";
  unsigned good = 0, bad = 0;
  for (size_t cut = 0; cut < 2 * sizeof flows; cut++) {
    char copy[sizeof flows], other[sizeof packets];
    memcpy(copy, flows, sizeof flows);
    memcpy(other, packets, sizeof packets);
    size_t i = cut / 2;
    copy[i] = cut % 2 ? (char)(copy[i] + 1) : 0;
    if (i < sizeof other) other[i] = cut % 4 ? (char)(other[i] ^ 8) : other[i];
    copy[sizeof copy - 1] = other[sizeof other - 1] = 0;
    struct sluice_trace t CLOSED_BY(sluice_trace_release);
    if (load_as(&t, name_4, copy, other, NULL) == SLUICE_OK) good++;
    else bad++;
  }
  assert_true(good > 3 && bad > 20);
}

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/sluice-trace-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}
static int remove_folder(void **state) {
  (void)state;
  return rmdir(folder);
}
TEST_GROUP(make_folder, remove_folder)
