// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <string.h>

#include "../image/capability.h"
#include "guard.h"
#include "link.h"
#include "port_rows.h"
#include "room.h"
#include "table_plan.h"

void sluice_plan_init(struct sluice_plan *plan, const struct sluice_config *config) {
  memset(plan, 0, sizeof *plan);
  plan->config = config;
  plan->pipes = config->NumPipes;
}

void sluice_plan_trust(struct sluice_plan *plan, bool trusted) { plan->trusted = trusted; }

void sluice_plan_pin(struct sluice_plan *plan, unsigned pipe) {
  plan->pin = true;
  plan->pin_pipe = pipe;
}

enum sluice_status sluice_plan_set(struct sluice_plan *plan, unsigned sets, unsigned set,
                                   struct sluice_error *error) {
  const unsigned all = plan->config->NumPipes;
  if (sets == 0 || sets > all || (sets & (sets - 1)))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "%u sets: must be a power of two, at most the %u pipelines of chip '%s'",
                       sets, all, plan->config->name);
  if (set >= sets)
    return sluice_fail(error, SLUICE_ERR_RANGE, "set %u: there are %u, from 0 on", set, sets);
  if (plan->num_modules && plan->pipes != all / sets)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u sets: modules before have %u", sets,
                       all / plan->pipes);
  plan->pipes = all / sets;
  plan->first = set * plan->pipes;
  return SLUICE_OK;
}

unsigned sluice_plan_sets_log2(const struct sluice_plan *plan) {
  unsigned n = 0;
  while (plan->config->NumPipes >> n > plan->pipes) n++;
  return n;
}

void sluice_plan_release(struct sluice_plan *plan) {
  sluice_resize(&plan->alloc, plan->writes, plan->room_writes * sizeof *plan->writes, 0);
  sluice_resize(&plan->alloc, plan->segments, plan->room_segments * sizeof *plan->segments, 0);
  sluice_resize(&plan->alloc, plan->fills, plan->room_fills * sizeof *plan->fills, 0);
  sluice_resize(&plan->alloc, plan->rows, plan->room_rows * sizeof *plan->rows, 0);
  for (size_t i = 0; i < plan->num_modules; i++)
    sluice_plan_source_drop(plan, &plan->modules[i].source);
  sluice_plan_close(plan->before);
  sluice_tables_release(&plan->tables);
  memset(plan, 0, sizeof *plan);
}

struct sluice_home sluice_segment_home(const struct sluice_segment *segment, unsigned index) {
  if (segment->pinned) return (struct sluice_home){segment->pipe, segment->base + index};
  return (struct sluice_home){segment->pipe + index % segment->pipes,
                              segment->base + index / segment->pipes};
}

unsigned sluice_sum_rows(const unsigned num_rows[SLUICE_MAX_STAGES]) {
  unsigned sum = 0;
  for (unsigned s = 0; s < SLUICE_MAX_STAGES; s++) sum += num_rows[s];
  return sum;
}

static struct sluice_write *new_write(struct sluice_plan *plan, enum sluice_table table,
                                      unsigned stage) {
  struct sluice_write *w = &plan->writes[plan->num_writes++];
  *w = (struct sluice_write){.table = table, .stage = stage};
  return w;
}

bool sluice_placed_behind(const struct sluice_placed *placed, unsigned stage) {
  return (placed->table_stages | placed->default_stages) >> stage & 1;
}

void sluice_placed_stages(struct sluice_placed *placed, const struct sluice_image *image) {
  placed->table_stages = placed->default_stages = 0;
  for (size_t i = 0; i < image->num_tables; i++)
    if (image->tables[i].engine != SLUICE_ENGINE_ARRAY)
      placed->table_stages |= UINT32_C(1) << image->tables[i].stage;
  placed->has_tables = image->num_tables;
  for (size_t i = 0; i < image->num_writes; i++)
    if (image->writes[i].table == SLUICE_TABLE_DEFAULT_ACTION)
      placed->default_stages |= UINT32_C(1) << image->writes[i].stage;
  placed->default_stages &= ~placed->table_stages;
}

