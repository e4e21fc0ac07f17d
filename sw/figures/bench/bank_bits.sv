// SPDX-License-Identifier: Apache-2.0
/// Says at elaboration how many bits the payload banks of a configuration hold, for `sluice bench`:
/// the packet in memory, and what is known of its slot in registers (sluice_payload_bank).
module bank_bits
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
  parameter int unsigned Depth = BankDepth   // slots of a bank
);
  localparam int unsigned KnownBits = 2 + $bits(tag_t) + $bits(route_t) + $clog2(Depth);
  localparam int unsigned SlotBits  = $bits(packet_t) + KnownBits;
  $info("bits of the banks: %0d", NumPipes * NumPipes * BackStages * Depth * SlotBits);
endmodule
