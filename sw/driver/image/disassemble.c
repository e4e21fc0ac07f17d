// SPDX-License-Identifier: Apache-2.0
#include "disassemble.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "image.h"

struct words {
  char text[48];
};

static struct words container(unsigned kind, unsigned index) {
  struct words w;
  snprintf(w.text, sizeof w.text, "%uB[%u]", 2 * kind, index);
  return w;
}

// An operand of 5 bits: a container, or a constant.
static struct words operand(unsigned bits) {
  struct words w;
  if (bits >> 3) return container(bits >> 3, bits & 7);
  snprintf(w.text, sizeof w.text, "%u", bits & 7);
  return w;
}

// The same in FUNC: with DATA set a constant 0 to 3 is a data word of the entry, d0 to d3, and 4 to
// 7 are the numbers 0 to 3.
static struct words func_operand(unsigned bits, unsigned data) {
  struct words w;
  if (!data || bits >> 3) return operand(bits);
  snprintf(w.text, sizeof w.text, "%s%u", bits < 4 ? "d" : "", bits & 3);
  return w;
}

// A 32-bit constant: small ones with their sign, others in hexadecimal.
static struct words constant(uint32_t value) {
  struct words w;
  const int32_t number = (int32_t)value;
  if (number > -65536 && number < 65536) snprintf(w.text, sizeof w.text, "%d", number);
  else snprintf(w.text, sizeof w.text, "0x%08x", value);
  return w;
}

// ---- actions ------------------------------------------------------------------------------------

