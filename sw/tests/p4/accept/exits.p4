// SPDX-License-Identifier: Apache-2.0
control top(inout bit<8> a) { action q() { exit; return; } apply { q(); exit; } }
