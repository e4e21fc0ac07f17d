// SPDX-License-Identifier: Apache-2.0
header h_t { bit<8> key; bit<8> actions; bit<8> type; bit<8> state; bit<8> apply; bit<8> size; bit<8> entries; bit<8> priority; }
struct type_s { h_t entries; h_t key; } 
control d(inout h_t key, inout type_s s) { bit<8> state; action apply_me(bit<8> actions) { key.actions = actions; } apply { key.key = key.type + state; s.key.entries = s.entries.key; s.entries.apply = 3; } }
