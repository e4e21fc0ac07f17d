// SPDX-License-Identifier: Apache-2.0
// Arrays by their names in the source.
#include <stdlib.h>
#include <string.h>

#include "../../base/number.h"
#include "chip.h"
#include "../../base/bytes.h"

// The segment of an array of rows, or NULL.
static const struct sluice_segment *find_rows(const struct sluice_chip *chip, unsigned row,
                                              const char *array) {
  for (size_t i = 0; i < chip->plan->num_segments; i++) {
    const struct sluice_segment *s = &chip->plan->segments[i];
    if (s->row == row && s->words && strcmp(s->rows, array) == 0) return s;
  }
  return NULL;
}

// The number behind `word`, blanks or none between; or false.
static bool number_behind(const char *text, const char *word, unsigned *number) {
  const size_t len = strlen(word);
  uint64_t value;
  if (strncmp(text, word, len) != 0) return false;
  text += len;
  while (*text == ' ') text++;
  if (!sluice_number_in(text, 0, UINT64_MAX, &value)) return false;
  *number = value < CHIP_NO_LANE ? (unsigned)value : CHIP_NO_LANE;
  return true;
}

// "lane 1" or "port 3", of an array that each output lane has.
static enum sluice_status find_lane(const struct sluice_chip *chip, const char *array,
                                    const char *at, bool egress, unsigned *lane,
                                    struct sluice_error *error) {
  const struct sluice_config *c = chip->config;
  const int len = (int)strcspn(array, "@");
  unsigned port;
  *lane = egress && c->NumPipes > 1 ? CHIP_NO_LANE : 0;
  if (!*at) return SLUICE_OK;
  if (!egress)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "array '%.*s' is there once: only those of egress functions have a lane",
                       len, array);
  if (number_behind(at + 1, "port", &port) && port < c->NumPorts) {
    *lane = sluice_port_lane(c, port);
    return SLUICE_OK;
  }
  if (number_behind(at + 1, "lane", lane) && *lane < c->NumPipes) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE,
                     "'%.80s': '%.*s@lane 0' to '@lane %u', or '%.*s@port 0' to '@port %u'", array,
                     len, array, c->NumPipes - 1, len, array, c->NumPorts - 1);
}

static bool called(const char *name, const char *array) {
  const size_t len = strcspn(array, "@");
  return strncmp(name, array, len) == 0 && !name[len];
}

enum sluice_status chip_find_array(const struct sluice_chip *chip, unsigned vid, const char *array,
                                   unsigned first, unsigned num,
                                   const struct sluice_segment **segment, unsigned *word,
                                   unsigned *lane, struct sluice_error *error) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  if (!m)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u", vid);
  for (size_t i = 0; i < chip->plan->num_segments; i++) {
    const struct sluice_segment *s = &chip->plan->segments[i];
    for (*word = 0; s->row == m->row && *word < 2; ++*word) {
      if (!s->name[*word][0] || !called(s->name[*word], array)) continue;
      *segment = s;
      CHIP_TRY(find_lane(chip, array, array + strcspn(array, "@"),
                         sluice_stage_is_egress(chip->config, s->stage), lane, error));
      if (first <= s->range && num <= s->range - first) return SLUICE_OK;
      return sluice_fail(error, SLUICE_ERR_RANGE, "array '%s' has %u entries, not %u from %u on",
                         array, s->range, num, first);
    }
  }
  if (find_rows(chip, m->row, array))
    return sluice_fail(error, SLUICE_ERR_RANGE, "array '%s' has rows of words, not entries", array);
  return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "module '%s' (VLAN %u) has no array '%s'",
                     m->program, vid, array);
}

