// SPDX-License-Identifier: Apache-2.0
// Finding a chip; its registers and counters.
#include "chip.h"

#include <stdio.h>
#include <string.h>

enum { REGISTER_MAP = 0x534c5501, READY_POLLS = 20000, TRIES = 64, DRAIN_CYCLES = 20000 };

enum sluice_status sluice_chip_read(struct sluice_chip *chip, uint32_t addr, uint32_t *value,
                                    struct sluice_error *error) {
  return chip->to->ops->csr_read(chip->to->self, addr, value, error);
}

static enum sluice_status write_reg(struct sluice_chip *chip, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  return chip->to->ops->csr_write(chip->to->self, addr, value, error);
}

enum sluice_status sluice_chip_write(struct sluice_chip *chip, uint32_t addr, uint32_t value,
                                     struct sluice_error *error) {
  if (addr == CHIP_REG(CHIP, 0, SETS))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "CHIP.SETS belongs to the plan: see sluice_plan_set");
  if (addr == CHIP_REG(CHIP, 0, BANK))
    return sluice_fail(error, SLUICE_ERR_RANGE, "CHIP.BANK belongs to sluice_chip_update");
  if (addr == CHIP_REG(CHIP, 0, CUT))
    return sluice_fail(error, SLUICE_ERR_RANGE, "CHIP.CUT belongs to sluice_chip_cut_begin");
  if (addr == CHIP_REG(CHIP, 0, BITMAP)) {
    CHIP_TRY(write_reg(chip, addr, value | chip->held, error));
    chip->bitmap = value;
  } else if (addr == CHIP_REG(CHIP, 0, RECALL)) {
    CHIP_TRY(write_reg(chip, addr, value | chip->called, error));
    chip->recall = value;
  } else {
    return write_reg(chip, addr, value, error);
  }
  return SLUICE_OK;
}

// ---- who is there -------------------------------------------------------------------------------

static bool has_shape(const struct sluice_config *c, const uint32_t shape[SLUICE_SHAPES]) {
  for (unsigned n = 0; n < SLUICE_SHAPES; n++)
    if (sluice_config_shape(c, n) != shape[n]) return false;
  return true;
}

static enum sluice_status identify(struct sluice_chip *chip, struct sluice_error *error) {
  const char *wanted = chip->options.chip;
  uint32_t id, version, shape[SLUICE_SHAPES];
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, ID), &id, error));
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, VERSION), &version, error));
  if (id != sluice_layout_hash() || version != REGISTER_MAP)
    return sluice_fail(error, SLUICE_ERR_FOREIGN,
                       "the chip says layout %08x, version %08x; expected %08x, %08x", id, version,
                       sluice_layout_hash(), REGISTER_MAP);
  for (unsigned n = 0; n < SLUICE_SHAPES; n++)
    CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, SHAPE_0) + 4 * n, &shape[n], error));
  if (wanted && !sluice_config_find(wanted))
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no chip is called '%s'", wanted);
  for (unsigned i = 0; i < sluice_num_configs && !chip->config; i++)
    if (has_shape(&sluice_configs[i], shape)) chip->config = &sluice_configs[i];
  const struct sluice_config *other;
  for (unsigned n = 0; !chip->config && (other = sluice_config_derived(n)); n++)
    if (has_shape(other, shape)) chip->config = other;
  if (!chip->config && wanted && has_shape(sluice_config_find(wanted), shape))
    chip->config = sluice_config_find(wanted);
  if (!chip->config)
    return sluice_fail(
        error, SLUICE_ERR_FOREIGN,
        "the chip's shape, %08x %08x %08x %08x %08x, is none that this software knows", shape[0],
        shape[1], shape[2], shape[3], shape[4]);
  if (wanted && !has_shape(sluice_config_find(wanted), shape))
    return sluice_fail(error, SLUICE_ERR_FOREIGN, "the chip is '%s', not '%s'", chip->config->name,
                       wanted);
  if (wanted) chip->config = sluice_config_find(wanted);
  return SLUICE_OK;
}

enum sluice_status chip_ready(struct sluice_chip *chip, struct sluice_error *error) {
  uint32_t status = 0;
  for (unsigned n = 0; n < READY_POLLS; n++) {
    CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, STATUS), &status, error));
    if (status & 1) return SLUICE_OK;
    CHIP_TRY(chip->to->ops->wait(chip->to->self, CHIP_POLL_CYCLES, error));
  }
  return sluice_fail(error, SLUICE_ERR_IO, "the chip does not become ready");
}

