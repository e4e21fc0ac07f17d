// SPDX-License-Identifier: Apache-2.0
// The model of tb/sluice_order; this folder only runs it in a wider configuration.
#include "../sluice_order/model.c"
