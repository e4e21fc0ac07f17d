// SPDX-License-Identifier: Apache-2.0
// Reference of one ALU, from the functions of the stage model.
#include "sluice_back_unit/stage_model.h"

int alu_reference(int width, int instr, long long a, long long b, int c, long long *result);
int alu_reference(int width, int instr, long long a, long long b, int c, long long *result) {
  uint64_t mask = (1ull << width) - 1, d = 0, ua = (uint64_t)a, ub = (uint64_t)b;
  uint32_t in = (uint32_t)instr, imm = in & 0xffff;
  switch (in >> 21) {
    case SLUICE_OP_ADD: d = ua + ub; break;
    case SLUICE_OP_SUB: d = ua - ub; break;
    case SLUICE_OP_ADDI: d = ua + imm; break;
    case SLUICE_OP_SUBI: d = ua - imm; break;
    case SLUICE_OP_SET: d = imm; break;
    case SLUICE_OP_FUNC: d = func(in >> 6 & 31, (uint32_t)ua, (uint32_t)ub, (uint32_t)c); break;
    case SLUICE_OP_FUNCI:
      d = funci(in >> 12 & 15, (uint32_t)ua, (uint32_t)((int32_t)(in << 20) >> 20));
      break;
    case SLUICE_OP_SETHI: d = imm << 16 | (ua & 0xffff); break;
    default: return 0;
  }
  *result = (long long)(d & mask);
  return 1;
}
