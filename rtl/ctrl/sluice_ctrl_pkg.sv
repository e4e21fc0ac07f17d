// SPDX-License-Identifier: Apache-2.0

/// Control: the daisy chain of tables, the bus of registers, and the settings that registers hold,
/// by who takes them.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_ctrl_pkg;

  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;

  // ---- control ----------------------------------------------------------------------------------
  // A word on the daisy chain; `ready` runs the other way. A message is a chain_header_t and then
  // its entries, each in ceil(bits / 64) words, left-justified.
  typedef struct packed {
    logic        valid;
    logic        first;
    logic        last;
    logic [63:0] data;
  } chain_t;

  localparam int unsigned EntryBits  = 640;   // widest entry, in whole words
  // words of answers that wait in a chain node: 1, 2 or 4
  localparam int unsigned ChainAhead = BeatBytes < 64 ? 1 : 4;

  // What a chain node hands to the tables beside it. data: left-justified entry.
  typedef struct packed {
    logic                 valid;
    table_e               which;
    chain_header_t        header;            // index already counted up
    logic [EntryBits-1:0] data;
  } table_write_t;

  typedef struct packed {
    logic          valid;
    table_e        which;
    chain_header_t header;                   // index already counted up
    logic [3:0]    word;                     // of the entry
  } table_read_t;

  // The word that was asked for. Answers come in the order of the requests; all zero while not
  // valid, so that those of all tables and copies can be ORed.
  typedef struct packed {
    logic        valid;
    logic [63:0] data;
  } word_answer_t;

  // Whether a write is taken in this cycle. Only STATE and FILL ever wait or refuse.
  typedef struct packed {
    logic ready;
    logic refused;
  } table_ready_t;

  // A beat of the control port, AXI4-Stream; `ready` runs the other way.
  typedef struct packed {
    logic                 valid;
    logic                 last;
    logic [BeatBytes-1:0] keep;
    logic [BeatBits-1:0]  data;
  } ctl_beat_t;

  // AXI4-Lite: what the bus drives, and what it is answered.
  typedef struct packed {
    logic        awvalid;
    logic [19:0] awaddr;
    logic        wvalid;
    logic [31:0] wdata;
    logic [3:0]  wstrb;
    logic        bready;
    logic        arvalid;
    logic [19:0] araddr;
    logic        rready;
  } axil_req_t;

  typedef struct packed {
    logic        awready;
    logic        wready;
    logic        bvalid;
    logic [1:0]  bresp;
    logic        arready;
    logic        rvalid;
    logic [1:0]  rresp;
    logic [31:0] rdata;
  } axil_rsp_t;

  // Registers of a block: a request, and its answer.
  typedef struct packed {
    logic        valid;                      // one cycle
    logic        write;
    logic [19:0] addr;                       // byte address
    logic [31:0] wdata;
  } csr_req_t;

  typedef struct packed {
    // one cycle, at most 32 cycles after the request; else all zero
    logic        valid;
    // the register is there, and does not take this write now
    logic        refused;
    logic [31:0] rdata;
  } csr_rsp_t;

  // An offset in a register block at which no register is (sluice_register_block).
  localparam logic [11:0] NoRegister = '1;

  // Settings, by who takes them; those that packets on their way rely on change only while none is
  // inside (sluice_chip_regs). In all of them: `clear` clears counters and high-water marks; after
  // reset memories take their reset value at `init_index`, which counts up once from 0 over the
  // deepest memory while `init` is set; bit FaultXxx of `fault` is 0 unless TestFaults.
  typedef struct packed {
    logic [12:0]           lane_limit;
    logic [12:0]           ecn_lane;         // 0: off
    logic [NumFaults-1:0]  fault;
    // the rest changes under traffic
    logic                  ready;            // tables and state are clear
    logic                  clear;
    logic                  init;
    logic [15:0]           init_index;
    logic [NumModules-1:0] bitmap;           // modules whose packets are dropped
    // bit r: bank of packets of row r that enter; all zero on a chip with one bank
    logic [NumModules-1:0] bank;
  } lane_settings_t;

  typedef struct packed {
    logic                  clear;
    mode_t                 mode;             // all zero: as designed
    // bits of a pipeline's number that name its set; 0: one set of all
    pipe_t                 set_mask;
    // cycles between two scans for moves; 0: everything comes home
    logic [15:0]           move_period;
    logic [7:0]            move_least;
    // entries of a relocation table that a module may have; 0: all
    logic [7:0]            move_quota;
    logic [NumModules-1:0] bitmap;           // modules whose indices come home and stay,
    logic [NumModules-1:0] recall;           // and those of these
    logic [NumFaults-1:0]  fault;
  } move_settings_t;

  typedef struct packed {
    logic                  clear;
    logic                  init;
    logic [15:0]           init_index;
    mode_t                 mode;
    pipe_t                 set_mask;
    logic [7:0]            pace;
    logic [15:0]           brake;
    logic [15:0]           ecn_queue;        // 0: off
    logic [NumModules-1:0] bank;
    // modules of the cut that is wanted; 0: none
    logic [NumModules-1:0] cut;
    logic                  occupied;         // packets are inside
    logic [NumFaults-1:0]  fault;
  } order_settings_t;

  // Front and back stages, boundaries, egress stages.
  typedef struct packed {
    logic                  clear;
    logic                  init;
    logic [15:0]           init_index;
    mode_t                 mode;
    pipe_t                 set_mask;
    logic [NumFaults-1:0]  fault;
  } stage_settings_t;

  typedef struct packed {
    logic                  ready;
    logic                  clear;
    logic                  init;
    logic [15:0]           init_index;
    // classes of the output queues: from how many packets on a queue is deep; 0: never
    logic [OutputQueues-1:0][10:0] class_ecn;
    logic [NumFaults-1:0]  fault;
  } exit_settings_t;

  // Output queues and ports.
  typedef struct packed {
    logic                  clear;
    logic [10:0]           output_limit;
    // classes of the output queues: what a beat counts, less 1; and which are strict
    logic [OutputQueues-1:0][3:0] class_costs;
    logic [OutputQueues-1:0] class_strict;
    logic [NumFaults-1:0]  fault;
  } tm_settings_t;

  // What changes under traffic stands at the end: synth/timing/sta.tcl knows it by that.
  typedef struct packed {
    order_settings_t order;
    move_settings_t  moves;
    stage_settings_t stage;
    exit_settings_t  exit;
    tm_settings_t    tm;
    lane_settings_t  lane;
  } settings_t;

endpackage : sluice_ctrl_pkg
/* verilator lint_on UNUSEDPARAM */
