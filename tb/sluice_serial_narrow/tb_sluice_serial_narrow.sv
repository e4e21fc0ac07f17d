// SPDX-License-Identifier: Apache-2.0

/// The test of the serial bridge with beats of 16 bytes. Arguments as in tb_sluice_serial.
module tb_sluice_serial_narrow;
  tb_sluice_serial u_test ();
endmodule : tb_sluice_serial_narrow