unsigned sluice_plan_row(const struct sluice_plan *plan, unsigned owner, unsigned stage,
                         unsigned number) {
  for (size_t i = 0; i < plan->num_rows; i++) {
    const struct sluice_row *r = &plan->rows[i];
    if (r->owner == owner && r->stage == stage && r->number == number) return r->at;
  }
  return SLUICE_NO_ROW;
}

size_t sluice_plan_link_most(const struct sluice_image *image) {
  return image->num_writes + SLUICE_MAX_BACK + 1 + image->num_port_sets;
}

void sluice_plan_link(struct sluice_plan *plan, const struct sluice_image *image,
                      const struct sluice_placed *placed,
                      const struct sluice_segment *const at[SLUICE_MAX_STAGES]) {
  bool has_module = false, has_segment[SLUICE_MAX_STAGES] = {0};
  for (size_t i = 0; i < image->num_writes; i++) {
    struct sluice_write *w = &plan->writes[plan->num_writes++];
    *w = image->writes[i];
    sluice_port_rows_link(plan, image, placed->row, w);
    const bool rows = sluice_by_match_row(w->table);
    sluice_link(w, rows ? sluice_plan_row(plan, placed->row, w->stage, w->index) : placed->row,
                placed, at[w->stage]);
    if (w->table == SLUICE_TABLE_DEFAULT_ACTION)
      SLUICE_SET(w->bytes, DEFAULT_ACTION, ACTION,
                 sluice_plan_row(plan, placed->row, w->stage,
                                 (unsigned)SLUICE_GET(w->bytes, DEFAULT_ACTION, ACTION)));
    has_module |= w->table == SLUICE_TABLE_MODULE;
    if (w->table == SLUICE_TABLE_SEGMENT) has_segment[w->stage] = true;
  }
  for (unsigned s = 0; s < sluice_config_stages(plan->config); s++) {
    if (!at[s] || has_segment[s]) continue;
    struct sluice_write *w = new_write(plan, SLUICE_TABLE_SEGMENT, s);
    SLUICE_SET(w->bytes, SEGMENT, RANGE, at[s]->range);
    sluice_link(w, placed->row, placed, at[s]);
  }
  for (unsigned n = 0; n < image->num_port_sets; n++) {
    struct sluice_write *w = new_write(plan, SLUICE_TABLE_PORT_MASK, 0);
    w->index = sluice_port_row(plan, placed->row, n);
    SLUICE_SET(w->bytes, PORT_MASK, PORTS, image->port_sets[n].ports);
  }
  if (!has_module) sluice_link(new_write(plan, SLUICE_TABLE_MODULE, 0), placed->row, placed, NULL);
}

// Everything the module adds, written behind what the plan holds already; `plan` is a scratch copy.
static enum sluice_status fill_in(struct sluice_plan *plan, const struct sluice_image *image,
                                  struct sluice_placed *placed, struct sluice_error *error) {
  const struct sluice_segment *at[SLUICE_MAX_STAGES] = {0};
  unsigned first[SLUICE_MAX_STAGES];
  enum sluice_status status = sluice_room_rows(plan, placed, first, error);
  if (!status && !plan->trusted) status = sluice_guard(plan->config, image, error);
  if (!status) status = sluice_port_rows_add(plan, image, placed, error);
  if (status) return status;
  for (unsigned s = 0; s < sluice_config_stages(plan->config); s++)
    for (unsigned n = 0; n < placed->num_rows[s]; n++)
      plan->rows[plan->num_rows++] = (struct sluice_row){s, first[s] + n, placed->row, n};
  for (size_t i = 0; i < image->num_arrays; i++) {
    const struct sluice_array *array = &image->arrays[i];
    status = sluice_capable_array(plan->config, image, array,
                                  array->stage < SLUICE_MAX_STAGES && at[array->stage], error);
    if (status) return status;
    struct sluice_segment *segment = &plan->segments[plan->num_segments];
    status = sluice_room_slots(plan, placed, array, segment, error);
    if (status) return status;
    plan->num_segments++;
    at[array->stage] = segment;
    plan->fills[plan->num_fills++] =
        (struct sluice_fill){segment->stage, segment->row, segment->s1, segment->s2};
  }
  sluice_plan_link(plan, image, placed, at);
  return image->num_tables ? sluice_plan_tables_add(plan, image, placed, error) : SLUICE_OK;
}

