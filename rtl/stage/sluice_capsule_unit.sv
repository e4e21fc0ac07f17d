// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Executes one instruction of a capsule, beside the match-action core of a back stage
/// (docs/machine.md, Capsules). Latency CoreCycles, one capsule a cycle; nothing ever stalls.
/// Cycles, counted from the one in which the packet comes:
///   0               REGION and ADDRESS are read at its id
///   1               what was late is done; is MAR in bounds; parities of the hash
///   2               the instruction (sluice_capsule_alu); the slot of the memory's word
///   StateReadCycle  a memory instruction goes to the state unit (`access_o`)
///   CoreCycles      its word comes back (`old_word_i`, `new_word_i`), and the capsule leaves
/// The word comes too late for a comparison: MINREAD and CONDZERO leave that to the next stage
/// (capsule_late_e). Behind the last stage nobody asks for it.
/// Packets that carry no capsule pass unchanged, and touch nothing.
/// Invariant: a capsule changes a word of its region or no word. The slot is checked against REGION
/// of the same id and bank here, and its pipeline by the order point (granted_i).
module sluice_capsule_unit
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter bit State = 1'b1           // there is a state unit
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  stage_t          stage_i,
  input  pipe_t           pipe_i,
  input  stage_settings_t settings_i,
  // a packet
  input  logic            valid_i,
  input  phv_t            phv_i,
  input  logic            granted_i,   // it has a resolved access here ...
  input  logic            pinned_i,    // ... which was pinned
  output carried_t        capsule_o,
  output logic            dest_write_o,
  output logic [7:0]      dest_o,
  output logic            discard_o,   // set the discard flag
  // the state unit
  output capsule_access_t access_o,
  input  logic [31:0]     old_word_i,
  input  logic [31:0]     new_word_i,
  // control
  input  table_write_t    write_i,
  input  table_read_t     read_i,
  output word_answer_t    answer_o
);
  localparam int unsigned DoneCycle = 3;         // all but the memory's word is there
  if (DoneCycle > StateReadCycle) $fatal(1, "sluice_capsule_unit: the state unit is too early");

  // ---- cycle 0: tables
  carried_t     came, capsule_q1;
  id_row_t      row;
  region_t      region;
  address_t     address;
  word_answer_t region_answer, address_answer;
  assign came = carried_t'(phv_i.capsule);
  assign row  = `SLUICE_ID_ROW(phv_i.meta.overlay, came.id);

  if (State) begin : gen_tables
    sluice_config_table #(.Which(TableRegion)) u_region (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .copy_i(pipe_i), .re_i(comes), .row_i(row), .entry_o(region),
      .write_i, .read_i, .answer_o(region_answer)
    );
    sluice_config_table #(.Which(TableAddress)) u_address (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .copy_i(pipe_i), .re_i(comes), .row_i(row), .entry_o(address),
      .write_i, .read_i, .answer_o(address_answer)
    );
    assign answer_o = region_answer | address_answer;
  end else begin : gen_no_tables
    assign {region, address, region_answer, address_answer, answer_o} = '0;
  end

  // ---- cycle 0: a capsule comes. valid_q[c]: one is in cycle c; the registers of a cycle change
  // only when one enters it.
  logic                comes;
  logic [CoreCycles:1] valid_q;
  assign comes = valid_i && came.valid;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[CoreCycles-1:1], comes};
  end

  logic       granted_q1, granted_q2, kind_q1;
  logic [7:0] port_q1, port_q2;
  logic       again_q1, again_q2;
  // The polynomial of the hash turns all bytes of the message, so it comes from a register.
  logic [3:0] number, number_q1;
  assign number = came.ops[0].numbered ? came.ops[0].label[3:0] : 4'(stage_i % stage_t'(10));
  always_ff @(posedge clk_i) if (comes) begin
    capsule_q1 <= came;
    granted_q1 <= granted_i;
    kind_q1    <= pinned_i;
    port_q1    <= phv_i.meta.port_in;
    again_q1   <= Recirculation != 0 && phv_i.meta.round != '0;
    number_q1  <= number;
  end

  // ---- cycle 1: what was late; bounds; the hash
  carried_t    capsule_1, capsule_q2;
  address_t    address_q2;
  logic        memory, late_slot, same_kind, in_bounds, pinned_q2, in_bounds_q2;
  logic [19:0] offset, offset_q2;
  logic [15:0] base_q2, crc;
  always_comb begin
    capsule_1 = '0;
    if (`SLUICE_WHEN(valid_q[1])) begin
      capsule_1      = capsule_q1;
      capsule_1.late = LateNone;
      case (capsule_q1.late)
        LateMin:  if (capsule_q1.mbr < capsule_q1.mbr2) capsule_1.mbr2 = capsule_q1.mbr;
        LateRest: capsule_1.mbr = capsule_q1.mbr == '0 ? '0 : capsule_q1.mbr2 - capsule_q1.mbr;
        default: ;
      endcase
    end
  end
  // Without phantoms the slot of a sharded access is worked out here, too.
  assign late_slot = settings_i.mode.no_phantoms;
  // REGION may have changed since the order point: then slot or pipeline are not its own.
  assign same_kind = late_slot || kind_q1 == !region.sharded;
  assign offset    = capsule_q1.mar[19:0] - region.low;
  assign in_bounds    = region.valid && capsule_q1.mar[19:0] >= region.low
      && capsule_q1.mar[19:0] <= region.high;

  sluice_capsule_hash u_hash (
    .clk_i, .en_i(valid_q[1]), .words_i(capsule_q1.hash), .number_i(number_q1), .crc_o(crc)
  );

  always_ff @(posedge clk_i) if (valid_q[1]) begin
    capsule_q2 <= capsule_1;
    address_q2 <= address;
    granted_q2 <= granted_q1 && same_kind;
    port_q2    <= port_q1;
    again_q2   <= again_q1;
    in_bounds_q2  <= in_bounds;
    pinned_q2  <= !region.sharded || late_slot;
    base_q2    <= region.base;
    offset_q2  <= region.sharded ? offset >> `SLUICE_SET_LOG(settings_i.set_mask) : offset;
  end

  // ---- cycle 2: the instruction, the slot
  carried_t    result;
  capsule_op_t op;
  opcode_e     opcode;
  logic        dest_write, drop, executes, in_memory, found, fault;
  logic [7:0]  port;
  logic [20:0] slot;
  assign op        = capsule_q2.ops[0];
  assign opcode    = opcode_e'({1'b0, op.opcode});
  assign executes  = capsule_q2.valid && !capsule_q2.complete && !capsule_q2.skip;
  assign memory    = `SLUICE_IS_MEMORY(op.opcode);
  assign slot      = 21'(base_q2) + 21'(offset_q2);
  assign in_memory = slot < 21'(SlotsPerPipe);
  assign found     = State && capsule_q2.known && granted_q2
      && (!pinned_q2 || (in_bounds_q2 && in_memory));
  assign fault     = executes && memory && !found;

  sluice_capsule_alu u_alu (
    .en_i(valid_q[2]), .capsule_i(capsule_q2), .address_i(address_q2), .crc_i(crc),
    .port_in_i(port_q2), .again_i(again_q2),
    .capsule_o(result), .dest_write_o(dest_write), .port_o(port), .drop_o(drop)
  );
  // ---- from DoneCycle on: it waits for the state unit, and for the core
  typedef struct packed {
    carried_t   capsule;
    logic       dest_write;
    logic [7:0] dest;
    logic       discard;
    logic       takes;                           // a memory instruction gave MBR a word ...
    logic       is_new;                          // ... as it is now, not as it was
  } done_t;
  done_t done_d;
  always_comb begin
    done_d = '0;
    if (`SLUICE_WHEN(valid_q[DoneCycle-1])) begin
      done_d.capsule       = result;
      done_d.capsule.fault = capsule_q2.fault || fault;
      done_d.capsule.first_fault = capsule_q2.first_fault
          || (fault && capsule_q2.known && !capsule_q2.fault);
      done_d.capsule.ops   = capsule_q2.ops >> $bits(capsule_op_t);
      done_d.dest_write    = dest_write;
      done_d.dest          = `SLUICE_PORT_DEST(port);
      done_d.discard       = drop || (fault && capsule_q2.known && capsule_q2.drop);
      done_d.takes         = executes && memory && found && opcode != OpcodeMemWrite;
      done_d.is_new        = opcode != OpcodeMemWriteCondzero;
      if (done_d.takes) case (opcode)
        OpcodeMemMinread, OpcodeMemMinreadinc: done_d.capsule.late = LateMin;
        OpcodeMemWriteCondzero:
          if (capsule_q2.mbr == '0) done_d.takes = 1'b0;
          else                      done_d.capsule.late = LateRest;
        default: ;
      endcase
    end
  end
  for (genvar c = DoneCycle; c <= CoreCycles; c++) begin : gen_done
    done_t done_q;
    if (c == DoneCycle) begin : gen_first
      always_ff @(posedge clk_i) if (valid_q[c-1]) done_q <= done_d;
    end else begin : gen_next
      always_ff @(posedge clk_i) if (valid_q[c-1]) done_q <= gen_done[c-1].done_q;
    end
  end

  // Of another packet nothing is left standing.
  always_comb begin
    capsule_o    = '0;
    dest_write_o = 1'b0;
    discard_o    = 1'b0;
    if (valid_q[CoreCycles]) begin
      capsule_o    = gen_done[CoreCycles].done_q.capsule;
      dest_write_o = gen_done[CoreCycles].done_q.dest_write;
      discard_o    = gen_done[CoreCycles].done_q.discard;
      if (gen_done[CoreCycles].done_q.takes)
        capsule_o.mbr = gen_done[CoreCycles].done_q.is_new ? new_word_i : old_word_i;
    end
  end
  assign dest_o = gen_done[CoreCycles].done_q.dest;

  // ---- to the state unit: as a state instruction of one predicate
  localparam update_t Keep = '{keep: 1'b1, sub: 1'b0, a: ArmZero, b: ArmZero};
  localparam predicate_t Always = '{x_state: PredSZero, x_packet: PredPZero, rel: RelTrue,
                                    y: PredYK0};
  capsule_access_t access_d;
  always_comb begin
    access_d = '0;
    if (`SLUICE_WHEN(valid_q[DoneCycle-1])) begin
      access_d.takes    = capsule_q2.valid && memory;
      access_d.valid    = access_d.takes && executes;
      // The order point gives no access to an id that is not the module's; nor does this.
      access_d.computed = pinned_q2 || !capsule_q2.known;
      access_d.bounded  = capsule_q2.known && in_bounds_q2 && in_memory;
      access_d.slot     = slot[SlotBits-1:0];
      access_d.p1       = capsule_q2.mbr;
      access_d.p2       = capsule_q2.mbr2;
      access_d.instr    = '{valid: 1'b1, pred_1: Always, pred_2: Always, pred_3: Always,
                            pred_4: Always, a1: Keep, a2: Keep, c1: Keep, c2: Keep, k1: 32'd1,
                            default: '0};
      case (opcode)
        OpcodeMemWrite:
          access_d.instr.a1 = update_t'{keep: 1'b0, sub: 1'b0, a: ArmP1, b: ArmZero};
        OpcodeMemIncrement, OpcodeMemMinreadinc:
          access_d.instr.a1 = update_t'{keep: 1'b1, sub: 1'b0, a: ArmK1, b: ArmZero};
        OpcodeMemWriteCondzero: begin
          // K0 is 0. With MBR 0 it leaves the word as it is.
          access_d.instr.pred_1 = predicate_t'{x_state: PredSS1, x_packet: PredPZero,
              rel: capsule_q2.mbr == '0 ? RelFalse : RelEq, y: PredYK0};
          access_d.instr.a1 = update_t'{keep: 1'b0, sub: 1'b0, a: ArmP2, b: ArmZero};
        end
        default: ;
      endcase
    end
  end
  for (genvar c = DoneCycle; c <= StateReadCycle; c++) begin : gen_access
    capsule_access_t access_q;
    if (c == DoneCycle) begin : gen_first
      always_ff @(posedge clk_i) if (valid_q[c-1]) access_q <= access_d;
    end else begin : gen_next
      always_ff @(posedge clk_i) if (valid_q[c-1]) access_q <= gen_access[c-1].access_q;
    end
  end
  always_comb begin
    access_o       = gen_access[StateReadCycle].access_q;
    access_o.takes = valid_q[StateReadCycle] && gen_access[StateReadCycle].access_q.takes;
    access_o.valid = valid_q[StateReadCycle] && gen_access[StateReadCycle].access_q.valid;
  end

  `SLUICE_ASSERT(SlotIsThere_A, !access_o.valid || !access_o.computed || !access_o.bounded
      || 32'(access_o.slot) < SlotsPerPipe)
endmodule : sluice_capsule_unit
