// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 'exit' stands in apply blocks and actions
parser p() { state start { 
  exit;
  transition accept; } }