// Room for `more` elements behind `count`; the list stays valid if it fails.
static bool reserve(const struct sluice_plan *plan, void **list, size_t *room, size_t count,
                    size_t more, size_t size) {
  if (count + more <= *room) return true;
  const size_t wanted = count + more + *room / 2;
  void *grown = sluice_resize(&plan->alloc, *list, *room * size, wanted * size);
  if (!grown) return false;
  *list = grown;
  *room = wanted;
  return true;
}
#define RESERVE(PLAN, LIST, COUNT, MORE, ROOM)                                        \
  (reserved = reserve(PLAN, (list = (PLAN)->LIST, &list), &(PLAN)->ROOM, COUNT, MORE, \
                      sizeof *(PLAN)->LIST),                                          \
   (PLAN)->LIST = list, reserved)

bool sluice_plan_reserve(struct sluice_plan *plan, size_t writes, size_t segments, size_t rows) {
  void *list;
  bool reserved;
  return RESERVE(plan, writes, plan->num_writes, writes, room_writes) &&
         RESERVE(plan, segments, plan->num_segments, segments, room_segments) &&
         RESERVE(plan, fills, plan->num_fills, segments, room_fills) &&
         RESERVE(plan, rows, plan->num_rows, rows, room_rows);
}

static enum sluice_status add(struct sluice_plan *plan, const struct sluice_image *image,
                              unsigned vid, struct sluice_error *error) {
  if (!sluice_config_is(plan->config, image->config))
    return sluice_fail(error, SLUICE_ERR_FOREIGN, "module '%s' is made for chip '%s', this is '%s'",
                       image->program, image->config, plan->config->name);
  if (vid < 1 || vid > 4094)
    return sluice_fail(error, SLUICE_ERR_RANGE, "VLAN id %u, legal is 1..4094", vid);
  const unsigned row = vid % plan->config->NumModules;
  const struct sluice_placed *there = sluice_plan_in_row(plan, row);
  if (there && there->vid == vid)
    return sluice_fail(error, SLUICE_ERR_EXISTS,
                       "VLAN %u has a program, '%s': update or replace it, or remove it first", vid,
                       there->program);
  if (there)
    return sluice_fail(
        error, SLUICE_ERR_FULL,
        "VLAN %u needs overlay row %u, which VLAN %u ('%s') has: ids must differ modulo %u", vid,
        row, there->vid, there->program, plan->config->NumModules);
  unsigned num_rows[SLUICE_MAX_STAGES];
  enum sluice_status status = sluice_room_count(plan, image, num_rows, error);
  if (status) return status;
  if (!sluice_plan_reserve(plan, sluice_plan_link_most(image), image->num_arrays,
                           sluice_sum_rows(num_rows)))
    return sluice_no_memory(error);

  // The copy shares the lists: what is written behind their ends counts only if the copy is taken
  // over.
  struct sluice_plan next = *plan;
  struct sluice_placed *placed = &next.modules[next.num_modules++];
  memset(placed, 0, sizeof *placed);
  placed->vid = vid;
  placed->row = row;
  placed->first = plan->first;
  placed->pipes = plan->pipes;
  placed->load = ++next.loads;
  memcpy(placed->num_rows, num_rows, sizeof placed->num_rows);
  sluice_placed_stages(placed, image);
  memcpy(placed->program, image->program, sizeof placed->program);
  placed->trusted = plan->trusted;
  if (!sluice_plan_source(plan, image, &placed->source)) return sluice_no_memory(error);
  status = fill_in(&next, image, placed, error);
  if (!status) {
    *plan = next;
    return SLUICE_OK;
  }
  sluice_plan_source_drop(plan, &placed->source);
  plan->tables = next.tables;  // its lists may have grown; the caller releases them
  return status;
}

// Entries of tables move others in their engines: that is done in a copy.
enum sluice_status sluice_plan_add(struct sluice_plan *plan, const struct sluice_image *image,
                                   unsigned vid, struct sluice_error *error) {
  struct sluice_plan next;
  if (!image->num_tables) return add(plan, image, vid, error);
  if (!sluice_plan_copy_into(&next, plan)) return sluice_no_memory(error);
  const enum sluice_status status = add(&next, image, vid, error);
  if (status) {
    sluice_plan_release(&next);
    return status;
  }
  sluice_plan_release(plan);
  *plan = next;
  return SLUICE_OK;
}

