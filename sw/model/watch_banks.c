// SPDX-License-Identifier: Apache-2.0
// Monitor of the configuration banks: which one a packet takes, who is inside, and what may be
// changed meanwhile.
#include <string.h>

#include "machine.h"
#include "monitor.h"

// How much later than a packet's arrival the chip may count it, and how much earlier or later than
// its fate shows at the probes it may count it down, in cycles.
enum { RISE = 16, FALL = 8 };
// A packet that was admitted so few cycles ago is not at its deparser.
enum { SURE = 8 };
enum { MOST_ENTRIES = SLUICE_MODEL_MAX_LEN / 64, ENTRY_WORDS = (SLUICE_INSTR_BITS * 25 + 63) / 64 };

static bool two(const struct sluice_checker *ck) { return ck->config->Banks == 2; }
static unsigned row_of(const struct sluice_checker *ck, const struct monitor_packet *p) {
  return p->bytes[15] % ck->config->NumModules;
}

// ---- the word -----------------------------------------------------------------------------------

void monitor_bank_write(struct sluice_checker *ck, uint32_t value) {
  ck->banks.wanted = value;
  ck->banks.writing = true;
  ck->banks.accepted = false;
}

void sluice_checker_bank_write(struct sluice_checker *ck, uint32_t value) {
  MONITOR_EVENT(ck, BANK_WRITE, value);
  monitor_bank_write(ck, value);
}

void monitor_bank_written(struct sluice_checker *ck, uint64_t cycle, bool accepted) {
  struct monitor_banks *b = &ck->banks;
  ck->now = cycle;
  if (!two(ck) && accepted)
    monitor_differ(ck, NULL, monitor_text("write of CHIP.BANK"),
                   monitor_text("refused: there is one bank"), monitor_text("accepted"));
  if (!accepted) {
    ck->report.refused_flips += two(ck);
    b->writing = false;
    if (b->word != b->reg)
      monitor_differ(ck, NULL, monitor_text("CHIP.BANK"),
                     monitor_text("0x%08x: the write was refused", (unsigned)b->reg),
                     monitor_text("0x%08x", (unsigned)b->word));
    return;
  }
  b->reg = b->wanted;
  b->accepted = true;
  b->deadline = cycle + SLUICE_CHECKER_BANK_SETTLE;
  if (b->word == b->reg) b->writing = false;
}

void sluice_checker_bank_written(struct sluice_checker *ck, uint64_t cycle, bool accepted) {
  MONITOR_EVENT(ck, BANK_WRITTEN, cycle, accepted);
  monitor_bank_written(ck, cycle, accepted);
}

bool sluice_checker_bank_settled(const struct sluice_checker *ck) { return !ck->banks.writing; }

unsigned sluice_checker_bank_of(const struct sluice_checker *ck, unsigned row) {
  return ck->banks.reg >> row & 1;
}

void sluice_checker_bank(struct sluice_checker *ck, uint64_t cycle, uint32_t word) {
  MONITOR_EVENT(ck, BANK, cycle, word);
  struct monitor_banks *b = &ck->banks;
  ck->now = cycle;
  if (b->writing && b->accepted && cycle > b->deadline) {
    monitor_differ(ck, NULL, monitor_text("bank of packets that arrive"),
                   monitor_text("0x%08x within %d cycles, as CHIP.BANK", (unsigned)b->wanted,
                                SLUICE_CHECKER_BANK_SETTLE),
                   monitor_text("0x%08x", (unsigned)b->word));
    b->writing = false;
  }
  if (word == b->word) return;
  if (!b->writing || word != b->wanted)
    monitor_differ(ck, NULL, monitor_text("bank of packets that arrive"),
                   monitor_text("0x%08x%s", (unsigned)b->word,
                                b->writing ? ", or what is written" : ": nothing is written"),
                   monitor_text("0x%08x", (unsigned)word));
  b->flipped = word ^ b->word;
  b->before = b->newest;
  for (unsigned r = 0; r < ck->config->NumModules; r++) {
    if (!(b->flipped >> r & 1)) continue;
    const bool loaded = b->count[b->word >> r & 1][r] != 0;
    ck->report.flips++;
    ck->report.flips_loaded += loaded;
    b->old_inside = (b->old_inside & ~(UINT32_C(1) << r)) | (uint32_t)loaded << r;
  }
  b->word = word;
  ck->flips.turn = 0;  // packets of the bank before a guarded flip have passed the order point
  reference_bank(ck, word);
  if (b->accepted) b->writing = false;
}

