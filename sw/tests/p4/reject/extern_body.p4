// SPDX-License-Identifier: Apache-2.0
// ERROR 3:26 '{' where ';' should be
extern X { X(); void f() { } }
