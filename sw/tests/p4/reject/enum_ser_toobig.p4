// SPDX-License-Identifier: Apache-2.0
// ERROR 3:6 an enum is numbered in bit<W> or int<W>, and not in bool
enum bool E { a = true }
