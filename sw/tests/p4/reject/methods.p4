// SPDX-License-Identifier: Apache-2.0
// ERROR 18:9 'setValid' is for a header, and not for a whole union
// ERROR 19:9 the header of 'setValid' changes, and 'ro' is an 'in' parameter
// ERROR 20:25 the count of elements is a number that is known
// ERROR 21:24 the count of elements is from 1
// ERROR 22:9 H has no method 'push_front'
// ERROR 23:9 S has no method 'isValid'
// ERROR 24:17 'last' of a stack is known in parsers alone
// ERROR 25:13 'isValid' is to be called: isValid()
// ERROR 26:14 an index of this stack is from 0 to 1, and not 2
// ERROR 27:9 a header stack has no 'first'
// ERROR 28:9 bit<8> has no members, so no 'x'
header H { bit<8> x; }
header_union U { H h; }
struct S { H h; U u; H[2] st; }
control c(inout S s, in H ro, in bit<8> n) {
    apply {
        s.u.setValid();
        ro.setValid();
        s.st.push_front(n);
        s.st.pop_front(0);
        s.h.push_front(1);
        s.isValid();
        s.h.x = s.st.last.x;
        if (s.h.isValid) { }
        s.st[2].x = 1;
        s.st.first = s.h;
        n.x = 3;
    }
}
