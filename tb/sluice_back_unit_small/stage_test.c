// SPDX-License-Identifier: Apache-2.0
// The C side of tb_sluice_back_unit; this folder only runs it in another configuration.
#include "../sluice_back_unit/stage_test.c"
