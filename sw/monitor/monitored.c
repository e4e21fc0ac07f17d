// SPDX-License-Identifier: Apache-2.0
#include "monitored.h"

#include <string.h>

#include "../base/status.h"

enum { CHIP_AT = SLUICE_CHIP_BASE, CLASS_ECN = SLUICE_CHIP_BASE + SLUICE_CHIP_CLASS_ECN };
enum { FLIP_WATCH = SLUICE_FLIP_BASE + SLUICE_FLIP_WATCH };

static enum sluice_status read_chip(struct monitored *m, uint32_t addr, uint32_t *value,
                                    struct sluice_error *error) {
  return m->chip.ops->csr_read(m->chip.self, addr, value, error);
}
static enum sluice_status write_chip(struct monitored *m, uint32_t addr, uint32_t value,
                                     struct sluice_error *error) {
  const enum sluice_status status = m->chip.ops->csr_write(m->chip.self, addr, value, error);
  m->refused = status == SLUICE_ERR_BUSY;
  return m->refused ? SLUICE_ERR_IO : status;
}
static enum sluice_status send_chip(struct monitored *m, const uint8_t *bytes, size_t len,
                                    struct sluice_error *error) {
  return m->chip.ops->control_send(m->chip.self, bytes, len, error);
}
static enum sluice_status wait(void *self, uint64_t cycles, struct sluice_error *error) {
  struct monitored *m = self;
  return m->chip.ops->wait(m->chip.self, cycles, error);
}
static void wait_cycle(struct monitored *m) { (void)!wait(m, 1, NULL); }

// ---- registers ----------------------------------------------------------------------------------

static enum sluice_status csr_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *error) {
  struct monitored *m = self;
  const uint64_t begin = m->cycle;
  const enum sluice_status status = read_chip(m, addr, value, error);
  if (!status && addr == CHIP_AT + SLUICE_CHIP_STATUS && (*value & 1) && !m->since.ready) {
    m->since.ready = true;
    sluice_checker_ready(m->checker, m->cycle);
  }
  if (!status && addr == CHIP_AT + SLUICE_CHIP_CUT_STATUS)
    sluice_checker_cut_status(m->checker, m->cycle, *value);
  if (!status && addr == CHIP_AT + SLUICE_CHIP_CUT_TICKET)
    sluice_checker_cut_ticket(m->checker, begin, m->cycle, *value);
  if (!status && addr == SLUICE_FLIP_BASE + SLUICE_FLIP_TICKET)
    sluice_checker_flip_ticket(m->checker, m->cycle, *value);
  for (unsigned bank = 0; bank < 2; bank++)
    if (!status && addr == CHIP_AT + (bank ? SLUICE_CHIP_INSIDE_BANK1 : SLUICE_CHIP_INSIDE_BANK0))
      sluice_checker_inside(m->checker, begin, m->cycle, bank, *value);
  return status;
}

// Returns when the packets that arrive take what was written.
static enum sluice_status write_bank(struct monitored *m, uint32_t value,
                                     struct sluice_error *error) {
  sluice_checker_bank_write(m->checker, value);
  const enum sluice_status status = write_chip(m, CHIP_AT + SLUICE_CHIP_BANK, value, error);
  sluice_checker_bank_written(m->checker, m->cycle, !status);
  while (!sluice_checker_bank_settled(m->checker)) wait_cycle(m);
  return status;
}

// A guarded flip. No control packet is on its way then, so the chip refuses it for what is watched
// alone.
static enum sluice_status write_flip(struct monitored *m, uint32_t value,
                                     struct sluice_error *error) {
  enum sluice_status status = monitored_wait_counted(m, error);
  if (status) return status;
  sluice_checker_flip_write(m->checker, value);
  status = write_chip(m, SLUICE_FLIP_BASE + SLUICE_FLIP_BANK, value, error);
  sluice_checker_flip_written(m->checker, m->cycle, !status);
  while (!sluice_checker_bank_settled(m->checker)) wait_cycle(m);
  return status;
}

