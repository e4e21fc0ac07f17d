// SPDX-License-Identifier: Apache-2.0
// The reference model as a chip: registers, control port and data ports around sw/model. It stands
// apart from driver and model, which must not know each other.
#include <sluice/transport.h>
#include <stdbool.h>
#include <string.h>

#include "../base/status.h"
#include "../model/model.h"
#include "../driver/wire/queue.h"

enum {
  // All blocks but that of the capsules, which is the last one and is not kept here.
  REGISTERS = SLUICE_CAPSULES_BASE / 4,
  CYCLES_PER_PACKET = 1,  // a chip without load takes one a cycle and lane
  REGISTER_MAP = 0x534c5501,
};

#define SLUICE_BLOCK(BLOCK, BASE, STRIDE, GROUPS, COUNT, DOC)                                 \
  _Static_assert((BASE) + (STRIDE) <= SLUICE_CAPSULES_BASE || (BASE) == SLUICE_CAPSULES_BASE, \
                 #BLOCK " is behind the registers of the model");
#include "../layouts.def"

struct model_chip {
  struct sluice_alloc alloc;
  const struct sluice_config *config;
  struct sluice_model *model;  // behind the struct, in the same block
  size_t size;                 // of the block
  uint64_t cycle;
  uint32_t ticket;
  struct transport_queue packets, answers;
  struct sluice_model_answer answer;
  uint32_t regs[REGISTERS];  // by address
};

#define AT(BLOCK, INSTANCE, NAME)                                            \
  chip->regs[(SLUICE_##BLOCK##_BASE + SLUICE_##BLOCK##_STRIDE * (INSTANCE) + \
              SLUICE_##BLOCK##_##NAME) /                                     \
             4]
#define DROP_AT(BLOCK, INSTANCE, REASON)                                     \
  chip->regs[(SLUICE_##BLOCK##_BASE + SLUICE_##BLOCK##_STRIDE * (INSTANCE) + \
              SLUICE_##BLOCK##_DROP) /                                       \
                 4 +                                                         \
             (REASON)]

// ---- registers ----------------------------------------------------------------------------------

static void set_fixed(struct model_chip *chip) {
  AT(CHIP, 0, ID) = sluice_layout_hash();
  AT(CHIP, 0, VERSION) = REGISTER_MAP;
  for (unsigned n = 0; n < SLUICE_SHAPES; n++)
    (&AT(CHIP, 0, SHAPE_0))[n] = sluice_config_shape(chip->config, n);
  AT(CHIP, 0, STATUS) = 1;
  for (unsigned s = 0; s < SLUICE_MODEL_STAGES && chip->config->FlipGuard; s++)
    (&AT(FLIP, 0, WATCH))[s] = sluice_model_flip_watched(chip->model, s);
}

static enum sluice_status csr_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *error) {
  struct model_chip *chip = self;
  bool writable;
  if (!sluice_register_at(chip->config, addr, &writable))
    return sluice_fail(error, SLUICE_ERR_IO, "register 0x%05x: read answered DECERR", addr);
  AT(CHIP, 0, CYCLES) = (uint32_t)++chip->cycle;
  if (addr >= SLUICE_CAPSULES_BASE) {
    *value =
        sluice_model_faults(chip->model, (addr - SLUICE_CAPSULES_BASE) / SLUICE_CAPSULES_STRIDE);
    return SLUICE_OK;
  }
  if (addr == SLUICE_FLIP_BASE + SLUICE_FLIP_STATUS)
    AT(FLIP, 0, STATUS) = sluice_model_flip_status(chip->model);
  *value = chip->regs[addr / 4];
  return SLUICE_OK;
}

// A packet is admitted when it comes, so no packet waits for its bank. False: the flip is refused.
static bool write_flip(struct model_chip *chip, uint32_t bank) {
  if (sluice_model_flip_status(chip->model) != 1 || AT(FLIP, 0, SINCE) != AT(CHIP, 0, CUT_TICKET))
    return false;
  sluice_model_flip(chip->model, bank);
  AT(FLIP, 0, TICKET) = chip->ticket;
  AT(CHIP, 0, BANK) = AT(FLIP, 0, BANK) = sluice_model_filter(chip->model)->bank;
  return true;
}

// FLIP.WATCH of a stage without state takes nothing, and reads 0.
static void write_watch(struct model_chip *chip, uint32_t addr, uint32_t value) {
  const unsigned stage = (addr - SLUICE_FLIP_BASE - SLUICE_FLIP_WATCH) / 4;
  sluice_model_flip_watch(chip->model, stage, value);
  chip->regs[addr / 4] = sluice_model_flip_watched(chip->model, stage);
}

// A cut takes no time: it is ready at once, and has ended when it is told to.
static bool write_cut(struct model_chip *chip, uint32_t rows) {
  if (!chip->config->CutStages || (rows && AT(CHIP, 0, CUT_STATUS))) return false;
  AT(CHIP, 0, CUT_STATUS) = rows ? 3 : 0;
  sluice_model_cut_ask(chip->model, rows);
  if (!rows) return true;
  sluice_model_cut_take(chip->model);
  AT(CHIP, 0, CUT_TICKET) = chip->ticket;
  return true;
}

static enum sluice_status csr_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  struct model_chip *chip = self;
  bool writable;
  if (!sluice_register_at(chip->config, addr, &writable))
    return sluice_fail(error, SLUICE_ERR_IO, "register 0x%05x: write answered DECERR", addr);
  if (!writable || addr / 4 >= REGISTERS)
    return sluice_fail(error, SLUICE_ERR_IO, "register 0x%05x: write answered SLVERR", addr);
  chip->cycle++;
  if (addr == SLUICE_CHIP_BASE + SLUICE_CHIP_CONTROL) {
    // Counters and marks of all blocks but the chip's own; of these the error alone.
    if (value & 1)
      memset(&chip->regs[SLUICE_LANE_BASE / 4], 0, sizeof chip->regs - SLUICE_LANE_BASE);
    return SLUICE_OK;
  }
  if (addr == SLUICE_CHIP_BASE + SLUICE_CHIP_BITMAP) sluice_model_set_bitmap(chip->model, value);
  if (addr == SLUICE_CHIP_BASE + SLUICE_CHIP_BANK) {
    // No control packet is on its way, and no packet inside: INSIDE_BANK0 and INSIDE_BANK1 stay 0.
    if (!sluice_model_set_bank(chip->model, value))
      return sluice_fail(error, SLUICE_ERR_IO, "register 0x%05x: write answered SLVERR", addr);
    value = AT(FLIP, 0, BANK) = sluice_model_filter(chip->model)->bank;
  }
  if (addr == SLUICE_CHIP_BASE + SLUICE_CHIP_CUT) {
    if (chip->config->NumModules < 32) value &= (UINT32_C(1) << chip->config->NumModules) - 1;
    if (!write_cut(chip, value))
      return sluice_fail(error, SLUICE_ERR_IO, "register 0x%05x: write answered SLVERR", addr);
  }
  if (addr == SLUICE_CHIP_BASE + SLUICE_CHIP_SETS) {
    const unsigned most = (unsigned)__builtin_ctz(chip->config->NumPipes);
    value = (value & 7) < most ? value & 7 : most;
    sluice_model_set_sets(chip->model, value);
  }
  if (addr == SLUICE_FLIP_BASE + SLUICE_FLIP_BANK)
    return write_flip(chip, value)
               ? SLUICE_OK
               : sluice_fail(error, SLUICE_ERR_IO, "register 0x%05x: write answered SLVERR", addr);
  if (addr >= SLUICE_FLIP_BASE + SLUICE_FLIP_WATCH &&
      addr < SLUICE_FLIP_BASE + SLUICE_FLIP_WATCH + 4 * SLUICE_MODEL_STAGES) {
    write_watch(chip, addr, value);
    return SLUICE_OK;
  }
  chip->regs[addr / 4] = value;
  return SLUICE_OK;
}

// ---- control port -------------------------------------------------------------------------------

static enum sluice_status control_send(void *self, const uint8_t *bytes, size_t len,
                                       struct sluice_error *error) {
  struct model_chip *chip = self;
  chip->cycle++;
  const bool good = sluice_model_control(chip->model, bytes, len, &chip->answer);
  if (good) AT(CHIP, 0, RECONFIG_COUNT)++;
  else AT(CHIP, 0, RECONFIG_BAD)++;
  if (!chip->answer.len) return SLUICE_OK;
  return transport_push(&chip->answers, 0, 0, chip->answer.bytes, chip->answer.len, error);
}

static enum sluice_status control_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                          struct sluice_error *error) {
  struct model_chip *chip = self;
  const struct transport_item *w = chip->answers.head;
  *len = 0;
  if (!w) return SLUICE_OK;
  const size_t size = w->len;
  if (size <= room) memcpy(bytes, w->bytes, *len = size);
  transport_pop(&chip->answers);
  return size <= room ? SLUICE_OK
                      : sluice_fail(error, SLUICE_ERR_FORMAT,
                                    "an answer of %zu bytes, more than %zu", size, room);
}

