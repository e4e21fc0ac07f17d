// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 a value of an annotation is a constant
control c(in bit<8> z) {
@foo[z]
const bit<8> x = 1;
 apply {} }
