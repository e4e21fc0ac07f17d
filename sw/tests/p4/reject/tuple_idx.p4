// SPDX-License-Identifier: Apache-2.0
// ERROR 5:14 the place in a tuple is from 0 to 1, and not 2
control c() { apply {
  tuple<bit<8>, bool> t = { 8w1, true };
  bool b = t[2];
} }
