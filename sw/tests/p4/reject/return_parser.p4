// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 a parser state ends with 'transition', not 'return'
parser p() { state start { 
  return;
  transition accept; } }
