// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Where a packet field lives.
enum sluice_home_kind {
  SLUICE_HOME_TEMPORARY,  // nowhere: starts at 0, is forgotten
  SLUICE_HOME_BYTES,      // `width` bytes of the frame from `offset` (VLAN tag included)
  SLUICE_HOME_METADATA,   // `width` bytes of the METADATA word from `offset`; read only
  SLUICE_HOME_PORT_OUT,   // its last value is the output port; starts at 0
  SLUICE_HOME_DISCARD,    // the packet is dropped if its last value is not 0; starts at 0
  SLUICE_HOME_PORTS_OUT,  // its last value is the set of output ports, unless it is 0; starts at 0
  SLUICE_HOME_ARRAY,      // `words` words of the frame from `offset` on (VLAN tag included)
  SLUICE_HOME_ELSEWHERE,  // metadata of the other function: it cannot be used here
};
struct sluice_program_field {
  const char *name;
  enum sluice_home_kind home;
  unsigned offset, width;
  unsigned words;  // of an array; 0: it is one value
  bool assigned;   // the program has an assignment to it
  unsigned param;  // of a malleable field: its number + 1; home, offset and width are those of the
                   // choice that it starts with
};
struct sluice_program_state {
  const char *name;
  unsigned size;   // entries; 1 for a scalar
  unsigned words;  // of a row, an entry of a row array; 0: an entry is one word
  bool scalar;
  int32_t init;  // of every entry
};
