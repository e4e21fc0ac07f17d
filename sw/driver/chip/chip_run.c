// SPDX-License-Identifier: Apache-2.0
// The control packets of a procedure: sent, counted, read back, sent again until the chip holds
// what it should.
#include <string.h>

#include "../image/capability.h"
#include "chip.h"
#include "../wire/pack.h"
#include "../plan/table_diff.h"

struct run {
  struct sluice_chip *chip;
  const struct chip_expect *expect;  // what the chip shall hold afterwards
  const struct sluice_change *list;  // packets all of them
  size_t num;
  bool *wrong;      // by change: must be sent again
  bool *ahead;      // of fills: the ends of the segment have had another value before
  bool suspicious;  // something was lost, damaged, or more than was sent
  struct sluice_error *error;
};

static enum sluice_status out_of_order(struct run *r) {
  return sluice_fail(r->error, SLUICE_ERR_IO, "control packets do not arrive");
}

// Sends the changes [from, to) of which `only` (NULL: all) says so, and waits until they have taken
// effect.
static enum sluice_status send(struct run *r, size_t from, size_t to, const bool *only) {
  struct chip_counts before;
  unsigned sent = 0;
  bool arrived = true, fills = r->chip->unsure;
  CHIP_TRY(chip_counts(r->chip, &before, r->error));
  for (size_t i = from; i < to;) {
    size_t n = 1;
    if (only && !only[i]) {
      i++;
      continue;
    }
    if (only)
      while (i + n < to && only[i + n]) n++;
    else n = to - i;
    i += sluice_pack(&r->chip->frame, &r->list[i], n, r->chip->to->frame_max);
    CHIP_TRY(chip_send(r->chip, r->error));
    if (only) r->chip->line.resent++;
    sent++;
  }
  for (size_t i = from; i < to; i++) fills |= r->list[i].kind == SLUICE_CHANGE_FILL;
  if (sent) CHIP_TRY(chip_arrive(r->chip, &before, sent, fills, &arrived, r->error));
  if (!arrived) r->suspicious = true;
  return SLUICE_OK;
}

enum { FILLS = 2 };  // phase

// What must not overtake: fills need their segments, match rows and all else that names a row of
// actions these rows, MODULE entries everything.
static unsigned phase(const struct run *r, const struct sluice_change *c) {
  if (c->kind == SLUICE_CHANGE_ERASE) return 0;
  if (c->kind == SLUICE_CHANGE_FILL) return FILLS;
  switch (c->table) {
    case SLUICE_TABLE_MATCH:
    case SLUICE_TABLE_TERNARY:
    case SLUICE_TABLE_CUCKOO:
    case SLUICE_TABLE_ARRAY_MATCH:
    case SLUICE_TABLE_DEFAULT_ACTION: return r->expect->hidden ? 1 : 3;
    case SLUICE_TABLE_MODULE: return 4;
    default: return 1;
  }
}

// Where every entry is read back, and nothing was lost so far.
static enum sluice_status before_fills(struct run *r, size_t from, size_t to) {
  const uint64_t unanswered = r->chip->line.unanswered;
  if (r->chip->options.verify == SLUICE_VERIFY_COUNT) return SLUICE_OK;
  for (size_t i = from; i < to && !r->suspicious; i++) {
    bool sound;
    CHIP_TRY(chip_fill_ahead(r->chip, &r->list[i], &r->ahead[i], &sound, r->error));
    if (!sound || r->chip->line.unanswered != unanswered) r->suspicious = true;
  }
  return SLUICE_OK;
}

static enum sluice_status send_all(struct run *r, const bool *only) {
  for (size_t from = 0, to; from < r->num; from = to) {
    for (to = from + 1; to < r->num && phase(r, &r->list[to]) == phase(r, &r->list[from]); to++) {}
    if (!only && phase(r, &r->list[from]) == FILLS) CHIP_TRY(before_fills(r, from, to));
    CHIP_TRY(send(r, from, to, only));
  }
  return SLUICE_OK;
}

