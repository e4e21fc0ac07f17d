// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 'f' has no parameter 'x'
bit<8> f(in bool b) { return 1; }
control c() { apply { 
  f(x = true);
} }