bool sluice_chip_get_array(const struct sluice_chip *chip, unsigned vid, unsigned n,
                           struct sluice_image_array *array) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  for (unsigned stage = 0; m && stage < sluice_config_stages(chip->config); stage++)
    for (size_t i = 0; i < chip->plan->num_segments; i++) {
      const struct sluice_segment *s = &chip->plan->segments[i];
      for (unsigned word = 0; s->row == m->row && s->stage == stage && word < 2; word++) {
        if (!s->name[word][0] || n--) continue;
        *array = (struct sluice_image_array){s->name[word],
                                             stage,
                                             word,
                                             s->range,
                                             (int32_t)(word ? s->s2 : s->s1),
                                             s->pinned,
                                             sluice_stage_is_egress(chip->config, stage)};
        return true;
      }
    }
  return false;
}

// Indices of the module are at home while its state is read or written; a chip with marks finds
// them wherever they are.
static enum sluice_status call_home(struct sluice_chip *chip, const struct sluice_segment *s,
                                    struct sluice_error *error) {
  return chip->config->Marks || sluice_stage_is_egress(chip->config, s->stage)
             ? SLUICE_OK
             : chip_recall(chip, UINT32_C(1) << s->row, error);
}
static enum sluice_status move_again(struct sluice_chip *chip, const struct sluice_segment *s,
                                     struct sluice_error *error) {
  return chip->config->Marks || sluice_stage_is_egress(chip->config, s->stage)
             ? SLUICE_OK
             : chip_move_again(chip, UINT32_C(1) << s->row, error);
}

static uint32_t word_of(const uint8_t *entry, unsigned word) {
  return (uint32_t)(word ? SLUICE_GET(entry, STATE_ENTRY, S2) : SLUICE_GET(entry, STATE_ENTRY, S1));
}

// Queries of several arrays, and where both words of their entries go; NULL: one is not wanted.
enum { SOME = 32 };
struct words {
  struct chip_query query[SOME];
  unsigned num;
  uint32_t *to[SOME][2];
};

static void take_words(void *user, size_t n, const struct sluice_reconfig *answer) {
  const struct words *w = user;
  for (unsigned word = 0; word < 2; word++)
    for (unsigned i = 0; w->to[n][word] && i < w->query[n].count; i++)
      w->to[n][word][i] = word_of(sluice_reconfig_entry(answer, i), word);
}

// Two arrays that share entries come with one answer.
static bool joins(struct words *w, const struct chip_query *q, unsigned word, uint32_t *to) {
  for (unsigned n = 0; n < w->num; n++) {
    const struct chip_query *o = &w->query[n];
    if (o->copy != q->copy || o->stage != q->stage || o->row != q->row || o->index != q->index ||
        o->count != q->count || w->to[n][word])
      continue;
    w->to[n][word] = to;
    return true;
  }
  return false;
}

static enum sluice_status flush(struct sluice_chip *chip, struct words *w,
                                struct sluice_error *error) {
  const unsigned num = w->num;
  w->num = 0;
  return chip_query_all(chip, w->query, num, take_words, w, error);
}

enum sluice_status chip_read_parts(struct sluice_chip *chip, enum sluice_table table,
                                   const struct chip_part *parts, unsigned num,
                                   struct sluice_error *error) {
  const unsigned block = chip_query_max(chip, table);
  struct words w = {.num = 0};
  for (unsigned i = 0; i < num; i++) {
    const struct chip_part *p = &parts[i];
    for (unsigned at = 0; at < p->num; at += block) {
      const unsigned n = p->num - at < block ? p->num - at : block;
      const struct chip_query q = {table, p->segment->stage, p->first + at,
                                   n,     p->lane,           chip_bank_row(chip, p->segment->row)};
      if (joins(&w, &q, p->word, p->values + at)) continue;
      w.query[w.num] = q;
      w.to[w.num][p->word] = p->values + at;
      w.to[w.num++][!p->word] = NULL;
      if (w.num == SOME) CHIP_TRY(flush(chip, &w, error));
    }
  }
  return flush(chip, &w, error);
}

