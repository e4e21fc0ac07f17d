// SPDX-License-Identifier: Apache-2.0
// Actions of an image as Menshen's operations. The compiler writes most of what Menshen can do in
// the forms of this chip: 4B[0] = FUNC ADD 4B[1], 4B[2]. Where a form of Menshen gives the same
// value for all operands it takes its place.
#include <stdarg.h>
#include <string.h>

#include "../image/disassemble.h"
#include "menshen_write.h"

enum { SLOTS = 25, MEMORY_SLOT = 16, MEMORY = 7, IMMEDIATES = 65536 };

enum sluice_status menshen_refuse(const struct menshen_names *names, const char *format, ...) {
  char why[300];
  va_list list;
  va_start(list, format);
  vsnprintf(why, sizeof why, format, list);
  va_end(list);
  return sluice_fail(names->error, SLUICE_ERR_RANGE, "'%s' has no form in Menshen's file: %s",
                     names->image->program, why);
}

const char *menshen_stage_name(const struct menshen_names *names, unsigned stage, char text[40]) {
  const bool front = stage >= names->config->BackStages;
  snprintf(text, 40, "%s stage %u", front ? "front" : "back",
           front ? stage - names->config->BackStages : stage);
  return text;
}

const struct sluice_write *menshen_entry(const struct sluice_image *image, enum sluice_table table,
                                         unsigned stage, unsigned index) {
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i];
    if (w->table == table && w->stage == stage && w->index == index) return w;
  }
  return NULL;
}

unsigned menshen_place(const struct menshen_names *names, unsigned type, unsigned index) {
  return type == SLUICE_TYPE_B4 ? names->place[index] : index;
}

// ---- operands -----------------------------------------------------------------------------------

struct value {
  bool number;
  unsigned type, index;  // of a container
  uint64_t n;
};

// Operand of the forms FUNC and FUNCI; `words`: FUNC with DATA set.
static struct value operand(uint32_t code, bool words, const uint8_t *data) {
  const unsigned type = code >> SLUICE_OPERAND_KIND_LSB, index = code & 7;
  struct value v = {type == SLUICE_TYPE_CONST, type, index, index};
  if (!v.number || !words) return v;
  if (index >= 4) {
    v.n = index - 4;
    return v;
  }
  // Word 0 is the first: as a value of 6 bytes it has the low half of the next word above it.
  const uint64_t word = data ? sluice_entry_get(data, SLUICE_MATCH_DATA_BITS, 127 - 32 * index,
                                                96 - 32 * index)
                             : 0,
                 next = data && index < 3 ? sluice_entry_get(data, SLUICE_MATCH_DATA_BITS,
                                                             95 - 32 * index, 64 - 32 * index)
                                          : 0;
  v.n = (next & 0xffff) << 32 | word;
  return v;
}

static uint32_t two(const struct menshen_names *names, unsigned op, unsigned type, unsigned a,
                    unsigned b) {
  return op << SLUICE_INSTR_OP_LSB | type << 19 | menshen_place(names, type, a) << 16 | type << 14 |
         menshen_place(names, type, b) << 11;
}

static uint32_t immediate(const struct menshen_names *names, unsigned op, unsigned type, unsigned a,
                          unsigned n) {
  return op << SLUICE_INSTR_OP_LSB | type << 19 | menshen_place(names, type, a) << 16 | n;
}

// ---- one slot -----------------------------------------------------------------------------------

struct slot {
  struct menshen_names *names;
  unsigned slot, type;  // type: of the container that it writes
  uint32_t word;        // as in the image
  const uint8_t *data;
};

