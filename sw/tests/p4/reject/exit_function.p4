// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 'exit' stands in apply blocks and actions
void f() { 
  exit;
}
