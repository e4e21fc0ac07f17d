// SPDX-License-Identifier: Apache-2.0
// Monitor of the rates of modules at the lanes: bounds of what the two buckets may hold, from the
// cycles in which packets came.
#include "machine.h"
#include "monitor.h"

enum { ONE = 256, UNIT = 64 };

static unsigned row_of(const struct sluice_checker *ck, const struct monitor_packet *p) {
  return p->bytes[15] % ck->config->NumModules;
}

bool monitor_rate_may(const struct sluice_checker *ck, const struct monitor_packet *p) {
  const unsigned row = row_of(ck, p);
  const uint64_t entry = sluice_model_rate(ck->model, row);
  if (p->recirculated || !ck->config->RateLimits) return false;
  return FIELD(&entry, RATE_LIMIT, VALID) ||
         (p->arrival <= ck->rate_changed[row] && ck->rate_before[row]);
}

void monitor_rate_changed(struct sluice_checker *ck, unsigned row, uint64_t before) {
  if (before == sluice_model_rate(ck->model, row)) return;
  ck->rate_changed[row] = ck->now + SLUICE_CHECKER_SETTLE;
  ck->rate_before[row] = FIELD(&before, RATE_LIMIT, VALID);
}

static int64_t at_most(int64_t value, int64_t limit) { return value < limit ? value : limit; }

// What the buckets may hold when a packet arrives at `cycle`. When its cycle of E begins is not
// known: the bounds are off by up to two times the rate.
static void refill(const struct sluice_checker *ck, struct monitor_rate *b, uint64_t entry,
                   const int64_t full[2], const int64_t rate[2], uint64_t cycle) {
  const uint64_t period = ck->config->NumModules;
  const int64_t times = (int64_t)(cycle / period - b->cycle / period);
  for (unsigned i = 0; i < 2; i++) {
    if (b->entry != entry) {
      // The old rate may have filled it until now, the new one may have begun before.
      if (b->most[i] < full[i]) b->most[i] = full[i];
      b->least[i] = 0;
      continue;
    }
    b->most[i] = at_most(b->most[i] + times * rate[i], full[i] > b->most[i] ? full[i] : b->most[i]);
    b->least[i] = at_most(b->least[i] + times * rate[i], full[i]);
  }
  b->entry = entry;
  b->cycle = cycle;
}

void monitor_rate(struct sluice_checker *ck, const struct monitor_packet *p, bool dropped) {
  const unsigned row = row_of(ck, p);
  const uint64_t entry = sluice_model_rate(ck->model, row);
  struct monitor_rate *b = &ck->rate[p->lane][row];
  if (!ck->config->RateLimits || p->recirculated) return;
  const int64_t full[2] = {ONE * (int64_t)FIELD(&entry, RATE_LIMIT, PACKET_BURST),
                           ONE * (int64_t)FIELD(&entry, RATE_LIMIT, BYTE_BURST)},
                rate[2] = {(int64_t)FIELD(&entry, RATE_LIMIT, PACKET_RATE),
                           (int64_t)FIELD(&entry, RATE_LIMIT, BYTE_RATE)},
                needs[2] = {ONE, ONE * (int64_t)((p->len + UNIT - 1) / UNIT)};
  const bool changing = p->arrival <= ck->rate_changed[row];
  refill(ck, b, entry, full, rate, p->arrival);
  bool enough = true, surely = true;
  for (unsigned i = 0; i < 2; i++) {
    enough = enough && b->most[i] + 2 * rate[i] >= needs[i];
    surely = surely && b->least[i] - 2 * rate[i] >= needs[i];
  }
  const bool limited = FIELD(&entry, RATE_LIMIT, VALID);
  if (!changing && dropped && limited && surely)
    monitor_differ(ck, p, monitor_text("rate of row %u at lane %u", row, p->lane),
                   monitor_text("enough tokens"), monitor_text("dropped"));
  if (!changing && !dropped && limited && !enough)
    monitor_differ(ck, p, monitor_text("rate of row %u at lane %u", row, p->lane),
                   monitor_text("not enough tokens"), monitor_text("passed"));
  if (dropped || !limited) return;
  for (unsigned i = 0; i < 2; i++) {
    b->most[i] -= needs[i];
    b->least[i] -= needs[i];
    // Tokens that were not there after all came with one of the two fills that may be too many.
    if (b->most[i] < -2 * rate[i]) b->most[i] = -2 * rate[i];
    if (b->least[i] < 0) b->least[i] = 0;
  }
}
