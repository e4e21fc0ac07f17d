// SPDX-License-Identifier: Apache-2.0
// Monitor of the cuts: the state of whole modules at one place in the order of packets.
#include <string.h>

#include "../base/bytes.h"
#include "machine.h"
#include "monitor.h"

enum {
  ENTRIES = 64,
  OP_AT = 53,
  SLOW = 20000,  // cycles after which a cut that was asked for must have been taken, at the end of
                 // a run
};

static bool there(const struct sluice_checker *ck) { return ck->config->CutStages != 0; }

static uint32_t all_rows(const struct sluice_checker *ck) {
  return ck->config->NumModules < 32 ? (UINT32_C(1) << ck->config->NumModules) - 1 : UINT32_MAX;
}

// A packet with a ticket below that of the cut whose state operations have not all happened; NULL:
// there is none.
static const struct monitor_packet *older(const struct sluice_checker *ck) {
  for (uint64_t t = ck->oldest; t < ck->cuts.ticket; t++) {
    const struct monitor_packet *p = monitor_inside(ck, t);
    if (p && p->ops_due) return p;
  }
  return NULL;
}

static void not_ready(struct sluice_checker *ck, const char *got) {
  const struct monitor_packet *p = older(ck);
  if (p)
    monitor_differ(ck, p, monitor_text("cut at ticket %llu", (unsigned long long)ck->cuts.ticket),
                   monitor_text("not ready: ticket %llu has a state operation before it",
                                (unsigned long long)p->ticket),
                   monitor_text("%s", got));
}

// ---- CHIP.CUT -----------------------------------------------------------------------------------

void sluice_checker_cut_write(struct sluice_checker *ck, uint32_t value) {
  MONITOR_EVENT(ck, CUT_WRITE, value);
  struct monitor_cuts *c = &ck->cuts;
  c->wanted = value & all_rows(ck);
  c->writing = true;
  c->shown = false;
}

static void asked(struct sluice_checker *ck, uint64_t cycle) {
  struct monitor_cuts *c = &ck->cuts;
  c->asked = cycle;
  if (c->shown) return;  // that was quick
  c->phase = MONITOR_CUT_ASKED;
  c->rows = c->wanted;
  c->ready = false;
  reference_cut_ask(ck, c->rows);
}

static void ended(struct sluice_checker *ck) {
  struct monitor_cuts *c = &ck->cuts;
  not_ready(ck, "a write of 0 that is accepted");
  c->phase = MONITOR_CUT_ENDING;
  c->closing = true;
  c->ready = false;
  reference_cut_ask(ck, 0);
}

void sluice_checker_cut_written(struct sluice_checker *ck, uint64_t cycle, bool accepted) {
  MONITOR_EVENT(ck, CUT_WRITTEN, cycle, accepted);
  struct monitor_cuts *c = &ck->cuts;
  ck->now = cycle;
  c->writing = false;
  const enum monitor_cut was = c->shown ? MONITOR_CUT_NONE : c->phase;
  // What the chip has to say: 1 accept, 0 refuse, -1 either.
  int must = -1;
  if (!there(ck)) must = 0;
  else if (was == MONITOR_CUT_NONE) must = 1;
  else if (c->wanted) must = was == MONITOR_CUT_ENDING ? -1 : 0;
  else if (was == MONITOR_CUT_ASKED) must = 0;
  else if (was == MONITOR_CUT_TAKEN && c->ready) must = 1;
  if (must >= 0 && accepted != (bool)must)
    monitor_differ(ck, NULL, monitor_text("write of 0x%08x to CHIP.CUT", (unsigned)c->wanted),
                   monitor_text(must ? "accepted" : "refused"),
                   monitor_text(accepted ? "accepted" : "refused"));
  if (!accepted || !there(ck)) return;
  if (c->wanted) asked(ck, cycle);
  else if (was == MONITOR_CUT_TAKEN) ended(ck);
}

// ---- what the chip shows ------------------------------------------------------------------------

