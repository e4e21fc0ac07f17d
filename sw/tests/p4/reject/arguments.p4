// SPDX-License-Identifier: Apache-2.0
// ERROR 13:13 'f' takes 2 arguments, and gets 1
// ERROR 14:13 'f' takes 2 arguments, and gets 3
// ERROR 15:18 either all arguments have names
// ERROR 16:22 'f' has no parameter 'z'
// ERROR 17:9 'act' takes 1 argument, and gets 0
// ERROR 18:15 argument 'x' of 'f' is bit<8>, and not bool
// ERROR 19:9 'a' is no function or action
bit<8> f(in bit<8> x, in bit<8> y) { return x + y; }
control c(inout bit<8> a) {
    action act(bit<8> p) { a = p; }
    apply {
        a = f(1);
        a = f(1, 2, 3);
        a = f(1, y = 2);
        a = f(x = 1, z = 2);
        act();
        a = f(true, 2);
        a();
    }
}
