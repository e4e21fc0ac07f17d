// SPDX-License-Identifier: Apache-2.0
// ERROR 4:8 'x' stands outside of all
// ERROR 6:5 a parser or control is made within another
bit<8> x = 1;
control c() { apply { } }
c() inst;
