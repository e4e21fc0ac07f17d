// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include <stdlib.h>
#include <string.h>

#include "../driver/chip/chip.h"

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

// As a chip would do that is broken (`writes_break` of the job): the write goes to the register
// behind, only its lower half is taken, or it is said to be taken although it is refused.
enum { OTHER_REGISTER = 1, HALF, SILENT };

// CONTROL is a command, FLIP.BANK another name of CHIP.BANK: what they read says nothing of them.
static bool reads_back(uint32_t addr) {
  return addr != CHIP_REG(CHIP, 0, CONTROL) && addr != CHIP_REG(FLIP, 0, BANK);
}

// Ones everywhere: what stays is what the register can hold. Not of those that begin something:
// their bits are modules.
static enum sluice_status learn(struct batch *b, uint32_t addr, uint32_t before, uint32_t *mask) {
  const unsigned modules = b->config->NumModules;
  const bool rows = addr == CHIP_REG(CHIP, 0, BANK) || addr == CHIP_REG(CHIP, 0, CUT) ||
                    addr == CHIP_REG(FLIP, 0, BANK);
  bool refused;
  *mask = rows ? (uint32_t)((UINT64_C(1) << modules) - 1) : 0;
  if (rows || !reads_back(addr)) return SLUICE_OK;
  SLUICE_TRY(batch_try_write(b, addr, UINT32_MAX, &refused));
  SLUICE_TRY(batch_read(b, addr, mask));
  if (addr == CHIP_REG(CHIP, 0, MODE))
    *mask &= ~(uint32_t)(1 << SLUICE_MODE_NO_PHANTOMS_LSB | 1 << SLUICE_MODE_NO_ESCAPE_LSB);
  return batch_try_write(b, addr, before, &refused);
}

enum sluice_status writes_open(struct batch *b) {
  struct writes *w;
  if (!b->job.writes) return SLUICE_OK;
  if (!(w = b->writes = calloc(1, sizeof *w)))
    return sluice_fail(&b->error, SLUICE_ERR_NOMEM, "out of memory for writes of registers");
  sluice_rng_init(&w->rng, b->job.seed, "writes");
  for (uint32_t addr = 0; addr < ADDRESSES && w->num < MOST; addr += 4) {
    bool writable = false;
    uint32_t before = 0, mask = 0;
    if (!sluice_register_at(b->config, addr, &writable) || !writable ||
        addr == CHIP_REG(CHIP, 0, FAULT))
      continue;
    SLUICE_TRY(batch_read(b, addr, &before));
    SLUICE_TRY(learn(b, addr, before, &mask));
    w->reg[w->num].addr = addr;
    w->reg[w->num].mask = mask;
    w->reg[w->num++].before = before;
  }
  return SLUICE_OK;
}

void writes_close(struct batch *b) {
  free(b->writes);
  b->writes = NULL;
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

static enum sluice_status write_one(struct batch *b) {
  struct writes *w = b->writes;
  const unsigned n = (unsigned)sluice_rng_below(&w->rng, w->num);
  const unsigned broken = b->job.writes_break;
  const uint32_t addr = w->reg[n].addr, value = some_value(w, w->reg[n].mask, w->reg[n].before);
  uint32_t was = 0, is = 0;
  bool refused;
  SLUICE_TRY(batch_read(b, addr, &was));
  if (broken == OTHER_REGISTER && n + 1 < w->num)
    SLUICE_TRY(batch_try_write(b, w->reg[n + 1].addr, value & w->reg[n + 1].mask, &refused));
  else SLUICE_TRY(batch_try_write(b, addr, broken == HALF ? value & 0xffu : value, &refused));
  if (broken == SILENT) refused = false;
  SLUICE_TRY(batch_read(b, addr, &is));
  w->done++;
  if (refused) w->reg[n].refused++;
  else w->reg[n].taken++;
  if (reads_back(addr)) {
    char name[64];
    snprintf(name, sizeof name, "register 0x%05x after a write of 0x%x that is %s", (unsigned)addr,
             (unsigned)value, refused ? "refused" : "taken");
    sluice_checker_counter(b->checker, name, refused ? was : value, is);
  }
  return SLUICE_OK;
}

enum sluice_status writes_turn(struct batch *b, bool all) {
  struct writes *w = b->writes;
  if (!w || all || b->m->cycle < w->due || w->done == b->job.writes ||
      sluice_checker_failed(b->checker))
    return SLUICE_OK;
  const enum sluice_status status = write_one(b);
  w->due = b->m->cycle + sluice_rng_below(&w->rng, GAP);
  return batch_excused(b, status);
}

// A cut is ended, not begun again; what is refused for a while is tried again.
enum sluice_status writes_restore(struct batch *b) {
  struct writes *w = b->writes;
  if (!w || sluice_checker_failed(b->checker)) return SLUICE_OK;
  for (unsigned n = 0; n < w->num; n++) {
    bool refused = true;
    uint32_t is = ~w->reg[n].before;
    const uint32_t addr = w->reg[n].addr;
    if (!reads_back(addr)) continue;
    for (unsigned tries = 0; tries < PATIENCE && refused; tries++) {
      SLUICE_TRY(batch_read(b, addr, &is));
      if (is == w->reg[n].before) break;
      SLUICE_TRY(batch_try_write(b, addr, w->reg[n].before, &refused));
    }
    SLUICE_TRY(batch_read(b, addr, &is));
    if (is != w->reg[n].before)
      return sluice_fail(&b->error, SLUICE_ERR_IO, "register 0x%05x does not become 0x%x again",
                         (unsigned)addr, (unsigned)w->reg[n].before);
  }
  return SLUICE_OK;
}

json_t *writes_json(const struct batch *b) {
  const struct writes *w = b->writes;
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
