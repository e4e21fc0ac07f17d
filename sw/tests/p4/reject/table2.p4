// SPDX-License-Identifier: Apache-2.0
// ERROR 5:8 table 't' has no 'actions'
// ERROR 5:23 'exact' is no match kind; there are exact, lpm, ternary, and those of the architecture
control c(in bit<8> a) { 
 table t { key = { a: exact; } }
 apply { } }
