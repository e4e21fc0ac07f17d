// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 bit<8> has no method 'apply'
control c(in bit<8> x) { apply { 
  x.apply();
} }
