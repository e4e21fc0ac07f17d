// SPDX-License-Identifier: Apache-2.0

/// The tables of one lane's exit: DEPARSER, DEPARSE_OPT, MODULE_PORTS, RECIRCULATE and OUTPUT_CLASS
/// by overlay row, PORT_MASK by destination. Datapath reads and control answers: latency 1 cycle.
/// Every lane holds a copy and takes every write; the copy that a read names answers it. After
/// reset PORT_MASK row r is port r, which the reset sweep writes through the control port, and
/// MODULE_PORTS is all ones; bits of ports that the chip does not have are not kept. An entry of
/// OUTPUT_CLASS that is not valid leaves the class that the row has by its number.
module sluice_exit_tables
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  pipe_t                         lane_i,
  input  exit_settings_t                settings_i,
  // datapath
  input  logic                          re_i,
  input  overlay_t                      row_i,
  input  logic [7:0]                    dest_i,
  output logic [TableDeparserWidth-1:0] entry_o,
  output deparse_opt_t                  opt_o,
  output logic [AllPorts-1:0]           ports_o,
  output logic [AllPorts-1:0]           module_ports_o,
  output logic [7:0]                    rounds_o,       // 0 without recirculation
  output queue_class_t                  queue_class_o,  // 0 without classes
  // chain node
  input  table_write_t                  write_i,
  input  table_read_t                   read_i,
  output word_answer_t                  answer_o
);
  logic [TablePortMaskWidth-1:0]    mask;
  logic [TableModulePortsWidth-1:0] module_ports;
  word_answer_t                     deparser_answer, opt_answer, mask_answer, module_answer;
  word_answer_t                     again_answer, class_answer;
  assign ports_o        = mask[AllPorts-1:0];
  assign module_ports_o = module_ports[AllPorts-1:0];
  assign answer_o       = deparser_answer | opt_answer | mask_answer | module_answer | again_answer
                        | class_answer;

  sluice_config_table #(.Which(TableDeparser)) u_deparser (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(lane_i),
    .re_i, .row_i, .entry_o, .write_i, .read_i, .answer_o(deparser_answer)
  );
  sluice_config_table #(.Which(TableDeparseOpt)) u_opt (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(lane_i),
    .re_i, .row_i, .entry_o(opt_o), .write_i, .read_i, .answer_o(opt_answer)
  );
  sluice_config_table #(.Which(TablePortMask), .InitOneHot(1'b1)) u_mask (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(lane_i),
    .re_i, .row_i(dest_i), .entry_o(mask), .write_i, .read_i, .answer_o(mask_answer)
  );
  sluice_config_table #(.Which(TableModulePorts), .InitOnes(1'b1)) u_module_ports (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(lane_i),
    .re_i, .row_i, .entry_o(module_ports), .write_i, .read_i, .answer_o(module_answer)
  );

  if (Recirculation != 0) begin : gen_again
    recirculate_t again;
    sluice_config_table #(.Which(TableRecirculate)) u_again (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .copy_i(lane_i),
      .re_i, .row_i, .entry_o(again), .write_i, .read_i, .answer_o(again_answer)
    );
    assign rounds_o = again.rounds;
  end else begin : gen_once
    assign rounds_o     = '0;
    assign again_answer = '0;
  end

  if (OutputClasses != 0) begin : gen_classes
    output_class_t entry;
    row_t          row_q;
    logic          other_q;                    // test fault: every second packet
    queue_class_t  found;
    sluice_config_table #(.Which(TableOutputClass)) u_class (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .copy_i(lane_i),
      .re_i, .row_i(row_t'(row_i)), .entry_o(entry), .write_i, .read_i, .answer_o(class_answer)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)   other_q <= 1'b0;
      else if (re_i) other_q <= !other_q && settings_i.fault[FaultClassOther];
    end
    always_ff @(posedge clk_i) if (re_i) row_q <= row_t'(row_i);
    assign found         = entry.valid ? queue_class_t'(entry.number) : queue_class_t'(row_q);
    assign queue_class_o = found ^ queue_class_t'(other_q);
    logic unused_entry;
    assign unused_entry = ^row_q;
  end else begin : gen_no_classes
    assign queue_class_o = '0;
    assign class_answer  = '0;
  end
  logic unused_bits;
  assign unused_bits = ^{mask, module_ports};
endmodule : sluice_exit_tables
