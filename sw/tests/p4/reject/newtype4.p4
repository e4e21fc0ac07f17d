// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 'type' makes a new type of bit<W>, int<W>, bool or an enum, and not of H
header H { bit<8> a; }
type H T;
