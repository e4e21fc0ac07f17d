// SPDX-License-Identifier: Apache-2.0

/// The test of the boundary with banks of two slots, five stages, and no pacing: credits are short
/// all the time, escape slots are used, and nothing may get stuck. Arguments as in
/// tb_sluice_boundary.
module tb_sluice_boundary_small;
  tb_sluice_boundary #(.Depth(2), .Pace(1'b0)) u_test ();
endmodule : tb_sluice_boundary_small
