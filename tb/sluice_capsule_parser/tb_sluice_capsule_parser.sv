// SPDX-License-Identifier: Apache-2.0

/// sluice_capsule_parser with its table TENANT against a C model: random frames (lists of all
/// lengths, without EOF, cut off by the packet's end; opcodes above 95; wrong signatures, DONE,
/// requests), in both banks of TENANT, which is written and read back in between. A packet a cycle;
/// latency 3 cycles. +seed=N, +cycles=N. +break=N: see breaks.
module tb_sluice_capsule_parser
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
;
  import "DPI-C" function void capsule_open(
    input int seed, input int stages, input int ids, input int rows);
  import "DPI-C" function void capsule_tenant(input int index, input int entry);
  import "DPI-C" function int capsule_random_tenant();
  import "DPI-C" function void capsule_frame(
    input int row, input int bank, input int active, output bit [1023:0] header);
  import "DPI-C" function int capsule_check(
    input int valid, input int known, input int drop, input int report, input int preload,
    input int id, input int length, input int mar, input int mbr, input int mbr2,
    input bit [127:0] data, input bit [95:0] tuple, input bit [319:0] ops);
  import "DPI-C" function void capsule_counts(
    output int executed, output int known, output int endless);

  localparam int unsigned Entries = Banks * ActiveIds;

  `include "bench.svh"
  `include "tables.svh"

  logic                  init, valid, active, active_q;
  logic                  passes, passes_q;    // the filter says so
  waited_t               waited;
  logic [15:0]           init_index;
  overlay_t              row, dut_row;
  logic [HeaderBits-1:0] header, dut_header, kept_q, kept_q2;
  logic [7:0]            round, round_q;      // passes before this one
  capsule_bits_t         bits;
  carried_t              capsule, rest;
  table_write_t          dut_write;

  // ---- mutants
  always_comb begin
    dut_row    = row;
    dut_header = header;
    dut_write  = write;
    if (mutant == 2) dut_row[$bits(overlay_t)-1] = ~row[$bits(overlay_t)-1];
    if (mutant == 3) dut_row[0] = ~row[0];
    if (mutant == 4) dut_write.data[EntryBits-1-2] = ~write.data[EntryBits-1-2];
    if (mutant == 6) dut_header[8*22] = 1'b0;
    if (mutant == 7) dut_header[8*20+3] = ~header[8*20+3];
    if (mutant == 8) dut_header[8*(CapsuleHead+83) +: 8] = '0;
    if (mutant == 9) begin
      for (int n = 0; n < int'(BackStages); n++)
        if (dut_header[8*(int'(CapsuleHead)+2*n+1) +: 8] != 8'h80)
          dut_header[8*(int'(CapsuleHead)+2*n+1)+7] = 1'b0;
    end
    if (mutant == 10) dut_header[8*80+1] = ~header[8*80+1];
    if (mutant == 11 && header[8*23+4 +: 2] != 2'd3) dut_header[8*23+4 +: 2] = '0;
    if (mutant == 12) dut_header[8*24 +: 8] = '0;
    if (mutant == 13 && write.header.index[0]) dut_write.valid = 1'b0;
  end
  always_ff @(posedge clk) begin
    if (valid) begin
      kept_q   <= dut_header;
      kept_q2  <= kept_q;
      active_q <= active;
      passes_q <= passes;
      round_q  <= round;
    end
  end

  sluice_capsule_parser u_dut (
    .clk_i(clk), .rst_ni(rst_n), .init_i(init), .init_index_i(init_index),
    .valid_i(valid), .row_i(dut_row), .header_i(dut_header),
    .continued_i('0), .waited_i(mutant == 16 ? '0 : waited),
    .round_i(mutant == 14 && round_q != '0 ? round_q - 8'd1 : round_q),
    .active_i(active_q || mutant == 1), .passes_i(passes_q || mutant == 15),
    .kept_i(mutant == 5 ? kept_q2 : kept_q),
    .capsule_o(bits),
    .copy_i('0), .write_i(dut_write), .read_i(read), .answer_o(answer)
  );
  assign capsule = bits;

  // What no packet brings.
  always_comb begin
    rest = '0;
    {rest.complete, rest.skip, rest.skip_numbered, rest.skip_label} =
      {capsule.complete, capsule.skip, capsule.skip_numbered, capsule.skip_label};
    {rest.returned, rest.fault, rest.late, rest.hash} =
      {capsule.returned, capsule.fault, capsule.late, capsule.hash};
    {rest.forked, rest.first_fault} = {capsule.forked, capsule.first_fault};
  end

  logic [31:0] tenants [Entries];

  task automatic write_tenant(int index, int entry);
    write_entry(TableTenant, index, {entry, (EntryBits-32)'(0)});
    tenants[index] = entry;
    capsule_tenant(index, entry);
  endtask

  task automatic read_tenant(int index);
    read_word(TableTenant, index);
    if (!answer.valid || answer.data[63:32] != tenants[index])
      $fatal(1, "TENANT %0d reads back %08x, should be %08x", index, answer.data[63:32],
             tenants[index]);
  endtask

  // A capsule whose id is the module's may go on while its id has rounds left.
  function automatic logic may_go_on(int in_bank, logic [7:0] behind);
    return Recirculation != 0 && capsule.known
        && behind < tenants[in_bank * int'(ActiveIds) + int'(capsule.id)][15:8];   // ROUNDS
  endfunction

  int  packets = 0;
  bit [2:0] came = '0;         // of the last three cycles, and of what came then:
  bit [2:0] banks = '0;
  bit [2:0][7:0] rounds = '0;
  bit [2:0] passed = '0;
  waited_t [2:0] waits = '0;
  int  counts [ActiveIds];     // of the ids, as the filter lets capsules pass

  initial begin
    bit [1023:0] frame;
    int          module_row, bank, result, executed, known, endless;
    read_arguments(30000);
    capsule_open(seed, int'(BackStages), int'(ActiveIds), int'(NumModules));
    {valid, active, row, header, init_index, round, passes, waited} = '0;
    counts = '{default: 0};
    init = 1'b1;
    release_reset(4);
    for (int i = 0; i < int'(Entries); i++) begin
      @(negedge clk);
      init_index = 16'(i);
      tenants[i] = '0;
    end
    @(negedge clk);
    init = 1'b0;
    for (int i = 0; i < int'(Entries); i++) write_tenant(i, capsule_random_tenant());
    for (int c = 0; c < cycles; c++) begin
      @(negedge clk);
      if (came[2]) begin
        packets++;
        result = capsule_check(
          32'(capsule.valid), 32'(capsule.known), 32'(capsule.drop), 32'(capsule.report),
          32'(capsule.preload), 32'(capsule.id), 32'(capsule.length), capsule.mar, capsule.mbr,
          capsule.mbr2, capsule.data, capsule.tuple, 320'(capsule.ops));
        if (result != 0 || rest != '0) $fatal(1, "cycle %0d: capsule is wrong", c);
        if (capsule.valid) begin
          if (capsule.known && passed[2] && rounds[2] == '0) counts[capsule.id]++;
          if (capsule.count != (capsule.known ? counts[capsule.id] : 0))
            $fatal(1, "cycle %0d: the count of id %0d is %0d", c, capsule.id, capsule.count);
          if (Recirculation != 0 && capsule.waited != waits[2])
            $fatal(1, "cycle %0d: how it waited is wrong", c);
        end
        if (capsule.more != may_go_on(int'(banks[2]), rounds[2]))
          $fatal(1, "cycle %0d: more is %0d behind %0d passes", c, capsule.more, rounds[2]);
      end
      valid = $urandom_range(4) != 0;
      // Nothing comes while TENANT is written: which packet sees it first is not the subject here.
      if (c % 64 >= 60) valid = 1'b0;
      if (c % 64 == 63) begin
        came = '0;
        write_tenant($urandom_range(int'(Entries) - 1), capsule_random_tenant());
        read_tenant($urandom_range(int'(Entries) - 1));
      end
      module_row = $urandom_range(9) == 0 ? $urandom_range(int'(NumModules) - 1)
                                          : $urandom_range(3) * int'(NumModules) / 4;
      bank   = Banks == 2 ? $urandom_range(1) : 0;
      active = $urandom_range(15) != 0;
      row    = overlay_t'(bank * int'(NumModules) + module_row);
      if (valid) capsule_frame(module_row, bank, 32'(active), frame);
      header = frame;
      round  = 8'($urandom_range(1) == 0 ? $urandom_range(3) : $urandom_range(255));
      came   = {came[1:0], valid};
      rounds = {rounds[1:0], round};
      passes = $urandom_range(7) != 0;
      passed = {passed[1:0], passes};
      waited = waited_t'($urandom);
      waits  = {waits[1:0], waited};
      banks  = {banks[1:0], bank[0]};
    end
    capsule_counts(executed, known, endless);
    pass($sformatf("%0d packets, %0d executed, %0d with known ids, %0d lists without an end",
                   packets, executed, known, endless));
  end
endmodule : tb_sluice_capsule_parser
