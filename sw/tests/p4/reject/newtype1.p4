// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 the right side is T, and not bit<8>; a cast is (T)
type bit<8> T;
control d(inout T u) { apply { 
  u = 8w1;
} }
