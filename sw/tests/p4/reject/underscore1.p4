// SPDX-License-Identifier: Apache-2.0
// ERROR 4:7 '_' where an expression should be
control c(inout bit<8> a) { apply {
  a = _;
} }
