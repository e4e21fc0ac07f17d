// SPDX-License-Identifier: Apache-2.0
// The policy: files that are refused, limits at their edge, dominant shares against a second
// computation, what a plan gets.

#include "tests/rig/cases.h"
#include "tests/rig/chip_rig.h"
#include "driver/plan/policy.h"
#include "tests/rig/says.h"
#include "tests/rig/scarce.h"

static struct sluice_policy *policy_of(const char *text) {
  struct sluice_policy *policy;
  GOOD(sluice_policy_parse(&policy, text, strlen(text), "p.json", NULL, &error));
  return policy;
}

static void try_policy(void *user, const struct one_case *c) {
  struct sluice_policy *policy;
  (void)user;
  if (!sluice_policy_parse(&policy, c->request, strlen(c->request), "p.json", NULL, &error))
    fail_msg("%s: it is taken", c->where);
  cases_answer(c, error.text);
  assert_null(policy);
}

TEST(files_are_read_to_the_letter) {
  cases_each("sw/tests/driver/policy.cases", "refused", try_policy, NULL);
  struct sluice_policy *policy;
  SAYS(SLUICE_ERR_FORMAT, "line 1", sluice_policy_parse(&policy, "", 0, "p.json", NULL, &error));
  SAYS(SLUICE_ERR_IO, "cannot open '/nowhere/p.json'",
       sluice_policy_open(&policy, "/nowhere/p.json", NULL, &error));
  sluice_policy_close(NULL);
}

