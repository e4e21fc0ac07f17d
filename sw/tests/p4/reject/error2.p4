// SPDX-License-Identifier: Apache-2.0
// ERROR 4:2 error 'A' is declared twice
error { A, 
 A }
