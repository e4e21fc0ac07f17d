// SPDX-License-Identifier: Apache-2.0
control c(inout bit<8> a, in bool b, in bool d) { apply { a = b ? d ? 8w1 : 8w2 : 8w3; a = (b ? a : 8w3) + 1; if (b == d) a = 3; if (b != !d) a = 4;} }
