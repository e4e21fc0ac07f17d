// SPDX-License-Identifier: Apache-2.0
// Events that were written down are told to a checker of its own: no chip, no simulator.
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "events.h"
#include "monitor.h"

enum { VALUES = 8, MOST_BYTES = SLUICE_MODEL_ANSWER_LEN, CYCLES_LOG2 = 48, IDLE_LOG2 = 32 };

struct sluice_replay {
  const struct sluice_second *second;
  const struct sluice_config *config;
  struct sluice_checker *ck;
  bool versioned, finished;
  uint64_t events, cycle;
  // Of the line that is read.
  uint64_t value[VALUES];
  struct monitor_bytes bytes[2];
  uint8_t held[2][MOST_BYTES];
};

struct sluice_replay *sluice_replay_open(const struct sluice_second *second) {
  struct sluice_replay *r = calloc(1, sizeof *r);
  if (r) r->second = second;
  return r;
}
void sluice_replay_close(struct sluice_replay *r) {
  if (r) sluice_checker_close(r->ck);
  free(r);
}
struct sluice_checker *sluice_replay_checker(const struct sluice_replay *r) {
  return r->ck;
}
bool sluice_replay_finished(const struct sluice_replay *r) { return r->finished; }
uint64_t sluice_replay_events(const struct sluice_replay *r) { return r->events; }

// ---- reading a line -----------------------------------------------------------------------------

// How large a number of this name may be: monitors use some as an index.
static uint64_t most_of(const struct sluice_config *c, const char *name, size_t len) {
  const struct {
    const char *name;
    uint64_t most;
  } names[] = {
      {"lane", c->NumPipes - 1},
      {"stream", c->NumPipes - 1},
      {"pipe", c->NumPipes - 1},
      {"port", c->NumPorts - 1},
      {"stage", SLUICE_MODEL_STAGES - 1},
      {"row", c->Banks * c->NumModules - 1},
      {"tag", 4 * (uint64_t)c->Window - 1},
      {"reason", SLUICE_MODEL_REASONS - 1},
      {"bank", SLUICE_MODEL_BANKS - 1},
      {"begin", UINT64_C(1) << CYCLES_LOG2},
      {"cycle", UINT64_C(1) << CYCLES_LOG2},
      {"from", UINT64_C(1) << CYCLES_LOG2},
      {"until", UINT64_C(1) << CYCLES_LOG2},
      {"number", UINT64_MAX},
      {"keep", UINT64_MAX},
      {"accepted_ports", UINT64_MAX},
      {"refused_ports", UINT64_MAX},
      {"expected", UINT64_MAX},
      {"got", UINT64_MAX},
      {"last", 1},
      {"err", 1},
      {"on", 1},
      {"accepted", 1},
      {"refused", 1},
      {"raced", 1},
      {"write", 1},
      {"deep", 1},
      {"dropped", 1},
  };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len)) return names[i].most;
  return UINT32_MAX;
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_bytes(const char **at, uint8_t *to, size_t *len) {
  *len = 0;
  if (**at == '-') {
    (*at)++;
    return true;
  }
  for (; digit((*at)[0]) >= 0 && digit((*at)[1]) >= 0 && *len < MOST_BYTES; *at += 2)
    to[(*len)++] = (uint8_t)(digit((*at)[0]) << 4 | digit((*at)[1]));
  return *len > 0;
}

static bool read_hex(const char **at, uint64_t *value) {
  unsigned digits = 0;
  if (strncmp(*at, "0x", 2) != 0) return false;
  *value = 0;
  for (*at += 2; digit(**at) >= 0 && digits < 16; (*at)++, digits++)
    *value = *value << 4 | (unsigned)digit(**at);
  return digits > 0;
}

static enum sluice_status read_arguments(struct sluice_replay *r, const char *arguments,
                                         const char *at, struct sluice_error *error) {
  unsigned values = 0, bytes = 0;
  for (const char *a = arguments; *a; a += *a == ' ') {
    const char kind = *a, *name = a + !(kind >= 'a' && kind <= 'z');
    const size_t len = strcspn(name, " ");
    a = name + len;
    bool good = *at == ' ';
    at += good;
    if (kind == '$') {
      r->bytes[bytes++] = (struct monitor_bytes){(const uint8_t *)at, strlen(at)};
      return SLUICE_OK;
    }
    if (kind == '+') {
      r->bytes[bytes].bytes = r->held[bytes];
      good = good && read_bytes(&at, r->held[bytes], &r->bytes[bytes].len);
      bytes++;
    } else {
      uint64_t *v = &r->value[values++];
      good = good &&
             (kind == '*' ? read_hex(&at, v) : sluice_number_at(at, &at, v) == SLUICE_READ) &&
             *v <= most_of(r->config, name, len);
    }
    if (!good)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "%.*s: a value of %s is wanted, at '%.20s'",
                         (int)len, name, kind == '+' ? "bytes in hexadecimal" : "this chip", at);
  }
  return *at ? sluice_fail(error, SLUICE_ERR_FORMAT, "more than '%s'", arguments) : SLUICE_OK;
}

