// SPDX-License-Identifier: Apache-2.0
#include "policy.h"

#include <stdio.h>
#include <string.h>

#include "../image/image_tables.h"
#include "link.h"

// docs/isolation.md promises something for sums below 256
enum { ALL_RATE = SLUICE_SHARE_RATE_MAX - 1 };

// What the policy says of a module: its own entry, or that of the others, or NULL.
static const struct policy_entry *sluice_policy_find(const struct sluice_policy *policy,
                                                     unsigned vid) {
  const struct policy_entry *others = NULL;
  for (unsigned i = 0; policy && i < policy->num; i++) {
    if (policy->entries[i].vid == vid) return &policy->entries[i];
    if (policy->entries[i].vid == 0) others = &policy->entries[i];
  }
  return others;
}

bool sluice_policy_trusts(const struct sluice_policy *policy, unsigned vid) {
  const struct policy_entry *entry = sluice_policy_find(policy, vid);
  return entry && entry->trusted;
}

enum sluice_status sluice_policy_classes(const struct sluice_policy *policy, bool *given,
                                         uint32_t *costs, uint32_t *strict,
                                         struct sluice_error *error) {
  *given = policy->num_weights || policy->strict;
  *strict = (uint32_t)policy->strict;
  *costs = 0;
  if (!policy->num_weights) return SLUICE_OK;
  return sluice_class_costs(policy->weights, policy->num_weights, costs, error);
}

unsigned sluice_policy_class_ecn(const struct sluice_policy *policy,
                                 unsigned packets[SLUICE_CLASSES_MAX]) {
  for (unsigned c = 0; c < policy->num_ecn; c++) packets[c] = policy->ecn[c];
  return policy->num_ecn;
}

int sluice_policy_moves(const struct sluice_policy *policy) {
  return policy ? policy->moves : POLICY_UNSET;
}

// ---- what a module wants ------------------------------------------------------------------------

static void use(uint32_t *containers, unsigned kind, unsigned index) {
  if (kind != SLUICE_TYPE_CONST)
    *containers |= UINT32_C(1) << (8 * (kind - SLUICE_TYPE_B2) + index);
}

struct policy_demand sluice_policy_demand(const struct sluice_config *config, unsigned pipes,
                                          const struct sluice_image *image) {
  struct policy_demand d = {.stages = 0};
  uint32_t containers = 0, stages = 0;
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i];
    const enum sluice_scope scope = sluice_tables[w->table].scope;
    if (scope == SLUICE_SCOPE_stage || scope == SLUICE_SCOPE_state || scope == SLUICE_SCOPE_front)
      stages |= UINT32_C(1) << w->stage;
    unsigned *rows = sluice_image_table_in(image, w->stage) ? d.actions : d.rows;
    if (sluice_by_match_row(w->table) && w->index >= rows[w->stage]) rows[w->stage] = w->index + 1;
    if (w->table == SLUICE_TABLE_PARSER || w->table == SLUICE_TABLE_DEPARSER ||
        w->table == SLUICE_TABLE_EGRESS_PARSER || w->table == SLUICE_TABLE_EGRESS_DEPARSER)
      for (unsigned n = 0; n < config->ParseActions; n++) {
        const uint8_t *action = w->bytes + 2 * n;
        if (SLUICE_GET(action, PARSE_ACTION, VALID))
          use(&containers, (unsigned)SLUICE_GET(action, PARSE_ACTION, KIND),
              (unsigned)SLUICE_GET(action, PARSE_ACTION, IDX));
      }
    for (unsigned slot = 1; w->table == SLUICE_TABLE_ACTION && slot <= 24; slot++)
      if (sluice_entry_get(w->bytes, sluice_tables[SLUICE_TABLE_ACTION].bits,
                           SLUICE_INSTR_BITS * slot + SLUICE_INSTR_BITS - 1,
                           SLUICE_INSTR_BITS * slot))
        use(&containers, SLUICE_TYPE_B2 + (slot - 1) / 8, (slot - 1) % 8);
  }
  for (size_t i = 0; i < image->num_tables; i++)
    d.entries[image->tables[i].engine][image->tables[i].stage] = image->tables[i].size;
  for (size_t i = 0; i < image->num_arrays; i++) {
    const struct sluice_array *a = &image->arrays[i];
    // In an egress stage each lane has all of it.
    d.slots[a->stage] += a->pinned ? a->size : (a->size + pipes - 1) / pipes * pipes;
    d.state += a->size;
    d.spread |= !a->pinned;
    stages |= UINT32_C(1) << a->stage;
  }
  for (unsigned s = 0; s < SLUICE_MAX_STAGES; s++)
    if (d.rows[s] > d.most_rows) d.most_rows = d.rows[s];
  d.stages = (unsigned)__builtin_popcount(stages);
  d.containers = (unsigned)__builtin_popcount(containers);
  return d;
}

