// SPDX-License-Identifier: Apache-2.0

/// Rates of modules against buckets kept here: packets in up to every cycle, in bursts of one
/// module and in turns of several, with limits of every size, which are written, taken away and
/// read back all the time. An answer must be exactly that of the buckets here: they are filled in
/// the cycle in which the module has its turn (the first one behind the sweep is module 0, a module
/// a cycle), with the packet of that cycle taken first. A second check knows nothing of cycles:
/// what any lane admits of a module with one limit, in all windows that begin and end with a
/// packet, is at most what docs/machine.md says.
/// +seed=N +cycles=N +break=N (see file breaks).
// Entries have reserved bits that nobody here looks at.
/* verilator lint_off UNUSEDSIGNAL */
module tb_sluice_rate_limits;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;

  `include "bench.svh"
  `include "tables.svh"

  lane_settings_t settings, dut_settings;
  `include "sweep.svh"
  logic         ahead, want, dut_want, refused;
  len_t         len, dut_len, len_before_q;
  row_t         row, dut_row;                    // of the packet that is ahead
  table_write_t dut_write;
  table_read_t  dut_read;

  sluice_rate_limits dut (
    .clk_i(clk), .rst_ni(rst_n), .lane_i(pipe_t'(1)), .settings_i(dut_settings),
    .ahead_i(ahead), .len_i(dut_len), .want_i(dut_want), .row_i(dut_row), .refused_o(refused),
    .write_i(dut_write), .read_i(dut_read), .answer_o(answer)
  );

  // ---- mutants
  always_comb begin
    dut_settings = settings;
    dut_settings.fault[FaultRateFree] = mutant == 1;
    dut_want  = want;
    dut_len   = len;
    dut_row   = row;
    dut_write = write;
    dut_read  = read;
    case (mutant)
      2: dut_len = len_before_q;
      3: if (row == 2) dut_row = 3;
      4: if (second) dut_write.data[EntryBits-1] = 1'b0;
      5: dut_write.data[EntryBits-9 -: 8] = write.data[EntryBits-9 -: 8] + 8'd1;
      7: dut_write.data[EntryBits-49 -: 16] = write.data[EntryBits-17 -: 16];
      8: dut_want = ahead_q;
      9: dut_len[5:0] = '0;
      10: dut_read.header.copy = 8'd1;
      default: ;
    endcase
  end
  logic ahead_q;
  always_ff @(posedge clk) begin
    ahead_q <= ahead;
    if (ahead) len_before_q <= len;
  end

  // ---- buckets
  rate_limit_t limit [NumModules], filling [NumModules];
  int          packets [NumModules], units [NumModules];     // in 1/256
  int          turn = -1;                        // module that is filled in this cycle
  int          admitted = 0, lost_packets = 0, lost_units = 0, beside = 0, words = 0;

  function automatic int least(int a, int b);
    return a < b ? a : b;
  endfunction

  // ---- windows of a module whose limit does not change: what was admitted, and when
  typedef struct packed {
    logic [31:0] at;
    logic [31:0] units;
  } admission_t;
  admission_t log [NumModules][$];
  int         since [NumModules];                // its limit is this one, everywhere, from then on

  task automatic check_window(int m, int need);
    int p, u, n, turns;
    admission_t a;
    a = '{at: now, units: need};
    log[m].push_back(a);
    if (log[m].size() > 40) void'(log[m].pop_front());
    p = 0;
    u = 0;
    for (n = log[m].size() - 1; n >= 0; n--) begin
      a = log[m][n];
      p++;
      u += int'(a.units);
      // of a window of now - at + 1 cycles
      turns = (now - int'(a.at) + int'(NumModules)) / int'(NumModules);
      if (256 * (p - 1 - int'(limit[m].packet_burst)) > turns * int'(limit[m].packet_rate))
        fail($sformatf("module %0d: %0d packets in %0d cycles", m, p, now - int'(a.at) + 1));
      if (256 * (u - 1 - int'(limit[m].byte_burst)) > turns * int'(limit[m].byte_rate))
        fail($sformatf("module %0d: %0d units in %0d cycles", m, u, now - int'(a.at) + 1));
    end
  endtask

  // The packet of this cycle, then the module of this cycle.
  task automatic check_packet();
    int need;
    bit enough;
    need = (int'(packet_len) + 63) / 64;
    enough = packets[packet_row] >= 256 && units[packet_row] >= 256 * need;
    if (refused != (want && limit[packet_row].valid && !enough))
      fail($sformatf("module %0d, %0d bytes: refused %b; %0d/256 packets, %0d/256 units",
                     packet_row, packet_len, refused, packets[packet_row], units[packet_row]));
    if (want && limit[packet_row].valid) begin
      if (enough) begin
        packets[packet_row] -= 256;
        units[packet_row]   -= 256 * need;
        admitted++;
        if (int'(packet_row) == turn) beside++;
        if (now > since[packet_row]) check_window(int'(packet_row), need);
      end else begin
        if (packets[packet_row] < 256) lost_packets++;
        if (units[packet_row] < 256 * need) lost_units++;
        if (mutant == 6) units[packet_row] -= least(units[packet_row], 256 * need);
      end
    end
    if (turn >= 0) begin
      packets[turn] = least(packets[turn] + int'(filling[turn].packet_rate),
                            256 * int'(filling[turn].packet_burst));
      units[turn]   = least(units[turn] + int'(filling[turn].byte_rate),
                            256 * int'(filling[turn].byte_burst));
      turn          = (turn + 1) % int'(NumModules);
      // Its entry is read in this cycle; nobody writes it near that (next_control).
      filling[turn] = limit[turn];
    end
  endtask

  // ---- packets: their length and row a cycle ahead
  len_t packet_len;                              // of the packet that wants
  row_t packet_row, burst_row;
  int   busy = 8;
  task automatic next_packet();
    if (ahead) {packet_len, packet_row} = {len, row};
    if (rnd(200) == 0) busy = rnd(9);
    if (rnd(20) == 0) burst_row = row_t'(rnd(6));
    want  = ahead && rnd(8) != 0;
    ahead = rnd(8) < busy;
    row   = row_t'(rnd(4) != 0 ? int'(burst_row) : rnd(int'(NumModules)));
    len   = len_t'(rnd(3) != 0 ? 64 + rnd(5) * 32 : 64 + rnd(9153));
  endtask

  // ---- control: writes away from the turn of the module, for the entry takes effect between two
  // reads; that this is so for all tables is shown elsewhere (tb_sluice_cells).
  int          write_left = 0, pause = 0;
  logic        second = 1'b0, asked = 1'b0;
  logic [63:0] expected;
  task automatic next_control();
    rate_limit_t l;
    int          m;
    read  = '0;
    // Mutants of what is written shall be seen by what it does.
    if (!(mutant inside {4, 5, 7}) && (answer.valid != asked || (asked && answer.data != expected)
        || (!asked && answer.data != '0))) fail("a read back");
    if (asked) words++;
    asked  = 1'b0;
    second = 1'b0;
    if (write_left > 0) begin
      write_left--;
      second = 1'b1;
      // From the second cycle on the module has the limit.
      l = write.data[EntryBits-1 -: 64];
      m = int'(write.header.index);
      limit[m] = l;
      return;
    end
    write.valid = 1'b0;
    if (pause > 0) begin
      pause--;
      return;
    end
    m = rnd(4) != 0 ? rnd(6) : rnd(int'(NumModules));
    // At first many writes, for modules that had no turn yet: their buckets are empty, too.
    if (now <= int'(NumModules)) begin
      m         = turn + 4 + rnd(8);
      if (m >= int'(NumModules)) m = int'(NumModules) - 1;
      burst_row = row_t'(m);
    end
    if (rnd(3) != 0 && now > int'(NumModules)) begin
      put_read(TableRateLimit, m);
      read.header.copy  = 8'(rnd(4) != 0);
      asked    = read.header.copy == 8'd1;
      expected = limit[m];
    end else if ((now <= int'(NumModules) || rnd(40) == 0) && m != turn
                 && (m + 1) % int'(NumModules) != turn
                 && (turn + 1) % int'(NumModules) != m && (turn + 2) % int'(NumModules) != m
                 && (turn + 3) % int'(NumModules) != m) begin
      l = '{valid: rnd(6) != 0, reserved: '0, packet_burst: 8'(rnd(3) == 0 ? rnd(256) : rnd(6)),
            packet_rate: 16'(rnd(3) == 0 ? rnd(65536) : rnd(4096)),
            byte_burst: 16'(rnd(8) == 0 ? rnd(65536) : rnd(200)),
            byte_rate: 16'(rnd(3) == 0 ? rnd(65536) : rnd(16384))};
      put_write(TableRateLimit, m, {l, (EntryBits-64)'(0)});
      write_left = 1;
      pause      = 3;
      since[m]   = now + int'(NumModules) + 2;   // both buckets were filled under it
      log[m].delete();
    end
  endtask

  initial begin
    read_arguments(200_000);
    {ahead, want, len, row, packet_len, packet_row, burst_row} = '0;
    settings = '0;
    for (int m = 0; m < int'(NumModules); m++) begin
      {limit[m], filling[m]} = '0;
      {packets[m], units[m], since[m]} = '0;
    end
    release_reset(3);
    sweep(int'(NumModules));
    settings.ready = 1'b1;
    @(negedge clk);                              // the entry of module 0 is read
    turn = 0;
    for (now = 1; now <= int'(cycles); now++) begin
      next_packet();
      next_control();
      #1 check_packet();
      @(negedge clk);
    end
    if (cycles >= 10_000
        && (admitted < 1000 || lost_packets < 1000 || lost_units < 1000 || beside < 20))
      fail($sformatf("little tested: %0d admitted, %0d, %0d refused, %0d beside", admitted,
                     lost_packets, lost_units, beside));
    pass($sformatf("%0d admitted, %0d beside, refused for packets %0d, units %0d, %0d entries read",
                   admitted, beside, lost_packets, lost_units, words));
  end
endmodule : tb_sluice_rate_limits
/* verilator lint_on UNUSEDSIGNAL */
