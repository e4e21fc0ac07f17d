// SPDX-License-Identifier: Apache-2.0
// ERROR 4:8 'S' is declared twice here
struct S { }
header S { }
