// SPDX-License-Identifier: Apache-2.0
// What options say of programs that are loaded: shares, ports, passes, rates, classes, malleables.
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "../driver/image/param.h"
#include "../driver/plan/plan.h"
#include "../driver/plan/policy.h"
#include "../lib/initial.h"
#include "cli.h"

// The "VID=" that begins an item.
static bool cli_vid_equals(const char **at, uint64_t *vid) {
  return sluice_number_next(at, 1, 4094, vid) && *(*at)++ == '=';
}

static bool give_share(struct cli_modules *modules, const char *item) {
  const char *at = item;
  uint64_t vid, rate, burst = SLUICE_SHARE_BURST;
  bool good = cli_vid_equals(&at, &vid) && sluice_number_next(&at, 0, SLUICE_SHARE_RATE_MAX, &rate);
  if (good && *at == ':') good = (at++, sluice_number_next(&at, 0, SLUICE_SHARE_BURST_MAX, &burst));
  if (!good || *at) {
    cli_error("--share: '%s' is not VID=RATE or VID=RATE:BURST with a rate from 0 to %d and a "
              "burst from 0 to %d",
              item, SLUICE_SHARE_RATE_MAX, SLUICE_SHARE_BURST_MAX);
    return false;
  }
  for (unsigned i = 0; i < modules->count; i++)
    if (modules->items[i].vid == vid) {
      modules->items[i].rate = (int)rate;
      modules->items[i].burst = (int)burst;
      return true;
    }
  cli_error("--share: no module has the VLAN id of '%s'", item);
  return false;
}

// Modules of a set of pipelines share its order queues. Those without a --share get equal parts of
// what is left of 256 accesses in 256 cycles, less one: docs/isolation.md promises something for
// sums below 256.
static void share_set(struct cli_modules *modules, unsigned set) {
  enum { ALL = SLUICE_SHARE_RATE_MAX - 1 };
  unsigned num = 0, without = 0;
  int sum = 0;
  for (unsigned i = 0; i < modules->count; i++) {
    const struct cli_module *m = &modules->items[i];
    if (m->set != set) continue;
    num++;
    without += m->rate < 0;
    sum += m->rate > 0 ? m->rate : 0;
  }
  if (num < 2) return;
  const bool off = modules->no_shares || (without && (ALL - sum) / (int)without < 1);
  for (unsigned i = 0; !off && i < modules->count; i++) {
    struct cli_module *m = &modules->items[i];
    if (m->set != set || m->rate >= 0) continue;
    m->rate = (ALL - sum) / (int)without;
    m->burst = SLUICE_SHARE_BURST;
  }
  if (off && without)
    cli_warn("%u of %u modules have no share of the order queues: packets of one can be lost to "
             "another (--share, docs/isolation.md)",
             without, num);
  else if (sum > ALL)
    cli_warn("the shares add up to %d of 256 accesses: packets of one module can be lost to "
             "another (docs/isolation.md)",
             sum);
}

static int share(struct cli_modules *modules) {
  for (unsigned i = 0; i < modules->shares.count; i++)
    if (!give_share(modules, modules->shares.items[i])) return CLI_USAGE;
  for (unsigned set = 0; set == 0 || set < modules->sets; set++) share_set(modules, set);
  return CLI_DONE;
}

// One element of a list of ports: "3" or "3-5".
static bool some_of(const char **text, unsigned num_ports, uint64_t *ports) {
  const char *at = *text;
  uint64_t first, last;
  if (!sluice_number_next(&at, 0, num_ports - 1, &first)) return false;
  last = first;
  if (*at == '-' && (at++, !sluice_number_next(&at, first, num_ports - 1, &last))) return false;
  for (uint64_t p = first; p <= last; p++) *ports |= UINT64_C(1) << p;
  *text = at;
  return true;
}

static bool give_ports(struct cli_modules *modules, const char *item, unsigned num_ports) {
  uint64_t ports = 0, vid;
  const char *at = item;
  bool good = cli_vid_equals(&at, &vid) && some_of(&at, num_ports, &ports);
  while (good && *at == ',') good = (at++, some_of(&at, num_ports, &ports));
  if (!good || *at) {
    cli_error(
        "--ports: '%s' is not VID=PORTS with a list of ports as 0,3-5; the chip has ports 0 to %u",
        item, num_ports - 1);
    return false;
  }
  for (unsigned i = 0; i < modules->count; i++)
    if (modules->items[i].vid == vid) {
      modules->items[i].some_ports = true;
      modules->items[i].ports = ports;
      return true;
    }
  cli_error("--ports: no module has the VLAN id of '%s'", item);
  return false;
}

