// SPDX-License-Identifier: Apache-2.0
extern R<T, S> { R(S size, T initial); T read(in S i); void write(in S i, in T v); V conv<V>(in T x); }
control d() { R<bit<8>, bit<32>>(32, 0) r; apply { bit<8> v = r.read(0); bit<16> q = r.conv<bit<16>>(3); r.write(3, v); } }