// No FILL is on its way then: the reference has filled when it was sent.
static enum sluice_status write_cut(struct monitored *m, uint32_t value,
                                    struct sluice_error *error) {
  if (m->since.fill_sent) SLUICE_TRY(monitored_wait_counted(m, error));
  m->since.fill_sent = false;
  m->since.cut_raced = true;
  sluice_checker_cut_write(m->checker, value);
  const enum sluice_status status = write_chip(m, CHIP_AT + SLUICE_CHIP_CUT, value, error);
  sluice_checker_cut_written(m->checker, m->cycle, !status);
  return status;
}

// The monitors look at a packet some cycles after the order point: until then the lower of two
// thresholds counts, 0 as none.
static uint32_t lower(uint32_t a, uint32_t b) { return !a || (b && b < a) ? b : a; }

static enum sluice_status write_ecn(struct monitored *m, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  enum { SETTLE = 64 };
  const bool queue = addr == CHIP_AT + SLUICE_CHIP_ECN_QUEUE;
  sluice_checker_ecn(m->checker, queue ? lower(m->since.ecn_queue, value) : m->since.ecn_queue,
                     queue ? m->since.ecn_lane : lower(m->since.ecn_lane, value));
  const enum sluice_status status = write_chip(m, addr, value, error);
  for (unsigned n = 0; m->playing && n < SETTLE; n++) wait_cycle(m);
  if (!status) *(queue ? &m->since.ecn_queue : &m->since.ecn_lane) = value;
  sluice_checker_ecn(m->checker, m->since.ecn_queue, m->since.ecn_lane);
  return status;
}

static enum sluice_status csr_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  struct monitored *m = self;
  if (addr == CHIP_AT + SLUICE_CHIP_BANK) return write_bank(m, value, error);
  if (addr == CHIP_AT + SLUICE_CHIP_CUT) return write_cut(m, value, error);
  if (addr == SLUICE_FLIP_BASE + SLUICE_FLIP_BANK && m->config->FlipGuard)
    return write_flip(m, value, error);
  if (addr == CHIP_AT + SLUICE_CHIP_ECN_QUEUE || addr == CHIP_AT + SLUICE_CHIP_ECN_LANE)
    return write_ecn(m, addr, value, error);
  SLUICE_TRY(write_chip(m, addr, value, error));
  if (addr >= FLIP_WATCH && addr < FLIP_WATCH + 4 * SLUICE_MODEL_STAGES)
    sluice_checker_flip_watch(m->checker, (addr - FLIP_WATCH) / 4, value);
  if (addr == SLUICE_FLIP_BASE + SLUICE_FLIP_SINCE) sluice_checker_flip_since(m->checker, value);
  for (unsigned i = 0; i < 3; i++)
    if (addr == SLUICE_MERGE_BASE + SLUICE_MERGE_LANES + 4 * i) {
      uint32_t *merge = m->since.merge;
      merge[i] = value;
      sluice_checker_merge(m->checker, merge[0], merge[1], merge[2]);
    }
  if (addr >= CLASS_ECN && addr < CLASS_ECN + 4 * SLUICE_MODEL_CLASSES)
    sluice_checker_class_ecn(m->checker, m->cycle, (addr - CLASS_ECN) / 4, value);
  switch (addr) {
    case CHIP_AT + SLUICE_CHIP_BITMAP: sluice_checker_bitmap(m->checker, m->cycle, value); break;
    case CHIP_AT + SLUICE_CHIP_SETS: sluice_checker_sets(m->checker, value); break;
    case CHIP_AT + SLUICE_CHIP_MOVE_PERIOD:
      // Once indices may have moved, an access can be in another order queue until they are home,
      // and that is nobody's to know.
      m->moved |= value != 0;
      sluice_checker_moves(m->checker, m->moved);
      break;
    default: break;
  }
  return SLUICE_OK;
}