// ---- who is inside ------------------------------------------------------------------------------

void monitor_bank_arrives(struct sluice_checker *ck, struct monitor_packet *p) {
  struct monitor_banks *b = &ck->banks;
  const unsigned row = row_of(ck, p);
  if (!two(ck)) return;
  p->bank = b->word >> row & 1;
  p->since = p->arrival;
  if (p->arrival > b->newest) b->newest = p->arrival;
  // A flip is between two arrival times: a packet that took the old bank is not of the same time as
  // one that took the new one.
  if ((b->flipped >> row & 1) && p->arrival <= b->before)
    monitor_differ(ck, p, monitor_text("bank"),
                   monitor_text("%u: packets that arrived in cycle %llu have taken it", !p->bank,
                                (unsigned long long)b->before),
                   monitor_text("%u for arrival %llu", p->bank, (unsigned long long)p->arrival));
}

void monitor_bank_counts(struct sluice_checker *ck, struct monitor_packet *p) {
  struct monitor_banks *b = &ck->banks;
  const unsigned row = row_of(ck, p);
  if (!two(ck) || p->fault || !(p->verdicts & 1u << SLUICE_DROP_NONE)) return;
  p->counted = true;
  b->count[p->bank][row]++;
  if ((b->old_inside >> row & 1) && p->bank == (b->word >> row & 1)) {
    ck->report.flips_mixed += b->count[!p->bank][row] != 0;
    b->old_inside &= ~(UINT32_C(1) << row);
  }
}

// Whether the claim was wrong for a packet that leaves now.
static bool refutes(const struct monitor_claim *c, const struct monitor_packet *p, unsigned row,
                    uint64_t now) {
  if (c->kind == MONITOR_CLAIM_DRIVER && c->vid != p->bytes[15]) return false;
  return c->bank == p->bank && (c->rows >> row & 1) && p->since + RISE <= c->begin &&
         now > c->end + FALL;
}

static void driver_fault(struct sluice_checker *ck, const struct monitor_packet *p,
                         const struct monitor_claim *c) {
  ck->report.driver_faults++;
  const char *what = c->table == SLUICE_TABLE_TERNARY  ? "ternary entry"
                     : c->table == SLUICE_TABLE_CUCKOO ? "cuckoo entry"
                                                       : "row";
  monitor_differ(ck, p, monitor_text("driver: %s %u of stage %u", what, c->match_row, c->stage),
                 monitor_text("left alone while packets of module %u, bank %u are inside",
                              row_of(ck, p), p->bank),
                 monitor_text(c->erased ? "erased" : "overwritten"));
}

static void wrong_claim(struct sluice_checker *ck, const struct monitor_packet *p,
                        const struct monitor_claim *c) {
  switch (c->kind) {
    case MONITOR_CLAIM_READ:
      monitor_differ(ck, p, monitor_text("CHIP.INSIDE_BANK%u bit %u", c->bank, row_of(ck, p)),
                     monitor_text("1: this packet is inside"),
                     monitor_text("0 in cycle %llu", (unsigned long long)c->end));
      break;
    case MONITOR_CLAIM_WRITE:
      monitor_differ(ck, p,
                     monitor_text("control packet for bank %u of row %u", c->bank, row_of(ck, p)),
                     monitor_text("refused: this packet is inside"),
                     monitor_text("accepted in cycle %llu", (unsigned long long)c->end));
      break;
    default: driver_fault(ck, p, c);
  }
}

// Claims, the oldest first.
static const struct monitor_claim *claim(const struct monitor_banks *b, unsigned n) {
  const unsigned first = b->num_claims > MONITOR_CLAIMS ? b->num_claims - MONITOR_CLAIMS : 0;
  return first + n < b->num_claims ? &b->claims[(first + n) % MONITOR_CLAIMS] : NULL;
}

