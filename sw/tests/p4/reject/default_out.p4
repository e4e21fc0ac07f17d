// SPDX-License-Identifier: Apache-2.0
// ERROR 3:21 parameter 'a' is out, so it has no default
bit<8> f(out bit<8> a = 3) { return 1; }