// Reads them by READs of table STATE or CUT.
static enum sluice_status chip_read_words(struct sluice_chip *chip, enum sluice_table table,
                                          const struct sluice_segment *s, unsigned word,
                                          unsigned lane, unsigned first, unsigned num,
                                          uint32_t *values, struct sluice_error *error) {
  const struct chip_part part = {s, word, first, num, lane, values};
  return chip_read_parts(chip, table, &part, 1, error);
}

enum sluice_status sluice_chip_state_read(struct sluice_chip *chip, unsigned vid, const char *array,
                                          unsigned first, unsigned num, uint32_t *values,
                                          struct sluice_error *error) {
  const struct sluice_segment *segment;
  unsigned word, lane;
  CHIP_TRY(chip_resolve(chip, error));
  CHIP_TRY(chip_find_array(chip, vid, array, first, num, &segment, &word, &lane, error));
  if (lane == CHIP_NO_LANE)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "each output lane has an array '%.80s' of its own: which one? '%.80s@lane "
                       "0' or, by a port of it, '%.80s@port 0'",
                       array, array, array);
  CHIP_TRY(call_home(chip, segment, error));
  const enum sluice_status status =
      chip_read_words(chip, SLUICE_TABLE_STATE, segment, word, lane, first, num, values, error);
  const enum sluice_status again = move_again(chip, segment, status ? NULL : error);
  return status ? status : again;
}

// Sends a frame with one write. *sure: it need not be read back. Where nothing has ever been lost
// or damaged the count is enough: packets may change the entry before it is read back.
static enum sluice_status send_write(struct sluice_chip *chip, bool *sure,
                                     struct sluice_error *error) {
  struct chip_counts before;
  bool arrived;
  CHIP_TRY(chip_counts(chip, &before, error));
  CHIP_TRY(chip_send(chip, error));
  CHIP_TRY(chip_arrive(chip, &before, 1, false, &arrived, error));
  const bool sound = chip->line.resent == 0 && chip->line.rejected == 0 &&
                     chip->line.unanswered == 0;
  *sure = arrived && (sound || chip->options.verify == SLUICE_VERIFY_COUNT);
  return SLUICE_OK;
}

// One entry, with the other array's word as it is: of an egress stage, in lane 0. All lanes get it
// there, and all are looked at.
static enum sluice_status write_one(struct sluice_chip *chip, const struct sluice_segment *s,
                                    unsigned word, unsigned index, uint32_t value,
                                    struct sluice_error *error) {
  struct sluice_reconfig answer;
  struct chip_query q = {SLUICE_TABLE_STATE, s->stage, index, 1, 0, chip_bank_row(chip, s->row)};
  const unsigned lanes = sluice_stage_is_egress(chip->config, s->stage) ? chip->config->NumPipes
                                                                        : 1;
  for (unsigned n = 0; n < chip->options.tries; n++) {
    bool sure, there = true;
    uint32_t other = 0;
    for (q.copy = 0; q.copy < (n ? lanes : 1); q.copy++) {
      CHIP_TRY(chip_query(chip, &q, &answer, error));
      const uint8_t *entry = sluice_reconfig_entry(&answer, 0);
      there &= word_of(entry, word) == value;
      if (q.copy == 0) other = word_of(entry, !word);
    }
    // Read back at the second turn: only what is not there is written again.
    if (n && there) return SLUICE_OK;
    if (n) chip->line.resent++;
    sluice_reconfig_state_write(&chip->frame, s->stage, chip_bank_row(chip, s->row), index,
                                word ? other : value, word ? value : other);
    CHIP_TRY(send_write(chip, &sure, error));
    if (sure) return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_DIFFERS,
                     "entry %u of '%s' is not as wanted, though written %u times", index,
                     s->name[word], chip->options.tries);
}

