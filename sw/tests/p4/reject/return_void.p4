// SPDX-License-Identifier: Apache-2.0
// ERROR 4:10 nothing is returned here: the function is void
void f() { 
  return 1;
}
