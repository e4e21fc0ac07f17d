// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What lies between the driver and the chip, in cycles of the chip: a model that the meter asks.
///
///     read   from a register's read until the next access can be at the chip: there and back
///     write  of one transfer; writes are posted, the driver goes on
///     width  bytes of a transfer; registers in one such piece of addresses come by one read
///     code   of a run of a body
///
/// A frame to the control port is as many transfers as it needs. An answer comes by itself into the
/// driver's memory: it costs as a read, once for answers that were asked for together, and its
/// transfers. Example with the numbers of `pcie`: a register is read in 900 cycles; a frame of 160
/// bytes takes 10 transfers, 40 cycles; its answer of 160 bytes 900 + 40.
struct reaction_bus {
  uint32_t read, write, width, code;  // width: at least 1
};

/// "none"; "pcie": read=900,write=4,width=16,code=0; or some of these numbers, the others as in
/// `pcie`. SLUICE_ERR_RANGE: neither, and why.
SLUICE_MUST_CHECK enum sluice_status reaction_bus_parse(struct reaction_bus *bus, const char *text,
                                                        struct sluice_error *error);
/// Whether it takes any time.
static inline bool reaction_bus_is(const struct reaction_bus *bus) {
  return bus->read || bus->write || bus->code;
}
/// As it is read; "none" for one that takes no time.
void reaction_bus_text(const struct reaction_bus *bus, char *text, size_t len);