enum sluice_status monitored_wait_counted(struct monitored *m, struct sluice_error *error) {
  for (unsigned n = 0; n < MONITORED_PATIENCE; n++) {
    enum sluice_status status =
        read_chip(m, CHIP_AT + SLUICE_CHIP_RECONFIG_COUNT, &m->since.counted_good, error);
    if (!status)
      status = read_chip(m, CHIP_AT + SLUICE_CHIP_RECONFIG_BAD, &m->since.counted_bad, error);
    if (status) return status;
    if (m->since.counted_good + m->since.counted_bad < m->control_good + m->control_bad) continue;
    sluice_checker_keys_settled(m->checker, m->cycle);
    return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_IO,
                     "control packets: sent %u, the chip counts %u good and %u bad",
                     m->control_good + m->control_bad, m->since.counted_good, m->since.counted_bad);
}

enum sluice_status monitored_wait_control(struct monitored *m, struct sluice_error *error) {
  uint32_t busy = 2;  // bit 1 of CHIP.STATUS: a fill is running
  SLUICE_TRY(monitored_wait_counted(m, error));
  sluice_checker_counter(m->checker, "CHIP.RECONFIG_COUNT", m->control_good, m->since.counted_good);
  sluice_checker_counter(m->checker, "CHIP.RECONFIG_BAD", m->control_bad, m->since.counted_bad);
  for (unsigned n = 0; n < MONITORED_PATIENCE && (busy & 2); n++)
    SLUICE_TRY(read_chip(m, CHIP_AT + SLUICE_CHIP_STATUS, &busy, error));
  if (!(busy & 2)) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "the chip does not become done with a fill");
}

enum sluice_status monitored_control(struct monitored *m, const uint8_t *bytes, size_t len,
                                     struct sluice_error *error) {
  static uint8_t answer[SLUICE_ANSWER_MAX];
  size_t answer_len;
  SLUICE_TRY(m->to.ops->control_send(m, bytes, len, error));
  return m->to.ops->control_receive(m, answer, sizeof answer, &answer_len, error);
}

// A control packet that the chip may refuse, because packets that took the bank that it names are
// inside: it says whether it did.
static enum sluice_status send_and_ask(struct monitored *m, const uint8_t *bytes, size_t len,
                                       bool *good, struct sluice_error *error) {
  const uint64_t begin = m->cycle;
  enum sluice_status status = monitored_wait_counted(m, error);
  const uint32_t bad = m->since.counted_bad;
  if (!status) status = send_chip(m, bytes, len, error);
  if (status) return status;
  m->control_bad++;  // one of the two
  status = monitored_wait_counted(m, error);
  m->control_bad--;
  *good =
      sluice_checker_counted(m->checker, begin, m->cycle, bytes, len, m->since.counted_bad != bad);
  m->since.expected.len = 0;
  return status;
}

// Entries of the array match, of which packets that are inside may find the old ones or the new
// ones. Under traffic it is known soon when they find the new ones.
static enum sluice_status send_keys(struct monitored *m, const uint8_t *bytes, size_t len,
                                    bool *good, struct sluice_error *error) {
  *good = sluice_checker_control(m->checker, m->cycle, bytes, len, &m->since.expected);
  enum sluice_status status = send_chip(m, bytes, len, error);
  if (status || !(m->playing || m->served)) return status;
  m->control_bad++;  // or good
  status = monitored_wait_counted(m, error);
  m->control_bad--;
  return status;
}

// Marks are noted before the chip has the first of them. A FILL goes when it has shown all: the
// reference fills at once.
static enum sluice_status send_marks(struct monitored *m, const uint8_t *bytes, size_t len,
                                     bool *good, struct sluice_error *error) {
  *good = sluice_checker_control(m->checker, m->cycle, bytes, len, &m->since.expected);
  return send_chip(m, bytes, len, error);
}
static enum sluice_status wait_marks(struct monitored *m, struct sluice_error *error) {
  for (unsigned n = 0; n < MONITORED_PATIENCE && !sluice_checker_failed(m->checker); n++) {
    if (!sluice_checker_marks_due(m->checker)) return SLUICE_OK;
    wait_cycle(m);
  }
  return sluice_fail(error, SLUICE_ERR_IO, "a mark that a control packet asked for does not come");
}

// What is known of it is in its answer.
static void ask(struct monitored *m, int what, const uint8_t *bytes, size_t len) {
  m->since.asked = what;
  m->since.begin = m->cycle;
  m->since.frame_len = len < sizeof m->since.frame ? len : sizeof m->since.frame;
  memcpy(m->since.frame, bytes, m->since.frame_len);
}