const struct sluice_placed *sluice_plan_find(const struct sluice_plan *plan, unsigned vid) {
  for (size_t i = 0; i < plan->num_modules; i++)
    if (plan->modules[i].vid == vid) return &plan->modules[i];
  return NULL;
}

const struct sluice_placed *sluice_plan_in_row(const struct sluice_plan *plan, unsigned row) {
  for (size_t i = 0; i < plan->num_modules; i++)
    if (plan->modules[i].row == row) return &plan->modules[i];
  return NULL;
}

unsigned sluice_plan_number(const struct sluice_plan *plan, const struct sluice_write *w) {
  if (w->table == SLUICE_TABLE_PORT_MASK) {
    const struct sluice_port_row *r = sluice_port_row_at(plan, w->index);
    return r ? r->number : 0;
  }
  if (!sluice_by_match_row(w->table)) return 0;
  for (size_t i = 0; i < plan->num_rows; i++)
    if (plan->rows[i].stage == w->stage && plan->rows[i].at == w->index)
      return plan->rows[i].number;
  return 0;
}

const struct sluice_segment *sluice_plan_segment(const struct sluice_plan *plan, unsigned row,
                                                 unsigned stage) {
  for (size_t i = 0; i < plan->num_segments; i++)
    if (plan->segments[i].row == row && plan->segments[i].stage == stage) return &plan->segments[i];
  return NULL;
}

unsigned sluice_plan_owner(const struct sluice_plan *plan, const struct sluice_write *w) {
  if (w->table == SLUICE_TABLE_PORT_MASK) {
    const struct sluice_port_row *r = sluice_port_row_at(plan, w->index);
    return r ? r->owner : plan->config->NumModules;
  }
  if (!sluice_by_match_row(w->table)) return w->index;
  for (size_t i = 0; i < plan->num_rows; i++)
    if (plan->rows[i].stage == w->stage && plan->rows[i].at == w->index) return plan->rows[i].owner;
  return plan->config->NumModules;  // none
}

const struct sluice_write *sluice_plan_entry(const struct sluice_plan *plan,
                                             enum sluice_table table, unsigned stage,
                                             unsigned index) {
  if (sluice_tables[table].rows == SLUICE_ROWS_overlay) index %= plan->config->NumModules;
  for (size_t i = 0; i < plan->num_writes; i++) {
    const struct sluice_write *w = &plan->writes[i];
    if (w->table == table && w->stage == stage && w->index == index) return w;
  }
  return NULL;
}

static enum sluice_status no_module(const struct sluice_plan *plan, unsigned vid,
                                    struct sluice_error *error) {
  return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module of the %u on the chip has VLAN id %u",
                     (unsigned)plan->num_modules, vid);
}

void sluice_plan_take_out(struct sluice_plan *plan, unsigned row, bool keep_given) {
  size_t writes = 0, segments = 0, fills = 0, rows = 0;
  for (size_t i = 0; i < plan->num_writes; i++)
    if ((keep_given && sluice_table_is_given(plan->writes[i].table)) ||
        sluice_plan_owner(plan, &plan->writes[i]) != row)
      plan->writes[writes++] = plan->writes[i];
  for (size_t i = 0; i < plan->num_segments; i++)
    if (plan->segments[i].row != row) plan->segments[segments++] = plan->segments[i];
  for (size_t i = 0; i < plan->num_fills; i++)
    if (plan->fills[i].row != row) plan->fills[fills++] = plan->fills[i];
  // Owners of the writes are found in both kinds of rows: these go last.
  for (size_t i = 0; i < plan->num_rows; i++)
    if (plan->rows[i].owner != row) plan->rows[rows++] = plan->rows[i];
  sluice_port_rows_drop(plan, row);
  plan->num_rows = rows;
  plan->num_writes = writes;
  plan->num_segments = segments;
  plan->num_fills = fills;
}

