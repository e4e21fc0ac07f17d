// SPDX-License-Identifier: Apache-2.0

/// The test of the control port with beats of 16 bytes: a block of a frame or an answer is four of
/// them. Arguments as in tb_sluice_ctrl.
module tb_sluice_ctrl_narrow;
  tb_sluice_ctrl u_test ();
endmodule : tb_sluice_ctrl_narrow