static int allow(struct cli_modules *modules, const struct sluice_config *config) {
  for (unsigned i = 0; i < modules->ports.count; i++)
    if (!give_ports(modules, modules->ports.items[i], config->NumPorts)) return CLI_USAGE;
  return CLI_DONE;
}

// The module of a VLAN id that an option names; NULL, after a message: there is none.
static struct cli_module *named(struct cli_modules *modules, const char *option, const char *item) {
  uint64_t vid;
  const bool good = sluice_number_in(item, 1, 4094, &vid);
  for (unsigned i = 0; good && i < modules->count; i++)
    if (modules->items[i].vid == vid) return &modules->items[i];
  cli_error("%s: no module has the VLAN id '%s'", option, item);
  return NULL;
}

// VID=N, VID=N:RATE or VID=N:RATE:BURST. Without RATE every packet may take its passes.
static bool give_passes(struct cli_modules *modules, const char *item) {
  enum { MAX_PASSES = 255, MAX_PASS_RATE = 65535, MAX_PASS_BURST = 255 };
  const char *at = item;
  uint64_t vid, passes, rate = MAX_PASS_RATE, burst = MAX_PASS_BURST;
  bool good = cli_vid_equals(&at, &vid) && sluice_number_next(&at, 0, MAX_PASSES, &passes);
  if (good && *at == ':') {
    good = (at++, sluice_number_next(&at, 0, MAX_PASS_RATE, &rate));
    if (good && *at == ':') good = (at++, sluice_number_next(&at, 0, MAX_PASS_BURST, &burst));
  }
  if (!good || *at) {
    cli_error("--passes: '%s' is not VID=N, VID=N:RATE or VID=N:RATE:BURST with N and BURST up to "
              "255, RATE up to 65535",
              item);
    return false;
  }
  for (unsigned i = 0; i < modules->count; i++) {
    struct cli_module *m = &modules->items[i];
    if (m->vid != vid) continue;
    m->passes = (unsigned)passes;
    m->pass_rate = (unsigned)rate;
    m->pass_burst = (unsigned)burst;
    return true;
  }
  cli_error("--passes: no module has the VLAN id of '%s'", item);
  return false;
}

// NUMBER or NUMBER:BURST
static bool rate_and_burst(const char **text, unsigned most_burst, unsigned *rate,
                           unsigned *burst) {
  const char *at = *text;
  uint64_t first, second = *burst;
  if (!sluice_number_next(&at, 0, SLUICE_LANE_RATE_MAX, &first)) return false;
  if (*at == ':' && (at++, !sluice_number_next(&at, 0, most_burst, &second))) return false;
  *rate = (unsigned)first;
  *burst = (unsigned)second;
  *text = at;
  return true;
}

// VID=PACKETS[:BURST][/BEATS[:BURST]]
static bool give_lane_rate(struct cli_modules *modules, const char *item) {
  struct sluice_lane_rate rate = {0, SLUICE_LANE_RATE_PACKETS, SLUICE_LANE_RATE_MAX,
                                  SLUICE_LANE_RATE_BEATS};
  const char *at = item;
  uint64_t vid;
  bool good = cli_vid_equals(&at, &vid) &&
              rate_and_burst(&at, SLUICE_LANE_RATE_PACKETS_MAX, &rate.packets, &rate.packet_burst);
  if (good && *at == '/')
    good = (at++, rate_and_burst(&at, SLUICE_LANE_RATE_BEATS_MAX, &rate.beats, &rate.beat_burst));
  if (!good || *at) {
    cli_error("--lane-rate: '%s' is not VID=PACKETS[:BURST][/BEATS[:BURST]] with rates up to %d, "
              "bursts up to %d packets and %d beats",
              item, SLUICE_LANE_RATE_MAX, SLUICE_LANE_RATE_PACKETS_MAX, SLUICE_LANE_RATE_BEATS_MAX);
    return false;
  }
  for (unsigned i = 0; i < modules->count; i++) {
    struct cli_module *m = &modules->items[i];
    if (m->vid != vid) continue;
    m->limited = true;
    m->lane = rate;
    return true;
  }
  cli_error("--lane-rate: no module has the VLAN id of '%s'", item);
  return false;
}

