// SPDX-License-Identifier: Apache-2.0
#include "meter.h"

#include "../base/layouts.h"

static struct sluice_transport *inner(void *self) {
  return ((struct reaction_meter *)self)->inner;
}

enum sluice_status reaction_meter_now(struct reaction_meter *meter, uint32_t *cycles,
                                      struct sluice_error *error) {
  return meter->inner->ops->csr_read(meter->inner->self, SLUICE_CHIP_BASE + SLUICE_CHIP_CYCLES,
                                     cycles, error);
}

static enum sluice_status csr_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *error) {
  return inner(self)->ops->csr_read(inner(self)->self, addr, value, error);
}
static enum sluice_status csr_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  struct reaction_meter *meter = self;
  struct sluice_error more;
  uint32_t before = 0;
  if (addr == SLUICE_CHIP_BASE + SLUICE_CHIP_CUT && value &&
      reaction_meter_now(meter, &meter->cut, &more))
    meter->cut = 0;
  const bool flip =
      addr == SLUICE_CHIP_BASE + SLUICE_CHIP_BANK && !reaction_meter_now(meter, &before, &more);
  const enum sluice_status status =
      inner(self)->ops->csr_write(inner(self)->self, addr, value, error);
  if (!flip || status || reaction_meter_now(meter, &meter->after, &more)) return status;
  meter->before = before;
  meter->flipped = true;
  return status;
}
static enum sluice_status control_send(void *self, const uint8_t *bytes, size_t len,
                                       struct sluice_error *error) {
  return inner(self)->ops->control_send(inner(self)->self, bytes, len, error);
}
static enum sluice_status control_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                          struct sluice_error *error) {
  return inner(self)->ops->control_receive(inner(self)->self, bytes, room, len, error);
}
static enum sluice_status packet_send(void *self, unsigned port, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  return inner(self)->ops->packet_send(inner(self)->self, port, bytes, len, error);
}
static enum sluice_status packet_receive(void *self, struct sluice_packet_out *packet,
                                         struct sluice_error *error) {
  return inner(self)->ops->packet_receive(inner(self)->self, packet, error);
}
static enum sluice_status wait(void *self, uint64_t cycles, struct sluice_error *error) {
  return inner(self)->ops->wait(inner(self)->self, cycles, error);
}
static enum sluice_status reset(void *self, struct sluice_error *error) {
  return inner(self)->ops->reset(inner(self)->self, error);
}
static void close_nothing(void *self) {
  (void)self;
}

void reaction_meter_init(struct reaction_meter *meter, struct sluice_transport *to) {
  *meter = (struct reaction_meter){
      .inner = to,
      .ops = {to->ops->kind, csr_read, csr_write, control_send, control_receive, packet_send,
              packet_receive, wait, to->ops->reset ? reset : NULL, close_nothing}};
  meter->to = (struct sluice_transport){&meter->ops, meter, to->frame_max};
}
