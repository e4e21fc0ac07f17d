// SPDX-License-Identifier: Apache-2.0

/// The test of the boundary with the pipelines divided into two sets (docs/logical.md). Arguments as
/// in tb_sluice_boundary.
module tb_sluice_boundary_sets;
  tb_sluice_boundary #(.Sets(2)) u_test ();
endmodule : tb_sluice_boundary_sets
