// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// AXI4-Lite slave in front of the registers: one access at a time, broadcast to all blocks, whose
/// answers are ORed. Reads and writes take turns when both wait.
/// Latency: RVALID five cycles after ARVALID for a block that answers in the cycle after the
/// request.
/// Every output comes from registers: no path leads through the bridge in one cycle.
///
/// What an access is answered:
///   OKAY    done
///   DECERR  no register has this address in this shape (sluice_csr_map); no block sees the access
///   SLVERR  the register cannot be written, or not now: CHIP.SETS and CHIP.MODE while packets are
///           inside
/// WSTRB: a write of some bytes of a word reads the register first and writes it back with these
/// bytes changed. Example: CHIP.LANE_LIMIT holds 0x0018; a write of 0x0100 with WSTRB 0010 makes it
/// 0x0118.
/// Invariant: an address that is held is answered exactly once, also if no block answers (SLVERR
/// after 63 cycles): a bus never hangs.
module sluice_csr_bridge
  import sluice_ctrl_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // AXI4-Lite
  input  logic        awvalid_i,
  input  logic [19:0] awaddr_i,
  output logic        awready_o,
  input  logic        wvalid_i,
  input  logic [31:0] wdata_i,
  input  logic [3:0]  wstrb_i,
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
  localparam logic [1:0] RespOkay = 2'b00, RespSlvErr = 2'b10, RespDecErr = 2'b11;

  // ---- what the bus has given: an address of a read, an address and a word of a write
  logic        ar_held_q, aw_held_q, w_held_q;
  logic [19:0] ar_addr_q, aw_addr_q;
  logic [31:0] w_data_q;
  logic [3:0]  w_strb_q;
  logic        end_read, end_write;              // answered: the bus may give the next
  assign arready_o = !ar_held_q;
  assign awready_o = !aw_held_q;
  assign wready_o  = !w_held_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_held_q <= 1'b0;
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
    end else begin
      ar_held_q <= ar_held_q ? !end_read  : arvalid_i;
      aw_held_q <= aw_held_q ? !end_write : awvalid_i;
      w_held_q  <= w_held_q  ? !end_write : wvalid_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!ar_held_q) ar_addr_q <= araddr_i;
    if (!aw_held_q) aw_addr_q <= awaddr_i;
    if (!w_held_q) begin
      w_data_q <= wdata_i;
      w_strb_q <= wstrb_i;
    end
  end

  // ---- one access at a time
  typedef enum logic [2:0] {
    StIdle,     // choose
    StLook,     // does the register exist?
    StRead,     // a block reads: for the bus, or for the bytes that a write leaves as they are
    StWrite,    // a block writes
    StAnswer    // the answer waits for the bus
  } state_e;
  state_e      state_q;
  logic        write_q, favour_read_q, take_read, take_write;
  logic        exists, writable, refused, whole;
  logic [19:0] addr_q;
  logic [5:0]  timer_q;
  logic [31:0] value_q, merged;
  logic [1:0]  resp_q;
  csr_req_t    req_q;

  assign take_write = aw_held_q && w_held_q && !(ar_held_q && favour_read_q);
  assign take_read  = ar_held_q && !take_write;
  assign end_read   = state_q == StAnswer && !write_q && rready_i;
  assign end_write  = state_q == StAnswer && write_q && bready_i;
  assign bvalid_o   = state_q == StAnswer && write_q;
  assign rvalid_o   = state_q == StAnswer && !write_q;
  assign bresp_o    = resp_q;
  assign rresp_o    = resp_q;
  assign rdata_o    = value_q;
  assign req_o      = req_q;
  assign whole      = w_strb_q == '1;
  assign refused    = write_q && !writable;

  sluice_csr_map u_map (.addr_i(addr_q), .exists_o(exists), .writable_o(writable));

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    assign merged[8*b +: 8] = w_strb_q[b] ? w_data_q[8*b +: 8] : rsp_i.rdata[8*b +: 8];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      favour_read_q <= 1'b0;
      req_q         <= '0;
      addr_q        <= '0;
      write_q       <= 1'b0;
      timer_q       <= '0;
      resp_q        <= RespOkay;
      value_q       <= '0;
    end else begin
      req_q.valid <= 1'b0;
      timer_q     <= timer_q - 6'd1;
      case (state_q)
        StIdle: if (take_read || take_write) begin
          addr_q        <= take_write ? aw_addr_q : ar_addr_q;
          write_q       <= take_write;
          favour_read_q <= take_write;
          state_q       <= StLook;
        end
        StLook: begin
          req_q   <= '{valid: exists && !refused, write: write_q && whole, addr: addr_q,
                       wdata: w_data_q};
          resp_q  <= !exists ? RespDecErr : refused ? RespSlvErr : RespOkay;
          value_q <= '0;
          timer_q <= '1;
          state_q <= !exists || refused ? StAnswer : write_q && whole ? StWrite : StRead;
        end
        StRead: if (rsp_i.valid || timer_q == '0) begin
          value_q <= write_q ? '0 : rsp_i.rdata;
          if (!rsp_i.valid) resp_q <= RespSlvErr;
          if (write_q && rsp_i.valid && w_strb_q != '0) begin
            req_q   <= '{valid: 1'b1, write: 1'b1, addr: addr_q, wdata: merged};
            timer_q <= '1;
            state_q <= StWrite;
          end else state_q <= StAnswer;
        end
        StWrite: if (rsp_i.valid || timer_q == '0) begin
          if (!rsp_i.valid || rsp_i.refused) resp_q <= RespSlvErr;
          state_q <= StAnswer;
        end
        default: if (end_read || end_write) state_q <= StIdle;
      endcase
    end
  end

  `SLUICE_ASSERT(AnswerWasAsked_A, !rsp_i.valid || state_q == StRead || state_q == StWrite)
  `SLUICE_ASSERT(RegisterAnswers_A, (state_q != StRead && state_q != StWrite) || timer_q != '0)
`ifdef SLUICE_SIM
  logic       waits_q;
  logic [1:0] waits_resp_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else         waits_q <= (bvalid_o && !bready_i) || (rvalid_o && !rready_i);
  end
  always_ff @(posedge clk_i) waits_resp_q <= resp_q;
  `SLUICE_ASSERT(AnswerHolds_A, !waits_q || ((bvalid_o || rvalid_o) && resp_q == waits_resp_q))
`endif
endmodule : sluice_csr_bridge