enum sluice_status sluice_chip_open(struct sluice_chip **out, struct sluice_transport *to,
                                    const struct sluice_chip_options *options,
                                    struct sluice_error *error) {
  static const struct sluice_chip_options defaults;
  const struct sluice_chip_options *o = options ? options : &defaults;
  *out = NULL;
  struct sluice_chip *chip = sluice_zeroed(o->alloc, sizeof *chip);
  if (!chip) return sluice_no_memory(error);
  chip->to = to;
  chip->options = *o;
  if (o->alloc) chip->alloc = *o->alloc;
  chip->left.alloc = chip->events.alloc = chip->packets.alloc = chip->alloc;
  if (!o->tries) chip->options.tries = TRIES;
  if (!o->drain_cycles) chip->options.drain_cycles = DRAIN_CYCLES;
  enum sluice_status status = SLUICE_OK;
  if (!o->keep) {
    status = to->ops->reset ? to->ops->reset(to->self, error)
                            : sluice_fail(error, SLUICE_ERR_IO,
                                          "the %s transport cannot reset the chip", to->ops->kind);
  }
  if (!status) status = identify(chip, error);
  if (!status) status = chip_ready(chip, error);
  if (!status)
    status = sluice_chip_read(chip, CHIP_REG(CHIP, 0, RECONFIG_COUNT), &chip->counted, error);
  if (!status) status = sluice_chip_read(chip, CHIP_REG(CHIP, 0, BANK), &chip->bank, error);
  chip->counts_known = !o->keep || !chip->counted;
  if (!status) status = sluice_plan_open(&chip->plan, chip->config->name, &chip->alloc, error);
  chip->options.chip = NULL;
  if (status) sluice_chip_close(chip);
  else *out = chip;
  return status;
}

void sluice_chip_close(struct sluice_chip *chip) {
  if (!chip) return;
  const struct sluice_alloc alloc = chip->alloc;
  sluice_plan_close(chip->plan);
  sluice_plan_close(chip->pending);
  sluice_changes_release(&chip->left);
  if (chip->config) chip_counts_release(chip);
  if (chip->config) chip_groups_release(chip);
  transport_drop_all(&chip->events);
  transport_drop_all(&chip->packets);
  sluice_resize(&alloc, chip, sizeof *chip, 0);
}

void sluice_chip_describe(const struct sluice_chip *chip, struct sluice_chip_info *info) {
  const struct sluice_config *c = chip->config;
  *info = (struct sluice_chip_info){.name = c->name,
                                    .layouts = sluice_layout_hash(),
                                    .pipes = c->NumPipes,
                                    .ports = c->NumPorts,
                                    .front_stages = c->FrontStages,
                                    .back_stages = c->BackStages,
                                    .state_stages = c->StateStages,
                                    .modules = c->NumModules,
                                    .match_rows = c->MatchEntries,
                                    .state_entries = c->StateEntries,
                                    .banks = c->Banks,
                                    .cut_stages = c->CutStages,
                                    .flip_guard = c->FlipGuard != 0,
                                    .active_ids = c->ActiveIds};
}

unsigned chip_bank_row(const struct sluice_chip *chip, unsigned row) {
  return row + (chip->bank >> row & 1) * chip->config->NumModules;
}

const struct sluice_plan *sluice_chip_plan(const struct sluice_chip *chip) { return chip->plan; }
void sluice_chip_line_counts(const struct sluice_chip *chip, struct sluice_chip_line *line) {
  *line = chip->line;
}

// ---- registers and counters ---------------------------------------------------------------------

enum sluice_status sluice_chip_register(const struct sluice_chip *chip, const char *block,
                                        unsigned instance, const char *name, unsigned offset,
                                        uint32_t *addr, struct sluice_error *error) {
  switch (sluice_register_find(chip->config, block, instance, name, offset, addr)) {
    case SLUICE_FOUND: return SLUICE_OK;
    case SLUICE_FOUND_NO_NAME:
      return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no register is called %s.%s", block, name);
    case SLUICE_FOUND_NO_INSTANCE: break;
  }
  return sluice_fail(error, SLUICE_ERR_NOT_FOUND,
                     "chip '%s' has no %s.%s with instance %u and word %u", chip->config->name,
                     block, name, instance, offset);
}

void sluice_chip_together(struct sluice_chip *chip, bool on) { chip->together = on; }

enum sluice_status chip_read_many(struct sluice_chip *chip, uint32_t addr, unsigned num,
                                  uint32_t *values, struct sluice_error *error) {
  const struct sluice_transport *to = chip->to;
  if (chip->together && to->ops->csr_read_many)
    return to->ops->csr_read_many(to->self, addr, num, values, error);
  for (unsigned n = 0; n < num; n++)
    CHIP_TRY(sluice_chip_read(chip, addr + 4 * n, &values[n], error));
  return SLUICE_OK;
}

enum sluice_status chip_sum(struct sluice_chip *chip, uint32_t addr, uint32_t stride, unsigned num,
                            uint64_t *sum, struct sluice_error *error) {
  *sum = 0;
  for (unsigned n = 0; n < num; n++) {
    uint32_t value;
    CHIP_TRY(sluice_chip_read(chip, addr + stride * n, &value, error));
    *sum += value;
  }
  return SLUICE_OK;
}

