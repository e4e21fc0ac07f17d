// SPDX-License-Identifier: Apache-2.0

/// Proof: no write reaches a bank that packets are inside of (docs/banks.md). From the cycle in which
/// the header of a write through a bank that is not taken leaves the guard until the message is
/// back, no packet that was stamped with this bank and row is inside, and none is stamped.
///
/// Filters of two lanes, counts, guard, the registers of block CHIP with CHIP.BANK, and the control
/// port as sluice and sluice_ctrl connect them. Free: packets and MODULE tables, register accesses,
/// so a flip at any time, frames of the control port, and when the chain takes and gives back
/// messages. Assumed: a packet that is lost or leaves was inside; buffers of all lanes hold what
/// counters count to; what comes back from the chain has left the guard. Without guarded flips.
/// A packet is inside from the cycle in which the filter stamps it, the same in which the first
/// table is read with the stamped bank. The harness counts it itself (num_q).
/// BREAK: 1 one packet counts as none, 2 CHIP.BANK is written while a control packet is served, 3
/// what enters is told two cycles late.
`include "sluice_assert.svh"
`ifndef BREAK
`define BREAK 0
`endif
module proof_banks
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
#(
  localparam int unsigned Entries = 1 << $bits(overlay_t)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [NumPipes-1:0]         valid_i,       // packets, at the filters
  input  drop_e [NumPipes-1:0]        reason_i,
  input  logic [NumPipes-1:0][8*42-1:0] bytes_i,
  input  table_write_t                module_i,      // writes of MODULE
  input  bank_event_t [NumPipes-1:0]  lost_i,
  input  bank_event_t [NumPipes-1:0]  leave_i,
  input  csr_req_t                    req_i,
  input  ctl_beat_t                   rx_i,          // control port
  input  logic                        tx_idle_i,
  input  logic                        chain_ready_i,
  input  logic                        back_i,
  input  logic                        back_refused_i
);
  localparam int unsigned Most = NumPipes * HeaderSlots;
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- lanes
  settings_t settings;
  overlay_t    [NumPipes-1:0] stamp;
  bank_event_t [NumPipes-1:0] passed, passed_q, passed_2q, enter;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    logic  valid;
    drop_e reason;
    logic  unused_known, unused_active;
    logic [7:RowBits] unused_vid;
    logic [7:0]       unused_dest;
    pipe_t            unused_set;
    word_answer_t     unused_answer;
    overlay_t         overlay;
    sluice_filter u_filter (
      .clk_i, .rst_ni, .bitmap_i(settings.lane.bitmap), .bank_i(settings.lane.bank),
      .valid_i(valid_i[l]), .reason_i(reason_i[l]), .bytes_i(bytes_i[l]),
      .again_i(1'b0), .again_row_i('0), .overlay_o(stamp[l]),
      .valid_o(valid), .reason_o(reason), .known_o(unused_known), .vid_high_o(unused_vid),
      .overlay_q_o(overlay), .dest_o(unused_dest), .set_o(unused_set), .active_o(unused_active),
      .copy_i(pipe_t'(l)), .write_i(module_i), .read_i('0), .answer_o(unused_answer)
    );
    assign passed[l] = '{valid: valid && reason == DropNone, overlay: overlay};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {passed_2q, passed_q} <= '0;
    else         {passed_2q, passed_q} <= {passed_q, passed};
  end
  assign enter = `BREAK == 3 ? passed_2q : passed;

  logic [Entries-1:0] told;
  sluice_bank_counts u_counts (
    .clk_i, .rst_ni, .enter_i(enter), .lost_i, .turned_i('0), .leave_i, .copies_i('0), .past_i('0),
    .early_i(`BREAK == 1), .inside_o(told)
  );

  // ---- control
  chain_t sent, chain;
  logic   sent_ready, busy, refuse, unused_chain_busy, unused_read, unused_good, unused_bad;
  logic   unused_ready;
  logic [CtlBits-1:0] unused_head;
  logic [3:0]         unused_words;
  sluice_ctl_rx u_rx (
    .clk_i, .rst_ni, .ready_i(1'b1), .rx_i, .rx_ready_o(unused_ready),
    .chain_o(sent), .chain_ready_i(sent_ready),
    .chain_busy_o(unused_chain_busy), .busy_o(busy), .back_i, .back_refused_i, .tx_idle_i,
    .head_o(unused_head), .is_read_o(unused_read), .words_o(unused_words),
    .good_o(unused_good), .bad_o(unused_bad)
  );
  sluice_bank_guard u_guard (
    .clk_i, .rst_ni, .chain_i(sent), .chain_ready_o(sent_ready), .chain_o(chain), .chain_ready_i,
    .busy_i(busy), .refuse_o(refuse), .bank_i(settings.lane.bank), .inside_i(told)
  );
  csr_rsp_t    unused_rsp;
  logic [31:0] unused_cycle;
  sluice_chip_regs u_regs (
    .clk_i, .rst_ni, .req_i, .rsp_o(unused_rsp), .settings_o(settings), .cycle_o(unused_cycle),
    .good_i(1'b0), .bad_i(1'b0), .ctl_busy_i(busy && `BREAK != 2), .fill_busy_i(1'b0),
    .in_flight_i('0), .inside_i('0), .relocated_i(1'b0), .inside_bank_i('0), .cut_i('0), .flip_i('0),
    .turning_i(1'b0), .error_i(1'b0), .error_code_i('0)
  );

  // ---- packets inside, by their stamp
  logic [Entries-1:0][7:0] num_q, come, go;
  logic [7:0]              all;
  logic [Entries-1:0]      stamped, anybody;
  always_comb begin
    come    = '0;
    go      = '0;
    all     = '0;
    stamped = '0;
    for (int unsigned l = 0; l < NumPipes; l++) begin
      come[passed[l].overlay]  = come[passed[l].overlay] + 8'(passed[l].valid);
      go[lost_i[l].overlay]    = go[lost_i[l].overlay] + 8'(lost_i[l].valid);
      go[leave_i[l].overlay]   = go[leave_i[l].overlay] + 8'(leave_i[l].valid);
      if (valid_i[l]) stamped[stamp[l]] = 1'b1;
    end
    for (int unsigned e = 0; e < Entries; e++) begin
      all        = all + num_q[e] + come[e];
      anybody[e] = num_q[e] != '0 || come[e] != '0;
      assume (go[e] <= num_q[e]);
    end
    assume (32'(all) <= Most);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) num_q <= '0;
    else
      for (int unsigned e = 0; e < Entries; e++) num_q[e] <= num_q[e] + come[e] - go[e];
  end

  // ---- messages behind the guard; entries that they may write though packets do not take them
  function automatic logic [Entries-1:0] writes(chain_header_t header);
    table_e which;
    which = table_e'(TableMap[{header.resource, header.sub}]);
    for (int unsigned e = 0; e < Entries; e++)
      writes[e] = header.op == ChainWrite
          && ((TableInfos[which].rows == RowsOverlay && 32'(header.index) == e)
              || (which inside {TableState, TableFill} && 32'(header.row) == e));
  endfunction
  logic [Entries-1:0] taken, open_q;
  logic [7:0]         away_q;
  logic               leaves;
  assign leaves = chain.valid && chain.first && chain_ready_i;
  for (genvar e = 0; e < Entries; e++) begin : gen_taken
    assign taken[e] = settings.lane.bank[e % NumModules] == (e >= NumModules);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      away_q <= '0;
      open_q <= '0;
    end else begin
      away_q <= away_q + 8'(leaves) - 8'(back_i);
      if (leaves && !refuse)                         open_q <= open_q | (writes(chain.data) & ~taken);
      else if (away_q == 8'(back_i) && !leaves)      open_q <= '0;
    end
  end
  always_comb assume (!back_i || away_q != '0);

`ifdef REACH
  // What is to be found is found without most of what may happen.
  always_comb begin
    assume (req_i.addr == 20'(BlockChipBase) + 20'(RegChipBank) && req_i.write);
    assume (lost_i == '0 && rx_i.keep == '1);
    for (int unsigned l = 0; l < NumPipes; l++) assume (reason_i[l] == DropNone);
  end
`endif

  always_comb if (rst_ni) begin
    Nobody_A : assert ((open_q & anybody) == '0);
    Stamp_A  : assert ((open_q & stamped) == '0);
    Stays_A  : assert ((open_q & taken) == '0);
  end

  // ---- what carries the proof from cycle to cycle
  if (`BREAK == 0) begin : gen_steps
    localparam logic [2:0] Head = 3'd0, Decode = 3'd1, Entry = 3'd2, Header = 3'd3, Words = 3'd4, Skip = 3'd5;
    logic [1:0]         since_q;         // cycles of the control packet before this one, at most 3
    logic [Entries-1:0] in_filter, in_events, counted, judged;
    logic [2:0]         state;
    logic [7:0]         headers;         // that have not left the guard
    assign state = 3'(u_rx.state_q);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) since_q <= '0;
      else         since_q <= !busy ? 2'd0 : since_q + 2'(since_q != 2'd3);
    end
    always_comb begin
      in_filter = '0;
      in_events = '0;
      for (int unsigned l = 0; l < NumPipes; l++) begin
        if (passed[l].valid)               in_filter[passed[l].overlay] = 1'b1;
        if (u_counts.gen_counts.enter_q[l].valid)     in_events[u_counts.gen_counts.enter_q[l].overlay] = 1'b1;
        if (u_counts.gen_counts.lost_q[l].valid)      in_events[u_counts.gen_counts.lost_q[l].overlay] = 1'b1;
        if (u_counts.gen_counts.leave_q[l].valid)     in_events[u_counts.gen_counts.leave_q[l].overlay] = 1'b1;
      end
      headers = 8'(u_rx.u_slice.head_valid_q && sent.first)
          + 8'(u_rx.u_slice.skid_valid_q && u_rx.u_slice.skid_q[65]);
      judged  = u_guard.gen_guard.judged_q && !refuse ? writes(sent.data) & ~taken : '0;
    end
    for (genvar e = 0; e < Entries; e++) begin : gen_entry
      logic [7:0] ups, downs;
      assign counted[e] = u_counts.gen_counts.gen_entry[e].count != '0;
      always_comb begin
        ups   = '0;
        downs = '0;
        for (int unsigned l = 0; l < NumPipes; l++) begin
          ups   = ups + 8'(u_counts.gen_counts.enter_q[l].valid && 32'(u_counts.gen_counts.enter_q[l].overlay) == e);
          downs = downs + 8'(u_counts.gen_counts.lost_q[l].valid && 32'(u_counts.gen_counts.lost_q[l].overlay) == e)
                + 8'(u_counts.gen_counts.leave_q[l].valid && 32'(u_counts.gen_counts.leave_q[l].overlay) == e);
        end
        if (rst_ni) assert (8'(u_counts.gen_counts.gen_entry[e].count) + ups == num_q[e] + downs);
      end
      always_comb if (rst_ni && busy && !taken[e]) begin
        assert (!in_filter[e] || since_q == 2'd0);
        assert (!(num_q[e] != '0 && !counted[e]) || since_q <= 2'd1 || in_events[e]);
      end
      always_comb if (rst_ni && busy && !taken[e])
        for (int unsigned l = 0; l < NumPipes; l++)
          assert (!(u_counts.gen_counts.enter_q[l].valid && 32'(u_counts.gen_counts.enter_q[l].overlay) == e)
                  || since_q <= 2'd1);
    end
    always_comb begin
      if (rst_ni) begin
        automatic logic [11:0] sum;
        sum = '0;
        for (int unsigned e = 0; e < Entries; e++) sum = sum + 12'(num_q[e]);
        assert (32'(sum) <= Most);
        assert (state != 3'd7 && 9'(u_rx.open_q) == 9'(away_q) + 9'(headers));
        assert (u_rx.open_q <= 8'd200 && (state != Header || u_rx.open_q < 8'd200));
        assert (u_rx.is_write || !(state inside {Decode, Entry, Header, Skip}) || u_rx.open_q == '0);
        assert (state != Words || u_rx.is_write);
        assert (state != Decode || (since_q == 2'd0 && u_rx.open_q == '0));
        assert (state != Entry || since_q != 2'd0);
        assert (state != Header || since_q >= 2'd2);
        assert (state != Head || u_rx.open_q == '0);
        assert (u_rx.open_q == '0 || since_q == 2'd3);
        assert (!u_guard.gen_guard.judged_q || (sent.valid && sent.first));
        assert ((judged & anybody) == '0);
        assert (open_q == '0 || away_q != '0);
        assert ((u_guard.gen_guard.allowed_q & (taken | anybody)) == '0);
      end
    end
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    Written_C : cover (open_q[0] && told[Entries/2] && settings.lane.bank[0]);
    Refused_C : cover (leaves && refuse);
  end
endmodule : proof_banks
