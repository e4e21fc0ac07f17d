// SPDX-License-Identifier: Apache-2.0
// ERROR 5:15 either all arguments have names, or none
bit<8> f(in bool b, in bool q) { return 1; }
control c() { apply { 
  f(b = true, false);
} }
