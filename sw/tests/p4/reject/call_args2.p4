// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'f' takes 1 argument, and gets 2
bit<8> f(in bool b) { return 1; }
control c() { apply { 
  f(true, false);
} }
