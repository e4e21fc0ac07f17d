// SPDX-License-Identifier: Apache-2.0

/// Brings a chip up: waits for CHIP.STATUS, reads its shape, sends the reconfiguration packets of a capture (pcap, as
/// `sluice packets` writes it) to the control port, and waits until they have all taken effect. `done_o` then stays 1. Inputs of the chip
/// change at falling edges of the clock.
module two_chips_control #(
  parameter int unsigned BeatBytes = 16
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  string                  file_i,       // the capture; read when reset ends
  output logic                   done_o,
  output logic [31:0]            id_o,         // CHIP.ID
  output logic [31:0]            shape_o,      // CHIP.SHAPE_0
  output int unsigned            packets_o,    // of the capture
  output int unsigned            effective_o,  // CHIP.RECONFIG_COUNT
  output int unsigned            bad_o,        // CHIP.RECONFIG_BAD
  // control port of the chip
  output logic                   valid_o,
  output logic [8*BeatBytes-1:0] data_o,
  output logic [BeatBytes-1:0]   keep_o,
  output logic                   last_o,
  input  logic                   ready_i,
  // register port of the chip: reads
  output logic                   arvalid_o,
  output logic [19:0]            araddr_o,
  input  logic                   arready_i,
  input  logic                   rvalid_i,
  input  logic [1:0]             rresp_i,
  input  logic [31:0]            rdata_i
);
  localparam int unsigned MaxBytes = 16384;
  logic [7:0] capture [MaxBytes];

  task automatic read(input logic [19:0] address, output logic [31:0] value);
    arvalid_o = 1'b1;
    araddr_o  = address;
    do @(posedge clk_i); while (!arready_i);
    @(negedge clk_i);
    arvalid_o = 1'b0;
    do @(posedge clk_i); while (!rvalid_i);
    if (rresp_i != 2'b00) $fatal(1, "FAIL: register %05x answers %0d", address, rresp_i);
    value = rdata_i;
    @(negedge clk_i);
  endtask

  // One Ethernet frame of the capture, beat by beat.
  task automatic send(int first, int len);
    for (int at = 0; at < len; at += int'(BeatBytes)) begin
      logic [8*BeatBytes-1:0] data;
      logic [BeatBytes-1:0]   keep;
      data = '0;
      keep = '0;
      for (int b = 0; b < int'(BeatBytes); b++)
        if (at + b < len) begin
          data[8*b +: 8] = capture[first + at + b];
          keep[b]        = 1'b1;
        end
      valid_o = 1'b1;
      data_o  = data;
      keep_o  = keep;
      last_o  = at + int'(BeatBytes) >= len;
      do @(posedge clk_i); while (!ready_i);
      @(negedge clk_i);
    end
    valid_o = 1'b0;
  endtask

  initial begin
    logic [31:0] value;
    int          file, size, at, len;
    {done_o, valid_o, arvalid_o} = '0;
    packets_o = 0;
    @(posedge rst_ni);
    @(negedge clk_i);
    do read(20'h00018, value); while (!value[0]);
    read(20'h00000, id_o);
    read(20'h000a0, shape_o);                  // CHIP.SHAPE_0
    file = $fopen(file_i, "rb");
    if (file == 0) $fatal(1, "FAIL: cannot open %s", file_i);
    size = $fread(capture, file);
    $fclose(file);
    // 24 bytes of header; 16 bytes before each packet, the third word is its length; little-endian.
    at = 24;
    while (at + 16 <= size) begin
      len = int'({capture[at+11], capture[at+10], capture[at+9], capture[at+8]});
      send(at + 16, len);
      packets_o++;
      at += 16 + len;
    end
    do begin
      read(20'h00028, value);
      effective_o = value;
      read(20'h0002c, value);
      bad_o = value;
    end while (effective_o + bad_o < packets_o);
    do read(20'h00018, value); while (value[1]);   // a fill is running
    done_o = 1'b1;
  end
endmodule : two_chips_control
