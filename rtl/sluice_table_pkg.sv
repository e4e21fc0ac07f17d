// SPDX-License-Identifier: Apache-2.0

/// What a chip of this shape has of the tables that sw/layouts.def describes (table_info): their
/// rows, and the bits that it keeps. Rooms that hold tables ask here, and nowhere else.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_table_pkg;

  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;

  // Tables by their number in table_e. Rooms use these constants, and call none of the functions
  // below but for constants:
  // a simulator compiles a function that is called while it runs for every instance anew.
  localparam int unsigned TableNumbers = 1 << $bits(table_e);
  typedef table_info_t [TableNumbers-1:0] table_infos_t;
  function automatic table_infos_t all_infos();
    for (int unsigned t = 0; t < TableNumbers; t++) all_infos[t] = table_info(table_e'(t));
  endfunction
  localparam table_infos_t TableInfos = all_infos();

  // The table that {resource, sub} names.
  typedef logic [127:0][$bits(table_e)-1:0] table_map_t;
  function automatic table_map_t all_names();
    for (int unsigned n = 0; n < 128; n++) all_names[n] = table_of(3'(n >> 4), 4'(n));
  endfunction
  localparam table_map_t TableMap = all_names();

  // A set of tables: bit t is the one whose number is t.
  typedef logic [TableNumbers-1:0] table_set_t;

  /// The tables of one owner. Example: tables_of(ScopeLane) are PARSER and MODULE. TAKE and LEAVE
  /// are those of marks, CUT is that of cuts, MULTIPLY that of multipliers, KEY_COMPARE that of the
  /// wide compare, ARRAY, ARRAY_INSTR and STATE_ROW are those of arrays, ARRAY_KEYS and ARRAY_MATCH
  /// those of the array match, RECIRCULATE that of recirculation, RATE_LIMIT that of rates,
  /// OUTPUT_CLASS that of classes, MATCH_COUNT and the like are those of counters of entries, those
  /// with rows `ids` are those of capsules, TERNARY and CUCKOO those of the engines.
  function automatic table_set_t tables_of(table_scope_e scope);
    tables_of = '0;
    for (int unsigned t = 0; t < NumTables; t++)
      tables_of[t] = TableInfos[t].scope == scope
                  && (Marks != 0 || !(table_e'(t) inside {TableTake, TableLeave}))
                  && (CutStages != 0 || table_e'(t) != TableCut)
                  && (Multipliers != 0 || table_e'(t) != TableMultiply)
                  && (WideCompare != 0 || table_e'(t) != TableKeyCompare)
                  && (ArrayWords != 0
                      || !(table_e'(t) inside {TableArray, TableArrayInstr, TableStateRow}))
                  && (ArrayEntries != 0
                      || !(table_e'(t) inside {TableArrayKeys, TableArrayMatch}))
                  && (Recirculation != 0 || table_e'(t) != TableRecirculate)
                  && (RateLimits != 0 || table_e'(t) != TableRateLimit)
                  && (OutputClasses != 0 || table_e'(t) != TableOutputClass)
                  && (EntryCounters != 0
                      || !(table_e'(t) inside {TableMatchCount, TableTernaryCount,
                                              TableCuckooCount}))
                  && (TernaryEntries != 0
                      || !(table_e'(t) inside {TableTernary, TableTernaryCount}))
                  && (CuckooEntries != 0
                      || !(table_e'(t) inside {TableCuckoo, TableCuckooCount}))
                  && (Active != 0 || TableInfos[t].rows != RowsIds);
  endfunction

  /// Those of an egress stage's state: no marks, cuts, rows, capsules.
  function automatic table_set_t egress_state_tables();
    egress_state_tables = tables_of(ScopeState);
    egress_state_tables[TableTake]       = 1'b0;
    egress_state_tables[TableLeave]      = 1'b0;
    egress_state_tables[TableCut]        = 1'b0;
    egress_state_tables[TableArrayInstr] = 1'b0;
    egress_state_tables[TableStateRow]   = 1'b0;
  endfunction

  /// Bits of an entry.
  function automatic int unsigned table_width(table_e which);
    return 32'(TableInfos[which].width);
  endfunction

  /// 64-bit words of an entry on the daisy chain.
  function automatic int unsigned table_words(table_e which);
    return (table_width(which) + 63) / 64;
  endfunction

  /// Entries. Of STATE, whose number is the range of a segment, 0: the node asks its copy of the
  /// ranges.
  function automatic int unsigned table_rows(table_e which);
    case (TableInfos[which].rows)
      RowsOverlay: return 1 << $bits(overlay_t);
      RowsModules: return NumModules;
      RowsMatches: return MatchEntries;
      RowsActions: return ActionRows;
      RowsTernary: return TernaryEntries;
      RowsCuckoo:  return CuckooEntries;
      RowsMasks:   return 256;
      RowsIds:     return Banks * ActiveIds;
      RowsKeys:    return ArrayEntries;
      RowsOne:     return 1;
      default:     return 0;
    endcase
  endfunction

  /// Memories in which a table stands, each with its share of the rows: ways.
  function automatic int unsigned table_parts(table_e which);
    case (which)
      TableCuckoo:     return 4;
      TableArrayMatch: return ArrayWords != 0 ? 8 * ArrayWords : 1;
      default:         return 1;
    endcase
  endfunction

  /// Rows of the deepest memory of any table. The sweep after reset goes through so many.
  function automatic int unsigned deepest_table();
    deepest_table = 1;
    for (int unsigned t = 0; t < NumTables; t++)
      if ((tables_of(TableInfos[t].scope) >> t & 1) != '0
          && table_rows(table_e'(t)) / table_parts(table_e'(t)) > deepest_table)
        deepest_table = table_rows(table_e'(t)) / table_parts(table_e'(t));
  endfunction
  localparam int unsigned TableDepth = deepest_table();

  // Whether slot s of an action word is kept: slot 0 always, slot 16, which speaks to the state
  // unit, and those whose container this configuration has.
  function automatic bit action_slot_exists(int unsigned s);
    return s == 0 || s == 16 || (s <= 8 && s <= Num2B) || (s > 8 && s < 16 && s - 8 <= Num4B)
        || (s > 16 && s - 16 <= Num6B);
  endfunction

  // The first bits of an entry, which is left-justified.
  function automatic logic [EntryBits-1:0] entry_start(int unsigned bits);
    return ~({EntryBits{1'b1}} >> bits);
  endfunction

  // What a chip with one state word keeps of a state instruction: no update of the second word. Of
  // an entry of the state memory it keeps the first half.
  localparam state_instr_t OneWord = '{a2: '0, b2: '0, c2: '0, d2: '0, default: '1};

  // The number of an action row that an entry names.
  localparam logic [15:0]  ActionKept = 16'((1 << index_bits(ActionRows)) - 1);
  localparam logic [127:0] DataKept   = {128{ActionData != 0}};

  // KeptEntry: of the tables of match engines, and of default actions.
  function automatic logic [EntryBits-1:0] entry_kept(table_e which);
    case (which)
      TableTernary:
        return {ternary_t'{wide: 1'(WideCompare), care_wide: 1'(WideCompare), reserved: '0,
                           action: ActionKept, key: KeyKept, care: KeyKept,
                           data: DataKept, default: '1}, {(EntryBits-TernaryWidth){1'b0}}};
      TableCuckoo:
        return {cuckoo_t'{wide: 1'(WideCompare), reserved: '0, action: ActionKept, key: KeyKept,
                          data: DataKept, default: '1},
                {(EntryBits-CuckooWidth){1'b0}}};
      TableDefaultAction:
        return DefaultActions == 0 ? '0
            : {default_action_t'{reserved: '0, action: ActionKept, data: DataKept, default: '1},
               {(EntryBits-DefaultActionWidth){1'b0}}};
      default: return {DataKept, {(EntryBits-MatchDataWidth){1'b0}}};
    endcase
  endfunction

  /// The bits of a left-justified entry that this chip keeps; the others read 0 (layouts.def:
  /// KEPT).
  function automatic logic [EntryBits-1:0] table_kept(table_e which);
    int unsigned          width;
    logic [EntryBits-1:0] kept;
    width = table_width(which);
    kept  = entry_start(width);
    case (TableInfos[which].kept)
      KeptActions: kept = entry_start(ParseActions * ParseActionWidth);
      KeptKey:
        kept = entry_start(width - KeyWidth) | (EntryBits'(KeyKept) << (EntryBits - width));
      KeptSlots:
        for (int unsigned s = 0; s < NumSlots; s++)
          kept[EntryBits-width+InstrWidth*s +: InstrWidth] = {InstrWidth{action_slot_exists(s)}};
      KeptWords:
        if (StatePairs == 0)
          kept = which == TableStateInstr ? {OneWord, {(EntryBits-StateInstrWidth){1'b0}}}
              : entry_start(width / 2);
      KeptHashes:    if (HashUnits == 0) kept = '0;
      KeptChecksums: if (Checksums == 0) kept = '0;
      KeptEntry:     kept = kept & entry_kept(which);
      KeptArray:     kept = entry_start(32 * ArrayWords);
      KeptPorts:     kept = EntryBits'({AllPorts{1'b1}}) << (EntryBits - width);
      default: ;
    endcase
    return kept;
  endfunction

  /// The bits that one of these tables keeps.
  function automatic logic [EntryBits-1:0] tables_kept(table_set_t tables);
    tables_kept = '0;
    for (int unsigned t = 0; t < NumTables; t++)
      if (tables[t]) tables_kept = tables_kept | table_kept(table_e'(t));
  endfunction

  /// The words of the longest entry of these tables.
  function automatic int unsigned tables_words(table_set_t tables);
    tables_words = 1;
    for (int unsigned t = 0; t < NumTables; t++)
      if (tables[t] && table_words(table_e'(t)) > tables_words)
        tables_words = table_words(table_e'(t));
  endfunction

endpackage : sluice_table_pkg
/* verilator lint_on UNUSEDPARAM */
