// SPDX-License-Identifier: Apache-2.0
#include "monitored.h"

#include <string.h>

#include "cuts.h"

enum {
  CHIP_AT = SLUICE_CHIP_BASE,
  CLASS_ECN = SLUICE_CHIP_BASE + SLUICE_CHIP_CLASS_ECN,
  FLIP_WATCH = SLUICE_FLIP_BASE + SLUICE_FLIP_WATCH
};

static enum sluice_status csr_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *error) {
  struct run *run = self;
  const uint64_t begin = run->cycle;
  const enum sluice_status status = host_csr_read(&run->host, addr, value, error);
  if (!status && addr == CHIP_AT + SLUICE_CHIP_STATUS && (*value & 1) && !run->ready) {
    run->ready = true;
    sluice_checker_ready(run->checker, run->cycle);
  }
  if (!status) cuts_read(run, begin, addr, *value);
  if (!status && addr == SLUICE_FLIP_BASE + SLUICE_FLIP_TICKET)
    sluice_checker_flip_ticket(run->checker, run->cycle, *value);
  for (unsigned bank = 0; bank < 2; bank++)
    if (!status && addr == CHIP_AT + (bank ? SLUICE_CHIP_INSIDE_BANK1 : SLUICE_CHIP_INSIDE_BANK0))
      sluice_checker_inside(run->checker, begin, run->cycle, bank, *value);
  return status;
}

// Returns when the packets that arrive take what was written.
static enum sluice_status write_bank(struct run *run, uint32_t value, struct sluice_error *error) {
  sluice_checker_bank_write(run->checker, value);
  const enum sluice_status status =
      host_csr_write(&run->host, CHIP_AT + SLUICE_CHIP_BANK, value, error);
  sluice_checker_bank_written(run->checker, run->cycle, !status);
  while (!sluice_checker_bank_settled(run->checker)) host_wait(&run->host);
  return status;
}

// A guarded flip. No control packet is on its way then, so the chip refuses it for what is watched
// alone.
static enum sluice_status write_flip(struct run *run, uint32_t value, struct sluice_error *error) {
  enum sluice_status status = monitored_wait_counted(run, error);
  if (status) return status;
  sluice_checker_flip_write(run->checker, value);
  status = host_csr_write(&run->host, SLUICE_FLIP_BASE + SLUICE_FLIP_BANK, value, error);
  sluice_checker_flip_written(run->checker, run->cycle, !status);
  while (!sluice_checker_bank_settled(run->checker)) host_wait(&run->host);
  return status;
}

// The monitors look at a packet some cycles after the order point: until then the lower of two
// thresholds counts, 0 as none.
static uint32_t lower(uint32_t a, uint32_t b) { return !a || (b && b < a) ? b : a; }

static enum sluice_status write_ecn(struct run *run, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  enum { SETTLE = 64 };
  const bool queue = addr == CHIP_AT + SLUICE_CHIP_ECN_QUEUE;
  sluice_checker_ecn(run->checker, queue ? lower(run->ecn_queue, value) : run->ecn_queue,
                     queue ? run->ecn_lane : lower(run->ecn_lane, value));
  const enum sluice_status status = host_csr_write(&run->host, addr, value, error);
  for (unsigned n = 0; run->playing && n < SETTLE; n++) host_wait(&run->host);
  if (!status) *(queue ? &run->ecn_queue : &run->ecn_lane) = value;
  sluice_checker_ecn(run->checker, run->ecn_queue, run->ecn_lane);
  return status;
}

