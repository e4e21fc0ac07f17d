// SPDX-License-Identifier: Apache-2.0
// ERROR 5:32 'f' calls itself
// ERROR 6:28 'a' calls itself
// ERROR 6:35 'c' is made within itself
bit<8> f(in bit<8> x) { return f(x); }
control c() { action a() { a(); } c() again; apply { a(); } }
