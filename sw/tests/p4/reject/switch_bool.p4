// SPDX-License-Identifier: Apache-2.0
// ERROR 5:19 'switch' is over the action_run of a table, a number, an enum or an error, and not S
struct S { bit<8> a; }
control c(in S x, in bit<8> y) { 
  apply { switch (x) {
     default: {}
  } } }
