// SPDX-License-Identifier: Apache-2.0

/// The test of the deparser with beats of 16 bytes: a header comes and goes in four steps. Arguments
/// as in tb_sluice_deparser.
module tb_sluice_deparser_narrow;
  tb_sluice_deparser u_test ();
endmodule : tb_sluice_deparser_narrow
