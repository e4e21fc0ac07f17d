// SPDX-License-Identifier: Apache-2.0
// ERROR 4:20 '`' stands for nothing here
// ERROR 5:20 '$' stands for nothing here
const bit<8> a = 1 ` 2;
const bit<8> b = 1 $ 2;
