// SPDX-License-Identifier: Apache-2.0
#include "writes.h"

#include <stdlib.h>
#include <string.h>

#include "driver/chip.h"
#include "monitored.h"

enum {
  ADDRESSES = 0x80000,
  MOST = 256,      // registers
  GAP = 100,       // cycles between two writes, at most
  PATIENCE = 4000  // attempts to write what was there before
};

struct writes {
  struct {
    uint32_t addr, mask, before;  // mask: bits that it can hold
    uint64_t taken, refused;
  } reg[MOST];
  unsigned num;
  struct sluice_rng rng;
  uint64_t due, done;
};

static enum sluice_status read_reg(struct run *run, uint32_t addr, uint32_t *value) {
  return run->to.ops->csr_read(run->to.self, addr, value, &run->error);
}

// As a chip would do that is broken (`writes_break` of the job): the write goes to the register
// behind, only its lower half is taken, or it is said to be taken although it is refused.
enum { OTHER_REGISTER = 1, HALF, SILENT };

static enum sluice_status write_reg(struct run *run, uint32_t addr, uint32_t value, bool *refused) {
  const enum sluice_status status = run->to.ops->csr_write(run->to.self, addr, value, &run->error);
  *refused = status && run->host.refused;
  if (!*refused) return status;
  run->error.text[0] = 0;
  return SLUICE_OK;
}

// CONTROL is a command, FLIP.BANK another name of CHIP.BANK: what they read says nothing of them.
static bool reads_back(uint32_t addr) {
  return addr != CHIP_REG(CHIP, 0, CONTROL) && addr != CHIP_REG(FLIP, 0, BANK);
}

// Ones everywhere: what stays is what the register can hold. Not of those that begin something:
// their bits are modules.
static enum sluice_status learn(struct run *run, uint32_t addr, uint32_t before, uint32_t *mask) {
  const unsigned modules = run->config->NumModules;
  const bool rows = addr == CHIP_REG(CHIP, 0, BANK) || addr == CHIP_REG(CHIP, 0, CUT) ||
                    addr == CHIP_REG(FLIP, 0, BANK);
  bool refused;
  *mask = rows ? (uint32_t)((UINT64_C(1) << modules) - 1) : 0;
  if (rows || !reads_back(addr)) return SLUICE_OK;
  CHIP_TRY(write_reg(run, addr, UINT32_MAX, &refused));
  CHIP_TRY(read_reg(run, addr, mask));
  if (addr == CHIP_REG(CHIP, 0, MODE))
    *mask &= ~(uint32_t)(1 << SLUICE_MODE_NO_PHANTOMS_LSB | 1 << SLUICE_MODE_NO_ESCAPE_LSB);
  return write_reg(run, addr, before, &refused);
}

enum sluice_status writes_open(struct run *run) {
  struct writes *w;
  if (!run->job.writes) return SLUICE_OK;
  if (!(w = run->writes = calloc(1, sizeof *w)))
    return sluice_fail(&run->error, SLUICE_ERR_NOMEM, "out of memory for writes of registers");
  sluice_rng_init(&w->rng, run->job.seed, "writes");
  for (uint32_t addr = 0; addr < ADDRESSES && w->num < MOST; addr += 4) {
    bool writable = false;
    uint32_t before = 0, mask = 0;
    if (!sluice_register_at(run->config, addr, &writable) || !writable ||
        addr == CHIP_REG(CHIP, 0, FAULT))
      continue;
    CHIP_TRY(read_reg(run, addr, &before));
    CHIP_TRY(learn(run, addr, before, &mask));
    w->reg[w->num].addr = addr;
    w->reg[w->num].mask = mask;
    w->reg[w->num++].before = before;
  }
  return SLUICE_OK;
}

void writes_close(struct run *run) {
  free(run->writes);
  run->writes = NULL;
}

