// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// The moves of one back stage that are under way: what the new pipeline of each must wait for, and
/// the values on their way from the old pipeline to the new one (docs/moves.md).
///
/// Marks (docs/marks.md) have names of their own, and nothing to do here.
/// Life of an entry, which is the id of its move: it is taken when the move comes, with the
/// phantoms. From the next cycle to its landing its place is pending: a head of the order queue of
/// the new pipeline with that slot waits, unless it is older (then it means another entry: a pinned
/// access carries no slot). Its read is issued in r, its value comes in r + MovedCycle. The landing
/// is offered to the new pipeline, one a cycle and stage, in r + LandWait at the earliest, and
/// taken in a cycle l that is not held; from l+1 on nothing is pending any more. The value goes to
/// the state unit in l + WriteCycle and is written then, the entry is free and `landed_o` tells of
/// it a cycle later. With a match engine of one cycle (sluice_stage_pkg): value in r+7, landing in
/// r+3, written in l+6, told in l+7.
/// Latency: LandWait + WriteCycle from read to write. Throughput: one landing a cycle.
/// Invariant: an access to the new place is issued after the landing or not at all; a value is here
/// before it is sent (r + MovedCycle < l + FetchCycle, checked at elaboration).
/// Not there where nothing moves: nobody waits.
module sluice_move_buffer
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter bit State = 1'b1,                     // the stage holds state
  parameter bit Array = 1'b0                      // values have rows of words
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    early_i,       // fault: nothing waits
  input  move_t                   move_i,        // of this stage
  // heads of the order queues
  input  tag_t     [NumPipes-1:0] head_tag_i,
  input  slot_t    [NumPipes-1:0] head_slot_i,
  output logic     [NumPipes-1:0] pending_o,     // in the same cycle; says nothing of a move
  // reads, IssueCycles after their issue, and what they bring, MovedCycle after it
  input  logic     [NumPipes-1:0] read_i,
  input  move_name_t [NumPipes-1:0] read_id_i,
  input  moved_t   [NumPipes-1:0] moved_i,
  // the landing: offered until its pipeline takes it; the value comes WriteCycle after that
  input  logic     [NumPipes-1:0] hold_i,        // nothing is taken in this cycle
  output logic     [NumPipes-1:0] land_o,        // from registers
  output slot_t                   land_slot_o,
  output state_value_t            land_value_o,
  // to the order point
  output landed_t                 landed_o
);
  if (!State || !HasMoves) begin : gen_none
    assign {pending_o, land_o, land_slot_o, land_value_o, landed_o} = '0;
  end else begin : gen_buffer
    // The value is stored at the end of MovedCycle, and read in FetchCycle, which is the last but
    // one.
    if (MovedCycle >= LandWait + FetchCycle || FetchCycle != WriteCycle - 1)
      $fatal(1, "sluice_move_buffer: the value of a move is not here in time for its landing");
    // Between a read and its landing: it is heard of, chosen, offered.
    `SLUICE_TAKES(LandWait, IssueCycles + 2)

    // ---- entries
    logic [MoveIds-1:0] used_q, open_q, read_q;    // open: from its coming to its landing
    pipe_t              to_q   [MoveIds];
    slot_t              slot_q [MoveIds];
    tag_t               tag_q  [MoveIds];
    state_value_t       value_q [MoveIds];

    // ---- the landing that is offered, and those on their way down the state unit
    logic     land_valid_q, taken, choose;
    move_id_t land_id_q, chosen;
    logic     [WriteCycle:1] down_valid_q;         // [c]: taken c cycles ago
    move_id_t [WriteCycle:1] down_id_q;

    assign taken = land_valid_q && !hold_i[to_q[land_id_q]];
    always_comb begin
      choose = 1'b0;
      chosen = '0;
      for (int i = int'(MoveIds) - 1; i >= 0; i--)
        if (open_q[i] && read_q[i] && !(land_valid_q && land_id_q == move_id_t'(i))) begin
          choose = 1'b1;
          chosen = move_id_t'(i);
        end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        land_valid_q <= 1'b0;
        down_valid_q <= '0;
      end else begin
        land_valid_q <= (land_valid_q && !taken) || choose;
        down_valid_q <= {down_valid_q[WriteCycle-1:1], taken};
      end
    end
    always_ff @(posedge clk_i) begin
      if (taken || !land_valid_q) land_id_q <= chosen;
      down_id_q <= {down_id_q[WriteCycle-1:1], land_id_q};
      if (down_valid_q[FetchCycle]) land_value_o <= value_q[down_id_q[FetchCycle]];
    end

    for (genvar d = 0; d < NumPipes; d++) begin : gen_land
      assign land_o[d] = land_valid_q && to_q[land_id_q] == pipe_t'(d);
    end
    assign land_slot_o = slot_q[land_id_q];

    // ---- an entry's life
    for (genvar i = 0; i < MoveIds; i++) begin : gen_entry
      logic         come, read, moved;
      state_value_t value;
      assign come = move_i.valid && move_i.id == move_name_t'(i);
      always_comb begin
        read  = 1'b0;
        moved = 1'b0;
        value = '0;
        for (int unsigned d = 0; d < NumPipes; d++) begin
          if (read_i[d] && read_id_i[d] == move_name_t'(i)) read = 1'b1;
          if (moved_i[d].valid && moved_i[d].id == move_name_t'(i)) begin
            moved  = 1'b1;
            value |= moved_i[d].value;
          end
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          used_q[i] <= 1'b0;
          open_q[i] <= 1'b0;
          read_q[i] <= 1'b0;
        end else begin
          if (down_valid_q[WriteCycle] && down_id_q[WriteCycle] == move_id_t'(i))
            used_q[i] <= 1'b0;
          if (taken && land_id_q == move_id_t'(i)) open_q[i] <= 1'b0;
          if (read) read_q[i] <= 1'b1;
          if (come) begin
            used_q[i] <= 1'b1;
            open_q[i] <= 1'b1;
            read_q[i] <= 1'b0;
          end
        end
      end
      always_ff @(posedge clk_i) begin
        if (come) begin
          to_q[i]   <= move_i.to;
          slot_q[i] <= move_i.to_slot;
          tag_q[i]  <= move_i.tag;
        end
        if (moved) value_q[i] <= Array ? value : `SLUICE_STATE_VALUE('0, `SLUICE_VALUE_PAIR(value));
      end

`ifdef SLUICE_SIM
      logic there_q;                               // the value
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) there_q <= 1'b0;
        else         there_q <= (there_q && !come) || moved;
      end
      `SLUICE_ASSERT(IdIsFree_A, !come || !used_q[i])
      `SLUICE_ASSERT(ReadOnce_A, !read || (open_q[i] && !read_q[i]))
      `SLUICE_ASSERT(ReadOfOne_A, !moved || (read_q[i] && !there_q))
      `SLUICE_ASSERT(ValueInTime_A, !(down_valid_q[FetchCycle]
        && down_id_q[FetchCycle] == move_id_t'(i)) || there_q)
`endif
    end

    // ---- who waits
    always_comb begin
      pending_o = '0;
      for (int unsigned d = 0; d < NumPipes; d++)
        for (int unsigned i = 0; i < MoveIds; i++)
          if (open_q[i] && to_q[i] == pipe_t'(d) && slot_q[i] == head_slot_i[d]
              && !`SLUICE_OLDER(head_tag_i[d], tag_q[i])) pending_o[d] = !early_i;
    end

    // ---- what the order point hears
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) landed_o <= '0;
      else         landed_o <= '{valid: down_valid_q[WriteCycle], id: down_id_q[WriteCycle]};
    end

    `SLUICE_ASSERT(LandsOnce_A, !taken || (open_q[land_id_q] && read_q[land_id_q]))
  end
endmodule : sluice_move_buffer
