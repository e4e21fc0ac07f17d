// SPDX-License-Identifier: Apache-2.0
// ERROR 3:13 an annotation in square brackets holds values, or names with values, and not both
@foo[a = 1, 2]
const bit<8> x = 1;
