// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_MONITORED_H
#define SLUICE_DPI_MONITORED_H

#include <sluice/transport.h>

#include "run.h"

/// The simulated chip as a transport for the driver library, from inside the simulator: registers
/// and control port through the pins (host.h), each access also told to the monitors, so that the
/// reference is configured as the chip is. An answer on the control port is compared with the
/// reference's. Data ports belong to the player or to the server.
struct sluice_transport monitored_transport(struct run *run);

/// Waits until the chip has counted every control packet that was sent; its counts are in
/// run->counted_good and _bad.
enum sluice_status monitored_wait_counted(struct run *run, struct sluice_error *error);
/// Waits until all of them have taken effect and fills are done, and compares the counts with the
/// reference's.
enum sluice_status monitored_wait_control(struct run *run);

/// Sends a control packet, whatever is in it, and receives its answer if it has one.
enum sluice_status monitored_control(struct run *run, const uint8_t *bytes, size_t len);

#endif
