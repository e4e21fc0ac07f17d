// SPDX-License-Identifier: Apache-2.0
// The sweep that follows a reset, in which memories take their reset values; included in the
// modules of block tests, behind bench.svh and `settings`, a structure that has `init` and
// `init_index`.
//
//   stage_settings_t settings;
//   `include "sweep.svh"
//   ...
//     release_reset(3);
//     sweep(int'(MatchEntries));                 // of the deepest memory, at least
task automatic sweep(int entries);
  settings.init = 1'b1;
  for (int i = 0; i < entries; i++) begin
    settings.init_index = 16'(i);
    @(negedge clk);
  end
  settings.init = 1'b0;
endtask
