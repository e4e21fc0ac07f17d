// SPDX-License-Identifier: Apache-2.0
@foo("a" "b") const bit<8> x = 1; extern void log(string s); control c() { apply { log("x\n\"y\\"); } }