// A READ of CUT, or a TAKE that may be refused: its answer says whether it was a good one.
static enum sluice_status send_asking(struct monitored *m, int what, const uint8_t *bytes,
                                      size_t len, struct sluice_error *error) {
  ask(m, what, bytes, len);
  m->since.cut_raced = false;
  m->since.is_state = true;
  m->since.expected.len = len;
  return send_chip(m, bytes, len, error);
}

static bool answer_is_good(struct monitored *m) {
  const struct monitored_since *s = &m->since;
  if (s->asked == ASKED_CUT)
    return sluice_checker_cut_answer(m->checker, s->begin, m->cycle, s->frame, s->frame_len,
                                     m->answer.bytes, m->answer.len, s->cut_raced);
  const bool refused = m->answer.len > 53 && m->answer.bytes[53] == SLUICE_CHAIN_REFUSED;
  return sluice_checker_counted(m->checker, s->begin, m->cycle, s->frame, s->frame_len, refused);
}

static enum sluice_status control_send(void *self, const uint8_t *bytes, size_t len,
                                       struct sluice_error *error) {
  struct monitored *m = self;
  bool good = false;
  enum sluice_status status = SLUICE_OK;
  const enum sluice_table table = len > 47 ? sluice_table_find(bytes[46] & 7u, bytes[47] & 15u)
                                           : SLUICE_NUM_TABLES;
  if (table == SLUICE_TABLE_FILL && m->config->Marks) status = wait_marks(m, error);
  if (status) return status;
  m->since.fill_sent |= table == SLUICE_TABLE_FILL;
  m->since.is_still = false;
  if (table == SLUICE_TABLE_STATE && len > 56 && bytes[46] >> 3 >= m->config->BackStages) {
    m->since.still_row = bytes[56] % m->config->NumModules;
    m->since.is_still =
        sluice_checker_row_still(m->checker, m->since.still_row, &m->since.still_seen);
  }
  m->since.asked = ASKED_NOTHING;
  if (sluice_checker_is_cut(m->checker, bytes, len))
    return send_asking(m, ASKED_CUT, bytes, len, error);
  m->since.is_marks = sluice_checker_is_marks(m->checker, bytes, len);
  if (sluice_checker_is_count(m->checker, bytes, len)) ask(m, ASKED_COUNT, bytes, len);
  if (sluice_checker_may_refuse(m->checker, bytes, len)) {
    if (table == SLUICE_TABLE_TAKE && bytes[53] == SLUICE_CHAIN_READ)
      return send_asking(m, ASKED_TAKE, bytes, len, error);
    status = send_and_ask(m, bytes, len, &good, error);
  } else if (m->since.is_marks) {
    status = send_marks(m, bytes, len, &good, error);
  } else if (sluice_checker_is_keys(m->checker, bytes, len)) {
    status = send_keys(m, bytes, len, &good, error);
  } else {
    status = send_chip(m, bytes, len, error);
    if (!status)
      good = sluice_checker_control(m->checker, m->cycle, bytes, len, &m->since.expected);
  }
  if (status) return status;
  if (good) m->control_good++;
  else m->control_bad++;
  m->since.is_state = table == SLUICE_TABLE_STATE || table == SLUICE_TABLE_STATE_ROW;
  return SLUICE_OK;
}

// State under traffic is that of another moment in the chip than in the reference, unless nobody
// has used it meanwhile: that of an egress stage has no moves.
static bool comparable(const struct monitored *m) {
  uint64_t seen;
  if (m->since.is_still && sluice_checker_row_still(m->checker, m->since.still_row, &seen) &&
      seen == m->since.still_seen)
    return true;
  return m->since.is_marks || !m->since.is_state || (m->served && sluice_checker_idle(m->checker));
}

