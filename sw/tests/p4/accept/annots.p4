// SPDX-License-Identifier: Apache-2.0
@foo @bar(1, "x", a.b { (c) }) @baz[1, 2, "z"] @kv[a = 1, b = "q" ++ "r"] const bit<8> x = 3;
@deprecated("x") extern void f(@foo in bit<8> x); @pure extern bit<8> g(); @noWarn("unused") @hidden @name(".x.y") action zz() {}
enum bit<8> Z { @foo A = 1, @bar B = 2 } struct S { @foo bit<8> a; } @match(exact) typedef bit<8> TT;
