// SPDX-License-Identifier: Apache-2.0
// ERROR 4:2 annotation '@foo' stands twice; one with square brackets stands once
@foo[1]
@foo[2]
const bit<8> x = 1;
