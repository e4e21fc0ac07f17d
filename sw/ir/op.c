// SPDX-License-Identifier: Apache-2.0
// What the operators mean: docs/machine.md, "Numbers". The interpreter, the constant folder and the
// check of the mapping all use these.
#include "ir.h"

int32_t op_eval(enum op op, int32_t a, int32_t b) {
  uint32_t x = (uint32_t)a, y = (uint32_t)b;
  unsigned shift = y & 31;
  switch (op) {
    case OP_ADD: return (int32_t)(x + y);
    case OP_SUB: return (int32_t)(x - y);
    case OP_MUL: return (int32_t)(x * y);
    case OP_DIV: return b == 0 ? 0 : b == -1 ? (int32_t)(0u - x) : a / b;
    case OP_MOD: return b == 0 || b == -1 ? 0 : a % b;
    case OP_AND: return a & b;
    case OP_OR: return a | b;
    case OP_XOR: return a ^ b;
    case OP_SHL: return (int32_t)(x << shift);
    // Written without >> of a negative number, which C leaves to the implementation.
    case OP_SRA: return a < 0 ? (int32_t) ~(~x >> shift) : (int32_t)(x >> shift);
    case OP_SRL: return (int32_t)(x >> shift);
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_GT: return a > b;
    case OP_GE: return a >= b;
    case OP_LAND: return a && b;
    case OP_LOR: return a || b;
    case OP_LNOT: return !a;
    case OP_NOT: return ~a;
    case OP_NEG: return (int32_t)(0u - x);
    case OP_PLUS: return a;
    case OP_MAX: return a > b ? a : b;
    case OP_MIN: return a < b ? a : b;
    case OP_ADDS: {
      const int64_t sum = (int64_t)a + b;
      return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
    }
    default: SLUICE_BUG("not an operator on numbers");
  }
}

const char *op_text(enum op op) {
  static const char *const text[] = {
      [OP_CONST] = "const", [OP_INPUT] = "input", [OP_PARAM] = "param",  [OP_OLD] = "old",
      [OP_EXT] = "result",  [OP_HASH] = "hash",   [OP_TABLE] = "lookup", [OP_ADD] = "+",
      [OP_SUB] = "-",       [OP_MUL] = "*",       [OP_DIV] = "/",        [OP_MOD] = "%",
      [OP_AND] = "&",       [OP_OR] = "|",        [OP_XOR] = "^",        [OP_SHL] = "<<",
      [OP_SRA] = ">>",      [OP_SRL] = ">>>",     [OP_EQ] = "==",        [OP_NE] = "!=",
      [OP_LT] = "<",        [OP_LE] = "<=",       [OP_LAND] = "&&",      [OP_LOR] = "||",
      [OP_NOT] = "~",       [OP_SELECT] = "?:",   [OP_GT] = ">",         [OP_GE] = ">=",
      [OP_LNOT] = "!",      [OP_NEG] = "-",       [OP_PLUS] = "+",       [OP_WORDS] = "words",
      [OP_FOUND] = "found", [OP_MAX] = "max",     [OP_MIN] = "min",      [OP_ADDS] = "add_sat"};
  return text[op];
}

static uint32_t crc_bits(uint32_t crc, uint32_t polynomial, const int32_t *words, unsigned num) {
  for (unsigned i = 0; i < 4 * num; i++) {
    crc ^= (uint32_t)words[i / 4] >> (8 * (i % 4)) & 255u;
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
  }
  return crc;
}

int32_t hash_eval(unsigned algorithm, const int32_t *words, unsigned num, uint32_t modulus) {
  uint32_t value = 0;
  if (algorithm == SLUICE_HASH_IDENTITY) {
    int64_t dividend = words[0];
    return modulus ? (int32_t)(dividend % (int64_t)modulus) : words[0];
  }
  if (algorithm == SLUICE_HASH_CRC16) value = crc_bits(0, 0xa001, words, num);
  if (algorithm == SLUICE_HASH_CRC32) value = ~crc_bits(UINT32_MAX, 0xedb88320u, words, num);
  return (int32_t)(modulus ? value % modulus : value);
}

int32_t node_eval(const struct node *n, const int32_t *value) {
  int32_t x[NODE_ARGS] = {0};
  for (unsigned i = 0; i < n->num_args; i++) x[i] = value[n->arg[i]->id];
  if (n->op == OP_CONST) return n->value;
  if (n->op == OP_SELECT) return x[0] ? x[1] : x[2];
  if (n->op == OP_HASH) return hash_eval(n->index, x, n->num_args, n->modulus);
  return op_eval(n->op, x[0], x[1]);
}
