// SPDX-License-Identifier: Apache-2.0
// Monitor of guarded flips: they happen only if what is watched was not accessed since the cut, and
// packets have the other bank from one ticket on.
#include "machine.h"
#include "monitor.h"

static bool there(const struct sluice_checker *ck) { return ck->config->FlipGuard; }

static uint32_t all_rows(const struct sluice_checker *ck) {
  return ck->config->NumModules < 32 ? (UINT32_C(1) << ck->config->NumModules) - 1 : UINT32_MAX;
}

// What forbids a flip now, as far as the reference knows; NULL: nothing.
static const char *forbids(const struct sluice_checker *ck) {
  const unsigned status = reference_flip_status(ck);
  if (!(status & 1)) return "there was no cut since the last flip or write of FLIP.WATCH";
  if (status & 2) return "what is watched was accessed since the cut";
  if (ck->flips.since != (uint32_t)ck->cuts.ticket)
    return "FLIP.SINCE is not the ticket of the cut";
  return NULL;
}

// Whether packets may be on their way that have the bank before the last flip, and no ticket.
static bool turning(const struct sluice_checker *ck) {
  enum { SETTLE = 64 };
  bool some = ck->now < ck->flips.cycle + SETTLE;
  for (unsigned r = 0; r < ck->config->NumModules && ck->flips.turn; r++) {
    const unsigned old = !(ck->banks.word >> r & 1);
    if (!(ck->flips.turn >> r & 1)) continue;
    some |= ck->banks.count[old][r] != 0 || ck->banks.left[old][r] + SETTLE > ck->now;
  }
  return ck->flips.turn && some;
}

void sluice_checker_flip_watch(struct sluice_checker *ck, unsigned stage, uint32_t slots) {
  MONITOR_EVENT(ck, FLIP_WATCH, stage, slots);
  reference_flip_watch(ck, stage, slots);
}

void sluice_checker_flip_since(struct sluice_checker *ck, uint32_t ticket) {
  MONITOR_EVENT(ck, FLIP_SINCE, ticket);
  ck->flips.since = ticket;
}

void sluice_checker_flip_write(struct sluice_checker *ck, uint32_t value) {
  MONITOR_EVENT(ck, FLIP_WRITE, value);
  ck->flips.wanted = value & all_rows(ck);
  ck->flips.writing = true;
  ck->flips.shown = false;
  monitor_bank_write(ck, ck->flips.wanted);
}

void sluice_checker_flip_written(struct sluice_checker *ck, uint64_t cycle, bool accepted) {
  MONITOR_EVENT(ck, FLIP_WRITTEN, cycle, accepted);
  struct monitor_flips *f = &ck->flips;
  const char *why = forbids(ck);
  ck->now = cycle;
  f->writing = false;
  monitor_bank_written(ck, cycle, accepted);
  ck->report.flips_unwanted += !accepted;
  if (accepted != f->shown)
    monitor_differ(
        ck, NULL, monitor_text("write of FLIP.BANK"),
        monitor_text(f->shown ? "accepted: the chip flips" : "refused: no flip is shown"),
        monitor_text(accepted ? "accepted" : "refused"));
  // An index that is away may be what is watched, whichever it is.
  if (!accepted && !why && !turning(ck) && !ck->moves)
    monitor_differ(ck, NULL, monitor_text("write of FLIP.BANK"),
                   monitor_text("accepted: nothing that is watched was accessed since ticket %llu",
                                (unsigned long long)ck->cuts.ticket),
                   monitor_text("refused"));
}

void sluice_checker_flip(struct sluice_checker *ck, uint64_t cycle, uint32_t rows,
                         uint32_t ticket) {
  MONITOR_EVENT(ck, FLIP, cycle, rows, ticket);
  struct monitor_flips *f = &ck->flips;
  const uint32_t expected = f->wanted ^ ck->banks.reg;
  ck->now = cycle;
  const char *why = f->writing ? forbids(ck) : "nobody writes FLIP.BANK";
  if (!there(ck) || why)
    monitor_differ(ck, NULL, monitor_text("guarded flip"),
                   monitor_text("none: %s", why ? why : "the chip has none"),
                   monitor_text("rows 0x%08x, ticket %u", (unsigned)rows, (unsigned)ticket));
  if (rows != expected)
    monitor_differ(ck, NULL, monitor_text("rows of the guarded flip"),
                   monitor_text("0x%08x", (unsigned)expected),
                   monitor_text("0x%08x", (unsigned)rows));
  // As with a cut: all tickets below its own have been shown as admitted in earlier cycles, and its
  // own has not.
  if (ticket != (uint32_t)ck->next_ticket)
    monitor_differ(
        ck, NULL, monitor_text("ticket of the guarded flip"),
        monitor_text("%llu: that many packets are admitted", (unsigned long long)ck->next_ticket),
        monitor_text("%u", (unsigned)ticket));
  f->shown = true;
  f->turn = rows;
  f->bank = f->wanted;
  f->cycle = cycle;
  f->ticket = ck->next_ticket;
  ck->report.flips_guarded++;
  reference_flip(ck, f->wanted);
}

void sluice_checker_flip_ticket(struct sluice_checker *ck, uint64_t cycle, uint32_t ticket) {
  MONITOR_EVENT(ck, FLIP_TICKET, cycle, ticket);
  ck->now = cycle;
  if (there(ck)) monitor_counter(ck, "FLIP.TICKET", (uint32_t)ck->flips.ticket, ticket);
}

unsigned monitor_flip_bank(struct sluice_checker *ck, struct monitor_packet *p) {
  const unsigned row = p->bytes[15] % ck->config->NumModules, bank = ck->flips.bank >> row & 1;
  if (!(ck->flips.turn >> row & 1) || p->bank == bank) return p->bank;
  monitor_bank_turns(ck, p, bank);
  ck->report.flips_turned++;
  return bank;
}