// `outright`: entries of tables go at once, though packets may find them.
static enum sluice_status take_out(struct sluice_plan *plan, unsigned vid, bool outright,
                                   struct sluice_error *error) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  if (!placed) return no_module(plan, vid, error);
  const unsigned row = placed->row;
  if (placed->has_tables) SLUICE_TRY(sluice_plan_tables_remove(plan, row, outright, error));
  sluice_plan_take_out(plan, row, false);
  const size_t at = (size_t)(placed - plan->modules);
  sluice_plan_source_drop(plan, &plan->modules[at].source);
  plan->num_modules--;
  memmove(&plan->modules[at], &plan->modules[at + 1],
          (plan->num_modules - at) * sizeof plan->modules[0]);
  memset(&plan->modules[plan->num_modules], 0, sizeof plan->modules[0]);
  return SLUICE_OK;
}

enum sluice_status sluice_plan_remove(struct sluice_plan *plan, unsigned vid,
                                      struct sluice_error *error) {
  struct sluice_plan next;
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  if (!placed || !placed->has_tables) return take_out(plan, vid, false, error);
  if (!sluice_plan_copy_into(&next, plan)) return sluice_no_memory(error);
  const enum sluice_status status = take_out(&next, vid, false, error);
  if (status) {
    sluice_plan_release(&next);
    return status;
  }
  sluice_plan_release(plan);
  *plan = next;
  return SLUICE_OK;
}

// Copies into a plan that holds nothing yet.
bool sluice_plan_copy_into(struct sluice_plan *copy, const struct sluice_plan *plan) {
  *copy = *plan;
  copy->writes = NULL;
  copy->segments = NULL;
  copy->fills = NULL;
  copy->rows = NULL;
  copy->before = NULL;
  memset(&copy->tables, 0, sizeof copy->tables);
  for (size_t i = 0; i < copy->num_modules; i++) copy->modules[i].source = NULL;
  copy->room_writes = copy->room_segments = copy->room_fills = copy->room_rows = 0;
  copy->num_writes = copy->num_segments = copy->num_fills = copy->num_rows = 0;
  if (!sluice_plan_reserve(copy, plan->num_writes + 1, plan->num_segments + 1,
                           plan->num_rows + 1) ||
      !sluice_tables_copy(&copy->tables, &plan->tables, &copy->alloc) ||
      (plan->before && sluice_plan_copy(&copy->before, plan->before, NULL))) {
    sluice_plan_release(copy);
    return false;
  }
  for (size_t i = 0; i < plan->num_modules; i++)
    if (plan->modules[i].source &&
        !sluice_plan_source(copy, plan->modules[i].source, &copy->modules[i].source)) {
      sluice_plan_release(copy);
      return false;
    }
  if (plan->num_writes) memcpy(copy->writes, plan->writes, plan->num_writes * sizeof *plan->writes);
  if (plan->num_segments)
    memcpy(copy->segments, plan->segments, plan->num_segments * sizeof *plan->segments);
  if (plan->num_fills) memcpy(copy->fills, plan->fills, plan->num_fills * sizeof *plan->fills);
  if (plan->num_rows) memcpy(copy->rows, plan->rows, plan->num_rows * sizeof *plan->rows);
  copy->num_rows = plan->num_rows;
  copy->num_writes = plan->num_writes;
  copy->num_segments = plan->num_segments;
  copy->num_fills = plan->num_fills;
  return true;
}

enum sluice_status sluice_plan_replace(struct sluice_plan *plan, const struct sluice_image *image,
                                       unsigned vid, struct sluice_error *error) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  struct sluice_plan next;
  if (!placed) return no_module(plan, vid, error);
  const unsigned first = placed->first;
  const bool active = placed->active;
  if (!sluice_plan_copy_into(&next, plan)) return sluice_no_memory(error);
  enum sluice_status status = take_out(&next, vid, true, error);
  next.first = first;
  if (!status) status = add(&next, image, vid, error);
  for (size_t i = 0; i < plan->num_writes && !status; i++) {
    const struct sluice_write *w = &plan->writes[i];
    if (!sluice_table_is_given(w->table) || sluice_plan_owner(plan, w) != placed->row) continue;
    if (sluice_plan_reserve(&next, 1, 0, 0)) next.writes[next.num_writes++] = *w;
    else status = sluice_no_memory(error);
  }
  if (active && !status) status = sluice_plan_active(&next, vid, true, error);
  next.first = plan->first;
  if (status) {
    sluice_plan_release(&next);
    return status;
  }
  sluice_plan_release(plan);
  *plan = next;
  return SLUICE_OK;
}

