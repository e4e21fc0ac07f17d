// SPDX-License-Identifier: Apache-2.0
// ERROR 4:5 a parser or control is made within another, or as an argument of a package
control c(inout bit<8> x) { apply { } }
c() main;