// VID=CLASS
static bool give_class(struct cli_modules *modules, const char *item) {
  const char *at = item;
  uint64_t vid, number;
  if (!cli_vid_equals(&at, &vid) || !sluice_number_in(at, 0, SLUICE_CLASSES_MAX - 1, &number)) {
    cli_error("--class: '%s' is not VID=CLASS with a class up to %d", item, SLUICE_CLASSES_MAX - 1);
    return false;
  }
  for (unsigned i = 0; i < modules->count; i++) {
    if (modules->items[i].vid != vid) continue;
    modules->items[i].number = (int)number;
    return true;
  }
  cli_error("--class: no module has the VLAN id of '%s'", item);
  return false;
}

// A list of numbers from `low` to `high`, as 4,2,1. Their count, 0 if it is none.
static unsigned numbers_of(const char *text, unsigned low, unsigned high,
                           unsigned numbers[SLUICE_CLASSES_MAX]) {
  for (unsigned n = 0; n < SLUICE_CLASSES_MAX; n++) {
    uint64_t number;
    if (!sluice_number_next(&text, low, high, &number)) return 0;
    numbers[n] = (unsigned)number;
    if (!*text) return n + 1;
    if (*text++ != ',') return 0;
  }
  return 0;
}

// --class-weights, --class-strict and --class-ecn
static int set_classes(struct cli_modules *modules) {
  unsigned numbers[SLUICE_CLASSES_MAX], num;
  struct sluice_error error;
  modules->classed = modules->class_weights || modules->class_strict;
  modules->class_costs = modules->class_set = 0;
  if (modules->class_weights) {
    num = numbers_of(modules->class_weights, 1, SLUICE_CLASS_WEIGHT_MAX, numbers);
    if (!num || sluice_class_costs(numbers, num, &modules->class_costs, &error)) {
      cli_error("--class-weights: '%s' is not a list of up to %d weights from 1 to %d, as 4,2,1",
                modules->class_weights, SLUICE_CLASSES_MAX, SLUICE_CLASS_WEIGHT_MAX);
      return CLI_USAGE;
    }
  }
  if (modules->class_strict) {
    num = numbers_of(modules->class_strict, 0, SLUICE_CLASSES_MAX - 1, numbers);
    for (unsigned n = 0; n < num; n++) modules->class_set |= UINT32_C(1) << numbers[n];
    if (!num) {
      cli_error("--class-strict: '%s' is not a list of classes up to %d, as 0,2",
                modules->class_strict, SLUICE_CLASSES_MAX - 1);
      return CLI_USAGE;
    }
  }
  modules->num_class_ecn = 0;
  if (modules->class_marks) {
    modules->num_class_ecn =
        numbers_of(modules->class_marks, 0, SLUICE_CLASS_ECN_MAX, modules->class_ecn);
    if (!modules->num_class_ecn) {
      cli_error(
          "--class-ecn: '%s' is not a list of up to %d numbers of packets up to %d, as 16,0,8",
          modules->class_marks, SLUICE_CLASSES_MAX, SLUICE_CLASS_ECN_MAX);
      return CLI_USAGE;
    }
  }
  return CLI_DONE;
}

// What --trust, --active, --passes, --lane-rate and --class say of single modules.
static int set_flags(struct cli_modules *modules) {
  for (unsigned t = 0; t < modules->trust.count; t++) {
    struct cli_module *m = named(modules, "--trust", modules->trust.items[t]);
    if (!m) return CLI_USAGE;
    m->trusted = true;
  }
  for (unsigned a = 0; a < modules->active.count; a++) {
    struct cli_module *m = named(modules, "--active", modules->active.items[a]);
    if (!m) return CLI_USAGE;
    m->active = true;
  }
  for (unsigned p = 0; p < modules->passes.count; p++)
    if (!give_passes(modules, modules->passes.items[p])) return CLI_USAGE;
  for (unsigned r = 0; r < modules->lane_rates.count; r++)
    if (!give_lane_rate(modules, modules->lane_rates.items[r])) return CLI_USAGE;
  for (unsigned c = 0; c < modules->classes.count; c++)
    if (!give_class(modules, modules->classes.items[c])) return CLI_USAGE;
  return set_classes(modules);
}

// A list of lanes, as 0,2-3; 0: it is none.
static uint32_t lanes_of(const char *text, unsigned num_lanes) {
  uint64_t lanes = 0;
  do
    if (!some_of(&text, num_lanes, &lanes)) return 0;
  while (*text == ',' && *++text);
  return *text || text[-1] == ',' ? 0 : (uint32_t)lanes;
}