// ---- the limits of the file ---------------------------------------------------------------------

static enum sluice_status within(const struct sluice_policy *policy, const struct sluice_tenant *t,
                                 const struct policy_demand *d, struct sluice_error *error) {
  const struct policy_entry *entry = sluice_policy_find(policy, t->vid);
  if (policy && policy->only_listed && !entry)
    return sluice_fail(
        error, SLUICE_ERR_FULL,
        "module '%s' (VLAN %u): '%s' lists no such VLAN id, and only listed modules are allowed",
        t->image->program, t->vid, policy->name);
  if (!entry) return SLUICE_OK;
  const struct {
    const char *what;
    unsigned wanted;
    int allowed;
  } all[] = {{"match rows in one stage", d->most_rows, entry->rows},
             {"stages", d->stages, entry->stages},
             {"containers", d->containers, entry->containers},
             {"entries of state", d->state, entry->state}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i].allowed != POLICY_UNSET && all[i].wanted > (unsigned)all[i].allowed)
      return sluice_fail(
          error, SLUICE_ERR_FULL, "module '%s' (VLAN %u): %u %s wanted, %d allowed by '%s'",
          t->image->program, t->vid, all[i].wanted, all[i].what, all[i].allowed, policy->name);
  return SLUICE_OK;
}

// ---- dominant shares ----------------------------------------------------------------------------

// A resource: match rows of a stage, rows of actions behind them, entries of its engines or of the
// array match, or state of a back stage in a set of pipelines.
enum kind { ROWS, ACTIONS, TERNARY, CUCKOO, WORDS, STATE };
struct resource {
  unsigned stage, set;
  bool lane;  // state of an egress stage, the same in each output lane
  enum kind kind;
};

static unsigned wants(const struct resource *r, const struct sluice_tenant *t,
                      const struct policy_demand *d) {
  switch (r->kind) {
    case ROWS: return d->rows[r->stage];
    case ACTIONS: return d->actions[r->stage];
    case TERNARY: return d->entries[SLUICE_ENGINE_TERNARY][r->stage];
    case CUCKOO: return d->entries[SLUICE_ENGINE_CUCKOO][r->stage];
    case WORDS: return d->entries[SLUICE_ENGINE_ARRAY][r->stage];
    case STATE: break;
  }
  return t->set == r->set || r->lane ? d->slots[r->stage] : 0;
}
static unsigned capacity(const struct resource *r, const struct sluice_config *c, unsigned sets) {
  switch (r->kind) {
    case ROWS: return c->MatchEntries;
    case ACTIONS: return c->ExtraActions;
    case TERNARY: return sluice_engine_size(c, SLUICE_ENGINE_TERNARY, r->stage);
    case CUCKOO: return sluice_engine_size(c, SLUICE_ENGINE_CUCKOO, r->stage);
    case WORDS: return sluice_engine_size(c, SLUICE_ENGINE_ARRAY, r->stage);
    case STATE: break;
  }
  return sluice_config_slots(c) * (r->lane ? 1 : c->NumPipes / sets);
}
static void name_of(const struct resource *r, const struct sluice_config *c, unsigned sets,
                    char text[80]) {
  static const char *const what[] = {[ROWS] = "match rows",
                                     [ACTIONS] = "rows of actions",
                                     [TERNARY] = "ternary entries",
                                     [CUCKOO] = "cuckoo entries",
                                     [WORDS] = "entries of the array match",
                                     [STATE] = "entries of state"};
  unsigned number;
  const char *kind = sluice_stage_kind(c, r->stage, &number);
  char set[24] = "";
  if (r->kind == STATE && sets > 1 && !r->lane) snprintf(set, sizeof set, " of set %u", r->set);
  if (r->kind == WORDS) snprintf(text, 80, "%s", what[WORDS]);
  else snprintf(text, 80, "%s in %s stage %u%s", what[r->kind], kind, number, set);
}