// ---- data ports ---------------------------------------------------------------------------------

static void count_drop(struct model_chip *chip, unsigned lane, bool known, unsigned row,
                       unsigned reason) {
  if (reason <= SLUICE_DROP_PROTOCOL || reason == SLUICE_DROP_RATE) DROP_AT(LANE, lane, reason)++;
  else DROP_AT(ORDER, lane, reason)++;
  if (known) DROP_AT(MODULE, row, reason)++;
}

// An operation that is refused counts in the pipeline of its access; without one, where the packet
// came in.
static void count_access(struct model_chip *chip, unsigned lane, unsigned stage,
                         const struct sluice_model_access *access) {
  AT(ORDER, lane, OUT_OF_BOUNDS) += access->out_of_bounds;
  AT(BOUNDARY, 16 * stage + (access->resolved ? access->pipe : lane), REFUSED_OPS) +=
      access->refused;
}

static uint64_t again_port(const struct sluice_config *config) {
  return config->Recirculation ? UINT64_C(1) << config->NumPorts : 0;
}

// The egress function of a copy. A chip without load has nothing in its queues: a copy leaves its
// own in the cycle in which it comes into it, and none waits beside it. Packets follow one after
// the other, copies of one with the lowest port first. Whoever takes copies late finds them on the
// wire, not in a queue. False: it is dropped; else `bytes` become those with which it leaves.
static bool pass_egress(struct model_chip *chip, const struct sluice_model_packet *packet,
                        unsigned port, unsigned number, uint8_t *bytes) {
  struct sluice_model_egressed result;
  const unsigned vid = packet->bytes[15], len = packet->len;
  const struct sluice_model_copy copy = {.bytes = bytes,
                                         .len = len,
                                         .vid = vid,
                                         .bank = packet->bank,
                                         .lane = sluice_port_lane(chip->config, port),
                                         .port = port,
                                         .number = number,
                                         .cycle = (uint32_t)chip->cycle};
  sluice_model_egress(chip->model, &copy, &result);
  if (!result.dropped) {
    memcpy(bytes, result.header, len < SLUICE_MODEL_HEADER ? len : SLUICE_MODEL_HEADER);
    return true;
  }
  AT(PORT, port, EGRESS)++;
  DROP_AT(MODULE, vid % chip->config->NumModules, SLUICE_DROP_EGRESS)++;
  return false;
}