void sluice_checker_cut(struct sluice_checker *ck, uint64_t cycle, uint32_t rows, uint32_t ticket) {
  MONITOR_EVENT(ck, CUT, cycle, rows, ticket);
  struct monitor_cuts *c = &ck->cuts;
  ck->now = cycle;
  // The answer to the write may come later than the cut.
  const bool early = c->writing && c->wanted && c->phase != MONITOR_CUT_ASKED &&
                     c->phase != MONITOR_CUT_TAKEN;
  const uint32_t expected = early ? c->wanted : c->rows;
  if (!there(ck) || (!early && c->phase != MONITOR_CUT_ASKED)) {
    monitor_differ(ck, NULL, monitor_text("cut"), monitor_text("none: none is asked for"),
                   monitor_text("rows 0x%08x, ticket %u", (unsigned)rows, (unsigned)ticket));
    return;
  }
  if (rows != expected)
    monitor_differ(ck, NULL, monitor_text("rows of the cut"),
                   monitor_text("0x%08x", (unsigned)expected),
                   monitor_text("0x%08x", (unsigned)rows));
  // As with a mark: all tickets below its own have been shown as admitted in earlier cycles, and
  // its own has not.
  if (ticket != (uint32_t)ck->next_ticket)
    monitor_differ(
        ck, NULL, monitor_text("ticket of the cut"),
        monitor_text("%llu: that many packets are admitted", (unsigned long long)ck->next_ticket),
        monitor_text("%u", (unsigned)ticket));
  c->phase = MONITOR_CUT_TAKEN;
  c->rows = expected;
  c->shown = early;
  c->any = true;
  c->ready = false;
  c->ticket = ck->next_ticket;
  c->cycle = cycle;
  memset(c->away, 0, sizeof c->away);
  ck->report.cuts++;
  reference_cut_ask(ck, expected);
  reference_cut_take(ck);
}

void sluice_checker_cut_status(struct sluice_checker *ck, uint64_t cycle, uint32_t status) {
  MONITOR_EVENT(ck, CUT_STATUS, cycle, status);
  struct monitor_cuts *c = &ck->cuts;
  ck->now = cycle;
  if (!there(ck)) {
    monitor_counter(ck, "CHIP.CUT_STATUS", 0, status);
    return;
  }
  const bool ready = status & 1, busy = status & 2;
  const bool must = c->phase == MONITOR_CUT_ASKED || c->phase == MONITOR_CUT_TAKEN;
  if ((must && !busy) || (c->phase == MONITOR_CUT_NONE && busy) ||
      (ready && (c->phase == MONITOR_CUT_NONE || c->phase == MONITOR_CUT_ASKED)) ||
      (ready && c->phase == MONITOR_CUT_ENDING && !c->closing)) {
    static const char *const phases[] = {"no cut", "one that was not taken yet", "one",
                                         "one that ends"};
    monitor_differ(ck, NULL, monitor_text("CHIP.CUT_STATUS"), monitor_text("%s", phases[c->phase]),
                   monitor_text("0x%x", (unsigned)status));
  }
  if (ready && c->phase == MONITOR_CUT_TAKEN) not_ready(ck, "CHIP.CUT_STATUS bit 0");
  if (c->phase == MONITOR_CUT_TAKEN && ready) {
    if (!c->ready) c->ready_since = cycle;
    c->ready = true;
  } else if (c->ready)
    monitor_differ(ck, NULL, monitor_text("CHIP.CUT_STATUS"), monitor_text("ready, as it was"),
                   monitor_text("0x%x", (unsigned)status));
  if (!ready) c->closing = false;
  if (c->phase == MONITOR_CUT_ENDING && !busy) c->phase = MONITOR_CUT_NONE;
}

void sluice_checker_cut_ticket(struct sluice_checker *ck, uint64_t begin, uint64_t cycle,
                               uint32_t ticket) {
  MONITOR_EVENT(ck, CUT_TICKET, begin, cycle, ticket);
  const struct monitor_cuts *c = &ck->cuts;
  ck->now = cycle;
  // One that was taken while the register was read may be there or not.
  if (c->any && c->cycle + 1 < begin)
    monitor_counter(ck, "CHIP.CUT_TICKET", (uint32_t)c->ticket, ticket);
}

// ---- where indices are --------------------------------------------------------------------------

void monitor_cut_away(struct sluice_checker *ck, const struct monitor_packet *packet,
                      unsigned stage) {
  // Where packets from the cut on find an index is where it stays: what was under way had been
  // decided before.
  if (ck->cuts.phase == MONITOR_CUT_TAKEN && packet->ticket >= ck->cuts.ticket)
    ck->cuts.away[stage] |= UINT32_C(1) << packet->bytes[15] % ck->config->NumModules;
}

// ---- READ of CUT --------------------------------------------------------------------------------

static bool request(const struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                    struct model_request *r) {
  return there(ck) && len <= SLUICE_MODEL_MAX_LEN && model_request(ck->model, bytes, len, r) &&
         r->legal && r->table == SLUICE_TABLE_CUT && r->op == SLUICE_CHAIN_READ;
}

bool sluice_checker_is_cut(const struct sluice_checker *ck, const uint8_t *bytes, size_t len) {
  struct model_request r;
  return request(ck, bytes, len, &r);
}

static struct monitor_text name_of(const struct model_request *r, unsigned n) {
  return monitor_text("cut of stage %u, row %u index %u", r->stage, r->row, r->index + n);
}