enum { MOST_RESOURCES = 6 * SLUICE_MAX_STAGES + SLUICE_MAX_BACK * SLUICE_MAX_PIPES };

static unsigned list_resources(const struct sluice_config *c, unsigned sets,
                               struct resource list[MOST_RESOURCES]) {
  unsigned num = 0;
  for (unsigned s = 0; s < sluice_config_stages(c); s++) {
    list[num++] = (struct resource){.stage = s, .kind = ROWS};
    for (enum kind k = ACTIONS; k <= WORDS; k++) {
      const struct resource r = {.stage = s, .kind = k};
      if (capacity(&r, c, sets)) list[num++] = r;
    }
  }
  for (unsigned s = c->BackStages + c->FrontStages; s < sluice_config_stages(c); s++)
    list[num++] = (struct resource){.stage = s, .kind = STATE, .lane = true};
  for (unsigned set = 0; set < sets; set++)
    for (unsigned s = 0; s < c->StateStages; s++)
      list[num++] = (struct resource){.stage = s, .set = set, .kind = STATE};
  return num;
}

static double dominant(const struct sluice_config *c, unsigned sets, const struct resource *list,
                       unsigned num, const struct sluice_tenant *t, const struct policy_demand *d) {
  double most = 0;
  for (unsigned r = 0; r < num; r++) {
    const double share = (double)wants(&list[r], t, d) / capacity(&list[r], c, sets);
    if (share > most) most = share;
  }
  return most;
}

// Smallest dominant share first; who is refused is the first for whom too little is left.
static enum sluice_status share_out(const struct sluice_policy *policy,
                                    const struct sluice_config *c, unsigned sets,
                                    const struct sluice_tenant *tenants,
                                    const struct policy_demand *demands, unsigned num,
                                    struct sluice_error *error) {
  struct resource list[MOST_RESOURCES];
  const unsigned num_resources = list_resources(c, sets, list);
  unsigned used[MOST_RESOURCES] = {0};
  double share[SLUICE_MAX_ROWS];
  bool taken[SLUICE_MAX_ROWS] = {false};
  for (unsigned t = 0; t < num; t++)
    share[t] = dominant(c, sets, list, num_resources, &tenants[t], &demands[t]);
  for (unsigned n = 0; n < num; n++) {
    unsigned at = num;
    for (unsigned t = 0; t < num; t++)
      if (!taken[t] && (at == num || share[t] < share[at])) at = t;
    taken[at] = true;
    for (unsigned r = 0; r < num_resources; r++) {
      const unsigned wanted = wants(&list[r], &tenants[at], &demands[at]),
                     all = capacity(&list[r], c, sets);
      char name[80];
      name_of(&list[r], c, sets, name);
      if (used[r] + wanted > all)
        return sluice_fail(error, SLUICE_ERR_FULL,
                           "module '%s' (VLAN %u): %u %s wanted, %u allowed: %u of the %u belong "
                           "to modules with smaller dominant shares than its %.0f %%%s%s%s",
                           tenants[at].image->program, tenants[at].vid, wanted, name, all - used[r],
                           used[r], all, 100 * share[at], policy ? " ('" : "",
                           policy ? policy->name : "", policy ? "')" : "");
      used[r] += wanted;
    }
  }
  return SLUICE_OK;
}

// ---- rates, moves -------------------------------------------------------------------------------

