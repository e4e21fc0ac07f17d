// SPDX-License-Identifier: Apache-2.0
// Events of a run are written down: a line for each call of the checker.
#include "events.h"

#include <inttypes.h>

#include "monitor.h"

static const struct {
  const char *name, *arguments;
} events[] = {
#define SLUICE_EVENT(ID, NAME, ARGUMENTS) {#NAME, ARGUMENTS},
#include "events.def"
};
enum { NUM_EVENTS = sizeof events / sizeof *events };

const char *sluice_event_name(unsigned n) { return n < NUM_EVENTS ? events[n].name : NULL; }
const char *sluice_event_arguments(unsigned n) {
  return n < NUM_EVENTS ? events[n].arguments : NULL;
}

void sluice_checker_record(struct sluice_checker *ck, FILE *to) {
  fprintf(to, "sluice events 1\nchip %s\nlayout 0x%08" PRIx32 "\n", ck->config->name,
          sluice_layout_hash());
  ck->events = (struct monitor_record){.to = to};
}

static void put_bytes(FILE *to, const uint8_t *bytes, size_t len) {
  static const char digits[] = "0123456789abcdef";
  char text[256];
  size_t used = 0;
  fputc(' ', to);
  if (!len) fputc('-', to);
  for (size_t i = 0; i < len; i++) {
    text[used++] = digits[bytes[i] >> 4];
    text[used++] = digits[bytes[i] & 15];
    if (used == sizeof text || i + 1 == len) {
      fwrite(text, 1, used, to);
      used = 0;
    }
  }
}

static void put(FILE *to, enum monitor_event event, const uint64_t *values,
                const struct monitor_bytes *bytes) {
  fputs(events[event].name, to);
  for (const char *at = events[event].arguments; *at; at++) {
    switch (*at) {
      case '*': fprintf(to, " 0x%" PRIx64, *values++); break;
      case '+':
        put_bytes(to, bytes->bytes, bytes->len);
        bytes++;
        break;
      case '$':
        fprintf(to, " %.*s", (int)bytes->len, (const char *)bytes->bytes);
        bytes++;
        break;
      default: fprintf(to, " %" PRIu64, *values++); break;
    }
    while (at[1] && *at != ' ') at++;
  }
  fputc('\n', to);
}

static void end_idle(struct monitor_record *r) {
  if (r->idle)
    put(r->to, MONITOR_EVENT_IDLE, (const uint64_t[]){r->from, r->until, r->idle_banks}, NULL);
  r->idle = false;
}

// Nothing but `bank` and `cycle` was told in cycle r->cycle: it goes to the line `idle` of those
// before it, or begins the next one.
static void add_idle(struct monitor_record *r) {
  r->banked = false;
  if (!r->idle || r->until + 1 != r->cycle || r->idle_banks != r->banks) {
    end_idle(r);
    r->idle = true;
    r->from = r->cycle;
    r->idle_banks = r->banks;
  }
  r->until = r->cycle;
}

void monitor_event(struct monitor_record *r, enum monitor_event event, const uint64_t *values,
                   const struct monitor_bytes *bytes) {
  if (event == MONITOR_EVENT_CYCLE && r->banked && values[0] == r->cycle) {
    add_idle(r);
    return;
  }
  const bool bank = event == MONITOR_EVENT_BANK && !r->banked;
  if (bank) {
    r->banked = true;
    r->cycle = values[0];
    r->banks = values[1];
    return;
  }
  end_idle(r);
  if (r->banked) put(r->to, MONITOR_EVENT_BANK, (const uint64_t[]){r->cycle, r->banks}, NULL);
  r->banked = false;
  put(r->to, event, values, bytes);
}

// Most significant byte first.
struct monitor_bytes monitor_words(uint8_t *to, const uint32_t *words, unsigned num) {
  for (unsigned i = 0; i < 4 * num; i++) to[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
  return (struct monitor_bytes){to, 4 * (size_t)num};
}
struct monitor_bytes monitor_halves(uint8_t *to, const uint16_t *halves, unsigned num) {
  for (unsigned i = 0; i < 2 * num; i++) to[i] = (uint8_t)(halves[i / 2] >> (8 - 8 * (i % 2)));
  return (struct monitor_bytes){to, 2 * (size_t)num};
}
