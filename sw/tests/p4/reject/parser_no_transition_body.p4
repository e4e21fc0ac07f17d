// SPDX-License-Identifier: Apache-2.0
// ERROR 5:14 ';' where the name of a state should be
// ERROR 5:18 '}' without a '{' before it
parser p() { state start { 
  transition ; } }
