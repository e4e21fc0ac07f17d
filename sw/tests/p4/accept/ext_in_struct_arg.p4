// SPDX-License-Identifier: Apache-2.0
extern X { X(tuple<bit<8>, bool> t); X(bit<8> a, bool b); void f(in tuple<bit<8>, bool> t); } control c() { X({ 1, true }) x; X(1, false) y; apply { x.f({ 2, false }); } }
