// SPDX-License-Identifier: Apache-2.0
// The control port: packets that may be lost, doubled, reordered or damaged on the way, there and
// back.
#include <string.h>

#include "chip.h"

enum {
  STALE_ANSWERS = 1000,
  AT_ONCE = 8,  // questions under way
  HEAD = SLUICE_RECONFIG_ENTRIES_AT - SLUICE_RECONFIG_AT,
};

enum sluice_status chip_send(struct sluice_chip *chip, struct sluice_error *error) {
  if (chip->frame.len == 0)
    return sluice_fail(error, SLUICE_ERR_RANGE, "a number does not fit into a control packet");
  chip->line.sent++;
  return chip->to->ops->control_send(chip->to->self, chip->frame.bytes, chip->frame.len, error);
}

enum sluice_status chip_counts(struct sluice_chip *chip, struct chip_counts *counts,
                               struct sluice_error *error) {
  uint32_t both[2];
  CHIP_TRY(chip_read_many(chip, CHIP_REG(CHIP, 0, RECONFIG_COUNT), 2, both, error));
  *counts = (struct chip_counts){both[0], both[1]};
  // Nothing but a reset takes it back.
  if ((int32_t)(counts->good - chip->counted) < 0) chip->was_reset = true;
  chip->counted = counts->good;
  return chip->was_reset
             ? sluice_fail(error, SLUICE_ERR_IO, "the chip was reset, and not from here")
             : SLUICE_OK;
}

enum sluice_status chip_arrive(struct sluice_chip *chip, const struct chip_counts *before,
                               unsigned num, bool fills, bool *arrived,
                               struct sluice_error *error) {
  struct chip_counts now = *before, last;
  uint32_t status = 0;
  *arrived = false;
  for (unsigned idle = 0; idle < CHIP_IDLE_POLLS;) {
    last = now;
    CHIP_TRY(chip_counts(chip, &now, error));
    if (fills) CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, STATUS), &status, error));
    const uint32_t good = now.good - before->good, bad = now.bad - before->bad;
    if (good + bad >= num && !(status & 2)) {
      // The status may have been read just before a fill began: the count comes when it has taken
      // effect.
      *arrived = good == num && bad == 0;
      break;
    }
    const bool moved = now.good != last.good || now.bad != last.bad || (status & 2);
    idle = moved ? 0 : idle + 1;
    CHIP_TRY(chip->to->ops->wait(chip->to->self, CHIP_POLL_CYCLES, error));
  }
  chip->line.rejected += now.bad - before->bad;
  return SLUICE_OK;
}

unsigned chip_query_max(const struct sluice_chip *chip, enum sluice_table table) {
  const unsigned most =
      (unsigned)((chip->to->frame_max - SLUICE_RECONFIG_ENTRIES_AT) / sluice_table_stride(table));
  return most < 128 ? most : 128;
}

// Whether an answer is the one to a frame whose bytes 46 to 63 are `asked`: the same, but for OP.
static bool answers_to(const struct sluice_chip *chip, const uint8_t *asked,
                       const struct sluice_reconfig *a) {
  const uint8_t *got = chip->answer.bytes + SLUICE_RECONFIG_AT;
  uint8_t head[HEAD];
  memcpy(head, asked, sizeof head);
  SLUICE_SET(head, RECONFIG, OP, a->op);
  // What no field stands for is nobody's.
  SLUICE_SET(head, RECONFIG, COOKIE, SLUICE_GET(got, RECONFIG, COOKIE));
  return (a->op == SLUICE_CHAIN_ANSWER || a->op == SLUICE_CHAIN_REFUSED) &&
         memcmp(head, got, 14) == 0;
}

// To chip->frame.
static bool answers(const struct sluice_chip *chip, const struct sluice_reconfig *a) {
  return answers_to(chip, chip->frame.bytes + SLUICE_RECONFIG_AT, a);
}

static enum sluice_status ask(struct sluice_chip *chip, const struct chip_query *q,
                              struct sluice_error *error) {
  chip->serial++;
  sluice_reconfig_begin(&chip->frame, SLUICE_CHAIN_READ, q->table, q->stage, q->index);
  SLUICE_RECONFIG_SET(&chip->frame, COUNT, q->count);
  SLUICE_RECONFIG_SET(&chip->frame, COPY, q->copy);
  SLUICE_RECONFIG_SET(&chip->frame, ROW, q->row);
  SLUICE_RECONFIG_SET(&chip->frame, SERIAL, chip->serial);
  sluice_reconfig_finish(&chip->frame);
  return chip_send(chip, error);
}

// Waits for the answer to what was sent. *found is false when it did not come.
static enum sluice_status receive(struct sluice_chip *chip, unsigned count,
                                  struct sluice_reconfig *answer, bool *found,
                                  struct sluice_error *error) {
  *found = false;
  for (unsigned n = 0; n < STALE_ANSWERS && !*found; n++) {
    CHIP_TRY(chip->to->ops->control_receive(chip->to->self, chip->answer.bytes,
                                            sizeof chip->answer.bytes, &chip->answer.len, error));
    if (chip->answer.len == 0) break;
    if (sluice_reconfig_decode(answer, chip->answer.bytes, chip->answer.len, NULL) ||
        !answers(chip, answer)) {
      chip->line.unanswered++;
      continue;
    }
    *found = answer->op == SLUICE_CHAIN_REFUSED || answer->num_entries == count;
  }
  return SLUICE_OK;
}