// The chip writes entries of egress stages in all output lanes.
static enum sluice_status all_lanes(const struct sluice_chip *chip, const char *array,
                                    struct sluice_error *error) {
  if (!strchr(array, '@') || chip->config->NumPipes == 1) return SLUICE_OK;
  return sluice_fail(
      error, SLUICE_ERR_RANGE,
      "'%.80s': the chip writes such entries in all output lanes: name the array without a lane",
      array);
}

enum sluice_status sluice_chip_state_write(struct sluice_chip *chip, unsigned vid,
                                           const char *array, unsigned first, unsigned num,
                                           const uint32_t *values, struct sluice_error *error) {
  const struct sluice_segment *segment;
  unsigned word, lane;
  CHIP_TRY(chip_resolve(chip, error));
  CHIP_TRY(chip_find_array(chip, vid, array, first, num, &segment, &word, &lane, error));
  CHIP_TRY(all_lanes(chip, array, error));
  CHIP_TRY(call_home(chip, segment, error));
  enum sluice_status status = SLUICE_OK;
  for (unsigned n = 0; !status && n < num; n++)
    status = write_one(chip, segment, word, first + n, values[n], error);
  const enum sluice_status again = move_again(chip, segment, status ? NULL : error);
  return status ? status : again;
}

// ---- all of a segment ---------------------------------------------------------------------------

static void put_entry(struct sluice_chip *chip, const struct sluice_segment *s, unsigned index,
                      const uint32_t *words) {
  sluice_reconfig_state_write(&chip->frame, s->stage, chip_bank_row(chip, s->row), index, words[0],
                              words[1]);
}

// Written until it is read back.
static enum sluice_status put_surely(struct sluice_chip *chip, const struct sluice_segment *s,
                                     unsigned index, const uint32_t *words,
                                     struct sluice_error *error) {
  const struct chip_query q = {SLUICE_TABLE_STATE,         s->stage, index, 1, 0,
                               chip_bank_row(chip, s->row)};
  for (unsigned n = 0; n < chip->options.tries; n++) {
    struct sluice_reconfig answer;
    bool sure;
    if (n) chip->line.resent++;
    put_entry(chip, s, index, words);
    CHIP_TRY(send_write(chip, &sure, error));
    if (sure) return SLUICE_OK;
    CHIP_TRY(chip_query(chip, &q, &answer, error));
    const uint8_t *entry = sluice_reconfig_entry(&answer, 0);
    if (word_of(entry, 0) == words[0] && word_of(entry, 1) == words[1]) return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_DIFFERS,
                     "entry %u of '%s' is not as wanted, though written %u times", index,
                     sluice_segment_name(s), chip->options.tries);
}

enum { PUT_SOME = 64 };
struct some {
  unsigned num, index[PUT_SOME];
  uint32_t words[PUT_SOME][2];
};

static enum sluice_status put_some(struct sluice_chip *chip, const struct sluice_segment *s,
                                   struct some *some, struct sluice_error *error) {
  struct chip_counts before;
  bool sure = false;
  const unsigned num = some->num;
  some->num = 0;
  if (!num) return SLUICE_OK;
  CHIP_TRY(chip_counts(chip, &before, error));
  for (unsigned n = 0; n < num; n++) {
    put_entry(chip, s, some->index[n], some->words[n]);
    CHIP_TRY(chip_send(chip, error));
  }
  CHIP_TRY(chip_arrive(chip, &before, num, false, &sure, error));
  const bool sound = chip->line.resent == 0 && chip->line.rejected == 0 &&
                     chip->line.unanswered == 0;
  for (unsigned n = 0; !(sure && sound) && n < num; n++)
    CHIP_TRY(put_surely(chip, s, some->index[n], some->words[n], error));
  return SLUICE_OK;
}

