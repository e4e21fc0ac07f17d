// SPDX-License-Identifier: Apache-2.0
// ERROR 3:18 parameter 'x' of type int has no direction
control c(in int x) {
 apply { } }
