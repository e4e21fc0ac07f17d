// SPDX-License-Identifier: Apache-2.0
control C1(inout bit<8> a); 
control imp(inout bit<8> a) { apply { a = 1; } }
control caller(inout bit<8> a)(C1 c) { apply { c.apply(a); } }
control top(inout bit<8> a) { imp() i; caller(i) k; caller(imp()) q; apply { k.apply(a); q.apply(a); imp.apply(a); } }
package T(C1 c); T(top()) main;