// The entry of a table that the operator writes, for a module; a new one is 0. NULL: no memory.
static struct sluice_write *given_entry(struct sluice_plan *plan, enum sluice_table table,
                                        unsigned row) {
  struct sluice_write *w = (struct sluice_write *)(uintptr_t)sluice_plan_entry(plan, table, 0, row);
  if (w) return w;
  if (!sluice_plan_reserve(plan, 1, 0, 0)) return NULL;
  w = new_write(plan, table, 0);
  w->index = row;
  return w;
}

enum sluice_status sluice_plan_share(struct sluice_plan *plan, unsigned vid, unsigned rate,
                                     unsigned burst, struct sluice_error *error) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  if (!placed)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "a share for VLAN %u, which no module has",
                       vid);
  if (rate > SLUICE_SHARE_RATE_MAX || burst > SLUICE_SHARE_BURST_MAX)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "share of VLAN %u: rate %u, burst %u; legal is up to %d and %d", vid, rate,
                       burst, SLUICE_SHARE_RATE_MAX, SLUICE_SHARE_BURST_MAX);
  struct sluice_write *w = given_entry(plan, SLUICE_TABLE_SHARE, placed->row);
  if (!w) return sluice_no_memory(error);
  SLUICE_SETS(w->bytes, SHARE, (LIMIT, 1), (BURST, burst), (RATE, rate));
  return SLUICE_OK;
}

enum sluice_status sluice_plan_ports(struct sluice_plan *plan, unsigned vid, uint64_t ports,
                                     struct sluice_error *error) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  const unsigned num = plan->config->NumPorts;
  if (!placed) return no_module(plan, vid, error);
  if (num < 64 && ports >> num)
    return sluice_fail(error, SLUICE_ERR_RANGE, "VLAN %u: port %d; chip '%s' has ports 0 to %u",
                       vid, 63 - __builtin_clzll(ports), plan->config->name, num - 1);
  struct sluice_write *w = given_entry(plan, SLUICE_TABLE_MODULE_PORTS, placed->row);
  if (!w) return sluice_no_memory(error);
  // RECIRCULATE says who may recirculate, not this.
  if (plan->config->Recirculation) ports |= UINT64_C(1) << num;
  SLUICE_SET(w->bytes, MODULE_PORTS, PORTS, ports);
  return SLUICE_OK;
}

enum sluice_status sluice_plan_recirculate(struct sluice_plan *plan, unsigned vid, unsigned rounds,
                                           unsigned rate, unsigned burst,
                                           struct sluice_error *error) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  if (!placed) return no_module(plan, vid, error);
  if (!plan->config->Recirculation)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED, "VLAN %u: chip '%s' has no recirculation",
                       vid, plan->config->name);
  if (rounds > 255 || rate > 65535 || burst > 255)
    return sluice_fail(
        error, SLUICE_ERR_RANGE,
        "recirculation of VLAN %u: rounds %u, rate %u, burst %u; legal is up to 255, 65535 and 255",
        vid, rounds, rate, burst);
  struct sluice_write *w = given_entry(plan, SLUICE_TABLE_RECIRCULATE, placed->row);
  if (!w) return sluice_no_memory(error);
  SLUICE_SETS(w->bytes, RECIRCULATE, (ROUNDS, rounds), (RATE, rate), (BURST, burst));
  return SLUICE_OK;
}

// Of one bucket, `entries` being E: what the table holds for `rate` in 1,000 cycles, rounded up.
static unsigned fill_of(unsigned entries, unsigned rate) {
  return (256 * entries * rate + SLUICE_LANE_RATE_MAX - 1) / SLUICE_LANE_RATE_MAX;
}

// A bucket that holds `burst` and what one fill brings is never empty for who brings no more than
// that at once: the tokens of E cycles come together.
static unsigned bucket_of(unsigned entries, unsigned rate, unsigned burst) {
  return burst + (fill_of(entries, rate) + 255) / 256;
}

