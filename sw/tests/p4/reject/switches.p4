// SPDX-License-Identifier: Apache-2.0
// ERROR 16:48 'q' is no action of table 't'
// ERROR 16:55 this label is there twice
// ERROR 17:29 this label is there twice
// ERROR 17:36 a label of 'switch' is known at compile time
// ERROR 17:56 'default' is the last label
// ERROR 18:31 enum E has no 'c'
// ERROR 19:17 'switch' is over
#include <core.p4>

enum E { a, b }
control c(in bit<8> x, in E e, inout bit<8> r) {
    action p() { } action q() { }
    table t { key = { x : exact; } actions = { p; NoAction; } }
    apply {
        switch (t.apply().action_run) { p: { } q: { } p: { } default: { } }
        switch (x) { 1: { } 1: { } x: { } default: { } 3: { } }
        switch (e) { E.a: { } E.c: { } }
        switch ("s") { }
    }
}
