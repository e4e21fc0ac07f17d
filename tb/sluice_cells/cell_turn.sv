// SPDX-License-Identifier: Apache-2.0

/// Checks sluice_round_robin of one size: the first request behind the last that was taken, which
/// is taken or not.
module cell_turn #(
  parameter int unsigned Count = 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          all_o                      // cycles with all requests
);
  logic [47:0]      bits;
  logic [1:0]       flip;
  logic [Count-1:0] request, grant, want;
  logic             take;
  int unsigned      last_q;
  logic             taken_q;                     // somebody was
  cell_random u_random (.clk_i, .rst_ni, .seed_i, .bits_o(bits), .flip_o(flip));
  assign request = flip[0] ? '1 : Count'(bits) & Count'(bits >> 16);
  assign take    = flip[1] && request != '0;

  sluice_round_robin #(.Count(Count)) u_dut (
    .clk_i, .rst_ni, .request_i(request),
    .take_i(take && !(break_i == 20 && bits[47:40] == '0)), .grant_o(grant)
  );

  always_comb begin
    want = '0;
    for (int unsigned n = 1; n <= Count; n++)
      if (want == '0) want[(last_q+n)%Count] = request[(last_q+n)%Count];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q  <= 0;
      taken_q <= 1'b0;
      all_o   <= 0;
    end else begin
      all_o <= all_o + 32'(request == '1);
      if (take) begin
        taken_q <= 1'b1;
        for (int unsigned n = 0; n < Count; n++) if (grant[n]) last_q <= n;
      end
      // Whose turn is the first nobody says.
      if (taken_q ? grant != want
                  : $countones(grant) != 32'(request != '0) || (grant & ~request) != '0) begin
        $display("FAIL turn of %0d: of %b behind %0d it is %b", Count, request, last_q, grant);
        $fatal(1);
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^bits;
endmodule : cell_turn