// So many entries from number `i` on are read back with one question: those of match engines, which
// are many, in rising order and not too far from each other.
static size_t together(const struct run *r, size_t i) {
  enum { GAP = 16 };
  const struct sluice_change *first = &r->list[i];
  const unsigned most = chip_query_max(r->chip, (enum sluice_table)first->table);
  size_t n = 1;
  for (; sluice_change_of_engine(first) && i + n < r->num; n++) {
    const struct sluice_change *c = &r->list[i + n];
    if (!sluice_change_of_engine(c) || c->table != first->table || c->stage != first->stage ||
        c->index < c[-1].index || c->index - c[-1].index > GAP || c->index - first->index >= most)
      break;
  }
  return n;
}

// Questions under way, and which changes each is about.
enum { SOME = 32 };
struct checks {
  struct run *r;
  struct chip_query query[SOME];
  size_t at[SOME], len[SOME], *bad;
  unsigned num;
};

static void check_answer(void *user, size_t n, const struct sluice_reconfig *answer) {
  const struct checks *c = user;
  const struct run *r = c->r;
  const struct sluice_config *config = r->chip->config;
  const struct chip_query *q = &c->query[n];
  uint8_t expected[SLUICE_ENTRY_BYTES];
  for (size_t k = c->at[n]; k < c->at[n] + c->len[n]; k++) {
    const unsigned at = r->list[k].index;
    chip_expect(config, r->expect, q->table, q->stage, at, expected);
    r->wrong[k] =
        !chip_holds(config, q->table, sluice_reconfig_entry(answer, at - q->index), expected);
    *c->bad += r->wrong[k];
  }
}

static enum sluice_status flush(struct checks *c) {
  const unsigned num = c->num;
  c->num = 0;
  return chip_query_all(c->r->chip, c->query, num, check_answer, c, c->r->error);
}

// Reads every entry of the run back; *bad counts those that are not as they should be.
static enum sluice_status check_entries(struct run *r, size_t *bad) {
  struct checks c = {.r = r, .bad = bad};
  *bad = 0;
  for (size_t i = 0, n; i < r->num; i += n) {
    const struct sluice_change *first = &r->list[i];
    const enum sluice_table table = (enum sluice_table)first->table;
    n = 1;
    r->wrong[i] = false;
    if (first->kind == SLUICE_CHANGE_FILL) continue;
    n = together(r, i);
    c.query[c.num] = (struct chip_query){
        table, first->stage, first->index, r->list[i + n - 1].index - first->index + 1, 0, 0};
    c.at[c.num] = i;
    c.len[c.num++] = n;
    if (c.num == SOME) CHIP_TRY(flush(&c));
  }
  return flush(&c);
}

static enum sluice_status check_fills(struct run *r, size_t *bad) {
  *bad = 0;
  for (size_t i = 0; i < r->num; i++) {
    const struct sluice_change *c = &r->list[i];
    bool filled = true;
    r->wrong[i] = false;
    if (c->kind == SLUICE_CHANGE_FILL)
      CHIP_TRY(chip_filled(r->chip, c, r->ahead[i] && !r->suspicious, &filled, r->error));
    r->wrong[i] = !filled;
    *bad += r->wrong[i];
  }
  return SLUICE_OK;
}

// Counts alone: what is missing cannot be told, so everything is sent again.
static enum sluice_status until_counted(struct run *r) {
  for (unsigned n = 0; n < r->chip->options.tries; n++) {
    r->suspicious = false;
    CHIP_TRY(send_all(r, NULL));
    if (!r->suspicious) return SLUICE_OK;
    r->chip->line.resent += r->num;
  }
  return out_of_order(r);
}