enum sluice_status sluice_plan_lane_rate(struct sluice_plan *plan, unsigned vid,
                                         const struct sluice_lane_rate *rate,
                                         struct sluice_error *error) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  const unsigned entries = plan->config->NumModules;
  if (!placed) return no_module(plan, vid, error);
  if (!plan->config->RateLimits)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "VLAN %u: chip '%s' has no rates at its lanes (RateLimits)", vid,
                       plan->config->name);
  if (rate->packets > SLUICE_LANE_RATE_MAX || rate->beats > SLUICE_LANE_RATE_MAX ||
      rate->packet_burst > SLUICE_LANE_RATE_PACKETS_MAX ||
      rate->beat_burst > SLUICE_LANE_RATE_BEATS_MAX)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "rate of VLAN %u at a lane: packets %u and %u at once, beats %u and %u at "
                       "once; legal is up to %d and %d, %d and %d",
                       vid, rate->packets, rate->packet_burst, rate->beats, rate->beat_burst,
                       SLUICE_LANE_RATE_MAX, SLUICE_LANE_RATE_PACKETS_MAX, SLUICE_LANE_RATE_MAX,
                       SLUICE_LANE_RATE_BEATS_MAX);
  struct sluice_write *w = given_entry(plan, SLUICE_TABLE_RATE_LIMIT, placed->row);
  if (!w) return sluice_no_memory(error);
  SLUICE_SETS(w->bytes, RATE_LIMIT, (VALID, 1), (PACKET_RATE, fill_of(entries, rate->packets)),
              (PACKET_BURST, bucket_of(entries, rate->packets, rate->packet_burst)),
              (BYTE_RATE, fill_of(entries, rate->beats)),
              (BYTE_BURST, bucket_of(entries, rate->beats, rate->beat_burst)));
  return SLUICE_OK;
}

enum sluice_status sluice_plan_class(struct sluice_plan *plan, unsigned vid, unsigned number,
                                     struct sluice_error *error) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  if (!placed) return no_module(plan, vid, error);
  if (!plan->config->OutputClasses)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "VLAN %u: chip '%s' has no classes in its output queues (OutputClasses)",
                       vid, plan->config->name);
  if (number >= plan->config->OutputClasses)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "class of VLAN %u: %u, chip '%s' has the classes 0 to %u", vid, number,
                       plan->config->name, plan->config->OutputClasses - 1);
  struct sluice_write *w = given_entry(plan, SLUICE_TABLE_OUTPUT_CLASS, placed->row);
  if (!w) return sluice_no_memory(error);
  SLUICE_SETS(w->bytes, OUTPUT_CLASS, (VALID, 1), (NUMBER, number));
  return SLUICE_OK;
}

enum sluice_status sluice_plan_active(struct sluice_plan *plan, unsigned vid, bool active,
                                      struct sluice_error *error) {
  struct sluice_placed *placed = (struct sluice_placed *)(uintptr_t)sluice_plan_find(plan, vid);
  if (!placed) return no_module(plan, vid, error);
  if (active && !plan->config->Active)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "VLAN %u: chip '%s' executes no capsules (Active)", vid, plan->config->name);
  struct sluice_write *w = (struct sluice_write *)(uintptr_t)sluice_plan_entry(
      plan, SLUICE_TABLE_MODULE, 0, placed->row);
  placed->active = active;
  if (w) SLUICE_SET(w->bytes, MODULE, ACTIVE, active);
  return SLUICE_OK;
}

