// SPDX-License-Identifier: Apache-2.0

/// In a chip with OutputClasses: is a packet to be marked for congestion, since an output queue
/// that it asks for is deep? A queue is that of its lane, of an output lane that has one of its
/// ports, and of its class; it is deep if it holds at least CHIP.CLASS_ECN packets (0: never).
/// Example: two lanes of two ports, CLASS_ECN of class 1 is 8. A packet of class 1 asks for ports 0
/// and 3, of output lanes 0 and 1. Its queue in output lane 0 holds 5 packets, that in output lane
/// 1 holds 8: it is marked, and held_o is 8.
/// In a chip without classes it is not there: no queue is deep.
/// Latency 0: between registers of the exit and of the traffic manager.
module sluice_depth_mark
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
(
  input  logic [OutputQueues-1:0][10:0]          class_ecn_i,
  input  logic [NumPorts-1:0]                    ports_i,        // that it asks for
  input  queue_class_t                           queue_class_i,
  input  held_t [NumPipes-1:0][OutputQueues-1:0] held_i,         // [output lane]
  output logic                                   deep_o,
  output held_t                                  held_o          // the most in one of its queues
);
  if (OutputClasses == 0) begin : gen_none
    assign deep_o = 1'b0;
    assign held_o = '0;
  end else begin : gen_depth
    logic [10:0] threshold;
    assign threshold = class_ecn_i[queue_class_i];
    held_t [NumPipes-1:0] held, most;            // of a lane that it asks for, else 0
    always_comb begin
      deep_o = 1'b0;
      held   = '0;
      for (int unsigned o = 0; o < NumPipes; o++)
        if ((ports_i & LanePorts[o]) != '0) begin
          held[o] = held_i[o][queue_class_i];
          deep_o  = deep_o || (threshold != '0 && 11'(held[o]) >= threshold);
        end
      // the larger of two lanes, then of two of these
      most = held;
      for (int unsigned n = NumPipes / 2; n != 0; n /= 2)
        for (int unsigned o = 0; o < n; o++)
          most[o] = most[2*o] > most[2*o+1] ? most[2*o] : most[2*o+1];
      held_o = most[0];
    end
  end
endmodule : sluice_depth_mark