// ---- telling it ---------------------------------------------------------------------------------

static uint32_t word(const struct monitor_bytes *b, unsigned i) {
  const uint8_t *p = b->bytes + 4 * (size_t)i;
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void tell_keys(const struct sluice_replay *r) {
  uint32_t words[SLUICE_MODEL_WORDS];
  uint16_t halves[8];
  for (unsigned i = 0; i < r->config->ArrayWords; i++) words[i] = word(&r->bytes[0], i);
  for (unsigned i = 0; i < r->config->Num2B; i++)
    halves[i] = (uint16_t)(r->bytes[1].bytes[2 * i] << 8 | r->bytes[1].bytes[2 * i + 1]);
  sluice_checker_keys(r->ck, (unsigned)r->value[0], words, halves);
}

static void tell_row(const struct sluice_replay *r) {
  uint32_t words[SLUICE_MODEL_WORDS];
  for (unsigned i = 0; i < r->config->ArrayWords; i++) words[i] = word(&r->bytes[0], i);
  sluice_checker_state_row(r->ck, (unsigned)r->value[0], (unsigned)r->value[1],
                           (unsigned)r->value[2], words);
}

static void tell_idle(const struct sluice_replay *r) {
  for (uint64_t cycle = r->value[0]; cycle <= r->value[1]; cycle++) {
    sluice_checker_bank(r->ck, cycle, (uint32_t)r->value[2]);
    sluice_checker_cycle(r->ck, cycle);
  }
}

static void tell_counter(const struct sluice_replay *r) {
  char name[SLUICE_CHECKER_TEXT];
  snprintf(name, sizeof name, "%s", (const char *)r->bytes[0].bytes);
  sluice_checker_counter(r->ck, name, r->value[0], r->value[1]);
}

// Bytes are as many as the chip has; cycles are some, and not without an end.
static bool lengths_fit(const struct sluice_replay *r, enum monitor_event event) {
  const struct sluice_config *c = r->config;
  switch (event) {
    case MONITOR_EVENT_RX:
    case MONITOR_EVENT_TX: return r->bytes[0].len == c->BeatBytes;
    case MONITOR_EVENT_STATE_ROW: return r->bytes[0].len == 4 * (size_t)c->ArrayWords;
    case MONITOR_EVENT_KEYS:
      return r->bytes[0].len == 4 * (size_t)c->ArrayWords &&
             r->bytes[1].len == 2 * (size_t)c->Num2B;
    case MONITOR_EVENT_IDLE: return r->value[1] - r->value[0] < UINT64_C(1) << IDLE_LOG2;
    default: return true;
  }
}

#define U(N) ((unsigned)v[N])
#define YES(N) (v[N] != 0)
#define DATA(N) r->bytes[N].bytes, r->bytes[N].len

// What the control side tells.
static bool tell_control(struct sluice_replay *r, enum monitor_event event) {
  struct sluice_checker *ck = r->ck;
  const uint64_t *v = r->value;
  switch (event) {
    case MONITOR_EVENT_CONTROL: sluice_checker_control(ck, v[0], DATA(0), NULL); break;
    case MONITOR_EVENT_MAY_REFUSE: sluice_checker_may_refuse(ck, DATA(0)); break;
    case MONITOR_EVENT_COUNTED: sluice_checker_counted(ck, v[0], v[1], DATA(0), YES(2)); break;
    case MONITOR_EVENT_ANSWER: sluice_checker_answer(ck, v[0], DATA(0)); break;
    case MONITOR_EVENT_COUNT_ANSWER: sluice_checker_count_answer(ck, DATA(0), DATA(1)); break;
    case MONITOR_EVENT_KEYS_SETTLED: sluice_checker_keys_settled(ck, v[0]); break;
    case MONITOR_EVENT_READY: sluice_checker_ready(ck, v[0]); break;
    case MONITOR_EVENT_BITMAP: sluice_checker_bitmap(ck, v[0], U(1)); break;
    case MONITOR_EVENT_SETS: sluice_checker_sets(ck, U(0)); break;
    case MONITOR_EVENT_MOVES: sluice_checker_moves(ck, YES(0)); break;
    case MONITOR_EVENT_MERGE: sluice_checker_merge(ck, U(0), U(1), U(2)); break;
    case MONITOR_EVENT_ECN: sluice_checker_ecn(ck, U(0), U(1)); break;
    case MONITOR_EVENT_CLASS_ECN: sluice_checker_class_ecn(ck, v[0], U(1), U(2)); break;
    case MONITOR_EVENT_BANK_WRITE: sluice_checker_bank_write(ck, U(0)); break;
    case MONITOR_EVENT_BANK_WRITTEN: sluice_checker_bank_written(ck, v[0], YES(1)); break;
    case MONITOR_EVENT_INSIDE: sluice_checker_inside(ck, v[0], v[1], U(2), U(3)); break;
    case MONITOR_EVENT_CUT_WRITE: sluice_checker_cut_write(ck, U(0)); break;
    case MONITOR_EVENT_CUT_WRITTEN: sluice_checker_cut_written(ck, v[0], YES(1)); break;
    case MONITOR_EVENT_CUT_STATUS: sluice_checker_cut_status(ck, v[0], U(1)); break;
    case MONITOR_EVENT_CUT_TICKET: sluice_checker_cut_ticket(ck, v[0], v[1], U(2)); break;
    case MONITOR_EVENT_CUT_ANSWER:
      sluice_checker_cut_answer(ck, v[0], v[1], DATA(0), DATA(1), YES(2));
      break;
    case MONITOR_EVENT_FLIP_WATCH: sluice_checker_flip_watch(ck, U(0), U(1)); break;
    case MONITOR_EVENT_FLIP_SINCE: sluice_checker_flip_since(ck, U(0)); break;
    case MONITOR_EVENT_FLIP_TICKET: sluice_checker_flip_ticket(ck, v[0], U(1)); break;
    case MONITOR_EVENT_FLIP_WRITE: sluice_checker_flip_write(ck, U(0)); break;
    case MONITOR_EVENT_FLIP_WRITTEN: sluice_checker_flip_written(ck, v[0], YES(1)); break;
    default: return false;
  }
  return true;
}

// What comes in, up to the order point.
static bool tell_in(struct sluice_replay *r, enum monitor_event event) {
  struct sluice_checker *ck = r->ck;
  const uint64_t *v = r->value;
  switch (event) {
    case MONITOR_EVENT_AGAIN: sluice_checker_again(ck, v[0], U(1), YES(2), U(3)); break;
    case MONITOR_EVENT_GIVES_WAY: sluice_checker_gives_way(ck, U(0)); break;
    case MONITOR_EVENT_RX:
      sluice_checker_rx(ck, v[0], U(1), r->bytes[0].bytes, v[6], YES(4), YES(5), U(2), v[3]);
      break;
    case MONITOR_EVENT_BANK: sluice_checker_bank(ck, v[0], U(1)); break;
    case MONITOR_EVENT_DEALT: sluice_checker_dealt(ck, v[0], U(1), U(2)); break;
    case MONITOR_EVENT_LANE: sluice_checker_lane(ck, v[0], U(1), U(2)); break;
    case MONITOR_EVENT_HELD: sluice_checker_held(ck, U(0), U(1)); break;
    case MONITOR_EVENT_ORDER: sluice_checker_order(ck, v[0], U(1), U(2), U(3)); break;
    case MONITOR_EVENT_MARK: sluice_checker_mark(ck, U(0)); break;
    case MONITOR_EVENT_KEYS: tell_keys(r); break;
    case MONITOR_EVENT_CUT: sluice_checker_cut(ck, v[0], U(1), U(2)); break;
    case MONITOR_EVENT_FLIP: sluice_checker_flip(ck, v[0], U(1), U(2)); break;
    default: return false;
  }
  return true;
}

// What is done with state, and leaves; the end.
static void tell_out(struct sluice_replay *r, enum monitor_event event) {
  struct sluice_checker *ck = r->ck;
  const uint64_t *v = r->value;
  switch (event) {
    case MONITOR_EVENT_STATE_MARK:
      sluice_checker_state_mark(ck, v[0], U(1), U(2), U(3), YES(4), U(5));
      break;
    case MONITOR_EVENT_STATE: sluice_checker_state(ck, v[0], U(1), U(2), U(3), U(4), YES(5)); break;
    case MONITOR_EVENT_UNPAID: sluice_checker_unpaid(ck, U(0)); break;
    case MONITOR_EVENT_DEEP: sluice_checker_deep(ck, U(0), YES(1), U(2)); break;
    case MONITOR_EVENT_EXIT: sluice_checker_exit(ck, v[0], U(1), U(2), U(3), v[4], v[5]); break;
    case MONITOR_EVENT_COPY: sluice_checker_copy(ck, v[0], U(1), U(2), U(3)); break;
    case MONITOR_EVENT_COPY_LAST: sluice_checker_copy_last(ck, v[0], U(1)); break;
    case MONITOR_EVENT_COPY_FATE:
      sluice_checker_copy_fate(ck, v[0], U(1), U(2), U(3), YES(4));
      break;
    case MONITOR_EVENT_GAP: sluice_checker_gap(ck, v[0], U(1)); break;
    case MONITOR_EVENT_TX:
      sluice_checker_tx(ck, v[0], U(1), r->bytes[0].bytes, v[5], YES(4), U(2), U(3));
      break;
    case MONITOR_EVENT_CYCLE: sluice_checker_cycle(ck, v[0]); break;
    case MONITOR_EVENT_IDLE: tell_idle(r); break;
    case MONITOR_EVENT_STATE_ENTRY:
      sluice_checker_state_entry(ck, U(0), U(1), U(2), U(3), U(4));
      break;
    case MONITOR_EVENT_LANE_ENTRY:
      sluice_checker_lane_entry(ck, U(0), U(1), U(2), U(3), U(4), U(5));
      break;
    case MONITOR_EVENT_STATE_ROW: tell_row(r); break;
    case MONITOR_EVENT_COUNTER: tell_counter(r); break;
    case MONITOR_EVENT_FINISH:
      sluice_checker_finish(ck);
      r->finished = true;
      break;
    default: break;
  }
}

// ---- lines --------------------------------------------------------------------------------------

static enum sluice_status begin(struct sluice_replay *r, const char *chip,
                                struct sluice_error *error) {
  r->config = sluice_config_find(chip);
  if (!r->config) return sluice_fail(error, SLUICE_ERR_FOREIGN, "there is no chip '%.60s'", chip);
  r->ck = sluice_checker_open(r->config, NULL);
  if (!r->ck || (r->second && !sluice_checker_second(r->ck, r->second)))
    return sluice_no_memory(error);
  return SLUICE_OK;
}

// "sluice events 1", "chip NAME", "layout HASH".
static enum sluice_status header(struct sluice_replay *r, const char *line,
                                 struct sluice_error *error) {
  uint64_t hash;
  const char *at = line + strlen("layout ");
  if (!r->versioned) {
    r->versioned = strcmp(line, "sluice events 1") == 0;
    return r->versioned ? SLUICE_OK
                        : sluice_fail(error, SLUICE_ERR_FORMAT,
                                      "no events: the first line is not 'sluice events 1'");
  }
  if (!r->ck && strncmp(line, "chip ", 5) == 0) return begin(r, line + 5, error);
  if (!r->ck) return sluice_fail(error, SLUICE_ERR_FORMAT, "'chip NAME' is missing");
  if (!read_hex(&at, &hash) || *at)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'layout HASH' is wanted");
  if (hash != sluice_layout_hash())
    return sluice_fail(error, SLUICE_ERR_FOREIGN,
                       "it was recorded with other layouts (%s) than these: 0x%08x",
                       line + strlen("layout "), (unsigned)sluice_layout_hash());
  return SLUICE_OK;
}

enum sluice_status sluice_replay_line(struct sluice_replay *r, const char *line,
                                      struct sluice_error *error) {
  const size_t len = strcspn(line, " ");
  unsigned event = 0;
  if (!*line || *line == '#') return SLUICE_OK;
  if (!r->ck || strncmp(line, "layout ", 7) == 0) return header(r, line, error);
  if (r->finished) return sluice_fail(error, SLUICE_ERR_FORMAT, "events behind 'finish'");
  for (const char *name; (name = sluice_event_name(event)); event++)
    if (strlen(name) == len && !memcmp(name, line, len)) break;
  const char *arguments = sluice_event_arguments(event);
  if (!arguments) return sluice_fail(error, SLUICE_ERR_FORMAT, "no event: '%.20s'", line);
  SLUICE_TRY(read_arguments(r, arguments, line + len, error));
  if (!lengths_fit(r, (enum monitor_event)event))
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "%.*s: more or fewer bytes or cycles than this chip has", (int)len, line);
  if (!r->config->EgressStages && strncmp(line, "copy", 4) == 0)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "%.*s: this chip has no egress stages", (int)len,
                       line);
  r->events++;
  if (!tell_control(r, (enum monitor_event)event) && !tell_in(r, (enum monitor_event)event))
    tell_out(r, (enum monitor_event)event);
  return SLUICE_OK;
}