enum sluice_status sluice_chip_counters(struct sluice_chip *chip, struct sluice_counters *counters,
                                        struct sluice_error *error) {
  const unsigned pipes = chip->config->NumPipes, ports = chip->config->NumPorts;
  struct sluice_counters c = {0};
  const struct {
    uint32_t addr, stride;
    unsigned num;
    uint64_t *to;
  } sums[] = {
      {CHIP_REG(LANE, 0, PACKETS), SLUICE_LANE_STRIDE, pipes, &c.packets},
      {CHIP_REG(LANE, 0, ACCEPTED), SLUICE_LANE_STRIDE, pipes, &c.accepted},
      {CHIP_REG(ORDER, 0, ADMITTED), SLUICE_ORDER_STRIDE, pipes, &c.admitted},
      {CHIP_REG(EXIT, 0, PACKETS), SLUICE_EXIT_STRIDE, pipes, &c.left},
      {CHIP_REG(PORT, 0, PACKETS), SLUICE_PORT_STRIDE, ports, &c.copies},
      {CHIP_REG(PORT, 0, BYTES), SLUICE_PORT_STRIDE, ports, &c.copy_bytes},
      {CHIP_REG(EXIT, 0, DISCARDED), SLUICE_EXIT_STRIDE, pipes, &c.drops[SLUICE_DROP_DISCARD_BACK]},
      {CHIP_REG(EXIT, 0, NO_DEST), SLUICE_EXIT_STRIDE, pipes, &c.drops[SLUICE_DROP_NO_DEST]},
      {CHIP_REG(EXIT, 0, FORBIDDEN), SLUICE_EXIT_STRIDE, pipes, &c.drops[SLUICE_DROP_FORBIDDEN]},
      {CHIP_REG(EXIT, 0, SOME_FORBIDDEN), SLUICE_EXIT_STRIDE, pipes,
       &c.drops[SLUICE_DROP_SOME_FORBIDDEN]},
      {CHIP_REG(PORT, 0, DROPS), SLUICE_PORT_STRIDE, ports, &c.drops[SLUICE_DROP_OUTPUT_FULL]},
      {CHIP_REG(PORT, 0, EGRESS), SLUICE_PORT_STRIDE, ports, &c.drops[SLUICE_DROP_EGRESS]},
  };
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    CHIP_TRY(chip_sum(chip, sums[i].addr, sums[i].stride, sums[i].num, sums[i].to, error));
  for (unsigned reason = SLUICE_DROP_NOT_READY; reason <= SLUICE_DROP_OVERLOAD; reason++) {
    const bool lane = reason <= SLUICE_DROP_PROTOCOL;
    CHIP_TRY(
        chip_sum(chip, (lane ? CHIP_REG(LANE, 0, DROP) : CHIP_REG(ORDER, 0, DROP)) + 4 * reason,
                 lane ? SLUICE_LANE_STRIDE : SLUICE_ORDER_STRIDE, pipes, &c.drops[reason], error));
  }
  if (chip->config->RateLimits)
    CHIP_TRY(chip_sum(chip, CHIP_REG(LANE, 0, DROP) + 4 * SLUICE_DROP_RATE, SLUICE_LANE_STRIDE,
                      pipes, &c.drops[SLUICE_DROP_RATE], error));
  if (chip->config->Recirculation)
    CHIP_TRY(chip_sum(chip, CHIP_REG(PASSES, 0, GAVE_WAY), SLUICE_PASSES_STRIDE, pipes,
                      &c.drops[SLUICE_DROP_GAVE_WAY], error));
  c.packets += c.drops[SLUICE_DROP_GAVE_WAY];  // the lane never had them
  *counters = c;
  return SLUICE_OK;
}

enum sluice_status sluice_chip_port_counters(struct sluice_chip *chip, unsigned port,
                                             struct sluice_port_counters *counters,
                                             struct sluice_error *error) {
  if (port >= chip->config->NumPorts)
    return sluice_fail(error, SLUICE_ERR_RANGE, "port %u: chip '%s' has %u", port,
                       chip->config->name, chip->config->NumPorts);
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(PORT, port, PACKETS), &counters->packets, error));
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(PORT, port, BYTES), &counters->bytes, error));
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(PORT, port, EGRESS), &counters->egress, error));
  return sluice_chip_read(chip, CHIP_REG(PORT, port, DROPS), &counters->drops, error);
}

enum sluice_status sluice_chip_module_drops(struct sluice_chip *chip, unsigned vid,
                                            uint32_t drops[SLUICE_NUM_DROPS],
                                            struct sluice_error *error) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  if (!m)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u", vid);
  for (unsigned reason = 0; reason < SLUICE_NUM_DROPS; reason++) {
    drops[reason] = 0;
    if (reason == SLUICE_DROP_NONE || strcmp(sluice_drop_name(reason), "?") == 0) continue;
    CHIP_TRY(
        sluice_chip_read(chip, CHIP_REG(MODULE, m->row, DROP) + 4 * reason, &drops[reason], error));
  }
  return SLUICE_OK;
}

const char *sluice_drop_name(unsigned reason) { return sluice_value_name("DROP", reason); }
