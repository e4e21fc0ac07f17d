// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 '+' takes numbers, and not T
type bit<8> T;
control d(inout T u) { apply { 
  u = u + u;
} }