static struct monitor_text words_of(const uint8_t *bytes) {
  return monitor_text("0x%08x 0x%08x", (unsigned)sluice_get32(bytes),
                      (unsigned)sluice_get32(bytes + 4));
}

// Compares the entries. The rest of the answer is compared as that of any.
static void compare(struct sluice_checker *ck, const struct model_request *r,
                    const struct sluice_model_answer *expected, const uint8_t *answer, size_t len) {
  for (unsigned n = 0; n < expected->num; n++) {
    const size_t at = ENTRIES + n * expected->stride;
    uint32_t s1 = 0, s2 = 0;
    if (at + 8 > len) break;
    ck->report.cuts_compared++;
    reference_state(ck, r->row, r->stage, r->index + n, &s1, &s2);
    ck->report.cuts_changed += s1 != sluice_get32(expected->bytes + at) ||
                               s2 != sluice_get32(expected->bytes + at + 4);
    if (memcmp(answer + at, expected->bytes + at, 8) == 0) continue;
    monitor_differ(ck, NULL, name_of(r, n),
                   monitor_text("%s at ticket %llu", words_of(expected->bytes + at).s,
                                (unsigned long long)ck->cuts.ticket),
                   words_of(answer + at));
    return;
  }
  const long at = sluice_model_answer_compare(expected, answer, len);
  if (at < 0) return;
  const bool here = (size_t)at < len && (size_t)at < expected->len;
  monitor_differ(ck, NULL,
                 monitor_text("%s on: %s %ld", name_of(r, 0).s, here ? "byte" : "length", at),
                 monitor_text("%zu", here ? expected->bytes[at] : expected->len),
                 monitor_text("%zu", here ? answer[at] : len));
}

bool sluice_checker_cut_answer(struct sluice_checker *ck, uint64_t begin, uint64_t cycle,
                               const uint8_t *bytes, size_t len, const uint8_t *answer,
                               size_t answer_len, bool raced) {
  if (ck->events.to)
    monitor_event(&ck->events, MONITOR_EVENT_CUT_ANSWER, (const uint64_t[]){begin, cycle, raced},
                  (const struct monitor_bytes[]){{bytes, len}, {answer, answer_len}});
  static struct sluice_model_answer expected;
  struct model_request r;
  ck->now = cycle;
  const bool good = answer_len > OP_AT && answer[OP_AT] == SLUICE_CHAIN_ANSWER;
  if (!request(ck, bytes, len, &r) || raced) return good;
  // The chip ends a cut when no control packet is on its way: till then it may still be read.
  const bool late = good && ck->cuts.phase == MONITOR_CUT_ENDING && ck->cuts.closing;
  if (late) reference_cut_open(ck, ck->cuts.rows);
  const bool legal = reference_control(ck, bytes, len, &expected);
  if (late) reference_cut_open(ck, 0);
  const unsigned row = r.row % ck->config->NumModules;
  if (legal && !good) {
    // Refused: right if it was not ready.
    if (ck->cuts.ready && ck->cuts.ready_since <= begin)
      monitor_differ(ck, NULL, name_of(&r, 0), monitor_text("an answer: the cut is ready"),
                     monitor_text("refused"));
    return good;
  }
  ck->report.cut_reads++;
  if (good && ck->cuts.phase == MONITOR_CUT_TAKEN) not_ready(ck, "a READ of CUT that is answered");
  if (legal) ck->report.cuts_away += ck->cuts.away[r.stage] >> row & 1;
  compare(ck, &r, &expected, answer, answer_len);
  return good;
}

// ---- FILL, and the end --------------------------------------------------------------------------

bool monitor_cut_may_refuse(struct sluice_checker *ck, const struct model_request *r) {
  const struct monitor_cuts *c = &ck->cuts;
  ck->cuts.filling = r->table == SLUICE_TABLE_FILL && r->op == SLUICE_CHAIN_WRITE &&
                     c->phase == MONITOR_CUT_ENDING &&
                     (c->rows >> r->row % ck->config->NumModules & 1);
  return ck->cuts.filling;
}

void monitor_cut_refuse(struct sluice_checker *ck, bool refused) {
  if (ck->cuts.filling) reference_cut_ask(ck, refused ? ck->cuts.rows : 0);
}

void monitor_cut_finish(struct sluice_checker *ck) {
  if (ck->cuts.phase == MONITOR_CUT_ASKED && ck->now > ck->cuts.asked + SLOW)
    monitor_differ(
        ck, NULL, monitor_text("cut of rows 0x%08x", (unsigned)ck->cuts.rows), monitor_text("one"),
        monitor_text("none in %llu cycles", (unsigned long long)(ck->now - ck->cuts.asked)));
}
