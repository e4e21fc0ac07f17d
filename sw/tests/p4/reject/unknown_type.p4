// SPDX-License-Identifier: Apache-2.0
// ERROR 6:12 unknown type 'Heeder'; is 'Header' meant?
// ERROR 6:22 unknown type 'other_t'
// ERROR 7:14 unknown type 'missing_t'
header Header { bit<8> x; }
struct S { Heeder h; other_t o; }
control c(in missing_t m) { apply { } }
