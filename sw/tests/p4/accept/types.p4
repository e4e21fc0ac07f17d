// SPDX-License-Identifier: Apache-2.0
typedef bit<48> mac_t;
type bit<9> port_t;
enum Color { red, green, blue }
enum bit<16> Ether { ipv4 = 0x800, ipv6 = 0x86dd, vlan = 16w0x8100, }
struct Empty { }
header A { mac_t m; bit<16> t; bool flag; int<7> s; Ether e; port_t p; bit<7> pad; }
header B { bit<8> len; varbit<320> rest; }
header_union U { A a; B b; }
struct S { A a; U u; A[4] stack; U[2] ustack; tuple<bit<8>, bool> pair; Color c; error err; mac_t m; }
struct Pair<T, W> { T first; W second; }
typedef Pair<bit<8>, Color> concrete_t;
const Pair<bit<8>, bool> p = { 1, true };
const bit<8> f = p.first;
typedef struct Inline { bit<8> x; } inline_t;
const inline_t i = { 3 };
const port_t port = (port_t) 5;
const bit<9> plain = (bit<9>) port;
const Ether e = (Ether) 0x1234;
const bit<16> n = Ether.ipv6;
