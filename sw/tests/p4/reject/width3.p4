// SPDX-License-Identifier: Apache-2.0
// ERROR 3:21 a width is from 1 to 65535, and not 0
control c(inout int<0> a) { apply { } }
