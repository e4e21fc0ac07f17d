// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

bit<8> twice(in bit<8> x) { return x << 1; }
bit<8> twice(in bit<8> x, in bit<8> n) { return x << n; }
void swap(inout bit<8> a, inout bit<8> b) { bit<8> t = a; a = b; b = t; }
T pick<T>(in bool first, in T a, in T b) { if (first) { return a; } return b; }
bit<8> way(in bit<8> x) {
    if (x == 0) { return 1; }
    else if (x == 1) { return 2; }
    else { switch (x) { 2: { return 3; } default: { return 4; } } }
}
bit<8> defaulted(in bit<8> x = 5, in bit<8> y = 6) { return x + y; }
control c(inout bit<8> a, inout bit<8> b) {
    apply {
        a = twice(b) + twice(n = 2, x = b);
        swap(a, b);
        a = pick<bit<8>>(true, a, b);
        a = pick(false, a, 3);
        b = defaulted() + defaulted(1) + defaulted(y = 2);
        a = way(b);
    }
}