static enum sluice_status csr_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  struct run *run = self;
  if (addr == CHIP_AT + SLUICE_CHIP_BANK) return write_bank(run, value, error);
  if (addr == CHIP_AT + SLUICE_CHIP_CUT) return cuts_write(run, value, error);
  if (addr == SLUICE_FLIP_BASE + SLUICE_FLIP_BANK && run->config->FlipGuard)
    return write_flip(run, value, error);
  if (addr == CHIP_AT + SLUICE_CHIP_ECN_QUEUE || addr == CHIP_AT + SLUICE_CHIP_ECN_LANE)
    return write_ecn(run, addr, value, error);
  enum sluice_status status = host_csr_write(&run->host, addr, value, error);
  if (status) return status;
  if (addr >= FLIP_WATCH && addr < FLIP_WATCH + 4 * SLUICE_MODEL_STAGES)
    sluice_checker_flip_watch(run->checker, (addr - FLIP_WATCH) / 4, value);
  if (addr == SLUICE_FLIP_BASE + SLUICE_FLIP_SINCE) sluice_checker_flip_since(run->checker, value);
  uint32_t *const merge[] = {&run->merge.lanes, &run->merge.key, &run->merge.idle};
  for (unsigned i = 0; i < 3; i++)
    if (addr == SLUICE_MERGE_BASE + SLUICE_MERGE_LANES + 4 * i) {
      *merge[i] = value;
      sluice_checker_merge(run->checker, run->merge.lanes, run->merge.key, run->merge.idle);
    }
  if (addr >= CLASS_ECN && addr < CLASS_ECN + 4 * SLUICE_MODEL_CLASSES)
    sluice_checker_class_ecn(run->checker, run->cycle, (addr - CLASS_ECN) / 4, value);
  switch (addr) {
    case CHIP_AT + SLUICE_CHIP_BITMAP:
      sluice_checker_bitmap(run->checker, run->cycle, value);
      break;
    case CHIP_AT + SLUICE_CHIP_SETS: sluice_checker_sets(run->checker, value); break;
    case CHIP_AT + SLUICE_CHIP_MOVE_PERIOD:
      // Once indices may have moved, an access can be in another order queue until they are home,
      // and that is nobody's to know.
      run->moved |= value != 0;
      sluice_checker_moves(run->checker, run->moved);
      break;
    default: break;
  }
  return SLUICE_OK;
}

enum sluice_status monitored_wait_counted(struct run *run, struct sluice_error *error) {
  for (unsigned n = 0; n < HOST_WAIT_CYCLES; n++) {
    enum sluice_status status =
        host_csr_read(&run->host, CHIP_AT + SLUICE_CHIP_RECONFIG_COUNT, &run->counted_good, error);
    if (!status)
      status =
          host_csr_read(&run->host, CHIP_AT + SLUICE_CHIP_RECONFIG_BAD, &run->counted_bad, error);
    if (status) return status;
    if (run->counted_good + run->counted_bad < run->control_good + run->control_bad) continue;
    sluice_checker_keys_settled(run->checker, run->cycle);
    return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_IO,
                     "control packets: sent %u, the chip counts %u good and %u bad",
                     run->control_good + run->control_bad, run->counted_good, run->counted_bad);
}

enum sluice_status monitored_wait_control(struct run *run) {
  uint32_t busy = 2;  // bit 1 of CHIP.STATUS: a fill is running
  enum sluice_status status = monitored_wait_counted(run, &run->error);
  if (status) return status;
  sluice_checker_counter(run->checker, "CHIP.RECONFIG_COUNT", run->control_good, run->counted_good);
  sluice_checker_counter(run->checker, "CHIP.RECONFIG_BAD", run->control_bad, run->counted_bad);
  for (unsigned n = 0; n < HOST_WAIT_CYCLES && !status && (busy & 2); n++)
    status = host_csr_read(&run->host, CHIP_AT + SLUICE_CHIP_STATUS, &busy, &run->error);
  if (status || !(busy & 2)) return status;
  return sluice_fail(&run->error, SLUICE_ERR_IO, "the chip does not become done with a fill");
}

enum sluice_status monitored_control(struct run *run, const uint8_t *bytes, size_t len) {
  static uint8_t answer[SLUICE_ANSWER_MAX];
  size_t answer_len;
  const enum sluice_status status =
      run->to.ops->control_send(run->to.self, bytes, len, &run->error);
  return status ? status
                : run->to.ops->control_receive(run->to.self, answer, sizeof answer, &answer_len,
                                               &run->error);
}

