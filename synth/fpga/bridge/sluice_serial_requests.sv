// SPDX-License-Identifier: Apache-2.0

/// Carries out the requests of the serial line, one at a time (docs/fpga.md: kinds and codes).
///
/// A request is answered when the chip has done it: what the chip does not take or answer for `Patience` cycles is given
/// up with TIMEOUT; from then on only HELLO and RESET are served, everything else is refused with STUCK. A data packet goes
/// to its lane one beat per cycle without a gap, as the chip's ports ask for; so it is stored as a whole before.
module sluice_serial_requests
  import sluice_pkg::BeatBits;
  import sluice_pkg::BeatIdxBits;
  import sluice_pkg::lane_of_port;
  import sluice_cfg_pkg::*;
  import sluice_serial_pkg::*;
#(
  parameter int unsigned PayloadBytes = 1024,   // longest payload, a power of two, at least two beats
  parameter int unsigned Patience     = 65536,  // cycles, a power of two
  localparam int unsigned LenBits  = $clog2(PayloadBytes) + 1,
  localparam int unsigned AddrBits = LenBits - 1 - BeatIdxBits
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // request
  input  logic                   done_i,
  input  logic [1:0]             error_i,
  input  logic [7:0]             kind_i,
  input  logic [7:0]             seq_i,
  input  logic [7:0]             arg_i,
  input  logic [LenBits-1:0]     len_i,
  output logic                   free_o,
  output logic [AddrBits-1:0]    beat_o,
  input  logic [BeatBits-1:0]    beat_i,
  // answer: held until taken
  output logic                   answer_o,
  output logic [23:0]            answer_head_o,
  output logic                   answer_extra_o,
  output logic [31:0]            answer_data_o,
  input  logic                   answer_taken_i,
  // chip
  output logic                   chip_rst_no,
  output logic [NumPipes-1:0]    rx_valid_o,
  output logic [BeatBits-1:0]    rx_data_o,     // of all lanes, and of the control port
  output logic [BeatBytes-1:0]   rx_keep_o,
  output logic                   rx_last_o,
  output logic [7:0]             rx_port_o,
  output logic                   ctl_valid_o,
  input  logic                   ctl_ready_i,
  output logic                   awvalid_o,
  output logic                   wvalid_o,
  output logic                   arvalid_o,
  output logic [19:0]            addr_o,
  output logic [31:0]            wdata_o,
  input  logic                   awready_i,
  input  logic                   wready_i,
  input  logic                   arready_i,
  input  logic                   bvalid_i,
  input  logic                   rvalid_i,
  input  logic [1:0]             bresp_i,
  input  logic [1:0]             rresp_i,
  input  logic [31:0]            rdata_i
);
  localparam int unsigned TimeBits = $clog2(Patience);
  typedef enum logic [2:0] {StIdle, StPacket, StControl, StRead, StWrite, StReset, StAnswer} state_e;

  state_e                 state_q;
  logic                   stuck_q, aw_q, w_q, ar_q, run_q;
  logic [TimeBits-1:0]    time_q;
  logic [AddrBits-1:0]    idx_q, idx_d;
  logic [7:0]             code_q, kind_q, seq_q;
  logic                   extra_q;
  logic [31:0]            data_q;
  logic                   last, beat_taken, patient;

  // ---- beats of the payload: the memory answers a cycle later, so it is asked for the next one when this one goes
  assign last       = idx_q == AddrBits'((len_i - 1'b1) >> BeatIdxBits);
  assign beat_taken = state_q == StPacket || (state_q == StControl && ctl_ready_i);
  assign idx_d      = state_q == StIdle ? '0 : idx_q + AddrBits'(beat_taken);
  assign beat_o     = idx_d;
  assign rx_data_o  = beat_i;
  assign rx_keep_o  = last && len_i[BeatIdxBits-1:0] != '0 ? ~({BeatBytes{1'b1}} << len_i[BeatIdxBits-1:0]) : '1;
  assign rx_last_o  = last;
  assign rx_port_o  = arg_i;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    assign rx_valid_o[l] = state_q == StPacket && lane_of_port(32'(arg_i)) == l;
  end
  assign ctl_valid_o = state_q == StControl;

  // ---- registers
  // Most significant byte first; an address has 20 bits. Address and value are in the first beat.

  assign awvalid_o   = aw_q;
  assign wvalid_o    = w_q;
  assign arvalid_o   = ar_q;
  assign addr_o      = {beat_i[11:8], beat_i[23:16], beat_i[31:24]};
  assign wdata_o     = {beat_i[39:32], beat_i[47:40], beat_i[55:48], beat_i[63:56]};

  assign patient        = time_q != '1;
  assign free_o         = done_i && ((state_q == StAnswer && answer_taken_i));
  assign answer_o       = state_q == StAnswer;
  assign answer_head_o  = {kind_q, seq_q, code_q};
  assign answer_extra_o = extra_q;
  assign answer_data_o  = data_q;
  assign chip_rst_no    = run_q;

  // What a new request comes to, before the chip has a say.
  logic [7:0] verdict;
  always_comb begin
    verdict = CodeOk;
    unique case (kind_i)
      KindHello, KindReset: if (len_i != '0) verdict = CodeLength;
      KindRead:    if (len_i != LenBits'(4)) verdict = CodeLength;
      KindWrite:   if (len_i != LenBits'(8)) verdict = CodeLength;
      KindPacket:  if (len_i == '0) verdict = CodeLength;
                   else if (32'(arg_i) >= NumPorts) verdict = CodePort;
      KindControl: if (len_i == '0) verdict = CodeLength;
      default:     verdict = CodeKind;
    endcase
    if (stuck_q && verdict == CodeOk && kind_i != KindHello && kind_i != KindReset) verdict = CodeStuck;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      stuck_q <= 1'b0;
      aw_q    <= 1'b0;
      w_q     <= 1'b0;
      ar_q    <= 1'b0;
      run_q   <= 1'b0;
      time_q  <= '0;
      idx_q   <= '0;
      kind_q  <= '0;
      seq_q   <= '0;
      code_q  <= '0;
      extra_q <= 1'b0;
      data_q  <= '0;
    end else begin
      idx_q  <= idx_d;
      time_q <= state_q == StIdle || beat_taken ? '0 : time_q + TimeBits'(patient);
      run_q  <= state_q != StReset;
      unique case (state_q)
        StIdle: if (done_i) begin
          kind_q  <= error_i != '0 ? KindError : kind_i | KindAnswer;
          seq_q   <= error_i != '0 ? '0 : seq_i;
          code_q  <= error_i != '0 ? 8'(error_i) : verdict;
          extra_q <= error_i == '0 && kind_i == KindHello && verdict == CodeOk;
          data_q  <= {8'(ProtocolVersion), 8'(NumPipes), 16'(PayloadBytes)};
          state_q <= StAnswer;
          if (error_i == '0 && verdict == CodeOk) begin
            unique case (kind_i)
              KindRead:    {state_q, ar_q}      <= {StRead, 1'b1};
              KindWrite:   {state_q, aw_q, w_q} <= {StWrite, 2'b11};
              KindPacket:  state_q <= StPacket;
              KindControl: state_q <= StControl;
              KindReset:   state_q <= StReset;
              default:     state_q <= StAnswer;
            endcase
          end
        end
        StPacket: if (last) state_q <= StAnswer;
        StControl: if (ctl_ready_i && last) state_q <= StAnswer;
        StRead: begin
          if (arready_i) ar_q <= 1'b0;
          if (rvalid_i) begin
            state_q <= StAnswer;
            code_q  <= rresp_i == '0 ? CodeOk : CodeRefused;
            extra_q <= rresp_i == '0;
            data_q  <= rdata_i;
          end
        end
        StWrite: begin
          if (awready_i) aw_q <= 1'b0;
          if (wready_i)  w_q  <= 1'b0;
          if (bvalid_i) begin
            state_q <= StAnswer;
            code_q  <= bresp_i == '0 ? CodeOk : CodeRefused;
          end
        end
        // The chip is in reset for 16 cycles; what was offered to it is taken back.
        StReset: begin
          stuck_q <= 1'b0;
          aw_q    <= 1'b0;
          w_q     <= 1'b0;
          ar_q    <= 1'b0;
          if (time_q[3:0] == '1) state_q <= StAnswer;
        end
        default: if (answer_taken_i) state_q <= StIdle;
      endcase
      if (!patient && (state_q == StControl || state_q == StRead || state_q == StWrite)) begin
        state_q <= StAnswer;
        code_q  <= CodeTimeout;
        extra_q <= 1'b0;
        stuck_q <= 1'b1;
      end
    end
  end
endmodule : sluice_serial_requests
