// SPDX-License-Identifier: Apache-2.0

/// Checks sluice_ram and sluice_table of one depth against plain arrays: reads and writes at random,
/// often of the same word in one cycle (which inverts what the RAM reads); outputs must hold between
/// reads. Writes of the table last two cycles; what is read in a cycle is what was there before the write takes
/// effect: at the end of the first cycle, or of the second if the first reads that word. The table is swept by init at first, and once more in between, a few cycles longer than it
/// is deep.
module cell_memory #(
  parameter int unsigned Depth = 16,
  parameter int unsigned Width = 32,
  parameter bit          OneHot = 1'b0           // the sweep gives row r of the table bit r
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          same_o,                    // reads of the word that is written in that cycle
  output int          late_o                     // writes of the table that were read in both their cycles
);
  localparam int unsigned      AddrBits  = Depth > 1 ? $clog2(Depth) : 1;
  localparam logic [Width-1:0] InitValue = {Width{1'b1}} / 3;

  logic [47:0]         bits;
  logic [1:0]          flip;
  logic                spoil;
  logic [AddrBits-1:0] raddr, waddr;
  logic [Width-1:0]    wdata;
  logic [15:0]         now_q;
  cell_random u_random (.clk_i, .rst_ni, .seed_i, .bits_o(bits), .flip_o(flip));
  assign spoil = bits[39:32] == '0;
  assign raddr = AddrBits'(32'(bits[15:0]) % Depth);
  assign waddr = bits[47:46] == '0 ? raddr : AddrBits'(32'(bits[31:16]) % Depth);
  assign wdata = Width'({bits, bits} >> 3);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= '0;
    else         now_q <= now_q + 16'd1;
  end

  // ---- RAM; words are known once written
  logic [Width-1:0] ram_out;
  sluice_ram #(.Depth(Depth), .Width(Width)) u_ram (
    .clk_i,
    .we_i(flip[0] && !(break_i == 5 && spoil)), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(flip[1] || (break_i == 6 && spoil)), .raddr_i(raddr), .rdata_o(ram_out)
  );
  logic [Width-1:0] ram [Depth];
  logic [Width-1:0] ram_want_q;
  logic [Depth-1:0] known_q;
  logic             want_known_q;
  always_ff @(posedge clk_i) begin
    if (flip[0]) ram[waddr] <= wdata;
    if (flip[1]) ram_want_q <= flip[0] && waddr == raddr ? ~ram[raddr] : ram[raddr];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q      <= '0;
      want_known_q <= 1'b0;
      same_o       <= 0;
    end else begin
      if (flip[0]) known_q[waddr] <= 1'b1;
      if (flip[1]) want_known_q   <= known_q[raddr];
      if (flip == '1 && raddr == waddr) same_o <= same_o + 1;
      if (want_known_q && ram_out != ram_want_q) begin
        $display("FAIL RAM of %0d: %h, not %h", Depth, ram_out, ram_want_q);
        $fatal(1);
      end
    end
  end

  // ---- table; the sweep counts up once from 0, with control asking in vain
  logic             init, write, read, control;
  logic [15:0]      index;
  logic [Width-1:0] table_out, control_out;
  localparam logic [15:0] Sweep = 16'(Depth + 5);
  assign index   = now_q[14:0] < 15'(Sweep) ? 16'(now_q[14:0]) : Sweep;
  assign init    = index != Sweep;
  logic                second_q;               // cycle of a write
  logic [AddrBits-1:0] addr_q, taddr, traddr;
  logic [Width-1:0]    tdata_q, tdata;
  logic                late, late_q;
  assign control = (bits[40] && now_q[14:0] != '1) || second_q;
  // No write begins in the cycle before a sweep.
  assign write   = second_q || (bits[40] && bits[41] && now_q[14:0] != '1);
  assign read    = bits[42];
  assign taddr   = second_q ? addr_q : waddr;
  assign tdata   = second_q ? tdata_q : wdata;
  assign traddr  = second_q && bits[43] ? addr_q : raddr;
  assign late    = write && read && traddr == taddr;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
      late_q   <= 1'b0;
      late_o   <= 0;
    end else begin
      second_q <= write && !second_q && !init;
      late_q   <= late && !second_q && !init;
      late_o   <= late_o + 32'(late_q && late && !init);
    end
  end
  always_ff @(posedge clk_i) begin
    addr_q  <= taddr;
    tdata_q <= tdata;
  end
  always @(negedge clk_i) if (break_i == 13) force u_table.late_q = 1'b1;
  always @(negedge clk_i) if (break_i == 14) force u_table.late_q = 1'b0;
  sluice_table #(.Depth(Depth), .Width(Width), .InitValue(InitValue), .InitOneHot(OneHot)) u_table (
    .clk_i,
    .init_i(init), .init_index_i(break_i == 7 && index == 16'(Depth - 1) ? '0 : index),
    .re_i(read && !init), .raddr_i(traddr), .rdata_o(table_out),
    .ctl_valid_i(control), .ctl_write_i(write || (break_i == 8 && spoil)),
    .ctl_addr_i(taddr), .ctl_wdata_i(tdata), .ctl_rdata_o(control_out)
  );
  logic [Width-1:0] entry [Depth];
  logic [Width-1:0] table_want_q, control_want_q;
  logic             table_known_q, control_known_q, swept_q;
  always_ff @(posedge clk_i) begin
    if (init && 32'(index) < Depth) entry[index[AddrBits-1:0]] <= OneHot ? Width'(1) << index : InitValue;
    else if (!init && write && (second_q ? late_q : !late)) entry[taddr] <= tdata;
    if (read && !init)              table_want_q   <= entry[traddr];
    if (control && !write && !init) control_want_q <= entry[taddr];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      swept_q         <= 1'b0;
      table_known_q   <= 1'b0;
      control_known_q <= 1'b0;
    end else begin
      swept_q         <= swept_q || !init;
      table_known_q   <= table_known_q || (read && !init && swept_q);
      control_known_q <= control_known_q || (control && !write && !init && swept_q);
      if ((table_known_q && table_out != table_want_q)
          || (control_known_q && control_out != control_want_q)) begin
        $display("FAIL table of %0d: %h, not %h; control %h, not %h", Depth, table_out, table_want_q,
                 control_out, control_want_q);
        $fatal(1);
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^{bits, now_q};
endmodule : cell_memory
