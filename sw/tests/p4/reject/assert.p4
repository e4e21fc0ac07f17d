// SPDX-License-Identifier: Apache-2.0
// ERROR 5:16 this is not so: no
// ERROR 6:16 this is not so
#include <core.p4>
const bool a = static_assert(1 == 2, "no");
const bool b = static_assert(8w256 == 3);
