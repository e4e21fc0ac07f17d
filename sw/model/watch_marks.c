// SPDX-License-Identifier: Apache-2.0
// Monitor of the marks: control accesses to state, each at a place in the order of packets.
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "machine.h"
#include "monitor.h"

enum { ENTRIES = 64 };

static bool request(const struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                    struct model_request *r) {
  return ck->config->Marks && model_request(ck->model, bytes, len, r) &&
         model_is_marks(ck->model, r) &&
         (r->op != SLUICE_CHAIN_READ || len <= SLUICE_MODEL_MAX_LEN);
}

bool sluice_checker_is_marks(const struct sluice_checker *ck, const uint8_t *bytes, size_t len) {
  struct model_request r;
  return request(ck, bytes, len, &r);
}

bool sluice_checker_marks_due(const struct sluice_checker *ck) {
  for (unsigned s = 0; s < ck->config->StateStages; s++)
    if (ck->marks.due[s].head) return true;
  return false;
}

// ---- what must come -----------------------------------------------------------------------------

static void expect(struct sluice_checker *ck, const struct model_request *r, unsigned n,
                   const struct model_mark *m, bool optional) {
  struct monitor_mark *mark = malloc(sizeof *mark);
  if (!mark) {
    monitor_differ(ck, NULL, monitor_text("memory"), monitor_text("enough"),
                   monitor_text("none left"));
    return;
  }
  *mark = (struct monitor_mark){.message = ck->marks.messages,
                                .row = r->row,
                                .index = m->index,
                                .entry = n,
                                .pipe = m->pipe,
                                .slot = m->slot,
                                .of_row = m->words,
                                .write = m->write,
                                .optional = optional};
  if (m->words) memcpy(mark->words, m->row, sizeof mark->words);
  else memcpy(mark->words, (const uint32_t[]){m->value.s1, m->value.s2}, 2 * sizeof(uint32_t));
  if (ck->marks.due[r->stage].head) ck->marks.due[r->stage].tail->next = mark;
  else ck->marks.due[r->stage].head = mark;
  ck->marks.due[r->stage].tail = mark;
}

static void pop(struct sluice_checker *ck, unsigned stage) {
  struct monitor_mark *mark = ck->marks.due[stage].head;
  ck->marks.due[stage].head = mark->next;
  free(mark);
}

// The marks of a packet, from what the tables are now: later control packets change nothing of
// them.
static void expect_all(struct sluice_checker *ck, const struct model_request *r,
                       const uint8_t *bytes, size_t len, bool optional) {
  struct monitor_marks *k = &ck->marks;
  const bool read = r->op == SLUICE_CHAIN_READ;
  const unsigned num = read ? r->count : model_request_entries(r, len);
  k->messages++;
  if (read) {
    memset(k->value, 0, sizeof k->value);
    k->reading = true;
    k->read_message = k->messages;
    k->stage = r->stage;
    k->row = r->row;
    k->index = r->index;
    k->count = r->count;
    k->num_words = r->table == SLUICE_TABLE_STATE_ROW ? SLUICE_MODEL_WORDS : 2;
  }
  for (unsigned n = 0; n < num; n++) {
    struct model_mark mark;
    if (!model_mark(ck->model, r, bytes, n, &mark)) continue;
    if (read) k->value[n].due = true;
    expect(ck, r, n, &mark, optional);
  }
}

void monitor_marks_ask(struct sluice_checker *ck, const uint8_t *bytes, size_t len) {
  struct model_request r;
  if (!request(ck, bytes, len, &r)) return;
  ck->marks.asking = true;
  expect_all(ck, &r, bytes, len, true);
}

static struct monitor_text name_of(const struct monitor_mark *m, unsigned stage) {
  return monitor_text("mark%s at stage %u, row %u index %u", m->of_row ? " of words" : "", stage,
                      m->row, m->index);
}
static struct monitor_text place_of(unsigned pipe, uint32_t slot, bool write) {
  return monitor_text("pipeline %u slot %u, %s", pipe, (unsigned)slot, write ? "written" : "read");
}

