// SPDX-License-Identifier: Apache-2.0
// Tables around the pipelines: modules, parser, deparser, checksums, ports.
#include "make.h"

// A destination that mostly leads somewhere. With more than 8 ports: a row of the port masks.
static unsigned pick_dest(struct make *m) {
  unsigned ports = m->config->NumPorts;
  if (chance(m, 3)) return pick(m, 256);
  if (ports > 8) return chance(m, 80) ? pick(m, ports) : pick(m, 64);
  unsigned set = 1u << pick(m, ports);
  if (chance(m, 20)) set |= pick(m, 1u << ports);
  if (chance(m, 10)) set |= 1u << pick(m, 8);
  return set;
}

static void make_module(struct make *m, const struct make_module *module) {
  uint8_t *e = make_add(m, SLUICE_TABLE_MODULE, 0, module->entry)->bytes;
  SLUICE_SETS(e, MODULE, (VALID, chance(m, 99)),
              (DEST, make_fast_dest(m, make_egress_dest(m, make_again_dest(m, pick_dest(m))))),
              (NEED_IP, chance(m, 10)), (NEED_UDP, chance(m, 8)), (VID, module->vid));
  if (m->config->Active) SLUICE_SET(e, MODULE, ACTIVE, make_is_active(m));
  // Now and then another set than that of its state: that changes the way, and nothing else.
  struct sluice_rng *stream = m->rng;
  m->rng = &m->sets;
  const unsigned any = pick(m, 16);
  SLUICE_SET(e, MODULE, PIPE, chance(m, 85) ? module->first : any);
  m->rng = stream;
}

// Offsets: fields of real headers, the borders at 64 and 128 bytes, and anything.
static unsigned pick_offset(struct make *m, unsigned *metadata) {
  *metadata = chance(m, 12);
  if (*metadata)
    return chance(m, 85) ? PICK(m, 12, 13, 14, 23, 24, 26, 28, 29, 30, 31) : pick(m, 128);
  switch (pick(m, 4)) {
    case 0: return PICK(m, 0, 6, 12, 14, 16, 20, 26, 27, 30, 32, 34, 38, 40, 42, 44);
    case 1: return 46 + 2 * pick(m, 9);
    case 2: return PICK(m, 58 + pick(m, 6), 62, 63, 122 + pick(m, 6));
    default: return pick(m, 128);
  }
}

static void make_moves(struct make *m, uint8_t *entry, unsigned percent) {
  for (unsigned a = 0; a < 10; a++) {
    uint8_t *action = entry + 2 * a;
    unsigned metadata, offset = pick_offset(m, &metadata);
    unsigned type = chance(m, 97) ? PICK(m, SLUICE_TYPE_B2, SLUICE_TYPE_B4, SLUICE_TYPE_B6)
                                  : SLUICE_TYPE_CONST;
    SLUICE_SETS(action, PARSE_ACTION, (METADATA, metadata), (OFFSET, offset), (KIND, type));
    SLUICE_SETS(action, PARSE_ACTION, (IDX, type ? pick_container(m, type) : pick(m, 8)),
                (VALID, chance(m, percent)));
  }
}

static void make_port_masks(struct make *m) {
  const unsigned ports = m->config->NumPorts;
  unsigned rows = ports > 8 ? 4 + pick(m, 20) : pick(m, 3);
  for (unsigned i = 0; i < rows; i++) {
    uint64_t mask = UINT64_C(1) << pick(m, ports);
    if (chance(m, 40)) mask |= UINT64_C(1) << pick(m, ports);
    if (chance(m, 10)) mask |= sluice_rng_next(m->rng) & sluice_rng_next(m->rng);
    if (chance(m, 5)) mask = 0;
    uint8_t *e =
        make_add(m, SLUICE_TABLE_PORT_MASK, 0, chance(m, 80) ? pick(m, 64) : pick(m, 256))->bytes;
    SLUICE_SET(e, PORT_MASK, PORTS, mask);
  }
}

// Most modules may send to all ports, some to a few, rarely one to none. Rows without modules have
// entries as well.
static void make_module_ports(struct make *m) {
  for (unsigned i = 0; i < m->num_modules; i++) {
    if (chance(m, 60)) continue;
    const unsigned entry = chance(m, 95) ? m->modules[i].entry : pick(m, m->config->NumModules);
    uint8_t *e = make_add(m, SLUICE_TABLE_MODULE_PORTS, 0, entry)->bytes;
    uint64_t ports = sluice_rng_next(m->rng);
    if (chance(m, 40)) ports |= sluice_rng_next(m->rng);
    if (chance(m, 10)) ports &= sluice_rng_next(m->rng) & sluice_rng_next(m->rng);
    if (chance(m, 5)) ports = 0;
    SLUICE_SET(e, MODULE_PORTS, PORTS, ports);
  }
}

void make_module_tables(struct make *m, const struct make_module *module) {
  make_module(m, module);
  uint8_t *parser = make_add(m, SLUICE_TABLE_PARSER, 0, module->entry)->bytes;
  make_moves(m, parser, 85);
  make_merge_parser(m, parser);
  make_moves(m, make_add(m, SLUICE_TABLE_DEPARSER, 0, module->entry)->bytes,
             chance(m, 50) ? 70 : 30);
  uint8_t *e = make_add(m, SLUICE_TABLE_DEPARSE_OPT, 0, module->entry)->bytes;
  SLUICE_SETS(e, DEPARSE_OPT, (IP_CHECKSUM, chance(m, 60)), (L4_CHECKSUM, chance(m, 60)));
  make_array(m, module);
  make_module_again(m, module);
}

void make_packet_tables(struct make *m) {
  for (unsigned i = 0; i < m->num_modules; i++) make_module_tables(m, &m->modules[i]);
  make_port_masks(m);
  make_module_ports(m);
}

// Shares of all sizes; mostly a rate that bites when traffic is heavy. Rows without modules have
// them as well.
void make_shares(struct make *m) {
  for (unsigned i = 0; i < m->num_modules; i++) {
    if (chance(m, 60)) continue;
    uint8_t *e = make_add(m, SLUICE_TABLE_SHARE, 0,
                          chance(m, 95) ? m->modules[i].row : pick(m, m->config->NumModules))
                     ->bytes;
    SLUICE_SETS(e, SHARE, (LIMIT, chance(m, 90)), (BURST, chance(m, 50) ? pick(m, 8) : pick(m, 64)),
                (RATE, chance(m, 70) ? pick(m, 128) : pick(m, 512)));
  }
}