static enum sluice_status leave(struct model_chip *chip, const struct sluice_model_packet *packet,
                                const struct sluice_model_result *result,
                                struct sluice_error *error) {
  // A copy for each bit, port 0 first.
  uint8_t bytes[SLUICE_MODEL_MAX_LEN];
  unsigned len = sluice_model_leave(packet, result, bytes);
  const bool egress = chip->config->EgressStages;
  unsigned number = 0;
  for (uint64_t ports = result->ports & ~again_port(chip->config); ports; ports &= ports - 1) {
    const unsigned port = (unsigned)__builtin_ctzll(ports);
    if (egress) {
      sluice_model_queued(packet, result->header, bytes);
      if (!pass_egress(chip, packet, port, number++, bytes)) continue;
      len = sluice_model_take_out(result, packet->len, bytes);
    }
    SLUICE_TRY(transport_push(&chip->packets, port, chip->ticket, bytes, len, error));
    AT(PORT, port, PACKETS)++;
    AT(PORT, port, BYTES) += len;
  }
  return SLUICE_OK;
}

// A chip without load has full buckets: the rate of a module stops only what they cannot hold.
static bool never_passes(const struct model_chip *chip, unsigned row, unsigned len) {
  const uint64_t limit = sluice_model_rate(chip->model, row);
  if (!(limit >> SLUICE_RATE_LIMIT_VALID_LSB & 1)) return false;
  const unsigned packets = limit >> SLUICE_RATE_LIMIT_PACKET_BURST_LSB & 0xff,
                 units = limit >> SLUICE_RATE_LIMIT_BYTE_BURST_LSB & 0xffff;
  return !packets || units < (len + 63) / 64 ||
         !(limit >> SLUICE_RATE_LIMIT_PACKET_RATE_LSB & 0xffff) || !(limit & 0xffff);
}

