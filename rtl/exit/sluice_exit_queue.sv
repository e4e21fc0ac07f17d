// SPDX-License-Identifier: Apache-2.0

/// Packets that wait for the deparser of one lane: a FIFO for each pipeline of the last back stage.
/// Whenever the deparser is ready a packet leaves, the FIFOs in turn.
/// Latency 1 cycle. Room is kept by the credits of the last back stage (freed_o gives them back);
/// nothing escapes to here, since the exit always drains.
module sluice_exit_queue
  import sluice_cfg_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [NumPipes-1:0] push_i,       // a packet for this lane, from each pipeline
  input  exit_t [NumPipes-1:0] packet_i,
  input  logic                ready_i,      // the deparser takes a packet
  output logic                valid_o,      // it has one: only with ready_i
  output exit_t               packet_o,
  output logic [NumPipes-1:0] freed_o,      // the cycle after the packet left
  output logic                departed_o,
  output logic [15:0]         waiting_o
);
  localparam int unsigned CountBits = $clog2(BankDepth + 1);
  localparam int unsigned WordBits  = $bits(exit_t) - (EgressStages == 0 ? VidBits : 0);

  logic [NumPipes-1:0]                valid, pop;
  exit_t [NumPipes-1:0]               head;
  logic [NumPipes-1:0][CountBits-1:0] count;

  for (genvar s = 0; s < NumPipes; s++) begin : gen_source
    logic [WordBits-1:0] word;
    assign head[s] = $bits(exit_t)'(word);
    sluice_ram_fifo #(.Depth(BankDepth), .Width(WordBits)) u_fifo (
      .clk_i, .rst_ni,
      .push_i(push_i[s]), .data_i(WordBits'(packet_i[s])), .full_o(),
      .valid_o(valid[s]), .data_o(word), .pop_i(pop[s]), .count_o(count[s])
    );
  end

  // ---- choice
  logic [NumPipes-1:0] source;
  logic                take;
  assign take = valid != '0 && ready_i;
  sluice_round_robin #(.Count(NumPipes)) u_turn (
    .clk_i, .rst_ni, .request_i(valid), .take_i(take), .grant_o(source)
  );

  always_comb begin
    packet_o = '0;
    for (int unsigned s = 0; s < NumPipes; s++) if (source[s]) packet_o = packet_o | head[s];
  end
  assign pop     = take ? source : '0;
  assign valid_o = take;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      freed_o    <= '0;
      departed_o <= 1'b0;
    end else begin
      freed_o    <= pop;
      departed_o <= valid_o;
    end
  end

  always_comb begin
    waiting_o = '0;
    for (int unsigned s = 0; s < NumPipes; s++) waiting_o = waiting_o + 16'(count[s]);
  end
endmodule : sluice_exit_queue
