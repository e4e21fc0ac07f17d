// SPDX-License-Identifier: Apache-2.0
// What the checker says: differences, latencies, the report.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "monitor.h"

const char *sluice_checker_reason_name(unsigned reason) {
  static const char *const names[SLUICE_MODEL_REASONS] = {
#define NAME_DROP(NAME, VALUE) [VALUE] = NAME,
#define NAME_ELSE(NAME, VALUE)
#define SLUICE_VALUE(ENUM, BITS, NAME, VALUE, DOC) VALUE_OF_##ENUM(#NAME, VALUE)
#define VALUE_OF_DROP NAME_DROP
#define VALUE_OF_TYPE NAME_ELSE
#define VALUE_OF_CMP NAME_ELSE
#define VALUE_OF_WIDE NAME_ELSE
#define VALUE_OF_OP NAME_ELSE
#define VALUE_OF_FUNC NAME_ELSE
#define VALUE_OF_FUNCI NAME_ELSE
#define VALUE_OF_EXT NAME_ELSE
#define VALUE_OF_REL NAME_ELSE
#define VALUE_OF_PRED_S NAME_ELSE
#define VALUE_OF_PRED_P NAME_ELSE
#define VALUE_OF_PRED_Y NAME_ELSE
#define VALUE_OF_ARM NAME_ELSE
#define VALUE_OF_HASH NAME_ELSE
#define VALUE_OF_CHAIN NAME_ELSE
#define VALUE_OF_ERROR NAME_ELSE
#define VALUE_OF_FAULT NAME_ELSE
#define VALUE_OF_ISSUE NAME_ELSE
#define VALUE_OF_STEER NAME_ELSE
#define VALUE_OF_OPCODE NAME_ELSE
#define VALUE_OF_ARRAY_OP NAME_ELSE
#define VALUE_OF_ARRAY_SELECT NAME_ELSE
#define VALUE_OF_ARRAY_RESULT NAME_ELSE
#include "../layouts.def"
  };
  return reason < SLUICE_MODEL_REASONS && names[reason] ? names[reason] : "?";
}

struct monitor_text monitor_text(const char *format, ...) {
  struct monitor_text text;
  va_list args;
  va_start(args, format);
  vsnprintf(text.s, sizeof text.s, format, args);
  va_end(args);
  return text;
}

struct monitor_text monitor_reasons(uint32_t set) {
  struct monitor_text text = {""};
  for (unsigned r = 0; r < SLUICE_MODEL_REASONS; r++) {
    if (!(set >> r & 1)) continue;
    const size_t used = strlen(text.s);
    snprintf(text.s + used, sizeof text.s - used, "%s%s", used ? " or " : "",
             r == SLUICE_DROP_NONE ? "not dropped" : sluice_checker_reason_name(r));
  }
  return text;
}

void monitor_differ(struct sluice_checker *ck, const struct monitor_packet *packet,
                    struct monitor_text field, struct monitor_text expected,
                    struct monitor_text got) {
  struct sluice_difference *d = &ck->report.first;
  if (ck->report.differences++) return;
  d->packet = packet ? packet->number : UINT64_MAX;
  d->cycle = ck->now;
  memcpy(d->field, field.s, sizeof d->field);
  memcpy(d->expected, expected.s, sizeof d->expected);
  memcpy(d->got, got.s, sizeof d->got);
  char who[40] = "";
  if (packet) snprintf(who, sizeof who, "packet %llu: ", (unsigned long long)packet->number);
  snprintf(d->text, sizeof d->text, "cycle %llu: %s%s: expected %s, got %s",
           (unsigned long long)ck->now, who, field.s, expected.s, got.s);
}

void monitor_differ_byte(struct sluice_checker *ck, const struct monitor_packet *packet,
                         unsigned at, const uint8_t *expected, const uint8_t *got, unsigned len) {
  const bool first = ck->report.differences == 0;
  monitor_differ(ck, packet, monitor_text("byte %u", at), monitor_text("0x%02x", expected[at]),
                 monitor_text("0x%02x", got[at]));
  if (!first) return;
  // Two lines of at most 128 bytes: the header, or the beats from the difference on.
  char *text = ck->report.first.text;
  const unsigned from = at < 128 ? 0 : at / 64 * 64;
  const unsigned to = len - from < 128 ? len : from + 128;
  for (int line = 0; line < 2; line++) {
    const uint8_t *bytes = line ? got : expected;
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, SLUICE_CHECKER_DUMP - used,
                             "\n%s bytes %u..%u: ", line ? "     got" : "expected", from, to - 1);
    for (unsigned i = from; i < to && used + 3 < SLUICE_CHECKER_DUMP; i++)
      used += (size_t)snprintf(text + used, SLUICE_CHECKER_DUMP - used, "%02x", bytes[i]);
  }
}

void monitor_record(struct monitor_histogram *h, uint64_t value) {
  if (h->count == 0 || value < h->min) h->min = value;
  if (value > h->max) h->max = value;
  h->count++;
  h->sum += value;
  h->bucket[value < MONITOR_BUCKETS ? value : MONITOR_BUCKETS - 1]++;
}

// The least value that `share` of all are not above.
static uint64_t quantile(const struct monitor_histogram *h, uint64_t percent) {
  const uint64_t rank = (h->count * percent + 99) / 100;
  uint64_t seen = 0;
  for (uint64_t v = 0; v < MONITOR_BUCKETS - 1; v++) {
    seen += h->bucket[v];
    if (seen >= rank) return v;
  }
  return h->max;
}

static struct sluice_latency latency(const struct monitor_histogram *h) {
  struct sluice_latency l = {.count = h->count, .min = h->min, .max = h->max};
  if (h->count == 0) return l;
  l.mean = (double)h->sum / (double)h->count;
  l.median = quantile(h, 50);
  l.p99 = quantile(h, 99);
  return l;
}

void sluice_checker_report(const struct sluice_checker *ck, struct sluice_report *report) {
  *report = ck->report;
  uint64_t dropped = ck->report.drops[SLUICE_DROP_RATE] + ck->report.drops[SLUICE_DROP_GAVE_WAY];
  for (unsigned r = 0; r < SLUICE_DROP_DISCARD_BACK; r++) dropped += ck->report.drops[r];
  report->inside = report->packets - dropped - report->left;
  report->to_exit = latency(&ck->to_exit);
  report->to_first_beat = latency(&ck->to_first_beat);
}

bool sluice_checker_failed(const struct sluice_checker *ck) { return ck->report.differences != 0; }
