// SPDX-License-Identifier: Apache-2.0
// ERROR 5:15 argument 'toSignal' of 'verify' is error, and not int
#include <core.p4>
parser d() { state start {
 verify(true, 1);
 transition accept; } }