// --merge-key: every program that has the field must have it in the same container.
static int set_merge_key(struct cli_modules *modules) {
  const char *field = modules->merge_key;
  const struct cli_module *by = NULL;
  struct sluice_error error;
  const char *at = field;
  uint64_t vid = 0;
  const bool with_vid = sluice_number_next(&at, 1, 4094, &vid) && *at == ':';
  if (with_vid) field = at + 1;
  memset(&error, 0, sizeof error);
  for (unsigned i = 0; i < modules->count; i++) {
    const struct cli_module *m = &modules->items[i];
    unsigned key;
    if (with_vid && m->vid != vid) continue;
    if (sluice_image_merge_key(&m->image, field, &key, &error)) {
      if (with_vid || modules->count == 1) break;
      continue;
    }
    if (by && key != modules->merge.key) {
      cli_error("--merge-key: '%s' is in another container in the program of VLAN %u than in that "
                "of VLAN %u, and the chip looks into one: name one, as %u:%s",
                field, m->vid, by->vid, m->vid, field);
      return CLI_USAGE;
    }
    by = m;
    modules->merge.key = key;
  }
  if (by) return CLI_DONE;
  if (*error.text) cli_error("--merge-key: %s", error.text);
  else cli_error("--merge-key: no module has the VLAN id of '%s'", modules->merge_key);
  return CLI_USAGE;
}

// --merge-lanes, --merge-key and --merge-idle
static int set_merge(struct cli_modules *modules, const struct sluice_config *config) {
  enum { USUAL_IDLE = 1000 };
  memset(&modules->merge, 0, sizeof modules->merge);
  if (!modules->merge_lanes && !modules->merge_key && !modules->merge_idle) return CLI_DONE;
  if (!modules->merge_lanes || !modules->merge_key) {
    cli_error("%s needs %s too: which lanes are merged, and by which field",
              modules->merge_lanes ? "--merge-lanes"
              : modules->merge_key ? "--merge-key"
                                   : "--merge-idle",
              modules->merge_lanes ? "--merge-key"
              : modules->merge_key ? "--merge-lanes"
                                   : "--merge-lanes and --merge-key");
    return CLI_USAGE;
  }
  if (!config->OrderedMerge) {
    cli_error("chip '%s' merges no lanes (OrderedMerge is 0): --chip merge does", config->name);
    return CLI_WORLD;
  }
  modules->merge.lanes = lanes_of(modules->merge_lanes, config->NumPipes);
  if (!modules->merge.lanes) {
    cli_error(
        "--merge-lanes: '%s' is not a list of lanes as 0,2-3; chip '%s' has the lanes 0 to %u",
        modules->merge_lanes, config->name, config->NumPipes - 1);
    return CLI_USAGE;
  }
  modules->merge.idle = modules->merge_idle ? (unsigned)modules->merge_idle : USUAL_IDLE;
  return set_merge_key(modules);
}

// [VID:]NAME=VALUE
static bool give_param(struct cli_modules *modules, const char *item) {
  const char *colon = strchr(item, ':'), *equals = strchr(item, '=');
  char name[SLUICE_NAME_LEN];
  struct sluice_error error;
  uint64_t vid = 0;
  bool given = false;
  if (colon && equals && colon < equals) {
    if (sluice_number_len(item, (size_t)(colon - item), &vid) != SLUICE_READ || vid < 1 ||
        vid > 4094)
      equals = NULL;
    item = colon + 1;
  }
  if (!equals || equals == item || (size_t)(equals - item) >= sizeof name) {
    cli_error("--param: '%s' is not NAME=VALUE or VID:NAME=VALUE", item);
    return false;
  }
  snprintf(name, sizeof name, "%.*s", (int)(equals - item), item);
  int64_t value = 0;
  const char *choice = sluice_signed_in(equals + 1, INT64_MIN, INT64_MAX, &value) ? NULL
                                                                                  : equals + 1;
  for (unsigned i = 0; i < modules->count; i++) {
    struct cli_module *m = &modules->items[i];
    struct sluice_param *p = !vid || m->vid == vid ? sluice_image_param(&m->image, name) : NULL;
    if (!p) continue;
    given = true;
    if (sluice_param_set(p, choice, value, &error)) {
      cli_error("--param: %s", error.text);
      return false;
    }
    sluice_image_bind(&m->image);
  }
  if (!given)
    cli_error("--param: no module%s has a malleable '%s'", vid ? " with this VLAN id" : "", name);
  return given;
}

