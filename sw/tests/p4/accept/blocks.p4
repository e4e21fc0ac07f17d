// SPDX-License-Identifier: Apache-2.0
control top(inout bit<8> a) { apply { @atomic { a = 1; { bit<8> a2 = 3; a = a2; } } ; ; if (a == 1) ; else if (a == 2) { } else return; } }