// Each limit one below what the module needs is refused, with its name and both numbers; at what it
// needs it is not.
TEST(limits_at_their_edge) {
  struct sluice_image *image CLOSED_BY(close_image) =
      compiled("sw/programs/menshen/load_balancing.dom", "k4");
  assert_non_null(image);
  const struct policy_demand d = sluice_policy_demand(sluice_config_find("k4"), 4, image);
  // One row in each of two front stages and back stages 0 and 1; two arrays of 32 entries.
  FIELDS_ARE(&d, (most_rows, 1), (stages, 4), (state, 64));
  assert_true(d.spread && d.containers >= 3 && d.containers <= 8);
  const struct {
    const char *key, *says;
    unsigned needs;
  } limits[] = {{"rows", "match rows in one stage wanted", d.most_rows},
                {"stages", "stages wanted", d.stages},
                {"containers", "containers wanted", d.containers},
                {"state", "entries of state wanted", d.state}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    for (unsigned less = 0; less < 2; less++) {
      char text[200], says[200];
      snprintf(text, sizeof text,
               "{\"sluice_policy\": 1, \"modules\": [{\"vid\": 5, \"%s\": %u}, {\"vid\": "
               "\"others\", \"%s\": 0}]}",
               limits[i].key, limits[i].needs - less, limits[i].key);
      snprintf(says, sizeof says, "module 'load_balancing' (VLAN 5): %u %s, %u allowed by 'p.json'",
               limits[i].needs, limits[i].says, limits[i].needs - 1);
      struct sluice_policy *policy CLOSED_BY(close_policy) = policy_of(text);
      struct sluice_tenant tenant = {image, 5, 0};
      if (less)
        SAYS(SLUICE_ERR_FULL, says, sluice_policy_admit(policy, "k4", 1, &tenant, 1, &error));
      else GOOD(sluice_policy_admit(policy, "k4", 1, &tenant, 1, &error));
      tenant.vid = 6;
      SAYS(SLUICE_ERR_FULL, "(VLAN 6)", sluice_policy_admit(policy, "k4", 1, &tenant, 1, &error));
    }
  struct sluice_policy *policy CLOSED_BY(close_policy) =
      policy_of("{\"sluice_policy\": 1, \"only_listed\": true, \"modules\": [{\"vid\": 7}]}");
  const struct sluice_tenant tenant = {image, 5, 0}, listed = {image, 7, 0};
  SAYS(SLUICE_ERR_FULL, "lists no such VLAN id",
       sluice_policy_admit(policy, "k4", 1, &tenant, 1, &error));
  GOOD(sluice_policy_admit(policy, "k4", 1, &listed, 1, &error));
  SAYS(SLUICE_ERR_FOREIGN, "made for chip 'k4'",
       sluice_policy_admit(policy, "tiny", 1, &listed, 1, &error));
  SAYS(SLUICE_ERR_FOREIGN, "no chip is called 'k5'",
       sluice_policy_admit(policy, "k5", 1, &listed, 1, &error));
  SAYS(SLUICE_ERR_RANGE, "3 sets", sluice_policy_admit(policy, "k4", 3, &listed, 1, &error));
}

// What the rows of a stage are is the highest of them, in whatever order they come; an entry of
// another table makes no row. Actions name the containers that they write: the first and the last
// of each size.
TEST(demands_are_counted_to_the_last) {
  static const unsigned slots[] = {1, 8, 9, 16, 17, 24};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {.num_writes = 0};
  for (unsigned row = 3; row-- > 0;) {
    struct sluice_write *w = sluice_image_add_write(&image);
    *w = (struct sluice_write){.table = SLUICE_TABLE_ACTION, .index = row};
    for (unsigned n = 0; n < 2; n++) {
      const unsigned lsb = SLUICE_INSTR_BITS * slots[2 * row + n];
      sluice_entry_set(w->bytes, sluice_tables[SLUICE_TABLE_ACTION].bits,
                       lsb + SLUICE_INSTR_BITS - 1, lsb, 1);
    }
  }
  *sluice_image_add_write(&image) =
      (struct sluice_write){.table = SLUICE_TABLE_KEY_MASK, .stage = 1};
  const struct policy_demand d = sluice_policy_demand(sluice_config_find("tiny"), 2, &image);
  FIELDS_ARE(&d, (rows[0], 3), (rows[1], 0), (most_rows, 3), (stages, 2), (containers, 6));
}

// ---- dominant shares ----------------------------------------------------------------------------

// An image that wants some rows in each stage of tiny, and an array in each back stage.
static void want(struct sluice_image *image, const unsigned rows[3], const unsigned slots[2],
                 const char *name) {
  memset(image, 0, sizeof *image);
  snprintf(image->config, sizeof image->config, "tiny");
  snprintf(image->program, sizeof image->program, "%s", name);
  for (unsigned s = 0; s < 3; s++)
    for (unsigned r = 0; r < rows[s]; r++) {
      struct sluice_write *w = sluice_image_add_write(image);
      assert_non_null(w);
      w->table = SLUICE_TABLE_MATCH, w->stage = s, w->index = r;
    }
  for (unsigned s = 0; s < 2; s++) {
    if (!slots[s]) continue;
    struct sluice_array *a = sluice_image_add_array(image);
    assert_non_null(a);
    a->stage = s, a->size = slots[s];
  }
}

enum { MOST = 6 };

TEST(dominant_shares_decide) {
  static struct sluice_image images[MOST];
  struct sluice_rng rng;
  unsigned admitted = 0, refused = 0, small = 0;
  sluice_rng_init(&rng, 7, "policies");
  for (unsigned round = 0; round < 3000; round++) {
    const unsigned n = 1 + (unsigned)sluice_rng_below(&rng, MOST);
    unsigned rows[MOST][3], slots[MOST][2], sum[5] = {0};
    double share[MOST];
    struct sluice_tenant tenants[MOST];
    for (unsigned t = 0; t < n; t++) {
      char name[16];
      snprintf(name, sizeof name, "m%u", t);
      const bool fair = sluice_rng_below(&rng, 2);  // within 1/n of everything
      share[t] = 0;
      for (unsigned r = 0; r < 5; r++) {
        const unsigned all = r < 3 ? 8 : 256, most = fair ? all / n : all;
        unsigned w = sluice_rng_below(&rng, 3) ? (unsigned)sluice_rng_below(&rng, most + 1) : 0;
        if (r >= 3) w = w / 2 * 2;  // a sharded array takes the same of both pipelines
        *(r < 3 ? &rows[t][r] : &slots[t][r - 3]) = w;
        sum[r] += w;
        if ((double)w / all > share[t]) share[t] = (double)w / all;
      }
      want(&images[t], rows[t], slots[t], name);
      tenants[t] = (struct sluice_tenant){&images[t], 1 + t, 0};
    }
    const bool fits = sum[0] <= 8 && sum[1] <= 8 && sum[2] <= 8 && sum[3] <= 256 && sum[4] <= 256;
    const enum sluice_status status = sluice_policy_admit(NULL, "tiny", 1, tenants, n, &error);
    if (fits != (status == SLUICE_OK))
      fail_msg("round %u: %s, but status %d: %s", round, fits ? "fits" : "does not fit", status,
               error.text);
    if (status) {
      unsigned who = 0, wanted = 0, allowed = 0, at = 0;
      char what[20];
      assert_int_equal(
          sscanf(error.text, "module 'm%u' (VLAN %*u): %u %19s%*[^0-9]%u wanted, %u allowed", &who,
                 &wanted, what, &at, &allowed),
          5);
      assert_true(who < n && wanted > allowed);
      // Never one that asks for no more than its part.
      if (share[who] <= 1.0 / n)
        fail_msg("round %u: refused with a share of %f of 1/%u", round, share[who], n);
      // All with a smaller dominant share are served before it.
      unsigned left = what[0] == 'm' ? 8 : 256;
      const bool front = strstr(error.text, "front stage") != NULL;
      for (unsigned t = 0; t < n; t++)
        if (share[t] < share[who] || (share[t] == share[who] && t < who))
          left -= what[0] == 'm' ? rows[t][front ? 2 : at] : slots[t][at];
      assert_int_equal(allowed, left);
      refused++;
    } else {
      admitted++;
    }
    for (unsigned t = 0; t < n; t++) small += share[t] <= 1.0 / n, sluice_image_release(&images[t]);
  }
  assert_true(admitted > 500 && refused > 500 && small > 1000);
}

TEST(sets_have_state_of_their_own) {
  static struct sluice_image a, b;
  const unsigned rows[3] = {1, 0, 0}, slots[2] = {100, 0};
  want(&a, rows, slots, "a");
  want(&b, rows, slots, "b");
  struct sluice_tenant tenants[2] = {{&a, 1, 0}, {&b, 2, 1}};
  GOOD(sluice_policy_admit(NULL, "tiny", 2, tenants, 2, &error));
  tenants[1].set = 0;
  SAYS(SLUICE_ERR_FULL, "100 entries of state in back stage 0 of set 0 wanted, 28 allowed",
       sluice_policy_admit(NULL, "tiny", 2, tenants, 2, &error));
  tenants[1].set = 2;
  SAYS(SLUICE_ERR_RANGE, "set 2: there are 2",
       sluice_policy_admit(NULL, "tiny", 2, tenants, 2, &error));
  sluice_image_release(&a);
  sluice_image_release(&b);
}

// ---- rates, ports, moves ------------------------------------------------------------------------

static unsigned rate_of(const struct sluice_plan *plan, unsigned row) {
  const struct sluice_write *w = sluice_plan_entry(plan, SLUICE_TABLE_SHARE, 0, row);
  return w && SLUICE_GET(w->bytes, SHARE, LIMIT) ? (unsigned)SLUICE_GET(w->bytes, SHARE, RATE)
                                                 : 999;
}

TEST(a_plan_gets_rates_at_the_lanes) {
  struct sluice_plan *plan;
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 0, "react");
  struct sluice_policy *policy =
      policy_of("{\"sluice_policy\": 1, \"modules\": [{\"vid\": 5, \"lane_rate\": {\"packets\": "
                "125, \"packet_burst\": 8, \"beats\": 250, \"beat_burst\": 144}}, {\"vid\": 6}, "
                "{\"vid\": \"others\", \"lane_rate\": {\"packets\": 250}}]}");
  GOOD(sluice_plan_open(&plan, "react", NULL, &error));
  for (unsigned vid = 5; vid < 8; vid++) GOOD(sluice_plan_add(plan, image, vid, &error));
  GOOD(sluice_policy_apply(policy, plan, &error));
  const struct sluice_write *own = sluice_plan_entry(plan, SLUICE_TABLE_RATE_LIMIT, 0, 5),
                            *others = sluice_plan_entry(plan, SLUICE_TABLE_RATE_LIMIT, 0, 7);
  assert_non_null(own);
  assert_non_null(others);
  assert_null(sluice_plan_entry(plan, SLUICE_TABLE_RATE_LIMIT, 0, 6));
  assert_int_equal(SLUICE_GET(own->bytes, RATE_LIMIT, PACKET_RATE), 1024);
  assert_int_equal(SLUICE_GET(own->bytes, RATE_LIMIT, PACKET_BURST), 8 + 4);
  assert_int_equal(SLUICE_GET(own->bytes, RATE_LIMIT, BYTE_RATE), 2048);
  assert_int_equal(SLUICE_GET(own->bytes, RATE_LIMIT, BYTE_BURST), 144 + 8);
  assert_int_equal(SLUICE_GET(others->bytes, RATE_LIMIT, PACKET_BURST), 16 + 8);
  assert_int_equal(SLUICE_GET(others->bytes, RATE_LIMIT, BYTE_RATE), 8192);
  assert_int_equal(SLUICE_GET(others->bytes, RATE_LIMIT, BYTE_BURST), 256 + 32);
  sluice_plan_close(plan);
  sluice_policy_close(policy);
}

