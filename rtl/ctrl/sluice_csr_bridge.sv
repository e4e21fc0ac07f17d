// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// AXI4-Lite slave in front of the registers: one access at a time, broadcast to all blocks, whose
/// answers are ORed. An address that no block answers within 63 cycles is answered with DECERR, so a
/// wrong address never hangs the bus. Reads and writes take turns when both wait.
module sluice_csr_bridge
  import sluice_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // AXI4-Lite
  input  logic        awvalid_i,
  input  logic [19:0] awaddr_i,
  output logic        awready_o,
  input  logic        wvalid_i,
  input  logic [31:0] wdata_i,
  output logic        wready_o,
  output logic        bvalid_o,
  output logic [1:0]  bresp_o,
  input  logic        bready_i,
  input  logic        arvalid_i,
  input  logic [19:0] araddr_i,
  output logic        arready_o,
  output logic        rvalid_o,
  output logic [1:0]  rresp_o,
  output logic [31:0] rdata_o,
  input  logic        rready_i,
  // blocks
  output csr_req_t    req_o,
  input  csr_rsp_t    rsp_i
);
  localparam logic [1:0] RespOkay = 2'b00, RespDecErr = 2'b11;

  typedef enum logic [1:0] {StIdle, StWait, StRead, StWrite} state_e;
  state_e      state_q;
  logic        write_q, favour_read_q, take_read, take_write;
  logic [5:0]  timer_q;
  logic [31:0] rdata_q;
  logic [1:0]  resp_q;
  csr_req_t    req_q;

  assign take_write = state_q == StIdle && awvalid_i && wvalid_i && !(arvalid_i && favour_read_q);
  assign take_read  = state_q == StIdle && arvalid_i && !take_write;
  assign awready_o  = take_write;
  assign wready_o   = take_write;
  assign arready_o  = take_read;
  assign bvalid_o   = state_q == StWrite;
  assign rvalid_o   = state_q == StRead;
  assign bresp_o    = resp_q;
  assign rresp_o    = resp_q;
  assign rdata_o    = rdata_q;
  assign req_o      = req_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      favour_read_q <= 1'b0;
      req_q         <= '0;
      write_q       <= 1'b0;
      timer_q       <= '0;
      resp_q        <= RespOkay;
      rdata_q       <= '0;
    end else begin
      req_q.valid <= 1'b0;
      case (state_q)
        StIdle: if (take_read || take_write) begin
          req_q         <= '{valid: 1'b1, write: take_write, addr: take_write ? awaddr_i : araddr_i, wdata: wdata_i};
          write_q       <= take_write;
          favour_read_q <= take_write;
          timer_q       <= '1;
          state_q       <= StWait;
        end
        StWait: begin
          timer_q <= timer_q - 6'd1;
          if (rsp_i.valid || timer_q == '0) begin
            rdata_q <= rsp_i.valid ? rsp_i.rdata : '0;
            resp_q  <= rsp_i.valid ? RespOkay : RespDecErr;
            state_q <= write_q ? StWrite : StRead;
          end
        end
        StRead:  if (rready_i) state_q <= StIdle;
        StWrite: if (bready_i) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end

  `SLUICE_ASSERT(AnswerWasAsked_A, !rsp_i.valid || state_q == StWait)
endmodule : sluice_csr_bridge
