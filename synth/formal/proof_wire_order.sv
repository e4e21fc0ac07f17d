// SPDX-License-Identifier: Apache-2.0

/// Proof: packets of a fast port arrive in the order of its wire, each once, without those dropped.
///
/// Two lanes. Packets begin, up to two a cycle, and go to any lanes, so what is shown holds for
/// every rule of dealing. Lanes end them at any time, each lane in its own order, and keep or drop
/// them. arrive_o names lanes only; who arrives is worked out as the order point does: the oldest
/// packet that its lane has stored and that has not arrived. The solver chooses two packets to
/// watch, of which the first began before the second. Assumed: queues have room for what comes, a
/// lane ends only packets that have begun in an earlier cycle. Shown: what arrives has been stored;
/// the second packet arrives after the first one has, or was dropped, or with it from a higher
/// lane; and a packet that has ended and is the oldest leaves the queue at once.
/// Helpers say what stands where in the queues.
/// BREAK: 1 a packet counts as ended before it is, 2 a dropped one counts as stored, 3 the order
/// point takes the lanes of a cycle downward, 4 an end gets lost, 5 packets that begin in the same
/// cycle are told in the wrong order.
`ifndef BREAK
`define BREAK 0
`endif
module proof_wire_order #(
  localparam int unsigned Lanes = 2,
`ifdef OTHER
  localparam int unsigned Depth = 2,               // packets that have begun and not arrived
