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
  input  axil_req_t   axil_i,
  output axil_rsp_t   axil_o,
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
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_held_q <= 1'b0;
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
    end else begin
      ar_held_q <= ar_held_q ? !end_read  : axil_i.arvalid;
      aw_held_q <= aw_held_q ? !end_write : axil_i.awvalid;
      w_held_q  <= w_held_q  ? !end_write : axil_i.wvalid;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!ar_held_q) ar_addr_q <= axil_i.araddr;
    if (!aw_held_q) aw_addr_q <= axil_i.awaddr;
    if (!w_held_q) begin
      w_data_q <= axil_i.wdata;
      w_strb_q <= axil_i.wstrb;
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
  assign end_read   = state_q == StAnswer && !write_q && axil_i.rready;
  assign end_write  = state_q == StAnswer && write_q && axil_i.bready;
  assign axil_o     = '{
    awready: !aw_held_q, wready: !w_held_q, bvalid: state_q == StAnswer && write_q, bresp: resp_q,
    arready: !ar_held_q, rvalid: state_q == StAnswer && !write_q, rresp: resp_q, rdata: value_q
  };
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
    else         waits_q <= (axil_o.bvalid && !axil_i.bready) || (axil_o.rvalid && !axil_i.rready);
  end
  always_ff @(posedge clk_i) waits_resp_q <= resp_q;
  `SLUICE_ASSERT(AnswerHolds_A,
    !waits_q || ((axil_o.bvalid || axil_o.rvalid) && resp_q == waits_resp_q))
`endif
endmodule : sluice_csr_bridge