TEST(a_plan_gets_shares_and_ports) {
  struct sluice_plan *plan;
  struct sluice_image *image = counter("alpha", 0, "tiny");
  struct sluice_tenant tenants[3] = {{image, 5, 0}, {image, 6, 0}, {image, 7, 0}};
  struct sluice_policy *policy CLOSED_BY(close_policy) =
      policy_of("{\"sluice_policy\": 1, \"moves\": 2, \"modules\": [{\"vid\": 5, \"rate\": 100, "
                "\"burst\": 8, \"ports\": [0, 3], \"trusted\": true}]}");
  GOOD(sluice_policy_admit(policy, "tiny", 1, tenants, 3, &error));
  GOOD(sluice_plan_open(&plan, "tiny", NULL, &error));
  for (unsigned t = 0; t < 3; t++) GOOD(sluice_plan_add(plan, image, tenants[t].vid, &error));
  GOOD(sluice_policy_apply(policy, plan, &error));
  assert_int_equal(rate_of(plan, 5), 100);
  assert_int_equal(rate_of(plan, 6), 77);  // (255 - 100) / 2
  assert_int_equal(rate_of(plan, 7), 77);
  assert_int_equal(
      SLUICE_GET(sluice_plan_entry(plan, SLUICE_TABLE_SHARE, 0, 5)->bytes, SHARE, BURST), 8);
  assert_int_equal(SLUICE_GET(sluice_plan_entry(plan, SLUICE_TABLE_MODULE_PORTS, 0, 5)->bytes,
                              MODULE_PORTS, PORTS),
                   9);
  assert_null(sluice_plan_entry(plan, SLUICE_TABLE_MODULE_PORTS, 0, 6));
  assert_true(sluice_policy_trusts(policy, 5) && !sluice_policy_trusts(policy, 6));
  assert_int_equal(sluice_policy_moves(policy), 2);
  assert_int_equal(sluice_policy_moves(NULL), -1);
  sluice_plan_close(plan);
  sluice_policy_close(policy);

  policy = policy_of("{\"sluice_policy\": 1, \"modules\": [{\"vid\": 5, \"rate\": 200}, {\"vid\": "
                     "6, \"rate\": 54}]}");
  GOOD(sluice_policy_admit(policy, "tiny", 1, tenants, 3, &error));
  sluice_policy_close(policy);
  policy = policy_of("{\"sluice_policy\": 1, \"modules\": [{\"vid\": 5, \"rate\": 200}, {\"vid\": "
                     "6, \"rate\": 55}]}");
  SAYS(SLUICE_ERR_FULL,
       "rate of the order queues: 255 accesses per 256 cycles wanted by the modules that have a "
       "rate, 254 allowed",
       sluice_policy_admit(policy, "tiny", 1, tenants, 3, &error));
  GOOD(sluice_policy_admit(policy, "tiny", 1, tenants, 2, &error));
  sluice_policy_close(policy);
  // A port that tiny does not have is the plan's to refuse.
  policy = policy_of("{\"sluice_policy\": 1, \"modules\": [{\"vid\": 5, \"ports\": [4]}]}");
  GOOD(sluice_plan_open(&plan, "tiny", NULL, &error));
  GOOD(sluice_plan_add(plan, image, 5, &error));
  SAYS(SLUICE_ERR_RANGE, "ports 0 to 3", sluice_policy_apply(policy, plan, &error));
  sluice_plan_close(plan);
  sluice_policy_close(policy);
  sluice_image_close(image);

  static struct sluice_image spread;
  const unsigned rows[3] = {1, 0, 0}, slots[2] = {16, 0};
  want(&spread, rows, slots, "s");
  for (unsigned t = 0; t < 3; t++) tenants[t].image = &spread;
  policy = policy_of("{\"sluice_policy\": 1, \"moves\": 3}");
  GOOD(sluice_policy_admit(policy, "tiny", 1, tenants, 2, &error));
  SAYS(SLUICE_ERR_FULL,
       "moves: 9 entries wanted by 3 modules with spread state, 3 each by 'p.json', 8 allowed",
       sluice_policy_admit(policy, "tiny", 1, tenants, 3, &error));
  sluice_image_release(&spread);
}