static int set_params(struct cli_modules *modules) {
  for (unsigned i = 0; i < modules->params.count; i++)
    if (!give_param(modules, modules->params.items[i])) return CLI_USAGE;
  return CLI_DONE;
}

// What the policy gives, in place of --share, --lane-rate, --class and --ports.
static int follow_policy(struct cli_modules *modules, const struct sluice_config *config) {
  struct sluice_tenant tenants[CLI_MAX_MODULES];
  unsigned vids[CLI_MAX_MODULES], sets[CLI_MAX_MODULES];
  struct policy_grant grants[CLI_MAX_MODULES];
  struct sluice_policy *policy;
  struct sluice_error error;
  const char *other = modules->shares.count       ? "--share"
                      : modules->lane_rates.count ? "--lane-rate"
                      : modules->classes.count    ? "--class"
                      : modules->class_weights    ? "--class-weights"
                      : modules->class_strict     ? "--class-strict"
                      : modules->class_marks      ? "--class-ecn"
                      : modules->ports.count      ? "--ports"
                      : modules->no_shares        ? "--no-shares"
                                                  : NULL;
  if (other) {
    cli_error("--policy and %s do not go together", other);
    return CLI_USAGE;
  }
  if (sluice_policy_open(&policy, modules->policy, NULL, &error)) {
    cli_error("%s", error.text);
    return CLI_WORLD;
  }
  for (unsigned i = 0; i < modules->count; i++) {
    const struct cli_module *m = &modules->items[i];
    tenants[i] = (struct sluice_tenant){&m->image, vids[i] = m->vid, sets[i] = m->set};
  }
  enum sluice_status status = sluice_policy_admit(
      policy, config->name, modules->sets ? modules->sets : 1, tenants, modules->count, &error);
  if (!status) status = sluice_policy_grants(policy, vids, sets, modules->count, grants, &error);
  for (unsigned i = 0; !status && i < modules->count; i++) {
    struct cli_module *m = &modules->items[i];
    m->rate = grants[i].rate;
    m->burst = grants[i].burst;
    m->some_ports = grants[i].some_ports;
    m->ports = grants[i].ports;
    m->number = grants[i].number;
    m->limited = grants[i].limited;
    m->lane = grants[i].lane;
    m->trusted |= sluice_policy_trusts(policy, m->vid);
  }
  modules->moves = sluice_policy_moves(policy);
  if (!status)
    status = sluice_policy_classes(policy, &modules->classed, &modules->class_costs,
                                   &modules->class_set, &error);
  if (!status) modules->num_class_ecn = sluice_policy_class_ecn(policy, modules->class_ecn);
  sluice_policy_close(policy);
  if (status) cli_error("%s", error.text);
  return status ? CLI_WORLD : CLI_DONE;
}

// --initial
static int set_initial(struct cli_modules *modules) {
  struct sluice_error error;
  enum sluice_status status = sluice_initial_open(&modules->contents, modules->initial, &error);
  const int code = status == SLUICE_ERR_FORMAT ? CLI_NO : CLI_WORLD;
  for (unsigned i = 0; !status && i < modules->count; i++)
    status = sluice_initial_check(modules->contents, modules->items[i].vid,
                                  &modules->items[i].image, &error);
  if (!status) status = sluice_initial_all_checked(modules->contents, &error);
  if (!status) return CLI_DONE;
  cli_error("--initial: %s", error.text);
  return modules->contents ? CLI_NO : code;
}

int cli_modules_options(struct cli_modules *modules, const struct sluice_config *config) {
  int code = set_flags(modules);
  if (code == CLI_DONE) code = set_params(modules);
  if (code == CLI_DONE && modules->entries.count) code = cli_modules_entries(modules, config);
  if (code == CLI_DONE && modules->policy) code = follow_policy(modules, config);
  if (code == CLI_DONE && !modules->policy) code = share(modules);
  if (code == CLI_DONE && !modules->policy) code = allow(modules, config);
  if (code == CLI_DONE && (modules->classed || modules->num_class_ecn) && !config->OutputClasses) {
    cli_error("chip '%s' has no classes in its output queues (OutputClasses)", config->name);
    code = CLI_WORLD;
  }
  if (code == CLI_DONE) code = set_merge(modules, config);
  if (code == CLI_DONE && modules->initial) code = set_initial(modules);
  return code;
}
