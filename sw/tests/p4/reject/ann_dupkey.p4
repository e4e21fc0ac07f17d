// SPDX-License-Identifier: Apache-2.0
// ERROR 3:13 'a' stands twice in this annotation
@foo[a=1, a=2]
const bit<8> x = 1;
