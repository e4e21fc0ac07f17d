// SPDX-License-Identifier: Apache-2.0
// ERROR 3:17 a parameter has a type of values
control c(inout _ a) { apply { } }
