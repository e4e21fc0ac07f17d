// SPDX-License-Identifier: Apache-2.0

/// Test of the control port with a daisy chain of two nodes: random frames (reconfiguration packets
/// of every kind, and what is none) with random stalls everywhere, and register accesses at the
/// same time. A model of the three tables says what each frame does: contents, answers (every
/// byte), RECONFIG_COUNT and RECONFIG_BAD must agree, and each entry that is written must come on the
/// chain in as many words as it has. Registers are modelled one by one; what
/// overlaps may be seen before or after. In a chip with two banks each phase has other modules that
/// take bank 1, and other banks with packets inside: what is written through one that is not taken,
/// and has some, must be refused, entry by entry; and CHIP.BANK is taken only while no frame is
/// served.
/// +seed=N, +frames=N, +break=N (see the file `breaks`).
module tb_sluice_ctrl
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
;
  localparam int ParserRows = 32 * int'(Banks), MatchRows = 200, ActionDepth = 20,
                 LongRows = 24;
  localparam int Phase = 100, Longest = 9700, Beat = int'(BeatBytes);

  // A cycle: choose inputs, move them at `apply`, see who takes what, clock.
  `include "bench.svh"
  logic        apply = 1'b0;
  int unsigned frames = 10000;

  // ---- DUT
  logic                rx_valid = 1'b0, rx_valid_dut = 1'b0, rx_ready;
  logic                rx_last = 1'b0, rx_last_dut = 1'b0;
  logic [BeatBits-1:0] rx_data = '0, rx_data_dut = '0, tx_data;
  logic [BeatBytes-1:0] rx_keep = '0, rx_keep_dut = '0, tx_keep;
  logic                tx_valid, tx_last, tx_ready = 1'b0, tx_ready_dut = 1'b0;
  logic                aw_valid = 1'b0, aw_valid_dut = 1'b0, aw_ready;
  logic                w_valid = 1'b0, w_valid_dut = 1'b0, w_ready;
  logic                ar_valid = 1'b0, ar_valid_dut = 1'b0, ar_ready;
  logic [19:0]         aw_addr = '0, aw_addr_dut = '0, ar_addr = '0, ar_addr_dut = '0;
  logic [31:0]         w_data = '0, w_data_dut = '0, r_data;
  logic [3:0]          w_strb = '1, w_strb_dut = '1;
  logic                b_valid, b_ready = 1'b0, b_ready_dut = 1'b0;
  logic                r_valid, r_ready = 1'b0, r_ready_dut = 1'b0;
  logic [1:0]          b_resp, r_resp;
  csr_req_t            csr_req;
  csr_rsp_t            csr_rsp = '0, csr_rsp_dut = '0;
  settings_t           settings;
  logic [31:0]         cycle_count, error_code = '0, error_code_dut = '0;
  logic                fill_busy = 1'b0, fill_busy_dut = 1'b0, error = 1'b0, error_dut = 1'b0;
  logic [2:0]          stall = '0, stall_dut = '0;
  logic                spoil = 1'b0, spoil_dut = 1'b0;
  localparam logic [15:0] InFlight = 16'h1234;
  // as many as there can be
  localparam logic [InsideBits-1:0] Inside = InsideBits'(NumPipes * HeaderSlots);
  localparam int          BankRows = int'(Banks * NumModules);
  logic [BankRows-1:0] inside_bank = '0, inside_bank_dut = '0;

  logic   aw_ready_seen;
  assign  aw_ready = aw_ready_seen && !(mutant == 16 && !aw_valid_dut);

  chain_t head, tail, tail_seen;
  logic   head_ready, tail_ready;
  logic chain_busy, refuse, bank_refused = 1'b0, cut_refused = 1'b0;
  cut_status_t cut = '0, cut_dut = '0;
  logic unused_ctl_busy;
  sluice_ctrl u_dut (
    .clk_i(clk), .rst_ni(rst_n),
    .ctl_rx_i({rx_valid_dut, rx_last_dut, rx_keep_dut, rx_data_dut}), .ctl_rx_ready_o(rx_ready),
    .ctl_tx_o({tx_valid, tx_last, tx_keep, tx_data}), .ctl_tx_ready_i(tx_ready_dut),
    .axil_i('{awvalid: aw_valid_dut, awaddr: aw_addr_dut, wvalid: w_valid_dut, wdata: w_data_dut,
              wstrb: w_strb_dut, bready: b_ready_dut,
              arvalid: ar_valid_dut, araddr: ar_addr_dut, rready: r_ready_dut}),
    .axil_o({aw_ready_seen, w_ready, b_valid, b_resp, ar_ready, r_valid, r_resp, r_data}),
    .chain_o(head), .chain_ready_i(head_ready), .chain_i(tail_seen), .chain_ready_o(tail_ready),
    .chain_busy_o(chain_busy), .refuse_o(refuse),
    .csr_req_o(csr_req), .csr_rsp_i(csr_rsp_dut),
    .settings_o(settings), .cycle_o(cycle_count), .fill_busy_i(fill_busy_dut),
    .in_flight_i(InFlight), .inside_i(inside_dut), .relocated_i(away_dut),
    .inside_bank_i(inside_bank_dut), .cut_i(cut_dut), .ctl_busy_o(unused_ctl_busy),
    .flip_i('0), .turning_i(1'b0), .error_i(error_dut), .error_code_i(error_code_dut)
  );
  ctrl_chain #(.ParserRows(ParserRows), .MatchRows(MatchRows), .ActionDepth(ActionDepth),
               .LongRows(LongRows)) u_chain (
    .clk_i(clk), .rst_ni(rst_n), .stall_i(stall_dut), .break_i(mutant),
    .spoil_i(spoil_dut), .refuse_i(refuse && mutant != 17),
    .chain_i(head), .chain_ready_o(head_ready), .chain_o(tail), .chain_ready_i(tail_ready)
  );
  always_comb begin
    tail_seen = tail;
    if (mutant == 12 && spoil_dut && !tail.first) tail_seen.last = 1'b0;
  end

  // An entry that is written, on the chain.
  logic [6:0]  written_q;                        // {module, sub} of its table
  logic [3:0]  words_q;
  /* verilator lint_save */
  /* verilator lint_off UNUSEDSIGNAL */
  table_info_t written;
  /* verilator lint_restore */
  logic [9:0]  written_bits;
  assign written      = table_info(sluice_layout_pkg::table_of(written_q[6:4], written_q[3:0]));
  assign written_bits = mutant == 23 && written.width == 10'd160 ? 10'd193 : written.width;
  always_ff @(posedge clk) if (rst_n && head.valid && head_ready) begin
    if (head.first) begin
      written_q <= head.data[54:48];
      words_q   <= '0;
    end else begin
      words_q <= words_q + 4'd1;
      if (head.last != (64 * (32'(words_q) + 1) >= 32'(written_bits)))
        fail($sformatf("word %0d of an entry of %0d bits", words_q, written_bits));
    end
  end

  // Cycles since the reset.
  logic [31:0] since_q = '0;
  always_ff @(posedge clk) if (!rst_n) since_q <= '0;
  else begin
    since_q <= since_q + 32'd1;
    if (cycle_count != since_q) fail($sformatf("cycle %0d is told as %0d", since_q, cycle_count));
  end

  always @(posedge clk) if (mutant == 20) force u_dut.u_chip_regs.bank = 1'b0;

  always_ff @(posedge apply) begin
    rx_valid_dut   <= rx_valid;
    if (!(mutant == 14 && spoil && sent == 2 * Beat)) rx_data_dut <= rx_data;
    rx_keep_dut    <= mutant == 4 && spoil && rx_last ? rx_keep >> 1 : rx_keep;
    rx_last_dut    <= rx_last;
    tx_ready_dut   <= tx_ready;
    aw_valid_dut   <= aw_valid;
    aw_addr_dut    <= mutant == 11 && aw_addr == 20'(RegChipPace) ? 20'(RegChipBrake) : aw_addr;
    w_valid_dut    <= w_valid;
    w_data_dut     <= w_data;
    w_strb_dut     <= mutant == 15 ? '1 : w_strb;
    b_ready_dut    <= b_ready;
    ar_valid_dut   <= ar_valid;
    ar_addr_dut    <= ar_addr;
    r_ready_dut    <= r_ready;
    csr_rsp_dut    <= mutant == 10 && spoil ? '0 : csr_rsp;
    fill_busy_dut  <= fill_busy;
    error_dut      <= error && !(mutant == 5 && spoil);
    error_code_dut <= error_code;
    stall_dut      <= stall;
    inside_dut     <= mutant == 13 ? '0 : num_inside;
    away_dut       <= away && mutant != 22;
    inside_bank_dut <= mutant == 18 ? '1
                     : mutant == 19 ? inside_bank & ~BankRows'(1 << 5) : inside_bank;
    spoil_dut      <= spoil;
    cut_dut        <= mutant == 21 ? '0 : cut;
  end

  // ---- the model of the tables
  logic [TableParserWidth-1:0] parser [ParserRows];
  logic [TableMatchWidth-1:0]  match [MatchRows], copy [MatchRows];
  logic [TableActionWidth-1:0] action [ActionDepth];
  logic [TableStateRowWidth-1:0] row [LongRows];
  logic [TableTernaryWidth-1:0]  ternary [LongRows];
  int good = 0, bad = 0, frame_number = 0;
  int seen_good = 0, seen_refused = 0, seen_long = 0, seen_short = 0, seen_wrap = 0, seen_carry = 0;
  int seen_answers = 0, seen_errors = 0, seen_decerr = 0, seen_slverr = 0, seen_bytes = 0;
  int seen_inside = 0, seen_bank_refused = 0, seen_bank_taken = 0;
  int seen_cut_refused = 0, seen_cut_taken = 0;

  logic [7:0]          frame [Longest];
  int                  len = 0, sent = 0;        // bytes; of them the port has taken
  logic [BeatBits-1:0] answer [$];               // beats that must come
  logic                answer_last [$];

  typedef enum int {Parser, Match, Action, Row, Ternary, Unowned, Unknown} table_e;

  // Three of the tables answer to several names; the others belong to nobody here.
  function automatic table_e table_of();
    logic [4:0] stage;
    logic [2:0] resource;
    logic [3:0] sub;
    {stage, resource} = frame[46];
    sub = frame[47][3:0];
    if (resource == 3'd0) return Parser;
    if ({stage, resource, sub} == {5'd1, TableStateRowModule, TableStateRowSub}) return Row;
    if ({stage, resource, sub} == {5'd1, TableTernaryModule, TableTernarySub}) return Ternary;
    if (resource == 3'd7 || (resource == 3'd4 && sub > 4'd4) || (resource == 3'd6 && sub > 4'd2))
      return Unknown;
    if (resource != 3'd2 || stage != 5'd1) return Unowned;
    return sub == 4'd0 ? Match : Action;
  endfunction

  // Rows, bytes of an entry, and bytes from one entry to the next, which are whole blocks.
  function automatic int rows_of(table_e which);
    case (which)
      Parser:       return ParserRows;
      Match:        return MatchRows;
      Action:       return ActionDepth;
      Row, Ternary: return LongRows;
      default:      return 0;
    endcase
  endfunction
  function automatic int bytes_of(table_e which);
    case (which)
      Parser:  return 20;
      Match:   return 26;
      Row:     return 64;
      Ternary: return 72;
      default: return 79;
    endcase
  endfunction
  function automatic int stride_of(table_e which);
    return which inside {Action, Ternary} ? 128 : 64;
  endfunction

  function automatic logic [EntryBits-1:0] entry_at(int at);
    logic [EntryBits-1:0] e;
    for (int n = 0; n < EntryBits / 8; n++) e[EntryBits-1-8*n -: 8] = frame[at+n];
    return e;
  endfunction

  function automatic bit is_reconfig();
    return len >= 64 && {frame[12], frame[13]} == 16'h8100 && {frame[16], frame[17]} == 16'h0800
        && frame[27] == 8'h11 && {frame[40], frame[41]} == 16'hf1f2;
  endfunction

  function automatic logic [15:0] fold(int unsigned sum);
    int unsigned s;
    s = sum;
    while (s > 32'hffff) s = (s & 32'hffff) + (s >> 16);
    return 16'(s);
  endfunction

  // Sum of the IPv4 header in a first block; all ones if its checksum is right.
  function automatic logic [15:0] header_sum(logic [511:0] b);
    int unsigned s;
    s = 0;
    for (int n = 18; n < 38; n += 2) s += 32'({b[8*n +: 8], b[8*(n+1) +: 8]});
    return fold(s);
  endfunction

  // A block of 64 bytes that must come.
  task automatic expect_block(logic [511:0] b, bit last);
    for (int at = 0; at < 64; at += Beat) begin
      answer.push_back(b[8*at +: BeatBits]);
      answer_last.push_back(last && at + Beat == 64);
    end
  endtask

  task automatic expect_answer(table_e which, int index, int count);
    logic [511:0]         b, asked;
    logic [EntryBits-1:0] e;
    logic [15:0]          length, checksum;
    int unsigned          sum;
    for (int n = 0; n < 64; n++) b[8*n +: 8] = frame[n];
    asked    = b;
    length   = 16'(46 + count * stride_of(which));
    sum      = 32'(16'(~{frame[28], frame[29]})) + 32'(16'(~{frame[20], frame[21]})) + 32'(length);
    if ((sum & 32'hffff) + (sum >> 16) > 32'hffff) seen_carry++;
    checksum = ~fold(sum);
    {b[8*20 +: 8], b[8*21 +: 8]} = length;
    {b[8*28 +: 8], b[8*29 +: 8]} = checksum;
    {b[8*42 +: 8], b[8*43 +: 8]} = length - 16'd20;
    {b[8*44 +: 8], b[8*45 +: 8]} = '0;
    b[8*53 +: 8] = count == 0 ? 8'(ChainRefused) : 8'(ChainAnswer);
    if (header_sum(asked) == '1 && header_sum(b) != '1) fail("the model's checksum");
    expect_block(b, count == 0);
    for (int i = 0; i < count; i++) begin
      e = '0;
      case (which)
        Parser:  e[EntryBits-1 -: TableParserWidth] = parser[index+i];
        Match:   e[EntryBits-1 -: TableMatchWidth]  = match[index+i];
        Row:     e[EntryBits-1 -: TableStateRowWidth] = row[index+i];
        Ternary: e[EntryBits-1 -: TableTernaryWidth]  = ternary[index+i];
        default: e[EntryBits-1 -: TableActionWidth] = action[index+i];
      endcase
      for (int n = 0; n < 64; n++) b[8*n +: 8] = e[EntryBits-1-8*n -: 8];
      expect_block(b, i == count - 1 && stride_of(which) == 64);
      if (stride_of(which) == 128) begin
        b = '0;
        for (int n = 64; n < EntryBits / 8; n++) b[8*(n-64) +: 8] = e[EntryBits-1-8*n -: 8];
        expect_block(b, i == count - 1);
      end
    end
  endtask

  // A write through entry {bank, row} of a bank that is not taken, and that packets are inside of.
  function automatic bit is_inside(int entry);
    if (Banks == 1 || entry >= BankRows) return 1'b0;
    return inside_bank[entry]
        && value[RegChipBank[7:2]][entry % int'(NumModules)] != 1'(entry / int'(NumModules));
  endfunction

  // What the frame does, as docs/machine.md has it.
  task automatic obey();
    table_e which;
    int     index, count, rows, bytes, stride, entries;
    bit     ok;
    ok    = 1'b0;
    which = table_of();
    index = int'({frame[55], frame[48]});
    count = frame[57] == '0 ? 1 : int'(frame[57]);
    rows   = rows_of(which);
    bytes  = bytes_of(which);
    stride = stride_of(which);
    if (len > int'(MaxBytes)) seen_long++;
    if (is_reconfig()) case (frame[53])
      8'(ChainWrite): begin
        entries = 0;
        ok      = rows != 0;
        for (int at = 64; at + bytes <= len && rows != 0; at += stride) begin
          entries++;
          if (at + bytes > int'(MaxBytes)) ok = 1'b0;
          else if (index >= rows || (which == Action && frame[at] == 8'hee)) begin
            ok = 1'b0;
            seen_refused++;
            if (index > 65535) seen_wrap++;
          end else if (which == Parser && is_inside(index)) begin
            ok = 1'b0;
            seen_inside++;
          end else case (which)
            Parser:
              parser[index] = TableParserWidth'(entry_at(at) >> (EntryBits - TableParserWidth));
            Match: begin
              match[index] = TableMatchWidth'(entry_at(at) >> (EntryBits - TableMatchWidth));
              copy[index]  = match[index];
            end
            Row:
              row[index] = TableStateRowWidth'(entry_at(at) >> (EntryBits - TableStateRowWidth));
            Ternary:
              ternary[index] = TableTernaryWidth'(entry_at(at) >> (EntryBits - TableTernaryWidth));
            default:
              action[index] = TableActionWidth'(entry_at(at) >> (EntryBits - TableActionWidth));
          endcase
          index++;
        end
        if (len > 64 + entries * stride) seen_short++;
        ok = ok && entries > 0 && len <= int'(MaxBytes);
      end
      8'(ChainRead): if (len <= int'(MaxBytes)) begin
        ok = rows != 0 && count <= 128 && index + count <= rows;
        expect_answer(which, index, ok ? count : 0);
      end
      8'(ChainErase): if (len <= int'(MaxBytes)) begin
        ok = which == Match && index < rows;
        if (ok) match[index] = '0;
      end
      default: ;
    endcase
    if (ok) good++;
    else bad++;
    if (ok) seen_good++;
  endtask

  // ---- frames
  localparam int MarkBytes [7] = '{12, 13, 16, 17, 27, 40, 41};
  task automatic make_frame();
    int          kind, rows, stride, bytes, at;
    int unsigned sum;
    frame_number++;
    for (int n = 0; n < Longest; n++) frame[n] = 8'(rnd(256));
    frame[12] = 8'h81;
    frame[13] = 8'h00;
    {frame[16], frame[17]} = 16'h0800;
    frame[27] = 8'h11;
    {frame[40], frame[41]} = 16'hf1f2;
    // the table
    kind = rnd(100);
    frame[46][2:0] = kind < 30 ? 3'd0 : kind < 80 ? 3'd2 : 3'(rnd(8));
    if (kind >= 30 && rnd(20) != 0) frame[46][7:3] = 5'd1;
    if (kind >= 30 && kind < 60) frame[47][3:0] = 4'd0;
    if (kind >= 88 && kind < 94)
      {frame[46], frame[47][3:0]} = {5'd1, TableStateRowModule, TableStateRowSub};
    if (kind >= 94) {frame[46], frame[47][3:0]} = {5'd1, TableTernaryModule, TableTernarySub};
    rows   = rows_of(table_of()) == 0 ? ActionDepth : rows_of(table_of());
    bytes  = bytes_of(table_of());
    stride = stride_of(table_of());
    // where and what
    kind  = rnd(100);
    {frame[55], frame[48]} = 16'(kind < 70 ? rnd(rows) : kind < 90 ? rows - 1 - rnd(4)
                                 : kind < 96 ? rnd(65536) : 65535 - rnd(2));
    kind = rnd(100);
    frame[53] = kind < 50 ? 8'(ChainWrite) : kind < 82 ? 8'(ChainRead)
              : kind < 95 ? 8'(ChainErase) : frame[53];
    if (kind >= 82 && kind < 90) {frame[46], frame[47]} = 16'h0a00;      // MATCH of stage 1
    kind = rnd(100);
    frame[57] = 8'(kind < 60 ? rnd(6) : kind < 85 ? rnd(130) : rnd(256));
    kind = rnd(100);
    if (frame[53] == 8'(ChainWrite)) begin
      len = 64 + stride * (rnd(20) == 0 ? rnd(60) : rnd(5));
      len += kind < 70 ? bytes : kind < 80 ? bytes - 1 : kind < 90 ? stride : rnd(stride);
    end else len = kind < 70 ? 64 : 64 + rnd(200);
    for (int n = 64; n < len; n += stride) if (rnd(8) == 0) frame[n] = 8'hee;
    // at the end of the legal length, and behind
    kind = rnd(200);
    if (kind == 0) len = int'(MaxBytes);
    if (kind == 1) len = int'(MaxBytes) + 1 + rnd(300);
    // none at all
    if (kind >= 2 && kind < 16) frame[MarkBytes[kind % 7]] ^= 8'(1 + rnd(255));
    if (kind >= 16 && kind < 22) len = 1 + rnd(63);
    // an IPv4 header with its checksum, mostly; or one whose answer's checksum carries twice
    if (rnd(4) != 0) begin
      frame[18] = 8'h45;
      {frame[20], frame[21]} = 16'(len - 18);
      {frame[28], frame[29]} = '0;
      sum = 0;
      for (int n = 18; n < 38; n += 2) sum += 32'({frame[n], frame[n+1]});
      {frame[28], frame[29]} = ~fold(sum);
    end else if (rnd(2) == 0) begin
      at = frame[57] == '0 ? 1 : int'(frame[57]);
      at = 46 + (rnd(2) == 0 ? 0 : at * stride);
      {frame[28], frame[29]} = 16'(rnd(40));
      {frame[20], frame[21]} = 16'(at - 1 - int'({frame[28], frame[29]}));
    end
    sent = 0;
    obey();
  endtask

  // ---- registers: their values, and what a read that is under way may see
  localparam int NumRegs = 64;   // words of the block, gaps included
  logic [31:0] value [NumRegs];
  logic [31:0] allowed [$];
  logic [InsideBits-1:0] num_inside = Inside, inside_dut = Inside;
  bit          away = 1'b1, away_dut = 1'b1;     // indices are
  bit          random_regs = 1'b0, reading = 1'b0, writing = 1'b0, aw_taken = 1'b0, w_taken = 1'b0;
  logic [4:0]  outputs;
  int          read_since, write_since, rsp_wait = 0, clears = 0;
  logic [31:0] rsp_value, read_data;
  logic [31:0] first_cycle;

  // Registers of the chip, as docs/tables.md lists them.
  function automatic bit is_chip(logic [19:0] a);
    return a[1:0] == 2'b00 && (a <= 20'h4 || (a >= 20'h18 && a <= 20'h4c)
                               || (a >= 20'h60 && a <= 20'h7c) || (a >= 20'h80 && a <= 20'hc0)
                               || (a >= 20'he0 && a <= 20'hfc));
  endfunction
  // Those of another block: 32 drop counters of each module, all to be read only.
  function automatic bit is_other(logic [19:0] a);
    return a[1:0] == 2'b00 && a >= 20'h5000 && a < 20'h5000 + 20'(128 * NumModules);
  endfunction
  function automatic bit can_be_written(logic [19:0] a);
    return is_chip(a) && (a == 20'h1c || a == 20'h24 || (a >= 20'h30 && a <= 20'h40)
                         || (a >= 20'h60 && a <= 20'h70) || a == 20'h7c
                         || (a >= 20'h80 && a <= 20'h8c) || a == 20'h98 || a == 20'h9c
                         || (a >= 20'he0 && a <= 20'hfc));
  endfunction
  localparam mode_t NoPhantoms = '{no_phantoms: 1'b1, default: '0};
  function automatic bit no_phantoms(logic [31:0] d);
    return (d & 32'(NoPhantoms)) != '0;
  endfunction
  function automatic bit refused_now(logic [19:0] a, logic [31:0] d);
    if (a == 20'(RegChipBank)) return Banks == 1 || bank_refused;
    if (a == 20'(RegChipCut)) return CutStages == 0 || cut_refused;
    // While indices are away SETS stays as it is, and whether there are phantoms.
    if (away && (a == 20'(RegChipSets) || (a == 20'(RegChipMode)
        && no_phantoms(d) != no_phantoms(value[RegChipMode[7:2]]))))
      return 1'b1;
    return (a == 20'(RegChipSets) || a == 20'(RegChipMode)) && num_inside != '0;
  endfunction
  // What a write of some bytes makes of a register: the others keep what it holds. CONTROL reads 0.
  function automatic logic [31:0] with_bytes(logic [11:0] a);
    logic [31:0] merged;
    merged = a == RegChipControl ? '0 : value[a[7:2]];
    for (int b = 0; b < 4; b++) if (w_strb[b]) merged[8*b +: 8] = w_data[8*b +: 8];
    return merged;
  endfunction
  function automatic logic [31:0] other_value(logic [19:0] a);
    return {a[11:0], a} * 32'd2654435761;
  endfunction
  function automatic logic [31:0] mask_of(logic [11:0] a);
    if (a >= RegChipClassEcn && a < RegChipClassEcn + 12'd32)
      return ((32'(a) - 32'(RegChipClassEcn)) >> 2) + 1 <= OutputClasses ? 32'h7ff : '0;
    case (a)
      RegChipBitmap,
      RegChipRecall:      return 32'((64'd1 << NumModules) - 64'd1);
      RegChipCut:         return CutStages != 0 ? 32'((64'd1 << NumModules) - 64'd1) : '0;
      RegChipBank:        return Banks == 2 ? 32'((64'd1 << NumModules) - 64'd1) : '0;
      RegChipPace:        return 32'hff;
      RegChipBrake:       return 32'hffff;
      RegChipLaneLimit:   return 32'h1fff;
      RegChipOutputLimit: return 32'h7ff;
      RegChipClassCosts:
        return OutputClasses != 0 ? 32'((64'd1 << 4 * OutputClasses) - 64'd1) : '0;
      RegChipClassStrict: return 32'((1 << OutputClasses) - 1);
      RegChipMode:        return 32'((1 << ModeWidth) - 1);
      RegChipEcnQueue:    return 32'hffff;
      RegChipEcnLane:     return 32'h1fff;
      RegChipMovePeriod:  return 32'hffff;
      RegChipMoveLeast,
      RegChipMoveQuota:   return 32'hff;
      RegChipSets:        return 32'h7;
      RegChipFault:       return TestFaults != 0 ? 32'((1 << NumFaults) - 1) : '0;
      default:            return '0;
    endcase
  endfunction

  // What a register holds after a write: SETS takes what there can be; SETS and MODE change only
  // while nothing is inside, and SETS and NO_PHANTOMS only while no index is away.
  function automatic logic [31:0] stored(logic [11:0] a, logic [31:0] d);
    logic [31:0] kept;
    kept = d & mask_of(a);
    if (!can_be_written(20'(a)) || refused_now(20'(a), d)) return value[a[7:2]];
    if (a != RegChipSets) return kept;
    return kept > 32'($clog2(NumPipes)) ? 32'($clog2(NumPipes)) : kept;
  endfunction

  function automatic logic [19:0] some_address();
    case (rnd(8))
      0:       return 20'h5000 + 20'(rnd(4096));
      1:       return 20'(rnd(4096));
      // Nothing is there: behind the last block, or a lane that the chip does not have.
      2:       return rnd(2) == 0 ? 20'h80000 | 20'(rnd(1 << 20))
                 : 20'h01000 + 20'(256 * int'(NumPipes) + rnd(4096 - 256 * int'(NumPipes)));
      default: return 20'(4 * rnd(NumRegs));
    endcase
  endfunction

  task automatic start_read(logic [19:0] a);
    reading    = 1'b1;
    read_since = now;
    ar_addr    = a;
    ar_valid   = 1'b1;
    allowed.delete();
    allowed.push_back(value[a[7:2]]);
    if (writing && aw_addr == a) allowed.push_back(stored(a[11:0], with_bytes(a[11:0])));
    first_cycle = cycle_count;
  endtask

  task automatic start_write(logic [19:0] a, logic [31:0] d);
    writing     = 1'b1;
    write_since = now;
    aw_addr     = a;
    w_data      = d;
    w_strb      = random_regs && rnd(3) == 0 ? 4'(rnd(16)) : '1;
    {aw_taken, w_taken} = '0;
    if (reading && ar_addr == a) allowed.push_back(stored(a[11:0], with_bytes(a[11:0])));
  endtask

  task automatic end_read();
    bit ok;
    reading   = 1'b0;
    read_data = r_data;
    if (!is_chip(ar_addr) && !is_other(ar_addr)) begin
      seen_decerr++;
      if (r_resp != 2'b11) fail("no DECERR");
    end else begin
      if (r_resp != 2'b00) fail("a register does not answer");
      if (is_other(ar_addr)) begin
        if (r_data != other_value(ar_addr)) fail("another block's register");
      end else case (ar_addr[11:0])
        RegChipCycles: if (r_data < first_cycle || r_data > cycle_count) fail("CYCLES");
        RegChipStatus: if (r_data[31:2] != '0 || r_data[0] != settings.lane.ready) fail("STATUS");
        RegChipReconfigCount: if (r_data > 32'(good)) fail("RECONFIG_COUNT is ahead");
        RegChipReconfigBad:   if (r_data > 32'(bad)) fail("RECONFIG_BAD is ahead");
        default: begin
          ok = 1'b0;
          for (int i = 0; i < allowed.size(); i++) ok |= r_data == allowed[i];
          if (!ok) fail($sformatf("register %03x reads %08x, not %08x", ar_addr, r_data,
                                 allowed[0]));
        end
      endcase
    end
  endtask

  task automatic end_write();
    logic [1:0] wanted;
    writing = 1'b0;
    wanted = !is_chip(aw_addr) && !is_other(aw_addr)                            ? 2'b11
           : !can_be_written(aw_addr)                                           ? 2'b10
           : refused_now(aw_addr, with_bytes(aw_addr[11:0])) && w_strb != '0    ? 2'b10 : 2'b00;
    if (b_resp != wanted)
      fail($sformatf("a write of %05x is answered with %0d, not %0d", aw_addr, b_resp, wanted));
    if (wanted == 2'b10) seen_slverr++;
    if (aw_addr == 20'(RegChipBank) && wanted == 2'b10) seen_bank_refused++;
    if (aw_addr == 20'(RegChipCut) && wanted == 2'b10) seen_cut_refused++;
    if (aw_addr == 20'(RegChipCut) && wanted == 2'b00) seen_cut_taken++;
    if (aw_addr == 20'(RegChipBank) && wanted == 2'b00) seen_bank_taken++;
    if (wanted == 2'b00 && w_strb != '1 && mask_of(aw_addr[11:0]) != '0) seen_bytes++;
    if (is_chip(aw_addr) && mask_of(aw_addr[11:0]) != '0)
      value[aw_addr[7:2]] = stored(aw_addr[11:0], with_bytes(aw_addr[11:0]));
  endtask

  // Settings follow the registers.
  task automatic check_settings();
    if (32'(settings.lane.bitmap) != value[RegChipBitmap[7:2]]
        || 32'(settings.order.pace) != value[RegChipPace[7:2]]
        || 32'(settings.order.brake) != value[RegChipBrake[7:2]]
        || 32'(settings.lane.lane_limit) != value[RegChipLaneLimit[7:2]]
        || 32'(settings.tm.output_limit) != value[RegChipOutputLimit[7:2]]
        || 32'(settings.order.mode) != value[RegChipMode[7:2]]
        || 32'(settings.order.ecn_queue) != value[RegChipEcnQueue[7:2]]
        || 32'(settings.lane.ecn_lane) != value[RegChipEcnLane[7:2]]
        || 32'(settings.moves.move_period) != value[RegChipMovePeriod[7:2]]
        || 32'(settings.moves.move_least) != value[RegChipMoveLeast[7:2]]
        || 32'(settings.moves.move_quota) != value[RegChipMoveQuota[7:2]]
        || 32'(settings.moves.recall) != value[RegChipRecall[7:2]]
        || 32'(settings.lane.bank) != value[RegChipBank[7:2]]
        || 32'(settings.order.cut) != value[RegChipCut[7:2]]
        || settings.order.set_mask != pipe_t'(NumPipes - (NumPipes >> value[RegChipSets[7:2]]))
        || (OutputClasses != 0 && 32'(settings.tm.class_costs) != value[RegChipClassCosts[7:2]])
        || (OutputClasses != 0 && 32'(settings.tm.class_strict) != value[RegChipClassStrict[7:2]])
        || 32'(settings.lane.fault) != value[RegChipFault[7:2]]) fail("settings");
    for (int c = 0; c < int'(OutputQueues); c++)
      if (32'(settings.exit.class_ecn[c]) != value[6'(RegChipClassEcn[7:2]) + 6'(c)])
        fail($sformatf("threshold of class %0d", c));
  endtask

  // ---- a cycle
  int rx_rate = 50, tx_rate = 50, stall_rate = 50;
  task automatic cycle();
    spoil = rnd(8) == 0;
    // frames
    if (!rx_valid && sent < len && rnd(100) < rx_rate) begin
      rx_valid = 1'b1;
      rx_last  = sent + Beat >= len;
      for (int n = 0; n < Beat; n++) begin
        rx_keep[n]        = sent + n < len;
        rx_data[8*n +: 8] = sent + n < len ? frame[sent+n] : 8'(rnd(256));
      end
    end
    tx_ready = rnd(100) < tx_rate;
    for (int i = 0; i < 3; i++) stall[i] = rnd(100) < stall_rate;
    // registers
    if (random_regs && !reading && !writing && rnd(10) == 0) begin
      num_inside = num_inside == '0 ? Inside : '0;
      away       = rnd(2) == 0;
      value[RegChipInside[7:2]] = 32'(num_inside);
    end
    if (random_regs && !reading && rnd(10) == 0) start_read(some_address());
    if (random_regs && !writing && rnd(10) == 0) begin
      start_write(some_address(), 32'(rnd(1 << 16)) << 12 ^ 32'(rnd(1 << 16)));
      if (aw_addr[19:2] == 18'(RegChipControl[11:2])) w_data[0] = 1'b0;
      // Frames on their way have been worked out for the banks as they are.
      if (aw_addr[19:2] == 18'(RegChipBank[11:2])) w_data = value[RegChipBank[7:2]];
    end
    if (writing) begin
      aw_valid |= !aw_taken && rnd(3) == 0;
      w_valid  |= !w_taken && rnd(3) == 0;
    end
    b_ready = rnd(3) == 0;
    r_ready = rnd(3) == 0;
    csr_rsp = '0;
    if (rsp_wait > 0) begin
      rsp_wait--;
      if (rsp_wait == 0) csr_rsp = '{valid: 1'b1, refused: 1'b0, rdata: rsp_value};
    end
    // internal errors: the first one stays
    error      = random_regs && rnd(1000) == 0;
    error_code = {8'(1 + rnd(3)), 24'(rnd(1 << 24))};
    #1 outputs = {aw_ready, w_ready, ar_ready, b_valid, r_valid};
    apply = 1'b1;
    #1 apply = 1'b0;
    if (outputs != {aw_ready, w_ready, ar_ready, b_valid, r_valid})
      fail("an output follows an input within the cycle");
    // who takes what
    if (head.valid && head.first && !chain_busy)
      fail("a message is on the chain, and it is not told");
    if (rx_ready && !settings.lane.ready) fail("a frame is taken before the chip is ready");
    if (rx_valid && rx_ready) begin
      rx_valid = 1'b0;
      sent    += Beat;
    end
    if (tx_valid && tx_ready) begin
      if (answer.size() == 0) fail("an answer that nobody asked for");
      if (tx_data != answer[0] || tx_keep != '1 || tx_last != answer_last[0]) begin
        $display("got  %h %b\nwant %h %b", tx_data, tx_last, answer[0], answer_last[0]);
        fail("answer");
      end
      if (tx_last) seen_answers++;
      void'(answer.pop_front());
      void'(answer_last.pop_front());
    end
    if (csr_req.valid && is_other(csr_req.addr)) begin
      rsp_wait  = 1 + rnd(31);
      rsp_value = csr_req.write ? '0 : other_value(csr_req.addr);
    end
    if (csr_req.valid && csr_req.write && csr_req.addr == 20'(RegChipBank))
      bank_refused = u_dut.ctl_busy;
    // A cut begins where there is none, and ends when it is ready.
    if (csr_req.valid && csr_req.write && csr_req.addr == 20'(RegChipCut))
      cut_refused = (cut.busy || value[RegChipCut[7:2]] != '0)
                 && (NumModules'(csr_req.wdata) != '0 || !cut.ready);
    if (settings.lane.clear) clears++;
    if (error) begin
      seen_errors++;
      if (value[RegChipFirstError[7:2]] == '0) begin
        value[RegChipFirstError[7:2]] = error_code;
        if (reading && ar_addr == 20'(RegChipFirstError)) allowed.push_back(error_code);
      end
    end
    if (!writing) check_settings();
    if (ar_valid && ar_ready) ar_valid = 1'b0;
    if (aw_valid && aw_ready) begin
      aw_valid = 1'b0;
      aw_taken = 1'b1;
    end
    if (w_valid && w_ready) begin
      w_valid = 1'b0;
      w_taken = 1'b1;
    end
    if (r_valid && !reading) fail("a read answered twice");
    if (b_valid && !writing) fail("a write answered twice");
    if (r_valid && r_ready) end_read();
    if (b_valid && b_ready) begin
      end_write();
    end
    if (reading && now - read_since > 400) fail("a read hangs");
    if (writing && now - write_since > 400) fail("a write hangs");
    tick();
  endtask

  // Cycles are run here and nowhere else: Verilator writes the body of a task that takes time once
  // for each call.
  int todo = 0;
  initial forever begin
    wait (todo > 0);
    cycle();
    todo--;
  end
  task automatic run(int count);
    todo = count;
    wait (todo == 0);
  endtask

  task automatic read_register(logic [11:0] a);
    start_read(20'(a));
    while (reading) run(1);
  endtask
  task automatic write_register(logic [11:0] a, logic [31:0] d);
    start_write(20'(a), d);
    while (writing) run(1);
  endtask

  // Until all has come back; then everything must agree.
  task automatic settle();
    int since;
    since = now;
    random_regs = 1'b0;
    while (sent < len || answer.size() != 0 || reading || writing) begin
      run(1);
      if (now - since > 30000) fail("the control port hangs");
    end
    run(50);
    read_register(RegChipReconfigBad);
    while (read_data != 32'(bad)) begin
      if (now - since > 40000) fail($sformatf("RECONFIG_BAD is %0d, not %0d", read_data, bad));
      read_register(RegChipReconfigBad);
    end
    read_register(RegChipReconfigCount);
    while (read_data != 32'(good)) begin
      if (now - since > 40000) fail($sformatf("RECONFIG_COUNT is %0d, not %0d", read_data, good));
      read_register(RegChipReconfigCount);
    end
    if (chain_busy) fail("no message is on the chain, and one is told");
    fill_busy = !fill_busy;
    read_register(RegChipStatus);
    if (read_data[1] != fill_busy) fail("STATUS");
    read_register(RegChipFirstError);
    for (int r = 0; r < ParserRows; r++)
      if (u_chain.u_parser.mem_q[r] != parser[r]) fail($sformatf("PARSER row %0d", r));
    for (int r = 0; r < MatchRows; r++)
      if (u_chain.u_match.mem_q[r] != match[r]) fail($sformatf("MATCH row %0d", r));
    for (int r = 0; r < ActionDepth; r++)
      if (u_chain.u_action.mem_q[r] != action[r]) fail($sformatf("ACTION row %0d", r));
    for (int r = 0; r < LongRows; r++) begin
      if (u_chain.u_row.mem_q[r] != row[r]) fail($sformatf("STATE_ROW row %0d", r));
      if (u_chain.u_ternary.mem_q[r] != ternary[r]) fail($sformatf("TERNARY row %0d", r));
    end
    for (int r = 0; r < MatchRows; r++)
      if (u_chain.copy_q[r] != copy[r]) fail($sformatf("the copy of MATCH row %0d", r));
    if (u_dut.ctl_busy) fail("no frame is served, and one is told");
    if (CutStages != 0) begin
      cut.ticket = 32'(rnd(1 << 30));
      cut.busy   = rnd(3) != 0;
      cut.ready  = cut.busy && rnd(2) == 0;
      value[RegChipCutStatus[7:2]] = 32'({cut.busy, cut.ready});
      value[RegChipCutTicket[7:2]] = cut.ticket;
      run(2);
      write_register(RegChipCut, rnd(2) == 0 ? '0 : 32'(1 + rnd(1 << 16)));
      read_register(RegChipCut);
      read_register(RegChipCutStatus);
      read_register(RegChipCutTicket);
    end
    if (Banks == 2) begin
      for (int e = 0; e < BankRows; e++) inside_bank[e] = rnd(3) == 0;
      value[RegChipInsideBank0[7:2]] = 32'(inside_bank[NumModules-1:0]);
      value[RegChipInsideBank1[7:2]] = 32'(inside_bank[BankRows-1 -: NumModules]);
      write_register(RegChipBank, 32'(rnd(1 << 16)) << 16 ^ 32'(rnd(1 << 16)));
      read_register(RegChipBank);
      read_register(RegChipInsideBank0);
      read_register(RegChipInsideBank1);
    end
    if (rnd(3) == 0) begin
      clears = 0;
      write_register(RegChipControl, 32'd1);
      run(3);
      if (clears != 1) fail("clear is not one cycle");
      {good, bad} = '0;
      value[RegChipFirstError[7:2]] = '0;
      read_register(RegChipReconfigCount);
      if (read_data != '0) fail("RECONFIG_COUNT is not cleared");
      read_register(RegChipReconfigBad);
      if (read_data != '0) fail("RECONFIG_BAD is not cleared");
      read_register(RegChipFirstError);
    end
  endtask

  initial begin
    read_arguments();
    void'($value$plusargs("frames=%d", frames));
    for (int r = 0; r < ParserRows; r++) parser[r] = '0;
    for (int r = 0; r < MatchRows; r++) {match[r], copy[r]} = '0;
    for (int r = 0; r < ActionDepth; r++) action[r] = '0;
    for (int r = 0; r < LongRows; r++) {row[r], ternary[r]} = '0;
    for (int r = 0; r < NumRegs; r++) value[r] = '0;
    value[RegChipId[7:2]]       = LayoutHash;
    value[RegChipVersion[7:2]]  = 32'h534c5501;
    value[RegChipShape0[7:2]]   = {1'(Shifters), 7'(BackStages), 8'(FrontStages), 8'(NumPorts),
                                   8'(NumPipes)};
    value[RegChipShape1[7:2]]   = {8'(NumModules), 1'(HashUnits), 1'(Checksums), 1'(SharedSums),
                                   1'(HeaderBytes == 128), 1'(BeatBytes == 16), 19'(StateEntries)};
    value[RegChipShape2[7:2]]   = {4'(ParseActions), 4'(Num6B), 4'(Num4B), 4'(Num2B),
                                   16'(MatchEntries)};
    value[RegChipShape3[7:2]]   = {1'(StatePairs), 3'(MatchCycles), 4'($clog2(Window)),
                                   6'(StateStages), 10'(PhantomDepth), 8'(BankDepth)};
    value[RegChipShape4[7:2]]   = 32'({1'(WideCompare), 1'(Recirculation),
                                        4'(ActiveIds == 0 ? 0 : $clog2(ActiveIds)), 1'(Active),
                                        20'(CutStages), 1'(Multipliers), 1'(Marks), 2'(Banks)});
    value[RegChipShape5[7:2]]   = {1'(TransmitStore), 1'(DefaultActions), 1'(ActionData),
                                   CuckooEntries == 0 ? 5'd0 : 5'($clog2(CuckooEntries)),
                                   24'(TernaryStages)};
    value[RegChipShape6[7:2]]   = 32'(CuckooStages);
    value[RegChipShape7[7:2]]   = 32'(OutputClasses == 0 ? 0 : $clog2(OutputClasses)) << 29
                                | 32'(ExtraActions) << 12 | 32'(TernaryEntries);
    value[RegChipShape8[7:2]]   = 32'(FlipGuard) << 30
                                | 32'(RateLimits) << 29 | 32'(EntryCounters) << 28
                                | 32'(EgressStages) << 25 | 32'(ArrayWords) << 20
                                | 32'(ArrayStages);
    value[RegChipPace[7:2]]     = 32'd24;
    value[RegChipMoveLeast[7:2]] = 32'd2;
    value[RegChipBrake[7:2]]    = 32'(BankDepth * NumPipes * 3 / 4);
    value[RegChipLaneLimit[7:2]]   = 32'(LaneDepth - LaneDepth / 4);
    value[RegChipOutputLimit[7:2]] = 32'(OutputDepth);
    value[RegChipInFlight[7:2]] = 32'(InFlight);
    value[RegChipInside[7:2]]   = 32'(Inside);
    // A reset while an access is under way and data of another are held: nothing stays of them.
    release_reset(1);
    {w_valid, ar_valid} = '1;
    #1 apply = 1'b1;
    #1 apply = 1'b0;
    repeat (4) @(negedge clk);
    if (w_ready || ar_ready) fail("an access is not under way");
    {w_valid, ar_valid} = '0;
    #1 apply = 1'b1;
    #1 apply = 1'b0;
    rst_n = 1'b0;
    release_reset(2);
    #1 if (!aw_ready || !w_ready || !ar_ready) fail("an access is under way behind a reset");
    @(negedge clk);
    // The first frame waits for the sweep after reset.
    for (int p = 0; p < int'(frames) / Phase; p++) begin
      rx_rate    = p % 4 == 1 ? 100 : 10 + rnd(91);
      tx_rate    = p % 4 == 1 ? 100 : 10 + rnd(91);
      stall_rate = p % 4 == 1 ? 0 : rnd(90);
      random_regs = 1'b1;
      for (int f = 0; f < Phase; f++) begin
        int since;
        since = now;
        make_frame();
        while (sent < len) begin
          run(1);
          if (now - since > 60000) fail("the control port hangs");
        end
      end
      settle();
    end
    if (CutStages != 0 && frames >= 10000 && (seen_cut_refused < 20 || seen_cut_taken < 20))
      fail($sformatf("too tame: CHIP.CUT refused %0d, taken %0d", seen_cut_refused,
                     seen_cut_taken));
    if (Banks == 2 && frames >= 10000
        && (seen_inside < 50 || seen_bank_refused < 20 || seen_bank_taken < 20))
      fail($sformatf("too tame: inside %0d, CHIP.BANK refused %0d, taken %0d", seen_inside,
                     seen_bank_refused, seen_bank_taken));
    if (seen_good < 500 || seen_answers < 400 || seen_refused < 100 || seen_long < 3
        || seen_short < 50 || seen_wrap < 3 || seen_carry < 20 || seen_errors < 20
        || seen_decerr < 100 || seen_slverr < 50 || seen_bytes < 50)
      fail({$sformatf("too tame: good %0d answers %0d refused %0d long %0d short %0d wrapped %0d ",
                      seen_good, seen_answers, seen_refused, seen_long, seen_short, seen_wrap),
            $sformatf("carry %0d errors %0d decerr %0d slverr %0d bytes %0d", seen_carry,
                      seen_errors, seen_decerr, seen_slverr, seen_bytes)});
    pass({$sformatf("%0d frames, %0d good, %0d answers, %0d entries refused, ", frame_number,
                    seen_good, seen_answers, seen_refused),
          $sformatf("%0d of a bank with packets, %0d too long, %0d cycles", seen_inside, seen_long,
                    now)});
  end

  logic unused_bits;
  assign unused_bits = ^{settings, csr_req};
endmodule : tb_sluice_ctrl
