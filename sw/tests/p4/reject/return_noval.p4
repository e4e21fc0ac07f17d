// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 a value of type bit<8> is returned here
bit<8> f() { 
  return;
}