#define INSTR(LAYOUT, FIELD)                             \
  ((unsigned)(word >> SLUICE_##LAYOUT##_##FIELD##_LSB) & \
   ((1u << (SLUICE_##LAYOUT##_##FIELD##_MSB - SLUICE_##LAYOUT##_##FIELD##_LSB + 1)) - 1))

// Slot 0: destination and discard flag.
static void say_metadata(struct say *text, uint32_t word) {
  const struct words a = operand(INSTR(INSTR, A)), b = operand(INSTR(INSTR, B));
  switch (INSTR(INSTR, OP)) {
    case SLUICE_OP_PORT: say(text, "destination = 0x%02x", INSTR(INSTR_MD, DEST)); break;
    case SLUICE_OP_DISCARD: say(text, "discard = %u", INSTR(INSTR_MD, DISCARD)); break;
    case SLUICE_OP_FUNC:
      say(text, "port = %s", func_operand(INSTR(INSTR, A), INSTR(INSTR_FUNC, DATA)).text);
      break;
    case SLUICE_OP_FUNCI: say(text, "discard = %s != 0", a.text); break;
    case SLUICE_OP_SETHI: say(text, "port = %s, discard = %s != 0", a.text, b.text); break;
    default:
      say(text, "%s without effect in slot 0", sluice_value_name("OP", INSTR(INSTR, OP)));
      break;
  }
}

// A result of the state unit, hash unit or multiplier; numbers that are not listed give 0.
static const char *result_name(unsigned number) {
  const char *name = sluice_value_name("EXT", number);
  return *name == '?' ? "0" : name;
}

static void say_memory(struct say *text, uint32_t word, unsigned slot, const char *dest) {
  const struct words a = container(2, INSTR(INSTR, A) & 7), b = container(2, INSTR(INSTR, B) & 7);
  const unsigned op = INSTR(INSTR, OP);
  if (slot != 16) say(text, "%s without effect in slot %u", sluice_value_name("OP", op), slot);
  else if (op == SLUICE_OP_STORE) say(text, "mem[%s] = %s", b.text, a.text);
  else if (op == SLUICE_OP_LOADD) say(text, "%s = mem[%s] + 1, stored", dest, b.text);
  else say(text, "%s = mem[%s]", dest, b.text);
}

static void say_slot(struct say *text, uint32_t word, unsigned slot) {
  if (slot == 0) {
    say_metadata(text, word);
    return;
  }
  const unsigned kind = 1 + (slot - 1) / 8, op = INSTR(INSTR, OP);
  const struct words d = container(kind, (slot - 1) % 8);
  const struct words own_a = container(kind, INSTR(INSTR, A) & 7),
                     own_b = container(kind, INSTR(INSTR, B) & 7);
  const unsigned data = op == SLUICE_OP_FUNC && INSTR(INSTR_FUNC, DATA);
  const struct words a = func_operand(INSTR(INSTR, A), data),
                     b = func_operand(INSTR(INSTR, B), data);
  const struct words c = func_operand(INSTR(INSTR_FUNC, C), data);
  const unsigned low = INSTR(INSTR_FUNCI, IMM);
  const struct words i = constant(low & 0x800 ? low | 0xfffff000u : low);
  const char *const swap[][2] = {
      {"A", a.text}, {"B", b.text}, {"C", c.text}, {"I", i.text}, {NULL, NULL}};
  switch (op) {
    case SLUICE_OP_ADD: say(text, "%s = %s + %s", d.text, own_a.text, own_b.text); break;
    case SLUICE_OP_SUB: say(text, "%s = %s - %s", d.text, own_a.text, own_b.text); break;
    case SLUICE_OP_ADDI:
      say(text, "%s = %s + %u", d.text, own_a.text, INSTR(INSTR_IMM, IMM));
      break;
    case SLUICE_OP_SUBI:
      say(text, "%s = %s - %u", d.text, own_a.text, INSTR(INSTR_IMM, IMM));
      break;
    case SLUICE_OP_SET: say(text, "%s = %u", d.text, INSTR(INSTR_IMM, IMM)); break;
    case SLUICE_OP_SETHI:
      say(text, "%s = {0x%04x, %s[15:0]}", d.text, INSTR(INSTR_IMM, IMM), a.text);
      break;
    case SLUICE_OP_EXT:
      say(text, "%s = %s", d.text, result_name(INSTR(INSTR_IMM, IMM) & 15));
      break;
    case SLUICE_OP_FUNC:
      say(text, "%s = ", d.text);
      say_swapped(text, sluice_value_doc("FUNC", INSTR(INSTR_FUNC, F)), swap);
      break;
    case SLUICE_OP_FUNCI:
      say(text, "%s = ", d.text);
      say_swapped(text, sluice_value_doc("FUNCI", INSTR(INSTR_FUNCI, F)), swap);
      break;
    case SLUICE_OP_LOAD:
    case SLUICE_OP_LOADD:
    case SLUICE_OP_STORE: say_memory(text, word, slot, d.text); break;
    default: say(text, "%s without effect in slot %u", sluice_value_name("OP", op), slot); break;
  }
}

void sluice_say_action(struct say *text, const uint8_t *entry) {
  const char *comma = "";
  for (unsigned slot = 0; slot < 25; slot++) {
    const uint32_t word = (uint32_t)sluice_entry_get(entry, sluice_tables[SLUICE_TABLE_ACTION].bits,
                                                     25 * slot + 24, 25 * slot);
    const unsigned op = INSTR(INSTR, OP);
    if (op == SLUICE_OP_NOP || op == SLUICE_OP_NOP_FILL) continue;
    say(text, "%s", comma);
    say_slot(text, word, slot);
    comma = "; ";
  }
  if (!*comma) say(text, "nothing");
}

// ---- parser, deparser, key ----------------------------------------------------------------------

void sluice_say_parse(struct say *text, const uint8_t *entry, const char *preposition) {
  const char *comma = "";
  for (unsigned a = 0; a < 10; a++) {
    const uint8_t *action = entry + 2 * (size_t)a;
    const unsigned kind = (unsigned)SLUICE_GET(action, PARSE_ACTION, KIND);
    const unsigned from = (unsigned)SLUICE_GET(action, PARSE_ACTION, OFFSET);
    if (!SLUICE_GET(action, PARSE_ACTION, VALID) || !kind) continue;
    say(text, "%s%s %u..%u %s %uB[%u]", comma,
        SLUICE_GET(action, PARSE_ACTION, METADATA) ? "metadata" : "bytes", from,
        from + 2 * kind - 1, preposition, 2 * kind,
        (unsigned)SLUICE_GET(action, PARSE_ACTION, IDX));
    comma = ", ";
  }
  if (!*comma) say(text, "nothing");
}

static struct words compared(unsigned bits) {
  struct words w;
  if (bits >> 8) snprintf(w.text, sizeof w.text, "%u", bits & 0xff);
  else if ((bits >> 3 & 3) == 3) snprintf(w.text, sizeof w.text, "0");
  else return container(1 + (bits >> 3 & 3), bits & 7);
  return w;
}

void sluice_say_key(struct say *text, const uint8_t *entry) {
  const struct words a = compared((unsigned)SLUICE_GET(entry, KEY_EXTRACT, CMP_A));
  const struct words b = compared((unsigned)SLUICE_GET(entry, KEY_EXTRACT, CMP_B));
  const char *const swap[][2] = {{"A", a.text}, {"B", b.text}, {NULL, NULL}};
  say(text, "6B[%u], 6B[%u], 4B[%u], 4B[%u], 2B[%u], 2B[%u], ",
      (unsigned)SLUICE_GET(entry, KEY_EXTRACT, B6_FIRST),
      (unsigned)SLUICE_GET(entry, KEY_EXTRACT, B6_SECOND),
      (unsigned)SLUICE_GET(entry, KEY_EXTRACT, B4_FIRST),
      (unsigned)SLUICE_GET(entry, KEY_EXTRACT, B4_SECOND),
      (unsigned)SLUICE_GET(entry, KEY_EXTRACT, B2_FIRST),
      (unsigned)SLUICE_GET(entry, KEY_EXTRACT, B2_SECOND));
  say_swapped(text, sluice_value_doc("CMP", (unsigned)SLUICE_GET(entry, KEY_EXTRACT, CMP_OP)),
              swap);
}

// ---- state instructions -------------------------------------------------------------------------

// The names that a state instruction's parts may have, with what they stand for in this one.
struct names {
  struct words p1, p2, k[4];
};

static const char *term(const struct names *names, const char *name) {
  if (strcmp(name, "P1") == 0) return names->p1.text;
  if (strcmp(name, "P2") == 0) return names->p2.text;
  if (name[0] == 'K') return names->k[name[1] - '0'].text;
  return strcmp(name, "S1") == 0 || strcmp(name, "S2") == 0 ? name : "0";  // ZERO, RESERVED
}

static void say_predicate(struct say *text, const struct names *names, uint32_t bits) {
  static const char *const sums[] = {"0", "P1", "P2", "-P1", "-P2", "(P1 - P2)", "(P2 - P1)", "0"};
  const unsigned word = bits >> SLUICE_PREDICATE_X_STATE_LSB & 3,
                 packet = bits >> SLUICE_PREDICATE_X_PACKET_LSB & 7;
  const char *const parts[][2] = {{"P1", names->p1.text}, {"P2", names->p2.text}, {NULL, NULL}};
  const char *state = term(names, sluice_value_name("PRED_S", word));
  char sum[120], x[160];
  struct say into = say_into(sum, sizeof sum);
  say_swapped(&into, sums[packet], parts);
  if (strcmp(sum, "0") == 0) snprintf(x, sizeof x, "%s", state);
  else if (strcmp(state, "0") == 0) snprintf(x, sizeof x, "%s", sum);
  else snprintf(x, sizeof x, "(%s + %s)", state, sum);
  const char *y = term(names, sluice_value_name("PRED_Y", bits >> SLUICE_PREDICATE_Y_LSB & 7));
  const char *const sides[][2] = {{"X", x}, {"Y", y}, {NULL, NULL}};
  say_swapped(text, sluice_value_doc("REL", bits >> SLUICE_PREDICATE_REL_LSB & 7), sides);
}

// "S1' = S1 + 4B[0]", or nothing if the word keeps its value.
static bool say_word(struct say *text, const struct names *names, unsigned update, unsigned word,
                     const char *comma) {
  const char *a = term(names, sluice_value_name("ARM", update >> SLUICE_UPDATE_A_LSB & 7));
  const char *b = term(names, sluice_value_name("ARM", update >> SLUICE_UPDATE_B_LSB & 7));
  const bool keep = update >> SLUICE_UPDATE_KEEP_LSB & 1,
             minus = update >> SLUICE_UPDATE_SUB_LSB & 1;
  const bool any_a = strcmp(a, "0") != 0, any_b = strcmp(b, "0") != 0;
  if (keep && !any_a && !any_b) return false;
  say(text, "%sS%u' =", comma, word);
  if (keep) say(text, " S%u", word);
  if (any_a) say(text, "%s %s", keep ? " +" : "", a);
  if (any_b && (keep || any_a)) say(text, " %c %s", minus ? '-' : '+', b);
  else if (any_b) say(text, " %s%s", minus ? "-" : "", b);
  if (!keep && !any_a && !any_b) say(text, " 0");
  return true;
}

static void say_arm(struct say *text, const struct names *names, unsigned arm) {
  const bool any = say_word(text, names, arm >> 8, 1, "");
  if (!say_word(text, names, arm & 0xff, 2, any ? ", " : "") && !any) say(text, "nothing changes");
}

// Whether a predicate is a constant, and which.
enum truth { FALSE, TRUE, DEPENDS };
static enum truth truth_of(uint32_t predicate) {
  const unsigned rel = predicate >> SLUICE_PREDICATE_REL_LSB & 7;
  return rel == SLUICE_REL_TRUE ? TRUE : rel == SLUICE_REL_FALSE ? FALSE : DEPENDS;
}

// `if (predicate) {yes} else {no}`; an arm is the updates of both words, the first one's in bits
// 15:8.
static void say_choice(struct say *text, const struct names *names, uint32_t predicate,
                       unsigned yes, unsigned no) {
  const enum truth truth = truth_of(predicate);
  if (truth != DEPENDS) {
    say_arm(text, names, truth ? yes : no);
    return;
  }
  say(text, "if (");
  say_predicate(text, names, predicate);
  say(text, ") {");
  say_arm(text, names, yes);
  say(text, "} else {");
  say_arm(text, names, no);
  say(text, "}");
}

void sluice_say_state(struct say *text, const uint8_t *entry) {
#define GET(FIELD) ((unsigned)SLUICE_GET(entry, STATE_INSTR, FIELD))
#define ARM(X) (GET(X##1) << 8 | GET(X##2))
  const struct names names = {
      operand(GET(P1)),
      operand(GET(P2)),
      {constant(GET(K0)), constant(GET(K1)), constant(GET(K2)), constant(GET(K3))}};
  const enum truth first = truth_of(GET(PRED_1)), other = truth_of(GET(PRED_4));
  if (!GET(VALID)) {
    say(text, "nothing");
    return;
  }
  if (first == DEPENDS) {
    say(text, "if (");
    say_predicate(text, &names, GET(PRED_1));
    say(text, ") {");
  }
  if (first != FALSE) say_choice(text, &names, GET(PRED_2), ARM(A), ARM(B));
  if (first == TRUE) return;
  if (first == DEPENDS) say(text, other == FALSE ? "}" : "} else ");
  else if (other == FALSE) say(text, "nothing changes");
  if (other == FALSE) return;
  if (other == DEPENDS) {
    say(text, "if (");
    say_predicate(text, &names, GET(PRED_4));
    say(text, ") ");
  }
  say(text, "{");
  say_choice(text, &names, GET(PRED_3), ARM(C), ARM(D));
  say(text, "}");
#undef ARM
#undef GET
}

// ---- accesses and hashes ------------------------------------------------------------------------

void sluice_say_access(struct say *text, const uint8_t *entry) {
  const unsigned decider = (unsigned)SLUICE_GET(entry, ACCESS, PREDICATE);
  if (!SLUICE_GET(entry, ACCESS, ENABLE)) {
    say(text, "nothing");
    return;
  }
  if (SLUICE_GET(entry, ACCESS, PINNED))
    say(text, "pinned to pipeline %u,", (unsigned)SLUICE_GET(entry, ACCESS, PIPE));
  else say(text, "sharded,");
  say(text, " index %s", operand((unsigned)SLUICE_GET(entry, ACCESS, INDEX)).text);
  if (decider >> 3)
    say(text, ", if %s is %s0", operand(decider).text,
        SLUICE_GET(entry, ACCESS, INVERT) ? "" : "not ");
}

void sluice_say_hash(struct say *text, const uint8_t *entry) {
  const unsigned words = (unsigned)SLUICE_GET(entry, HASH_INSTR, NUM_WORDS);
  const uint32_t modulus = (uint32_t)SLUICE_GET(entry, HASH_INSTR, MODULUS);
  const unsigned operands[] = {(unsigned)SLUICE_GET(entry, HASH_INSTR, A),
                               (unsigned)SLUICE_GET(entry, HASH_INSTR, B),
                               (unsigned)SLUICE_GET(entry, HASH_INSTR, C)};
  if (!SLUICE_GET(entry, HASH_INSTR, VALID)) {
    say(text, "nothing");
    return;
  }
  say(text, "%s (", sluice_value_name("HASH", (unsigned)SLUICE_GET(entry, HASH_INSTR, ALGORITHM)));
  for (unsigned w = 0; w < words; w++) say(text, "%s%s", w ? ", " : "", operand(operands[w]).text);
  say(text, ")");
  if (modulus) say(text, " modulo %u", modulus);
}

void sluice_say_multiply(struct say *text, const uint8_t *entry) {
  say(text, "PRODUCT = %s * %s", operand((unsigned)SLUICE_GET(entry, MULTIPLY, A)).text,
      operand((unsigned)SLUICE_GET(entry, MULTIPLY, B)).text);
}

void sluice_say_compare(struct say *text, const uint8_t *entry) {
  const struct words a = operand((unsigned)SLUICE_GET(entry, KEY_COMPARE, A));
  struct words b = operand((unsigned)SLUICE_GET(entry, KEY_COMPARE, B));
  const unsigned op = (unsigned)SLUICE_GET(entry, KEY_COMPARE, OP);
  const uint32_t k = (uint32_t)SLUICE_GET(entry, KEY_COMPARE, K);
  const bool with_sign = op == SLUICE_WIDE_GT || op == SLUICE_WIDE_GE;
  const char *const swap[][2] = {{"A", a.text}, {"B", b.text}, {NULL, NULL}};
  if (op == SLUICE_WIDE_ZERO || op > SLUICE_WIDE_GE) {
    say(text, "nothing");
    return;
  }
  if (SLUICE_GET(entry, KEY_COMPARE, IMMEDIATE))
    snprintf(b.text, sizeof b.text, with_sign ? "%d" : "%u", k);
  say_swapped(text, sluice_value_doc("WIDE", op), swap);
}

// "row + words", of r = row and v = the packet's words.
static const char *row_text(unsigned op) {
  switch (op) {
    case SLUICE_ARRAY_OP_ADD: return "row + words";
    case SLUICE_ARRAY_OP_ADDS: return "add_sat(row, words)";
    case SLUICE_ARRAY_OP_MAX: return "max(row, words)";
    case SLUICE_ARRAY_OP_MIN: return "min(row, words)";
    case SLUICE_ARRAY_OP_SET: return "words";
    case SLUICE_ARRAY_OP_CLEAR: return "0";
    case SLUICE_ARRAY_OP_OR: return "row | words";
    default: return "row";
  }
}

void sluice_say_row(struct say *text, const uint8_t *entry) {
  const unsigned select = (unsigned)SLUICE_GET(entry, ARRAY_INSTR, SELECT),
                 result = (unsigned)SLUICE_GET(entry, ARRAY_INSTR, RESULT);
  const char *yes = row_text((unsigned)SLUICE_GET(entry, ARRAY_INSTR, ON_TRUE)),
             *no = row_text((unsigned)SLUICE_GET(entry, ARRAY_INSTR, ON_FALSE));
  if (!SLUICE_GET(entry, ARRAY_INSTR, VALID)) {
    say(text, "none");
    return;
  }
  if (select >= SLUICE_ARRAY_SELECT_PRED_1 && select <= SLUICE_ARRAY_SELECT_PRED_4)
    say(text, "row = predicate %u ? %s : %s", select - SLUICE_ARRAY_SELECT_PRED_1 + 1, yes, no);
  else say(text, "row = %s", yes);
  if (result == SLUICE_ARRAY_RESULT_OLD) say(text, ", words = row before");
  else if (result != SLUICE_ARRAY_RESULT_PACKET) say(text, ", words = row");
}

void sluice_say_keys(struct say *text, const uint8_t *entry) {
  const unsigned words = (unsigned)SLUICE_GET(entry, ARRAY_KEYS, WORDS);
  bool any = false;
  if (!SLUICE_GET(entry, ARRAY_KEYS, VALID)) {
    say(text, "no words are keys");
    return;
  }
  for (unsigned i = 0; i < 16; i++) {
    unsigned last = i;
    if (!(words >> i & 1)) continue;
    while (words >> (last + 1) & 1) last++;
    say(text, "%s %u", any ? "," : "words", i);
    if (last > i) say(text, "..%u", last);
    any = true;
    i = last;
  }
  say(text, "%s are keys; one without an entry %s", any ? "" : "no words",
      SLUICE_GET(entry, ARRAY_KEYS, STAY) ? "stays" : "becomes 0");
  if (SLUICE_GET(entry, ARRAY_KEYS, FOUND_VALID))
    say(text, "; 2B[%u] = which are found", (unsigned)SLUICE_GET(entry, ARRAY_KEYS, FOUND));
}
