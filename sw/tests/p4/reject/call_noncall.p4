// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 'x' is no function or action
control c(in bit<8> x) { apply { 
  x();
} }