static void add_claim(struct sluice_checker *ck, const struct monitor_claim *c) {
  if (c->rows) ck->banks.claims[ck->banks.num_claims++ % MONITOR_CLAIMS] = *c;
}

static bool surely_inside(const struct monitor_packet *p) {
  return p->counted && p->verdicts == 1u << SLUICE_DROP_NONE;
}

void monitor_bank_leaves(struct sluice_checker *ck, struct monitor_packet *p, unsigned reason) {
  struct monitor_banks *b = &ck->banks;
  const unsigned row = row_of(ck, p);
  if (!p->counted) return;
  b->count[p->bank][row]--;
  b->left[p->bank][row] = ck->now;
  // When a packet that a front stage discards is counted down is the chip's matter.
  for (unsigned n = 0; surely_inside(p) && reason != SLUICE_DROP_DISCARD_FRONT && claim(b, n); n++)
    if (refutes(claim(b, n), p, row, ck->now)) {
      wrong_claim(ck, p, claim(b, n));
      break;
    }
  p->counted = false;
}

void monitor_bank_turns(struct sluice_checker *ck, struct monitor_packet *p, unsigned bank) {
  const bool counted = p->counted;
  monitor_bank_leaves(ck, p, SLUICE_DROP_NONE);
  p->bank = bank;
  p->since = ck->now;
  p->counted = counted;
  ck->banks.count[bank][row_of(ck, p)] += counted;
}

// Whether the lanes have packets of the row that they have not reported: their bank is not known
// yet.
static bool arriving(const struct sluice_checker *ck, unsigned row) {
  for (unsigned l = 0; l < ck->config->NumPipes; l++)
    for (const struct monitor_packet *p = ck->lane[l].judged.head; p; p = p->next)
      if (!p->fault && row_of(ck, p) == row) return true;
  return false;
}

// Rows of which packets of the bank are inside, and those of which some have been since cycle
// `begin`, as far as the probes tell.
static uint32_t inside(const struct sluice_checker *ck, unsigned bank) {
  uint32_t rows = 0;
  for (unsigned r = 0; r < ck->config->NumModules; r++)
    rows |= (uint32_t)(ck->banks.count[bank][r] != 0) << r;
  return rows;
}
static uint32_t lately_inside(const struct sluice_checker *ck, unsigned bank, uint64_t begin) {
  uint32_t rows = inside(ck, bank);
  for (unsigned r = 0; r < ck->config->NumModules; r++) {
    const uint64_t left = ck->banks.left[bank][r];
    if (left && left + FALL >= begin) rows |= UINT32_C(1) << r;
  }
  return rows;
}

void sluice_checker_inside(struct sluice_checker *ck, uint64_t begin, uint64_t cycle, unsigned bank,
                           uint32_t rows) {
  MONITOR_EVENT(ck, INSIDE, begin, cycle, bank, rows);
  ck->now = cycle;
  const uint32_t maybe = lately_inside(ck, bank, begin);
  for (unsigned r = 0; r < 32; r++)
    if ((rows & ~maybe) >> r & 1 && !(two(ck) && arriving(ck, r)))
      monitor_differ(ck, NULL, monitor_text("CHIP.INSIDE_BANK%u bit %u", bank, r),
                     monitor_text("0: nothing of it is inside"), monitor_text("1"));
  add_claim(ck, &(struct monitor_claim){.kind = MONITOR_CLAIM_READ,
                                        .bank = bank,
                                        .rows = inside(ck, bank) & ~rows,
                                        .begin = begin,
                                        .end = cycle});
}

// ---- control packets ----------------------------------------------------------------------------