enum sluice_status chip_state_put(struct sluice_chip *chip, const struct sluice_segment *s,
                                  const uint32_t *s1, const uint32_t *s2,
                                  struct sluice_error *error) {
  struct some some = {.num = 0};
  enum sluice_status status = call_home(chip, s, error);
  if (status) return status;
  for (unsigned i = 0; !status && i < s->range; i++) {
    const uint32_t words[2] = {s1 ? s1[i] : s->s1, s2 ? s2[i] : s->s2};
    if (words[0] == s->s1 && words[1] == s->s2) continue;
    some.index[some.num] = i;
    memcpy(some.words[some.num++], words, sizeof words);
    if (some.num == PUT_SOME) status = put_some(chip, s, &some, error);
  }
  if (!status) status = put_some(chip, s, &some, error);
  const enum sluice_status again = move_again(chip, s, status ? NULL : error);
  return status ? status : again;
}

// What the word beside an array that is alone in its entries has held since the segment was filled.
static uint32_t beside(const struct sluice_segment *s, unsigned word) {
  return (uint32_t)(word ? s->s1 : s->s2);
}

// All frames, then their count. *sure: all have taken effect.
static enum sluice_status post(struct sluice_chip *chip, const struct sluice_segment *s,
                               unsigned word, unsigned num, const unsigned *index,
                               const uint32_t *words, bool *sure, struct sluice_error *error) {
  struct chip_counts before;
  CHIP_TRY(chip_counts(chip, &before, error));
  for (unsigned n = 0; n < num; n++) {
    const uint32_t other = beside(s, word);
    sluice_reconfig_state_write(&chip->frame, s->stage, chip_bank_row(chip, s->row), index[n],
                                word ? other : words[n], word ? words[n] : other);
    CHIP_TRY(chip_send(chip, error));
  }
  CHIP_TRY(chip_arrive(chip, &before, num, false, sure, error));
  return SLUICE_OK;
}

static enum sluice_status scatter(struct sluice_chip *chip, const struct sluice_segment *s,
                                  unsigned word, unsigned num, const unsigned *index,
                                  const uint32_t *words, struct sluice_error *error) {
  const bool alone = !s->name[!word][0], sound = chip->line.resent == 0 &&
                                                 chip->line.rejected == 0 &&
                                                 chip->line.unanswered == 0;
  bool sure = false;
  if (alone && sound && num > 1) CHIP_TRY(post(chip, s, word, num, index, words, &sure, error));
  for (unsigned n = 0; !sure && n < num; n++)
    CHIP_TRY(write_one(chip, s, word, index[n], words[n], error));
  return SLUICE_OK;
}

enum sluice_status sluice_chip_state_scatter(struct sluice_chip *chip, unsigned vid,
                                             const char *array, unsigned num, const unsigned *index,
                                             const uint32_t *words, struct sluice_error *error) {
  const struct sluice_segment *segment;
  unsigned word, lane;
  if (!num) return SLUICE_OK;
  CHIP_TRY(chip_resolve(chip, error));
  for (unsigned n = 0; n < num; n++)
    CHIP_TRY(chip_find_array(chip, vid, array, index[n], 1, &segment, &word, &lane, error));
  CHIP_TRY(all_lanes(chip, array, error));
  CHIP_TRY(call_home(chip, segment, error));
  const enum sluice_status status = scatter(chip, segment, word, num, index, words, error);
  const enum sluice_status again = move_again(chip, segment, status ? NULL : error);
  return status ? status : again;
}

// ---- one pipeline -------------------------------------------------------------------------------

static enum sluice_status read_access(struct sluice_chip *chip, const struct sluice_segment *s,
                                      uint8_t *bytes, struct sluice_error *error) {
  const unsigned row = chip_bank_row(chip, s->row);
  struct sluice_reconfig answer;
  CHIP_TRY(chip_query(chip, &(struct chip_query){SLUICE_TABLE_ACCESS, s->stage, row, 1, 0, row},
                      &answer, error));
  memcpy(bytes, sluice_reconfig_entry(&answer, 0), sluice_table_bytes(SLUICE_TABLE_ACCESS));
  return SLUICE_OK;
}

