// SPDX-License-Identifier: Apache-2.0
#include "check.h"
void p4_warn(struct p4_checker *k) { (void)k; }