// Once anything was suspicious, a packet may have changed an entry that it was not meant for, or a
// read-back may have been damaged into something else: then all tables must be found right twice,
// one time after the other.
static enum sluice_status until_read(struct run *r) {
  struct sluice_error first = {""};
  unsigned clean = 0;
  CHIP_TRY(send_all(r, NULL));
  for (unsigned n = 0; n < r->chip->options.tries; n++) {
    const uint64_t unanswered = r->chip->line.unanswered;
    size_t bad = 0;
    unsigned wrong = 0;
    CHIP_TRY(check_entries(r, &bad));
    if (bad) CHIP_TRY(send_all(r, r->wrong));
    if (!bad && (r->suspicious || r->chip->line.unanswered != unanswered)) {
      r->suspicious = true;
      CHIP_TRY(chip_compare(r->chip, r->expect, 1, true, &wrong, &first, r->error));
    }
    if (!bad && !wrong) {
      CHIP_TRY(check_fills(r, &bad));
      if (bad) CHIP_TRY(send_all(r, r->wrong));
    }
    if (r->chip->line.unanswered != unanswered) r->suspicious = true;
    if (bad || wrong) {
      r->suspicious = true;
      clean = 0;
    } else if (!r->suspicious || ++clean == 2) {
      return SLUICE_OK;
    }
  }
  return sluice_fail(r->error, SLUICE_ERR_DIFFERS,
                     "the tables are not as wanted, though written %u times%s%.200s",
                     r->chip->options.tries, first.text[0] ? "; at first: " : "", first.text);
}

// Homes are found when SEGMENT is written, and contents where they live: indices of these modules
// must be at home. Where nothing is sure any entry may have to be written again.
static uint32_t rows_at_home(const struct sluice_chip *chip, const struct sluice_change *list,
                             size_t num) {
  const unsigned modules = chip->config->NumModules;
  uint32_t rows = chip->unsure ? chip_all_rows(chip) : 0;
  for (size_t i = 0; i < num; i++) {
    if (list[i].kind == SLUICE_CHANGE_FILL) rows |= UINT32_C(1) << list[i].row % modules;
    else if (list[i].table == SLUICE_TABLE_SEGMENT || list[i].table == SLUICE_TABLE_ACCESS)
      rows |= UINT32_C(1) << list[i].index % modules;
  }
  return rows;
}

static enum sluice_status run_list(struct sluice_chip *chip, const struct chip_expect *expect,
                                   const struct sluice_change *list, size_t num,
                                   struct sluice_error *error) {
  struct run r = {.chip = chip,
                  .expect = expect,
                  .list = list,
                  .num = num,
                  .suspicious = chip->unsure,
                  .error = error};
  const uint32_t rows = rows_at_home(chip, list, num);
  if (rows) CHIP_TRY(chip_recall(chip, rows, error));
  CHIP_TRY(chip_counts_before(chip, list, num, error));
  r.wrong = sluice_zeroed(&chip->alloc, 2 * (num + 1) * sizeof *r.wrong);
  enum sluice_status status = SLUICE_OK;
  if (!r.wrong) {
    status = sluice_no_memory(error);
  } else {
    r.ahead = r.wrong + num + 1;
    status = chip->options.verify == SLUICE_VERIFY_COUNT && !chip->unsure ? until_counted(&r)
                                                                          : until_read(&r);
  }
  if (!status) chip->unsure = false;
  sluice_resize(&chip->alloc, r.wrong, 2 * (num + 1) * sizeof *r.wrong, 0);
  const enum sluice_status again = rows ? chip_move_again(chip, rows, status ? NULL : error)
                                        : SLUICE_OK;
  return status ? status : again;
}

enum sluice_status chip_run(struct sluice_chip *chip, const struct chip_expect *expect,
                            const struct sluice_change *list, size_t num,
                            struct sluice_error *error) {
  struct chip_expect found = *expect;
  enum sluice_status status = SLUICE_OK;
  if (!chip_index_make(&found.by_list, expect->list, expect->num, false, &chip->alloc) ||
      !chip_index_make(&found.by_ahead, expect->ahead, expect->num_ahead, true, &chip->alloc))
    status = sluice_no_memory(error);
  if (!status) status = run_list(chip, &found, list, num, error);
  chip_index_release(&found.by_list, &chip->alloc);
  chip_index_release(&found.by_ahead, &chip->alloc);
  return status;
}

enum sluice_status chip_run_steps(struct sluice_chip *chip, const struct sluice_plan *plan,
                                  const struct sluice_change *list, size_t num, size_t *started,
                                  struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  if (started) *started = 0;
  for (size_t from = 0, to; from < num && !status; from = to) {
    for (to = from + 1; to < num && list[to].step == list[from].step; to++) {}
    if (started) *started = to;
    const struct chip_expect expect = {.plan = plan, .ahead = list + to, .num_ahead = num - to};
    status = chip_run(chip, &expect, list + from, to - from, error);
  }
  return status;
}
