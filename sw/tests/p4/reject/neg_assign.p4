// SPDX-License-Identifier: Apache-2.0
// ERROR 4:7 '-' takes a number, and not bool
control c(inout bool x) { apply { 
 x = -x;
} }