bool sluice_checker_may_refuse(struct sluice_checker *ck, const uint8_t *bytes, size_t len) {
  MONITOR_EVENT_BYTES(ck, MAY_REFUSE, bytes, len, 0);
  struct monitor_banks *b = &ck->banks;
  struct model_request r;
  bool may = false;
  b->asked[0] = b->asked[1] = 0;
  if (!model_request(ck->model, bytes, len, &r) || !r.legal) return false;
  may = monitor_cut_may_refuse(ck, &r);
  if (!two(ck)) return may;
  const bool take = r.table == SLUICE_TABLE_TAKE && r.op == SLUICE_CHAIN_READ &&
                    sluice_checker_is_marks(ck, bytes, len);
  if (r.op != SLUICE_CHAIN_WRITE && !take) return may;
  for (unsigned n = 0; n < (take ? 1 : model_request_entries(&r, len)); n++) {
    unsigned entry;
    if (!model_request_row(ck->model, &r, n, &entry)) continue;
    const unsigned bank = entry / ck->config->NumModules, row = entry % ck->config->NumModules;
    if (bank == sluice_checker_bank_of(ck, row) || !(lately_inside(ck, bank, ck->now) >> row & 1))
      continue;
    b->asked[bank] |= UINT32_C(1) << row;
    may = true;
  }
  if (may && sluice_checker_is_marks(ck, bytes, len)) monitor_marks_ask(ck, bytes, len);
  return may;
}

bool sluice_checker_counted(struct sluice_checker *ck, uint64_t begin, uint64_t cycle,
                            const uint8_t *bytes, size_t len, bool refused) {
  MONITOR_EVENT_BYTES(ck, COUNTED, bytes, len, begin, cycle, refused);
  ck->report.refused_writes += refused;
  for (unsigned bank = 0; bank < SLUICE_MODEL_BANKS; bank++) {
    reference_inside(ck, bank, refused ? ck->banks.asked[bank] : 0);
    if (!refused)
      add_claim(ck, &(struct monitor_claim){.kind = MONITOR_CLAIM_WRITE,
                                            .bank = bank,
                                            .rows = ck->banks.asked[bank] & inside(ck, bank),
                                            .begin = begin,
                                            .end = cycle});
  }
  monitor_cut_refuse(ck, refused);
  const bool good = monitor_control(ck, cycle, bytes, len, NULL);
  monitor_cut_refuse(ck, false);
  for (unsigned bank = 0; bank < SLUICE_MODEL_BANKS; bank++) reference_inside(ck, bank, 0);
  return good;
}

// A packet of {VID[7:0], bank} that is certainly inside, and not about to leave; NULL: none.
static const struct monitor_packet *witness(const struct sluice_checker *ck, unsigned bank,
                                            unsigned vid) {
  for (unsigned l = 0; l < ck->config->NumPipes; l++)
    for (const struct monitor_packet *p = ck->lane[l].waiting.head; p; p = p->next)
      if (surely_inside(p) && p->bank == bank && p->bytes[15] == vid) return p;
  for (uint64_t t = ck->next_ticket; t > ck->oldest; t--) {
    const struct monitor_packet *p = monitor_inside(ck, t - 1);
    if (p && p->admission + SURE < ck->now) break;
    if (p && surely_inside(p) && p->bank == bank && p->bytes[15] == vid) return p;
  }
  return NULL;
}

void monitor_bank_changed(struct sluice_checker *ck, const struct monitor_change *change) {
  const unsigned bank = change->bank, vid = change->vid, row = vid % ck->config->NumModules;
  const struct monitor_claim c = {.kind = MONITOR_CLAIM_DRIVER,
                                  .vid = vid,
                                  .bank = bank,
                                  .rows = UINT32_C(1) << row,
                                  .begin = ck->now,
                                  .end = ck->now,
                                  .table = change->table,
                                  .stage = change->stage,
                                  .match_row = change->index,
                                  .erased = change->erased};
  const struct monitor_packet *p = witness(ck, bank, vid);
  if (!ck->banks.count[bank][row]) return;
  if (!p) {
    add_claim(ck, &c);
    return;
  }
  for (unsigned n = 0; claim(&ck->banks, n); n++) {
    const struct monitor_claim *said = claim(&ck->banks, n);
    if (said->kind != MONITOR_CLAIM_READ || said->bank != bank || !(said->rows >> row & 1) ||
        p->since + RISE > said->begin)
      continue;
    wrong_claim(ck, p, said);
    return;
  }
  driver_fault(ck, p, &c);
}

// A match row, and what the control packet writes there, as they were before it.
struct before {
  bool valid;
  uint64_t match[MODEL_KEY_WORDS], entry[ENTRY_WORDS];
};