// `view` NULL: as planned.
static enum sluice_status put_view(struct sluice_chip *chip, const struct sluice_segment *s,
                                   const unsigned *view, struct sluice_error *error) {
  const unsigned row = chip_bank_row(chip, s->row);
  uint8_t now[SLUICE_ENTRY_BYTES], wanted[SLUICE_ENTRY_BYTES];
  CHIP_TRY(read_access(chip, s, now, error));
  if (SLUICE_GET(now, ACCESS, ENABLE))
    return sluice_fail(error, SLUICE_ERR_RANGE, "packets access array '%s'", s->name[0]);
  memcpy(wanted, now, sizeof wanted);
  SLUICE_SETS(wanted, ACCESS, (PINNED, view || s->pinned), (PIPE, view ? *view : s->pipe));
  for (unsigned n = 0; n < chip->options.tries; n++) {
    bool sure;
    if (memcmp(now, wanted, sluice_table_bytes(SLUICE_TABLE_ACCESS)) == 0) return SLUICE_OK;
    if (n) chip->line.resent++;
    sluice_reconfig_begin(&chip->frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_ACCESS, s->stage, row);
    SLUICE_RECONFIG_SET(&chip->frame, ROW, row);
    sluice_reconfig_append(&chip->frame, SLUICE_TABLE_ACCESS, wanted);
    sluice_reconfig_finish(&chip->frame);
    CHIP_TRY(send_write(chip, &sure, error));
    if (sure) return SLUICE_OK;
    CHIP_TRY(read_access(chip, s, now, error));
  }
  return sluice_fail(error, SLUICE_ERR_DIFFERS, "ACCESS of array '%s' is not as wanted",
                     s->name[0]);
}

enum sluice_status sluice_chip_state_view(struct sluice_chip *chip, unsigned vid, const char *array,
                                          int pipe, struct sluice_error *error) {
  const struct sluice_segment *segment;
  unsigned word, lane;
  const unsigned view = pipe < 0 ? 0 : (unsigned)pipe;
  CHIP_TRY(chip_resolve(chip, error));
  CHIP_TRY(chip_find_array(chip, vid, array, 0, 1, &segment, &word, &lane, error));
  CHIP_TRY(all_lanes(chip, array, error));
  if (pipe >= 0 &&
      (segment->pinned || view < segment->pipe || view >= segment->pipe + segment->pipes))
    return sluice_fail(error, SLUICE_ERR_RANGE, "array '%s' is not spread over pipeline %u", array,
                       view);
  // As for a SEGMENT entry no index of the module is away while it is written.
  CHIP_TRY(chip_recall(chip, UINT32_C(1) << segment->row, error));
  const enum sluice_status status = put_view(chip, segment, pipe < 0 ? NULL : &view, error);
  const enum sluice_status again =
      chip_move_again(chip, UINT32_C(1) << segment->row, status ? NULL : error);
  return status ? status : again;
}

// ---- rows ---------------------------------------------------------------------------------------

bool sluice_chip_get_rows(const struct sluice_chip *chip, unsigned vid, unsigned n,
                          struct sluice_image_rows *rows) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  for (unsigned stage = 0; m && stage < chip->config->StateStages; stage++)
    for (size_t i = 0; i < chip->plan->num_segments; i++) {
      const struct sluice_segment *s = &chip->plan->segments[i];
      if (s->row != m->row || s->stage != stage || !s->words || n--) continue;
      *rows = (struct sluice_image_rows){s->rows, stage, s->range, s->words, s->pinned};
      return true;
    }
  return false;
}

static enum sluice_status named_rows(const struct sluice_chip *chip, unsigned vid,
                                     const char *array, unsigned first, unsigned num,
                                     const struct sluice_segment **segment,
                                     struct sluice_error *error) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  if (!m)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u", vid);
  const struct sluice_segment *s = *segment = find_rows(chip, m->row, array);
  if (!s)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND,
                       "module '%s' (VLAN %u) has no array of rows '%s'", m->program, vid, array);
  if (first <= s->range && num <= s->range - first) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE, "array '%s' has %u rows, not %u from %u on", array,
                     s->range, num, first);
}

