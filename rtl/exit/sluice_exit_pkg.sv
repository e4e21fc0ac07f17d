// SPDX-License-Identifier: Apache-2.0

/// What waits and leaves behind the last stage: packets at the exit, their fate, packets and copies
/// in the output queues of the traffic manager.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_exit_pkg;

  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;

  // ---- exit and traffic manager -----------------------------------------------------------------
  // A packet that waits for its lane's deparser: what is still of use of packet_t.
  typedef struct packed {
    // first, as the exit queues leave it out where there are no egress stages
    vid_bits_t   vid_high;
    logic [31:0] ticket;
    overlay_t    overlay;
    len_t        len;
    logic [7:0]  dest;
    logic        discard;
    logic        mark;
    hdr_t        hdr;
    capsule_end_bits_t capsule;
    logic        more;                 // a capsule that may go on in a further pass
    again_bits_t beside;               // an again_t, with the round of the pass that ends
    array_bits_t array;
    containers_t cont;
  } exit_t;

  // Classes of the modules in the output queues: one queue each for a source and an output lane,
  // or one queue for all.
  localparam int unsigned OutputQueues = OutputClasses != 0 ? OutputClasses : 1;
  typedef logic [index_bits(OutputQueues)-1:0] queue_class_t;
  // Packets that a queue of a class holds; 0 without classes.
  typedef logic [(OutputClasses != 0 ? $clog2(OutputDepth + 1) : 1)-1:0] held_t;

  // A packet whose fate a lane has worked out: where it wants to go, or why it goes nowhere.
  typedef struct packed {
    logic [31:0]         ticket;
    len_t                len;
    cutout_t             cutout;       // bytes that are taken out on the way out; 0: none
    hdr_t                hdr;
    drop_e               reason;
    // no reason, but its module may not send to all of its ports
    logic                some_forbidden;
    overlay_t            overlay;
    queue_class_t        queue_class;
    logic                deep;         // it is marked: a queue that it asks for is deep
    held_t               held;         // the most packets in such a queue
    vid_bits_t           vid_high;
    logic [NumPorts-1:0] ports;        // empty if there is a reason
    logic                again;        // it is to be recirculated, and has paid
    logic                unpaid;       // it had no token for that
    again_bits_t         beside;       // an again_t
  } fate_t;

  // A packet in an output queue.
  typedef struct packed {
    logic [31:0]             ticket;
    len_t                    len;
    cutout_t                 cutout;
    hdr_t                    hdr;      // of its body, in the packet buffer of its lane
    queue_class_t            queue_class;
    logic [PortsPerLane-1:0] ports;
    egress_bits_t            egress;   // a beside_copy_t
    logic [StepBits-1:0]     header;   // its first step; the others come in the cycles behind it
  } output_t;

  // In a chip with OutputClasses: a packet in an output queue, as the choice sees it. With one bit
  // in ports it is a copy.
  typedef struct packed {
    logic [$clog2(OutputDepth)-1:0] place;
    queue_class_t            queue_class;
    logic [PortsPerLane-1:0] ports;
    logic                    has_body;
    beats_t                  beats;    // of the whole packet
    hdr_t                    hdr;
  } handle_t;

  // A copy in the cycle in which its first beat leaves its queue, for the egress stages. The cycle
  // behind it has the beat, and may have the first one of the next copy.
  typedef struct packed {
    logic                    valid;
    logic [31:0]             ticket;
    len_t                    len;
    cutout_t                 cutout;   // taken out behind the stages
    logic [PortsPerLane-1:0] port;     // of the lane, one-hot
    egress_bits_t            egress;   // a beside_copy_t
    logic [StepBits-1:0]     header;
  } start_t;

  // A copy that has left through a port of an output lane.
  typedef struct packed {
    logic       valid;
    logic [7:0] port;
    len_t       len;
  } sent_t;

endpackage : sluice_exit_pkg
/* verilator lint_on UNUSEDPARAM */
