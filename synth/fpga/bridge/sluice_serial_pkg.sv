// SPDX-License-Identifier: Apache-2.0

/// Kinds and codes of the frames on the serial line; docs/fpga.md says what they mean, sw/transport/wire.h says it in C.
package sluice_serial_pkg;
  localparam logic [7:0] ProtocolVersion = 8'd1;

  // Requests. An answer has the kind of its request with bit 7 set.
  localparam logic [7:0] KindHello      = 8'h01;
  localparam logic [7:0] KindRead       = 8'h02;
  localparam logic [7:0] KindWrite      = 8'h03;
  localparam logic [7:0] KindPacket     = 8'h04;
  localparam logic [7:0] KindControl    = 8'h05;
  localparam logic [7:0] KindReset      = 8'h06;
  localparam logic [7:0] KindAnswer     = 8'h80;
  // What the chip sends on its own.
  localparam logic [7:0] KindPacketOut  = 8'h90;
  localparam logic [7:0] KindControlOut = 8'h91;
  // In place of an answer, when the request could not be read.
  localparam logic [7:0] KindError      = 8'hfe;

  // Argument of an answer.
  localparam logic [7:0] CodeOk      = 8'd0;
  localparam logic [7:0] CodeKind    = 8'd1;
  localparam logic [7:0] CodeLength  = 8'd2;
  localparam logic [7:0] CodePort    = 8'd3;
  localparam logic [7:0] CodeRefused = 8'd4;   // AXI4-Lite answered with an error
  localparam logic [7:0] CodeTimeout = 8'd5;
  localparam logic [7:0] CodeStuck   = 8'd6;
endpackage : sluice_serial_pkg
