// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One to ten pairs as arguments of a macro:
///
///     SLUICE_PAIRS(DO, to, LAYOUT, (A, 1), (B, 2))
///     DO(to, LAYOUT, A, 1), DO(to, LAYOUT, B, 2)          this is what it stands for
///
/// PAIRS_NUM says how many there are.
#define SLUICE_PAIRS(DO, TO, L, ...) \
  PAIRS_FIRST(PAIRS_ALL, PAIRS_NUM(__VA_ARGS__), DO, TO, L, __VA_ARGS__)
#define PAIRS_NUM(...) PAIRS_ELEVENTH(__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define PAIRS_ELEVENTH(A, B, C, D, E, F, G, H, I, J, K, ...) K
#define PAIRS_FIRST(DO, ...) DO(__VA_ARGS__)
#define PAIRS_CALL(DO, ...) DO(__VA_ARGS__)
#define PAIRS_OPENED(...) __VA_ARGS__
#define PAIRS_ALL(NUM, DO, TO, L, ...) PAIRS_##NUM(DO, TO, L, __VA_ARGS__)
#define PAIRS_1(DO, TO, L, P) PAIRS_CALL(DO, TO, L, PAIRS_OPENED P)
#define PAIRS_2(DO, TO, L, P, ...) PAIRS_1(DO, TO, L, P), PAIRS_1(DO, TO, L, __VA_ARGS__)
#define PAIRS_3(DO, TO, L, P, ...) PAIRS_1(DO, TO, L, P), PAIRS_2(DO, TO, L, __VA_ARGS__)
#define PAIRS_4(DO, TO, L, P, ...) PAIRS_1(DO, TO, L, P), PAIRS_3(DO, TO, L, __VA_ARGS__)
#define PAIRS_5(DO, TO, L, P, ...) PAIRS_1(DO, TO, L, P), PAIRS_4(DO, TO, L, __VA_ARGS__)
#define PAIRS_6(DO, TO, L, P, ...) PAIRS_1(DO, TO, L, P), PAIRS_5(DO, TO, L, __VA_ARGS__)
#define PAIRS_7(DO, TO, L, P, ...) PAIRS_1(DO, TO, L, P), PAIRS_6(DO, TO, L, __VA_ARGS__)
#define PAIRS_8(DO, TO, L, P, ...) PAIRS_1(DO, TO, L, P), PAIRS_7(DO, TO, L, __VA_ARGS__)
#define PAIRS_9(DO, TO, L, P, ...) PAIRS_1(DO, TO, L, P), PAIRS_8(DO, TO, L, __VA_ARGS__)
#define PAIRS_10(DO, TO, L, P, ...) PAIRS_1(DO, TO, L, P), PAIRS_9(DO, TO, L, __VA_ARGS__)
