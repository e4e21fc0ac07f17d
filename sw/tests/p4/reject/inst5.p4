// SPDX-License-Identifier: Apache-2.0
// ERROR 4:5 a parser or control is made within another, or as an argument of a package
control d(in bit<8> a) { apply {} }
d() x;
