// SPDX-License-Identifier: Apache-2.0
// ERROR 7:7 unknown name 'unknown'
// ERROR 7:26 'x' stands twice in this annotation
// ERROR 7:37 an annotation in square brackets holds
// ERROR 9:2 @name takes one text
const bit<8> k = 3;
@a[1, unknown] @b[x=1, x=2] @c[y=1, 2] @d[k + 1]
const bit<8> m = 1;
@name(3) const bit<8> n = 1;