// While nobody chose shares, modules of the same pipelines have equal ones, and one that is alone
// no limit; to chosen ones a module that comes gets what they leave.
TEST(shares_are_divided_among_those_that_are_there) {
  const struct {
    unsigned adds, removes, chosen;  // chosen: before that, for VLAN 5
    const char *says;
    unsigned rates[3];  // of VLAN 5 to 7; 999: none
  } steps[] = {{5, 0, 0, "", {999, 999, 999}},  {6, 0, 0, "", {127, 127, 999}},
               {7, 0, 0, "", {85, 85, 85}},     {0, 6, 0, "", {127, 999, 127}},
               {0, 7, 0, "", {256, 999, 999}},  {6, 0, 255, "255 of 255 accesses", {255, 999, 999}},
               {6, 0, 100, "", {100, 155, 999}}};
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 0, "tiny");
  struct sluice_plan *now CLOSED_BY(close_plan), *next;
  GOOD(sluice_plan_open(&now, "tiny", NULL, &error));
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    if (steps[i].chosen) GOOD(sluice_plan_share(now, 5, steps[i].chosen, 8, &error));
    GOOD(sluice_plan_copy(&next, now, &error));
    if (steps[i].adds) GOOD(sluice_plan_add(next, image, steps[i].adds, &error));
    else GOOD(sluice_plan_remove(next, steps[i].removes, &error));
    if (*steps[i].says) SAYS(SLUICE_ERR_FULL, steps[i].says, sluice_plan_divide(next, now, &error));
    else GOOD(sluice_plan_divide(next, now, &error));
    sluice_plan_close(*steps[i].says ? next : now);
    if (!*steps[i].says) now = next;
    for (unsigned n = 0; n < 3; n++)
      if (rate_of(now, 5 + n) != steps[i].rates[n])
        fail_msg("step %zu: VLAN %u has %u", i, 5 + n, rate_of(now, 5 + n));
  }
}

// ---- out of memory ------------------------------------------------------------------------------

TEST(memory_that_runs_out_is_told) {
  const char path[] = "build/test_policy.json";
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs("{\"sluice_policy\": 1}", out);
  assert_int_equal(fclose(out), 0);
  for (unsigned good = 0; good < 3; good++) {
    struct scarce scarce = {.until = (long)good + 1};
    const struct sluice_alloc alloc = {scarce_resize, &scarce};
    struct sluice_policy *policy CLOSED_BY(close_policy);
    const enum sluice_status status = sluice_policy_open(&policy, path, &alloc, &error);
    assert_int_equal(status, good < 2 ? SLUICE_ERR_NOMEM : SLUICE_OK);
  }
  remove(path);
}