// A control packet that the chip may refuse, because packets that took the bank that it names are
// inside: it says whether it did.
static enum sluice_status send_and_ask(struct run *run, const uint8_t *bytes, size_t len,
                                       bool *good, struct sluice_error *error) {
  const uint64_t begin = run->cycle;
  enum sluice_status status = monitored_wait_counted(run, error);
  const uint32_t bad = run->counted_bad;
  if (!status) status = host_send(&run->host, bytes, len, error);
  if (status) return status;
  run->control_bad++;  // one of the two
  status = monitored_wait_counted(run, error);
  run->control_bad--;
  *good =
      sluice_checker_counted(run->checker, begin, run->cycle, bytes, len, run->counted_bad != bad);
  run->expected.len = 0;
  return status;
}

// Entries of the array match, of which packets that are inside may find the old ones or the new
// ones. Under traffic it is known soon when they find the new ones.
static enum sluice_status send_keys(struct run *run, const uint8_t *bytes, size_t len, bool *good,
                                    struct sluice_error *error) {
  *good = sluice_checker_control(run->checker, run->cycle, bytes, len, &run->expected);
  enum sluice_status status = host_send(&run->host, bytes, len, error);
  if (status || !(run->playing || run->server)) return status;
  run->control_bad++;  // or good
  status = monitored_wait_counted(run, error);
  run->control_bad--;
  return status;
}

// Marks are noted before the chip has the first of them. A FILL goes when it has shown all: the
// reference fills at once.
static enum sluice_status send_marks(struct run *run, const uint8_t *bytes, size_t len, bool *good,
                                     struct sluice_error *error) {
  *good = sluice_checker_control(run->checker, run->cycle, bytes, len, &run->expected);
  return host_send(&run->host, bytes, len, error);
}
static enum sluice_status wait_marks(struct run *run, struct sluice_error *error) {
  for (unsigned n = 0; n < HOST_WAIT_CYCLES && !sluice_checker_failed(run->checker); n++) {
    if (!sluice_checker_marks_due(run->checker)) return SLUICE_OK;
    host_wait(&run->host);
  }
  return sluice_fail(error, SLUICE_ERR_IO, "a mark that a control packet asked for does not come");
}

// A TAKE that may be refused: its answer says whether it was.
static enum sluice_status send_take(struct run *run, const uint8_t *bytes, size_t len,
                                    struct sluice_error *error) {
  run->take_begin = run->cycle;
  run->take_len = len < sizeof run->take ? len : sizeof run->take;
  memcpy(run->take, bytes, run->take_len);
  run->expected.len = len;
  run->control_is_state = true;
  return host_send(&run->host, bytes, len, error);
}
static void take_answered(struct run *run) {
  const bool refused = run->answer.len > 53 && run->answer.bytes[53] == SLUICE_CHAIN_REFUSED;
  if (sluice_checker_counted(run->checker, run->take_begin, run->cycle, run->take, run->take_len,
                             refused))
    run->control_good++;
  else run->control_bad++;
  run->take_len = 0;
}

static enum sluice_status control_send(void *self, const uint8_t *bytes, size_t len,
                                       struct sluice_error *error) {
  struct run *run = self;
  bool good = false;
  enum sluice_status status = SLUICE_OK;
  const enum sluice_table table = len > 47 ? sluice_table_find(bytes[46] & 7u, bytes[47] & 15u)
                                           : SLUICE_NUM_TABLES;
  if (table == SLUICE_TABLE_FILL && run->config->Marks) status = wait_marks(run, error);
  if (status) return status;
  run->fill_sent |= table == SLUICE_TABLE_FILL;
  run->control_is_still = false;
  if (table == SLUICE_TABLE_STATE && len > 56 && bytes[46] >> 3 >= run->config->BackStages) {
    run->still_row = bytes[56] % run->config->NumModules;
    run->control_is_still =
        sluice_checker_row_still(run->checker, run->still_row, &run->still_seen);
  }
  if (sluice_checker_is_cut(run->checker, bytes, len)) return cuts_ask(run, bytes, len, error);
  run->control_is_marks = sluice_checker_is_marks(run->checker, bytes, len);
  run->count_len = 0;
  if (sluice_checker_is_count(run->checker, bytes, len))
    memcpy(run->count, bytes, run->count_len = len < sizeof run->count ? len : sizeof run->count);
  if (sluice_checker_may_refuse(run->checker, bytes, len)) {
    if (table == SLUICE_TABLE_TAKE && bytes[53] == SLUICE_CHAIN_READ)
      return send_take(run, bytes, len, error);
    status = send_and_ask(run, bytes, len, &good, error);
  } else if (run->control_is_marks) {
    status = send_marks(run, bytes, len, &good, error);
  } else if (sluice_checker_is_keys(run->checker, bytes, len)) {
    status = send_keys(run, bytes, len, &good, error);
  } else {
    status = host_send(&run->host, bytes, len, error);
    if (!status)
      good = sluice_checker_control(run->checker, run->cycle, bytes, len, &run->expected);
  }
  if (status) return status;
  if (good) run->control_good++;
  else run->control_bad++;
  run->control_is_state = table == SLUICE_TABLE_STATE || table == SLUICE_TABLE_STATE_ROW;
  return SLUICE_OK;
}

