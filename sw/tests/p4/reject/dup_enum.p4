// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 member 'a' is declared twice
enum S { a,
  a }
