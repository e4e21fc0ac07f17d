// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Takes the program out of a capsule (docs/machine.md, Capsules): instructions, arguments,
/// addresses and ports of the packet behind the list; and table TENANT, which says whether its id
/// is the module's. Stands beside sluice_parser, in its timing.
///
/// Latency 3 cycles, 1 packet a cycle:
///   cycle 0  TENANT is read with bank and id; the end of the list is found
///   cycle 1  `active_i` and `kept_i` come; the tuple is picked by the end of the list, the id is
///            compared, and counts
///   cycle 2  opcodes above 95 become NOP; registers take the arguments; other packets become 0
///   cycle 3  capsule_o
/// Example: a capsule of module row 2 with FID 7, PRELOAD, DATA_0 = 40 and the instructions
/// MEM_READ, MBR_STORE, RETURN, EOF has length 4, so its IPv4 packet begins at byte 52 and the
/// source address at byte 64. With TENANT row 7 = {VALID, ROW 2} capsule_o is {valid, known, id 7,
/// length 4, mar 40, ops 41 16 2 0 ...} (numbers of the opcodes).
/// Invariant: capsule_o is 0 for a packet that is not executed. Bytes behind the end of a packet
/// are 0 in its header already.
/// Reset: capsule_o has no reset; it means something behind a packet alone.
module sluice_capsule_parser
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  init_i,
  input  logic [15:0]           init_index_i,
  // cycle 0: packet
  input  logic                  valid_i,
  input  overlay_t              row_i,
  input  logic [HeaderBits-1:0] header_i,      // byte n is bits 8n+7:8n
  input  continued_bits_t       continued_i,   // a continued_t: registers of the pass before
  input  waited_t               waited_i,      // how it waited since then
  // cycle 1
  input  logic [7:0]            round_i,
  input  logic                  active_i,      // its module may send capsules
  input  logic                  passes_i,      // the filter lets it pass: it may count
  input  logic [HeaderBits-1:0] kept_i,        // its header, as of cycle 0
  // cycle 3
  output capsule_bits_t         capsule_o,     // a carried_t
  // control
  input  pipe_t                 copy_i,        // lane
  input  table_write_t          write_i,
  input  table_read_t           read_i,
  output word_answer_t          answer_o
);
  if (Active == 0) begin : gen_none
    assign capsule_o = '0;
    assign answer_o  = '0;
  end else begin : gen_capsules
    localparam logic [15:0] TypeCapsule = 16'h83b2;
    localparam logic [31:0] Signature   = 32'h1234_5678;
    localparam logic [7:0]  LastOpcode  = 8'd95;
    localparam int unsigned Halves      = HeaderBytes / 2;
    localparam int unsigned ListHalf    = CapsuleHead / 2;
    // With a list of length 1 the source address begins 12 bytes behind it.
    localparam int unsigned TupleHalf   = ListHalf + 1 + 6;
    localparam int unsigned TupleHalves = $bits(tuple_t) / 16;

    // ---- cycle 0: is it one, where does the list end, whose is the id
    capsule_t                    initial_header;
    logic                        form;
    capsule_t                    kept_initial;   // in cycle 1
    logic [CapsuleInstrs-1:0]    list_last, list_before;
    tenant_t                     tenant;         // in cycle 1
    id_row_t                     tenant_row;

    // Bytes one by one: more than eight at once a simulator turns round bit by bit.
    for (genvar b = 0; b < CapsuleWidth / 8; b++) begin : gen_initial
      assign initial_header[8*b +: 8] = header_i[8*(CapsuleByte+CapsuleWidth/8-1-b) +: 8];
      assign kept_initial[8*b +: 8]   = kept_i[8*(CapsuleByte+CapsuleWidth/8-1-b) +: 8];
    end
    assign form = {header_i[8*16 +: 8], header_i[8*17 +: 8]} == TypeCapsule
               && initial_header.signature == Signature && !initial_header.done
               && (initial_header.request == 2'd0 || initial_header.request == 2'd3);

    sluice_capsule_list u_list (
      .en_i(valid_i && form), .list_i(header_i[8*CapsuleHead +: 16*CapsuleInstrs]),
      .last_o(list_last), .before_o(list_before)
    );

    assign tenant_row = `SLUICE_ID_ROW(row_i, initial_header.fid[IdBits-1:0]);
    sluice_config_table #(.Which(TableTenant)) u_table (
      .clk_i, .rst_ni, .init_i, .init_index_i, .copy_i,
      .re_i(valid_i), .row_i(tenant_row), .entry_o(tenant),
      .write_i, .read_i, .answer_o
    );

    logic                     valid_q, valid_q2, form_q;
    logic [CapsuleInstrs-1:0] last_q;
    logic [BackStages-1:0]    before_q;
    row_t                     row_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q  <= 1'b0;
        valid_q2 <= 1'b0;
      end else begin
        valid_q  <= valid_i;
        valid_q2 <= valid_q;
      end
    end
    always_ff @(posedge clk_i) if (valid_i) begin
      form_q   <= form;
      last_q   <= list_last;
      before_q <= list_before[BackStages-1:0];
      row_q    <= row_t'(row_i);
    end

    // Registers of the pass before, for cycle 2.
    continued_t continued_q2;
    waited_t    waited_q2;
    if (Recirculation != 0) begin : gen_continued
      continued_t continued_q;
      waited_t    waited_q;
      always_ff @(posedge clk_i) begin
        if (valid_i) {continued_q, waited_q}   <= {continued_i, waited_i};
        if (valid_q) {continued_q2, waited_q2} <= {continued_q, waited_q};
      end
    end else begin : gen_begun
      assign continued_q2     = '0;
      assign waited_q2        = '0;
    end

    // ---- cycle 1: tuple, id
    logic [Halves-1:0][15:0]           half;     // of the header, first byte most significant
    logic [TupleHalves-1:0][15:0]      tuple;    // [0]: the first
    logic [5:0]                        length;
    logic                              known;

    for (genvar h = 0; h < Halves; h++) begin : gen_half
      assign half[h] = {kept_i[16*h +: 8], kept_i[16*h+8 +: 8]};
    end
    // Behind the header there is nothing.
    always_comb begin
      tuple  = '0;
      length = '0;
      if (`SLUICE_WHEN(valid_q && form_q))
        for (int unsigned n = 0; n < CapsuleInstrs; n++) begin
          length = length | (last_q[n] ? 6'(n + 1) : '0);
          for (int unsigned t = 0; t < TupleHalves; t++)
            if (TupleHalf + n + t < Halves)
              tuple[t] = tuple[t] | (half[(TupleHalf+n+t) % Halves] & {16{last_q[n]}});
        end
    end
    assign known = 32'(kept_initial.fid) < ActiveIds && tenant.valid && tenant.row == 8'(row_q);

    // Capsules of the id, this one included. What the filter refuses finds a count, and adds none.
    logic [31:0] count, count_q;
    sluice_id_counts u_counts (
      .clk_i, .rst_ni, .init_i, .init_index_i,
      .re_i(valid_i), .id_i(initial_header.fid[IdBits-1:0]),
      .count_i(valid_q && form_q && active_i && passes_i && known && round_i == '0),
      .value_o(count),
      .control_re_i(1'b0), .control_id_i('0), .control_value_o()
    );

    logic                             executed_q, known_q, drop_q, report_q, preload_q,
                                      more_q;
    id_t                              id_q;
    logic [5:0]                       length_q;
    logic [127:0]                     args_q;
    logic [TupleHalves-1:0][15:0]     tuple_q;
    logic [BackStages-1:0][15:0]      instr_q;   // all 0 from EOF on
    always_ff @(posedge clk_i) if (valid_q) begin
      executed_q <= form_q && active_i;
      known_q    <= known;
      count_q    <= known ? count : '0;
      drop_q     <= tenant.drop;
      report_q   <= tenant.report;
      preload_q  <= kept_initial.preload;
      more_q     <= Recirculation != 0 && round_i < tenant.rounds;
      id_q       <= kept_initial.fid[IdBits-1:0];
      length_q   <= length;
      args_q     <= {<<8{kept_i[8*ArgsByte +: CapsuleArgsWidth]}};
      tuple_q    <= tuple;
      for (int unsigned s = 0; s < BackStages; s++)
        instr_q[s] <= half[ListHalf+s] & {16{before_q[s]}};
    end

    // ---- cycle 2: what travels with the packet
    capsule_op_t [BackStages-1:0] ops;
    for (genvar s = 0; s < BackStages; s++) begin : gen_op
      capsule_instr_t instr;
      assign instr  = instr_q[s];
      assign ops[s] = '{label: instr.label, numbered: instr.numbered, target: instr.target,
                        opcode: instr.opcode > LastOpcode ? 7'(OpcodeNop) : instr.opcode[6:0]};
    end

    carried_t      capsule;
    capsule_args_t args;
    assign args = args_q;
    always_comb begin
      capsule         = '0;
      capsule.valid   = 1'b1;
      capsule.known   = known_q;
      capsule.drop    = known_q && drop_q;
      capsule.report  = known_q && report_q;
      capsule.preload = preload_q;
      capsule.id      = id_q;
      capsule.length  = length_q;
      capsule.data    = {args.data_3, args.data_2, args.data_1, args.data_0};
      capsule.mar     = preload_q ? args.data_0 : '0;
      capsule.mbr     = preload_q ? args.data_1 : '0;
      capsule.mbr2    = preload_q ? args.data_2 : '0;
      capsule.more    = known_q && more_q;
      capsule.count   = count_q;
      capsule.waited  = waited_q2;
      if (continued_q2.valid) begin
        capsule.preload       = 1'b0;
        capsule.skip          = continued_q2.skip;
        capsule.skip_numbered = continued_q2.skip_numbered;
        capsule.skip_label    = continued_q2.skip_label;
        capsule.returned      = continued_q2.returned;
        capsule.fault         = continued_q2.fault;
        capsule.late          = continued_q2.late;
        capsule.mar           = continued_q2.mar;
        capsule.mbr           = continued_q2.mbr;
        capsule.mbr2          = continued_q2.mbr2;
        capsule.hash          = continued_q2.hash;
      end
      capsule.tuple   = '{src: {tuple_q[0], tuple_q[1]}, dst: {tuple_q[2], tuple_q[3]},
                          sport: tuple_q[4], dport: tuple_q[5]};
      capsule.ops     = ops;
    end

    carried_t capsule_q;
    always_ff @(posedge clk_i) if (valid_q2) capsule_q <= executed_q ? capsule : '0;
    assign capsule_o = capsule_q;

    logic unused_bits;
    assign unused_bits = ^{header_i, list_before};

    // ---- in cycle 3
    logic valid_q3;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q3 <= 1'b0;
      else         valid_q3 <= valid_q2;
    end
    `SLUICE_ASSERT(OneEnd_A, !(valid_q && form_q) || $onehot(last_q))
    `SLUICE_ASSERT(HasLength_A, !valid_q3 || !capsule_q.valid
        || (capsule_q.length != '0 && 32'(capsule_q.length) <= CapsuleInstrs))
    `SLUICE_ASSERT(ElseNothing_A, !valid_q3 || capsule_q.valid || capsule_q == '0)
  end
endmodule : sluice_capsule_parser