// A pass of a packet through the chip; then, in `again` and `bytes`, what its next one begins with.
// *more: there is one. A chip without load always has a token, if a bucket can hold one.
static enum sluice_status run_pass(struct model_chip *chip, unsigned port, uint8_t *bytes,
                                   unsigned *len, struct sluice_model_again *again, bool *more,
                                   struct sluice_error *error) {
  const unsigned lane = sluice_port_lane(chip->config, port);
  const struct sluice_model_again before = *again;
  const struct sluice_model_again *beside = *more ? &before : NULL;
  *more = false;
  const struct sluice_model_verdict v =
      sluice_model_classify_again(sluice_model_filter(chip->model), beside, bytes, *len);
  const struct sluice_model_packet packet = {.bytes = bytes,
                                             .len = *len,
                                             .port = port,
                                             .arrival = (uint32_t)chip->cycle,
                                             .bank = v.bank,
                                             .again = beside,
                                             .lane = lane};
  struct sluice_model_phv phv = {.discard = false};
  struct sluice_model_result result;
  AT(LANE, lane, PACKETS)++;
  AT(LANE, lane, ACCEPTED)++;
  AT(LANE, lane, BYTES) += packet.len;
  unsigned reason = v.reason;
  if (reason == SLUICE_DROP_NONE && !beside && never_passes(chip, v.row, *len))
    reason = SLUICE_DROP_RATE;
  if (reason == SLUICE_DROP_NONE) {
    reason = sluice_model_front(chip->model, &packet, &phv);
    if (reason != SLUICE_DROP_NONE) sluice_model_pass_over(chip->model, &packet, &phv);
  }
  if (reason != SLUICE_DROP_NONE) {
    count_drop(chip, lane, v.known, v.row, reason);
    return SLUICE_OK;
  }
  phv.mark = false;  // there is no load
  sluice_model_admit(chip->model, &packet, &phv, &result);
  AT(ORDER, lane, ADMITTED)++;
  for (unsigned s = 0; s < chip->config->StateStages; s++)
    count_access(chip, lane, s, &result.access[s]);
  AT(EXIT, lane, PACKETS)++;
  if (result.reason == SLUICE_DROP_DISCARD_BACK) AT(EXIT, lane, DISCARDED)++;
  if (result.reason == SLUICE_DROP_NO_DEST) AT(EXIT, lane, NO_DEST)++;
  if (result.reason == SLUICE_DROP_FORBIDDEN) AT(EXIT, lane, FORBIDDEN)++;
  if (result.some_forbidden) AT(EXIT, lane, SOME_FORBIDDEN)++;
  if (result.reason != SLUICE_DROP_NONE) DROP_AT(MODULE, v.row, result.reason)++;
  if (result.some_forbidden) DROP_AT(MODULE, v.row, SLUICE_DROP_SOME_FORBIDDEN)++;
  const enum sluice_status status =
      result.reason == SLUICE_DROP_NONE ? leave(chip, &packet, &result, error) : SLUICE_OK;
  chip->ticket++;
  if (status || !(result.ports & again_port(chip->config))) return status;
  const uint64_t budget =
      sluice_model_budget(chip->model, v.bank * chip->config->NumModules + v.row);
  if (!(budget >> SLUICE_RECIRCULATE_BURST_LSB & 0xff) || !(budget & 0xffff)) {
    AT(PASSES, lane, NO_TOKEN)++;
    DROP_AT(MODULE, v.row, SLUICE_DROP_BUDGET)++;
    return SLUICE_OK;
  }
  uint8_t next[SLUICE_MODEL_MAX_LEN];
  *len = sluice_model_leave(&packet, &result, next);
  memcpy(bytes, next, *len);
  *again = result.again;
  *more = true;
  AT(PASSES, lane, PACKETS)++;
  return SLUICE_OK;
}