static void compare(struct monitored *m) {
  char name[80];
  m->answers++;
  if (m->since.is_marks) {
    sluice_checker_answer(m->checker, m->cycle, m->answer.bytes, m->answer.len);
    return;
  }
  if (m->since.asked == ASKED_COUNT && m->answer.len == m->since.expected.len) {
    sluice_checker_count_answer(m->checker, m->since.frame, m->since.frame_len, m->answer.bytes,
                                m->answer.len);
    return;
  }
  const long at = sluice_model_answer_compare(&m->since.expected, m->answer.bytes, m->answer.len);
  if (at < 0) return;
  snprintf(name, sizeof name, "answer to control packet %u, byte %ld",
           m->control_good + m->control_bad - 1, at);
  const bool here = (size_t)at < m->answer.len && (size_t)at < m->since.expected.len;
  sluice_checker_counter(m->checker, name,
                         here ? m->since.expected.bytes[at] : m->since.expected.len,
                         here ? m->answer.bytes[at] : m->answer.len);
}

static enum sluice_status control_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                          struct sluice_error *error) {
  struct monitored *m = self;
  *len = 0;
  if (!m->since.expected.len) return SLUICE_OK;
  SLUICE_TRY(m->chip.ops->control_receive(m->chip.self, m->answer.bytes, sizeof m->answer.bytes,
                                          &m->answer.len, error));
  if (m->since.asked == ASKED_CUT || m->since.asked == ASKED_TAKE) {
    if (answer_is_good(m)) m->control_good++;
    else m->control_bad++;
  }
  if (m->since.asked == ASKED_CUT) m->answers++;
  else if (comparable(m)) compare(m);
  m->since.expected.len = 0;
  if (m->answer.len > room)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "an answer of %zu bytes, more than %zu",
                       m->answer.len, room);
  memcpy(bytes, m->answer.bytes, *len = m->answer.len);
  return SLUICE_OK;
}

// ---- packets, life ------------------------------------------------------------------------------

static enum sluice_status packet_send(void *self, unsigned port, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  struct monitored *m = self;
  return m->chip.ops->packet_send(m->chip.self, port, bytes, len, error);
}
static enum sluice_status packet_send_at(void *self, unsigned port, uint32_t cycle,
                                         const uint8_t *bytes, size_t len,
                                         struct sluice_error *error) {
  struct monitored *m = self;
  return m->chip.ops->packet_send_at(m->chip.self, port, cycle, bytes, len, error);
}
static enum sluice_status packet_receive(void *self, struct sluice_packet_out *packet,
                                         struct sluice_error *error) {
  struct monitored *m = self;
  return m->chip.ops->packet_receive(m->chip.self, packet, error);
}
static enum sluice_status reset(void *self, struct sluice_error *error) {
  struct monitored *m = self;
  return m->chip.ops->reset(m->chip.self, error);
}

static void nothing(void *self) { (void)self; }

bool monitored_open(struct monitored *m, const struct sluice_config *config,
                    const struct sluice_checker_hooks *hooks) {
  static const struct sluice_transport_ops ops = {
      .kind = "simulator",
      .csr_read = csr_read,
      .csr_write = csr_write,
      .control_send = control_send,
      .control_receive = control_receive,
      .packet_send = packet_send,
      .packet_receive = packet_receive,
      .packet_send_at = packet_send_at,
      .wait = wait,
      .reset = reset,
      .close = nothing,
  };
  m->to = (struct sluice_transport){&ops, m, SLUICE_PACKET_MAX};
  m->config = config;
  m->hooks = *hooks;
  m->checker = sluice_checker_open(config, hooks);
  return m->checker != NULL;
}

bool monitored_again(struct monitored *m) {
  struct sluice_report r;
  sluice_checker_report(m->checker, &r);
  if (r.differences && !m->differences)
    snprintf(m->difference, sizeof m->difference, "%.399s", r.first.text);
  m->differences += r.differences;
  sluice_checker_close(m->checker);
  m->since = (struct monitored_since){.ready = false};
  m->moved = false;
  m->control_good = m->control_bad = 0;
  m->cycle = 0;
  m->checker = sluice_checker_open(m->config, &m->hooks);
  return m->checker != NULL;
}

void monitored_close(struct monitored *m) {
  sluice_checker_close(m->checker);
  m->checker = NULL;
}
