// SPDX-License-Identifier: Apache-2.0
// ERROR 7:8 function 'f' does not return a value on every way
// ERROR 8:19 nothing is returned here
// ERROR 9:14 a value of type bit<8> is returned here
// ERROR 10:21 what is returned is bit<8>, and not bool
// ERROR 11:30 nothing is returned from here
bit<8> f(in bit<8> x) { if (x == 0) { return 1; } }
void g() { return 3; }
bit<8> h() { return; }
bit<8> i() { return true; }
control c() { apply { return 1; } }