enum sluice_status sluice_policy_grants(const struct sluice_policy *policy, const unsigned *vids,
                                        const unsigned *sets, unsigned num,
                                        struct policy_grant *grants, struct sluice_error *error) {
  for (unsigned i = 0; i < num; i++) {
    const struct policy_entry *entry = sluice_policy_find(policy, vids[i]);
    grants[i] = (struct policy_grant){
        .rate = entry ? entry->rate : POLICY_UNSET,
        .burst = entry && entry->burst != POLICY_UNSET ? entry->burst : SLUICE_SHARE_BURST,
        .number = entry ? entry->number : POLICY_UNSET,
        .some_ports = entry && entry->some_ports,
        .ports = entry ? entry->ports : 0,
        .limited = entry && entry->limited};
    if (grants[i].limited) grants[i].lane = entry->lane;
  }
  for (unsigned i = 0; i < num; i++) {
    unsigned in_set = 0, without = 0;
    int sum = 0;
    bool first = true;
    for (unsigned j = 0; j < num; j++) {
      if (sets[j] != sets[i]) continue;
      if (j < i) first = false;
      const struct policy_entry *entry = sluice_policy_find(policy, vids[j]);
      const int rate = entry ? entry->rate : POLICY_UNSET;
      in_set++;
      if (rate == POLICY_UNSET) without++;
      else sum += rate;
    }
    if (!first || in_set < 2) continue;
    if (sum + (int)without > ALL_RATE)
      return sluice_fail(
          error, SLUICE_ERR_FULL,
          "rate of the order queues: %d accesses per 256 cycles wanted by the modules that have a "
          "rate, %d allowed, so that %u without one have at least 1 each",
          sum, ALL_RATE - (int)without, without);
    for (unsigned j = 0; j < num; j++)
      if (sets[j] == sets[i] && grants[j].rate == POLICY_UNSET)
        grants[j].rate = (ALL_RATE - sum) / (int)without;
  }
  return SLUICE_OK;
}

static enum sluice_status moves_fit(const struct sluice_policy *policy,
                                    const struct sluice_config *c,
                                    const struct policy_demand *demands, unsigned num,
                                    struct sluice_error *error) {
  unsigned spread = 0;
  if (sluice_policy_moves(policy) <= 0) return SLUICE_OK;
  for (unsigned t = 0; t < num; t++) spread += demands[t].spread;
  const unsigned wanted = spread * (unsigned)policy->moves;
  if (wanted <= c->Relocations) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_FULL,
                     "moves: %u entries wanted by %u modules with spread state, %d each by '%s', "
                     "%u allowed: the relocation table of a stage of chip '%s'",
                     wanted, spread, policy->moves, policy->name, c->Relocations, c->name);
}

// ---- the calls ----------------------------------------------------------------------------------

enum sluice_status sluice_policy_admit(const struct sluice_policy *policy, const char *chip,
                                       unsigned sets, const struct sluice_tenant *tenants,
                                       unsigned num, struct sluice_error *error) {
  const struct sluice_config *c = sluice_config_find(chip);
  struct policy_demand demands[SLUICE_MAX_ROWS];
  unsigned vids[SLUICE_MAX_ROWS] = {0}, set_of[SLUICE_MAX_ROWS] = {0};
  struct policy_grant grants[SLUICE_MAX_ROWS];
  if (!c) return sluice_fail(error, SLUICE_ERR_FOREIGN, "no chip is called '%s'", chip);
  if (sets == 0 || sets > c->NumPipes || (sets & (sets - 1)))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "%u sets: must be a power of two, at most the %u pipelines of chip '%s'",
                       sets, c->NumPipes, c->name);
  if (num > c->NumModules || num > SLUICE_MAX_ROWS)
    return sluice_fail(error, SLUICE_ERR_FULL,
                       "overlay rows: %u modules wanted, %u allowed on chip '%s'", num,
                       c->NumModules, c->name);
  for (unsigned t = 0; t < num; t++) {
    if (!sluice_config_is(c, tenants[t].image->config))
      return sluice_fail(error, SLUICE_ERR_FOREIGN,
                         "module '%s' is made for chip '%s', this is '%s'",
                         tenants[t].image->program, tenants[t].image->config, c->name);
    if (tenants[t].set >= sets)
      return sluice_fail(error, SLUICE_ERR_RANGE, "set %u: there are %u, from 0 on", tenants[t].set,
                         sets);
    demands[t] = sluice_policy_demand(c, c->NumPipes / sets, tenants[t].image);
    vids[t] = tenants[t].vid;
    set_of[t] = tenants[t].set;
    SLUICE_TRY(within(policy, &tenants[t], &demands[t], error));
  }
  enum sluice_status status = share_out(policy, c, sets, tenants, demands, num, error);
  if (!status) status = sluice_policy_grants(policy, vids, set_of, num, grants, error);
  if (!status) status = moves_fit(policy, c, demands, num, error);
  return status;
}