// The chip has said what became of a packet that it might have refused: of one that it took all
// marks were shown.
static void answered(struct sluice_checker *ck, bool good) {
  ck->marks.asking = false;
  for (unsigned s = 0; s < ck->config->StateStages; s++)
    while (ck->marks.due[s].head && ck->marks.due[s].head->optional) {
      const struct monitor_mark *m = ck->marks.due[s].head;
      if (good)
        monitor_differ(ck, NULL, name_of(m, s), place_of(m->pipe, m->slot, m->write),
                       monitor_text("none, but the packet has taken effect"));
      if (ck->marks.reading && m->message == ck->marks.read_message)
        ck->marks.value[m->entry].due = false;
      pop(ck, s);
    }
}

bool monitor_marks_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                           struct sluice_model_answer *answer) {
  struct model_request r;
  struct sluice_model_answer *out = &ck->marks.answer;
  const bool asked = ck->marks.asking;
  if (!request(ck, bytes, len, &r)) return false;
  if (!asked) expect_all(ck, &r, bytes, len, false);
  ck->model->marks_apart = true;
  const bool good = reference_control(ck, bytes, len, r.op == SLUICE_CHAIN_READ ? out : NULL);
  ck->model->marks_apart = false;
  for (unsigned n = 0; asked && !good && r.op == SLUICE_CHAIN_READ && n < r.count; n++)
    if (ck->marks.value[n].shown)
      monitor_differ(ck, NULL,
                     monitor_text("mark at stage %u, row %u index %u", r.stage, r.row, r.index + n),
                     monitor_text("none: the packet is refused"), monitor_text("one"));
  if (asked) answered(ck, good);
  if (answer && r.op == SLUICE_CHAIN_READ) *answer = *out;
  else if (answer) answer->len = answer->num = 0;
  return good;
}

// ---- what the reference has there ---------------------------------------------------------------

// Words that the chip does not have are 0.
static void get_words(const struct sluice_checker *ck, unsigned stage, const struct monitor_mark *m,
                      uint32_t words[SLUICE_MODEL_WORDS]) {
  const struct model_pair *entry = model_slot(ck->model, stage, m->pipe, m->slot);
  memset(words, 0, SLUICE_MODEL_WORDS * sizeof words[0]);
  words[0] = entry->s1;
  words[1] = entry->s2;
  if (m->of_row)
    memcpy(words, model_row_words(ck->model, stage, m->pipe, m->slot),
           ck->config->ArrayWords * sizeof words[0]);
}

static void put_words(const struct sluice_checker *ck, unsigned stage,
                      const struct monitor_mark *m) {
  if (m->of_row)
    memcpy(model_row_words(ck->model, stage, m->pipe, m->slot), m->words,
           ck->config->ArrayWords * sizeof m->words[0]);
  else
    *model_slot(ck->model, stage, m->pipe, m->slot) = (struct model_pair){m->words[0], m->words[1]};
}

// ---- what comes ---------------------------------------------------------------------------------

void sluice_checker_state_mark(struct sluice_checker *ck, uint64_t cycle, unsigned stage,
                               unsigned pipe, uint32_t slot, bool write, uint32_t ticket) {
  MONITOR_EVENT(ck, STATE_MARK, cycle, stage, pipe, slot, write, ticket);
  struct monitor_marks *k = &ck->marks;
  ck->now = cycle;
  const bool there = ck->config->Marks && stage < ck->config->StateStages;
  const struct monitor_mark *m = there ? k->due[stage].head : NULL;
  // Of a packet that may be refused each entry is refused or taken for itself.
  while (m && m->optional && (m->pipe != pipe || m->slot != slot)) {
    pop(ck, stage);
    m = k->due[stage].head;
  }
  if (!m) {
    monitor_differ(ck, NULL, monitor_text("mark at stage %u", stage),
                   monitor_text("none: no control packet asks for one"),
                   place_of(pipe, slot, write));
    return;
  }
  if (m->pipe != pipe || m->slot != slot || m->write != write)
    monitor_differ(ck, NULL, name_of(m, stage), place_of(m->pipe, m->slot, m->write),
                   place_of(pipe, slot, write));
  // All tickets below its own have been shown as admitted in earlier cycles, and its own has not.
  const uint64_t expected = ck->next_ticket;
  if (ticket != (uint32_t)expected)
    monitor_differ(
        ck, NULL, monitor_text("%s, ticket", name_of(m, stage).s),
        monitor_text("%llu: that many packets are admitted", (unsigned long long)expected),
        monitor_text("%u", (unsigned)ticket));
  struct monitor_mark_value there_now = {.due = true, .shown = true, .ticket = expected};
  get_words(ck, stage, m, there_now.words);
  reference_place(ck, stage, m, there_now.words, m->write ? m->words : NULL);
  const struct monitor_slot *ops = monitor_slot_of(ck, stage, m->pipe, m->slot);
  if (k->reading && m->message == k->read_message) k->value[m->entry] = there_now;
  ck->report.marks++;
  ck->report.marks_away += ops->away;
  if (m->write) {
    ck->report.marks_written++;
    ck->report.marks_loaded += ops->first &&
                               memcmp(there_now.words, m->words, sizeof m->words) != 0;
    put_words(ck, stage, m);
    model_flip_mark(ck->model, stage, m->slot);
  }
  pop(ck, stage);
}

