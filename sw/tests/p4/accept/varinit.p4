// SPDX-License-Identifier: Apache-2.0
control c(out bit<8> z) { bit<8> a = 1; bit<8> b = a + 1; bool q = a == b; apply { z = b; } }
