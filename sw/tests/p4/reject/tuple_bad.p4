// SPDX-License-Identifier: Apache-2.0
// ERROR 4:29 bool where member 1 of tuple<bit<8>, bool> is bit<8>
control c() { apply {
  tuple<bit<8>, bool> t = { true, 8w1 };
} }
