// SPDX-License-Identifier: Apache-2.0
// ERROR 3:14 a parameter has a type of values
control d(in void a) { apply { } }
