// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"

/// Rows of PORT_MASK for the sets of ports of modules, on chips with more than 8 ports. Such a chip
/// sends a packet to the ports in a row of the table. Rows of one port each are there after reset;
/// of those behind them the operator has some as groups (sluice_chip_group_set), and each set of a
/// module gets one, the highest that is free:
///
///     s4, 256 rows     0..16   a port each         255   set 0 of VLAN 3: ports 0 to 7
///                      17      recirculation       254   set 1 of VLAN 3: ports 1, 2
///                      18..    groups              253   set 0 of VLAN 4
///
/// A row is one module's, also if another has the same set: what it holds goes with its module.
/// While an update is under way rows of the version before are not free; a set that both versions
/// have keeps its row.

/// Rows for the sets of an image whose module is placed. SLUICE_ERR_FULL: how many are wanted, and
/// how many are free.
enum sluice_status sluice_port_rows_add(struct sluice_plan *plan, const struct sluice_image *image,
                                        const struct sluice_placed *placed,
                                        struct sluice_error *error);
/// Puts the row of the set into an entry of the image, if one goes there. `w` is as the image
/// counts it.
void sluice_port_rows_link(const struct sluice_plan *plan, const struct sluice_image *image,
                           unsigned owner, struct sluice_write *w);
/// What row `at` holds, or NULL: no module has it.
const struct sluice_port_row *sluice_port_row_at(const struct sluice_plan *plan, unsigned at);
/// The row of set `number` of a module, or SLUICE_NO_ROW.
unsigned sluice_port_row(const struct sluice_plan *plan, unsigned owner, unsigned number);
/// Frees the rows of a module.
void sluice_port_rows_drop(struct sluice_plan *plan, unsigned owner);
