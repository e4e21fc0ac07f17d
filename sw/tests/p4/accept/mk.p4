// SPDX-License-Identifier: Apache-2.0
match_kind { exact, foo } match_kind { bar, } error { } enum E { A, B, }
