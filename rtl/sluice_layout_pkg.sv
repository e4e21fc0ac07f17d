// SPDX-License-Identifier: Apache-2.0
// Printed by `make layout` from sw/layouts.def: edit that file, not this one.

/// Every table, packet and register layout of the chip.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_layout_pkg;

  localparam logic [31:0] LayoutHash = 32'hb8382898;

  typedef enum logic [1:0] {
    TypeConst = 2'd0,  // no container: the constant that the index field spells, 0..7
    TypeB2 = 2'd1,  // 2-byte container
    TypeB4 = 2'd2,  // 4-byte container
    TypeB6 = 2'd3  // 6-byte container
  } type_e;

  // names a container, or a small constant
  localparam int unsigned OperandWidth = 5;
  typedef struct packed {
    logic [1:0]    kind;  // [4:3] container type (enumeration TYPE)
    logic [2:0]    idx;  // [2:0] container index, or the constant
  } operand_t;

  // one of ten actions of a parser or deparser entry; action 0 is the most significant [M]
  localparam int unsigned ParseActionWidth = 16;
  typedef struct packed {
    logic [1:0]    reserved;  // [15:14] zero
    // [13:13] 1: OFFSET counts in the metadata word (layout METADATA, byte 0 = bits 255:248),
    // parser only
    logic          metadata;
    logic [6:0]    offset;  // [12:6] byte offset from the start of the frame, VLAN tag included
    logic [1:0]    kind;  // [5:4] container type; CONST: no action
    logic [2:0]    idx;  // [3:1] container index
    logic          valid;  // [0:0] action in use
  } parse_action_t;

  // metadata of a packet as a parse action sees it
  localparam int unsigned MetadataWidth = 256;
  typedef struct packed {
    logic [110:0]  reserved_hi;  // [255:145] zero
    logic [3:0]    buffer_tag;  // [144:141] zero (Menshen: packet buffer) [M]
    // [140:129] module id {VID[7:0], PCP, DEI} [M]; PCP and DEI read zero
    logic [11:0]   module_id;
    logic          discard;  // [128:128] discard flag [M]; zero at the parser
    logic [47:0]   reserved;  // [127:80] zero
    // [79:72] how often the packet was recirculated; 0 in chips without Recirculation
    logic [7:0]    round;
    logic [7:0]    port_in;  // [71:64] number of the ingress port
    logic [31:0]   arrival;  // [63:32] cycle in which the last beat was stored, counted from reset
    // [31:24] destination: up to 8 ports a port set, above a row of the port mask table [M]
    logic [7:0]    dest;
    logic [7:0]    port_in_set;  // [23:16] ingress port, one-hot, of ports 0..7; above: 0 [M]
    logic [15:0]   length;  // [15:0] length of the packet in bytes [M]
  } metadata_t;

  // metadata of a copy as a parse action of EGRESS_PARSER sees it
  localparam int unsigned EgressMetadataWidth = 256;
  typedef struct packed {
    logic [95:0]   reserved_hi;  // [255:160] zero
    logic [15:0]   copy;  // [159:144] copies of the packet to lower ports
    logic [2:0]    reserved;  // [143:141] zero
    logic [11:0]   module_id;  // [140:129] module id {VID[7:0], PCP, DEI}, as in METADATA
    logic          reserved_lo;  // [128:128] zero
    // [127:96] cycles in the queue: CYCLE less the cycle in which the copy came into it
    logic [31:0]   delay;
    logic [15:0]   depth_in;  // [95:80] copies that waited for the port when this one came
    logic [15:0]   port_out;  // [79:64] number of the port
    // [63:32] cycle in which its first beat left the queue, counted from reset
    logic [31:0]   cycle;
    // [31:16] copies that waited for the port in that cycle, this one not counted
    logic [15:0]   depth_out;
    logic [15:0]   length;  // [15:0] length of the packet in bytes
  } egress_metadata_t;

  typedef enum logic [1:0] {
    CmpGt = 2'd0,  // A > B, unsigned, 8 bits [M]
    CmpGe = 2'd1,  // A >= B [M]
    CmpEq = 2'd2,  // A == B [M]
    CmpOne = 2'd3  // constant 1 [M]
  } cmp_e;

  typedef enum logic [2:0] {
    WideZero = 3'd0,  // constant 0
    WideEq = 3'd1,  // A == B
    WideGtu = 3'd2,  // A > B, unsigned
    WideGeu = 3'd3,  // A >= B, unsigned
    WideGt = 3'd4,  // A > B, signed
    WideGe = 3'd5  // A >= B, signed
  } wide_e;

  // comparator operand [M]; its container type is 00 2B, 01 4B, 10 6B, 11 constant 0
  localparam int unsigned CmpOperandWidth = 9;
  typedef struct packed {
    logic          immediate;  // [8:8] 1: bits 7:0 are the value
    logic [2:0]    reserved;  // [7:5] high bits of the immediate, else ignored
    logic [1:0]    kind;  // [4:3] 00 2B, 01 4B, 10 6B, 11 constant 0
    logic [2:0]    idx;  // [2:0] container index; bits 7:0 of the container are compared
  } cmp_operand_t;

  // key extractor entry [M]
  localparam int unsigned KeyExtractWidth = 38;
  typedef struct packed {
    logic [2:0]    b6_first;  // [37:35] index of the first 6B container of the key
    logic [2:0]    b6_second;  // [34:32] second 6B container
    logic [2:0]    b4_first;  // [31:29] first 4B container
    logic [2:0]    b4_second;  // [28:26] second 4B container
    logic [2:0]    b2_first;  // [25:23] first 2B container
    logic [2:0]    b2_second;  // [22:20] second 2B container
    logic [1:0]    cmp_op;  // [19:18] comparator operation (enumeration CMP)
    logic [8:0]    cmp_a;  // [17:9] comparator operand A
    logic [8:0]    cmp_b;  // [8:0] comparator operand B
  } key_extract_t;

  // key, and key mask entry (mask bit 1: ignored, reads 0) [M]
  localparam int unsigned KeyWidth = 193;
  typedef struct packed {
    logic [47:0]   b6_first;  // [192:145] first 6B container
    logic [47:0]   b6_second;  // [144:97] second 6B container
    logic [31:0]   b4_first;  // [96:65] first 4B container
    logic [31:0]   b4_second;  // [64:33] second 4B container
    logic [15:0]   b2_first;  // [32:17] first 2B container
    logic [15:0]   b2_second;  // [16:1] second 2B container
    logic          predicate;  // [0:0] comparator result
  } key_t;

  // wide compare: of whole values, 32 bits; its result is WIDE of the entries
  localparam int unsigned KeyCompareWidth = 46;
  typedef struct packed {
    logic [2:0]    op;  // [45:43] operation (enumeration WIDE)
    logic [4:0]    a;  // [42:38] operand A
    logic [4:0]    b;  // [37:33] operand B
    logic          immediate;  // [32:32] 1: B is K
    logic [31:0]   k;  // [31:0] constant
  } key_compare_t;

  // match entry [M]; lowest row wins
  localparam int unsigned MatchWidth = 205;
  typedef struct packed {
    logic          reserved;  // [204:204] zero: the packet's side is always 0 [M]
    // [203:203] result of the wide compare; 0 in Menshen's packets, and of packets of chips without
    // WideCompare
    logic          wide;
    // [202:201] bit b: not for packets of bank b; 0, as in Menshen's packets: for all
    logic [1:0]    not_bank;
    logic [7:0]    vid;  // [200:193] VID[7:0] of the module
    logic [192:0]  key;  // [192:0] masked key (0 at every masked bit)
  } match_t;

  // entry of the ternary engine; lowest entry wins
  localparam int unsigned TernaryWidth = 576;
  typedef struct packed {
    logic          valid;  // [575:575] entry in use
    logic [1:0]    not_bank;  // [574:573] bit b: not for packets of bank b
    logic          wide;  // [572:572] result of the wide compare, if it counts
    logic          care_wide;  // [571:571] 1: WIDE is compared
    logic [32:0]   reserved;  // [570:538] zero
    logic [15:0]   action;  // [537:522] row of ACTION and STATE_INSTR
    logic [7:0]    vid;  // [521:514] VID[7:0] of the module: always compared
    logic [192:0]  key;  // [513:321] key (layout KEY)
    logic [192:0]  care;  // [320:128] bit 1: this bit of the key is compared
    logic [127:0]  data;  // [127:0] data words 0 to 3, word 0 first
  } ternary_t;

  // entry of the cuckoo engine; entry way * CuckooEntries / 4 + bucket
  localparam int unsigned CuckooWidth = 384;
  typedef struct packed {
    logic          valid;  // [383:383] entry in use
    logic [1:0]    not_bank;  // [382:381] bit b: not for packets of bank b
    logic          wide;  // [380:380] result of the wide compare
    logic [34:0]   reserved;  // [379:345] zero
    logic [15:0]   action;  // [344:329] row of ACTION and STATE_INSTR
    logic [7:0]    vid;  // [328:321] VID[7:0] of the module
    logic [192:0]  key;  // [320:128] masked key (layout KEY)
    logic [127:0]  data;  // [127:0] data words 0 to 3, word 0 first
  } cuckoo_t;

  // what a module does in a stage with a packet that matches no entry
  localparam int unsigned DefaultActionWidth = 192;
  typedef struct packed {
    logic          valid;  // [191:191] 1: the action is in row ACTION; 0: nothing happens
    logic [46:0]   reserved;  // [190:144] zero
    logic [15:0]   action;  // [143:128] row of ACTION and STATE_INSTR
    logic [127:0]  data;  // [127:0] data words 0 to 3, word 0 first
  } default_action_t;

  // data of a match entry
  localparam int unsigned MatchDataWidth = 128;
  typedef struct packed {
    logic [127:0]  data;  // [127:0] data words 0 to 3, word 0 first
  } match_data_t;

  // what a match entry counts; both wrap
  localparam int unsigned EntryCountWidth = 64;
  typedef struct packed {
    logic [27:0]   packets;  // [63:36] packets that it gave their action
    logic [35:0]   bytes;  // [35:0] their bytes
  } entry_count_t;

  typedef enum logic [3:0] {
    OpNop = 4'd0,  // no change [M]
    OpAdd = 4'd1,  // D = A + B modulo the slot's width [M]
    OpSub = 4'd2,  // D = A - B [M]
    // D = function F of A, B and C, 32 bits (form INSTR_FUNC); slot 0: port from container A
    OpFunc = 4'd3,
    // D = function FI of A and a signed 12-bit immediate, 32 bits (form INSTR_FUNCI); slot 0:
    // discard if container A is not 0
    OpFunci = 4'd4,
    // D = {immediate, A[15:0]}, 32 bits; slot 0: port from container A and discard if container B
    // is not 0
    OpSethi = 4'd5,
    // D = result of the state unit (back stage), hash unit (front stage) or multiplier that
    // immediate[3:0] selects (enumeration EXT)
    OpExt = 4'd6,
    OpLoadd = 4'd7,  // slot 16: v = mem[B] + 1; D = v; mem[B] = v [M]
    OpStore = 4'd8,  // slot 16: mem[B] = A [M]
    OpAddi = 4'd9,  // D = A + zero-extended 16-bit immediate [M]
    OpSubi = 4'd10,  // D = A - zero-extended 16-bit immediate [M]
    OpLoad = 4'd11,  // slot 16: D = mem[B] [M]
    OpPort = 4'd12,  // slot 0: destination = port set (or row) of the slot [M]
    OpDiscard = 4'd13,  // slot 0: discard flag = flag of the slot [M]
    OpSet = 4'd14,  // D = zero-extended 16-bit immediate [M]
    OpNopFill = 4'd15  // no change; Menshen's compiler fills with it [M]
  } op_e;

  typedef enum logic [4:0] {
    FuncAnd = 5'd0,  // A & B
    FuncOr = 5'd1,  // A | B
    FuncXor = 5'd2,  // A ^ B
    FuncNot = 5'd3,  // ~A
    FuncShl = 5'd4,  // A << B[4:0]
    FuncSra = 5'd5,  // A >> B[4:0], arithmetic
    FuncSrl = 5'd6,  // A >> B[4:0], logical
    FuncEq = 5'd7,  // A == B
    FuncNe = 5'd8,  // A != B
    FuncLt = 5'd9,  // A < B, signed
    FuncLe = 5'd10,  // A <= B, signed
    FuncLtu = 5'd11,  // A < B, unsigned
    FuncSelect = 5'd12,  // C != 0 ? A : B
    FuncAdd = 5'd13,  // A + B
    FuncSub = 5'd14,  // A - B
    FuncLand = 5'd15,  // A != 0 && B != 0
    FuncLor = 5'd16,  // A != 0 || B != 0
    FuncMove = 5'd17  // A
  } func_e;

  typedef enum logic [3:0] {
    FunciAnd = 4'd0,  // A & I
    FunciOr = 4'd1,  // A | I
    FunciXor = 4'd2,  // A ^ I
    FunciShl = 4'd3,  // A << I[4:0]
    FunciSra = 4'd4,  // A >> I[4:0], arithmetic
    FunciSrl = 4'd5,  // A >> I[4:0], logical
    FunciEq = 4'd6,  // A == I
    FunciNe = 4'd7,  // A != I
    FunciLt = 4'd8,  // A < I, signed
    FunciLe = 4'd9,  // A <= I, signed
    FunciGt = 4'd10,  // A > I, signed
    FunciGe = 4'd11,  // A >= I, signed
    FunciAdd = 4'd12,  // A + I
    FunciRsub = 4'd13,  // I - A
    FunciSet = 4'd14  // I
  } funci_e;

  typedef enum logic [3:0] {
    ExtOld1 = 4'd0,  // back stage: first state word before the update; front stage: hash result
    ExtOld2 = 4'd1,  // second state word before the update
    ExtNew1 = 4'd2,  // first state word after the update
    ExtNew2 = 4'd3,  // second state word after the update
    ExtPred1 = 4'd4,  // predicate 1 of the state instruction, 0 or 1
    ExtPred2 = 4'd5,  // predicate 2
    ExtPred3 = 4'd6,  // predicate 3
    ExtPred4 = 4'd7,  // predicate 4
    ExtProduct = 4'd8  // front or back stage: product of the multiplier (table MULTIPLY)
  } ext_e;

  // VLIW slot, two-operand form [M]; slot s is bits [25s+24:25s] of the 625-bit action word
  localparam int unsigned InstrWidth = 25;
  typedef struct packed {
    logic [3:0]    op;  // [24:21] operation (enumeration OP)
    // [20:16] operand A; ADD..LOAD and the other operations of Menshen ignore its type and use the
    // slot's own
    logic [4:0]    a;
    logic [4:0]    b;  // [15:11] operand B
    logic [10:0]   reserved;  // [10:0] ignored
  } instr_t;

  // VLIW slot, immediate form [M]
  localparam int unsigned InstrImmWidth = 25;
  typedef struct packed {
    logic [3:0]    op;  // [24:21] operation
    logic [4:0]    a;  // [20:16] operand A
    logic [15:0]   imm;  // [15:0] immediate
  } instr_imm_t;

  // VLIW slot, form FUNC
  localparam int unsigned InstrFuncWidth = 25;
  typedef struct packed {
    logic [3:0]    op;  // [24:21] FUNC
    logic [4:0]    a;  // [20:16] operand A
    logic [4:0]    b;  // [15:11] operand B
    logic [4:0]    f;  // [10:6] function (enumeration FUNC)
    logic [4:0]    c;  // [5:1] operand C (SELECT only)
    // [0:0] chips with ActionData: 1: an operand of type CONST is data word IDX of the entry, 0..3,
    // or the number IDX - 4; 0, and in all other chips: the constant
    logic          data;
  } instr_func_t;

  // VLIW slot, form FUNCI
  localparam int unsigned InstrFunciWidth = 25;
  typedef struct packed {
    logic [3:0]    op;  // [24:21] FUNCI
    logic [4:0]    a;  // [20:16] operand A
    logic [3:0]    f;  // [15:12] function (enumeration FUNCI)
    logic [11:0]   imm;  // [11:0] signed immediate I
  } instr_funci_t;

  // VLIW slot 0, forms PORT and DISCARD [M]
  localparam int unsigned InstrMdWidth = 25;
  typedef struct packed {
    logic [3:0]    op;  // [24:21] PORT or DISCARD
    logic [7:0]    dest;  // [20:13] port set, or row of the port mask table
    logic          discard;  // [12:12] discard flag
    logic          reserved_hi;  // [11:11] ignored
    logic [5:0]    next_table;  // [10:5] next table id: accepted, read by nobody, not carried [M]
    logic [4:0]    reserved;  // [4:0] ignored
  } instr_md_t;

  typedef enum logic [2:0] {
    RelEq = 3'd0,  // X == Y
    RelNe = 3'd1,  // X != Y
    RelLt = 3'd2,  // X < Y, signed
    RelLe = 3'd3,  // X <= Y, signed
    RelGt = 3'd4,  // X > Y, signed
    RelGe = 3'd5,  // X >= Y, signed
    RelTrue = 3'd6,  // 1
    RelFalse = 3'd7  // 0
  } rel_e;

  typedef enum logic [1:0] {
    PredSZero = 2'd0,  // 0
    PredSS1 = 2'd1,  // first state word
    PredSS2 = 2'd2,  // second state word
    PredSReserved = 2'd3  // 0
  } pred_s_e;

  typedef enum logic [2:0] {
    PredPZero = 3'd0,  // 0
    PredPP1 = 3'd1,  // P1
    PredPP2 = 3'd2,  // P2
    PredPNegP1 = 3'd3,  // -P1
    PredPNegP2 = 3'd4,  // -P2
    PredPP1SubP2 = 3'd5,  // P1 - P2
    PredPP2SubP1 = 3'd6,  // P2 - P1
    PredPReserved = 3'd7  // 0
  } pred_p_e;

  typedef enum logic [2:0] {
    PredYK0 = 3'd0,  // constant 0
    PredYK1 = 3'd1,  // constant 1
    PredYK2 = 3'd2,  // constant 2
    PredYK3 = 3'd3,  // constant 3
    PredYP1 = 3'd4,  // P1
    PredYP2 = 3'd5,  // P2
    PredYS1 = 3'd6,  // first state word
    PredYS2 = 3'd7  // second state word
  } pred_y_e;

  typedef enum logic [2:0] {
    ArmK0 = 3'd0,  // constant 0
    ArmK1 = 3'd1,  // constant 1
    ArmK2 = 3'd2,  // constant 2
    ArmK3 = 3'd3,  // constant 3
    ArmP1 = 3'd4,  // P1
    ArmP2 = 3'd5,  // P2
    ArmZero = 3'd6,  // 0
    ArmReserved = 3'd7  // 0
  } arm_e;

  // predicate of a state instruction: (X_STATE + X_PACKET) REL Y, wrapping sum
  localparam int unsigned PredicateWidth = 11;
  typedef struct packed {
    logic [1:0]    x_state;  // [10:9] state word of the left side (enumeration PRED_S)
    logic [2:0]    x_packet;  // [8:6] packet part of the left side (enumeration PRED_P)
    logic [2:0]    rel;  // [5:3] relation (enumeration REL)
    logic [2:0]    y;  // [2:0] right side (enumeration PRED_Y)
  } predicate_t;

  // update of one state word in one arm: s' = (KEEP ? s : 0) + (A +/- B)
  localparam int unsigned UpdateWidth = 8;
  typedef struct packed {
    logic          keep;  // [7:7] 1: the old value is a term
    logic          sub;  // [6:6] 1: A - B, 0: A + B
    logic [2:0]    a;  // [5:3] term (enumeration ARM)
    logic [2:0]    b;  // [2:0] term (enumeration ARM)
  } update_t;

  // state instruction: Banzai's Pairs atom and below (StatePairs 0: IfElseRAW). if P1 {if P2 arm A
  // else B} else if P4 {if P3 arm C else D}
  localparam int unsigned StateInstrWidth = 256;
  typedef struct packed {
    // [255:255] instruction in use; else slot 16 decides (LOAD, STORE, LOADD)
    logic          valid;
    logic [8:0]    reserved;  // [254:246] zero
    logic [4:0]    p1;  // [245:241] packet operand P1
    logic [4:0]    p2;  // [240:236] packet operand P2
    logic [10:0]   pred_1;  // [235:225] predicate 1
    logic [10:0]   pred_2;  // [224:214] predicate 2
    logic [10:0]   pred_3;  // [213:203] predicate 3
    logic [10:0]   pred_4;  // [202:192] predicate 4
    logic [7:0]    a1;  // [191:184] arm A, first word
    logic [7:0]    a2;  // [183:176] arm A, second word
    logic [7:0]    b1;  // [175:168] arm B, first word
    logic [7:0]    b2;  // [167:160] arm B, second word
    logic [7:0]    c1;  // [159:152] arm C, first word
    logic [7:0]    c2;  // [151:144] arm C, second word
    logic [7:0]    d1;  // [143:136] arm D, first word
    logic [7:0]    d2;  // [135:128] arm D, second word
    logic [31:0]   k0;  // [127:96] constant 0
    logic [31:0]   k1;  // [95:64] constant 1
    logic [31:0]   k2;  // [63:32] constant 2
    logic [31:0]   k3;  // [31:0] constant 3
  } state_instr_t;

  // entry of the state memory: a pair of 32-bit words
  localparam int unsigned StateEntryWidth = 64;
  typedef struct packed {
    logic [31:0]   s1;  // [63:32] first word; Menshen's memory operations use this one
    logic [31:0]   s2;  // [31:0] second word
  } state_entry_t;

  // where a packet has its array
  localparam int unsigned ArrayWidth = 16;
  typedef struct packed {
    logic          valid;  // [15:15] 1: packets of the module have one
    logic [1:0]    reserved_hi;  // [14:13] zero
    logic [4:0]    count;  // [12:8] words, at most ArrayWords
    logic          reserved;  // [7:7] zero
    // [6:0] byte offset of word 0 from the start of the frame, VLAN tag included; even
    logic [6:0]    offset;
  } array_t;

  typedef enum logic [2:0] {
    ArrayOpKeep = 3'd0,  // the row stays
    ArrayOpAdd = 3'd1,  // row + packet, wrapping
    ArrayOpAdds = 3'd2,  // row + packet, signed, saturating
    ArrayOpMax = 3'd3,  // the greater one, signed
    ArrayOpMin = 3'd4,  // the smaller one, signed
    ArrayOpSet = 3'd5,  // the packet's words
    ArrayOpClear = 3'd6,  // 0
    ArrayOpOr = 3'd7  // row | packet
  } array_op_e;

  typedef enum logic [2:0] {
    ArraySelectNone = 3'd0,  // ON_TRUE is done
    // ON_TRUE if predicate 1 of the state instruction holds, else ON_FALSE
    ArraySelectPred1 = 3'd1,
    ArraySelectPred2 = 3'd2,  // predicate 2
    ArraySelectPred3 = 3'd3,  // predicate 3
    ArraySelectPred4 = 3'd4  // predicate 4
  } array_select_e;

  typedef enum logic [1:0] {
    ArrayResultPacket = 2'd0,  // the packet's words stay
    ArrayResultOld = 2'd1,  // they become the row before
    ArrayResultNew = 2'd2  // they become the row afterwards
  } array_result_e;

  // operation on a row of words, beside the state instruction of the same action row
  localparam int unsigned ArrayInstrWidth = 16;
  typedef struct packed {
    logic          valid;  // [15:15] instruction in use
    // [14:12] which of the two is done (enumeration ARRAY_SELECT; other numbers: ON_TRUE)
    logic [2:0]    select;
    logic [2:0]    on_true;  // [11:9] operation (enumeration ARRAY_OP)
    logic [2:0]    on_false;  // [8:6] operation
    // [5:4] words of the packet afterwards (enumeration ARRAY_RESULT; 3: as NEW)
    logic [1:0]    result;
    logic [3:0]    reserved;  // [3:0] zero
  } array_instr_t;

  // a row of words; word 0 first
  localparam int unsigned StateRowWidth = 512;
  typedef struct packed {
    // [511:0] words 0 to 15, of 32 bits each; a chip keeps the first ArrayWords
    logic [511:0]  words;
  } state_row_t;

  // which words of an array are keys, and what becomes of them
  localparam int unsigned ArrayKeysWidth = 32;
  typedef struct packed {
    logic          valid;  // [31:31] 1: packets of the module look words up
    // [30:30] a key without an entry: 1: the word stays as it is; 0: it becomes 0
    logic          stay;
    // [29:29] 1: a container gets a bit for each word: 1 if its key has an entry
    logic          found_valid;
    logic [2:0]    found;  // [28:26] which 2-byte container
    logic [9:0]    reserved;  // [25:16] zero
    logic [15:0]   words;  // [15:0] bit i: word i is a key
  } array_keys_t;

  // entry of the array match: a key, and what a word becomes that has it
  localparam int unsigned ArrayMatchWidth = 80;
  typedef struct packed {
    logic          valid;  // [79:79] entry in use
    logic [1:0]    not_bank;  // [78:77] bit b: not for packets of bank b
    logic [4:0]    reserved;  // [76:72] zero
    logic [7:0]    vid;  // [71:64] low byte of the module's VLAN id
    logic [31:0]   key;  // [63:32] the word
    logic [31:0]   data;  // [31:0] what it becomes
  } array_match_t;

  // segment entry [M], in granules of state entries / 256 (at least 1)
  localparam int unsigned Segment16Width = 16;
  typedef struct packed {
    logic [7:0]    range;  // [15:8] entries of the segment, in granules
    logic [7:0]    base;  // [7:0] first slot, in granules
  } segment16_t;

  // segment entry, wide form
  localparam int unsigned SegmentWidth = 32;
  typedef struct packed {
    logic [15:0]   range;  // [31:16] entries of the segment; an index is legal if it is less
    logic [15:0]   base;  // [15:0] first slot, the same in every pipeline
  } segment_t;

  // how the order point resolves the state access of a module at a back stage
  localparam int unsigned AccessWidth = 32;
  typedef struct packed {
    logic          enable;  // [31:31] packets of the module may access state here
    // [30:30] 1: all of the segment is in pipeline PIPE, slot base + i; 0: sharded over a set of k
    // pipelines, i modulo k, slot base + i / k
    logic          pinned;
    // [29:26] pipeline of a pinned segment; sharded: a pipeline of its set (CHIP.SETS)
    logic [3:0]    pipe;
    logic          invert;  // [25:25] 1: access when the predicate container is 0
    // [24:20] container that decides, at the order point; type CONST: always
    logic [4:0]    predicate;
    // [19:15] container, or constant, with the index; sharded: at the order point, pinned: at the
    // stage
    logic [4:0]    index;
    logic [14:0]   reserved;  // [14:0] zero
  } access_t;

  typedef enum logic [1:0] {
    HashIdentity = 2'd0,  // the first operand, signed; % keeps the sign of the dividend
    HashCrc16 = 2'd1,  // CRC-16/ARC over the operands as little-endian 4-byte words
    HashCrc32 = 2'd2,  // CRC-32 (IEEE 802.3) over the same bytes
    HashReserved = 2'd3  // 0
  } hash_e;

  // hash instruction of a module at a front stage; the result is EXT value 0
  localparam int unsigned HashInstrWidth = 96;
  typedef struct packed {
    logic          valid;  // [95:95] instruction in use; else the result is 0
    logic [1:0]    algorithm;  // [94:93] enumeration HASH
    logic [1:0]    num_words;  // [92:91] operands hashed, 1..3 (0: none)
    logic [4:0]    a;  // [90:86] first operand
    logic [4:0]    b;  // [85:81] second operand
    logic [4:0]    c;  // [80:76] third operand
    logic [11:0]   reserved;  // [75:64] zero
    logic [31:0]   modulus;  // [63:32] N: the result is reduced modulo N; 0: not reduced
    logic [31:0]   reciprocal;  // [31:0] floor((2^32 - 1) / N); 0 when N is 0
  } hash_instr_t;

  // operands of the multiplier, of a match row: EXT value PRODUCT is A * B, the low 32 bits
  localparam int unsigned MultiplyWidth = 10;
  typedef struct packed {
    logic [4:0]    a;  // [9:5] first operand
    logic [4:0]    b;  // [4:0] second operand
  } multiply_t;

  // module of an overlay row; after reset 0, so packets of all VLANs are dropped
  localparam int unsigned ModuleWidth = 32;
  typedef struct packed {
    logic          valid;  // [31:31] row in use
    logic          active;  // [30:30] chips with Active: 1: its packets may be capsules
    logic [1:0]    reserved_hi;  // [29:28] zero
    logic [3:0]    pipe;  // [27:24] a pipeline of the set that its packets use (CHIP.SETS)
    logic [7:0]    dest;  // [23:16] destination of its packets until an action sets another
    logic          need_udp;  // [15:15] 1: drop what is not IPv4 with UDP
    logic          need_ip;  // [14:14] 1: drop what is not IPv4
    logic [1:0]    reserved;  // [13:12] zero
    logic [11:0]   vid;  // [11:0] VLAN id, all 12 bits
  } module_t;

  // options of the deparser for a module
  localparam int unsigned DeparseOptWidth = 8;
  typedef struct packed {
    logic [5:0]    reserved;  // [7:2] zero
    logic          l4_checksum;  // [1:1] update the UDP or TCP checksum
    logic          ip_checksum;  // [0:0] update the IPv4 header checksum
  } deparse_opt_t;

  // ports of a destination row; after reset row r is port r alone
  localparam int unsigned PortMaskWidth = 64;
  typedef struct packed {
    logic [63:0]   ports;  // [63:0] bit p: port p
  } port_mask_t;

  // ports that a module may send to; after reset all
  localparam int unsigned ModulePortsWidth = 64;
  typedef struct packed {
    logic [63:0]   ports;  // [63:0] bit p: port p
  } module_ports_t;

  // share of a module in every order queue; after reset no module has a limit
  localparam int unsigned ShareWidth = 16;
  typedef struct packed {
    logic          limit;  // [15:15] 1: the module has a share; 0: no limit
    // [14:9] accesses to one order queue beyond RATE before the module is above its share there
    logic [5:0]    burst;
    // [8:0] accesses per 256 cycles and order queue; 256 and more: one a cycle
    logic [8:0]    rate;
  } share_t;

  // who may recirculate; after reset nobody
  localparam int unsigned RecirculateWidth = 32;
  typedef struct packed {
    logic [7:0]    rounds;  // [31:24] further passes of a packet, at most
    // [23:16] tokens that the bucket of a lane holds, at most; a packet that recirculates takes one
    logic [7:0]    burst;
    // [15:0] 256 times the tokens that come every E cycles, E: the entries of this table
    logic [15:0]   rate;
  } recirculate_t;

  // what a module may bring into each lane; after reset no module has a limit
  localparam int unsigned RateLimitWidth = 64;
  typedef struct packed {
    logic          valid;  // [63:63] 1: the module has a limit
    logic [6:0]    reserved;  // [62:56] zero
    logic [7:0]    packet_burst;  // [55:48] packets that the bucket of packets holds
    // [47:32] 256 times the packets that come every E cycles, E: the entries of this table
    logic [15:0]   packet_rate;
    logic [15:0]   byte_burst;  // [31:16] units of 64 bytes that the bucket of bytes holds
    logic [15:0]   byte_rate;  // [15:0] 256 times the units that come every E cycles
  } rate_limit_t;

  // class of a module in the output queues; after reset its row modulo OutputClasses
  localparam int unsigned OutputClassWidth = 8;
  typedef struct packed {
    // [7:7] 1: the class is NUMBER; 0: it is the overlay row modulo OutputClasses
    logic          valid;
    logic [3:0]    reserved;  // [6:3] zero
    logic [2:0]    number;  // [2:0] the class, modulo OutputClasses
  } output_class_t;

  // a program id of capsules
  localparam int unsigned TenantWidth = 32;
  typedef struct packed {
    logic          valid;  // [31:31] id in use
    logic          drop;  // [30:30] 1: a capsule is discarded at a fault
    logic          report;  // [29:29] 1: a capsule with a fault leaves with flag FAULT
    logic [12:0]   reserved_hi;  // [28:16] zero
    logic [7:0]    rounds;  // [15:8] chips with Recirculation: further passes of a capsule, at most
    // [7:0] overlay row of its module: capsules of other modules have no memory under this id
    logic [7:0]    row;
  } tenant_t;

  // words of a stage that capsules of an id may access
  localparam int unsigned RegionWidth = 64;
  typedef struct packed {
    logic          valid;  // [63:63] there are some
    // [62:62] 1: spread over a set of k pipelines, word i in pipeline i modulo k, slot BASE + i /
    // k; 0: in pipeline PIPE, slot BASE + i
    logic          sharded;
    logic [1:0]    reserved;  // [61:60] zero
    logic [3:0]    pipe;  // [59:56] pipeline; sharded: a pipeline of the set (CHIP.SETS)
    logic [19:0]   low;  // [55:36] address of word 0
    logic [19:0]   high;  // [35:16] address of the last word
    logic [15:0]   base;  // [15:0] slot of word 0
  } region_t;

  // what ADDR_MASK_k and ADDR_OFFSET_k do in a stage to capsules of an id
  localparam int unsigned AddressWidth = 64;
  typedef struct packed {
    logic          valid;  // [63:63] they do something
    logic [4:0]    k;  // [62:58] k
    logic [17:0]   reserved;  // [57:40] zero
    logic [19:0]   mask;  // [39:20] MAR = MAR & MASK
    logic [19:0]   offset;  // [19:0] MAR = MAR + OFFSET
  } address_t;

  // The tables of the daisy chain, as a chain node tells them to what is beside it.
  typedef enum logic [5:0] {
    TableParser = 6'd0,
    TableDeparser = 6'd1,
    TableKeyExtract = 6'd2,
    TableKeyMask = 6'd3,
    TableMatch = 6'd4,
    TableAction = 6'd5,
    TableSegment16 = 6'd6,
    TableSegment = 6'd7,
    TableStateInstr = 6'd8,
    TableHashInstr = 6'd9,
    TableAccess = 6'd10,
    TableState = 6'd11,
    TableFill = 6'd12,
    TableTake = 6'd13,
    TableLeave = 6'd14,
    TableCut = 6'd15,
    TableRegion = 6'd16,
    TableAddress = 6'd17,
    TableArrayInstr = 6'd18,
    TableStateRow = 6'd19,
    TableMultiply = 6'd20,
    TableKeyCompare = 6'd21,
    TableModule = 6'd22,
    TableDeparseOpt = 6'd23,
    TablePortMask = 6'd24,
    TableShare = 6'd25,
    TableModulePorts = 6'd26,
    TableTenant = 6'd27,
    TableArray = 6'd28,
    TableRecirculate = 6'd29,
    TableRateLimit = 6'd30,
    TableOutputClass = 6'd31,
    TableArrayKeys = 6'd32,
    TableArrayMatch = 6'd33,
    TableTernary = 6'd34,
    TableCuckoo = 6'd35,
    TableDefaultAction = 6'd36,
    TableMatchData = 6'd37,
    TableEgressParser = 6'd38,
    TableEgressDeparser = 6'd39,
    TableEgressOpt = 6'd40,
    TableMatchCount = 6'd41,
    TableTernaryCount = 6'd42,
    TableCuckooCount = 6'd43,
    TableNone = 6'd63
  } table_e;
  localparam int unsigned NumTables = 44;

  typedef enum logic [3:0] {
    RowsOverlay = 4'd0,
    RowsModules = 4'd1,
    RowsMatches = 4'd2,
    RowsActions = 4'd3,
    RowsTernary = 4'd4,
    RowsCuckoo = 4'd5,
    RowsMasks = 4'd6,
    RowsIds = 4'd7,
    RowsSegment = 4'd8,
    RowsOne = 4'd9,
    RowsKeys = 4'd10
  } table_rows_e;

  typedef enum logic [2:0] {
    ScopeLane = 3'd0,
    ScopeExit = 3'd1,
    ScopeStage = 3'd2,
    ScopeState = 3'd3,
    ScopeFront = 3'd4,
    ScopeOrder = 3'd5,
    ScopeEgress = 3'd6
  } table_scope_e;

  typedef enum logic [3:0] {
    KeptAll = 4'd0,
    KeptActions = 4'd1,
    KeptKey = 4'd2,
    KeptSlots = 4'd3,
    KeptWords = 4'd4,
    KeptHashes = 4'd5,
    KeptChecksums = 4'd6,
    KeptPorts = 4'd7,
    KeptEntry = 4'd8,
    KeptArray = 4'd9
  } table_kept_e;

  typedef struct packed {
    logic [9:0]   width;   // bits of an entry; 0: no table
    table_rows_e  rows;
    table_scope_e scope;   // who owns it
    logic         read;    // can be read
    logic         write;   // can be written
    logic         erase;   // can be erased
    logic         order;   // the order point decides whether a write takes effect
    table_kept_e  kept;    // which bits a chip keeps
  } table_info_t;

  function automatic table_info_t table_info(table_e which);
    case (which)
      TableParser:
        return '{10'd160, RowsOverlay, ScopeLane, 1'b1, 1'b1, 1'b0, 1'b0, KeptActions};
      TableDeparser:
        return '{10'd160, RowsOverlay, ScopeExit, 1'b1, 1'b1, 1'b0, 1'b0, KeptActions};
      TableKeyExtract:
        return '{10'd38, RowsOverlay, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableKeyMask:
        return '{10'd193, RowsOverlay, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptKey};
      TableMatch:
        return '{10'd205, RowsMatches, ScopeStage, 1'b1, 1'b1, 1'b1, 1'b0, KeptKey};
      TableAction:
        return '{10'd625, RowsActions, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptSlots};
      TableSegment16:
        return '{10'd16, RowsOverlay, ScopeState, 1'b1, 1'b1, 1'b0, 1'b1, KeptAll};
      TableSegment:
        return '{10'd32, RowsOverlay, ScopeState, 1'b1, 1'b1, 1'b0, 1'b1, KeptAll};
      TableStateInstr:
        return '{10'd256, RowsActions, ScopeState, 1'b1, 1'b1, 1'b0, 1'b0, KeptWords};
      TableHashInstr:
        return '{10'd96, RowsOverlay, ScopeFront, 1'b1, 1'b1, 1'b0, 1'b0, KeptHashes};
      TableAccess:
        return '{10'd32, RowsOverlay, ScopeState, 1'b1, 1'b1, 1'b0, 1'b1, KeptAll};
      TableState:
        return '{10'd64, RowsSegment, ScopeState, 1'b1, 1'b1, 1'b0, 1'b1, KeptWords};
      TableFill:
        return '{10'd64, RowsOne, ScopeState, 1'b0, 1'b1, 1'b0, 1'b1, KeptWords};
      TableTake:
        return '{10'd64, RowsSegment, ScopeState, 1'b1, 1'b0, 1'b0, 1'b0, KeptWords};
      TableLeave:
        return '{10'd64, RowsOne, ScopeState, 1'b1, 1'b1, 1'b0, 1'b0, KeptWords};
      TableCut:
        return '{10'd64, RowsSegment, ScopeState, 1'b1, 1'b0, 1'b0, 1'b1, KeptWords};
      TableRegion:
        return '{10'd64, RowsIds, ScopeState, 1'b1, 1'b1, 1'b0, 1'b1, KeptAll};
      TableAddress:
        return '{10'd64, RowsIds, ScopeState, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableArrayInstr:
        return '{10'd16, RowsActions, ScopeState, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableStateRow:
        return '{10'd512, RowsSegment, ScopeState, 1'b1, 1'b1, 1'b0, 1'b1, KeptArray};
      TableMultiply:
        return '{10'd10, RowsActions, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableKeyCompare:
        return '{10'd46, RowsOverlay, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableModule:
        return '{10'd32, RowsOverlay, ScopeLane, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableDeparseOpt:
        return '{10'd8, RowsOverlay, ScopeExit, 1'b1, 1'b1, 1'b0, 1'b0, KeptChecksums};
      TablePortMask:
        return '{10'd64, RowsMasks, ScopeExit, 1'b1, 1'b1, 1'b0, 1'b0, KeptPorts};
      TableShare:
        return '{10'd16, RowsModules, ScopeOrder, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableModulePorts:
        return '{10'd64, RowsOverlay, ScopeExit, 1'b1, 1'b1, 1'b0, 1'b0, KeptPorts};
      TableTenant:
        return '{10'd32, RowsIds, ScopeLane, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableArray:
        return '{10'd16, RowsOverlay, ScopeLane, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableRecirculate:
        return '{10'd32, RowsOverlay, ScopeExit, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableRateLimit:
        return '{10'd64, RowsModules, ScopeLane, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableOutputClass:
        return '{10'd8, RowsModules, ScopeExit, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableArrayKeys:
        return '{10'd32, RowsOverlay, ScopeLane, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableArrayMatch:
        return '{10'd80, RowsKeys, ScopeLane, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableTernary:
        return '{10'd576, RowsTernary, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptEntry};
      TableCuckoo:
        return '{10'd384, RowsCuckoo, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptEntry};
      TableDefaultAction:
        return '{10'd192, RowsOverlay, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptEntry};
      TableMatchData:
        return '{10'd128, RowsMatches, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptEntry};
      TableEgressParser:
        return '{10'd160, RowsOverlay, ScopeEgress, 1'b1, 1'b1, 1'b0, 1'b0, KeptActions};
      TableEgressDeparser:
        return '{10'd160, RowsOverlay, ScopeEgress, 1'b1, 1'b1, 1'b0, 1'b0, KeptActions};
      TableEgressOpt:
        return '{10'd8, RowsOverlay, ScopeEgress, 1'b1, 1'b1, 1'b0, 1'b0, KeptChecksums};
      TableMatchCount:
        return '{10'd64, RowsMatches, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableTernaryCount:
        return '{10'd64, RowsTernary, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      TableCuckooCount:
        return '{10'd64, RowsCuckoo, ScopeStage, 1'b1, 1'b1, 1'b0, 1'b0, KeptAll};
      default: return '{10'd0, RowsOne, ScopeOrder, 1'b0, 1'b0, 1'b0, 1'b0, KeptAll};
    endcase
  endfunction

  // Which table a packet or a message names.
  function automatic table_e table_of(logic [2:0] resource, logic [3:0] sub);
    case (resource)
      3'd0: return TableParser;
      3'd1: case (sub)
        4'd0: return TableKeyExtract;
        default: return TableKeyMask;
      endcase
      3'd2: case (sub)
        4'd0: return TableMatch;
        default: return TableAction;
      endcase
      3'd3: case (sub)
        4'd1: return TableSegment;
        default: return TableSegment16;
      endcase
      3'd4: case (sub)
        4'd0: return TableStateInstr;
        4'd1: return TableHashInstr;
        4'd2: return TableAccess;
        4'd3: return TableState;
        4'd4: return TableFill;
        4'd5: return TableTake;
        4'd6: return TableLeave;
        4'd8: return TableCut;
        4'd9: return TableRegion;
        4'd10: return TableAddress;
        4'd11: return TableArrayInstr;
        4'd12: return TableStateRow;
        4'd7: return TableMultiply;
        4'd13: return TableKeyCompare;
        default: return TableNone;
      endcase
      3'd5: return TableDeparser;
      3'd6: case (sub)
        4'd0: return TableModule;
        4'd1: return TableDeparseOpt;
        4'd2: return TablePortMask;
        4'd3: return TableShare;
        4'd4: return TableModulePorts;
        4'd5: return TableTenant;
        4'd6: return TableArray;
        4'd7: return TableRecirculate;
        4'd9: return TableRateLimit;
        4'd8: return TableOutputClass;
        4'd11: return TableArrayKeys;
        4'd10: return TableArrayMatch;
        default: return TableNone;
      endcase
      3'd7: case (sub)
        4'd0: return TableTernary;
        4'd1: return TableCuckoo;
        4'd2: return TableDefaultAction;
        4'd3: return TableMatchData;
        4'd4: return TableEgressParser;
        4'd5: return TableEgressDeparser;
        4'd6: return TableEgressOpt;
        4'd7: return TableMatchCount;
        4'd8: return TableTernaryCount;
        4'd9: return TableCuckooCount;
        default: return TableNone;
      endcase
      default: return TableNone;
    endcase
  endfunction

  // table, lane scope: parser entry, ten actions [M]
  localparam logic [2:0] TableParserModule = 3'd0;
  localparam logic [3:0] TableParserSub = 4'd0;
  localparam int unsigned TableParserWidth = 160;

  // table, exit scope: deparser entry, ten actions [M]
  localparam logic [2:0] TableDeparserModule = 3'd5;
  localparam logic [3:0] TableDeparserSub = 4'd0;
  localparam int unsigned TableDeparserWidth = 160;

  // table, stage scope: key extractor [M]
  localparam logic [2:0] TableKeyExtractModule = 3'd1;
  localparam logic [3:0] TableKeyExtractSub = 4'd0;
  localparam int unsigned TableKeyExtractWidth = 38;

  // table, stage scope: key mask [M]
  localparam logic [2:0] TableKeyMaskModule = 3'd1;
  localparam logic [3:0] TableKeyMaskSub = 4'd15;
  localparam int unsigned TableKeyMaskWidth = 193;

  // table, stage scope: match entries [M]
  localparam logic [2:0] TableMatchModule = 3'd2;
  localparam logic [3:0] TableMatchSub = 4'd0;
  localparam int unsigned TableMatchWidth = 205;

  // table, stage scope: VLIW action words [M]
  localparam logic [2:0] TableActionModule = 3'd2;
  localparam logic [3:0] TableActionSub = 4'd15;
  localparam int unsigned TableActionWidth = 625;

  // table, state scope: segment table, Menshen's form [M]; reads back BASE and RANGE in granules
  localparam logic [2:0] TableSegment16Module = 3'd3;
  localparam logic [3:0] TableSegment16Sub = 4'd0;
  localparam int unsigned TableSegment16Width = 16;

  // table, state scope: segment table, wide form
  localparam logic [2:0] TableSegmentModule = 3'd3;
  localparam logic [3:0] TableSegmentSub = 4'd1;
  localparam int unsigned TableSegmentWidth = 32;

  // table, state scope: state instructions
  localparam logic [2:0] TableStateInstrModule = 3'd4;
  localparam logic [3:0] TableStateInstrSub = 4'd0;
  localparam int unsigned TableStateInstrWidth = 256;

  // table, front scope: hash instructions
  localparam logic [2:0] TableHashInstrModule = 3'd4;
  localparam logic [3:0] TableHashInstrSub = 4'd1;
  localparam int unsigned TableHashInstrWidth = 96;

  // table, state scope: access table, kept at the order point and at the stage
  localparam logic [2:0] TableAccessModule = 3'd4;
  localparam logic [3:0] TableAccessSub = 4'd2;
  localparam int unsigned TableAccessWidth = 32;

  // table, state scope: state entries of the module ROW of the packet; index: logical index
  localparam logic [2:0] TableStateModule = 3'd4;
  localparam logic [3:0] TableStateSub = 4'd3;
  localparam int unsigned TableStateWidth = 64;

  // table, state scope: gives every entry of the segment of the module ROW this value
  localparam logic [2:0] TableFillModule = 3'd4;
  localparam logic [3:0] TableFillSub = 4'd4;
  localparam int unsigned TableFillWidth = 64;

  // table, state scope: chips with Marks: as STATE, and the entry that was read then has the value
  // of LEAVE
  localparam logic [2:0] TableTakeModule = 3'd4;
  localparam logic [3:0] TableTakeSub = 4'd5;
  localparam int unsigned TableTakeWidth = 64;

  // table, state scope: chips with Marks: what a read of TAKE leaves behind, one value a stage
  localparam logic [2:0] TableLeaveModule = 3'd4;
  localparam logic [3:0] TableLeaveSub = 4'd6;
  localparam int unsigned TableLeaveWidth = 64;

  // table, state scope: stages with a shadow memory (CutStages): state entries as they were at
  // CHIP.CUT_TICKET; index as of STATE
  localparam logic [2:0] TableCutModule = 3'd4;
  localparam logic [3:0] TableCutSub = 4'd8;
  localparam int unsigned TableCutWidth = 64;

  // table, state scope: chips with Active: regions of capsules, kept at the order point and at the
  // stage
  localparam logic [2:0] TableRegionModule = 3'd4;
  localparam logic [3:0] TableRegionSub = 4'd9;
  localparam int unsigned TableRegionWidth = 64;

  // table, state scope: chips with Active: masks and offsets of addresses
  localparam logic [2:0] TableAddressModule = 3'd4;
  localparam logic [3:0] TableAddressSub = 4'd10;
  localparam int unsigned TableAddressWidth = 64;

  // table, state scope: stages of ArrayStages: operations on rows of words
  localparam logic [2:0] TableArrayInstrModule = 3'd4;
  localparam logic [3:0] TableArrayInstrSub = 4'd11;
  localparam int unsigned TableArrayInstrWidth = 16;

  // table, state scope: stages of ArrayStages: rows of words; index as of STATE
  localparam logic [2:0] TableStateRowModule = 3'd4;
  localparam logic [3:0] TableStateRowSub = 4'd12;
  localparam int unsigned TableStateRowWidth = 512;

  // table, stage scope: chips with Multipliers: operands of the multiplier
  localparam logic [2:0] TableMultiplyModule = 3'd4;
  localparam logic [3:0] TableMultiplySub = 4'd7;
  localparam int unsigned TableMultiplyWidth = 10;

  // table, stage scope: chips with WideCompare: wide compares
  localparam logic [2:0] TableKeyCompareModule = 3'd4;
  localparam logic [3:0] TableKeyCompareSub = 4'd13;
  localparam int unsigned TableKeyCompareWidth = 46;

  // table, lane scope: modules
  localparam logic [2:0] TableModuleModule = 3'd6;
  localparam logic [3:0] TableModuleSub = 4'd0;
  localparam int unsigned TableModuleWidth = 32;

  // table, exit scope: deparser options
  localparam logic [2:0] TableDeparseOptModule = 3'd6;
  localparam logic [3:0] TableDeparseOptSub = 4'd1;
  localparam int unsigned TableDeparseOptWidth = 8;

  // table, exit scope: port masks; index: destination row; used with more than 8 ports
  localparam logic [2:0] TablePortMaskModule = 3'd6;
  localparam logic [3:0] TablePortMaskSub = 4'd2;
  localparam int unsigned TablePortMaskWidth = 64;

  // table, order scope: shares of the modules
  localparam logic [2:0] TableShareModule = 3'd6;
  localparam logic [3:0] TableShareSub = 4'd3;
  localparam int unsigned TableShareWidth = 16;

  // table, exit scope: ports that the modules may send to
  localparam logic [2:0] TableModulePortsModule = 3'd6;
  localparam logic [3:0] TableModulePortsSub = 4'd4;
  localparam int unsigned TableModulePortsWidth = 64;

  // table, lane scope: chips with Active: ids of capsules
  localparam logic [2:0] TableTenantModule = 3'd6;
  localparam logic [3:0] TableTenantSub = 4'd5;
  localparam int unsigned TableTenantWidth = 32;

  // table, lane scope: chips with ArrayWords: where packets of the modules have their arrays
  localparam logic [2:0] TableArrayModule = 3'd6;
  localparam logic [3:0] TableArraySub = 4'd6;
  localparam int unsigned TableArrayWidth = 16;

  // table, exit scope: chips with Recirculation: rounds and budgets of the modules
  localparam logic [2:0] TableRecirculateModule = 3'd6;
  localparam logic [3:0] TableRecirculateSub = 4'd7;
  localparam int unsigned TableRecirculateWidth = 32;

  // table, lane scope: chips with RateLimits: rates of the modules
  localparam logic [2:0] TableRateLimitModule = 3'd6;
  localparam logic [3:0] TableRateLimitSub = 4'd9;
  localparam int unsigned TableRateLimitWidth = 64;

  // table, exit scope: chips with OutputClasses: classes of the modules in the output queues
  localparam logic [2:0] TableOutputClassModule = 3'd6;
  localparam logic [3:0] TableOutputClassSub = 4'd8;
  localparam int unsigned TableOutputClassWidth = 8;

  // table, lane scope: chips with ArrayEntries: which words of arrays are keys
  localparam logic [2:0] TableArrayKeysModule = 3'd6;
  localparam logic [3:0] TableArrayKeysSub = 4'd11;
  localparam int unsigned TableArrayKeysWidth = 32;

  // table, lane scope: chips with ArrayEntries: entries of the array match
  localparam logic [2:0] TableArrayMatchModule = 3'd6;
  localparam logic [3:0] TableArrayMatchSub = 4'd10;
  localparam int unsigned TableArrayMatchWidth = 80;

  // table, stage scope: ternary entries
  localparam logic [2:0] TableTernaryModule = 3'd7;
  localparam logic [3:0] TableTernarySub = 4'd0;
  localparam int unsigned TableTernaryWidth = 576;

  // table, stage scope: cuckoo entries
  localparam logic [2:0] TableCuckooModule = 3'd7;
  localparam logic [3:0] TableCuckooSub = 4'd1;
  localparam int unsigned TableCuckooWidth = 384;

  // table, stage scope: default actions
  localparam logic [2:0] TableDefaultActionModule = 3'd7;
  localparam logic [3:0] TableDefaultActionSub = 4'd2;
  localparam int unsigned TableDefaultActionWidth = 192;

  // table, stage scope: data of match entries
  localparam logic [2:0] TableMatchDataModule = 3'd7;
  localparam logic [3:0] TableMatchDataSub = 4'd3;
  localparam int unsigned TableMatchDataWidth = 128;

  // table, egress scope: chips with EgressStages: parser entries of copies, metadata as
  // EGRESS_METADATA
  localparam logic [2:0] TableEgressParserModule = 3'd7;
  localparam logic [3:0] TableEgressParserSub = 4'd4;
  localparam int unsigned TableEgressParserWidth = 160;

  // table, egress scope: chips with EgressStages: deparser entries of copies
  localparam logic [2:0] TableEgressDeparserModule = 3'd7;
  localparam logic [3:0] TableEgressDeparserSub = 4'd5;
  localparam int unsigned TableEgressDeparserWidth = 160;

  // table, egress scope: chips with EgressStages: deparser options of copies (layout DEPARSE_OPT)
  localparam logic [2:0] TableEgressOptModule = 3'd7;
  localparam logic [3:0] TableEgressOptSub = 4'd6;
  localparam int unsigned TableEgressOptWidth = 8;

  // table, stage scope: chips with EntryCounters: what match entries count in pipeline COPY; a
  // write is for all pipelines
  localparam logic [2:0] TableMatchCountModule = 3'd7;
  localparam logic [3:0] TableMatchCountSub = 4'd7;
  localparam int unsigned TableMatchCountWidth = 64;

  // table, stage scope: chips with EntryCounters: likewise of ternary entries
  localparam logic [2:0] TableTernaryCountModule = 3'd7;
  localparam logic [3:0] TableTernaryCountSub = 4'd8;
  localparam int unsigned TableTernaryCountWidth = 64;

  // table, stage scope: chips with EntryCounters: likewise of cuckoo entries
  localparam logic [2:0] TableCuckooCountModule = 3'd7;
  localparam logic [3:0] TableCuckooCountSub = 4'd9;
  localparam int unsigned TableCuckooCountWidth = 64;

  typedef enum logic [3:0] {
    ChainWrite = 4'd0,  // write entries
    ChainRead = 4'd1,  // read entries; the answer leaves on the control port
    ChainErase = 4'd2,  // take match entries out of use
    ChainAnswer = 4'd3,  // what was read
    ChainRefused = 4'd4  // nobody owns this table, or the index is out of its range
  } chain_e;

  // bytes 46..63 of a reconfiguration packet; entries follow from byte 64, left-justified
  localparam int unsigned ReconfigWidth = 144;
  typedef struct packed {
    logic [4:0]    stage;  // [143:139] stage: 0..S-1 back stages, S and up front stages [M]
    logic [2:0]    resource;  // [138:136] module number of the resource [M]
    logic [3:0]    reserved_hi;  // [135:132] ignored [M]
    logic [3:0]    sub;  // [131:128] sub-table [M]
    logic [7:0]    index_lo;  // [127:120] first index, bits 7:0 [M]
    logic [31:0]   cookie;  // [119:88] ignored [M]
    logic [7:0]    op;  // [87:80] byte 53: operation (enumeration CHAIN); 0 in Menshen's packets
    logic [7:0]    copy;  // [79:72] byte 54: lane or pipeline to read from
    logic [7:0]    index_hi;  // [71:64] byte 55: first index, bits 15:8
    // [63:56] byte 56: entry of the module whose state is meant: bank * NumModules + overlay row
    logic [7:0]    row;
    logic [7:0]    count;  // [55:48] byte 57: entries to read, 0 means 1; at most 128
    logic [15:0]   serial;  // [47:32] bytes 58-59: copied to the answer
    logic [31:0]   reserved;  // [31:0] zero
  } reconfig_t;

  // first word of a message on the daisy chain
  localparam int unsigned ChainHeaderWidth = 64;
  typedef struct packed {
    logic [3:0]    op;  // [63:60] operation (enumeration CHAIN)
    logic [4:0]    stage;  // [59:55] stage
    logic [2:0]    resource;  // [54:52] module number of the resource
    logic [3:0]    sub;  // [51:48] sub-table
    logic [15:0]   index;  // [47:32] index of the (first) entry
    // [31:24] entry of the module whose state is meant: bank * NumModules + overlay row
    logic [7:0]    row;
    logic [7:0]    copy;  // [23:16] lane or pipeline to read from
    logic [7:0]    count;  // [15:8] entries to read, 1..128
    logic [7:0]    reserved;  // [7:0] zero
  } chain_header_t;

  // initial header of a capsule, behind EtherType 0x83b2 [A]
  localparam int unsigned CapsuleWidth = 80;
  typedef struct packed {
    logic [31:0]   signature;  // [79:48] 0x12345678 [A]
    // [47:47] CAPSULE_ARGS follows; they are there whenever instructions are, whatever this bit
    // says [A]
    logic          args;
    logic          extra;  // [46:46] unused [A]
    logic          reset_seq;  // [45:45] unused [A]
    logic          rts;  // [44:44] unused [A]
    logic          marked;  // [43:43] heartbeat of the client [A]
    logic          initiated;  // [42:42] sent by a client that knows of the reallocation [A]
    logic          ack;  // [41:41] the client has saved its memory [A]
    logic          done;  // [40:40] the program was executed: no instructions follow [A]
    // [39:39] a memory access was out of bounds (published, never set there) [A]
    logic          fault;
    logic          remapped;  // [38:38] the memory of this program is being reallocated [A]
    // [37:36] 1: request for memory, CAPSULE_REQUEST follows; 2: poll for the answer; 0, 3: neither
    // [A]
    logic [1:0]    request;
    // [35:35] answer: 20 entries CAPSULE_RANGE follow, SEQ is their version [A]
    logic          allocated;
    logic          pending;  // [34:34] answer: not decided yet [A]
    logic          leader;  // [33:33] unused [A]
    // [32:32] before the first instruction MAR, MBR, MBR2 are DATA_0, DATA_1, DATA_2, else 0 [A]
    logic          preload;
    logic [15:0]   fid;  // [31:16] number of the program or tenant [A]
    logic [15:0]   seq;  // [15:0] sequence number; in answers the version of the allocation [A]
  } capsule_t;

  // arguments of a capsule, between the initial header and the instructions [A]
  localparam int unsigned CapsuleArgsWidth = 128;
  typedef struct packed {
    logic [31:0]   data_0;  // [127:96] argument 0: MAR_LOAD [A]
    logic [31:0]   data_1;  // [95:64] argument 1: MBR_LOAD, MBR_STORE_ALT [A]
    logic [31:0]   data_2;  // [63:32] argument 2: MBR2_LOAD, MBR_STORE_ALT2 [A]
    logic [31:0]   data_3;  // [31:0] argument 3, the result: MBR_STORE [A]
  } capsule_args_t;

  // instruction of a capsule; the list ends with opcode EOF [A]
  localparam int unsigned CapsuleInstrWidth = 16;
  typedef struct packed {
    // [15:10] with NUMBERED: of a jump the number of its target; of a target its own number; of
    // HASH the polynomial, bits 3:0, 10 and more as 9
    logic [5:0]    label;
    // [9:9] 1, the explicit form: LABEL counts (published as tr_nz, unused)
    logic          numbered;
    // [8:8] 1: ends a skip, and is itself skipped then (published as goto) [A]; with NUMBERED only
    // the skip of a jump with the same LABEL
    logic          target;
    logic [7:0]    opcode;  // [7:0] what to do (enumeration OPCODE) [A]
  } capsule_instr_t;

  // request for memory, behind the initial header; without a demand a release [A]
  localparam int unsigned CapsuleRequestWidth = 152;
  typedef struct packed {
    logic [15:0]   length;  // [151:136] instructions of the program [A]
    // [135:128] position of the last RTS, CRTS or SET_DST; 255: none [A]
    logic [7:0]    ingress_limit;
    logic [7:0]    mem_0;  // [127:120] position of memory access 0, from 0 [A]
    logic [7:0]    mem_1;  // [119:112] position of memory access 1, from 0 [A]
    logic [7:0]    mem_2;  // [111:104] position of memory access 2, from 0 [A]
    logic [7:0]    mem_3;  // [103:96] position of memory access 3, from 0 [A]
    logic [7:0]    mem_4;  // [95:88] position of memory access 4, from 0 [A]
    logic [7:0]    mem_5;  // [87:80] position of memory access 5, from 0 [A]
    logic [7:0]    mem_6;  // [79:72] position of memory access 6, from 0 [A]
    logic [7:0]    mem_7;  // [71:64] position of memory access 7, from 0 [A]
    // [63:56] blocks for it: 0 ends the list, 1 an elastic share, 2 and more exactly so many [A]
    logic [7:0]    demand_0;
    // [55:48] blocks for it: 0 ends the list, 1 an elastic share, 2 and more exactly so many [A]
    logic [7:0]    demand_1;
    // [47:40] blocks for it: 0 ends the list, 1 an elastic share, 2 and more exactly so many [A]
    logic [7:0]    demand_2;
    // [39:32] blocks for it: 0 ends the list, 1 an elastic share, 2 and more exactly so many [A]
    logic [7:0]    demand_3;
    // [31:24] blocks for it: 0 ends the list, 1 an elastic share, 2 and more exactly so many [A]
    logic [7:0]    demand_4;
    // [23:16] blocks for it: 0 ends the list, 1 an elastic share, 2 and more exactly so many [A]
    logic [7:0]    demand_5;
    // [15:8] blocks for it: 0 ends the list, 1 an elastic share, 2 and more exactly so many [A]
    logic [7:0]    demand_6;
    // [7:0] blocks for it: 0 ends the list, 1 an elastic share, 2 and more exactly so many [A]
    logic [7:0]    demand_7;
  } capsule_request_t;

  // words of a stage that an allocation gives to a program; 0, 0: none [A]
  localparam int unsigned CapsuleRangeWidth = 64;
  typedef struct packed {
    logic [31:0]   first;  // [63:32] first word [A]
    logic [31:0]   last;  // [31:0] last word, inclusive [A]
  } capsule_range_t;

  typedef enum logic [7:0] {
    OpcodeEof = 8'd0,  // end of the program: the packet's DONE := 1 [A]
    OpcodeNop = 8'd1,  // nothing [A]
    OpcodeReturn = 8'd2,  // the program is complete: no later instruction is executed [A]
    OpcodeCret = 8'd3,  // RETURN if MBR != 0 [A]
    OpcodeCreti = 8'd4,  // RETURN if MBR == 0 [A]
    OpcodeDrop = 8'd5,  // drop the packet [A]
    OpcodeFork = 8'd6,  // the original leaves at the end of the pass, a copy goes on [A]
    OpcodeSetDst = 8'd7,  // output port := MBR[8:0] [A]
    OpcodeCjump = 8'd8,  // jump if MBR != 0 [A]
    OpcodeCjumpi = 8'd9,  // jump if MBR == 0 [A]
    OpcodeUjump = 8'd10,  // jump [A]
    OpcodeRts = 8'd11,  // return to sender: swap the addresses, out through the port of arrival [A]
    OpcodeCrts = 8'd12,  // RTS if MBR != 0 [A]
    OpcodeMbrLoad = 8'd13,  // MBR := DATA_1 [A]
    OpcodeMbr2Load = 8'd14,  // MBR2 := DATA_2 [A]
    OpcodeMarLoad = 8'd15,  // MAR := DATA_0[19:0] [A]
    OpcodeMbrStore = 8'd16,  // DATA_3 := MBR [A]
    OpcodeMbrEqualsMbr2 = 8'd17,  // MBR := MBR ^ MBR2 [A]
    OpcodeMbrEqualsData0 = 8'd18,  // MBR := MBR ^ DATA_0 [A]
    OpcodeMbrEqualsData1 = 8'd19,  // MBR := MBR ^ DATA_1 [A]
    OpcodeMbrEqualsData2 = 8'd20,  // MBR := MBR ^ DATA_2 [A]
    OpcodeMbrEqualsData3 = 8'd21,  // MBR := MBR ^ DATA_3 [A]
    OpcodeMax = 8'd22,  // MBR := max(MBR, MBR2) [A]
    OpcodeMin = 8'd23,  // MBR := min(MBR, MBR2) [A]
    OpcodeRevmin = 8'd24,  // MBR2 := min(MBR, MBR2) [A]
    OpcodeSwapMbrMbr2 = 8'd25,  // exchange MBR and MBR2 [A]
    OpcodeMbrNot = 8'd26,  // MBR := ~MBR [A]
    OpcodeMbrSubtractMbr2 = 8'd27,  // MBR := MBR - MBR2 [A]
    OpcodeMarAddMbr = 8'd28,  // MAR := MAR + MBR [A]
    OpcodeMarAddMbr2 = 8'd29,  // MAR := MAR + MBR2 [A]
    OpcodeMbrAddMbr2 = 8'd30,  // MBR := MBR + MBR2 [A]
    OpcodeMarMbrAddMbr2 = 8'd31,  // MAR := MBR + MBR2 [A]
    OpcodeBitAndMarMbr = 8'd32,  // MAR := MAR & MBR [A]
    OpcodeBitOrMbrMbr2 = 8'd33,  // MBR := MBR or MBR2, bit by bit [A]
    OpcodeCopyMbr2Mbr = 8'd34,  // MBR2 := MBR [A]
    OpcodeCopyMbrMbr2 = 8'd35,  // MBR := MBR2 [A]
    OpcodeCopyMarMbr = 8'd36,  // MAR := MBR [A]
    OpcodeCopyMbrMar = 8'd37,  // MBR := MAR [A]
    OpcodeCopyHashdataMbr = 8'd38,  // H0 := MBR [A]
    OpcodeCopyHashdataMbr2 = 8'd39,  // H1 := MBR2 [A]
    OpcodeMemWrite = 8'd40,  // M[MAR] := MBR [A]
    OpcodeMemRead = 8'd41,  // MBR := M[MAR] [A]
    OpcodeMemIncrement = 8'd42,  // M[MAR] := M[MAR] + 1; MBR := the new value [A]
    OpcodeMemMinread = 8'd43,  // MBR := M[MAR]; MBR2 := min(MBR2, MBR) [A]
    // M[MAR] := M[MAR] + 1; MBR := the new value; MBR2 := min(MBR2, MBR) [A]
    OpcodeMemMinreadinc = 8'd44,
    // nothing if MBR == 0; else if M[MAR] == 0: M[MAR] := MBR2, MBR := 0; else MBR := MBR2 - M[MAR]
    // [A]
    OpcodeMemWriteCondzero = 8'd45,
    // MAR := CRC-16 of H0..H4 with the polynomial of the stage, or of LABEL (parameters and check
    // values: docs/active.md) [A]
    OpcodeHash = 8'd46,
    OpcodeLoadSalt = 8'd47,  // MBR := 0x5093 [A]
    // H0..H4 := source and destination address, 6, source and destination port (positions 0..9
    // only) [A]
    OpcodeLoadTcp5tuple = 8'd48,
    OpcodeLoadQdelay = 8'd49,  // MBR := time in the queue (positions from 10) [A]
    OpcodeLoadQueue = 8'd50,  // MBR := depth of the queue (positions from 10) [A]
    OpcodeLoadPktcount = 8'd51,  // MBR := packets of this FID seen so far [A]
    OpcodeAddrMask0 = 8'd52,  // MAR := MAR & mask of this FID in stage 0 [A]
    OpcodeAddrOffset0 = 8'd53,  // MAR := MAR + offset of this FID in stage 0 [A]
    OpcodeAddrMask1 = 8'd54,  // MAR := MAR & mask of this FID in stage 1 [A]
    OpcodeAddrOffset1 = 8'd55,  // MAR := MAR + offset of this FID in stage 1 [A]
    OpcodeAddrMask2 = 8'd56,  // MAR := MAR & mask of this FID in stage 2 [A]
    OpcodeAddrOffset2 = 8'd57,  // MAR := MAR + offset of this FID in stage 2 [A]
    OpcodeAddrMask3 = 8'd58,  // MAR := MAR & mask of this FID in stage 3 [A]
    OpcodeAddrOffset3 = 8'd59,  // MAR := MAR + offset of this FID in stage 3 [A]
    OpcodeAddrMask4 = 8'd60,  // MAR := MAR & mask of this FID in stage 4 [A]
    OpcodeAddrOffset4 = 8'd61,  // MAR := MAR + offset of this FID in stage 4 [A]
    OpcodeAddrMask5 = 8'd62,  // MAR := MAR & mask of this FID in stage 5 [A]
    OpcodeAddrOffset5 = 8'd63,  // MAR := MAR + offset of this FID in stage 5 [A]
    OpcodeAddrMask6 = 8'd64,  // MAR := MAR & mask of this FID in stage 6 [A]
    OpcodeAddrOffset6 = 8'd65,  // MAR := MAR + offset of this FID in stage 6 [A]
    OpcodeAddrMask7 = 8'd66,  // MAR := MAR & mask of this FID in stage 7 [A]
    OpcodeAddrOffset7 = 8'd67,  // MAR := MAR + offset of this FID in stage 7 [A]
    OpcodeAddrMask8 = 8'd68,  // MAR := MAR & mask of this FID in stage 8 [A]
    OpcodeAddrOffset8 = 8'd69,  // MAR := MAR + offset of this FID in stage 8 [A]
    OpcodeAddrMask9 = 8'd70,  // MAR := MAR & mask of this FID in stage 9 [A]
    OpcodeAddrOffset9 = 8'd71,  // MAR := MAR + offset of this FID in stage 9 [A]
    OpcodeAddrMask10 = 8'd72,  // MAR := MAR & mask of this FID in stage 10 [A]
    OpcodeAddrOffset10 = 8'd73,  // MAR := MAR + offset of this FID in stage 10 [A]
    OpcodeAddrMask11 = 8'd74,  // MAR := MAR & mask of this FID in stage 11 [A]
    OpcodeAddrOffset11 = 8'd75,  // MAR := MAR + offset of this FID in stage 11 [A]
    OpcodeAddrMask12 = 8'd76,  // MAR := MAR & mask of this FID in stage 12 [A]
    OpcodeAddrOffset12 = 8'd77,  // MAR := MAR + offset of this FID in stage 12 [A]
    OpcodeAddrMask13 = 8'd78,  // MAR := MAR & mask of this FID in stage 13 [A]
    OpcodeAddrOffset13 = 8'd79,  // MAR := MAR + offset of this FID in stage 13 [A]
    OpcodeAddrMask14 = 8'd80,  // MAR := MAR & mask of this FID in stage 14 [A]
    OpcodeAddrOffset14 = 8'd81,  // MAR := MAR + offset of this FID in stage 14 [A]
    OpcodeAddrMask15 = 8'd82,  // MAR := MAR & mask of this FID in stage 15 [A]
    OpcodeAddrOffset15 = 8'd83,  // MAR := MAR + offset of this FID in stage 15 [A]
    OpcodeAddrMask16 = 8'd84,  // MAR := MAR & mask of this FID in stage 16 [A]
    OpcodeAddrOffset16 = 8'd85,  // MAR := MAR + offset of this FID in stage 16 [A]
    OpcodeAddrMask17 = 8'd86,  // MAR := MAR & mask of this FID in stage 17 [A]
    OpcodeAddrOffset17 = 8'd87,  // MAR := MAR + offset of this FID in stage 17 [A]
    OpcodeAddrMask18 = 8'd88,  // MAR := MAR & mask of this FID in stage 18 [A]
    OpcodeAddrOffset18 = 8'd89,  // MAR := MAR + offset of this FID in stage 18 [A]
    OpcodeAddrMask19 = 8'd90,  // MAR := MAR & mask of this FID in stage 19 [A]
    OpcodeAddrOffset19 = 8'd91,  // MAR := MAR + offset of this FID in stage 19 [A]
    OpcodeAddrMask = 8'd92,  // nothing: the assembler writes ADDR_MASK_k for it [A]
    OpcodeAddrOffset = 8'd93,  // nothing: the assembler writes ADDR_OFFSET_k for it [A]
    OpcodeMbrStoreAlt = 8'd94,  // DATA_1 := MBR [A]
    OpcodeMbrStoreAlt2 = 8'd95  // DATA_2 := MBR [A]
  } opcode_e;

  typedef enum logic [4:0] {
    DropNone = 5'd0,  // not dropped
    DropNotReady = 5'd1,  // arrived before the chip was ready
    DropMalformed = 5'd2,  // shorter than 64 bytes, marked bad by the port, or with a gap in a beat
    DropOversized = 5'd3,  // longer than 9,216 bytes
    DropLaneFull = 5'd4,  // no place left in the lane's queue to the order point
    DropBufferFull = 5'd5,  // no header slot or body cell left in the lane's packet buffer
    DropNoVlan = 5'd6,  // no VLAN tag
    DropUnknownModule = 5'd7,  // no module has this VLAN id
    DropReconfig = 5'd8,  // a reconfiguration packet on a data port
    DropBitmap = 5'd9,  // the module is being reconfigured
    DropProtocol = 5'd10,  // not the protocol that the module asks for
    DropDiscardFront = 5'd11,  // discarded by the program in a front stage
    // had to wait at the order point while a lane was past its threshold, its module was above its
    // share, or (mode DROP_FULL) a phantom FIFO was full
    DropOverload = 5'd12,
    DropDiscardBack = 5'd13,  // discarded by the program in a back stage
    DropNoDest = 5'd14,  // no destination port
    DropOutputFull = 5'd15,  // no place in the output queue (one count a port)
    DropForbidden = 5'd16,  // its module may send to none of its ports (table MODULE_PORTS)
    // its module may send to some of its ports and not to others: it leaves through the first (one
    // count a packet, which is not lost)
    DropSomeForbidden = 5'd17,
    // its rounds are used up, and it had no other port than that of recirculation
    DropRounds = 5'd18,
    DropBudget = 5'd19,  // no token for the recirculation port (one count a copy)
    DropEgress = 5'd20,  // discarded by the egress function of its module (one count a copy)
    DropRate = 5'd21,  // its module was above its rate at the lane (table RATE_LIMIT)
    // its bus never rested, and a recirculated packet waited (docs/machine.md, Recirculation)
    DropGaveWay = 5'd22
  } drop_e;

  typedef enum logic [7:0] {
    ErrorNone = 8'd0,  // none
    ErrorBankFull = 8'd1,  // a packet came for a payload bank without a free slot
    ErrorPhantomFull = 8'd2,  // a phantom came to a full phantom FIFO
    ErrorEscapeTaken = 8'd3  // a packet came to an escape slot that was taken, or two came
  } error_e;

  typedef enum logic [4:0] {
    FaultPhantomLost = 5'd0,  // one phantom in 64 is not stored
    FaultPhantomSwap = 5'd1,  // an order queue gives its youngest head first
    FaultSteerFull = 5'd2,  // steering ignores credits
    FaultLaneSwap = 5'd3,  // lanes 0 and 1 change places in the order
    FaultQueueDeep = 5'd4,  // the order point believes a phantom FIFO one entry deeper than it is
    FaultNoForward = 5'd5,  // the state unit does not forward its last results
    FaultNoBounds = 5'd6,  // segments are not checked
    FaultPhvStale = 5'd7,  // containers keep the values of the packet before
    FaultMoveEarly = 5'd8,  // an access does not wait for the value of a move
    FaultNoPatch = 5'd9,  // a move does not reach packets that are resolved and not admitted
    FaultBankLate = 5'd10,  // KEY_MASK is read in the bank of the packet before
    FaultFlipLate = 5'd11,  // the last lane sees a new CHIP.BANK a cycle later
    FaultDrainEarly = 5'd12,  // a bank with one packet inside counts as empty
    FaultMarkEarly = 5'd13,  // a mark has the tag of the ticket before its own
    FaultMarkHome = 5'd14,  // a mark goes to the home of an index that is away
    // a mark writes some cycles after it has read, and packets pass in between
    FaultTakeOpen = 5'd15,
    // pipeline 1 takes packets for older than a cut that are up to four tickets younger
    FaultCutLate = 5'd16,
    FaultCutLost = 5'd17,  // entries of odd slots are not saved for a cut
    FaultCutAway = 5'd18,  // an entry of a cut is read at its home though its index is away
    FaultRoundSame = 5'd19,  // the round of a recirculated packet is not counted up
    FaultTokenFree = 5'd20,  // a packet takes no token for recirculation
    // what travels beside a recirculated packet is that of the one before it
    FaultBesideOther = 5'd21,
    FaultEgressStale = 5'd22,  // a copy at the egress has the metadata of the one before it
    // one copy in eight that an egress function discards leaves all the same
    FaultEgressKeep = 5'd23,
    // a match entry that counts in two cycles, one behind the other, counts once
    FaultCountLost = 5'd24,
    FaultRateFree = 5'd25,  // a packet takes no token of its module's rate in bytes
    FaultFlipBlind = 5'd26,  // accesses of packets of lane 0 do not hold up a guarded flip
    // packets of lane 0 keep the bank with which they came at a guarded flip
    FaultFlipStay = 5'd27,
    FaultClassOther = 5'd28,  // every second packet of a lane goes into the queue of another class
    // two keys of a packet in one bank of the array match get each other's data
    FaultKeysSwap = 5'd29,
    // what the array match keeps of a frequent key outlives a write of its entry
    FaultKeptStale = 5'd30,
    FaultLineSwap = 5'd31  // two copies that leave a fast port one behind the other change places
  } fault_e;

  typedef enum logic [1:0] {
    // of the packets that leave together, the i-th goes to the i-th emptiest pipeline
    SteerRank = 2'd0,
    SteerEach = 2'd1,  // each for itself to its emptiest pipeline
    // a packet without an access at the next boundary stays in its pipeline, from the order point
    // on in that of its lane
    SteerStay = 2'd2
  } steer_e;

  typedef enum logic [1:0] {
    IssueOlder = 2'd0,  // the older of the order queue's head and the packet without an access here
    IssueFree = 2'd1,  // packets without an access here first
    IssueAccess = 2'd2  // packets with an access here first
  } issue_e;

  // how the chip orders and steers; 0: as designed
  localparam int unsigned ModeWidth = 7;
  typedef struct packed {
    // [6:6] 1: a packet that needs a full phantom FIFO is dropped for OVERLOAD, not held
    logic          drop_full;
    // [5:5] 1: no phantoms; packets with an access are issued as they come: C1 is broken
    logic          no_phantoms;
    // [4:4] 1: the oldest packet has no slot of its own and does not overtake: runs can get stuck
    logic          no_escape;
    logic [1:0]    issue;  // [3:2] which of two candidates goes (enumeration ISSUE)
    // [1:0] pipeline of a packet without an access at the next boundary (enumeration STEER)
    logic [1:0]    steer;
  } mode_t;

  // registers: the chip
  localparam logic [19:0] BlockChipBase = 20'h00000;
  localparam logic [19:0] BlockChipStride = 20'h01000;
  // ro: hash of the layouts: software built from others must refuse this chip
  localparam logic [11:0] RegChipId = 12'h000;
  localparam logic [11:0] RegChipVersion = 12'h004;  // ro: 0x534c5501: Sluice, register map 1
  // ro: bit 0: ready (tables and state are clear); bit 1: a fill is running
  localparam logic [11:0] RegChipStatus = 12'h018;
  // rw: bit 0: write 1 to clear all counters and marks
  localparam logic [11:0] RegChipControl = 12'h01c;
  localparam logic [11:0] RegChipCycles = 12'h020;  // ro: cycles since reset, low word
  // rw: drop bitmap, bit r: data packets of overlay row r are dropped [M]
  localparam logic [11:0] RegChipBitmap = 12'h024;
  // ro: reconfiguration packets that took effect [M]
  localparam logic [11:0] RegChipReconfigCount = 12'h028;
  // ro: packets on the control port that were none, or too short, or refused by the chain
  localparam logic [11:0] RegChipReconfigBad = 12'h02c;
  // rw: V: an access waits while the leaky counter of its (stage, pipeline) is at least this; 0: no
  // pacing
  localparam logic [11:0] RegChipPace = 12'h030;
  // rw: admission stops for a queue with at least so many waiting packets; 0: no brake
  localparam logic [11:0] RegChipBrake = 12'h034;
  // rw: packets waiting in a lane at which the order point drops what would have to wait
  localparam logic [11:0] RegChipLaneLimit = 12'h038;
  // rw: packets an output port may have waiting
  localparam logic [11:0] RegChipOutputLimit = 12'h03c;
  // rw: bit f switches fault f on (enumeration FAULT), in shapes with TestFaults; in the others it
  // reads 0 and takes nothing
  localparam logic [11:0] RegChipFault = 12'h040;
  // ro: first internal error since reset or clear: [31:24] code (enumeration ERROR), [23:0] place:
  // 16 * back stage + pipeline
  localparam logic [11:0] RegChipFirstError = 12'h044;
  // ro: packets between order point and last stage
  localparam logic [11:0] RegChipInFlight = 12'h048;
  localparam logic [11:0] RegChipInside = 12'h04c;  // ro: packets between arrival and deparser
  // rw: cycles between two scans for moves [15:0], at least the time of a scan; 0: no moves,
  // everything comes home
  localparam logic [11:0] RegChipMovePeriod = 12'h060;
  // rw: a move gains at least so many accesses per 100 cycles [7:0]
  localparam logic [11:0] RegChipMoveLeast = 12'h064;
  // rw: indices of a module that may be away in each back stage [7:0]; 0: as many as there are
  // entries
  localparam logic [11:0] RegChipMoveQuota = 12'h068;
  // rw: bit r: indices of the module in overlay row r come home and stay there; its packets go on
  localparam logic [11:0] RegChipRecall = 12'h06c;
  // rw: bit r: the bank of packets of overlay row r that arrive from now on; refused (SLVERR) while
  // a control packet is on its way, and in chips with one bank
  localparam logic [11:0] RegChipBank = 12'h070;
  // ro: bit r: packets of overlay row r that took bank 0 are inside; 0 in chips with one bank
  localparam logic [11:0] RegChipInsideBank0 = 12'h074;
  // ro: bit r: packets of overlay row r that took bank 1 are inside; 0 in chips with one bank
  localparam logic [11:0] RegChipInsideBank1 = 12'h078;
  // rw: bit r: a cut of the state of the module in overlay row r is wanted; a write is refused
  // (SLVERR) if CUT_STATUS does not allow it, and in chips without CutStages
  localparam logic [11:0] RegChipCut = 12'h07c;
  // rw: layout MODE; a write while packets are inside is refused (SLVERR), and one that changes
  // NO_PHANTOMS while MOVE.RELOCATED is not 0
  localparam logic [11:0] RegChipMode = 12'h080;
  // rw: phantoms in an order queue from which on packets that need it are marked; 0: off
  localparam logic [11:0] RegChipEcnQueue = 12'h084;
  // rw: packets waiting in a lane from which on those that it gives are marked; 0: off
  localparam logic [11:0] RegChipEcnLane = 12'h088;
  // rw: log2 of the sets into which the pipelines are divided [2:0], at most log2 K; 0: one set of
  // all; a write while packets are inside, or while MOVE.RELOCATED is not 0, is refused (SLVERR)
  localparam logic [11:0] RegChipSets = 12'h08c;
  // ro: bit 0: the cut is ready to be read; bit 1: there is one, or the last one has not quite
  // ended
  localparam logic [11:0] RegChipCutStatus = 12'h090;
  // ro: ticket of the last cut: packets with lower tickets are in it
  localparam logic [11:0] RegChipCutTicket = 12'h094;
  // rw: class c of the output queues [4c+3:4c]: what a beat of the class counts in its turn, less
  // 1: a class with 1 (counts 2) sends half of what one with 0 sends; 0 in chips without
  // OutputClasses
  localparam logic [11:0] RegChipClassCosts = 12'h098;
  // rw: bit c: class c of the output queues goes before all classes without this bit; of several
  // the lowest; 0 in chips without OutputClasses
  localparam logic [11:0] RegChipClassStrict = 12'h09c;
  // rw: 8 registers: class c of the output queues [10:0]: packets in a queue of the class from
  // which on those that ask for it are marked; 0: off; 0 for classes that are not there
  localparam logic [11:0] RegChipClassEcn = 12'h0e0;
  // ro: pipelines [7:0], ports [15:8], front stages [23:16], back stages [30:24], shifters [31]
  localparam logic [11:0] RegChipShape0 = 12'h0a0;
  // ro: state entries per stage [18:0], beats of 16 bytes, not 64 [19], 128 header bytes, not 64
  // [20], one sum a state word [21], checksums [22], hash units [23], modules [31:24]
  localparam logic [11:0] RegChipShape1 = 12'h0a4;
  // ro: match entries [15:0], 2B containers [19:16], 4B [23:20], 6B [27:24], parse actions [31:28]
  localparam logic [11:0] RegChipShape2 = 12'h0a8;
  // ro: payload bank slots [7:0], phantom FIFO entries [17:8], back stages with state [23:18], log2
  // of the window [27:24], match cycles [30:28], pairs of state words [31]
  localparam logic [11:0] RegChipShape3 = 12'h0ac;
  // ro: configuration banks [1:0], marks [2], multipliers [3], back stages with a shadow memory
  // [23:4], capsules [24], log2 of their ids [28:25], recirculation [29], wide compare [30]
  localparam logic [11:0] RegChipShape4 = 12'h0b0;
  // ro: stages with a ternary engine [23:0], log2 of the cuckoo entries, 0: none [28:24], data
  // words [29], default actions [30], a store before the pins [31]
  localparam logic [11:0] RegChipShape5 = 12'h0b4;
  // ro: stages with a cuckoo engine [23:0], log2 of the entries of the array match, 0: none
  // [28:24], log2 of the lanes of a fast port, 0: none [30:29], ordered merge [31]
  localparam logic [11:0] RegChipShape6 = 12'h0b8;
  // ro: ternary entries [10:0], rows of ACTION beyond the match entries [28:12], log2 of the
  // classes of output queues [30:29]
  localparam logic [11:0] RegChipShape7 = 12'h0bc;
  // ro: stages with rows of words [19:0], words of an array [24:20], egress stages [27:25],
  // counters of entries [28], rate limits [29], guarded flips [30]
  localparam logic [11:0] RegChipShape8 = 12'h0c0;

  // registers: lane n
  localparam logic [19:0] BlockLaneBase = 20'h01000;
  localparam logic [19:0] BlockLaneStride = 20'h00100;
  // ro: packets that ended on the bus, good or bad
  localparam logic [11:0] RegLanePackets = 12'h000;
  localparam logic [11:0] RegLaneBytes = 12'h004;  // ro: bytes of accepted packets
  localparam logic [11:0] RegLaneAccepted = 12'h008;  // ro: packets stored (arrivals)
  localparam logic [11:0] RegLaneHighSlots = 12'h00c;  // ro: most header slots in use
  localparam logic [11:0] RegLaneHighCells = 12'h010;  // ro: most body cells in use
  // ro: most packets waiting for the order point
  localparam logic [11:0] RegLaneHighQueue = 12'h014;
  // ro: 32 registers: packets dropped at the lane, by reason
  localparam logic [11:0] RegLaneDrop = 12'h080;

  // registers: order point, per lane n
  localparam logic [19:0] BlockOrderBase = 20'h03000;
  localparam logic [19:0] BlockOrderStride = 20'h00100;
  localparam logic [11:0] RegOrderAdmitted = 12'h000;  // ro: packets admitted
  // ro: cycles in which the head waited for pacing
  localparam logic [11:0] RegOrderPaced = 12'h004;
  localparam logic [11:0] RegOrderBraked = 12'h008;  // ro: cycles in which it waited for the brake
  // ro: cycles in which it waited for a phantom FIFO
  localparam logic [11:0] RegOrderFull = 12'h00c;
  // ro: cycles in which it waited for room at back stage 0
  localparam logic [11:0] RegOrderCredit = 12'h010;
  // ro: cycles in which it waited for the in-flight window
  localparam logic [11:0] RegOrderWindow = 12'h014;
  // ro: accesses refused because the index was out of bounds
  localparam logic [11:0] RegOrderOutOfBounds = 12'h018;
  localparam logic [11:0] RegOrderMarked = 12'h020;  // ro: packets marked for congestion
  // ro: packets dropped for OVERLOAD because their module was above its share
  localparam logic [11:0] RegOrderAboveShare = 12'h01c;
  // ro: 16 registers: packets dropped at the order point, by reason
  localparam logic [11:0] RegOrderDrop = 12'h040;

  // registers: module (overlay row) n, all lanes
  localparam logic [19:0] BlockModuleBase = 20'h05000;
  localparam logic [19:0] BlockModuleStride = 20'h00080;
  // ro: 32 registers: packets of the module dropped, by reason; OUTPUT_FULL: copies
  localparam logic [11:0] RegModuleDrop = 12'h000;

  // registers: guarded flips
  localparam logic [19:0] BlockFlipBase = 20'h06000;
  localparam logic [19:0] BlockFlipStride = 20'h00100;
  // rw: as CHIP.BANK; a write is refused (SLVERR), and changes nothing, unless STATUS is 1, SINCE
  // is CHIP.CUT_TICKET and no control packet is on its way
  localparam logic [11:0] RegFlipBank = 12'h000;
  // rw: ticket of the cut since which nothing that is watched must have been accessed
  localparam logic [11:0] RegFlipSince = 12'h004;
  // ro: bit 0: accesses since the last cut are known; bit 1: there was one; bit 2: packets of the
  // bank before the last guarded flip have no ticket yet
  localparam logic [11:0] RegFlipStatus = 12'h008;
  // ro: ticket of the last guarded flip: packets with this ticket and higher ones have the new bank
  localparam logic [11:0] RegFlipTicket = 12'h00c;
  // rw: 20 registers: back stage s with state: first [15:0] and last [31:16] slot that is watched;
  // none if the first is above the last
  localparam logic [11:0] RegFlipWatch = 12'h080;

  // registers: merge of sorted lanes
  localparam logic [19:0] BlockMergeBase = 20'h06200;
  localparam logic [19:0] BlockMergeStride = 20'h00100;
  // rw: bit l: lane l is merged; 0: no lane is; a write of LANES, KEY or IDLE while packets are
  // inside is refused (SLVERR)
  localparam logic [11:0] RegMergeLanes = 12'h000;
  // rw: operand (layout OPERAND) by which they are sorted
  localparam logic [11:0] RegMergeKey = 12'h004;
  // rw: cycles without a packet [15:0], after which the others do not wait for a lane
  localparam logic [11:0] RegMergeIdle = 12'h008;
  // ro: packets whose key was smaller than that of the one before
  localparam logic [11:0] RegMergeLate = 12'h00c;

  // registers: moves, all back stages
  localparam logic [19:0] BlockMoveBase = 20'h07000;
  localparam logic [19:0] BlockMoveStride = 20'h01000;
  // ro: indices that are away from home or under way
  localparam logic [11:0] RegMoveRelocated = 12'h000;
  localparam logic [11:0] RegMoveDecided = 12'h004;  // ro: moves decided
  localparam logic [11:0] RegMoveLanded = 12'h008;  // ro: moves landed
  localparam logic [11:0] RegMoveScans = 12'h00c;  // ro: scans begun, of back stage 0
  // ro: bit r: the module in overlay row r has an index that is away from home or under way, in
  // some back stage
  localparam logic [11:0] RegMoveAway = 12'h010;

  // registers: boundary before back stage s, pipeline d: n = 16 s + d
  localparam logic [19:0] BlockBoundaryBase = 20'h08000;
  localparam logic [19:0] BlockBoundaryStride = 20'h00040;
  localparam logic [11:0] RegBoundaryIssued = 12'h000;  // ro: packets issued
  localparam logic [11:0] RegBoundaryIdle = 12'h004;  // ro: cycles with nothing there
  // ro: cycles in which the head of the order queue waited for its packet, nothing else there
  localparam logic [11:0] RegBoundaryWaitData = 12'h008;
  // ro: cycles in which a packet waited for room at the next boundary
  localparam logic [11:0] RegBoundaryWaitCredit = 12'h00c;
  localparam logic [11:0] RegBoundaryStateful = 12'h010;  // ro: packets issued from the order queue
  // ro: packets that came through the escape slot
  localparam logic [11:0] RegBoundaryEscapes = 12'h014;
  localparam logic [11:0] RegBoundaryHighQueue = 12'h018;  // ro: most phantoms in the order queue
  localparam logic [11:0] RegBoundaryHighBank = 12'h01c;  // ro: most packets in one payload bank
  // ro: most packets in all payload banks of the pipeline
  localparam logic [11:0] RegBoundaryHighWaiting = 12'h020;
  localparam logic [11:0] RegBoundaryStateOps = 12'h024;  // ro: state operations executed
  // ro: state operations without a resolved access, or out of bounds at the stage
  localparam logic [11:0] RegBoundaryRefusedOps = 12'h028;
  localparam logic [11:0] RegBoundaryHits = 12'h02c;  // ro: packets that matched an entry
  // ro: indices whose value was read here to move it to another pipeline
  localparam logic [11:0] RegBoundaryMoves = 12'h030;
  // ro: cycles in which the packet of the head of the order queue was there and waited for the
  // value of a move, or let one land
  localparam logic [11:0] RegBoundaryMoveWait = 12'h034;

  // registers: output port n
  localparam logic [19:0] BlockPortBase = 20'h10000;
  localparam logic [19:0] BlockPortStride = 20'h00040;
  localparam logic [11:0] RegPortPackets = 12'h000;  // ro: packets sent
  localparam logic [11:0] RegPortBytes = 12'h004;  // ro: bytes sent
  localparam logic [11:0] RegPortDrops = 12'h008;  // ro: packets dropped: the queue was full
  localparam logic [11:0] RegPortHighQueue = 12'h00c;  // ro: most packets waiting
  localparam logic [11:0] RegPortQueue = 12'h010;  // ro: packets waiting now
  // ro: copies for the port that an egress function discarded
  localparam logic [11:0] RegPortEgress = 12'h014;

  // registers: deparser of lane n
  localparam logic [19:0] BlockExitBase = 20'h12000;
  localparam logic [19:0] BlockExitStride = 20'h00040;
  localparam logic [11:0] RegExitPackets = 12'h000;  // ro: packets that reached the deparser
  localparam logic [11:0] RegExitDiscarded = 12'h004;  // ro: packets discarded by the program
  localparam logic [11:0] RegExitNoDest = 12'h008;  // ro: packets without a destination
  localparam logic [11:0] RegExitHighQueue = 12'h00c;  // ro: most packets waiting for the deparser
  // ro: packets dropped: their module may send to none of their ports
  localparam logic [11:0] RegExitForbidden = 12'h010;
  // ro: packets that leave through some of their ports, since their module may not send to the
  // others
  localparam logic [11:0] RegExitSomeForbidden = 12'h014;
  // ro: 8 registers: packets of class c that were marked, since an output queue held CHIP.CLASS_ECN
  // packets; 0 for classes that are not there
  localparam logic [11:0] RegExitMarked = 12'h020;

  // registers: recirculation port of lane n
  localparam logic [19:0] BlockPassesBase = 20'h14000;
  localparam logic [19:0] BlockPassesStride = 20'h00040;
  localparam logic [11:0] RegPassesPackets = 12'h000;  // ro: packets that entered the lane again
  localparam logic [11:0] RegPassesNoToken = 12'h004;  // ro: copies refused: no token
  localparam logic [11:0] RegPassesFull = 12'h008;  // ro: copies refused: the queue was full
  localparam logic [11:0] RegPassesHighQueue = 12'h00c;  // ro: most packets waiting to enter
  // ro: packets of the bus that gave way to those waiting
  localparam logic [11:0] RegPassesGaveWay = 12'h010;

  // registers: id n of capsules
  localparam logic [19:0] BlockCapsulesBase = 20'h20000;
  localparam logic [19:0] BlockCapsulesStride = 20'h00008;
  // ro: capsules of the id that had a fault, of all lanes; only a reset clears it
  localparam logic [11:0] RegCapsulesFaults = 12'h000;

endpackage : sluice_layout_pkg
/* verilator lint_on UNUSEDPARAM */
