// SPDX-License-Identifier: Apache-2.0
enum Color { red, green }
enum bit<4> Nibble { a = 1, b = 2 }
control c(in Color k, in Nibble n, in bit<8> x, in error e, inout bit<8> r) {
    apply {
        switch (k) { Color.red: { r = 1; } Color.green: { r = 2; } }
        switch (n) { Nibble.a: Nibble.b: { r = 3; } default: { } }
        switch (x) { 1: 2: 8w3: { r = 4; } 0xFF: { } }
        switch (x[3:0] ++ x[7:4]) { 16: { r = 5; } }
        switch (e) { default: { r = 6; } }
        switch (x) { }
    }
}
