// SPDX-License-Identifier: Apache-2.0
control c(inout bit<8> a, inout bit<8> b, inout int<8> s, inout bool t, inout bit<16> w) {
    apply {
        a = a + b - 1 * 2;
        a = a |+| b |-| 3;
        a = a & b | ~a ^ 0x0F;
        a = -a + (+b);
        a = a << 3 >> b[2:0];
        a = a >> 1 << 2;
        s = s >> 2;
        s = -s * 3 |-| 1;
        w = a ++ b;
        w[7:0] = a;
        w[15:8] = w[7:0] ++ 1w1 == 9w3 ? b : a;
        a = w[3 +: 8];
        w[b +: 4] = 3;
        t = a < b && w >= 3 || !(a == b) && s != -1 && t == true;
        t = (bool) a[0:0];
        a = (bit<8>) w;
        a = (bit<8>) (bit<1>) t;
        s = (int<8>) a;
        w = (bit<16>) (int<16>) s;
        a = t ? 1 : b;
        a = a / 3;
        a = a % 4;
        a += 1; a -= b; a *= 2; a &= 0xF; a |= 1; a ^= b; a <<= 1; a >>= 2; a |+|= 1; a |-|= 1;
        a /= 2; a %= 3;
        w[3:0] += 1;
    }
}
