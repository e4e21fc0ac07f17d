// SPDX-License-Identifier: Apache-2.0
// ERROR 5:14 the place in a tuple is a number that is known at compile time
control c(in bit<8> i) { apply {
  tuple<bit<8>, bool> t = { 8w1, true };
  bool b = t[i];
} }
