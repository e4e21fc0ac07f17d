// SPDX-License-Identifier: Apache-2.0
extern Box<T> {
    Box(bit<32> size);
    Box(bit<32> size, T first);
    T get(in bit<32> i);
    void put(in bit<32> i, in T value);
    U map<U>(in U x);
    abstract T change(in T old);
}
extern bit<8> crc<D>(in D data);
extern void both(in bit<8> a);
extern void both(in bit<8> a, in bit<8> b);
extern Simple { Simple(); void run(); }
control c(inout bit<8> x) {
    Box<bit<8>>(16, 3) box = {
        bit<8> change(in bit<8> old) { return old + 1; }
    };
    Simple() simple;
    apply {
        x = box.get(1);
        box.put(2, x + 1);
        box.put(value = 3, i = 4);
        x = box.map(x);
        x = box.map<bit<8>>(7);
        x = crc({ x, 16w3, 4s2 });
        both(x);
        both(x, 1);
        both(b = 2, a = 3);
        simple.run();
    }
}