static enum sluice_status read_rows(struct sluice_chip *chip, const struct sluice_segment *s,
                                    unsigned first, unsigned num, uint32_t *words,
                                    struct sluice_error *error) {
  const unsigned block = chip_query_max(chip, SLUICE_TABLE_STATE_ROW);
  struct sluice_reconfig answer;
  for (unsigned at = 0; at < num; at += block) {
    const struct chip_query q = {
        SLUICE_TABLE_STATE_ROW,     s->stage, first + at, num - at < block ? num - at : block, 0,
        chip_bank_row(chip, s->row)};
    CHIP_TRY(chip_query(chip, &q, &answer, error));
    for (unsigned n = 0; n < q.count; n++)
      for (unsigned w = 0; w < s->words; w++)
        words[(size_t)(at + n) * s->words + w] =
            sluice_get32(sluice_reconfig_entry(&answer, n) + 4 * w);
  }
  return SLUICE_OK;
}

enum sluice_status sluice_chip_rows_read(struct sluice_chip *chip, unsigned vid, const char *array,
                                         unsigned first, unsigned num, uint32_t *words,
                                         struct sluice_error *error) {
  const struct sluice_segment *segment;
  CHIP_TRY(chip_resolve(chip, error));
  CHIP_TRY(named_rows(chip, vid, array, first, num, &segment, error));
  CHIP_TRY(call_home(chip, segment, error));
  const enum sluice_status status = read_rows(chip, segment, first, num, words, error);
  const enum sluice_status again = move_again(chip, segment, status ? NULL : error);
  return status ? status : again;
}

static enum sluice_status write_row(struct sluice_chip *chip, const struct sluice_segment *s,
                                    unsigned index, const uint32_t *words,
                                    struct sluice_error *error) {
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  uint32_t got[SLUICE_STATE_ROW_BITS / 32];
  for (unsigned w = 0; w < s->words; w++) sluice_put32(entry + 4 * w, words[w]);
  for (unsigned n = 0; n < chip->options.tries; n++) {
    bool sure;
    // Only what is not there is written again.
    if (n) {
      CHIP_TRY(read_rows(chip, s, index, 1, got, error));
      if (memcmp(got, words, s->words * sizeof got[0]) == 0) return SLUICE_OK;
      chip->line.resent++;
    }
    sluice_reconfig_begin(&chip->frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_STATE_ROW, s->stage,
                          index);
    SLUICE_RECONFIG_SET(&chip->frame, ROW, chip_bank_row(chip, s->row));
    sluice_reconfig_append(&chip->frame, SLUICE_TABLE_STATE_ROW, entry);
    CHIP_TRY(sluice_reconfig_finish(&chip->frame));
    CHIP_TRY(send_write(chip, &sure, error));
    if (sure) return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_DIFFERS,
                     "row %u of '%s' is not as wanted, though written %u times", index, s->rows,
                     chip->options.tries);
}

enum sluice_status sluice_chip_rows_write(struct sluice_chip *chip, unsigned vid, const char *array,
                                          unsigned first, unsigned num, const uint32_t *words,
                                          struct sluice_error *error) {
  const struct sluice_segment *segment;
  CHIP_TRY(chip_resolve(chip, error));
  CHIP_TRY(named_rows(chip, vid, array, first, num, &segment, error));
  CHIP_TRY(call_home(chip, segment, error));
  enum sluice_status status = SLUICE_OK;
  for (unsigned n = 0; !status && n < num; n++)
    status = write_row(chip, segment, first + n, words + (size_t)n * segment->words, error);
  const enum sluice_status again = move_again(chip, segment, status ? NULL : error);
  return status ? status : again;
}
