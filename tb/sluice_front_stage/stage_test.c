// SPDX-License-Identifier: Apache-2.0
// The C side of tb_sluice_front_stage: that of tb_sluice_back_unit, told to be a front stage.
#include "sluice_back_unit/stage_test.h"