// State under traffic is that of another moment in the chip than in the reference, unless nobody
// has used it meanwhile: that of an egress stage has no moves.
static bool comparable(const struct run *run) {
  uint64_t seen;
  if (run->control_is_still && sluice_checker_row_still(run->checker, run->still_row, &seen) &&
      seen == run->still_seen)
    return true;
  return run->control_is_marks || !run->control_is_state ||
         (run->compare_state && sluice_checker_idle(run->checker));
}

static void compare(struct run *run) {
  char name[80];
  run->answers++;
  if (run->control_is_marks) {
    sluice_checker_answer(run->checker, run->cycle, run->answer.bytes, run->answer.len);
    return;
  }
  if (run->count_len && run->answer.len == run->expected.len) {
    sluice_checker_count_answer(run->checker, run->count, run->count_len, run->answer.bytes,
                                run->answer.len);
    return;
  }
  const long at = sluice_model_answer_compare(&run->expected, run->answer.bytes, run->answer.len);
  if (at < 0) return;
  snprintf(name, sizeof name, "answer to control packet %u, byte %ld",
           run->control_good + run->control_bad - 1, at);
  const bool here = (size_t)at < run->answer.len && (size_t)at < run->expected.len;
  sluice_checker_counter(run->checker, name, here ? run->expected.bytes[at] : run->expected.len,
                         here ? run->answer.bytes[at] : run->answer.len);
}

static enum sluice_status control_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                          struct sluice_error *error) {
  struct run *run = self;
  *len = 0;
  if (!run->expected.len) return SLUICE_OK;
  const enum sluice_status status = host_receive(&run->host, &run->answer, error);
  if (status) return status;
  const bool cut = run->cut_len != 0;
  if (cut) cuts_answered(run);
  if (run->take_len) take_answered(run);
  if (!cut && comparable(run)) compare(run);
  run->expected.len = 0;
  if (run->answer.len > room)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "an answer of %zu bytes, more than %zu",
                       run->answer.len, room);
  memcpy(bytes, run->answer.bytes, *len = run->answer.len);
  return SLUICE_OK;
}

static enum sluice_status no_packets(struct sluice_error *error) {
  return sluice_fail(error, SLUICE_ERR_RANGE, "the data ports of a simulation are its player's");
}
static enum sluice_status packet_send(void *self, unsigned port, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  (void)self, (void)port, (void)bytes, (void)len;
  return no_packets(error);
}
static enum sluice_status packet_receive(void *self, struct sluice_packet_out *packet,
                                         struct sluice_error *error) {
  (void)self, (void)packet;
  return no_packets(error);
}

static enum sluice_status wait(void *self, uint64_t cycles, struct sluice_error *error) {
  struct run *run = self;
  (void)error;
  host_wait_many(&run->host, cycles);
  return SLUICE_OK;
}

static void nothing(void *self) { (void)self; }

struct sluice_transport monitored_transport(struct run *run) {
  static const struct sluice_transport_ops ops = {
      .kind = "simulator",
      .csr_read = csr_read,
      .csr_write = csr_write,
      .control_send = control_send,
      .control_receive = control_receive,
      .packet_send = packet_send,
      .packet_receive = packet_receive,
      .wait = wait,
      .close = nothing,
  };
  return (struct sluice_transport){&ops, run, SLUICE_PACKET_MAX};
}
