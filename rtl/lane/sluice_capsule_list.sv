// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Finds the end of a capsule's list of instructions: the first EOF (opcode byte 0) among the
/// CapsuleInstrs positions that lie in the header.
/// Combinational; depth: eight bits to one, then six levels of prefixes.
///
/// Example: opcodes 33, 16, 2, 0, 7, ...: EOF at position 3. last_o has bit 3 set alone, the
/// length is 4; before_o has bits 0 to 2 set. Without an EOF last_o has bit 41 set, as if there
/// were an EOF at the last position: the length is 42 in both cases.
/// Invariant: last_o is one-hot, and the length of the list is the number of its bit plus 1.
module sluice_capsule_list
  import sluice_phv_pkg::*;
(
  input  logic                          en_i,       // somebody looks at what leaves
  // byte n is bits 8n+7:8n; the first byte is the first byte of instruction 0
  input  logic [16*CapsuleInstrs-1:0]   list_i,
  output logic [CapsuleInstrs-1:0]      last_o,     // position of the list's last instruction
  output logic [CapsuleInstrs-1:0]      before_o    // positions before EOF
);
  logic [CapsuleInstrs-1:0] ended;                 // there is an EOF here, or before
  always_comb begin
    {ended, before_o, last_o} = '0;
    if (`SLUICE_WHEN(en_i)) begin
      for (int unsigned n = 0; n < CapsuleInstrs; n++) ended[n] = list_i[16*n+8 +: 8] == '0;
      for (int unsigned at = 1; at < CapsuleInstrs; at *= 2) ended = ended | (ended << at);
      before_o = ~ended;
      last_o   = ended & ~(ended << 1);
      // The list is cut off behind the last position.
      last_o[CapsuleInstrs-1] = !ended[CapsuleInstrs-2];
    end
  end
endmodule : sluice_capsule_list