enum sluice_status sluice_policy_apply(const struct sluice_policy *policy, struct sluice_plan *plan,
                                       struct sluice_error *error) {
  unsigned vids[SLUICE_MAX_ROWS] = {0}, sets[SLUICE_MAX_ROWS] = {0};
  struct policy_grant grants[SLUICE_MAX_ROWS];
  const unsigned num = (unsigned)plan->num_modules;
  for (unsigned i = 0; i < num; i++) {
    vids[i] = plan->modules[i].vid;
    sets[i] = plan->modules[i].first / plan->modules[i].pipes;
  }
  enum sluice_status status = sluice_policy_grants(policy, vids, sets, num, grants, error);
  for (unsigned i = 0; !status && i < num; i++) {
    if (grants[i].rate != POLICY_UNSET)
      status = sluice_plan_share(plan, vids[i], (unsigned)grants[i].rate, (unsigned)grants[i].burst,
                                 error);
    if (!status && grants[i].some_ports)
      status = sluice_plan_ports(plan, vids[i], grants[i].ports, error);
    if (!status && grants[i].limited)
      status = sluice_plan_lane_rate(plan, vids[i], &grants[i].lane, error);
    if (!status && grants[i].number != POLICY_UNSET)
      status = sluice_plan_class(plan, vids[i], (unsigned)grants[i].number, error);
  }
  return status;
}

// ---- modules that come and go -------------------------------------------------------------------

// Of modules that share pipelines, and of one that is alone: as if it had no limit.
static unsigned part(unsigned num) { return num > 1 ? ALL_RATE / num : SLUICE_SHARE_RATE_MAX; }

static const struct sluice_write *share_of(const struct sluice_plan *plan, unsigned row) {
  return sluice_plan_entry(plan, SLUICE_TABLE_SHARE, 0, row);
}

struct shares {
  unsigned num, without, sum;
  bool equal;  // parts, which nobody chose
};
static struct shares shares_in(const struct sluice_plan *plan, unsigned first) {
  struct shares s = {.equal = true};
  for (size_t n = 0; n < plan->num_modules; n++) s.num += plan->modules[n].first == first;
  for (size_t n = 0; n < plan->num_modules; n++) {
    const struct sluice_placed *m = &plan->modules[n];
    const struct sluice_write *share = share_of(plan, m->row);
    if (m->first != first) continue;
    const unsigned rate = share ? (unsigned)SLUICE_GET(share->bytes, SHARE, RATE) : 0;
    s.without += !share;
    s.sum += rate;
    s.equal &= share ? rate == part(s.num) : s.num == 1;
  }
  return s;
}

enum sluice_status sluice_plan_divide(struct sluice_plan *plan, const struct sluice_plan *before,
                                      struct sluice_error *error) {
  for (size_t n = 0; n < plan->num_modules; n++) {
    const struct sluice_placed *m = &plan->modules[n];
    const bool has = share_of(plan, m->row);
    const struct shares old = shares_in(before, m->first), now = shares_in(plan, m->first);
    unsigned rate = part(now.num);
    if ((!old.equal && has) || (now.num == 1 && !has)) continue;
    if (!old.equal) {
      rate = now.sum < ALL_RATE ? (ALL_RATE - now.sum) / now.without : 0;
      if (!rate)
        return sluice_fail(error, SLUICE_ERR_FULL,
                           "module '%s' (VLAN %u): the shares of the others are %u of %d accesses "
                           "per 256 cycles, and leave nothing",
                           m->program, m->vid, now.sum, ALL_RATE);
    }
    SLUICE_TRY(sluice_plan_share(plan, m->vid, rate, SLUICE_SHARE_BURST, error));
  }
  return SLUICE_OK;
}