// Small numbers, a bit, few bits, all bits: of what the register can hold.
static uint32_t some_value(struct writes *w, uint32_t mask, uint32_t before) {
  const uint32_t bits = (uint32_t)sluice_rng_next(&w->rng);
  switch (sluice_rng_below(&w->rng, 6)) {
    case 0: return before;
    case 1: return 0;
    case 2: return bits % 8 & mask;
    case 3: return UINT32_C(1) << bits % 32 & mask;
    case 4: return bits & bits >> 7 & bits << 9 & mask;
    default: return bits & mask;
  }
}

static enum sluice_status write_one(struct run *run) {
  struct writes *w = run->writes;
  const unsigned n = (unsigned)sluice_rng_below(&w->rng, w->num);
  const unsigned broken = run->job.writes_break;
  const uint32_t addr = w->reg[n].addr, value = some_value(w, w->reg[n].mask, w->reg[n].before);
  uint32_t was = 0, is = 0;
  bool refused;
  CHIP_TRY(read_reg(run, addr, &was));
  if (broken == OTHER_REGISTER && n + 1 < w->num)
    CHIP_TRY(write_reg(run, w->reg[n + 1].addr, value & w->reg[n + 1].mask, &refused));
  else CHIP_TRY(write_reg(run, addr, broken == HALF ? value & 0xffu : value, &refused));
  if (broken == SILENT) refused = false;
  CHIP_TRY(read_reg(run, addr, &is));
  w->done++;
  if (refused) w->reg[n].refused++;
  else w->reg[n].taken++;
  if (reads_back(addr)) {
    char name[64];
    snprintf(name, sizeof name, "register 0x%05x after a write of 0x%x that is %s", (unsigned)addr,
             (unsigned)value, refused ? "refused" : "taken");
    sluice_checker_counter(run->checker, name, refused ? was : value, is);
  }
  return SLUICE_OK;
}

enum sluice_status writes_turn(struct run *run, bool all) {
  struct writes *w = run->writes;
  if (!w || all || run->cycle < w->due || w->done == run->job.writes ||
      sluice_checker_failed(run->checker))
    return SLUICE_OK;
  const enum sluice_status status = write_one(run);
  w->due = run->cycle + sluice_rng_below(&w->rng, GAP);
  // What a chip that is wrong does not answer is not the run's error.
  if (status && !sluice_checker_failed(run->checker)) return status;
  if (status) run->error.text[0] = 0;
  return SLUICE_OK;
}

// A cut is ended, not begun again; what is refused for a while is tried again.
enum sluice_status writes_restore(struct run *run) {
  struct writes *w = run->writes;
  if (!w || sluice_checker_failed(run->checker)) return SLUICE_OK;
  for (unsigned n = 0; n < w->num; n++) {
    bool refused = true;
    uint32_t is = ~w->reg[n].before;
    const uint32_t addr = w->reg[n].addr;
    if (!reads_back(addr)) continue;
    for (unsigned tries = 0; tries < PATIENCE && refused; tries++) {
      CHIP_TRY(read_reg(run, addr, &is));
      if (is == w->reg[n].before) break;
      CHIP_TRY(write_reg(run, addr, w->reg[n].before, &refused));
    }
    CHIP_TRY(read_reg(run, addr, &is));
    if (is != w->reg[n].before)
      return sluice_fail(&run->error, SLUICE_ERR_IO, "register 0x%05x does not become 0x%x again",
                         (unsigned)addr, (unsigned)w->reg[n].before);
  }
  return SLUICE_OK;
}

json_t *writes_json(const struct run *run) {
  const struct writes *w = run->writes;
  uint64_t taken = 0, refused = 0;
  unsigned untouched = 0;
  if (!w) return NULL;
  for (unsigned n = 0; n < w->num; n++) {
    taken += w->reg[n].taken;
    refused += w->reg[n].refused;
    untouched += !w->reg[n].taken && !w->reg[n].refused;
  }
  return json_pack("{s:i s:I s:I s:i}", "registers", (int)w->num, "taken", (json_int_t)taken,
                   "refused", (json_int_t)refused, "untouched", (int)untouched);
}
