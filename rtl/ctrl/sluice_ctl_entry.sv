// SPDX-License-Identifier: Apache-2.0

/// What an entry of a table takes in a reconfiguration packet and on the daisy chain.
/// Latency 1 cycle.
module sluice_ctl_entry
  import sluice_layout_pkg::*;
  import sluice_table_pkg::*;
(
  input  logic       clk_i,
  input  logic [2:0] resource_i,
  input  logic [3:0] sub_i,
  output logic       none_o,           // there is no such table
  output logic       wide_o,           // its entries take two blocks
  output logic [3:0] words_o,          // 64-bit words of an entry
  output logic [6:0] first_bytes_o,    // bytes of an entry in its first block
  output logic [6:0] second_bytes_o    // and in its second
);
  logic [9:0] width;                   // bits of an entry; 0: no such table
  table_info_t info;
  assign info        = TableInfos[TableMap[{resource_i, sub_i}]];
  assign width       = info.width;

  always_ff @(posedge clk_i) begin
    none_o         <= width == '0;
    wide_o         <= width > 10'd512;
    words_o        <= 4'((width + 10'd63) >> 6);
    first_bytes_o  <= width > 10'd512 ? 7'd64 : 7'((width + 10'd7) >> 3);
    second_bytes_o <= 7'((width - 10'd512 + 10'd7) >> 3);
  end
endmodule : sluice_ctl_entry