enum sluice_status sluice_plan_entry_set(struct sluice_plan *plan, unsigned vid,
                                         enum sluice_table table, unsigned stage, unsigned index,
                                         const uint8_t *bytes, struct sluice_error *error) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  const struct sluice_config *c = plan->config;
  struct sluice_image image = {.num_writes = 0};
  struct sluice_write write = {.table = table, .stage = stage, .index = index};
  if (!placed) return no_module(plan, vid, error);
  if (table >= SLUICE_NUM_TABLES || sluice_table_is_contents(table) ||
      table == SLUICE_TABLE_PORT_MASK || table == SLUICE_TABLE_SEGMENT16 ||
      table == SLUICE_TABLE_SEGMENT || table == SLUICE_TABLE_DEFAULT_ACTION ||
      sluice_table_is_given(table) || sluice_table_is_shared(table) ||
      sluice_tables[table].rows == SLUICE_ROWS_ids)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%s is not a table of entries of a module",
                       table < SLUICE_NUM_TABLES ? sluice_tables[table].name : "this");
  if (!sluice_table_in_stage(table, stage, c))
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED, "chip '%s' has no %s in stage %u", c->name,
                       sluice_tables[table].name, stage);
  const unsigned rows = sluice_by_match_row(table) ? placed->num_rows[stage] : 1;
  if (table == SLUICE_TABLE_MATCH && sluice_placed_behind(placed, stage))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "MATCH of stage %u: the module of VLAN %u has a %s there", stage, vid,
                       placed->table_stages >> stage & 1 ? "table" : "default action");
  if (index >= rows)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "%s of stage %u, entry %u: the module of VLAN %u has %u",
                       sluice_tables[table].name, stage, index, vid, rows);
  memcpy(write.bytes, bytes, (sluice_tables[table].bits + 7) / 8);
  memcpy(image.program, placed->program, sizeof image.program);
  SLUICE_TRY(sluice_capable(c, &image, &write, error));
  const struct sluice_segment *segment = sluice_plan_segment(plan, placed->row, stage);
  if (!segment && table == SLUICE_TABLE_ACCESS && SLUICE_GET(write.bytes, ACCESS, ENABLE))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "ACCESS of stage %u: the module of VLAN %u has no state there", stage, vid);
  if (segment && table == SLUICE_TABLE_ACCESS &&
      SLUICE_GET(write.bytes, ACCESS, PINNED) != (segment->pinned ? 1u : 0u))
    return sluice_fail(error, SLUICE_ERR_RANGE, "ACCESS of stage %u: array '%s' is %spinned", stage,
                       sluice_segment_name(segment), segment->pinned ? "" : "not ");
  const bool by_row = sluice_by_match_row(table);
  if (!sluice_plan_reserve(plan, 1, 0, 0) ||
      !sluice_plan_source_entry(placed, table, stage, index, bytes))
    return sluice_no_memory(error);
  sluice_link(&write, by_row ? sluice_plan_row(plan, placed->row, stage, index) : placed->row,
              placed, segment);
  struct sluice_write *w =
      (struct sluice_write *)(uintptr_t)sluice_plan_entry(plan, table, stage, write.index);
  if (!w) w = &plan->writes[plan->num_writes++];
  *w = write;
  return SLUICE_OK;
}

// ---- plans on the heap --------------------------------------------------------------------------

enum sluice_status sluice_plan_open(struct sluice_plan **plan, const char *chip,
                                    const struct sluice_alloc *alloc, struct sluice_error *error) {
  *plan = NULL;
  const struct sluice_config *config = sluice_config_find(chip);
  if (!config) return sluice_fail(error, SLUICE_ERR_FOREIGN, "no chip is called '%s'", chip);
  *plan = sluice_zeroed(alloc, sizeof **plan);
  if (!*plan) return sluice_no_memory(error);
  sluice_plan_init(*plan, config);
  if (alloc) (*plan)->alloc = *alloc;
  return SLUICE_OK;
}

void sluice_plan_settle(struct sluice_plan *plan) {
  sluice_plan_close(plan->before);
  plan->before = NULL;
  sluice_tables_settle(&plan->tables);
}

enum sluice_status sluice_plan_copy(struct sluice_plan **copy, const struct sluice_plan *plan,
                                    struct sluice_error *error) {
  *copy = sluice_zeroed(&plan->alloc, sizeof **copy);
  if (*copy && sluice_plan_copy_into(*copy, plan)) return SLUICE_OK;
  sluice_resize(&plan->alloc, *copy, sizeof **copy, 0);
  *copy = NULL;
  return sluice_no_memory(error);
}

void sluice_plan_close(struct sluice_plan *plan) {
  if (!plan) return;
  const struct sluice_alloc alloc = plan->alloc;
  sluice_plan_release(plan);
  sluice_resize(&alloc, plan, sizeof *plan, 0);
}

bool sluice_plan_module(const struct sluice_plan *plan, unsigned n, struct sluice_module *module) {
  if (n >= plan->num_modules) return false;
  const struct sluice_placed *m = &plan->modules[n];
  *module = (struct sluice_module){m->vid, m->row, m->program, m->first, m->pipes};
  return true;
}
