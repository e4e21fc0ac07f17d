// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 '++' takes bit<W> or int<W>, and not bool
control c(inout bool x) { apply { 
 x = x ++ x;
} }