static bool is_row_table(enum sluice_table table) {
  if (table == SLUICE_NUM_TABLES || sluice_table_is_count(table)) return false;
  const enum sluice_rows rows = sluice_tables[table].rows;
  return rows == SLUICE_ROWS_matches || rows == SLUICE_ROWS_actions;
}

static bool match_row_valid(const struct sluice_model *m, unsigned stage, unsigned row) {
  return m->match_valid[stage * m->config.MatchEntries + row];
}

// Whether packets of `bank` see a match row as before: another NOT_BANK is the same row to those
// whom it does not name.
static bool same_match(const struct before *b, bool valid, const uint64_t *now, unsigned bank) {
  uint64_t differ = 0;
  for (unsigned w = 0; w < MODEL_KEY_WORDS; w++) {
    const uint64_t not_bank =
        w == SLUICE_MATCH_NOT_BANK_LSB / 64 ? UINT64_C(3) << SLUICE_MATCH_NOT_BANK_LSB % 64 : 0;
    differ |= (b->match[w] ^ now[w]) & ~not_bank;
  }
  return valid && !differ && !(FIELD(now, MATCH, NOT_BANK) >> bank & 1);
}

static bool is_entry_table(enum sluice_table table) {
  return table == SLUICE_TABLE_TERNARY || table == SLUICE_TABLE_CUCKOO;
}

// The exact row, if there is one with this number, and what names it.
static void compare_row(struct sluice_checker *ck, const struct model_request *r, unsigned index,
                        const struct before *b) {
  const struct sluice_model *m = ck->model;
  const uint64_t *entry = model_entry(m, r->table, r->stage, index);
  const bool same_entry = memcmp(b->entry, entry, m->words[r->table] * sizeof *entry) == 0;
  struct monitor_change change = {.table = r->table,
                                  .stage = r->stage,
                                  .index = index,
                                  .erased = r->op == SLUICE_CHAIN_ERASE,
                                  .vid = b->valid ? (unsigned)FIELD(b->match, MATCH, VID) : 0};
  for (change.bank = 0; b->valid && change.bank < SLUICE_MODEL_BANKS; change.bank++) {
    if (FIELD(b->match, MATCH, NOT_BANK) >> change.bank & 1) continue;
    const bool valid = match_row_valid(m, r->stage, index);
    const bool same = r->table == SLUICE_TABLE_MATCH ? same_match(b, valid, entry, change.bank)
                                                     : same_entry;
    if (!same) monitor_bank_changed(ck, &change);
  }
  if (!same_entry && sluice_tables[r->table].rows == SLUICE_ROWS_actions)
    monitor_entries_action(ck, r, index);
}

bool monitor_bank_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                          struct sluice_model_answer *answer) {
  struct model_request r;
  struct sluice_model *m = ck->model;
  if (!two(ck) || !model_request(m, bytes, len, &r) || !r.legal || r.op == SLUICE_CHAIN_READ ||
      r.index >= r.depth)
    return reference_control(ck, bytes, len, answer);
  if (is_entry_table(r.table)) return monitor_entries_control(ck, &r, bytes, len, answer);
  if (!is_row_table(r.table)) return reference_control(ck, bytes, len, answer);
  struct before before[MOST_ENTRIES];
  unsigned num = r.op == SLUICE_CHAIN_ERASE ? 1 : model_request_entries(&r, len);
  if (num > r.depth - r.index) num = r.depth - r.index;
  for (unsigned n = 0; n < num; n++) {
    const unsigned index = r.index + n;
    before[n].valid = index < m->config.MatchEntries && match_row_valid(m, r.stage, index);
    if (before[n].valid)
      memcpy(before[n].match, model_entry(m, SLUICE_TABLE_MATCH, r.stage, index),
             sizeof before[n].match);
    memcpy(before[n].entry, model_entry(m, r.table, r.stage, index),
           m->words[r.table] * sizeof(uint64_t));
  }
  const bool good = reference_control(ck, bytes, len, answer);
  for (unsigned n = 0; n < num; n++) compare_row(ck, &r, r.index + n, &before[n]);
  return good;
}
