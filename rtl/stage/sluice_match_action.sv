// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Match-action core of one unit, the same in front and back stages. Latency Lead + CoreCycles, one
/// PHV a cycle; nothing ever stalls. Cycles by their names in sluice_stage_pkg, counted from the
/// one in which the work begins:
///   -Lead        PHV comes in
///   0            KEY_EXTRACT and KEY_MASK are read at its overlay row
///   1            comparators; the masked key
///   LookupCycle  the key goes to the match engines
///   HitCycle     their answer; ACTION is read at the row that it names
///   ActionCycle  operands are chosen, among containers, constants and data words of the entry
///   AluCycle     ALUs
///   MergeCycle   results of the ALUs are merged
///   CoreCycles   results of the unit beside it (state or hash) and of the multiplier, if there is
///                one (sluice_multiplier), are put in; the PHV leaves
/// Everything reads the PHV as it was before the stage, since all containers travel along unchanged
/// until MergeCycle. What leaves comes from registers but for one choice. Registers move only with
/// a packet. A control write stands for two cycles and takes effect between two packets at each
/// table, so never within an entry (sluice_table).
/// What the unit beside the core needs of a packet leaves on `side_o`, each field in its cycle
/// (side_t); what it made of it comes on `result_i` when the PHV leaves.
module sluice_match_action
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter int unsigned Lead      = 0,  // cycles that a PHV waits before the work begins
  parameter int unsigned AlongBits = 1,  // what travels along unseen
  parameter bit          Capsule   = 1'b1, // a capsule travels along, too
  parameter bit          Array     = 1'b1  // the words of an array, too
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  pipe_t                pipe_i,
  input  stage_settings_t      settings_i,
  // packets
  input  logic                 valid_i,
  input  logic                 active_i,         // 0: passes unchanged
  input  phv_t                 phv_i,
  input  logic [AlongBits-1:0] along_i,
  output logic                 valid_o,
  output phv_t                 phv_o,
  output logic [AlongBits-1:0] along_o,
  // for the unit beside the core
  output side_t                side_o,
  input  result_t              result_i,
  // control: see sluice_config_table
  input  table_write_t         write_i,
  input  table_read_t          read_i,
  output word_answer_t         answer_o
);
  `SLUICE_TAKES(KeyCycles, 2)
  `SLUICE_TAKES(MergeCycles, 1)

  word_answer_t extract_answer, mask_answer, match_answer, action_answer, multiply_answer,
                compare_answer;
  assign answer_o = extract_answer | mask_answer | match_answer | action_answer | multiply_answer
                  | compare_answer;

  // ---- [c]: c cycles after the work on a PHV began
  logic [CoreCycles:1]           valid_q;
  logic [LookupCycle:1]          active_q;
  logic [MergeCycle:ActionCycle] hit_q;
  hit_t                          hit;
  logic                          by_default;    // the hit is the module's default action
  data_t                         data;

  // ---- a PHV, and when the work on it begins
  logic                 begin_valid, begin_active;
  phv_t                 begin_phv;
  logic [AlongBits-1:0] begin_along;
  containers_t          lead_cont, came_cont;
  sluice_lead #(.Cycles(Lead), .AlongBits(AlongBits)) u_lead (
    .clk_i, .rst_ni, .valid_i, .active_i, .phv_i, .along_i,
    .valid_o(begin_valid), .active_o(begin_active), .phv_o(begin_phv), .along_o(begin_along),
    .came_o(lead_cont)
  );
  assign came_cont = Lead > 0 ? lead_cont : gen_phv[1].phv_q.cont;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      hit_q   <= '0;
    end else begin
      valid_q <= {valid_q[CoreCycles-1:1], begin_valid};
      hit_q   <= {hit_q[MergeCycle-1:ActionCycle], hit.valid};
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_valid) active_q[1] <= begin_active;
    active_q[LookupCycle:2] <= active_q[LookupCycle-1:1];
  end

  // What travels: registers of their own for each cycle, for in an array a simulator would keep
  // what is written aside first, and copy it again.
  for (genvar c = 1; c <= MergeCycle; c++) begin : gen_phv
    phv_t phv_q;
    if (c == 1) begin : gen_first
      always_ff @(posedge clk_i) if (begin_valid) begin
        phv_q <= `SLUICE_KEPT_PHV(begin_phv);
        if (!Capsule) phv_q.capsule <= '0;
        if (!Array)   phv_q.array   <= '0;
      end
    end else begin : gen_next
      always_ff @(posedge clk_i) if (valid_q[c-1]) phv_q <= gen_phv[c-1].phv_q;
    end
  end
  for (genvar c = 1; c <= CoreCycles; c++) begin : gen_along
    logic [AlongBits-1:0] along_q;
    if (c == 1) begin : gen_first
      always_ff @(posedge clk_i) if (begin_valid) along_q <= begin_along;
    end else begin : gen_next
      always_ff @(posedge clk_i) if (valid_q[c-1]) along_q <= gen_along[c-1].along_q;
    end
  end

  // ---- extractor entry, mask, key
  key_extract_t        extract;
  logic [KeyWidth-1:0] mask;
  key_t                key;
  overlay_t            mask_row;
  sluice_config_table #(.Which(TableKeyExtract)) u_extract (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i),
    .re_i(begin_valid), .row_i(begin_phv.meta.overlay), .entry_o(extract),
    .write_i, .read_i, .answer_o(extract_answer)
  );
  sluice_config_table #(.Which(TableKeyMask)) u_mask (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i),
    .re_i(begin_valid), .row_i(mask_row), .entry_o(mask), .write_i, .read_i, .answer_o(mask_answer)
  );

  // Test fault: the bank of the packet before.
  if (Banks == 2 && TestFaults != 0) begin : gen_late
    logic bank_q;
    always_ff @(posedge clk_i)
      if (begin_valid) bank_q <= begin_phv.meta.overlay[$bits(overlay_t)-1];
    always_comb begin
      mask_row = begin_phv.meta.overlay;
      if (settings_i.fault[FaultBankLate]) mask_row[$bits(overlay_t)-1] = bank_q;
    end
  end else begin : gen_mask_row
    assign mask_row = begin_phv.meta.overlay;
  end

  sluice_key_extract u_key (
    .clk_i, .en_i(valid_q[1]), .cont_i(gen_phv[1].phv_q.cont), .extract_i(extract), .mask_i(mask),
    .key_o(key)
  );

  // ---- the bit of the wide compare
  logic wide;
  sluice_wide_compare u_wide (
    .clk_i, .rst_ni, .pipe_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .begin_i(begin_valid), .row_i(begin_phv.meta.overlay), .valid_i(valid_q[1]),
    .cont_i(gen_phv[1].phv_q.cont), .wide_o(wide), .write_i, .read_i, .answer_o(compare_answer)
  );

  // ---- match
  lookup_t lookup;
  meta_t   looked;
  assign looked = gen_phv[LookupCycle].phv_q.meta;
  assign lookup = '{valid: valid_q[LookupCycle] && active_q[LookupCycle],
                    bank: Banks == 2 && looked.overlay[$bits(overlay_t)-1],
                    vid: {looked.vid_high, row_t'(looked.overlay)},
                    wide: wide, key: key};

  sluice_match_engines u_engines (
    .clk_i, .rst_ni, .pipe_i, .settings_i,
    .lookup_i(lookup), .ahead_i(valid_q[HitCycle-1]),
    .ahead_row_i(gen_phv[HitCycle-1].phv_q.meta.overlay),
    .len_i(gen_phv[HitCycle].phv_q.meta.len),
    .hit_o(hit), .by_default_o(by_default), .data_o(data),
    .write_i, .read_i, .answer_o(match_answer)
  );

  // ---- action word, operands
  `SLUICE_TAKES(ActionCycles, 1)
  action_t action;
  sluice_config_table #(.Which(TableAction)) u_action (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i),
    .re_i(hit.valid), .row_i(hit.row), .entry_o(action), .write_i, .read_i, .answer_o(action_answer)
  );

  instr_t                      instr [NumSlots];
  logic [MaxContainerBits-1:0] value_a [NumSlots], value_b [NumSlots];
  logic [NumSlots-1:0]         a_nonzero, b_nonzero, c_nonzero;

  sluice_operands u_operands (
    .clk_i, .en_i(hit_q[ActionCycle]), .cont_i(gen_phv[ActionCycle].phv_q.cont),
    .action_i(action), .data_i(data),
    .instr_o(instr), .a_o(value_a), .b_o(value_b),
    .a_nonzero_o(a_nonzero), .b_nonzero_o(b_nonzero), .c_nonzero_o(c_nonzero)
  );

  // ---- ALUs, and what they make of the PHV: destination and discard flag, by slot 0
  logic       dest_write, discard_write, discard;
  logic [7:0] dest;
  meta_t      meta_q;
  capsule_bits_t capsule_q;
  array_bits_t   array_q;
  sluice_alu_md u_alu_md (
    .clk_i, .en_i(hit_q[AluCycle]), .instr_i(instr[0]),
    .a_i(value_a[0][7:0]), .a_nonzero_i(a_nonzero[0]), .b_nonzero_i(b_nonzero[0]),
    .dest_write_o(dest_write), .dest_o(dest), .discard_write_o(discard_write), .discard_o(discard)
  );
  always_ff @(posedge clk_i) begin
    if (valid_q[MergeCycle]) begin
      meta_q    <= gen_phv[MergeCycle].phv_q.meta;
      capsule_q <= gen_phv[MergeCycle].phv_q.capsule;
      array_q   <= gen_phv[MergeCycle].phv_q.array;
      if (hit_q[MergeCycle] && dest_write)    meta_q.dest    <= dest;
      if (hit_q[MergeCycle] && discard_write) meta_q.discard <= discard;
    end
  end

  // ---- the product of two operands
  logic [31:0] product;
  sluice_multiplier u_multiplier (
    .clk_i, .rst_ni, .pipe_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .hit_i(hit), .action_i(hit_q[ActionCycle]), .cont_i(gen_phv[ActionCycle].phv_q.cont),
    .product_o(product), .write_i, .read_i, .answer_o(multiply_answer)
  );

  // What EXT can select: the results of the unit beside the core, then the product, then zeros.
  logic [15:0][31:0] ext;
  always_comb begin
    ext             = {256'd0, result_i.ext};
    ext[ExtProduct] = product;
  end

  // ---- the others: an ALU a container, whose result is merged into it; last the unit beside it
  typedef logic [$bits(containers_t)-1:0] flat_t;
  flat_t cont_merge, cont_out;
  assign cont_merge = gen_phv[MergeCycle].phv_q.cont;
  for (genvar s = 1; s < NumSlots; s++) begin : gen_slot
    localparam slot_info_t Slot = slot_info(s);
    if (Slot.container) begin : gen_container
      localparam int unsigned Width       = Slot.bits;
      localparam int unsigned OperandBits = Width > 32 ? Width : 32;
      logic             writes, wants_ext, wants_ext_q;
      logic [Width-1:0] result, container_q, container;
      logic [3:0]       select, select_q;
      sluice_alu #(.Width(Width)) u_alu (
        .clk_i, .en_i(hit_q[AluCycle]), .instr_i(instr[s]),
        .a_i(value_a[s][OperandBits-1:0]), .b_i(value_b[s][OperandBits-1:0]), .c_i(c_nonzero[s]),
        .write_o(writes), .result_o(result), .ext_o(wants_ext), .select_o(select)
      );

      always_ff @(posedge clk_i) begin
        wants_ext_q <= hit_q[MergeCycle] && wants_ext;
        if (hit_q[MergeCycle]) select_q <= select;
        if (valid_q[MergeCycle])
          container_q <= hit_q[MergeCycle] && writes ? result : cont_merge[Slot.lsb +: Width];
      end
      always_comb begin
        container = container_q;
        if (s == StateSlot && result_i.slot16_write) container = Width'(result_i.slot16);
        if (wants_ext_q) container = Width'(ext[select_q]);
      end
      assign cont_out[Slot.lsb +: Width] = container;
    end
  end
  if (Num6B == 0) begin : gen_no_6b
    // containers_t has one all the same
    assign cont_out[$bits(containers_t)-1 -: MaxContainerBits] = '0;
  end

  assign phv_o = '{meta: meta_q, capsule: capsule_q, array: array_q,
                   cont: containers_t'(cont_out)};

  assign valid_o = valid_q[CoreCycles];
  assign along_o = gen_along[CoreCycles].along_q;

  // ---- to the unit beside the core
  logic default_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) default_q <= 1'b0;
    else         default_q <= DefaultActions != 0 && by_default;
  end
  assign side_o = '{
    come: valid_i && active_i, come_row: phv_i.meta.overlay, came_cont: came_cont,
    ahead: valid_q[StateLookupCycle], ahead_row: gen_phv[StateLookupCycle].phv_q.meta.overlay,
    hit: hit, hit_cont: gen_phv[HitCycle].phv_q.cont,
    action: hit_q[ActionCycle], found: hit_q[ActionCycle] && !default_q,
    action_slot16: action[StateSlot],
    action_cont: gen_phv[ActionCycle].phv_q.cont
  };

  logic unused_ports;
  assign unused_ports = ^{a_nonzero, b_nonzero, c_nonzero};

  `SLUICE_ASSERT(OneControlAccess_A, !(write_i.valid && read_i.valid))
  `SLUICE_ASSERT(OnlyContainersThatAre_A, !valid_i || phv_i == `SLUICE_KEPT_PHV(phv_i))
endmodule : sluice_match_action
