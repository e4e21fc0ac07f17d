// SPDX-License-Identifier: Apache-2.0
// Analytics and triangles (sw/programs/coflow) on the reference model: every packet and every
// answer is what a host makes of the same job, bit by bit. Programs with one thing wrong must be
// noticed.
//
// SLUICE_SEED and SLUICE_PACKETS (5,000) in the environment choose the job. Run from the root of
// the tree.

#include <sluice/sluice.h>

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "tests/rig/chip_rig.h"
#include "tests/rig/coflow_jobs.h"
#include "driver/chip/chip.h"
#include "tests/rig/line.h"

// The program with something else in place of a part of it; NULL: as it is.
static char *program(const char *name, const char *what, const char *to) {
  char path[80], *text CLOSED_BY(freed) = calloc(1, 1 << 14), *made = calloc(1, 1 << 15);
  snprintf(path, sizeof path, "sw/programs/coflow/%s.dom", name);
  FILE *in = fopen(path, "r");
  if (!text || !made || !in || !fread(text, 1, (1 << 14) - 1, in)) fail_msg("cannot read %s", path);
  fclose(in);
  char *at = what ? strstr(text, what) : text;
  if (!at) fail_msg("'%s' is not in %s", what, path);
  snprintf(made, 1 << 15, "%.*s%s%s", (int)(at - text), text, to ? to : "",
           at + (what ? strlen(what) : 0));
  return made;
}

struct run {
  struct sluice_transport to;
  struct sluice_chip *chip;
  const char *table;
};

static void begin(struct run *r, const char *chip, const char *text, const char *table) {
  struct sluice_image *image CLOSED_BY(freed) = compiled_text(text, chip);
  if (!image) fail_msg("%s does not take the program", chip);
  *r = (struct run){.table = table};
  GOOD(sluice_transport_model(&r->to, chip, NULL, &error));
  GOOD(sluice_chip_open(&r->chip, &r->to, NULL, &error));
  GOOD(sluice_chip_load(r->chip, image, JOB_VID, &error));
  sluice_image_release(image);
}

static void end(struct run *r) {
  GOOD(sluice_chip_audit(r->chip, &error));
  sluice_chip_close(r->chip);
  sluice_transport_close(&r->to);
}

// The entries of the job in place of those that there are: at one moment, where the chip can.
static void reload(struct run *r, const struct job *job, struct sluice_table_report *report) {
  struct sluice_table_change *list CLOSED_BY(freed) = calloc(job->num_pairs + 1, sizeof *list);
  const struct sluice_table_options in_order = {.in_order = r->chip->config->Banks != 2};
  assert_non_null(list);
  list[0] =
      (struct sluice_table_change){.op = SLUICE_TABLE_CLEAR, .vid = JOB_VID, .table = r->table};
  for (unsigned i = 0; i < job->num_pairs; i++)
    list[1 + i] = TABLE_CHANGE(SLUICE_TABLE_ADD, JOB_VID, r->table, job->pair[i].key, UINT32_MAX,
                               "becomes", job->pair[i].data);
  GOOD(sluice_chip_table_change(r->chip, list, job->num_pairs + 1, &in_order, report, &error));
}

// Sends packets from number `from` on; how many became something else than is wanted. What they
// bring back is put into `wanted`.
static unsigned play(struct run *r, struct job *job, unsigned from) {
  static struct sluice_packet_out out;
  unsigned wrong = 0;
  for (unsigned n = from; n < job->num; n++) {
    struct job_packet *p = &job->packet[n];
    through(&r->to, p->port, p->bytes, sizeof p->bytes, &out);
    if (p->any) continue;
    if (p->out == JOB_DROPPED) wrong += out.len != 0;
    else if (out.len != sizeof p->wanted) wrong++;
    else
      wrong += out.port != (unsigned)p->out || memcmp(out.bytes, p->wanted, sizeof p->wanted) != 0;
    if (out.len) memcpy(p->wanted, out.bytes, sizeof p->wanted);
  }
  return wrong;
}

// ---- analytics ----------------------------------------------------------------------------------

static unsigned analytics(const char *chip, const char *what, const char *to, uint64_t seed,
                          unsigned packets, struct job *job) {
  struct run r;
  char *text = program("analytics", what, to);
  begin(&r, chip, text, "dimension");
  job_analytics(job, seed, packets);
  reload(&r, job, NULL);
  const unsigned wrong = play(&r, job, 0);
  end(&r);
  free(text);
  return wrong;
}

TEST(groups_have_the_hosts_counts_and_sums) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1);
  const unsigned packets = (unsigned)from_environment("SLUICE_PACKETS", 5000);
  static const char *const chips[] = {"arrays", "keys8"};
  for (unsigned c = 0; c < 2; c++) {
    struct job job CLOSED_BY(job_release) = {0};
    const unsigned wrong = analytics(chips[c], NULL, NULL, seed, packets, &job);
    printf("%s: %u packets of 8 rows, %llu of %llu rows in the dimension table of %u, %u groups: "
           "%u packets differ; SLUICE_SEED=%llu\n",
           chips[c], packets, (unsigned long long)job.matches, (unsigned long long)job.rows,
           job.num_pairs, JOB_GROUPS, wrong, (unsigned long long)seed);
    assert_int_equal(wrong, 0);
  }
}

