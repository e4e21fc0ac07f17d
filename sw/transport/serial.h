// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/transport.h>

#include "line.h"

/// A board at the end of a line that is open already. The transport closes the line, also when this
/// fails.
SLUICE_MUST_CHECK enum sluice_status sluice_transport_line(struct sluice_transport *to,
                                                           struct line *line, double patience,
                                                           struct sluice_error *error);
/// Of such a transport: the lanes that the board told of, and how many of the chip's frames the
/// line has lost.
unsigned sluice_transport_lanes(const struct sluice_transport *to);
unsigned long sluice_transport_lost(const struct sluice_transport *to);