static uint32_t bits(uint32_t word, unsigned msb, unsigned lsb) {
  return word >> lsb & ((UINT32_C(1) << (msb - lsb + 1)) - 1);
}
#define BITS(WORD, FORM, FIELD) \
  bits(WORD, SLUICE_##FORM##_##FIELD##_MSB, SLUICE_##FORM##_##FIELD##_LSB)

// D = n, of 32 bits or, `wide`, of as many as the container has.
static bool set(const struct slot *s, uint64_t n, bool wide, uint32_t *out) {
  if (!wide) n = (uint32_t)n;
  if (s->type == SLUICE_TYPE_B2) n &= 0xffff;
  if (s->type == SLUICE_TYPE_B4) n = (uint32_t)n;
  *out = immediate(s->names, SLUICE_OP_SET, s->type, 0, (unsigned)(n & 0xffff));
  return n < IMMEDIATES;
}

// D = A + n of 32 bits: modulo the width of a container of 2 or 4 bytes it is the same as
// Menshen's.
static bool plus(const struct slot *s, struct value a, uint32_t n, uint32_t *out) {
  if (a.number) return set(s, a.n + n, false, out);
  if (a.type != s->type || a.type == SLUICE_TYPE_B6) return false;
  const uint32_t minus = 0u - n;
  const bool down = minus < n;
  *out = immediate(s->names, down ? SLUICE_OP_SUBI : SLUICE_OP_ADDI, s->type, a.index,
                   (down ? minus : n) & 0xffff);
  return (down ? minus : n) < IMMEDIATES;
}

static bool func(const struct slot *s, uint32_t *out) {
  const bool words = BITS(s->word, INSTR_FUNC, DATA);
  const struct value a = operand(BITS(s->word, INSTR_FUNC, A), words, s->data),
                     b = operand(BITS(s->word, INSTR_FUNC, B), words, s->data);
  const unsigned f = BITS(s->word, INSTR_FUNC, F);
  if (f == SLUICE_FUNC_MOVE && a.number) return set(s, a.n, words, out);
  if (f == SLUICE_FUNC_MOVE) {
    *out = immediate(s->names, SLUICE_OP_ADDI, s->type, a.index, 0);
    return a.type == s->type && (words || a.type != SLUICE_TYPE_B6);
  }
  if (f == SLUICE_FUNC_ADD && b.number) return plus(s, a, (uint32_t)b.n, out);
  if (f == SLUICE_FUNC_ADD && a.number) return plus(s, b, (uint32_t)a.n, out);
  if (f == SLUICE_FUNC_SUB && b.number) return plus(s, a, 0u - (uint32_t)b.n, out);
  if ((f != SLUICE_FUNC_ADD && f != SLUICE_FUNC_SUB) || a.number || b.number || a.type != s->type ||
      b.type != s->type || s->type == SLUICE_TYPE_B6)
    return false;
  *out = two(s->names, f == SLUICE_FUNC_ADD ? SLUICE_OP_ADD : SLUICE_OP_SUB, s->type, a.index,
             b.index);
  return true;
}

static bool funci(const struct slot *s, uint32_t *out) {
  const uint32_t imm = BITS(s->word, INSTR_FUNCI, IMM), n = imm & 0x800 ? imm | 0xfffff000u : imm;
  const struct value a = operand(BITS(s->word, INSTR_FUNCI, A), false, NULL);
  switch (BITS(s->word, INSTR_FUNCI, F)) {
    case SLUICE_FUNCI_ADD: return plus(s, a, n, out);
    case SLUICE_FUNCI_SET: return set(s, n, false, out);
    default: return false;
  }
}

// Destination and discard flag.
static bool metadata(const struct slot *s, uint32_t *out) {
  const unsigned op = BITS(s->word, INSTR, OP);
  const bool words = op == SLUICE_OP_FUNC && BITS(s->word, INSTR_FUNC, DATA);
  const struct value a = operand(BITS(s->word, INSTR, A), words, s->data),
                     b = operand(BITS(s->word, INSTR, B), false, NULL);
  const uint32_t port = (uint32_t)SLUICE_OP_PORT << SLUICE_INSTR_OP_LSB |
                        ((a.n & 255) < 8 ? UINT32_C(1) << (a.n & 7) : 0)
                            << SLUICE_INSTR_MD_DEST_LSB;
  const uint32_t discard = (uint32_t)SLUICE_OP_DISCARD << SLUICE_INSTR_OP_LSB;
  if (op == SLUICE_OP_PORT || op == SLUICE_OP_DISCARD) {
    *out = s->word;
    return true;
  }
  if (op == SLUICE_OP_FUNC) *out = port;
  if (op == SLUICE_OP_FUNCI) *out = discard | (uint32_t)(a.n != 0) << SLUICE_INSTR_MD_DISCARD_LSB;
  if (op != SLUICE_OP_SETHI) return a.number;
  // Both at once. Without a port that matters, or without a flag that was ever set, one is enough.
  *out = b.n ? discard | 1u << SLUICE_INSTR_MD_DISCARD_LSB : port;
  return b.number && (b.n || (a.number && !s->names->discarded));
}

static bool may_discard(uint32_t word) {
  const unsigned op = BITS(word, INSTR, OP);
  return op == SLUICE_OP_DISCARD && BITS(word, INSTR_MD, DISCARD);
}

// Menshen's own operations: operands of 4 bytes get their new names.
static uint32_t renamed(const struct slot *s) {
  const unsigned op = BITS(s->word, INSTR, OP), a = s->word >> 16 & 7, b = s->word >> 11 & 7;
  if (s->type != SLUICE_TYPE_B4 || op == SLUICE_OP_NOP || op == SLUICE_OP_NOP_FILL) return s->word;
  uint32_t word = (s->word & ~(UINT32_C(7) << 16)) | menshen_place(s->names, s->type, a) << 16;
  if (op == SLUICE_OP_ADDI || op == SLUICE_OP_SUBI || op == SLUICE_OP_SET) return word;
  word &= ~(UINT32_C(7) << 11);
  return word | menshen_place(s->names, s->type, b) << 11;
}

static bool convert(const struct slot *s, uint32_t *out) {
  const unsigned op = BITS(s->word, INSTR, OP);
  if (op == SLUICE_OP_NOP || op == SLUICE_OP_NOP_FILL) {
    *out = s->word;
    return true;
  }
  if (s->slot == 0) return metadata(s, out);
  switch (op) {
    case SLUICE_OP_FUNC: return func(s, out);
    case SLUICE_OP_FUNCI: return funci(s, out);
    case SLUICE_OP_SETHI:
    case SLUICE_OP_EXT: return false;
    case SLUICE_OP_LOAD:
    case SLUICE_OP_STORE:
    case SLUICE_OP_LOADD: *out = renamed(s); return s->slot <= 8 || s->slot >= MEMORY_SLOT;
    default: *out = renamed(s); return true;
  }
}

// ---- state --------------------------------------------------------------------------------------

// What a state instruction does to its first word, if that does not depend on anything: SLUICE_OP_
// LOAD (nothing), LOADD, STORE with its operand; 0: something else.
static unsigned memory_operation(const uint8_t *entry, unsigned *operand) {
#define GET(FIELD) ((unsigned)SLUICE_GET(entry, STATE_INSTR, FIELD))
  const unsigned rel[] = {GET(PRED_1) >> 3 & 7, GET(PRED_2) >> 3 & 7, GET(PRED_3) >> 3 & 7,
                          GET(PRED_4) >> 3 & 7};
  const uint32_t number[] = {(uint32_t)GET(K0), (uint32_t)GET(K1), (uint32_t)GET(K2),
                             (uint32_t)GET(K3)};
  const unsigned keep = 1u << 7 | SLUICE_ARM_ZERO << 3 | SLUICE_ARM_ZERO;
  unsigned first, second;
  for (unsigned p = 0; p < 2; p++)
    if (rel[p] != SLUICE_REL_TRUE && rel[p] != SLUICE_REL_FALSE) return 0;
  if (rel[0] == SLUICE_REL_TRUE) {
    first = rel[1] == SLUICE_REL_TRUE ? GET(A1) : GET(B1);
    second = rel[1] == SLUICE_REL_TRUE ? GET(A2) : GET(B2);
  } else if (rel[3] == SLUICE_REL_FALSE) {
    first = second = keep;
  } else {
    if (rel[3] != SLUICE_REL_TRUE || (rel[2] != SLUICE_REL_TRUE && rel[2] != SLUICE_REL_FALSE))
      return 0;
    first = rel[2] == SLUICE_REL_TRUE ? GET(C1) : GET(D1);
    second = rel[2] == SLUICE_REL_TRUE ? GET(C2) : GET(D2);
  }
  // Terms: zero and one other.
  unsigned term[2] = {first >> 3 & 7, first & 7};
  const bool minus = first >> 6 & 1, kept = first >> 7;
  for (unsigned t = 0; t < 2; t++)
    if (term[t] <= SLUICE_ARM_K3 && number[term[t]] == 0) term[t] = SLUICE_ARM_ZERO;
  if (second >> 7 == 0 || minus) return 0;
  if (term[0] == SLUICE_ARM_ZERO) term[0] = term[1], term[1] = SLUICE_ARM_ZERO;
  if (term[1] != SLUICE_ARM_ZERO) return 0;
  if (kept && term[0] == SLUICE_ARM_ZERO) return SLUICE_OP_LOAD;
  if (kept && term[0] <= SLUICE_ARM_K3 && number[term[0]] == 1) return SLUICE_OP_LOADD;
  *operand = term[0] == SLUICE_ARM_P1 ? GET(P1) : GET(P2);
  return !kept && (term[0] == SLUICE_ARM_P1 || term[0] == SLUICE_ARM_P2) ? SLUICE_OP_STORE : 0;
#undef GET
}

// Slot of the row that takes a result of the state unit; 0: none.
static unsigned result_slot(const uint8_t *action, unsigned *which, unsigned *count) {
  unsigned found = 0;
  *count = 0;
  for (unsigned slot = 1; slot < SLOTS; slot++) {
    const uint32_t word = sluice_menshen_slot(action, slot);
    if (BITS(word, INSTR, OP) != SLUICE_OP_EXT) continue;
    found = slot;
    *which = word & 15;
    ++*count;
  }
  return found;
}

// The memory operation of a row into slot 16 of `out`, where everything else of the row is.
static enum sluice_status memory(struct menshen_names *names, unsigned stage, unsigned row,
                                 const uint8_t *action, uint8_t *out) {
  const struct sluice_write *state =
                                menshen_entry(names->image, SLUICE_TABLE_STATE_INSTR, stage, row),
                            *access = menshen_entry(names->image, SLUICE_TABLE_ACCESS, stage, 0);
  char text[40];
  unsigned which = 0, count, source = 0;
  const unsigned slot = result_slot(action, &which, &count);
  if (!state || !SLUICE_GET(state->bytes, STATE_INSTR, VALID)) return SLUICE_OK;
  const char *at = menshen_stage_name(names, stage, text);
  const unsigned op = memory_operation(state->bytes, &source);
  if (!op) {
    char what[200];
    struct say say = say_into(what, sizeof what);
    sluice_say_state(&say, state->bytes);
    return menshen_refuse(
        names, "%s, row %u: the memory can load, store, or load and add 1, not: %s", at, row, what);
  }
  if (!access || SLUICE_GET(access->bytes, ACCESS, PREDICATE) >> 3)
    return menshen_refuse(names, "%s: whether the array is accessed depends on a container", at);
  const unsigned index = (unsigned)SLUICE_GET(access->bytes, ACCESS, INDEX);
  unsigned place;
  if (index >> 3 == SLUICE_TYPE_B4) place = names->place[index & 7];
  else if (index == 0 && names->has_zero) place = names->place[names->zero];
  else
    return menshen_refuse(names, "%s: the index of the array must be in a container of 4 bytes",
                          at);
  const bool fits = count <= 1 &&
                    (count == 0 || (op == SLUICE_OP_STORE
                                        ? false
                                        : which == SLUICE_EXT_NEW_1 ||
                                              (op == SLUICE_OP_LOAD && which == SLUICE_EXT_OLD_1)));
  if (!fits)
    return menshen_refuse(
        names, "%s, row %u: the memory gives the value behind the operation, to one container", at,
        row);
  if (count && slot != 9 + names->result)
    return menshen_refuse(names, "%s, row %u: values of the memory go to 4B[7] alone", at, row);
  if (op == SLUICE_OP_STORE && source >> 3 != SLUICE_TYPE_B4)
    return menshen_refuse(names, "%s, row %u: only a container of 4 bytes can be stored", at, row);
  if (sluice_menshen_slot(out, MEMORY_SLOT))
    return menshen_refuse(names, "%s, row %u: 4B[7] is written, and the memory accessed", at, row);
  if (op == SLUICE_OP_LOAD && !count) return SLUICE_OK;
  sluice_menshen_slot_set(out, MEMORY_SLOT,
                          op << SLUICE_INSTR_OP_LSB | SLUICE_TYPE_B4 << 19 |
                              (op == SLUICE_OP_STORE ? names->place[source & 7] : 0) << 16 |
                              SLUICE_TYPE_B4 << 14 | place << 11);
  return SLUICE_OK;
}

// ---- a row --------------------------------------------------------------------------------------

enum sluice_status menshen_action(struct menshen_names *names, unsigned stage, unsigned row,
                                  const uint8_t *data, uint8_t *out) {
  const struct sluice_write *w = menshen_entry(names->image, SLUICE_TABLE_ACTION, stage, row);
  const struct sluice_write *state =
      menshen_entry(names->image, SLUICE_TABLE_STATE_INSTR, stage, row);
  const bool stateful = state && SLUICE_GET(state->bytes, STATE_INSTR, VALID);
  char text[40];
  for (unsigned n = 0; w && n < SLOTS; n++) {
    const unsigned type = n <= 8 ? SLUICE_TYPE_B2 : n <= 16 ? SLUICE_TYPE_B4 : SLUICE_TYPE_B6;
    const struct slot s = {names, n, type, sluice_menshen_slot(w->bytes, n), data};
    uint32_t word = 0;
    if (n && stateful && BITS(s.word, INSTR, OP) == SLUICE_OP_EXT) continue;
    if (!convert(&s, &word)) {
      uint8_t alone[SLUICE_ENTRY_BYTES] = {0};
      char what[200];
      struct say say = say_into(what, sizeof what);
      sluice_menshen_slot_set(alone, n, s.word);
      sluice_say_action(&say, alone);
      return menshen_refuse(names, "%s, row %u: %s", menshen_stage_name(names, stage, text), row,
                            what);
    }
    sluice_menshen_slot_set(out, type == SLUICE_TYPE_B4 && n ? 9 + names->place[n - 9] : n, word);
    if (n == 0) names->discards |= may_discard(word);
  }
  return w ? memory(names, stage, row, w->bytes, out) : SLUICE_OK;
}

// ---- names --------------------------------------------------------------------------------------

static void use(unsigned used[4], unsigned code) { used[code >> 3 & 3] |= 1u << (code & 7); }

static void use_parse(unsigned used[4], const struct sluice_write *w) {
  for (unsigned a = 0; a < 10; a++)
    if (SLUICE_GET(w->bytes + 2 * a, PARSE_ACTION, VALID))
      use(used, (unsigned)(SLUICE_GET(w->bytes + 2 * a, PARSE_ACTION, KIND) << 3 |
                           SLUICE_GET(w->bytes + 2 * a, PARSE_ACTION, IDX)));
}

static void use_action(unsigned used[4], const struct sluice_write *w) {
  for (unsigned n = 1; n < SLOTS; n++) {
    const uint32_t word = sluice_menshen_slot(w->bytes, n);
    const unsigned op = BITS(word, INSTR, OP), type = (n + 7) / 8;
    if (op == SLUICE_OP_NOP || op == SLUICE_OP_NOP_FILL) continue;
    const bool own = op != SLUICE_OP_FUNC && op != SLUICE_OP_FUNCI && op != SLUICE_OP_SETHI;
    use(used, type << 3 | (n - 1) % 8);
    if (op == SLUICE_OP_EXT || op == SLUICE_OP_SET) continue;
    use(used, own ? type << 3 | (word >> 16 & 7) : BITS(word, INSTR, A));
    const bool has_b = own ? op != SLUICE_OP_ADDI && op != SLUICE_OP_SUBI : op == SLUICE_OP_FUNC;
    if (has_b) use(used, own ? type << 3 | (word >> 11 & 7) : BITS(word, INSTR, B));
    if (op == SLUICE_OP_FUNC) use(used, BITS(word, INSTR_FUNC, C));
  }
  // A port or a flag that a container gives is refused, so slot 0 names none.
}

// Containers of the keys that a mask lets through.
static void use_key(unsigned used[4], const struct sluice_write *extract, const uint8_t *mask) {
  static const struct {
    unsigned type, pick_msb, pick_lsb, msb, lsb;
  } parts[] = {
#define PART(TYPE, NAME)                                                                 \
  {SLUICE_TYPE_##TYPE, SLUICE_KEY_EXTRACT_##NAME##_MSB, SLUICE_KEY_EXTRACT_##NAME##_LSB, \
   SLUICE_KEY_##NAME##_MSB, SLUICE_KEY_##NAME##_LSB}
      PART(B6, B6_FIRST),  PART(B6, B6_SECOND), PART(B4, B4_FIRST),
      PART(B4, B4_SECOND), PART(B2, B2_FIRST),  PART(B2, B2_SECOND)};
#undef PART
  for (unsigned p = 0; p < sizeof parts / sizeof *parts; p++)
    for (unsigned bit = parts[p].lsb; bit <= parts[p].msb; bit++)
      if (!sluice_entry_get(mask, SLUICE_KEY_BITS, bit, bit))
        use(used,
            parts[p].type << 3 | (unsigned)sluice_entry_get(extract->bytes, SLUICE_KEY_EXTRACT_BITS,
                                                            parts[p].pick_msb, parts[p].pick_lsb));
  if (sluice_entry_get(mask, SLUICE_KEY_BITS, 0, 0)) return;
  const unsigned sides[] = {(unsigned)SLUICE_GET(extract->bytes, KEY_EXTRACT, CMP_A),
                            (unsigned)SLUICE_GET(extract->bytes, KEY_EXTRACT, CMP_B)};
  for (unsigned i = 0; i < 2; i++)
    if (!(sides[i] >> 8) && (sides[i] >> 3 & 3) < 3)
      use(used, ((sides[i] >> 3 & 3) + 1) << 3 | (sides[i] & 7));
}

static unsigned lowest(unsigned set) {
  unsigned n = 0;
  while (n < 8 && !(set >> n & 1)) n++;
  return n;
}

// The container that results go to, and whether something goes to 4B[7] without being asked for.
static enum sluice_status results(struct menshen_names *names, bool *found, bool *unasked) {
  const struct sluice_image *image = names->image;
  *found = *unasked = false;
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *state = &image->writes[i], *action;
    unsigned which = 0, count = 0, operand = 0;
    if (state->table != SLUICE_TABLE_STATE_INSTR) continue;
    action = menshen_entry(image, SLUICE_TABLE_ACTION, state->stage, state->index);
    const unsigned slot = action ? result_slot(action->bytes, &which, &count) : 0;
    if (!slot) {
      *unasked |= memory_operation(state->bytes, &operand) == SLUICE_OP_LOADD;
      continue;
    }
    if (slot < 9 || slot > 16 || (*found && slot - 9 != names->result))
      return menshen_refuse(names, "values of the memory go to one container of 4 bytes alone");
    names->result = slot - 9;
    *found = true;
  }
  return SLUICE_OK;
}

enum sluice_status menshen_names(struct menshen_names *names) {
  const struct sluice_image *image = names->image;
  unsigned used[4] = {0};
  bool found, unasked;
  for (unsigned i = 0; i < 8; i++) names->place[i] = i;
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i], *mask;
    if (w->table == SLUICE_TABLE_PARSER || w->table == SLUICE_TABLE_DEPARSER) use_parse(used, w);
    if (w->table == SLUICE_TABLE_ACTION) use_action(used, w);
    if (w->table == SLUICE_TABLE_ACCESS) use(used, (unsigned)SLUICE_GET(w->bytes, ACCESS, INDEX));
    if (w->table == SLUICE_TABLE_STATE_INSTR) {
      use(used, (unsigned)SLUICE_GET(w->bytes, STATE_INSTR, P1));
      use(used, (unsigned)SLUICE_GET(w->bytes, STATE_INSTR, P2));
    }
    if (w->table != SLUICE_TABLE_KEY_EXTRACT) continue;
    const uint8_t none[SLUICE_ENTRY_BYTES] = {0};
    mask = menshen_entry(image, SLUICE_TABLE_KEY_MASK, w->stage, 0);
    use_key(used, w, mask ? mask->bytes : none);
  }
  SLUICE_TRY(results(names, &found, &unasked));
  names->free2 = ~used[SLUICE_TYPE_B2] & 0xff;
  unsigned free4 = ~used[SLUICE_TYPE_B4] & 0xff;
  if (unasked && found)
    return menshen_refuse(names, "an array counts, and 4B[7], which gets the count, holds another");
  if (unasked && !free4)
    return menshen_refuse(names, "an array counts, and no container is free for the count");
  if (unasked) names->result = lowest(free4), free4 &= ~(1u << names->result);
  if (found || unasked) {
    names->place[names->result] = MEMORY;
    names->place[MEMORY] = names->result;
  }
  names->has_zero = free4 != 0;
  names->zero = lowest(free4);
  names->free4 = free4;
  return SLUICE_OK;
}