enum sluice_status chip_query(struct sluice_chip *chip, const struct chip_query *q,
                              struct sluice_reconfig *answer, struct sluice_error *error) {
  bool found = false;
  for (unsigned n = 0; n < chip->options.tries && !found; n++) {
    if (n) chip->line.resent++;
    CHIP_TRY(ask(chip, q, error));
    CHIP_TRY(receive(chip, q->count, answer, &found, error));
    if (!found) chip->line.unanswered++;
    // On a line that damages packets a refusal may be of something else than was asked: ask again
    // before believing it.
    if (found && answer->op == SLUICE_CHAIN_REFUSED && n == 0) found = false;
  }
  if (!found)
    return sluice_fail(error, SLUICE_ERR_IO, "%s of stage %u, entry %u: no answer to %u reads",
                       sluice_tables[q->table].name, q->stage, q->index, chip->options.tries);
  if (answer->op == SLUICE_CHAIN_REFUSED)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "%s of stage %u, entries %u to %u: the chip refuses to read them",
                       sluice_tables[q->table].name, q->stage, q->index, q->index + q->count - 1);
  return SLUICE_OK;
}

// Asks for some, and hands over the answers that come. What is refused is asked again alone, as
// what is lost.
static enum sluice_status query_some(struct sluice_chip *chip, const struct chip_query *queries,
                                     size_t from, unsigned num, bool *done, chip_take *take,
                                     void *user, struct sluice_error *error) {
  uint8_t heads[AT_ONCE][HEAD];
  struct sluice_reconfig answer;
  unsigned open = num;
  for (unsigned n = 0; n < num; n++) {
    done[n] = false;
    CHIP_TRY(ask(chip, &queries[from + n], error));
    memcpy(heads[n], chip->frame.bytes + SLUICE_RECONFIG_AT, HEAD);
  }
  for (unsigned stale = 0; open && stale < STALE_ANSWERS;) {
    unsigned n = 0;
    CHIP_TRY(chip->to->ops->control_receive(chip->to->self, chip->answer.bytes,
                                            sizeof chip->answer.bytes, &chip->answer.len, error));
    if (chip->answer.len == 0) break;
    const bool good = !sluice_reconfig_decode(&answer, chip->answer.bytes, chip->answer.len, NULL);
    while (good && n < num && (done[n] || !answers_to(chip, heads[n], &answer))) n++;
    if (!good || n == num) {
      chip->line.unanswered++;
      stale++;
      continue;
    }
    open--;
    if (answer.op != SLUICE_CHAIN_ANSWER || answer.num_entries != queries[from + n].count) continue;
    done[n] = true;
    take(user, from + n, &answer);
  }
  return SLUICE_OK;
}

enum sluice_status chip_query_all(struct sluice_chip *chip, const struct chip_query *queries,
                                  size_t num, chip_take *take, void *user,
                                  struct sluice_error *error) {
  const unsigned most = chip->together ? AT_ONCE : 1;
  for (size_t from = 0; from < num; from += most) {
    const unsigned n = num - from < most ? (unsigned)(num - from) : most;
    bool done[AT_ONCE] = {false};
    struct sluice_reconfig answer;
    if (n > 1) CHIP_TRY(query_some(chip, queries, from, n, done, take, user, error));
    for (unsigned i = 0; i < n; i++) {
      if (done[i]) continue;
      if (n > 1) chip->line.unanswered++;
      CHIP_TRY(chip_query(chip, &queries[from + i], &answer, error));
      take(user, from + i, &answer);
    }
  }
  return SLUICE_OK;
}

// ---- moves --------------------------------------------------------------------------------------

static bool can_move(const struct sluice_chip *chip) {
  return chip->config->Relocations && chip->config->NumPipes > 1;
}

uint32_t chip_all_rows(const struct sluice_chip *chip) {
  return chip->config->NumModules < 32 ? (UINT32_C(1) << chip->config->NumModules) - 1 : UINT32_MAX;
}

static enum sluice_status put_recall(struct sluice_chip *chip, struct sluice_error *error) {
  return chip->to->ops->csr_write(chip->to->self, CHIP_REG(CHIP, 0, RECALL),
                                  chip->recall | chip->called, error);
}

enum sluice_status chip_recall(struct sluice_chip *chip, uint32_t rows,
                               struct sluice_error *error) {
  uint32_t away = 0;
  if (!can_move(chip)) return SLUICE_OK;
  chip->called |= rows;
  CHIP_TRY(put_recall(chip, error));
  for (unsigned n = 0; n < CHIP_RECALL_POLLS; n++) {
    CHIP_TRY(sluice_chip_read(chip, CHIP_REG(MOVE, 0, AWAY), &away, error));
    if (!(away & rows)) return SLUICE_OK;
    CHIP_TRY(chip->to->ops->wait(chip->to->self, CHIP_POLL_CYCLES, error));
  }
  CHIP_TRY(chip_move_again(chip, rows, error));
  return sluice_fail(error, SLUICE_ERR_IO, "indices of the modules in rows %08x do not come home",
                     away & rows);
}

enum sluice_status chip_move_again(struct sluice_chip *chip, uint32_t rows,
                                   struct sluice_error *error) {
  if (!can_move(chip)) return SLUICE_OK;
  chip->called &= ~rows;
  return put_recall(chip, error);
}
