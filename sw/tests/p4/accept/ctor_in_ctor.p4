// SPDX-License-Identifier: Apache-2.0
extern R { R(bit<8> x); } control E()(R r) { apply { } } control F()(R r) { E(r) e; apply { e.apply(); } } control G() { R(3) z; F(z) f; apply { f.apply(); } }
