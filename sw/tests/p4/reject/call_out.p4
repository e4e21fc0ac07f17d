// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 argument 'b' of 'f' is a variable, a field or an element, which can be assigned to
bit<8> f(out bool b) { b = true; return 1; }
control c() { apply { 
  f(true);
} }
