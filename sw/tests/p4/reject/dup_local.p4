// SPDX-License-Identifier: Apache-2.0
// ERROR 4:11 'a' is declared twice here
control c() { apply { bit<8> a;
   bit<8> a;
 } }
