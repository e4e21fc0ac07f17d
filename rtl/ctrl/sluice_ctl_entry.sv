// SPDX-License-Identifier: Apache-2.0

/// What an entry of a table takes in a reconfiguration packet and on the daisy chain.
/// Latency 1 cycle.
module sluice_ctl_entry
  import sluice_layout_pkg::*;
(
  input  logic       clk_i,
  input  logic [2:0] resource_i,
  input  logic [3:0] sub_i,
  output logic       none_o,           // there is no such table
  output logic       wide_o,           // its entries take two blocks
  output logic [3:0] words_o,          // 64-bit words of an entry
  output logic [6:0] first_bytes_o,    // bytes of an entry in its first block
  output logic [6:0] second_bytes_o    // and in its second
);
  // Width of an entry in bits; 0: no such table.
  function automatic logic [9:0] entry_width(logic [2:0] resource, logic [3:0] sub);
    case (resource)
      TableParserModule, TableDeparserModule: return 10'(TableParserWidth);
      TableKeyExtractModule: return sub == TableKeyExtractSub ? 10'(TableKeyExtractWidth) : 10'(TableKeyMaskWidth);
      TableMatchModule:      return sub == TableMatchSub ? 10'(TableMatchWidth) : 10'(TableActionWidth);
      TableSegmentModule:    return sub == TableSegmentSub ? 10'(TableSegmentWidth) : 10'(TableSegment16Width);
      TableStateInstrModule:
        case (sub)
          TableStateInstrSub: return 10'(TableStateInstrWidth);
          TableHashInstrSub:  return 10'(TableHashInstrWidth);
          TableAccessSub:     return 10'(TableAccessWidth);
          TableStateSub:      return 10'(TableStateWidth);
          TableFillSub:       return 10'(TableFillWidth);
          default:            return '0;
        endcase
      TableModuleModule:
        case (sub)
          TableModuleSub:     return 10'(TableModuleWidth);
          TableDeparseOptSub: return 10'(TableDeparseOptWidth);
          TablePortMaskSub:   return 10'(TablePortMaskWidth);
          TableShareSub:      return 10'(TableShareWidth);
          default:            return '0;
        endcase
      default: return '0;
    endcase
  endfunction

  logic [9:0] width;
  assign width = entry_width(resource_i, sub_i);

  always_ff @(posedge clk_i) begin
    none_o         <= width == '0;
    wide_o         <= width > 10'd512;
    words_o        <= 4'((width + 10'd63) >> 6);
    first_bytes_o  <= width > 10'd512 ? 7'd64 : 7'((width + 10'd7) >> 3);
    second_bytes_o <= 7'((width - 10'd512 + 10'd7) >> 3);
  end
endmodule : sluice_ctl_entry
