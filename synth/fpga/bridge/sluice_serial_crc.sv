// SPDX-License-Identifier: Apache-2.0

/// One byte of the frame check of docs/fpga.md, combinational: CRC-16 of HDLC (polynomial 0x1021, bits
/// reflected, all ones at the start, inverted at the end; check value 0x906E, residue 0xF0B8).
module sluice_serial_crc (
  input  logic [15:0] crc_i,
  input  logic [7:0]  data_i,
  output logic [15:0] crc_o
);
  always_comb begin
    crc_o = crc_i ^ {8'd0, data_i};
    for (int unsigned b = 0; b < 8; b++) crc_o = {1'b0, crc_o[15:1]} ^ (crc_o[0] ? 16'h8408 : 16'h0000);
  end
endmodule : sluice_serial_crc
