// SPDX-License-Identifier: Apache-2.0
#include "helper.p4"
#include <helper.p4>
const bit<8> y = HELPED + helped;
