// SPDX-License-Identifier: Apache-2.0

/// Chooses between two values by a signal that comes late in its cycle. Combinational. A module, so
/// that synthesis block by block leaves the signal at the end, and does not save gates by putting
/// it into what makes the values.
module sluice_late_choice #(
  parameter int unsigned Width = 8     // bits
) (
  input  logic             late_i,
  input  logic [Width-1:0] without_i,  // the value if late_i is 0
  input  logic [Width-1:0] with_i,
  output logic [Width-1:0] value_o
);
  assign value_o = late_i ? with_i : without_i;
endmodule : sluice_late_choice
