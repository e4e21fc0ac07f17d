// SPDX-License-Identifier: Apache-2.0
// ERROR 3:29 bool where member 2 of list<bit<8>> is bit<8>
const list<bit<8>> l = { 1, true };
