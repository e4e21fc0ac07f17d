// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 a stack is of headers or header unions, and not of bit<8>
control c() { apply { 
  bit<8>[3] x;
 } }
