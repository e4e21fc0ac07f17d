// SPDX-License-Identifier: Apache-2.0
// Order of tags, and short expressions of sluice_pkg that shared modules need. Macros and not functions: see tb/sluice/shared_modules.
`ifndef SLUICE_TAG_SVH
`define SLUICE_TAG_SVH
// Whether tag A is older than tag B (its ticket is less): they are less than TagSpan apart, which is half of the
// tag space; those of packets in flight are less than a window apart.
`define SLUICE_OLDER(A, B) (sluice_pkg::tag_t'((A) - (B)) >= sluice_pkg::tag_t'(sluice_pkg::TagSpan))

// ---- for what imports sluice_cfg_pkg and sluice_pkg
// Sets of pipelines (CHIP.SETS). Log2 of the pipelines of one; and where a word lives that is spread over the set of pipeline NAMED: in the
// one that the low bits of its number say. With a mask of ones it is in NAMED itself. Example: K = 4 in two sets, mask 2'b10: word 5 of the
// set of pipeline 2 is in pipeline 3.
`define SLUICE_SET_LOG(SET_MASK) (3'($clog2(NumPipes)) - 3'($countones(SET_MASK)))
`define SLUICE_HOME_PIPE(NAMED, WORD, SET_MASK) \
  (NumPipes == 1 ? '0 : ((NAMED) & (SET_MASK)) | ((WORD) & ~(SET_MASK)))
// Port number PORT, 8 bits, as a destination: up to 8 ports the set {PORT}, else row PORT of PORT_MASK.
`define SLUICE_PORT_DEST(PORT) \
  (NumPorts > 8 ? (PORT) : (PORT) > 8'd7 ? 8'd0 : 8'd1 << 3'(PORT))
// Of a move_name_t: whether it is a mark, whether that writes, whether it reads a cut.
`define SLUICE_IS_MARK(NAME) (Marks != 0 && (NAME) >> MoveIdBits != '0)
`define SLUICE_MARK_WRITES(NAME) (`SLUICE_IS_MARK(NAME) && 1'(NAME))
`define SLUICE_MARK_OF_CUT(NAME) (CutStages != 0 && `SLUICE_IS_MARK(NAME) && 1'((NAME) >> 1))
// Where the entries of an id stand in tables of ids.
`define SLUICE_ID_ROW(OVERLAY, ID) (id_row_t'({32'(OVERLAY) >> RowBits, ID}))
// Whether an instruction of a capsule reads or writes memory.
`define SLUICE_IS_MEMORY(OPCODE) \
  ((OPCODE) >= 7'(OpcodeMemWrite) && (OPCODE) <= 7'(OpcodeMemWriteCondzero))
`define SLUICE_KEPT_PHV(PHV) (phv_t'((PHV) & KeptPhv))
// A state_value_t of a row of words and a pair, and its parts. What only takes the pair must use the row elsewhere, or a lint tool complains.
`define SLUICE_STATE_VALUE(ROW, PAIR) (state_value_t'({words_t'(ROW), PAIR}))
`define SLUICE_VALUE_PAIR(VALUE) (VALUE[StateEntryWidth-1:0])
`define SLUICE_VALUE_ROW(VALUE) (ArrayWords != 0 ? words_t'((VALUE) >> StateEntryWidth) : '0)
`endif
