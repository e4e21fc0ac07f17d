// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 the right side is T, and not R
type bit<8> T; type bit<8> R;
control d(inout T u, in R r) { apply { 
  u = r;
} }
