// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

@name("other") @deprecated("no") @mine(any [tokens] { of : it } "x" 8w3 ++)
const bit<8> a = 1;
@list[1, "two", 3 + 4] @pairs[k=1, z="x"] @empty[] @bare
control c(@optional in bit<8> x, @brief("y") inout bit<8> b) {
    @hidden action act(@id(1) bit<8> p) { b = p; }
    @name(".absolute") table t {
        key = { b : exact @name("key") @id(3); }
        actions = { act; @defaultonly NoAction; }
        @my const default_action = NoAction();
    }
    @atomic apply { @likely { t.apply(); } @x b = b + 1; }
}
struct S { @field_list(1, 2) bit<8> f; @name("x") bit<8> g; }
enum E { @deprecated("x") A, B }