static enum sluice_status packet_send(void *self, unsigned port, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  struct model_chip *chip = self;
  if (port >= chip->config->NumPorts)
    return sluice_fail(error, SLUICE_ERR_RANGE, "port %u: chip '%s' has %u", port,
                       chip->config->name, chip->config->NumPorts);
  if (len == 0) return sluice_fail(error, SLUICE_ERR_RANGE, "a packet of no bytes");
  const unsigned lane = sluice_port_lane(chip->config, port);
  chip->cycle += CYCLES_PER_PACKET;
  if (len < SLUICE_MODEL_MIN_LEN || len > SLUICE_MODEL_MAX_LEN) {
    AT(LANE, lane, PACKETS)++;
    count_drop(chip, lane, false, 0,
               len < SLUICE_MODEL_MIN_LEN ? SLUICE_DROP_MALFORMED : SLUICE_DROP_OVERSIZED);
    return SLUICE_OK;
  }
  uint8_t frame[SLUICE_MODEL_MAX_LEN];
  unsigned frame_len = (unsigned)len;
  struct sluice_model_again again = {.round = 0};
  bool more = false;
  memcpy(frame, bytes, len);
  enum sluice_status status;
  do status = run_pass(chip, port, frame, &frame_len, &again, &more, error);
  while (!status && more);
  return status;
}

static enum sluice_status packet_receive(void *self, struct sluice_packet_out *packet,
                                         struct sluice_error *error) {
  (void)error;
  transport_take(&((struct model_chip *)self)->packets, packet);
  return SLUICE_OK;
}

// ---- life ---------------------------------------------------------------------------------------

static enum sluice_status wait(void *self, uint64_t cycles, struct sluice_error *error) {
  (void)error;
  ((struct model_chip *)self)->cycle += cycles;
  return SLUICE_OK;
}

static enum sluice_status reset(void *self, struct sluice_error *error) {
  struct model_chip *chip = self;
  (void)error;
  transport_drop_all(&chip->packets);
  transport_drop_all(&chip->answers);
  memset(chip->regs, 0, sizeof chip->regs);
  chip->cycle = chip->ticket = 0;
  sluice_model_place(chip->model, chip->config);
  set_fixed(chip);
  return SLUICE_OK;
}

static void close_model(void *self) {
  struct model_chip *chip = self;
  const struct sluice_alloc alloc = chip->alloc;
  transport_drop_all(&chip->packets);
  transport_drop_all(&chip->answers);
  sluice_resize(&alloc, chip, chip->size, 0);
}

static const struct sluice_transport_ops ops = {
    .kind = "model",
    .csr_read = csr_read,
    .csr_write = csr_write,
    .control_send = control_send,
    .control_receive = control_receive,
    .packet_send = packet_send,
    .packet_receive = packet_receive,
    .wait = wait,
    .reset = reset,
    .close = close_model,
};

enum sluice_status sluice_transport_model(struct sluice_transport *to, const char *name,
                                          const struct sluice_alloc *alloc,
                                          struct sluice_error *error) {
  const struct sluice_config *config = sluice_config_find(name);
  const size_t head = (sizeof(struct model_chip) + 63) / 64 * 64;
  *to = (struct sluice_transport){.ops = NULL};
  if (!config) return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no chip is called '%s'", name);
  const size_t size = head + sluice_model_bytes(config);
  uint8_t *block = sluice_zeroed(alloc, size);
  if (!block) return sluice_no_memory(error);
  struct model_chip *chip = (struct model_chip *)(void *)block;
  if (alloc) chip->alloc = chip->packets.alloc = chip->answers.alloc = *alloc;
  chip->size = size;
  chip->config = config;
  chip->model = sluice_model_place(block + head, config);
  set_fixed(chip);
  *to = (struct sluice_transport){&ops, chip, SLUICE_PACKET_MAX};
  return SLUICE_OK;
}
