// SPDX-License-Identifier: Apache-2.0
#include "meter.h"

#include "../base/layouts.h"
#include "../base/status.h"

static struct reaction_meter *meter_of(void *self) { return ((struct sluice_filter *)self)->user; }

enum sluice_status reaction_meter_now(struct reaction_meter *meter, uint32_t *cycles,
                                      struct sluice_error *error) {
  return meter->line.inner->ops->csr_read(meter->line.inner->self,
                                          SLUICE_CHIP_BASE + SLUICE_CHIP_CYCLES, cycles, error);
}

// The access is at the chip now; the next one cannot be before so many cycles.
static enum sluice_status pass(struct reaction_meter *meter, uint64_t cycles,
                               struct sluice_error *error) {
  if (!cycles || !meter->on) return SLUICE_OK;
  meter->on = false;
  const enum sluice_status status =
      meter->let ? meter->let(meter->user, cycles, error)
                 : meter->line.inner->ops->wait(meter->line.inner->self, cycles, error);
  meter->on = true;
  return status;
}

enum sluice_status reaction_meter_code(struct reaction_meter *meter, struct sluice_error *error) {
  return pass(meter, meter->bus.code, error);
}

// Cycles of a frame's transfers.
static uint64_t transfers(struct reaction_meter *meter, size_t len) {
  const uint64_t num = (len + meter->bus.width - 1) / meter->bus.width;
  if (meter->on) meter->traffic.transfers += num;
  return num * meter->bus.write;
}

static enum sluice_status csr_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *error) {
  struct reaction_meter *meter = meter_of(self);
  const enum sluice_status status = sluice_filter_ops.csr_read(self, addr, value, error);
  meter->traffic.reads += meter->on;
  return status ? status : pass(meter, meter->bus.read, error);
}
// One read brings all of them that lie in the same `width` bytes of the address space.
static enum sluice_status csr_read_many(void *self, uint32_t addr, unsigned num, uint32_t *values,
                                        struct sluice_error *error) {
  struct reaction_meter *meter = meter_of(self);
  const uint32_t width = meter->bus.width;
  uint64_t accesses = 0;
  for (unsigned n = 0; n < num; n++) {
    SLUICE_TRY(sluice_filter_ops.csr_read(self, addr + 4 * n, &values[n], error));
    accesses += n == 0 || (addr + 4 * n) / width != (addr + 4 * n - 4) / width;
  }
  if (meter->on) meter->traffic.reads += accesses;
  return pass(meter, accesses * meter->bus.read, error);
}
static enum sluice_status csr_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  struct reaction_meter *meter = meter_of(self);
  struct sluice_error more;
  uint32_t before = 0;
  const bool cut = addr == SLUICE_CHIP_BASE + SLUICE_CHIP_CUT && value,
             bank = addr == SLUICE_CHIP_BASE + SLUICE_CHIP_BANK ||
                    addr == SLUICE_FLIP_BASE + SLUICE_FLIP_BANK,
             known = (cut || bank) && !reaction_meter_now(meter, &before, &more);
  const enum sluice_status status = sluice_filter_ops.csr_write(self, addr, value, error);
  meter->traffic.writes += meter->on;
  if (cut && !status) meter->cut = known ? before : 0;  // a write may be refused, and come again
  if (bank && known && !status && !reaction_meter_now(meter, &meter->after, &more)) {
    meter->before = before;
    meter->flipped = true;
  }
  return status ? status : pass(meter, meter->bus.write, error);
}
static enum sluice_status control_send(void *self, const uint8_t *bytes, size_t len,
                                       struct sluice_error *error) {
  struct reaction_meter *meter = meter_of(self);
  const enum sluice_status status = sluice_filter_ops.control_send(self, bytes, len, error);
  meter->asked = true;
  return status ? status : pass(meter, transfers(meter, len), error);
}
static enum sluice_status control_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                          struct sluice_error *error) {
  struct reaction_meter *meter = meter_of(self);
  const enum sluice_status status =
      sluice_filter_ops.control_receive(self, bytes, room, len, error);
  if (status || !*len) return status;
  const bool first = meter->asked;
  meter->asked = false;
  meter->traffic.answers += meter->on && first;
  return pass(meter, transfers(meter, *len) + (first ? meter->bus.read : 0), error);
}
void reaction_meter_init(struct reaction_meter *meter, struct sluice_transport *to) {
  *meter = (struct reaction_meter){.bus = {.width = 4}};  // none: as wide as a register
  sluice_filter_init(&meter->line, to, meter);
  meter->line.ops.csr_read = csr_read;
  meter->line.ops.csr_write = csr_write;
  meter->line.ops.control_send = control_send;
  meter->line.ops.control_receive = control_receive;
  meter->line.ops.csr_read_many = csr_read_many;
  meter->to = meter->line.to;
}
