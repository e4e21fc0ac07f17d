// SPDX-License-Identifier: Apache-2.0
// ERROR 4:10 what is returned is bit<8>, and not bool
bit<8> f(in bool b) { 
  return b;
}
