// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Ordered merge (docs/machine.md): gives the packets of the lanes in MERGE.LANES their places in
/// the order by a number in them, and those of the other lanes by their arrival.
///
/// Stands beside the lanes' queues at the order point, and in front of sluice_arrival_masks, which
/// takes place_o for arrivals. Items come a constant time behind arrivals, the same in every lane,
/// so the rule of times of arrival holds for times of items.
/// Example: MERGE.LANES is 3, MERGE.KEY 4B[0], lane 1 is idle. In cycle 0 lanes 0 and 2 bring an
/// item each. Lane 0's key is in a register in cycle 1 and compared in cycle 2; place_o is 0b101 in
/// cycle 3. If lane 1 was not idle, place_o is 0b100 then, and has bit 0 later.
/// Latency 3 cycles from item to place; the masks take 2 more, so a packet that has not to wait is
/// shown when it comes to the head of its lane, as in chips without the merge.
/// A packet that is dropped already has the key 0: it takes no place, and nobody shall wait for it.
/// Registers are answered in the cycle after the request. After reset no lane is merged. A write
/// while packets are inside is refused: of a lane that leaves the merge, or enters it, a key that
/// waits and an item that does not could want the same bit of place_o.
/// Invariant: every item of a lane gives its bit of place_o once.
/// Not there in a chip without OrderedMerge: places are given by arrival.
module sluice_key_merge
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,     // of CHIP.CLEAR: LATE is 0 from the next cycle on
  input  logic                 occupied_i,  // packets are inside
  input  logic  [NumPipes-1:0] arrive_i,    // in a chip without the merge
  input  item_t [NumPipes-1:0] item_i,
  output logic  [NumPipes-1:0] place_o,
  input  csr_req_t             csr_req_i,
  output csr_rsp_t             csr_rsp_o
);
  if (OrderedMerge == 0) begin : gen_none
    assign place_o   = arrive_i;
    assign csr_rsp_o = '0;
  end else begin : gen_merge
    logic [NumPipes-1:0] merged_q;            // MERGE.LANES
    operand_t            operand_q;           // MERGE.KEY
    logic [15:0]         idle_q;              // MERGE.IDLE

    // ---- cycle 1: keys
    logic [NumPipes-1:0]       valid_q, void_q;
    logic [NumPipes-1:0][31:0] key_q;
    for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
      logic [47:0] value;
      logic        dropped;
      sluice_operand_wide u_value (
        .en_i(item_i[l].valid), .cont_i(item_i[l].phv.cont), .operand_i(operand_q), .value_o(value)
      );
      assign dropped = item_i[l].reason != DropNone || item_i[l].phv.meta.discard;
      always_ff @(posedge clk_i) begin
        key_q[l]  <= dropped ? '0 : value[31:0];
        void_q[l] <= dropped;
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) valid_q[l] <= 1'b0;
        else         valid_q[l] <= item_i[l].valid;
      end
      logic unused_item;
      assign unused_item = ^value[47:32];
    end

    // ---- cycle 2: the least of the oldest; the others are a cycle later, too
    logic [NumPipes-1:0] pick, plain_q;
    logic [31:0]         pick_key;
    logic                pick_void;
    sluice_merge_pick #(.Count(NumPipes), .Depth(LaneDepth)) u_pick (
      .clk_i, .rst_ni,
      .merged_i   (merged_q),
      .idle_i     (idle_q),
      .push_i     (valid_q & merged_q),
      .key_i      (key_q),
      .void_i     (void_q),
      .pick_o     (pick),
      .pick_key_o (pick_key),
      .pick_void_o(pick_void)
    );

    // ---- cycle 3: places
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        plain_q <= '0;
        place_o <= '0;
      end else begin
        plain_q <= valid_q & ~merged_q;
        place_o <= plain_q | pick;
      end
    end

    // ---- keys that came too late
    logic        last_valid_q;                // the last place was that of a packet not dropped
    logic [31:0] last_q, before_q, late_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        last_valid_q <= 1'b0;
        before_q     <= '0;
        late_q       <= '0;
      end else begin
        last_valid_q <= pick != '0 && !pick_void;
        if (last_valid_q) before_q <= last_q;
        if (clear_i) late_q <= '0;
        else if (last_valid_q && last_q < before_q) late_q <= late_q + 32'd1;
      end
    end
    always_ff @(posedge clk_i) last_q <= pick_key;

    // ---- registers
    logic        mine, writes;
    logic [11:0] offset;
    logic [31:0] value;
    assign mine   = csr_req_i.valid && csr_req_i.addr[19:8] == BlockMergeBase[19:8];
    assign writes = mine && csr_req_i.write && !occupied_i;
    assign offset = 12'(csr_req_i.addr[7:0]);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        merged_q  <= '0;
        operand_q <= '0;
        idle_q    <= '0;
      end else if (writes) begin
        case (offset)
          RegMergeLanes: merged_q  <= csr_req_i.wdata[NumPipes-1:0];
          RegMergeKey:   operand_q <= csr_req_i.wdata[$bits(operand_t)-1:0];
          RegMergeIdle:  idle_q    <= csr_req_i.wdata[15:0];
          default: ;
        endcase
      end
    end

    always_comb begin
      value = '0;
      case (offset)
        RegMergeLanes: value = 32'(merged_q);
        RegMergeKey:   value = 32'(operand_q);
        RegMergeIdle:  value = 32'(idle_q);
        RegMergeLate:  value = late_q;
        default: ;
      endcase
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) csr_rsp_o <= '0;
      else         csr_rsp_o <= mine
          ? '{valid: 1'b1, refused: csr_req_i.write && occupied_i,
              rdata: csr_req_i.write ? '0 : value} : '0;
    end

    `SLUICE_ASSERT(PlaceOnce_A, (plain_q & pick) == '0)
  end
endmodule : sluice_key_merge
