// SPDX-License-Identifier: Apache-2.0
struct Opt<T> { bool has; T value; }
header G<T> { T x; bit<8> y; }
Opt<T> some<T>(in T v) { Opt<T> o; o.has = true; o.value = v; return o; }
control c(inout Opt<bit<8>> o, inout G<bit<16>> g) {
    apply {
        o = some<bit<8>>(3);
        o = { true, 4 };
        g = { 5, 6 };
        if (o.has) { g.x = 16w2; }
    }
}
