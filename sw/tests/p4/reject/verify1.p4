// SPDX-License-Identifier: Apache-2.0
// ERROR 5:2 'verify' is called in parser states, and not in an apply block
#include <core.p4>
control d() { apply { 
 verify(true, error.NoError);
} }