// Compares an entry of the answer, and puts into the expected one what the reference had. False:
// they differ.
static bool compare(struct sluice_checker *ck, unsigned n, const uint8_t *bytes, size_t len) {
  struct monitor_marks *k = &ck->marks;
  const size_t value_len = 4 * k->num_words;
  const struct monitor_mark_value *v = &k->value[n];
  const size_t at = ENTRIES + n * k->answer.stride;
  const struct monitor_text name =
      monitor_text("answer of stage %u, row %u index %u", k->stage, k->row, k->index + n);
  if (!v->due) return true;
  if (!v->shown) {
    monitor_differ(ck, NULL, name, monitor_text("its mark first"),
                   monitor_text("an answer without"));
    return false;
  }
  if (n >= k->answer.num) return true;
  for (unsigned w = 0; w < k->num_words; w++)
    sluice_put32(k->answer.bytes + at + 4 * w, v->words[w]);
  if (at + value_len > len) return true;  // too short, as the whole will show
  ck->report.marks_compared++;
  if (memcmp(bytes + at, k->answer.bytes + at, value_len) == 0) return true;
  unsigned w = 0;
  while (memcmp(bytes + at + 4 * w, k->answer.bytes + at + 4 * w, 8) == 0) w += 2;
  monitor_differ(ck, NULL,
                 k->num_words > 2 ? monitor_text("%s, words %u and %u", name.s, w, w + 1) : name,
                 monitor_text("0x%08x 0x%08x at ticket %llu", (unsigned)v->words[w],
                              (unsigned)v->words[w + 1], (unsigned long long)v->ticket),
                 monitor_text("0x%08x 0x%08x", (unsigned)sluice_get32(bytes + at + 4 * w),
                              (unsigned)sluice_get32(bytes + at + 4 * w + 4)));
  return false;
}

void sluice_checker_answer(struct sluice_checker *ck, uint64_t cycle, const uint8_t *bytes,
                           size_t len) {
  MONITOR_EVENT_BYTES(ck, ANSWER, bytes, len, cycle);
  struct monitor_marks *k = &ck->marks;
  ck->now = cycle;
  if (!k->reading) {
    monitor_differ(ck, NULL, monitor_text("answer of state"),
                   monitor_text("none: nothing is asked"), monitor_text("one of %zu bytes", len));
    return;
  }
  bool same = true;
  k->reading = false;
  for (unsigned n = 0; n < k->count; n++) same = compare(ck, n, bytes, len) && same;
  const long at = same ? sluice_model_answer_compare(&k->answer, bytes, len) : -1;
  if (at < 0) return;
  const bool here = (size_t)at < len && (size_t)at < k->answer.len;
  monitor_differ(ck, NULL,
                 monitor_text("answer of stage %u, row %u from index %u on: %s %ld", k->stage,
                              k->row, k->index, here ? "byte" : "length", at),
                 monitor_text("%zu", here ? k->answer.bytes[at] : k->answer.len),
                 monitor_text("%zu", here ? bytes[at] : len));
}

// ---- the end ------------------------------------------------------------------------------------

void monitor_marks_finish(struct sluice_checker *ck) {
  for (unsigned s = 0; s < ck->config->StateStages; s++)
    for (const struct monitor_mark *m = ck->marks.due[s].head; m; m = m->next)
      if (!m->optional)
        monitor_differ(ck, NULL, name_of(m, s), place_of(m->pipe, m->slot, m->write),
                       monitor_text("none, it is lost"));
}

void monitor_marks_close(struct sluice_checker *ck) {
  for (unsigned s = 0; s < SLUICE_MODEL_STAGES; s++)
    while (ck->marks.due[s].head) pop(ck, s);
}
