// SPDX-License-Identifier: Apache-2.0
// ERROR 4:2 match kind 'a' is declared twice
match_kind { a, 
 a }