`else
  localparam int unsigned Depth = 4,
`endif
  localparam int unsigned Ends  = Depth / Lanes,   // of a lane, in a memory; one more is the head
  localparam int unsigned Seen  = 2                // packets that are watched
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [1:0]       begun_i,
  input logic [Lanes-1:0] begun_lane_i,
  input logic [Lanes-1:0] done_i,
  input logic [Lanes-1:0] stored_i,
  input logic [Lanes-1:0] watch_i,     // of the packets that begin now
  input logic             slip_i       // when a broken twin goes wrong
);
  typedef logic [$clog2(2 * Depth)-1:0] count_t;   // up to Depth, and one more
  typedef logic [Ends > 1 ? $clog2(Ends) - 1 : 0:0] ptr_t;   // of a memory
  function automatic ptr_t from(ptr_t first, int unsigned n);  // n words behind it, around
    return ptr_t'((32'(first) + n) % Ends);
  endfunction

  logic [Lanes-1:0] done, stored, lane, arrive;
  assign done   = (done_i | (`BREAK == 1 && slip_i ? Lanes'(1) : '0))
                  & ~(`BREAK == 4 && slip_i ? Lanes'(1) : '0);
  assign stored = stored_i | (`BREAK == 2 && slip_i ? Lanes'(1) : '0);
  assign lane   = `BREAK == 5 && slip_i && begun_i == 2'd2 ? {begun_lane_i[0], begun_lane_i[1]}
                                                            : begun_lane_i;
  sluice_wire_order #(.Lanes(Lanes), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni, .begun_i, .begun_lane_i(lane), .done_i(done), .stored_i(stored),
    .arrive_o(arrive)
  );

  // ---- the queue of the wire, read out: the oldest packet at place 0, in the bank first_q
  logic   [Depth-1:0] wire_lane, used;
  count_t             count;
  logic               first;
  assign count = u_dut.count;
  assign first = u_dut.u_wire.first_q;
  logic [Lanes-1:0]      bank_head;
  logic [Lanes-1:0][Ends-1:0] bank_behind; // words behind it
  logic [Lanes-1:0]      bank_valid;
  logic [Lanes-1:0][$clog2(Ends+1)-1:0] bank_count;
  for (genvar b = 0; b < Lanes; b++) begin : gen_bank
    ptr_t read_ptr, write_ptr;
    logic word [Ends];
    assign read_ptr  = u_dut.u_wire.gen_bank[b].u_words.read_ptr_q;
    assign write_ptr = u_dut.u_wire.gen_bank[b].u_words.write_ptr_q;
    for (genvar w = 0; w < Ends; w++) begin : gen_word
      assign word[w] = u_dut.u_wire.gen_bank[b].u_words.u_ram.mem_q[w];
      assign bank_behind[b][w] = word[from(read_ptr, w)];
    end
    assign bank_head[b]   = u_dut.u_wire.gen_bank[b].u_words.data_o;
    assign bank_valid[b]  = u_dut.u_wire.gen_bank[b].u_words.head_valid_q;
    assign bank_count[b]  = u_dut.u_wire.gen_bank[b].u_words.count_q;
    always_comb
      if (rst_ni) begin
        assert (32'(bank_count[b]) < Ends && write_ptr == from(read_ptr, 32'(bank_count[b])));
        assert (bank_valid[b] == (count > count_t'(b[0] ^ first)));
        for (int unsigned w = 0; w < Ends; w++)
          assert ((32'(bank_count[b]) > w)
                  == (count > count_t'(b[0] ^ first) + count_t'(Lanes * (w + 1))));
      end
  end
  for (genvar p = 0; p < Depth; p++) begin : gen_place
    assign wire_lane[p] = p < Lanes ? bank_head[first ^ p[0]]
                        : bank_behind[first ^ p[0]][(p / Lanes + Ends - 1) % Ends];
    assign used[p]      = count > count_t'(p);
  end

  // ---- what the lanes have ended, read out: the oldest end at place 0
  logic   [Lanes-1:0][Ends:0] kept, ended;
  count_t [Lanes-1:0]         ends, ends_stored;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    ptr_t                      read_ptr, write_ptr;
    logic [$clog2(Ends+1)-1:0] in_memory;
    logic                      word [Ends];
    assign read_ptr  = u_dut.gen_lane[l].u_ended.read_ptr_q;
    assign write_ptr = u_dut.gen_lane[l].u_ended.write_ptr_q;
    assign in_memory = u_dut.gen_lane[l].u_ended.count_q;
    for (genvar w = 0; w < Ends; w++) begin : gen_word
      assign word[w]       = u_dut.gen_lane[l].u_ended.u_ram.mem_q[w];
      assign ended[l][1+w] = w < 32'(in_memory);
      assign kept[l][1+w]  = word[from(read_ptr, w)];
    end
    assign ended[l][0] = u_dut.gen_lane[l].u_ended.head_valid_q;
    assign kept[l][0]  = u_dut.gen_lane[l].u_ended.data_o;
    assign ends[l]        = count_t'($countones(ended[l]));
    assign ends_stored[l] = count_t'($countones(ended[l] & kept[l]));
    always_comb
      if (rst_ni) assert (32'(in_memory) <= Ends && write_ptr == from(read_ptr, 32'(in_memory))
                          && (ended[l][0] || in_memory == '0));
  end

  // ---- packets of each lane: begun and not ended; stored and not arrived
  count_t [Lanes-1:0] comes, open_q, home_q, on_wire;
  always_comb
    for (int unsigned l = 0; l < Lanes; l++) begin
      comes[l]   = '0;
      on_wire[l] = '0;
      for (int unsigned n = 0; n < Lanes; n++)
        comes[l] += count_t'(begun_i > 2'(n) && begun_lane_i[n] == l[0]);
      for (int unsigned p = 0; p < Depth; p++)
        on_wire[l] += count_t'(used[p] && wire_lane[p] == l[0]);
    end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      home_q <= '0;
    end else for (int unsigned l = 0; l < Lanes; l++) begin
      open_q[l] <= open_q[l] + comes[l] - count_t'(done_i[l]);
      home_q[l] <= home_q[l] + count_t'(done_i[l] && stored_i[l]) - count_t'(arrive[l]);
    end
  end
  always_comb
    if (rst_ni) begin
      assert (count <= count_t'(Depth) && u_dut.u_wire.last_q == (first ^ count[0]));
      assume (begun_i <= 2'(Lanes) && 32'(count) + 32'(begun_i) <= Depth);
      for (int unsigned l = 0; l < Lanes; l++)
        assume (!done_i[l] || (open_q[l] != '0 && !ended[l][Ends]));
    end

  // ---- the watched packets
  typedef struct packed {
    logic   seen;                      // it has begun
    logic   open;                      // and not ended
    logic   home;                      // it is stored, and has not arrived
    logic   lane;
    logic   on_wire;                   // it stands in the queue of the wire,
    count_t place;                     // there
    count_t behind;                    // so many of its lane: open ones, or then stored ones
    logic   keeps;                     // it was stored
  } packet_t;
  packet_t [Seen-1:0] packet_d, packet_q;
  logic    [Seen-1:0] arrives, leaves;
  logic    [Lanes-1:0] free;           // packets that begin now and may be watched next
  always_comb begin
    free = '0;
    for (int unsigned n = 0; n < Lanes; n++) free[n] = watch_i[n] && begun_i > 2'(n);
    for (int unsigned s = 0; s < Seen; s++) begin
      packet_d[s] = packet_q[s];
      arrives[s]  = packet_q[s].home && packet_q[s].behind == '0 && arrive[packet_q[s].lane];
      leaves[s]   = packet_q[s].on_wire && packet_q[s].place < count_t'(u_dut.leaving);
      packet_d[s].on_wire = packet_q[s].on_wire && !leaves[s];
      packet_d[s].place   = packet_q[s].place
                            - (packet_q[s].on_wire ? count_t'(u_dut.leaving) : '0);
      if (packet_q[s].open) begin
        packet_d[s].behind = packet_q[s].behind - count_t'(done_i[packet_q[s].lane]);
        if (done_i[packet_q[s].lane] && packet_q[s].behind == '0) begin
          packet_d[s].open   = 1'b0;
          packet_d[s].home   = stored_i[packet_q[s].lane];
          packet_d[s].keeps  = stored_i[packet_q[s].lane];
          packet_d[s].behind = home_q[packet_q[s].lane] - count_t'(arrive[packet_q[s].lane]);
        end
      end else if (packet_q[s].home) begin
        packet_d[s].behind = packet_q[s].behind - count_t'(arrive[packet_q[s].lane]);
        packet_d[s].home   = !arrives[s];
      end
      for (int unsigned n = 0; n < Lanes; n++)
        if (!packet_d[s].seen && free[n]) begin
          packet_d[s] = '{seen: 1'b1, open: 1'b1, on_wire: 1'b1, lane: begun_lane_i[n],
                          place: count - count_t'(u_dut.leaving) + count_t'(n),
                          behind: open_q[begun_lane_i[n]] - count_t'(done_i[begun_lane_i[n]])
                                  + count_t'(n == 1 && begun_lane_i[1] == begun_lane_i[0]),
                          default: '0};
          free[n] = 1'b0;
        end
      // the second is chosen after the first only
      if (!packet_d[s].seen) free = '0;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) packet_q <= '0;
    else         packet_q <= packet_d;
  end

  // ---- what is shown
  logic first_out;       // the first has arrived, or was dropped, or arrives now in front of others
  assign first_out = packet_q[0].seen && !packet_q[0].open
      && (!packet_q[0].home || (arrives[0] && (`BREAK == 3 ? packet_q[0].lane > packet_q[1].lane
                                                           : packet_q[0].lane < packet_q[1].lane)));
  logic [Seen-1:0] due, left;  // oldest and ended; stored, and no more in the queue
  for (genvar s = 0; s < Seen; s++) begin : gen_shown
    assign due[s]  = packet_q[s].on_wire && packet_q[s].place == '0 && !packet_q[s].open;
    assign left[s] = packet_q[s].home && !packet_q[s].on_wire;
  end
  always_comb
    if (rst_ni) begin
      Order_A  : assert (!arrives[1] || first_out);
      Stored_A : assert (!(arrive[0] && home_q[0] == '0) && !(arrive[1] && home_q[1] == '0));
      Prompt_A : assert ((due & ~leaves) == '0);
      Gone_A   : assert ((left & ~arrives) == '0);
    end

  // ---- helpers
  // Packets of the lane of the watched one before it on the wire, and those of their ends that say
  // stored.
  count_t [Seen-1:0] ahead, ahead_stored;
  always_comb begin
    for (int unsigned s = 0; s < Seen; s++) begin
      ahead[s]        = '0;
      ahead_stored[s] = '0;
      for (int unsigned p = 0; p < Depth; p++)
        ahead[s] += count_t'(count_t'(p) < packet_q[s].place && used[p]
                             && wire_lane[p] == packet_q[s].lane);
      for (int unsigned e = 0; e <= Ends; e++)
        ahead_stored[s] += count_t'(count_t'(e) < ahead[s] && ended[packet_q[s].lane][e]
                                    && kept[packet_q[s].lane][e]);
    end
  end
  always_comb
    if (rst_ni && `BREAK == 0) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        assert (32'(on_wire[l]) == 32'(ends[l]) + 32'(open_q[l]));
        assert (32'(home_q[l]) == 32'(ends_stored[l]) + 32'(arrive[l]));
      end
      for (int unsigned s = 0; s < Seen; s++) begin
        if (!packet_q[s].seen)   assert (packet_q[s] == '0);
        if (packet_q[s].open)    assert (packet_q[s].on_wire && !packet_q[s].home);
        if (packet_q[s].home)    assert (packet_q[s].keeps);
        if (packet_q[s].on_wire) begin
          assert (packet_q[s].seen && packet_q[s].place < count
                  && wire_lane[packet_q[s].place[$clog2(Depth)-1:0]] == packet_q[s].lane);
          if (packet_q[s].open) begin
            assert (32'(ahead[s]) == 32'(ends[packet_q[s].lane]) + 32'(packet_q[s].behind));
          end else begin
            assert (ahead[s] < ends[packet_q[s].lane]
                    && kept[packet_q[s].lane][ahead[s][$clog2(Ends+1)-1:0]] == packet_q[s].keeps
                    && packet_q[s].home == packet_q[s].keeps);
            assert (!packet_q[s].home || packet_q[s].behind
                    == ahead_stored[s] + count_t'(arrive[packet_q[s].lane]));
          end
        end else if (packet_q[s].home)
          assert (packet_q[s].behind == '0 && arrive[packet_q[s].lane]);
      end
      // the first stands before the second
      assert (!packet_q[1].seen || packet_q[0].seen);
      if (packet_q[1].seen && packet_q[0].on_wire)
        assert (packet_q[1].on_wire && packet_q[0].place < packet_q[1].place);
    end

  // ---- reset comes once, at the start
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- reached: the queue was full, the second had ended before the first, and arrives with it
  logic full_q, early_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q  <= 1'b0;
      early_q <= 1'b0;
    end else begin
      full_q  <= full_q || count == count_t'(Depth);
      early_q <= early_q || (packet_q[1].home && packet_q[0].open);
    end
  end
  always_ff @(posedge clk_i) if (rst_ni) Waited_C : cover (full_q && early_q && arrives == '1);
endmodule : proof_wire_order
