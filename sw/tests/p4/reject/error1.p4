// SPDX-License-Identifier: Apache-2.0
// ERROR 5:15 error has no 'Foo'
#include <core.p4>
parser d() { state start {
 verify(true, error.Foo);
 transition accept; } }
