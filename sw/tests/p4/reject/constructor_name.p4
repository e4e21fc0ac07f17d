// SPDX-License-Identifier: Apache-2.0
// ERROR 3:13 '(' where the name of a function should be
extern X { Y(bit<8> a); }
