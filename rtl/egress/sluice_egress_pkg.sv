// SPDX-License-Identifier: Apache-2.0

/// Types that only the blocks of the egress exchange.
package sluice_egress_pkg;

  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;

  // A packet that waits for its lane's deparser: what is still of use of packet_t.
  typedef struct packed {
    logic [31:0] ticket;
    row_t        row;
    len_t        len;
    logic [7:0]  dest;
    logic        discard;
    hdr_t        hdr;
    containers_t cont;
  } exit_t;

  // A packet whose fate a lane has worked out: where it wants to go, or why it goes nowhere.
  typedef struct packed {
    logic [31:0]         ticket;
    len_t                len;
    hdr_t                hdr;
    drop_e               reason;
    logic [NumPorts-1:0] ports;    // empty if there is a reason
  } fate_t;

  // A packet in an output queue.
  typedef struct packed {
    logic [31:0]             ticket;
    len_t                    len;
    hdr_t                    hdr;      // of its body, in the packet buffer of its lane
    logic [PortsPerLane-1:0] ports;
    logic [HeaderBits-1:0]   header;
  } output_t;

  // A copy that has left through a port of an output lane.
  typedef struct packed {
    logic       valid;
    logic [7:0] port;
    len_t       len;
  } sent_t;

endpackage : sluice_egress_pkg
