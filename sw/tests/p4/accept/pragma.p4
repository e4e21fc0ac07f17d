// SPDX-License-Identifier: Apache-2.0
#pragma foo
@pragma foo bar baz
const bit<8> x = 3;