TEST(a_wrong_query_is_noticed) {
  static const struct {
    const char *what, *to;
  } faults[] = {
      {"lookup(dimension, p.v);", "lookup(dimension, p.v) or stay;"},  // strangers count
      {"lookup(dimension, p.v);", "lookup(dimension, p.v[0..6]);"},    // a row is not joined
      {"p.n = ones[p.found];", "p.n = p.found;"},                      // no count
      {"if (p.kind == TEACH)", "if (p.kind == 9)"},                    // not taught
      {"rows[p.grp] += p.n;", "rows[p.grp] += 8;"},                    // not filtered
      {"packets[p.grp] += 1;", "packets[p.grp] += p.n;"},              // the other count
      {"sum[p.grp] += p.v;", "sum[p.grp] = max(sum[p.grp], p.v);"},    // another aggregate
      {"hash(p.grp) & 7", "p.grp & 7"},                                // another worker
      {"p.v = sum[p.grp];", "sum[p.grp] = p.v;"},                      // no answer
      {"int grp @ bytes(48, 2);", "int grp @ bytes(96, 2);"},          // another group
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    struct job job CLOSED_BY(job_release) = {0};
    if (!analytics("arrays", faults[i].what, faults[i].to, 1, 400, &job))
      fail_msg("'%s' is not noticed", faults[i].to);
  }
}

// ---- triangles ----------------------------------------------------------------------------------

struct mining {
  unsigned steps, packets, dropped, wrong, writes;
  uint64_t counted, host;
};

// Supersteps of as many edges as `room`, each over the vertices behind the last one's.
static struct mining mine(const char *chip, const char *what, const char *to, uint64_t seed,
                          unsigned vertices, unsigned edges, unsigned room) {
  struct run r;
  struct mining m = {0};
  struct job job = {0};
  struct job_graph *g = job_graph_new(seed, vertices, edges);
  char *text = program("triangles", what, to);
  begin(&r, chip, text, "edges");
  for (unsigned first = 1, last; first <= vertices; first = last + 1) {
    unsigned num = 0;
    for (last = first; last <= vertices; last++) {
      unsigned more = 0;
      for (unsigned w = last + 1; w <= vertices; w++) more += g->edge[last][w];
      if (last > first && num + more > room) break;
      num += more;
    }
    last--;
    struct sluice_table_report report;
    const unsigned from = job.num;
    job_superstep(&job, g, first, last);
    reload(&r, &job, &report);
    m.writes += report.writes;
    m.wrong += play(&r, &job, from);
    m.steps++;
  }
  m.packets = job.num;
  for (unsigned n = 0; n < job.num; n++) m.dropped += job.packet[n].out == JOB_DROPPED;
  job_ask(&job, g);
  m.wrong += play(&r, &job, m.packets);
  for (unsigned n = job.num - vertices; n < job.num; n++)
    m.counted += job_total(job.packet[n].wanted);
  m.host = job.total;
  end(&r);
  free(text);
  free(g);
  job_release(&job);
  return m;
}

TEST(the_count_is_exact) {
  static const struct {
    const char *chip, *size;
    unsigned vertices, edges, room;
  } cases[] = {{"arrays", "592", 60, 400, 590},
               {"arrays", "592", 120, 1500, 500},
               {"keys8", "592", 200, 2500, 590},
               {"keys8", "13926", 250, 8000, 13926}};
  const uint64_t seed = from_environment("SLUICE_SEED", 1);
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct mining m = mine(cases[i].chip, "592", cases[i].size, seed, cases[i].vertices,
                                 cases[i].edges, cases[i].room);
    printf("%s: %u vertices, %u edges, supersteps: %u, %u packets, %u dropped: %llu triangles, the "
           "host says %llu; %u entries written; SLUICE_SEED=%llu\n",
           cases[i].chip, cases[i].vertices, cases[i].edges, m.steps, m.packets, m.dropped,
           (unsigned long long)m.counted, (unsigned long long)m.host, m.writes,
           (unsigned long long)seed);
    assert_int_equal(m.wrong, 0);
    assert_true(m.counted == m.host && m.host > 100 && m.dropped > 0);
    assert_true(i % 3 ? m.steps > 2 : m.steps == 1);
  }
}

TEST(wrong_mining_is_noticed) {
  static const struct {
    const char *what, *to;
  } faults[] = {
      {"lookup(edges, p.v);", "lookup(edges, p.v) or stay;"},
      {"lookup(edges, p.v);", "lookup(edges, p.v[0..5]);"},
      {"triangles[p.u] += p.v;", "triangles[p.u] |= p.v;"},
      {"int u @ bytes(48, 2);", "int u @ bytes(96, 2);"},
      {"!p.ask && !p.found", "!p.ask && p.found == 1"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    if (!mine("arrays", faults[i].what, faults[i].to, 1, 60, 400, 590).wrong)
      fail_msg("'%s' is not noticed", faults[i].to);
}
